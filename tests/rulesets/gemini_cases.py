"""The assaults that the brute force of the Gemini rules judges, by name."""

from dataclasses import replace

from sims.games.arap.unit import (
    PURSUES,
    RALLIED,
    RUNS,
    SUPPRESSED,
    SUPPRESSED_NEXT,
    SUPPRESSED_TWICE,
    SUPPRESSION,
    Band,
    is_pinned,
)
from sims.reading import parse
from sims.rulesets import RuleSet, rule_set
from sims.rulesets.gemini import state as gemini_state
from sims.scenario import Scenario, build
from tests.rulesets.gemini_lines import SETUPS as LINES
from tests.rulesets.gemini_oracle import (
    Body,
    Floors,
    House,
    LedFloors,
    LedSiege,
    MixedFloors,
    MixedSiege,
    Now,
    NowFloors,
    NowLed,
    Siege,
    Troops,
    play_on,
    start,
    whole_assault,
)
from tests.rulesets.gemini_pursuit import SETUPS as PURSUIT
from tests.rulesets.gemini_suppression import SETUPS
from tests.rulesets.judging import Case, Expected, named


def gemini(tables: str = "", **rulings: str) -> RuleSet:
    """The rules with other rulings, and other numbers as a house rule writes them."""
    rules = rule_set("gemini")
    book = type(rules.book).load(parse("own.toml", f'base = "gemini"\n{tables}')) if tables else rules.book
    return replace(rules, book=book.with_rulings(rulings))


WIDTHS = {1: "single", 2: "double"}
GATES = {4: "solid_timber", 5: "heavy_steel"}
"""Doors of Toughness 6 by the points of an inch."""


def scenario(siege: Siege, attackers: int, defenders: int, away: int, turns: int) -> Scenario:
    """The oracle's set-up as a scenario file has it."""
    house = siege.house
    kind = "brick wall" if house.kind == "wall" and house.T == 8 else house.kind
    archetype, material, doors = {
        "open": ("house", "brick", 0),
        "door": ("house", "brick", 1),
        "wall": ("hut", "wattle", 0),
        "brick wall": ("house", "brick", 0),
        "bunker": ("bunker", "armour", 1),
    }[kind]

    def troops(name: str, t: Troops, grenades: bool, body: Body | None = None, *more: str) -> str:
        own = body or t
        profile = "\n".join(f"{k} = {getattr(t, k)}" for k in ("WS", "BS", "S", "I", "A", "Ld"))
        profile += "\n" + "\n".join(f"{k} = {getattr(own, k)}" for k in ("T", "W", "Sv"))
        profile += f"\ninvulnerable = {own.inv}" if own.inv is not None else ""
        profile += f"\nmove = {siege.move}" if siege.move != Siege.move else ""
        own_keys = {"fearless": t.steadfast, "hates": t.hates, "frenzy": t.frenzied}
        profile += "".join(f"\ngemini.{key} = true" for key, has in own_keys.items() if has)
        return f"""
            [units."{name}"]
            title = "{name}"
            {profile}
            {'grenades = ["assault"]' if grenades else ""}
            {" ".join(more)}
            [weapons."{name}"]
            title = "{name}"
            kind = "{t.weapon}"
            range = {t.range}
            S = {t.weapon_S}
            shots = {t.shots}
            {f"AP = {t.AP}" if t.AP < 7 else ""}
            {"gemini.pinning = true" if t.pinning else ""}
            {f"gemini.damage = {t.damage}" if t.damage > 1 else ""}
            {f"gemini.laser = {str(t.laser).lower()}" if t.laser else ""}
            {f"gemini.guess = {str(t.guess).lower()}" if t.guess else ""}
            {f"gemini.torrent = {t.torrent}" if t.torrent else ""}
            {f"blast = {t.blast}" if t.weapon == "blast" else ""}
        """

    def armed(name: str, t: Troops) -> str:
        return f'weapon = "{name}"' + ('\nmelee = "sword"' if t.sword else "")

    hull = f", hull = {house.points}" if house.kind == "bunker" and house.points != 3 else ""
    gate = (
        f', locked = 1, gate = "{GATES[house.points // house.door_wide]}"'
        if house.kind == "door" and house.points
        else ""
    )
    quadrants = f", sides = {house.sides}" if house.sides > 1 else ""
    levels, links, deployment, powered = 1, "", "", ""
    if isinstance(siege, Floors):
        levels = siege.sections
        links = f', links = "{siege.link}", open = {str(siege.hall).lower()}, inner_doors = "{siege.inner_doors}"'
        deployment = f"deployment = {siege.deployment!r}"
        powered = "gemini.power_armour = true" if siege.powered else ""
    leaders, special, units = {"ours": "", "theirs": ""}, "", ""
    if isinstance(siege, LedSiege):
        sides = {"ours": (siege.ours, siege.leader_A), "theirs": (siege.theirs, siege.chief_A)}
        for side, (t, A) in sides.items():
            if A:
                leaders[side] = f'leader = {{ unit = "leader of {side}", {armed(side, t).replace(chr(10), ", ")} }}'
                body = getattr(siege, "leader" if side == "ours" else "chief", None)
                hacks = f"gemini.hacks = {siege.hacks}" if side == "ours" else ""
                units += troops(f"leader of {side}", replace(t, A=A), siege.grenades and side == "ours", body, hacks)
        if siege.bearers:
            special = f'specials = [{{ weapon = "mortar", count = {siege.bearers} }}]'
            units += '[weapons.mortar]\ntitle = "mortar"\nkind = "blast"\nblast = 3\nrange = 0\nS = 4\n'
    text = f"""
        title = "Example"
        distance = {away}
        {f"edge = {siege.edge}" if siege.edge != Siege.edge else ""}
        turns = {turns}
        first = "{siege.first}"
        {lies_between(siege)}
        [building]
        title = "Building"
        archetype = "{archetype}"
        material = "{material}"
        footprint = [4, 4]
        doors = {doors}
        levels = {levels}
        door = "{WIDTHS[house.door_wide]}"
        gemini = {{ windows = {house.openings}, interior = "{house.inside}"{links}{hull}{quadrants}{gate} }}
        firing_inches = {house.fire_out}
        military = {str(house.kind == "bunker").lower()}
        capacity = {max(defenders, 10)}
        [attackers]
        unit = "ours"
        models = {attackers}
        {armed("ours", siege.ours)}
        {leaders["ours"]}
        {special}
        plan = "{siege.plan}"
        {"formation = {{ files = {}, gap = {} }}".format(*siege.formation) if siege.formation else ""}
        [defenders]
        unit = "theirs"
        models = {defenders}
        {armed("theirs", siege.theirs)}
        {leaders["theirs"]}
        plan = "{siege.defence}"
        {deployment}
        {troops("ours", siege.ours, siege.grenades, None, f"gemini.hacks = {siege.hacks * (siege.hackers == 'all')}")}
        {units}
        {troops("theirs", siege.theirs, siege.garrison_grenades, None, powered)}
    """
    return build(parse("example.toml", text), "example")


