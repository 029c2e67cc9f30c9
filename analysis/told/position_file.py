"""Positions as files: read from people, and written of a game that was played."""

import json
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from analysis.points.margins import SIDES
from analysis.told.fields import ALSO, fields
from analysis.told.position import Position, Refusal, Worth, worth
from sims.assault import End
from sims.dice import Ints
from sims.engines import Progress
from sims.errors import CasemateError, Faults, nearest
from sims.reading import Source, Strict, bare, read, validate
from sims.replay import Replay
from sims.rulesets import Rules, RuleSet, rule_set_ids, rule_sets_of
from sims.scenario import AttackPlan, DefencePlan, Scenario, Side, load_scenario, scenario_ids

MOST = 1000
"""More than any number that stands in a game."""

CALLED = {
    "garrison": "defenders",
    "inside": "defenders",
    "defender": "defenders",
    "squad": "attackers",
    "attacker": "attackers",
    "inches": "distance",
}
"""What people call that which a position has by another word."""


class PositionFile(Strict, extra="allow"):
    """A position as its file gives it; its other keys are words of the log, with what stands there."""

    scenario: str
    turn: Annotated[int, Field(ge=1)]
    to_move: Side | None = None
    plan: AttackPlan | None = None
    defence: DefencePlan | None = None
    rules: str | None = None


def position(
    file: str | Path, rules: Rules | None = None, *, progress: Progress | None = None
) -> list[Worth | Refusal]:
    """Find out what a game in the middle is worth: the chance of each end from there, under every plan.

    ``position("position.toml", "storming")[0].chances`` has the chance of each end for each pair of plans, and
    ``.best`` what each plan is worth if both sides play their best from there on. ``casemate play --save-position 3``
    writes such a file, and ``casemate position --help`` shows one.

    Args:
        rules: Those that the file was saved under if not given; all, if it names none.
        progress: ``progress(done, of)``; it begins again for each set of rules.
    """
    sets = rule_sets_for(Path(file), rules)
    asked = load(Path(file), sets)
    return [worth(asked, each, progress) for each in sets]


def rule_sets_for(path: Path, rules: Rules | None) -> list[RuleSet]:
    """Return the sets of rules that a position is asked of: those given, else those it was saved under, else all."""
    if rules is not None:
        return rule_sets_of(rules)
    source = read(path)
    saved_under = validate(PositionFile, source.data, [source]).rules
    if saved_under is None:
        return rule_sets_of("all")
    beside = path.parent / saved_under
    if saved_under not in rule_set_ids() and not beside.is_file():
        message = f'there are no rules "{saved_under}"; {nearest(saved_under, rule_set_ids())}'
        raise source.error(("rules",), message)
    return rule_sets_of(saved_under if saved_under in rule_set_ids() else beside)


def load(path: Path, rule_sets: Sequence[RuleSet]) -> Position:
    """Read a position.

    Args:
        rule_sets: Those it is asked of: each key besides those of the file must be a word that one of them has for
            something.

    Raises:
        CasemateError: If a key or a value does not fit, or the scenario it names.
    """
    source = read(path)
    given = validate(PositionFile, source.data, [source])
    scenario = _scenario(source, given)
    if given.turn > scenario.turns:
        raise source.error(
            ("turn",), f"expected at most {scenario.turns} (the turns of the scenario), got {given.turn}"
        )
    words = {word: value for word, value in source.data.items() if word not in PositionFile.model_fields}
    known = dict[str, type]()
    for rule_set in rule_sets:
        assault = rule_set.assault(scenario)
        known |= {word: type(of.item()) for word, of in fields(assault, assault.start).items()}
    faults = Faults()
    for word, value in words.items():
        with faults:
            _check(source, scenario, word, value, known)
            if ALSO.get(word) in words:
                raise source.error((word,), f'this is "{ALSO[word]}", which is given as well; expected one of the two')
    faults.tell()
    said = {ALSO.get(word, word): value for word, value in words.items()}
    return Position(scenario, given.turn, given.to_move or scenario.first, said)


def _scenario(source: Source, given: PositionFile) -> Scenario:
    """Return the scenario of a position, with the plans played so far; a file stands beside that of the position."""
    beside = Path(source.name).parent / given.scenario
    if given.scenario not in scenario_ids() and not beside.is_file():
        message = f'there is no scenario "{given.scenario}"; {nearest(given.scenario, scenario_ids())}'
        raise source.error(("scenario",), message)
    plans = {"attackers.plan": given.plan, "defenders.plan": given.defence}
    name = given.scenario if given.scenario in scenario_ids() else str(beside)
    return load_scenario(name, {key: plan for key, plan in plans.items() if plan})


def _check(source: Source, scenario: Scenario, word: str, value: Any, known: Mapping[str, type]) -> None:
    """Refuse what no set of rules says, or says otherwise."""
    kind = known.get(ALSO.get(word, word))
    if kind is None:
        meant = f'did you mean "{CALLED[word]}"?' if word in CALLED else nearest(word, known)
        raise source.error((word,), f"no set of rules asked for has this; {meant}")
    if type(value) is not kind:
        expected = "true or false" if kind is bool else "a whole number"
        raise source.error((word,), f"expected {expected}, got {json.dumps(value, default=str)}")
    most = getattr(scenario, word).models if word in SIDES else MOST
    if value not in range(most + 1):
        what = " (the models of the scenario)" if word in SIDES else ""
        raise source.error((word,), f"expected 0 to {most}{what}, got {value}")


def text_of(played: Replay, scenario: str, rules: str, turn: int, folder: Path) -> str:
    """Return the position of a game at the start of a turn, with all that stands there.

    Args:
        scenario, rules: As they were asked for: an id, or the path of a file.
        folder: Where the position is to be written.

    Raises:
        CasemateError: If the game did not last until then.
    """
    if turn > played.turn:
        over = "left" if played.end is End.GOING_ON else "over"
        raise CasemateError(f"there is no turn {turn} in this game: it was {over} in turn {played.turn}")
    assault, game = played.assault, played.assault.scene.scenario
    before = [move.after for move in played.moves if move.turn < turn]
    state = before[-1] if before else assault.start
    begun, now = fields(assault, assault.start), fields(assault, state)
    as_at_the_start = {word for word in now if (now[word] == begun[word]).all() and word not in (*SIDES, "distance")}
    lines = [
        f"# {json.dumps(game.title, ensure_ascii=False)} under {assault.rules}"
        + (f", seed {played.seed}" if played.seed is not None else ""),
        f"scenario = {_named(scenario, scenario_ids(), folder)}",
        f"rules = {_named(rules, rule_set_ids(), folder)}",
        f"turn = {turn}",
        f'to_move = "{game.first}"',
        f'plan = "{game.plan}"',
        f'defence = "{game.defence}"',
        "",
        *(_line(word, of) for word, of in now.items() if word not in as_at_the_start),
        "",
        "# as at the start:",
        *(_line(word, of) for word, of in now.items() if word in as_at_the_start),
    ]
    return "\n".join(lines) + "\n"


def _named(name: str, ids: Collection[str], folder: Path) -> str:
    """Return how a scenario or a set of rules is named in a file of some folder."""
    told = name if name in ids else Path(os.path.relpath(name, folder)).as_posix()
    return json.dumps(told, ensure_ascii=False)


def _line(word: str, of: Ints) -> str:
    return f"{bare(word)} = {json.dumps(of.item())}"
