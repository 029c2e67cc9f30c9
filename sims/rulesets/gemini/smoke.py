"""Flames through openings and ports, and grenades among those inside."""

from typing import Literal

import numpy as np

from sims.dice import UNDER, Bools, Dice, Ints, Test
from sims.dice.source import Argument
from sims.forces import Models, chosen, total
from sims.games.arap.hits import hit_target, to_hit
from sims.games.arap.measuring import within
from sims.games.arap.shooting import goal_of_shot, save_goals
from sims.games.arap.wounds import armour_save
from sims.profiles import Unit, Weapon
from sims.rulesets.gemini import way_in
from sims.rulesets.gemini.blasts import EVERYBODY, Blast, Blasts, Flame, Grenade
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.state import Scene, Siege, standing, wounded, wounds_left

Cover = Literal["open", "soft", "hard"]
Thrown = tuple[Blast, list[Argument]]
"""A kind of flame or grenade, and the arguments of its draw."""


def port_open(rules: Gemini, fired: Argument, just_now: Argument) -> Bools:
    """Return whether the shutters of ports are open: the garrison has fired from them, ever or just now (GB-149)."""
    ruling = rules.rulings.shutters
    if ruling("none"):
        return np.ones_like(np.asarray(fired), dtype=np.bool_)
    return np.asarray(fired if ruling("stay_open") else just_now) > 0


def unshuttered(state: Siege, scene: Scene, fires: Bools) -> Ints:
    """Return whether the garrison has ever fired from its ports; only noted where somebody could make use of it."""
    if not scene.sealed or not (scene.burners or scene.plan == "smoke"):
        return state.ports_open
    return np.asarray(np.where(fires, 1, state.ports_open))


def by_port(state: Siege, scene: Scene) -> Bools:
    """Return where firing ports are the only way for flames and grenades, and are open."""
    only = scene.sealed & (way_in.openings(state, scene) == 0)
    return np.asarray(only & port_open(scene.rules, state.ports_open, state.exposed))


def way_for_blasts(state: Siege, scene: Scene) -> Bools:
    """Return where flames and grenades have a way in: an opening, or a port (partly GB-100, partly GB-118)."""
    return np.asarray((way_in.openings(state, scene) > 0) | by_port(state, scene))


