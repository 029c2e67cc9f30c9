"""Memory that is freed is kept for the arrays to come: asking for it anew takes up to a third of the time."""

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4
"""What glibc calls its parameters."""


def keep_freed() -> None:
    """Tell the C library to keep what is freed, up to 128 MB; one that is not glibc goes on as it does."""
    if sys.platform == "linux" and (tell := getattr(ctypes.CDLL(None), "mallopt", None)):
        tell(_MMAP_MAX, 0)
        tell(_TRIM_THRESHOLD, 2**27)
