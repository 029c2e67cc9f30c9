"""The assaults that the brute force of the updated building rules judges, by name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product, zip_longest
from types import MappingProxyType
from typing import Any

from sims.assault import Assault
from sims.games.wh40k.open_fight import RUNS
from sims.reading import parse
from sims.rulesets import rule_set
from sims.rulesets.gw_updated.state import Siege
from sims.scenario import Scenario, build
from tests.rulesets.gw_updated_nerve import SETUPS
from tests.rulesets.gw_updated_nerve import rulings as rulings_of
from tests.rulesets.gw_updated_oracle import CHARACTER, Body, Now, Setup, play_on, start, whole_assault
from tests.rulesets.judging import Case, Expected, named

NAMES = {"fusion": "fusion-gun", "machine gun": "machine-gun"}

JUMP = "jump infantry"


def specials(carried: tuple[str, ...]) -> list[str]:
    return [kind for kind in dict.fromkeys(carried) if kind not in (carried[-1], CHARACTER)]


def side(unit: str, carried: tuple[str, ...], others: tuple[tuple[str, Body], ...]) -> str:
    """Write a side: a sergeant leads, the first weapons are special, the last is everybody's."""
    own = {kind: f', unit = "{unit}-{kind}"' for kind, _ in others}
    rows = ", ".join(
        f'{{ weapon = "{NAMES.get(k, k)}", count = {carried.count(k)}{own.get(k, "")} }}' for k in specials(carried)
    )
    leads = f'leader = {{ unit = "{unit}-sergeant", weapon = "pistol", melee = "blade" }}'
    leader = leads if "sergeant" in carried else ""
    everybody = NAMES.get(carried[-1], carried[-1])
    return f'unit = "{unit}"\nmodels = {len(carried)}\nweapon = "{everybody}"\nspecials = [{rows}]\n{leader}'


def others(unit: str, carried: tuple[str, ...], bodies: tuple[tuple[str, Body], ...], initiative: int) -> str:
    """Write the profiles of specials who are other bodies."""
    return "".join(profile(f"{unit}-{kind}", initiative, body) for kind, body in bodies if kind in specials(carried))


def profile(
    unit: str, initiative: int, body: Body, *, sergeant: bool = False, krak: bool = False, bulk: int = 1
) -> str:
    """Write the profile of everybody, or of a sergeant."""
    return f"""
        [units.{unit}]
        title = "{unit}"
        WS = {4 if sergeant else 3}
        BS = 3
        S = 3
        T = {body.T}
        W = {body.W}
        I = {initiative}
        A = {2 if sergeant else 1}
        Ld = {8 if sergeant else 7}
        {f"Sv = {body.Sv}" if body.Sv < 7 else ""}
        {f"invulnerable = {body.inv}" if body.inv < 7 else ""}
        bulk = {bulk}
        {'grenades = ["krak"]' if krak else ""}
    """


def scenario(setup: Setup, archetype: str, plan: str) -> Scenario:
    weapons = ", ".join(f'"{NAMES.get(k, k)}"' for k in setup.weapons)
    men, guards = (setup.body(side, getattr(setup, side)[-1]) for side in ("attackers", "defenders"))
    text = f"""
        title = "Example"
        distance = {setup.distance}
        turns = {setup.turns}
        first = "{"defenders" if setup.defenders_first else "attackers"}"
        edge = {setup.edge}
        [building]
        title = "Building"
        archetype = "{archetype}"
        footprint = [4, 4]
        material = "brick"
        firing_points = {setup.points}
        capacity = {setup.own_capacity or setup.capacity}
        doors = {setup.doors}
        weapons = [{weapons}]
        [attackers]
        plan = "{plan}"
        {side("model", setup.attackers, setup.attackers_bodies)}
        [defenders]
        plan = "{"sally" if setup.sally else "hold"}"
        {side("guard", setup.defenders, setup.defenders_bodies)}
        {profile("model", setup.attackers_I, men, krak=setup.krak, bulk=setup.attackers_bulk)}
        {profile("guard", setup.defenders_I, guards)}
        {profile("model-sergeant", 4, setup.body("attackers", "sergeant"), sergeant=True, krak=setup.krak)}
        {profile("guard-sergeant", 4, setup.body("defenders", "sergeant"), sergeant=True)}
        {others("model", setup.attackers, setup.attackers_bodies, setup.attackers_I)}
        {others("guard", setup.defenders, setup.defenders_bodies, setup.defenders_I)}
        [weapons.blade]
        title = "Blade"
        kind = "melee"
        AP = 2
        two_handed = {str(setup.two_handed).lower()}
    """
    changes = {f"weapons.{NAMES.get(kind, kind)}.twin_linked": True for kind in setup.twin_linked}
    return build(parse("example.toml", text), "example", changes | ({"units.model.kind": JUMP} if setup.jump else {}))


