"""What each side means to do, in the words of these rules."""

from collections.abc import Iterator

import numpy as np

from sims.forces import total
from sims.games.wh40k.areas import area_of, covers, is_area
from sims.games.wh40k.retreat import is_played
from sims.games.wh40k.structures import reach_to_hurt
from sims.games.wh40k.words import falling_back, morale_under_fire, unread_ground
from sims.profiles import Weapon
from sims.rulesets.storming.buildings import classes
from sims.rulesets.storming.state import Scene
from sims.rulesets.storming.storm import fireteam, who
from sims.rulesets.storming.storm.access import viable
from sims.rulesets.storming.storm.support import armed_with
from sims.rulesets.storming.usual import sally, structure
from sims.rulesets.storming.usual.structure import drift
from sims.words import NEVER_FIRED, NO_GROUND, NOT_USED, counted


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    usual, points = scene.building_class.usual, scene.scenario.building.firing_points
    fire = f"{counted(points, 'firing point')}, {counted(len(scene.scenario.mounted), 'mounted weapon')}"
    return {
        **dict(building(scene)),
        "Way in": "; ".join(way_in(scene)),
        "Fire from the building": "everybody with his own weapon" if usual else fire,
        "Attackers": "; ".join(assailants(scene) if usual else attackers(scene)),
        "Garrison": garrison(scene),
        "Who falls": scene.book.game.rulings.who_falls.said,
        **dict(unlike(scene)),
        "Morale under fire": morale_under_fire(scene.book.game, steadfast(scene)),
        "Attackers who fall back": fleeing(scene),
        **dict(arms(scene)),
        NOT_USED: ", ".join(not_used(scene)),
        **({NO_GROUND: ", ".join(ground)} if (ground := unread_ground(scene.book.game, scene.scenario)) else {}),
    }


def steadfast(scene: Scene) -> str:
    """Say what morale under fire is to the garrison (BASE-061)."""
    if scene.building_class.usual:
        return "and by the garrison alike, which has lost the ruins if it falls back"
    return "a garrison in its building stands fast"


def fleeing(scene: Scene) -> str:
    """Say what becomes of attackers who fall back, and of a garrison that has come out to them (ST-038, BASE-062)."""
    book, given = scene.book, scene.scenario
    of_their_own = given.attackers.unit.kind == "jump infantry" and book.rulings.jump_falling_back("two_dice")
    said = falling_back(
        book.game,
        given,
        f" ({book.tables.falling_back.inches.name} from a storming)" if of_their_own and scene.storming else "",
    )
    back = "; a garrison that has come out then goes back into its building"
    return said + back * (is_played(book.game) and given.may_sally)


