"""What the page says of a scenario under these rules; every number is the book's."""

from collections.abc import Iterator

from sims.dice.telling import dice_in_words
from sims.forces import at_full_strength
from sims.games.wh40k.allocation import passes
from sims.games.wh40k.fire import burns_inside, fires_overwatch
from sims.games.wh40k.moving import charge_dice, difficult_ground
from sims.games.wh40k.retreat import is_played
from sims.games.wh40k.rules import wounds_to_kill
from sims.games.wh40k.words import falling_back, morale_under_fire, unread_ground
from sims.inputs import NONE
from sims.rulesets.gw_updated.leaving import farthest_charge
from sims.rulesets.gw_updated.setting import is_template, places
from sims.rulesets.gw_updated.state import Scene
from sims.scenario import Force
from sims.words import NEVER_FIRED, NO_GROUND, NOT_MODELLED, NOT_USED, counted


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    texts = {
        "Building": the_walls(scene),
        "Attackers": the_attackers(scene),
        "Garrison": the_garrison(scene),
        "Fire from the building": fire_points(scene),
        "Emplaced weapons": emplaced(scene),
        "Those inside": those_inside(scene),
        "Against the walls": against_the_walls(scene),
        "Heavy weapons": "do not move and fire; only pistols, assault weapons and templates fire before a charge",
        "Captured": captured(scene, emptied(scene)),
        "Destroyed": f"when it collapses: the survivors are thrown out{room(scene)} and fight no more",
        "Who falls": who_falls(scene),
        "Morale under fire": morale_under_fire(scene.book.game, steadfast(scene)),
        **broken(scene),
    }
    if sallies(scene):
        texts["Overwatch"] = overwatch(scene)
    for term, items in ((NOT_MODELLED, [*not_modelled(scene)]), (NEVER_FIRED, [*never_fired(scene)])):
        if items:
            texts[term] = "; ".join(items)
    more_doors = ["doors (beyond the first)"] * bool(scene.scenario.building.doors)
    texts[NOT_USED] = ", ".join(["footprint", "material", "military", "door", "firing inches", "levels", *more_doors])
    if ground := unread_ground(scene.book.game, scene.scenario):
        texts[NO_GROUND] = ", ".join(ground)
    return texts


def emptied(scene: Scene) -> str:
    """Say when a building stands empty (GW-005, BASE-061)."""
    flights = ["lose a round of close combat in the open, fail their morale check and fall back"] * sallies(scene)
    checks = sallies(scene) or scene.book.game.rulings.embarked_units("test")
    flights += ["fail their morale check under fire"] * (checks and is_played(scene.book.game))
    return ", or they ".join(["no defender is left alive", *flights])


def sallies(scene: Scene) -> bool:
    """Return whether the garrison comes out by its plan."""
    return scene.scenario.defence == "sally"


def steadfast(scene: Scene) -> str:
    """Say what morale under fire is to the garrison (BASE-061)."""
    inside = ["inside"] * scene.book.game.rulings.embarked_units("test")
    where = " or ".join([*inside, *["in the open"] * sallies(scene)])
    if not where:
        return "a garrison in its building stands fast"
    return f"and by a garrison {where}, which is gone for good if it falls back"


def broken(scene: Scene) -> dict[str, str]:
    """Say when the attackers have broken (BASE-034, BASE-062)."""
    if is_played(scene.book.game):
        back = falling_back(scene.book.game, scene.scenario)
        return {"Attackers broken": "when none is left, or none comes back", "Attackers who fall back": back}
    if sallies(scene):
        why = "when none is left, or when they lose a round of close combat in the open, fail their morale check and"
        return {"Attackers broken": f"{why} fall back"}
    return {"Attackers broken": "only when none is left: nothing makes them test their morale"}


