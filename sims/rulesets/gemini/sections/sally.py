"""A sally: the garrison charges out, and both sides fight on in the open by the rules of the base game.

Whoever has action points charges. Until the two have met, points to spare are for shooting; afterwards it is close
combat alone. Everybody is in reach of an enemy once a fight is joined.
"""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import Models, total, without
from sims.games.arap import melee
from sims.games.arap.moving.charge import NEAR, SHORT, after_charge, besides_a_charge, inches_wanted
from sims.games.arap.moving.measuring import melee_radius, within
from sims.games.arap.nerve import pursuit
from sims.games.arap.reactions import Condition
from sims.games.arap.rolls.circumstances import Circumstances
from sims.games.arap.shooting import AREAS, is_last, shoots, small_group
from sims.games.arap.stand_and_fire import may_fire
from sims.games.arap.unit import PURSUES
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import OwnUnit
from sims.rulesets.gemini.routs import run, stand, turned
from sims.rulesets.gemini.sections.charge import as_fired_at, fire_at_chargers, throw_charge
from sims.rulesets.gemini.sections.fire import Fire, shooting, suffer, throwers
from sims.rulesets.gemini.sections.giving_way import gap_after_flinch, rout_test
from sims.rulesets.gemini.sections.storm import blows
from sims.rulesets.gemini.state import (
    APART,
    FOUGHT,
    INSIDE,
    SALLYING,
    Scene,
    Siege,
    aim_kept,
    marks,
    wounded,
)
from sims.rulesets.gemini.turn import leadership_of, throw_activation
from sims.scenario import Side

SURE = 2
"""What two dice always show."""


