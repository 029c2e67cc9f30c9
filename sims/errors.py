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
    small = {name.lower(): name for name in names}
    if close := get_close_matches(given.lower(), small, n=1):
        return f'did you mean "{small[close[0]]}"?'
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
        if isinstance(error, CasemateError):
            self._said.append(str(error))
        return isinstance(error, CasemateError)

    def tell(self) -> None:
        """Raise what was gathered, if anything was: a `CasemateError` with a line for each fault."""
        if self._said:
            raise CasemateError("\n".join(self._said))
