"""What scenarios are made of: the units, weapons and buildings that come with Casemate."""

from collections.abc import Collection, Container, Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from analysis.say import tables
from analysis.say.console import console
from analysis.say.scenarios import more_facts, setting
from sims.profiles import Building, Profile, Unit, Weapon, library
from sims.scenario import Group, load_scenario, scenario_ids

PROFILE = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv", "move")
WEAPON = ("kind", "range", "S", "AP", "shots", "blast")
BUILDING = ("archetype", "material", "doors", "firing points", "capacity")
KNOWN: dict[type[Profile], Container[str]] = {
    Unit: {*PROFILE, "title", "plural", "invulnerable"},
    Weapon: {*WEAPON, "title", "S_bonus"},
    Building: {*BUILDING, "title", "firing_points", "footprint"},
}
"""Keys of profiles that the tables tell."""


def show() -> None:
    """Print the scenarios, and the units, weapons and buildings that a scenario file may name."""
    out = console()
    rows: list[tuple[str, ...]] = []
    for id in scenario_ids():
        scenario = load_scenario(id)
        sides = (side.unit.counted(side.models) for side in (scenario.attackers, scenario.defenders))
        rows.append((id, scenario.title, *sides, scenario.building.title, str(scenario.turns)))
    _show(out, "Scenarios", ("id", "title", "attackers", "garrison", "building", "turns"), rows, 5)
    shelf = library()
    _show_units(out, "id", shelf.units.items())
    _show_weapons(out, "id", shelf.weapons.items())
    _show(out, "Buildings", ("id", *BUILDING), [(id, *_building(each)) for id, each in shelf.buildings.items()], 3)
    _show_more(out, shelf.buildings.items())


def show_one(name: str) -> None:
    """Print a scenario: its story, its facts, and the profiles of those who fight in it."""
    out = console()
    scenario = load_scenario(name)
    out.print(Text(scenario.title, style="bold"))
    if scenario.story:
        out.print(scenario.story)
    for term, fact in setting(scenario).items():
        out.print(Text.assemble((f"{term}: ", "bold"), fact))
    out.print()
    groups = [*scenario.attackers.groups, *scenario.defenders.groups]
    weapons = [w for group in groups for w in (group.weapon, group.melee) if w]
    _show_units(out, "", [(unit.title, unit) for unit in dict.fromkeys(group.profile for group in groups)])
    _show_weapons(out, "", [(w.title, w) for w in dict.fromkeys([*weapons, *scenario.mounted])])


def description(name: str) -> dict[str, Any]:
    """Return a scenario as JSON has it: profiles are written out as a file would have them."""
    scenario = load_scenario(name)
    sides = {"attackers": (scenario.attackers, scenario.plan), "defenders": (scenario.defenders, scenario.defence)}
    return {
        "scenario": scenario.id,
        "title": scenario.title,
        "story": scenario.story,
        "distance": scenario.distance,
        "turns": scenario.turns,
        "first": scenario.first,
        "edge": scenario.edge,
        "walls": [wall.model_dump() for wall in scenario.walls],
        "bands": [band.model_dump() for band in scenario.bands],
        "building": scenario.building.written,
        "mounted": [weapon.written for weapon in scenario.mounted],
        **{
            side: {
                "models": force.models,
                "plan": plan,
                "formation": force.formation.model_dump() if force.formation else None,
                "groups": [_group(group) for group in force.groups],
            }
            for side, (force, plan) in sides.items()
        },
    }


def _group(group: Group) -> dict[str, Any]:
    arms = {"weapon": group.weapon, "melee": group.melee}
    return {"count": group.count, "unit": group.profile.written} | {
        name: weapon.written if weapon else None for name, weapon in arms.items()
    }


def as_data() -> dict[str, Any]:
    """Return what there is as JSON has it: scenarios by id and title, and the profiles by id."""
    shelf = library()
    return {"scenarios": {id: load_scenario(id).title for id in scenario_ids()}} | {
        kind: {id: profile.written for id, profile in getattr(shelf, kind).items()}
        for kind in ("units", "weapons", "buildings")
    }


def _show(out: Console, title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]], words: int) -> None:
    out.print(Text(title, style="bold"))
    tables.draw(out, headings, rows, words)


def _show_units(out: Console, heading: str, units: Collection[tuple[str, Unit]]) -> None:
    _show(out, "Units", (heading, *PROFILE), [(name, *_profile(unit)) for name, unit in units], 1)
    _show_more(out, units)


def _show_weapons(out: Console, heading: str, weapons: Collection[tuple[str, Weapon]]) -> None:
    _show(out, "Weapons", (heading, *WEAPON), [(name, *_weapon(weapon)) for name, weapon in weapons], 2)
    _show_more(out, weapons)


def _profile(unit: Unit) -> tuple[str, ...]:
    save = f"{unit.Sv}+" if unit.Sv else "-"
    if unit.invulnerable:
        save += f"/{unit.invulnerable}+"
    return (*map(str, (unit.WS, unit.BS, unit.S, unit.T, unit.W, unit.I, unit.A, unit.Ld)), save, f'{unit.move}"')


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    strength = f"user+{weapon.S_bonus}" if weapon.S is None else str(weapon.S)
    reach = f'{weapon.range}"' if weapon.range else "-"
    blast = f'{weapon.blast}"' if weapon.blast else "-"
    return (weapon.kind, reach, strength.removesuffix("+0"), str(weapon.AP or "-"), str(weapon.shots), blast)


def _building(building: Building) -> tuple[str, ...]:
    counts = (building.doors, building.firing_points, building.capacity)
    return (building.archetype, building.material, *map(str, counts))


def _show_more(out: Console, profiles: Iterable[tuple[str, Profile]]) -> None:
    """Print what profiles say that has no column, and what single sets of rules are told, beside the ids of those."""
    facts = ((name, [*more_facts(profile, KNOWN[type(profile)])]) for name, profile in profiles)
    if more := [f"{name}: {', '.join(said)}" for name, said in facts if said]:
        out.print(Text(f"Also: {'; '.join(more)}.\n"))