def lies_between(siege: Siege) -> str:
    """Bands and walls as a scenario file has them."""
    bands = (f'{{ near = {near}, far = {far}, ground = "{kind}" }}' for near, far, kind in siege.bands)
    walls = (f"{{ start = [{a}, {b}], end = [{c}, {d}] }}" for a, b, c, d in siege.walls)
    return f"bands = [{', '.join(bands)}]\nwalls = [{', '.join(walls)}]"


def case(siege: Siege, *numbers: int, judged: Siege | None = None, tables: str = "", **rulings: str) -> Case:
    """A siege by so many attackers of so many defenders, so far away, for so many turns.

    Under other rulings the brute force may judge a siege of its own. Markers are fired at chargers. The fearless pass
    every check of morale; a leader can be suppressed who alone is left.
    """
    by = replace(judged or siege, shells=True)
    by = replace(by, **{who: replace(t, Ld=15) for who in ("ours", "theirs") if (t := getattr(by, who)).steadfast})
    rulings = {"hacking": "again" if siege.hack_again else "once", **rulings}
    rulings |= {"smashed_lock": "opens"} if siege.smashed_opens else {}
    rulings |= {} if siege.house.any_point else {"door_holes": "all_points"}
    rulings |= {"corrective_aiming": "yes"} if siege.corrective else {}
    pursuing = ("pursuit", "pursuit_order", "free_hacks")
    of_routs = {n: getattr(siege, n) for n in ("routers", "routers_move", "rally_when", "flight", *pursuing)}
    rulings |= {name: option for name, option in of_routs.items() if option != getattr(Siege, name)}
    if siege.suppression == "test":
        how = {
            "suppressed_by": siege.threshold,
            "suppressed_turn": siege.suppressed_turn,
            "suppressed_characters": "yes",
        }
        rulings |= {"suppression": "test", **how}
    return Case(
        lambda: gemini(tables, **rulings).assault(scenario(siege, *numbers)),
        lambda: whole_assault(by, *numbers),
        lambda state, left: from_here(by, numbers, state, left),
    )


SLOWED = {SUPPRESSED: 1, SUPPRESSED_NEXT: 2, SUPPRESSED_TWICE: 3}
PLACES = {gemini_state.INSIDE: "in", gemini_state.APART: "out", gemini_state.LOCKED: "locked"}


def from_here(siege: Siege, numbers: tuple[int, ...], state: gemini_state.Siege, left: int) -> Expected:
    """What brute force says of a state."""
    begun = start(siege, *numbers[:3])
    return play_on(siege, begun, now(begun, state), left)


def now(begun: Now, state: gemini_state.Siege) -> Now:
    """How a state stands for brute force; a garrison that is to act is dazed already by what has shaken it."""

    def kinds(unit: tuple[str, ...], band: Band) -> tuple[str, ...]:
        return named(unit, (*band.kinds, band.models - sum(band.kinds)))

    at = replace(
        begun,
        a=state.attackers.models,
        d=state.defenders.models,
        away=state.distance,
        shown=state.exposed,
        a_due=state.attackers.due in (1, 2),
        d_due=state.defenders.due in (1, 2),
        a_owes=state.attackers.due == SUPPRESSION,
        d_owes=state.defenders.due == SUPPRESSION,
        a_pinned=state.attackers.pinned * bool(is_pinned(state.attackers.pinned)),
        d_pinned=state.defenders.pinned * bool(is_pinned(state.defenders.pinned)),
        a_slowed=SLOWED.get(int(state.attackers.pinned), 0),
        d_slowed=SLOWED.get(int(state.defenders.pinned), 0),
        opened=state.forced > 0,
        damage=state.damage,
        hull=state.hull,
        cracks=state.cracks,
        shaken=state.shaken or state.dazed,
        ports=state.ports_open > 0,
        place=PLACES[state.place],
        met=state.met > 0,
        stormed=state.stormed > 0,
        routs=state.attackers.routs == RUNS,
        rallied=state.attackers.routs == RALLIED,
        pursues=state.defenders.routs == PURSUES,
        edge=begun.edge - state.followed,
    )
    if isinstance(at, NowFloors):
        at = replace(at, held=state.held, here=state.here)
    if isinstance(at, NowLed):
        at = replace(at, squad=kinds(at.squad, state.attackers), guard=kinds(at.guard, state.defenders))
    return at