def who_falls(scene: Scene) -> str:
    """Say who suffers wounds: of models with several Wounds in the open the nearest (BASE-041)."""
    text = f"{scene.book.game.rulings.who_falls.said}; to hits on the building each is drawn (GW-031)"
    forces = (scene.scenario.attackers, scene.scenario.defenders)
    if any(side.unit.W > 1 and not side.mixed for side in forces):
        text += "; in the open the one that is nearest suffers every wound until it falls"
    if any(side.mixed for side in forces):
        text += f"; {one_by_one(scene)}"
    return text


def one_by_one(scene: Scene) -> str:
    """Say how wounds find models that are not alike, and who passes them on (BASE-041, BASE-064, BASE-065)."""
    text = (
        "where models differ in Toughness, Wounds or saves, hits wound against the Toughness of most, and each wound "
        "is saved and suffered by the model that it falls on, of those alike first by one who is hurt"
    )
    for whose, force in (("attackers'", scene.scenario.attackers), ("garrison's", scene.scenario.defenders)):
        needs = [passes(scene.book.game, force, i) for i, _ in enumerate(force.bodies)]
        if min(needs) < NONE:
            text += f"; a wound on the {whose} leader in the open is passed on to another on {min(needs)}+"
    return text


def not_modelled(scene: Scene) -> Iterator[str]:
    """Yield what the scenario has and these rules do not play yet."""
    scenario = scene.scenario
    for side, force in (("attackers", scenario.attackers), ("garrison", scenario.defenders)):
        yield from (f"{w.title} of the {side}, which does not fire" for w in force.guns if w.kind == "blast")
    yield from (f"the marker of the mounted {w.title}" for w in dict.fromkeys(scenario.mounted) if w.kind == "blast")
    if scenario.defence == "sally":
        yield from deadly(scene, scenario.attackers, scenario.defenders)
    yield from deadly(scene, scenario.defenders, scenario.attackers)
    yield from scenario.unread("send", "first_in")


def deadly(scene: Scene, force: Force, at: Force) -> Iterator[str]:
    """Yield the weapons of which one wound takes away a model of several, as is played inside alone (BASE-012)."""
    armed = [(arm, group.profile) for group in force.groups for arm in (group.weapon, group.melee) if arm]
    for arm, bearer in dict.fromkeys([] if at.mixed else armed):
        if wounds_to_kill(scene.book.game, arm.strength(bearer), at.unit) < at.unit.W:
            yield f"{arm.title} in the open, where one wound of it takes a whole {at.unit.title} away"


def never_fired(scene: Scene) -> Iterator[str]:
    """Yield the weapons that never fire, where those who carry them have nothing but walls to fire at."""
    scenario = scene.scenario
    burn = burns_inside(scene.book.game, scenario.building.firing_points)
    used = {g.weapon for g, can in zip(scenario.attackers.groups, scene.shooters, strict=True) if can}
    used |= {w for w in scenario.attackers.guns if w.kind == "blast" or (burn and w.kind == "template")}
    why = "templates alone are, to smoke out" if scene.plan == "smoke" else "it cannot hurt the walls"
    if scenario.defence == "hold":
        yield from (f"{w.title} of the attackers ({why})" for w in scenario.attackers.guns if w not in used)
    if not scenario.building.firing_points:
        yield from (f"{w.title} of the garrison (no firing point)" for w in scenario.defenders.guns)


def captured(scene: Scene, empty: str) -> str:
    """Say what an empty building is claimed by (GW-005, GW-006)."""
    book, force, building = scene.book, scene.scenario.attackers, scene.scenario.building
    near = f"within {book.game.tables.access.embark} inches of a door"
    if not building.doors:
        return "never: it has no door to get in by; once it is empty they go on against its walls"
    need, room = places(book, force, at_full_strength(force)).item(), scene.room
    fit, till_then = "with room for all of them", "they leave its walls alone"
    if book.rulings.claiming_unit("part"):
        fit = "with room for one of them at least"
    if need > room:
        fit = f"{fit}: it has {room} places and they take {need} at the start"
        till_then = "while they are too many they go on against its walls (GW-011)"
    guns = ", fires its weapons" if scene.weapons else ""
    return (
        f"when {empty}, and the attackers then end a move {near} of the building that stands, {fit}; "
        f"until then it stays claimed{guns}, and {till_then}; {last_inside(scene)}; "
        "from its roof nobody claims it (GW-007)"
    )


