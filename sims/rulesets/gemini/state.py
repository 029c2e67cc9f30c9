"""What changes in an assault by the Gemini rules, and what does not."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sims.assault import State
from sims.dice import LOW, Ints
from sims.dice.die import added_up
from sims.dice.mechanics import needed
from sims.forces import Models, wound
from sims.rulesets.gemini.book import Gemini
from sims.scenario import AttackPlan, Force, Scenario

Side = Literal["attackers", "defenders"]
Structure = Literal["door", "wall", "armour"]
"""What attackers of the building work on: a locked door, a wall, or walls with an Armour Value."""
MAY_NOT_FIRE, STUNNED = 1, 2
"""How occupants of a bunker are shaken: they may do all but fire, or nothing."""
INSIDE, SALLYING, APART, LOCKED, FOUGHT = range(5)
"""Where the garrison is: inside; about to charge out; in the open, apart from the attackers; locked with them in a
fight; the same, after this player turn's round."""

SUCCESSES = ("", {n: f"{n} {'success' if n == 1 else 'successes'}" for n in range(10)})
"""What is said of activation dice."""


@dataclass(frozen=True)
class Siege(State):
    """The state of an assault; every array is ``[..., R]``.

    Attributes
    ----------
    attackers, defenders : array
        Models left; ordinary ones fall first, so their number says who they are.
    attackers_hurt, defenders_hurt : array
        Wounds that one model carries.
    distance : array
        Inches from the attackers to the building.
    attackers_points, defenders_points : array
        Action points that a side has not used yet.
    volleys : array
        Action points that the attackers give to shooting.
    attackers_pinned, defenders_pinned : array
        1 if the unit is pinned in its next turn, 2 if in the turn after that.
    attackers_spent, defenders_spent : array of bool
        The unit has used up its next try by a reaction.
    attackers_due, defenders_due : array
        A heavy-casualty test is due: 1 for a quarter lost to shooting, 2 for a half, where that matters.
    exposed : array
        Places manned by defenders who fired out in their last activation; whoever stands there can be fired at.
    forced : array of bool
        The locked door was forced.
    damage : array
        Damage points on the door or wall.
    hull : array
        Hull points left.
    cracks : array
        Structural damage so far.
    mounted : array
        Built-in weapons left.
    shaken : array
        The occupants may not fire in their next turn, or are stunned.
    destroyed, broken, driven_out : array of bool
        The building fell; the attackers routed; the defenders did.
    charge : array
        How this turn's charge came off: 0 not at all, 1 from too near to be fired at, 2 in range of stand and fire, 3
        the same at more than 12 inches.
    attackers_in, defenders_in : array
        Models that fight at the openings.
    margin : array
        Wounds inflicted by the attackers in this fight less those they took.
    stormed : array of bool
        An earlier storm goes on; always false where each storm is a new combat.
    falling : array of bool
        The bunker, or a section of wall, is coming down.
    fallen : array
        Models of the garrison that fell to flames and grenades in the shooting that is going on.
    ports_open : array of bool
        The garrison of a bunker has fired from its ports, whose shutters stay open; only where that matters.
    place : array
        Where the garrison is: from `INSIDE` to `FOUGHT`.
    struck : array
        Wounds of the attackers in a step of a fight in the open, before anybody falls.
    met : array of bool
        A fight in the open has begun: charges have no bonus any more.
    """

    attackers: Ints
    defenders: Ints
    attackers_hurt: Ints
    defenders_hurt: Ints
    distance: Ints
    attackers_points: Ints
    defenders_points: Ints
    volleys: Ints
    attackers_pinned: Ints
    defenders_pinned: Ints
    attackers_spent: Ints
    defenders_spent: Ints
    attackers_due: Ints
    defenders_due: Ints
    exposed: Ints
    forced: Ints
    damage: Ints
    hull: Ints
    cracks: Ints
    mounted: Ints
    shaken: Ints
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
            "attackers": "attackers",
            "defenders": "defenders",
            "attackers_hurt": "wounds on the attackers' hurt model",
            "defenders_hurt": "wounds on the defenders' hurt model",
            "distance": "inches to the building",
            "attackers_points": ("action points of the attackers: {}",),
            "defenders_points": ("action points of the garrison: {}",),
            "attackers_pinned": {
                1: "the attackers are pinned in their next turn",
                2: "the attackers are pinned in the turn after their next",
            },
            "defenders_pinned": {
                1: "the garrison is pinned in its next turn",
                2: "the garrison is pinned in the turn after its next",
            },
            "attackers_due": {
                1: "the attackers must test for heavy casualties",
                2: "the attackers must test for heavy casualties, half of them lost",
            },
            "defenders_due": {
                1: "the garrison must test for heavy casualties",
                2: "the garrison must test for heavy casualties, half of it lost",
            },
            "forced": {1: "the door is forced"},
            "damage": ("damage points on the structure: {}",),
            "hull": ("hull points left: {}",),
            "cracks": ("structural damage: {}",),
            "mounted": "built-in weapons",
            "shaken": {
                MAY_NOT_FIRE: "those inside may not fire in their next turn",
                STUNNED: "those inside are stunned",
            },
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
        }
    )
    rolls = MappingProxyType(
        {
            "charge": (
                "the two highest dice must make {0}; more than {1} is a fast charge",
                {0: "reaches", 7: "reaches, fast"} | {k: f"falls short, {k} inches nearer" for k in range(1, 7)},
            ),
            "activation dice": SUCCESSES,
            "dice picked up": SUCCESSES,
            "stand and fire": SUCCESSES,
            "force the door": ("", {0: "failed", 1: "passed"}),
            "heavy-casualty test": (
                "{1} or less on both dice; failed by an even throw it pins, by an odd one it routs",
                {0: "passed", 1: "pinned", 2: "routed"},
            ),
            "attacks on the bunker": ("each attack's dice, whether they count or not", {}),
        }
    )


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes
    ----------
    scenario : Scenario
    rules : Gemini
        The book in force.
    plan : str
        What the attackers do: their plan, or the nearest that they have the means for.
    sections : int
        Building sections on the ground floor.
    room : int
        Models of the garrison that one section holds.
    structure : str
        What attackers of the building itself work on.
    sealed : bool
        A bunker: nobody gets in until it is breached.
    locked : bool
        The doors are locked, and can be forced or smashed.
    resists : int
        Armour Value, or Toughness of the door or wall.
    points : int
        Hull points, or damage points until the door is gone or the wall is down.
    halt : int or None
        Inches from which the attackers shoot at the structure; None if no shot of theirs can hurt it.
    stand_off : int
        Inches at which attackers stay who only shoot.
    gunners, strikers : tuple of int
        Groups of attackers whose shots, or blows, can hurt the structure.
    by_blows : bool
        Blows at the structure do more than shots.
    burners, grenadiers : tuple of int
        Groups of attackers with template weapons, and those that can throw grenades instead of shooting.
    smoke_from : int
        Inches from which attackers smoke the garrison out.
    """

    scenario: Scenario
    rules: Gemini
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

    def explain(self, move: Any) -> Iterator[str]:
        """Say what shots at firing ports need; of attacks on a bunker each, down to the Bunker Hits Table."""
        for roll in move.rolls:
            if roll.label == "attacks on the bunker" and roll.faces:
                yield from self._attacks(roll)
            elif roll.label == "shots" and roll.faces:
                yield from self._at_ports(roll)

    def _at_ports(self, roll: Any) -> Iterator[str]:
        from sims.rulesets.gemini.fire import AtPort

        arguments = list(roll.arguments)
        for part in roll.mechanic.counted.parts:
            own, arguments = arguments[: part.arity], arguments[part.arity :]
            if isinstance(part, AtPort) and own[0] * own[1]:
                models, each, *targets = own
                aim, *harm = (needed(test, target) for test, target in zip(part.tests, targets, strict=True))
                first = f"{models * each} at firing ports, to hit {aim}"
                yield f"{first}; one hit in {part.halved} goes through; to wound {', save '.join(harm)}"

    def _attacks(self, roll: Any) -> Iterator[str]:
        from sims.rulesets.gemini.bunker_hits import AUTOMATIC, ONE_DIE, RESULTS, TWO_DICE, Bunker

        attacks, to, dice, least, before = roll.arguments
        table, AP_modifier, bunker = roll.mechanic.table, roll.mechanic.AP_modifier, Bunker.decode(np.array(before))
        for i in range(attacks):
            first, again, a, b, face = (roll.faces[part * attacks + i] for part in range(5))
            if int(bunker.falling):
                return
            aimed = "" if to == AUTOMATIC else f"to hit, {needed(LOW, to)}: {first}, a "
            if to != AUTOMATIC and not bool(LOW.passes(np.array(to), np.array(first), np.array(again))):
                yield f"attack {i + 1}: {aimed}miss"
                continue
            score = a if dice == ONE_DIE else a + b if dice == TWO_DICE else max(a, b)
            hit = np.array((score >= least) + (score > least))
            pierces = f"{score} + Strength {self.resists - least} against Armour Value {self.resists}"
            does = ("no effect", "a glancing hit", "a penetrating hit")[hit]
            line = f"attack {i + 1}: {aimed and f'{aimed}hit; '}{pierces}: {does}"
            if hit and table.rolls(bunker.hull, hit):
                cracks, armed = table.structural * int(bunker.cracks), np.array(bunker.mounted) > 0
                found = int(table.result(hit, np.array(face), cracks + AP_modifier, armed))
                modifiers = (cracks, "structural damage"), (AP_modifier, "AP")
                line += f"; table {added_up(face, *modifiers)}: {RESULTS[found].replace('_', ' ')}"
            yield line
            bunker = table.after(bunker, hit, np.array(face), AP_modifier)

    @property
    def both_saves(self) -> bool:
        """Whether armour and invulnerable saves are taken in turn (ARAP-121)."""
        return self.rules.rulings.saves("both")


def standing(state: Siege, scene: Scene, side: Side) -> Models:
    """Return how many of each group of a side are left."""
    return scene.force(side).standing(getattr(state, side))


def wounds_left(state: Siege, scene: Scene, side: Side, models: Ints) -> Ints:
    """Return how many wounds some models of a side can still take, the one that was hurt among them."""
    hurt = getattr(state, f"{side}_hurt")
    return np.asarray(np.where(models > 0, models * scene.force(side).unit.W - hurt, 0))


def wounded(state: Siege, scene: Scene, side: Side, wounds: Ints) -> Siege:
    """Let a side suffer unsaved wounds, one model after the other."""
    (left,), hurt = wound((getattr(state, side),), getattr(state, f"{side}_hurt"), wounds, scene.force(side).unit.W)
    return state.replace(**{side: left, f"{side}_hurt": hurt})
