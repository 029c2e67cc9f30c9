"""The fight inside: blows in the order of Initiative, who wins the round, and who routs."""

from collections.abc import Sequence

import numpy as np

from sims.dice import Dice, Draw, Ints, narrow, together
from sims.dice.source import Argument
from sims.forces import Models, best, total, wound
from sims.games.fantasy import combat, rout
from sims.games.fantasy.combat import Edge
from sims.games.fantasy.wounds import hurt
from sims.inputs import Many, Strength, Toughness
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.scenario import Force


def lost(models: Ints, hurt: Ints, wounds: Ints, W: int) -> tuple[Ints, Ints]:
    """Let models suffer unsaved wounds, one after the other; return how many are left and the wounds carried."""
    (left,), carried = wound((models,), hurt, wounds, W)
    return left, carried


def strike(dice: Dice, state: Siege, scene: Scene, turn: int) -> Siege:
    """Let the groups strike whose turn it is; groups of equal Initiative strike together.

    All who are in the section fight.

    Source: fantasy game (BASE-044, BASE-045, BASE-046; partly BASE-049, partly BASE-050), Combat within Buildings
    (RC-015, RC-016, RC-017).
    """
    ours = edge_inside(False, state.winner == ATTACKERS)
    theirs = edge_inside(state.above, state.winner == DEFENDERS)
    after, fallen, _ = exchange(
        dice, state, scene, turn, (scene.inside(state), ours, state.attackers_hurt), (scene.ground(state), theirs,
        state.defenders_hurt), "in the fight",
    )  # fmt: skip
    return after.replace(inside=state.inside - fallen)


Fighters = tuple[Models, Edge, Ints]
"""A side in a fight: its models by group, what helps their blows, the wounds that one carries."""


def exchange(
    dice: Dice, state: Siege, scene: Scene, turn: int, ours: Fighters, theirs: Fighters, where: str
) -> tuple[Siege, Ints, Ints]:
    """Let those strike whose turn it is; return also how many attackers and defenders fall (partly BASE-050)."""
    attacking, defending = scene.order[turn]
    attackers, defenders = scene.scenario.attackers, scene.scenario.defenders
    slain = _wounds(dice, "attackers' blows", scene, attackers, ours, attacking, defenders, theirs)
    struck = _wounds(dice, "defenders' blows", scene, defenders, theirs, defending, attackers, ours)
    garrison, defenders_hurt = lost(state.defenders, state.defenders_hurt, slain, defenders.unit.W)
    besiegers, attackers_hurt = lost(state.attackers, state.attackers_hurt, struck, attackers.unit.W)
    dice.tally(f"defenders lost {where}", state.defenders - garrison)
    dice.tally(f"attackers lost {where}", state.attackers - besiegers)
    after = state.replace(
        defenders=garrison,
        attackers_hurt=attackers_hurt,
        defenders_hurt=defenders_hurt,
        margin=state.margin + slain - struck,
    )
    return after, state.attackers - besiegers, state.defenders - garrison


def _wounds(
    dice: Dice, label: str, scene: Scene, force: Force, side: Fighters, who: Sequence[int], foe: Force, foes: Fighters
) -> Ints:
    models, edge, _ = side
    targets, _, carried = foes
    if not who:
        return np.zeros_like(carried)
    blows = together(combat.blows(scene.rules.game, force, models, who, foe.unit, edge))
    return blows.up_to(np.maximum(total(targets) * foe.unit.W - carried, 0)).made(dice, label)


def edge_inside(above: Argument, won: Argument) -> Edge:
    """Return what helps a blow inside: a charge adds nothing (RC-015, RC-016, RC-017).

    Parameters
    ----------
    above : array of bool
        The striker fights from a higher level, in the first round.
    won : array of bool
        The striker won the last round.
    """
    return Edge(higher=above, followed_up=won)


@asks("RC-015", "RC-016", "RC-017", name="blow inside a building", ask="P(passed)")
def blow_inside(
    book: RealmOfChaos,
    WS: int,
    target_WS: int,
    above: bool = False,
    first_round: bool = True,
    charging: bool = False,
    won_last_round: bool = False,
) -> Draw:
    """Return a blow inside a building that hits (RC-015, RC-016, RC-017).

    Parameters
    ----------
    WS : int
        The striker's Weapon Skill.
    target_WS : int
        The target's Weapon Skill.
    above : bool
        The striker occupies a higher level, or charges down from one.
    first_round : bool
        It is the first round of the combat.
    charging : bool
        The striker charged this turn: no difference.
    won_last_round : bool
        The striker's side won the last round.
    """
    return combat.blow(book.game, WS, target_WS, edge_inside(above and first_round, won_last_round))


@asks("RC-015", name="wounds inside a building")
def wounds_inside(
    book: RealmOfChaos,
    blows: Many,
    WS: int,
    S: Strength,
    target_WS: int,
    target_T: Toughness,
    above: bool = False,
    first_round: bool = True,
) -> Draw:
    """Return how many wounds blows inside a building cause on models without armour (RC-015).

    Parameters
    ----------
    blows : int
        Blows struck.
    WS : int
        The strikers' Weapon Skill.
    S : int
        Their Strength.
    target_WS : int
        The targets' Weapon Skill.
    target_T : int
        The targets' Toughness.
    above : bool
        The strikers occupy a higher level, or charge down from one.
    first_round : bool
        It is the first round of the combat.
    """
    return blow_inside(book, WS, target_WS, above, first_round).then(hurt(book.game, S, target_T)).times(blows)


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare the round's scores; a loser who has lost a quarter may rout. Nobody is pushed back.

    Source: fantasy game (BASE-051, BASE-053), Combat within Buildings (RC-017; partly RC-019).
    """
    winner = np.sign(state.margin)
    routs = rout_test(dice, state, scene, winner)
    goes_on = (state.inside > 0) & (state.ground > 0) & (routs == 0)
    return state.replace(
        fight=0 * state.fight,
        margin=0 * state.margin,
        above=0 * state.above,
        winner=np.where(goes_on, winner, 0),
        routing=np.where(routs > 0, -winner, 0),
    )


def rout_test(dice: Dice, state: Siege, scene: Scene, winner: Ints) -> Ints:
    """Return whether the loser of a round routs (BASE-053)."""
    ours, theirs = scene.scenario.attackers, scene.scenario.defenders
    we_lost = winner == DEFENDERS
    Ld = np.where(
        we_lost,
        best(ours, ours.standing(state.attackers), lambda g: g.profile.Ld),
        best(theirs, theirs.standing(state.defenders), lambda g: g.profile.Ld),
    )
    fallen = np.where(we_lost, ours.models - state.attackers, theirs.models - state.defenders)
    models = np.where(we_lost, narrow(ours.models), narrow(theirs.models))
    return rout.rout(scene.rules.game, Ld, models, np.where(winner == 0, 0, fallen)).made(dice, "rout test")
