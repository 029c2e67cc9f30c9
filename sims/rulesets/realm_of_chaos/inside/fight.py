"""The fight inside: blows in the order of Initiative, who wins the round, and who routs."""

import numpy as np

from sims.dice import Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import total
from sims.games.fantasy.combat import Edge, blow
from sims.games.fantasy.open_fight import Fighters, trade_blows
from sims.games.fantasy.rout import rout_of_the_loser
from sims.games.fantasy.wounds import hurt
from sims.inputs import Many, Strength, Toughness
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.casualties import suffer, targets
from sims.rulesets.realm_of_chaos.state import Scene, Siege


def strike(dice: Dice, state: Siege, scene: Scene, turn: int) -> Siege:
    """Let the groups strike whose turn it is; all who are in the section fight.

    Source: Combat within Buildings (RC-015, RC-016, RC-017).
    """
    first = state.winner == 0  # nobody has won a round yet
    ours, theirs = edge_inside(False, first, state.winner > 0), edge_inside(state.above, first, state.winner < 0)
    besiegers = Fighters(targets(state, scene, "attackers", scene.inside(state)), ours)
    garrison = Fighters(targets(state, scene, "defenders", scene.ground(state)), theirs)
    after, fallen, _ = exchange(dice, state, scene, turn, besiegers, garrison, "in the fight")
    last = turn == len(scene.order) - 1
    return after.replace(inside=state.inside - fallen, winner=0 * state.winner if last else state.winner)


def exchange(
    dice: Dice, state: Siege, scene: Scene, turn: int, ours: Fighters, theirs: Fighters, where: str
) -> tuple[Siege, Ints, Ints]:
    """Let those strike whose turn it is; return also how many attackers and defenders fall."""
    caused, suffered = trade_blows(dice, scene.book.game, ours, theirs, scene.order[turn])
    after, defenders = suffer(dice, state, scene, "defenders", caused, theirs.those.among, "defenders who fall")
    after, attackers = suffer(dice, after, scene, "attackers", suffered, ours.those.among, "attackers who fall")
    dice.tally(f"defenders lost {where}", defenders)
    dice.tally(f"attackers lost {where}", attackers)
    margin = state.margin + total(caused) - total(suffered)
    after = after.replace(defenders=state.defenders - defenders, margin=margin)
    return after, attackers, defenders


def edge_inside(above: Argument, first_round: Argument, won: Argument) -> Edge:
    """Return what helps a blow inside: a charge adds nothing (RC-015, RC-016, RC-017).

    Args:
        above (bool): The striker occupies a higher level, or charges down from one.
        first_round (bool): It is the first round of the combat.
        won (bool): The striker won the last round.
    """
    return Edge(higher=np.logical_and(above, first_round), followed_up=won)


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

    Args:
        WS: The striker's Weapon Skill.
        target_WS: The target's Weapon Skill.
        above: The striker occupies a higher level, or charges down from one.
        first_round: It is the first round of the combat.
        charging: The striker charged this turn: no difference.
        won_last_round: The striker's side won the last round.
    """
    return blow(book.game, WS, target_WS, edge_inside(above, first_round, won_last_round))


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

    Args:
        blows: Blows struck.
        WS: The strikers' Weapon Skill.
        S: Their Strength.
        target_WS: The targets' Weapon Skill.
        target_T: The targets' Toughness.
        above: The strikers occupy a higher level, or charge down from one.
        first_round: It is the first round of the combat.
    """
    return blow_inside(book, WS, target_WS, above, first_round).then(hurt(book.game, S, target_T)).times(blows)


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare the round's scores; a loser who has lost a quarter may rout. Nobody is pushed back.

    Source: Combat within Buildings (RC-017; partly RC-019).
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
    """Return whether the loser of a round routs."""
    ours, theirs, game = scene.scenario.attackers, scene.scenario.defenders, scene.book.game
    squad, garrison = scene.standing(state, "attackers"), scene.standing(state, "defenders")
    begun = state.attackers_begun, state.defenders_begun
    return rout_of_the_loser(game, winner, ours, squad, theirs, garrison, begun=begun).made(dice, "rout test")