WHOLE = {
    "D6 against D6 at one window": (
        Siege(Troops(I=4, WS=4, Ld=6, sword=True), Troops(Ld=6), House(openings=1)), 2, 2, 12, 2,
    ),
    "pairs, grenades, a machine gun": (
        Siege(
            Troops(A=2, weapon="assault", range=12, weapon_S=4, AP=5),
            Troops(weapon="heavy", shots=2, weapon_S=5, AP=4, range=36, I=4, Ld=6),
            House(openings=2),
            grenades=True,
        ), 3, 2, 20, 2,
    ),
    "a locked door": (
        Siege(Troops(weapon="pistol", range=12, weapon_S=4, AP=5, Ld=6), Troops(Ld=5), House(kind="door")), 2, 2, 5, 2,
    ),
    "a wall shot down": (
        Siege(
            Troops(weapon="assault", range=18, weapon_S=5, shots=2, I=5),
            Troops(Ld=5),
            House(kind="wall", openings=1, T=6, points=3),
            plan="demolish",
        ), 2, 2, 19, 2,
    ),
    "a bunker of one hull point": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=8, AP=2, I=4),
            Troops(Ld=5, BS=2),
            House(kind="bunker", T=14, points=1, fire_out=2),
            plan="demolish",
        ), 2, 2, 14, 2,
    ),
    "a bunker shot open": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4),
            Troops(Ld=5, BS=2),
            House(kind="bunker", T=14, points=3, fire_out=2),
            plan="demolish",
        ), 2, 2, 14, 2,
    ),
    "shooting only": (
        Siege(Troops(BS=5, weapon_S=5, AP=4), Troops(Ld=5, Sv=6), House(openings=2), plan="shoot"), 3, 3, 15, 2,
    ),
}  # fmt: skip
PLANNED = {
    "flamers at two windows": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=4),
            Troops(Ld=6, Sv=4),
            House(openings=2),
            plan="smoke",
        ), 2, 3, 11, 2,
    ),
    "grenades through a window": (
        Siege(Troops(Ld=6), Troops(Ld=5, BS=2), House(openings=1), grenades=True, plan="smoke"), 3, 4, 9, 2,
    ),
    "grenades into a courtyard": (
        Siege(
            Troops(Ld=6), Troops(Ld=5, BS=2), House(openings=1, inside="open"), grenades=True, plan="smoke"
        ), 3, 4, 9, 2,
    ),
    "flamers at a furnished room": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=4),
            Troops(Ld=6, Sv=4),
            House(openings=2, inside="hard_cover"),
            plan="smoke",
        ), 2, 3, 11, 2,
    ),
    "grenades at the ports of a bunker": (
        Siege(
            Troops(BS=5, weapon="pistol", range=12, weapon_S=4, Sv=3),
            Troops(Ld=5),
            House(kind="bunker", T=14, points=3, fire_out=2),
            grenades=True,
            plan="smoke",
            first="defenders",
        ), 3, 3, 9, 2,
    ),
    "flamers at the ports of a bunker": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, Sv=3),
            Troops(Ld=5),
            House(kind="bunker", T=14, points=3, fire_out=1),
            plan="smoke",
        ), 2, 3, 7, 2,
    ),
    "a door forced for grenades": (
        Siege(Troops(I=5), Troops(Ld=5, BS=1), House(kind="door"), grenades=True, plan="smoke"), 2, 3, 2, 2,
    ),
    "flamers that storm": (
        Siege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=5),
            Troops(Ld=6),
            House(openings=2),
            first="defenders",
        ), 2, 3, 8, 1,
    ),
    "a sally against those who shoot": (
        Siege(Troops(I=4), Troops(A=2, Ld=6), House(openings=2), plan="shoot", defence="sally"), 2, 2, 13, 2,
    ),
    "a sally against a storm": (
        Siege(
            Troops(I=4, WS=4, Ld=6),
            Troops(weapon="heavy", shots=2, weapon_S=5, AP=4, range=36, I=5, Ld=8),
            House(openings=2),
            defence="sally",
            first="defenders",
        ), 3, 2, 14, 2,
    ),
    "a sally against grenades": (
        Siege(
            Troops(A=2, Ld=8), Troops(I=4, Ld=8), House(openings=1), grenades=True, plan="smoke", defence="sally"
        ), 3, 3, 7, 3,
    ),
    "a sally out of a bunker": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4),
            Troops(Ld=7, BS=2, A=2),
            House(kind="bunker", T=14, points=3, fire_out=2),
            plan="demolish",
            defence="sally",
        ), 2, 3, 11, 1,
    ),
    "a sally of those who are shaken on the way out": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=10, AP=2, I=5, Ld=8),
            Troops(Ld=7, BS=1),
            House(kind="bunker", T=14, points=3, fire_out=1),
            plan="demolish",
            defence="sally",
            first="defenders",
        ), 1, 2, 13, 2,
    ),
}  # fmt: skip
"""Smoking a garrison out, and sallies."""


MARKSMEN = Troops(BS=5, weapon="assault", range=30, weapon_S=4, Ld=6, pinning=True)
PINNED = {
    "marksmen who only shoot": (
        Siege(MARKSMEN, Troops(Ld=5, BS=2), House(openings=2), plan="shoot", first="defenders"), 2, 3, 20, 2,
    ),
    "marksmen who storm": (
        Siege(replace(MARKSMEN, I=4), Troops(Ld=5, BS=2, I=4), House(openings=2)), 2, 3, 15, 2,
    ),
    "marksmen inside": (
        Siege(Troops(I=4, Ld=5), replace(MARKSMEN, BS=4), House(openings=1)), 3, 2, 15, 2,
    ),
    "marksmen on both sides, in the open": (
        Siege(
            replace(MARKSMEN, I=4, Ld=5), replace(MARKSMEN, Ld=5), House(openings=2), plan="shoot", defence="sally"
        ), 2, 2, 13, 3,
    ),
}  # fmt: skip
"""Weapons that pin."""


def last(siege: Siege, *numbers: int) -> Case:
    """The same, but the attackers have the last word: what falls has to fall in their turn."""
    return case(replace(siege, first="defenders"), *numbers)


FISTS = Troops(S=8, A=2, I=4, Ld=8, weapon="pistol", range=12, weapon_S=1)
HEWN = {
    "a wall hewn down": (
        Siege(FISTS, Troops(Ld=5), House(kind="wall", openings=1, T=8, points=7, hewn=True), plan="demolish"),
        3, 2, 12, 2,
    ),
    "a bunker hewn open": (
        Siege(
            replace(FISTS, S=9),
            Troops(Ld=5, BS=2),
            House(kind="bunker", T=14, points=3, fire_out=2, hewn=True),
        ), 2, 2, 12, 2,
    ),
}  # fmt: skip
"""Walls and bunkers that only blows can hurt."""


DOOR, *BY_THE_DOOR = WHOLE["a locked door"]
WEAK = Siege(Troops(S=1, weapon="pistol", range=12), Troops(Ld=5, BS=1), House(kind="door"))
FALLING, *AT_THE_WALL = WHOLE["a wall shot down"]
HEWING, *UNDER_THE_WALL = HEWN["a wall hewn down"]
SHOT_AT, *IN_PAIRS = WHOLE["pairs, grenades, a machine gun"]
COMING_OUT, *IN_THE_OPEN = PLANNED["a sally against a storm"]
SHOOTING, *FROM_AFAR = WHOLE["shooting only"]
ONE_FIRES = replace(SHOOTING, house=replace(SHOOTING.house, fire_out=1))
RULED = {
    "a door that nobody locks": case(
        DOOR, *BY_THE_DOOR, judged=replace(DOOR, house=House(openings=1)), locked_doors="none"
    ),
    "a house whose doors are all locked": case(
        replace(DOOR, house=House(kind="door", openings=1)), *BY_THE_DOOR, locked_doors="every"
    ),
    "one helper at a door": case(
        WEAK, 4, 2, 1, 1, tables="[tables.forcing]\nmost_helpers = 1", judged=replace(WEAK, helpers=1)
    ),
    "everybody helps at a door": case(
        WEAK,
        4, 2, 1, 1,
        tables="[tables.forcing]\nmost_helpers = 1",
        helpers_at_doors="everybody",
        judged=replace(WEAK, helpers=60),
    ),
    "a wall that falls on those at its openings": case(
        FALLING,
        2, 3, 19, 2,
        tables="[tables.sections]\nfire_out = 1",
        judged=replace(FALLING, house=replace(FALLING.house, fire_out=1)),
    ),
    "a wall that falls on everybody inside": case(
        FALLING,
        2, 3, 19, 2,
        tables="[tables.sections]\nfire_out = 1",
        falling_wall="section",
        judged=replace(FALLING, wall_hits="section", house=replace(FALLING.house, fire_out=1)),
    ),
    "a wall that falls on those outside too": case(
        HEWING, *UNDER_THE_WALL, falling_wall="near", judged=replace(HEWING, wall_hits="near")
    ),
    "who was charged in a house still tests": case(
        SHOT_AT, *IN_PAIRS, charged_units="tests", judged=replace(SHOT_AT, excused=False)
    ),
    "who was charged in the open still tests": case(
        COMING_OUT, *IN_THE_OPEN, charged_units="tests", judged=replace(COMING_OUT, excused=False)
    ),
    "one of three inside fires": case(
        SHOOTING, *FROM_AFAR, tables="[tables.sections]\nfire_out = 1", judged=ONE_FIRES
    ),
    "who fired is in sight until he acts": case(
        SHOOTING,
        *FROM_AFAR,
        tables="[tables.sections]\nfire_out = 1",
        exposure="next_action",
        judged=replace(ONE_FIRES, until_it_acts=True),
    ),
}  # fmt: skip
"""Other readings of the book."""
LED = Troops(I=1, weapon="pistol", range=12, weapon_S=4, Ld=8)
HOLDERS = Troops(Ld=5, WS=4, A=2)
WHO_FALLS = {
    "at one window": (LedSiege(LED, HOLDERS, House(openings=1)), 3, 2, 12, 2),
    "in pairs at one window of two": (LedSiege(LED, HOLDERS, House(openings=2)), 3, 2, 12, 2),
    "with a bearer in pairs at one window": (LedSiege(LED, HOLDERS, House(openings=1), bearers=1), 4, 2, 9, 2),
    "with a bearer at a chief": (
        LedSiege(replace(LED, I=4), replace(HOLDERS, A=1), House(openings=2), bearers=1, chief_A=3), 4, 3, 9, 2,
    ),
    "a chief who is fired at": (
        LedFloors(
            replace(LED, I=4, weapon_S=5, weapon="assault", range=18),
            Troops(Ld=5),
            House(openings=2),
            leader_A=0,
            chief_A=3,
            room=2,
        ), 2, 4, 20, 2,
    ),
    "a chief among flames": (
        LedFloors(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=5),
            Troops(Ld=6, WS=4),
            House(openings=2),
            leader_A=0,
            chief_A=3,
            room=2,
            first="defenders",
        ), 2, 4, 8, 1,
    ),
    "a chief who sallies among flames": (
        LedSiege(
            Troops(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=4),
            Troops(Ld=6, WS=4),
            House(openings=2),
            leader_A=0,
            chief_A=3,
            plan="smoke",
            defence="sally",
        ), 2, 3, 9, 2,
    ),
    "a chief who sallies against a leader": (
        LedSiege(LED, replace(HOLDERS, A=1), House(openings=2), chief_A=2, plan="shoot", defence="sally"), 2, 2, 11, 2,
    ),
}  # fmt: skip
"""Sieges by several kinds of models, or of them."""


