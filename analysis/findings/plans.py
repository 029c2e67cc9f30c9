"""Which plans of both sides are best replies to each other, and which come to the same."""

from collections.abc import Sequence

from analysis.findings import not_once
from analysis.points.responses import ALIKE
from analysis.rows import names
from analysis.rows.plans import AlikeRow, PlansRow
from analysis.say.axes import CHANCES
from analysis.say.numbers import games, in_100, listed

BOTH = "attackers and defenders"


def best(rows: Sequence[PlansRow]) -> str:
    """Say which plans are best replies to each other under each set of rules, and what comes of them."""
    said, told = list[str](), False
    for name in names(rows):
        pairs = [row for row in rows if row.rules == name and row.best == BOTH]
        replies = dict[str, list[str]]()
        for row in pairs:
            replies.setdefault(row.defenders, []).append(row.attackers)
        which = " or ".join(f"{' or '.join(plans)} against {plan}" for plan, plans in replies.items()) or "none"
        chances = {games(row.chance) for row in pairs}
        comes_to = ""
        if len(chances) == 1:
            often = chances.pop()
            comes_to = f" ({'about ' * (pairs[0].low is not None)}{often if told else in_100(often)})"
        said.append(f"{which} under {name}{comes_to}")
        told = told or bool(comes_to)
    return f"Best replies to each other: {'; '.join(said)}"


def against(rows: Sequence[PlansRow], garrison: str, response: str) -> str:
    """Say by which plan of the attackers a chance is greatest against one of the garrison, under each set of rules."""
    said, never, what = list[str](), list[str](), CHANCES[response]
    mine = [row for row in rows if row.defenders == garrison]
    for name in names(mine):
        replies = [row for row in mine if row.rules == name]
        first = max(replies, key=lambda row: row.chance)
        alone = ", the only plan played," * (len(replies) == 1)
        if first.chance:
            often = games(first.chance) if said else in_100(games(first.chance))
            told = f"{'about ' * (first.low is not None)}{often}{_unclear(first, replies)}"
            said.append(f"by {' or '.join(_as_first(first, replies))}{alone} under {name} ({told})")
        else:
            never.append(f"{not_once(replies)}{f' by {first.attackers}{alone}' if alone else ''} under {name}")
    if not said:
        return f"How often {what} against a garrison that means to {garrison}: {'; '.join(never)}"
    parts = "; ".join([", ".join(said), *never])
    return f"{what[0].upper()}{what[1:]} most often, against a garrison that means to {garrison}, {parts}"


def _as_first(first: PlansRow, replies: Sequence[PlansRow]) -> list[str]:
    """Return the plan of the greatest chance, and those that come to just as much, where all that is exact."""
    return [row.attackers for row in replies if row is first or _exactly(first, row)]


def _unclear(first: PlansRow, replies: Sequence[PlansRow]) -> str:
    """Say which other plans are best replies because intervals, or bounds, cannot tell them from the first."""
    others = [row for row in replies if row is not first and "attackers" in row.best and not _exactly(first, row)]
    by = " or ".join(row.attackers for row in others)
    known = "bounds" if first.certified else "intervals"
    return f"; as often, as far as {known} tell, by {by}" if by else ""


def _exactly(one: PlansRow, other: PlansRow) -> bool:
    exact = all(row.low is None and not row.certified for row in (one, other))
    return exact and abs(one.chance - other.chance) < ALIKE


def alike(rows: Sequence[AlikeRow]) -> list[str]:
    """Say which plans come to the same under each set of rules."""
    said = []
    for name in names(rows):
        others = dict[str, list[str]]()
        for row in (row for row in rows if row.rules == name):
            others.setdefault(row.other, []).append(row.plan)
        parts = [f"{listed(some)} as {other}" for other, some in others.items()]
        said.append(f"{name}, the same whatever the other side does: {'; '.join(parts)}.")
    return said
