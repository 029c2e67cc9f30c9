"""The fight in the open, after the garrison has come out: the fantasy game's own close combat, without a building."""

import numpy as np

from sims.dice import Dice
from sims.forces import Models
from sims.games.fantasy.combat import Edge, score
from sims.rulesets.realm_of_chaos.inside.fight import exchange, rout_test
from sims.rulesets.realm_of_chaos.inside.rout import hacked
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.scenario import Force


def clash(dice: Dice, state: Siege, scene: Scene, turn: int) -> Siege:
    """Let the groups strike whose turn it is: all attackers, and all defenders who have come out.

    Source: fantasy game (BASE-044, BASE-045, BASE-046; partly BASE-049, partly BASE-050, partly BASE-052, partly
    BASE-056).
    """
    ours, theirs = (edge_outside(state, side) for side in (ATTACKERS, DEFENDERS))
    after, besiegers, garrison = exchange(
        dice, state, scene, turn, (scene.outside(state), ours, state.attackers_hurt), (scene.out(state), theirs,
        state.defenders_hurt), "in the open",
    )  # fmt: skip
    return after.replace(outside=state.outside - besiegers, out=state.out - garrison)


def edge_outside(state: Siege, side: int) -> Edge:
    """Return what helps a side's blows: a charge, and following up (BASE-045)."""
    return Edge(charging=state.charged == side, followed_up=state.winner == side)


def decide(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare the round's scores; a loser who has lost a quarter may rout, else it is pushed back and followed up.

    The two inches of a push-back are not measured.

    Source: fantasy game (BASE-051, BASE-053; partly BASE-052).
    """
    ahead = score(scene.rules.game, state.margin, state.charged, state.winner)  # -1 marks the defenders
    winner = np.sign(ahead)
    routs = rout_test(dice, state, scene, winner)
    goes_on = (state.outside > 0) & (state.out > 0) & (routs == 0)
    return state.replace(
        open=goes_on.astype(int),
        charged=0 * state.charged,
        margin=0 * state.margin,
        winner=np.where(goes_on, winner, 0),
        routing=np.where(routs > 0, -winner, 0),
    )


def hacks(force: Force, victors: Models) -> Models:
    """Return the free hacks in the open by group: every blow of every victor (partly BASE-054, partly BASE-055)."""
    return tuple(n * group.profile.A for group, n in zip(force.groups, victors, strict=True))


def hack_garrison(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at defenders who rout in the open; the garrison has lost the building, with those still inside it.

    Source: fantasy game (partly BASE-054, partly BASE-055).
    """
    blows = hacks(scene.scenario.attackers, scene.outside(state))
    out, hurt = hacked(dice, scene, "defenders", state.out, state.defenders_hurt, blows)
    return state.replace(
        defenders=state.defenders - (state.out - out),
        out=0 * state.out,
        upstairs=0 * state.upstairs,
        defenders_hurt=hurt,
        routing=0 * state.routing,
        driven_out=np.ones_like(state.routing),
    )


def hack_besiegers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at attackers who rout in the open; what is left of them has broken.

    Source: fantasy game (partly BASE-054, partly BASE-055).
    """
    blows = hacks(scene.scenario.defenders, scene.out(state))
    outside, hurt = hacked(dice, scene, "attackers", state.outside, state.attackers_hurt, blows)
    return state.replace(
        outside=outside, attackers_hurt=hurt, routing=0 * state.routing, broken=np.ones_like(state.routing)
    )