def unlike(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield how wounds find models that do not all fall alike, for the translation (BASE-040, BASE-064)."""
    rulings, forces = scene.book.game.rulings, (scene.scenario.attackers, scene.scenario.defenders)
    if any(force.mixed for force in forces):
        found = "hits wound against the Toughness that most have; each has a wound before anybody has two"
        odd = f"where wounds do not go round, first have one: {rulings.odd_wounds.said}"
        strongest = f"who has the strongest: {rulings.strongest_wounds.said}"
        together = "those alike save together, and what they cannot take is lost"
        yield "Models that do not fall alike", "; ".join((found, odd, strongest, together))


def not_used(scene: Scene) -> Iterator[str]:
    """Yield the keys of the building that change nothing; its footprint is what markers may drift over."""
    yield from ("archetype", "material", "door", "firing inches", "levels")
    if not any(g.weapon and g.weapon.blast for g in scene.scenario.attackers.groups):
        yield "footprint"
    rulings = scene.book.rulings
    if rulings.capacity_from("random") or rulings.attackers_room("all"):
        yield "capacity (which only limits the garrison)"


def building(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield what the building is in these rules, for the translation."""
    if scene.building_class.usual:
        cover = scene.book.game.tables.cover.saves["ruins"]
        yield "Building", f"{scene.class_name}, as in the 40k rules: no Armour Value, {cover}+ cover against shooting"
        return
    row, house = scene.building_class, scene.scenario.building
    roll_of = f"{scene.book.tables.classes.dice.name}+{row.armour}"
    armour = f"Armour Value {scene.armour or roll_of}{' as it is known to be' if house.armour else ''}"
    rolled = scene.book.rulings.capacity_from("random")
    yield "Building", f"{scene.class_name}, {armour}, holds {'a rolled number' if rolled else house.capacity}"
    yield "Cover against grenades", f"{row.grenade_cover}+" if row.grenade_cover < 7 else "none"


def way_in(scene: Scene) -> Iterator[str]:
    """Yield by which ways attackers come in, or why they do not, and what their supporters close."""
    if scene.building_class.usual:
        yield "anywhere, over ground that counts as open: difficult terrain is not rolled for"
        return
    if not scene.storming:
        yield f"none: {why_not(scene)}"
        return
    yield f"{counted(scene.access, 'viable access point')}, for the one squad stands at every door"
    book = scene.book
    if book.rulings.defenders_room("given"):
        yield f"room outside for {book.tables.room.defenders} of the garrison"
    else:
        closed = book.tables.room.covered
        yield f"supporters block {f'at most {closed}' if closed else 'none'} of the exits"


def why_not(scene: Scene) -> str:
    """Say why nobody storms the building."""
    book, kind = scene.book, scene.scenario.attackers.unit.kind
    if scene.scenario.plan == "shoot":
        return "the attackers stay off"
    if book.rulings.way_to_the_garrison("wreck"):
        return "by the standard rules nobody storms"
    if not classes.allows(book, scene.class_name, "storm"):
        return f"a building of the class {scene.class_name} is not stormed"
    if not who.may_storm(book, kind, scene.class_name):
        return f"{kind} may not storm"
    return "no access point is viable" if who.squads_storming(book, 1) else "no squad may storm"


def arms(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield how templates and markers are played, and which weapons never fire and why."""
    book, groups = scene.book, (*scene.scenario.attackers.groups, *scene.scenario.defenders.groups)
    carried = [*(g.weapon for g in groups if g.weapon), *scene.scenario.mounted]
    if areas := dict.fromkeys(area_of(weapon) for weapon in carried if is_area(weapon)):
        hits = [f"{covers(book.game, area).name} hits for each {area}" for area in areas]
        walls = f"a marker hits the walls if it drifts no farther than {drift(scene)} inches"
        moving = "blast weapons do not move and fire"
        scattering = ["markers that drift hit no models", walls, moving] if {*areas} - {"template"} else []
        yield "Templates and markers", "; ".join([f"{', '.join(hits)} on models outside", *scattering])
    if idle := [*idle_outside(scene), *idle_inside(scene)]:
        yield NEVER_FIRED, "; ".join(idle)


def idle_outside(scene: Scene) -> Iterator[str]:
    """Yield the attackers' weapons that never fire, where they have nothing but walls to fire at."""
    if scene.building_class.usual:
        return
    weakest, groups = min(classes.possible_armour(scene)), scene.scenario.attackers.groups
    for weapon, group in {g.weapon: g for g in groups if g.weapon and g.weapon.kind != "melee"}.items():
        if scene.storming and weapon.kind == "template":
            continue
        if not scene.reaches:
            yield f"{weapon.title} of the attackers (nobody inside can be shot at)"
        elif reach_to_hurt(scene.book.game, group, weakest) is None:
            yield f"{weapon.title} of the attackers (it cannot hurt the walls)"


def idle_inside(scene: Scene) -> Iterator[str]:
    """Yield the garrison's weapons that never fire."""
    points = scene.scenario.building.firing_points
    if not scene.building_class.usual and points == 0:
        own: dict[Weapon, None] = {g.weapon: None for g in scene.scenario.defenders.groups if g.weapon}
        yield from (f"{w.title} of the garrison (no firing point)" for w in own if w.kind != "melee")
    if scene.building_class.usual:
        yield from (f"mounted {w.title} (ruins have none)" for w in dict.fromkeys(scene.scenario.mounted))


def assailants(scene: Scene) -> Iterator[str]:
    """Yield what attackers of a garrison in ruins do."""
    if scene.scenario.plan == "shoot":
        yield "stay off and shoot at the garrison"
        return
    if scene.scenario.plan == "demolish":
        yield "as under storm, for ruins have no walls to bring down"
    if scene.scenario.plan == "smoke":
        yield "as under storm, for support attacks are part of a storming, and ruins are not stormed"
    yield "shoot while no charge reaches, then charge"
    yield "who has no assault grenades strikes last in the round of the charge"


def attackers(scene: Scene) -> Iterator[str]:
    """Yield what the attackers do, and why it may come to the same as another plan."""
    plan, groups = scene.scenario.plan, scene.scenario.attackers.groups
    team, first = _fireteam(scene)
    storm = f"storm as soon as a charge reaches, a Fireteam of {team} at most{first} and the rest in support"
    if plan == "shoot":
        yield "stay off and fire at the walls with what can hurt them from range"
        yield "nobody in a building can be shot at: the garrison is not touched unless it comes out or the walls fall"
    elif not scene.storming:
        yield f"attack the structure: {why_not(scene)}"
    elif plan == "demolish" and not structure.can_bring_down(scene):
        yield f"as under storm, for nobody can bring the walls down: {storm}"
    elif plan == "demolish":
        yield "attack the structure as long as a model is left that can bring it down"
        yield "who goes in to strike the walls fires only pistols, assault weapons and templates before"
        yield f"then {storm}"
    elif plan == "smoke" and all(armed_with(g) == "nothing" for g in groups):
        yield f"as under storm, for nobody has grenades or a template weapon: {storm}"
    elif plan == "smoke":
        yield f"storm again and again with the smallest Fireteam there may be, {team}{first}"
        yield "everybody else is in support with grenades and templates, which these rules know only in a storming"
    else:
        yield storm


def _fireteam(scene: Scene) -> tuple[int, str]:
    """Return how many go in at first, and in brackets who of them before the others, if it is not all the same."""
    groups = scene.scenario.attackers.groups
    squad = tuple(np.array([group.count]) for group in groups)
    k = viable(scene.book, scene.access, total(squad))
    team = int(total(fireteam.fireteam(squad, k, scene)).item())
    first = "ordinary models" if scene.scenario.first_in == "ordinary" else "the leader"
    return team, f" ({first} first)" if len(groups) > 1 and team < sum(group.count for group in groups) else ""


def garrison(scene: Scene) -> str:
    """Say what the garrison does."""
    if scene.scenario.defence == "hold":
        return "stays inside and fires"
    near = sally.out_of_the_door(scene)
    like = "" if scene.building_class.usual else ", as from a transport that has not moved,"
    return (
        f"stays inside and fires until the attackers are within {near} inches; then it comes out and charges in the "
        f"same turn{like} without firing, and fights on in the open"
    )