def besieged(
    setup: Setup,
    *,
    archetype: str = "hut",
    plan: str = "storm",
    rulings: Mapping[str, str] = MappingProxyType({}),
    may_change: bool = False,
) -> Assault[Any, Any]:
    """A set-up as the engines play it; its Armour Value and room override the book's."""
    rules = rule_set("gw_updated")
    book = rules.book.with_rulings({"under_fire": "steady"} | dict(rulings))
    here = f"tables.buildings.{archetype}"
    numbers = {f"{here}.AV": setup.AV, f"{here}.mighty_bulwark": setup.bulwark, "tables.forced_exit.room": setup.room}
    if setup.jump:  # 3D6 to fall back are all that brute force knows of it
        numbers |= {"tables.movement.jump_move": 6, "tables.places.jump": 1}
    own = replace(rules, book=book.with_values(numbers))
    return own.assault(replace(scenario(setup, archetype, plan), may_change=may_change))


def case(setup: Setup, **how: Any) -> Case:
    return Case(lambda: besieged(setup, **how), partial(whole_assault, setup), partial(from_here, setup))


def from_here(setup: Setup, state: Siege, left: int) -> Expected:
    """What brute force says of a state."""
    return play_on(setup, now(setup, state), left)


def now(setup: Setup, state: Siege) -> Now:
    """How a state stands for brute force. Who of a garrison of one kind has lost Wounds is of no matter."""
    garrison = named(setup.defenders, state.defenders)
    nearest = ["'" * state.defenders_hurt + "*"] if state.defenders_hurt else []
    lost = nearest + ["'" * n for n, models in enumerate(state.wounded, 1) for _ in range(models)]
    assert not lost or len(set(garrison)) == 1
    garrison = tuple(model + hurt for model, hurt in zip_longest(garrison, lost, fillvalue=""))
    return start(setup)._replace(
        attackers=led(named(setup.attackers, state.attackers), state.attackers_others_hurt),
        defenders=led(garrison, state.defenders_others_hurt),
        distance=state.distance,
        AV=state.AV,
        hull=state.hull,
        weapons=named(setup.weapons, state.weapons),
        tremor=state.occupants_snap > 0,
        jammed=state.weapons_snap > 0,
        garrison=state.garrison,
        gap=state.gap,
        falling=state.retreat == RUNS,
    )


def led(models: tuple[str, ...], hurt: tuple[int, ...]) -> tuple[str, ...]:
    """The models of a side of one Wound each, whose sergeant may be another body, and hurt."""
    return tuple(model + "'" * sum(hurt) if model == CHARACTER else model for model in models)


STORM = Setup(
    AV=9,
    attackers=("fusion", "flamer", "pistol"),
    defenders=("machine gun", "rifle", "rifle"),
    krak=True,
    shooters=("fusion", "flamer", "pistol"),
    distance=12,
    turns=1,
)
"""Shots, a flamer at the fire points, and krak grenades or fists at walls that fists can hurt once they crumble."""

DEMOLISH = Setup(
    AV=15,
    attackers=("fusion", "fusion", "pistol"),
    defenders=("rifle", "rifle"),
    weapons=("machine gun", "autocannon"),
    bulwark=True,
    shooters=("fusion",),
    distance=16,
    halt=6,
    charges=False,
    turns=3,
)
"""Melta at a keep with Mighty Bulwark and two kinds of emplaced weapons."""


