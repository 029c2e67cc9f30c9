"""What changes in a storming, and what does not."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

import numpy as np

from sims.assault import Stage
from sims.dice import Ints
from sims.forces import Models
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, Fight, with_standing
from sims.rulesets.storming.book import BuildingClass, Class, Intact, Storming
from sims.scenario import Scenario, Side
from sims.state import code, count, counts, flag, number

INSIDE, SALLIED, LOCKED, ASSAULTED, BESET = 0, 1, 2, 3, 4
"""Where the garrison is: in the building; out of it, charging in this turn, or in a fight that goes on; in ruins,
charged in this turn, or in a fight that goes on."""
NEVER = 1000
"""The reach of a group that cannot bring the walls down, in inches."""


@dataclass(frozen=True, kw_only=True)
class Storm(Fight):
    """The state of a storming; every array is ``[..., R]``."""

    distance: Ints = count("inches to the building")
    place: Ints = code(
        {
            INSIDE: "the garrison is in the building",
            SALLIED: "the garrison comes out and charges",
            LOCKED: "the fight in the open goes on",
            ASSAULTED: "the attackers charge into the ruins",
            BESET: "the fight in the ruins goes on",
        },
        otherwise="the garrison is in the building",
    )
    armour: Ints = number("Armour Value {}")  # 0 before it is rolled, and where nobody attacks the structure
    capacity: Ints = number("the building holds {}")  # as far as anybody could fill it; 0 before it is rolled
    mounted: Ints = count("mounted weapons")
    moved: Ints = flag("the attackers have moved")  # in this turn, so heavy weapons may not fire
    shaken: Ints = flag("the garrison may not fire in its next turn")
    falling: Ints = flag("the building gives way")
    destroyed: Ints = flag("the building is destroyed")
    broken: Ints = flag("the attackers have broken")
    taken: Ints = flag("the garrison has lost the building")
    # Once blows are struck, those who strike back; 0 outside a storming.
    fireteam: Models = counts("in the Fireteam", close=True)
    slain: Ints = count()  # wounds by the Fireteam's blows in this storming
    struck: Ints = count()  # wounds by the defenders' blows in it, before saves until these are taken
    piercing: Ints = count()  # of the wounds struck, those that leave no armour save, until saves are taken
    # Wounds struck by kind, strongest first, until saves are taken; only where attackers do not all fall alike.
    dealt: Models
    shots: Ints = count()  # attacks on the structure still to come in this stage
    hit: Ints = code()  # what the last of them did: 0 nothing, 1 a glancing, 2 a penetrating hit

    # Fields of `Fight`, which keep their places; the words are those of these rules.
    lead: Ints = number("the attackers are ahead by {}", "the defenders are ahead by {}")
    failed: Ints = code(
        {ATTACKERS: "the attackers fail their morale check", DEFENDERS: "the garrison fails its morale check"}
    )

    rolls = MappingProxyType({"sweeping advance": {0: "not caught", 1: "caught"}})


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        class_name: The class of the building.
        access: Access points within reach of the storming squad.
        storming: The squad may come to storm.
        reaches: For each group of attackers, by the Armour Value: the inches within which it can bring the walls down,
            `NEVER` if it cannot. Empty if the structure is not attacked. In ruins: as far as the weapon reaches.
    """

    scenario: Scenario
    book: Storming
    class_name: Class
    access: int
    storming: bool
    reaches: tuple[tuple[int, ...], ...] = ()

    def standing(self, state: Storm, side: Side) -> Models:
        """Return a side, by group."""
        return cast(Models, getattr(state, side))

    def with_standing(self, state: Storm, side: Side, models: Models) -> Storm:
        """Return the state with so many of each group of a side left."""
        left = with_standing(state, getattr(self.scenario, side), side, models)
        return left.replace(fireteam=tuple(map(np.minimum, left.fireteam, left.attackers)))

    @property
    def intact(self) -> Intact:
        """The class of a building that is stormed."""
        return cast(Intact, self.class_name)

    @property
    def building_class(self) -> BuildingClass:
        """What the class fixes."""
        return self.book.tables.classes.of(self.class_name)

    @property
    def armour(self) -> int:
        """The Armour Value that the building is known to have, or that the players have agreed on; 0 to be rolled.

        A building that is assaulted in the usual way has none.
        """
        if self.building_class.usual:
            return 0
        return self.scenario.building.armour or self.book.tables.agreed.armour

    @property
    def asks_armour(self) -> bool:
        """Whether somebody asks the Armour Value: who attacks the structure, or may take up a plan that does."""
        return bool(self.reaches) or self.scenario.may_change


Step = Stage[Storm, Scene]