def who_falls(who: str, name: str) -> Case:
    """One of these sieges, and who falls in it."""
    siege, *numbers = WHO_FALLS[name]
    rulings = {"who_falls": who, "across_doorways": "none"}
    return case(replace(siege, who=who), *numbers, tables=f"[tables.sections]\nmodels = {siege.room}", **rulings)


AT_PORTS = MixedSiege(
    Troops(BS=5, weapon="assault", shots=2, weapon_S=5, AP=6), Troops(Ld=5, Sv=6), House(kind="bunker", T=14, points=3),
    leader_A=0, chief_A=2, plan="shoot", first="defenders",
)  # fmt: skip
GUNS_AT_A_CAPTAIN = MixedSiege(
    replace(LED, I=4), Troops(weapon="heavy", shots=2, weapon_S=5, AP=2, range=36, damage=2, I=4, Ld=6, WS=4), House(openings=2),
    leader_A=2, leader=Body(T=4, W=3, Sv=3, inv=4), first="defenders",
)  # fmt: skip
UNLIKE = {
    "hits shared out evenly": case(
        replace(GUNS_AT_A_CAPTAIN, even=True), 3, 2, 14, 2, who_falls="drawn", hits_shared="evenly"
    ),
    "shots at ports, hits on the slain are lost": case(
        replace(AT_PORTS, left_over="lost"), 3, 3, 12, 2, who_falls="drawn", left_over="lost"
    ),
    "shots at the ports of a chief who is another": case(
        replace(AT_PORTS, chief=Body(T=4, W=2, Sv=4)), 3, 3, 12, 2, who_falls="drawn"
    ),
}
"""Sieges by models that differ in what they can take, or where hits on the slain are lost; others are in `led_setups`."""

