"""Small set-ups in which nerve counts: under fire, falling back, regrouping; and what brute force says of them.

A set-up is plain data; what it does not name is as in `PLAIN`. Decided here, where texts and conventions are silent:

- All walk six inches. No set-up with jump infantry has them walk: they stand at the door, or at their range, and the
  assault is over before those who have regrouped could make a whole move. Two of them go in by each door (ST-025). They
  run 3D6, but 2D6 from a storming unless a ruling says 3D6.
- Who regroups counts as having moved even if he stays where he is. He comes three inches nearer only as far as his plan
  takes him: with "shoot" up to his range and no nearer (to the walls only if a shot can open them), else to the walls.
- Those who fall back shoot from where they end up. Whether they shoot at the walls goes by what they would do in an
  ordinary turn: "shoot" always does, "demolish" if a shot or a blow can open the walls, others never. At a garrison in
  ruins all shoot.
- Who storms in vain falls back from 0 inches. After a second round (in the garrison's turn) too.
- Attackers charged while they fall back, who win or draw, are locked; they stay "falling back", do not regroup while
  locked, fail a later check without a roll, and have broken at the turn limit.
- Who is caught by a sweeping advance (always rolled in the open, inside only by the ruling) is lost, as today.
- A garrison that charges out of ruins fights where the attackers stand, as one that comes out of a building; only
  attackers who charge into ruins are at 0 inches.
- A garrison does not shoot before it charges, nor attackers before they charge into ruins: as the brute force has it.
- The test of a garrison in ruins comes after the attackers' shots of a turn in which they regroup or fall back as well.
- Half of the models is of those the squad began the assault with; who has left over the table edge is not lost.
- A machine gun of an attacker who has moved does not fire. AP "-" has 1 less on the damage table. With rifles and
  machine guns they "shoot", or "demolish" what no blow opens.
- Firing points are manned before mounted machine guns (ST-017 leaves it to each); a damage of 3 takes one off.
- A leader has the place of one model, is kept longest, and goes in first; the owner chooses who falls of those alike.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.rulesets.storming_oracle import Fighter, Game, Mixed, Troops, assault_of_mixed, whole_assault

Profile = dict[str, int]

RAIDER: Profile = {"WS": 4, "BS": 3, "S": 4, "T": 3, "I": 4, "A": 1, "Ld": 7, "Sv": 5}
WARDER: Profile = {"WS": 3, "BS": 4, "S": 3, "T": 4, "I": 3, "A": 1, "Ld": 8, "Sv": 4}
TIMID: Profile = {**RAIDER, "WS": 3, "S": 3, "A": 1, "Ld": 5}
STERN: Profile = {**WARDER, "WS": 4, "S": 4, "A": 2, "Ld": 9}
SHAKY: Profile = {**WARDER, "Sv": 6, "T": 3, "Ld": 5}
CAPTAIN: Profile = {**RAIDER, "A": 2, "Ld": 9}
SERGEANT: Profile = {**SHAKY, "A": 2, "Ld": 9}

PLAIN: dict[str, Any] = {
    "ours": RAIDER,
    "theirs": WARDER,
    "our_leader": None,  # a profile: in the place of one of the models, with the same weapons
    "their_leader": None,
    "our_specials": {},  # "flamer": how many of the models have one instead of a pistol
    "their_specials": {},  # "gunner": how many of the models have a machine gun instead of a rifle
    "attackers": 4,  # models, the leader and specials among them
    "defenders": 3,
    "distance": 12,
    "edge": 12,
    "turns": 2,
    "first": "attackers",
    "plan": "storm",
    "defence": "hold",
    "arms": ("pistol",),  # weapon, and perhaps a second one for close combat
    "garrison_arms": ("rifle",),
    "grenades": False,
    "send": 60,
    "doors": 1,
    "firing_points": 2,
    "mounted": (),  # "machine-gun", as often as there are any
    "building_class": "defensible",  # or "stronghold", "ruins"
    "armour": None,  # known, or rolled for
    "jump": False,  # the attackers are jump infantry
    "rulings": {},
}
"""Rulings: `under_fire` ("test"), `reaching_the_edge` ("reached"; "passed"), `sweeping_advance` and `second_round`
("no"; "yes"), `wound_allocation` ("one_each"; "fireteam_first"), `dice_after_storming` (2; 3 for jump infantry)."""

RULED: dict[str, Any] = {
    "under_fire": "test",
    "reaching_the_edge": "reached",
    "sweeping_advance": "no",
    "second_round": "no",
    "wound_allocation": "one_each",
    "dice_after_storming": 2,
}
ENDS = ("destroyed", "captured", "broken", "held")
PASSED = {"reaching_the_edge": "passed"}
SHOT_AT = {"distance": 20, "firing_points": 3, "first": "defenders"}
REPELLED = {"theirs": STERN, "distance": 0, "firing_points": 1, "attackers": 4}
IN_RUINS = {"building_class": "ruins", "firing_points": 0}
GUNNERS = {"arms": ("machine-gun",), "plan": "shoot", "armour": 9, "distance": 20}


def setup(**changes: Any) -> dict[str, Any]:
    assert changes.keys() <= PLAIN.keys(), changes.keys() - PLAIN.keys()
    return {**PLAIN, **changes, "rulings": {**RULED, **changes.get("rulings", {})}}


SETUPS: dict[str, dict[str, Any]] = {
    # Shot at while they come: the edge.
    "edge 0": setup(**SHOT_AT, edge=0),
    "edge 0, passed": setup(**SHOT_AT, edge=0, rulings=PASSED),
    "edge 3": setup(**SHOT_AT, edge=3),
    "edge 3, passed": setup(**SHOT_AT, edge=3, rulings=PASSED),
    "edge 12": setup(**SHOT_AT, edge=12, turns=3),
    "edge 12, passed": setup(**SHOT_AT, edge=12, turns=3, rulings=PASSED),
    "edge 72": setup(**SHOT_AT, edge=72, turns=3),
    "steady under the same fire": setup(**SHOT_AT, edge=3, rulings={"under_fire": "steady"}),
    "a quarter exactly": setup(ours=TIMID, attackers=4, firing_points=1, distance=24, first="defenders", edge=6),
    "less than a quarter": setup(ours=TIMID, attackers=5, firing_points=1, distance=24, first="defenders", edge=6),
    "attackers first": setup(distance=20, firing_points=3, turns=3, edge=6),
    # Who is too few, or too near, to regroup.
    "below half": setup(ours={**TIMID, "Sv": 6}, attackers=2, distance=11, firing_points=3, turns=3, first="defenders"),
    "half exactly": setup(ours={**TIMID, "Ld": 8}, attackers=2, distance=24, turns=3, first="defenders"),
    "enemies within 6 inches": setup(
        ours=TIMID, distance=3, plan="shoot", firing_points=3, turns=2, first="defenders", edge=30
    ),
    "six inches exactly": setup(ours=TIMID, **{**REPELLED, "attackers": 3}, turns=2, edge=5, rulings=PASSED),
    "fall back at the edge after all": setup(ours={**TIMID, "Ld": 2}, **SHOT_AT, edge=20, turns=3),
    # A storming failed, and come back from.
    "repelled": setup(ours={**RAIDER, "Ld": 8}, **REPELLED, turns=3, edge=24),
    "repelled, defenders first": setup(ours={**RAIDER, "Ld": 8}, **REPELLED, turns=3, first="defenders", edge=24),
    "repelled, grenades and two doors": setup(
        theirs=STERN, attackers=5, distance=6, doors=2, send=2, grenades=True, firing_points=1, turns=3, edge=24
    ),
    "repelled, fireteam first": setup(
        ours={**RAIDER, "Ld": 8}, **REPELLED, turns=3, send=2, edge=24, rulings={"wound_allocation": "fireteam_first"}
    ),
    "repelled, swept away": setup(
        ours={**RAIDER, "Ld": 8}, **REPELLED, turns=3, edge=24, rulings={"sweeping_advance": "yes"}
    ),
    "repelled in a second round": setup(
        ours={**RAIDER, "Ld": 8}, **REPELLED, turns=3, edge=24, rulings={"second_round": "yes"}
    ),
    "repelled, come back over a long way": setup(
        ours={**RAIDER, "Ld": 10}, theirs=STERN, attackers=3, defenders=2, distance=0, turns=4, firing_points=1, edge=40
    ),
    "under smoke": setup(ours={**RAIDER, "Ld": 8}, **REPELLED, plan="smoke", grenades=True, turns=3, edge=24),
    "a stronghold": setup(
        ours={**RAIDER, "Ld": 8}, **REPELLED, grenades=True, send=2, building_class="stronghold", turns=2, edge=24
    ),
    # The garrison comes out, goes back in, and comes out again.
    "sally": setup(defence="sally", distance=14, first="defenders", turns=2, theirs=STERN, edge=12),
    "sally, attackers first": setup(defence="sally", distance=18, turns=3, theirs=STERN, edge=12),
    "sally, and again": setup(
        ours={**RAIDER, "Ld": 6}, defence="sally", distance=6, first="defenders", turns=3, theirs=STERN, edge=40
    ),
    "sally at those who run": setup(
        ours=TIMID, defence="sally", distance=20, firing_points=3, first="defenders", turns=3, theirs=STERN, edge=40
    ),
    "sally, locked at the limit": setup(
        ours={**TIMID, "T": 4, "Sv": 3}, theirs={**WARDER, "Ld": 10}, defence="sally", distance=16, firing_points=3,
        mounted=("machine-gun",), first="defenders", turns=2, edge=40,
    ),
    "sally, the edge passed": setup(
        defence="sally", distance=6, first="defenders", turns=2, theirs=STERN, edge=1, rulings=PASSED
    ),
    "sally after the walls have shaken": setup(
        plan="demolish", armour=9, ours=RAIDER, attackers=3, defenders=2, defence="sally", distance=18, turns=3, edge=24
    ),
    # Ruins.
    "ruins, shot at": setup(**IN_RUINS, theirs=SHAKY, plan="shoot", distance=12, attackers=4, turns=2),
    "ruins, shot at, defenders first": setup(
        **IN_RUINS, theirs=SHAKY, plan="shoot", distance=12, attackers=4, turns=2, first="defenders", edge=3
    ),
    "ruins, shot at with rifles": setup(
        **IN_RUINS, theirs=SHAKY, defenders=2, plan="shoot", arms=("rifle",), distance=20, attackers=4, turns=3, edge=24
    ),
    "ruins, shot at with machine guns": setup(
        **IN_RUINS, theirs=SHAKY, plan="shoot", arms=("machine-gun",), distance=24, attackers=2, turns=3, edge=24
    ),
    "ruins, charged": setup(**IN_RUINS, theirs=STERN, distance=18, attackers=4, turns=3, edge=24),
    "ruins, charged with grenades and swords": setup(
        **IN_RUINS, theirs=STERN, distance=12, attackers=4, turns=3, edge=24, grenades=True, arms=("pistol", "sword")
    ),
    "ruins, sally": setup(**IN_RUINS, theirs=STERN, distance=12, defence="sally", turns=3, edge=24, first="defenders"),
    "ruins, a sergeant": setup(
        **IN_RUINS, theirs=SHAKY, their_leader=SERGEANT, plan="shoot", distance=12, attackers=4, turns=2, edge=12
    ),
    # Walls shot at and struck.
    "demolish": setup(plan="demolish", armour=9, distance=18, turns=3, edge=12, first="defenders"),
    "demolish, walls rolled for": setup(plan="demolish", distance=8, turns=2, edge=12, ours={**RAIDER, "S": 5}),
    "shoot with pistols": setup(plan="shoot", armour=9, distance=12, turns=3, edge=24, first="defenders"),
    "shoot with pistols, from afar": setup(plan="shoot", armour=9, distance=20, turns=3, edge=24, first="defenders"),
    "shoot with rifles": setup(
        plan="shoot", arms=("rifle",), armour=9, distance=20, turns=3, edge=24, first="defenders", firing_points=2
    ),
    "shoot with rifles, from near": setup(
        plan="shoot", arms=("rifle",), armour=9, distance=7, turns=2, edge=24, first="defenders", firing_points=3
    ),
    "shoot with machine guns": setup(**GUNNERS, attackers=3, turns=3, edge=24, first="defenders"),
    "shoot with machine guns, attackers first": setup(**GUNNERS, attackers=2, turns=2, edge=24),
    "demolish with machine guns": setup(
        ours={**RAIDER, "S": 3}, plan="demolish", arms=("machine-gun",), armour=10, distance=20, attackers=3, turns=3,
        edge=24, first="defenders",
    ),
    "mounted machine guns": setup(distance=30, mounted=("machine-gun",), firing_points=1, turns=3, edge=12),
    "mounted machine guns shot at": setup(
        plan="shoot", armour=9, distance=12, mounted=("machine-gun",), firing_points=1, turns=2, edge=24,
        first="defenders",
    ),
    # Jump infantry.
    "jump infantry under fire": setup(
        jump=True, plan="shoot", distance=12, turns=2, edge=12, armour=9, firing_points=3
    ),
    "jump infantry repelled": setup(jump=True, **REPELLED, turns=2, edge=9),
    "jump infantry repelled, 3D6": setup(jump=True, **REPELLED, turns=2, edge=9, rulings={"dice_after_storming": 3}),
    "jump infantry charged": setup(
        jump=True, plan="shoot", theirs=STERN, defence="sally", distance=12, armour=9, turns=2, edge=12
    ),
    # Leaders and kinds.
    "a captain under fire": setup(ours=TIMID, our_leader=CAPTAIN, **SHOT_AT, edge=12, turns=3),
    "a captain repelled": setup(ours=TIMID, our_leader={**CAPTAIN, "WS": 3}, **REPELLED, turns=3, edge=24),
    "a captain charged": setup(
        our_leader=CAPTAIN, defence="sally", theirs=STERN, distance=14, first="defenders", turns=2, edge=12
    ),
    "a captain demolishes": setup(our_leader=CAPTAIN, plan="demolish", armour=9, distance=12, turns=2, edge=12),
    "a captain with jump packs": setup(
        ours=TIMID, our_leader={**TIMID, "A": 2, "Ld": 8}, jump=True, **REPELLED, turns=2, edge=12
    ),
    "flamers and a gunner": setup(
        our_leader=CAPTAIN, our_specials={"flamer": 1}, their_specials={"gunner": 1}, distance=6, firing_points=1,
        send=2, turns=3, edge=12,
    ),
    "flamers and a gunner, defenders first": setup(
        our_leader=CAPTAIN, our_specials={"flamer": 1}, their_specials={"gunner": 1}, distance=18, firing_points=2,
        turns=3, edge=6, first="defenders",
    ),
    "a gunner in ruins": setup(
        **IN_RUINS, theirs=SHAKY, their_leader=SERGEANT, their_specials={"gunner": 1}, plan="shoot", distance=12,
        turns=2, edge=12, first="defenders",
    ),
}  # fmt: skip


def expected(name: str) -> dict[str, Fraction]:
    """The chance of each end and the mean losses, as brute force has them."""
    data = SETUPS[name]
    found = assault_of_mixed(of_kinds(data)) if mixed(data) else whole_assault(alike(data))
    return {what: Fraction(found[what]) for what in (*ENDS, "attackers lost", "defenders lost")}


def mixed(data: Mapping[str, Any]) -> bool:
    """Whether models of a side are told apart."""
    return any(data[key] for key in ("our_leader", "their_leader", "our_specials", "their_specials"))


def told(data: Mapping[str, Any]) -> dict[str, Any]:
    """What either brute force is told in the same words."""
    same = ("distance", "turns", "plan", "defence", "first", "grenades", "armour", "doors", "send", "edge", "jump")
    rulings = data["rulings"]
    return {name: data[name] for name in same} | {
        "points": data["firing_points"],
        "ruins": data["building_class"] == "ruins",
        "fireteam_first": rulings["wound_allocation"] == "fireteam_first",
        "sweeping": rulings["sweeping_advance"] == "yes",
        "second_round": rulings["second_round"] == "yes",
        "under_fire": rulings["under_fire"],
        "reaching_the_edge": rulings["reaching_the_edge"],
        "jump_from_storming": rulings["dice_after_storming"],
    }


def alike(data: Mapping[str, Any]) -> Game:
    return Game(
        Troops(**data["ours"], arms=data["arms"]),
        Troops(**data["theirs"], arms=data["garrison_arms"]),
        data["attackers"],
        data["defenders"],
        mounted=len(data["mounted"]),
        stronghold=data["building_class"] == "stronghold",
        **told(data),
    )


def of_kinds(data: Mapping[str, Any]) -> Mixed:
    """Sides of names, those that are kept longest first: the leader, who has a special weapon, the others."""
    assert not data["mounted"]
    assert data["building_class"] != "stronghold"
    assert data["arms"][0] == "pistol"

    def side(whose: str, led: str, specials: str, arms: str, many: str) -> tuple[dict[str, Fighter], tuple[str, ...]]:
        man = Fighter(**data[whose], arms=data[arms])
        names = ("leader",) * bool(data[led]) + tuple(n for n, k in data[specials].items() for _ in range(k))
        names += ("trooper",) * (data[many] - len(names))
        men = dict.fromkeys(names, man)
        if data[led]:
            men["leader"] = Fighter(**data[led], arms=data[arms])
        return men, names

    us, attackers = side("ours", "our_leader", "our_specials", "arms", "attackers")
    them, defenders = side("theirs", "their_leader", "their_specials", "garrison_arms", "defenders")
    return Mixed(us, them, attackers, defenders, **told(data))
