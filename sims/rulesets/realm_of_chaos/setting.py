"""A scenario in the words of these rules, and what the rules share about it: what groups are armed with, and are about.

What attackers are about follows from their plan and from who is left; how near to the walls they go, from what those
who do not storm can do from there.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from sims.dice import Bools, Ints
from sims.forces import total
from sims.games.common import IMPOSSIBLE, order_of_blows
from sims.games.fantasy.shooting import Aim, is_missile, over_half, shots
from sims.games.fantasy.wounds import strength
from sims.rulesets.choosing import Way, in_ways
from sims.rulesets.realm_of_chaos.book import RealmOfChaos, is_flaming
from sims.rulesets.realm_of_chaos.building import capacity, range_uphill
from sims.rulesets.realm_of_chaos.damage.walls import burns, class_of, damage, gain_of, need_to_damage, shot_at_fabric
from sims.rulesets.realm_of_chaos.deployment import check_deployment, deployed
from sims.rulesets.realm_of_chaos.heights import parties_of
from sims.rulesets.realm_of_chaos.layout import in_words, material_of, plan_of
from sims.rulesets.realm_of_chaos.sections import Plan
from sims.rulesets.realm_of_chaos.state import OTHER, Places, Scene, Siege, anywhere
from sims.scenario import FirstIn, Group, Scenario


def set_up(scenario: Scenario, book: RealmOfChaos) -> Scene:
    """Put a scenario into these rules' words (RC-001; partly RC-002).

    Raises:
        CasemateError: If the garrison does not fit or is torn apart, or those of a side over 10 feet differ in height.
    """
    building = scenario.building
    plan = plan_of(building, book)
    walls = class_of(book, material_of(building, plan))
    scene = Scene(
        scenario=scenario,
        book=book,
        plan=plan,
        parties={side: parties_of(scenario, side, plan, book) for side in OTHER},
        walls=walls,
        burns=burns(book, walls),
        order=tuple(order_of_blows(scenario.attackers, scenario.defenders)),
    )
    room = int(capacity(book)) * len(scene.plan.sections)
    if scenario.defenders.models > room:
        raise scenario.error(
            ("defenders", "models"),
            f"{building.title} holds {room} models under {book.ruleset.title}, in {in_words(scene.plan)} (RC-003); got "
            f"{scenario.defenders.models} defenders",
        )
    check_deployment(scene)
    scene = replace(
        scene,
        shooters=shooters(scene, flaming=False),
        burners=shooters(scene, flaming=True),
        strikers=strikers(scene),
        carriers=carriers(scene),
        keepers=keepers(scene),
    )
    scene = replace(scene, besiegers=besiegers(scene), torches=has_torches(scene))
    scene = replace(scene, carry_in=carries_in(scene))
    return replace(scene, order_in=order_in(scene), halt=halting_distance(scene))


# What groups are armed with.


def strength_of_shots(scene: Scene, group: Group) -> int:
    """Return the Strength of a group's shots at the walls."""
    return strength(group.profile, group.weapon) + gain_of(scene.book, scene.walls, group.weapon)


def strength_at_walls(scene: Scene, group: Group) -> int:
    """Return the Strength of a group's blows at the walls from outside."""
    return strength(group.profile, group.melee) + gain_of(scene.book, scene.walls, group.melee)


def strikers(scene: Scene) -> tuple[int, ...]:
    """Return the attackers' groups whose blows can hurt the walls (RC-044)."""
    groups = enumerate(scene.scenario.attackers.groups)
    needs = ((i, need_to_damage(scene.book, scene.walls, strength_at_walls(scene, g))) for i, g in groups)
    return tuple(i for i, need in needs if need != IMPOSSIBLE)


def shooters(scene: Scene, flaming: bool) -> tuple[int, ...]:
    """Return the attackers' groups whose shots, or whose flames, can hurt the walls (RC-038; partly RC-042).

    A flame template is laid on the wall; other area attacks are left out.
    """
    return tuple(
        i
        for i, g in enumerate(scene.scenario.attackers.groups)
        if g.weapon is not None
        and (gain_of(scene.book, scene.walls, g.weapon) > 0) == flaming
        and (is_missile(g.weapon) or (flaming and g.weapon.kind == "template"))
        and need_to_damage(scene.book, scene.walls, strength_of_shots(scene, g)) != IMPOSSIBLE
    )


def has_flames(group: Group) -> bool:
    """Return whether models of a group have a flaming weapon (RC-073)."""
    return any(is_flaming(weapon) for weapon in (group.weapon, group.melee))


def carriers(scene: Scene) -> tuple[int, ...]:
    """Return the attackers' groups that carry fire (RC-073)."""
    who, smokes = scene.book.rulings.who_carries_fire, scene.scenario.plan == "smoke"
    everyone = who("everyone") and smokes
    arsonists = who("flaming_weapons") or smokes
    groups = enumerate(scene.scenario.attackers.groups)
    return tuple(i for i, g in groups if everyone or (arsonists and has_flames(g)))