STORMERS = Troops(WS=4, BS=4, S=4, weapon_S=4, sword=True)
DWELLERS = Troops(Sv=6)
FLAMES = Troops(weapon="template", range=8, weapon_S=4, AP=5)
ONE, TWO = House(openings=1), House(openings=2)
STORED = {
    "two floors by stairs": (Floors(STORMERS, DWELLERS, ONE), 3, 3, 6, 3),
    "two floors by a ladder": (Floors(STORMERS, DWELLERS, ONE, link="ladder"), 3, 3, 6, 3),
    "three floors, whose garrison stays": (
        Floors(STORMERS, DWELLERS, TWO, sections=3, evens_out="stays"), 3, 4, 6, 3,
    ),
    "floors, a sally": (Floors(STORMERS, DWELLERS, TWO, defence="sally", grenades=True), 3, 3, 8, 2),
    "floors shot at": (Floors(STORMERS, DWELLERS, House(openings=1, fire_out=1), plan="shoot"), 3, 4, 2, 2),
    "floors among flames": (Floors(FLAMES, DWELLERS, ONE, plan="smoke"), 3, 4, 7, 2),
    "floors, a door, behind which all stand": (
        Floors(STORMERS, DWELLERS, House(kind="door"), first="defenders", deployment="doors", room=2), 3, 3, 2, 3,
    ),
    "floors, nobody on the ground": (Floors(STORMERS, DWELLERS, ONE, deployment="top"), 3, 3, 6, 2),
    "three floors, the highest full": (
        Floors(STORMERS, DWELLERS, TWO, sections=3, deployment="top", room=2, evens_out="stays"), 4, 3, 5, 2,
    ),
    "floors, more attackers than have room": (
        Floors(replace(STORMERS, pinning=True), DWELLERS, TWO, room=2), 4, 4, 4, 2,
    ),
    "floors, smoked with grenades": (
        Floors(STORMERS, DWELLERS, House(openings=1, fire_out=2), plan="smoke", grenades=True, first="defenders"),
        3, 4, 5, 2,
    ),
    "floors, whose garrison is barricaded": (
        Floors(STORMERS, DWELLERS, TWO, barricaded=True), 3, 3, 6, 3,
    ),
    "floors, machine guns, and a storm that goes on": (
        Floors(
            STORMERS, Troops(weapon="heavy", shots=2, weapon_S=4), ONE, link="ladder", continued=True, excused=False,
        ), 3, 3, 6, 3,
    ),
}  # fmt: skip
"""Houses whose garrison is spread over several sections."""
BURNERS = replace(STORMERS, weapon="template", range=8, AP=5)
UP = Floors(STORMERS, DWELLERS, ONE, grenades=True, across=True)
BOTH_WAYS = replace(UP, garrison_grenades=True)
BACK_DOWN = Floors(STORMERS, DWELLERS, TWO, defence="sally", deployment="top")
JUMP = replace(BACK_DOWN, link="ladder")
BACK = {
    "a charge back down the stairs": (BACK_DOWN, 4, 4, 4, 3),
    "a jump down by the ladder": (JUMP, 4, 4, 4, 3),
    "a jump, whoever falls is down": (replace(JUMP, failed_jump="down"), 4, 4, 4, 3),
    "a nimble jump, and a save that counts in a fall": (
        MixedFloors(
            STORMERS, replace(DWELLERS, I=4, inv=5), TWO, link="ladder", defence="sally", deployment="top",
            leader_A=0, chief_A=2, chief=Body(T=4, W=2, Sv=4, inv=5),
        ), 2, 3, 4, 2,
    ),
    "a jump in power armour": (replace(JUMP, theirs=replace(DWELLERS, Sv=3), powered=True), 4, 3, 4, 3),
    "a chief who jumps": (
        LedFloors(
            STORMERS, DWELLERS, TWO, link="ladder", defence="sally", deployment="top", leader_A=0, chief_A=3,
        ), 3, 4, 4, 3,
    ),
    "three floors, a charge back from each": (
        replace(BACK_DOWN, sections=3, deployment="spread", evens_out="stays", theirs=replace(DWELLERS, WS=4)), 4, 5, 4, 3,
    ),
    "a charge back with grenades, garrison first": (
        replace(BACK_DOWN, garrison_grenades=True, across=True, theirs=replace(DWELLERS, I=4), first="defenders"),
        4, 4, 14, 3,
    ),
    "a charge back at as many as have room": (
        replace(BACK_DOWN, theirs=replace(DWELLERS, WS=4, A=2, sword=True), room=2), 4, 4, 4, 3,
    ),
    "a jump by a ladder of three floors, with a leader": (
        LedFloors(
            STORMERS, replace(DWELLERS, A=2, sword=True), TWO, sections=3, link="ladder", defence="sally", room=2,
            evens_out="stays", leader_A=2, chief_A=2, garrison_grenades=True, failed_jump="down",
        ), 3, 4, 4, 2,
    ),
}  # fmt: skip
"""The garrison charges back at those who are in the house."""
HALL = Floors(STORMERS, DWELLERS, TWO, sections=3, deployment="top", evens_out="stays", hall=True)
SHUT = replace(BOTH_WAYS, inner_doors="shut")
INDOORS = {
    "a hall cleared by shots": (replace(HALL, ours=replace(STORMERS, A=2)), 3, 4, 4, 3),
    "a hall, whose garrison charges back and routs, garrison first": (
        replace(
            HALL, theirs=replace(DWELLERS, I=4, Ld=5), defence="sally", deployment="spread", evens_out="own_turn",
            first="defenders",
        ), 3, 4, 4, 2,
    ),
    "a hall of four sections, a leader and a chief": (
        LedFloors(
            replace(STORMERS, I=5), DWELLERS, TWO, sections=4, deployment="top", evens_out="stays", hall=True,
            grenades=True, across=True, leader_A=2, chief_A=2, specials="behind",
        ), 3, 4, 3, 2,
    ),
    "shut doors, grenades on both sides": (SHUT, 4, 4, 6, 3),
    "shut doors, machine guns, and a charge back": (
        Floors(
            STORMERS, Troops(weapon="heavy", shots=2, weapon_S=5, AP=5, I=4), TWO, defence="sally", deployment="top",
            inner_doors="shut", corrective=True,
        ), 3, 3, 4, 3,
    ),
    "shut doors, flames at a chief who is another": (
        MixedFloors(
            BURNERS, DWELLERS, TWO, across=True, leader_A=0, chief_A=2, chief=Body(T=4, W=2, Sv=4, inv=5),
            inner_doors="shut",
        ), 2, 3, 4, 2,
    ),
    "a lock that one smashes": (
        Siege(Troops(S=2, I=4, WS=4, Sv=4, sword=True), Troops(Ld=5), House(kind="door"), smashed_opens=True),
        1, 2, 3, 3,
    ),
    "a lock that is smashed once there are few": (
        Siege(
            Troops(I=4, WS=4), Troops(BS=5, Ld=6), House(kind="door"), smashed_opens=True, plan="smoke",
            grenades=True, first="defenders",
        ), 4, 3, 8, 2,
    ),
    "a door that a leader hacks and others force or smash, and floors": (
        LedFloors(
            replace(STORMERS, S=1, I=4), DWELLERS, House(kind="door"), leader_A=2, hacks=7, hackers="leader",
            smashed_opens=True,
        ), 3, 3, 4, 2,
    ),
}  # fmt: skip
"""Halls (GB-110), shut doors from section to section, and locks that open their door when they are smashed (GB-062)."""
ACROSS = {
    "two floors, grenades up the stairs": (UP, 4, 4, 6, 3),
    "grenades both ways": (BOTH_WAYS, 4, 4, 6, 3),
    "grenades down the stairs": (replace(BOTH_WAYS, grenades=False), 3, 4, 6, 3),
    "flames up the stairs": (replace(UP, ours=BURNERS, grenades=False), 3, 4, 6, 3),
    "the garrison burns those who come up": (replace(UP, theirs=replace(FLAMES, Sv=6), grenades=False), 4, 4, 6, 3),
    "three floors, grenades that miss": (
        replace(BOTH_WAYS, ours=replace(STORMERS, I=4), house=TWO, sections=3, evens_out="stays"), 4, 4, 4, 3,
    ),
    "reaction, garrison first": (
        replace(BOTH_WAYS, theirs=replace(DWELLERS, I=4), first="defenders"), 4, 4, 4, 3,
    ),
    "flames against grenades in furnished rooms": (
        replace(BOTH_WAYS, ours=BURNERS, house=House(openings=2, inside="hard_cover")), 3, 4, 6, 3,
    ),
    "grenades among as many as have room": (replace(BOTH_WAYS, house=TWO, room=2), 4, 4, 4, 3),
    "grenades of both sides, a leader and a chief": (
        LedFloors(
            STORMERS, DWELLERS, TWO, grenades=True, garrison_grenades=True, across=True, leader_A=2, chief_A=2,
        ), 3, 3, 4, 3,
    ),
    "grenades both ways, a leader who is another": (
        MixedFloors(
            STORMERS, DWELLERS, TWO, grenades=True, garrison_grenades=True, across=True, leader_A=2,
            leader=Body(T=4, W=2, Sv=4),
        ), 3, 3, 4, 2,
    ),
    "flames at a chief who is another": (
        MixedFloors(
            replace(BURNERS, AP=4), DWELLERS, ONE, across=True, leader_A=0, chief_A=2,
            chief=Body(T=4, W=2, Sv=4, inv=5),
        ), 2, 3, 4, 2,
    ),
    "three floors, grenades that go on to a chief behind": (
        MixedFloors(
            STORMERS, DWELLERS, TWO, sections=3, specials="behind", grenades=True, across=True, leader_A=0, chief_A=2,
            chief=Body(T=4, W=2, Sv=4, inv=5), deployment="top", room=2,
        ), 3, 4, 4, 2,
    ),
    "grenades both ways, a leader who looks out": (
        MixedFloors(
            STORMERS, DWELLERS, TWO, grenades=True, garrison_grenades=True, across=True, leader_A=2, chief_A=0,
            leader=Body(T=4, W=2, Sv=4), look_out=True,
        ), 3, 3, 4, 2,
    ),
    "flames at a chief who looks out": (
        MixedFloors(
            replace(BURNERS, AP=4), DWELLERS, TWO, across=True, leader_A=0, chief_A=2, chief=Body(T=4, W=2, Sv=4, inv=5),
            look_out=True,
        ), 2, 3, 4, 2,
    ),
}  # fmt: skip
"""The same where flames and grenades are used from section to section."""
LED_DWELLERS = LedFloors(STORMERS, DWELLERS, ONE, leader_A=0, chief_A=3)
LED_STORED = {
    "a chief on two floors by stairs": (LED_DWELLERS, 3, 3, 6, 2),
    "two floors, a leader up a ladder": (LedFloors(STORMERS, DWELLERS, ONE, link="ladder", bearers=1), 3, 3, 5, 2),
    "three floors, a leader and a chief": (
        LedFloors(
            STORMERS, DWELLERS, TWO, sections=3, evens_out="stays", leader_A=2, chief_A=2, who="owner", room=2,
        ), 3, 4, 4, 2,
    ),
    "two floors, a leader and a chief who are others": (
        MixedFloors(
            STORMERS, replace(DWELLERS, I=4), TWO, first="defenders", leader_A=2, chief_A=2,
            leader=Body(T=4, W=2, Sv=4), chief=Body(T=4, W=2, Sv=4, inv=5),
        ), 2, 3, 3, 2,
    ),
    "a chief behind the lower of two floors": (replace(LED_DWELLERS, specials="behind"), 3, 3, 6, 2),
    "a chief alone at the window": (
        MixedFloors(
            STORMERS, Troops(Sv=6, range=1), ONE, plan="shoot", leader_A=0, chief_A=1, chief=Body(T=10, W=1, Sv=6),
        ), 2, 4, 2, 1,
    ),
}  # fmt: skip
"""The same with leaders: those of the garrison stand in the section that is attacked, or behind it."""

