"""What a scenario becomes in these rules, in words for the player."""

from collections.abc import Iterator
from itertools import compress

from sims.games.arap.allocation import damage_of
from sims.games.arap.shooting import AREAS
from sims.ground import SAID, in_words
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import OwnBuilding, OwnUnit
from sims.rulesets.gemini.fabric import doors
from sims.rulesets.gemini.openings.way_in import SEVERAL, door_width, open_from_the_start
from sims.rulesets.gemini.sections.words import back_inside, not_across, sections_in_turn
from sims.rulesets.gemini.state import Scene
from sims.scenario import Side
from sims.words import NEVER_FIRED, NO_GROUND, NOT_MODELLED, NOT_USED, counted

SIDES: tuple[Side, Side] = ("attackers", "defenders")
UNIT = "; they act together, as one unit"


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    tables, sides = scene.book.tables, OwnBuilding.of(scene.scenario.building).sides
    shooters = counted(scene.places, "model")
    shooters += f" of {'each' if scene.in_turn > 1 else 'the'} section"
    shooters += ", one for each inch of port" if scene.sealed else f", into {sides} quadrants" if sides > 1 else ""
    gaps = "; ".join(not_modelled(scene))
    return {
        "Building": building_of(scene),
        **dict(sections_in_turn(scene)),
        "Structure": structure(scene),
        "Ways in": ways_in(scene),
        "Attackers": attackers(scene),
        "Garrison": garrison(scene),
        "Fire from the building": f"{shooters}; {counted(len(scene.scenario.mounted), 'built-in weapon')}{high(scene)}",
        "Who can be fired at inside": seen_inside(scene),
        "Several shootings": shootings(scene),
        "Activation": f"{tables.plans.attackers_dice} dice for the attackers, {tables.plans.defenders_dice} for the "
        "garrison; each side picks up the other's failed dice and reacts",
        "Tests of Leadership": "on the best that is left in the unit"
        if scene.book.game.rulings.unit_leadership("best")
        else "on that of the unit's ordinary models",
        "Heavy casualties": "a unit that was shot at and then charged takes no test for them"
        if scene.book.game.rulings.charged_units("excused")
        else "a unit that was shot at and then charged still takes the test, if it is in no fight when its turn begins",
        **dict(under_fire(scene)),
        "Who falls": who_falls(scene),
        "Attackers who rout": routers(scene),
        "Close combat": f"{in_hand(scene)}; the hardest hitters go in first{hatred(scene)}",
        "Flames and grenades": f"hit {found(scene)} if they get in; those that fail do no harm to the walls",
        "Grenades in the open": scene.book.game.rulings.grenades_outside.said,
        **dict(areas(scene)),
        **dict(ground(scene)),
        **({NOT_MODELLED: gaps} if gaps else {}),
        **({NEVER_FIRED: "; ".join(silent)} if (silent := [*under_a_roof(scene)]) else {}),
        NOT_USED: ", ".join(not_used(scene)),
        **({NO_GROUND: ", ".join(unread)} if (unread := [*unread_ground(scene)]) else {}),
    }


