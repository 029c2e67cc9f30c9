"""Set-ups in which who is hit is suppressed (ARAP-137 to 141), for the brute force of the Gemini rules.

As in `gemini_cases`, markers are fired at chargers (`shells`). Grenades at people in the open are `thrown` where a set-up
says so; a set-up of floors has room for as many in a section as its `room`, and the reading of who spreads as it says.
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
ONE, TWO, FOUR = House(openings=1), House(openings=2), House(openings=4)
THRESHOLDS = ("a_quarter", "more_than_a_quarter", "two_at_least")
TESTED = {"suppression": "test"}
LATER = {"suppression": "test", "suppressed_turn": "next_turn"}

PLATED = Troops(WS=4, T=4, Ld=6, Sv=3, I=4)
"""They are hit more often than they fall."""
RIFLES = Troops(BS=4, I=4, Ld=8)
STORM = Siege(PLATED, RIFLES, TWO, **TESTED)
FIRE = Siege(replace(RIFLES, Ld=9), PLATED, FOUR, plan="shoot", first="defenders", **TESTED)
SALLY = Siege(
    replace(RIFLES, Ld=7, Sv=4), replace(PLATED, I=5), FOUR, plan="shoot", defence="sally", first="defenders", **TESTED
)
MORTARS = Troops(weapon="blast", range=48, weapon_S=3, I=5, Ld=8, WS=2)
STREAMS = Troops(BS=4, weapon="template", range=8, weapon_S=3, I=5, Ld=8)
PINNERS = replace(RIFLES, weapon="assault", range=30, pinning=True)
PORTS = House(kind="bunker", T=14, points=3, fire_out=3)
AT_PORTS = Siege(
    Troops(BS=5, weapon="assault", range=18, shots=2, I=5, Ld=9), replace(PLATED, BS=2), PORTS, plan="shoot",
    first="defenders", **TESTED,
)  # fmt: skip
RUNNERS = replace(PLATED, Ld=5, Sv=4, T=3)
STORMERS = Troops(WS=4, BS=4, S=4, T=4, Sv=3, I=4, Ld=6, sword=True)
DWELLERS = Troops(BS=4, Ld=6, Sv=4, T=4, I=4)
UP = Floors(STORMERS, DWELLERS, TWO, **TESTED)
LED = LedSiege(PLATED, RIFLES, TWO, leader_A=2, who="drawn", **TESTED)
MIXED = MixedSiege(PLATED, RIFLES, TWO, leader_A=2, leader=Body(T=4, W=2, Sv=3), **TESTED)

TIMID = replace(PLATED, Ld=3)
SLOW_STORM = replace(STORM, ours=TIMID)
CHARGED_MEANWHILE = Siege(
    replace(PLATED, Ld=9, I=5, S=1, WS=2), replace(PLATED, WS=4, S=2, BS=5, weapon_S=4), TWO, first="defenders", **LATER
)

BY_SIZE: list[Setup] = [
    *(
        (f"{size} who storm, {threshold}", replace(STORM, threshold=threshold, first="defenders"), (size, 2, 13, 1))
        for threshold in THRESHOLDS
        for size in (4, 5, 8)
    ),
    *(
        (f"{size} inside, {threshold}", replace(FIRE, threshold=threshold), (2, size, 12, 2))
        for threshold in THRESHOLDS
        for size in (4, 5, 8)
    ),
]
"""Each side by its size and the threshold."""
LATER_TURNS: list[Setup] = [
    ("storm, the next turn", replace(SLOW_STORM, **LATER), (3, 1, 20, 3)),
    ("storm, the next turn, garrison first", replace(SLOW_STORM, first="defenders", **LATER), (3, 2, 22, 2)),
    ("those inside, the next turn", replace(FIRE, theirs=TIMID, **LATER), (3, 4, 12, 3)),
    ("those inside, the next turn, attackers first", replace(FIRE, theirs=TIMID, first="attackers", **LATER), (3, 5, 12, 3)),
    ("a sally, the next turn", replace(SALLY, theirs=replace(TIMID, I=4), **LATER), (2, 2, 20, 3)),
    ("the next turn, unless they are charged", CHARGED_MEANWHILE, (2, 2, 13, 3)),
    (
        "the next turn, unless they are pinned",
        replace(FIRE, ours=replace(PINNERS, weapon_S=4), theirs=replace(TIMID, T=3, Sv=4), **LATER), (2, 5, 14, 3),
    ),
    ("the next turn, who is charged still tests", replace(CHARGED_MEANWHILE, excused=False), (2, 2, 13, 3)),
    ("the next turn, unless they charge", replace(SLOW_STORM, theirs=replace(PLATED, Ld=9, S=2), first="defenders", **LATER), (2, 2, 13, 3)),
    ("who is suppressed already fails again", replace(FIRE, theirs=TIMID, **LATER), (3, 4, 12, 4)),
]  # fmt: skip
"""Who fails pays a turn later."""
WEAPONS: list[Setup] = [
    ("5-inch markers on those who come", replace(STORM, theirs=replace(MORTARS, blast=5)), (8, 1, 18, 2)),
    (
        "5-inch markers, more than a quarter",
        replace(STORM, theirs=replace(MORTARS, blast=5, weapon_S=1), threshold="more_than_a_quarter"), (8, 1, 15, 3),
    ),
    ("3-inch markers on those who come", replace(STORM, theirs=MORTARS), (8, 2, 18, 2)),
    (
        "3-inch markers, the next turn",
        replace(STORM, theirs=replace(MORTARS, weapon_S=2), first="defenders", **LATER), (4, 1, 15, 3),
    ),
    ("3-inch markers through soft cover", replace(STORM, theirs=MORTARS, bands=((8, 20, "soft"),)), (6, 1, 15, 2)),
    (
        "5-inch markers on a sally",
        replace(SALLY, ours=replace(MORTARS, blast=5, weapon_S=2), theirs=replace(PLATED, BS=2)), (2, 4, 13, 3),
    ),
    ("3-inch markers on a sally", replace(SALLY, ours=replace(MORTARS, weapon_S=2)), (3, 4, 13, 3)),
    ("flames at those who come", replace(STORM, theirs=STREAMS, first="defenders"), (5, 2, 8, 2)),
    ("flames into a house", replace(FIRE, ours=STREAMS, plan="smoke", house=TWO), (1, 5, 8, 2)),
    (
        "flames into a furnished house",
        replace(FIRE, ours=STREAMS, plan="smoke", house=House(openings=2, inside="hard_cover"), threshold="two_at_least"),
        (1, 5, 7, 3),
    ),
    ("flames at a sally", replace(SALLY, ours=STREAMS, theirs=replace(PLATED, I=5), plan="smoke"), (2, 4, 11, 3)),
    ("grenades into a house", replace(FIRE, grenades=True, plan="smoke", house=ONE), (3, 5, 6, 2)),
    (
        "grenades into a courtyard, the next turn",
        replace(FIRE, grenades=True, plan="smoke", house=House(openings=1, inside="open"), **LATER), (3, 5, 6, 3),
    ),
    (
        "grenades thrown at those who come",
        replace(STORM, theirs=replace(RIFLES, range=6, weapon_S=2), garrison_grenades=True, thrown=True, first="defenders"),
        (5, 3, 6, 2),
    ),
    (
        "grenades thrown at a sally",
        replace(SALLY, ours=replace(RIFLES, range=6), grenades=True, thrown=True), (3, 5, 9, 2),
    ),
    ("several shootings in a turn", replace(STORM, theirs=replace(RIFLES, I=5), threshold="two_at_least"), (8, 2, 20, 2)),
    ("several shootings at those inside", replace(FIRE, ours=replace(RIFLES, I=5, BS=2, shots=2)), (2, 8, 12, 2)),
    ("machine guns that kill nobody", replace(STORM, theirs=replace(RIFLES, weapon="heavy", shots=2, weapon_S=1, range=36)), (4, 3, 24, 3)),
    ("shots at the ports of a bunker", AT_PORTS, (3, 4, 14, 3)),
    ("two hits at the ports of a bunker", replace(AT_PORTS, threshold="two_at_least"), (3, 4, 14, 2)),
    (
        "grenades at the ports of a bunker",
        replace(AT_PORTS, ours=replace(AT_PORTS.ours, weapon="pistol", range=12), grenades=True, plan="smoke"),
        (3, 4, 8, 2),
    ),
    ("flames at the ports of a bunker", replace(AT_PORTS, ours=STREAMS, plan="smoke"), (2, 5, 7, 2)),
    (
        "a bunker shot open",
        replace(STORM, ours=replace(PLATED, weapon="heavy", range=36, weapon_S=9, AP=2), house=PORTS, plan="demolish"),
        (3, 2, 14, 2),
    ),
    (
        "a door hewn down",
        replace(
            STORM, ours=replace(PLATED, S=6, A=2, weapon="pistol", range=1, weapon_S=1),
            house=House(kind="door", openings=0, T=6, points=5, hewn=True), plan="demolish",
        ),
        (4, 3, 15, 2),
    ),
    ("a door forced", replace(STORM, house=House(kind="door")), (4, 2, 6, 3)),
    (
        "a wall shot down",
        replace(
            STORM, ours=replace(PLATED, weapon="assault", range=18, weapon_S=5, shots=2),
            house=House(kind="wall", openings=1, T=6, points=3), plan="demolish",
        ),
        (4, 2, 19, 2),
    ),
]  # fmt: skip
"""What hits."""
BESIDE: list[Setup] = [
    ("pinning shots at those who come", replace(STORM, theirs=replace(PINNERS, weapon_S=4)), (4, 2, 16, 3)),
    ("pinning shots at those inside", replace(FIRE, ours=replace(PINNERS, weapon_S=4)), (3, 5, 16, 3)),
    ("heavy casualties of those who come", replace(STORM, ours=RUNNERS), (5, 3, 16, 3)),
    ("heavy casualties of those inside", replace(FIRE, theirs=RUNNERS), (3, 8, 12, 3)),
    ("heavy casualties and pinning, the next turn", replace(STORM, ours=replace(RUNNERS, Ld=4), theirs=PINNERS, **LATER), (5, 1, 18, 3)),
    ("they rout and rally", replace(STORM, ours=RUNNERS, routers="rally"), (3, 2, 15, 2)),
    ("they rout and rally, the next turn", replace(STORM, ours=RUNNERS, routers="rally", first="defenders", **LATER), (4, 1, 22, 2)),
    ("they rally at the end of a turn", replace(FIRE, ours=RUNNERS, theirs=RIFLES, routers="rally", rally_when="end_of_turn", edge=3), (4, 2, 16, 3)),
    ("a sally against those who are suppressed", replace(SALLY, ours=PLATED, theirs=replace(RIFLES, I=5)), (3, 3, 14, 2)),
    ("a sally of those who are suppressed", SALLY, (3, 4, 13, 2)),
    ("a sally at which they rout and rally", replace(SALLY, ours=RUNNERS, theirs=replace(RIFLES, I=5, sword=True), routers="rally"), (2, 2, 12, 1)),
    ("a sally, who is charged still tests", replace(SALLY, ours=PLATED, theirs=RIFLES, excused=False), (3, 3, 12, 2)),
    ("both sides", replace(STORM, theirs=replace(PLATED, BS=4), first="defenders"), (3, 3, 20, 3)),
]  # fmt: skip
"""What else happens to those who are hit."""
FLOORS: list[Setup] = [
    ("two floors stormed", UP, (4, 3, 14, 3)),
    ("two floors stormed, the next turn", replace(UP, ours=replace(STORMERS, Ld=4), first="defenders", **LATER), (3, 2, 20, 2)),
    ("two floors shot at from outside", replace(UP, plan="shoot", house=FOUR), (3, 4, 14, 3)),
    ("a ladder, who is shot at inside", replace(UP, link="ladder", deployment="top", evens_out="stays", first="defenders"), (3, 4, 5, 3)),
    ("grenades from floor to floor", replace(UP, grenades=True, garrison_grenades=True, across=True), (4, 4, 6, 3)),
    (
        "flames from floor to floor",
        replace(UP, ours=replace(STORMERS, weapon="template", range=8), across=True, deployment="top", evens_out="stays"),
        (2, 4, 6, 3),
    ),
    (
        "three floors, grenades that come down behind, the next turn",
        replace(UP, sections=3, evens_out="stays", grenades=True, across=True, **LATER), (3, 5, 4, 3),
    ),
    ("a garrison that charges back", replace(UP, ours=replace(STORMERS, I=5), defence="sally", deployment="top", evens_out="stays"), (3, 4, 5, 3)),
    ("more than have room", replace(UP, room=2, threshold="two_at_least"), (4, 4, 8, 3)),
]  # fmt: skip
"""Several sections."""
WITH_LEADERS: list[Setup] = [
    ("a leader who storms", replace(LED, first="defenders"), (4, 2, 15, 1)),
    ("a leader and a bearer, the next turn", replace(LED, ours=TIMID, bearers=1, first="defenders", **LATER), (3, 1, 22, 3)),
    (
        "a chief who is shot at",
        LedSiege(RIFLES, PLATED, FOUR, leader_A=0, chief_A=2, plan="shoot", first="defenders", who="drawn", **TESTED),
        (3, 4, 12, 2),
    ),
    ("a leader who is another", replace(MIXED, first="defenders"), (3, 2, 14, 1)),
    (
        "a chief who is another among flames",
        MixedSiege(
            STREAMS, PLATED, House(openings=2, inside="hard_cover"), leader_A=0, chief_A=2, chief=Body(T=4, W=2, Sv=4),
            plan="smoke", first="defenders", look_out=True, **TESTED,
        ),
        (1, 5, 7, 2),
    ),
    ("5-inch markers on a leader who is another", replace(MIXED, theirs=replace(MORTARS, blast=5), under="drawn"), (4, 1, 15, 2)),
    ("a chief of a bunker", MixedSiege(
        AT_PORTS.ours, PLATED, PORTS, leader_A=0, chief_A=2, chief=Body(T=4, W=2, Sv=4), plan="shoot",
        first="defenders", **TESTED,
    ), (3, 4, 14, 2)),
    (
        "a chief on two floors",
        LedFloors(STORMERS, DWELLERS, TWO, leader_A=0, chief_A=3, who="drawn", **TESTED), (3, 3, 13, 2),
    ),
    (
        "a leader who is another, grenades from floor to floor",
        MixedFloors(
            STORMERS, DWELLERS, TWO, leader_A=2, leader=Body(T=4, W=2, Sv=3), grenades=True, garrison_grenades=True,
            across=True, **TESTED,
        ),
        (2, 3, 4, 2),
    ),
]  # fmt: skip
"""Leaders and bearers."""
STEADFAST: list[Setup] = [
    ("steadfast attackers", replace(STORM, ours=replace(PLATED, steadfast=True), theirs=replace(RIFLES, Ld=10)), (4, 2, 17, 2)),
    ("a steadfast garrison", replace(FIRE, theirs=replace(PLATED, steadfast=True), ours=replace(RIFLES, steadfast=True)), (3, 4, 12, 2)),
    (
        "steadfast attackers under 5-inch markers",
        replace(STORM, ours=replace(PLATED, steadfast=True), theirs=replace(MORTARS, blast=5, steadfast=True)),
        (8, 1, 15, 2),
    ),
]  # fmt: skip
"""Nobody of these is suppressed: they are as they were."""
SETUPS: list[Setup] = [*BY_SIZE, *LATER_TURNS, *WEAPONS, *BESIDE, *FLOORS, *WITH_LEADERS, *STEADFAST]
