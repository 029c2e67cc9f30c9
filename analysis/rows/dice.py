"""Rows of dice: what notation comes to, and what targets, goals, saves and Leadership are worth."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from analysis.library.odds import odds
from sims.dice import PMF, parse_notation
from sims.errors import CasemateError
from sims.rulesets import RuleSet

MOST_BESIDE = 3
"""The most notations beside each other."""
MOST_OUTCOMES = 300
"""The most outcomes that a chart has room for."""
SKILLS, MODIFIERS = range(1, 9), range(-5, 3)
STRENGTHS = TOUGHNESSES = range(1, 11)
SAVES, PIERCING = range(2, 7), ("none", *range(6, 0, -1))
LOW, HIGH = range(5, -3, -1), range(2, 10)
"""The targets of low rolls and the goals of high rolls that can be made, the easiest first."""
LEADERSHIP = range(2, 13)

CONFIRMED = {0: "1/3-", -1: "1/2-", -2: "1/1", 7: "6/4+", 8: "6/5+", 9: "6/6"}
"""What is rolled for targets and goals that a second die confirms, as books print it (ARAP-014, ARAP-015)."""


class DiceRow(NamedTuple):
    """The chance of one outcome of dice, of it or more, and of it or less; `said` is the word for it, if it has one."""

    notation: str
    outcome: int
    said: str | None
    chance: float
    at_least: float
    at_most: float


class DiceMark(NamedTuple):
    """The mean of dice."""

    notation: str
    mean: float


class HitRow(NamedTuple):
    """The chance to hit by skill and modifiers; `needs` is what is rolled, None where nothing hits."""

    skill: int
    modifiers: int
    needs: str | None
    chance: float


class WoundRow(NamedTuple):
    """The chance to wound by Strength and Toughness, and that of a shot beyond short range."""

    S: int
    T: int
    needs: str | None
    chance: float
    beyond: float


class SaveRow(NamedTuple):
    """The chance that a wound is saved, by armour save and AP.

    `needs` is what is rolled, `by` the save that it is: "cover", "invulnerable", or "armour" where that is better than
    both. They are None where nothing saves.
    """

    save: str
    AP: str
    needs: str | None
    by: str | None
    chance: float


class ExtendedRow(NamedTuple):
    """The chance of a roll that a second die may confirm, and without that die."""

    roll: str
    needs: str
    extended: float
    plain: float


class PassRow(NamedTuple):
    """The chance to pass a test against Leadership, and with a re-roll of what fails."""

    Ld: int
    once: float
    again: float


def dice_rows(notations: Sequence[str]) -> tuple[list[DiceRow], list[DiceMark]]:
    """Return every outcome of dice as players write them, and the means.

    Raises:
        CasemateError: If there are too many notations or outcomes, or one is no notation.
    """
    every = [*dict.fromkeys(notations)]
    if len(every) > MOST_BESIDE:
        raise CasemateError(f"{len(every)} notations are too many beside each other; expected at most {MOST_BESIDE}")
    found = {text: parse_notation(text) for text in every}
    for text, pmf in found.items():
        if len(pmf.outcomes) > MOST_OUTCOMES:
            raise CasemateError(f"{text} has {len(pmf.outcomes):,} outcomes; at most {MOST_OUTCOMES} can be drawn")
    rows = [row for text, pmf in found.items() for row in _outcomes(text, pmf)]
    return rows, [DiceMark(text, float(pmf.mean)) for text, pmf in found.items()]


def _outcomes(text: str, pmf: PMF) -> list[DiceRow]:
    names = {0: "fails", 1: "succeeds"} if _is_test(text) else pmf.names
    return [
        DiceRow(text, k, names.get(k), float(chance), float(pmf.at_least(k)), float(pmf.at_most(k)))
        for k, chance in pmf
    ]


def _is_test(text: str) -> bool:
    """Return whether notation is a roll that succeeds or not: one that can be asked of attacks."""
    try:
        parse_notation(f"1@{text}")
    except CasemateError:
        return False
    return True


def hit_rows(rules: RuleSet | None = None) -> list[HitRow]:
    """Return the chance to hit by Ballistic Skill and modifiers, as Gemini-ARAP has it (ARAP-006, ARAP-008)."""
    rows = []
    for skill in SKILLS:
        for modifiers in MODIFIERS:
            target = int(_asked("effective-target", rules, skill=skill, modifiers=modifiers))
            chance = float(_asked("to-hit", rules, attack="shooting", BS=skill, modifiers=modifiers))
            rows.append(HitRow(skill, modifiers, low_needs(target) if chance else None, chance))
    return rows


def wound_rows(rules: RuleSet | None = None) -> list[WoundRow]:
    """Return the chance to wound by Strength and Toughness, as Gemini-ARAP has it (ARAP-009, ARAP-010)."""
    rows = []
    for S in STRENGTHS:
        for T in TOUGHNESSES:
            goal = int(_asked("wound-goal", rules, S=S, T=T))
            chance = float(_asked("wound-roll", rules, S=S, T=T))
            beyond = float(_asked("wound-roll-at-a-distance", rules, goal=goal, distance=24, range=24))
            rows.append(WoundRow(S, T, high_needs(goal) if chance else None, chance, beyond))
    return rows


def save_rows(cover: str = "none", invulnerable: str = "none") -> list[SaveRow]:
    """Return the chance that a wound is saved, by armour save and AP, with the best save there is (BASE-013)."""
    others = {"cover": _saved(cover=cover), "invulnerable": _saved(invulnerable=invulnerable)}
    rows = []
    for Sv in SAVES:
        for AP in PIERCING:
            chance = _saved(Sv=Sv, AP=AP, cover=cover, invulnerable=invulnerable)
            by = next((name for name, other in others.items() if other == chance), "armour") if chance else None
            rows.append(SaveRow(f"{Sv}+", str(AP), f"{7 - 6 * chance}+" if chance else None, by, float(chance)))
    return rows


def _saved(**given: Any) -> Fraction:
    return 1 - _asked("failed-save", **given)


def extended_rows() -> list[ExtendedRow]:
    """Return rolls to hit and saves, with a second die beyond what one can show and without (ARAP-005, ARAP-011)."""
    kinds = (
        ("low roll, to hit", "ARAP-005", "base", "extended_to_hit", LOW, low_needs),
        ("high roll, to save", "ARAP-011", "save", "extended_saves", HIGH, high_needs),
    )
    rows = []
    for roll, clause, taken, ruling, targets, needs in kinds:
        for target in targets:
            with_die, alone = (_asked(clause, None, **{taken: target, ruling: x}) for x in ("allowed", "impossible"))
            rows.append(ExtendedRow(roll, needs(target), float(with_die), float(alone)))
    return rows


def leadership_rows() -> list[PassRow]:
    """Return the chance of a test against Leadership, as Gemini-ARAP has it (ARAP-012), and with a re-roll."""
    return [
        PassRow(Ld, float(_asked("ARAP-012", target=Ld)), float(parse_notation(f"Ld{Ld} reroll")[1]))
        for Ld in LEADERSHIP
    ]


def low_needs(target: int) -> str:
    """Return what is rolled for a target, as books print it."""
    return CONFIRMED.get(target, f"{target}-")


def high_needs(goal: int) -> str:
    """Return what is rolled for a goal, as books print it."""
    return CONFIRMED.get(goal, f"{goal}+")


def _asked(text: str, rules: RuleSet | None = None, **given: Any) -> Fraction:
    """Return the number that a question answers."""
    answer = odds(text, rules=rules, **given).answer
    if not isinstance(answer, Fraction | int):
        raise CasemateError(f'"{text}" does not answer with a number')
    return Fraction(answer)
