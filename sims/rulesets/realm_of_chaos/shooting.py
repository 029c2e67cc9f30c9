"""The Shooting phase: out of the building, into it, and at those who have come out.

A unit in a fight does not shoot. Area attacks and weapons mounted on the building are not modelled.
"""

from collections.abc import Callable, Sequence
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
from sims.rulesets.realm_of_chaos.building import range_downhill, range_uphill
from sims.rulesets.realm_of_chaos.casualties import suffer, targets
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Force

Reach = Callable[[int], int]
"""How far a weapon shoots, by its range."""


def has_enemies_at_hand(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison may shoot at attackers outside: nobody of either side fights."""
    return ~state.fights & (state.open == 0) & (state.outside > 0)


def garrison_fires(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison shoot at the attackers outside: in each section it holds, one model to a full inch of its wall.

    Those above the ground shoot farther. `fired` is how many did, by section.

    Source: Shooting from Buildings (RC-027, RC-028), Damaging Buildings (RC-053).
    """
    book, game, garrison = scene.book, scene.book.game, scene.scenario.defenders
    order, fronts, plan = longest_range_first(garrison), scene.fronts(state), scene.plan
    farther = partial(range_downhill, book)
    firing, lines = [], list[tuple[Models, Aim, Reach]]()
    for i, (column, level) in enumerate(plan.sections):
        at_the_wall = chosen(scene.inside(state, "defenders", i), np.asarray(plan.columns[column].places), order)
        reach: Reach = farther if level > 1 else int
        aim = aim_outside(fronts[column] & (state.unsound > 0)) if level == 1 else Aim()
        lines.append((at_the_wall, aim, reach))
        firing.append(total(in_range(garrison, at_the_wall, state.distance, reach)))

    def shots(target: Unit) -> list[list[Draw]]:
        return [volley(game, garrison, who, target, state.distance, aim, reach=reach) for who, aim, reach in lines]

    return shoot_at_attackers(dice, state, scene, shots, "fire from the building").replace(fired=tuple(firing))


def waits_outside(state: Siege, scene: Scene) -> Bools:
    """Return where defenders stand in the open who may shoot."""
    return (state.out > 0) & ~state.fights & (state.open == 0)


def those_outside_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let defenders who have come out shoot on the move at the attackers outside.

    Source: Moving Models (RC-013).
    """
    game, garrison, models = scene.book.game, scene.scenario.defenders, scene.outside(state, "defenders")
    return shoot_at_attackers(
        dice,
        state,
        scene,
        lambda target: [volley(game, garrison, models, target, state.distance, Aim(moved=1), moved=1)],
        "fire in the open",
    )


def shoot_at_attackers(dice: Dice, state: Siege, scene: Scene, shots: Attacks, label: str) -> Siege:
    """Let shots of the garrison wound attackers outside."""
    outside = scene.outside(state, "attackers")
    wounds = targets(state, scene, "attackers", outside).suffer(dice, label, shots)
    after, fallen = suffer(dice, state, scene, "attackers", wounds, outside, "attackers who fall")
    dice.tally("attackers lost to shooting", fallen)
    return after.replace(outside=state.outside - fallen)


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


def has_targets(section: int) -> Callable[[Siege, Scene], Bools]:
    """Return the condition that attackers may shoot at defenders in a section: those fired, and nobody fights."""
    return lambda state, _: ~state.fights & (state.out == 0) & (state.fired[section] > 0)


def shoot_in(dice: Dice, state: Siege, scene: Scene, section: int) -> Siege:
    """Let attackers outside shoot at defenders who fired from a section in their last turn, behind cover.

    What a stability roll has made of the ground section of the front changes no other.

    Source: Shooting Into Buildings (RC-034, RC-035, RC-037), Damaging Buildings (RC-051, RC-053).
    """
    column, level = scene.plan.sections[section]
    weak = scene.fronts(state)[column] & (level == 1) & ((state.unsafe > 0) | (state.unsound > 0))
    aim = Aim(cover=cover_inside(weak), moved=state.moved)
    reach: Reach = partial(range_uphill, scene.book) if level > 1 else int
    models, at = aimed_at(state, scene, section), who_may_be_hit(state, scene, section)
    after, fallen = shoot_at(dice, state, scene, models, at, aim, "fire into the building", reach)
    return scene.taken_away(state, after, "defenders", {section: 1}, fallen)


def cease_fire(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Forget who fired: he may be shot at in one turn only.

    Source: Shooting Into Buildings (RC-034).
    """
    return state.replace(fired=tuple(0 * n for n in state.fired))


def who_shoot_in(state: Siege, scene: Scene) -> Models:
    """Return the attackers who shoot into the building: not those whose shots are to bring the walls down.

    While some of theirs are inside nobody shoots at the walls.
    """
    aside = {"demolish": (*scene.shooters, *scene.burners), "smoke": scene.burners}.get(scene.scenario.plan, ())
    busy = state.entered == 0
    return tuple(n * ~busy if i in aside else n for i, n in enumerate(scene.outside(state, "attackers")))


def aimed_at(state: Siege, scene: Scene, section: int) -> Models:
    """Return which attackers shoot at defenders in a section.

    The book does not say how shots are shared out; this is our reading. Of those who reach upper levels as large a part
    shoots there as fired from there, the others at the ground; on either as large a part at each section.
    """
    force, plan, models = scene.scenario.attackers, scene.plan, who_shoot_in(state, scene)
    upper = [i for i, own in enumerate(plan.sections) if own.level > 1]
    if upper:
        able = in_range(force, models, state.distance, partial(range_uphill, scene.book))
        up = part_of(able, fired_from(state, upper), fired_from(state, [*upper, *plan.ground]))
        models = up if section in upper else without(models, up)
    row = upper if section in upper else [*plan.ground]
    for nth, one in enumerate(row):
        part = part_of(models, state.fired[one], fired_from(state, row[nth:]))
        if one == section:
            return part
        models = without(models, part)
    return models


def fired_from(state: Siege, sections: Sequence[int]) -> Ints:
    """Return how many fired from some sections."""
    return sum((state.fired[i] for i in sections), np.zeros_like(state.out))


def part_of(models: Models, part: Ints, whole: Ints) -> Models:
    """Return which models are a part of some: the groups are counted on, one after the other, and rounded down."""
    upto = [n * part // np.maximum(whole, 1) for n in accumulate(models)]
    return tuple(after - before for before, after in pairwise((np.zeros_like(part), *upto)))


def who_may_be_hit(state: Siege, scene: Scene, section: int) -> Models:
    """Return the defenders in a section who may be hit, by group (RC-034)."""
    order, there = longest_range_first(scene.scenario.defenders), scene.inside(state, "defenders", section)
    return chosen(there, exposed(scene.book, total(there), state.fired[section]), order)


def shoot_at(
    dice: Dice,
    state: Siege,
    scene: Scene,
    models: Models,
    at: Models,
    aim: Aim,
    label: str,
    reach: Reach = int,
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
    return after, fallen


def has_enemies_outside(state: Siege, scene: Scene) -> Bools:
    """Return where attackers may shoot at defenders who stand in the open."""
    return (state.out > 0) & (state.open == 0) & ~state.fights


def shoot_at_those_outside(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers shoot at defenders who have come out and stand in the open, without cover.

    Source: Moving Models (RC-013).
    """
    aim, out = Aim(moved=state.moved), scene.outside(state, "defenders")
    after, fallen = shoot_at(dice, state, scene, scene.outside(state, "attackers"), out, aim, "fire in the open")
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
