"""The Shooting phase: out of the building, into it, and at those who have come out.

A unit in a fight does not shoot. Area attacks and weapons mounted on the building are not modelled.
"""

from fractions import Fraction

import numpy as np

from sims.dice import HIGH, Capped, Dice, Ints, Mechanic, Total
from sims.dice.source import Argument
from sims.forces import Models, chosen, total
from sims.games.fantasy import rules as fantasy
from sims.games.fantasy.book import modifies_by
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import range_downhill, shooters
from sims.rulesets.realm_of_chaos.fight import lost
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Force


def garrison_fires(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison shoot at the attackers outside: on each level it holds, one model to a full inch of wall.

    Those above the ground shoot farther; those who have come out do so on the move. `fired` is how many on the ground
    did.

    Source: Shooting from Buildings (RC-027, RC-028), Damaging Buildings (RC-053), fantasy game (partly BASE-043,
    BASE-047, BASE-048).
    """
    rules, building = scene.rules, scene.scenario.building
    garrison, target = scene.scenario.defenders, scene.scenario.attackers.unit
    wall = shooters(Fraction(min(building.firing_inches, rules.tables.sections.side)))
    order = longest_range_first(garrison)
    below, above = (chosen(m, wall, order) for m in scene.garrison(state))
    unsteady = aim_outside(rules, state.unsound)
    downhill = scene.levels > 1
    parts, arguments = volley(rules, garrison, below, target, state.distance, unsteady, downhill=False)
    more, their = volley(rules, garrison, above, target, state.distance, 0 * unsteady, downhill=downhill)
    if scene.may_wait_outside:
        last, those = volley(rules, garrison, scene.out(state), target, state.distance, 0 * unsteady, moved=1)
        more, their = more + last, their + those
    most = np.maximum(state.outside * target.W - state.attackers_hurt, 0)
    wounds = dice.draw("fire from the building", Capped(Total((*parts, *more))), *arguments, *their, most)
    outside, hurt = lost(state.outside, state.attackers_hurt, wounds, target.W)
    dice.tally("attackers lost to shooting", state.outside - outside)
    return state.replace(outside=outside, attackers_hurt=hurt, fired=np.asarray(total(in_range(state, scene, below))))


def aim_outside(rules: RealmOfChaos, unsound: Argument) -> Ints:
    """Return what is added to the die of a shot from a section: an unsound one is like moving (RC-053)."""
    return np.asarray(np.asarray(unsound) * rules.game.tables.shot_modifiers.moved)


@asks("RC-053", name="shot out of a building")
def chance_of_a_shot_out(rules: RealmOfChaos, BS: int, unsound: bool = False) -> Fraction:
    """Return the chance that a shot from inside hits at short range (RC-053).

    Parameters
    ----------
    rules : RealmOfChaos
    BS : int
        Ballistic Skill.
    unsound : bool
        A stability roll has made the section structurally unsound.
    """
    return HIGH.chance(int(fantasy.need_to_shoot(rules.game, BS, aim_outside(rules, unsound))))


def in_range(state: Siege, scene: Scene, models: Models) -> Models:
    """Return which defenders on the ground have a target in range."""
    groups = scene.scenario.defenders.groups
    return tuple(
        np.where(fantasy.shots(g.weapon, state.distance, g.weapon.range) > 0, n, 0)
        if g.weapon is not None and fantasy.is_missile(g.weapon)
        else 0 * n
        for g, n in zip(groups, models, strict=True)
    )


def longest_range_first(force: Force) -> list[int]:
    """Return the order in which the groups of a garrison take their places at the walls."""
    ranges = [g.weapon.range if fantasy.is_missile(g.weapon) and g.weapon is not None else 0 for g in force.groups]
    return sorted(range(len(ranges)), key=lambda i: -ranges[i])


def volley(
    rules: RealmOfChaos,
    force: Force,
    models: Models,
    target: Unit,
    distance: Ints,
    modifier: Ints,
    *,
    downhill: bool = False,
    moved: Argument = 0,
) -> tuple[list[Mechanic], list[Argument]]:
    """Return the shots of some models at models with one profile, to be drawn as one total of unsaved wounds.

    Parameters
    ----------
    models : Models
        How many of each group shoot.
    distance : array
        Inches to the target.
    modifier : array
        What is added to the dice, apart from range and movement.
    downhill : bool
        They shoot down at the target.
    moved : array of bool
        They moved this turn.
    """
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(force.groups, models, strict=True):
        weapon, profile = group.weapon, group.profile
        if weapon is not None and fantasy.is_missile(weapon):
            reach = range_downhill(rules, weapon.range) if downhill else weapon.range
            aim = modifier + fantasy.range_modifier(rules.game, distance, reach)
            aim = aim + np.asarray(moved) * rules.game.tables.shot_modifiers.moved
            parts.append(fantasy.ATTACKS.by(group.title))
            arguments += [
                n * fantasy.shots(weapon, distance, reach, moved),
                fantasy.need_to_shoot(rules.game, profile.BS, aim),
                fantasy.need_to_wound(rules.game, weapon.strength(profile), target.T),
                fantasy.save_against(target, modifies_by(weapon)),
            ]
    return parts, arguments


def shoot_in(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers outside shoot at defenders on the ground who fired in their last turn, behind cover.

    Those whose shots can bring the walls down, and who mean to, do not take part.

    Source: Shooting Into Buildings (RC-034, RC-035), Damaging Buildings (RC-051, RC-053).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    aside = {"demolish": (*scene.shooters, *scene.burners), "smoke": scene.burners}.get(scene.scenario.plan, ())
    models = tuple(n * (i not in aside) for i, n in enumerate(scene.outside(state)))
    cover = cover_inside(scene.rules, (state.unsafe > 0) | (state.unsound > 0))
    parts, arguments = volley(scene.rules, force, models, target, state.distance, cover, moved=state.moved)
    most = np.maximum(exposed(scene.rules, state.ground, state.fired) * target.W - state.defenders_hurt, 0)
    wounds = dice.draw("fire into the building", Capped(Total(tuple(parts))), *arguments, most)
    fallen, hurt = lost(state.defenders, state.defenders_hurt, wounds, target.W)
    dice.tally("defenders lost to shooting", state.defenders - fallen)
    return state.replace(defenders=fallen, defenders_hurt=hurt, fired=0 * state.fired)


def shoot_at_those_outside(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let attackers shoot at defenders who have come out and stand in the open, without cover.

    Source: Moving Models (RC-013), fantasy game (partly BASE-043, BASE-047, BASE-048).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    parts, arguments = volley(
        scene.rules, force, scene.outside(state), target, state.distance, 0 * state.distance, moved=state.moved
    )
    most = np.maximum(state.out * target.W - state.defenders_hurt, 0)
    wounds = dice.draw("fire in the open", Capped(Total(tuple(parts))), *arguments, most)
    out, hurt = lost(state.out, state.defenders_hurt, wounds, target.W)
    dice.tally("defenders lost to shooting", state.out - out)
    return state.replace(out=out, defenders=state.defenders - (state.out - out), defenders_hurt=hurt)


def exposed(rules: RealmOfChaos, models: Ints, fired: Ints) -> Ints:
    """Return how many models in a section may be hit, of a unit some of which fired from it last turn (RC-034)."""
    if rules.rulings.targets_inside("whole_unit"):
        return np.asarray(np.where(fired > 0, models, 0))
    return np.asarray(np.minimum(fired, models))


def cover_inside(rules: RealmOfChaos, soft: Argument) -> Ints:
    """Return what is added to the die of a shot at models inside (RC-035, RC-051)."""
    table = rules.game.tables.shot_modifiers
    return np.asarray(np.where(soft, table.soft_cover, table.hard_cover))


@asks("RC-035", "RC-051", name="shot into a building")
def chance_of_a_shot_in(rules: RealmOfChaos, BS: int, over_half_range: bool = False, unsafe: bool = False) -> Fraction:
    """Return the chance that a shot hits a model inside (RC-035, RC-051).

    Parameters
    ----------
    rules : RealmOfChaos
    BS : int
        Ballistic Skill.
    over_half_range : bool
        The target is beyond half range.
    unsafe : bool
        A stability roll of 1 or 3 has left the section with soft cover only.
    """
    far = rules.game.tables.shot_modifiers.over_half_range if over_half_range else 0
    return HIGH.chance(int(fantasy.need_to_shoot(rules.game, BS, cover_inside(rules, unsafe) + far)))


@asks("RC-034", name="targets inside")
def may_be_shot_at(rules: RealmOfChaos, models: int, fired: int) -> bool:
    """Return whether a unit inside may be shot at (RC-034).

    Parameters
    ----------
    rules : RealmOfChaos
    models : int
        Models of the unit in the section.
    fired : int
        Those of them who fired from it in their last turn.
    """
    return bool(exposed(rules, np.array(models), np.array(fired)) > 0)
