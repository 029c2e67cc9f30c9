"""Routs, and free hacks at those who rout."""

import numpy as np

from sims.dice import PLAIN_LEADERSHIP, Dice, Draw, Ints, Volley, narrow, once
from sims.dice.source import Argument
from sims.forces import Models, best, strength_at_start, total
from sims.games.fantasy.book import Fantasy, has_shield
from sims.games.fantasy.wounds import hurt, save_against, strength, without_shield
from sims.inputs import NONE, Count, Leadership, Save, Strength, Toughness, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.scenario import Force, Group

ROUT = Volley((PLAIN_LEADERSHIP.failed,))
"""2D6 above Leadership (BASE-053). Arguments: tests, Leadership."""


@asks("BASE-053", name="rout", ask="P(>=1)")
def rout(book: Fantasy, Ld: Leadership, models: Count = 20, lost: Count = 5) -> Draw:
    """Return whether a unit that lost a round routs, for which it must have lost a quarter (BASE-053).

    A unit that is wiped out does not test.

    Args:
        models: Models at the start.
        lost: Models lost so far.
    """
    tests = (book.tables.rout.part * lost >= models) & (lost < models)
    return Draw(ROUT, (tests, np.where(tests, Ld, 0)))


def most_to_rout(book: Fantasy, models: Ints) -> Ints:
    """Return how many of a unit are left at most where it has lost enough to rout, by its models at the start."""
    return models + -models // book.tables.rout.part


def rout_of_the_loser(
    book: Fantasy,
    winner: Argument,
    one: Force,
    one_left: Models,
    other: Force,
    other_left: Models,
    *,
    begun: tuple[Models, Models] = ((), ()),
) -> Draw:
    """Return whether the loser of a round routs, on the best Leadership left to it; from nobody none does (BASE-053).

    Args:
        winner: Who has won the round: 1 the first side, -1 the second, 0 neither.
        one_left, other_left: What each side has left, wherever they are.
        begun: How many ordinary models each side had at the start, where the state says it, see `forces.begun`.
    """
    first_lost = winner < 0
    Ld = np.where(first_lost, best(one, one_left, _leadership), best(other, other_left, _leadership))
    ours, theirs = (strength_at_start(*of) for of in zip((one, other), begun, strict=True))
    fallen = np.where(first_lost, ours - total(one_left), theirs - total(other_left))
    models = np.where(first_lost, narrow(ours), narrow(theirs))
    nobody = (winner == 0) | (total(one_left) == 0) | (total(other_left) == 0)
    return rout(book, Ld, models, np.where(nobody, 0, fallen))


def _leadership(group: Group) -> int:
    return group.profile.Ld


@asks("BASE-054", name="free hack", ask="P(=1)")
def hack(book: Fantasy, S: Strength, T: Toughness, save: Save = NONE, shield: Truth = False) -> Draw:
    """Return a free hack that kills: it hits, a shield does not count, and it is not struck back (BASE-054).

    Args:
        S: Strength of the victor.
        T: Toughness of the router.
        save: What the router's armour needs, or none.
        shield: Whether a shield is a part of that.
    """
    return hurt(book, S, T, without_shield(book, save, shield))


@asks("BASE-055", name="restraint", ask="P(passed)")
def restraint(Ld: Leadership) -> Draw:
    """Return whether a victor in the open holds back who does not want to pursue (BASE-055)."""
    return once(PLAIN_LEADERSHIP, Ld)


def blows_of_victors(dice: Dice, book: Fantasy, force: Force, victors: Models, routers: Force) -> Models:
    """Return the free hacks in the open by group: every blow of every victor, once more if they pursue and catch.

    Source: Routs; Pursuit (BASE-054, BASE-055).
    """
    blows = blows_once(force, victors)
    if not catches(force, routers):
        return blows
    if book.rulings.pursuit("pursues"):
        return tuple(2 * n for n in blows)
    holds = restraint(best(force, victors, _leadership)).made(dice, "victors hold back")
    return tuple(n * (2 - holds) for n in blows)


def blows_once(force: Force, victors: Models) -> Models:
    """Return the blows by group of some models, all of which hit in a free hack (BASE-054)."""
    return tuple(n * group.profile.A for group, n in zip(force.groups, victors, strict=True))


def catches(force: Force, routers: Force) -> bool:
    """Return whether a unit that pursues catches those who rout, where it hacks once more (BASE-055).

    Both move at double rate; who is as fast as the routers catches them. The documents say no more of it.
    """
    return force.unit.move >= routers.unit.move


def hacks(book: Fantasy, victors: Force, number: Models, routers: Unit) -> list[Draw]:
    """Return free hacks at models with one profile, drawn as one total of unsaved wounds; shields count for nothing.

    Source: Routs (BASE-054).

    Args:
        number: Free hacks of each group of the victors.
    """
    draws = []
    for group, n in zip(victors.groups, number, strict=True):
        S, save = strength(group.profile, group.melee), save_against(routers, group.melee)
        draws.append(hack(book, S, routers.T, save, has_shield(routers)).times(n).by(group.title))
    return draws
