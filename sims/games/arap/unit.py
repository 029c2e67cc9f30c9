"""A unit of Gemini-ARAP as a game changes it; what it is at the start, its profile, stands in `sims.profiles`."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models, at_full_strength, begun, fallen, killed, of, together, total, without
from sims.games.arap.book import Arap
from sims.scenario import Force
from sims.state import State, code, count, flag

Wounds = tuple[Ints, ...]
"""Unsaved wounds of a unit, those of each of `Force.bodies`."""
RUNS, RALLIED, PURSUES = 1, 2, 3
"""How a unit routs: it runs; it has halted, and acts no more in this player turn of the enemy, but for firing at those
who charge it. Or how it goes after one that does: it pursues."""

PINNED, PINNED_NEXT, SUPPRESSED, SUPPRESSED_NEXT, SUPPRESSED_TWICE = 1, 2, 3, 4, 5
"""How a unit is held up: it is pinned until its own turn is over, the next or the one that goes on, or until the one
after that is over; or it is suppressed, for its next activation, for that of the turn after, or for both."""
HEAVY, HALF, SUPPRESSION = 1, 2, 3
"""The test that a unit owes: for a quarter of it lost to shooting; for a half, where that matters; for hits."""


def is_pinned(held_up: Argument) -> Bools:
    """Return where a unit is pinned, by how it is held up."""
    return np.asarray((held_up == PINNED) | (held_up == PINNED_NEXT))


@dataclass(frozen=True, kw_only=True)
class Band(State):
    """What changes of a unit; every array is ``[..., R]``."""

    models: Ints = count()  # those left
    kinds: Models  # how many of each group are left, but for the last, the ordinary models: those are the rest
    begun: Models  # how many ordinary models there were at the start, see `forces.begun`
    hurt: Ints = count()  # wounds that one ordinary model carries
    others_hurt: Models  # the same of each other body of `Force.bodies`, nothing where all are alike
    points: Ints = count()  # action points that it has not used yet
    pinned: Ints = code()  # `PINNED`, or how else it is held up
    spent: Ints = flag()  # it has used up its next try by a reaction
    due: Ints = code()  # `HEAVY`, `HALF` or `SUPPRESSION`
    routs: Ints = code()  # `RUNS`, `RALLIED` or `PURSUES`
    tests: Ints = count()  # tests to rally that it may take after a flight
    # Where aim is corrected: it has fired since its last turn began, or in this player turn; nobody has moved since.
    laid: Ints = flag()
    shot: Ints = flag()

    @staticmethod
    def fresh(force: Force, one_of_several: bool = False) -> "Band":
        """Return a unit before the first turn, ``[1]``."""
        kinds = at_full_strength(force)[:-1]
        return Band(
            models=np.array([force.models]),
            kinds=kinds,
            begun=begun(force, one_of_several),
            others_hurt=tuple(np.array([0]) for _ in force.bodies[:-1]),
        )

    def wounds_left(self, models: Ints, W: int) -> Ints:
        """Return how many wounds some of its models can still take, all alike, the one that was hurt among them."""
        return np.where(models > 0, models * W - self.hurt, 0)

    @property
    def hurts(self) -> Models:
        """The wounds that one model of each body carries."""
        return *self.others_hurt, self.hurt

    @property
    def standing(self) -> Models:
        """How many of each group are left."""
        return *self.kinds, reduce(np.subtract, self.kinds, self.models)

    def wounded(
        self,
        dice: Dice,
        book: Arap,
        force: Force,
        wounds: Wounds,
        label: str,
        among: Models,
        beyond: Models | None = None,
    ) -> "Band":
        """Return the unit after unsaved wounds of each body, one model after the other.

        Of what has an area those fall who are in it, and were hit; the nearest of them first, who may be anybody.

        Source: Randomizing Hits (ARAP-125, partly ARAP-196).

        Args:
            among: Those who can be hit.
            beyond: On whom wounds fall that are too many for those.
        """
        if force.mixed:
            return self._wounded_apart(dice, book, force, wounds, label, among, beyond)
        dead, hurt = killed(self.hurt, wounds[0], force.unit.W)
        falls = self._fallen(dice, book, force, dead, label, among, beyond)
        left = np.maximum(self.models - dead, 0)
        carried = hurt if force.unit.W == 1 else np.where(left > 0, hurt, 0)
        return self.replace(models=left, kinds=without(self.kinds, falls[:-1]), hurt=carried)

    def _wounded_apart(
        self, dice: Dice, book: Arap, force: Force, wounds: Wounds, label: str, among: Models, beyond: Models | None
    ) -> "Band":
        """Return the unit after wounds of each body, who fall by themselves."""
        after, hurts = self, list[Ints]()
        for i, (body, hurt, suffered) in enumerate(zip(force.bodies, self.hurts, wounds, strict=True)):
            dead, carried = killed(hurt, suffered, body.profile.W)
            others = None if beyond is None else of(body, beyond)
            falls = after._fallen(dice, book, force, dead, f"{label}, {i + 1}", of(body, among), others)
            after = after.lost(falls)
            hurts.append(np.where(total(of(body, after.standing)) > 0, carried, 0))
        return after.replace(others_hurt=tuple(hurts[:-1]), hurt=hurts[-1])

    def _fallen(
        self, dice: Dice, book: Arap, force: Force, dead: Ints, label: str, among: Models, beyond: Models | None
    ) -> Models:
        """Return who falls of those who can be hit, and beyond those of others."""
        who, standing = book.rulings.who_falls, self.standing
        falls = fallen(dice, who, force, standing, dead, label, among, begun=self.begun)
        if beyond is None:
            return falls
        more, others = np.maximum(dead - total(among), 0), without(standing, falls)
        label = f"{label}, the others"
        return together(falls, fallen(dice, who, force, others, more, label, beyond, begun=self.begun))

    def lost(self, models: Models) -> "Band":
        """Return the unit without some of its models."""
        kinds = without(self.kinds, models[:-1])
        return self.replace(models=self.models - total(models), kinds=kinds)

    def with_models(self, force: Force, models: Models) -> "Band":
        """Return the unit with so many of each group left; where not all fall alike, nobody is hurt who is gone."""
        *others, hurt = (
            np.where(total(of(body, models)) > 0, carried, 0)
            for body, carried in zip(force.bodies, self.hurts, strict=True)
        )
        own = hurt if force.mixed else self.hurt
        return self.replace(models=total(models), kinds=models[:-1], hurt=own, others_hurt=tuple(others))