ON_THE_MOVE = Setup(
    AV=11,
    attackers=("autocannon", "fusion", "pistol"),
    defenders=("rifle", "rifle"),
    shooters=("autocannon", "fusion"),
    distance=14,
    halt=6,
    charges=False,
    turns=3,
)
"""An autocannon that has to wait until the fusion gun beside it has come near enough to stand."""


BURNING = Setup(
    AV=11,
    attackers=("flamer", "pistol"),
    defenders=("machine gun", "rifle"),
    krak=True,
    distance=14,
    turns=2,
)
"""Flamers that cannot hurt the walls burn those inside before the charge, and then all strike with krak grenades."""

STANDING_BY = replace(BURNING, AV=13, attackers=("fusion", "flamer", "pistol"), krak=False, shooters=("fusion",))
"""A flamer burns at every turn within 8 inches while the fusion gun brings the walls down from 6."""


LED = replace(STORM, krak=False, AV=8, attackers=("sergeant", "pistol"), shooters=("sergeant", "pistol"), distance=13)
"""A sergeant with a pistol and a blade, at walls that blows can hurt, seven inches of charge away."""


SMOKE = Setup(
    AV=11,
    attackers=("flamer", "flamer", "pistol"),
    defenders=("machine gun", "rifle", "rifle"),
    krak=True,
    shooters=(),
    distance=19,
    halt=8,
    charges=False,
    turns=3,
)
"""Flamers that come within 8 inches and burn; nothing else is done to the walls, though krak grenades could."""


SALLY = Setup(
    AV=15,
    attackers=("sergeant", "pistol", "pistol"),
    defenders=("flamer", "rifle", "rifle"),
    weapons=("machine gun",),
    distance=18,
    charges=False,
    closes=True,
    turns=3,
    sally=True,
)
"""Attackers who storm walls that they cannot hurt, led by a sergeant; a garrison that comes out when a charge is
likely to reach."""

STANDING = replace(
    SALLY,
    AV=10,
    closes=False,
    attackers=("machine gun", "pistol"),
    weapons=(),
    shooters=("machine gun",),
    distance=13,
    halt=36,
    turns=2,
)
"""Attackers who stand and shoot at the walls, or at those who come out, all of them."""

STRIKING = replace(
    SALLY, AV=8, attackers=("pistol", "pistol"), defenders=("flamer", "rifle"), weapons=(), shooters=("pistol",),
    charges=True, distance=8, turns=1, defenders_first=False,
)  # fmt: skip
"""Attackers who shoot and strike at walls, which may shake (Tremor), before the garrison comes out."""

DEMOLISHING = replace(STRIKING, AV=9, attackers=("rifle", "pistol"), krak=True, distance=14, turns=2)
"""Attackers who bring the walls down with shots and grenades: they go in as under storm."""


