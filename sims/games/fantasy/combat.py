"""Hand-to-hand combat: blows, and who wins the round.

A need of 7, 8 or 9 to hit takes a 6 and then 4+, 5+ or 6.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sims.dice import HIGH, Draw, Ints, Volley, narrow
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.fantasy.book import Fantasy
from sims.games.fantasy.wounds import hurt, save_against, strength
from sims.inputs import Count, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.scenario import Force

BLOW = Volley((HIGH.named("to hit"),))
"""A blow that hits. Arguments: blows, need."""


@dataclass(frozen=True)
class Edge:
    """What helps or hinders a striker.

    Attributes:
        charging: The striker charged this turn.
        followed_up: The striker followed up after winning the last round.
        higher: The striker fights from higher ground.
        obstacle: The target is behind an obstacle.
        unarmed: The striker is unarmed.
    """

    charging: Truth = False
    followed_up: Truth = False
    higher: Truth = False
    obstacle: Truth = False
    unarmed: Truth = False


def modified(book: Fantasy, need: Argument, modifier: Argument) -> Ints:
    """Return a need to hit after what is added to the die (BASE-045)."""
    needs = book.tables.needs
    return np.minimum(np.maximum(need - modifier, needs.best), needs.impossible)


def need_to_hit(book: Fantasy, WS: int, target_WS: int) -> int:
    """Return the need of a blow from both Weapon Skills; those outside the chart are read as the nearest (BASE-044)."""
    rows = book.tables.to_hit.rows
    row = rows[min(max(WS, 1), len(rows)) - 1]
    return row[min(max(target_WS, 1), len(row)) - 1]


@asks("BASE-044", "BASE-045", name="blow in hand-to-hand combat", ask="P(passed)")
def blow(book: Fantasy, WS: int, target_WS: int, edge: Edge) -> Draw:
    """Return a blow that hits (BASE-044, BASE-045).

    Args:
        WS: The striker's Weapon Skill.
        target_WS: The target's Weapon Skill.
    """
    table = book.tables.blow_modifiers
    plain = edge.obstacle * table.obstacle + edge.unarmed * table.unarmed + edge.charging * table.charging
    modifier = edge.higher * narrow(table.higher) + edge.followed_up * narrow(table.followed_up) + plain
    return Draw(BLOW, (1, modified(book, need_to_hit(book, WS, target_WS), modifier)))


def blows(book: Fantasy, striking: Force, models: Models, who: Sequence[int], target: Unit, edge: Edge) -> list[Draw]:
    """Return the blows of some groups at models with one profile, to be drawn as one total of unsaved wounds.

    Source: fantasy game (BASE-044, BASE-045, BASE-049), wounds (BASE-046).

    Args:
        models: How many of each group can strike.
        who: The groups whose turn it is to strike.
        edge: What helps or hinders them.
    """
    draws = []
    for i in who:
        profile, weapon = striking.groups[i].profile, striking.groups[i].melee
        wounds = hurt(book, strength(profile, weapon), target.T, save_against(target, weapon))
        hits = blow(book, profile.WS, target.WS, edge)
        draws.append(hits.then(wounds).times(models[i] * profile.A).by(striking.groups[i].title))
    return draws


def score(
    book: Fantasy,
    wounds: Argument,
    charged: Argument = False,
    followed_up: Argument = False,
    ranks: Argument = 0,
    standard: Argument = False,
) -> Ints:
    """Return what a side scores in a round of combat (BASE-051).

    Args:
        wounds: Wounds it caused.
        charged, followed_up (bool): Whether it charged this turn; whether it followed up after winning the last round.
        ranks: Complete ranks beyond the first.
        standard (bool): A standard in the front rank.
    """
    table = book.tables.combat_result
    fixed = np.minimum(ranks, narrow(table.most_ranks)) + standard * narrow(table.standard)
    return wounds + fixed + charged * narrow(table.charged) + followed_up * narrow(table.followed_up)


@asks("BASE-051", name="ranks beyond the first")
def ranks_beyond_the_first(book: Fantasy, models: Count) -> Ints:
    """Return how many complete ranks beyond the first a unit in the open has, 0 if they are too narrow (BASE-051).

    Args:
        models: Models of the unit.
    """
    table = book.tables.ranks
    complete = models // narrow(table.frontage)
    return np.maximum(complete - 1, 0) * (table.frontage >= table.least)


def lead(book: Fantasy, wounds: Argument, charged: Argument, won: Argument) -> Ints:
    """Return by how much the first of two sides is ahead in a round (BASE-051; partly BASE-052).

    Args:
        wounds: By how many wounds it is ahead.
        charged, won: Who charged this turn, and who followed up after winning the last round: 1 for the first side, -1
            for the second, 0 for neither.
    """
    return score(book, wounds, charged, won)


@asks("BASE-051", name="combat result")
def margin(
    book: Fantasy,
    wounds: Count,
    against: Count,
    charged: Truth = False,
    followed_up: Truth = False,
    ranks: Count = 0,
    standard: Truth = False,
) -> Ints:
    """Return by how much a side wins a round of combat against one that has its wounds only (BASE-051).

    Args:
        wounds: Wounds it caused.
        against: Wounds it suffered.
        charged: It charged this turn.
        followed_up: It followed up after winning the last round.
        ranks: Its complete ranks beyond the first.
        standard: It has a standard in the front rank.
    """
    return score(book, wounds, charged, followed_up, ranks, standard) - score(book, against)
