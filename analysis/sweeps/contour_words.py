"""What is said of the lines where a response meets a target."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.say.blocks import Block, Grid
from analysis.say.numbers import goal
from analysis.sweeps.contours import Contours, Line, Plane
from sims.words import counted


def summary(on: Plane, found: Sequence[Contours]) -> Iterator[Block]:
    """Yield where a response meets its target under each set of rules: each line by its ends and what lies between."""
    yield f"Where it is {goal(on.response, on.target)}, as {on.x.name}, {on.y.name}:"
    if cells := [(one.rules, *_ends(line)) for one in found for line in one.lines]:
        yield Grid(("rules", "from", "through", "to"), tuple(cells), 4)
    yield from notes(on, found)


def _ends(line: Line) -> tuple[str, str, str]:
    """Say where a line begins, a point half-way along it, and where it ends."""
    first, middle, last = (", ".join(f"{value:.2f}" for value in line[i]) for i in (0, len(line) // 2, -1))
    return first, middle if len(line) > 2 else "", "there again" if first == last else last


def notes(on: Plane, found: Sequence[Contours], titles: Mapping[str, str] | None = None) -> list[str]:
    """Say which sets of rules have no line, and why, and where lines may lack a part; by their titles if given."""
    return [
        f"{(titles or {}).get(one.rules, one.rules)}: {', and '.join(words)}."
        for one in found
        if (words := [*_lacking(on, one)])
    ]


def _lacking(on: Plane, one: Contours) -> Iterator[str]:
    if one.least is not None and one.most is not None and not one.lines:
        chance = on.response.startswith("p_")
        least, most = (f"{100 * value:.1f} %" if chance else f"{value:.2f}" for value in (one.least, one.most))
        yield f"nowhere, from {least} to {most} over these levels"
    if one.refused:
        yield f"{counted(one.refused, 'point')} cannot be played"


def data(on: Plane, found: Sequence[Contours]) -> dict[str, Any]:
    """Return the same as JSON has it."""
    lines = [{"rules": one.rules, "lines": [line.tolist() for line in one.lines]} for one in found]
    axes = {"x": on.x.name, "y": on.y.name}
    return {"contours": {"response": on.response, "target": on.target, **axes, "results": lines}}
