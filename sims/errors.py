"""What Casemate says when it cannot go on: always a sentence for a person, never a traceback."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

LONGEST, LONGEST_WORD = 1400, 300
"""Letters of a message, and of one word in it: what was given is repeated, but not if it is as long as a book."""
MOST_FAULTS = 20
"""Faults that are gathered before they are reported."""

_HIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""Return a text with its control characters written out, so that it cannot steer a terminal or turn text around.

    >>> print(visible("a\x1b[31m\u202eb"))
    a\x1b[31m\u202eb
    """
    return _HIDDEN.sub(lambda found: ascii(found[0])[1:-1], text)


def brief(message: str) -> str:
    """Return a message as it can be shown: without control characters, with long words and the whole cut to length."""
    shown = visible(_cut(message, 20 * LONGEST))  # which keeps the search for long words short
    words = re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: _cut(word[0], LONGEST_WORD), shown)
    return _cut(words, LONGEST)


def _cut(text: str, most: int) -> str:
    """Leave out what is in the middle of a text of more letters than that; what was expected stands at the end."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 5]} ... {text[-end:]}"


class CasemateError(Exception):
    """Something the user gave cannot be used; the message says what, where and what was expected.

    Attributes:
        whole: The message before it is cut to length.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(brief(message))
        self.whole = message


class UnfitError(CasemateError):
    """A value cannot stand where it is given, whatever else is given."""


class BudgetError(CasemateError):
    """An exact answer would need more cells or transitions than allowed.

    Attributes:
        smaller: Values that would make it smaller, by the keys of files.
    """

    def __init__(self, message: str = "", smaller: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.smaller = smaller or {}


MOST_NAMED = 12
"""Valid names that a message lists at most."""


def closest(given: str, valid: Iterable[str]) -> str | None:
    """Return the valid name that comes closest to the one given, in any case, if any is near."""
    small = {name.lower(): name for name in valid}
    close = get_close_matches(given.lower(), small, n=1)
    return small[close[0]] if close else None


def nearest(given: str, valid: Iterable[str]) -> str:
    """Say which valid name comes closest to the one given, or list the valid ones.

    Returns a clause to end a sentence with: ``did you mean "bunker"?`` or ``expected one of a, b``.
    """
    names = sorted(valid)
    if close := closest(given, names):
        return f'did you mean "{close}"?'
    if not names:
        return "there is none to choose from"
    more = f", ... ({len(names)} in all)" if len(names) > MOST_NAMED else ""
    return "expected one of " + ", ".join(names[:MOST_NAMED]) + more


class Faults:
    """Gathers what is wrong, to be said all at once: each fault ends its own ``with faults:`` block, and no more.

    >>> faults = Faults()
    >>> with faults:
    ...     raise CasemateError("the first")
    >>> with faults:
    ...     raise CasemateError("the second")
    >>> faults.tell()
    Traceback (most recent call last):
    sims.errors.CasemateError: the first
    the second
    """

    def __init__(self) -> None:
        self._said: list[str] = []

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, CasemateError):
            return False
        self._said.append(error.whole)
        if len(self._said) == MOST_FAULTS:  # to look for what may be meant instead takes its time
            self.tell()
        return True

    def tell(self) -> None:
        """Raise what was gathered, if anything was: a `CasemateError` with a line for each fault."""
        if self._said:
            raise CasemateError("\n".join(self._said))
