"""A policy as a short list that a player can keep in his head: when to do what.

It is grown as a tree: of the splits that promise to lose least some are made and followed, and those that lost least
are grown on. Leaves that say the same are joined.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analysis.best_play.listing import Bounds, Line, plans_named, shortest_list
from analysis.best_play.regret import Judge, Judged
from analysis.told.fields import Columns
from sims.dice.tables import Numbers
from sims.engines.contest import TIE, Solution
from sims.scenario import Side

ENOUGH = 0.005
"""What a list may lose: half a point of a chance."""

KEPT = 2
"""How many trees of each size are grown on."""

TRIED = 4
"""How many ways to grow each of them are followed."""

PROMISED = 0.05
"""The least that a split has to promise: this share of what a list may lose."""

PLACES = 9
"""Decimals of what a split promises: of those that promise as much the first is made."""

Leaves = tuple[Line, ...]
"""Lines of which one holds in each place."""


@dataclass(frozen=True)
class Listed:
    """The policy of a side as a list.

    Attributes:
        against: The plan of the other side, which does not change it; none if it plays its best.
        lines: The first that holds counts; the last always holds.
        loss (float or Fraction): How much less it is worth to the side than its best play.
    """

    side: Side
    against: str | None
    lines: tuple[Line, ...]
    loss: Any

    @property
    def words(self) -> tuple[str, ...]:
        """Its lines in words."""
        if len(self.lines) == 1:
            return (f"throughout: {self.lines[0].plan}",)
        return tuple(line.words for line in self.lines)


def shortest(
    solution: Solution, side: Side, against: str | None = None, enough: float = ENOUGH, most: int = 6
) -> Listed:
    """Return the shortest list found of a side that loses no more than enough, or else the one that loses least.

    Args:
        against: The plan of the other side, which does not change it; if not given it plays its best.
        enough: What the list may lose, in points of the aim.
        most: How many leaves the tree may have, and so lines the list.
    """
    judge = Judge(solution, side, against)
    trees: Sequence[Leaves] = [(Line({}, plan),) for plan in judge.in_order()]
    found = list[Judged]()
    while trees:
        tried = list[Judged]()
        for leaves in trees:
            tried.append(judge.judge(leaves))
            if tried[-1].loss <= enough:
                return _listed(judge, tried[-1])
        found += tried
        grown = sorted(tried, key=lambda judged: judged.loss)[:KEPT] if len(trees[0]) < most else []
        trees = [leaves for judged in grown for leaves in _grown(judge, judged, PROMISED * enough)]
    return _listed(judge, min(found, key=lambda judged: judged.loss))


def _listed(judge: Judge, judged: Judged) -> Listed:
    """Return a list that says the same as leaves wherever the side comes to choose."""
    lines = shortest_list(judged.lines, _there(judge, judged), judge.plans)
    return Listed(
        judge.side, judge.against, tuple(line.with_both_bounds(judge.cells.columns) for line in lines), judged.loss
    )


def _there(judge: Judge, judged: Judged) -> Columns:
    """Return what is seen where the side comes to choose."""
    return {name: column[judged.visits != 0] for name, column in judge.cells.columns.items()}


def _grown(judge: Judge, judged: Judged, least: float) -> Iterator[Leaves]:
    """Yield trees with a leaf more that say something else, those that promise most first."""
    there, given = _there(judge, judged), judged.given[judged.visits != 0]
    splits = sorted(_splits(judged.lines, there, given), key=lambda split: round(-split.gain, PLACES))
    said = {plans_named(judged.lines, there, judge.plans).tobytes()}
    for split in splits:
        if split.gain < least or len(said) > TRIED:
            return
        leaves = tuple(_renamed(leaf, there, given, judge.plans) for leaf in _split(judged.lines, split))
        this = plans_named(leaves, there, judge.plans).tobytes()
        if this not in said:
            said.add(this)
            yield leaves


class _Split(NamedTuple):
    """A leaf in two, by the most that something may be in the first of them, and how much less they lose."""

    gain: Any
    leaf: int
    name: str
    most: int


def _splits(leaves: Leaves, there: Columns, given: Numbers) -> Iterator[_Split]:
    """Yield the best split of each leaf by each thing that a list looks at."""
    for i, leaf in enumerate(leaves):
        holds = leaf.holds(there)
        lost = given[holds]
        for name in there if lost.size else ():
            seen = there[name][holds]
            order = np.argsort(seen, kind="stable")
            below, seen = lost[order].cumsum(axis=0), seen[order]
            ends = np.flatnonzero(seen[1:] != seen[:-1])
            if ends.size:
                whole = below[-1]
                gain = whole.min() - below[ends].min(axis=1) - (whole - below[ends]).min(axis=1)
                yield _Split(gain.max(), i, name, int(seen[ends[gain.argmax()]]))


def _split(leaves: Leaves, split: _Split) -> Leaves:
    """Return leaves with one of them in two."""
    leaf = leaves[split.leaf]
    least, most = leaf.where.get(split.name, Bounds())
    two = [leaf.with_bounds(split.name, of) for of in (Bounds(least, split.most), Bounds(split.most + 1, most))]
    return (*leaves[: split.leaf], *two, *leaves[split.leaf + 1 :])


def _renamed(leaf: Line, there: Columns, given: Numbers, plans: Sequence[str]) -> Line:
    """Return a leaf with the plan that gives least away there; its own if that is as good."""
    lost = given[leaf.holds(there)].sum(axis=0)
    as_good = lost[plans.index(leaf.plan)] <= lost.min() + TIE
    return leaf if as_good else Line(leaf.where, plans[int(lost.argmin())])
