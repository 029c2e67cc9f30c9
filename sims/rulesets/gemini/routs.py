"""Attackers who rout: they turn and run, rally or leave the table, and come back."""

import numpy as np

from sims.assault import End
from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.games.arap.nerve import leadership, rout
from sims.games.arap.unit import RUNS
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import SALLYING, Scene, Siege, aim_kept


def turned(dice: Dice, state: Siege, scene: Scene, routs: Bools, distance: Argument) -> Siege:
    """Return the state where attackers who rout have turned and run; by one ruling they have broken for good.

    They leave the building, and the garrison spreads over the sections that they held. A later fight is a new combat.

    Source: Rout; Flinch and Flee (ARAP-206, ARAP-207).

    Args:
        distance: Inches from which they run.
    """
    if scene.book.game.rulings.routers("for_good"):
        return state.replace(broken=routs.astype(int))
    unit, away = rout.turned(dice, scene.book.game, state.attackers, routs, distance, way_of(state, scene))
    there = np.where(routs, away, state.distance)
    fled = aim_kept(state.replace(attackers=unit, distance=there), scene, there == state.distance)
    stays = fled.replace(stormed=state.stormed * ~routs, met=state.met * ~routs)
    if scene.in_turn == 1:
        return stays
    left = stays.replace(held=state.held * ~routs)
    return left.replace(here=np.where(routs & (state.held > 0), rooms.spread(left, scene), state.here))


def way_of(state: Siege, scene: Scene) -> rout.Way:
    """Return the way of attackers who rout; all of it is nearer to a garrison that has followed them."""
    begun, edge = scene.scenario.distance - state.followed, scene.edge - state.followed
    return rout.Way(begun, scene.scenario.attackers.unit.move, edge)


def smaller(scene: Scene) -> dict[str, str | int]:
    """Return what would make an assault smaller: no suppression, simpler flights and pursuits, or one storey.

    That who routs is lost for good helps most, and changes most: it is named where flights are simple already.
    """
    rulings = scene.book.game.rulings
    helps: list[tuple[bool, str, str | int]] = [
        (rulings.suppression("test"), "rulings.suppression", "off"),
        (rulings.routers("rally") and rulings.flight("inches"), "rulings.flight", "lines"),
        (scene.pursues, "rulings.pursuit", "none"),
        (rulings.routers("rally") and rulings.flight("lines"), "rulings.routers", "for_good"),
        (scene.in_turn > 1, "building.levels", 1),
    ]
    return {key: value for would, key, value in helps if would}


def flee(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Move attackers who rout towards their table edge; from a garrison in the open nothing is on their way.

    Source: Compulsory Phase; Rout; Rally (ARAP-206, ARAP-209; partly ARAP-041).
    """
    given, before = scene.scenario, state.distance
    way = way_of(state, scene)
    after = rout.flee(dice, scene.book.game, way, before)
    in_the_open, on_the_way = (rout.rally_tests(bands, before, after, way.edge) for bands in ((), given.bands))
    tests = np.where(state.place > SALLYING, in_the_open, on_the_way)
    fled = state.replace(attackers=state.attackers.replace(tests=tests), distance=after)
    return aim_kept(fled, scene, after == before)


def try_rally(dice: Dice, state: Siege, scene: Scene, acts: bool) -> Siege:
    """Let attackers who have fled try to rally; those who fail at the table edge have broken.

    Source: Rally (ARAP-208, ARAP-209).

    Args:
        acts: Their own activation phase is the next of all.
    """
    game, unit = scene.book.game, state.attackers
    Ld = leadership.leadership_of(game, scene.scenario.attackers, unit.standing)
    rerolls, edge = scene.rerolls("attackers"), way_of(state, scene).edge
    after, gone = rout.try_rally(dice, game, unit, Ld, state.distance, edge, acts=acts, rerolls=rerolls)
    return state.replace(attackers=after, broken=gone.astype(int))


def run(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers run."""
    return state.attackers.routs == RUNS


def may_rally(state: Siege, scene: Scene) -> Bools:
    """Return where attackers have fled and may test to rally."""
    return state.attackers.tests > 0


def stand(state: Siege, scene: Scene) -> Bools:
    """Return where the attackers do not run."""
    return ~run(state, scene)


def at_limit(state: Siege, scene: Scene) -> Ints:
    """Say how it ends when the turn limit has come: who still runs has broken, else the building is held."""
    return np.where(run(state, scene), End.BROKEN, End.HELD)
