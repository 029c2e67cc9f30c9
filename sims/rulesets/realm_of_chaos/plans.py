"""What attackers can do to the walls, and how far from them they halt."""

from fractions import Fraction

from sims.dice import GOAL, HIGH
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy import rules as fantasy
from sims.rulesets.realm_of_chaos.building import flames_gain, has_flames, need_to_damage
from sims.rulesets.realm_of_chaos.siege import hits_by_itself, need_to_hit_fabric, strength_at_walls, strength_of_shots
from sims.rulesets.realm_of_chaos.state import Scene
from sims.scenario import Group


def strikers(scene: Scene) -> tuple[int, ...]:
    """Return the attackers' groups whose blows can hurt the walls (RC-044)."""
    groups = enumerate(scene.scenario.attackers.groups)
    needs = ((i, need_to_damage(scene.rules, scene.fabric, strength_at_walls(scene, g))) for i, g in groups)
    return tuple(i for i, need in needs if need != IMPOSSIBLE)


def shooters(scene: Scene, flaming: bool) -> tuple[int, ...]:
    """Return the attackers' groups whose shots, or whose flames, can hurt the walls (RC-038; partly RC-042).

    A flame template is laid on the wall; other area attacks are left out.
    """
    return tuple(
        i
        for i, g in enumerate(scene.scenario.attackers.groups)
        if g.weapon is not None
        and (flames_gain(scene.rules, g.weapon, scene.burns) > 0) == flaming
        and (fantasy.is_missile(g.weapon) or (flaming and g.weapon.kind == "template"))
        and need_to_damage(scene.rules, scene.fabric, strength_of_shots(scene, g)) != IMPOSSIBLE
    )


def carriers(scene: Scene) -> tuple[int, ...]:
    """Return the attackers' groups that carry fire (RC-073)."""
    who, smokes = scene.rules.rulings.who_carries_fire, scene.scenario.plan == "smoke"
    everyone = who("everyone") and smokes
    arsonists = who("flaming_weapons") or smokes
    groups = enumerate(scene.scenario.attackers.groups)
    return tuple(i for i, g in groups if everyone or (arsonists and has_flames(g)))


def keepers(scene: Scene) -> tuple[int, ...]:
    """Return the garrison's groups that carry fire from section to section (RC-074)."""
    groups = enumerate(scene.scenario.defenders.groups)
    return tuple(i for i, g in groups if scene.rules.rulings.who_carries_fire("flaming_weapons") and has_flames(g))


def halting_distance(scene: Scene) -> int:
    """Return how near to the walls attackers go who do not storm.

    To bring them down or to burn them, to where those who can do most damage in the time there is, if nobody falls; to
    hold fire to them, up to them; to shoot, to within range of their ordinary weapon.
    """
    scenario = scene.scenario
    if scenario.plan == "storm" or scene.torches:
        return 0
    if scenario.plan == "demolish":
        return best_halt(scene, scene.besiegers)
    if scenario.plan == "smoke" and scene.burners:
        return best_halt(scene, scene.burners)
    ordinary = scenario.attackers.groups[-1].weapon
    return ordinary.range if ordinary is not None and fantasy.is_missile(ordinary) else scenario.distance


def best_halt(scene: Scene, who: tuple[int, ...]) -> int:
    """Return where some groups do most damage; as far away as they can."""
    ranges = [g.weapon.range for g in (scene.scenario.attackers.groups[i] for i in who) if g.weapon]
    places = {0, scene.scenario.distance, *ranges, *(r // 2 for r in ranges)}
    return max(sorted(places, reverse=True), key=lambda halt: expected_damage(scene, halt))


def expected_damage(scene: Scene, halt: int) -> Fraction:
    """Return how many points of damage the attackers do on average if they halt at a distance and lose nobody."""
    scenario, points, distance = scene.scenario, Fraction(0), scene.scenario.distance
    for _ in range(scenario.turns):
        nearer = min(distance, max(distance - scenario.attackers.unit.move, halt))
        moved, distance = nearer < distance, nearer
        shooting = (*scene.shooters, *scene.burners) if scenario.plan == "demolish" else scene.burners
        points += sum(_shots(scene, scenario.attackers.groups[i], distance, moved) for i in shooting)
        if distance == 0 and scenario.plan == "demolish":
            points += 2 * sum(_blows(scene, scenario.attackers.groups[i]) for i in scene.strikers)
    return points


def _shots(scene: Scene, group: Group, distance: int, moved: bool) -> Fraction:
    weapon = group.weapon
    assert weapon is not None
    n = group.count * int(fantasy.shots(weapon, distance, weapon.range, moved))
    damages = GOAL.chance(need_to_damage(scene.rules, scene.fabric, strength_of_shots(scene, group)))
    if hits_by_itself(scene.rules, weapon):
        return n * damages
    need = need_to_hit_fabric(scene.rules, group.profile.BS, distance, weapon.range, moved)
    return n * HIGH.chance(int(need)) * damages


def _blows(scene: Scene, group: Group) -> Fraction:
    return (
        group.count
        * group.profile.A
        * GOAL.chance(need_to_damage(scene.rules, scene.fabric, strength_at_walls(scene, group)))
    )