def apart(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison is in the open, and not locked in a fight."""
    return state.place == APART


def has_charged(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where a side has charged in the open: pursuers in the compulsory phase, else the side that acts."""
    theirs = (state.defenders.routs != PURSUES) | (side == "defenders")
    return apart(state, scene) & (state.charge > SHORT) & theirs


def free(state: Siege, scene: Scene) -> Bools:
    """Return where both may test and be activated in the open: no pursuers have just charged."""
    return apart(state, scene) & (state.charge == SHORT)


def silent(state: Siege, side: Side) -> Bools:
    """Return where a side may not fire: a garrison that was shaken behind its walls, in its turn after that."""
    return (state.dazed > 0) & (side == "defenders")


def can_sally(state: Siege, scene: Scene) -> Bools:
    """Return where a garrison that means to has a point, and counts on a charge from the building's edge.

    It stays where it is while the attackers run.
    """
    tables, unit = scene.book.tables, scene.scenario.defenders.unit
    reach = unit.move + int(melee_radius(scene.book.game, OwnUnit.of(unit).size)) + tables.plans.counted_on
    ready = (state.place == INSIDE) & (state.defenders.points > 0) & scene.sallies
    return ready & (state.held == 0) & within(state.distance, reach) & stand(state, scene)


def muster(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Set a point aside for a charge out of the building; the rest is for shooting from it.

    Source: Close Combat and Building Sections (GB-132).
    """
    ready = state.defenders.replace(points=besides_a_charge(state.defenders.points))
    return state.replace(place=np.full_like(state.place, SALLYING), defenders=ready)


def come_out(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Leave the building for good, with the point that was set aside; what has shaken the garrison goes with it.

    Source: Close Combat and Building Sections (GB-132).
    """
    none = np.zeros_like(state.place)
    behind = (
        "exposed",
        "held",
        "here",
        "forced",
        "damage",
        "hull",
        "cracks",
        "mounted",
        "ports_open",
        "fired",
        "stormed",
    )
    out = state.replace(
        **dict.fromkeys(behind, none),
        place=none + APART,
        defenders=state.defenders.replace(points=none + 1),
        attackers=state.attackers.replace(points=none),
        volleys=none,
    )
    return aim_kept(out, scene, 0)


def activate(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Throw activation dice in the open; of units that have met already one point is enough, for the charge.

    Source: Close Combat and Building Sections (GB-132).
    """
    after = throw_activation(dice, state, scene, side=side)
    ours, theirs = after.attackers.points, after.defenders.points
    return after.replace(
        attackers=after.attackers.replace(points=np.where(state.met > 0, np.minimum(ours, 1), ours)),
        defenders=after.defenders.replace(points=np.where(state.met > 0, np.minimum(theirs, 1), theirs)),
    )


def can_shoot(state: Siege, scene: Scene, side: Side, nth: int) -> Bools:
    """Return where a side has points to spare for shooting in the open as often as that, and may."""
    return apart(state, scene) & shoots(nth, to_spare(state, scene, side)) & ~silent(state, side)


def to_spare(state: Siege, scene: Scene, side: Side) -> Ints:
    """Return the points of a side for shooting in the open: all but that for the charge, which routers are spared."""
    points = state.unit(side).points
    return np.where(run(state, scene), points, besides_a_charge(points))


def shoot(dice: Dice, state: Siege, scene: Scene, side: Side, nth: int, reaction: bool) -> Siege:
    """Shoot at the enemy in the open, with every point but the one for the charge.

    Source: Close Combat and Building Sections (GB-132).
    """
    game, enemy, points = scene.book.game, scene.enemy(side), state.unit(side).points
    unit, groups, spare = state.unit(side), scene.force(side).groups, to_spare(state, scene, side)
    thrown = setting.throws_outside(scene, side, unit.standing, unit.models, state.distance)
    armed = zip(groups, without(unit.standing, thrown), strict=True)
    targets, last = state.unit(enemy).models, is_last(nth, spare)
    fire = Fire(
        shooting(state, scene, armed, nth, spare),
        Circumstances(models=small_group(game, scene.force(enemy), targets)),
        hands=throwers(scene, zip(groups, thrown, strict=True), nth, spare),
    )
    after = suffer(dice, state, scene, enemy, fire, targets, last, reaction)
    return after.with_unit(side, points=np.where(last, np.minimum(points, 1), points))


def can_charge(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where a side has a point for a charge in the open; a garrison does not charge attackers who run."""
    return apart(state, scene) & (state.unit(side).points > 0) & stand(state, scene)


def charge(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Charge in the open, out of a building too; who is reached has to fight.

    Source: Close Combat and Building Sections (GB-132).
    """
    how, distance = throw_charge(dice, state, scene, side, scene.book.game.tables.open_field.contact)
    return charged(state, scene, side, how, distance)


def charged(state: Siege, scene: Scene, side: Side, how: Ints, distance: Ints) -> Siege:
    """Return the state after a charge of a side in the open that has come off so; who pursues cannot fire at it.

    Args:
        how: `SHORT`, or how near it began.
        distance: Inches between both after it.
    """
    reached, enemy = how > SHORT, scene.enemy(side)
    charger, target = after_charge(scene.book.game, state.unit(side), state.unit(enemy), reached)
    fired_at = may_fire(scene.book.game, how, Condition.when_charged(state.unit(enemy))) & ~silent(state, enemy)
    if scene.pursues and enemy == "defenders":
        target = target.replace(routs=np.where(reached, 0, target.routs))
    return state.replace(
        **{side: charger, enemy: target},
        charge=np.where(reached & ~fired_at, NEAR, how),
        distance=as_fired_at(state, scene, enemy, fired_at, distance),
    )


def stand_and_fire(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Let a side fire at those who charge it in the open; the wounds count in the first round of the fight.

    Source: Close Combat and Building Sections (GB-132).
    """
    contact = scene.book.game.tables.open_field.contact
    after, wounds = fire_at_chargers(dice, state, scene, side, state.unit(side).standing, 0, contact)
    return after.replace(margin=wounds if side == "attackers" else -wounds)


def garrison_strikes(dice: Dice, state: Siege, scene: Scene, step: tuple[int, ...], charging: Side | None) -> Siege:
    """Let those of the garrison strike whose Initiative it is; nobody falls before the attackers have struck.

    Source: Close Combat and Building Sections (GB-132).
    """
    attacks = attacks_of(state, scene, "defenders", step, charging)
    return state.replace(struck=blows(dice, scene, "attackers", attacks, marks(state, scene, "attackers")))


def attackers_strike(dice: Dice, state: Siege, scene: Scene, step: tuple[int, ...], charging: Side | None) -> Siege:
    """Let the attackers strike whose Initiative it is, at the same time; then the slain of both sides fall.

    Source: Close Combat and Building Sections (GB-132).
    """
    attacks = attacks_of(state, scene, "attackers", step, charging)
    on_defenders = blows(dice, scene, "defenders", attacks, marks(state, scene, "defenders"))
    dice.tally("defenders lost in the open", total(on_defenders))
    dice.tally("attackers lost in the open", total(state.struck))
    after = wounded(dice, state, scene, "attackers", state.struck, "attackers in the fight")
    after = wounded(dice, after, scene, "defenders", on_defenders, "defenders in the fight")
    return after.replace(
        margin=state.margin + total(on_defenders) - total(state.struck),
        struck=tuple(np.zeros_like(wounds) for wounds in state.struck),
    )


def attacks_of(state: Siege, scene: Scene, side: Side, step: tuple[int, ...], charging: Side | None) -> Models:
    """Return the attacks of each group of a side in a step."""
    force, charges = scene.force(side), (state.met == 0) & (side == charging)
    order = melee.best_fighters(force)
    found = melee.attacks(scene.book.game, force, state.unit(side).standing, charges, order)
    return melee.in_step(found, [group.profile.I for group in force.groups], step)


def result(dice: Dice, state: Siege, scene: Scene, charging: Side | None) -> Siege:
    """Compare wounds and let the loser test: who fails has routed, who passes flinches; equals stay locked.

    Those who are locked in a fight when their turn begins take no test for heavy casualties. A fight ends a pursuit.

    Source: Close Combat and Building Sections (GB-132).
    """
    sign = {"attackers": 1, "defenders": -1, None: 0}[charging]
    lead = melee.lead(scene.book.game, state.margin, sign * melee.fresh(scene.book.game, state.met), scene.hating)
    tests, fails = rout_test(dice, state, scene, lead, leadership_of(state, scene, "defenders"))
    gap = gap_after_flinch(dice, scene.book, scene.book.game.tables.open_field.contact, tests & ~fails)
    sizes = OwnUnit.of(scene.scenario.attackers.unit).size, OwnUnit.of(scene.scenario.defenders.unit).size
    held = (lead == 0) | (tests & ~fails & melee.still_engaged(scene.book.game, lead, gap, sizes))
    none = np.zeros_like(state.place)
    attackers, garrison = (unit.replace(due=np.where(held, 0, unit.due)) for unit in (state.attackers, state.defenders))
    contact = scene.book.game.tables.open_field.contact
    after = state.replace(
        attackers=attackers,
        defenders=garrison,
        driven_out=(fails & (lead > 0)).astype(int),
        place=np.where(held, FOUGHT, APART),
        distance=np.where(held, contact, as_far(scene)[gap]),
        charge=none,
        margin=none,
        met=none + 1,
    )
    if scene.pursues:
        after = after.with_unit("defenders", routs=0 * garrison.routs)
    return go_after(dice, turned(dice, after, scene, fails & (lead < 0), contact), scene, fails & (lead < 0))


def go_after(dice: Dice, state: Siege, scene: Scene, won: Bools) -> Siege:
    """Let a garrison that has won pursue attackers who have turned and run, or test not to.

    Source: Not Pursuing (ARAP-214).
    """
    if not scene.pursues:
        return state
    Ld = leadership_of(state, scene, "defenders")
    goes = pursuit.goes_after(dice, scene.book.game, scene.scenario.defenders, Ld, won)
    return state.with_unit("defenders", routs=np.where(goes, PURSUES, state.defenders.routs))


def as_far(scene: Scene) -> Ints:
    """Return for each gap after a flinch the least one that is as good: no charge can tell it from the other.

    Markers and streams tell from where those come at whom they are fired, and routers from where they run.
    """
    game, flinch = scene.book.game, scene.book.tables.storming.flinch
    contact = game.tables.open_field.contact
    if game.rulings.routers("rally"):
        return np.arange(contact + max(flinch.pmf.outcomes) + 1)
    gaps, seen = np.arange(contact + max(flinch.pmf.outcomes) + 1), list[list[int]]()
    sides = scene.scenario.attackers, scene.scenario.defenders
    for charging, charged in (sides, sides[::-1]):
        unit, near = charging.unit, gaps <= charging.unit.move
        wanted = inches_wanted(scene.book.game, unit.move, gaps, OwnUnit.of(unit).size)
        seen += [near.tolist(), np.where(wanted > SURE, wanted, 0).tolist()]
        if any(weapon.kind in AREAS for weapon in charged.guns):
            seen.append(np.where(near, 0, gaps).tolist())
    looks = list(zip(*seen, strict=True))
    return np.array([max(looks.index(look), min(gap, contact + 1)) for gap, look in enumerate(looks)])
