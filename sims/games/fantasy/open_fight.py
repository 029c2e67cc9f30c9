"""A round of hand-to-hand combat between two units: who strikes when, what helps them in the open, who falls."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sims.dice import Dice, Ints, narrow
from sims.dice.source import Argument
from sims.forces import Models, chosen, total
from sims.games.common import StepOfBlows
from sims.games.fantasy.book import Fantasy, has_standard
from sims.games.fantasy.combat import Edge, blows, ranks_beyond_the_first, score
from sims.games.fantasy.targets import Targets
from sims.inputs import Count, Inches, Truth
from sims.questions import asks
from sims.scenario import Force


@dataclass(frozen=True)
class Fighters:
    """Those of a unit who can be struck, who of them strike, and what helps them."""

    those: Targets
    strikers: Models
    edge: Edge


def edge_in_the_open(charged: Argument, won: Argument) -> Edge:
    """Return what helps a blow: a charge, and following up (BASE-045, BASE-056; partly BASE-052).

    Args:
        charged (bool): The striker charged this turn.
        won (bool): The striker won the last round.
    """
    return Edge(charging=charged, followed_up=won)


@asks("BASE-050", name="models that fight in the open")
def front_rank(book: Fantasy, models: Count) -> Ints:
    """Return how many of a unit in the open fight: its front rank, or all of them in loose order (BASE-050).

    Args:
        models: Models of the unit.
    """
    rulings = book.rulings
    if rulings.fighting_in_the_open("all") or rulings.formation_in_the_open("loose"):
        return np.asarray(models)
    return np.minimum(models, narrow(book.tables.ranks.frontage))


def in_front(book: Fantasy, models: Models) -> Models:
    """Return who of a unit in the open fights: the leader and special models stand in the front rank (BASE-050)."""
    return chosen(models, front_rank(book, total(models)), range(len(models)))


@asks("BASE-052", name="inches after a push-back")
def pushed_back(book: Fantasy, inches: Inches, loses: Truth = True) -> Ints:
    """Return how far from a wall a unit is after a round: losers are pushed back and followed (partly BASE-052).

    Args:
        inches: To the wall behind the enemy, before the round.
        loses: It is this unit that loses; else the enemy, who goes no farther than to the wall.
    """
    give = book.tables.push_back.inches
    return np.where(loses, inches + give, np.maximum(inches - give, 0))


def score_of_formation(book: Fantasy, force: Force, models: Ints) -> Ints:
    """Return what those of a unit whom a round has left score in the open for ranks and their standard (BASE-051)."""
    if book.rulings.formation_in_the_open("loose"):
        return 0 * models
    standard = score(book, 0, standard=has_standard(force.unit) & (models > 0))
    return standard if has_counted_ranks(book) else standard + score_of_ranks(book, models)


def score_of_ranks(book: Fantasy, models: Ints) -> Ints:
    """Return what some models of a unit score in the open for their ranks (BASE-051)."""
    return score(book, 0, ranks=ranks_beyond_the_first(book, models))


def has_counted_ranks(book: Fantasy) -> bool:
    """Return whether ranks have been counted by the time the blows are struck (BASE-051)."""
    return book.rulings.formation_in_the_open("drawn_up") and book.rulings.ranks_counted("before_the_blows")


def wounds_by(
    dice: Dice, label: str, book: Fantasy, strikers: Fighters, who: Sequence[int], targets: Fighters
) -> Models:
    """Let some groups strike; return the unsaved wounds of each body of the others, no more than there are to lose.

    Source: fantasy game (BASE-044, BASE-045, BASE-046, BASE-049).
    """
    if not who:
        return tuple(map(np.zeros_like, targets.those.hurt))
    force, models = strikers.those.force, strikers.strikers
    return targets.those.suffer(dice, label, lambda target: [blows(book, force, models, who, target, strikers.edge)])


def trade_blows(
    dice: Dice, book: Fantasy, attackers: Fighters, defenders: Fighters, step: StepOfBlows
) -> tuple[Models, Models]:
    """Let the groups strike whose turn it is, those of equal Initiative together; return the wounds of either side.

    Source: fantasy game (BASE-050).

    Returns:
        caused, suffered: Unsaved wounds on each body of the defenders, and of the attackers.
    """
    ours, theirs = step
    caused = wounds_by(dice, "attackers' blows", book, attackers, ours, defenders)
    return caused, wounds_by(dice, "defenders' blows", book, defenders, theirs, attackers)
