"""A garrison that charges back: from its section into the next one, which attackers hold, or down on their heads.

Who jumps down a storey tests his Initiative, and falls if he fails. Then it is a fight as in a storm, but that the
garrison charges; whoever wins, each side stays where it was, or what is left of it.
"""

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, Share
from sims.forces import Models, next_after, total, without
from sims.games.arap import melee
from sims.games.arap.moving.charge import NEAR, after_charge, besides_a_charge
from sims.games.arap.nerve.leadership import leadership_of
from sims.games.arap.rolls.wounds import NO_SAVE, Saves
from sims.games.arap.unit import Wounds
from sims.profiles import Unit
from sims.rulesets.gemini.book import OwnUnit
from sims.rulesets.gemini.routs import turned
from sims.rulesets.gemini.sections import giving_way, rooms, storm
from sims.rulesets.gemini.sections.levels import jumped
from sims.rulesets.gemini.state import Scene, Siege, aim_kept, wounded


def can_charge_back(state: Siege, scene: Scene) -> Bools:
    """Return where a garrison that means to come out has a point, and attackers in the section next to its own."""
    ready = (state.defenders.points > 0) & scene.sallies
    return ready & rooms.is_entered(state, scene) & (state.here > 0)


def make_ready(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Set a point aside for a charge into the next section; the rest is for shooting.

    Source: Close Combat and Building Sections (GB-121).
    """
    ready = state.defenders.replace(points=besides_a_charge(state.defenders.points))
    return state.replace(charge=np.full_like(state.charge, NEAR), defenders=ready)


def charges_back(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison is charging back."""
    return (state.charge > 0) & rooms.is_entered(state, scene)


def charge_back(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge those in the next section: D6 of the garrison, who may have to jump, fight D6 of the attackers.

    Source: Close Combat and Building Sections (GB-121, GB-122, GB-124).
    """
    inside = total(rooms.party(state, scene))
    there = (state.here > 0) & (inside > 0)
    d = storm.at_the_opening(dice, scene.book, "defenders", state.here, there)
    a = storm.at_the_opening(dice, scene.book, "attackers", inside, there)
    met = state.replace(
        defenders=state.defenders.replace(points=np.zeros_like(state.defenders.points)),
        attackers_in=np.where(there, a, 0),
        defenders_in=np.where(there, d, 0),
        above=np.where(there & jumps(state, scene), d, 0),
        charge=np.where(there, state.charge, 0),
    )
    return aim_kept(met, scene, 0)


def jumps(state: Siege, scene: Scene) -> Bools:
    """Return where the section that attackers hold lies a ladder's height below."""
    return (state.held % scene.sections == 0) & (storm.way_up(scene) == "ladder")


def jump(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Let one of a group jump down: who fails an Initiative test falls.

    If he lives he fights without the bonus of a charge, or by one reading not at all. The point for the charge is the
    unit's. Of models alike with several Wounds, the one that is hurt takes what the others suffer.

    Source: Ladders; Close Combat and Building Sections (GB-030, GB-122).
    """
    book, garrison, one = scene.book, scene.scenario.defenders, the_next(state, scene)
    profile = garrison.groups[group].profile
    falls, wounds = jumped(dice, book, 1, profile.I, profile.T, saves_in_a_fall(profile), profile.title)
    after = wounded(dice, state, scene, "defenders", of_one(state, scene, group, wounds), "fall", one)
    lives = after.defenders.models == state.defenders.models
    dice.tally("defenders lost to falls", ~lives)
    fights = lives & (~falls | book.rulings.failed_jump("fights"))
    left = np.maximum(state.defenders_in - ~fights, 0)
    return after.replace(
        above=np.maximum(state.above - 1, 0),
        defenders_in=left,
        attackers_in=np.where(left > 0, state.attackers_in, 0),
        charge=np.where(left > 0, state.charge, 0),
        fallen_in=tuple((n + i * (falls & lives)) * (left > 0) for n, i in zip(state.fallen_in, one, strict=True)),
    )


def the_next(state: Siege, scene: Scene) -> Models:
    """Return who jumps next, one model or nobody, by group: the best fighter of those above."""
    down = np.maximum(state.defenders_in - state.above, 0)
    one = next_after(storm.able_inside(state, scene), down, melee.best_fighters(scene.scenario.defenders))
    return tuple(n * (state.above > 0) for n in one)


def saves_in_a_fall(profile: Unit) -> Saves:
    """Return the saves that a fall allows: those of power armour or the like, and invulnerable ones (GB-030)."""
    saves = profile.Sv if OwnUnit.of(profile).power_armour else None, profile.invulnerable
    return Saves(*(NO_SAVE if save is None else save for save in saves))


def of_one(state: Siege, scene: Scene, group: int, wounds: Ints) -> Wounds:
    """Return the wounds of one model of a group as those of each body, no more than the hurt one has left."""
    force = scene.scenario.defenders
    if not force.mixed:
        return (np.minimum(wounds, force.unit.W - state.defenders.hurt),)
    return tuple(
        np.minimum(wounds, body.profile.W - hurt) * (group in body.groups)
        for body, hurt in zip(force.bodies, state.defenders.hurts, strict=True)
    )


def strike(dice: Dice, state: Siege, scene: Scene, step: tuple[int, ...], last: bool) -> Siege:
    """Let everybody strike whose Initiative it is; of models alike that fight it is drawn whether the fallen are slain.

    Source: Close Combat and Building Sections (GB-122, GB-124).
    """
    after = storm.strike(dice, state, scene, step, last, charging="defenders")
    if last or storm.way_up(scene) != "ladder" or scene.book.rulings.failed_jump("down"):
        return after
    slain, left = without(state.defenders.standing, after.defenders.standing), list[Ints]()
    for i, (n, fell, dead) in enumerate(zip(storm.defending(state, scene), state.fallen_in, slain, strict=True)):
        picked = Draw(Share("one who fell"), (np.minimum(dead, n), n, np.minimum(fell, n)))
        left.append(np.maximum(fell - picked.made(dice, f"slain of those who fell, {i + 1}"), 0))
    return after.replace(fallen_in=tuple(left))


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare wounds, with a point for charging, and let the loser test to rout: who fails dies with those beside him.

    Otherwise the garrison goes back to its section. By one reading those who have met owe no test for what they lost to
    shooting.

    Source: Close Combat and Building Sections (GB-127, GB-129).
    """
    scenario, none = scene.scenario, np.zeros_like(state.charge)
    lead = melee.lead(scene.book.game, state.margin, -1, scene.hating) * (state.here > 0)
    theirs = leadership_of(scene.book.game, scenario.defenders, rooms.inside(state, scene))
    _, fails = giving_way.rout_test(dice, state, scene, lead, theirs)
    broken, routed = fails & (lead < 0), fails & (lead > 0)
    ours = tuple(n * broken for n in rooms.party(state, scene))
    others = tuple(n * routed for n in rooms.inside(state, scene))
    dice.tally("attackers lost in the rout", total(ours))
    dice.tally("defenders lost in the rout", total(others))
    garrison, attackers = after_charge(scene.book.game, state.defenders, state.attackers, none == 0)
    after = state.replace(
        attackers=attackers.with_models(scenario.attackers, without(attackers.standing, ours)),
        defenders=garrison.with_models(scenario.defenders, without(garrison.standing, others)),
        here=np.where(routed, 0, state.here),
        fallen_in=tuple(map(np.zeros_like, state.fallen_in)),
        charge=none,
        margin=none,
    )
    return turned(dice, after, scene, broken, 0)
