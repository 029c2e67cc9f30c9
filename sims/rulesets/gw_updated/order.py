"""The order of play (GW-057): the stages of both player turns, how an assault begins and how it ends."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending, of_group
from sims.dice import Bools, Ints
from sims.forces import at_full_strength, begun, total, unhurt
from sims.games.common import who_strikes
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.buildings import hull_points
from sims.games.wh40k.fire import burns_inside, fires_overwatch
from sims.games.wh40k.open_fight import ATTACKERS, alike
from sims.games.wh40k.retreat import at_limit, smaller, standing_again
from sims.rulesets.gw_updated import attack, claims, damage, fire, flight, masonry, sally, wounds
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.setting import armed_with, attacked, is_template, set_up, ways_to_strike
from sims.rulesets.gw_updated.state import INSIDE, OUSTED, Scene, Siege, besieged, outside
from sims.rulesets.gw_updated.words import translation
from sims.scenario import Group, Scenario, Side

Step = Stage[Siege, Scene]
EMPTIED = Step("stand empty", claims.stand_empty, when=claims.emptied, by="building")
"""After whatever may leave nobody to hold the building."""


def assault(scenario: Scenario, book: GwUpdated) -> Assault[Siege, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    turns = (
        PlayerTurn("attackers", tuple(attackers_turn(scene))),
        PlayerTurn("defenders", tuple(defenders_turn(scene))),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(
        book.ruleset.id,
        scene,
        start(scene),
        order,
        scenario.turns,
        end,
        outcome,
        translation,
        alike,
        at_limit=at_limit,
        smaller=smaller(book.game),
    )


def attackers_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the attackers' turn: against the building, or against a garrison that has come out."""
    yield from flight.regrouping(scene)
    yield Stage("go in", claims.go_in, when=claims.goes_in)
    yield Stage("advance", attack.advance, when=attacked)
    yield from flight.embarked_under_fire(scene, at_the_building(scene), EMPTIED)
    if any(scene.strikers):
        yield Stage("charge", attack.charge, when=lambda state, _: state.charging > 0)
        yield from volley(by_groups(scene.scenario.attackers.groups, scene.strikers, striking, scene), scene)
    if scene.scenario.may_sally:
        yield Stage("close with", sally.close_with, when=outside)
        yield from flight.garrison_under_fire(scene, at_the_garrison(scene))
        yield EMPTIED
        yield from close_combat(scene, "attackers")
    yield from standing_again(scene.book.game)


def at_the_building(scene: Scene) -> Iterator[Step]:
    """Yield what attackers shoot at the building: templates at its fire points, then all that can hurt the walls."""
    groups = scene.scenario.attackers.groups
    burns = burns_inside(scene.book.game, scene.scenario.building.firing_points)
    for i, group in enumerate(groups):
        if burns and is_template(group):
            burn = Stage("burn", partial(attack.burn, group=i), when=partial(attack.in_range, group=i))
            yield from of_group(i, group.title, [burn, *wounding(scene)])
            if scene.book.rulings.volley_when_empty("stops"):
                yield EMPTIED
    yield from volley(by_groups(groups, scene.shooters, shooting, scene), scene)


def at_the_garrison(scene: Scene) -> Iterator[Step]:
    """Yield what attackers shoot at a garrison in the open."""
    yield Stage("fire at garrison", sally.fire_at_garrison, when=outside)
    yield from wounding_outside(scene)


def defenders_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the garrison's turn: inside it shoots, outside it charges; an empty building may fire too."""
    yield from flight.attackers_under_fire(scene, defenders_fire(scene))
    if scene.scenario.may_sally:
        yield from close_combat(scene, "defenders")


def defenders_fire(scene: Scene) -> Iterator[Step]:
    """Yield what is shot at the attackers, by those inside, or out to charge, and by weapons of an empty building."""
    if scene.weapons:
        yield Stage("sentry", fire.sentry, when=claims.vacant, by="building")
    if scene.scenario.may_sally:
        yield Stage("come out", sally.come_out, when=sally.comes_nearer)
    yield Stage("shoot", fire.shoot, when=besieged)
    if scene.scenario.may_sally:
        yield Stage("fire at attackers", sally.fire_at_attackers, when=outside)


