"""What scenarios are made of: the units, weapons and buildings that come with Casemate."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.terminal import console
from analysis.words import own_facts, setting
from sims.profiles import Building, Profile, Unit, Weapon, library
from sims.scenario import Group, load_scenario, scenario_ids

PROFILE = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv")
WEAPON = ("kind", "range", "S", "AP", "shots", "blast")


def show() -> None:
    """Print the scenarios, and the units, weapons and buildings that a scenario file may name."""
    out = console()
    rows: list[tuple[str, ...]] = []
    for id in scenario_ids():
        scenario = load_scenario(id)
        sides = (side.unit.counted(side.models) for side in (scenario.attackers, scenario.defenders))
        rows.append((id, scenario.title, *sides, scenario.building.title, str(scenario.turns)))
    _show(out, "Scenarios", ("id", "title", "attackers", "garrison", "building", "turns"), rows)
    shelf = library()
    _show(out, "Units", ("id", *PROFILE), [(id, *_profile(unit)) for id, unit in shelf.units.items()])
    _show(out, "Weapons", ("id", *WEAPON), [(id, *_weapon(each)) for id, each in shelf.weapons.items()])
    _show_own(out, shelf.weapons)
    building = ("id", "archetype", "material", "doors", "firing points", "capacity")
    _show(out, "Buildings", building, [(id, *_building(each)) for id, each in shelf.buildings.items()])
    _show_own(out, shelf.buildings)


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
    units = dict.fromkeys(group.profile for group in groups)
    weapons = dict.fromkeys(w for group in groups for w in (group.weapon, group.melee) if w)
    _show(out, "Units", ("", *PROFILE), [(unit.title, *_profile(unit)) for unit in units])
    _show(out, "Weapons", ("", *WEAPON), [(w.title, *_weapon(w)) for w in dict.fromkeys([*weapons, *scenario.mounted])])


def described(name: str) -> dict[str, Any]:
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
        "building": scenario.building.written,
        "mounted": [weapon.written for weapon in scenario.mounted],
        **{
            side: {"models": force.models, "plan": plan, "groups": [_group(group) for group in force.groups]}
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


def _show(out: Console, title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    out.print(Text(title, style="bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    out.print(table)


def _profile(unit: Unit) -> tuple[str, ...]:
    save = f"{unit.Sv}+" if unit.Sv else "-"
    if unit.invulnerable:
        save += f"/{unit.invulnerable}+"
    return (*map(str, (unit.WS, unit.BS, unit.S, unit.T, unit.W, unit.I, unit.A, unit.Ld)), save)


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    strength = f"user+{weapon.S_bonus}" if weapon.S is None else str(weapon.S)
    reach = f'{weapon.range}"' if weapon.range else "-"
    blast = f'{weapon.blast}"' if weapon.blast else "-"
    return (weapon.kind, reach, strength.removesuffix("+0"), str(weapon.AP or "-"), str(weapon.shots), blast)


def _building(building: Building) -> tuple[str, ...]:
    counts = (building.doors, building.firing_points, building.capacity)
    return (building.archetype, building.material, *map(str, counts))


def _show_own(out: Console, profiles: Mapping[str, Profile]) -> None:
    """Print what single sets of rules are told of profiles, beside the ids of the rules."""
    own = [f"{id}: {', '.join(facts)}" for id, profile in profiles.items() if (facts := [*own_facts(profile)])]
    out.print(Text(f"For one set of rules alone: {'; '.join(own)}.\n"))
