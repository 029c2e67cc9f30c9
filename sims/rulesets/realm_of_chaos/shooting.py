"""The Shooting phase: out of the building, into it, and at those who have come out.

A unit in a fight does not shoot. Area attacks and weapons mounted on the building are not modelled.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models, chosen, total, without
from sims.games.fantasy.shooting import HARD, SOFT, Aim, in_range, is_missile, shot, volley
from sims.games.fantasy.targets import Attacks
from sims.inputs import Count, Skill, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import range_downhill, shooters, walls
from sims.rulesets.realm_of_chaos.casualties import suffer, targets
from sims.rulesets.realm_of_chaos.setting import filled, reach_upstairs
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Force


def garrison_fires(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison shoot at the attackers outside: in each section it holds, one model to a full inch of its wall.

    Those above the ground shoot farther. `fired` is how many on the ground did, `fired_upstairs` how many elsewhere
    inside.

    Source: Shooting from Buildings (RC-027, RC-028), Damaging Buildings (RC-053).
    """
    book, game = scene.book, scene.book.game
    garrison = scene.scenario.defenders
    order, (ground, upstairs) = longest_range_first(garrison), scene.garrison(state)
    here, elsewhere = at_the_walls(state, scene)
    below, above = chosen(ground, here, order), chosen(upstairs, elsewhere, order)
    reach = partial(range_downhill, book) if scene.levels > 1 else int

    def shots(target: Unit) -> list[list[Draw]]:
        return [
            volley(game, garrison, below, target, state.distance, aim_outside(state.unsound > 0)),
            volley(game, garrison, above, target, state.distance, Aim(), reach=reach),
        ]

    return shoot_at_attackers(dice, state, scene, shots, "fire from the building").replace(
        fired=total(in_range(garrison, below, state.distance)),
        fired_upstairs=total(in_range(garrison, above, state.distance, reach)),
    )


def waits_outside(state: Siege, scene: Scene) -> Bools:
    """Return where defenders stand in the open who may shoot."""
    return (state.out > 0) & (state.inside == 0) & (state.open == 0)


def those_outside_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let defenders who have come out shoot on the move at the attackers outside.

    Source: Moving Models (RC-013).
    """
    game, garrison, models = scene.book.game, scene.scenario.defenders, scene.out(state)
    return shoot_at_attackers(
        dice,
        state,
        scene,
        lambda target: [volley(game, garrison, models, target, state.distance, Aim(moved=1), moved=1)],
        "fire in the open",
    )


def shoot_at_attackers(dice: Dice, state: Siege, scene: Scene, shots: Attacks, label: str) -> Siege:
    """Let shots of the garrison wound attackers outside."""
    outside = scene.outside(state)
    wounds = targets(state, scene, "attackers", outside).suffer(dice, label, shots)
    after, fallen = suffer(dice, state, scene, "attackers", wounds, outside, "attackers who fall")
    dice.tally("attackers lost to shooting", fallen)
    return after.replace(outside=state.outside - fallen)


def at_the_walls(state: Siege, scene: Scene) -> tuple[Ints, Ints]:
    """Return how many can shoot from the ground section, and of those who stand elsewhere inside (RC-027).

    The wall is as long on every level. Its first inches, those beside the door, fall with the first column.
    """
    inches = walls(scene.book, Fraction(scene.scenario.building.firing_inches), scene.sections)
    none_beyond = [0] * scene.sections
    most = np.array([*(int(shooters(scene.book, length)) for length in inches), *none_beyond])
    column = scene.sections - state.standing
    places = filled(scene, state.upstairs, scene.sections * scene.levels - 1)
    elsewhere = (np.minimum(n, most[column + i // scene.levels]) for i, n in enumerate(places, start=1))
    return most[column], sum(elsewhere, 0 * state.upstairs)


def aim_outside(unsound: Argument) -> Aim:
    """Return what hinders a shot from a section: an unsound one is like moving (RC-053)."""
    return Aim(moved=unsound)


@asks("RC-053", name="shot out of a building", ask="P(passed)")
def shot_out(book: RealmOfChaos, BS: Skill, unsound: Truth = False) -> Draw:
    """Return a shot from inside, at short range, that hits (RC-053).

    Args:
        BS: Ballistic Skill.
        unsound: A stability roll has made the section structurally unsound.
    """
    return shot(book.game, BS, aim_outside(unsound))


def longest_range_first(force: Force) -> list[int]:
    """Return the order in which the groups of a garrison take their places at the walls."""
    ranges = [g.weapon.range if is_missile(g.weapon) and g.weapon is not None else 0 for g in force.groups]
    return sorted(range(len(ranges)), key=lambda i: -ranges[i])


def has_targets(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who are not inside may shoot at defenders who are."""
    return (state.inside == 0) & (state.out == 0) & state.has_fired


