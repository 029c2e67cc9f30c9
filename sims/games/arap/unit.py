"""A unit of Gemini-ARAP as a game changes it; what it is at the start, its profile, stands in `sims.profiles`."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from sims.dice import Dice, Ints
from sims.forces import Models, at_full_strength, begun, fallen, killed, together, total, without
from sims.games.arap.book import Arap
from sims.scenario import Force
from sims.state import State, code, count, flag


@dataclass(frozen=True, kw_only=True)
class Band(State):
    """What changes of a unit; every array is ``[..., R]``."""

    models: Ints = count()  # those left
    kinds: Models  # how many of each group are left, but for the last, the ordinary models: those are the rest
    begun: Models  # how many ordinary models there were at the start, see `forces.begun`
    hurt: Ints = count()  # wounds that one model carries
    points: Ints = count()  # action points that it has not used yet
    pinned: Ints = code()  # 1 until the end of its own turn, the next or one that goes on; 2 until the end of another
    spent: Ints = flag()  # it has used up its next try by a reaction
    due: Ints = code()  # a heavy-casualty test: 1 for a quarter lost to shooting, 2 for a half, where that matters

    @staticmethod
    def fresh(force: Force, one_of_several: bool = False) -> "Band":
        """Return a unit before the first turn, ``[1]``."""
        kinds = at_full_strength(force)[:-1]
        return Band(models=np.array([force.models]), kinds=kinds, begun=begun(force, one_of_several))

    def wounds_left(self, models: Ints, W: int) -> Ints:
        """Return how many wounds some of its models can still take, the one that was hurt among them."""
        return np.where(models > 0, models * W - self.hurt, 0)

    @property
    def standing(self) -> Models:
        """How many of each group are left."""
        return *self.kinds, reduce(np.subtract, self.kinds, self.models)

    def wounded(
        self,
        dice: Dice,
        book: Arap,
        force: Force,
        wounds: Ints,
        label: str,
        among: Models,
        beyond: Models | None = None,
    ) -> "Band":
        """Return the unit after unsaved wounds, one model after the other.

        Source: partly ARAP-124, partly ARAP-125, partly ARAP-196.

        Args:
            among: Those who can be hit.
            beyond: On whom wounds fall that are too many for those.
        """
        dead, hurt = killed(self.hurt, wounds, force.unit.W)
        who, standing = book.rulings.who_falls, self.standing
        falls = fallen(dice, who, force, standing, dead, label, among, begun=self.begun)
        if beyond is not None:
            more, others = np.maximum(dead - total(among), 0), without(standing, falls)
            label = f"{label}, the others"
            falls = together(falls, fallen(dice, who, force, others, more, label, beyond, begun=self.begun))
        left = np.maximum(self.models - dead, 0)
        carried = hurt if force.unit.W == 1 else np.where(left > 0, hurt, 0)
        return self.replace(models=left, kinds=without(self.kinds, falls[:-1]), hurt=carried)

    def lost(self, models: Models) -> "Band":
        """Return the unit without some of its models."""
        kinds = without(self.kinds, models[:-1])
        return self.replace(models=self.models - total(models), kinds=kinds)
