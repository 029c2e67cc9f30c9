"""How a scenario is put into these rules' words."""

from sims.games.wh40k.open_fight import order_of_blows
from sims.games.wh40k.structures import melta_reach
from sims.rulesets.gw_updated.attack import blows
from sims.rulesets.gw_updated.book import GwUpdated, Walls
from sims.rulesets.gw_updated.state import Scene
from sims.scenario import AttackPlan, Group, Scenario


def set_up(scenario: Scenario, book: GwUpdated) -> Scene:
    """Put a scenario into these rules' words.

    Those who storm close in and charge. Those who demolish stop where every weapon that can hurt the walls is at its
    best, and charge only when nobody with such a weapon is left. Those who shoot stop where the first of them reaches.
    Those who smoke out stop where the last template reaches.
    """
    walls, plan = walls_of(scenario, book), played(scenario, book)
    needed = walls.AV if book.rulings.glancing_hits("hull_points") else walls.AV + 1
    hurts = 1 if book.rulings.attackers_of_walls("damaged") else needed
    groups = scenario.attackers.groups
    return Scene(
        scenario=scenario,
        rules=book,
        walls=walls,
        plan=plan,
        halt=halting_distance(book, scenario, plan, needed),
        shooters=tuple(reach(book, g, hurts) is not None and (plan != "smoke" or is_template(g)) for g in groups),
        strikers=tuple(plan in ("storm", "demolish") and strikes(g, hurts, book) for g in groups),
        order=tuple(order_of_blows(scenario.attackers, scenario.defenders)),
    )


def walls_of(scenario: Scenario, book: GwUpdated) -> Walls:
    """Return the walls of the building: those of its kind, but for an Armour Value that is known (partly BASE-022)."""
    walls, known = book.tables.buildings.of(scenario.building.archetype), scenario.building.armour
    return walls if known is None else walls.model_copy(update={"AV": known})


def through_fire_points(scenario: Scenario, book: GwUpdated) -> bool:
    """Return whether templates reach those inside (BASE-028)."""
    return scenario.building.firing_points > 0 and book.rulings.templates_at_fire_points("D6_hits")


def played(scenario: Scenario, book: GwUpdated) -> AttackPlan:
    """Return the plan of the attackers as it is played: without templates and fire points nobody is smoked out."""
    able = through_fire_points(scenario, book) and any(is_template(g) for g in scenario.attackers.groups)
    return "shoot" if scenario.plan == "smoke" and not able else scenario.plan


def is_template(group: Group) -> bool:
    """Return whether a group carries template weapons."""
    return group.weapon is not None and group.weapon.kind == "template"


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
    return max(S for _, S, _ in blows(group, book)) + 6 >= needed


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
    building = scene.scenario.building
    emplaced = ", ".join(f"{n} x {weapon.title.lower()}" for weapon, n in scene.weapons)
    in_the_open = scene.scenario.defence == "sally"
    return {
        "Building": the_walls(scene),
        "Attackers": the_attackers(scene),
        "Garrison": the_garrison(scene),
        "Fire from the building": f"{building.firing_points} fire points",
        "Emplaced weapons": f"{emplaced}, firing by themselves" if emplaced else "none",
        "Those inside": "cannot be struck while the building stands; masonry and templates at fire points hurt them",
        "Against the walls": against_the_walls(scene),
        "Heavy weapons": "do not move and fire; only pistols, assault weapons and templates fire before a charge",
        "Captured": "when no defender is left alive inside a building that stands"
        + (", or the garrison is beaten in the open" if in_the_open else ""),
        "Destroyed": "when it collapses: the survivors are thrown out and fight no more",
        "Attackers broken": "when none is left or they fall back from a close combat in the open"
        if in_the_open
        else "only when none is left: these rules give no morale check",
    }


def the_walls(scene: Scene) -> str:
    """Say what the building is made of, and where its Armour Value comes from."""
    walls, building = scene.walls, scene.scenario.building
    source = " (ours: the books give none for such a building)" if not building.military else ""
    if building.armour is not None:
        source = " (as the scenario has it)"
    return f"Armour Value {walls.AV}{source}, {walls.size}{', Mighty Bulwark' if walls.mighty_bulwark else ''}"


def the_attackers(scene: Scene) -> str:
    """Say what the attackers do under their plan."""
    inches = min(scene.halt, scene.scenario.distance)
    halt = f"{inches} inches away" if inches else "at the walls"
    blow = "with blows and grenades" if any(scene.strikers) else "though nothing that they have can hurt them by hand"
    texts = {
        "storm": f"close in, shoot at the walls on the way and charge them, {blow}; nobody gets into an occupied "
        "building, so this is much like demolish",
        "demolish": f"keep together {halt}, where every weapon that hurts the walls is at its best; once none of these "
        + ("is left the others go on as under storm" if any(scene.strikers) else "is left the others can do nothing"),
        "shoot": f"stay {halt} and shoot at the walls, since those inside cannot be shot at",
        "smoke": f"halt {halt} and turn templates on the fire points, D6 hits each on those inside; they do nothing "
        "else, and these rules know no grenades for it",
    }
    text = texts[scene.plan]
    if scene.plan == "demolish" and not any(scene.shooters):
        text = f"as under storm: {texts['storm']}" if any(scene.strikers) else f"stay {halt}, since they can do nothing"
    if scene.plan != scene.scenario.plan:
        text = (
            f"no template reaches those inside, and these rules know no other way to smoke them out; as shoot: {text}"
        )
    if scene.scenario.defence == "sally":
        text += ". A garrison in the open they shoot at, and charge if they go in by hand"
    return text


def the_garrison(scene: Scene) -> str:
    """Say what the garrison does under its plan."""
    if scene.scenario.defence == "hold":
        return "stays inside and shoots from the fire points"
    near = "likely to succeed" if scene.rules.rulings.sally_when("likely") else "possible"
    return (
        f"shoots from the fire points until a charge is {near}; then all of it comes out, up to 6 inches, shoots with "
        "pistols, assault weapons and templates, and charges in the same turn. If the charge falls short it stands in "
        "the open, where it may be shot and charged. The building stays claimed, and nobody attacks it empty"
    )


def against_the_walls(scene: Scene) -> str:
    """Say what the attackers turn on the walls."""
    groups = scene.scenario.attackers.groups
    shots = dict.fromkeys(g.weapon.title for g, can in zip(groups, scene.shooters, strict=True) if can and g.weapon)
    blow = ["blows and grenades"] if any(scene.strikers) else []
    return ", ".join([*(title.lower() for title in shots), *blow]) or "nothing that they have can hurt them"
