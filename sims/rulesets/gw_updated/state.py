"""What changes in the siege of a building, and what does not."""

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from sims.dice import Bools, Ints
from sims.forces import Models, chosen, total
from sims.games.common import StepOfBlows
from sims.games.wh40k.book import Walls
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, Fight, with_standing
from sims.profiles import Weapon
from sims.rulesets.gw_updated.book import GwUpdated
from sims.scenario import AttackPlan, Scenario, Side
from sims.state import code, count, counts, flag, number

INSIDE, OUTSIDE, LOCKED, GONE, OUSTED = 0, 1, 2, 3, 4
"""Where the garrison is: in the building, in the open, in close combat in the open; gone, dead or in flight; gone, with
the attackers in its place."""


@dataclass(frozen=True, kw_only=True)
class Siege(Fight):
    """The state of an attack on an occupied building, and of a close combat outside it; every array is ``[..., R]``."""

    # How many have lost one, two and more of several Wounds; in the open without the one that is known to be nearest to
    # the enemy, whose Wounds lost are `defenders_hurt`.
    wounded: Models = counts("models of the garrison by Wounds lost")
    wounds: Ints = count()  # still to be suffered by the garrison, where its models have several
    distance: Ints = count("inches to the building")  # 0 in contact with its walls
    AV: Ints = number("Armour Value {}")
    volley_AV: Ints = count()  # what hits are rolled against where a volley meets the Armour Value of its start; else 0
    hull: Ints = number("hull points left: {}")  # where they are counted; else 0
    weapons: Models = counts("emplaced weapons")  # by kind
    moved: Ints = flag("the attackers have moved")  # only noted where they have heavy weapons for the walls
    charging: Ints = flag("the attackers mean to charge")  # in this turn
    occupants_snap: Ints = flag("those inside may only fire Snap Shots in their next turn")
    weapons_snap: Ints = flag("emplaced weapons may only fire Snap Shots in their next turn")
    attacks: Ints = count()  # on the building, still to come in this volley
    grenades: Ints = flag()  # they are krak grenades, not blows
    hit: Ints = code()  # what the last of them did: nothing, a glancing or a penetrating hit
    falling: Ints = count()  # D6 hits that fall on those inside
    fall: Ints = number("the building falls")  # one more than the D6 hits that this brings down on those inside
    destroyed: Ints = flag("the building is destroyed, and those inside are out")
    garrison: Ints = code(
        {
            OUTSIDE: "the garrison is in the open",
            LOCKED: "the two sides are locked in close combat",
            GONE: "nobody is left to hold the building",
            OUSTED: "the attackers are inside and claim the building",
        },
        otherwise="the garrison is in the building",
    )
    gap: Ints = number("inches between the two sides: {}")  # while the garrison is outside and not locked; else 0
    charged: Ints = flag()  # the side whose turn it is has charged in the open this turn

    # Fields of `Fight`, which keep their places; the words are those of these rules.
    lead: Ints = number("the attackers are ahead by {}", "the garrison is ahead by {}")
    failed: Ints = code({ATTACKERS: "the attackers fall back", DEFENDERS: "the garrison falls back"})

    rolls = MappingProxyType(
        {
            "charge": {0: "falls short", 1: "reaches"},
            "charge in the open": {0: "falls short", 1: "reaches"},
            "sweeping advance": {0: "not caught", 1: "caught"},
        }
    )


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        walls: The building's Armour Value, size and Mighty Bulwark.
        room: How many places there are inside.
        plan: The plan of the attackers as it is played.
        halt: Inches from the building at which the attackers stop, unless they close in.
        shooters, strikers: Which groups of the attackers shoot at the walls, and which strike them when they close in.
        heeds_moved: It matters to those who shoot at the walls whether the attackers have moved.
        order: Which groups of attackers and defenders strike together in the open, by Initiative.
    """

    scenario: Scenario
    book: GwUpdated
    walls: Walls
    room: int
    plan: AttackPlan
    halt: int
    shooters: tuple[bool, ...]
    strikers: tuple[bool, ...]
    heeds_moved: bool
    order: tuple[StepOfBlows, ...]

    def standing(self, state: Siege, side: Side) -> Models:
        """Return a side, by group."""
        return cast(Models, getattr(state, side))

    def with_standing(self, state: Siege, side: Side, models: Models) -> Siege:
        """Return the state with so many of each group of a side left."""
        left = with_standing(state, getattr(self.scenario, side), side, models)
        return left.replace(wounded=chosen(left.wounded, total(left.defenders), range(len(left.wounded))))

    @property
    def several_wounds(self) -> bool:
        """Whether those of the garrison are alike, with several Wounds, and it matters who suffers each (GW-031)."""
        return self.scenario.defenders.unit.W > 1 and not self.scenario.defenders.mixed

    @property
    def by_wounds(self) -> list[str]:
        """How those of the garrison are told apart by the Wounds that they have lost."""
        return ["the unhurt", *(f"those who have lost {n}" for n in range(1, self.scenario.defenders.unit.W))]

    @property
    def weapons(self) -> tuple[tuple[Weapon, int], ...]:
        """The emplaced weapons, those alike together: weapon and number."""
        return tuple(Counter(self.scenario.mounted).items())


def besieged(state: Siege, scene: Scene) -> Bools:
    """Return where the building stands and somebody of the garrison is inside."""
    return (state.garrison == INSIDE) & (state.fall == 0) & (total(state.defenders) > 0)


def outside(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison stands in the open and nobody is in close combat."""
    return state.garrison == OUTSIDE
