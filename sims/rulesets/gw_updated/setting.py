"""How a scenario is put into these rules' words."""

from itertools import compress

import numpy as np

from sims.dice import Bools, Ints
from sims.dice.source import Argument
from sims.forces import Models, at_full_strength, total
from sims.games.common import order_of_blows
from sims.games.wh40k import structures, transport
from sims.games.wh40k.buildings import capacity, least_total, may_be_attacked, walls_of
from sims.games.wh40k.fire import STANDING, burns_inside
from sims.games.wh40k.rules import Hit
from sims.games.wh40k.structures import melta_reach, reach_to_hurt
from sims.profiles import Unit, Weapon
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.state import GONE, INSIDE, Scene, Siege, besieged
from sims.scenario import AttackPlan, Force, Group, Scenario


def set_up(scenario: Scenario, book: GwUpdated) -> Scene:
    """Put a scenario into these rules' words.

    Those who storm close in and charge; so do those who demolish, if blows or grenades can hurt the walls as built.
    Else they stop where every weapon that can hurt the walls is at its best, and charge only when nobody with such a
    weapon is left. Those who shoot stop where the first of them reaches. Those who smoke out stop where the last
    template reaches.

    Raises:
        CasemateError: If the garrison does not fit inside.
    """
    garrison, building = scenario.defenders, scenario.building
    room = capacity(book.game, building.archetype, building.capacity)
    places = taken(book, garrison, at_full_strength(garrison)).item()
    if places > room:
        raise scenario.error(
            ("defenders", "models"),
            f"{building.title} has room for {room} under {book.ruleset.title} (BASE-060); "
            f"got {garrison.models} defenders, who take {places} places",
        )
    walls = walls_of(book.game, building.archetype, building.armour)
    needed = least_total(book.game, walls.AV).item()
    plan = played(scenario, book, needed)
    hurts = 1 if book.rulings.attackers_of_walls("damaged") else needed
    groups = scenario.attackers.groups
    shooters = tuple(reach(book, g, hurts) is not None and (plan != "smoke" or is_template(g)) for g in groups)
    return Scene(
        scenario=scenario,
        book=book,
        walls=walls,
        room=room,
        plan=plan,
        halt=halting_distance(book, scenario, plan, needed),
        shooters=shooters,
        strikers=tuple(plan in ("storm", "demolish") and strikes(g, hurts, book) for g in groups),
        heeds_moved=any(map(stands_to_fire, compress(groups, shooters))),
        order=tuple(order_of_blows(scenario.attackers, scenario.defenders)),
    )


def place(book: GwUpdated, bulk: int, *, jump: bool) -> Ints:
    """Return how many places a model takes inside (GW-015, BASE-060)."""
    return transport.places(book.game, 1, bulk, jump and book.rulings.jump_infantry("two"))


def places_of_each(book: GwUpdated, force: Force) -> list[int]:
    """Return how many places a model of each group takes inside."""
    profiles = [group.profile for group in force.groups]
    return [place(book, unit.bulk, jump=unit.kind == "jump infantry").item() for unit in profiles]


def taken(book: GwUpdated, force: Force, models: Models) -> Ints:
    """Return how many places some models take inside."""
    return np.asarray(sum(n * each for n, each in zip(models, places_of_each(book, force), strict=True)))


def places(book: GwUpdated, force: Force, models: Models) -> Ints:
    """Return how many places those take who have to get in together to claim a building (BASE-060)."""
    if book.rulings.claiming_unit("part"):
        return np.asarray(min(places_of_each(book, force)))
    return taken(book, force, models)


def get_in(state: Siege, scene: Scene, farthest: Argument = 0) -> Bools:
    """Return where the attackers get into an empty building: by a door that is near enough, and all who have to fit."""
    needed = places(scene.book, scene.scenario.attackers, state.attackers)
    return transport.gets_in(scene.book.game, needed, scene.room, farthest) & (scene.scenario.building.doors > 0)


