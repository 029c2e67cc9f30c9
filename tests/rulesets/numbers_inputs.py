"""Small assaults, inputs of questions, and what goes with what, to see whether each number of a book matters."""

from dataclasses import fields
from itertools import cycle
from typing import Any, get_args

from sims.games.arap import Arap
from sims.games.arap.reactions import Condition
from sims.games.arap.rolls.characteristics import Kind
from sims.games.arap.tables import Reaction
from sims.profiles import Material
from sims.rulesets.gemini import tables as gemini

ASSAULTS: tuple[str, ...] = (
    """
    title = "Led by a captain whom some blows slay"
    distance = 6
    turns = 2
    [building]
    title = "House"
    archetype = "house"
    footprint = [4, 4]
    material = "brick"
    doors = 2
    firing_points = 2
    capacity = 6
    [attackers]
    unit = "footman"
    models = 3
    weapon = "pistol"
    leader = { unit = "siege-captain", weapon = "pistol", melee = "sword" }
    [defenders]
    unit = "footman"
    models = 3
    weapon = "pistol"
    leader = { unit = "keep-champion", weapon = "pistol", melee = "siege-fist" }
    """,
    """
    title = "Leapers at a hut"
    distance = 14
    turns = 3
    [building]
    title = "Hut with a gun"
    archetype = "hut"
    footprint = [4, 4]
    material = "wood"
    doors = 2
    firing_points = 2
    capacity = 6
    weapons = ["machine-gun"]
    [attackers]
    unit = "vanguard-leaper"
    models = 4
    weapon = "pistol"
    [defenders]
    unit = "militia"
    models = 2
    weapon = "rifle"
    """,
    """
    title = "Fusion at the keep"
    distance = 6
    turns = 2
    building = "keep"
    attackers = { unit = "vanguard", models = 3, weapon = "fusion-gun" }
    defenders = { unit = "footman", models = 3, weapon = "longbow" }
    """,
    """
    title = "Runners at a hut"
    distance = 12
    turns = 3
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", gemini.windows = 1, capacity = 6 }
    attackers = { unit = "runner", models = 5, weapon = "pistol", leader = { unit = "trooper-sergeant", weapon = "rifle" } }
    defenders = { unit = "militia", models = 5, weapon = "rifle" }
    units.runner = { title = "Runner", WS = 3, BS = 3, S = 3, T = 3, I = 4, A = 1, Ld = 6, Sv = 6, move = 8 }
    """,
    """
    title = "Hounds out of a hut"
    distance = 6
    turns = 3
    first = "defenders"
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", gemini.windows = 1, capacity = 6 }
    attackers = { unit = "recruit", models = 3, weapon = "pistol" }
    defenders = { unit = "hound", models = 2, weapon = "pistol", plan = "sally" }
    units.recruit = { title = "Recruit", WS = 3, BS = 3, S = 3, T = 3, I = 4, A = 1, Ld = 5, Sv = 6, move = 4 }
    units.hound = { title = "Hound", WS = 4, BS = 3, S = 4, T = 4, I = 4, A = 2, Ld = 7, Sv = 5, move = 6, gemini.hates = true }
    """,
    """
    title = "Hammers at a door"
    distance = 6
    turns = 3
    attackers = { unit = "man-at-arms", models = 4, weapon = "crossbow", melee = "war-hammer" }
    defenders = { unit = "footman", models = 2, weapon = "longbow" }
    building = { title = "Shed", archetype = "hut", footprint = [4, 4], material = "wood", capacity = 6 }
    """,
    """
    title = "Marksmen in a hut"
    distance = 10
    turns = 3
    attackers = { unit = "trooper", models = 5, weapon = "rifle" }
    defenders = { unit = "veteran", models = 4, weapon = "marksman-rifle" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", gemini.windows = 1, capacity = 6 }
    """,
    """
    title = "Carbines at a window"
    distance = 10
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "pistol" }
    defenders = { unit = "veteran", models = 4, weapon = "carbine" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", gemini.windows = 1, capacity = 6 }
    """,
    """
    title = "Juggernauts in a hut"
    distance = 6
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "juggernaut", models = 7, weapon = "rifle" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", gemini.windows = 8, capacity = 20 }
    """,
    """
    title = "Up a ladder"
    distance = 6
    turns = 3
    attackers = { unit = "trooper", models = 6, weapon = "pistol" }
    [defenders]
    unit = "militia"
    models = 5
    weapon = "rifle"
    deployment = "spread"
    leader = { unit = "veteran", weapon = "rifle" }
    [building]
    title = "Tower"
    archetype = "hut"
    footprint = [4, 4]
    material = "wood"
    capacity = 12
    levels = 3
    gemini = { windows = 2, links = "ladder" }
    """,
    """
    title = "A large bunker"
    distance = 6
    turns = 3
    attackers = { unit = "vanguard", models = 5, weapon = "fusion-gun" }
    defenders = { unit = "footman", models = 2, weapon = "longbow" }
    [building]
    title = "Bunker"
    archetype = "bunker"
    footprint = [8, 8]
    material = "armour"
    military = true
    capacity = 25
    """,
    """
    title = "One slit"
    distance = 6
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "footman", models = 4, weapon = "longbow" }
    building = { title = "Shed", archetype = "hut", footprint = [4, 4], material = "brick", capacity = 6, firing_inches = 1 }
    """,
    """
    title = "A tower"
    distance = 6
    turns = 3
    attackers = { unit = "vanguard", models = 5, weapon = "fusion-gun" }
    defenders = { unit = "footman", models = 13, weapon = "sword" }
    [building]
    title = "Tower"
    archetype = "hut"
    footprint = [4, 4]
    realm_of_chaos.levels = 2
    material = "wattle"
    capacity = 20
    """,
    """
    title = "A stone house"
    distance = 6
    turns = 2
    building = "stone-house"
    attackers = { unit = "vanguard", models = 3, weapon = "rocket-launcher" }
    defenders = { unit = "footman", models = 3, weapon = "longbow" }
    """,
    """
    title = "Flamers at a hut"
    distance = 4
    turns = 2
    attackers = { unit = "arsonist", models = 3, weapon = "heavy-flamer" }
    defenders = { unit = "militia", models = 2, weapon = "rifle" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wattle", capacity = 6 }
    units.arsonist = { title = "Arsonist", WS = 3, BS = 1, S = 3, T = 3, I = 3, A = 1, Ld = 7, Sv = 6 }
    """,
    """
    title = "A sally from afar"
    distance = 15
    turns = 2
    attackers = { unit = "footman", models = 2, weapon = "longbow" }
    defenders = { unit = "man-at-arms", models = 2, weapon = "sword", plan = "sally" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", capacity = 6 }
    """,
    """
    title = "Giants come out"
    distance = 6
    turns = 3
    attackers = { unit = "footman", models = 3, weapon = "longbow" }
    defenders = { unit = "giant", models = 1, weapon = "sword", plan = "sally" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", capacity = 6 }
    units.giant = { title = "Giant", WS = 3, BS = 3, S = 4, T = 4, W = 2, I = 3, A = 2, Ld = 9, Sv = 5, gemini.size = 4, move = 6 }
    """,
    """
    title = "Ogres in a hut"
    distance = 4
    turns = 1
    building = "hut"
    attackers = { unit = "trooper", models = 2, weapon = "fusion-gun" }
    defenders = { unit = "ogre", models = 2, weapon = "pistol" }
    """,
    """
    title = "Brutes in a hut"
    distance = 4
    turns = 4
    building = "hut"
    attackers = { unit = "trooper", models = 8, weapon = "fusion-gun", specials = [{ weapon = "flamer", count = 3 }] }
    defenders = { unit = "brute", models = 3, weapon = "rifle" }
    units.brute = { title = "Brute", WS = 3, BS = 2, S = 4, T = 4, W = 3, I = 2, A = 2, Ld = 7, Sv = 6 }
    """,
    """
    title = "A gun that somebody mans"
    distance = 12
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "veteran", models = 2, weapon = "carbine" }
    building = { title = "Shed", archetype = "hut", footprint = [4, 4], material = "wood", capacity = 6, weapons = ["machine-gun"] }
    """,
    """
    title = "Mortars at a window"
    distance = 9
    turns = 2
    building = "ruined-farm"
    attackers = { unit = "trooper", models = 7, weapon = "pistol" }
    defenders = { unit = "trooper", models = 3, weapon = "mortar", specials = [{ weapon = "great-mortar" }] }
    [weapons.great-mortar]
    title = "Great mortar"
    kind = "blast"
    range = 48
    S = 5
    blast = 5
    """,
    """
    title = "Flames and mortars at what is in cover"
    distance = 12
    turns = 2
    building = "ruined-farm"
    bands = [{ near = 3, far = 7, ground = "soft" }, { near = 8, far = 10, ground = "smoke" }]
    walls = [{ start = [5, -1], end = [5, 1] }]
    attackers = { unit = "trooper", models = 7, weapon = "rifle" }
    defenders = { unit = "trooper", models = 3, weapon = "mortar", specials = [{ weapon = "flamer" }, { weapon = "beam-rifle" }] }
    """,
    """
    title = "Two turns of fire"
    distance = 12
    turns = 3
    building = "house"
    attackers = { unit = "trooper", models = 3, weapon = "rifle", plan = "shoot" }
    defenders = { unit = "trooper", models = 3, weapon = "rifle" }
    """,
    """
    title = "A full house"
    distance = 4
    turns = 2
    building = "house"
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "militia", models = 8, weapon = "rifle", deployment = "doors" }
    """,
)
"""Assaults that reach what the questions do not; each is played under every plan of the attackers."""
WALLS = """
title = "A {1} of {0} with {3} {2} doors"
distance = 6
turns = 4
attackers = {{ unit = "vanguard", models = 5, weapon = "fusion-gun", plan = "{4}" }}
defenders = {{ unit = "footman", models = 4, weapon = "longbow" }}
building = {{ title = "Built", archetype = "{1}", footprint = [4, 4], material = "{0}", capacity = 6, door = "{2}", doors = {3} }}
"""
BUILT = [
    *((material, "hut", door, 1) for material, door in zip(get_args(Material), cycle(("single", "double", "barn")))),
    *((material, "hut", "single", 0) for material in get_args(Material)),
    *(("brick", archetype, "single", 1) for archetype in ("house", "stone house", "bunker", "bastion", "keep")),
    *(("brick", archetype, "single", 1, "storm") for archetype in ("bunker", "bastion")),
    ("stone", "keep", "single", 0),
]
"""Every material and archetype, with some kind of door and without one."""
SHIPPED: dict[str, dict[str, Any]] = {
    "farmhouse": {"attackers.models": 5, "attackers.specials": [{"weapon": "flamer"}, {"weapon": "fusion-gun"}]},
    "bunker-rush": {
        "attackers.models": 5,
        "attackers.specials": [{"weapon": "fusion-gun"}, {"weapon": "rocket-launcher"}],
    },
    "bastion": {"attackers.models": 5, "attackers.specials": [{"weapon": "fusion-gun"}, {"weapon": "beam-cannon"}]},
    "keep-gate": {"attackers.models": 4, "attackers.specials": [{"weapon": "bombard"}], "defenders.specials": []},
    "granary": {"attackers.models": 4},
}
"""The scenarios that come with Casemate, cut down: played under every plan of either side, where nothing else has shown a number to matter."""
EVERYWHERE = {"distance": 8, "turns": 3, "defenders.models": 4}
COVER = {
    "5th": (
        "ruins",
        "wire",
        "hedges",
        "fences",
        "crops",
        "units",
        "walls",
        "woods",
        "wreckage",
        "craters",
        "buildings",
    ),
    "6th": ("default", "area terrain", "battlements", "trenches", "gun emplacement", "fortification"),
}
FIGHT = {"defenders": "2", "WS": "3", "S": "3", "T": "3"}
GRENADES = {"supporters": "2", "grenades": "yes"}
INPUTS: dict[str, list[dict[str, str]]] = {
    "armour save in the fantasy game": [{"mounted": "yes"}, {"mounted": "yes", "barded": "yes"}],
    "places of a tall creature": [{"feet": "15", "ceiling": "15"}, {"feet": "25"}],
    "shot over a building": [
        {"level": "3", "levels": "4", "between": "2", "inches": "20", "range": "24"},
        {"level": "3", "between": "2", "inches": "10", "range": "24"},
        {"level": "4", "between": "2", "inches": "20", "range": "24"},
    ],
    "models through a door in a turn": [{"M": "2", "bulk": "3"}],
    "models through damage in a turn": [{"damage": "3", "actions": "2"}],
    "shot into the next section": [{"BS": "4", "barricaded": "yes"}, {"BS": "4", "sections": "2"}],
    "failed cover save": [{"edition": e, "cover": kind} for e, kinds in COVER.items() for kind in kinds],
    "models that may occupy": [{"building_class": "ruins", "agreed": "10"}],
    "viable access points": [{"distances": "1, 2, 3", "models": "1"}],
    "fall back after a storming": [{"side": "defenders", "kind": "jump infantry"}],
    "shuttered ports": [{"fired": "earlier"}],
    "armour save": [{"save": "7"}],
    "disembark": [{"edition": "5th"}, {"edition": "6th", "enemy": "5"}],
    "shots for action points": [
        {"kind": "ordnance", "points": "2", "ordnance": "three"},
        {"kind": "ordnance", "points": "2"},
        {"kind": "ordnance", "points": "3"},
    ],
    "shot in some circumstances": [
        {"BS": "5", name: "yes"}
        for name in (
            "small",
            "prone",
            "tactical",
            "carried",
            "wounded",
            "into_combat",
            "both_hands",
            "shotgun",
            "corrected",
        )
    ]
    + [
        {"BS": "5", "thrown": "improvised"},
        {"BS": "5", "moved": "24"},
        {"BS": "2", "aimed": "yes", "corrected": "yes"},
        {"BS": "3", "cover": "hard", "fleeting": "now"},
        {"BS": "4", "cover": "hard", "fleeting": "last turn"},
    ],
    "near miss hits the cover": [{"N": "7"}],
    "grenade over an object": [{"heights": "4"}],
    "figures hit by a template": [{"G": "7", "cover": "hard"}],
    "capacity of a building": [{"building": building} for building in ("hut", "house", "keep")],
    "fire of emplaced weapons": [{"shots": "3", "S": "5", "T": "4", "machine_spirit": "yes"}],
    "embark": [{"models": "5", "capacity": "10", "farthest": "2"}],
    "wound, or damage to a building": [{"S": "7", "T": "11"}],
    "ranks beyond the first": [{"models": "23"}],
    "shot": [{"BS": "4", "size": "small"}, *({"BS": "4", w: "yes"} for w in ("fast", "charging", "improvised"))],
    "what a class allows": [{"building_class": c, "what": "attack the structure"} for c in ("impassable", "ruins")],
    "armour rolls": [{"occupied": "0", "attacked_before": "yes"}],
    "squads that attack the structure": [{"charging": "2"}, {"charging": "2", "stormed_before": "1"}],
    "attack or storm": [{"declared": "storm", "viable": "0"}],
    "distance at another scale": [{"distance": "3", "scale": scale} for scale in ("1 in", "2 cm", "1 cm")],
    "T-stick": [{"part": part} for part in ("arm", "span", "height")],
    "size of a figure": [{"figure": figure} for figure in Arap.load().tables.sizes.figures],
    "basic move": [{"creature": creature} for creature in Arap.load().tables.basic_moves.creatures],
    "melee radius": [{"figure": figure} for figure in ("small_creature", "titan")],
    "Leadership test": [{"target": "1", "test": kind, "double_one": "morale_checks"} for kind in get_args(Kind)]
    + [{"target": "-2", "test": "breaking_off"}],
    "crazed animal's move": [{"move": "5"}],
    "blow in hand-to-hand combat": [{"WS": str(w), "target_WS": str(t)} for w in range(1, 11) for t in range(1, 11)]
    + [{"WS": "2", "target_WS": "2", "unarmed": "yes"}],
    "template through an opening": [{"BS": "6", "S": "4", "T": "3", "save": "7"}],
    "template at a firing port": [{"BS": "6", "S": "4", "T": "3", "save": "7", "distance": "12", "occupants": "3"}],
    "blast in a section": [{"occupants": "2", "S": "4", "T": "3", "save": "7"}],
    "grenades at an opening": [{"BS": "7"}, {"BS": "0"}],
    "grenades at a firing port": [{"BS": "6", "occupants": "2", "S": "4", "T": "3", "save": "7"}],
    "hits at a firing port": [{"shots": "1", "BS": "7"}, {"shots": "1", "BS": "4", "S": "4", "T": "3", "save": "7"}],
    "charge by a garrison": [{"M": "4", "distance": "9"}],
    "Fireteam casualties": [{"D": "4", "F": "2", "WS": "3", "S": "3", "target_WS": "3", "T": "3"}],
    "whole storming": [{**FIGHT, "result": "defenders win", "fireteam": "3", "Ld": "7", **GRENADES}],
    "losses in a storming": [{**FIGHT, "side": "defenders", "fireteam": "3", **GRENADES}],
    "taken within so many stormings": [
        {**FIGHT, "squad": "4", "stormings": "2", "Ld": "5", "A": "3"},
        {**FIGHT, "squad": "7", "stormings": "1", "Ld": "5", "grenades": "yes"},
    ],
    "hits on the structure": [{"n": "3", "S": "8", "building_class": "stronghold"}],
    "supporters": [{"models": "4", "big": "3", "very_big": "2", "first": "big"}],
    "grenades and flamers together": [
        {"throwers": "2", "flamers": "1", "T": "3", "Sv": "5", "building_class": "stronghold"}
    ],
    "bunker standing after hits": [{"hits": "3", "S": "8", "AV": "12", "hull": "1", "AP": "1"}],
    "structure standing after hits": [{"hits": "2", "S": "8", "AP": "1"}],
    "section standing after hits": [{"hits": "8", "S": "7", "material": "wood"}],
    "building standing after hits": [{"hits": "2", "S": "8", "AV": "10", "AP": "2", "mighty_bulwark": "yes"}],
    "shots at a bunker": [{"shots": "3", "S": "8", "AV": "12", "hull": "1", "BS": "4", "AP": "1", "weapons": "1"}],
    "wounds by grenades from outside": [
        {"BS": "6", "grenades": "2", "occupants": "2", "S": "4", "T": "3", "save": "7", "way": way}
        for way in ("opening", "port")
    ],
    "Armour Value after penetrating hits": [{"AV": "2", "AP": "2", "hits": "2", "mighty_bulwark": "yes"}],
    "may react": [
        {"reaction": reaction, "charged": charged, **condition}
        for reaction in get_args(Reaction)
        for charged in ("yes", "no")
        for condition in ({}, *({each.name: "yes"} for each in fields(Condition) if each.name != "charged"))
    ],
    "can be suppressed": [{"character": "yes"}, {"swarm": "yes"}],
    "hits of a template or marker on models": [
        {"area": "template"},
        {"area": "small marker"},
        {"area": "large marker"},
    ],
}
"""Inputs of questions that reach what the checks of the catalogue do not."""
MATERIALS, WALL_KINDS, DOOR_KINDS = map(get_args, (gemini.Material, gemini.WallKind, gemini.DoorKind))
UNDER: dict[str, dict[str, dict[str, Any]]] = {
    "storming": {
        "game.rulings.reaching_the_edge.choice": {"game.rulings.under_fire.choice": "test"},
        "game.tables.regrouping.*": {"game.rulings.under_fire.choice": "test"},
        "tables.ruins.charging_I": {"tables.agreed.building_class": "ruins"},
        "tables.classes.ruins.storm": {"tables.classes.ruins.armour": 8},
        "tables.room.attackers": {"rulings.attackers_room.choice": "given"},
        "tables.room.defenders": {"rulings.defenders_room.choice": "given"},
        "rulings.attackers_room.choice": {"tables.room.attackers": 1},
        "rulings.defenders_room.choice": {"tables.room.defenders": 1},
        "rulings.fireteam_after.choice": {
            "tables.room.attackers": 1,
            "rulings.attackers_room.choice": "given",
            "rulings.after_taking.choice": "consolidate",
        },
    },
    "gemini": {
        "game.tables.casualties.half*": {"game.rulings.half_losses.choice": "yes"},
        "game.tables.suppression.least": {"game.rulings.suppressed_by.choice": "two_at_least"},
        "game.rulings.suppressed_turn.choice": {"game.rulings.suppression.choice": "test"},
        "game.rulings.rally_when.choice": {"game.rulings.routers.choice": "rally"},
        "game.rulings.flight.choice": {"game.rulings.routers.choice": "rally"},
        "game.rulings.routers_move.choice": {"game.rulings.routers.choice": "rally"},
        "game.rulings.pursuit.choice": {"game.rulings.routers.choice": "rally"},
        "game.rulings.pursuit_order.choice": {
            "game.rulings.routers.choice": "rally",
            "game.rulings.pursuit.choice": "reluctant",
        },
        "game.rulings.free_hacks.choice": {
            "game.rulings.routers.choice": "rally",
            "game.rulings.pursuit.choice": "eager",
        },
        "game.tables.combat.grenade_share": {"game.rulings.grenades_needed.choice": "quarter"},
        "tables.storming.flinch": {"rulings.losing_attackers.choice": "flinch"},
        "tables.walls.falls_within": {"rulings.falling_wall.choice": "near"},
        "tables.between.further": {"rulings.between_sections.choice": "barricaded"},
        "tables.onwards.fast_charger": {"rulings.open_sections.choice": "basic_move"},
        "rulings.falling_wall.choice": {"tables.walls.falls_within": 24},
        "rulings.helpers_at_doors.choice": {"tables.forcing.typical": 10},
        "tables.armour*": {"rulings.armour_values.choice": "any_building"},
        "tables.walls.of.keep.*": {"tables.wall_points.castle": 2},
        **{f"tables.doors.kinds.{kind}.*": {"tables.gates.of.hut": kind} for kind in DOOR_KINDS},
        **{f"tables.materials.{row}": {"tables.walls.of.wood.T": row} for row in MATERIALS},
        **{f"tables.wall_points.{row}": {"tables.walls.of.wood.points": row} for row in WALL_KINDS},
    },
    "realm_of_chaos": {
        "tables.fire.flames_S": {"rulings.models_in_a_fire.choice": "hit"},
        "rulings.accidents.choice": {"rulings.who_carries_fire.choice": "flaming_weapons"},
        "game.rulings.ranks_counted.choice": {"game.tables.ranks.frontage": 1, "game.tables.ranks.least": 1},
    },
    "gw_updated": {
        "game.rulings.reaching_the_edge.choice": {"game.rulings.under_fire.choice": "test"},
        "game.rulings.embarked_units.choice": {"game.rulings.under_fire.choice": "test"},
        "game.tables.regrouping.*": {"game.rulings.under_fire.choice": "test"},
        "game.tables.overwatch.*": {"rulings.overwatch.choice": "snap_shots"},
        "game.tables.buildings.*.size": {"rulings.glancing_hits.choice": "hull_points"},
        "game.tables.hull_points.*": {"rulings.glancing_hits.choice": "hull_points"},
        "tables.damage.breach.results.0": {"tables.buildings.keep.AV": 9},
        "tables.damage.total_collapse.[Aow]*": {"tables.damage.total_collapse.destroyed": False},
        "tables.damage.detonation.[Aow]*": {"tables.damage.detonation.destroyed": False},
    },
}
"""What matters only where something else is changed too: by rule set and key, what goes with it."""
SHOWN_BY: dict[str, dict[str, str]] = {
    "storming": {
        "game.tables.movement.move": "Runners at a hut: smoke",
        "tables.ruins.*": "Hammers at a door: storm",
        "tables.room.*": "Fusion at the keep: storm",
        "rulings.jump_*": "Leapers at a hut: smoke",
        "tables.party.kinds.*": "Leapers at a hut: smoke",
        "rulings.*_room.*": "Fusion at the keep: storm",
        "rulings.fireteam_after.*": "Fusion at the keep: storm",
    },
    "gw_updated": {
        "rulings.sally_when.*": "A sally from afar",
        "game.tables.hull_points.large": "Fusion at the keep: smoke",
        "game.tables.hull_points.medium": "A stone house: shoot",
        "game.tables.buildings.house.size": "The farmhouse: demolish, hold",
        "game.tables.buildings.stone_house.size": "A stone house: shoot",
        "game.tables.buildings.keep.size": "Fusion at the keep: smoke",
        "game.rulings.templates_at_fire_points.*": "The farmhouse: storm, hold",
        "game.tables.movement.move": "Hammers at a door: storm",
        "game.tables.instant_death.times": "Ogres in a hut: storm",
        "game.tables.buildings.bastion.AV": "Siege of the bastion: smoke, hold",
        "game.tables.buildings.house.AV": "A full house: smoke",
        "game.rulings.overwatch.*": "A sally from afar: storm",
        "game.tables.overwatch.template_hits": "The farmhouse: storm, sally",
        "game.rulings.who_falls.*": "The farmhouse: storm, sally",
        "game.rulings.charge_bonus_attack.*": "Hammers at a door: storm",
        "game.rulings.emplaced_weapons.*": "A gun that somebody mans: shoot",
        "game.tables.shooting.melta_part": "A tower: shoot",
        "tables.damage.*.weapons_snap": "bastion: smoke, hold",
    },
    "realm_of_chaos": {
        "tables.stability.unstable.*": "A tower: smoke",
        "tables.stability.unsafe.*": "Fusion at the keep: demolish",
        "rulings.targets_inside.*": "One slit: smoke",
        "rulings.models_in_a_fire.*": "Flamers at a hut: smoke",
        "rulings.garrison_in_a_fire.*": "The farmhouse: smoke, hold",
        "tables.fire.*": "Flamers at a hut",
        "rulings.lasting_results.*": "bastion: demolish, hold",
        "rulings.charging_out.*": "keep: smoke, sally",
        "rulings.who_carries_fire.*": "Flamers at a hut",
        "rulings.flame_templates.*": "Flamers at a hut",
        "rulings.arson.*": "Flamers at a hut",
        "rulings.arson_order.*": "The farmhouse: smoke, hold",
        "rulings.accidents.*": "Flamers at a hut",
        "rulings.hacking.*": "Marksmen in a hut: demolish",
        "rulings.doors_after_collapse.*": "A tower: shoot",
        "rulings.charge_result.*": "Carbines at a window: storm",
    },
    "gemini": {
        "tables.armoured.of.bunker": "A large bunker: demolish",
        "tables.armoured.bunkers.1": "Fusion at the keep: smoke",
        "rulings.helpers_at_doors.*": "A tower: smoke",
        "rulings.falling_wall.*": "A full house: demolish",
        "rulings.evens_out.*": "Up a ladder: storm",
        "rulings.specials_stand.*": "Up a ladder: storm",
        "tables.ladders.models": "Up a ladder: storm",
        "tables.armoured.of.bastion": "bastion of brick with 1 single doors: demolish",
        **{f"tables.armoured.of.{m}": f"hut of {m} with 1" for m in get_args(Material)},
        "tables.gates.of.stone house": "stone house of brick",
        "tables.gates.of.house": "A house of brick",
        "tables.gates.of.bunker": "bunker of brick with 1 single doors: storm",
        "tables.gates.of.bastion": "bastion of brick with 1 single doors: storm",
        "game.tables.movement.free_beyond": "Carbines at a window: smoke",
        "tables.storming.abreast": "Fusion at the keep: demolish",
        "tables.armour_penetration.AP1": "Fusion at the keep: demolish",
        "tables.armour_penetration.AP2": "The gate of the keep: demolish, hold",
        **{f"tables.walls.of.{m}.*": f"hut of {m} with 0" for m in get_args(Material)},
        "tables.walls.of.keep.*": "keep of stone with 0",
        "game.tables.activation.least": "Fusion at the keep: shoot",
        "rulings.template_in_section.*": "Flamers at a hut: smoke",
        "rulings.melta_penetration.*": "A large bunker: demolish",
        "rulings.hull_points.*": "A large bunker: demolish",
        "tables.plans.attackers_dice": "Fusion at the keep: shoot",
        "tables.armour.palace": "Fusion at the keep: demolish",
        "game.rulings.saves.*": "Juggernauts in a hut: shoot",
        "rulings.section_room.*": "Juggernauts in a hut: smoke",
        "game.rulings.stand_and_fire.*": "Carbines at a window: demolish",
        "tables.armour_penetration.*": "Hammers at a door: demolish",
        "tables.gates.width.barn": "hut of concrete with 1",
        "tables.gates.of.keep": "Fusion at the keep: demolish",
        "game.rulings.resumed_charge.*": "keep: smoke, sally",
        "game.rulings.template_shots.*": "The farmhouse: shoot, hold",
        "rulings.blows_at_walls.*": "Hammers at a door: demolish",
        "game.rulings.flinch_radius.*": "Giants come out: storm",
        "game.tables.combat.against_cover": "Hammers at a door: storm",
        "tables.plans.counted_on": "Carbines at a window: storm",
        "game.tables.combat.grenade_share": "Runners at a hut: demolish",
        "tables.walls.length": "of stone with",
    },
}
"""Which assault to try first, where most do not show that a number matters: by rule set and key."""
