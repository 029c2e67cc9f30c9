"""What changes in an assault by the Gemini rules, and what does not."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from sims.dice import Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.arap.allocation import Marks, damage_of
from sims.games.arap.areas.ranks import Ranks, Walls
from sims.games.arap.nerve import casualties, suppression
from sims.games.arap.nerve.suppression import Hits
from sims.games.arap.shooting import DIRECT
from sims.games.arap.unit import Band, Wounds
from sims.rulesets.gemini.book import Gemini, OwnUnit
from sims.scenario import AttackPlan, Force, Scenario, Side
from sims.state import State, code, count, counts, flag, number, record

Structure = Literal["door", "wall", "armour"]
"""What attackers of the building work on: a locked door, a wall, or walls with an Armour Value."""
MAY_NOT_FIRE, STUNNED = 1, 2
"""How occupants of a bunker are shaken: they may do all but fire, or nothing."""
INSIDE, SALLYING, APART, LOCKED, FOUGHT = range(5)
"""Where the garrison is: inside; about to charge out; in the open, apart from the attackers; locked with them in a
fight; the same, after this player turn's round."""


@dataclass(frozen=True, kw_only=True)
class Siege(State):
    """The state of an assault, in which each side acts as one unit; every array is ``[..., R]``."""

    attackers: Band = record(
        models="attackers",
        hurt="wounds on the attackers' hurt model",
        others_hurt="wounds on the attackers' leader and specials",
        points=("action points of the attackers: {}",),
        pinned={
            1: "the attackers are pinned until their turn is over",
            2: "the attackers are pinned until their next turn is over",
            3: "the attackers are suppressed, and have an action less",
            4: "the attackers are suppressed, and will have an action less in their next turn",
            5: "the attackers are suppressed, and have an action less, in their next turn too",
        },
        due={
            1: "the attackers must test for heavy casualties",
            2: "the attackers must test for heavy casualties, half of them lost",
            3: "the attackers must test for suppression",
        },
        laid={1: "the attackers have found the range of the garrison"},
        routs={1: "the attackers run", 2: "the attackers have rallied, and act in their own turn"},
    )
    defenders: Band = record(
        after="attackers",
        models="defenders",
        hurt="wounds on the defenders' hurt model",
        others_hurt="wounds on the defenders' leader and specials",
        points=("action points of the garrison: {}",),
        pinned={
            1: "the garrison is pinned until its turn is over",
            2: "the garrison is pinned until its next turn is over",
            3: "the garrison is suppressed, and has an action less",
            4: "the garrison is suppressed, and will have an action less in its next turn",
            5: "the garrison is suppressed, and has an action less, in its next turn too",
        },
        routs={3: "the garrison pursues"},
        due={
            1: "the garrison must test for heavy casualties",
            2: "the garrison must test for heavy casualties, half of it lost",
            3: "the garrison must test for suppression",
        },
        laid={1: "the garrison has found the range of the attackers"},
    )
    distance: Ints = count("inches to the building", after="defenders.others_hurt")
    volleys: Ints = count()  # action points that the attackers give to shooting
    exposed: Ints = number("defenders who can be fired at: {}")  # who fired out in their last activation, and live
    forced: Ints = flag("the locked door is open", otherwise="the door is whole")
    damage: Ints = number("damage points on the structure: {}")  # door or wall
    hull: Ints = number("hull points left: {}")
    cracks: Ints = number("structural damage: {}")  # so far
    mounted: Ints = count("built-in weapons")
    shaken: Ints = code(
        {
            MAY_NOT_FIRE: "those inside may not fire in their next turn",
            STUNNED: "those inside may neither fire nor move in their next turn",
        }
    )
    dazed: Ints = code(
        {
            MAY_NOT_FIRE: "those inside may not fire in this turn",
            STUNNED: "those inside may neither fire nor move in this turn",
        }
    )
    destroyed: Ints = flag("the building is destroyed")
    broken: Ints = flag("the attackers have broken")
    driven_out: Ints = flag("the defenders have left the building")
    # How this turn's charge came off: 0 not at all, 1 from too near to be fired at, 2 in range of stand and fire, 3 the
    # same at more than 12 inches. Once attackers are inside, whether the garrison is charging back.
    charge: Ints = code()
    attackers_in: Ints = number("attackers who fight at the openings: {}")
    defenders_in: Ints = number("defenders who fight at the openings: {}")
    # Wounds inflicted by the attackers in this fight less those they took.
    margin: Ints = number("the attackers are ahead by {}", "the defenders are ahead by {}")
    stormed: Ints = flag()  # an earlier storm goes on; always false where each storm is a new combat
    falling: Ints = flag("the structure gives way")  # a bunker, or a section of wall
    # Models of the unit shot at that fell in the turn's shooting so far, only where it counts: the fewest that come to
    # the same test.
    fallen: Ints = count()
    hits: Ints = count()  # hits on that unit so far, only where they count towards a suppression test
    # The garrison of a bunker has fired from them in an earlier player turn, and their shutters are open.
    ports_open: Ints = flag("the ports stand open", after="dazed")
    fired: Ints = flag()  # the garrison has fired out in this player turn, only where that may open the ports
    # Of a garrison that stands in several sections: how many the attackers have, and who is in the next one.
    held: Ints = number("sections that the attackers hold: {}")
    here: Ints = number("defenders in the section under attack: {}")
    # Grenades from section to section that are yet to burst: in the one aimed at, the throwers' own, and one behind.
    lobbed: Ints = number("grenades in the next section: {}")
    back: Ints = number("grenades that come back: {}")
    beyond: Ints = number("grenades beyond the next section: {}")
    # Of a garrison that charges back: who are yet to jump down, and by group who fell and live.
    above: Ints = number("defenders who are to jump down: {}")
    fallen_in: Models = counts("defenders who have fallen and live")
    place: Ints = code(
        {
            SALLYING: "the garrison is about to charge out",
            APART: "the garrison is in the open",
            LOCKED: "the two sides are locked in a fight in the open",
        },
        otherwise="the garrison is in the building",
    )
    struck: Wounds  # of the attackers in a step of a fight in the open, before anybody falls
    met: Ints = flag("the two sides have met in the open")  # charges have no bonus any more
    followed: Ints = number(
        "inches that the garrison has followed routers in all: {}"
    )  # nearer to their table edge by these

    rolls = MappingProxyType({"attacks on the bunker": dict[int, str]()})

    def unit(self, side: Side) -> Band:
        """Return the unit of a side."""
        return self.attackers if side == "attackers" else self.defenders

    def with_unit(self, side: Side, **changes: Ints | Models) -> "Siege":
        """Return the state with something of a side's unit changed."""
        return self.replace(**{side: self.unit(side).replace(**changes)})


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        plan: What the attackers do: their plan, or the nearest that they have the means for.
        sections: Building sections on each floor.
        floors: How many floors there are.
        in_turn: Building sections that are stormed one after the other; 1 if the garrison is all in the one attacked.
        room: Models of the garrison that one section holds.
        room_to_storm: Attackers that it holds.
        places: Models of the garrison that may fire out of one section.
        structure: What attackers of the building itself work on.
        sealed: A bunker: nobody gets in until it is breached.
        locked: All doors are locked, and one has to be forced or smashed.
        open_doors: Those that are not locked.
        resists: Armour Value, or Toughness of the door or wall.
        points: Hull points, or damage points until the door is gone or the wall is down.
        halt: Inches from which the attackers shoot at the structure; None if no shot of theirs can hurt it.
        stand_off: Inches at which attackers stay who only shoot.
        gunners, strikers: Groups of attackers whose shots, or blows, can hurt the structure.
        by_blows: Blows at the structure do more than shots.
        burners, grenadiers: Groups of attackers with template weapons, and those that can throw grenades instead of
            shooting.
        smoke_from: Inches from which attackers smoke the garrison out.
        walls: The low walls before the building.
        heeds_pinned: It matters in the attackers' turn, after their activation, whether they are pinned: the garrison
            may pin them then, or charge them.
        edge: Inches from the building to the table edge that routers run for.
    """

    scenario: Scenario
    book: Gemini
    plan: AttackPlan
    sections: int
    floors: int
    in_turn: int
    room: int
    room_to_storm: int
    places: int
    structure: Structure
    sealed: bool
    locked: bool
    open_doors: int
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
    walls: Walls
    heeds_pinned: bool
    edge: int

    def standing(self, state: Siege, side: Side) -> Models:
        """Return a side, by group."""
        return state.unit(side).standing

    def with_standing(self, state: Siege, side: Side, models: Models) -> Siege:
        """Return the state with so many of each group of a side left."""
        unit = state.unit(side).with_models(self.force(side), models)
        left = state.replace(**{side: unit})
        garrison = left.defenders.models
        least = garrison - self.room * (self.in_turn - left.held - 1) if self.in_turn > 1 else 0
        here = np.clip(left.here, np.maximum(least, 0), garrison)
        return left.replace(exposed=np.minimum(left.exposed, garrison), here=here)

    def force(self, side: Side) -> Force:
        """Return the force of a side."""
        return self.scenario.attackers if side == "attackers" else self.scenario.defenders

    def ranks(self, side: Side) -> Ranks:
        """Return how a side stands that has room."""
        return Ranks.of(self.book.game, self.force(side))

    def enemy(self, side: Side) -> Side:
        """Return the other side."""
        return "defenders" if side == "attackers" else "attackers"

    def rerolls(self, side: Side) -> bool:
        """Return whether a side knows no fear, by its ordinary models: it rolls failed tests again (ARAP-210)."""
        return OwnUnit.of(self.force(side).unit).rerolls_morale

    @property
    def hating(self) -> int:
        """Which side alone hates the other, by its ordinary models: 1 the attackers, -1 the garrison (ARAP-203)."""
        ours, theirs = (OwnUnit.of(self.force(side).unit).hates for side in ("attackers", "defenders"))
        return ours - theirs

    @property
    def pursues(self) -> bool:
        """Whether a garrison that has won in the open may pursue attackers who rout."""
        rulings = self.book.game.rulings
        return self.scenario.may_sally and rulings.routers("rally") and not rulings.pursuit("none")

    def damage(self, side: Side) -> int:
        """Return the most Wounds that one wound by a shot or blow of a side takes."""
        mounted = self.scenario.mounted if side == "defenders" else ()
        arms = (arm for group in self.force(side).groups for arm in (group.weapon, group.melee))
        return max(damage_of(arm) for arm in (None, *arms, *mounted) if arm is None or arm.kind in (*DIRECT, "melee"))

    @property
    def corrects_aim(self) -> bool:
        """Whether those who keep on firing correct their aim."""
        return self.book.game.rulings.corrective_aiming("yes")

    @property
    def sallies(self) -> bool:
        """Whether the garrison means to come out."""
        return self.scenario.defence == "sally"


def after_losses(state: Siege, scene: Scene, side: Side, left: Band, elsewhere: Argument = 0) -> Siege:
    """Return the state with what is left of a side's unit.

    Of the garrison those who fired out fall first, and nobody takes their place (GB-114).

    Args:
        elsewhere: How many of the garrison have fallen in other sections than the one attacked.
    """
    after, fallen = state.replace(**{side: left}), state.defenders.models - left.models
    if side == "attackers":
        return after
    if scene.in_turn == 1:
        return after.replace(exposed=np.maximum(state.exposed - fallen, 0))
    lost = np.where(state.place <= SALLYING, fallen - elsewhere, 0)
    unseen = np.minimum(lost, shown_here(state, scene)) + elsewhere
    return after.replace(exposed=np.maximum(state.exposed - unseen, 0), here=state.here - lost)


def shown_here(state: Siege, scene: Scene) -> Ints:
    """Return how many of those who were seen firing out of several sections are in the one attacked (GB-111)."""
    return np.minimum(np.minimum(state.here, scene.places), state.exposed)


def aim_kept(state: Siege, scene: Scene, still: Argument) -> Siege:
    """Return the state where no aim is corrected any more but where both sides have stood still (ARAP-117).

    It is left as it is where aim is not corrected at all: what is the same everywhere costs nothing.
    """
    if not scene.corrects_aim:
        return state
    attackers, defenders = (
        unit.replace(laid=unit.laid * still, shot=unit.shot * still) for unit in (state.attackers, state.defenders)
    )
    return state.replace(attackers=attackers, defenders=defenders)


def marks(
    state: Siege,
    scene: Scene,
    side: Side,
    among: Models | None = None,
    most: Ints | None = None,
    beyond: Models | None = None,
) -> Marks:
    """Return those of a side whom hits can find: all, or some of its models.

    Args:
        among: Those who can be hit.
        most: How many can fall, those beyond among them.
        beyond: Whom hits find that are too many for those.
    """
    unit, damage = state.unit(side), scene.damage(scene.enemy(side))
    able = unit.models if most is None else most
    return Marks.of(scene.book.game, scene.force(side), unit, among, able, beyond, damage)


def hits_on(state: Siege, scene: Scene, side: Side, spared: bool) -> Hits | None:
    """Return the hits on a side that is about to be shot at, where they are counted: not in its own turn (ARAP-137)."""
    if spared or scene.book.game.rulings.suppression("off"):
        return None
    unit, game = state.unit(side), scene.book.game
    begun = unit.models + state.fallen
    heavy = casualties.heavy(game, state.fallen, begun)
    return suppression.before_fire(game, scene.force(side), unit, begun, heavy, state.hits)


def wounded(
    dice: Dice,
    state: Siege,
    scene: Scene,
    side: Side,
    wounds: Wounds,
    label: str,
    among: Models | None = None,
    beyond: Models | None = None,
    elsewhere: bool = False,
) -> Siege:
    """Let a side suffer unsaved wounds: some of its models, or all, and by some readings others beyond those.

    Args:
        elsewhere: Whether those of a garrison are in other sections than the one attacked.
    """
    unit = state.unit(side)
    able = unit.standing if among is None else among
    after = unit.wounded(dice, scene.book.game, scene.force(side), wounds, label, able, beyond)
    return after_losses(state, scene, side, after, (unit.models - after.models) * elsewhere)
