"""How a scenario is put into these rules' words."""

from sims.games.wh40k.structures import melta_reach
from sims.rulesets.gw_updated.attack import blows
from sims.rulesets.gw_updated.book import GwUpdated
from sims.rulesets.gw_updated.state import Scene
from sims.scenario import Group, Scenario


def set_up(scenario: Scenario, book: GwUpdated) -> Scene:
    """Put a scenario into these rules' words.

    Those who storm close in and charge. Those who demolish stop where every weapon that can hurt the walls is at its
    best, and charge only if there is none. Those who shoot stop where the first of them reaches.
    """
    walls = book.tables.buildings.of(scenario.building.archetype)
    needed = walls.AV if book.rulings.glancing_hits("hull_points") else walls.AV + 1
    groups = scenario.attackers.groups
    shooters = [reach(book, group, needed) is not None for group in groups]
    strikers = [max(S for _, S, _ in blows(group, book)) + 6 >= needed for group in groups]
    storms = scenario.plan == "storm"
    charges = any(strikers) and (storms or (scenario.plan == "demolish" and not any(shooters)))
    halt = 0 if storms or charges else halting_distance(book, scenario, needed)
    if book.rulings.attackers_of_walls("damaged"):
        shooters = [reach(book, group, 1) is not None for group in groups]
        strikers = [True for _ in groups]
        charges = charges or storms
    return Scene(scenario, book, walls, halt, tuple(shooters), tuple(able and charges for able in strikers))


def halting_distance(book: GwUpdated, scenario: Scenario, needed: int) -> int:
    """Return how near those go who do not charge, if only a total of `needed` hurts the walls."""
    best = scenario.plan == "demolish"
    reaches = [reach(book, group, needed, best=best) for group in scenario.attackers.groups]
    able = [r for r in reaches if r is not None]
    return (min if best else max)(able, default=scenario.distance)


def reach(book: GwUpdated, group: Group, needed: int, *, best: bool = False) -> int | None:
    """Return how far a group's weapon reaches to bring its total up to `needed`, None if it cannot.

    At its best a melta weapon is within half its range. Blasts are left out.
    """
    weapon = group.weapon
    if weapon is None or weapon.kind in ("blast", "melee"):
        return None
    S, half = weapon.strength(group.profile), melta_reach(book.game, weapon)
    if needed <= S + 6:
        return half if best and weapon.melta else weapon.range
    return half if weapon.melta and needed <= S + 12 else None


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    walls, building = scene.walls, scene.scenario.building
    emplaced = ", ".join(f"{n} x {weapon.title.lower()}" for weapon, n in scene.weapons)
    ours = "" if building.military else " (ours: the books give none for such a building)"
    return {
        "Building": f"Armour Value {walls.AV}{ours}, {walls.size}{', Mighty Bulwark' if walls.mighty_bulwark else ''}",
        "Fire from the building": f"{building.firing_points} fire points",
        "Emplaced weapons": f"{emplaced}, firing by themselves" if emplaced else "none",
        "Those inside": "cannot be struck while the building stands; masonry and templates at fire points hurt them",
        "Attackers halt": "at the walls" if scene.halt == 0 else f"{scene.halt} inches away",
        "Against the walls": against_the_walls(scene),
        "Heavy weapons": "do not move and fire; only pistols, assault weapons and templates fire before a charge",
        "Captured": "when nobody is left alive inside a building that stands",
        "Destroyed": "when it collapses: the survivors are thrown out and fight no more",
        "Attackers broken": "only when none is left: these rules give no morale check",
    }


def against_the_walls(scene: Scene) -> str:
    """Say what the attackers turn on the walls."""
    groups = scene.scenario.attackers.groups
    shots = dict.fromkeys(g.weapon.title for g, can in zip(groups, scene.shooters, strict=True) if can and g.weapon)
    blow = ["blows and grenades"] if any(scene.strikers) else []
    return ", ".join([*(title.lower() for title in shots), *blow]) or "nothing that they have can hurt them"