def keepers(scene: Scene) -> tuple[int, ...]:
    """Return the garrison's groups that carry fire from section to section (RC-074)."""
    groups = enumerate(scene.scenario.defenders.groups)
    return tuple(i for i, g in groups if scene.book.rulings.who_carries_fire("flaming_weapons") and has_flames(g))


# What they mean to do with it.


def besiegers(scene: Scene) -> tuple[int, ...]:
    """Return the attackers' groups that can bring the walls down, under a plan to do so."""
    able = {*scene.shooters, *scene.burners, *scene.strikers}
    return tuple(sorted(able)) if scene.scenario.plan == "demolish" else ()


def has_torches(scene: Scene) -> bool:
    """Return whether attackers mean to hold fire to the walls from outside (RC-073, by a ruling)."""
    at_the_walls = scene.book.rulings.arson("at_the_walls") and scene.burns == "anywhere"
    return at_the_walls and scene.scenario.plan == "smoke" and bool(scene.carriers)


def carries_in(scene: Scene) -> bool:
    """Return whether attackers mean to carry fire in: nothing else that they have sets the walls alight."""
    if scene.scenario.plan != "smoke" or scene.burns == "nowhere" or scene.burners or scene.torches:
        return False
    parties = (party for party in scene.parties["attackers"] if {*scene.plan.doors} - party.plan.closed)
    return any(i in scene.carriers for party in parties for i in party.groups)


def ways(scenario: Scenario, book: RealmOfChaos) -> list[Way]:
    """Return the ways to go in that the attackers choose from: who goes first (RC-011).

    The leader or ordinary models; under plan demolish also those who can do nothing to the walls, unless that sends in
    the same models in the same order.
    """
    alike = len(scenario.attackers.groups) == 1
    if alike or scenario.plan == "shoot" or not may_enter(plan_of(scenario.building, book), book):
        return []
    first_in: list[FirstIn] = ["leader", "ordinary"]
    if scenario.plan == "demolish":
        scene = set_up(scenario, book)
        going = len(scenario.attackers.groups) - len(scene.besiegers)
        orders = [
            order_in(replace(scene, scenario=replace(scenario, first_in=who)))[:going] for who in (*first_in, "idle")
        ]
        first_in += ["idle"] if orders[-1] not in orders[:-1] else []
    return in_ways(scenario, [scenario.send], first_in)


def order_in(scene: Scene) -> tuple[int, ...]:
    """Return the order in which groups go in: carriers of fire, then as `first_in` of the scenario says.

    "leader" is the order of the scenario: leader, special weapons, ordinary models. "ordinary" is the reverse. "idle"
    is the order of the scenario too, but those who can work on the walls come last. Without a choice it is as for
    "idle", but the leader carries no fire in where an ordinary model can.
    """
    groups, first_in = range(len(scene.scenario.attackers.groups)), scene.scenario.first_in
    carriers = scene.carriers if first_in in ("leader", "idle") else scene.carriers[::-1]
    first = carriers if scene.carry_in else ()
    others = [i for i in groups if i not in first]
    if first_in in ("idle", None):
        others.sort(key=lambda i: i in scene.besiegers)
    return (*first, *(reversed(others) if first_in == "ordinary" else others))


# How near to the walls they go.


def halting_distance(scene: Scene) -> int:
    """Return how near to the walls attackers go who do not storm.

    To bring them down or to burn them, to where those who can do most damage in the time there is, if nobody falls; to
    hold fire to them, up to them; to shoot, to within range of their ordinary weapon, of those upstairs too if any
    of the garrison begin there.
    """
    scenario = scene.scenario
    if scenario.plan == "storm" or scene.torches:
        return 0
    if scenario.plan == "demolish":
        return best_halt(scene, scene.besiegers)
    if scenario.plan == "smoke" and scene.burners:
        return best_halt(scene, scene.burners)
    ordinary = scenario.attackers.groups[-1].weapon
    if ordinary is None or not is_missile(ordinary):
        return scenario.distance
    posted = zip(scene.plan.sections, zip(*deployed(scene), strict=True), strict=True)
    upstairs = any(section.level > 1 and any(models) for section, models in posted)
    return range_uphill(scene.book, ordinary.range) if upstairs else ordinary.range


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
        points += sum(_by_shots(scene, scenario.attackers.groups[i], distance, moved) for i in shooting)
        if distance == 0 and scenario.plan == "demolish":
            points += 2 * sum(_by_blows(scene, scenario.attackers.groups[i]) for i in scene.strikers)
    return points


def _by_shots(scene: Scene, group: Group, distance: int, moved: bool) -> Fraction:
    weapon = group.weapon
    assert weapon is not None
    aim = Aim(moved=moved, over_half_range=over_half(distance, weapon.range))
    template = weapon.kind == "template"
    one = shot_at_fabric(
        scene.book, scene.walls, strength_of_shots(scene, group), group.profile.BS, aim, template=template
    )
    return group.count * int(shots(weapon, distance, weapon.range, moved)) * one.pmf.mean


