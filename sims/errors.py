"""What Casemate says when it cannot go on: always a sentence for a person, never a traceback."""

from collections.abc import Iterable
from difflib import get_close_matches


class CasemateError(Exception):
    """Something the user gave cannot be used; the message says what, where and what was expected."""


class BudgetError(CasemateError):
    """An exact answer would need more cells than allowed."""


MOST_NAMED = 12
"""Valid names that a message lists at most."""


def nearest(given: str, valid: Iterable[str]) -> str:
    """Say which valid name comes closest to the one given, or list the valid ones.

    Returns a clause to end a sentence with: ``did you mean "bunker"?`` or ``expected one of a, b``.
    """
    names = sorted(valid)
    close = get_close_matches(given, names, n=1)
    if close:
        return f'did you mean "{close[0]}"?'
    if not names:
        return "there is none to choose from"
    more = f", ... ({len(names)} in all)" if len(names) > MOST_NAMED else ""
    return "expected one of " + ", ".join(names[:MOST_NAMED]) + more
