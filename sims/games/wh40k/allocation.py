"""Who is hit when nobody chooses: even dice-offs among models, or among weapons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import ClassVar

import numpy as np

from sims.dice import PMF, Dice, Draw, Ints
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face
from sims.forces import Models, total


@dataclass(frozen=True)
class Share:
    """How many of k victims, picked evenly one after the other, belong to a group.

    Arguments: k, how many there are in all, how many of them are in the group.
    """

    who: str = field(default="", compare=False)
    arity: ClassVar[int] = 3

    def pmf(self, *arguments: int) -> PMF:
        """Return the hypergeometric distribution."""
        k, everybody, group = arguments
        ways = {v: comb(group, v) * comb(everybody - group, k - v) for v in range(min(k, group) + 1)}
        return PMF.of(ways)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, for each victim, a die with a side for everyone left; the first sides are the group's."""
        k, everybody, group = arguments
        of_group = np.zeros_like(group)
        for pick in range(int(np.max(k, initial=0))):
            left = everybody - pick
            for sides in np.unique(left[(pick < k) & (group > of_group)]):
                face = cast(f"pick {pick + 1} of {sides}", int(sides), 1)[0]
                of_group = of_group + ((pick < k) & (left == sides) & (face <= group - of_group))
        return np.asarray(of_group)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each pick that is open, with a die that has a side for everyone left."""
        k, left, group = arguments
        for pick in range(k):
            if not 0 < group < left:
                return
            shown = face(f"pick {pick + 1} of {left}", left, 0)
            yield f"D{left}, {'1' if group == 1 else f'{group} or less'} picks {self.who}: {shown}"
            left, group = left - 1, group - (shown <= group)


def picked(k: Argument, among: Argument, group: Argument, who: str = "") -> Draw:
    """Return how many of k victims, picked evenly among so many, belong to a group (BASE-041)."""
    return Draw(Share(who), (k, among, group))


def fall_at_random(dice: Dice, models: Models, casualties: Ints, names: Sequence[str]) -> Models:
    """Remove models, each picked evenly among those left (BASE-041).

    No more can fall than there are; a group that is alone, or the last one, needs no dice.
    """
    if not models:
        return ()
    left: list[Ints] = []
    among, falling = total(models), np.minimum(casualties, total(models))
    for i, group in enumerate(models[:-1]):
        fallen = picked(falling, among, group, names[i]).made(dice, f"{i + 1}, {names[i]}")
        left.append(group - fallen)
        among = among - group
        falling = np.clip(falling - fallen, 0, among)
    return (*left, models[-1] - falling)
