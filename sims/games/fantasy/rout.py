"""Routs, and free hacks at those who rout."""

import numpy as np

from sims.dice import PLAIN_LEADERSHIP, Draw, Volley
from sims.games.fantasy.book import Fantasy
from sims.games.fantasy.wounds import hurt
from sims.inputs import NONE, Count, Leadership, Save, Strength, Toughness
from sims.questions import asks

ROUT = Volley((PLAIN_LEADERSHIP.failed,))
"""2D6 above Leadership (BASE-053). Arguments: tests, Leadership."""


@asks("BASE-053", name="rout", ask="P(>=1)")
def rout(book: Fantasy, Ld: Leadership, models: Count = 20, lost: Count = 5) -> Draw:
    """Return whether a unit that lost a round routs, for which it must have lost a quarter (BASE-053).

    A unit that is wiped out does not test.

    Parameters
    ----------
    models : int
        Models at the start.
    lost : int
        Models lost so far.
    """
    tests = (book.tables.rout.part * np.asarray(lost) >= models) & (np.asarray(lost) < models)
    return Draw(ROUT, (tests, np.where(tests, Ld, 0)))


@asks("BASE-054", name="free hack", ask="P(=1)")
def hack(book: Fantasy, S: Strength, T: Toughness, save: Save = NONE) -> Draw:
    """Return a free hack that kills: it hits, and is not struck back (partly BASE-054).

    Parameters
    ----------
    S : int
        Strength of the victor.
    T : int
        Toughness of the router.
    save : int
        What the router's armour needs without a shield, or none.
    """
    return hurt(book, S, T, save)