def attacked(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers go for the walls: of an empty building if they could not get in (partly GW-011).

    The claim of the garrison outlasts it while the building stands (partly GW-005).
    """
    emptied = (state.garrison == INSIDE) & (total(state.defenders) == 0)
    empty = (state.garrison == GONE) & ~get_in(state, scene) | emptied & ~stops(state, scene)
    held = besieged(state, scene)
    return may_be_attacked(occupied=held, claimed=state.fall == 0) & (held | empty)


def stops(state: Siege, scene: Scene) -> Bools:
    """Return where a volley stops once it has killed the last of those inside: the attackers can get in (GW-057)."""
    return get_in(state, scene) & scene.book.rulings.volley_when_empty("stops")


def played(scenario: Scenario, book: GwUpdated, needed: int) -> AttackPlan:
    """Return the plan of the attackers as it is played, if only a total of `needed` hurts the walls.

    Without templates and fire points nobody is smoked out; and walls are best brought down with blows and shots.
    """
    groups = scenario.attackers.groups
    burns = burns_inside(book.game, scenario.building.firing_points)
    if scenario.plan == "smoke" and not (burns and any(map(is_template, groups))):
        return "shoot"
    if scenario.plan == "demolish" and any(strikes(g, needed, book) for g in groups):
        return "storm"
    return scenario.plan


def is_template(group: Group) -> bool:
    """Return whether a group carries template weapons."""
    return group.weapon is not None and group.weapon.kind == "template"


def stands_to_fire(group: Group) -> bool:
    """Return whether a group carries weapons that may not be moved and fired."""
    return group.weapon is not None and group.weapon.kind in STANDING


def halting_distance(book: GwUpdated, scenario: Scenario, plan: AttackPlan, needed: int) -> int:
    """Return how near those go who do not close in, if only a total of `needed` hurts the walls."""
    groups = scenario.attackers.groups
    if plan == "storm":
        return 0
    if plan == "smoke":
        return min(g.weapon.range for g in groups if g.weapon and is_template(g))
    best = plan == "demolish"
    able = [r for r in (reach(book, group, needed, best=best) for group in groups) if r is not None]
    return (min if best else max)(able, default=scenario.distance)


def strikes(group: Group, needed: int, book: GwUpdated) -> bool:
    """Return whether a group's blows or grenades bring a total up to `needed`."""
    return any(needed <= by.S + 6 for _, by in ways_to_strike(book, group))


def reach(book: GwUpdated, group: Group, needed: int, *, best: bool = False) -> int | None:
    """Return how far a group's weapon reaches to bring its total up to `needed`, None if it cannot.

    At its best a melta weapon is within half its range. Blasts are left out.
    """
    weapon, far = group.weapon, reach_to_hurt(book.game, group, needed)
    if weapon is None or weapon.kind == "blast" or far is None:
        return None
    return melta_reach(book.game, weapon) if best and weapon.melta else far


def armed_with(scene: Scene, group: int) -> tuple[Unit, Weapon]:
    """Return who stands in a group of the attackers that shoots, and with what."""
    shooter = scene.scenario.attackers.groups[group]
    assert shooter.weapon is not None
    return shooter.profile, shooter.weapon


def ways_to_strike(book: GwUpdated, group: Group) -> tuple[tuple[int, Hit], ...]:
    """Return how a model can strike the walls: with its blows, then with a grenade (BASE-010, BASE-019)."""
    return structures.ways_to_strike(book.game, group, charged=book.game.rulings.charge_bonus_attack("yes"))


def close_in(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers go in hand to hand.

    Those who storm do; those who demolish do once nobody is left who shoots at the walls, if blows may hurt them then.
    """
    if scene.plan == "storm":
        return np.ones(1, dtype=np.bool_)
    if scene.plan != "demolish" or not any(scene.strikers):
        return np.zeros(1, dtype=np.bool_)
    return np.asarray(sum(n for n, can in zip(state.attackers, scene.shooters, strict=True) if can) == 0)
