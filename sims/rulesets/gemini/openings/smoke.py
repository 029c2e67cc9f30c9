"""Flames through openings and ports, and grenades among those inside."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models, chosen, total
from sims.games.arap.areas.ranks import HARD
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.circumstances import Circumstances, modifiers, skill_to_see
from sims.games.arap.shooting import (
    grenade,
    in_shooting,
    is_aimed,
    range_of,
    shoots,
    shots_of,
    small_group,
    throwing,
    throws,
)
from sims.profiles import Unit
from sims.rulesets.gemini import plans, setting
from sims.rulesets.gemini.book import OwnBuilding
from sims.rulesets.gemini.openings import flames, grenades, indoors, way_in
from sims.rulesets.gemini.openings.interiors import Thrown, burst
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import Scene, Siege


def by_port(state: Siege, scene: Scene) -> Bools:
    """Return where firing ports are the only way for flames and grenades, and are open."""
    only = scene.sealed & (way_in.openings(state, scene) == 0)
    return only & way_in.ports_open(state, scene)


def way_for_blasts(state: Siege, scene: Scene) -> Bools:
    """Return where flames and grenades have a way in: an opening, or a port (partly GB-100, partly GB-118)."""
    ways = (way_in.openings(state, scene) > 0) | by_port(state, scene)
    return ways & ~rooms.is_entered(state, scene)


def throwers(state: Siege, scene: Scene) -> Models:
    """Return who throws grenades: a quarter of the unit, rounded up, if it is near enough.

    From outside they are thrown by those who mean to drive the garrison out; others keep theirs for the charge.
    Ordinary models throw first; those with template weapons burn instead.
    """
    models, table = state.attackers.standing, scene.book.game.tables.grenades
    near = within(state.distance, table.range) & (plans.intent(state, scene) == plans.SMOKE)
    most = np.where(near & way_for_blasts(state, scene), throwing(scene.book.game, state.attackers.models), 0)
    able = tuple(n if i in scene.grenadiers else 0 * n for i, n in enumerate(models))
    return chosen(able, most, sorted(scene.grenadiers, reverse=True))


def in_reach(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers have flames or grenades that reach those inside."""
    models, groups = state.attackers.standing, scene.scenario.attackers.groups
    using = total(throwers(state, scene))
    for i in scene.burners:
        weapon = groups[i].weapon
        assert weapon is not None
        using = using + models[i] * within(state.distance, range_of(weapon))
    return (using > 0) & way_for_blasts(state, scene)


def burning(state: Siege, scene: Scene, nth: int) -> Bools:
    """Return where the attackers use flames or grenades in one of their shootings."""
    return shoots(nth, state.volleys) & in_reach(state, scene)


def burn(dice: Dice, state: Siege, scene: Scene, nth: int, reaction: bool) -> Siege:
    """Burn and blast the section attacked: each flame and each grenade meets those who are still alive in it.

    In a reaction they fall in the garrison's own turn, and count for no test.

    Source: Template Weapons; Confined Spaces; Shooting and Building Sections; Hand Grenades (GB-094, GB-117; partly
    GB-086, partly GB-093, partly GB-095, partly GB-100, partly GB-118, partly GB-147).
    """

    def thrown(target: Unit) -> list[Thrown]:
        return [*burning_shots(state, scene, nth, target), *grenades_thrown(state, scene, nth, target)]

    inside = rooms.inside(state, scene)
    return indoors.burnt(dice, state, scene, "defenders", inside, thrown, "flames and grenades", spared=reaction)


def burning_shots(state: Siege, scene: Scene, nth: int, target: Unit) -> Iterator[Thrown]:
    """Yield the shots of template weapons, through openings or at ports; behind ports those who man them are near."""
    book, models, port = scene.book, state.attackers.standing, by_port(state, scene)
    interior = OwnBuilding.of(scene.scenario.building).interior
    own = scene.scenario.attackers.groups[-1]
    cover: flames.Cover = "hard" if book.rulings.template_in_section("hard_cover") else "open"
    for i in scene.burners:
        group = scene.scenario.attackers.groups[i]
        weapon = group.weapon
        assert weapon is not None
        aims = plans.aims(state, scene)
        n = models[i] * in_shooting(nth, state.volleys, partial(shots_of, book.game, group, state.distance), aims)
        hidden, aimed = setting.approach(state, scene).smoke, is_aimed(book.game, own, state.distance, nth, aims)
        skill = skill_to_see(book.game, group.profile.BS, hidden) + throwing_in(state, scene, aimed)
        hurts, crowd = indoors.harm(scene, weapon, group.profile, target, state.distance), rooms.crowd(state, scene)
        yield flames.through_opening(book, n * ~port, skill, cover, crowd, interior, hurts, group.title)
        if scene.sealed:
            near = scene.scenario.building.firing_inches
            yield flames.through_port(book, n * port, skill, state.distance, "open", near, interior, hurts, group.title)


def grenades_thrown(state: Siege, scene: Scene, nth: int, target: Unit) -> Iterator[Thrown]:
    """Yield the grenades thrown: through openings, from near or far, or at ports."""
    book = scene.book
    port, sure = by_port(state, scene), within(state.distance, book.game.tables.grenades.sure_within)
    weapon, interior = grenade(book.game), OwnBuilding.of(scene.scenario.building).interior
    for i, n in enumerate(throwers(state, scene)):
        if i not in scene.grenadiers or scene.plan != "smoke":
            continue  # they keep theirs for the charge, or have none
        profile = scene.scenario.attackers.groups[i].profile
        count = in_shooting(nth, state.volleys, partial(throws, book.game, n))
        small = throwing_in(state, scene)
        ways = [
            grenades.close_by(count * (~port & sure)),
            grenades.through_opening(book, profile.BS, small, count * ~(port | sure)),
        ]
        if scene.sealed:
            ways.append(grenades.through_port(book, profile.BS + small, count * port))
        hurts = indoors.harm(scene, weapon, profile, target, state.distance)
        yield from (burst(book, way, interior, hurts, f"{profile.title}, grenade") for way in ways)


def throwing_in(state: Siege, scene: Scene, aimed: Argument = False) -> Ints:
    """Return what is added to Ballistic Skill for flames and grenades at those inside."""
    game, hard = scene.book.game, setting.approach(state, scene).cover == HARD
    few = small_group(game, scene.scenario.defenders, state.defenders.models)
    return modifiers(game, Circumstances(models=few, from_hard_cover=hard, aimed=aimed))
