"""How a scenario is put into the words of these rules."""

import numpy as np

from sims.dice import Ints
from sims.forces import Models, chosen
from sims.games.arap.areas.ranks import HARD, Lane, Walls, lane
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import can_shoot
from sims.games.arap.shooting import AREAS, DIRECT, range_of, strength_of_shot, throwing
from sims.profiles import Building, Weapon
from sims.rulesets.gemini.book import Gemini, OwnBuilding, OwnWeapon
from sims.rulesets.gemini.fabric.worth import (
    before_smoke,
    from_clear_view,
    half_range,
    strength_of,
    worth_of_blows,
    worth_of_shots,
)
from sims.rulesets.gemini.sections.rooms import floors, in_view, is_entered, places, room_of, sections
from sims.rulesets.gemini.state import Scene, Siege, Structure
from sims.scenario import AttackPlan, Group, Scenario, Side
from sims.words import counted


def set_up(scenario: Scenario, book: Gemini) -> Scene:
    """Put a scenario into these rules' words.

    A bunker that is military is sealed until it is breached (GB-106, GB-108, GB-135, GB-136, GB-138; partly GB-053,
    partly GB-137).
    """
    building, tables, rulings = scenario.building, book.tables, book.rulings
    bunker = building.archetype in tables.armoured.bunkers
    armoured = bunker or rulings.armour_values("any_building")
    sealed = building.military and bunker
    open_doors = 0 if sealed else building.doors - locked_doors(building, book)
    locked = not sealed and building.doors > 0 and open_doors == 0
    structure: Structure = "armour" if armoured else "door" if locked else "wall"
    resists, points = strength_of(building, structure, book)
    groups = list(enumerate(scenario.attackers.groups))
    reaches = {i: from_clear_view(scenario, group, structure, resists, book) for i, group in groups}
    gunners = {i: inches for i, inches in reaches.items() if inches is not None}
    by_shots = sum(worth_of_shots(group, structure, resists, book) for i, group in groups if i in gunners)
    by_blows = {i: worth_of_blows(group, structure, resists, book) for i, group in groups}
    burners = tuple(i for i, group in groups if burns(group))
    grenadiers = tuple(i for i, group in groups if hurls(group))
    near, on_each = sealed or bool(grenadiers), sections(book, *building.footprint)
    levels = floors(book, building, on_each)
    in_turn = 1 if sealed else on_each * levels
    room, room_to_storm = (int(room_of(book, side.unit.bulk)) for side in (scenario.defenders, scenario.attackers))
    if not sealed and scenario.defenders.models > room * in_turn:
        raise scenario.error(
            ("defenders", "models"),
            f"{building.title} holds {room * in_turn} of the garrison under {book.ruleset.title}, {room} in each of "
            f"{counted(in_turn, 'section')} (GB-108); got {scenario.defenders.models} defenders, for whom "
            f"{-(-scenario.defenders.models // (room * on_each))} levels would do",
        )
    return Scene(
        scenario=scenario,
        book=book,
        plan=played(scenario, sealed, bool(burners or grenadiers)),
        sections=on_each,
        floors=levels,
        in_turn=in_turn,
        room=room,
        room_to_storm=room_to_storm,
        places=places(book, building, sealed),
        structure=structure,
        sealed=sealed,
        locked=locked,
        open_doors=open_doors,
        resists=resists,
        points=points,
        halt=min(gunners.values(), default=None),
        stand_off=stand_off(scenario, book),
        gunners=tuple(gunners),
        strikers=tuple(i for i, worth in by_blows.items() if worth),
        by_blows=sum(by_blows.values()) > by_shots,
        burners=burners,
        grenadiers=grenadiers,
        smoke_from=book.game.tables.grenades.sure_within if near else longest_flame(scenario),
        walls=Walls.of(scenario.walls),
        heeds_pinned=scenario.may_sally or any(map(pins, weapons_inside(scenario))),
        edge=scenario.table_edge,
    )


def weapons_inside(scenario: Scenario) -> tuple[Weapon | None, ...]:
    """Return the weapons of the garrison, and those of the building."""
    return *(group.weapon for group in scenario.defenders.groups), *scenario.mounted


def pins(weapon: Weapon | None) -> bool:
    """Return whether those who are hit by a weapon test pinning."""
    return weapon is not None and OwnWeapon.of(weapon).pinning


