"""A player turn: nerve and free moves first, then activation, with the other side's reaction to every failed die."""

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.games.arap.activation import activate, recovered
from sims.games.arap.moving import moves
from sims.games.arap.moving.charge import besides_a_charge
from sims.games.arap.nerve import casualties, leadership, suppression
from sims.games.arap.unit import HALF, HEAVY, PINNED, RALLIED, SUPPRESSION
from sims.rulesets.gemini import plans
from sims.rulesets.gemini.openings import smoke, way_in
from sims.rulesets.gemini.routs import stand, turned
from sims.rulesets.gemini.state import FOUGHT, LOCKED, STUNNED, Scene, Siege, aim_kept
from sims.scenario import Side


def try_nerve(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Test a unit that lost a quarter to shooting in the enemy's turn: an even failure pins it, an odd one routs it.

    Attackers that rout run; a garrison that routs has left the building.

    Source: Heavy Casualty Test (ARAP-134).
    """
    Ld, rerolls = leadership_of(state, scene, side), scene.rerolls(side)
    unit, routs = casualties.try_nerve(dice, scene.book.game, state.unit(side), Ld, rerolls=rerolls)
    after = state.replace(**{side: unit})
    if side == "attackers":
        return turned(dice, after, scene, routs, state.distance)
    return after.replace(driven_out=routs.astype(int))


def try_suppression(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Test a unit that was hit often enough in the enemy's turn, but lost few: who fails has an action less.

    Source: Suppressive Fire (ARAP-140).
    """
    Ld, unit = leadership_of(state, scene, side), state.unit(side)
    tested = suppression.try_suppression(dice, scene.book.game, unit, Ld, rerolls=scene.rerolls(side))
    return state.replace(**{side: tested})


def has_lost_many(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where a side owes a heavy-casualty test."""
    due = state.unit(side).due
    return (due == HEAVY) | (due == HALF)


def was_hit_often(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where a side owes a suppression test."""
    return state.unit(side).due == SUPPRESSION


def leadership_of(state: Siege, scene: Scene, side: Side) -> Ints:
    """Return the Leadership of a unit."""
    return leadership.leadership_of(scene.book.game, scene.force(side), state.unit(side).standing)


def free_move(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move the attackers once without activation, with no enemy within 12 inches.

    Source: Free Move (ARAP-076).
    """
    halt = no_nearer(scene, plans.intent(state, scene))
    distance = moves.after_moves(scene.scenario.attackers.unit.move, state.distance, 1, halt)
    return aim_kept(state, scene, distance == state.distance).replace(distance=distance)


def far_away(state: Siege, scene: Scene) -> Bools:
    """Return where no enemy is near enough to forbid attackers a free move, and they do not run (ARAP-076)."""
    return moves.moves_freely(scene.book.game, state.distance) & stand(state, scene)


def no_nearer(scene: Scene, about: Ints) -> Ints:
    """Return the inches at which the attackers halt.

    Those who mean to charge use whole moves; the others halt where they can do what they are about.
    """
    charges = (about == plans.ENTER) | (about == plans.STRIKE)
    return np.where(charges, 1, plans.reach(scene, about))


def throw_activation(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Throw activation dice for the unit whose turn it is; the other picks up every failed die and throws it too.

    The stunned have no actions. Attackers who are now about something else have given a storm up: a later one is a new
    combat. Those who have paid for being pinned have done with it, unless something heeds it until the turn is over.

    Source: Activation Rolls; Bunker Hits Table (ARAP-047, GB-140).
    """
    if side == "attackers" and scene.book.rulings.renewed_storm("continued"):
        about = plans.intent(state, scene)
        goes_on = (about == plans.ENTER) | (about == plans.FORCE)
        state = state.replace(stormed=state.stormed * goes_on)
    table, other = scene.book.tables.plans, scene.enemy(side)
    plenty = table.attackers_dice if side == "attackers" else table.defenders_dice
    initiatives = scene.force(side).unit.I, scene.force(other).unit.I
    own, theirs = activate(dice, scene.book.game, state.unit(side), state.unit(other), initiatives, plenty)
    if side == "attackers" and not scene.heeds_pinned:
        own = own.replace(pinned=np.where(own.pinned == PINNED, 0, own.pinned))
    attackers, garrison = (own, theirs) if side == "attackers" else (theirs, own)
    inside = np.where(state.dazed == STUNNED, 0, garrison.points)
    return state.replace(attackers=attackers, defenders=garrison.replace(points=inside))


def advance(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move the attackers to where they can do what they are about, and set points aside for shooting.

    Those who charge keep a point for it, and shoot with those to spare.

    Source: Action Points (ARAP-053).
    """
    unit, about = scene.scenario.attackers.unit, plans.intent(state, scene)
    reach, halt = plans.reach(scene, about), no_nearer(scene, about)
    attackers, distance = moves.advance(state.attackers, unit.move, state.distance, reach, halt)
    moved = aim_kept(state.replace(distance=distance, attackers=attackers), scene, distance == state.distance)
    left = attackers.points
    shoots = (about == plans.BATTER) | (about == plans.SHOOT) | (about == plans.SMOKE)
    spare = np.where(shoots, left, np.where(plans.charging(moved, scene), besides_a_charge(left), 0))
    of_use = (way_in.targets(moved, scene) > 0) | smoke.in_reach(moved, scene)
    of_use = of_use | (about == plans.BATTER) | (about == plans.STRIKE)
    acting = moved.attackers.replace(points=left - spare)
    return moved.replace(volleys=np.where(of_use, spare, 0), attackers=acting)


def end_turn(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """End a player turn: points that were not used are lost, and who was pinned for this turn recovers.

    What has shaken the garrison holds in its own next turn, whosever turn it happened in. Breaches beyond what all can
    use are not counted; nor is who can be fired at until he has taken cover, where attackers cannot fire before. Ports
    from which somebody has fired are open from now on. Who has fired since his last turn began corrects his aim.

    Source: Activation Phase; Corrective Aiming; Bunker Hits Table; Shooting at Firing Ports (ARAP-045, ARAP-117,
    GB-140, GB-149).
    """
    none = np.zeros_like(state.shaken)
    abreast = scene.book.tables.storming.abreast
    enough = -(-np.minimum(state.attackers.models, state.defenders.models) // abreast)
    ended = state.replace(
        **{
            who: unit.replace(
                points=none,
                laid=unit.shot | (unit.laid if who != side else none),
                shot=none,
                spent=0 * unit.spent if who == side else unit.spent,
                routs=np.where(unit.routs == RALLIED, 0, unit.routs) if who != side else unit.routs,
            )
            for who, unit in (("attackers", state.attackers), ("defenders", state.defenders))
        }
    )
    changes = {
        "dazed": none,
        "volleys": none,
        "fired": none,
        "ports_open": way_in.unshuttered(state, scene),
        "place": np.where(state.place == FOUGHT, LOCKED, state.place),
        "cracks": np.minimum(state.cracks, np.maximum(enough, way_in.SEVERAL)),
    }
    if side == "attackers":
        changes |= {"dazed": state.shaken, "shaken": none}
        if scene.book.rulings.exposure("next_turn"):
            changes["exposed"] = np.where(plans.may_shoot_next(state, scene), state.exposed, 0)
    return ended.with_unit(side, pinned=recovered(state.unit(side).pinned)).replace(**changes)
