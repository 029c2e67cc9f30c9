"""What attackers can do to the walls, and how far from them they halt."""

from fractions import Fraction

from sims.dice import GOAL, HIGH
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy import rules as fantasy
from sims.rulesets.realm_of_chaos.book import Fabric, RealmOfChaos
from sims.rulesets.realm_of_chaos.building import need_to_damage, strength_of_blows
from sims.rulesets.realm_of_chaos.shooting import need_to_hit_fabric
from sims.rulesets.realm_of_chaos.state import Scene
from sims.scenario import Group, Scenario


def strikers(rules: RealmOfChaos, scenario: Scenario, walls: Fabric) -> tuple[int, ...]:
    """Return the attackers' groups whose blows can hurt the walls (RC-044)."""
    groups = enumerate(scenario.attackers.groups)
    return tuple(i for i, g in groups if need_to_damage(rules, walls, strength_of_blows(g)) != IMPOSSIBLE)


def shooters(rules: RealmOfChaos, scenario: Scenario, walls: Fabric) -> tuple[int, ...]:
    """Return the attackers' groups whose shots can hurt the walls (RC-038)."""
    return tuple(
        i
        for i, g in enumerate(scenario.attackers.groups)
        if g.weapon is not None
        and fantasy.is_missile(g.weapon)
        and need_to_damage(rules, walls, g.weapon.strength(g.profile)) != IMPOSSIBLE
    )


def halting_distance(scene: Scene) -> int:
    """Return how near to the walls attackers go who do not storm.

    To bring them down, to where those who can do most damage in the time there is, if nobody falls; to shoot, to within
    range of their ordinary weapon.
    """
    scenario = scene.scenario
    if scenario.plan == "demolish":
        ranges = [g.weapon.range for g in (scenario.attackers.groups[i] for i in scene.shooters) if g.weapon]
        places = {0, scenario.distance, *ranges, *(r // 2 for r in ranges)}
        return max(sorted(places, reverse=True), key=lambda halt: expected_damage(scene, halt))
    if scenario.plan == "shoot":
        ordinary = scenario.attackers.groups[-1].weapon
        return ordinary.range if ordinary is not None and fantasy.is_missile(ordinary) else scenario.distance
    return 0


def expected_damage(scene: Scene, halt: int) -> Fraction:
    """Return how many points of damage the attackers do on average if they halt at a distance and lose nobody."""
    scenario, points, distance = scene.scenario, Fraction(0), scene.scenario.distance
    for _ in range(scenario.turns):
        nearer = min(distance, max(distance - scenario.attackers.unit.move, halt))
        moved, distance = nearer < distance, nearer
        points += sum(_shots(scene, scenario.attackers.groups[i], distance, moved) for i in scene.shooters)
        if distance == 0:
            points += 2 * sum(_blows(scene, scenario.attackers.groups[i]) for i in scene.strikers)
    return points


def _shots(scene: Scene, group: Group, distance: int, moved: bool) -> Fraction:
    weapon = group.weapon
    assert weapon is not None
    n = group.count * int(fantasy.shots(weapon, distance, weapon.range, moved))
    damages = GOAL.chance(need_to_damage(scene.rules, scene.fabric, weapon.strength(group.profile)))
    if scene.rules.rulings.hitting_the_fabric("automatic"):
        return n * damages
    need = need_to_hit_fabric(scene.rules, group.profile.BS, distance, weapon.range, moved)
    return n * HIGH.chance(int(need)) * damages


def _blows(scene: Scene, group: Group) -> Fraction:
    return (
        group.count * group.profile.A * GOAL.chance(need_to_damage(scene.rules, scene.fabric, strength_of_blows(group)))
    )
