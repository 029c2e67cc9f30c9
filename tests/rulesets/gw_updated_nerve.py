"""Small assaults with morale under fire, falling back and regrouping, and what brute force says of each.

Nothing here knows what is judged. What the set-ups rest on beyond the conventions:
- Who goes for the walls, shoots at them and halts where is written by hand, as in `gw_updated_cases.py`: by the walls
  as they are at the start, and for the whole assault, whoever has fallen.
- A set-up in which it is open what a plan would fire at the walls in a turn without a charge is left out: rifles at
  walls of 8 and less, beside attackers who charge. At a garrison in the open such rifles do fire.
- Twin-linked weapons and jump troops are of one kind each: the shot that missed is thrown again, and 3D6 inches are
  fallen back. Nothing else is said of either, neither longer moves of jump troops nor their bulk.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from tests.rulesets.gw_updated_oracle import Body, Setup


class Given(NamedTuple):
    """A set-up; what is ruled of morale stands in it, and `rulings` names what else is ruled that it says as well."""

    setup: Setup
    plan: str = "storm"
    rulings: Mapping[str, str] = MappingProxyType({})
    archetype: str = "hut"


BURNING = Setup(
    AV=15,
    attackers=("flamer", "flamer", "pistol", "pistol"),
    defenders=("rifle", "rifle"),
    weapons=("machine gun",),
    points=2,
    distance=12,
    charges=False,
    closes=True,
    turns=4,
    under_fire="test",
)
"""Flamers who come near enough to burn those inside; one of four who falls is a reason to test."""
PISTOLS = replace(
    BURNING,
    AV=9,
    attackers=("pistol",) * 5,
    shooters=("pistol",),
    weapons=(),
    points=3,
    defenders=("rifle",) * 3,
    turns=2,
)
"""Pistols that can hurt the walls, on the move as well, and crumble them from a distance."""
LED = replace(BURNING, attackers=("sergeant", "pistol", "pistol"), AV=9, shooters=("sergeant", "pistol"), turns=2)
KRAK = replace(
    BURNING,
    AV=9,
    attackers=("fusion", "flamer", "pistol"),
    defenders=("machine gun", "rifle"),
    weapons=(),
    points=1,
    krak=True,
    shooters=("fusion", "flamer", "pistol"),
    charges=True,
    closes=False,
    turns=2,
)
"""Shots, flames and krak grenades at weak walls."""
ON_THE_MOVE = Setup(
    AV=11,
    attackers=("autocannon", "fusion", "pistol"),
    defenders=("rifle", "rifle"),
    weapons=("machine gun",),
    shooters=("autocannon", "fusion"),
    distance=14,
    halt=6,
    charges=False,
    turns=2,
    under_fire="test",
)
"""An autocannon that waits in the turn in which they fall back or regroup, and a fusion gun that does not."""
KEEP = Setup(
    AV=15,
    attackers=("fusion", "fusion", "pistol"),
    defenders=("rifle", "rifle"),
    weapons=("machine gun", "autocannon"),
    bulwark=True,
    shooters=("fusion",),
    distance=10,
    halt=6,
    charges=False,
    turns=2,
    under_fire="test",
)
SHOOTING = Setup(
    AV=13,
    attackers=("fusion", "pistol", "pistol", "pistol"),
    defenders=("rifle", "rifle"),
    weapons=("machine gun",),
    points=2,
    shooters=("fusion",),
    distance=12,
    halt=12,
    charges=False,
    turns=2,
    defenders_first=True,
    under_fire="test",
)
"""A fusion gun that shoots at the walls from as far as it reaches, once more from farther than that in vain."""
STANDING = replace(
    SHOOTING, AV=10, attackers=("machine gun", "pistol", "pistol"), shooters=("machine gun",), weapons=(), halt=36
)
"""A machine gun that is silent whenever they fall back or regroup."""
SMOKE = Setup(
    AV=11,
    attackers=("flamer", "flamer", "pistol"),
    defenders=("machine gun", "rifle", "rifle"),
    krak=True,
    distance=14,
    halt=8,
    charges=False,
    turns=3,
    under_fire="test",
)
SALLY = Setup(
    AV=15,
    attackers=("sergeant", "pistol", "pistol"),
    defenders=("flamer", "rifle", "rifle"),
    weapons=("machine gun",),
    distance=13,
    charges=False,
    closes=True,
    turns=3,
    sally=True,
    under_fire="test",
)
"""Attackers whom a garrison that comes out fires at, and charges wherever they are then."""
WINNING = replace(
    SALLY,
    attackers=("pistol",) * 3,
    defenders=("sergeant", "pistol", "pistol"),
    weapons=(),
    distance=8,
    attackers_I=5,
    defenders_first=True,
)
"""Blows at quick men, who often get away, and are charged again."""
IN_THE_OPEN = replace(
    SALLY,
    AV=15,
    attackers=("machine gun", "rifle", "pistol"),
    defenders=("pistol",) * 4,
    weapons=(),
    closes=False,
    distance=12,
    halt=36,
    turns=2,
)
"""Attackers who stand and shoot at those who come out, and these test their nerve."""
WALLS_SHAKEN = Setup(
    AV=8,
    attackers=("pistol", "pistol"),
    defenders=("flamer", "rifle"),
    shooters=("pistol",),
    distance=8,
    turns=2,
    sally=True,
    under_fire="test",
)
EMPTY = Setup(
    AV=10,
    attackers=("flamer", "flamer", "pistol"),
    defenders=("rifle",),
    weapons=("machine gun",),
    charges=False,
    closes=True,
    distance=10,
    turns=3,
    under_fire="test",
)
"""Flamers that empty a building whose machine gun goes on firing."""
TOO_SMALL = replace(EMPTY, capacity=2)
"""The same: there is room for two only."""
OGRES = replace(
    SALLY,
    attackers=("flamer", "pistol", "pistol"),
    defenders=("flamer", "rifle", "rifle"),
    defenders_T=4,
    defenders_W=2,
    weapons=(),
    distance=14,
    turns=2,
)
"""A garrison of two Wounds each, who are burnt inside and come out with what they have suffered."""
CAPTAIN = (("sergeant", Body(T=4, W=3, Sv=3, inv=4)),)
CHAMPION = (("sergeant", Body(T=4, W=2, Sv=4)),)
CAPTAINS_MEN = replace(
    LED,
    attackers_bodies=CAPTAIN,
    defenders=("autocannon", "rifle"),
    defenders_first=True,
    closes=False,
)
BOTH_LED = replace(
    SALLY,
    attackers=("sergeant", "pistol"),
    defenders=("sergeant", "pistol"),
    weapons=(),
    attackers_bodies=CHAMPION,
    defenders_bodies=(("sergeant", Body(T=5, W=2, Sv=2, inv=5)),),
    turns=2,
)
OVERWATCH = {"overwatch": "snap_shots"}
FAR = {"sally_when": "can_reach"}
AUTOMATIC = {"shots_at_buildings": "automatic"}


SETUPS: dict[str, Given] = {
    # The edge.
    "storm, an edge of 0": Given(replace(BURNING, edge=0)),
    "storm, an edge of 3": Given(replace(BURNING, edge=3)),
    "storm, an edge of 12": Given(BURNING),
    "storm, an edge of 72": Given(replace(BURNING, edge=72)),
    "storm, an edge of 0, passed": Given(replace(BURNING, edge=0, reaching_the_edge="passed")),
    "storm, an edge of 3, passed": Given(replace(BURNING, edge=3, reaching_the_edge="passed")),
    "storm, an edge of 12, passed": Given(replace(BURNING, reaching_the_edge="passed")),
    "storm, an edge of 12, garrison first": Given(replace(BURNING, defenders_first=True, distance=11)),
    "storm, an edge of 3, passed, garrison first": Given(
        replace(BURNING, edge=3, reaching_the_edge="passed", defenders_first=True, turns=2)
    ),
    # Numbers.
    "storm, five pistols, a quarter": Given(PISTOLS),
    "storm, five pistols, garrison first": Given(
        replace(PISTOLS, AV=15, shooters=(), weapons=("machine gun",) * 2, turns=3, defenders_first=True, edge=72)
    ),
    "storm, eight pistols": Given(replace(PISTOLS, attackers=("pistol",) * 8, AV=15, shooters=(), turns=3)),
    "storm, nine pistols": Given(replace(PISTOLS, attackers=("pistol",) * 9, AV=15, shooters=(), turns=3)),
    "storm, one pistol": Given(replace(PISTOLS, attackers=("pistol",), turns=3)),
    # Leadership.
    "storm, led": Given(LED),
    "storm, led, the owner gives up others first": Given(replace(LED, who="owner"), rulings={"who_falls": "owner"}),
    "storm, led, drawn": Given(replace(LED, who="drawn", edge=5), rulings={"who_falls": "drawn"}),
    # Storm, demolish, shoot, smoke.
    "storm, krak": Given(KRAK),
    "storm, krak, garrison first": Given(replace(
            KRAK, attackers=("flamer", "pistol"), shooters=("flamer", "pistol"), distance=9, defenders_first=True, edge=4,
        )),
    "storm, krak, shots hit by themselves": Given(
        replace(KRAK, automatic=True, defenders_first=True, attackers=("fusion", "pistol")), rulings=AUTOMATIC
    ),
    "storm, krak, hull points": Given(
        replace(KRAK, hull=3, defenders_first=True), rulings={"glancing_hits": "hull_points"}
    ),
    "storm, krak, armour at the start of a volley": Given(
        replace(KRAK, volley_at_its_start=True, defenders_first=True, attackers=("fusion", "pistol")),
        rulings={"armour_in_a_volley": "at_its_start"},
    ),
    "demolish, on the move": Given(ON_THE_MOVE, "demolish"),
    "demolish, on the move, garrison first": Given(
        replace(ON_THE_MOVE, defenders_first=True, distance=9, edge=72), "demolish"
    ),
    "demolish, a keep": Given(KEEP, "demolish", archetype="keep"),
    "demolish, a keep, garrison first": Given(
        replace(KEEP, defenders_first=True, edge=3, distance=8), "demolish", archetype="keep"
    ),
    "demolish, manned weapons": Given(
        replace(ON_THE_MOVE, manned=True, defenders=("rifle",) * 3),
        "demolish",
        {"emplaced_weapons": "manned"},
    ),
    "shoot, a fusion gun": Given(SHOOTING, "shoot"),
    "shoot, a fusion gun, shots hit by themselves": Given(replace(SHOOTING, automatic=True), "shoot", AUTOMATIC),
    "shoot, a machine gun": Given(STANDING, "shoot"),
    "shoot, a machine gun, attackers first": Given(replace(STANDING, defenders_first=False, edge=72), "shoot"),
    "shoot, a twin-linked fusion gun": Given(
        replace(SHOOTING, attackers=("fusion", "fusion", "pistol"), twin_linked=("fusion",), turns=3), "shoot"
    ),
    "shoot, at a twin-linked machine gun": Given(replace(SHOOTING, twin_linked=("machine gun",)), "shoot"),
    "smoke": Given(SMOKE, "smoke"),
    "smoke, garrison first": Given(replace(SMOKE, defenders_first=True, points=2, distance=9, edge=5), "smoke"),
    "smoke, flamers that hurt the walls": Given(
        replace(SMOKE, AV=9, shooters=("flamer",), turns=2, distance=8, defenders=("rifle", "rifle"), points=2), "smoke"
    ),
    # A garrison that comes out.
    "sally": Given(SALLY),
    "sally, garrison first": Given(replace(SALLY, defenders_first=True, distance=12, turns=2)),
    "sally, wins and charges again": Given(WINNING),
    "sally, wins and charges again, an edge of 72": Given(replace(WINNING, edge=72)),
    "sally, wins and charges again, an edge of 0, passed": Given(
        replace(WINNING, edge=0, reaching_the_edge="passed", defenders_first=False, distance=13)
    ),
    "sally, at slower attackers": Given(replace(SALLY, attackers_I=2, defenders_I=5, distance=9, turns=2)),
    "sally, Overwatch": Given(replace(WINNING, overwatch=True), rulings=OVERWATCH),
    "sally, Overwatch of flamers, as far as they can reach": Given(
        replace(WINNING, attackers=("flamer", "pistol", "pistol"), overwatch=True, dares=12, distance=14, turns=3),
        rulings=OVERWATCH | FAR,
    ),
    "sally, difficult ground": Given(
        replace(WINNING, difficult=True, dares=5), rulings={"charge_ground": "difficult"}
    ),
    "sally, at those who strike the walls": Given(WALLS_SHAKEN),
    "sally, at those who strike the walls, embarked units test": Given(replace(WALLS_SHAKEN, embarked_units="test")),
    "sally, shot at": Given(IN_THE_OPEN, "shoot"),
    "sally, shot at, garrison first": Given(replace(IN_THE_OPEN, defenders_first=True, distance=13, edge=72), "shoot"),
    "sally, shot at by pistols who close": Given(
        replace(IN_THE_OPEN, attackers=("pistol",) * 4, closes=True, halt=0, defenders_first=True, turns=3, distance=13)
    ),
    "sally, rifles among those who close": Given(
        replace(IN_THE_OPEN, attackers=("rifle", "rifle", "pistol"), closes=True, halt=0, defenders_first=True, turns=3)
    ),
    "sally, led, shot at": Given(
        replace(IN_THE_OPEN, defenders=("sergeant", "pistol", "rifle"), edge=3), "shoot"
    ),
    "sally, smoke": Given(
        replace(SMOKE, sally=True, defenders_first=True, turns=2, defenders=("rifle", "rifle"), distance=13), "smoke"
    ),
    # An empty building.
    "empty": Given(replace(EMPTY, turns=4)),
    "empty, two machine guns, an edge of 3": Given(replace(EMPTY, weapons=("machine gun",) * 2, edge=3, turns=4)),
    "empty, too small": Given(TOO_SMALL),
    "empty, too small, garrison first": Given(replace(TOO_SMALL, defenders_first=True, distance=9, edge=72)),
    "empty, too small, as many as find room": Given(
        replace(TOO_SMALL, part_gets_in=True), rulings={"claiming_unit": "part"}
    ),
    "empty, too small, and they shoot at the walls": Given(
        replace(
            TOO_SMALL, AV=9, attackers=("flamer", "pistol", "pistol"), shooters=("flamer", "pistol"), capacity=1, turns=2,
        )
    ),
    "empty, they left after a fight": Given(
        replace(SALLY, attackers=("sergeant", "pistol", "pistol", "pistol"), defenders=("rifle",), distance=9, turns=4)
    ),
    **{
        f"come out, and they run out of reach, {plan}": Given(
            replace(
                SALLY, attackers=("rifle",) * 3, defenders=("pistol",) * 2, distance=12, turns=3, edge=72, overwatch=True,
                closes=plan == "storm", halt=0 if plan == "storm" else 12,
            ),
            plan,
            OVERWATCH,
        )
        for plan in ("storm", "shoot")
    },
    # Embarked units.
    **{
        f"embarked units {test}, {name}": Given(replace(setup, embarked_units=test), plan)
        for test in ("steady", "test")
        for name, (setup, plan) in {
            "burnt": (replace(BURNING, defenders=("rifle",) * 4, turns=2), "storm"),
            "burnt before a charge": (
                replace(KRAK, AV=11, attackers=("flamer", "pistol"), shooters=(), distance=13), "storm",
            ),
            "masonry": (ON_THE_MOVE, "demolish"),
            "smoke": (SMOKE, "smoke"),
        }.items()
    },
    "embarked units test, led": Given(
        replace(BURNING, embarked_units="test", defenders=("sergeant", "rifle", "rifle"), defenders_first=True)
    ),
    "embarked units test, too small": Given(replace(TOO_SMALL, embarked_units="test", defenders=("rifle", "rifle"))),
    "embarked units test, several Wounds": Given(
        replace(OGRES, sally=False, embarked_units="test", distance=12, turns=3)
    ),
    # Wounds and bodies.
    "several Wounds": Given(OGRES),
    "several Wounds, garrison first": Given(replace(OGRES, defenders_first=True, distance=13)),
    "several Wounds, embarked units test": Given(replace(OGRES, embarked_units="test")),
    "several Wounds, shot at": Given(
        replace(IN_THE_OPEN, defenders=("pistol",) * 2, defenders_T=4, defenders_W=2), "shoot"
    ),
    "bodies, a captain under fire": Given(CAPTAINS_MEN),
    "bodies, both led": Given(BOTH_LED),
    "bodies, both led, Overwatch": Given(
        replace(BOTH_LED, overwatch=True, dares=12, distance=15), rulings=OVERWATCH | FAR
    ),
    # Others.
    "jump troops": Given(replace(BURNING, jump=True)),
    "jump troops, an edge of 3, passed": Given(replace(BURNING, jump=True, edge=3, reaching_the_edge="passed")),
}  # fmt: skip


def rulings(name: str) -> dict[str, str]:
    """All rulings of a set-up, those of morale among them."""
    given = SETUPS[name]
    morale = {key: getattr(given.setup, key) for key in ("under_fire", "reaching_the_edge", "embarked_units")}
    return morale | dict(given.rulings)
