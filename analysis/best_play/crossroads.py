"""Where a wrong choice costs: at which states, among those that best play comes to, and how much."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from analysis.told.fields import Columns, fields
from sims.dice import Bools, Ints
from sims.dice.tables import Numbers
from sims.engines.contest import BOTH, SIDES, Choice, Opening, Solution
from sims.scenario import Side

MOST = 5
"""Crossroads that are told of each side."""
SELDOM = 0.005
"""What comes up in fewer games is not told."""
INNER = 0.05, 0.95
"""What nine games in ten keep to lies between these shares; what tells games apart is so in more, and in fewer."""


class Crossroads(NamedTuple):
    """The states of a player turn in which the same plans are wrong.

    Attributes:
        share: In which share of games it comes up, if both sides play their best.
        attackers, defenders, distance: What nine games in ten of these keep to: models left, and inches to the
            building.
        telling: What tells these states from the others of that player turn, by the words of the log.
        right: The plans that cost no more than a point.
        costs: What each of the others costs, on average.
    """

    side: Side
    turn: int
    share: float
    attackers: tuple[int, int]
    defenders: tuple[int, int]
    distance: tuple[int, int]
    telling: Mapping[str, int | bool]
    right: tuple[str, ...]
    costs: Mapping[str, float]


def crossroads(of: Solution, visits: Mapping[Opening, Numbers], point: float) -> list[Crossroads]:
    """Return where a wrong choice costs more than a point: of each side where most is at stake, turn by turn.

    Args:
        visits: How likely each state is by best play, by the plans in force.
    """
    told = list[Crossroads]()
    for side in SIDES:
        openings = (opening for opening in of.choices if opening.side == side)
        found = [each for opening in openings for each in _at(of, opening, visits[opening], point)]
        most = sorted(found, key=lambda each: -each.share * sum(each.costs.values()))[:MOST]
        told += sorted(most, key=lambda each: (each.turn, -each.share))
    return told


def _at(of: Solution, opening: Opening, visits: Numbers, point: float) -> Iterator[Crossroads]:
    """Yield the crossroads of a player turn."""
    contest, choice = of.contest, of.choices[opening]
    plans = contest.attacks if opening.side == "attackers" else contest.defences
    rows, weights, lost = _choosing(choice, opening.side, visits)
    assault = next(iter(contest.chains.values())).assault
    columns = fields(assault, contest.states.take(choice.states[rows]))
    dear = lost > point
    for wrong in np.unique(dear, axis=0):
        there = (dear == wrong).all(axis=1)
        if not wrong.any() or weights[there].sum() < SELDOM:
            continue
        share = weights[there]
        mean = share @ lost[there] / share.sum()
        yield Crossroads(
            opening.side,
            opening.turn,
            float(share.sum()),
            _inner(columns["attackers"][there], share),
            _inner(columns["defenders"][there], share),
            _inner(columns["distance"][there], share),
            dict(_telling(columns, there, weights)),
            tuple(plan for plan, is_wrong in zip(plans, wrong, strict=True) if not is_wrong),
            {plan: float(mean[i]) for i, plan in enumerate(plans) if wrong[i]},
        )


def _choosing(choice: Choice, side: Side, visits: Numbers) -> tuple[Ints, Numbers, Numbers]:
    """Return where a side chooses, ``[M]``, how likely that is, and what each plan loses there, ``[M, plans]``."""
    own = 1 + SIDES.index(side)
    free: Bools = ~choice.committed[:, np.newaxis]
    likely = visits.sum(axis=own) * free
    rows, others = np.nonzero(likely)
    worth = np.moveaxis(choice.worth[..., BOTH], own, 2)[rows, others]
    best = worth.max(axis=1, keepdims=True) if side == "attackers" else worth.min(axis=1, keepdims=True)
    return rows, likely[rows, others], abs(worth - best)


def _inner(of: Ints, weights: Numbers) -> tuple[int, int]:
    """Return between which numbers nine in ten lie, by weight."""
    order = np.argsort(of, kind="stable")
    reached = weights[order].cumsum() / weights.sum()
    low, high = (of[order][np.searchsorted(reached, share)] for share in INNER)
    return int(low), int(high)


def _telling(columns: Columns, there: Bools, weights: Numbers) -> Iterator[tuple[str, int | bool]]:
    """Yield what is so in some of the states, by weight, and not in the others; models and inches are told anyway."""
    share, rest = weights[there].sum(), weights[~there].sum()
    if rest < SELDOM:
        return
    for word, of in columns.items():
        if word.startswith((*SIDES, "distance")):
            continue
        values, each = np.unique(of[there], return_inverse=True)
        value = values[np.bincount(each, weights[there]).argmax()]
        so = of == value
        known = bool(value) or of.dtype == np.bool_  # of what is not there no number is told
        if known and weights[there & so].sum() >= INNER[1] * share and weights[~there & so].sum() <= INNER[0] * rest:
            yield word, value.item()
