"""Set-ups in which a garrison pursues attackers whom it has beaten in the open, for the brute force of Gemini.

All of them come to something else if nobody pursues, but those named as the same: nobody pursues in these, a slow
garrison stays where it is, or only hatred matters. As in `gemini_cases`, markers are fired at chargers (`shells`); a
set-up of floors has room for as many in a section as its `room`, and the reading of who spreads as it says.
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
OUT = {"routers": "rally", "defence": "sally", "pursuit": "reluctant", "edge": 5}
LAST = {"pursuit_order": "halts_first"}

COWARDS = Troops(WS=4, I=4, Ld=5, sword=True)
"""They rout, and may rally."""
HOUNDS = Troops(WS=4, I=4, A=2, Ld=7, sword=True)
"""They win in the open, and may halt."""
OPEN = Siege(COWARDS, HOUNDS, TWO, plan="shoot", **OUT)
"""The attackers shoot, until the garrison comes out at them; the table ends near by."""
EAGER = replace(OPEN, pursuit="eager")
NONE = replace(OPEN, pursuit="none")
FIRST = {"first": "defenders"}
NEAR, FAR = (2, 2, 5, 3), (2, 2, 6, 3)
RALLIERS = replace(COWARDS, Ld=8, BS=4)
"""They rally soon, and shoot and charge then."""
BACK = replace(OPEN, ours=RALLIERS, theirs=replace(HOUNDS, S=4, A=3, Ld=5), first="defenders")

WHETHER: list[Setup] = [
    ("the same: nobody pursues", NONE, NEAR),
    ("they test to stay and to halt", OPEN, NEAR),
    ("they always pursue", EAGER, NEAR),
    ("the same, garrison first: nobody pursues", replace(NONE, **FIRST), FAR),
    ("they test to stay and to halt, garrison first", replace(OPEN, **FIRST), FAR),
    ("they always pursue, garrison first", replace(EAGER, **FIRST), FAR),
    ("against those who storm", replace(EAGER, plan="storm", **FIRST), FAR),
    ("by three at three", replace(EAGER, edge=2), (3, 3, 4, 3)),
    ("for longer", replace(EAGER, edge=3), (2, 2, 5, 5)),
]
"""Whether they pursue."""
ORDERS: list[Setup] = [
    ("who halts does not move", replace(OPEN, **LAST), NEAR),
    ("they never halt, and move after the rally", replace(EAGER, **LAST), NEAR),
    ("who halts does not move, garrison first", replace(OPEN, **LAST, **FIRST), FAR),
    ("they never halt, and move after the rally, garrison first", replace(EAGER, **LAST, **FIRST), FAR),
]
"""Who rallies and halts before pursuers move."""
HACKS: list[Setup] = [
    ("all Attacks are hacks", replace(OPEN, free_hacks="attacks"), NEAR),
    ("all Attacks are hacks of the eager", replace(EAGER, free_hacks="attacks", **FIRST), FAR),
    ("three Attacks are hacks", replace(EAGER, theirs=replace(HOUNDS, A=3, S=4), free_hacks="attacks"), NEAR),
    ("hacks at the tough", replace(EAGER, ours=replace(COWARDS, T=4, Sv=4)), NEAR),
    ("hacks by rifle-butts", replace(EAGER, theirs=replace(HOUNDS, sword=False, A=3)), NEAR),
]
"""Free hacks."""
HATED: list[Setup] = [
    ("a garrison that hates", replace(OPEN, theirs=replace(HOUNDS, hates=True)), NEAR),
    ("a garrison that hates, and halts first", replace(OPEN, theirs=replace(HOUNDS, hates=True), **LAST), NEAR),
    ("attackers who hate", replace(OPEN, ours=replace(COWARDS, hates=True)), NEAR),
    ("both hate", replace(OPEN, ours=replace(COWARDS, hates=True), theirs=replace(HOUNDS, hates=True)), NEAR),
    *(
        (f"the same: {what}", replace(
            NONE, ours=replace(COWARDS, hates=ours), theirs=replace(HOUNDS, hates=theirs), plan="storm", defence="hold"
        ), FAR)
        for what, ours, theirs in (
            ("a garrison inside hates", False, True), ("attackers who storm hate", True, False), ("all do", True, True)
        )
    ),
]  # fmt: skip
"""Hatred, in the open and in the building."""
MOVES: list[Setup] = [
    ("the same: a slow garrison", replace(OPEN, move=3), NEAR),
    ("a slow garrison that is eager", replace(EAGER, move=3), NEAR),
    ("a slow garrison in frenzy", replace(OPEN, theirs=replace(HOUNDS, frenzied=True), move=3), NEAR),
    ("a garrison in frenzy that hates", replace(OPEN, theirs=replace(HOUNDS, frenzied=True, hates=True)), NEAR),
    ("a move of 6", replace(OPEN, move=6), NEAR),
]
"""Frenzy, and moves up to 6 inches."""
FAST: list[Setup] = [
    ("a move of 7", replace(EAGER, move=7, edge=0), (3, 2, 5, 3)),
    ("a move of 8", replace(OPEN, move=8, edge=0), (3, 2, 5, 3)),
    ("a move of 8, garrison first", replace(EAGER, move=8, edge=0, **FIRST), (2, 2, 8, 3)),
]
"""Routers and pursuers who have three dice: no charge is so far that it may fall short."""
WHEN: list[Setup] = [
    ("in the attackers' turns alone", replace(OPEN, routers_move="own_turn"), NEAR),
    ("in the attackers' turns alone, garrison first", replace(EAGER, routers_move="own_turn", **FIRST), FAR),
    ("in the attackers' turns alone, who halts does not move", replace(OPEN, routers_move="own_turn", **LAST), NEAR),
    ("they rally at the end of a turn", replace(OPEN, rally_when="end_of_turn"), NEAR),
    ("they rally at the end of a turn, the eager", replace(EAGER, rally_when="end_of_turn", **FIRST), FAR),
    ("they rally at the end of a turn, who halts does not move", replace(OPEN, rally_when="end_of_turn", **LAST), NEAR),
    (
        "they rally at the end of their own turns",
        replace(EAGER, rally_when="end_of_turn", routers_move="own_turn"), NEAR,
    ),
]  # fmt: skip
"""When routers flee and rally."""
EDGES: list[Setup] = [
    *((f"edge {edge}", replace(OPEN, edge=edge), NEAR) for edge in (0, 3)),
    ("edge 12", replace(EAGER, edge=12), (2, 1, 5, 3)),
    *((f"the eager, edge {edge}", replace(EAGER, edge=edge, **LAST, **FIRST), FAR) for edge in (0, 3)),
    ("to lines", replace(OPEN, flight="lines"), NEAR),
    ("to lines, the eager", replace(EAGER, flight="lines", **FIRST), FAR),
    ("to lines, edge 3, a move of 5", replace(EAGER, flight="lines", edge=3, move=5, **LAST), NEAR),
]
"""Where the table ends, and lines that stay where they are on it."""
RALLIED: list[Setup] = [
    ("they rally, and are caught", replace(BACK, pursuit="eager"), FAR),
    ("they rally, and are caught at once", replace(BACK, edge=3, **LAST), FAR),
    ("they rally, and are caught, attackers first", replace(BACK, first="attackers", pursuit="eager"), NEAR),
    ("they stand and fire", replace(BACK, pursuit="eager", ours=replace(RALLIERS, weapon="assault", shots=3)), FAR),
    (
        "they stand and fire with flames", replace(
            BACK, pursuit="eager", ours=replace(RALLIERS, weapon="template", range=8, weapon_S=4),
        ), FAR,
    ),
    ("they shoot and charge", replace(BACK, ours=replace(RALLIERS, WS=5, A=2), routers_move="own_turn"), FAR),
    ("they shoot, and are tested for it", replace(
        BACK, pursuit="eager", ours=replace(RALLIERS, weapon="assault", shots=3, weapon_S=5)
    ), (2, 2, 7, 3)),
    ("they pin", replace(
        BACK, pursuit="eager", ours=replace(RALLIERS, weapon="assault", range=30, shots=2, pinning=True)
    ), (2, 2, 7, 3)),
    ("pinned before they are caught", replace(
        BACK, theirs=replace(BACK.theirs, weapon="assault", range=30, pinning=True), edge=2, **LAST
    ), FAR),
    ("suppression", replace(BACK, pursuit="eager", suppression="test"), FAR),
    ("suppression, which is paid later", replace(
        BACK, edge=2, suppression="test", suppressed_turn="next_turn", ours=replace(RALLIERS, weapon="assault", shots=2)
    ), FAR),
    ("they have aimed", replace(BACK, corrective=True, pursuit="eager"), FAR),
    ("they have aimed, who halts does not move", replace(BACK, corrective=True, edge=3, **LAST), FAR),
]  # fmt: skip
"""Pursuers meet those who have rallied."""
LED = LedSiege(COWARDS, HOUNDS, TWO, plan="shoot", leader_A=2, who="drawn", **OUT)
MIXED = MixedSiege(COWARDS, HOUNDS, TWO, plan="shoot", leader_A=2, leader=Body(T=4, W=2, Sv=4), **OUT)
UP = Floors(
    COWARDS, replace(HOUNDS, hates=True), TWO, plan="shoot", room=3, deployment="spread", evens_out="stays", **OUT
)
OTHERS: list[Setup] = [
    ("a leader who flees", replace(LED, edge=2), NEAR),
    ("a leader who falls last", replace(LED, who="owner", pursuit="eager"), (3, 2, 5, 3)),
    ("a leader who pursues", replace(LED, chief_A=3, pursuit="eager", free_hacks="attacks"), NEAR),
    ("a leader who is another", replace(MIXED, edge=0), (2, 1, 5, 3)),
    ("a leader who is another, hacked at by all Attacks", replace(
        MIXED, chief_A=3, free_hacks="attacks", pursuit="eager", edge=0
    ), (2, 1, 5, 3)),
    ("out of two floors", UP, (2, 2, 6, 3)),
    ("out of two floors, the eager", replace(UP, pursuit="eager", first="defenders", **LAST), (2, 2, 6, 3)),
    ("the same: two floors that are stormed with hatred", replace(
        UP, plan="storm", pursuit="none", ours=replace(COWARDS, hates=True, S=4), theirs=HOUNDS
    ), (2, 2, 3, 3)),
    ("a leader out of two floors", LedFloors(
        COWARDS, HOUNDS, TWO, plan="shoot", room=3, deployment="spread", leader_A=2, who="drawn", **{**OUT, "edge": 2}
    ), (2, 2, 6, 3)),
    ("a leader who is another out of two floors", MixedFloors(
        COWARDS, HOUNDS, TWO, plan="shoot", room=3, deployment="spread", leader_A=2, leader=Body(T=4, W=2, Sv=4),
        **{**OUT, "edge": 0},
    ), (2, 2, 6, 3)),
]  # fmt: skip
"""Leaders, and floors. Nobody is a bearer: the mortar that stands for what he bears would be fired at chargers."""
SETUPS: list[Setup] = [
    *WHETHER, *ORDERS, *HACKS, *HATED, *MOVES, *FAST, *WHEN, *EDGES, *RALLIED, *OTHERS
]  # fmt: skip
