"""What scenarios are made of: the units, weapons and buildings that come with Casemate."""

from collections.abc import Mapping

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.terminal import console
from analysis.words import own_facts
from sims.profiles import Building, Profile, Unit, Weapon, library
from sims.scenario import load_scenario, scenario_ids


def show() -> None:
    """Print the scenarios, and the units, weapons and buildings that a scenario file may name."""
    out = console()
    rows: list[tuple[str, ...]] = []
    for id in scenario_ids():
        scenario = load_scenario(id)
        sides = (f"{side.models} {side.unit.title}" for side in (scenario.attackers, scenario.defenders))
        rows.append((id, scenario.title, *sides, scenario.building.title, str(scenario.turns)))
    _show(out, "Scenarios", ("id", "title", "attackers", "garrison", "building", "turns"), rows)
    shelf = library()
    profile = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv")
    _show(out, "Units", ("id", *profile), [(id, *_profile(unit)) for id, unit in shelf.units.items()])
    weapon = ("id", "kind", "range", "S", "AP", "shots", "blast")
    _show(out, "Weapons", weapon, [(id, *_weapon(each)) for id, each in shelf.weapons.items()])
    _show_own(out, shelf.weapons)
    building = ("id", "archetype", "material", "doors", "firing points", "capacity")
    _show(out, "Buildings", building, [(id, *_building(each)) for id, each in shelf.buildings.items()])
    _show_own(out, shelf.buildings)


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