WITH_A_FLAMER = replace(STORM, attackers=("flamer", "pistol"), shooters=("flamer", "pistol"))
STORMED = {
    "storm": STORM,
    "storm, from afar": replace(WITH_A_FLAMER, distance=19, turns=2),
    "storm, one flamer": replace(STORM, distance=6, turns=2, attackers=("flamer",), shooters=("flamer",), points=2),
    "storm, garrison first": replace(
        STORM, krak=False, AV=8, attackers=("pistol", "pistol"), shooters=("pistol",), defenders_first=True
    ),
    "storm, no room for all": replace(STORM, room=1),
    "storm, a flamer and a pistol": WITH_A_FLAMER,
}
BURNT = {
    "burning, storm": (BURNING, "storm"),
    "burning, demolish, garrison first": (replace(BURNING, distance=7, defenders_first=True), "demolish"),
    "burning, demolish beside a fusion gun": (replace(STANDING_BY, halt=6, charges=False), "demolish"),
    "burning, storm beside a fusion gun": (replace(STANDING_BY, charges=False, turns=3), "storm"),
}
RULED = {
    "storm, shots hit by themselves": ({"shots_at_buildings": "automatic"}, {"automatic": True}),
    "storm, hull points": ({"glancing_hits": "hull_points"}, {"hull": 3}),
    "storm, armour at the start of a volley": ({"armour_in_a_volley": "at_its_start"}, {"volley_at_its_start": True}),
    "storm, a volley stops at the last inside": ({"volley_when_empty": "stops"}, {"volley_stops": True}),
    "storm, no templates inside": ({"templates_at_fire_points": "none"}, {"templates_inside": False}),
}
NOTHING = {"total_collapse": True, "no_effect": False}
CHARGED = {
    "charge, a two-handed blade": ({}, {"two_handed": True}),
    "charge, a second weapon does not count": ({"second_weapon_attack": "no"}, {"second_weapon": False}),
    "charge, difficult ground": ({"charge_ground": "difficult"}, {"difficult": True}),
}
GOING = {"intact": ("fusion",), "damaged": ("fusion", "pistol")}
SMOKED = {
    "smoke": SMOKE,
    "smoke, garrison first": replace(SMOKE, defenders_first=True, points=2, distance=12),
    "smoke, flamers that hurt the walls": replace(
        SMOKE, AV=9, shooters=("flamer",), turns=2, distance=10, defenders=("rifle", "rifle")
    ),
    "smoke, one flamer": replace(SMOKE, distance=7, turns=2, attackers=("flamer", "pistol")),
    "smoke, sally": replace(
        SMOKE, sally=True, defenders_first=True, turns=2, distance=14, defenders=("rifle", "rifle")
    ),
}
SALLIED = {
    "sally, storm": (SALLY, "storm"),
    "sally, storm, garrison first": (replace(SALLY, defenders_first=True, distance=15, turns=2), "storm"),
    "sally, led, at quicker attackers": (
        replace(SALLY, defenders=("sergeant", "pistol"), attackers=("pistol",) * 3, attackers_I=5), "storm",
    ),
    "sally, at slower attackers": (replace(SALLY, attackers_I=2, defenders_I=5, distance=9, turns=2), "storm"),
    "sally, attackers who strike": (STRIKING, "storm"),
    "sally, demolish": (DEMOLISHING, "demolish"),
    "sally, led, shoot": (
        replace(STANDING, defenders=("sergeant", "pistol", "rifle"), turns=1, distance=12), "shoot",
    ),
    "sally, shoot in vain": (replace(STANDING, AV=15, shooters=()), "shoot"),
    "sally, shoot, garrison first": (replace(STANDING, defenders_first=True), "shoot"),
    "sally, from a building too small": (
        replace(STRIKING, attackers=("flamer",) * 3, shooters=("flamer",), capacity=2, turns=3), "storm",
    ),
    "sally, from a building too small, that shoots": (
        replace(
            STRIKING, AV=9, attackers=("flamer", "flamer"), shooters=("flamer",), defenders=("rifle",),
            weapons=("machine gun",), capacity=1, charges=False, closes=True, distance=14, turns=3,
        ),
        "storm",
    ),
}  # fmt: skip
OUTSIDE = {
    "storm": replace(SALLY, distance=24, weapons=("pistol",)),
    "shoot": replace(
        STANDING, AV=9, attackers=("flamer", "pistol"), shooters=("flamer", "pistol"), distance=24, halt=12
    ),
}
RULED_OUTSIDE = {
    "as far as they can reach": ({"sally_when": "can_reach"}, {"dares": 12}),
    "Overwatch": ({"overwatch": "snap_shots"}, {"overwatch": True}),
    "difficult ground": ({"charge_ground": "difficult"}, {"difficult": True, "dares": 5}),
}
HANDS = {
    "both hands": ({}, {}),
    "a two-handed blade": ({}, {"two_handed": True}),
    "a second weapon that does not count": ({"second_weapon_attack": "no"}, {"second_weapon": False}),
}
HAND_TO_HAND = replace(
    SALLY, attackers=("pistol", "pistol"), defenders=("rifle", "rifle"), weapons=(), distance=12, turns=2
)
GUNS_LOST = Setup(
    AV=12,
    attackers=("blade", "blade", "fusion"),
    defenders=("machine gun", "machine gun"),
    krak=True,
    points=2,
    shooters=("fusion",),
    blows_later=True,
    distance=10,
    halt=6,
    turns=3,
)
"""The one fusion gun falls first; krak grenades can hurt the walls only once these have crumbled."""


