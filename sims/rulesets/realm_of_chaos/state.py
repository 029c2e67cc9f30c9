"""What changes in an assault, and what does not."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

import numpy as np

from sims.dice import Bools, Ints
from sims.forces import Models, by_body, chosen, standing, total, without
from sims.rulesets.realm_of_chaos.book import Burns, FabricName, OwnBuilding, RealmOfChaos
from sims.scenario import Scenario, Side
from sims.state import State, code, count, counts, flag, number

ATTACKERS, DEFENDERS = 1, -1
"""Who won a round, or routs; 0 is neither."""

SECTION, NEIGHBOURS = 1, 2
"""What falls: the ground section with all above it, a column; the column beside it too."""


@dataclass(frozen=True, kw_only=True)
class Siege(State):
    """The state of an assault; every array is ``[..., R]``.

    The garrison's section is the ground section of the first column that stands. What is known of it begins anew where
    the next column takes its place.

    Models are counted, not told apart: who falls is settled, so how many of each kind are left follows from the count
    but for those below; the leader and special models are the first through a door, and the last to go upstairs.
    """

    outside: Ints = count("attackers outside")
    inside: Ints = count("attackers inside", close=True)  # in its ground section
    defenders: Ints = count("defenders")
    upstairs: Ints = count("of them in the rest of the building")
    # Each side by group, where that does not follow from their number: attackers unless they are alike and the owner
    # gives them up, for another of those outside then steps in; a garrison of several groups always.
    attackers_kinds: Models
    defenders_kinds: Models
    attackers_begun: Models  # how many ordinary models there were at the start, see `forces.begun`
    defenders_begun: Models
    attackers_hurt: Ints = count("wounds on the attackers' hurt model")
    defenders_hurt: Ints = count("wounds on the defenders' hurt model")
    # Of each body but the ordinary models, who have those above; nothing where all of a side are alike.
    attackers_others_hurt: Models = counts("wounds on the attackers' leader and specials")
    defenders_others_hurt: Models = counts("wounds on the defenders' leader and specials")
    distance: Ints = count("inches to the building")  # from the attackers outside
    moved: Ints = flag("the attackers have moved")  # in this turn
    fired: Ints = number("defenders who fired from the section: {}")  # in their last turn
    fired_upstairs: Ints = number("defenders who fired from the rest of the building: {}")  # in their last turn
    damage: Ints = count("points of damage on the section")  # no more are counted than change anything
    tested: Ints = flag()  # it has been rolled for since its last damage; only kept where one test is all there is
    unsafe: Ints = flag("the section is unsafe")
    unstable: Ints = flag("the section is unstable")
    unsound: Ints = flag("the section is unsound")
    falling: Ints = code({SECTION: "the section falls", NEIGHBOURS: "the section falls, and the next column with it"})
    fight: Ints = flag()  # there is a fight inside in this player turn
    margin: Ints = number("the attackers are ahead by {}", "the defenders are ahead by {}")  # 0 outside a fight
    # Of the last round, if the fight goes on.
    winner: Ints = code({ATTACKERS: "the attackers have won the round", DEFENDERS: "the defenders have won the round"})
    above: Ints = flag("the garrison charges down from above")  # in this player turn
    out: Ints = count("of them in the open", after="upstairs", otherwise="the garrison is in the building")
    open: Ints = flag("the two sides fight in the open")
    charged: Ints = code()  # who charged in the open in this player turn; 0 is neither
    scorched: Ints = count()  # damage by flames in this player turn, until it is seen whether the section burns
    burning: Ints = code({0: "the fire is out", 1: "the section is on fire"})
    routing: Ints = code({ATTACKERS: "the attackers rout", DEFENDERS: "the defenders rout"})  # not hacked at yet
    standing: Ints = count("columns of the building that stand")  # the garrison's among them
    broken: Ints = flag("the attackers have broken")
    driven_out: Ints = flag("the defenders have left the building")

    rolls = MappingProxyType(
        {
            "accidental fire": {0: "nothing catches fire", 1: "the section catches fire"},
            "fire check": {0: "the section does not burn", 1: "the section catches fire"},
        }
    )

    def hurt(self, side: Side) -> Models:
        """Return the wounds that one model of each body of a side carries."""
        return (*getattr(self, f"{side}_others_hurt"), getattr(self, f"{side}_hurt"))

    def with_hurt(self, side: Side, hurt: Models) -> Self:
        """Return the state with such wounds."""
        return self.replace(**{f"{side}_others_hurt": hurt[:-1], f"{side}_hurt": hurt[-1]})

    @property
    def attackers(self) -> Ints:
        """Attackers left."""
        return self.outside + self.inside

    @property
    def ground(self) -> Ints:
        """Defenders in the ground section."""
        return self.defenders - self.upstairs - self.out

    @property
    def has_fired(self) -> Bools:
        """Whether defenders fired from the building in their last turn."""
        return (self.fired > 0) | (self.fired_upstairs > 0)


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        sections: Sections of each level: columns of the building, which are taken to stand in a row, the garrison's
            first.
        walls: The class of its walls.
        burns: Where they catch fire: anywhere, within, or nowhere.
        shooters, burners, strikers: The attackers' groups whose shots, whose flames, or whose blows can hurt the walls.
        carriers: Those who carry fire into a building.
        keepers: The garrison's groups that carry fire from section to section.
        besiegers: The groups that can bring the walls down, under a plan to do so.
        torches: Attackers mean to hold fire to the walls from outside.
        carry_in: Attackers mean to carry fire in.
        order_in: The order in which the attackers' groups go in.
        halt: Inches from the walls at which attackers who do not storm halt.
        order: The attackers' and the defenders' groups that strike together, in the order of blows.
    """

    scenario: Scenario
    book: RealmOfChaos
    sections: int
    walls: FabricName
    burns: Burns
    order: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    shooters: tuple[int, ...] = ()
    burners: tuple[int, ...] = ()
    strikers: tuple[int, ...] = ()
    carriers: tuple[int, ...] = ()
    keepers: tuple[int, ...] = ()
    besiegers: tuple[int, ...] = ()
    torches: bool = False
    carry_in: bool = False
    order_in: tuple[int, ...] = ()
    halt: int = 0

    @property
    def levels(self) -> int:
        """The floors of the building; one, if nothing is said of them."""
        building = self.scenario.building
        return OwnBuilding.of(building).levels or building.levels or 1

    def standing(self, state: Siege, side: Side) -> Models:
        """Return a side, by group."""
        kinds: Models = getattr(state, f"{side}_kinds")
        if kinds:
            return kinds
        force, left = getattr(self.scenario, side), getattr(state, side)
        return standing(self.book.game.rulings.who_falls, force, left)

    def with_standing(self, state: Siege, side: Side, models: Models) -> Siege:
        """Return the state with so many of each group of a side left.

        Attackers are missing, or come, outside; defenders in the rest of the building, as far as the section has room.
        """
        left, force = total(models), getattr(self.scenario, side)
        living = by_body(force, models)
        state = state.with_hurt(side, tuple(n * (m > 0) for n, m in zip(state.hurt(side), living, strict=True)))
        if getattr(state, f"{side}_kinds"):
            state = state.replace(**{f"{side}_kinds": models})
        if side == "attackers":
            inside = np.minimum(state.inside, left)
            return state.replace(inside=inside, outside=left - inside)
        out = np.minimum(state.out, left)
        room = self.book.tables.sections.models
        upstairs = np.clip(state.upstairs + left - state.defenders, np.maximum(left - out - room, 0), left - out)
        return state.replace(defenders=left, out=out, upstairs=upstairs)

    def inside(self, state: Siege) -> Models:
        """Return the attackers inside, by group."""
        return chosen(self.standing(state, "attackers"), state.inside, self.order_in)

    def outside(self, state: Siege) -> Models:
        """Return the attackers outside, by group."""
        standing = self.standing(state, "attackers")
        return without(standing, chosen(standing, state.inside, self.order_in))

    def out(self, state: Siege) -> Models:
        """Return the defenders in the open, by group."""
        standing = self.standing(state, "defenders")
        return chosen(standing, state.out, range(len(standing)))

    def ground(self, state: Siege) -> Models:
        """Return the defenders in the ground section, by group."""
        return self.garrison(state)[0]

    def garrison(self, state: Siege) -> tuple[Models, Models]:
        """Return the defenders in the ground section and in the rest of the building, by group."""
        standing = self.standing(state, "defenders")
        within = without(standing, self.out(state))
        ground = chosen(within, state.ground, range(len(standing)))
        return ground, without(within, ground)
