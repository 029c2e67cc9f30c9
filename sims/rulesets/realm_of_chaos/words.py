"""How a scenario was put into these rules' words."""

from collections.abc import Iterable, Iterator

import numpy as np

from sims.forces import chosen
from sims.games.fantasy.book import has_shield, has_standard
from sims.games.fantasy.movement import charge_move
from sims.games.fantasy.open_fight import has_counted_ranks
from sims.rulesets.realm_of_chaos.book import OwnBuilding
from sims.rulesets.realm_of_chaos.damage.walls import fabric_of
from sims.rulesets.realm_of_chaos.deployment import deployed
from sims.rulesets.realm_of_chaos.layout import in_words, material_of
from sims.rulesets.realm_of_chaos.outside.sally import may_be_outside
from sims.rulesets.realm_of_chaos.setting import has_rubble
from sims.rulesets.realm_of_chaos.state import Scene
from sims.scenario import Side
from sims.words import NO_GROUND, NOT_MODELLED, NOT_USED, counted

ORDERS = {
    "spread": "they go for attackers who come in, a step a turn, as far as there is room",
    "doors": "they keep the doors manned, and go for attackers who come in",
    "top": "they keep to the highest level, and leave it only to help where they fight",
    "gives ground": "they go up a level before attackers can charge them, as long as there is one",
}
"""What the garrison does inside, by its deployment."""


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    building = scene.scenario.building
    fabric = fabric_of(scene.book, scene.walls)
    where = {"anywhere": "burn from outside and from within", "within": "burn only from within"}
    texts = {
        "Building": f"{in_words(scene.plan)}; walls of "
        f"Toughness {fabric.T} that only Strength {fabric.needs_S} and more can hurt; they "
        f"{where.get(scene.burns, 'do not burn')}",
        "Garrison": garrison(scene),
        "Way in": way_in(scene),
        "Attackers": attackers(scene),
        "Fights inside": fights(scene),
        "Shooting": shooting(scene),
        "Fire": fire(scene),
        "Armour": "the save on the profile, less the weapon's modifier; no invulnerable saves",
        "Collapse": collapse(scene),
        "Captured": captured(scene),
        "Destroyed": "no section stands",
        "Who falls": who_falls(scene),
        "A unit that routs": "attackers have broken, defenders have left the building to the attackers"
        + shields(scene)
        + following(scene)
        + "; the books name a rally phase and give no number for it, so nobody comes back",
    }
    if may_be_outside(scene):
        texts["Fights in the open"] = f"{formation(scene)}; {pursuit(scene)}"
    if building.armour is not None:
        texts["Armour Value"] = f"these rules know none: {building.armour} is not used, the material of the walls is"
    if gaps := "; ".join(not_modelled(scene)):
        texts[NOT_MODELLED] = gaps
    texts[NOT_USED] = ", ".join(not_used(scene))
    if ground := [key for key in scene.scenario.ground if key != "defenders.deployment"]:
        texts[NO_GROUND] = ", ".join(ground)
    return texts


def shields(scene: Scene) -> str:
    """Say whose shields do not count against free hacks."""
    bodies = (*scene.scenario.attackers.bodies, *scene.scenario.defenders.bodies)
    names = dict.fromkeys(body.profile.title for body in bodies if has_shield(body.profile))
    return f"; shields do not count against free hacks ({', '.join(names)})" if names else ""


def following(scene: Scene) -> str:
    """Say whether victors follow out of the building those who rout."""
    if scene.book.game.rulings.pursuit("restrained"):
        return "; victors inside do not follow, for which they need no test"
    return "; victors follow them out of the building, and hack once more if they are as fast"


def not_used(scene: Scene) -> Iterator[str]:
    """Yield the keys of the building that change nothing."""
    yield from ("archetype", "military", "firing points", "armour", "capacity (which only limits the garrison)")
    if all(len(parties) == 1 for parties in scene.parties.values()):
        yield f"ceiling (which only limits who is over {scene.book.tables.tall.feet} feet)"
    if OwnBuilding.of(scene.scenario.building).columns:
        yield from ("footprint", "material", "levels", "doors", "door", "firing inches")


