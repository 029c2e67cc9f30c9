"""The stages of a turn, and how a scenario is put into these rules' words."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.errors import CasemateError
from sims.forces import at_full_strength, total
from sims.games.wh40k.structures import reach_to_hurt
from sims.rulesets.storming import buildings, capacity, firing, party, siege
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.order import Step, second_round, storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Scenario


def assault(scenario: Scenario, book: Storming) -> Assault[Storm, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    attacking = (Stage(siege.advance), *(storming(scene) if scene.storming else demolishing(scene)))
    fire = (Stage(firing.garrison_fires, when=firing.can_fire), Stage(firing.recover))
    turns = (
        PlayerTurn("attackers", (*moving_in(scene), *attacking)),
        PlayerTurn("defenders", (*moving_in(scene), *second_round(scene), *fire)),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(book.ruleset.id, scene, start(scene), order, scenario.turns, outcome, translation(scene))


def set_up(scenario: Scenario, book: Storming) -> Scene:
    """Put a scenario into these rules' words.

    The squad stands at every door within reach, so each is a viable access point as far as the rulings allow.

    Raises
    ------
    CasemateError
        If the building is of a class that these rules do not storm: nobody is in it, or the usual rules hold.
    """
    name = buildings.class_of(book, scenario.building.military)
    title = scenario.building.title
    if not buildings.allows(book, name, "occupy"):
        raise CasemateError(f"{title}: nobody may occupy an impassable building; expected one with a way in")
    if not buildings.allows(book, name, "storm"):
        raise CasemateError(f"{title}: ruins are assaulted in the usual way, not stormed; expected a whole building")
    access = party.near_enough(book, [0] * scenario.building.doors)
    declared: party.Mode = "storm" if scenario.plan == "storm" and party.squads_storming(book, 1) else "attack"
    storms = party.mode(book, declared, scenario.attackers.unit.kind, access, name) != "attack"
    scene = Scene(scenario, book, name, access, storms, halt=0)
    return scene if storms else replace(scene, halt=halting_distance(scene))


def halting_distance(scene: Scene) -> int:
    """Return how near attackers of the structure go: to its walls if they can hurt it there, else into range."""
    scenario, weakest = scene.scenario, weakest_armour(scene)
    if scenario.plan != "shoot" and any(hurts(scene, i, weakest) for i in range(len(scenario.attackers.groups))):
        return 0
    reaches = [reach_to_hurt(scene.rules.game, g, weakest) for g in scenario.attackers.groups]
    return min((r for r in reaches if r is not None), default=scenario.distance)


def weakest_armour(scene: Scene) -> int:
    """Return the lowest Armour Value that the building can have."""
    table = scene.rules.tables
    return table.agreed.armour or scene.building_class.armour + table.classes.dice.pmf.outcomes[0]


def hurts(scene: Scene, group: int, armour: int) -> bool:
    """Return whether a group can penetrate an Armour Value at the walls."""
    return any(armour < S + 6 for _, S, _ in siege.strikes(scene, group))


def moving_in(scene: Scene) -> Iterator[Step]:
    """Yield the stage in which the garrison settles, where there is a die to roll for it."""
    if scene.rules.rulings.capacity_from("random"):
        yield Stage(capacity.settle, when=lambda state, _: state.capacity == 0)


def demolishing(scene: Scene) -> Iterator[Step]:
    """Yield the stages of attacks on the structure: by each weapon that can hurt it, then at its walls."""
    yield Stage(
        buildings.roll_armour, when=lambda state, s: buildings.armour_is_rolled(s.rules, state.armour, occupied=True)
    )
    weakest = weakest_armour(scene)
    for i, group in enumerate(scene.scenario.attackers.groups):
        if group.weapon is not None and reach_to_hurt(scene.rules.game, group, weakest) is not None:
            yield Stage(partial(siege.aim, group=i))
            most = group.count * group.weapon.shots * (2 if group.weapon.kind == "rapid fire" else 1)
            yield from each(partial(siege.shot_at_structure, group=i), most, group.weapon.AP)
    if scene.halt > 0 or scene.scenario.plan == "shoot":
        return
    for i, group in enumerate(scene.scenario.attackers.groups):
        for way, (attacks, S, AP) in enumerate(siege.strikes(scene, i)):
            if weakest < S + 6:
                yield Stage(partial(siege.ready, group=i, way=way), when=siege.within_charge)
                yield from each(partial(siege.strike_at_structure, group=i, way=way), group.count * attacks, AP)


def each(attack: Callable[..., Storm], times: int, AP: int | None) -> Iterator[Step]:
    """Yield an attack and the damage it does, again and again: one may change the next."""
    for _ in range(times):
        yield Stage(attack, when=lambda state, _: state.shots > 0)
        yield Stage(partial(siege.damage, AP=AP), when=lambda state, _: state.hit > 0)
        yield Stage(siege.thrown_out, when=lambda state, _: state.falling > 0)


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
        capacity=zero,
        mounted=zero + len(scene.scenario.mounted),
        moved=zero,
        shaken=zero,
        falling=zero,
        destroyed=zero,
        broken=zero,
        taken=zero,
        fireteam=tuple(zero for _ in attackers),
        slain=zero,
        struck=zero,
        piercing=zero,
        lead=zero,
        failed=zero,
        shots=zero,
        hit=zero,
    )


def outcome(state: Storm, scene: Scene) -> Outcome:
    """Say how it stands: a garrison driven out or wiped out has lost the building (ST-041, ST-044)."""
    attackers, defenders = total(state.attackers), total(state.defenders)
    destroyed, gone, taken = state.destroyed > 0, (attackers == 0) | (state.broken > 0), state.taken > 0
    return Outcome(
        end=ending(destroyed=destroyed, captured=taken & ~gone, broken=gone),
        attackers_lost=scene.scenario.attackers.models - attackers,
        defenders_lost=capacity.garrison_size(state, scene) - defenders,
        cleared=(defenders == 0) | taken | destroyed,
    )


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    points = scene.scenario.building.firing_points
    squad = tuple(np.array(g.count) for g in scene.scenario.attackers.groups)
    slots = [party.slots_of(scene.rules, g.profile) for g in scene.scenario.attackers.groups]
    team = total(party.pick(scene.rules, scene.access, squad, slots, party.sent(scene.rules, scene.access)))
    way_in = f"{scene.access} viable access points: a Fireteam of at most {team}"
    return {
        **dict(buildings.facts(scene)),
        "Way in": way_in if scene.storming else "none: the structure is attacked",
        "Fire from the building": f"{points} firing points, {len(scene.scenario.mounted)} mounted weapons",
        "Attackers who fail morale": "have broken and do not come back",
    }
