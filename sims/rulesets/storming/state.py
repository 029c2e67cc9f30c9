"""What changes in a storming, and what does not."""

from dataclasses import dataclass

from sims.assault import State
from sims.dice import Ints
from sims.forces import Models
from sims.rulesets.storming.book import BuildingClass, Class, Storming
from sims.scenario import Scenario


@dataclass(frozen=True)
class Storm(State):
    """The state of a storming; every array is ``[..., R]``.

    Attributes
    ----------
    attackers, defenders : Models
        Models left, by group.
    attackers_hurt, defenders_hurt : array
        Wounds that one model carries.
    distance : array
        Inches from the attackers to the building.
    armour : array
        Armour Value; 0 before it is rolled, and where nobody attacks the structure.
    mounted : array
        Mounted weapons left.
    moved : array of bool
        The attackers moved this turn, so heavy weapons may not fire.
    shaken : array of bool
        The occupants may not fire in their next turn.
    destroyed, broken, driven_out : array of bool
        The building fell; the attackers failed morale; the defenders did.
    fireteam : Models
        The attackers inside the building; once blows are struck, those who strike back. Zero outside a storming.
    slain, struck : array
        Wounds by blows in this storming, of the Fireteam and of the defenders (before saves, until they are taken).
    shots : array
        Attacks on the structure still to come in this stage.
    hit : array
        What the last of them did: 0 nothing, 1 a glancing, 2 a penetrating hit.
    """

    attackers: Models
    defenders: Models
    attackers_hurt: Ints
    defenders_hurt: Ints
    distance: Ints
    armour: Ints
    mounted: Ints
    moved: Ints
    shaken: Ints
    destroyed: Ints
    broken: Ints
    driven_out: Ints
    fireteam: Models
    slain: Ints
    struck: Ints
    shots: Ints
    hit: Ints


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes
    ----------
    scenario : Scenario
    rules : Storming
        The book in force.
    class_name : str
        "defensible" or "stronghold".
    viable : int
        Access points within reach of the storming squad.
    halt : int
        Inches from the building at which attackers on foot stop: 0 to storm, else where their weapons reach.
    """

    scenario: Scenario
    rules: Storming
    class_name: Class
    viable: int
    halt: int

    @property
    def building_class(self) -> BuildingClass:
        """What the class fixes."""
        classes = self.rules.tables.classes
        return classes.stronghold if self.class_name == "stronghold" else classes.defensible
