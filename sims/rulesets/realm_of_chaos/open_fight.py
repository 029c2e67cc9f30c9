"""The fight in the open, after the garrison has come out: the fantasy game's own close combat, without a building."""

import numpy as np

from sims.dice import Capped, Dice, Ints, Total
from sims.forces import Models
from sims.games.fantasy import rules as fantasy
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.fight import exchange, lost, rout_test
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.scenario import Force


def clash(dice: Dice, state: Siege, scene: Scene, turn: int) -> Siege:
    """Let the groups strike whose turn it is: all attackers, and all defenders who have come out.

    Source: fantasy game (BASE-044, BASE-045, BASE-046; partly BASE-049, partly BASE-050, partly BASE-052, partly
    BASE-056).
    """
    scenario = scene.scenario
    ours, theirs = (modifier(scene.rules, state, side) for side in (ATTACKERS, DEFENDERS))
    slain, struck = exchange(
        dice, scene, turn, (scene.outside(state), ours, state.attackers_hurt), (scene.out(state), theirs,
        state.defenders_hurt),
    )  # fmt: skip
    out, defenders_hurt = lost(state.out, state.defenders_hurt, slain, scenario.defenders.unit.W)
    outside, attackers_hurt = lost(state.outside, state.attackers_hurt, struck, scenario.attackers.unit.W)
    dice.tally("defenders lost in the open", state.out - out)
    dice.tally("attackers lost in the open", state.outside - outside)
    return state.replace(
        outside=outside,
        out=out,
        defenders=state.defenders - (state.out - out),
        attackers_hurt=attackers_hurt,
        defenders_hurt=defenders_hurt,
        margin=state.margin + slain - struck,
    )


def modifier(rules: RealmOfChaos, state: Siege, side: int) -> Ints:
    """Return what is added to the die of a side's blows: for a charge, and for following up (BASE-045)."""
    table = rules.game.tables.blow_modifiers
    return np.asarray((state.charged == side) * table.charging + (state.winner == side) * table.followed_up)


def decide(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare the round's scores; a loser who has lost a quarter may rout, else it is pushed back and followed up.

    The two inches of a push-back are not measured.

    Source: fantasy game (BASE-051, BASE-053; partly BASE-052).
    """
    ahead = fantasy.score(scene.rules.game, state.margin, state.charged, state.winner)  # -1 marks the defenders
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


def hacks(rules: RealmOfChaos, hacking: Force, models: Models, target: Force) -> tuple[Capped, list[Ints]]:
    """Return a round of free hacks in the open: every blow of every victor (partly BASE-054, partly BASE-055)."""
    blows = tuple(n * group.profile.A for group, n in zip(hacking.groups, models, strict=True))
    parts, arguments = fantasy.free_hacks(rules.game, hacking, blows, 1, target.unit)
    return Capped(Total(tuple(parts))), [np.asarray(a) for a in arguments]


def hack_garrison(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at defenders who rout in the open; the garrison has lost the building, with those still inside it.

    Source: fantasy game (partly BASE-054, partly BASE-055).
    """
    scenario, W = scene.scenario, scene.scenario.defenders.unit.W
    mechanic, arguments = hacks(scene.rules, scenario.attackers, scene.outside(state), scenario.defenders)
    wounds = dice.draw("free hacks", mechanic, *arguments, np.maximum(state.out * W - state.defenders_hurt, 0))
    out, hurt = lost(state.out, state.defenders_hurt, wounds, W)
    dice.tally("defenders lost in the rout", state.out - out)
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
    scenario, W = scene.scenario, scene.scenario.attackers.unit.W
    mechanic, arguments = hacks(scene.rules, scenario.defenders, scene.out(state), scenario.attackers)
    wounds = dice.draw("free hacks", mechanic, *arguments, np.maximum(state.outside * W - state.attackers_hurt, 0))
    outside, hurt = lost(state.outside, state.attackers_hurt, wounds, W)
    dice.tally("attackers lost in the rout", state.outside - outside)
    return state.replace(
        outside=outside, attackers_hurt=hurt, routing=0 * state.routing, broken=np.ones_like(state.routing)
    )
