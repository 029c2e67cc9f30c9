"""Assaults in which a leader is another than his men: set up by who wrote the games that judge them, not the rules.

What the texts leave open is taken as the game says where it is declared, in `Mixed` and `House`. The first set-up of
each game has a leader as his men are.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from sims.reading import parse
from sims.scenario import Scenario, build
from tests.rulesets import realm_of_chaos_oracle as roc
from tests.rulesets.gemini_cases import case as case_of_gemini
from tests.rulesets.gemini_oracle import Body as Figure
from tests.rulesets.gemini_oracle import House as Fabric
from tests.rulesets.gemini_oracle import MixedSiege
from tests.rulesets.gemini_oracle import Troops as Band
from tests.rulesets.gw_updated_cases import case as case_of_gw
from tests.rulesets.gw_updated_oracle import Body, Setup
from tests.rulesets.judging import Case
from tests.rulesets.realm_of_chaos_cases import Duel
from tests.rulesets.realm_of_chaos_oracle import House
from tests.rulesets.storming_cases import RUINS, under
from tests.rulesets.storming_oracle import Fighter, Mixed, assault_of_mixed

RAIDER = {"WS": 4, "BS": 3, "S": 4, "T": 3, "A": 1, "Ld": 7, "Sv": 5, "I": 4}
WARDER = {"WS": 3, "BS": 4, "S": 3, "T": 4, "A": 1, "Ld": 8, "Sv": 4, "I": 3}
BOTH = ("pistol", "sword")


def raider(**changes) -> Fighter:
    return Fighter(**{**RAIDER, "arms": ("pistol",), **changes})


def warder(**changes) -> Fighter:
    return Fighter(**{**WARDER, "arms": ("rifle",), **changes})


def squad(leader: Fighter | None, many: int, men: Fighter, **specials: Fighter):
    names = (("leader",) if leader else ()) + tuple(specials) + ("trooper",) * many
    return ({"leader": leader} if leader else {}) | specials | {"trooper": men}, names


def mixed(ours, theirs, **setting) -> Mixed:
    return Mixed(ours[0], theirs[0], ours[1], theirs[1], **setting)


MEN, WARD = raider(), warder()
HOLD = {"points": 2, "distance": 12, "turns": 3}
SALLY = {"points": 2, "distance": 14, "turns": 2, "defence": "sally", "first": "defenders"}
OTHERS = {"first": "defenders"}
LEADER = {"odd": "leader"}

STORMING = {
    "S00 a leader as his men are, storm against hold and sally": (
        mixed(squad(raider(), 3, MEN), squad(warder(), 2, WARD), **HOLD, grenades=True),
        [LEADER, OTHERS, {"distance": 14, "turns": 2, "defence": "sally", "first": "defenders"}],
    ),
    "S01 captain with a 2+ save, storm against hold": (
        mixed(squad(raider(Sv=2), 4, MEN), squad(None, 3, WARD), **HOLD, grenades=True),
        [LEADER, OTHERS, {"who": "drawn"}],
    ),
    "S02 captain with a 6+ save, storm against sally": (
        mixed(squad(raider(Sv=6), 3, MEN), squad(None, 3, WARD), **SALLY),
        [LEADER, {"first": "attackers"}],
    ),
    "S03 captain with three Wounds, storm against hold": (
        mixed(squad(raider(W=3), 3, MEN), squad(None, 4, WARD), **HOLD),
        [LEADER, OTHERS, {"send": 2}, {"send": 2, "first_in": "ordinary"}],
    ),
    "S04 captain of T5, one in four, storm against hold and sally": (
        mixed(squad(raider(T=5), 3, MEN), squad(None, 3, WARD), **HOLD),
        [
            LEADER, OTHERS, {"distance": 14, "turns": 2, "defence": "sally", "first": "defenders"}, {"send": 1},
            {"send": 1, "majority": "fireteam"},
        ],
    ),
    "S05 captain of T5 with one man (ties to the higher), two Wounds, with him or alone inside": (
        mixed(squad(raider(T=5, W=2), 1, MEN), squad(None, 2, WARD), **HOLD),
        [LEADER, {"send": 1}, {"send": 1, "first_in": "ordinary"}, {"send": 1, "first_in": "ordinary", "majority": "fireteam"}],
    ),
    "S06 captain of T2 with two Wounds against blows of S4: instant death, storm against hold": (
        mixed(squad(raider(T=2, W=2, Sv=4), 3, MEN), squad(None, 3, warder(S=4)), **HOLD),
        [LEADER, LEADER | {"death": "all"}, {"death": "all"}, OTHERS],
    ),
    "S07 captain T3 W3 3+ against a champion who strikes with S6 and cuts: lots, instant death": (
        mixed(
            squad(raider(W=3, Sv=3, A=2), 2, MEN),
            squad(warder(S=6, A=3, cuts=True), 2, WARD),
            points=2, distance=6, turns=3,
        ),
        [
            LEADER, LEADER | {"death": "all"}, {"lots": "weakest"}, {"lots": "apart"}, LEADER | {"lots": "weakest"},
            LEADER | {"lots": "apart"}, {"death": "all"},
        ],
    ),
    "S08 the same in the open: sally, the captain strikes at I5, the champion at I2": (
        mixed(
            squad(raider(W=3, Sv=3, A=2, I=5), 2, MEN),
            squad(warder(S=6, A=3, cuts=True, I=2, W=2), 2, WARD),
            **SALLY,
        ),
        [LEADER, LEADER | {"death": "all"}, {"death": "all"}],
    ),
    "S09 captain with no armour and an invulnerable 4+, against a machine gun": (
        mixed(squad(raider(Sv=7, inv=4, W=2), 3, MEN), squad(None, 2, WARD, gunner=WARD), **{**HOLD, "points": 1}),
        [LEADER, OTHERS],
    ),
    "S10 garrison's champion, W2 T4 2+, under grenades and a flamer in support": (
        mixed(
            squad(None, 4, MEN, flamer=MEN), squad(warder(W=2, Sv=2), 3, WARD), **HOLD, grenades=True, send=2,
        ),
        [LEADER, OTHERS, {"plan": "smoke"}, {"lots": "apart"} | LEADER, LEADER | {"lots": "weakest"}],
    ),
    "S11 garrison's champion, T5 W2 3+, walls of 9 are blown open": (
        mixed(
            squad(None, 4, MEN), squad(warder(T=5, W=2, Sv=3), 2, WARD),
            points=2, distance=8, turns=2, plan="demolish", armour=9,
        ),
        [LEADER, {"blast": "each"}, {"plan": "shoot"}, {"plan": "shoot", "blast": "each"}, OTHERS],
    ),
    "S12 garrison's champion of T2 with two Wounds (a hit of S4 slays him), walls of 9": (
        mixed(
            squad(None, 4, MEN), squad(warder(T=2, W=2, Sv=3), 2, warder(T=3)),
            points=2, distance=8, turns=2, plan="demolish", armour=9,
        ),
        [LEADER, {"blast": "each"}],
    ),
    "S13 captain (W3 T4 3+, invulnerable 4+, two weapons, A3) against a champion (W2 T4 3+, A2), storm against hold": (
        mixed(
            squad(raider(W=3, T=4, Sv=3, inv=4, A=3, arms=BOTH), 4, MEN), squad(warder(W=2, Sv=3, A=2), 4, WARD),
            **HOLD, grenades=True,
        ),
        [LEADER, OTHERS, {"send": 3}, {"send": 3, "fireteam_first": True}, {"send": 3, "fireteam_first": True} | LEADER],
    ),
    "S14 the same, storm against sally": (
        mixed(
            squad(raider(W=3, T=4, Sv=3, inv=4, A=3, arms=BOTH), 3, MEN), squad(warder(W=2, Sv=3, A=2), 3, WARD), **SALLY,
        ),
        [LEADER, {"first": "attackers"}],
    ),
    "S15 few inside and many blows: wounds go round to the supporters and again to the captain": (
        mixed(
            squad(raider(W=2, Sv=3), 2, MEN), squad(None, 5, warder(A=2)), points=2, distance=6, turns=2, send=2,
        ),
        [LEADER, {"first_in": "ordinary"}, {"fireteam_first": True}, {"fireteam_first": True} | LEADER],
    ),
    "S16 a second round inside, and a sweeping advance": (
        mixed(squad(raider(W=2, Sv=3), 2, MEN), squad(warder(W=2, Sv=6), 2, WARD), points=2, distance=6, turns=2, second_round=True),
        [LEADER, {"second_round": False, "sweeping": True}, {"second_round": False}],
    ),
    "S17 ruins: charged, or shot at from 12 inches with cover of 4+": (
        mixed(squad(raider(W=2, Sv=3), 3, MEN), squad(warder(W=2, Sv=2, T=3), 2, WARD), points=2, distance=18, turns=3, ruins=True, grenades=True),
        [LEADER, {"plan": "shoot"}, {"plan": "shoot"} | LEADER, {"grenades": False}, {"defence": "sally"}, OTHERS],
    ),
    "S18 a special, not the leader, has three Wounds and T5 (an ogre with a pistol); the captain has a 3+ save": (
        mixed(squad(raider(Sv=3), 2, MEN, ogre=raider(T=5, W=3, S=5, A=2, Sv=6)), squad(None, 4, WARD), **HOLD),
        [LEADER, OTHERS, {"distance": 14, "turns": 2, "defence": "sally", "first": "defenders"}],
    ),
    "S19 captain with no armour and an invulnerable 4+, against a machine gun and a rifle": (
        mixed(squad(raider(Sv=7, inv=4, W=2), 3, MEN), squad(None, 2, WARD, gunner=WARD), **HOLD),
        [LEADER, OTHERS],
    ),
    "S20 captain with two Wounds and a 3+ save, under a mortar and a machine gun": (
        mixed(squad(raider(W=2, Sv=3), 3, MEN), squad(None, 2, WARD, mortar=WARD, gunner=WARD), points=2, distance=36, turns=3),
        [LEADER, {"points": 1}, {"distance": 18}, {"distance": 18, "first": "defenders"}],
    ),
}  # fmt: skip

FOOTMAN = roc.Troops(number=3, WS=3, BS=3, S=3, T=3, I=3, A=1, Ld=6, Sv=6, move=4, missile_S=3, range=24)
QUICK = replace(FOOTMAN, number=4, WS=4, S=4, I=4, Ld=7, Sv=5, range=12)
SMASHERS = replace(FOOTMAN, number=3, S=10, A=2, Sv=5, move=6, range=12)
GUNNERS = replace(FOOTMAN, number=3, BS=4, missile_S=6, range=18)
TORCHES = replace(FOOTMAN, number=3, Sv=4, WS=4, range=10, flaming=True)
STONE = {"T": 10, "needs_S": 7, "burns_outside": False}
TOWER = House(levels=2, room=2)


def led(men: roc.Troops, number: int, **leader) -> roc.Troops:
    return replace(men, number=number, leader=replace(men, number=1, **leader))


def duel(us, them, house, plan="storm", defence="hold", away=12, turns=3, first="attackers", halt=0, first_in=None):
    return {
        "us": us, "them": them, "house": house, "plan": plan, "defence": defence, "away": away, "turns": turns,
        "first": first, "halt": halt, "first_in": first_in,
    }  # fmt: skip


SALLIED = {"defence": "sally", "away": 8}
FANTASY = {
    "R00 a leader as his men are, storm against hold and sally": (
        duel(led(QUICK, 4), led(FOOTMAN, 4), House()),
        [OTHERS, SALLIED, SALLIED | OTHERS],
    ),
    "R01 captain with a 3+ save, storm against hold and sally": (
        duel(led(QUICK, 4, Sv=3), replace(FOOTMAN, number=4), House()),
        [OTHERS, SALLIED, SALLIED | OTHERS],
    ),
    "R02 captain with three Wounds, storm against hold and sally": (
        duel(led(QUICK, 3, W=3), replace(FOOTMAN, number=4), House()),
        [OTHERS, SALLIED, {"first_in": "ordinary"}],
    ),
    "R03 captain of T5, storm against hold and sally": (
        duel(led(QUICK, 3, T=5), replace(FOOTMAN, number=4), House()),
        [OTHERS, SALLIED],
    ),
    "R04 captain of T2 with two Wounds, storm against hold and sally": (
        duel(led(QUICK, 3, T=2, W=2), replace(FOOTMAN, number=4, S=4), House()),
        [OTHERS, SALLIED],
    ),
    "R05 captain of T7, whom S3 cannot wound (his one man falls first), storm against hold": (
        duel(led(QUICK, 2, T=7), replace(FOOTMAN, number=4), House()),
        [OTHERS, SALLIED],
    ),
    "R06 garrison's champion, T4 W2 4+, on the ground of a tower, reserves upstairs": (
        duel(replace(QUICK, number=4), led(FOOTMAN, 4, T=4, W=2, Sv=4), TOWER),
        [OTHERS, {"defence": "sally", "away": 8}],
    ),
    "R07 captain (W3 T4 3+ A3) against a champion (W2 T4 4+ A2), storm against hold and sally": (
        duel(led(QUICK, 4, W=3, T=4, Sv=3, A=3), led(FOOTMAN, 5, W=2, T=4, Sv=4, A=2), House()),
        [OTHERS, SALLIED, SALLIED | OTHERS],
    ),
    "R08 captain without armour and with an invulnerable 4+, two Wounds": (
        duel(led(QUICK, 3, Sv=7, inv=4, W=2), replace(FOOTMAN, number=4), House()),
        [{"invulnerable": True}, SALLIED | {"invulnerable": True}],
    ),
    "R09 a narrow door: who goes in first; the captain strikes with S5 and has two Wounds": (
        duel(led(QUICK, 3, S=5, W=2, Sv=4), replace(FOOTMAN, number=3), House(door=1), away=8),
        [{"first_in": "ordinary"}, OTHERS, {"steps_in": True}],
    ),
    "R10 equals in Initiative, both led, sally by a narrow door": (
        duel(led(replace(FOOTMAN, S=4), 3, W=2, Sv=4), led(FOOTMAN, 4, W=2, T=4), House(door=2), away=8, **OTHERS, defence="sally"),
        [{"first": "attackers"}, {"defence": "hold"}],
    ),
    "R11 garrison's champion, T5 W3, under falling walls": (
        duel(SMASHERS, led(FOOTMAN, 4, T=5, W=3, Sv=6), House(levels=2, room=2), plan="demolish", away=6),
        [OTHERS, {"defence": "sally"}, {"masonry_heals": True}],
    ),
    "R12 the same in two columns: those who live through it find room beside": (
        duel(SMASHERS, led(FOOTMAN, 4, T=4, W=3, Sv=3), House(columns=2, wall=8, levels=2, room=2), plan="demolish", away=6),
        [OTHERS, {"masonry_heals": True}],
    ),
    "R13 shot at in the windows: champion of W2 T4 4+; the captain outside has W2 5+": (
        duel(led(GUNNERS, 3, W=2, Sv=5), led(FOOTMAN, 3, T=4, W=2, Sv=4), House(), plan="shoot", away=20, halt=17),
        [OTHERS, {"defence": "sally", "away": 12, "halt": 12}],
    ),
    "R14 smoke: a brand is carried in, and the fire hits those in it (ruling models_in_a_fire = hit)": (
        duel(led(TORCHES, 3, W=2, T=4), led(FOOTMAN, 3, W=2, T=4, inv=4), House(**STONE, door=2, scorches=True), plan="smoke", away=7, halt=10, turns=4),
        [OTHERS, {"fire_by_order": True}, {"invulnerable": True}, {"scorches": False}],
    ),
    "R15 captain with two Wounds at the walls, blows of S10; garrison fires": (
        duel(led(SMASHERS, 3, W=2, T=4, Sv=3, A=3), FOOTMAN, TOWER, plan="demolish", away=9),
        [OTHERS, {"defence": "sally"}],
    ),
}  # fmt: skip


def of_mixed(game: Mixed) -> Scenario:
    """The same as a scenario."""

    def side(whose: str, unit: str, weapon: str) -> tuple[str, str]:
        full, men = game.full(whose), game.fighters(whose)
        melee = 'melee = "sword"' if "sword" in men["trooper"].arms else ""
        special = ", ".join(
            f'{{ weapon = "{arm}", count = {full.count(name)}{other} }}'
            for name, arm, other in (
                ("flamer", "flamer", ""),
                ("mortar", "mortar", ""),
                ("gunner", "machine-gun", ""),
                ("ogre", "pistol", f', unit = "{unit}-ogre"'),
            )
            if name in full
        )
        own = f'melee = "{in_hand(men["leader"])}"' if "leader" in men and in_hand(men["leader"]) else ""
        leads = f'[{whose}.leader]\nunit = "{unit}-leader"\nweapon = "{weapon}"\n{own}' if "leader" in full else ""
        return (
            f'[{whose}]\nunit = "{unit}"\nmodels = {len(full)}\nweapon = "{weapon}"\n{melee}\nspecials = [{special}]\n',
            leads,
        )

    def in_hand(one: Fighter) -> str:
        return "sword" if "sword" in one.arms else "cutter" if one.cuts else ""

    def unit(name: str, one: Fighter) -> str:
        numbers = {k: getattr(one, k) for k in ("WS", "BS", "S", "T", "W", "I", "A", "Ld")}
        saves = {k: v for k, v in {"Sv": one.Sv, "invulnerable": one.inv}.items() if v < 7}
        thrown = 'grenades = ["assault"]\n' if game.grenades and name.startswith("us") else ""
        return f'[units.{name}]\ntitle = "{name}"\n{thrown}' + "\n".join(
            f"{k} = {v}" for k, v in (numbers | saves).items()
        )

    (ours, our_leader), (theirs, their_leader) = side("attackers", "us", "pistol"), side("defenders", "them", "rifle")
    units = [
        unit(name if kind == "trooper" else f"{name}-{kind}", men[kind])
        for name, men in (("us", game.us), ("them", game.them))
        for kind in ("trooper", "leader", "ogre")
        if kind in men
    ]
    text = f"""
