"""What changes in an assault, and what does not."""

from dataclasses import dataclass

import numpy as np

from sims.assault import State
from sims.dice import Bools, Ints
from sims.forces import Models, chosen, without
from sims.rulesets.realm_of_chaos.book import Fabric, RealmOfChaos
from sims.scenario import Scenario

ATTACKERS, DEFENDERS = 1, -1
"""Who won a round, or routs; 0 is neither."""

SECTION, NEIGHBOURS = 1, 2
"""What falls: the ground section with all above it; the neighbouring columns too."""


@dataclass(frozen=True)
class Siege(State):
    """The state of an assault; every array is ``[..., R]``.

    Models are counted, not told apart: the owner removes ordinary models first, so how many of each kind are left
    follows from the count; the leader and special models are the first to go in, and the last to leave the ground.

    Attributes
    ----------
    outside, inside : array
        Attackers outside the building, and in its ground section.
    defenders, upstairs : array
        The garrison, and how many of it are not in the ground section.
    attackers_hurt, defenders_hurt : array
        Wounds that one model of the side carries.
    distance : array
        Inches from the attackers outside to the building.
    moved : array of bool
        The attackers moved this turn.
    fired : array
        Defenders in the ground section who fired in their last turn.
    damage : array
        Points of damage of the ground section; no more are counted than change anything.
    tested : array of bool
        It has been rolled for since its last damage; only kept where one test is all there is.
    unsafe, unstable, unsound : array of bool
        What rolls have made of it.
    falling : array
        What is coming down: `SECTION`, `NEIGHBOURS`, or 0.
    fight : array of bool
        There is a fight inside in this player turn.
    margin : array
        By how much the attackers lead in it; 0 outside a fight.
    winner : array
        Who won the last round, if the fight goes on.
    above : array of bool
        The garrison charges down from above in this player turn.
    routing : array
        Who routs and has not been hacked at yet.
    destroyed, broken, driven_out : array of bool
        The building fell; the attackers routed; the defenders did.
    """

    outside: Ints
    inside: Ints
    defenders: Ints
    upstairs: Ints
    attackers_hurt: Ints
    defenders_hurt: Ints
    distance: Ints
    moved: Ints
    fired: Ints
    damage: Ints
    tested: Ints
    unsafe: Ints
    unstable: Ints
    unsound: Ints
    falling: Ints
    fight: Ints
    margin: Ints
    winner: Ints
    above: Ints
    routing: Ints
    destroyed: Ints
    broken: Ints
    driven_out: Ints

    @property
    def attackers(self) -> Ints:
        """Attackers left."""
        return self.outside + self.inside

    @property
    def ground(self) -> Ints:
        """Defenders in the ground section."""
        return self.defenders - self.upstairs


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes
    ----------
    scenario : Scenario
    rules : RealmOfChaos
        The book in force.
    sections : int
        Sections of each level.
    fabric : Fabric
        The class of its walls.
    shooters, strikers : tuple of int
        The attackers' groups whose shots, or whose blows, can hurt the walls.
    halt : int
        Inches from the walls at which attackers who do not storm halt.
    order : tuple
        The attackers' and the defenders' groups that strike together, in the order of blows.
    """

    scenario: Scenario
    rules: RealmOfChaos
    sections: int
    fabric: Fabric
    shooters: tuple[int, ...]
    strikers: tuple[int, ...]
    halt: int
    order: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

    @property
    def elsewhere(self) -> int:
        """Models of a side that fit into the rest of the building."""
        return (self.sections * self.scenario.building.levels - 1) * self.rules.tables.sections.models

    def inside(self, state: Siege) -> Models:
        """Return the attackers inside, by group."""
        standing = self.scenario.attackers.standing(state.attackers)
        return chosen(standing, state.inside, range(len(standing)))

    def outside(self, state: Siege) -> Models:
        """Return the attackers outside, by group."""
        return without(self.scenario.attackers.standing(state.attackers), self.inside(state))

    def ground(self, state: Siege) -> Models:
        """Return the defenders in the ground section, by group."""
        standing = self.scenario.defenders.standing(state.defenders)
        return chosen(standing, state.ground, range(len(standing)))

    def upstairs(self, state: Siege) -> Models:
        """Return the defenders in the rest of the building, by group."""
        return without(self.scenario.defenders.standing(state.defenders), self.ground(state))

    def storming(self, state: Siege) -> Bools:
        """Return where the attackers mean to go in: the walls cannot be hurt any more, and are not coming down."""
        plan = self.scenario.plan
        if plan == "shoot":
            return np.zeros(np.shape(state.outside), dtype=np.bool_)
        whole = state.damage < self.rules.tables.stability.starts_at
        return np.asarray(whole & ~self.besieging(state))

    def besieging(self, state: Siege) -> Bools:
        """Return where attackers who mean to bring the walls down still have a model that can hurt them."""
        able = {*self.shooters, *self.strikers} if self.scenario.plan == "demolish" else set()
        standing = self.scenario.attackers.standing(state.attackers)
        return np.asarray(sum((standing[i] for i in sorted(able)), np.zeros_like(state.outside)) > 0)