def shoot_in(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers outside shoot at defenders who fired from the ground in their last turn, behind cover.

    Source: Shooting Into Buildings (RC-034, RC-035), Damaging Buildings (RC-051, RC-053).
    """
    models = who_shoot_in(state, scene)
    below, (ground, _) = without(models, aimed_upstairs(state, scene, models)), who_may_be_hit(state, scene)
    aim = Aim(cover=cover_inside((state.unsafe > 0) | (state.unsound > 0)), moved=state.moved)
    after, _ = shoot_at(dice, state, scene, below, ground, aim, "fire into the building")
    return after.replace(fired=np.where(state.fired_upstairs > 0, state.fired, 0))  # until the others have shot too


def has_targets_upstairs(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who are not inside may shoot at defenders upstairs."""
    return has_targets(state, scene) & (state.fired_upstairs > 0)


def shoot_upstairs(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers outside shoot at defenders who fired from upstairs in their last turn, behind cover.

    What a stability roll has made of the ground section does not change that.

    Source: Shooting Into Buildings (RC-034, RC-035, RC-037).
    """
    up, (_, upstairs) = aimed_upstairs(state, scene, who_shoot_in(state, scene)), who_may_be_hit(state, scene)
    aim, reach = Aim(cover=cover_inside(False), moved=state.moved), partial(reach_upstairs, scene)
    after, fallen = shoot_at(dice, state, scene, up, upstairs, aim, "fire upstairs", reach)
    return after.replace(
        upstairs=state.upstairs - fallen, fired=0 * state.fired, fired_upstairs=0 * state.fired_upstairs
    )


def who_shoot_in(state: Siege, scene: Scene) -> Models:
    """Return the attackers who shoot into the building: not those whose shots are to bring the walls down."""
    aside = {"demolish": (*scene.shooters, *scene.burners), "smoke": scene.burners}.get(scene.scenario.plan, ())
    return tuple(n * (i not in aside) for i, n in enumerate(scene.outside(state)))


def aimed_upstairs(state: Siege, scene: Scene, models: Models) -> Models:
    """Return which attackers shoot at defenders upstairs: of those who reach so far, as large a part as fired there.

    The book does not say how shots are shared out; this is our reading. The part of all groups together is rounded
    down: the groups are counted on, one after the other.
    """
    fired = np.maximum(state.fired + state.fired_upstairs, 1)
    able = in_range(scene.scenario.attackers, models, state.distance, partial(reach_upstairs, scene))
    part = [n * state.fired_upstairs // fired for n in accumulate(able)]
    return tuple(upto - before for before, upto in pairwise((0, *part)))


def who_may_be_hit(state: Siege, scene: Scene) -> tuple[Models, Models]:
    """Return the defenders in the ground section and in the rest of the building who may be hit, by group (RC-034)."""
    order, (ground, upstairs) = longest_range_first(scene.scenario.defenders), scene.garrison(state)
    below = chosen(ground, exposed(scene.book, total(ground), state.fired), order)
    return below, chosen(upstairs, exposed(scene.book, total(upstairs), state.fired_upstairs), order)


def shoot_at(
    dice: Dice,
    state: Siege,
    scene: Scene,
    models: Models,
    at: Models,
    aim: Aim,
    label: str,
    reach: Callable[[int], int] = int,
) -> tuple[Siege, Ints]:
    """Let some of the attackers shoot at some of the garrison; return also how many fall.

    The caller takes them from where they stand.
    """
    game, force = scene.book.game, scene.scenario.attackers
    wounds = targets(state, scene, "defenders", at).suffer(
        dice,
        label,
        lambda target: [volley(game, force, models, target, state.distance, aim, moved=state.moved, reach=reach)],
    )
    after, fallen = suffer(dice, state, scene, "defenders", wounds, at, "defenders who fall")
    dice.tally("defenders lost to shooting", fallen)
    return after.replace(defenders=state.defenders - fallen), fallen


def has_enemies_outside(state: Siege, scene: Scene) -> Bools:
    """Return where attackers may shoot at defenders who stand in the open."""
    return (state.out > 0) & (state.open == 0)


def shoot_at_those_outside(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers shoot at defenders who have come out and stand in the open, without cover.

    Source: Moving Models (RC-013).
    """
    aim, out = Aim(moved=state.moved), scene.out(state)
    after, fallen = shoot_at(dice, state, scene, scene.outside(state), out, aim, "fire in the open")
    return after.replace(out=state.out - fallen)


def exposed(book: RealmOfChaos, models: Argument, fired: Argument) -> Ints:
    """Return how many models in a section may be hit, of a unit some of which fired from it last turn (RC-034)."""
    if book.rulings.targets_inside("whole_unit"):
        return np.where(fired > 0, models, 0)
    return np.minimum(fired, models)


@asks("RC-034", name="targets inside")
def may_be_shot_at(book: RealmOfChaos, models: Count, fired: Count) -> Bools:
    """Return whether a unit inside may be shot at (RC-034).

    Args:
        models: Models of the unit in the section.
        fired: Those of them who fired from it in their last turn.
    """
    return exposed(book, models, fired) > 0


def cover_inside(weak: Argument) -> Ints:
    """Return the cover of models inside: soft once the section is unsafe or unsound (RC-035, RC-051, RC-053)."""
    return np.where(weak, SOFT, HARD)


@asks("RC-035", "RC-051", name="shot into a building", ask="P(passed)")
def shot_in(book: RealmOfChaos, BS: Skill, over_half_range: Truth = False, unsafe: Truth = False) -> Draw:
    """Return a shot that hits a model inside (RC-035, RC-051).

    Args:
        BS: Ballistic Skill.
        over_half_range: The target is beyond half range.
        unsafe: A stability roll of 1 or 3 has left the section with soft cover only.
    """
    return shot(book.game, BS, Aim(cover=cover_inside(unsafe), over_half_range=over_half_range))