def _by_blows(scene: Scene, group: Group) -> Fraction:
    one = damage(scene.book, scene.walls, strength_at_walls(scene, group))
    return group.count * group.profile.A * one.pmf.mean


# The building, as it stands.


def has_rubble(plan: Plan, book: RealmOfChaos) -> bool:
    """Return whether a fallen section may leave a way in over the rubble (RC-011, by a ruling)."""
    return len(plan.columns) > 1 and book.rulings.way_in_after_a_collapse("over_the_rubble")


def may_enter(plan: Plan, book: RealmOfChaos) -> bool:
    """Return whether there is a way in, now or after a collapse."""
    return bool(plan.doors) or has_rubble(plan, book)


def passages(state: Siege, scene: Scene) -> Places:
    """Return how many models pass into the ground section of each column or out of it (RC-011, RC-012, RC-013).

    Doors fall with their section; by a ruling the front is then open where a column beside it stood.
    """
    doors = tuple(c.door * stands for c, stands in zip(scene.plan.columns, state.stands, strict=True))
    if not has_rubble(scene.plan, scene.book):
        return doors
    barn, fallen = scene.book.tables.doors.barn, total(state.stands) < len(doors)
    fronts = scene.fronts(state)
    return tuple(np.where(front & fallen & (n == 0), barn, n) for front, n in zip(fronts, doors, strict=True))


def way(state: Siege, scene: Scene) -> Ints:
    """Return how many models pass into the building or out of it in a turn."""
    return total(passages(state, scene))


# What attackers are about.


def open_to(state: Siege, scene: Scene) -> list[Bools]:
    """Return of each party of attackers whether it fits through a way in (RC-005)."""
    ways = [*zip(scene.plan.ground, passages(state, scene), strict=True)]
    closed = (party.plan.closed for party in scene.parties["attackers"])
    return [total(tuple(n * (i not in low) for i, n in ways)) > 0 for low in closed]


def may_come_in(state: Siege, scene: Scene) -> Bools:
    """Return where attackers are left who fit through a way in."""
    parties = zip(open_to(state, scene), scene.left(state, "attackers"), strict=True)
    return anywhere(fits & (n > 0) for fits, n in parties)


def able(state: Siege, scene: Scene, groups: Sequence[int]) -> Ints:
    """Return how many attackers are left of some groups who fit through a way in."""
    parties = zip(scene.parties["attackers"], open_to(state, scene), strict=True)
    own = (fits * standing(state, scene, [i for i in groups if i in party.groups]) for party, fits in parties)
    return sum(own, np.zeros_like(state.outside))


def at_the_walls(state: Siege) -> Bools:
    """Return where attackers outside stand at the walls, and no enemy outside keeps them from the doors."""
    return (state.distance == 0) & (state.out == 0)


def storming(state: Siege, scene: Scene) -> Bools:
    """Return where attackers mean to go in: the walls are not coming down.

    Under plan demolish, while some cannot hurt the walls, or once all who can are lost. Under plan smoke, only to carry
    fire in while nothing burns.
    """
    plan = scene.scenario.plan
    if plan == "shoot" or (plan == "smoke" and not scene.carry_in):
        return np.zeros(np.shape(state.outside), dtype=np.bool_)
    whole = state.damage < scene.book.tables.stability.starts_at
    if plan == "smoke":
        return whole & (state.burning == 0) & (able(state, scene, scene.carriers) > 0)
    if plan == "demolish":
        return whole & (~besieging(state, scene) | (idle(state, scene) > 0))
    return whole


def besieging(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who mean to bring the walls down still have a model that can hurt them."""
    return standing(state, scene, scene.besiegers) > 0


def idle(state: Siege, scene: Scene) -> Ints:
    """Return how many attackers can do nothing to the walls, if there is a way in for them.

    Under plan demolish that many go in. Who they are is up to `Scene.order_in`: if those who can work on the walls go
    first, as many who cannot stay outside.
    """
    fit = (fits * n for fits, n in zip(open_to(state, scene), scene.left(state, "attackers"), strict=True))
    return sum(fit, np.zeros_like(state.outside)) - able(state, scene, scene.besiegers)


def willing(state: Siege, scene: Scene) -> Ints:
    """Return how many attackers outside would go in by a door, in the order of `Scene.order_in`.

    One carrier lights a section without a roll (RC-073), so no other follows him while he is inside.
    """
    if scene.carry_in:
        one = np.minimum(able(state, scene, scene.carriers), 1)
        return np.maximum(one - state.entered, 0)
    others = np.maximum(idle(state, scene) - state.entered, 0)
    return np.where(besieging(state, scene), others, state.outside)


def standing(state: Siege, scene: Scene, groups: Sequence[int]) -> Ints:
    """Return how many attackers are left of some groups."""
    left = scene.standing(state, "attackers")
    return sum((left[i] for i in groups), np.zeros_like(state.outside))
