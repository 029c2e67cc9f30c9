"""Small assaults in which both sides choose: as the engine has them, and as brute force plays them on from any state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from sims.assault import Assault
from sims.engines.contest import Aim, Contest, Pair, Solution
from tests.rulesets import expectimax, gemini_cases, gw_updated_cases, realm_of_chaos_cases, storming_cases
from tests.rulesets.expectimax import ALL, Expectimax, Plans
from tests.rulesets.gemini_oracle import House as Site
from tests.rulesets.gemini_oracle import Siege
from tests.rulesets.gemini_oracle import Troops as Models
from tests.rulesets.gw_updated_cases import BURNING, SALLY
from tests.rulesets.gw_updated_oracle import Setup
from tests.rulesets.realm_of_chaos_cases import MIXED, QUICK, STONE, THREE, TORCHES, TOWER, TWO
from tests.rulesets.realm_of_chaos_oracle import Assault as Game
from tests.rulesets.realm_of_chaos_oracle import House, Troops
from tests.rulesets.storming_cases import GUARDSMAN, RAIDER, RUINS, SECOND_ROUND, WARDER


@dataclass(frozen=True, eq=False)
class Contested:
    """An assault in which both sides choose.

    Attributes:
        play: The assault under a pair of plans.
        now: How a state stands for brute force.
    """

    play: Callable[[str, str], Assault[Any, Any]]
    judge: Expectimax
    now: Callable[[Any], Any]

    @cached_property
    def solution(self) -> Solution:
        pairs = {Pair(*plans): self.play(*plans) for plans in self.judge.pairs}
        return Contest(pairs, number=Fraction).solve(Aim(**self.judge.aim))

    def place(self, plans: Plans) -> tuple[int, int]:
        """Where a pair of plans stands in the arrays of the solution."""
        return self.solution.contest.place(Pair(*plans))


DESTROYED = {"destroyed": Fraction(1)}
WALLS_FIRST = DESTROYED | {"captured": Fraction(1, 8)}
"""Whether to go on at walls or to storm depends on the Armour Value."""


def storming(
    ours: dict[str, int],
    theirs: dict[str, int],
    attackers: int,
    defenders: int,
    *,
    points: int = 0,
    rules: str = "",
    aim: Mapping[str, Fraction] = expectimax.CAPTURED,
    **options: Any,
) -> Contested:
    models = attackers, defenders

    def play(plan: str, defence: str) -> Assault[Any, Any]:
        setting = {k: v for k, v in options.items() if k not in storming_cases.IN_THE_BOOK}
        game = storming_cases.duel(ours, theirs, *models, firing_points=points, plan=plan, defence=defence, **setting)
        return storming_cases.under(replace(game, may_change=True), rules)

    sides = storming_cases.Troops(**ours), storming_cases.Troops(**theirs, arms=("rifle",))
    game = storming_cases.Game(*sides, *models, points, **options)
    judge = replace(expectimax.storming(game), aim=aim)
    return Contested(play, judge, lambda state: storming_cases.now(game, judge.start, state))


def gw_updated(setup: Setup, **plans: dict[str, Any]) -> Contested:
    """A set-up as it is under plan storm, and what is other under others."""
    setups = {plan: replace(setup, **plans.get(plan, {})) for plan in ALL["attackers"]}

    def play(plan: str, defence: str) -> Assault[Any, Any]:
        return gw_updated_cases.besieged(replace(setup, sally=defence == "sally"), plan=plan, may_change=True)

    return Contested(play, expectimax.gw_updated(setups), lambda state: gw_updated_cases.now(setup, state))


def realm_of_chaos(
    us: Troops,
    them: Troops,
    house: House,
    away: int,
    turns: int,
    first: str,
    halts: Mapping[str, int],
    rulings: Mapping[str, str] = MappingProxyType({}),
) -> Contested:
    """Two units at a house; where the attackers halt under each plan, at the walls if not given."""

    def play(plan: str, defence: str) -> Assault[Any, Any]:
        setting = {"plan": plan, "defence": defence, "away": away, "turns": turns, "first": first}
        return realm_of_chaos_cases.assault(us, them, house, dict(rulings), may_change=True, **setting)

    games = {plan: Game(us, them, house, plan, halts.get(plan, 0)) for plan in ALL["attackers"]}
    judge = expectimax.realm_of_chaos(games, away, turns, first)
    duel = realm_of_chaos_cases.Duel(us, them, house, "storm", "hold", away, turns, first, 0, rulings)
    return Contested(play, judge, duel.now)


def gemini(siege: Siege, *numbers: int, aim: Mapping[str, Fraction] = expectimax.CAPTURED, **rulings: str) -> Contested:
    def play(plan: str, defence: str) -> Assault[Any, Any]:
        game = gemini_cases.scenario(replace(siege, plan=plan, defence=defence), *numbers)
        return gemini_cases.gemini(**rulings).assault(replace(game, may_change=True))

    judge = replace(expectimax.gemini(siege, *numbers), aim=aim)
    return Contested(play, judge, lambda state: gemini_cases.now(judge.start, state))


STORMED = {
    "walls that can be wrecked": lambda first: storming(
        {**RAIDER, "S": 5}, WARDER, 3, 2, points=2, distance=18, turns=3, armour=10, first=first
    ),
    "walls that shall be wrecked": lambda first: storming(
        {**RAIDER, "S": 5}, WARDER, 3, 2, points=2, distance=13, turns=3, armour=10, first=first, aim=DESTROYED
    ),
    "walls that nobody knows": lambda first: storming(
        RAIDER, WARDER, 3, 2, points=2, distance=13, turns=3, first=first, aim=WALLS_FIRST
    ),
    "ruins": lambda first: storming(
        {**RAIDER, "Sv": 4}, {**GUARDSMAN, "Sv": 6}, 3, 3,
        rules=RUINS, ruins=True, grenades=True, distance=18, turns=3, armour=10, first=first,
    ),
    "a second round": lambda first: storming(
        GUARDSMAN, GUARDSMAN, 3, 2,
        points=2, rules=SECOND_ROUND, second_round=True, distance=6, turns=3, armour=10, first=first,
    ),
}  # fmt: skip


STANDING_OFF = {"charges": False, "closes": False}
FLAMES = replace(SALLY, attackers=("flamer", "pistol"), weapons=(), defenders=("rifle", "rifle"))
BESIEGED = {
    "grenades at the walls": lambda first: gw_updated(
        replace(BURNING, defenders_first=first == "defenders", turns=3),
        shoot=STANDING_OFF | {"halt": 14},
        smoke=STANDING_OFF | {"halt": 8},
    ),
    "flames at the walls": lambda first: gw_updated(
        replace(
            FLAMES, AV=9, distance=14, turns=3, shooters=("flamer", "pistol"), defenders_first=first == "defenders"
        ),
        demolish=STANDING_OFF | {"halt": 8},
        shoot=STANDING_OFF | {"halt": 12},
        smoke=STANDING_OFF | {"halt": 8, "shooters": ("flamer",)},
    ),
    "nothing hurts the walls": lambda first: gw_updated(
        replace(FLAMES, attackers=("flamer", "pistol", "pistol"), distance=13, defenders_first=first == "defenders"),
        demolish=STANDING_OFF | {"halt": 13},
        shoot=STANDING_OFF | {"halt": 13},
        smoke=STANDING_OFF | {"halt": 8},
    ),
}


HELD = {
    "besiegers and others": lambda first: realm_of_chaos(
        MIXED, TWO, House(door=1), 9, 3, first, {"demolish": 24, "shoot": 24, "smoke": 24}
    ),
    "besiegers at a tower": lambda first: realm_of_chaos(
        replace(MIXED, WS=4, I=4), THREE, TOWER, 13, 3, first, {"demolish": 12, "shoot": 22, "smoke": 22}
    ),
    "fire carried in": lambda first: realm_of_chaos(
        TORCHES, TWO, House(**STONE, door=1), 8, 3, first, {"demolish": 8, "shoot": 10, "smoke": 10}
    ),
    "a garrison that waits outside": lambda first: realm_of_chaos(
        QUICK, THREE, House(door=2, waits=True), 7, 3, first, {"shoot": 12, "smoke": 12}, {"charging_out": "next_turn"},
    ),
}  # fmt: skip


HUT = Site(kind="wall", openings=1, T=6, points=3)
GUNNERS = Models(weapon="assault", range=18, weapon_S=5, shots=2, I=4, WS=4)
STORMERS = Siege(GUNNERS, Models(Ld=6), HUT)
CRACKERS = Siege(
    Models(weapon="heavy", range=36, weapon_S=9, AP=2, I=4),
    Models(Ld=5, BS=2),
    Site(kind="bunker", T=14, points=3, fire_out=2),
)
SHAKERS = Siege(
    Models(weapon="heavy", range=36, weapon_S=10, AP=2, I=5, Ld=8),
    Models(Ld=7, BS=1),
    Site(kind="bunker", T=14, points=3, fire_out=1),
)
BURNERS = Siege(
    Models(BS=4, weapon="template", range=8, weapon_S=4, AP=5, Sv=3),
    Models(Ld=5),
    Site(kind="bunker", T=14, points=3, fire_out=1),
)
OPENED = {
    "a wall with a window": lambda first: gemini(replace(STORMERS, first=first), 1, 1, 13, 2),
    "a storm that goes on": lambda first: gemini(
        replace(STORMERS, first=first, continued=True), 2, 1, 9, 2, renewed_storm="continued"
    ),
    "a bunker": lambda first: gemini(replace(CRACKERS, first=first), 1, 1, 13, 2),
    "a bunker that is shaken": lambda first: gemini(replace(SHAKERS, first=first), 2, 1, 6, 2, aim=DESTROYED),
    "grenades at a bunker": lambda first: gemini(replace(CRACKERS, grenades=True, first=first), 1, 2, 6, 2),
    "flames at a bunker": lambda first: gemini(replace(BURNERS, first=first), 1, 2, 7, 2),
}

CONTESTS: dict[str, dict[str, Callable[[str], Contested]]] = {
    "storming": STORMED,
    "gw_updated": BESIEGED,
    "realm_of_chaos": HELD,
    "gemini": OPENED,
}
"""By rule set, each by who has the first player turn."""


@cache
def contested(rules: str, name: str, first: str) -> Contested:
    """Return one of them, which is solved once."""
    return CONTESTS[rules][name](first)
