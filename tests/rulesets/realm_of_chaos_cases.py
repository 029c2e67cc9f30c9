"""The assaults that the brute force of the Realm of Chaos rules judges, by name."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from sims.assault import Assault
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Siege
from sims.scenario import Scenario, build
from tests.rulesets.judging import Case, Expected
from tests.rulesets.realm_of_chaos_oracle import Assault as BruteForce
from tests.rulesets.realm_of_chaos_oracle import House, Now, Troops

FOOTMAN = Troops(number=3, WS=3, BS=3, S=3, T=3, I=3, A=1, Ld=6, Sv=6, move=4, missile_S=3, range=24)


def profile(t: Troops) -> str:
    names = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv", "move")
    lines = [f"{k} = {getattr(t, k)}" for k in names if k != "Sv" or t.Sv < 7]
    return "\n".join([*lines, f"fantasy.height = {t.feet}"] + ["fantasy.shield = true"] * t.shield)


def specials(guns: str, giants: str, t: Troops) -> str:
    if not t.gunners:
        return ""
    giants = f'unit = "{giants}", ' if t.tall else ""
    return f'specials = [{{ {giants}weapon = "{guns}", melee = "{guns}-in-hand", count = {t.gunners} }}]'


def layout(house: House, material: str) -> str:
    """The sections of a house: a row of columns, or those that are given."""
    if not house.heights:
        return f"realm_of_chaos.levels = {house.levels}"
    names, near = "ABCDEF", house.beside or tuple((i, i + 1) for i in range(len(house.heights) - 1))
    lines = []
    for i, levels in enumerate(house.heights):
        beside = [names[j] for pair in near for j in pair if i in pair and j != i]
        doors = ["single"] * (
            house.entries[i] // house.door if house.entries and house.door else (i == 0) * (house.door > 0)
        )
        given = {"levels": [material] * levels, "beside": beside, "doors": doors, "inches": house.inches[i]}
        if house.ceilings:  # nothing said is too low, as a foot is
            below = sum(house.heights[:i])
            given["ceiling"] = [feet or 1 for feet in house.ceilings[below : below + levels]]
        lines += [f"realm_of_chaos.columns.{names[i]}.{key} = {value}" for key, value in given.items()]
    return "\n        ".join(lines)


def deployment(house: House) -> str:
    """Where the garrison stands, as a file has it."""
    if not isinstance(house.deployment, tuple):
        return f'"{house.deployment}"' if isinstance(house.deployment, str) else str(house.deployment)
    heights = house.heights or (house.levels,) * house.columns
    sections = [f"{name}{level}" for name, n in zip("ABCDEF", heights, strict=False) for level in range(1, n + 1)]
    posts = zip(sections, house.deployment, strict=True)
    return f"{{ {', '.join(f'{section} = {n}' for section, n in posts)} }}"


def scenario(
    us: Troops,
    them: Troops,
    house: House,
    *,
    plan: str,
    away: int,
    turns: int,
    first: str,
    defence: str = "hold",
    first_in: str | None = None,
) -> Scenario:
    material = {8: "wattle", 9: "wood", 10: "stone"}[house.T]
    text = f"""
        title = "Example"
        distance = {away}
        turns = {turns}
        first = "{first}"
        [building]
        title = "House"
        archetype = "house"
        footprint = [{4 * house.columns}, 4]
        {layout(house, material)}
        material = "{material}"
        doors = {int(house.door > 0)}
        firing_inches = {house.wall}
        capacity = 40
        [attackers]
        unit = "us"
        models = {us.number}
        weapon = "ours"
        {specials("guns", "giants", us)}
        plan = "{plan}"
        first_in = "{first_in or ("ordinary" if plan == "demolish" else "leader")}"
        {'leader = { unit = "our-leader", weapon = "ours" }' if us.leader else ""}
        [defenders]
        unit = "them"
        models = {them.number}
        weapon = "theirs"
        {specials("their-guns", "their-giants", them)}
        plan = "{defence}"
        deployment = {deployment(house)}
        {'leader = { unit = "their-leader", weapon = "theirs" }' if them.leader else ""}
        [units.us]
        title = "Us"
        {profile(us)}
        fantasy.standard = {str(us.standard).lower()}
        [units.them]
        title = "Them"
        {profile(them)}
        fantasy.standard = {str(them.standard).lower()}
        [units.giants]
        title = "Giants"
        {profile(replace(us, feet=us.guns_feet))}
        fantasy.standard = {str(us.standard).lower()}
        [units.their-giants]
        title = "Their giants"
        {profile(replace(them, feet=them.guns_feet))}
        fantasy.standard = {str(them.standard).lower()}
        [units.our-leader]
        title = "Our leader"
        {profile(us.leader or us)}
        fantasy.standard = {str(us.standard).lower()}
        [units.their-leader]
        title = "Their leader"
        {profile(them.leader or them)}
        fantasy.standard = {str(them.standard).lower()}
        [weapons.ours]
        title = "Ours"
        kind = "assault"
        range = {us.range}
        S = {us.missile_S}
        realm_of_chaos.flaming = {str(us.flaming).lower()}
        [weapons.guns]
        title = "Guns"
        kind = "assault"
        range = {us.range}
        S = {us.gun_S or 3}
        realm_of_chaos.flaming = {str(us.flaming).lower()}
        [weapons.guns-in-hand]
        title = "Butts"
        kind = "melee"
        S = {us.hand_S or us.S}
        [weapons.theirs]
        title = "Theirs"
        kind = "assault"
        range = {them.range}
        S = {them.missile_S}
        realm_of_chaos.flaming = {str(them.flaming).lower()}
        [weapons.their-guns]
        title = "Guns"
        kind = "assault"
        range = {them.range}
        S = {them.gun_S or 3}
        [weapons.their-guns-in-hand]
        title = "Butts"
        kind = "melee"
        S = {them.hand_S or them.S}
        """
    return build(parse("example.toml", text), "example")


def book(house: House = House(), rulings: dict[str, str] | None = None) -> Any:
    chosen = "".join(f'{name} = "{choice}"\n' for name, choice in (rulings or {}).items())
    text = f"""
        base = "realm_of_chaos"
        title = "Small"
        [tables.sections]
        models = {house.room}
        [tables.doors]
        single = {max(house.door, 1)}
        [tables.stability]
        unsafe_models = {house.unsafe_room}
        most_models = {house.crowd}
        [tables.push_back]
        inches = {house.push_back}
        [tables.ranks]
        frontage = {house.frontage}
        least = {house.least}
        [rulings]
        {chosen}
        """
    return type(rule_set("realm_of_chaos").book).load(parse("house.toml", text))


def assault(
    us: Troops,
    them: Troops,
    house: House,
    rulings: dict[str, str] | None = None,
    *,
    may_change: bool = False,
    **setting: Any,
) -> Assault[Any, Any]:
    rules = replace(rule_set("realm_of_chaos"), book=book(house, rulings))
    return rules.assault(replace(scenario(us, them, house, **setting), may_change=may_change))


remembered = lru_cache(maxsize=1)(BruteForce)
"""The brute force asked last: what it has found out of one state is of use for the next."""


class Duel(NamedTuple):
    """Two units at a house: where those halt who stay off is for brute force alone."""

    us: Troops
    them: Troops
    house: House
    plan: str
    defence: str
    away: int
    turns: int
    first: str
    halt: int
    rulings: Mapping[str, str] = MappingProxyType({})
    first_in: str | None = None

    @property
    def setting(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("plan", "defence", "away", "turns", "first", "first_in")}

    def play(self) -> Assault[Any, Any]:
        return assault(self.us, self.them, self.house, dict(self.rulings), **self.setting)

    @property
    def brute_force(self) -> BruteForce:
        return remembered(self.us, self.them, self.house, self.plan, self.halt, self.defence, self.first_in)

    def judge(self) -> Expected:
        return self.brute_force.play(self.away, self.turns, self.first)

    def judge_from(self, state: Siege, left: int) -> Expected:
        """What brute force says of a state."""
        return self.brute_force.play_on(self.now(state), left, self.first)

    def now(self, state: Siege) -> Now:
        """How a state stands for brute force; those with guns come before the others of their side."""
        begun = self.brute_force.start(self.away)
        return replace(
            begun,
            outside=state.outside,
            inside=state.inside,
            within=state.garrison,
            away=state.distance,
            fired=state.fired,
            damage=state.damage,
            unsafe=state.unsafe > 0,
            unstable=state.unstable > 0,
            unsound=state.unsound > 0,
            winner={0: "", ATTACKERS: "attackers", DEFENDERS: "defenders"}[state.winner],
            out=state.out,
            open=state.open > 0,
            burning=state.burning > 0,
            our_hurt=state.attackers_hurt,
            their_hurt=state.defenders_hurt,
            guns=state.attackers_kinds[0] if len(state.attackers_kinds) > 1 else begun.guns,
            their_guns=state.defenders_kinds[0] if len(state.defenders_kinds) > 1 else begun.their_guns,
            stands=tuple(n > 0 for n in state.stands),
            tall=state.tall,
            tall_within=state.tall_garrison,
        )


QUICK = replace(FOOTMAN, number=2, WS=4, S=4, I=4, Ld=7, Sv=5, range=12)
SLOW = replace(FOOTMAN, number=3, I=2, A=2, T=4)
SMASHERS = replace(FOOTMAN, number=2, S=10, T=4, A=2, Sv=4, move=6, range=12)
GUNNERS = replace(FOOTMAN, number=3, BS=4, missile_S=9, range=18)
THREE = replace(FOOTMAN, number=3)
TOWER = House(levels=2, room=2)

TWO = replace(FOOTMAN, number=2)
FOUR = replace(FOOTMAN, number=4, Sv=4)
WARY = replace(THREE, Ld=4)
BURNERS = replace(FOOTMAN, number=3, BS=4, missile_S=8, range=12, flaming=True)
TORCHES = replace(FOOTMAN, number=2, Sv=4, WS=4, missile_S=3, range=10, flaming=True)
MIXED = replace(FOOTMAN, number=4, BS=4, gunners=2, gun_S=9)
SLOW_AND_STRONG = replace(FOOTMAN, number=2, I=2, A=2, S=4, T=4)

GUARDS = replace(THREE, gunners=1, gun_S=5, hand_S=5)
DRAWN = {"who_falls": "drawn"}

STONE = {"T": 10, "needs_S": 7, "burns_outside": False}

SET_UPS: dict[str, tuple[Any, ...]] = {
    "storm, reserves upstairs": (QUICK, THREE, TOWER, "storm", "hold", 12, 3, "attackers", 0),
    "storm, garrison first": (QUICK, THREE, House(door=1), "storm", "hold", 9, 3, "defenders", 0),
    "storm, slower attackers": (SLOW, THREE, House(levels=2, room=2, door=1, wall=2), "storm", "hold", 7, 2, "attackers", 0),
    "storm, equals": (replace(FOOTMAN, number=3), THREE, House(door=2), "storm", "hold", 8, 2, "attackers", 0),
    "storm, reserves charge down": (replace(QUICK, A=2, S=5), THREE, TOWER, "storm", "hold", 4, 2, "attackers", 0),
    "storm, reserves join the fight": (
        QUICK, replace(THREE, number=4, Ld=4), House(levels=2, room=2, door=1), "storm", "hold", 4, 3, "attackers", 0,
    ),
    "storm, who joins the fight charges again": (
        QUICK, replace(THREE, number=4, Ld=4), House(levels=2, room=2, door=1, charges_again=True), "storm", "hold", 4, 3,
        "attackers", 0, {"joining_a_fight": "charges_again"},
    ),
    "storm, narrow walls": (QUICK, THREE, House(levels=3, room=1, wall=1), "storm", "hold", 10, 2, "defenders", 0),
    "demolish, low tower": (SMASHERS, THREE, TOWER, "demolish", "hold", 6, 2, "attackers", 0),
    "demolish, garrison first": (SMASHERS, THREE, House(levels=2, room=3, unsafe_room=1), "demolish", "hold", 3, 3, "defenders", 0),
    "demolish, crowded": (SMASHERS, THREE, House(levels=2, room=2, crowd=1), "demolish", "hold", 5, 3, "attackers", 0),
    "demolish, high tower": (SMASHERS, THREE, House(levels=3, room=1), "demolish", "hold", 4, 3, "attackers", 0),
    "shoot": (GUNNERS, THREE, House(levels=2, room=2, crowd=1), "shoot", "hold", 20, 3, "attackers", 17),
    "shoot, most of them upstairs": (
        GUNNERS, replace(THREE, number=5), House(**STONE, levels=3, room=2, wall=1), "shoot", "hold", 20, 3, "attackers", 17,
    ),
    "storm, those upstairs are out of reach at first": (
        replace(GUNNERS, range=24), replace(THREE, number=4, range=30), House(levels=2, room=2, wall=2), "storm", "hold",
        27, 2, "defenders", 0,
    ),
    "shoot, they fire from three columns": (
        replace(GUNNERS, missile_S=4), replace(FOUR, number=6), House(**STONE, columns=3, room=2, wall=6), "shoot", "hold",
        18, 2, "attackers", 18,
    ),
    "shoot, an even part of the wall to each column": (
        replace(GUNNERS, missile_S=4), replace(FOUR, number=6), House(**STONE, columns=3, room=2, wall=5, evenly=True),
        "shoot", "hold", 18, 2, "attackers", 18, {"wall_of_a_section": "evenly"},
    ),
    "shoot, only those upstairs fire so far": (
        replace(GUNNERS, range=30), THREE, House(levels=2, room=2), "shoot", "hold", 27, 3, "attackers", 27,
    ),
    "shoot, upstairs, two wounds each": (
        replace(GUNNERS, number=4, gunners=1, gun_S=5), replace(TWO, number=3, W=2),
        House(**STONE, levels=3, room=1, wall=1), "shoot", "hold", 16, 3, "defenders", 17,
    ),
    "shoot, one gun and three others at two floors": (
        replace(GUNNERS, missile_S=4, number=4, gunners=1, gun_S=6), replace(THREE, number=4),
        House(**STONE, levels=2, room=2, wall=2), "shoot", "hold", 17, 3, "defenders", 17,
    ),
    "storm, no door": (QUICK, TWO, House(door=0), "storm", "hold", 12, 4, "attackers", 0),
    "storm, sally": (QUICK, THREE, House(), "storm", "sally", 12, 2, "attackers", 0),
    "storm, sally by a narrow door": (
        SLOW_AND_STRONG, THREE, House(door=1, levels=2, room=2), "storm", "sally", 8, 3, "defenders", 0,
    ),
    "storm, equals sally": (replace(FOOTMAN, number=3), WARY, House(door=2), "storm", "sally", 9, 2, "defenders", 0),
    "storm, sally, in ranks": (
        replace(FOOTMAN, number=6), replace(WARY, number=4), House(frontage=2, least=2), "storm", "sally", 9, 2,
        "attackers", 0,
    ),
    "storm, sally, in many ranks, with a standard": (
        replace(QUICK, number=4, standard=True), replace(WARY, number=5), House(frontage=1, least=1),
        "storm", "sally", 8, 2, "defenders", 0,
    ),
    "storm, sally, all fight, and nobody is pushed back": (
        replace(FOOTMAN, number=6), replace(WARY, number=4), House(frontage=2, least=2, all_fight=True, push_back=0),
        "storm", "sally", 9, 2, "attackers", 0, {"fighting_in_the_open": "all"},
    ),
    "storm, sally, the front rank is pushed to and fro": (
        replace(QUICK, number=4, gunners=1, gun_S=5, hand_S=5), replace(THREE, Ld=9, gunners=1, gun_S=4),
        House(frontage=1, least=2, push_back=4), "storm", "sally", 5, 3, "defenders", 0,
    ),
    "storm, sally, in ranks that are too narrow": (
        replace(QUICK, number=4), replace(WARY, standard=True), House(frontage=2, least=3), "storm", "sally", 8, 2,
        "defenders", 0,
    ),
    "storm, sally, in ranks counted before the blows, with a standard": (
        replace(FOOTMAN, number=6), replace(WARY, number=4, standard=True), House(frontage=2, least=2, ranks_first=True),
        "storm", "sally", 9, 2, "attackers", 0, {"ranks_counted": "before_the_blows"},
    ),
    "storm, sally, in loose order": (
        replace(FOOTMAN, number=6, standard=True), replace(WARY, number=4), House(frontage=2, least=2, loose=True),
        "storm", "sally", 9, 2, "attackers", 0, {"formation_in_the_open": "loose"},
    ),
    "storm, they wait outside": (
        QUICK, THREE, House(door=2, waits=True), "storm", "sally", 7, 2, "defenders", 0, {"charging_out": "next_turn"},
    ),
    "shoot, no door": (GUNNERS, TWO, House(door=0, columns=2, wall=8), "shoot", "hold", 16, 4, "attackers", 18),
    "shoot, sally": (replace(GUNNERS, range=8), THREE, House(), "shoot", "sally", 9, 2, "attackers", 8),
    "shoot, they wait outside": (
        GUNNERS, THREE, House(waits=True, door=2), "shoot", "sally", 8, 2, "defenders", 18,
        {"charging_out": "next_turn"},
    ),
    "demolish, sally": (SMASHERS, WARY, House(door=1), "demolish", "sally", 5, 3, "attackers", 0),
    "demolish, some storm": (MIXED, THREE, House(levels=2, room=2), "demolish", "hold", 13, 3, "attackers", 12),
    "demolish, some storm, garrison first": (
        replace(MIXED, WS=4, I=4), TWO, House(door=1), "demolish", "hold", 9, 4, "defenders", 24,
    ),
    **{
        f"demolish, some storm, who falls: {who}": (
            MIXED, THREE, House(levels=2, room=2, who=who), "demolish", "hold", 13, 3, "attackers", 12,
            {"who_falls": who},
        )
        for who in ("spread", "drawn")
    },
    **{
        f"demolish, garrison first, who falls: {who}": (
            replace(MIXED, WS=4, I=4), TWO, House(door=1, who=who), "demolish", "hold", 9, 4, "defenders", 24,
            {"who_falls": who},
        )
        for who in ("spread", "drawn")
    },
    "demolish, some storm, sally": (MIXED, WARY, House(), "demolish", "sally", 12, 2, "defenders", 24),
    "smoke, flames at wattle": (BURNERS, THREE, TOWER, "smoke", "hold", 14, 3, "attackers", 6),
    "smoke, garrison first": (BURNERS, TWO, House(T=9, needs_S=6), "smoke", "hold", 12, 4, "defenders", 6),
    "smoke, flames and sally": (BURNERS, THREE, House(door=2), "smoke", "sally", 14, 3, "attackers", 6),
    "smoke, carried in": (TORCHES, TWO, House(**STONE, door=1), "smoke", "hold", 7, 4, "attackers", 10),
    "smoke, carried in, reserves": (
        TORCHES, THREE, House(**STONE, levels=2, room=2, crowd=1), "smoke", "hold", 8, 3, "defenders", 9,
    ),
    "smoke, carried in by one of four": (
        replace(TORCHES, number=4, Ld=5), TWO, House(**STONE), "smoke", "hold", 10, 3, "attackers", 10,
    ),
    "smoke, carried in, before any blow": (
        TORCHES, TWO, House(**STONE, door=1, arson_first=True), "smoke", "hold", 7, 4, "attackers", 10,
        {"arson_order": "arson_first"},
    ),
    "smoke, carried in, sally": (TORCHES, TWO, House(**STONE, door=1), "smoke", "sally", 8, 3, "attackers", 10),
    "smoke, held to the walls": (
        TORCHES, TWO, House(T=9, needs_S=6, torches=True), "smoke", "hold", 7, 4, "attackers", 0,
        {"arson": "at_the_walls"},
    ),
    "smoke, driven out": (
        replace(BURNERS, range=24), TWO, House(drives_out=True, door=1), "smoke", "hold", 13, 4, "defenders", 12,
        {"garrison_in_a_fire": "comes_out"},
    ),
    "smoke, hit by the fire": (
        TORCHES, TWO, House(**STONE, scorches=True), "smoke", "hold", 6, 3, "attackers", 10,
        {"models_in_a_fire": "hit"},
    ),
    "smoke, hit by the fire, a fight that ends by it": (
        TORCHES, TWO, House(**STONE, scorches=True, levels=2, room=1), "smoke", "hold", 6, 2, "attackers", 9,
        {"models_in_a_fire": "hit"},
    ),
    "smoke, hit by the fire on the ground alone": (
        BURNERS, THREE, replace(TOWER, scorches=True), "smoke", "hold", 14, 3, "attackers", 6,
        {"models_in_a_fire": "hit"},
    ),
    "smoke, rolled for at once": (
        TORCHES, TWO, House(**STONE, door=1, rolls="at once"), "smoke", "hold", 6, 4, "attackers", 10,
        {"stability_rolls": "at_once"},
    ),
    "smoke, rolled for in every game turn": (
        BURNERS, TWO, House(T=9, needs_S=6, rolls="every game turn"), "smoke", "hold", 12, 4, "defenders", 6,
        {"stability_rolls": "every_game_turn"},
    ),
    "storm, accidents": (
        replace(TORCHES, number=3), TWO, House(**STONE, accidents=True, door=2), "storm", "hold", 8, 3, "attackers", 0,
        {"who_carries_fire": "flaming_weapons"},
    ),
    "storm, accidents of a garrison that steps in": (
        replace(QUICK, number=3), replace(FOUR, flaming=True), replace(TOWER, accidents=True, scorches=True), "storm", "hold",
        8, 3, "attackers", 0, {"who_carries_fire": "flaming_weapons", "models_in_a_fire": "hit"},
    ),
    "demolish, two wounds each": (
        replace(SMASHERS, W=2), replace(TWO, W=2), TOWER, "demolish", "hold", 6, 3, "defenders", 0,
    ),
    "shoot, three wounds each": (
        replace(GUNNERS, number=2, W=3), replace(TWO, W=3), House(), "shoot", "hold", 16, 4, "defenders", 18,
    ),
    "smoke, carried in, two wounds each": (
        replace(TORCHES, W=2), replace(TWO, W=2), House(**STONE, door=1), "smoke", "hold", 6, 3, "attackers", 10,
    ),
    "smoke, carried in, three wounds each": (
        replace(TORCHES, W=3), replace(TWO, W=3), House(**STONE, door=1), "smoke", "hold", 3, 3, "attackers", 10,
    ),
    "storm, sally, two wounds each": (
        replace(QUICK, W=2), replace(TWO, W=2), House(), "storm", "sally", 12, 2, "attackers", 0,
    ),
    "demolish, two columns": (SMASHERS, THREE, House(columns=2, wall=8), "demolish", "hold", 6, 4, "attackers", 0),
    "demolish, a wall of which the second column has an inch": (
        SMASHERS, replace(THREE, Sv=3), House(columns=2, wall=5), "demolish", "hold", 4, 4, "attackers", 0,
    ),
    "demolish, two full columns of two levels": (
        SMASHERS, FOUR, House(columns=2, wall=8, levels=2, room=1), "demolish", "hold", 4, 4, "defenders", 0,
    ),
    "demolish, two columns, out by any door": (
        SMASHERS, THREE, House(columns=2, wall=8, levels=2, room=1, any_door=True), "demolish", "hold", 4, 3, "attackers", 0,
        {"doors_after_collapse": "any_door"},
    ),
    "demolish, three columns": (SMASHERS, THREE, House(columns=3, wall=12, room=1), "demolish", "hold", 4, 4, "attackers", 0),
    "demolish, three full columns of two levels": (
        replace(SMASHERS, number=3), replace(FOUR, number=6), House(columns=3, wall=12, levels=2, room=1), "demolish",
        "hold", 4, 3, "attackers", 0,
    ),
    "demolish, two columns of three levels": (
        replace(SMASHERS, number=3), replace(FOUR, number=6), House(columns=2, wall=8, levels=3, room=1), "demolish",
        "hold", 4, 3, "attackers", 0,
    ),
    "demolish, two columns, sally": (
        SMASHERS, replace(THREE, Sv=3), House(columns=2, wall=8, door=1), "demolish", "sally", 16, 3, "attackers", 0,
    ),
    "demolish, two columns, some storm": (
        MIXED, replace(TWO, Sv=3), House(columns=2, wall=8), "demolish", "hold", 9, 5, "attackers", 24,
    ),
    "shoot, two columns": (GUNNERS, replace(THREE, Sv=3), House(columns=2, wall=8), "shoot", "hold", 20, 4, "attackers", 18),
    "smoke, carried in, two columns": (
        TORCHES, replace(TWO, Sv=3), House(**STONE, columns=2, wall=8), "smoke", "hold", 6, 4, "attackers", 10,
    ),
    "smoke, over the rubble": (
        TORCHES, replace(TWO, Sv=3), House(**STONE, columns=2, wall=8, rubble=True), "smoke", "hold", 6, 5, "attackers", 10,
        {"way_in_after_a_collapse": "over_the_rubble"},
    ),
    "smoke, two columns, rolled for at once": (
        TORCHES, replace(TWO, Sv=3), House(**STONE, columns=2, wall=8, rubble=True, rolls="at once"), "smoke", "hold", 6, 4,
        "attackers", 10, {"stability_rolls": "at_once", "way_in_after_a_collapse": "over_the_rubble"},
    ),
    "smoke, two columns, three wounds each": (
        replace(TORCHES, W=3), replace(TWO, W=3), House(**STONE, columns=2, wall=8), "smoke", "hold", 3, 4, "attackers", 10,
    ),
    "storm, a long house": (
        replace(QUICK, A=2), replace(THREE, Ld=4), House(columns=3, wall=12, room=2, door=1), "storm", "hold", 4, 2, "attackers", 0,
    ),
    "storm, who falls: drawn, guns on both sides": (
        replace(QUICK, number=3, gunners=2, gun_S=4, hand_S=6), GUARDS, House(door=2, who="drawn"), "storm", "hold", 8, 4,
        "attackers", 0, DRAWN,
    ),
    **{
        f"shoot, who falls: {who}, guns upstairs": (
            replace(GUNNERS, missile_S=4, number=4, gunners=2, gun_S=6), replace(GUARDS, number=4, gunners=3, range=18),
            House(**STONE, levels=3, room=2, wall=1, who=who), "shoot", "hold", 17, 3, "attackers", 17, {"who_falls": who},
        )
        for who in ("owner", "spread", "drawn")
    },
    **{
        f"shoot, who falls: {who}, guns inside": (
            GUNNERS, replace(GUARDS, number=4, gunners=2, range=18), House(wall=2, who=who), "shoot", "hold", 20, 3, "attackers", 18, {"who_falls": who},
        )
        for who in ("owner", "spread", "drawn")
    },
    "shoot, they wait outside, who falls: drawn, guns inside": (
        GUNNERS, GUARDS, House(waits=True, door=2, who="drawn"), "shoot", "sally", 8, 2, "defenders", 18,
        {**DRAWN, "charging_out": "next_turn"},
    ),
    **{
        f"demolish, two columns, who falls: {who}, guns inside": (
            SMASHERS, replace(GUARDS, number=4, gunners=2), House(columns=2, wall=8, levels=2, room=1, who=who), "demolish",
            "hold", 4, 4, "defenders", 0, {"who_falls": who},
        )
        for who in ("owner", "spread", "drawn")
    },
    **{
        f"demolish, sally, who falls: {who}, guns on both sides": (
            replace(MIXED, hand_S=4), replace(GUARDS, Ld=4, gunners=2), House(door=2, who=who), "demolish", "sally", 12, 3,
            "defenders", 24, {"who_falls": who},
        )
        for who in ("owner", "spread", "drawn")
    },
    "storm, accidents, two columns, who falls: drawn, guns on both sides": (
        replace(TORCHES, number=3, gunners=1, gun_S=5), replace(GUARDS, number=2, Sv=3),
        House(**STONE, accidents=True, columns=2, wall=8, door=2, who="drawn"), "storm", "hold", 8, 5, "attackers", 0,
        {**DRAWN, "who_carries_fire": "flaming_weapons"},
    ),
    "shoot, flames": (BURNERS, TWO, House(), "shoot", "hold", 12, 4, "attackers", 12),
}  # fmt: skip
SHIELDS: dict[str, tuple[Any, ...]] = {
    "storm, attackers who rout have shields": (
        replace(FOOTMAN, number=4, Ld=4, shield=True), replace(THREE, I=4, A=2), House(), "storm", "hold", 6, 2,
        "attackers", 0,
    ),
    "storm, a garrison that routs has shields": (
        replace(QUICK, number=3, Ld=9), replace(WARY, number=4, Sv=5, shield=True), House(levels=2, room=2), "storm",
        "hold", 6, 2, "attackers", 0,
    ),
    "storm, shields on both sides, but not of their leaders": (
        replace(
            FOOTMAN, number=4, Ld=4, Sv=5, shield=True,
            leader=replace(FOOTMAN, number=1, Ld=4, S=4, T=4, W=2, A=2, Sv=4),
        ),
        replace(WARY, number=4, A=2, shield=True, leader=replace(WARY, number=1, S=4, T=4, W=2, A=2, Sv=5)),
        House(levels=2, room=3), "storm", "hold", 6, 2, "attackers", 0,
    ),
    "storm, sally, shields on both sides": (
        replace(FOOTMAN, number=4, Ld=4, A=2, Sv=5, shield=True), replace(WARY, number=4, A=2, shield=True), House(),
        "storm", "sally", 9, 2, "attackers", 0,
    ),
}  # fmt: skip
"""Shields of the losers, which do not count against free hacks (BASE-054)."""
PURSUIT: dict[str, tuple[Any, ...]] = {
    "storm, sally, attackers who rout are caught": (
        replace(FOOTMAN, number=4, Ld=4), replace(THREE, A=2, Ld=7), House(), "storm", "sally", 8, 2, "defenders", 0,
    ),
    "storm, sally, attackers too slow to catch those who rout": (
        replace(FOOTMAN, number=4, WS=4, A=2, Ld=5, move=3), replace(WARY, number=4), House(), "storm", "sally", 7, 2,
        "defenders", 0,
    ),
    "storm, sally, a garrison that routs is caught, a leader may hold back": (
        replace(FOOTMAN, number=4, Ld=4, leader=replace(FOOTMAN, number=1, Ld=8, S=4, T=4, W=2, A=2, Sv=4)),
        replace(WARY, number=4), House(), "storm", "sally", 9, 2, "attackers", 0,
    ),
    "storm, sally, victors always pursue": (
        replace(FOOTMAN, number=4, Ld=6), replace(WARY, number=4, W=2), House(door=3, pursues=True), "storm", "sally",
        8, 2, "defenders", 0, {"pursuit": "pursues"},
    ),
}  # fmt: skip
"""Victors in the open who pursue, or hold back by a Leadership test (BASE-055)."""
HALL = House(heights=(2, 2), columns=2, levels=2, beside=((0, 1),), inches=(2, 1), door=1, room=2)
KEEP = House(heights=(3,), levels=3, inches=(2,), door=2, room=3)
WINGS = House(
    heights=(1, 2, 1), columns=3, levels=2, beside=((0, 1), (1, 2)), entries=(0, 2, 0), inches=(1, 1, 1), door=2, room=2
)
RING = House(
    heights=(2, 1, 1), columns=3, levels=2, beside=((0, 1), (1, 2), (0, 2)), entries=(1, 0, 1), inches=(1, 0, 2), door=1,
    room=2,
)  # fmt: skip
STRONG = replace(QUICK, number=3, A=2)
BRAVE = replace(THREE, Ld=9)
SECTIONS: dict[str, tuple[Any, ...]] = {
    "storm, spread over four sections": (
        STRONG, replace(WARY, number=4), replace(HALL, deployment="spread"), "storm", "hold", 4, 3, "attackers", 0,
    ),
    "storm, spread, garrison first, wounds to spare": (
        replace(QUICK, W=2), replace(BRAVE, W=2), replace(HALL, deployment="spread"), "storm", "hold", 6, 3, "defenders", 0,
    ),
    "storm, they hold the top of a keep": (
        STRONG, replace(WARY, Ld=7), replace(KEEP, deployment="top"), "storm", "hold", 4, 4, "attackers", 0,
    ),
    "storm, more than the top has room for": (
        STRONG, replace(FOUR, Ld=7), replace(HALL, deployment="top"), "storm", "hold", 4, 4, "attackers", 0,
    ),
    "storm, they give ground in a keep": (
        STRONG, replace(WARY, Ld=7), replace(KEEP, deployment="gives ground"), "storm", "hold", 8, 4, "attackers", 0,
    ),
    "storm, giving ground comes to an end in a hall": (
        STRONG, replace(FOUR, Ld=8), replace(HALL, deployment="gives ground"), "storm", "hold", 4, 4, "defenders", 0,
    ),
    "storm, so many behind the door": (
        STRONG, replace(FOUR, Ld=8), replace(HALL, deployment=1), "storm", "hold", 4, 3, "attackers", 0,
    ),
    "storm, posts": (
        STRONG, replace(FOUR, Ld=8), replace(HALL, deployment=(0, 2, 1, 1)), "storm", "hold", 4, 3, "attackers", 0,
    ),
    "storm, doors in two columns": (
        replace(STRONG, number=4), replace(FOUR, Ld=8), replace(RING, deployment="doors"), "storm", "hold", 4, 3,
        "attackers", 0,
    ),
    "storm, doors in two columns, spread, who joins the fight charges again": (
        replace(STRONG, number=4), replace(FOUR, Ld=8), replace(RING, deployment="spread", charges_again=True), "storm",
        "hold", 4, 3, "attackers", 0, {"joining_a_fight": "charges_again"},
    ),
    "storm, attackers rout from upstairs": (
        replace(STRONG, number=4, Ld=4), replace(BRAVE, number=4, A=2, S=4), replace(KEEP, deployment="top"), "storm",
        "hold", 4, 4, "attackers", 0,
    ),
    "storm, victors follow out of the building": (
        replace(STRONG, number=4, Ld=5), replace(FOUR, Ld=5, A=2), replace(HALL, deployment="spread", pursues=True),
        "storm", "hold", 4, 3, "attackers", 0, {"pursuit": "pursues"},
    ),
    "storm, victors too slow to follow": (
        replace(STRONG, number=4, Ld=5, move=5), replace(FOUR, Ld=5, A=2), replace(HALL, deployment="doors", pursues=True),
        "storm", "hold", 4, 3, "attackers", 0, {"pursuit": "pursues"},
    ),
    "storm, sally, spread": (
        STRONG, replace(FOUR, Ld=8), replace(HALL, deployment="spread"), "storm", "sally", 8, 3, "attackers", 0,
    ),
    "shoot, sally from the top": (
        replace(GUNNERS, missile_S=4, range=8), BRAVE, replace(KEEP, deployment="top"), "shoot", "sally", 9, 4, "attackers",
        8,
    ),
    "storm, sally by two doors": (
        STRONG, replace(FOUR, Ld=8), replace(RING, deployment="gives ground"), "storm", "sally", 6, 3, "defenders", 0,
    ),
    "shoot, spread, guns drawn": (
        replace(GUNNERS, missile_S=4, number=4, gunners=2, gun_S=6), replace(GUARDS, number=4, gunners=2, range=18),
        replace(HALL, **STONE, deployment="spread", who="drawn"), "shoot", "hold", 17, 3, "attackers", 17, DRAWN,
    ),
    "shoot, three wings, one without a window": (
        replace(GUNNERS, missile_S=4, number=4), replace(FOUR, number=5),
        replace(WINGS, **STONE, inches=(1, 2, 0), deployment="spread"), "shoot", "hold", 17, 2, "attackers", 17,
    ),
    "demolish, the middle of three wings": (
        replace(SMASHERS, number=3), replace(FOUR, number=4, Sv=3), replace(WINGS, deployment="spread"), "demolish", "hold",
        4, 4, "attackers", 0,
    ),
    "demolish, too many for an unsafe section": (
        SMASHERS, replace(FOUR, number=5), replace(HALL, room=3, unsafe_room=1, crowd=1, deployment="spread"), "demolish",
        "hold", 4, 4, "defenders", 0,
    ),
    "demolish, some storm, spread": (
        MIXED, replace(THREE, Sv=3), replace(HALL, deployment="spread"), "demolish", "hold", 9, 4, "attackers", 24,
    ),
    "demolish, on over the rubble of a wing": (
        MIXED, replace(FOUR, Sv=3), replace(WINGS, deployment="spread", rubble=True), "demolish", "hold", 9, 4,
        "attackers", 24, {"way_in_after_a_collapse": "over_the_rubble"},
    ),
    "smoke, carried in, spread": (
        TORCHES, replace(THREE, Sv=3), replace(HALL, **STONE, deployment="spread"), "smoke", "hold", 6, 4, "attackers", 9,
    ),
    "smoke, driven out, spread": (
        replace(BURNERS, range=24), THREE, replace(HALL, drives_out=True, deployment="spread"), "smoke", "hold", 13, 3,
        "defenders", 12, {"garrison_in_a_fire": "comes_out"},
    ),
    "storm, accidents of those who go on": (
        replace(TORCHES, number=3, A=2), BRAVE, replace(HALL, **STONE, accidents=True, deployment="top"), "storm", "hold", 4,
        4, "attackers", 0, {"who_carries_fire": "flaming_weapons"},
    ),
    "storm, leaders, who hold the top": (
        replace(QUICK, number=3, leader=replace(QUICK, number=1, S=4, T=4, W=2, A=2, Sv=4)),
        replace(WARY, number=3, leader=replace(WARY, number=1, S=4, T=4, W=2, A=2, Sv=5)),
        replace(KEEP, deployment="top"), "storm", "hold", 6, 4, "defenders", 0,
    ),
    "shoot, a leader at the top": (
        replace(GUNNERS, missile_S=4, number=4), replace(WARY, number=3, range=18, leader=replace(WARY, number=1, range=18, T=4, W=2, Sv=5)),
        replace(HALL, **STONE, deployment="top"), "shoot", "hold", 17, 3, "attackers", 17,
    ),
}  # fmt: skip
"""Both sides by section: deployments, steps inside, one engagement, routs from deep inside (RC-002 to RC-026)."""
GIANTS = replace(STRONG, number=4, gunners=2, gun_S=3, hand_S=6, guns_feet=12)
"""Two of four are of twelve feet, and hit harder."""
STEEPLE = replace(KEEP, door=4, room=6, ceilings=(14, 8, 12))
TALL: dict[str, tuple[Any, ...]] = {
    f"storm, {name}": (us, them, replace(house, deployment=deployment), "storm", "hold", *setting)
    for name, us, them, house, deployment, *setting in (
        ("two giants below a low floor", GIANTS, BRAVE, STEEPLE, "gives ground", 4, 4, "attackers", 0),
        ("two giants up the stairs", GIANTS, BRAVE, replace(STEEPLE, ceilings=(14, 12, 12)), "top", 4, 4, "attackers", 0),
        ("giants take the room of three each", replace(GIANTS, guns_feet=25), WARY, replace(STEEPLE, room=4, ceilings=(30,) * 3), "spread", 4, 4, "defenders", 0),
        ("giants of the first to go in", GIANTS, WARY, replace(HALL, room=3, door=3, ceilings=(12, 8, 12, 12)), "spread", 4, 4, "attackers", 0, {}, "leader"),
        ("giants stoop", GIANTS, BRAVE, replace(STEEPLE, room=3, ceilings=(14, 8, 12), stooping=True), "spread", 4, 4, "attackers", 0, {"tall_places": "stooping"}),
        ("giants before a low door", GIANTS, BRAVE, replace(HALL, ceilings=(10, 14, 14, 14)), "doors", 4, 3, "attackers", 0),
        ("giants of whom any falls", GIANTS, BRAVE, replace(STEEPLE, who="drawn"), "doors", 6, 4, "defenders", 0, DRAWN),
        ("a giant leads men of his up a wing", replace(QUICK, number=3, leader=replace(QUICK, number=1, S=4, T=4, W=2, A=2, Sv=4, feet=12)), BRAVE, replace(HALL, room=3, ceilings=(12, 9, 12, 12)), "spread", 4, 4, "attackers", 0),
        ("a door that is apart from those inside", replace(STRONG, number=4), replace(BRAVE, number=4), replace(WINGS, entries=(2, 0, 2)), "spread", 4, 3, "attackers", 0),
        ("doors side by side", replace(STRONG, number=4), BRAVE, replace(WINGS, entries=(2, 2, 0)), "spread", 4, 3, "defenders", 0),
    )
} | {
    "storm, guns at a leader and his man": (
        replace(QUICK, number=2, leader=replace(QUICK, number=1, T=4, W=2, Sv=4, A=2)), replace(GUARDS, number=4),
        replace(HALL, deployment="doors", room=3), "storm", "hold", 8, 3, "defenders", 0,
    ),
    "demolish, giants in a wing that falls": (
        replace(MIXED, guns_feet=12), replace(FOUR, Sv=3), replace(WINGS, deployment="spread", rubble=True, ceilings=(12, 14, 8, 12)),
        "demolish", "hold", 9, 4, "attackers", 24, {"way_in_after_a_collapse": "over_the_rubble"}, "leader",
    ),
    "demolish, giants crowd an unsafe section": (
        replace(MIXED, guns_feet=25), replace(THREE, Sv=3), replace(HALL, room=4, crowd=3, unsafe_room=3, door=4, deployment="spread", ceilings=(30, 8, 30, 30)),
        "demolish", "hold", 9, 4, "attackers", 24, {}, "leader",
    ),
    "smoke, a giant is among those hit by the fire": (
        replace(TORCHES, number=3, leader=replace(TORCHES, number=1, T=4, W=2, Sv=5, feet=12)), TWO,
        House(**STONE, heights=(2,), levels=2, inches=(2,), entries=(2,), door=2, scorches=True, ceilings=(12, 8)), "smoke", "hold", 6, 3, "attackers", 10,
        {"models_in_a_fire": "hit"},
    ),
}  # fmt: skip
"""Attackers over 10 feet, counted by section of their own (RC-005); and a chain also of those who come in (RC-010)."""
OGRES = replace(BRAVE, number=4, gunners=2, gun_S=3, hand_S=5, guns_feet=12)
"""The same of a garrison."""
CHIEF = replace(BRAVE, leader=replace(BRAVE, number=1, T=4, W=2, S=4, A=2, feet=12))
LOFTY = replace(HALL, room=4, unsafe_room=4, ceilings=(12, 8, 12, 12))
TALL_GARRISON: dict[str, tuple[Any, ...]] = {
    "storm, giants give ground as far as they fit": (STRONG, OGRES, replace(STEEPLE, deployment="gives ground"), "storm", "hold", 4, 3, "defenders", 0),
    "storm, giants give ground after their men": (STRONG, replace(OGRES, number=5), replace(STEEPLE, deployment="gives ground", ceilings=(12,) * 3), "storm", "hold", 4, 3, "defenders", 0),
    "storm, giants at the top": (STRONG, replace(OGRES, guns_feet=25), replace(STEEPLE, deployment="top", ceilings=(30,) * 3), "storm", "hold", 4, 4, "defenders", 0),
    "storm, giants take the room of men": (STRONG, OGRES, replace(LOFTY, room=3, unsafe_room=3, deployment="spread"), "storm", "hold", 4, 4, "attackers", 0),
    "storm, giants by number": (STRONG, OGRES, replace(LOFTY, deployment=1), "storm", "hold", 4, 3, "defenders", 0),
    "storm, giants at their posts": (STRONG, OGRES, replace(LOFTY, deployment=(1, 1, 0, 2)), "storm", "hold", 6, 3, "attackers", 0),
    "storm, giants against giants": (replace(GIANTS, number=3), replace(OGRES, number=3), replace(STEEPLE, room=4, deployment="doors", ceilings=(14, 12, 12)), "storm", "hold", 4, 3, "attackers", 0),
    "storm, giants stoop below": (STRONG, OGRES, replace(STEEPLE, room=3, stooping=True, deployment="doors"), "storm", "hold", 4, 3, "attackers", 0, {"tall_places": "stooping"}),
    "storm, any of the giants and their men falls": (STRONG, OGRES, replace(LOFTY, room=3, unsafe_room=3, who="drawn", deployment="doors"), "storm", "hold", 6, 3, "attackers", 0, DRAWN),
    "storm, a giant leads the garrison": (STRONG, CHIEF, replace(LOFTY, deployment="spread"), "storm", "hold", 4, 3, "defenders", 0),
    "storm, sally, giants come out first": (STRONG, OGRES, replace(LOFTY, deployment="doors"), "storm", "sally", 9, 3, "defenders", 0),
    "demolish, giants make room": (SMASHERS, OGRES, replace(LOFTY, unsafe_room=2, crowd=3, deployment="doors", ceilings=(12,) * 4), "demolish", "hold", 9, 4, "attackers", 0),
    "demolish, giants beside make room for giants": (SMASHERS, replace(OGRES, number=2), replace(LOFTY, room=2, unsafe_room=1, crowd=2, deployment="spread", ceilings=(12,) * 4), "demolish", "hold", 9, 4, "attackers", 0),
    "demolish, giants crowd an unstable section": (replace(MIXED, number=4, gunners=2), replace(OGRES, number=3, Sv=3), replace(LOFTY, room=6, unsafe_room=6, crowd=4, door=4, deployment="doors"), "demolish", "hold", 9, 4, "attackers", 24, {}, "leader"),
    "demolish, men make room before giants": (SMASHERS, replace(OGRES, number=3, gunners=1), replace(LOFTY, unsafe_room=3, room=6, crowd=6, deployment="doors"), "demolish", "hold", 9, 4, "attackers", 0),
    "demolish, giants would tear their unit apart": (SMASHERS, replace(OGRES, number=2, gunners=1), replace(LOFTY, room=2, unsafe_room=1, crowd=2, deployment=1), "demolish", "hold", 9, 4, "attackers", 0),
    "demolish, a wing falls on giants": (SMASHERS, replace(OGRES, Sv=3), replace(WINGS, room=4, deployment="doors", ceilings=(12, 12, 12, 8)), "demolish", "hold", 9, 4, "attackers", 0),
    "demolish, a wing falls on a chief": (SMASHERS, replace(CHIEF, Sv=3), replace(WINGS, room=3, deployment="doors", ceilings=(8, 12, 12, 8)), "demolish", "hold", 9, 4, "attackers", 0),
    "smoke, a fire drives giants out": (replace(BURNERS, range=24), replace(OGRES, number=3), replace(LOFTY, drives_out=True, deployment="spread"), "smoke", "hold", 13, 3, "attackers", 12, {"garrison_in_a_fire": "comes_out"}),
}  # fmt: skip
"""Creatures over 10 feet in a garrison (RC-005)."""
AS_USUAL = {
    name: Duel(*set_up) for name, set_up in (SET_UPS | SHIELDS | PURSUIT | SECTIONS | TALL | TALL_GARRISON).items()
}
DUELS = AS_USUAL | {
    f"{name}, {first} first": duel._replace(first_in=first_in)
    for name, duel in AS_USUAL.items()
    for plan, first_in, first in (("demolish", "leader", "guns"), ("storm", "ordinary", "those without guns"))
    if duel.us.gunners and duel.plan == plan
}
CASES = {
    name: Case(duel.play, duel.judge, None if duel.us.leader or duel.them.leader else duel.judge_from)
    for name, duel in DUELS.items()
}
"""From a position on, brute force does not know where a leader is."""
