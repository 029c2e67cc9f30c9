"""After the fight: who comes out and finds room, who falls back, who occupies, who draws off."""

from typing import Annotated, Literal

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, Throw
from sims.dice.source import Argument
from sims.forces import give_up, together, total, without
from sims.games.wh40k import nerve, open_fight
from sims.games.wh40k.transport import gets_in, placed
from sims.inputs import Count, Many, Number, Truth
from sims.profiles import MOST_MODELS
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.rulesets.storming.usual import flight
from sims.scenario import Side

Kind = Literal["infantry", "jump infantry"]
Room = Annotated[
    Argument | None, Number("Models that can be placed; as the ruling has it if not given.", 0, MOST_MODELS)
]


def sweep(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the winner catch those who run, where it may: they are destroyed, and with a squad its Fireteam.

    Source: Storming Buildings (ST-036), base rules (BASE-036).
    """
    after = open_fight.sweep(dice, state, scene)
    inside = (np.minimum(n, left) for n, left in zip(state.fireteam, after.attackers, strict=True))
    return after.replace(fireteam=tuple(inside))


def attackers_room(book: Storming) -> int:
    """Return how many models of a Fireteam can be placed outside (ST-037)."""
    return MOST_MODELS if book.rulings.attackers_room("all") else book.tables.room.attackers


def defenders_room(book: Storming, access: Argument, supporters: Argument) -> Ints:
    """Return how many defenders can be placed outside: none where supporters close every access point (ST-039)."""
    if book.rulings.defenders_room("given"):
        return np.asarray(book.tables.room.defenders)
    closed = np.minimum(book.tables.room.covered, supporters)
    return np.where(closed < access, MOST_MODELS, 0)


@asks("ST-037", name="Fireteam models lost for want of room")
def fireteam_lost(book: Storming, survivors: Count, room: Room = None) -> Ints:
    """Return how many Fireteam models are destroyed because they cannot be placed (ST-037).

    Args:
        survivors: Of the Fireteam.
    """
    return survivors - placed(survivors, attackers_room(book) if room is None else room)


@asks("ST-039", name="defenders lost for want of room")
def garrison_lost(
    book: Storming, survivors: Count, room: Room = None, access: Count = 1, supporters: Count = 0
) -> Ints:
    """Return how many defenders who are driven out are destroyed because they cannot be placed (ST-039).

    Args:
        survivors: Of the garrison.
        access: Access points.
        supporters: Of the attackers, near them.
    """
    return survivors - placed(survivors, defenders_room(book, access, supporters) if room is None else room)


def _comes_out(dice: Dice, state: Storm, scene: Scene, when: Bools | Literal[True] = True) -> Storm:
    """Place the Fireteam outside with its squad; those without room are lost (ST-037)."""
    inside = total(state.fireteam)
    lost = np.where(when, fireteam_lost(scene.book, inside), 0)
    dice.tally("attackers lost for want of room", lost)
    outside = without(state.attackers, state.fireteam)
    return state.replace(
        attackers=together(give_up(state.fireteam, lost), outside),
        fireteam=tuple(np.zeros_like(n) for n in state.fireteam),
    )


@asks("ST-038", "ST-040", name="fall back after a storming")
def fall_back(book: Storming, side: Side = "attackers", kind: Kind = "infantry") -> Draw:
    """Return how far a side falls back after a storming, in inches (ST-038, ST-040).

    Args:
        side: Attackers or defenders.
        kind: Of unit.
    """
    rulings = book.rulings
    back, out = rulings.jump_falling_back("three_dice"), rulings.jump_falling_out("three_dice")
    if kind == "jump infantry" and (back if side == "attackers" else out):
        return nerve.fall_back(book.game, kind)
    return Draw(Throw(book.tables.falling_back.inches), (1,))


def attackers_fall_back(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Bring the Fireteam out of a storming that the attackers have failed; the whole squad falls back.

    Source: Storming Buildings (ST-037, ST-038), base rules (BASE-037).
    """
    out = _comes_out(dice, state, scene)
    inches = fall_back(scene.book, "attackers", scene.scenario.attackers.unit.kind)
    return flight.fall_back(dice, out, scene, np.ones_like(state.broken, dtype=np.bool_), inches)


def defenders_driven_out(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Place the garrison outside the building it has lost; those without room are lost, the others fall back.

    Source: Storming Buildings (ST-039, ST-040), base rules (BASE-037).
    """
    survivors, supporters = total(state.defenders), total(without(state.attackers, state.fireteam))
    lost = garrison_lost(scene.book, survivors, None, scene.access, supporters)
    dice.tally("defenders lost for want of room", lost)
    inches = fall_back(scene.book, "defenders", scene.scenario.defenders.unit.kind).times(survivors > lost)
    dice.tally("inches the garrison fell back", inches.made(dice, "garrison falls back"))
    return state.replace(defenders=give_up(state.defenders, lost))


def holds(book: Storming, squad: Argument, capacity: Argument, kind: Kind) -> Bools:
    """Return whether a building holds a whole squad (ST-041, BASE-030)."""
    places = 2 if kind == "jump infantry" and book.rulings.jump_inside("two_places") else 1
    return gets_in(book.game, places * squad, capacity)


@asks("ST-041", name="may occupy")
def occupies(book: Storming, squad: Many, agreed: Many, kind: Kind = "infantry", wiped_out: Truth = False) -> Bools:
    """Return whether a squad occupies the building it has taken; otherwise it consolidates (ST-041).

    Args:
        squad: Models of the squad.
        agreed: The capacity of the building.
        kind: Of unit.
        wiped_out: Whether the garrison was wiped out, not driven out.
    """
    rulings, jump = book.rulings, kind == "jump infantry"
    fits = holds(book, squad, agreed, kind) | rulings.squad_too_large("yes")
    choice = ~np.asarray(wiped_out, dtype=np.bool_) | rulings.wiped_out_garrison("occupy")
    barred = (jump and rulings.jump_inside("not_at_all")) or rulings.after_taking("consolidate")
    return fits & choice & (not barred)


@asks("ST-041", "ST-042", name="consolidation after a storming")
def consolidation(book: Storming) -> Draw:
    """Return how far the attackers may move after a storming, in inches (ST-041, ST-042)."""
    return nerve.consolidation(book.game)


def _consolidate(dice: Dice, scene: Scene, when: Bools | Literal[True] = True) -> None:
    inches = consolidation(scene.book).times(when).made(dice, "consolidation")
    dice.tally("inches the attackers may consolidate", inches)


def take(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Occupy the building that the garrison has lost, or bring the Fireteam out and consolidate.

    Source: Storming Buildings (ST-041, ST-044), base rules (BASE-030, BASE-038).
    """
    rulings, scenario = scene.book.rulings, scene.scenario
    capacity = state.capacity if rulings.capacity_from("random") else scenario.building.capacity
    wiped_out = total(state.defenders) == 0
    squad, kind = total(state.attackers), scenario.attackers.unit.kind
    stays = occupies(scene.book, squad, capacity, kind, wiped_out)
    _consolidate(dice, scene, ~stays)
    dice.tally("attackers who occupy the building", squad * stays)
    crowded = ~(stays | holds(scene.book, squad, capacity, kind))
    dice.tally("attackers who are too many to stay inside", squad * crowded)
    after = _comes_out(dice, state, scene, ~stays & rulings.fireteam_after("comes_out"))
    return after.replace(taken=np.ones_like(state.taken))


def draw_off(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Bring the Fireteam back to its squad, which at once moves clear of the walls: nobody is locked.

    They go no farther than they must, since they mean to come back.

    Source: Storming Buildings (ST-037, ST-042, ST-043), base rules (BASE-038).
    """
    _consolidate(dice, scene)
    clear = scene.book.tables.drawing_off.distance
    return _comes_out(dice, state, scene).replace(distance=np.full_like(state.distance, clear))
