"""Which plans of both sides are best replies to each other, and which come to the same."""

from collections.abc import Sequence

from analysis.axis_words import CHANCES
from analysis.findings import games, listed
from analysis.rows import names
from analysis.rows.plans import AlikeRow, PlansRow

BOTH = "attackers and defenders"


def best(rows: Sequence[PlansRow]) -> str:
    """Say which plans are best replies to each other under each set of rules, and what comes of them."""
    said, of = list[str](), " games of 100"
    for name in names(rows):
        pairs = [row for row in rows if row.rules == name and row.best == BOTH]
        replies = dict[str, list[str]]()
        for row in pairs:
            replies.setdefault(row.defenders, []).append(row.attackers)
        which = " or ".join(f"{' or '.join(plans)} against {plan}" for plan, plans in replies.items()) or "none"
        chances = {games(row.chance) for row in pairs}
        comes_to = f" ({'about ' * (pairs[0].low is not None)}{chances.pop()}{of})" if len(chances) == 1 else ""
        said.append(f"{which} under {name}{comes_to}")
        of = "" if comes_to else of
    return f"Best replies to each other: {'; '.join(said)}"


def against(rows: Sequence[PlansRow], garrison: str, response: str) -> str:
    """Say by which plan of the attackers a chance is greatest against one of the garrison, under each set of rules."""
    said, of = list[str](), " games of 100"
    what = f"{CHANCES[response][0].upper()}{CHANCES[response][1:]}"
    for name in names(rows):
        best = [row for row in rows if (row.rules, row.defenders) == (name, garrison) and "attackers" in row.best]
        if best:
            about = "about " if best[0].low is not None else ""
            said.append(
                f"by {' or '.join(row.attackers for row in best)} under {name} ({about}{games(best[0].chance)}{of})"
            )
            of = ""
    return f"{what} most often, against a garrison that means to {garrison}, {', '.join(said)}"


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
