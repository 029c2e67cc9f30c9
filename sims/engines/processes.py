"""Other processes of this machine, which play beside this one."""

import os
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from joblib import Parallel

EVERY = 1.0
"""Seconds between two looks at whether the process is still there for which another works."""


def parallel(workers: int, **how: Any) -> "Parallel":
    """Return what does jobs on so many processes, which end with this one, even if it is killed.

    Windows does not tell that; there they end when they have finished.
    """
    from joblib import Parallel  # a third of a second to import

    return Parallel(n_jobs=workers, backend="loky", initializer=_end_with, initargs=(os.getpid(),), **how)


def _end_with(starter: int) -> None:
    """Let this process end when the one that has started it is gone: it may wait for that one to read its answer."""

    def watch() -> None:
        while os.getppid() == starter:
            sleep(EVERY)
        os._exit(1)

    if os.name != "nt" or os.getppid() == starter:  # it may be gone before this one has begun
        Thread(target=watch, daemon=True).start()