title = "Led"
distance = {game.distance}
turns = {game.turns}
first = "{game.first}"
[building]
title = "House"
archetype = "house"
footprint = [4, 4]
material = "brick"
doors = {game.doors}
firing_points = {game.points}
capacity = 20
{f"armour = {game.armour}" if game.armour else ""}
{ours}
plan = "{game.plan}"
send = {game.send}
first_in = "{game.first_in}"
{our_leader}
{theirs}
plan = "{game.defence}"
{their_leader}
[weapons.cutter]
title = "Cutter"
kind = "melee"
AP = 1
two_handed = true
"""
    return build(parse("led.toml", text + "\n".join(units)), "led")


PISTOLS = ("sergeant", "pistol", "pistol")
STORM = Setup(
    AV=9, attackers=PISTOLS, defenders=("rifle",) * 3, shooters=("sergeant", "pistol"), distance=13, turns=2, points=3,
    charges=False, defenders_first=True,
)  # fmt: skip
SALLY = Setup(
    AV=15, attackers=PISTOLS, defenders=("rifle", "rifle", "rifle"), distance=15, charges=False, closes=True, turns=2,
    sally=True, defenders_first=True,
)  # fmt: skip
OUT = replace(SALLY, defenders=("sergeant", "pistol", "pistol"))
DEMOLISH = Setup(
    AV=10, attackers=("fusion", "fusion", "pistol"), defenders=("sergeant", "rifle", "rifle"), shooters=("fusion",),
    distance=12, halt=6, charges=False, turns=2,
)  # fmt: skip
BURN = Setup(
    AV=11, attackers=("flamer", "flamer", "pistol"), defenders=("sergeant", "rifle", "rifle"), shooters=(), distance=12,
    halt=8, charges=False, turns=2,
)  # fmt: skip
STAND = Setup(  # the halt is where the rules have them stay; whoever wrote the game had them stop an inch nearer
    AV=15, attackers=("sergeant", "rifle", "rifle"), defenders=("sergeant", "pistol", "rifle"), shooters=(),
    charges=False, distance=13, halt=13, turns=2, sally=True,
)  # fmt: skip


def bodies(side: str, *bodies: tuple[str, Body]) -> dict[str, tuple[tuple[str, Body], ...]]:
    return {f"{side}_bodies": bodies}


def chief(side: str, **body: int) -> dict[str, tuple[tuple[str, Body], ...]]:
    return bodies(side, ("sergeant", Body(**body)))


CAPTAIN = {"T": 4, "W": 3, "Sv": 3, "inv": 4}
HEAVY = replace(STORM, defenders=("autocannon", "autocannon"), points=2)
MELTA = replace(STORM, defenders=("fusion", "fusion"), points=2)
UPDATED: list[tuple[str, str, Setup, dict[str, str]]] = [
    ("G1 leader of attackers 2+, storm v hold", "storm", replace(STORM, **chief("attackers", Sv=2)), {}),
    ("G2 leader of attackers 6+, storm v hold", "storm", replace(STORM, **chief("attackers", Sv=6)), {}),
    (
        "G3 as in the toll house: men of 4+, leader of 5+, storm v hold", "storm",
        replace(STORM, **bodies("attackers", ("pistol", Body(Sv=4)))), {},
    ),
    ("G4 leader of attackers W2, storm v hold", "storm", replace(STORM, **chief("attackers", W=2)), {}),
    ("G5 leader of attackers W3 T4 3+/4+ inv., storm v hold", "storm", replace(STORM, **chief("attackers", **CAPTAIN)), {}),
    (
        "G6 leader W3 T4 3+/4+ inv. under fusion guns (S8: instant death, AP1), storm v hold", "storm",
        replace(MELTA, distance=12, **chief("attackers", **CAPTAIN)), {},
    ),
    (
        "G7 leader W2 T3 under autocannons (S7: instant death), storm v hold", "storm",
        replace(HEAVY, **chief("attackers", W=2)), {},
    ),
    (
        "G8 leader W2 T4 Sv4+ under autocannons (no instant death), storm v hold", "storm",
        replace(HEAVY, **chief("attackers", W=2, T=4, Sv=4)), {},
    ),
    (
        "G9 two attackers: leader T5 with one man of T3 (tie: T5), storm v hold", "storm",
        replace(STORM, attackers=("sergeant", "pistol"), **chief("attackers", T=5)), {},
    ),
    ("G10 leader of attackers T6 of three, storm v hold", "storm", replace(STORM, **chief("attackers", T=6)), {}),
    (
        "G11 leader of attackers T2 W2 under pistols (S4: instant death) of two, storm v hold", "storm",
        replace(STORM, attackers=("sergeant", "pistol"), defenders=("pistol",) * 3, distance=12, **chief("attackers", T=2, W=2)),
        {},
    ),
    (
        "G12 a special of another body (fusion gun: T4 W2 Sv3+), no leader, storm v hold", "storm",
        replace(
            STORM, AV=11, attackers=("fusion", "pistol", "pistol"), shooters=("fusion",), charges=False, distance=12,
            **bodies("attackers", ("fusion", Body(T=4, W=2, Sv=3))),
        ), {},
    ),
    (
        "G13 two kinds of weapons at a leader 3+ (order of shots: farthest first, machine gun then rifles), storm v hold",
        "storm",
        replace(STORM, defenders=("machine gun", "rifle", "rifle"), **chief("attackers", Sv=3, W=2)), {},
    ),
    (
        "G14 champion of the garrison W2 T4 4+, masonry, demolish v hold", "demolish",
        replace(DEMOLISH, **chief("defenders", W=2, T=4, Sv=4)), {},
    ),
    (
        "G15 champion of the garrison W2 T3 2+ (masonry S6: instant death), demolish v hold", "demolish",
        replace(DEMOLISH, **chief("defenders", W=2, Sv=2)), {},
    ),
    (
        "G16 champion of the garrison T5 5+/4+ inv. among flames (S4 AP5), smoke v hold", "smoke",
        replace(BURN, **chief("defenders", T=5, inv=4)), {},
    ),
    (
        "G17 two of the garrison, champion T5 W3 (tie: T5), smoke v hold", "smoke",
        replace(BURN, defenders=("sergeant", "rifle"), **chief("defenders", T=5, W=3)), {},
    ),
    ("G18 leader of attackers 2+, storm v sally", "storm", replace(SALLY, **chief("attackers", Sv=2)), {}),
    ("G19 leader of attackers W3 T4 3+/4+ inv., storm v sally", "storm", replace(SALLY, **chief("attackers", **CAPTAIN)), {}),
    (
        "G20 champion of the garrison W2 T4 3+, storm v sally", "storm",
        replace(OUT, attackers=("pistol",) * 3, **chief("defenders", W=2, T=4, Sv=3)), {},
    ),
    (
        "G21 both led: attackers W2 4+, garrison T5 2+/5+ inv. W2, storm v sally", "storm",
        replace(OUT, **chief("attackers", W=2, Sv=4), **chief("defenders", W=2, T=5, Sv=2, inv=5)), {},
    ),
    (
        "G22 the same under Overwatch, attackers first", "storm",
        replace(
            OUT, overwatch=True, defenders_first=False, distance=14,
            **chief("attackers", W=2, Sv=4), **chief("defenders", W=2, T=5, Sv=2, inv=5),
        ), {"overwatch": "snap_shots"},
    ),
    (
        "G23 attackers who stand and shoot, both led, W2: shoot v sally", "shoot",
        replace(STAND, **chief("attackers", W=2, Sv=3), **chief("defenders", W=2, T=2, Sv=4)), {},
    ),
    (
        "G24 men of W2 T4, leader W3 T4 5+/4+ inv. (wounds passed on to men of several Wounds), storm v sally", "storm",
        replace(OUT, defenders_W=2, defenders_T=4, **chief("defenders", W=3, T=4, inv=4)), {},
    ),
]  # fmt: skip


ARAP_PISTOL = Band(I=4, weapon="pistol", range=12, weapon_S=4, AP=5, Ld=8)
ARAP_RIFLES = Band(Ld=6, WS=4)
ARAP_OPEN2, ARAP_OPEN1 = Fabric(openings=2), Fabric(openings=1)
ARAP_STORMING = MixedSiege(ARAP_PISTOL, ARAP_RIFLES, ARAP_OPEN2, leader_A=2, first="defenders")
ARAP_MACHINE = Band(weapon="heavy", shots=2, weapon_S=5, AP=4, range=36, I=4, Ld=6)
ARAP_SHOOTING = MixedSiege(
    Band(BS=5, weapon_S=5, AP=6), Band(Ld=5, Sv=6), ARAP_OPEN2, leader_A=0, chief_A=2, plan="shoot"
)
ARAP_FLAMES = MixedSiege(
    Band(BS=4, weapon="template", range=8, weapon_S=4, AP=5, I=4), Band(Ld=6, Sv=4), ARAP_OPEN2, leader_A=0, chief_A=2,
    plan="smoke",
)  # fmt: skip
ARAP_GRENADES = MixedSiege(
    Band(Ld=6), Band(Ld=5, BS=2), ARAP_OPEN1, leader_A=0, chief_A=2, grenades=True, plan="smoke",
)  # fmt: skip
ARAP_SALLYING = MixedSiege(
    replace(ARAP_PISTOL, Ld=7), Band(A=2, Ld=7), ARAP_OPEN2, leader_A=2, plan="shoot", defence="sally",
)  # fmt: skip
ARAP_PINNING = Band(BS=5, weapon="assault", range=30, weapon_S=4, Ld=6, pinning=True)
ARAP_WALL = MixedSiege(
    Band(weapon="assault", range=18, weapon_S=5, shots=2, I=5), Band(Ld=5),
    Fabric(kind="wall", openings=1, T=6, points=3), leader_A=0, chief_A=2, plan="demolish", first="defenders",
)  # fmt: skip
ARAP_BUNKER = MixedSiege(
    Band(weapon="heavy", range=36, weapon_S=9, AP=2, I=4), Band(Ld=5, BS=2),
    Fabric(kind="bunker", T=14, points=1, fire_out=3), leader_A=0, chief_A=2, plan="demolish", first="defenders",
)  # fmt: skip
CAPTAIN_OF_ARAP = Figure(T=4, W=3, Sv=3, inv=4)
GEMINI: list[tuple[str, MixedSiege, tuple[int, int, int, int]]] = [
    ("M1 leader of attackers 2+, storm v hold", replace(ARAP_STORMING, leader=Figure(Sv=2)), (3, 3, 14, 2)),
    ("M2 leader of attackers 6+, storm v hold", replace(ARAP_STORMING, leader=Figure(Sv=6)), (3, 3, 14, 2)),
    (
        "M3 as in the toll house: men of 4+, leader of 5+, storm v hold",
        replace(ARAP_STORMING, ours=replace(ARAP_PISTOL, Sv=4), leader=Figure(Sv=5)), (3, 3, 14, 2),
    ),
    ("M4 leader of attackers W2, storm v hold", replace(ARAP_STORMING, leader=Figure(W=2)), (3, 3, 14, 2)),
    (
        "M5 leader W3 T4 3+/4+ inv. under machine guns of AP4, storm v hold, at one window (D6 against D6)",
        replace(ARAP_STORMING, theirs=ARAP_MACHINE, house=ARAP_OPEN1, leader=CAPTAIN_OF_ARAP), (4, 3, 14, 2),
    ),
    (
        "M6 leader W3 T4 3+/4+ inv. under guns of AP2 and Damage 2, storm v hold",
        replace(ARAP_STORMING, theirs=replace(ARAP_MACHINE, AP=2, damage=2), leader=CAPTAIN_OF_ARAP), (3, 2, 14, 2),
    ),
    (
        "M7 leader W3 5+ under guns of Damage 2 (one Wound left over), storm v hold",
        replace(ARAP_STORMING, theirs=replace(ARAP_MACHINE, damage=2, shots=1), leader=Figure(W=3)), (3, 2, 14, 2),
    ),
    ("M8 leader T6 (S3 wounds on 7+), storm v hold", replace(ARAP_STORMING, leader=Figure(T=6)), (3, 3, 14, 2)),
    ("M9 leader T2, storm v hold", replace(ARAP_STORMING, leader=Figure(T=2)), (3, 3, 14, 2)),
    (
        "M10 both led, storm v hold: leader W2 4+, chief W2 T4 3+",
        replace(ARAP_STORMING, chief_A=2, leader=Figure(W=2, Sv=4), chief=Figure(W=2, T=4, Sv=3)), (3, 3, 12, 2),
    ),
    (
        "M11 chief W2 T4 3+ who is shot at, shoot v hold",
        replace(ARAP_SHOOTING, chief=Figure(W=2, T=4, Sv=3)), (3, 3, 15, 2),
    ),
    (
        "M12 the same with Damage 2, and a chief of W3 and 4+ inv.",
        replace(ARAP_SHOOTING, ours=replace(ARAP_SHOOTING.ours, damage=2, AP=2), chief=Figure(W=3, Sv=3, inv=4)), (3, 3, 15, 2),
    ),
    (
        "M13 chief W2 T4 4+/5+ inv. among flames, smoke v hold",
        replace(ARAP_FLAMES, chief=Figure(W=2, T=4, Sv=4, inv=5)), (2, 3, 11, 2),
    ),
    (
        "M14 chief W2 2+ among grenades, in a courtyard, smoke v hold",
        replace(ARAP_GRENADES, house=Fabric(openings=1, inside="open"), chief=Figure(W=2, Sv=2)), (3, 4, 9, 2),
    ),
    (
        "M15 chief W2 T4 5+ who sallies against a leader W2 3+, shoot v sally",
        replace(ARAP_SALLYING, chief_A=2, leader=Figure(W=2, Sv=3), chief=Figure(W=2, T=4)), (3, 3, 11, 2),
    ),
    (
        "M16 leader W3 T4 3+/4+ inv. who storms, garrison sallies",
        replace(ARAP_STORMING, defence="sally", leader=CAPTAIN_OF_ARAP), (3, 3, 14, 2),
    ),
    (
        "M17 leader W3 under weapons that pin (a wound pins, whoever lives), storm v hold",
        replace(ARAP_STORMING, ours=replace(ARAP_PISTOL, Ld=5), theirs=replace(ARAP_PINNING, BS=4), house=ARAP_OPEN1, leader=Figure(W=3, Sv=4)),
        (3, 2, 15, 2),
    ),
    ("M18 chief T5 W2 under a falling wall, demolish v hold", replace(ARAP_WALL, chief=Figure(T=5, W=2)), (2, 3, 19, 2)),
    (
        "M19 chief W2 3+/3+ inv. in a bunker that comes down, demolish v hold",
        replace(ARAP_BUNKER, chief=Figure(W=2, Sv=3, inv=3)), (2, 3, 14, 2),
    ),
    (
        "M21 one of W3 under guns of Damage 2 that pin, storm v sally",
        replace(
            ARAP_STORMING, leader_A=0, ours=replace(ARAP_PISTOL, W=3, Ld=6), theirs=replace(ARAP_PINNING, damage=2),
            defence="sally",
        ), (1, 2, 12, 2),
    ),
    (
        "M23 men of W2, of whom one at a time can be shot at with Damage 2, shoot v hold",
        replace(
            ARAP_SHOOTING, ours=replace(ARAP_SHOOTING.ours, damage=2), theirs=replace(ARAP_SHOOTING.theirs, W=2), chief_A=0,
            house=Fabric(kind="bunker", T=14, points=1, fire_out=1),
        ), (3, 3, 10, 2),
    ),
    (
        "M22 men of W2, who are shot at with Damage 3 in a bunker, shoot v hold",
        replace(
            ARAP_SHOOTING, ours=replace(ARAP_SHOOTING.ours, damage=3), theirs=replace(ARAP_SHOOTING.theirs, W=2), chief_A=0,
            house=Fabric(kind="bunker", T=14, points=1, fire_out=3),
        ), (3, 2, 10, 2),
    ),
    (
        "M20 men of W2, leader W3 T4, storm v hold",
        replace(ARAP_STORMING, ours=replace(ARAP_PISTOL, W=2), leader=Figure(W=3, T=4)), (3, 3, 14, 2),
    ),
]  # fmt: skip


UNREAD = {"lots", "death", "blast", "majority"}
UNREAD |= {"masonry_heals", "fire_by_order", "steps_in", "invulnerable", "scorches"}
"""Readings that no ruling has a word for, or another than brute force."""


def case_of_mixed(game: Mixed) -> Case:
    """As the rules have it by what they call these rulings, and as brute force has it."""
    rules = (
        f"[tables.fireteam]\nslots = {game.slots}\n{RUINS if game.ruins else ''}[rulings]\nwho_falls = '{game.who}'\n"
    )
    said = {"sweeping_advance": game.sweeping, "second_round": game.second_round}
    rules += "".join(f"{name} = 'yes'\n" for name, chosen in said.items() if chosen)
    rules += f"odd_wounds = '{game.odd}'\nstrongest_wounds = 'in_turn'\n"
    if game.fireteam_first:
        rules += "wound_allocation = 'fireteam_first'\n"
    return Case(lambda: under(of_mixed(game), rules), partial(assault_of_mixed, game))


def case_of_fantasy(setting: dict[str, Any], variant: dict[str, Any]) -> Case:
    """The same for Realm of Chaos."""
    how = setting | {name: value for name, value in variant.items() if name in setting}
    house = replace(how.pop("house"), **{name: value for name, value in variant.items() if name not in setting})
    duel = Duel(**how, house=house, rulings={"models_in_a_fire": "hit"} if house.scorches else {})
    return Case(duel.play, duel.judge)


NOT_TOLD = ("M20",)
"""A set-up that is judged otherwise.

