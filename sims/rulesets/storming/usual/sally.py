"""The garrison comes out of the building and charges; both sides then fight on in the open by the usual rules."""

import numpy as np

from sims.dice import Bools, Dice
from sims.forces import total
from sims.games.wh40k import moving, open_fight
from sims.games.wh40k.allotment import suffers
from sims.games.wh40k.nerve import consolidation, fall_back
from sims.games.wh40k.open_fight import DEFENDERS
from sims.games.wh40k.retreat import is_played
from sims.games.wh40k.transport import still_apart
from sims.rulesets.storming.state import (
    ASSAULTED,
    BESET,
    INSIDE,
    LOCKED,
    SALLIED,
    Scene,
    Storm,
)
from sims.rulesets.storming.storm import aftermath
from sims.rulesets.storming.usual import flight


def indoors(state: Storm, scene: Scene) -> Bools:
    """Return where the garrison is in the building."""
    return state.place == INSIDE


def fighting(state: Storm, scene: Scene) -> Bools:
    """Return where both sides fight by the usual rules: the garrison has come out, or is in ruins and was charged."""
    return state.place != INSIDE


def locked(state: Storm, scene: Scene) -> Bools:
    """Return where both sides fight and the attackers have not charged in this turn."""
    return (state.place != INSIDE) & (state.place != ASSAULTED)


def before_the_charge(scene: Scene) -> int:
    """Return how far a garrison that comes out is put and moves before it charges, in inches (ST-008, BASE-030).

    A unit that leaves a transport which has not moved is placed beside it, moves and charges in the same turn; a
    building never moves. Nobody needs to get out of ruins.
    """
    game = scene.book.game
    placed_beside = 0 if scene.building_class.usual else game.tables.movement.disembark
    return placed_beside + moving.move(game, scene.scenario.defenders.unit)


def out_of_the_door(scene: Scene) -> int:
    """Return how far a charge out of a building reaches, in inches (ST-008, BASE-030, BASE-033)."""
    return before_the_charge(scene) + scene.book.game.tables.movement.charge


def may_sally(state: Storm, scene: Scene) -> Bools:
    """Return where a garrison that means to comes out: its charge reaches, nobody is in, and there is room for all.

    Only attackers at the walls take its room (ST-039); nothing bars the way out of ruins.
    """
    garrison, squad = total(state.defenders), total(state.attackers)
    lost = aftermath.garrison_lost(scene.book, garrison, None, scene.access, squad)
    free = (state.distance > 0) | (lost == 0) | scene.building_class.usual
    to_charge = still_apart(scene.book.game, state.distance, before_the_charge(scene))
    near = moving.within_charge(scene.book.game, to_charge)
    ready = indoors(state, scene) & (garrison > 0) & (total(state.fireteam) == 0)
    return ready & near & free & (scene.scenario.defence == "sally")


def come_out(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Bring the whole garrison out of the building and into the attackers; it fires nothing in that turn.

    Source: Buildings in 40k (ST-008), 40k 5th edition (BASE-030, BASE-033).
    """
    return engage(state, scene, SALLIED)


def engage(state: Storm, scene: Scene, place: int) -> Storm:
    """Bring both sides together, and forget what matters no longer."""
    none = np.zeros_like(state.place)
    together = state.replace(place=np.full_like(state.place, place), moved=none, shaken=none)
    return together if is_played(scene.book.game) else together.replace(distance=none, armour=none, mounted=none)


def trade_blows(
    dice: Dice, state: Storm, scene: Scene, attackers: tuple[int, ...], defenders: tuple[int, ...]
) -> Storm:
    """Let those groups strike whose Initiative it is, together; `lead` is by how much the attackers are ahead.

    Those who have charged in this turn strike with their charge.

    Source: 40k 5th edition (BASE-009, BASE-010, BASE-011, BASE-013, BASE-034).
    """
    charged = state.place == ASSAULTED, state.place == SALLIED
    return open_fight.trade_blows(dice, state, scene, (attackers, defenders), charged, suffer=suffers)


def must_test(state: Storm, scene: Scene) -> Bools:
    """Return where a side that has lost the round checks its morale (BASE-034)."""
    return fighting(state, scene) & open_fight.tests_morale(state.lead, state.attackers, state.defenders)


def attackers_run(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the attackers fall back who have failed their morale check and were not caught.

    Source: 40k 5th edition (BASE-037).
    """
    return flight.fall_back(dice, state, scene, np.ones_like(state.broken, dtype=np.bool_))


def garrison_is_beaten(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let what is left of a beaten garrison fall back and the attackers consolidate: the building is theirs.

    Source: 40k 5th edition (BASE-037, BASE-038).
    """
    inches = fall_back(scene.book.game, scene.scenario.defenders.unit.kind).times(total(state.defenders) > 0)
    dice.tally("inches the garrison fell back", inches.made(dice, "garrison falls back"))
    consolidated = consolidation(scene.book.game).made(dice, "consolidation")
    dice.tally("inches the attackers may consolidate", consolidated)
    return state.replace(taken=np.ones_like(state.taken))


def lock(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """End the round of the charge: if it has broken nobody, both sides are locked in the fight.

    Source: 40k 5th edition (BASE-034).
    """
    return state.replace(place=np.where((state.place == SALLIED) | (state.place == LOCKED), LOCKED, BESET))


def beaten(state: Storm, scene: Scene) -> Bools:
    """Return where the garrison has lost a fight by the usual rules: it runs, or nobody is left of it."""
    return fighting(state, scene) & ((state.failed == DEFENDERS) | (total(state.defenders) == 0))
