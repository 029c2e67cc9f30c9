"""The assaults that the brute force of the storming rules judges, by name."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, get_args

from sims.assault import Assault
from sims.games.wh40k.open_fight import RUNS
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import BESET, INSIDE, LOCKED, Storm
from sims.scenario import AttackPlan, DefencePlan, Force, Scenario, build
from tests.rulesets.judging import TALLY, Case, Expected, named
from tests.rulesets.storming_nerve import SETUPS, alike, expected, mixed
from tests.rulesets.storming_oracle import (
    At,
    Game,
    Kinds,
    Troops,
    assault_of_kinds,
    play_on,
    play_on_by_kinds,
    start,
    whole_assault,
)

MARINE = {"WS": 4, "BS": 4, "S": 4, "T": 4, "I": 4, "A": 1, "Ld": 8, "Sv": 3}
GUARDSMAN = {"WS": 3, "BS": 3, "S": 3, "T": 3, "I": 3, "A": 1, "Ld": 7, "Sv": 5}
RAIDER = {"WS": 4, "BS": 3, "S": 4, "T": 3, "I": 4, "A": 1, "Ld": 7, "Sv": 5}
WARDER = {"WS": 3, "BS": 4, "S": 3, "T": 4, "I": 3, "A": 1, "Ld": 8, "Sv": 4}
RUINS = "[tables.agreed]\nbuilding_class = 'ruins'\n"
WRECK = "[rulings]\nway_to_the_garrison = 'wreck'\n"
SWEEPING = "[rulings]\nsweeping_advance = 'yes'\n"
SECOND_ROUND = "[rulings]\nsecond_round = 'yes'\n"
PROFILE_ONLY = "[rulings]\nsecond_weapon_attack = 'no'\n"
ROLLED_ROOM = "[rulings]\ncapacity_from = 'random'\n[tables.capacity]\nmodels = 1\n"
NO_ROOM = f"{TALLY}defenders who find no room and take no part"

PLANS = get_args(AttackPlan)
PAIRS = list(product(PLANS, get_args(DefencePlan)))
SIDES = ("attackers", "defenders")


def scenario(
    profile: dict[str, int],
    attackers: int,
    defenders: int,
    *,
    grenades: bool = False,
    distance: int = 0,
    turns: int = 1,
    doors: int = 1,
    firing_points: int = 0,
    plan: str = "storm",
    arms: tuple[str, ...] = ("pistol",),
    garrison_arms: tuple[str, ...] = ("rifle",),
    send: int = 60,
) -> Scenario:
    """Attackers and defenders of one profile at a defensible building, with a weapon and perhaps a second.

    All go in who can, unless fewer are sent: nothing is left to the attackers to choose.
    """
    numbers = "\n".join(f"{k} = {v}" for k, v in profile.items())
    thrown = 'grenades = ["assault"]' if grenades else ""
    return build(
        parse(
            "example.toml",
            f"""
            title = "Example"
            distance = {distance}
            turns = {turns}
            [building]
            title = "House"
            archetype = "house"
            footprint = [4, 4]
            material = "brick"
            doors = {doors}
            firing_points = {firing_points}
            capacity = 20
            [attackers]
            unit = "model"
            models = {attackers}
            {armed(*arms)}
            plan = "{plan}"
            send = {send}
            first_in = "leader"
            [defenders]
            unit = "model"
            models = {defenders}
            {armed(*garrison_arms)}
            [weapons.axe]
            title = "Two-handed axe"
            kind = "melee"
            two_handed = true
            [units.model]
            title = "Model"
            {numbers}
            {thrown}
            """,
        ),
        "example",
    )


def armed(weapon: str, melee: str = "") -> str:
    return f'weapon = "{weapon}"' + (f'\nmelee = "{melee}"' if melee else "")


def of(force: Force, **changes) -> Force:
    """The same force with another profile."""
    unit = force.unit.model_copy(update=changes)
    return replace(force, unit=unit, groups=tuple(replace(g, profile=unit) for g in force.groups))


def duel(ours: dict[str, int], theirs: dict[str, int], *args, defence: str = "hold", first: str = "attackers", **options) -> Scenario:  # fmt: skip
    """Raiders of one profile at a building held by another."""
    armour = options.pop("armour", None)
    game = scenario(ours, *args, **options)
    building = game.building.model_copy(update={"armour": armour})
    return replace(game, defenders=of(game.defenders, **theirs), defence=defence, first=first, building=building)


def house(text: str = "") -> Storming:
    """The storming rules, with what a house rule changes."""
    book = Storming.load(parse("house.toml", text)) if text else Storming.load()
    return book if "under_fire" in text else book.with_rulings({"under_fire": "steady"})


def under(game: Scenario, text: str = "") -> Assault[Any, Any]:
    return replace(rule_set("storming"), book=house(text)).assault(game)


IN_THE_BOOK = ("ruins", "fireteam_first", "sweeping", "second_round")


def case(
    ours: dict[str, int],
    theirs: dict[str, int],
    *models: int,
    points: int = 0,
    rules: str = "",
    as_if: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Case:
    """A duel as a scenario, with what a house rule changes, and as brute force is given it: perhaps as if it were another."""

    def play() -> Assault[Any, Any]:
        setting = {k: v for k, v in options.items() if k not in IN_THE_BOOK}
        return under(duel(ours, theirs, *models, firing_points=points, **setting), rules)

    told = {"arms": ("pistol",), "garrison_arms": ("rifle",), **options, **as_if}
    sides = Troops(**ours, arms=told.pop("arms")), Troops(**theirs, arms=told.pop("garrison_arms"))
    game = Game(*sides, *models, points, **told)
    return Case(play, partial(whole_assault, game), partial(from_here, game))


def from_here(game: Game, state: Storm, left: int) -> Expected:
    """What brute force says of a state: an Armour Value not rolled yet may be any, and no more get in than have room."""
    live: dict[At, Fraction] = defaultdict(Fraction)
    for at, chance in start(game).items():
        live[now(game, at, state)] += chance
    return play_on(game, live, left)


def now(game: Game, at: At, state: Storm) -> At:
    """How a state stands for brute force, in a game that may have begun so."""
    return replace(
        at,
        a=sum(state.attackers),
        d=min(sum(state.defenders), game.defenders),
        away=state.distance,
        av=state.armour or at.av,
        silent=state.shaken > 0,
        out={INSIDE: False, LOCKED: True, BESET: True}[state.place],
        inside=sum(state.fireteam),
        falling=state.retreat == RUNS,
        mounted=state.mounted,
    )


def settled(attackers: int, first: str, plan: str) -> Case:
    """A garrison of six at a building whose room is rolled for, of which those without room take no part (ST-011, ST-012).

    A house rule has one model for each point of the D3; a 6 on the die behind it adds another D3.
    """
    garrison = 6
    options = {"plan": plan, "first": first, "points": 2, "distance": 6, "turns": 2}
    faces = product(range(1, 7), range(1, 4))
    rolled = [min(garrison, (die + 1) // 2 + (more if die == 6 else 0)) for die, more in faces]

    def judge(says: Callable[[Case], Expected] = lambda one: one.expected, rooms: Sequence[int] = rolled) -> Expected:
        expected: dict[str, Fraction] = defaultdict(Fraction)
        for room in rooms:
            told = says(case(RAIDER, WARDER, attackers, room, **options))
            for what, value in {**told, NO_ROOM: garrison - room}.items():
                expected[what] += Fraction(value) / len(rooms)
        return expected

    def judge_from(state: Storm, left: int) -> Expected:
        return judge(lambda one: one.judge_from(state, left), [state.capacity] if state.capacity else rolled)

    return Case(case(RAIDER, WARDER, attackers, garrison, rules=ROLLED_ROOM, **options).play, judge, judge_from)


def of_kinds(game: Kinds) -> Scenario:
    """A squad with a leader and flamers at a door, and a garrison with a machine gun behind one firing point."""

    def special(side: tuple[str, ...], name: str, weapon: str) -> str:
        many = side.count(name)
        return f'specials = [{{ weapon = "{weapon}", count = {many} }}]' if many else ""

    def unit(name: str, troops: Troops, **changes: int) -> str:
        numbers = {k: v for k, v in vars(troops).items() if k != "arms"} | changes
        thrown = 'grenades = ["assault"]\n' if game.grenades and name != "warder" else ""
        return f'[units.{name}]\ntitle = "{name}"\n{thrown}' + "\n".join(f"{k} = {v}" for k, v in numbers.items())

    text = f"""
    title = "Example"
    distance = {14 if game.sally else 0}
    turns = {game.turns}
    first = "{"defenders" if game.sally else "attackers"}"
    [building]
    title = "House"
    archetype = "house"
    footprint = [4, 4]
    material = "brick"
    doors = 1
    firing_points = 1
    capacity = 20
    [attackers]
    unit = "raider"
    models = {len(game.attackers)}
    weapon = "pistol"
    leader = {{ unit = "leader", weapon = "pistol" }}
    plan = "{"smoke" if game.smoke else "storm"}"
    send = {game.send}
    first_in = "{game.first_in}"
    {special(game.attackers, "flamer", "flamer")}
    [defenders]
    unit = "warder"
    models = {len(game.defenders)}
    weapon = "rifle"
    plan = "{"sally" if game.sally else "hold"}"
    {'leader = { unit = "warder-leader", weapon = "rifle" }' if "leader" in game.defenders else ""}
    {special(game.defenders, "gunner", "machine-gun")}
    {unit("raider", game.ours)}
    {unit("leader", game.ours, A=2)}
    {unit("warder", game.theirs)}
    {unit("warder-leader", game.theirs, A=2)}
    """
    return build(parse("kinds.toml", text), "kinds")


def case_of_kinds(game: Kinds) -> Case:
    rules = f"[rulings]\nwho_falls = '{game.who}'\n[tables.fireteam]\nslots = {game.go_in}\n"
    return Case(
        lambda: under(of_kinds(game), rules), partial(assault_of_kinds, game), partial(from_here_by_kinds, game)
    )


def from_here_by_kinds(game: Kinds, state: Storm, left: int) -> Expected:
    """The same where models are told apart: at the door, or in the open once the garrison is out."""
    assert state.place == (LOCKED if game.sally else INSIDE)
    assert state.distance <= 6
    sides = named(game.attackers, state.attackers), named(game.defenders, state.defenders)
    return play_on_by_kinds(game, {sides: Fraction(1)}, left)


WHO_FALLS = {
    "two inside, two in support": (("leader", "flamer", "trooper", "trooper"), 2),
    "three inside, one in support": (("leader", "flamer", "trooper", "trooper"), 3),
    "flamers inside and out": (("leader", "flamer", "flamer", "trooper"), 3),
}
WEAK = {**GUARDSMAN, "Ld": 6}
BOTH_HANDS = {"arms": ("pistol", "sword"), "garrison_arms": ("pistol", "sword")}
HANDS = {
    "rifles inside": {},
    "both hands on both sides": BOTH_HANDS,
    "both hands inside": {"garrison_arms": ("pistol", "sword")},
    "one hand": {"arms": ("pistol", "axe"), "garrison_arms": ("rifle", "sword")},
}
FIGHTS = {
    "inside": {"plan": "storm", "distance": 18, "turns": 3},
    "in the open": {"plan": "storm", "defence": "sally", "first": "defenders", "distance": 14, "turns": 2},
    "at the walls": {"plan": "demolish", "distance": 8, "turns": 2, "armour": 9},
}
INITIATIVES = (2, 3, 4)
THROWN = {"grenades": True, "bare hands": False}
DEMOLISHED = {"demolish, S5": (5, 2, 2), "demolish, S3": (3, 2, 1)}
KNOWN_WALLS = [(9, 4), (10, 4), (10, 5), (12, 4)]


def cases() -> Iterator[tuple[str, Case]]:
    """Yield every case with its name."""
    approach = {"turns": 3}
    for allocation, (a, d, grenades, points, distance) in product(
        ("one_each", "fireteam_first"), [(2, 2, False, 1, 6), (2, 1, True, 2, 12), (3, 2, True, 1, 18)]
    ):
        options = {"grenades": grenades, "points": points, "distance": distance, **approach}
        one = f"[rulings]\nwound_allocation = '{allocation}'\n"
        first = allocation == "fireteam_first"
        yield f"storm, {a} on {d}, {allocation}", case(WEAK, WEAK, a, d, rules=one, fireteam_first=first, **options)
    for a, d in ((3, 2), (6, 3)):
        options = {"points": 2, "distance": 6, "second_round": True, **approach}
        yield f"second round, {a} on {d}", case(GUARDSMAN, GUARDSMAN, a, d, rules=SECOND_ROUND, **options)
    yield (
        "sweeping advance",
        case(WEAK, WEAK, 3, 2, rules=SWEEPING, sweeping=True, grenades=True, points=1, distance=6, **approach),
    )
    for name, (S, a, d) in DEMOLISHED.items():
        troops = {**GUARDSMAN, "S": S}
        yield name, case(troops, troops, a, d, plan="demolish", points=1, distance=0, turns=2)

    for (plan, defence), first in product(PAIRS, SIDES):
        options = {"grenades": True, "points": 1, "distance": 18, "turns": 3}
        yield pair(plan, defence, first), case(RAIDER, WARDER, 3, 2, plan=plan, defence=defence, first=first, **options)
    for I, a in product(INITIATIVES, (2, 4)):
        fight = {"plan": "storm", "defence": "sally", "first": "defenders", "distance": 14, "turns": 2}
        yield f"in the open, {a} of I{I}", case({**RAIDER, "I": I, "A": 2}, WARDER, a, 2, **fight)
    for (where, fight), (arms, hands) in product(FIGHTS.items(), HANDS.items()):
        yield f"{where}, {arms}", case(RAIDER, WARDER, 3, 2, **fight, **hands)
    no_arms = {"arms": ("pistol",), "garrison_arms": ("rifle",)}
    for where, fight in FIGHTS.items():
        yield (
            f"{where}, a second weapon that does not count",
            case(RAIDER, WARDER, 3, 2, rules=PROFILE_ONLY, as_if=no_arms, **fight, **BOTH_HANDS),
        )
    for plan, (armour, S) in product(("demolish", "shoot"), KNOWN_WALLS):
        options = {"points": 2, "distance": 8 if plan == "demolish" else 20, "turns": 2}
        yield (
            f"{plan}, S{S} at walls of {armour}",
            case({**RAIDER, "S": S}, WARDER, 2, 2, plan=plan, armour=armour, **options),
        )
    for plan, (thrown, grenades) in product(("smoke", "storm"), THROWN.items()):
        options = {"grenades": grenades, "points": 1, "distance": 6, "turns": 3}
        yield f"{plan}, {thrown}", case(RAIDER, WARDER, 4, 2, plan=plan, **options)
    for first in SIDES:  # whoever may not storm does what a demolition is (ST-001)
        options = {"points": 1, "distance": 12, "turns": 3, "armour": 9, "first": first}
        yield f"wreck, {first} first", case(RAIDER, WARDER, 3, 2, rules=WRECK, as_if={"plan": "demolish"}, **options)

    for who, (name, (squad, go_in)) in product(("owner", "spread", "drawn"), WHO_FALLS.items()):
        game = Kinds(Troops(**RAIDER), Troops(**WARDER), squad, ("gunner", "trooper", "trooper"), who, go_in)
        yield f"who falls: {who}, {name}", case_of_kinds(game)
        if who == "owner":
            yield f"who falls: {who}, {name}, grenades", case_of_kinds(replace(game, grenades=True))

    for send, (thrown, grenades), doors in product((1, 2, 3), THROWN.items(), (1, 2)):
        options = {"grenades": grenades, "points": 1, "distance": 6, "turns": 2, "doors": doors}
        yield f"send {send} by {doors}, {thrown}", case(RAIDER, WARDER, 5, 2, send=send, **options)
    fight = {"send": 2, "distance": 6, "second_round": True, **approach}
    yield "send 2, second round", case(GUARDSMAN, GUARDSMAN, 4, 2, rules=SECOND_ROUND, **fight)
    for send, first_in, smoke in product((1, 2), ("leader", "ordinary"), (False, True)):
        squad, inside = ("leader", "flamer", "trooper", "trooper"), ("gunner", "trooper", "trooper")
        game = Kinds(Troops(**RAIDER), Troops(**WARDER), squad, inside, "spread", 3, smoke=smoke)
        name = f"who goes in: {send}, {first_in} first{', smoke' * smoke}"
        yield name, case_of_kinds(replace(game, send=send, first_in=first_in))
        yield f"{name}, grenades", case_of_kinds(replace(game, send=send, first_in=first_in, grenades=True))

    side = ("leader", "trooper", "trooper")
    for who in ("owner", "spread", "drawn"):
        yield (
            f"in the open, who falls: {who}",
            case_of_kinds(Kinds(Troops(**RAIDER), Troops(**WARDER), side, side, who, sally=True)),
        )

    for first, (plan, attackers) in product(SIDES, (("shoot", 3), ("storm", 1))):
        yield f"room rolled for, {plan}, {first} first", settled(attackers, first, plan)

    for (plan, defence), first, (thrown, grenades) in product(PAIRS, SIDES, THROWN.items()):
        options = {"grenades": grenades, "distance": 18, "turns": 3, "plan": plan, "defence": defence, "first": first}
        name = f"ruins, {pair(plan, defence, first)}, {thrown}"
        yield name, case(RAIDER, {**WARDER, "Sv": 6}, 3, 2, rules=RUINS, ruins=True, **options)
    for (thrown, grenades), arms in product(THROWN.items(), (("pistol", "sword"), ("pistol",))):
        options = {"grenades": grenades, "distance": 12, "turns": 2, "plan": "storm", "arms": arms}
        name = f"ruins, {' and '.join(arms)}, {thrown}"
        yield name, case(RAIDER, WARDER, 3, 2, rules=RUINS, ruins=True, **options)
    for armour in (None, 12):
        options = {"distance": 6, "turns": 2, "plan": "shoot", "armour": armour}
        yield (
            f"ruins, shot at from near, armour {armour}",
            case(RAIDER, WARDER, 3, 2, rules=RUINS, ruins=True, **options),
        )


def pair(plan: str, defence: str, first: str) -> str:
    return f"{plan}, {defence}, {first} first"


MORALE = {"under_fire", "reaching_the_edge", "sweeping_advance", "second_round", "wound_allocation"}


def nerve_scenario(setup: Mapping[str, Any]) -> str:
    """A set-up as a scenario file."""
    kind = 'kind = "jump infantry"' if setup["jump"] else ""
    thrown = 'grenades = ["assault"]' if setup["grenades"] else ""

    def unit(name: str, profile: Mapping[str, int], *more: str) -> str:
        return "\n".join([f'[units.{name}]\ntitle = "{name}"', *(f"{k} = {v}" for k, v in profile.items()), *more])

    def side(name: str, models: int, plan: str, arms: tuple[str, ...], leader: Any, specials: Mapping[str, int]) -> str:
        weapon, *melee = arms
        armed = f'weapon = "{weapon}"' + "".join(f', melee = "{each}"' for each in melee)
        guns = {"flamer": "flamer", "gunner": "machine-gun"}
        rows = ", ".join(f'{{ weapon = "{guns[who]}", count = {n} }}' for who, n in specials.items())
        led = f'leader = {{ unit = "{name}-leader", {armed} }}' if leader else ""
        return "\n".join(
            [
                f'[{name}]\nunit = "{name}"\nmodels = {models}\nplan = "{plan}"',
                armed.replace(", ", "\n"),
                f"specials = [{rows}]" if rows else "",
                led,
            ]
        )

    ours, theirs = setup["ours"], setup["theirs"]
    return "\n".join(
        [
            f'title = "Example"\ndistance = {setup["distance"]}\nturns = {setup["turns"]}\nfirst = "{setup["first"]}"',
            f"edge = {setup['edge']}",
            '[building]\ntitle = "House"\narchetype = "house"\nfootprint = [4, 4]\nmaterial = "brick"\ncapacity = 20',
            f"doors = {setup['doors']}\nfiring_points = {setup['firing_points']}\nweapons = {[*setup['mounted']]}",
            f"armour = {setup['armour']}" if setup["armour"] else "",
            side(
                "attackers",
                setup["attackers"],
                setup["plan"],
                setup["arms"],
                setup["our_leader"],
                setup["our_specials"],
            ),
            f'send = {setup["send"]}\nfirst_in = "leader"',
            side(
                "defenders",
                setup["defenders"],
                setup["defence"],
                setup["garrison_arms"],
                setup["their_leader"],
                setup["their_specials"],
            ),
            unit("attackers", ours, kind, thrown),
            unit("attackers-leader", setup["our_leader"] or ours, kind, thrown),
            unit("defenders", theirs),
            unit("defenders-leader", setup["their_leader"] or theirs),
        ]
    )


def nerve_book(setup: Mapping[str, Any]) -> Storming:
    """The book that a set-up is played by; those alike fall as their owner wants."""
    dice = {2: "two_dice", 3: "three_dice"}[setup["rulings"]["dice_after_storming"]]
    chosen = {k: v for k, v in setup["rulings"].items() if k in MORALE}
    chosen |= {"who_falls": "owner", "jump_falling_back": dice}
    text = "[rulings]\n" + "".join(f'{k} = "{v}"\n' for k, v in chosen.items())
    if setup["building_class"] != "defensible":
        text += f'[tables.agreed]\nbuilding_class = "{setup["building_class"]}"\n'
    return Storming.load(parse("house.toml", text))


def nerve_assault(setup: Mapping[str, Any]) -> Assault[Any, Any]:
    game = build(parse("example.toml", nerve_scenario(setup)), "example")
    return replace(rule_set("storming"), book=nerve_book(setup)).assault(game)


def nerve_cases() -> Iterator[tuple[str, Case]]:
    """Yield the cases in which nerve counts; where all of a side are alike, they are judged from positions too."""
    for name, setup in SETUPS.items():
        ahead = None if mixed(setup) else partial(from_here, alike(setup))
        yield f"nerve: {name}", Case(partial(nerve_assault, setup), partial(expected, name), ahead)


CASES = dict([*cases(), *nerve_cases()])