Of men of several Wounds, not all of whom fight, the rules take the one who is hurt to be among those who can be hit; the
judge draws who fights, and so who is hurt may be out of reach. No text decides it (ARAP-119)."""


WHO = ("spread", "owner", "drawn")
"""Who falls of the updated building rules, the book's first."""


def cases(*, alike: bool = False) -> Iterator[tuple[str, Case]]:
    """Yield every set-up by its name, and its variants by what they change that the rules have a word for.

    Args:
        alike: The leaders, otherwise as they are, fall as their men do.
    """
    for name, (game, variants) in STORMING.items():
        for variant in ({}, *variants):
            if name.startswith(NOT_TOLD) or not variant.keys().isdisjoint(UNREAD):
                continue
            changed = replace(game, **variant)
            men = replace(changed, us=falling_alike(game.us), them=falling_alike(game.them)) if alike else changed
            yield f"{name}{told(variant)}", case_of_mixed(men)
    for name, (setting, variants) in FANTASY.items():
        sides = {side: as_his_men(setting[side]) for side in ("us", "them")} if alike else {}
        if alike:  # who falls as his men do has them step in for him, wherever they are
            sides["house"] = replace(setting["house"], steps_in=True)
        for variant in ({}, *variants):
            if variant.keys().isdisjoint(UNREAD):
                yield f"{name}{told(variant)}", case_of_fantasy(setting | sides, variant)
    for name, siege, numbers in GEMINI:
        if not name.startswith(NOT_TOLD):
            men = replace(siege, leader=None, chief=None) if alike else siege
            yield name, case_of_gemini(men, *numbers, who_falls="drawn")
    for name, plan, setup, rulings in UPDATED:
        if name.startswith(NOT_TOLD):
            continue
        men = replace(setup, attackers_bodies=(), defenders_bodies=(), look_out=False) if alike else setup
        for who in WHO if alike else WHO[:1]:
            game = replace(men, who=who)
            yield f"{name}, {who}", case_of_gw(game, plan=plan, rulings={**rulings, "who_falls": who})