def close_combat(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield the charge of one side in the open, and a round of the close combat that it or an earlier one began."""
    if fires_overwatch(scene.book.game):
        charged: Side = "defenders" if side == "attackers" else "attackers"
        yield Stage("overwatch", partial(sally.overwatch, side=side), when=sally.charging, by=charged)
        yield from wounding_outside(scene)
        yield EMPTIED
    yield Stage("charge", partial(sally.charge, side=side), when=sally.charging)
    for i, step in enumerate(scene.order):
        yield Stage(
            f"blows, step {i + 1}", partial(sally.blows, step=i, side=side), when=sally.locked, by=who_strikes(step)
        )
        yield from wounding_outside(scene)
    yield Stage("fought", sally.fought, when=sally.locked, by="both sides")
    yield EMPTIED


def volley(attacks: Iterable[Step], scene: Scene) -> Iterator[Step]:
    """Yield a phase of attacks on the walls, and what becomes of a building that fell to them."""
    if scene.book.rulings.armour_in_a_volley("at_its_start"):
        yield Stage("start volley", attack.start_volley)
    yield from attacks
    yield EMPTIED
    yield Stage("comes down", masonry.comes_down, when=lambda state, _: state.fall > 0, by="building")
    yield from wounding(scene)
    yield Stage("get out", masonry.get_out, when=lambda state, _: state.fall > 0, by="defenders")


def wounding(scene: Scene) -> Iterator[Step]:
    """Yield the wounds of those inside, one after another, where it matters who of them suffers each."""
    if scene.several_wounds:
        most = scene.scenario.defenders.models * scene.scenario.defenders.unit.W
        yield Stage("wound one", wounds.wound_one, when=wounds.suffering, times=most, by="building")


def wounding_outside(scene: Scene) -> Iterator[Step]:
    """Yield the wounds of a garrison in the open, one model after another, where it matters who suffers them."""
    if scene.several_wounds:
        most = scene.scenario.defenders.models
        yield Stage("wound nearest", wounds.wound_nearest, when=wounds.suffering, times=most, by="attackers")


def by_groups(
    groups: Sequence[Group], able: Sequence[bool], steps: Callable[[int, Scene], Iterable[Step]], scene: Scene
) -> Iterator[Step]:
    """Yield what the groups that are able to do something do, one after the other."""
    for i, group in enumerate(groups):
        if able[i]:
            yield from of_group(i, group.title, steps(i, scene))


def shooting(i: int, scene: Scene) -> Iterator[Step]:
    """Yield the shots of one group at the walls."""
    shooter, weapon = armed_with(scene, i)
    yield Stage("aim", partial(attack.aim, group=i), when=attacked)
    most = scene.scenario.attackers.groups[i].count * int(wh40k.shots(scene.book.game, weapon, 0))
    result = partial(damage.damage, AP=int(wh40k.Hit.of(weapon, shooter).AP))
    yield from each("shot", partial(attack.shot, group=i), result, most, scene)


def striking(i: int, scene: Scene) -> Iterator[Step]:
    """Yield the blows or grenades of one group at the walls."""
    group = scene.scenario.attackers.groups[i]
    ways = ways_to_strike(scene.book, group)
    yield Stage("ready", partial(attack.ready, group=i), when=attack.on_the_walls)
    result = partial(damage.damage, AP=int(ways[0][1].AP), grenade_AP=int(ways[-1][1].AP))
    most = group.count * max(n for n, _ in ways)
    yield from each("strike", partial(attack.strike, group=i), result, most, scene)


def each(
    name: str, one: Callable[..., Siege], result: Callable[..., Siege], times: int, scene: Scene
) -> Iterator[Step]:
    """Yield an attack and what it does, again and again: one may change the next (GW-051)."""
    for _ in range(times):
        yield Stage(name, one, when=lambda state, _: state.attacks > 0)
        yield Stage(f"{name}: damage", result, when=lambda state, _: damage.rolls(state.hit), by="building")
        if hull_points(scene.book.game, scene.walls.size):
            yield Stage(f"{name}: hull point", damage.hull_point, when=lambda state, _: state.hit > 0, by="building")
        yield Stage(f"{name}: masonry", masonry.masonry, when=lambda state, _: state.falling > 0, by="building")
        yield from wounding(scene)


def start(scene: Scene) -> Siege:
    """Return the state before the first turn: what is not 0 in it."""
    scenario = scene.scenario
    kept = scenario.one_of_several and scenario.may_sally  # inside, whoever falls is drawn
    return Siege(
        attackers=at_full_strength(scenario.attackers),
        defenders=at_full_strength(scenario.defenders),
        attackers_begun=begun(scenario.attackers, scenario.one_of_several),
        defenders_begun=begun(scenario.defenders, kept),
        attackers_others_hurt=unhurt(scenario.attackers),
        defenders_others_hurt=unhurt(scenario.defenders),
        wounded=(np.array([0]),) * (scenario.defenders.unit.W - 1) * scene.several_wounds,
        distance=np.array([scenario.distance]),
        AV=np.array([scene.walls.AV]),
        hull=np.array([hull_points(scene.book.game, scene.walls.size)]),
        weapons=tuple(np.array([n]) for _, n in scene.weapons),
    )


def end(state: Siege, scene: Scene) -> Ints:
    """Say how it has ended: the building is captured when the attackers are inside and claim it.

    The last of the attackers may have struck as they fell: what is still to be suffered comes before the end.

    Source: GW-005, GW-006 (partly GW-008).
    """
    gone: Bools = (total(state.attackers) == 0) | (state.failed == ATTACKERS)
    broken = gone & ~wounds.suffering(state, scene)
    return ending(destroyed=state.destroyed > 0, captured=state.garrison == OUSTED, broken=broken)


def outcome(state: Siege, scene: Scene) -> Outcome:
    """Say what it has cost; a garrison that has come out has left the building."""
    defenders = total(state.defenders)
    return Outcome(
        attackers_lost=scene.scenario.attackers.models - total(state.attackers),
        defenders_lost=scene.scenario.defenders.models - defenders,
        cleared=(defenders == 0) | (state.destroyed > 0) | (state.garrison != INSIDE),
    )
