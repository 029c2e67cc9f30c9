"""A garrison that charges back: from its section into the next one, which attackers hold, or down on their heads.

Who jumps down a storey tests his Initiative, and falls if he fails. Then it is a fight as in a storm, but that the
garrison charges; whoever wins, each side stays where it was, or what is left of it.
"""

from collections.abc import Iterator

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, Share
from sims.forces import Models, chosen, total, without
from sims.games.arap import melee, nerve
from sims.games.arap.moving.charge import NEAR, after_charge, besides_a_charge
from sims.games.arap.rolls.characteristics import initiative
from sims.games.arap.rolls.wounds import NO_SAVE
from sims.games.arap.unit import Wounds as Suffered
from sims.rulesets.gemini.sections import rooms, storm
from sims.rulesets.gemini.sections.levels import fallen, height, initiative_tests
from sims.rulesets.gemini.state import STUNNED, Scene, Siege, aim_kept, wounded
from sims.scenario import Force


def can_charge_back(state: Siege, scene: Scene) -> Bools:
    """Return where a garrison that means to come out has a point, and attackers in the section next to its own."""
    ready = (state.defenders.points > 0) & (state.dazed < STUNNED) & scene.sallies
    return ready & rooms.is_entered(state, scene) & (state.here > 0)


def make_ready(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Set a point aside for a charge into the next section; the rest is for shooting."""
    ready = state.defenders.replace(points=besides_a_charge(state.defenders.points))
    return state.replace(charge=np.full_like(state.charge, NEAR), defenders=ready)


def charges_back(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison is charging back."""
    return state.charge > 0


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


def jump(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let one of those above jump down, the best fighter first: who fails an Initiative test falls.

    By most readings he then fights without the bonus of a charge, if he lives, and by one not at all.

    Source: Ladders; Close Combat and Building Sections (GB-030, GB-122).
    """
    book, garrison, one = scene.book, scene.scenario.defenders, the_next(state, scene)
    I, T, proof = (sum((n * value for n, value in zip(one, of, strict=True)), 0) for of in bodily(garrison))
    tests = initiative_tests(book, 1) * total(one)
    falls = initiative(book.game, I).times(tests).made(dice, "Initiative tests") < tests
    wounds = fallen(dice, book, height(book, 1), T, proof, falls)
    after = wounded(dice, state, scene, "defenders", of_one(state, scene, one, wounds), "fall", one)
    lives = after.defenders.models == state.defenders.models
    fights = lives & (~falls | book.rulings.failed_jump("fights"))
    fallen_in = tuple(n + one_of * (falls & lives) for n, one_of in zip(state.fallen_in, one, strict=True))
    jumping = after.replace(
        above=np.maximum(state.above - 1, 0),
        defenders_in=np.maximum(state.defenders_in - ~fights, 0),
        fallen_in=fallen_in,
    )
    nobody = jumping.defenders_in == 0
    return jumping.replace(
        attackers_in=np.where(nobody, 0, state.attackers_in),
        charge=np.where(nobody, 0, state.charge),
        fallen_in=tuple(np.where(nobody, 0, n) for n in fallen_in),
    )


def the_next(state: Siege, scene: Scene) -> Models:
    """Return who jumps next, one model or nobody, by group."""
    down, order = np.maximum(state.defenders_in - state.above, 0), melee.best_fighters(scene.scenario.defenders)
    able = storm.able_inside(state, scene)
    return without(chosen(able, down + (state.above > 0), order), chosen(able, down, order))


def bodily(force: Force) -> Iterator[list[int]]:
    """Yield for each group what decides over a jump: Initiative, Toughness, and the save that a fall allows."""
    profiles = [group.profile for group in force.groups]
    yield [profile.I for profile in profiles]
    yield [profile.T for profile in profiles]
    yield [NO_SAVE if profile.invulnerable is None else profile.invulnerable for profile in profiles]


def of_one(state: Siege, scene: Scene, one: Models, wounds: Ints) -> Suffered:
    """Return the wounds of one model as those of each body, no more than it has left."""
    unit, bodies = state.defenders, scene.scenario.defenders.bodies
    if not scene.scenario.defenders.mixed:
        return (np.minimum(wounds, unit.wounds_left(total(one), scene.scenario.defenders.unit.W)),)
    return tuple(
        np.minimum(wounds, body.profile.W - hurt) * total(tuple(one[i] for i in body.groups))
        for body, hurt in zip(bodies, unit.hurts, strict=True)
    )


def strike(dice: Dice, state: Siege, scene: Scene, step: tuple[int, ...], last: bool) -> Siege:
    """Let everybody strike whose Initiative it is; of models alike that fight it is drawn whether the fallen are slain.

    Source: Close Combat and Building Sections (GB-122, GB-124).
    """
    after = storm.strike(dice, state, scene, step, last, charging="defenders")
    if storm.way_up(scene) != "ladder" or scene.book.rulings.failed_jump("down"):
        return after
    fighting = chosen(
        storm.able_inside(state, scene), state.defenders_in, melee.best_fighters(scene.scenario.defenders)
    )
    slain = without(state.defenders.standing, after.defenders.standing)
    left = list[Ints]()
    for i, (n, fell, dead) in enumerate(zip(fighting, state.fallen_in, slain, strict=True)):
        picked = Draw(Share("one who fell"), (np.minimum(dead, n), n, np.minimum(fell, n)))
        of_them = picked.made(dice, f"slain of those who fell, {i + 1}")
        left.append(np.maximum(fell - of_them, 0))
    return after.replace(fallen_in=tuple(left))


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare wounds, with a point for charging, and let the loser test to rout: who fails dies with those beside him.

    Otherwise the garrison goes back to its section. By one reading those who have met owe no test for what they lost to
    shooting.

    Source: Close Combat and Building Sections (GB-127, GB-129).
    """
    scenario, none = scene.scenario, np.zeros_like(state.charge)
    lead = melee.lead(scene.book.game, state.margin, -1)
    theirs = nerve.leadership_of(scene.book.game, scenario.defenders, rooms.inside(state, scene))
    _, fails = storm.rout_test(dice, state, scene, lead, theirs)
    broken, routed = fails & (lead < 0), fails & (lead > 0)
    ours = tuple(n * broken for n in rooms.party(state, scene))
    others = tuple(n * routed for n in rooms.inside(state, scene))
    dice.tally("attackers lost in the rout", total(ours))
    dice.tally("defenders lost in the rout", total(others))
    garrison, attackers = after_charge(scene.book.game, state.defenders, state.attackers, none == 0)
    return state.replace(
        attackers=attackers.with_models(scenario.attackers, without(attackers.standing, ours)),
        defenders=garrison.with_models(scenario.defenders, without(garrison.standing, others)),
        here=np.where(routed, 0, state.here),
        broken=broken.astype(int),
        fallen_in=tuple(map(np.zeros_like, state.fallen_in)),
        charge=none,
        margin=none,
    )