def falling_alike(fighters: dict[str, Fighter]) -> dict[str, Fighter]:
    """Fighters whose leader has the Toughness, Wounds and saves of the men, and for a chase their Initiative."""
    men = fighters["trooper"]
    return {name: replace(one, T=men.T, W=men.W, Sv=men.Sv, inv=men.inv, I=men.I) for name, one in fighters.items()}


def as_his_men(side: roc.Troops) -> roc.Troops:
    """The same for Realm of Chaos."""
    if side.leader is None:
        return side
    return replace(side, leader=replace(side.leader, T=side.T, W=side.W, Sv=side.Sv, inv=side.inv))


def told(variant: dict[str, Any]) -> str:
    return "".join(f", {name} {value}" for name, value in variant.items())


FIRST = (*STORMING, *FANTASY, *(name for name, *_ in GEMINI), *(f"{name}, {WHO[0]}" for name, *_ in UPDATED))
"""Each as it is told first."""
FIRST_LETTER = {"storming": "S", "realm_of_chaos": "R", "gw_updated": "G", "gemini": "M1 "}
"""How set-ups under each set of rules begin; by Gemini the others take up to a minute each."""


def led_by(rules: str) -> list[Case]:
    """Return the set-ups under a set of rules, as each is told first."""
    return [case for name, case in cases() if name in FIRST and name.startswith(FIRST_LETTER[rules])]
