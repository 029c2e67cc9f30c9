"""Reactions: what a unit may do in another player's turn, by the condition that it is in."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from sims.dice import Bools
from sims.games.arap.book import Arap
from sims.games.arap.tables import Reaction
from sims.games.arap.unit import PURSUES, RUNS, Band, is_pinned
from sims.inputs import Truth
from sims.questions import asks


@dataclass(frozen=True)
class Condition:
    """What a unit is about when others give it an occasion to react.

    Attributes:
        pinned: Whether it is pinned.
        engaged: Whether it is in a fight already; its unengaged models may stand and fire.
        routing: Whether it routs.
        pursuing: Whether it pursues.
        charged: Whether it is charged; others may only intercept.
        behind: Whether it is charged from behind.
    """

    pinned: Truth = False
    engaged: Truth = False
    routing: Truth = False
    pursuing: Truth = False
    charged: Truth = True
    behind: Truth = False

    @staticmethod
    def when_charged(unit: Band) -> "Condition":
        """Return the condition of a unit that is charged, from the front, and in no other fight."""
        return Condition(pinned=is_pinned(unit.pinned), routing=unit.routs == RUNS, pursuing=unit.routs == PURSUES)


@asks("ARAP-055", name="may react")
def may_react(book: Arap, reaction: Reaction, unit: Condition) -> Bools:
    """Return whether a unit may react in another player's turn, for which it needs no activation.

    It may do what is left to it in each condition that it is in.

    Source: Reactions, with the sections of each (ARAP-055, ARAP-131, ARAP-185; partly ARAP-178, partly ARAP-180).

    Args:
        reaction: To run from a charge, to intercept that on another unit, or to stand and fire.
    """
    table, conditions = book.tables.reactions, vars(unit) | {"uncharged": np.logical_not(unit.charged)}
    kept_by = [is_so for condition, is_so in conditions.items() if reaction not in getattr(table, condition)]
    return ~reduce(np.logical_or, kept_by, np.asarray(False))