def fires_out(scene: Scene, weapon: Weapon | None) -> bool:
    """Return whether a weapon is fired from inside: one that fires high needs a gap in the roof (GB-074)."""
    roofed = OwnBuilding.of(scene.scenario.building).interior != "open"
    return weapon is not None and not (roofed and OwnWeapon.of(weapon).guess)


def who_fire_out(state: Siege, scene: Scene) -> Models:
    """Return how many of each group have a weapon that is fired from where they are.

    That is those in the section attacked; a garrison in several fires out of all of them. What lays a marker or a
    template is not fired inside with the other weapons.
    """
    groups, entered = scene.scenario.defenders.groups, is_entered(state, scene)
    return tuple(
        n * fires_out(scene, group.weapon) * ~(entered & has_area(group.weapon))
        for group, n in zip(groups, in_view(state, scene), strict=True)
    )


def has_area(weapon: Weapon | None) -> bool:
    """Return whether a weapon lays a marker or a template."""
    return weapon is not None and weapon.kind in AREAS


def throws_outside(scene: Scene, side: Side, able: Models, models: Ints, distance: Ints) -> Models:
    """Return who of some of a side throw grenades at people in the open instead of shooting: a quarter of the unit.

    Source: Hand Grenades (ARAP-156).

    Args:
        able: Of each group.
        models: In the unit.
        distance: Inches to the enemy.
    """
    game, groups = scene.book.game, scene.force(side).groups
    if game.rulings.grenades_outside("kept"):
        return tuple(map(np.zeros_like, able))
    most = np.where(within(distance, game.tables.grenades.range), throwing(game, models), 0)
    have = tuple(n * throws(group) for group, n in zip(groups, able, strict=True))
    return chosen(have, most, range(len(groups))[::-1])


def locked_doors(building: Building, book: Gemini) -> int:
    """Return how many doors are locked: what is said of them, or all, if the garrison locks those of such a building.

    It locks those of military buildings, and of others without a window.
    """
    own = OwnBuilding.of(building)
    if own.locked is not None or building.doors == 0:
        return own.locked or 0
    ruling = book.rulings.locked_doors
    locks = (building.military or own.windows == 0) if ruling("military") else ruling("every")
    return building.doors if locks else 0


def burns(group: Group) -> bool:
    """Return whether a group has a template weapon."""
    return group.weapon is not None and group.weapon.kind == "template" and bool(can_shoot(group.profile.BS))


def throws(group: Group) -> bool:
    """Return whether a group has grenades with a blast; krak grenades have none (ARAP-106)."""
    return "assault" in group.profile.grenades and bool(can_shoot(group.profile.BS))


def hurls(group: Group) -> bool:
    """Return whether a group throws grenades instead of shooting: those with template weapons burn."""
    return throws(group) and not burns(group)


def longest_flame(scenario: Scenario) -> int:
    """Return the longest range of the attackers' template weapons."""
    return max((range_of(g.weapon) for g in scenario.attackers.groups if g.weapon and burns(g)), default=0)


def played(scenario: Scenario, sealed: bool, able: bool) -> AttackPlan:
    """Return the plan that the attackers play: who cannot smoke a garrison out shoots at it."""
    ways = sealed or OwnBuilding.of(scenario.building).windows > 0 or scenario.building.doors > 0
    return "shoot" if scenario.plan == "smoke" and not (able and ways) else scenario.plan


def stand_off(scenario: Scenario, book: Gemini) -> int:
    """Return how near attackers go who only shoot: where most of them shoot best."""
    group = scenario.attackers.groups[-1]
    weapon = group.weapon
    if weapon is None or weapon.kind not in DIRECT:
        return scenario.distance
    best = half_range(weapon, book) if weapon.kind == "rapid fire" else weapon.range
    stopped = strength_of_shot(book.game, weapon, group.profile, smoke=True) == 0
    return before_smoke(scenario, best) if stopped else best


def approach(state: Siege, scene: Scene) -> Lane:
    """Return what is between the building and the attackers before it.

    Between two sections it is hard cover (GB-116).
    """
    attackers = state.attackers.models
    way = lane(scene.ranks("attackers"), scene.walls, scene.scenario.bands, attackers, state.distance)
    if scene.in_turn == 1:
        return way
    entered = is_entered(state, scene)
    return way._replace(cover=np.where(entered, HARD, way.cover), smoke=way.smoke & ~entered)


def from_cover(state: Siege, scene: Scene) -> Ints:
    """Return what is added to Ballistic Skill for the cover that the attackers fire from (ARAP-107)."""
    return modifiers(scene.book.game, Circumstances(from_hard_cover=approach(state, scene).cover == HARD))
