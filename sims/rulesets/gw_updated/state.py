"""What changes in the siege of a building, and what does not."""

from collections import Counter
from dataclasses import dataclass

from sims.assault import State
from sims.dice import Ints
from sims.forces import Models
from sims.profiles import Weapon
from sims.rulesets.gw_updated.book import GwUpdated, Walls
from sims.scenario import Scenario


@dataclass(frozen=True)
class Siege(State):
    """The state of an attack on an occupied building; every array is ``[..., R]``.

    Attributes
    ----------
    attackers, defenders : Models
        Models left, by group.
    attackers_hurt, defenders_hurt : array
        Wounds that one model carries.
    distance : array
        Inches from the attackers to the building; 0 in contact with its walls.
    AV : array
        The building's Armour Value.
    volley_AV : array
        The Armour Value that hits are rolled against where a volley meets that of its start; else 0.
    hull : array
        Hull points left where they are counted; else 0.
    weapons : Models
        Emplaced weapons left, by kind.
    moved : array of bool
        The attackers moved this turn.
    charging : array of bool
        They mean to charge this turn.
    occupants_snap, weapons_snap : array of bool
        Those inside, or the emplaced weapons, only fire Snap Shots in their next turn.
    attacks : array
        Attacks on the building still to come in this volley.
    grenades : array of bool
        They are krak grenades, not blows.
    hit : array
        What the last of them did: nothing, a glancing or a penetrating hit.
    falling : array
        D6 hits that fall on those inside.
    fall : array
        0 while the building stands; when it falls, one more than the D6 hits that this brings down on those inside.
    destroyed : array of bool
        The building has fallen, and those inside are out.
    """

    attackers: Models
    defenders: Models
    attackers_hurt: Ints
    defenders_hurt: Ints
    distance: Ints
    AV: Ints
    volley_AV: Ints
    hull: Ints
    weapons: Models
    moved: Ints
    charging: Ints
    occupants_snap: Ints
    weapons_snap: Ints
    attacks: Ints
    grenades: Ints
    hit: Ints
    falling: Ints
    fall: Ints
    destroyed: Ints


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes
    ----------
    scenario : Scenario
    rules : GwUpdated
        The book in force.
    walls : Walls
        The building's Armour Value, size and Mighty Bulwark.
    halt : int
        Inches from the building at which the attackers stop.
    shooters, strikers : tuple of bool
        Which groups of the attackers shoot at the walls, and which charge and strike them.
    """

    scenario: Scenario
    rules: GwUpdated
    walls: Walls
    halt: int
    shooters: tuple[bool, ...]
    strikers: tuple[bool, ...]

    @property
    def weapons(self) -> tuple[tuple[Weapon, int], ...]:
        """The emplaced weapons, those alike together: weapon and number."""
        return tuple(Counter(self.scenario.mounted).items())
