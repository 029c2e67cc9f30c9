"""Whom attacks can reach: each model takes them as what it is, with its own Toughness, Wounds and saves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from sims.dice import AtRandom, Body, Dice, Draw, InOrder, together, wounds_by_body
from sims.forces import Models, by_body, stretches, total
from sims.games.fantasy.book import OwnUnit
from sims.profiles import Unit
from sims.rulebook import Ruling
from sims.scenario import Body as FallAlike
from sims.scenario import Force

Attacks = Callable[[Unit], Sequence[Sequence[Draw]]]
"""Volleys at models with one profile, one after the other: the draws of each group, of those who fall last first."""


@dataclass(frozen=True)
class Targets:
    """Models of a unit that attacks can reach.

    Attributes:
        who: Who falls, see `forces.fall`.
        standing, among: Who stands, and who of them can be reached, by group.
        hurt: Wounds that one model of each body carries, wherever it is.
        begun: How many ordinary models there were at the start, where the state says it, see `forces.begun`.
    """

    who: Ruling
    force: Force
    standing: Models
    among: Models
    hurt: Models
    begun: Models = ()

    @property
    def models(self) -> Models:
        """How many of each body can be reached."""
        return by_body(self.force, self.among)

    @property
    def wounds(self) -> Models:
        """How many wounds each body can still take."""
        left = zip(self.force.bodies, self.models, self.hurt, strict=True)
        return tuple(np.maximum(n * body.profile.W - hurt, 0) for body, n, hurt in left)

    def suffer(self, dice: Dice, label: str, attacks: Attacks) -> Models:
        """Make attacks in one draw; return the unsaved wounds of each body, no more than there are to lose.

        Where models differ, one attack after the other finds the next to fall: those of the models that fall last come
        last.
        """
        unit, bodies = self.force.unit, self.force.bodies
        if not self.force.mixed:
            return (together(chain(*attacks(unit))).up_to(*self.wounds).made(dice, label),)
        row, hurt = stretches(self.who, self.force, self.standing, self.among, begun=self.begun), list(self.hurt)
        kinds = [_ordinary_but_for(body, self.force) for body in bodies]
        found = list[Body]()
        for number, n in row:
            first = np.where(n > 0, hurt[number], 0)
            found.append(Body(n, kinds[number].W, first, kinds[number].title))
            hurt[number] = hurt[number] - first
        draws = [[draw for volley in attacks(kind) for draw in reversed(volley)] for kind in kinds]
        lots = [*zip(*(draws[number] for number, _ in row), strict=True)]
        finding = AtRandom if self.who("drawn") else InOrder
        suffered = [*zip(row, wounds_by_body(dice, label, finding, found, lots), strict=True)]
        return tuple(
            total(tuple(lost for (number, _), lost in suffered if number == each)) for each in range(len(bodies))
        )


def _ordinary_but_for(body: FallAlike, force: Force) -> Unit:
    """Return an ordinary model that falls as those of a body do, by their title: their Weapon Skill is its own."""
    profile = force.groups[body.groups[-1]].profile
    own = ("title", "T", "W", "Sv", "invulnerable")
    other = force.unit.model_copy(update={name: getattr(profile, name) for name in own})
    return other.with_own(OwnUnit.of(profile))
