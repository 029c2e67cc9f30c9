"""The stages of a turn, and how a scenario is put into these rules' words."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending, only
from sims.dice import Ints
from sims.errors import CasemateError
from sims.forces import at_full_strength, total
from sims.games.wh40k.rules import Hit
from sims.games.wh40k.structures import reach_to_hurt
from sims.rulesets.storming import buildings, capacity, firing, order, party, ruins, sally, siege
from sims.rulesets.storming.access import near_enough
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.order import Step
from sims.rulesets.storming.plans import translation
from sims.rulesets.storming.state import INSIDE, LOCKED, SALLIED, Scene, Storm
from sims.scenario import Scenario


def assault(scenario: Scenario, book: Storming) -> Assault[Storm, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    ours, theirs = in_turn(scene)
    turns = (
        PlayerTurn("attackers", (*moving_in(scene), *ours)),
        PlayerTurn("defenders", (*moving_in(scene), *theirs)),
    )
    turn = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(book.ruleset.id, scene, start(scene), turn, scenario.turns, end, outcome, translation(scene))


def in_turn(scene: Scene) -> tuple[Iterable[Step], Iterable[Step]]:
    """Return the stages of each side's turn."""
    if scene.building_class.usual:
        return ruins.attackers_turn(scene), ruins.garrisons_turn(scene)
    fire = (Stage(firing.garrison_fires, when=firing.can_fire), Stage(firing.recover))
    again = only(siege.storms, order.second_round(scene)) if scene.storming else ()
    if scene.scenario.defence == "hold":
        return attacking(scene), (*fire, *again)
    out = Stage(sally.come_out, when=sally.may_sally)
    return (
        (*only(sally.indoors, attacking(scene)), *sally.fight_on(scene)),
        (out, *only(sally.indoors, (*fire, *again)), *sally.fight_on(scene)),
    )


def set_up(scenario: Scenario, book: Storming) -> Scene:
    """Put a scenario into these rules' words.

    The squad stands at every door within reach, so each is a viable access point as far as the rulings allow.

    Raises
    ------
    CasemateError
        If nobody may be in a building of its class: one without a door, unless another class is agreed.
    """
    building = scenario.building
    name = buildings.class_of(book, building.military, way_in=building.doors > 0)
    if not buildings.allows(book, name, "occupy"):
        why = "nobody may occupy" if building.doors else "it has no door, and nobody may occupy"
        raise CasemateError(f"{building.title}: {why} an impassable building; expected one with a way in")
    if book.tables.classes.of(name).usual:
        scene = Scene(scenario, book, name, access=0, storming=False)
        return replace(scene, reaches=ruins.reaches(scene))
    access = near_enough(book, [0] * building.doors)
    declared: party.Mode = "storm" if scenario.plan != "shoot" and party.squads_storming(book, 1) else "attack"
    storming = party.mode(book, declared, scenario.attackers.unit.kind, access, name) != "attack"
    scene = Scene(scenario, book, name, access, storming)
    if storming and scenario.plan in ("storm", "smoke"):
        return scene
    return replace(scene, reaches=siege.reaches(scene, max(buildings.possible_armour(scene))))


def attacking(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the attackers' turn: attacks on the structure, a storming, or what they declare (ST-020)."""
    if scene.reaches and not scene.armour:
        yield Stage(
            buildings.roll_armour,
            when=lambda state, s: buildings.armour_is_rolled(s.rules, state.armour, occupied=True),
        )
    yield Stage(siege.advance)
    if scene.reaches:
        yield from demolishing(scene)
    if scene.storming:
        yield from only(siege.storms, order.storming(scene)) if scene.reaches else order.storming(scene)


def moving_in(scene: Scene) -> Iterator[Step]:
    """Yield the stage in which the garrison settles, where there is a die to roll for it."""
    if scene.rules.rulings.capacity_from("random"):
        yield Stage(capacity.settle, when=lambda state, _: state.capacity == 0)


def demolishing(scene: Scene) -> Iterator[Step]:
    """Yield the stages of attacks on the structure: by each weapon that can hurt it, then at its walls."""
    weakest = min(buildings.possible_armour(scene))
    groups = scene.scenario.attackers.groups
    for i, group in enumerate(groups):
        if group.weapon is not None and reach_to_hurt(scene.rules.game, group, weakest) is not None:
            yield Stage(partial(siege.aim, group=i), when=siege.besieges)
            most = group.count * group.weapon.shots * (2 if group.weapon.kind == "rapid fire" else 1)
            AP = int(Hit.of(group.weapon, group.profile).AP)
            yield from each(partial(siege.shot_at_structure, group=i), most, AP)
    if scene.scenario.plan == "shoot":
        return
    for i, group in enumerate(groups):
        for way, (attacks, hit) in enumerate(siege.strikes(scene, i)):
            if siege.felled(scene, hit) >= weakest:
                yield Stage(partial(siege.charge_the_walls, group=i, way=way), when=siege.strikes_now)
                strike = partial(siege.strike_at_structure, group=i, way=way)
                yield from each(strike, group.count * attacks, int(hit.AP))


def each(attack: Callable[..., Storm], times: int, AP: int) -> Iterator[Step]:
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
        place=zero + INSIDE,
        armour=zero + (scene.armour if scene.reaches else 0),
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


def end(state: Storm, scene: Scene) -> Ints:
    """Say how it has ended: a garrison driven out or wiped out has lost the building (ST-041, ST-044)."""
    gone = (total(state.attackers) == 0) | (state.broken > 0)
    return ending(destroyed=state.destroyed > 0, captured=(state.taken > 0) & ~gone, broken=gone)


def outcome(state: Storm, scene: Scene) -> Outcome:
    """Say what it has cost; a garrison that has come out has left the building."""
    defenders = total(state.defenders)
    left = (defenders == 0) | (state.place == SALLIED) | (state.place == LOCKED)
    return Outcome(
        attackers_lost=scene.scenario.attackers.models - total(state.attackers),
        defenders_lost=capacity.garrison_size(state, scene) - defenders,
        cleared=left | (state.taken > 0) | (state.destroyed > 0),
    )
