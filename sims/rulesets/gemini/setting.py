"""How a scenario is put into the words of these rules."""

from fractions import Fraction

import numpy as np

from sims.dice import D6, Bools, Ints
from sims.forces import Models, chosen
from sims.games.arap.allocation import damage_of
from sims.games.arap.areas.ranks import HARD, Lane, Walls, lane
from sims.games.arap.moving.measuring import melee_radius, within
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import can_shoot, to_hit
from sims.games.arap.rolls.wounds import wound
from sims.games.arap.shooting import AREAS, DIRECT, range_of, shots_of, strength_of_shot, takes_aim, throwing
from sims.profiles import Building, Weapon
from sims.rulesets.gemini.book import Gemini, OwnBuilding, OwnUnit, OwnWeapon
from sims.rulesets.gemini.bunkers.armour import TWO_DICE, armour_value, dice_to_penetrate, hull_points
from sims.rulesets.gemini.fabric.materials import door_points, toughness
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections.rooms import floors, in_view, is_entered, places, room_of, sections
from sims.rulesets.gemini.state import Scene, Siege, Structure
from sims.rulesets.gemini.tables import DoorKind
from sims.scenario import AttackPlan, Group, Scenario, Side
from sims.words import counted

ENTER, FORCE, STRIKE, BATTER, SHOOT, SMOKE = range(6)
"""What attackers are about: charge in; force the door; charge and strike the structure; shoot at it; shoot only; burn
and blast out those inside."""


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


def gate_of(building: Building, book: Gemini) -> DoorKind:
    """Return the kind of the doors of a building: what is said of it, or what such a building has (GB-060)."""
    return OwnBuilding.of(building).gate or book.tables.gates.of[building.archetype]


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


def strength_of(building: Building, structure: Structure, book: Gemini) -> tuple[int, int]:
    """Return what the structure resists with, and its hull points or damage points (GB-053, GB-060, GB-138).

    A building that is known to have an Armour Value, or hull points, has those, where Armour Values are used at all
    (GB-135, GB-138).
    """
    tables = book.tables
    if structure == "armour":
        row = tables.armoured.of.get(building.archetype) or tables.armoured.of[building.material]
        whole = book.rulings.hull_points("whole_building")
        capacity = building.capacity if whole else min(building.capacity, tables.sections.models)
        known = OwnBuilding.of(building).hull
        return building.armour or armour_value(book, row), hull_points(book, capacity, known)
    if structure == "door":
        door = gate_of(building, book)
        return tables.doors.kinds[door].T, door_points(book, door, tables.gates.width[building.door])
    wall = tables.walls.of.get(building.archetype) or tables.walls.of[building.material]
    return toughness(book, wall.T), getattr(tables.wall_points, wall.points)


def from_clear_view(scenario: Scenario, group: Group, structure: Structure, resists: int, book: Gemini) -> int | None:
    """Return from how many inches a group shoots at the structure; None if it is no use.

    Those whose lasers are too weak in smoke, or at that range, go on until it is behind them (ARAP-113).
    """
    clear, hampered = (reach_to_hurt(group, structure, resists, book, smoke) for smoke in (False, True))
    return None if clear is None else max(before_smoke(scenario, clear), hampered or 0)


def before_smoke(scenario: Scenario, inches: int) -> int:
    """Return the inches, or from how many fewer nothing is seen through smoke: an inch at the least."""
    return min([inches, *(max(band.near, 1) for band in scenario.bands if band.ground == "smoke")])


def reach_to_hurt(group: Group, structure: Structure, resists: int, book: Gemini, smoke: bool = False) -> int | None:
    """Return from how many inches a group can hurt the structure: a melta from half range; None if it is no use.

    Args:
        smoke: Whether it shoots through smoke.
    """
    weapon = group.weapon
    if weapon is None or weapon.kind not in DIRECT or not can_shoot(group.profile.BS):
        return None
    S, half = int(strength_of_shot(book.game, weapon, group.profile, smoke)), half_range(weapon, book)
    if not S:
        return None
    if structure == "armour":
        near = weapon.melta and resists <= S + 6 * dice_at_best(weapon, book)
        return half if near else weapon.range if resists <= S + 6 else None
    table, short = book.game.tables.to_wound, min(book.game.tables.short_range.most, half)
    goal = resists + table.plus - S
    if goal > table.short_range:
        return None
    return (half if weapon.melta else weapon.range if goal <= table.any_range else short) or None


def half_range(weapon: Weapon, book: Gemini) -> int:
    """Return half the range of a weapon, in whole inches."""
    return weapon.range // book.game.tables.short_range.share