def under_fire(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield what hits come to that hurt few, where that is played."""
    rulings, scenario = scene.book.game.rulings, scene.scenario
    if not (scenario.defenders.guns or scenario.mounted or scenario.attackers.guns):
        return
    if rulings.suppression("off"):
        yield "Suppression", "by a short cut units that are hit often, but lose few, keep all their action points"
    else:
        turn = "that turn" if rulings.suppressed_turn("this_turn") else "its next turn"
        large = f"; one of a {scene.book.game.tables.suppression.marker}-inch marker is enough"
        yield (
            "Suppression",
            f"enough hits in the enemy's turn, and few losses: a test, or an action less in {turn}{large}",
        )


def routers(scene: Scene) -> str:
    """Say what becomes of attackers who rout."""
    garrison = "a garrison that routs under fire has left the building"
    if scene.book.game.rulings.routers("for_good"):
        return f"have broken for good; {garrison}"
    edge = counted(scene.edge - scene.scenario.distance, "inch", "inches")
    run = f"run to their table edge, {edge} behind where they begin, and the garrison shoots at them"
    run += "; each flight ends a whole move from another" * scene.book.game.rulings.flight("lines")
    sally = "; from one in the open they run with nothing on their way, their edge as far off as from the building"
    sally += f"; {pursuers(scene)}"
    back = "who rallies comes back; who leaves the table, or still runs at the end, has broken"
    return f"{run}{sally * scene.scenario.may_sally}; {back}; {garrison}"


def pursuers(scene: Scene) -> str:
    """Say whether a garrison pursues attackers that it has beaten in the open."""
    rulings, frenzy = scene.book.game.rulings, OwnUnit.of(scene.scenario.defenders.unit).frenzy
    if rulings.pursuit("none"):
        return "by a short cut no garrison pursues them"
    unit, eager = scene.scenario.defenders.unit, rulings.pursuit("eager")
    if unit.move <= scene.book.game.tables.pursuit.slow_up_to and not (frenzy or eager):
        return "one that is slow does not pursue them"
    goes = "pursues them" if frenzy or eager else "pursues them unless it passes a test not to"
    when = "after" if rulings.pursuit_order("moves_first") else "before"
    halts = "never halts" if eager else f"tests to halt {when} each move"
    moves = f"it moves as far as the dice of a flight say, nearer to their edge, hacks at those in reach, and {halts}"
    return f"one that has beaten them there {goes}; in pursuit {moves}; until it halts or fights it does nothing else"


def areas(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield whom markers, grenades and templates meet in the open, where somebody has a weapon that lays one."""
    kinds = {side: laid_at(scene, side) for side in SIDES}
    for side, name in zip(SIDES, ("Attackers", "Garrison"), strict=True):
        if kinds[side]:
            yield f"{name} in the open", stand(scene, side)
    table = scene.book.game.tables
    if "blast" in {*kinds["attackers"], *kinds["defenders"]}:
        dice = f"in soft cover on {table.markers.soft} or less, in hard cover and behind a wall on {table.markers.hard}"
        yield "Markers", f"scatter, no farther than half of the range; whom they cover they hit, {dice}"
    if "template" in {*kinds["attackers"], *kinds["defenders"]}:
        laid = table.template_weapons
        strip = f"{laid.length} inches long and {2 * laid.to_either_side} wide"
        near = "from the shooter on, those of a torrent from as near to the enemy as it may begin"
        yield "Templates in the open", f"{strip}, laid straight ahead at the middle of the unit, {near}"


def laid_at(scene: Scene, side: Side) -> set[str]:
    """Return the kinds of weapons with an area that are fired, or thrown, at a side in the open."""
    enemy, given = scene.enemy(side), scene.scenario
    if enemy == "attackers":
        guns = given.attackers.guns if scene.sallies else ()
    else:
        own = (weapon for weapon in given.defenders.guns if scene.sallies or setting.fires_out(scene, weapon))
        guns = (*own, *given.mounted)
    thrown = scene.book.game.rulings.grenades_outside("thrown") and (scene.sallies or enemy == "defenders")
    grenades = {"grenade"} if thrown and any(map(setting.throws, scene.force(enemy).groups)) else set[str]()
    return grenades | {weapon.kind for weapon in guns if weapon.kind in AREAS}


def unread_ground(scene: Scene) -> Iterator[str]:
    """Yield what changes nothing: how a garrison is deployed that has one section, or as these rules do not know it.

    And formations that nothing with an area is fired at; a wall counts for how the attackers stand. And, where nobody
    runs, the table edge, and ground behind attackers who begin nearer than their scenario has it.
    """
    given = scene.scenario
    where, rally = given.deployment, scene.book.game.rulings.routers("rally")
    if given.edge is not None and not rally:
        yield "edge"
    if where is not None and (scene.in_turn == 1 or where == "gives ground" or isinstance(where, tuple)):
        yield "defenders.deployment"
    for band in given.bands:
        if band.near > given.distance and not rally:
            yield f"{SAID[band.ground]} from {band.near} inches on, behind the attackers"
    if given.attackers.formation and not given.walls and not laid_at(scene, "attackers"):
        yield "attackers.formation"
    if given.defenders.formation and not laid_at(scene, "defenders"):
        yield "defenders.formation"


def stand(scene: Scene, side: Side) -> str:
    """Say how a side stands that has room."""
    ranks = scene.ranks(side)
    return f"{ranks.files} abreast, {ranks.gap:g} inches from the middle of one to that of the next"


def ground(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield what is between the building and the attackers, where the scenario says so."""
    given = scene.scenario
    parts = in_words(given.walls, given.bands)
    if given.walls:
        parts.append("a unit most of whose models are behind a wall, near or far, is in hard cover")
    if any(band.ground == "smoke" for band in given.bands):
        parts.append(
            "who is fired at through smoke is hidden; it hinders no grenades, and at the structure lasers alone"
        )
    if parts:
        parts.append("who charges has left his cover, and once the garrison has come out there is none")
        yield "On the way", "; ".join(parts)


def high(scene: Scene) -> str:
    """Say which weapons of a garrison that sallies are not fired before that."""
    later = [w.title for w in scene.scenario.defenders.guns if scene.sallies and not setting.fires_out(scene, w)]
    return f"; what fires high, under a roof, only once it has come out: {', '.join(later)}" if later else ""


def under_a_roof(scene: Scene) -> Iterator[str]:
    """Yield the weapons of a garrison that stays inside which it cannot fire from under a roof."""
    for weapon in scene.scenario.defenders.guns:
        if not (scene.sallies or setting.fires_out(scene, weapon)):
            yield f"{weapon.title} of the garrison, which fires high and is under a roof"


def not_used(scene: Scene) -> Iterator[str]:
    """Yield the keys of the building that change nothing; ports are manned by the inch."""
    yield "firing points"
    yield from ("doors", "door", "windows", "locked", "gate", "sides") if scene.sealed else ["firing inches"]
    yield from () if scene.structure == "armour" else ("armour", "hull")
    if not scene.sealed and (not scene.locked or scene.plan == "shoot"):
        yield "gate"
    if scene.scenario.building.levels and scene.structure != "armour":
        yield "capacity (which only limits the garrison)"
    if scene.sealed and not may_be_fought_with_dice(scene):
        yield "levels"
    if scene.in_turn == 1:
        own = OwnBuilding.of(scene.scenario.building)
        yield from compress(
            ("links", "open", "inner_doors"), (own.links != "stairs", own.open, own.inner_doors != "open")
        )
    elif scene.in_turn == 2 and OwnBuilding.of(scene.scenario.building).open:
        yield "open"


def may_be_fought_with_dice(scene: Scene) -> bool:
    """Return whether there may be a single opening to a building that has one section, if it has one level (GB-126)."""
    by_size = scene.book.rulings.doorway_fight("by_size")
    return by_size and scene.sections == 1 and open_from_the_start(scene) < SEVERAL


def building_of(scene: Scene) -> str:
    """Say how many floors and sections there are, and which of them the garrison is in."""
    where = f"{counted(scene.floors, 'floor')} of {counted(scene.sections, 'section')}"
    if scene.in_turn > 1:
        return f"{where}, with room for {scene.room} of the garrison in each"
    if scene.sections * scene.floors == 1:
        return f"{where}, with room for {scene.room} of the garrison"
    beyond = "the other sections are empty, except for those who find no room in it"
    return f"{where}, {scene.room} of the garrison in the one attacked; {beyond}"


def seen_inside(scene: Scene) -> str:
    """Say who inside can be fired at, how long, and how ports protect them."""
    inches = scene.book.tables.storming.sees_all_within
    seen = (
        f"who has fired out, {scene.book.rulings.exposure.said}; these fall first, and nobody takes their place until "
        f"the garrison fires again; from {inches} inches of an opening everybody"
        f"{' in the first section' if scene.in_turn > 1 else ''}"
    )
    if not scene.sealed:
        return seen
    halved, shutters = scene.book.rulings.halved_hits, scene.book.rulings.shutters
    shut = "there are no shutters" if shutters("none") else f"ports are open {shutters.said}"
    return f"{seen}; {shut}; hits are halved {halved.said}"


def shootings(scene: Scene) -> str:
    """Say how the action points are shot that a unit gives to shooting."""
    if scene.book.game.rulings.shooting_actions("one_by_one"):
        return "each action point is a separate shooting at the survivors"
    return "all action points that a unit gives to shooting are one shooting"


def who_falls(scene: Scene) -> str:
    """Say which models fall, and of whom."""
    beyond = "" if scene.book.rulings.surplus_wounds("lost") else " while there are any"
    those = "those in a section where somebody is seen" if scene.in_turn > 1 else "those in the section attacked"
    of_whom = f"in a storm of those who fight{beyond}, under fire of the garrison {those}"
    rulings, forces = scene.book.game.rulings, (scene.scenario.attackers, scene.scenario.defenders)
    passed, shared = rulings.left_over, rulings.hits_shared
    unlike = any(force.mixed for force in forces)
    evenly = shared("evenly") and (unlike or passed("lost"))
    texts = [f"hits are shared out {shared.said}" if evenly else rulings.who_falls.said, of_whom]
    if unlike:
        texts.append("whoever differs from the others takes hits by his own Toughness, Wounds and saves")
    if unlike or passed("lost"):
        texts.append(f"hits left over on the slain: {passed.said}")
    return "; ".join(texts)


def not_modelled(scene: Scene) -> Iterator[str]:
    """Yield what the scenario has and these rules do not play yet."""
    scenario = scene.scenario
    inside = dict.fromkeys([*scenario.defenders.guns, *scenario.mounted])
    blasts = [w for w in scenario.attackers.guns if w.kind == "blast"]
    if scene.sallies and blasts:
        yield "the attackers' weapons with a marker, until the garrison has come out"
    else:
        yield from (f"{w.title} of the attackers, which does not fire" for w in blasts)
    if scenario.bands or scenario.walls:
        yield "those who run from cover to cover, and that losses come first from those in the open"
    if any(body.profile.W > 1 for force in (scenario.attackers, scenario.defenders) for body in force.bodies):
        each = [*scenario.attackers.guns, *inside]
        areas = dict.fromkeys(w for w in each if w.kind in ("template", "blast") and damage_of(w) > 1)
        yield from (f"Damage of {w.title}, whose hits take one Wound each" for w in areas)
    if (scene.sealed or scenario.plan == "demolish") and any(
        "krak" in g.profile.grenades for g in scenario.attackers.groups
    ):
        yield "krak grenades, planted at the structure"
    if scene.in_turn > 1:
        yield "how many get up a ladder once a section is taken"
        yield from not_across(scene)
        yield "fire between attackers who wait for room and sections that are not attacked yet"
        if scene.sections > 1:
            yield "sections side by side: all are stormed in a row, and each has its neighbours in that row alone"
    elif scene.sections * scene.floors > 1:
        yield "other sections and floors: the garrison is all in one ground section, as far as there is room"
    if any(OwnUnit.of(force.unit).frenzy for force in (scenario.attackers, scenario.defenders)):
        yield "the frenzied who win a building, and test not to pursue out of it"
    yield from scenario.move_as_others()
    yield from scenario.unread("send", "first_in")


def in_hand(scene: Scene) -> str:
    """Say who has a weapon of close combat."""
    ruling, less = scene.book.game.rulings.close_combat_weapons, scene.book.game.tables.combat.improvised
    if ruling("everybody"):
        return "everybody has a weapon for it"
    without = "no weapon for it" if ruling("blades") else "neither a weapon for it nor a pistol"
    return f"who has {without} hits at {less}, with a rifle-butt or the like"


def hatred(scene: Scene) -> str:
    """Say who hates whom he fights, and what that is worth."""
    who = {"attackers": "the attackers hate", "defenders": "the garrison hates"}
    haters = [who[side] for side in SIDES if OwnUnit.of(scene.force(side).unit).hates]
    point = scene.book.game.tables.combat.hated_score
    return f"; {' and '.join(haters)} the enemy, +{point} to the result" if haters else ""


def found(scene: Scene) -> str:
    """Say whom of those inside flames and grenades find."""
    interior, table = OwnBuilding.of(scene.scenario.building).interior, scene.book.tables.interiors
    if interior == "confined":
        return "everybody in the section attacked, a confined space,"
    scores = {"hard_cover": (table.hard_cover, "among furniture and inner walls"), "open": (table.open, "in the open")}
    score, where = scores[interior]
    return f"each in the section attacked, {where}, on {score} or less"


def structure(scene: Scene) -> str:
    """Say what the attackers of the building work on, and whether a known Armour Value is used."""
    known, own = scene.scenario.building.armour, OwnBuilding.of(scene.scenario.building)
    if scene.structure == "armour":
        whence = "as the scenario has it" if known is not None else "by its kind"
        hull = " (as the scenario has them)" if own.hull else ""
        return f"Armour Value {scene.resists} ({whence}), {counted(scene.points, 'hull point')}{hull}"
    gate = f" ({own.gate.replace('_', ' ')}, as the scenario has it)" if own.gate else ""
    wall = {
        "door": f"a locked door{gate}, Toughness {scene.resists}, {counted(scene.points, 'damage point')}",
        "wall": f"walls of Toughness {scene.resists}, {counted(scene.points, 'damage point')} to a section, which "
        f"falls on {under_a_wall(scene)}",
    }[scene.structure]
    bunkers = " and ".join(f"{kind}s" for kind in scene.book.tables.armoured.bunkers)
    unused = f"; its Armour Value of {known} is not used: only {bunkers} have one here"
    spare = f"; its {counted(own.hull or 0, 'hull point')} are not used: only {bunkers} have them here"
    return wall + (unused if known is not None else "") + (spare if own.hull else "")


def under_a_wall(scene: Scene) -> str:
    """Say whom a section of wall hits that falls."""
    ruling = scene.book.rulings.falling_wall
    manning = "those who man its openings"
    near = f"{manning}, and on attackers near by" if ruling("near") else manning
    return "everybody behind it" if ruling("section") else near


def ways_in(scene: Scene) -> str:
    """Say how attackers get in."""
    building, abreast = scene.scenario.building, scene.book.tables.storming.abreast
    own = OwnBuilding.of(building)
    windows = own.windows
    if scene.sealed:
        return f"none until structural damage breaches it, attackers {abreast} abreast at each breach"
    if scene.locked:
        room = scene.book.rulings.helpers_at_doors("room")
        most = scene.book.tables.forcing.most_helpers * door_width(scene)
        by = f"one model and up to {counted(most, 'helper')}" if room else "all who are there"
        said = " (as the scenario has it)" if own.locked else ""
        opens = f"to be forced, by {by}{hackers(scene)}"
        return f"{counted(windows, 'window')}, and {counted(building.doors, 'locked door')}{said} {opens}"
    shut = building.doors - scene.open_doors
    others = f"; {counted(shut, 'locked door')}, which nobody forces" if shut else ""
    ways = f"{counted(scene.open_doors, 'door')} and {counted(windows, 'window')}"
    return f"{ways}, attackers {abreast} abreast at each{others}"


def hackers(scene: Scene) -> str:
    """Say who tries to hack a lock before it is forced, and how often."""
    able = [group for group in scene.scenario.attackers.groups if doors.skill(group)]
    more, two_ones = doors.harder(scene.book, doors.door_kind(scene)), 2
    goals = (max(doors.skill(group) + more, two_ones) for group in able)
    who = (f"{counted(g.count, g.profile.title)} on {goal} or less" for g, goal in zip(able, goals, strict=True))
    often = scene.book.rulings.hacking.said
    return f"; or before that to be hacked, by {' and '.join(who)}, {often}" if able else ""


def attackers(scene: Scene) -> str:
    """Say what the attackers do under their plan."""
    tools = {"armour": "shoot and hew at the bunker", "door": "batter the door", "wall": "bring a wall down"}
    works = scene.gunners or scene.strikers
    hewing = "; blows at the structure have no charge bonus, and nobody stands and fires at those who charge it"
    blows = hewing if scene.strikers else ""
    inches = scene.book.tables.plans.counted_on
    burn = "; flamers in range burn through openings and ports before a charge" if scene.burners else ""
    hacked = "hack or " if scene.locked and hackers(scene) else ""
    opened = f"{hacked}force a door, then " if scene.locked else ""
    storm = f"{opened}charge when {inches} inches on the dice are enough, and shoot with action points to spare{burn}"
    if scene.sealed:
        storm = (
            f"{tools['armour']} until it is breached, then {storm}{blows}"
            if works
            else "cannot open it, and shoot at its ports"
        )
    match scene.scenario.plan:
        case "storm":
            return storm + UNIT
        case "demolish" if scene.sealed:
            return f"as under storm: {storm}{UNIT}"
        case "demolish" if works:
            return (
                f"{tools[scene.structure]} with all that can hurt it{till_when(scene)} while the rest shoot, then go "
                f"in; once those who can are lost, all {storm}{blows}{UNIT}"
            )
        case "demolish":
            return f"as under storm: nothing they have hurts the building; {storm}{UNIT}"
        case "smoke":
            return smoke(scene)
    return f"stay {scene.stand_off} inches off, or where they are, and shoot at those who fire out{UNIT}"


def till_when(scene: Scene) -> str:
    """Say until when a locked door is battered."""
    if scene.structure != "door":
        return ""
    enough = scene.book.tables.storming.abreast * door_width(scene)
    holes = f" or has holes for {enough} attackers" if scene.book.rulings.door_holes("any_point") else ""
    return f", until it is gone{holes},"


def smoke(scene: Scene) -> str:
    """Say how attackers smoke the garrison out, or why they cannot."""
    if scene.plan == "shoot":
        able = scene.burners or scene.grenadiers
        why = "the building has no opening" if able else "they have neither template weapons nor grenades with a blast"
        return f"as under shoot, since {why}: stay {scene.stand_off} inches off and shoot at those who fire out{UNIT}"
    shutters, ways = scene.book.rulings.shutters, "the ports" if scene.sealed else "openings"
    if scene.sealed and not shutters("none"):
        ways += f", {shutters.said}"
    using = ["burn with template weapons"] if scene.burners else []
    using += [f"throw grenades, one model in {scene.book.game.tables.grenades.share},"] if scene.grenadiers else []
    shut = scene.locked and not OwnBuilding.of(scene.scenario.building).windows
    forced = "force a door where nothing is open, " if shut else ""
    return (
        f"{forced}walk up to {scene.smoke_from} inches, {' and '.join(using)} through {ways}; the rest shoot; nobody "
        f"goes in before the garrison is dead or gone{UNIT}"
    )


def garrison(scene: Scene) -> str:
    """Say where the garrison stands, and what it does under its plan."""
    stands = "inside, manning the ports" if scene.sealed else "inside, manning the openings"
    if not scene.sallies:
        return f"stays {stands}, and shoots out"
    return (
        f"stays {stands}, and shoots out until in its own turn a charge counts on reaching the attackers "
        f"({scene.book.tables.plans.counted_on} inches on the dice); then all come out and charge, and both fight "
        f"on in the open, shooting only until they have met{back_inside(scene)}"
    )