def not_modelled(scene: Scene) -> Iterator[str]:
    """Yield what the scenario has and these rules do not play yet."""
    scenario, laid = scene.scenario, scene.scenario.plan in ("demolish", "smoke")
    on_walls = {scenario.attackers.groups[i].weapon for i in scene.burners if laid}
    outside = [w for w in scenario.attackers.guns if w.kind in ("blast", "template") and w not in on_walls]
    yield from (f"{w.title} of the attackers, which does not fire" for w in outside)
    inside = [w for w in scenario.defenders.guns if w.kind in ("blast", "template")]
    yield from (f"{w.title} of the garrison, which does not fire" for w in inside)
    yield from (f"mounted {w.title}, which does not fire" for w in dict.fromkeys(scenario.mounted))
    for side, force in (("attackers", scenario.attackers), ("garrison", scenario.defenders)):
        if any(group.profile.invulnerable for group in force.groups):
            yield f"invulnerable saves of the {side}"
    if len({level for c in OwnBuilding.of(scenario.building).columns.values() for level in c.levels}) > 1:
        yield f"what other sections are made of: all are taken to be {material_of(scenario.building, scene.plan)}"
    if len(scene.plan.sections) > 1 and (scene.carriers or scene.keepers):
        yield "fire in other sections than the one on the ground that is attacked"
    if len(scene.plan.columns) > 2:
        yield "detours round a column that has fallen"
    yield from scenario.move_as_others()
    yield from scenario.unread("send")


def who_falls(scene: Scene) -> str:
    """Say who falls, and where models differ in what hurts them, how attacks find them."""
    who, forces = scene.book.game.rulings.who_falls, (scene.scenario.attackers, scene.scenario.defenders)
    texts = [who.said, "of the garrison only those who can be hit there"]
    if any(force.mixed for force in forces):
        order = "at random" if who("drawn") else "in that order"
        texts.append(
            f"attacks, last those that a leader makes, find one model after the other {order}, of those who are there, "
            "and each takes them by its own Toughness, Wounds and save (the documents do not say); a leader is hit as "
            "his men are, and keeps the wounds of masonry that he lives through"
        )
    return "; ".join(texts)


def attackers(scene: Scene) -> str:
    """Say what the attackers do under their plan."""
    plan = scene.scenario.plan
    storm = f"go in by the doors as soon as a charge reaches them{in_turn(scene)}"
    if not scene.plan.doors:
        storm = "go up to the walls, and with no door to go in by they shoot at defenders who fired"
    shoot = f"halt at {scene.halt} inches and shoot at defenders who fired, else at the walls if that can hurt them"
    if plan == "storm":
        return storm
    if plan == "shoot":
        return shoot
    return demolish(scene, storm) if plan == "demolish" else smoke(scene, shoot)


def in_turn(scene: Scene) -> str:
    """Say in which order the groups go in, after a comma; nothing where all are alike."""
    groups = scene.scenario.attackers.groups
    titles = dict.fromkeys(groups[i].title for i in scene.order_in)
    return f", in this order: {', then '.join(titles)}" if len(titles) > 1 else ""


def demolish(scene: Scene, storm: str) -> str:
    """Say who works on the walls, and who goes in."""
    groups = scene.scenario.attackers.groups
    if not scene.besiegers:
        return f"nothing they carry can hurt the walls, as under storm: {storm}"
    if scene.plan.doors and len(scene.besiegers) < len(groups):
        able = sum(groups[i].count for i in scene.besiegers)
        idle = scene.scenario.attackers.models - able
        inside = chosen(tuple(np.array([group.count]) for group in groups), idle, scene.order_in)
        taken = int(sum(inside[i].item() for i in scene.besiegers))
        too = f"; of the {able} who can hurt the walls {taken} would go in too" if taken else ""
        return (
            f"as many as cannot hurt the walls, {idle} at full strength, {storm}{too}; the others stay outside, and "
            "those of them who can hurt the walls work on them, but not while their own are in there; once nobody who "
            "can is left, all go in"
        )
    return f"halt at {scene.halt} inches to bring the walls down"


def smoke(scene: Scene, shoot: str) -> str:
    """Say how fire is set, if it can be."""
    others = "the others shoot at defenders who fired"
    if scene.torches:
        return f"walk up to the walls and hold fire to them; {others}"
    if scene.burners:
        return f"halt at {scene.halt} inches and turn their flames on the walls, before and after these burn; {others}"
    if scene.carry_in:
        return (
            "what they have lights no wall from outside, so they walk up to it and one who carries fire goes in by the "
            f"doors and lights the section, the next if he is lost before it burns; {others}, from outside"
        )
    why = "nobody carries fire" if scene.burns != "nowhere" and not scene.carriers else "nothing here can be lit"
    return f"{why}, so these rules know no way to smoke a garrison out; as under shoot: {shoot}"


