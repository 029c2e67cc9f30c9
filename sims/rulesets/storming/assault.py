"""The stages of a turn, and how a scenario is put into these rules' words."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import Bools
from sims.forces import at_full_strength, total
from sims.games.wh40k.structures import reach_to_hurt
from sims.rulesets.storming import rules, siege
from sims.rulesets.storming.book import Class, Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Scenario

Step = Stage[Storm, Scene]


def assault(scenario: Scenario, book: Storming) -> Assault[Storm, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    attacking = (Stage(siege.advance), *(storming() if scenario.plan == "storm" else demolishing(scene)))
    turns = (
        PlayerTurn("attackers", tuple(attacking)),
        PlayerTurn("defenders", (Stage(siege.garrison_fires, when=can_fire), Stage(siege.recover))),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(book.ruleset.id, scene, start(scene), order, scenario.turns, outcome, translation(scene))


def set_up(scenario: Scenario, book: Storming) -> Scene:
    """Put a scenario into these rules' words.

    A military building is a stronghold, any other is defensible (ST-006, ST-007). Every door within reach is a viable
    access point, since one model may serve several (partly ST-023).
    """
    name: Class = "stronghold" if scenario.building.military else "defensible"
    scene = Scene(scenario, book, name, viable=scenario.building.doors, halt=0)
    if scenario.plan == "storm":
        return scene
    return Scene(scenario, book, name, scene.viable, halt=halting_distance(scene))


def halting_distance(scene: Scene) -> int:
    """Return how near attackers of the structure go: to its walls with grenades that can hurt it, else into range."""
    scenario, tables = scene.scenario, scene.rules.game.tables
    weakest = scene.building_class.armour + 1
    grenades = any("krak" in g.profile.grenades for g in scenario.attackers.groups)
    if scenario.plan == "demolish" and grenades and weakest <= tables.krak_grenade.S + 6:
        return 0
    reaches = [reach_to_hurt(g, weakest) for g in scenario.attackers.groups]
    return min((r for r in reaches if r is not None), default=scenario.distance)


def storming() -> Iterator[Step]:
    """Yield the stages of a storming (ST-046)."""
    yield Stage(rules.enter, when=siege.within_charge)
    for rule in (rules.support, rules.defenders_strike, rules.saves, rules.fireteam_strikes, rules.result):
        yield Stage(rule, when=inside)


def demolishing(scene: Scene) -> Iterator[Step]:
    """Yield the stages of attacks on the structure: each weapon that can hurt it, then grenades at its walls."""
    yield Stage(siege.roll_armour, when=lambda state, _: state.armour == 0)
    weakest = scene.building_class.armour + 1
    for i, group in enumerate(scene.scenario.attackers.groups):
        if group.weapon is not None and reach_to_hurt(group, weakest) is not None:
            yield Stage(partial(siege.aim, group=i))
            most = group.count * group.weapon.shots * (2 if group.weapon.kind == "rapid fire" else 1)
            shot: Callable[..., Storm] = partial(siege.shot_at_structure, group=i)
            yield from each(shot, most, group.weapon.AP)
    if scene.scenario.plan == "demolish" and scene.halt == 0:
        yield Stage(siege.ready_grenades, when=siege.within_charge)
        yield from each(siege.grenade_at_structure, scene.scenario.attackers.models, None)


def each(attack: Callable[..., Storm], times: int, AP: int | None) -> Iterator[Step]:
    """Yield an attack and the damage it does, again and again: one may change the next."""
    for _ in range(times):
        yield Stage(attack, when=lambda state, _: state.shots > 0)
        yield Stage(partial(siege.damage, AP=AP), when=lambda state, _: state.hit > 0)


def inside(state: Storm, scene: Scene) -> Bools:
    """Return where a Fireteam is in the building, or was until it was slain in this storming."""
    return np.asarray((total(state.fireteam) > 0) | (state.struck > 0))


def can_fire(state: Storm, scene: Scene) -> Bools:
    """Return where the garrison may fire."""
    return np.asarray((state.shaken == 0) & (total(state.defenders) > 0))


def start(scene: Scene) -> Storm:
    """Return the state before the first turn."""
    zero = np.zeros(1, dtype=np.int64)
    attackers = at_full_strength(scene.scenario.attackers)
    return Storm(
        attackers=attackers,
        defenders=at_full_strength(scene.scenario.defenders),
        attackers_hurt=zero,
        defenders_hurt=zero,
        distance=zero + scene.scenario.distance,
        armour=zero,
        mounted=zero + len(scene.scenario.mounted),
        moved=zero,
        shaken=zero,
        destroyed=zero,
        broken=zero,
        driven_out=zero,
        fireteam=tuple(zero for _ in attackers),
        slain=zero,
        struck=zero,
        shots=zero,
        hit=zero,
    )


def outcome(state: Storm, scene: Scene) -> Outcome:
    """Say how it stands: a garrison driven out or wiped out has lost the building (ST-041, ST-044)."""
    attackers, defenders = total(state.attackers), total(state.defenders)
    destroyed, gone = state.destroyed > 0, (attackers == 0) | (state.broken > 0)
    empty = (defenders == 0) | (state.driven_out > 0)
    return Outcome(
        end=ending(destroyed=destroyed, captured=empty & ~gone, broken=gone),
        attackers_lost=scene.scenario.attackers.models - attackers,
        defenders_lost=scene.scenario.defenders.models - defenders,
        cleared=empty | destroyed,
    )


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    armour, building = scene.building_class.armour, scene.scenario.building
    points = building.firing_points
    return {
        "Building": f"{scene.class_name}, Armour Value D3+{armour}, holds {building.capacity}",
        "Cover against grenades": f"{scene.building_class.grenade_cover}+",
        "Way in": f"{scene.viable} viable access points: a Fireteam of at most {rules.fireteam_size(scene)}",
        "Fire from the building": f"{points} firing points, {len(scene.scenario.mounted)} mounted weapons",
        "Attackers who fail morale": "have broken and do not come back",
    }
