"""What dice come to."""

from collections.abc import Sequence

from analysis.rows.dice import CONFIRMED, DiceMark, DiceRow, ExtendedRow, HitRow, PassRow, SaveRow, WoundRow
from analysis.say.numbers import games, listed

BY_TWO_DICE = frozenset(CONFIRMED.values())


def dice(rows: Sequence[DiceRow], marks: Sequence[DiceMark]) -> str:
    """Say what dice come to on average; of a test, how often it passes."""
    successes = {row.notation: row.chance for row in rows if row.said == "succeeds"}
    means = [f"{mark.notation} comes to {mark.mean:.3g}" for mark in marks if mark.notation not in successes]
    said = [f"On average {listed(means)}"] if means else []
    often = [f"{notation} succeeds in {games(chance)}" for notation, chance in successes.items()]
    return "; ".join([*said, *([f"{listed(often)} rolls in 100"] if often else [])])


def hits(rows: Sequence[HitRow]) -> str:
    """Say from which skill on there is no better roll, and what a second die leaves."""
    plain = [row for row in rows if row.modifiers == 0]
    best = max(plain, key=lambda row: row.chance)
    said = f"Skill {best.skill} hits {games(best.chance)} times in 100 unmodified"
    if best.skill < plain[-1].skill:
        said += ", and more skill only soaks up penalties"
    return f"{said}; a target below 1 {_second('hits', rows)}"


def wounds(rows: Sequence[WoundRow]) -> str:
    """Say what like against like wounds, and what a second die leaves."""
    alike = [row.chance for row in rows if row.S == row.T]
    least, most = games(min(alike)), games(max(alike))
    often = least if least == most else f"{least} to {most}"
    return f"Strength against the same Toughness wounds {often} times in 100; a goal above 6 {_second('wounds', rows)}"


def _second(does: str, rows: Sequence[HitRow] | Sequence[WoundRow]) -> str:
    chances = [row.chance for row in rows if row.needs in BY_TWO_DICE]
    return (
        f"{does} {games(min(chances))} to {games(max(chances))} times, by a second die" if chances else f"never {does}"
    )


def saves(rows: Sequence[SaveRow]) -> str:
    """Say how long armour counts, and which save does otherwise."""
    worn = list(dict.fromkeys(row.save for row in rows if row.by == "armour"))
    other = next((row for row in rows if row.by not in ("armour", None)), None)
    if other is None:
        return "An AP equal to the armour save, or lower, leaves no save; any other changes nothing"
    save, often = f"the {other.needs} {other.by} save", f"{games(other.chance)} wounds in 100"
    if not worn:
        return f"AP changes nothing: {save} is as good as any armour, and saves {often}"
    return f"Armour of {listed(worn)} counts until an AP pierces it; otherwise {save} does, and saves {often}"


def extended(rows: Sequence[ExtendedRow]) -> str:
    """Say what a second die keeps possible."""
    kept = sorted({games(row.extended) for row in rows if row.extended > row.plain}, key=int, reverse=True)
    if not kept:
        return "A second die changes nothing"
    return f"A second die leaves {listed(kept)} successes in 100 where one die alone has none"


def leadership(rows: Sequence[PassRow]) -> str:
    """Say where a re-roll is worth most."""
    worth = [(round(row.again - row.once, 9), row) for row in rows]
    most, _ = max(worth, key=lambda pair: pair[0])
    where = [str(row.Ld) for gain, row in worth if gain == most]
    return f"A re-roll is worth most at Leadership {listed(where)}: {games(most)} more passes in 100 tests"
