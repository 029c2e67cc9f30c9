"""The fight in the open, after the garrison has come out: the fantasy game's own close combat, without a building."""

import numpy as np

from sims.dice import Dice
from sims.forces import Models
from sims.games.fantasy.combat import lead
from sims.games.fantasy.open_fight import (
    Fighters,
    edge_in_the_open,
    in_front,
    pushed_back,
    score_of_formation,
    score_of_ranks,
)
from sims.games.fantasy.rout import blows_of_victors
from sims.rulesets.realm_of_chaos.casualties import targets
from sims.rulesets.realm_of_chaos.inside.fight import exchange, rout_test
from sims.rulesets.realm_of_chaos.inside.rout import hacked, nobody
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.scenario import Side


def count_ranks(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Score for the ranks in which the two sides stand before the blows.

    Source: fantasy game (BASE-051).
    """
    game = scene.book.game
    return state.replace(margin=state.margin + score_of_ranks(game, state.outside) - score_of_ranks(game, state.out))


def clash(dice: Dice, state: Siege, scene: Scene, turn: int) -> Siege:
    """Let the groups strike whose turn it is, of the front ranks of attackers and of defenders who have come out.

    Source: fantasy game (BASE-044, BASE-045, BASE-046, BASE-050).
    """
    game, us, them = scene.book.game, scene.outside(state, "attackers"), scene.outside(state, "defenders")
    ours, theirs = (edge_in_the_open(state.charged == side, state.winner == side) for side in (ATTACKERS, DEFENDERS))
    besiegers = Fighters(targets(state, scene, "attackers", us), in_front(game, us), ours)
    garrison = Fighters(targets(state, scene, "defenders", them), in_front(game, them), theirs)
    after, besiegers_lost, garrison_lost = exchange(dice, state, scene, turn, besiegers, garrison, "in the open")
    return after.replace(outside=state.outside - besiegers_lost, out=state.out - garrison_lost)


def decide(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare the round's scores; a loser who has lost a quarter may rout, else it is pushed back and followed up.

    The ranks are those that the round has left, unless they have been counted already.

    Source: fantasy game (BASE-051, BASE-053; partly BASE-052).
    """
    game, scenario = scene.book.game, scene.scenario
    ours = score_of_formation(game, scenario.attackers, state.outside)
    theirs = score_of_formation(game, scenario.defenders, state.out)
    winner = np.sign(lead(game, state.margin + ours - theirs, state.charged, state.winner))
    routs = rout_test(dice, state, scene, winner)
    goes_on = (state.outside > 0) & (state.out > 0) & (routs == 0)
    gives = goes_on & (winner != 0)
    return state.replace(
        distance=np.where(gives, pushed_back(game, state.distance, winner == DEFENDERS), state.distance),
        open=goes_on.astype(int),
        charged=0 * state.charged,
        margin=0 * state.margin,
        winner=np.where(goes_on, winner, 0),
        routing=np.where(routs > 0, -winner, 0),
    )


def hack_garrison(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at defenders who rout in the open; the garrison has lost the building, with those still inside it.

    Source: fantasy game (BASE-054, BASE-055).
    """
    blows = hacks_of(dice, scene, "attackers", scene.outside(state, "attackers"))
    after, lost = hacked(dice, state, scene, "defenders", scene.outside(state, "defenders"), blows)
    return after.replace(
        garrison=nobody(state.garrison),
        tall_garrison=nobody(state.tall_garrison),
        out=state.defenders - lost,
        routing=0 * state.routing,
        driven_out=np.ones_like(state.routing),
    )


def hack_besiegers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at attackers who rout in the open; what is left of them has broken.

    Source: fantasy game (BASE-054, BASE-055).
    """
    blows = hacks_of(dice, scene, "defenders", scene.outside(state, "defenders"))
    after, lost = hacked(dice, state, scene, "attackers", scene.outside(state, "attackers"), blows)
    return after.replace(outside=state.outside - lost, routing=0 * state.routing, broken=np.ones_like(state.routing))


def hacks_of(dice: Dice, scene: Scene, victor: Side, models: Models) -> Models:
    """Return the free hacks by group of who has won in the open: one more round of its front rank (BASE-054)."""
    scenario = scene.scenario
    sides = scenario.attackers, scenario.defenders
    ours, theirs = sides if victor == "attackers" else sides[::-1]
    return blows_of_victors(dice, scene.book.game, ours, in_front(scene.book.game, models), theirs)