def fights(scene: Scene) -> str:
    """Say who counts as charging inside, and that nobody is drawn up there."""
    if scene.book.rulings.joining_a_fight("charges_again"):
        charge = "whoever enters a section that the enemy holds charges, and the unit scores for it each time"
    else:
        charge = "a unit charges where its fight begins; those who join it later do not charge again"
    return f"{charge}; nobody scores for ranks or standards inside"


def shooting(scene: Scene) -> str:
    """Say who shoots out of the building, and at whom."""
    places, names = [column.places for column in scene.plan.columns], scene.plan.names
    each = [f"{counted(n, 'inch', 'inches')} in column {name}" for n, name in zip(places, names, strict=True)]
    wall = counted(places[0], "inch", "inches") if len({*places}) == 1 else listed(each)
    fall = "any of the unit there" if scene.book.rulings.targets_inside("whole_unit") else "only these"
    several = len(scene.plan.sections) > 1
    shares = (
        "share their shots out over the sections that defenders fired from" if several else "shoot at those who fired"
    )
    return (
        f"one defender to each full inch of wall of each section held ({wall} on each level); attackers {shares}, and "
        f"{fall} can fall; single shots, no rapid fire; heavy weapons do not move and fire; area attacks other than "
        "flames laid on walls that burn stay silent, as do mounted weapons, and both sides while any of them fight"
    )


def collapse(scene: Scene) -> str:
    """Say what falls with the garrison's section, and where those go who live."""
    table, rulings = scene.book.tables.stability, scene.book.rulings
    by = "everyone in the column" if rulings.doors_after_collapse("any_door") else "those on the ground"
    doors = bool(scene.plan.doors)
    if len(scene.plan.columns) == 1:
        who = f"of those who live, {by} get outside by the doors, the others are lost" if doors else "nobody gets out"
        return f"the ground section falls with all that stands on it; {who}"
    out = f"else {by} outside by the doors, " if doors else ""
    rubble = rulings.way_in_after_a_collapse("over_the_rubble")
    shut = "the doors have fallen" if doors else "there is no door"
    ways = "over the rubble, as wide as a barn door" if rubble else f"nobody passes, for {shut}"
    farther = "; no roll reaches beyond these" if len(scene.plan.columns) > 2 else ""
    return (
        f"the column that is attacked falls, by {table.neighbours_fall} or more those beside it too; those who "
        f"live get into a section beside theirs if it stands, has room and no enemy, {out}else they are lost; the "
        f"garrison holds on in what stands: {ways}{farther}"
    )


def fire(scene: Scene) -> str:
    """Say who lights the section without a roll, who may by accident, and what a fire does."""
    if scene.burns == "nowhere":
        return "nothing here burns"
    table, rulings, texts = scene.book.tables.fire, scene.book.rulings, []
    if scene.carry_in or scene.torches:
        where = "at its walls" if scene.torches else "inside"
        when = "before any blow" if rulings.arson_order("arson_first") else "after the blows, if he lives"
        texts.append(f"one carrier {where} lights the section in the Combat Phase {when}, without a roll")
    if scene.carry_in or (rulings.who_carries_fire("flaming_weapons") and (scene.carriers or scene.keepers)):
        rolled = "each of them" if rulings.accidents("each_carrier") else "all who enter together"
        texts.append(
            "those who carry fire into a section may set it alight by accident as they enter, by a D6 of "
            f"{table.accident} or more for {rolled}"
        )
    texts.append(f"a burning section takes {table.damage.name} damage at the start of every player turn until it falls")
    return "; ".join(texts)


def captured(scene: Scene) -> str:
    """Say when a building is taken whose garrison does not rout (RC-011)."""
    rubble = has_rubble(scene.plan, scene.book)
    if not scene.plan.doors and not rubble:
        return "never: there is no way in"
    shut = "; not once the doors have fallen" if len(scene.plan.columns) > 1 and not rubble else ""
    return f"when no defender is left alive and there is a way in{shut}"


def way_in(scene: Scene) -> str:
    """Say how attackers get in, and how they go on."""
    plan = scene.plan
    if not plan.doors:
        return "none: it has no door, and there is no way by windows"
    doors = listed(
        f"{plan.titles[i]} ({counted(plan.columns[plan.sections[i].column].door, 'model')} a turn)" for i in plan.doors
    )
    on = (
        "; inside they go on to the nearest section that the garrison holds, a step a turn"
        if len(plan.sections) > 1
        else ""
    )
    apart = ", where they hang together with those inside" if len(plan.doors) > 1 else ""
    return f"by doors to {doors}{apart}; no way by windows{on}{tall(scene, 'attackers')}"