WHO_FALLS = {
    "shoot": (
        replace(
            STANDING,
            attackers=("fusion", *("pistol",) * 4),
            AV=13,
            shooters=("fusion",),
            points=2,
            weapons=("machine gun",),
            defenders_first=True,
            sally=False,
            turns=2,
            distance=12,
            halt=12,
        ),
        "shoot",
    ),
    "sally": (SALLY, "storm"),
    "sally, led": (replace(SALLY, defenders=("sergeant", "flamer", "rifle"), distance=15, turns=2), "storm"),
}
"""Fire and blows at units with models of two or three kinds."""
CLAIMED = replace(
    WITH_A_FLAMER,
    attackers=("flamer", "flamer", "pistol"),
    defenders=("rifle",),
    weapons=("machine gun",),
    capacity=2,
    krak=False,
    AV=10,
    distance=10,
    turns=3,
)
"""Flamers that empty a building whose machine gun goes on firing: too many to get in while all of them stand."""
CLAIMS: dict[str, tuple[Setup, dict[str, str]]] = {
    "too many to get in": (CLAIMED, {}),
    "as many as find room": (replace(CLAIMED, part_gets_in=True), {"claiming_unit": "part"}),
    "bulky, as many as find room": (
        replace(CLAIMED, part_gets_in=True, attackers_bulk=3, turns=2), {"claiming_unit": "part"},
    ),
    "bulky": (replace(CLAIMED, attackers_bulk=2), {}),
    "bulky, a volley stops at the last inside": (
        replace(CLAIMED, attackers_bulk=2, volley_stops=True), {"volley_when_empty": "stops"},
    ),
    "room by size": (replace(CLAIMED, capacity=10, own_capacity=2), {"room_inside": "by_size"}),
    "no door": (replace(CLAIMED, doors=0), {}),
    "too many, and they hurt the walls": (
        replace(CLAIMED, AV=9, attackers=("flamer", "flamer"), capacity=1, distance=8, turns=2, charges=False), {},
    ),
    "too many, and they strike": (replace(CLAIMED, AV=11, shooters=(), krak=True, turns=2), {}),
    "no door, hull points": (
        replace(CLAIMED, AV=9, shooters=("flamer",), attackers=("flamer", "flamer"), doors=0, hull=3, distance=8, turns=2),
        {"glancing_hits": "hull_points"},
    ),
    "from afar, garrison first": (replace(CLAIMED, distance=19, defenders_first=True, capacity=20), {}),
}  # fmt: skip


