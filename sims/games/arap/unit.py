"""A unit of Gemini-ARAP as a game changes it; what it is at the start, its profile, stands in `sims.profiles`."""

from dataclasses import dataclass

import numpy as np

from sims.assault import State
from sims.dice import Ints
from sims.forces import killed


@dataclass(frozen=True)
class Band(State):
    """What changes of a unit; every array is ``[..., R]``.

    Attributes
    ----------
    models : array
        Models left; ordinary ones fall first, so their number says who they are.
    hurt : array
        Wounds that one model carries.
    points : array
        Action points that it has not used yet.
    pinned : array
        1 if it is pinned in its next turn, 2 if in the turn after that.
    spent : array of bool
        It has used up its next try by a reaction.
    due : array
        A heavy-casualty test is due: 1 for a quarter lost to shooting, 2 for a half, where that matters.
    """

    models: Ints
    hurt: Ints
    points: Ints
    pinned: Ints
    spent: Ints
    due: Ints

    @staticmethod
    def fresh(models: int) -> "Band":
        """Return a unit of so many models before the first turn, ``[1]``."""
        zero = np.zeros(1, dtype=np.int64)
        return Band(zero + models, zero, zero, zero, zero, zero)

    def wounds_left(self, models: Ints, W: int) -> Ints:
        """Return how many wounds some of its models can still take, the one that was hurt among them."""
        return np.asarray(np.where(models > 0, models * W - self.hurt, 0))

    def wounded(self, wounds: Ints, W: int) -> "Band":
        """Return the unit after unsaved wounds: one model after the other, whoever is nearest (partly ARAP-125)."""
        dead, hurt = killed(self.hurt, wounds, W)
        left = np.maximum(self.models - dead, 0)
        return self.replace(models=left, hurt=np.where(left > 0, hurt, 0))
