"""How a notebook prints an answer."""

from collections.abc import Iterable, Iterator
from typing import Any

from analysis.comparing import terminal
from analysis.comparing.compare import Comparison
from analysis.deciding import receipt_opening, receipt_words, versus_words
from analysis.deciding.receipt import Receipt
from analysis.deciding.versus import Versus
from analysis.findings import assaults
from analysis.library import odds
from analysis.library.odds import Asked
from analysis.say import blocks
from analysis.say.console import console
from analysis.told import replay as telling
from analysis.told.chances import Course
from sims.errors import CasemateError
from sims.replay import Move, Replay


def show(
    found: Comparison | Receipt | Versus | Asked | Replay | Move | Iterable[blocks.Block],
    course: Course | None = None,
) -> None:
    """Print an answer for people, in the words of its command.

    >>> from analysis import odds, show
    >>> show(odds("1D2", ask="mean"))
    1D2
    3/2 = 1.5

    Of a receipt it prints what moves; `shares` and `weigh` answer what does it, and what it is worth.

    Args:
        found: What `compare`, `versus`, `receipt`, `odds` or `play` returns, a move of a game, or what `verdict` and
            `baseline_summary` say.
        course: For a game: says the chances of each end after every move. It must have followed none yet.

    Raises:
        CasemateError: If there are no words for it.
    """
    match found:
        case Comparison():
            terminal.show(found, assaults.opening(found))
        case Receipt():
            names = (found.before.file or found.before.id, found.after.file or found.after.id)
            words = receipt_words.blocks(found, [], {}, None, names)
            blocks.show(console(), [receipt_opening.first_word(found), *words])
        case Versus():
            blocks.show(console(), versus_words.blocks(found, versus_words.aim(found)))
        case Asked():
            odds.show(found)
        case Replay():
            telling.show(found, course)
        case Move():
            telling.show_move(found, course)
        case _:
            said: list[Any] = [*found] if isinstance(found, list | tuple | Iterator) else [None]
            if not all(isinstance(each, str | blocks.Heading | blocks.Grid | blocks.Code) for each in said):
                expected = "what compare, versus, receipt, odds or play returns, or verdict and baseline_summary say"
                raise CasemateError(f"there are no words for {type(found).__name__}; expected {expected}")
            blocks.show(console(), said)
