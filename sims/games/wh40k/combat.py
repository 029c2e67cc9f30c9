"""Around the blows: Attacks, who bears the wounds, who won, and catching those who run."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, Test, once
from sims.dice.source import Argument
from sims.forces import Models, picked
from sims.games.wh40k.book import Wh40k
from sims.inputs import Attacks, Count, Initiative, Some, Truth, at_most
from sims.questions import asks
from sims.scenario import Body


@asks("BASE-010", name="number of Attacks")
def strikes_with(book: Wh40k, A: Attacks, charged: Truth = False, two_weapons: bool = False) -> Ints:
    """Return with how many Attacks each model strikes (BASE-010).

    Args:
        A: Attacks on its profile.
        charged: Whether it charged this turn.
        two_weapons: Whether it fights with two one-handed weapons.
    """
    table = book.tables.attacks
    second = table.two_weapons if two_weapons and book.rulings.second_weapon_attack("yes") else 0
    return A + second + np.where(charged, table.charging, 0)


def dealt_out(wounds: Argument, first: Argument, everybody: Argument) -> Ints:
    """Return the wounds that fall on the first models if everybody gets one before anybody gets a second (BASE-040)."""
    among = np.maximum(everybody, 1)
    return np.asarray(wounds // among * first + np.minimum(wounds % among, first))


@asks("BASE-040", name="models with so many wounds")
def models_with(wounds: int, models: int, each: int) -> int:
    """Return how many models have just so many wounds to save against (BASE-040).

    Args:
        wounds: To be shared out before saves.
        models: That may receive them.
        each: Wounds on a model.
    """
    at_most(200, wounds=wounds, models=models)
    borne = [int(dealt_out(wounds, i + 1, models) - dealt_out(wounds, i, models)) for i in range(models)]
    return borne.count(each)


def common_toughness(bodies: Sequence[Body], models: Models) -> Ints:
    """Return the Toughness that hits on a unit are rolled to wound against: that of most of its models (BASE-064).

    Args:
        bodies: Those of the unit who fall alike.
        models: How many of each group stand.
    """
    return most_common([body.profile.T for body in bodies], [sum(models[i] for i in body.groups) for body in bodies])


def most_common(T: Sequence[int], models: Sequence[Argument]) -> Ints:
    """Return the Toughness that most models have, the higher where two are equally common (BASE-064)."""
    highest_first = sorted({*T}, reverse=True)
    counts = [sum(n for of, n in zip(T, models, strict=True) if of == each) for each in highest_first]
    return np.array(highest_first)[np.argmax(np.broadcast_arrays(*counts), axis=0)]


def random_victims(dice: Dice, models: Models, wounds: Argument, names: Sequence[str]) -> Models:
    """Return who suffers wounds by Random Allocation: each falls on any one of those left (BASE-041)."""
    return picked(dice, models, wounds, names)


@asks("BASE-041", name="spared by Random Allocation")
def spared(dice: Dice, models: Some, wounds: Count = 1) -> Bools:
    """Return whether a named model of one Wound is spared by Random Allocation (BASE-041).

    Args:
        models: In the unit, the named one among them.
        wounds: Unsaved wounds; models are removed as they fall.
    """
    named, _ = random_victims(dice, (np.array(1), np.asarray(models) - 1), wounds, ("it", "the others"))
    return named == 0


def lead(ours: Argument, theirs: Argument) -> Ints:
    """Return by how many unsaved wounds a side has won; negative where it lost, 0 for a draw (BASE-034)."""
    return np.asarray(ours - theirs)


@asks("BASE-034", name="margin")
def margin(ours: int, theirs: int) -> int:
    """Return by how many wounds the winner is ahead; 0 for a draw (BASE-034).

    Args:
        ours: Unsaved wounds that one side caused.
        theirs: Unsaved wounds that the other caused.
    """
    return abs(int(lead(ours, theirs)))


def _caught_chance(behind: int) -> Fraction:
    return Fraction(sum(a - b >= behind for a in range(1, 7) for b in range(1, 7)), 36)


CAUGHT = Test(
    "sweeping advance",
    2,
    _caught_chance,
    lambda behind, a, b: a.astype(int) - b >= behind,
    "the winner's die less the loser's {} or more",
)
"""The winner's D6 and Initiative reach the loser's: target is the loser's Initiative less the winner's (BASE-036)."""


@asks("BASE-036", name="sweeping advance", ask="P(passed)")
def sweeping_advance(winner: Initiative, loser: Initiative) -> Draw:
    """Return whether a unit that falls back is caught (BASE-036).

    Args:
        winner: Initiative of the winner.
        loser: Initiative of the unit that runs.
    """
    return once(CAUGHT, loser - winner)
