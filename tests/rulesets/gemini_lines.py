"""Set-ups in which attackers flee to lines that are a move apart, for the brute force of the Gemini rules.

All of them come to something else if attackers flee in inches. As in `gemini_cases`, markers are fired at chargers
(`shells`); a set-up of floors has room for as many in a section as its `room`, and the reading of who spreads as it
says.
"""

from dataclasses import replace

from tests.rulesets.gemini_oracle import (
    Body,
    Floors,
    House,
    LedFloors,
    LedSiege,
    MixedFloors,
    MixedSiege,
    Siege,
    Troops,
)

Setup = tuple[str, Siege, tuple[int, int, int, int]]
ONE, TWO = House(openings=1), House(openings=2)
TO_LINES = {"routers": "rally", "flight": "lines"}

COWARDS = Troops(WS=4, I=4, Ld=5, sword=True)
"""They rout, and may rally."""
STEADY = Troops(BS=4, WS=4, Ld=9)
FIRED_AT = Siege(COWARDS, STEADY, TWO, first="defenders", **TO_LINES)
AT_RANGE = Siege(replace(COWARDS, Ld=4), STEADY, TWO, plan="shoot", first="defenders", **TO_LINES)
THROWN_OUT = Siege(COWARDS, replace(STEADY, A=2), ONE, **TO_LINES)
SALLIED_AT = Siege(COWARDS, replace(STEADY, I=4, sword=True), TWO, plan="shoot", defence="sally", **TO_LINES)
DWELLERS = Troops(BS=4, WS=4, A=2, Ld=9, Sv=4, T=4, I=4)
UP = Floors(replace(COWARDS, S=4), DWELLERS, TWO, room=2, deployment="top", evens_out="stays", **TO_LINES)
LED = LedSiege(COWARDS, replace(STEADY, A=2), TWO, leader_A=2, who="drawn", **TO_LINES)
MIXED = MixedSiege(COWARDS, replace(STEADY, A=2), TWO, leader_A=2, leader=Body(T=4, W=2, Sv=4), **TO_LINES)
MORTARS = Troops(weapon="blast", range=48, weapon_S=4, I=5, Ld=8, WS=2)
PINNERS = replace(STEADY, weapon="assault", range=30, pinning=True)

