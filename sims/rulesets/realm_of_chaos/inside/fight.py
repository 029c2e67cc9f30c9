"""The fight inside: blows in the order of Initiative, who wins the round, and who routs."""

from collections.abc import Callable

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import total
from sims.games.fantasy.combat import Edge, blow
from sims.games.fantasy.open_fight import Fighters, trade_blows
from sims.games.fantasy.rout import rout_of_the_loser
from sims.games.fantasy.wounds import hurt
from sims.inputs import Count, Many, Strength, Toughness
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.casualties import suffer, targets
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, LEVEL, OTHER, Scene, Siege, anywhere, put


def strike(dice: Dice, state: Siege, scene: Scene, turn: int, section: int) -> Siege:
    """Let the groups strike whose turn it is in a section; all who are there fight.

    Source: Combat within Buildings (RC-015, RC-016, RC-017, RC-019).
    """
    how = state.fight[section]
    higher = how - LEVEL
    ours, theirs = (edge_inside(higher == s, state.winner == s) for s in (ATTACKERS, DEFENDERS))
    here, there = (scene.inside(state, side, section) for side in OTHER)
    besiegers = Fighters(targets(state, scene, "attackers", here), here, ours)
    garrison = Fighters(targets(state, scene, "defenders", there), there, theirs)
    after, fallen, lost = exchange(dice, state, scene, turn, besiegers, garrison, "in the fight")
    after = scene.taken_away(state, after, "attackers", {section: 1}, fallen)
    after = scene.taken_away(state, after, "defenders", {section: 1}, lost)
    if turn < len(scene.order) - 1:
        return after
    goes_on = sum(state.fight[section + 1 :], 0 * how) > 0
    return after.replace(fight=put(state.fight, section, 0 * how + LEVEL), winner=np.where(goes_on, state.winner, 0))


def is_fought_in(section: int) -> Callable[[Siege, Scene], Bools]:
    """Return the condition that there is a fight in a section."""
    return lambda state, _: state.fight[section] > 0


def exchange(
    dice: Dice, state: Siege, scene: Scene, turn: int, ours: Fighters, theirs: Fighters, where: str
) -> tuple[Siege, Ints, Ints]:
    """Let those strike whose turn it is; return also how many attackers and defenders fall.

    The caller takes them from where they stand.
    """
    caused, suffered = trade_blows(dice, scene.book.game, ours, theirs, scene.order[turn])
    after, defenders = suffer(dice, state, scene, "defenders", caused, theirs.those.among, "defenders who fall")
    after, attackers = suffer(dice, after, scene, "attackers", suffered, ours.those.among, "attackers who fall")
    dice.tally(f"defenders lost {where}", defenders)
    dice.tally(f"attackers lost {where}", attackers)
    return after.replace(margin=ahead(state.margin, total(caused), total(suffered))), attackers, defenders


def ahead(margin: Argument, caused: Argument, suffered: Argument) -> Ints:
    """Return by how much a side is ahead once it has fought in one more section: all add up (RC-019)."""
    return np.asarray(margin + caused - suffered)


@asks("RC-019", name="margin of an engagement")
def margin_of_an_engagement(
    caused: Count, suffered: Count, caused_beside: Count = 0, suffered_beside: Count = 0
) -> Ints:
    """Return by how much a unit is ahead that fights in two sections, before any bonus (RC-019).

    Args:
        caused: Wounds that it causes in one section.
        suffered: Those that it suffers there.
        caused_beside: Wounds that it causes in the other.
        suffered_beside: Those that it suffers there.
    """
    return ahead(ahead(0, caused, suffered), caused_beside, suffered_beside)


def higher_at_first(higher: Argument, first_round: Argument) -> Ints:
    """Return who stands higher, for whom it counts in the first round of a fight alone (RC-015)."""
    return np.where(first_round, higher, 0)


def edge_inside(higher: Argument, won: Argument) -> Edge:
    """Return what helps a blow inside: a charge adds nothing (RC-015, RC-016, RC-017).

    Args:
        higher (bool): The striker occupies a higher level, or charges down from one, in the first round.
        won (bool): The striker won the last round.
    """
    return Edge(higher=higher, followed_up=won)


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
    return blow(book.game, WS, target_WS, edge_inside(higher_at_first(above, first_round), won_last_round))


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
    """Compare the round's scores of all sections; a loser who has lost a quarter may rout. Nobody is pushed back.

    Source: Combat within Buildings (RC-017, RC-019).
    """
    winner = np.sign(state.margin)
    routs = rout_test(dice, state, scene, winner)
    goes_on = anywhere(state.contested) & (routs == 0)
    return state.replace(
        fight=tuple(np.where(routs > 0, n, 0) for n in state.fight),  # who has fought may hack at those who rout
        margin=0 * state.margin,
        winner=np.where(goes_on, winner, 0),
        routing=np.where(routs > 0, -winner, 0),
    )


def rout_test(dice: Dice, state: Siege, scene: Scene, winner: Ints) -> Ints:
    """Return whether the loser of a round routs."""
    ours, theirs, game = scene.scenario.attackers, scene.scenario.defenders, scene.book.game
    squad, garrison = scene.standing(state, "attackers"), scene.standing(state, "defenders")
    begun = state.attackers_begun, state.defenders_begun
    return rout_of_the_loser(game, winner, ours, squad, theirs, garrison, begun=begun).made(dice, "rout test")