def last_inside(scene: Scene) -> str:
    """Say what becomes of a volley that has killed the last of those inside (GW-057)."""
    goes_on = scene.book.rulings.volley_when_empty("goes_on")
    then = "still hits the building" if goes_on else "is called off if they can get in"
    return f"the rest of the volley that kills the last of those inside {then}"


def the_walls(scene: Scene) -> str:
    """Say what the building is made of, and where its Armour Value comes from."""
    walls, building = scene.walls, scene.scenario.building
    source = " (ours: the books give none for such a building)" if not building.military else ""
    if building.armour is not None:
        source = " (as the scenario has it)"
    room = f", with {scene.room} places inside by its size" if scene.book.game.rulings.room_inside("by_size") else ""
    return f"Armour Value {walls.AV}{source}, {walls.size}{', Mighty Bulwark' if walls.mighty_bulwark else ''}{room}"


def the_attackers(scene: Scene) -> str:
    """Say what the attackers do under their plan."""
    texts = {"storm": stormed, "demolish": demolished, "shoot": shot_at, "smoke": smoked_out}
    text = texts[scene.plan](scene)
    if scene.plan != scene.scenario.plan:
        why = {
            "smoke": "no template reaches those inside, and these rules know no other way to smoke them out; as shoot",
            "demolish": "blows or grenades can hurt the walls, and all that can is turned on them; as storm",
        }
        text = f"{why[scene.scenario.plan]}: {text}"
    if scene.scenario.defence == "sally":
        text += f". A garrison in the open they shoot at, {in_the_open(scene)}"
    return text


def in_the_open(scene: Scene) -> str:
    """Say whether the attackers charge a garrison that has come out."""
    if scene.plan == "storm":
        return "and charge"
    by_hand = scene.plan == "demolish" and any(scene.strikers)
    return "and charge once they go in by hand" if by_hand else "but do not charge"


def stormed(scene: Scene) -> str:
    """Say what those do who close in."""
    shots = "close in and shoot at the walls on the way" if any(scene.shooters) else "close in"
    if not any(scene.strikers):
        return f"{shots}; they charge no walls that they cannot hurt by hand, and nobody gets into an occupied building"
    return f"{shots}, charge the walls and strike with blows and grenades; nobody gets into an occupied building"


def demolished(scene: Scene) -> str:
    """Say what those do whose blows do not hurt the walls as built."""
    if not any(scene.shooters):
        return stormed(scene) if any(scene.strikers) else f"stay {halt(scene)}, since they can do nothing to the walls"
    then = "go in by hand at last, as under storm" if any(scene.strikers) else "can do nothing to the walls"
    return (
        f"keep together {halt(scene)}, where every weapon that hurts the walls is at its best; once none of these is "
        f"left the others {then}"
    )


def shot_at(scene: Scene) -> str:
    """Say what those do who stand off and shoot."""
    if not any(scene.shooters):
        return f"stay {halt(scene)}, since they can do nothing to the walls and those inside cannot be shot at"
    return f"stay {halt(scene)} and shoot at the walls, since those inside cannot be shot at"


def smoked_out(scene: Scene) -> str:
    """Say what those do who bring templates to the fire points."""
    walls = ", which hit the walls too" if any(scene.shooters) else ""
    return (
        f"halt {halt(scene)} and turn templates on the fire points{walls}; they do nothing else, and these rules know "
        "no grenades for it"
    )


def halt(scene: Scene) -> str:
    """Say how far from the building the attackers stop."""
    inches = min(scene.halt, scene.scenario.distance)
    return f"{inches} inches away" if inches else "at the walls"