def tall(scene: Scene, side: Side) -> str:
    """Say who of a side is over 10 feet, for how many models they count, and where they do not fit."""
    *_, party = scene.parties[side]
    if len(scene.parties[side]) == 1:
        return ""
    plan, force = scene.plan, getattr(scene.scenario, side)
    groups = (force.groups[i].profile for i in party.groups)
    titles = listed(dict.fromkeys(profile.plural or f"{profile.title}s" for profile in groups))
    who = f"; {titles}, over {scene.book.tables.tall.feet} feet,"
    ways_in = plan.ground if has_rubble(plan, scene.book) else plan.doors
    if side == "attackers" and party.plan.closed.issuperset(ways_in):
        return f"{who} do not fit in at all"
    takes = " or ".join(str(n) for n in sorted({n for i, n in enumerate(party.places) if i not in party.plan.closed}))
    low = listed((plan.titles[i] for i in sorted(party.plan.closed)), "or") if party.plan.closed else ""
    stops = f", and do not fit into {low}" if low else ""
    return f"{who} count as {takes} models each wherever models are counted by section{stops}"


def formation(scene: Scene) -> str:
    """Say how the two sides are drawn up in the open, and what they score for it."""
    game = scene.book.game
    inches = counted(game.tables.push_back.inches, "inch", "inches")
    back = f"losers of a round are pushed back {inches}, at most to the wall, and followed; others join the fight there"
    if game.rulings.formation_in_the_open("loose"):
        return f"all models fight, in loose order: neither ranks nor standards score; {back}"
    width, most = game.tables.ranks.frontage, game.tables.combat_result.most_ranks
    first = game.rulings.fighting_in_the_open("front_rank")
    who = "all models fight"
    if first:
        who = f"the front rank of {width} fights, leader and special models first, and is filled up at once"
    when = "before" if has_counted_ranks(game) else "after"
    ranks = f"{when} the blows each complete rank of {width} beyond the first scores 1, at most {most}"
    if width < game.tables.ranks.least:
        ranks = f"ranks of {width} are too narrow to score"
    forces = {"attackers": scene.scenario.attackers, "garrison": scene.scenario.defenders}
    bearers = [side for side, force in forces.items() if has_standard(force.unit)]
    standard = f"; the standard of the {' and that of the '.join(bearers)} scores too" if bearers else ""
    return f"{who}; {ranks}{standard}; {back}"


def pursuit(scene: Scene) -> str:
    """Say who hacks once more at those who rout in the open."""
    ours, theirs = scene.scenario.attackers.unit.move, scene.scenario.defenders.unit.move
    fast = "here both sides" if ours == theirs else "here the attackers" if ours > theirs else "here the garrison"
    wish = "" if scene.book.game.rulings.pursuit("pursues") else ", unless they pass a Leadership test to hold back"
    return f"victors pursue{wish}: those who are as fast as the routers, {fast}, hack at them once more"


def garrison(scene: Scene) -> str:
    """Say where the garrison stands, and what it does."""
    rulings, plan = scene.book.rulings, scene.plan
    places = [*zip(plan.titles, *deployed(scene), strict=True)]
    posts = (f"{sum(models)} in {title}{of_whom(models[1:])}" for title, *models in places if any(models))
    texts = [listed(posts) + tall(scene, "defenders")]
    if len(plan.sections) > 1:
        texts.append(orders(scene))
    if scene.scenario.defence == "sally" and plan.doors:
        when = "" if rulings.charging_out("at_once") else ", a turn after they come out"
        inches = charge_move(scene.book.game, scene.scenario.defenders.unit.move)
        texts.append(
            f"when attackers are within {inches} inches those behind the doors come out, as many as pass in a turn, "
            f"and charge{when}; both sides then fight in the open"
        )
    else:
        texts.append("they stay inside")
    if rulings.garrison_in_a_fire("comes_out") and plan.doors:
        texts.append("a fire drives them out by the doors")
    return "; ".join(texts)


def of_whom(tall: list[int]) -> str:
    """Say how many of those in a section are very tall, if any are."""
    return f" ({sum(tall)} of them very tall)" if sum(tall) else ""


def orders(scene: Scene) -> str:
    """Say what the garrison does inside."""
    match scene.scenario.deployment:
        case "doors" | "top" | "gives ground" as deployment:
            return ORDERS[deployment]
    return ORDERS["spread"]


def listed(parts: Iterable[str], joined_by: str = "and") -> str:
    """Say one after the other."""
    *first, last = parts
    return f"{', '.join(first)} {joined_by} {last}" if first else last