PICKERS = Troops(I=4, S=1, WS=4, weapon="pistol", range=12, weapon_S=4, Ld=8)
"""They seldom force a door."""
LOCKED = House(kind="door")
HACKING = {
    "a lock that all can hack": (Siege(PICKERS, Troops(Ld=5), LOCKED, hacks=8), 3, 2, 5, 2),
    "a lock hacked by one weak hacker after the other": (Siege(PICKERS, Troops(Ld=5), LOCKED, hacks=4), 2, 2, 5, 2),
    "a lock that the leader alone can hack": (
        LedSiege(PICKERS, HOLDERS, LOCKED, who="drawn", leader_A=2, hacks=9, hackers="leader"), 3, 2, 4, 2,
    ),
    "a lock hacked again and again": (
        Siege(PICKERS, Troops(Ld=5), LOCKED, hacks=9, hack_again=True, first="defenders"), 2, 2, 4, 2,
    ),
    "a lock that the leader hacks again and again": (
        LedSiege(
            PICKERS, Troops(BS=5, Ld=5), LOCKED, who="drawn", leader_A=2, hacks=7, hackers="leader", hack_again=True,
        ), 3, 2, 4, 2,
    ),
    "a hacked door for grenades": (
        Siege(replace(PICKERS, weapon="rapid fire"), Troops(Ld=5), LOCKED, grenades=True, plan="smoke", hacks=10),
        2, 3, 2, 2,
    ),
    "a hacked door and a ladder": (
        Floors(replace(STORMERS, S=2), DWELLERS, LOCKED, link="ladder", first="defenders", hacks=8), 3, 3, 4, 3,
    ),
    "a door hacked by a leader who is another, and floors": (
        MixedFloors(
            replace(STORMERS, S=1), DWELLERS, LOCKED, leader_A=2, leader=Body(T=4, W=2, Sv=4), hacks=8,
            hackers="leader",
        ), 3, 3, 4, 2,
    ),
}  # fmt: skip
"""Locked doors whose lock is hacked or picked (GB-061)."""
TWO_SIDES = House(openings=2, sides=2)
CROWD = Troops(Ld=6, Sv=6)
SIDES = {
    "ten at the windows of two sides": (
        Siege(Troops(BS=4, weapon_S=4, Ld=9, Sv=4), CROWD, TWO_SIDES, plan="shoot"), 5, 10, 15, 2,
    ),
    "ten on two sides who are stormed": (
        Siege(Troops(I=5, WS=4, A=2, Ld=9, Sv=4), CROWD, TWO_SIDES, first="defenders"), 3, 10, 10, 2,
    ),
    "two floors, nine at the windows of two sides": (
        Floors(
            Troops(BS=4, weapon_S=4, Ld=9, Sv=4), CROWD, TWO_SIDES, plan="shoot", deployment="doors", evens_out="stays",
        ), 4, 9, 15, 2,
    ),
    "two floors, fourteen on three sides": (
        Floors(replace(STORMERS, Ld=9, Sv=3), CROWD, House(openings=3, sides=3)), 3, 14, 8, 2,
    ),
    "the ports of a bunker among enemies on two sides": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4),
            Troops(Ld=5, BS=2),
            House(kind="bunker", T=14, points=3, fire_out=2, sides=2),
            plan="demolish",
        ), 2, 3, 14, 2,
    ),
}  # fmt: skip
"""Houses that fire out with four to each quadrant in which enemies are seen (GB-112); a bunker does as before."""
BY_NUMBER = {
    "two floors, one of four below": (Floors(STORMERS, DWELLERS, ONE, deployment=1, evens_out="stays"), 3, 4, 6, 3),
    "two floors, one of four below until they spread": (Floors(STORMERS, DWELLERS, ONE, deployment=1), 3, 4, 14, 3),
    "three floors, two of six below": (Floors(STORMERS, DWELLERS, TWO, sections=3, deployment=2), 4, 6, 6, 2),
    "three floors, one of six below": (
        Floors(STORMERS, DWELLERS, TWO, sections=3, deployment=1, evens_out="stays"), 4, 6, 6, 2,
    ),
    "two floors, a chief below by himself": (
        LedFloors(STORMERS, DWELLERS, ONE, leader_A=0, chief_A=3, deployment=1, evens_out="stays"), 3, 4, 6, 2,
    ),
}  # fmt: skip
"""So many of the garrison begin in the section that is attacked first, the others behind it."""
BATTERED = {
    "a door battered by shots": (
        Siege(
            replace(STORMERS, weapon="assault", range=18, weapon_S=6), Troops(Ld=5),
            House(kind="door", T=6, points=4), plan="demolish",
        ), 3, 3, 5, 2,
    ),
    "a door hewn down by two of four": (
        Siege(
            replace(STORMERS, S=6, A=2, weapon="pistol", range=1, weapon_S=1), Troops(Ld=5, BS=2),
            House(kind="door", T=6, points=5, hewn=True), plan="demolish", first="defenders",
        ), 4, 4, 4, 2,
    ),
    "a door two inches wide, battered": (
        Siege(
            replace(STORMERS, weapon="assault", range=18, weapon_S=6, shots=2), replace(DWELLERS, BS=2),
            House(kind="door", T=6, points=8, door_wide=2), plan="demolish",
        ), 4, 4, 5, 2,
    ),
    "a door two inches wide, hewn down": (
        Siege(
            replace(STORMERS, S=6, A=2, weapon="pistol", range=1, weapon_S=1), replace(DWELLERS, BS=2),
            House(kind="door", T=6, points=8, door_wide=2, hewn=True), plan="demolish",
        ), 4, 3, 3, 2,
    ),
    "a door that opens with its last point": (
        Siege(
            replace(STORMERS, weapon="assault", range=18, weapon_S=6), Troops(Ld=5),
            House(kind="door", T=6, points=4, any_point=False), plan="demolish",
        ), 3, 3, 5, 2,
    ),
    "a door battered two points at a time": (
        Siege(
            replace(STORMERS, weapon="rapid fire", range=12, weapon_S=6, damage=2), replace(DWELLERS, BS=2),
            House(kind="door", T=6, points=5), plan="demolish", first="defenders",
        ), 3, 4, 6, 2,
    ),
    "a door battered beside a window": (
        Siege(
            replace(STORMERS, weapon="assault", range=18, weapon_S=6), replace(DWELLERS, Ld=5),
            House(kind="door", openings=1, T=6, points=4), grenades=True, plan="demolish",
        ), 4, 4, 6, 2,
    ),
    "a door two inches wide, forced": (
        Siege(
            replace(STORMERS, weapon="pistol", range=12), Troops(Ld=5), House(kind="door", T=6, points=8, door_wide=2),
        ), 4, 4, 4, 2,
    ),
    "a door battered, from which the garrison sallies": (
        Siege(
            replace(STORMERS, weapon="assault", range=18, weapon_S=6), replace(DWELLERS, A=2),
            House(kind="door", T=6, points=4), plan="demolish", defence="sally",
        ), 3, 3, 6, 2,
    ),
    "floors, a door battered": (
        Floors(
            replace(STORMERS, weapon="assault", range=18, weapon_S=6), DWELLERS,
            House(kind="door", T=6, points=4), plan="demolish", deployment="doors",
        ), 3, 4, 4, 3,
    ),
    "floors, a sally of those who spread by an action": (
        Floors(STORMERS, DWELLERS, TWO, sections=3, defence="sally", deployment=1, evens_out="action"), 4, 4, 3, 3,
    ),
    "floors, held by those who spread by an action": (
        Floors(
            STORMERS, replace(DWELLERS, BS=4), TWO, deployment="top", evens_out="action", first="defenders",
        ), 3, 4, 6, 3,
    ),
    "three floors, whose garrison spreads by an action": (
        Floors(STORMERS, DWELLERS, TWO, sections=3, deployment=1, evens_out="action", first="defenders"), 3, 4, 4, 3,
    ),
}  # fmt: skip
"""Locked doors that are shot or hewn down, or are wider than an inch; and garrisons that spread by an action."""
COWARDS = Troops(WS=4, I=4, Ld=5, sword=True)
STEADY = Troops(BS=4, WS=4, Ld=9)
HELD_BY_TWO = Siege(COWARDS, replace(STEADY, A=2), ONE, routers="rally")
SHOT_AT_AFAR = Siege(replace(COWARDS, Ld=4), STEADY, TWO, plan="shoot", first="defenders", routers="rally")
SALLIED_AT = Siege(COWARDS, replace(STEADY, I=4, sword=True), TWO, plan="shoot", defence="sally", routers="rally")
THROWN_OUT = Floors(
    replace(COWARDS, S=4), replace(DWELLERS, WS=4, A=2, Ld=9), TWO, room=2, deployment="top", evens_out="stays",
    routers="rally",
)  # fmt: skip
ROUTED = {
    "shot at, they rout, rally and come back": (
        Siege(COWARDS, STEADY, TWO, first="defenders", routers="rally"), 3, 2, 12, 4,
    ),
    "they rout from a window, and come back": (HELD_BY_TWO, 2, 2, 4, 4),
    "they rout from a window, for good": (replace(HELD_BY_TWO, routers="for_good"), 2, 2, 4, 4),
    "they rout where the table ends behind them": (
        replace(HELD_BY_TWO, edge=0, theirs=replace(STEADY, A=2, weapon_S=5, AP=5)), 3, 2, 6, 4,
    ),
    "they rout near the edge of the table, garrison first": (replace(HELD_BY_TWO, edge=3, first="defenders"), 2, 2, 6, 4),
    "those who shoot rout as far as the edge": (SHOT_AT_AFAR, 3, 2, 18, 4),
    "those who rout at the very edge of the table stay aimed at": (
        replace(SHOT_AT_AFAR, edge=0, corrective=True), 3, 2, 18, 3,
    ),
    "they flee through hard cover": (replace(HELD_BY_TWO, bands=((5, 8, "hard"), (2, 4, "smoke"))), 3, 2, 6, 3),
    "they flee in their own turns alone, out of soft cover": (
        replace(SHOT_AT_AFAR, routers_move="own_turn", bands=((14, 20, "soft"),), corrective=True), 3, 2, 15, 4,
    ),
    "they rally at the end of a turn, in cover and at the edge": (
        replace(HELD_BY_TWO, rally_when="end_of_turn", edge=3, bands=((7, 9, "soft"),)), 2, 2, 6, 4,
    ),
    "they flee in their own turns alone, and rally at the end of them": (
        Siege(
            COWARDS, replace(STEADY, sword=True), TWO, defence="sally", first="defenders", routers_move="own_turn",
            rally_when="end_of_turn", routers="rally",
        ), 2, 2, 9, 3,
    ),
    "a sally at which they rout and rally": (SALLIED_AT, 2, 2, 10, 3),
    "a sally at which they rout, beyond hard cover": (replace(SALLIED_AT, bands=((2, 9, "hard"),)), 2, 2, 10, 3),
    "two floors, whose garrison throws them out": (THROWN_OUT, 3, 2, 3, 3),
    "two floors, thrown out with a leader inside": (
        LedFloors(
            THROWN_OUT.ours, replace(THROWN_OUT.theirs, A=3), TWO, link="ladder", room=2, deployment="top", leader_A=2,
            who="drawn", routers="rally",
        ), 3, 2, 3, 3,
    ),
    "a leader who is another routs with his men": (
        MixedSiege(COWARDS, replace(STEADY, A=2), ONE, leader_A=2, leader=Body(T=4, W=2, Sv=4), routers="rally"),
        2, 2, 4, 3,
    ),
    "a charge back that throws them out": (
        replace(THROWN_OUT, ours=COWARDS, defence="sally", first="defenders"), 3, 2, 3, 3,
    ),
    "pinning shots at routers": (
        Siege(replace(COWARDS, Ld=6), replace(STEADY, weapon="assault", range=30, pinning=True), TWO, edge=3, routers="rally"), 3, 2, 9, 3,
    ),
    "a locked door that stays open behind routers": (
        replace(HELD_BY_TWO, house=House(kind="door"), ours=replace(COWARDS, weapon="pistol", range=12)), 2, 2, 3, 4,
    ),
    "they rout from a bunker shot open": (
        Siege(
            Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4, Ld=5), replace(STEADY, BS=3),
            House(kind="bunker", T=14, points=1, fire_out=2), plan="demolish", edge=3, routers="rally",
        ), 2, 2, 12, 3,
    ),
}  # fmt: skip
"""Attackers rout and flee, rally and come back, or leave the table (ARAP-206 to 209)."""