OGRES = Setup(
    AV=11,
    attackers=("fusion", "autocannon"),
    defenders=("rifle",) * 3,
    defenders_T=5,
    defenders_W=3,
    shooters=("fusion", "autocannon"),
    charges=False,
    turns=1,
)
"""Masonry on models with three Wounds: it is drawn who suffers each."""
SEVERAL = {
    "two turns, a machine gun": replace(
        OGRES, attackers=("fusion", "fusion"), defenders=("machine gun", "rifle"), shooters=("fusion",), turns=2
    ),
    "two Wounds, templates": replace(
        OGRES,
        AV=9,
        attackers=("flamer", "fusion"),
        defenders=("machine gun", "rifle"),
        defenders_T=4,
        defenders_W=2,
        shooters=("flamer", "fusion"),
        distance=8,
        turns=2,
    ),
    "masonry of twice the Toughness": replace(
        OGRES,
        AV=9,
        attackers=("flamer", "fusion"),
        shooters=("flamer", "fusion"),
        defenders_T=3,
        defenders_W=2,
        distance=8,
        turns=2,
    ),
}
OGRES_OUT = replace(
    SALLY,
    attackers=("flamer", "pistol", "pistol"),
    defenders=("flamer", "rifle", "rifle"),
    defenders_T=4,
    defenders_W=2,
    weapons=(),
    distance=14,
    turns=2,
)
"""Models with two Wounds who are burnt inside and come out with what they have suffered, to shoot and fight."""
SHAKEN_OUT = replace(
    OGRES,
    AV=9,
    attackers=("fusion",),
    shooters=("fusion",),
    distance=14,
    halt=6,
    sally=True,
)
"""Models with three Wounds who come out from under masonry; at most one wound a turn is suffered outside."""
SEVERAL_OUTSIDE: dict[str, tuple[Setup, dict[str, str]]] = {
    "burnt before": (OGRES_OUT, {}),
    "under Overwatch": (
        replace(OGRES_OUT, attackers=("machine gun", "flamer", "pistol"), overwatch=True, turns=1),
        {"overwatch": "snap_shots"},
    ),
    "led, at quicker attackers": (replace(OGRES_OUT, attackers_I=5, defenders=("sergeant", "rifle")), {}),
    **{
        f"who falls: {who}": (
            replace(OGRES_OUT, attackers=("flamer", "flamer"), defenders=("sergeant", "rifle", "rifle"), who=who),
            {"who_falls": who},
        )
        for who in ("owner", "spread", "drawn")
    },
}


CAPTAIN = (("sergeant", Body(T=4, W=3, Sv=3, inv=4)),)
CHAMPION = (("sergeant", Body(T=4, W=2, Sv=4)),)
UNDER_FIRE = replace(
    STORM,
    attackers=("sergeant", "pistol", "pistol"),
    defenders=("autocannon", "rifle"),
    weapons=("machine gun",),
    attackers_bodies=CAPTAIN,
    shooters=("sergeant", "pistol"),
    krak=False,
    points=2,
    charges=False,
    defenders_first=True,
    turns=2,
)
"""A captain of three Wounds among men who shoot at the walls, fired at by three kinds of weapons."""
IN_RUBBLE = replace(
    OGRES,
    AV=9,
    attackers=("flamer", "fusion", "fusion"),
    defenders=("sergeant", "rifle", "rifle"),
    defenders_T=3,
    defenders_W=1,
    defenders_bodies=CHAMPION,
    shooters=("flamer", "fusion"),
    distance=8,
)
"""A champion of two Wounds among men under flames and masonry."""
BOTH_LED = replace(
    SALLY,
    attackers=("sergeant", "pistol", "pistol"),
    defenders=("sergeant", "pistol", "pistol"),
    attackers_bodies=CHAMPION,
    defenders_bodies=(("sergeant", Body(T=5, W=2, Sv=2, inv=5)),),
    distance=14,
    turns=2,
)
"""Captains of both sides in the open."""
MIXED: dict[str, tuple[Setup, str, dict[str, str]]] = {
    "under fire": (UNDER_FIRE, "storm", {}),
    "under fire, nobody looks out": (replace(UNDER_FIRE, look_out=False), "storm", {"look_out": "no"}),
    "under fire, by the owner": (replace(UNDER_FIRE, who="owner"), "storm", {"who_falls": "owner"}),
    "masonry": (IN_RUBBLE, "storm", {}),
    "both led": (BOTH_LED, "storm", {}),
    "both led, Overwatch": (
        replace(BOTH_LED, overwatch=True, dares=12, distance=22, weapons=()),
        "storm", {"overwatch": "snap_shots", "sally_when": "can_reach"},
    ),
    "both led, shot at": (
        replace(
            BOTH_LED, attackers=("sergeant", "rifle", "rifle"), defenders=("sergeant", "pistol", "rifle"), closes=False,
            weapons=(), distance=13, halt=13,
        ),
        "shoot", {},
    ),
}  # fmt: skip


