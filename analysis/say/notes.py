"""What is said beside an answer."""

import sys

from sims.errors import visible


def note(message: str) -> None:
    """Print on standard error what is no part of an answer."""
    print(visible(message), file=sys.stderr)