def the_garrison(scene: Scene) -> str:
    """Say what the garrison does under its plan."""
    if scene.scenario.defence == "hold":
        return "stays inside and shoots from the fire points"
    book = scene.book
    inches, movement = farthest_charge(book), book.game.tables.movement
    difficult = difficult_ground(book.game)
    over = " over difficult ground" if difficult else ""
    charge = f"charges {dice_in_words(charge_dice(book.game, difficult=difficult).name)} inches{over}"
    return (
        f"shoots from the fire points until a charge of {inches} inches or less is left; then all of it comes out, up "
        f"to {movement.disembark} inches ({book.tables.leaving.after_tremor} after a Tremor), shoots with pistols, "
        f"assault weapons and templates, and {charge} in the same turn. If the charge falls short it stands in the "
        "open, where it may be shot and charged. The building stays claimed, and nobody attacks it meanwhile"
    )


def fire_points(scene: Scene) -> str:
    """Say how many models inside fire."""
    each = "two models" if scene.book.game.rulings.firing_point_models("two") else "one model"
    return f"{counted(scene.scenario.building.firing_points, 'fire point')}, {each} at each"


def emplaced(scene: Scene) -> str:
    """Say what is mounted on the building."""
    weapons = ", ".join(f"{n} x {weapon.title.lower()}" for weapon, n in scene.weapons)
    BS = scene.book.game.tables.automated_fire.BS
    if not weapons:
        return "none"
    alone = f"{weapons}, firing by themselves at Ballistic Skill {BS}"
    if scene.book.game.rulings.emplaced_weapons("by_themselves"):
        return alone
    own = scene.scenario.defenders.unit.BS
    return f"{alone}; manned, at Ballistic Skill {own}, by those inside who do not shoot from a fire point"


def those_inside(scene: Scene) -> str:
    """Say what hurts those inside: masonry, and templates under every plan."""
    tables, groups = scene.book.tables, scene.scenario.attackers.groups
    text = (
        "cannot be struck while the building stands; masonry hurts them, "
        f"{tables.masonry.hits.name} hits of Strength {tables.masonry.S} at a time"
    )
    if scene.several_wounds or scene.scenario.defenders.mixed:
        text += ", each wound on a model drawn for it"
    burners = dict.fromkeys(g.weapon for g in groups if is_template(g) and g.weapon)
    if not burners or not burns_inside(scene.book.game, scene.scenario.building.firing_points):
        return text
    reach = ", ".join(f"{weapon.title.lower()} within {weapon.range} inches" for weapon in burners)
    return (
        f"{text}; and so do templates at the fire points, in every turn that the attackers shoot from near enough, "
        f"before any charge ({reach}): {scene.book.game.tables.fire_points.template_hits.name} hits each"
    )


def room(scene: Scene) -> str:
    """Say who is lost because the book leaves no room outside (GW-045)."""
    models = scene.book.tables.forced_exit.room
    return f" ({models} of them; the others find no room)" if models < scene.scenario.defenders.models else ""


def against_the_walls(scene: Scene) -> str:
    """Say what the attackers turn on the walls."""
    groups = scene.scenario.attackers.groups
    shots = dict.fromkeys(g.weapon.title for g, can in zip(groups, scene.shooters, strict=True) if can and g.weapon)
    blow = ["blows and grenades"] if any(scene.strikers) else []
    nothing = (
        "nothing: they only burn those inside" if scene.plan == "smoke" else "nothing that they have can hurt them"
    )
    return ", ".join([*(title.lower() for title in shots), *blow]) or nothing


def overwatch(scene: Scene) -> str:
    """Say whether those who are charged in the open shoot (BASE-008)."""
    if not fires_overwatch(scene.book.game):
        return "nobody fires at those who charge in the open"
    tables = scene.book.game.tables
    BS, hits = tables.snap_shots.BS, tables.overwatch.template_hits.name
    return (
        f"those who are charged in the open fire Snap Shots at Ballistic Skill {BS}, and {hits} hits of each template"
    )
