"""The compulsory phase of a player turn: routers flee, a garrison pursues them, they rally, it halts."""

from collections.abc import Iterator
from functools import partial

from sims.assault import Stage
from sims.rulesets.gemini.routs import flee, may_rally, run, try_rally
from sims.rulesets.gemini.sections import pursuit
from sims.rulesets.gemini.state import Scene, Siege
from sims.scenario import Side

Step = Stage[Siege, Scene]


def compulsory_phase(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield what routers and pursuers do at the start of a player turn.

    Pursuers test to halt in it even where a ruling lets routers rally at the end of the player turn alone.

    Source: Compulsory Phase; Halting a Pursuit (ARAP-216; partly ARAP-041).
    """
    rulings = scene.book.game.rulings
    if rulings.routers("for_good") or (side == "defenders" and rulings.routers_move("own_turn")):
        return
    yield Stage("flee", flee, when=run, by="attackers")
    rally = [Stage("rally", partial(try_rally, acts=side == "attackers"), when=may_rally, by="attackers")]
    now = rally * rulings.rally_when("after_the_move")
    moves, halts = (pursuers_move(), pursuers_halt(scene)) if scene.pursues else ((), ())
    if rulings.pursuit_order("moves_first"):
        yield from (*moves, *now, *halts)
    else:
        yield from (*now, *halts, *moves)


def pursuers_move() -> Iterator[Step]:
    """Yield how pursuers move after attackers, and hack at those who run."""
    yield Stage("pursue", pursuit.pursue, when=pursuit.pursuing, by="defenders")
    yield Stage("free hacks", pursuit.hack, when=pursuit.hacking, by="defenders")


def pursuers_halt(scene: Scene) -> Iterator[Step]:
    """Yield the test of pursuers to halt, if they want to."""
    if scene.book.game.rulings.pursuit("reluctant"):
        yield Stage("halt", pursuit.halt, when=pursuit.may_halt, by="defenders")


def late_rally(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield the tests to rally at the end of a player turn, by a ruling (ARAP-208)."""
    if scene.book.game.rulings.routers("rally") and scene.book.game.rulings.rally_when("end_of_turn"):
        yield Stage("rally", partial(try_rally, acts=side == "defenders"), when=may_rally, by="attackers")
