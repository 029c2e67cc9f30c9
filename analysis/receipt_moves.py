"""What has moved in a receipt: by end, games that come out alike as one."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.receipt import Line, Receipt
from analysis.receipt_opening import ENDS


def by_end(found: Receipt) -> Iterator[tuple[str, str, list[Line]]]:
    """Yield each end with the games in which it moves: captured and destroyed, then what is left in which others do."""
    shown = list[Line]()
    for response, heading in ENDS.items():
        lines = found.moved(response)
        if response not in ("p_captured", "p_destroyed"):
            lines = [line for line in lines if line not in shown]
        shown += lines
        if lines:
            yield response, heading, lines


def merged(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield games that come out alike as one, with the plans of all of them."""
    alike = dict[Any, list[Line]]()
    for line in lines:
        ends = [tuple(round(e.value, 9) for e in found.values()) for found in (line.before, line.after)]
        alike.setdefault((line.game.scenario, *ends), []).append(line)
    for same in alike.values():
        yield "; ".join(_plans(line) for line in same), same[0]


def _plans(line: Line) -> str:
    attackers, defenders = line.point.plans
    return attackers if defenders == line.point.scenario.defence else f"{attackers} against {defenders}"