def asked(siege: Siege, *numbers: int) -> Case:
    """One of these, by the rulings that it is for."""
    if isinstance(siege, Floors):
        return stored(siege, *numbers)
    rulings = {"who_falls": siege.who} if isinstance(siege, LedSiege) else {}
    rulings |= {"look_out": "yes"} if isinstance(siege, MixedSiege) and siege.look_out else {}
    rulings |= {} if siege.excused else {"charged_units": "tests"}
    return case(siege, *numbers, **rulings)


def stored(siege: Floors, *numbers: int) -> Case:
    """One of these, by the rulings that it is for."""
    tables = f"[tables.sections]\nmodels = {siege.room}\nfire_out = {siege.house.fire_out}\n"
    return case(
        siege,
        *numbers,
        tables=tables,
        evens_out=siege.evens_out,
        between_sections="barricaded" if siege.barricaded else "cover",
        across_doorways="first" if siege.across else "none",
        failed_jump=siege.failed_jump,
        renewed_storm="continued" if siege.continued else "new_combat",
        charged_units="excused" if siege.excused else "tests",
        **({"who_falls": siege.who} if isinstance(siege, LedFloors) else {}),
        **({"specials_stand": "behind"} if isinstance(siege, LedFloors) and siege.specials == "behind" else {}),
        **({"look_out": "yes"} if isinstance(siege, MixedFloors) and siege.look_out else {}),
    )


