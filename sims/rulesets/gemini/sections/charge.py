"""A charge at the building, and the garrison's fire at the chargers."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import Models, chosen, longest_range_first, total
from sims.games.arap import stand_and_fire as reaction
from sims.games.arap.moving import charge as moving
from sims.games.arap.moving.charge import NEAR, SHORT
from sims.games.arap.reactions import Condition
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.shooting import AREAS
from sims.questions import asks
from sims.rulesets.gemini import plans, setting
from sims.rulesets.gemini.book import Gemini, OwnUnit
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import Scene, Siege, aim_kept, marks, wounded
from sims.scenario import Side


def charge(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge the building; those inside who are reached have to fight, unless it is the structure that is charged.

    By one reading both owe no test for what they have lost to shooting then.

    Source: Charge Actions (ARAP-167).
    """
    how, distance = throw_charge(dice, state, scene, "attackers", scene.book.tables.storming.fall_back)
    enters = (how > SHORT) & (plans.intent(state, scene) == plans.ENTER)
    there = enters & way_in.past_ports(state.replace(distance=distance), scene)
    ports = {name: np.where(there, 0, getattr(state, name)) for name in ("fired", "ports_open")}
    attackers, garrison = moving.after_charge(scene.book.game, state.attackers, state.defenders, enters)
    fired_at = enters & reaction.may_fire(scene.book.game, how, Condition.when_charged(garrison)) & (state.dazed == 0)
    if scene.in_turn > 1:
        met = state.here > 0
        garrison = state.defenders.replace(
            points=np.where(met, garrison.points, state.defenders.points),
            due=np.where(met, garrison.due, state.defenders.due),
            pinned=np.where(met, garrison.pinned, state.defenders.pinned),
        )
        attackers = attackers.replace(pinned=np.where(met, attackers.pinned, state.attackers.pinned))
    charged = state.replace(
        charge=how,
        distance=as_fired_at(state, scene, "defenders", fired_at, distance),
        attackers=attackers,
        volleys=np.zeros_like(state.volleys),
        defenders=garrison,
        exposed=np.where(enters, 0, state.exposed),
        **ports,
    )
    return aim_kept(charged, scene, 0)


def as_fired_at(state: Siege, scene: Scene, side: Side, fired_at: Bools, distance: Ints) -> Ints:
    """Return the inches to chargers: after the charge, or before it while markers or streams are to be fired at them.

    These depend on how far off the chargers have begun (ARAP-187).
    """
    far = any(weapon.kind in AREAS for weapon in scene.force(side).guns)
    return np.where(fired_at, state.distance, distance) if far else distance


def throw_charge(dice: Dice, state: Siege, scene: Scene, side: Side, contact: int) -> tuple[Ints, Ints]:
    """Throw for a charge of a side; return how it came off, and the inches to the enemy after it."""
    unit = scene.force(side).unit
    return moving.charge(dice, scene.book.game, unit.move, state.distance, OwnUnit.of(unit).size, contact)


@asks("GB-132", name="charge by a garrison", needs=("ARAP-062",))
def sally_chance(book: Gemini, M: int, distance: int, size: Literal[1, 2, 3, 4] = 2) -> Fraction:
    """Return the chance that a charge out of a building reaches its target (GB-132).

    Args:
        M: Basic move in inches.
        distance: Inches from the edge of the building to the target.
        size: Size of the chargers, which gives their melee radius.
    """
    return moving.reaches(book.game, M, distance, size)


def can_stand_and_fire(state: Siege, scene: Scene) -> Bools:
    """Return where chargers can be fired at, by a garrison that may."""
    able = reaction.may_fire(scene.book.game, state.charge, Condition.when_charged(state.defenders))
    return able & (state.dazed == 0) & (plans.intent(state, scene) == plans.ENTER)


def stand_and_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let those who may fire out fire at the chargers; the wounds count in the first round of the fight.

    Source: Shooting and Building Sections (ARAP-184; GB-111).
    """
    able = setting.who_fire_out(state, scene)
    gunners = chosen(able, rooms.firing_places(state, scene), longest_range_first(scene.scenario.defenders))
    modifier = int(modifiers(scene.book.game, Circumstances(from_hard_cover=True)))
    contact = scene.book.tables.storming.fall_back
    after, wounds = fire_at_chargers(dice, state, scene, "defenders", gunners, modifier, contact)
    return after.replace(margin=-wounds)


def fire_at_chargers(
    dice: Dice, state: Siege, scene: Scene, side: Side, gunners: Models, modifier: int, contact: int
) -> tuple[Siege, Ints]:
    """Let some models of a side stand and fire at those who charge it; return also the wounds.

    Args:
        contact: Inches to the chargers afterwards.
    """
    force, charging = scene.force(side), scene.enemy(side)
    wounds = reaction.stand_and_fire(
        dice,
        scene.book.game,
        force.unit.I,
        zip(force.groups, gunners, strict=True),
        state.unit(charging).models,
        marks(state, scene, charging),
        contact,
        state.distance,
        state.charge,
        modifier,
    )
    dice.tally(f"{charging} lost to stand and fire", total(wounds))
    after = wounded(dice, state, scene, charging, wounds, "fire at the chargers")
    return after.replace(charge=0 * state.charge + NEAR, distance=0 * state.distance + contact), total(wounds)
