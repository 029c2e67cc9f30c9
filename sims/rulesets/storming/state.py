"""What changes in a storming, and what does not."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from sims.assault import Stage
from sims.dice import Ints
from sims.forces import Models
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, Fight
from sims.rulesets.storming.book import BuildingClass, Class, Intact, Storming
from sims.scenario import Scenario, Side

INSIDE, SALLIED, LOCKED, ASSAULTED, BESET = 0, 1, 2, 3, 4
"""Where the garrison is: in the building; out of it, charging in this turn, or in a fight that goes on; in ruins,
charged in this turn, or in a fight that goes on."""
NEVER = 1000
"""The reach of a group that cannot bring the walls down, in inches."""


@dataclass(frozen=True)
class Storm(Fight):
    """The state of a storming; every array is ``[..., R]``.

    Attributes:
        distance: Inches from the attackers to the building.
        place: Where the garrison is: `INSIDE`, `SALLIED`, `LOCKED`, `ASSAULTED` or `BESET`.
        armour: Armour Value; 0 before it is rolled, and where nobody attacks the structure.
        capacity: Models that the building holds, as far as anybody could fill it; 0 before it is rolled.
        mounted: Mounted weapons left.
        moved (bool): The attackers moved this turn, so heavy weapons may not fire.
        shaken (bool): The occupants may not fire in their next turn.
        falling, destroyed, broken, taken (bool): The structure gives way; it fell; the attackers failed morale; the
            garrison is gone.
        fireteam: The attackers inside the building; once blows are struck, those who strike back. Zero outside a
            storming.
        slain, struck: Wounds by blows in this storming, of the Fireteam and of the defenders (before saves, until they
            are taken).
        piercing: Of the wounds struck, those that leave no armour save, until they are taken.
        shots: Attacks on the structure still to come in this stage.
        hit: What the last of them did: 0 nothing, 1 a glancing, 2 a penetrating hit.
    """

    distance: Ints
    place: Ints
    armour: Ints
    capacity: Ints
    mounted: Ints
    moved: Ints
    shaken: Ints
    falling: Ints
    destroyed: Ints
    broken: Ints
    taken: Ints
    fireteam: Models
    slain: Ints
    struck: Ints
    piercing: Ints
    shots: Ints
    hit: Ints

    told = MappingProxyType(
        {
            "attackers": "attackers",
            "defenders": "defenders",
            "attackers_hurt": "wounds on the attackers' hurt model",
            "defenders_hurt": "wounds on the defenders' hurt model",
            "distance": "inches to the building",
            "place": {
                INSIDE: "the garrison is in the building",
                SALLIED: "the garrison comes out and charges",
                LOCKED: "the fight in the open goes on",
                ASSAULTED: "the attackers charge into the ruins",
                BESET: "the fight in the ruins goes on",
            },
            "armour": ("Armour Value {}",),
            "capacity": ("the building holds {}",),
            "mounted": "mounted weapons",
            "moved": {1: "the attackers have moved"},
            "shaken": {1: "the garrison may not fire in its next turn"},
            "falling": {1: "the building gives way"},
            "destroyed": {1: "the building is destroyed"},
            "broken": {1: "the attackers have broken"},
            "taken": {1: "the garrison has lost the building"},
            "fireteam": "in the Fireteam",
            "lead": ("the attackers are ahead by {}", "the defenders are ahead by {}"),
            "failed": {
                ATTACKERS: "the attackers fail their morale check",
                DEFENDERS: "the garrison fails its morale check",
            },
        }
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