def lays_something(siege: Siege) -> bool:
    """Whether somebody has markers, templates or grenades for people in the open, whose law no fractions tell."""
    areas = {"blast"} if siege.plan == "smoke" else {"blast", "template"}
    own = {"blast", "template"} if siege.defence == "sally" else {"blast"}
    return siege.thrown or siege.theirs.weapon in areas or siege.ours.weapon in own


BASES = "[tables.formation]\nacross = 1\n"
"""Brute force has each figure an inch across."""
ANOTHER = Body(T=4, W=3, Sv=4, inv=5)
AT_ANOTHER = MixedSiege(
    Troops(weapon="assault", range=18), Troops(weapon="blast", weapon_S=4, AP=5, range=48), House(2),
    leader_A=2, leader=ANOTHER, under="drawn",
)  # fmt: skip
PINNING_MORTARS = replace(AT_ANOTHER, plan="shoot", theirs=replace(AT_ANOTHER.theirs, pinning=True))
STREAMS_AT_ANOTHER = replace(AT_ANOTHER, theirs=Troops(weapon="template", range=8, weapon_S=4, AP=5))
IN_FLOATS = {
    **{
        f"suppression: {name}": case(
            siege, *numbers, tables=BASES, who_falls="drawn", grenades_outside="thrown" if siege.thrown else "kept"
        )
        for name, siege, numbers in (*SETUPS, *LINES, *PURSUIT)
        if lays_something(siege)
    },
    **{
        name: case(siege, *numbers, tables=BASES, who_falls="drawn")
        for name, (siege, *numbers) in {
            "markers that pin, on a leader who is another": (PINNING_MORTARS, 4, 2, 12, 1),
            "markers on a leader who storms": (AT_ANOTHER, 3, 2, 12, 2),
            "flames at a leader who storms": (STREAMS_AT_ANOTHER, 3, 2, 7, 2),
            "markers of a sally": (replace(AT_ANOTHER, plan="shoot", defence="sally"), 3, 2, 14, 2),
            "flames of a sally": (
                replace(STREAMS_AT_ANOTHER, plan="shoot", defence="sally", first="defenders"),
                3,
                2,
                12,
                2,
            ),
        }.items()
    },
}
"""Cases with a law that no fractions tell: where a marker lands."""

IN_FRACTIONS = {
    f"{what}: {name}": (siege, *numbers)
    for what, set_ups in (("suppression", SETUPS), ("flight", LINES), ("pursuit", PURSUIT))
    for name, siege, numbers in set_ups
    if not lays_something(siege)
}
WITH_BEARERS = {name: asked(*of) for name, of in IN_FRACTIONS.items() if getattr(of[0], "bearers", 0)}
DRAWN_OF_THREE = {
    **{name: who_falls("drawn", name) for name, (siege, *_) in WHO_FALLS.items() if siege.bearers},
    **WITH_BEARERS,
}
"""No draw of these can be moved without taking too many: they are judged as they are."""
CASES = {
    **RULED,
    **UNLIKE,
    **{name: case(*siege) for name, siege in {**WHOLE, **PLANNED, **HEWN, **PINNED}.items()},
    **{
        f"who falls: {who}, {name}": who_falls(who, name)
        for who in ("owner", "spread", "drawn")
        for name in WHO_FALLS
        if not (who == "drawn" and name in DRAWN_OF_THREE)
    },
    **{name: stored(*numbers) for name, numbers in {**STORED, **ACROSS, **LED_STORED}.items()},
    **{
        name: asked(*numbers)
        for name, numbers in {**HACKING, **SIDES, **BY_NUMBER, **BACK, **INDOORS, **BATTERED, **ROUTED}.items()
    },
    **{name: asked(*of) for name, of in IN_FRACTIONS.items() if name not in WITH_BEARERS},
    "a wall shot down at the last moment": last(*WHOLE["a wall shot down"]),
    "a bunker shot open at the last moment": last(*WHOLE["a bunker shot open"]),
    "a wall shot down from where they stand": case(WHOLE["a wall shot down"][0], 2, 2, 1, 1),
}