BY_FIRE: list[Setup] = [
    ("shot at, they rout and come back", FIRED_AT, (3, 2, 12, 3)),
    ("shot at from farther, by four", FIRED_AT, (4, 2, 15, 2)),
    ("shot at after a walk that is no whole move", replace(FIRED_AT, first="attackers"), (3, 2, 17, 2)),
    ("those who shoot rout", AT_RANGE, (3, 2, 18, 4)),
    ("those who shoot rout, attackers first", replace(AT_RANGE, first="attackers"), (4, 2, 15, 3)),
    ("markers on those who come", replace(FIRED_AT, theirs=MORTARS), (4, 1, 13, 2)),
    ("pinning shots at routers", replace(FIRED_AT, ours=replace(COWARDS, Ld=6), theirs=PINNERS), (3, 2, 10, 3)),
    ("suppressed, and then they rout", replace(FIRED_AT, suppression="test"), (3, 2, 13, 2)),
    ("whom the garrison has aimed at", replace(AT_RANGE, corrective=True), (3, 2, 18, 3)),
]
"""By losses to shooting."""
OUT_OF_BUILDINGS: list[Setup] = [
    ("out of a window", THROWN_OUT, (2, 2, 4, 4)),
    ("out of a window, garrison first", replace(THROWN_OUT, first="defenders"), (2, 2, 7, 3)),
    ("out of a window, whose first line is an inch away", THROWN_OUT, (3, 2, 5, 3)),
    ("out of a locked door", replace(
        THROWN_OUT, house=House(kind="door"), ours=replace(COWARDS, weapon="pistol", range=12)
    ), (2, 2, 3, 4)),
    ("out of a bunker shot open", Siege(
        Troops(weapon="heavy", range=36, weapon_S=9, AP=2, I=4, Ld=5), replace(STEADY, BS=3),
        House(kind="bunker", T=14, points=1, fire_out=2), plan="demolish", **TO_LINES,
    ), (2, 2, 12, 2)),
]  # fmt: skip
"""By fights inside."""
AT_THE_EDGE: list[Setup] = [
    *((f"out of a window, edge {edge}", replace(THROWN_OUT, edge=edge), (3, 2, 6, 3)) for edge in (0, 3, 12)),
    *((f"shot at, edge {edge}", replace(FIRED_AT, edge=edge), (3, 2, 14, 2)) for edge in (0, 3, 12)),
    ("those who shoot, edge 3", replace(AT_RANGE, edge=3), (3, 2, 18, 4)),
    ("a sally, edge 0", replace(SALLIED_AT, edge=0), (2, 2, 10, 3)),
    ("a sally, edge 3", replace(SALLIED_AT, edge=3), (2, 2, 10, 2)),
    ("they rally at the end of a turn, edge 3", replace(THROWN_OUT, edge=3, rally_when="end_of_turn"), (2, 2, 6, 4)),
]
"""Where the table ends 0, 3 and 12 inches behind where they begin: on a line, or on none."""
THROUGH_COVER: list[Setup] = [
    ("through soft cover", replace(THROWN_OUT, bands=((5, 8, "soft"),)), (2, 2, 6, 3)),
    ("short of soft cover, which the next line is in", replace(THROWN_OUT, bands=((9, 13, "soft"),)), (3, 2, 6, 3)),
    ("out of soft cover", replace(AT_RANGE, bands=((14, 20, "soft"),)), (3, 2, 15, 3)),
    ("through hard cover, and smoke", replace(THROWN_OUT, bands=((5, 8, "hard"), (2, 4, "smoke"))), (3, 2, 6, 3)),
    ("soft cover, a sally", replace(SALLIED_AT, bands=((2, 14, "soft"),)), (2, 2, 10, 2)),
    (
        "soft cover beyond a low wall",
        replace(FIRED_AT, bands=((13, 19, "soft"),), walls=((9, -6, 9, 6),)), (3, 2, 14, 2),
    ),
]  # fmt: skip
"""With cover on the way."""
SALLIES: list[Setup] = [
    ("a sally", SALLIED_AT, (2, 2, 10, 2)),
    ("a sally, garrison first", replace(SALLIED_AT, first="defenders"), (2, 2, 11, 2)),
    ("a sally against those who storm", replace(SALLIED_AT, plan="storm", first="defenders"), (2, 2, 9, 2)),
]
"""In the open."""
MOVES: list[Setup] = [
    *((f"shot at, a move of {move}", replace(FIRED_AT, move=move), (3, 2, 16, 2)) for move in (4, 5, 6)),
    *((f"out of a window, a move of {move}", replace(THROWN_OUT, move=move), (2, 2, 7, 3)) for move in (4, 5, 6)),
    *((f"a sally, a move of {move}", replace(SALLIED_AT, move=move), (2, 2, 13, 2)) for move in (4, 5, 6)),
    ("soft cover, a move of 6, edge 3", replace(AT_RANGE, move=6, edge=3, bands=((14, 20, "soft"),)), (3, 2, 17, 3)),
    ("they come from nearer than a move of 6", replace(THROWN_OUT, move=6), (3, 2, 3, 3)),
    ("those who shoot, a move of 8", replace(AT_RANGE, move=8), (3, 2, 17, 3)),
]
"""Lines 4, 6 and 8 inches apart."""
RALLIES: list[Setup] = [
    ("they rally at the end of a turn", replace(FIRED_AT, rally_when="end_of_turn"), (3, 2, 13, 2)),
    (
        "they rally at the end of a turn, in soft cover",
        replace(THROWN_OUT, rally_when="end_of_turn", bands=((7, 9, "soft"),)), (2, 2, 6, 4),
    ),
    ("they flee in their own turns alone", replace(FIRED_AT, routers_move="own_turn"), (3, 2, 13, 2)),
    (
        "they flee in their own turns alone, out of soft cover",
        replace(AT_RANGE, routers_move="own_turn", bands=((14, 20, "soft"),), corrective=True), (3, 2, 15, 4),
    ),
    (
        "they flee in their own turns alone, and rally at the end of them",
        replace(SALLIED_AT, routers_move="own_turn", rally_when="end_of_turn", first="defenders"), (2, 2, 9, 2),
    ),
]  # fmt: skip
"""When they flee and rally."""
FLOORS: list[Setup] = [
    ("two floors, whose garrison throws them out", UP, (3, 2, 3, 2)),
    ("two floors, whose garrison shoots", replace(UP, deployment="spread", first="defenders"), (3, 2, 10, 2)),
    ("two floors, a charge back", replace(UP, ours=COWARDS, defence="sally", first="defenders"), (2, 2, 3, 2)),
    ("three floors, edge 3, a move of 6", replace(UP, sections=3, edge=3, move=6), (3, 2, 5, 3)),
    ("two floors, a sally", replace(UP, plan="shoot", defence="sally", deployment="spread"), (2, 2, 10, 2)),
]
"""Several sections."""
WITH_LEADERS: list[Setup] = [
    ("a leader who storms", LED, (2, 2, 6, 3)),
    ("a leader who is shot at, with a bearer", replace(LED, bearers=1, first="defenders"), (3, 1, 13, 2)),
    ("a leader, edge 0", replace(LED, edge=0, first="defenders"), (2, 2, 7, 3)),
    ("a leader who is another", MIXED, (2, 1, 4, 2)),
    ("a leader who is another, soft cover", replace(MIXED, bands=((5, 12, "soft"),), move=6), (2, 1, 5, 2)),
    (
        "a leader on two floors",
        LedFloors(
            UP.ours, replace(DWELLERS, A=3), TWO, link="ladder", room=2, deployment="top", leader_A=2, who="drawn",
            **TO_LINES,
        ),
        (3, 2, 3, 2),
    ),
    (
        "a leader who is another on two floors",
        MixedFloors(UP.ours, DWELLERS, TWO, room=2, leader_A=2, leader=Body(T=4, W=2, Sv=4), **TO_LINES), (2, 2, 3, 2),
    ),
]  # fmt: skip
"""Leaders and bearers."""
SETUPS: list[Setup] = [
    *BY_FIRE, *OUT_OF_BUILDINGS, *AT_THE_EDGE, *THROUGH_COVER, *SALLIES, *MOVES, *RALLIES, *FLOORS, *WITH_LEADERS
]  # fmt: skip