def quarter(rules: Gemini, models: Argument) -> Ints:
    """Return how many of a unit may throw grenades (ARAP-156)."""
    return np.asarray(-(-np.asarray(models) // rules.tables.grenades.share))


def throwers(state: Siege, scene: Scene) -> Models:
    """Return who throws grenades: a quarter of the unit, rounded up, if it is near enough.

    They are thrown by those who mean to drive the garrison out; others keep theirs for the charge. Ordinary models
    throw first; those with template weapons burn instead.
    """
    models, table = standing(state, scene, "attackers"), scene.rules.tables.grenades
    near = within(state.distance, table.range) & (way_in.intent(state, scene) == way_in.SMOKE)
    most = np.where(near & way_for_blasts(state, scene), quarter(scene.rules, state.attackers.models), 0)
    able = tuple(n if i in scene.grenadiers else 0 * n for i, n in enumerate(models))
    return chosen(able, most, sorted(scene.grenadiers, reverse=True))


def in_reach(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers have flames or grenades that reach those inside."""
    models, groups = standing(state, scene, "attackers"), scene.scenario.attackers.groups
    using = total(throwers(state, scene))
    for i in scene.burners:
        weapon = groups[i].weapon
        assert weapon is not None
        using = using + models[i] * within(state.distance, weapon.range)
    return np.asarray((using > 0) & way_for_blasts(state, scene))


def burning(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers use flames or grenades."""
    return np.asarray((state.volleys > 0) & in_reach(state, scene))


def burn(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Burn and blast the section attacked: each flame and each grenade meets those who are still alive in it.

    Source: Template Weapons; Confined Spaces; Shooting and Building Sections; Hand Grenades (GB-094, GB-117; partly
    GB-086, partly GB-093, partly GB-095, partly GB-100, partly GB-118, partly GB-147, partly ARAP-125, partly
    ARAP-144, partly ARAP-157).
    """
    thrown = [*flames(state, scene), *grenades(state, scene)]
    most = wounds_left(state, scene, "defenders", way_in.crowd(state, scene))
    mechanic = Blasts(tuple(kind for kind, _ in thrown), scene.scenario.defenders.unit.W)
    arguments = [argument for _, own in thrown for argument in own]
    wounds = dice.draw("flames and grenades", mechanic, *arguments, most)
    dice.tally("defenders lost to flames and grenades", wounds)
    after = wounded(state, scene, "defenders", wounds)
    return after.replace(fallen=state.defenders.models - after.defenders.models)


def flames(state: Siege, scene: Scene) -> list[Thrown]:
    """Return the shots of template weapons, through openings or at ports.

    Through an opening a roll that succeeds hits everybody in the section; at a port it has to be two better, or one
    from within 2 inches. Flames that fail it still lick at whoever is near: behind ports only those who man them.
    """
    rules, table, found = scene.rules, scene.rules.tables.templates, list[Thrown]()
    models, port = standing(state, scene, "attackers"), by_port(state, scene)
    cover: Cover = "hard" if rules.rulings.template_in_section("hard_cover") else "open"
    reach = np.where(port, scene.scenario.building.firing_inches, way_in.crowd(state, scene))
    for i in scene.burners:
        group = scene.scenario.attackers.groups[i]
        weapon = group.weapon
        assert weapon is not None
        actions = np.minimum(state.volleys, 1) if rules.game.rulings.template_shots("once") else state.volleys
        n = np.where(within(state.distance, weapon.range), models[i] * weapon.shots * actions, 0)
        skill = group.profile.BS + rules.game.tables.fire.against(state.defenders.models)
        through: tuple[Argument, ...] = through_opening(rules, skill, cover)
        behind: tuple[Argument, ...] = through_port(rules, skill, within(state.distance, table.near))
        full, bare, missed = (np.where(port, np.asarray(b), a) for a, b in zip(through, behind, strict=True))
        goal, saves, tests = harm(state, scene, weapon, group.profile)
        arguments: list[Argument] = [n, full, bare, reach, table.otherwise, missed, interior(rules), goal, *saves]
        found.append((Flame(to_hit(rules.game), tests, group.title), arguments))
    return found


def through_opening(rules: Gemini, skill: Argument, cover: Cover) -> tuple[Ints, Ints, int]:
    """Return the targets of a template through an opening: to hit all, to succeed barely; and the score if it fails.

    Source: Template Weapon Shots Through Openings (GB-102).
    """
    table, ladder = rules.tables.templates, rules.rulings.template_missed("ladder")
    margin = {"open": 0, "soft": table.soft_cover, "hard": table.hard_cover}[cover]
    fallen = {"open": table.otherwise, "soft": table.missed_soft_cover, "hard": table.missed_hard_cover}[cover]
    return (
        hit_target(rules.game, skill, margin),
        hit_target(rules.game, skill, 0),
        fallen if ladder else table.otherwise,
    )


def through_port(rules: Gemini, skill: Argument, near: Argument, cover: Cover = "open") -> tuple[Ints, Ints, int]:
    """Return the targets of a template at a port: to hit all, to get through; and the score of those near it if not.

    Source: Template Weapon Shots Through Openings; Shooting at Firing Ports (GB-104, GB-105, GB-150).
    """
    table = rules.tables.templates
    port = np.where(near, table.port_near, table.port)
    margin = {"open": 0, "soft": table.soft_cover, "hard": table.hard_cover}[cover]
    return hit_target(rules.game, skill, port + margin), hit_target(rules.game, skill, port), table.otherwise


def grenades(state: Siege, scene: Scene) -> list[Thrown]:
    """Return the grenades thrown: from 2 inches of an opening they always get in, from farther by a roll.

    A roll that fails leaves them outside. Of those that hit a port half go through, whatever the distance.
    """
    rules, table, found = scene.rules, scene.rules.tables.grenades, list[Thrown]()
    port, sure = by_port(state, scene), within(state.distance, table.sure_within)
    grenade = Weapon(title="grenade", kind="blast", range=table.range, S=table.S, blast=3)
    once = rules.game.rulings.grenade_throws("once")
    for i, n in enumerate(throwers(state, scene)):
        if i not in scene.grenadiers or scene.plan != "smoke":
            continue  # they keep theirs for the charge, or have none
        profile = scene.scenario.attackers.groups[i].profile
        who = f"{profile.title}, grenade"
        count = n * (np.minimum(state.volleys, 1) if once else state.volleys)
        small = rules.game.tables.fire.against(state.defenders.models)
        modifier = table.modifier + small
        goal, saves, tests = harm(state, scene, grenade, profile)
        ends: list[Argument] = [interior(rules), goal, *saves]
        roll = to_hit(rules.game)
        found.append((Grenade((), tests, who), [np.where(~port & sure, count, 0), *ends]))
        to = hit_target(rules.game, profile.BS, modifier)
        found.append((Grenade((roll,), tests, who), [np.where(~port & ~sure, count, 0), to, *ends]))
        found.append(
            (Grenade((roll, UNDER), tests, who), [np.where(port, count, 0), *at_port(rules, profile.BS, small), *ends])
        )
    return found


def at_port(rules: Gemini, BS: Argument, modifiers: Argument) -> tuple[Ints, int]:
    """Return the targets of a grenade at a port: to hit it, and to go through (GB-148)."""
    skill = rules.tables.grenades.modifier + rules.tables.ports.modifier + modifiers
    return hit_target(rules.game, BS, skill), rules.tables.ports.through


def interior(rules: Gemini) -> int:
    """Return the score at which a blast inside hits each occupant: all of them in a confined space (GB-117)."""
    table, ruling = rules.tables.interiors, rules.rulings.section_interior
    return EVERYBODY if ruling("confined") else table.hard_cover if ruling("hard_cover") else table.open


def harm(state: Siege, scene: Scene, weapon: Weapon, bearer: Unit) -> tuple[Ints, tuple[int, ...], tuple[Test, ...]]:
    """Return the goal to wound those inside, and their saves with their rolls."""
    garrison, game = scene.scenario.defenders.unit, scene.rules.game
    saves = save_goals(garrison, weapon.AP, both=scene.both_saves)
    goal = goal_of_shot(game, weapon, bearer, garrison.T, state.distance)
    return goal, saves, tuple(armour_save(game) for _ in saves)
