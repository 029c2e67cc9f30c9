"""What changes in an assault by the Gemini rules, and what does not."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from sims.dice import Dice, Ints
from sims.forces import Models
from sims.games.arap.unit import Band
from sims.rulesets.gemini.book import Gemini
from sims.scenario import AttackPlan, Force, Scenario, Side
from sims.state import State

Structure = Literal["door", "wall", "armour"]
"""What attackers of the building work on: a locked door, a wall, or walls with an Armour Value."""
MAY_NOT_FIRE, STUNNED = 1, 2
"""How occupants of a bunker are shaken: they may do all but fire, or nothing."""
INSIDE, SALLYING, APART, LOCKED, FOUGHT = range(5)
"""Where the garrison is: inside; about to charge out; in the open, apart from the attackers; locked with them in a
fight; the same, after this player turn's round."""


@dataclass(frozen=True)
class Siege(State):
    """The state of an assault; every array is ``[..., R]``.

    Attributes:
        attackers, defenders: Each side acts as one unit.
        distance: Inches from the attackers to the building.
        volleys: Action points that the attackers give to shooting.
        exposed: Places manned by defenders who fired out in their last activation; whoever stands there can be fired
            at.
        forced (bool): The locked door was forced.
        damage: Damage points on the door or wall.
        hull: Hull points left.
        cracks: Structural damage so far.
        mounted: Built-in weapons left.
        shaken: The occupants may not fire in their next turn, or are stunned in it.
        dazed: The same, in the turn of theirs that is going on.
        destroyed, broken, driven_out (bool): The building fell; the attackers routed; the defenders did.
        charge: How this turn's charge came off: 0 not at all, 1 from too near to be fired at, 2 in range of stand and
            fire, 3 the same at more than 12 inches.
        attackers_in, defenders_in: Models that fight at the openings.
        margin: Wounds inflicted by the attackers in this fight less those they took.
        stormed (bool): An earlier storm goes on; always false where each storm is a new combat.
        falling (bool): The bunker, or a section of wall, is coming down.
        fallen: Models of the garrison that fell to flames and grenades in the shooting that is going on, only where it
            counts: the fewest that come to the same test.
        ports_open (bool): The garrison of a bunker has fired from its ports, whose shutters stay open; only where that
            matters.
        place: Where the garrison is: from `INSIDE` to `FOUGHT`.
        struck: Wounds of the attackers in a step of a fight in the open, before anybody falls.
        met (bool): A fight in the open has begun: charges have no bonus any more.
    """

    attackers: Band
    defenders: Band
    distance: Ints
    volleys: Ints
    exposed: Ints
    forced: Ints
    damage: Ints
    hull: Ints
    cracks: Ints
    mounted: Ints
    shaken: Ints
    dazed: Ints
    destroyed: Ints
    broken: Ints
    driven_out: Ints
    charge: Ints
    attackers_in: Ints
    defenders_in: Ints
    margin: Ints
    stormed: Ints
    falling: Ints
    fallen: Ints
    ports_open: Ints
    place: Ints
    struck: Ints
    met: Ints

    told = MappingProxyType(
        {
            "attackers.models": "attackers",
            "defenders.models": "defenders",
            "attackers.hurt": "wounds on the attackers' hurt model",
            "defenders.hurt": "wounds on the defenders' hurt model",
            "distance": "inches to the building",
            "attackers.points": ("action points of the attackers: {}",),
            "defenders.points": ("action points of the garrison: {}",),
            "attackers.pinned": {
                1: "the attackers are pinned until their turn is over",
                2: "the attackers are pinned until their next turn is over",
            },
            "defenders.pinned": {
                1: "the garrison is pinned until its turn is over",
                2: "the garrison is pinned until its next turn is over",
            },
            "attackers.due": {
                1: "the attackers must test for heavy casualties",
                2: "the attackers must test for heavy casualties, half of them lost",
            },
            "defenders.due": {
                1: "the garrison must test for heavy casualties",
                2: "the garrison must test for heavy casualties, half of it lost",
            },
            "exposed": ("places at the openings that can be fired at: {}",),
            "forced": {1: "the door is forced"},
            "damage": ("damage points on the structure: {}",),
            "hull": ("hull points left: {}",),
            "cracks": ("structural damage: {}",),
            "mounted": "built-in weapons",
            "shaken": {
                MAY_NOT_FIRE: "those inside may not fire in their next turn",
                STUNNED: "those inside may neither fire nor move in their next turn",
            },
            "dazed": {
                MAY_NOT_FIRE: "those inside may not fire in this turn",
                STUNNED: "those inside may neither fire nor move in this turn",
            },
            "ports_open": {1: "the ports stand open"},
            "destroyed": {1: "the building is destroyed"},
            "broken": {1: "the attackers have broken"},
            "driven_out": {1: "the defenders have left the building"},
            "attackers_in": ("attackers who fight at the openings: {}",),
            "defenders_in": ("defenders who fight at the openings: {}",),
            "margin": ("the attackers are ahead by {}", "the defenders are ahead by {}"),
            "falling": {1: "the structure gives way"},
            "place": {
                SALLYING: "the garrison is about to charge out",
                APART: "the garrison is in the open",
                LOCKED: "the two sides are locked in a fight in the open",
            },
            "met": {1: "the two sides have met in the open"},
        }
    )
    rolls = MappingProxyType({"attacks on the bunker": dict[int, str]()})

    def unit(self, side: Side) -> Band:
        """Return the unit of a side."""
        return self.attackers if side == "attackers" else self.defenders

    def with_unit(self, side: Side, **changes: Ints) -> "Siege":
        """Return the state with something of a side's unit changed."""
        return self.replace(**{side: self.unit(side).replace(**changes)})


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        plan: What the attackers do: their plan, or the nearest that they have the means for.
        sections: Building sections on the ground floor.
        room: Models of the garrison that one section holds.
        structure: What attackers of the building itself work on.
        sealed: A bunker: nobody gets in until it is breached.
        locked: The doors are locked, and can be forced or smashed.
        resists: Armour Value, or Toughness of the door or wall.
        points: Hull points, or damage points until the door is gone or the wall is down.
        halt: Inches from which the attackers shoot at the structure; None if no shot of theirs can hurt it.
        stand_off: Inches at which attackers stay who only shoot.
        gunners, strikers: Groups of attackers whose shots, or blows, can hurt the structure.
        by_blows: Blows at the structure do more than shots.
        burners, grenadiers: Groups of attackers with template weapons, and those that can throw grenades instead of
            shooting.
        smoke_from: Inches from which attackers smoke the garrison out.
        heeds_pinned: It matters in the attackers' turn, after their activation, whether they are pinned: the garrison
            may pin them then, or charge them.
    """

    scenario: Scenario
    book: Gemini
    plan: AttackPlan
    sections: int
    room: int
    structure: Structure
    sealed: bool
    locked: bool
    resists: int
    points: int
    halt: int | None
    stand_off: int
    gunners: tuple[int, ...]
    strikers: tuple[int, ...]
    by_blows: bool
    burners: tuple[int, ...]
    grenadiers: tuple[int, ...]
    smoke_from: int
    heeds_pinned: bool

    def standing(self, state: Siege, side: Side) -> Models:
        """Return a side, by group."""
        return state.unit(side).standing

    def force(self, side: Side) -> Force:
        """Return the force of a side."""
        return self.scenario.attackers if side == "attackers" else self.scenario.defenders

    def enemy(self, side: Side) -> Side:
        """Return the other side."""
        return "defenders" if side == "attackers" else "attackers"

    @property
    def sallies(self) -> bool:
        """Whether the garrison means to come out."""
        return self.scenario.defence == "sally"


def wounds_left(state: Siege, scene: Scene, side: Side, models: Ints) -> Ints:
    """Return how many wounds some models of a side can still take, the one that was hurt among them."""
    return state.unit(side).wounds_left(models, scene.force(side).unit.W)


def wounded(
    dice: Dice,
    state: Siege,
    scene: Scene,
    side: Side,
    wounds: Ints,
    label: str,
    among: Models | None = None,
    beyond: Models | None = None,
) -> Siege:
    """Let a side suffer unsaved wounds: some of its models, or all, and by some readings others beyond those."""
    able = state.unit(side).standing if among is None else among
    after = state.unit(side).wounded(dice, scene.book.game, scene.force(side), wounds, label, able, beyond)
    return state.replace(**{side: after})
