"""A round of hand-to-hand combat between two units: who strikes when, what helps them in the open, who falls."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sims.dice import Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.common import StepOfBlows
from sims.games.fantasy.book import Fantasy, has_standard
from sims.games.fantasy.combat import Edge, blows, ranks_beyond_the_first, score
from sims.games.fantasy.targets import Targets
from sims.scenario import Force


@dataclass(frozen=True)
class Fighters:
    """Those of a unit who fight and can be struck, and what helps them."""

    those: Targets
    edge: Edge


def edge_in_the_open(charged: Argument, won: Argument) -> Edge:
    """Return what helps a blow: a charge, and following up (BASE-045; partly BASE-052, partly BASE-056).

    Args:
        charged (bool): The striker charged this turn.
        won (bool): The striker won the last round; the two inches of a push-back are not measured.
    """
    return Edge(charging=charged, followed_up=won)


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
    force, models = strikers.those.force, strikers.those.among
    return targets.those.suffer(dice, label, lambda target: [blows(book, force, models, who, target, strikers.edge)])


def trade_blows(
    dice: Dice, book: Fantasy, attackers: Fighters, defenders: Fighters, step: StepOfBlows
) -> tuple[Models, Models]:
    """Let the groups strike whose turn it is, those of equal Initiative together; return the wounds of either side.

    Source: fantasy game (partly BASE-050).

    Returns:
        caused, suffered: Unsaved wounds on each body of the defenders, and of the attackers.
    """
    ours, theirs = step
    caused = wounds_by(dice, "attackers' blows", book, attackers, ours, defenders)
    return caused, wounds_by(dice, "defenders' blows", book, defenders, theirs, attackers)
