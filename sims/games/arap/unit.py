"""A unit of Gemini-ARAP as a game changes it; what it is at the start, its profile, stands in `sims.profiles`."""

from dataclasses import dataclass

import numpy as np

from sims.dice import Dice, Ints
from sims.forces import Models, at_full_strength, fall, killed, standing, total, without
from sims.games.arap.book import Arap
from sims.scenario import Force
from sims.state import State


@dataclass(frozen=True)
class Band(State):
    """What changes of a unit; every array is ``[..., R]``.

    Attributes
    ----------
    models : array
        Models left.
    kinds : Models
        The same by group, where who falls is drawn; elsewhere nothing, for it follows from how many are left.
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
    kinds: Models
    hurt: Ints
    points: Ints
    pinned: Ints
    spent: Ints
    due: Ints

    @staticmethod
    def fresh(book: Arap, force: Force) -> "Band":
        """Return a unit before the first turn, ``[1]``."""
        zero = np.zeros(1, dtype=np.int64)
        kinds = at_full_strength(force) if book.rulings.who_falls("drawn") else ()
        return Band(zero + force.models, kinds, zero, zero, zero, zero, zero)

    def wounds_left(self, models: Ints, W: int) -> Ints:
        """Return how many wounds some of its models can still take, the one that was hurt among them."""
        return np.where(models > 0, models * W - self.hurt, 0)

    def standing(self, book: Arap, force: Force) -> Models:
        """Return how many of each group are left."""
        return self.kinds or standing(book.rulings.who_falls, force, self.models)

    def wounded(self, dice: Dice, book: Arap, force: Force, wounds: Ints, label: str, among: Models) -> "Band":
        """Return the unit after unsaved wounds, one model after the other.

        Source: partly ARAP-124, partly ARAP-125, partly ARAP-196.

        Where who falls is drawn, it is drawn among those who can be hit, and wounds beyond those fall on the others;
        elsewhere others of the unit stand in for them, by its order.
        """
        dead, hurt = killed(self.hurt, wounds, force.unit.W)
        left, kinds, who = np.maximum(self.models - dead, 0), self.kinds, book.rulings.who_falls
        if kinds:
            beyond, others = np.maximum(dead - total(among), 0), without(kinds, among)
            kinds = fall(dice, who, force, kinds, dead, label, among)
            kinds = fall(dice, who, force, kinds, beyond, f"{label}, the others", others)
        return self.replace(models=left, kinds=kinds, hurt=np.where(left > 0, hurt, 0))

    def lost(self, models: Models) -> "Band":
        """Return the unit without some of its models."""
        return self.replace(models=self.models - total(models), kinds=without(self.kinds, models) if self.kinds else ())
