"""Firing ports of a bunker: whether their shutters are open."""

from typing import Literal

import numpy as np

from sims.dice import Bools
from sims.dice.source import Argument
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini


def port_open(book: Gemini, fired: Argument, just_now: Argument, shuttered: bool = True) -> Bools:
    """Return whether ports stand open: shutters do if the garrison has fired from them, ever or just now (GB-149)."""
    ruling = book.rulings.shutters
    if ruling("none") or not shuttered:
        return np.ones_like(np.asarray(fired), dtype=np.bool_)
    return np.asarray(fired if ruling("stay_open") else just_now) > 0


@asks("GB-149", name="shuttered ports")
def ports_can_be_hit(
    book: Gemini, shuttered: bool = True, fired: Literal["never", "last turn", "earlier"] = "never"
) -> Bools:
    """Return whether a port can be shot through (GB-149).

    Parameters
    ----------
    book : Gemini
    shuttered : bool
        Whether it has shutters.
    fired : str
        When the occupants fired from it.
    """
    return port_open(book, fired != "never", fired == "last turn", shuttered)