def dice_at_best(weapon: Weapon, book: Gemini) -> int:
    """Return how many dice a weapon adds to its Strength at half range; of two whose best counts, one."""
    return 2 if dice_to_penetrate(book, weapon, half_range(weapon, book)) == TWO_DICE else 1


def chance_to_hurt(S: int, structure: Structure, resists: int, book: Gemini, dice: int = 1) -> Fraction:
    """Return the chance that a hit hurts the structure at the best range, with so many dice against armour."""
    if structure == "armour":
        return (dice @ D6.pmf).at_least(resists - S)
    return wound(book.game, S, resists).pmf[1]


def worth_of_shots(group: Group, structure: Structure, resists: int, book: Gemini) -> Fraction:
    """Return how many shots of a group hurt the structure on average, for two action points at half range."""
    weapon, BS = group.weapon, group.profile.BS
    assert weapon is not None
    fired = group.count * int(shots_of(book.game, group, half_range(weapon, book), 2))
    hurt = chance_to_hurt(weapon.strength(group.profile), structure, resists, book, dice_at_best(weapon, book))
    return fired * to_hit(book.game, "shooting", BS).pmf[1] * hurt * points(weapon, structure)


def worth_of_blows(group: Group, structure: Structure, resists: int, book: Gemini) -> Fraction:
    """Return how many blows of a group hurt the structure on average."""
    S = group.melee.strength(group.profile) if group.melee else group.profile.S
    blows = group.count * group.profile.A
    return blows * chance_to_hurt(S, structure, resists, book) * points(group.melee, structure)


def points(weapon: Weapon | None, structure: Structure) -> int:
    """Return what a wound by a weapon does to the structure: armour has no damage points, but a table of its own."""
    return 1 if structure == "armour" else damage_of(weapon)


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


def aims(state: Siege, scene: Scene) -> Ints:
    """Return the points that attackers who only shoot give to an Aim action first (ARAP-104)."""
    if scene.plan != "shoot":
        return np.zeros_like(state.volleys)
    return takes_aim(scene.book.game, scene.scenario.attackers.groups, state.distance, state.volleys)


def intent(state: Siege, scene: Scene) -> Ints:
    """Return what the attackers set about, by their plan: those who cannot get in yet work on the building."""
    from_outside = intent_outside(state, scene)
    return from_outside if scene.in_turn == 1 else np.where(is_entered(state, scene), ENTER, from_outside)


def intent_outside(state: Siege, scene: Scene) -> Ints:
    """Return what attackers set about who have no section yet."""
    if scene.plan == "shoot":
        return np.full_like(state.damage + state.cracks + state.forced, SHOOT)
    tools = work(state, scene)
    if scene.locked:
        storming = np.where(way_in.door_open(state, scene), ENTER, FORCE)
    else:
        storming = np.where(way_in.admitted(state, scene) > 0, ENTER, tools)
    if scene.plan == "smoke":
        return np.where(scene.sealed | (way_in.openings(state, scene) > 0), SMOKE, storming)
    if scene.plan == "demolish":
        done = way_in.opened_up(state, scene)
        return np.where(done, ENTER, np.where(tools != SHOOT, tools, storming))
    return storming


def work(state: Siege, scene: Scene) -> Ints:
    """Return what the attackers can do to the building with those who are left: strike at it, shoot at it, or nothing.

    They begin with what does more.
    """
    models = state.attackers.standing
    shots = sum((models[i] for i in scene.gunners), 0 * state.attackers.models) > 0
    blows = sum((models[i] for i in scene.strikers), 0 * state.attackers.models) > 0
    if scene.by_blows:
        return np.where(blows, STRIKE, np.where(shots, BATTER, SHOOT))
    return np.where(shots, BATTER, np.where(blows, STRIKE, SHOOT))


def reach(scene: Scene, about: Ints) -> Ints:
    """Return from how many inches the attackers can do what they are about, with the charge dice counted on."""
    tables, unit = scene.book.tables, scene.scenario.attackers.unit
    charge = unit.move + int(melee_radius(scene.book.game, OwnUnit.of(unit).size)) + tables.plans.counted_on
    halt = scene.stand_off if scene.halt is None else scene.halt
    from_here = {ENTER: charge, FORCE: tables.forcing.within, STRIKE: charge, BATTER: halt, SHOOT: scene.stand_off}
    from_here[SMOKE] = scene.smoke_from
    return np.array([from_here[i] for i in range(len(from_here))])[about]


def charging(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers are near enough to charge, and have a point for it."""
    about = intent(state, scene)
    wants = (about == ENTER) | (about == STRIKE)
    return wants & (state.attackers.points > 0) & within(state.distance, reach(scene, about))
