"""Other processes of this machine, which play beside this one."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker as standard_tracker
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from joblib import Parallel

EVERY = 1.0
"""Seconds between two looks at whether the process is still there for which another works."""


def parallel(workers: int, **how: Any) -> "Parallel":
    """Return what does jobs on so many processes, which end with this one, even if it is killed.

    Ctrl-C is left to this one. Windows does not tell that it has ended; there they end when they have finished.
    """
    from joblib import Parallel, delayed  # a third of a second to import

    own: dict[str, Any] = {"backend": "loky", "initializer": _end_with, "initargs": (os.getpid(),)}
    with _without_interrupts():
        Parallel(workers, **own)(delayed(os.getpid)() for _ in range(workers))
    return Parallel(workers, **own, **how)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait: processes that are started meanwhile never see it."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    from joblib.externals.loky.backend import resource_tracker

    for tracker in (resource_tracker, standard_tracker):
        tracker.ensure_running()  # else these two are started with the others, and let Ctrl-C through to them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(starter: int) -> None:
    """Let this process end when the one that has started it is gone: it may wait for that one to read its answer."""

    def watch() -> None:
        while os.getppid() == starter:
            sleep(EVERY)
        os._exit(1)

    if os.name != "nt" or os.getppid() == starter:  # it may be gone before this one has begun
        Thread(target=watch, daemon=True).start()
