"""The stages of a turn (GW-057), and how an assault begins and ends."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import Bools
from sims.forces import at_full_strength, total
from sims.rulesets.gw_updated import attack, damage, garrison
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.setting import set_up, translation
from sims.rulesets.gw_updated.state import Scene, Siege
from sims.scenario import Scenario

Step = Stage[Siege, Scene]


def assault(scenario: Scenario, book: GwUpdated) -> Assault[Siege, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    turns = (
        PlayerTurn("attackers", tuple(attacking(scene))),
        PlayerTurn("defenders", (Stage(garrison.shoot),)),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(book.ruleset.id, scene, start(scene), order, scenario.turns, outcome, translation(scene))


def attacking(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the attackers' turn."""
    groups = scene.scenario.attackers.groups
    yield Stage(attack.advance)
    for i, group in enumerate(groups):
        if group.weapon is not None and group.weapon.kind == "template" and through_fire_points(scene):
            yield Stage(partial(attack.burn, group=i), when=partial(attack.in_range, group=i))
    yield from volley((step for i, can in enumerate(scene.shooters) if can for step in shooting(i, scene)), scene)
    if any(scene.strikers):
        yield Stage(attack.charge, when=lambda state, _: state.charging > 0)
        yield from volley((step for i, can in enumerate(scene.strikers) if can for step in striking(i, scene)), scene)


def through_fire_points(scene: Scene) -> bool:
    """Return whether templates reach those inside (BASE-028)."""
    return scene.scenario.building.firing_points > 0 and scene.rules.rulings.templates_at_fire_points("D6_hits")


def volley(attacks: Iterable[Step], scene: Scene) -> Iterator[Step]:
    """Yield a phase of attacks on the walls, and what becomes of a building that fell to them."""
    if scene.rules.rulings.armour_in_a_volley("at_its_start"):
        yield Stage(attack.start_volley)
    yield from attacks
    yield Stage(damage.comes_down, when=lambda state, _: state.fall > 0)


def shooting(i: int, scene: Scene) -> Iterator[Step]:
    """Yield the shots of one group at the walls."""
    group = scene.scenario.attackers.groups[i]
    weapon = group.weapon
    assert weapon is not None
    yield Stage(partial(attack.aim, group=i), when=lambda state, _: state.fall == 0)
    most = group.count * weapon.shots * (2 if weapon.kind == "rapid fire" else 1)
    yield from each(partial(attack.shot, group=i), partial(damage.damage, AP=weapon.AP), most)


def striking(i: int, scene: Scene) -> Iterator[Step]:
    """Yield the blows or grenades of one group at the walls."""
    group = scene.scenario.attackers.groups[i]
    ways = attack.blows(group, scene.rules)
    yield Stage(partial(attack.ready, group=i), when=attack.on_the_walls)
    result = partial(damage.damage, AP=ways[0][2], grenade_AP=ways[-1][2])
    yield from each(partial(attack.strike, group=i), result, group.count * max(n for n, _, _ in ways))


def each(one: Callable[..., Siege], result: Callable[..., Siege], times: int) -> Iterator[Step]:
    """Yield an attack and what it does, again and again: one may change the next (GW-051)."""
    for _ in range(times):
        yield Stage(one, when=lambda state, _: state.attacks > 0)
        yield Stage(result, when=lambda state, _: state.hit > 0)
        yield Stage(damage.masonry, when=lambda state, _: state.falling > 0)


def start(scene: Scene) -> Siege:
    """Return the state before the first turn."""
    zero = np.zeros(1, dtype=np.int64)
    counted = scene.rules.rulings.glancing_hits("hull_points")
    return Siege(
        attackers=at_full_strength(scene.scenario.attackers),
        defenders=at_full_strength(scene.scenario.defenders),
        attackers_hurt=zero,
        defenders_hurt=zero,
        distance=zero + scene.scenario.distance,
        AV=zero + scene.walls.AV,
        volley_AV=zero,
        hull=zero + (getattr(scene.rules.tables.hull_points, scene.walls.size) if counted else 0),
        weapons=tuple(zero + n for _, n in scene.weapons),
        moved=zero,
        charging=zero,
        occupants_snap=zero,
        weapons_snap=zero,
        attacks=zero,
        grenades=zero,
        hit=zero,
        falling=zero,
        fall=zero,
        destroyed=zero,
    )


def outcome(state: Siege, scene: Scene) -> Outcome:
    """Say how it stands: a standing building with nobody inside is free to enter (partly GW-006, partly GW-008)."""
    attackers, defenders = total(state.attackers), total(state.defenders)
    destroyed, gone = state.destroyed > 0, attackers == 0
    empty: Bools = np.asarray((defenders == 0) & (state.fall == 0))
    return Outcome(
        end=ending(destroyed=destroyed, captured=empty & ~gone, broken=gone),
        attackers_lost=scene.scenario.attackers.models - attackers,
        defenders_lost=scene.scenario.defenders.models - defenders,
        cleared=(defenders == 0) | destroyed,
    )