def cases() -> Iterator[tuple[str, Case]]:
    """Yield every case with its name."""
    yield from ((name, case(setup)) for name, setup in STORMED.items())
    yield from ((name, case(setup, plan=plan)) for name, (setup, plan) in BURNT.items())
    for name, (rulings, changes) in RULED.items():
        yield name, case(replace(WITH_A_FLAMER, **changes), rulings=rulings)
    for option, collapses in NOTHING.items():
        setup = replace(STORM, AV=2, attackers=("pistol",), shooters=("pistol",), collapse_at_nothing=collapses)
        yield f"storm, armour of nothing: {option}", case(setup, rulings={"armour_of_nothing": option})
    yield "charge", case(LED)
    for name, (rulings, changes) in CHARGED.items():
        yield name, case(replace(LED, **changes), rulings=rulings)
    for option, who in GOING.items():
        armed = ("fusion", "pistol", "pistol")
        setup = replace(STORM, AV=10, krak=False, attackers=armed, shooters=who, charges=False)
        yield f"storm, at the walls: {option}", case(setup, rulings={"attackers_of_walls": option})
    yield "demolish", case(DEMOLISH, archetype="keep", plan="demolish")
    for name, weapons in {"two kinds": ("machine gun", "autocannon"), "two of a kind": ("machine gun",) * 2}.items():
        manned = replace(
            DEMOLISH, AV=12, weapons=weapons, bulwark=False, manned=True, defenders=("rifle",) * 3, turns=2
        )
        yield f"demolish, manned weapons, {name}", case(manned, plan="demolish", rulings={"emplaced_weapons": "manned"})
    yield "demolish, a heavy weapon on the move", case(ON_THE_MOVE, plan="demolish")
    guns = {"plan": "demolish", "rulings": {"attackers_of_walls": "damaged"}}
    yield "demolish, the guns lost", case(GUNS_LOST, **guns)
    yield (
        "shoot",
        case(replace(DEMOLISH, AV=13, bulwark=False, halt=12, defenders_first=True), archetype="bastion", plan="shoot"),
    )

    yield "several Wounds, three ogres", case(replace(OGRES, distance=6, halt=6), plan="demolish")
    yield from ((f"several Wounds, {name}", case(setup)) for name, setup in SEVERAL.items())
    for name, (setup, rulings) in SEVERAL_OUTSIDE.items():
        yield f"several Wounds outside, {name}", case(setup, rulings=rulings)
    for name, changes in {"shaken": {}, "shaken, garrison first": {"defenders_first": True, "turns": 2}}.items():
        yield f"several Wounds outside, {name}", case(replace(SHAKEN_OUT, **changes), plan="demolish")
    for name, (setup, plan, rulings) in MIXED.items():
        yield f"mixed, {name}", case(setup, plan=plan, rulings=rulings)
    for name, (setup, rulings) in CLAIMS.items():
        yield f"claim, {name}", case(setup, rulings=rulings)
    yield "claim, from eight inches", case(replace(CLAIMED, shooters=(), halt=8, charges=False, turns=4), plan="smoke")
    yield from ((name, case(setup, plan="smoke")) for name, setup in SMOKED.items())
    yield from ((name, case(setup, plan=plan)) for name, (setup, plan) in SALLIED.items())
    for plan, base in OUTSIDE.items():
        yield f"outside, {plan}", case(base, plan=plan)
        for name, (rulings, changes) in RULED_OUTSIDE.items():
            yield f"outside, {plan}, {name}", case(replace(base, **changes), plan=plan, rulings=rulings)
    for who, (name, (setup, plan)) in product(("owner", "spread", "drawn"), WHO_FALLS.items()):
        yield f"{name}, who falls: {who}", case(replace(setup, who=who), plan=plan, rulings={"who_falls": who})
    for side, (hands, (rulings, changes)) in product(("attackers", "defenders"), HANDS.items()):
        led = replace(HAND_TO_HAND, **{side: ("sergeant", "pistol")}, **changes)
        yield f"hand to hand, {side} led, {hands}", case(led, rulings=rulings)
    for name, given in SETUPS.items():
        yield f"nerve: {name}", case(given.setup, archetype=given.archetype, plan=given.plan, rulings=rulings_of(name))


CASES = dict(cases())
