"""A cluster: the same batches on an existing Dask scheduler, wherever its workers are.

What goes to and fro is pickled, so whoever reaches the scheduler runs what he likes on the workers, and here.
"""

import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from logging import CRITICAL, getLogger
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from analysis.points.version import digest
from sims.errors import CasemateError

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
J = TypeVar("J")

PATIENCE = 30.0
"""Seconds that are waited for a worker."""


class Version(NamedTuple):
    """What has to be the same wherever numbers are computed."""

    casemate: str
    python: str
    numpy: str


def _here() -> Version:
    return Version(digest(), platform.python_version(), np.__version__)


def spread(address: str, rule: Callable[[J], T], jobs: Sequence[J], patience: float = PATIENCE) -> Iterator[T]:
    """Do some jobs on a cluster, and yield what comes of each in their order, as soon as it is there.

    Args:
        address: Of the scheduler, such as ``tcp://host:8786``, or ``tls://host:8786`` with the certificates that Dask
            is configured with.
        rule: What is done to a job.
        patience: Seconds that are waited for a worker, at the start and whenever there is none any more.

    Raises:
        CasemateError: If Dask is not there or has no certificates, nobody answers, a worker has another version, or
            there is no worker for too long.
    """
    with _connected(address, patience) as client, _watched(client, patience) as deserted:
        try:
            doing = [client.submit(_checked, _here(), rule, job, pure=False) for job in jobs]
            for i, future in enumerate(doing):
                yield future.result()
                doing[i] = None  # what it holds is let go on the cluster
        except (CancelledError, OSError, TimeoutError) as error:
            if deserted.is_set():
                raise CasemateError(f"{address} has had no worker for {patience:g} s; {_KEPT}") from error
            raise CasemateError(f"{address} does not answer any more; {_KEPT}") from error


_KEPT = "what was finished before is kept, and the same command goes on from there"


def _checked(version: Version, rule: Callable[[J], T], job: J) -> T:
    """Do a job, on a worker that has come later as well only with the same version."""
    if differing := _differing(version):
        raise CasemateError(f"a worker on {platform.node()} has {differing}")
    return rule(job)


def _differing(ours: Version) -> str:
    """Say on a worker in what its version is not that of those who ask."""
    pairs = zip(("another version of Casemate", "Python", "NumPy"), ours, _here(), strict=True)
    return ", ".join(f"{what} {theirs[:12]}, not {mine[:12]}" for what, mine, theirs in pairs if mine != theirs)


@contextmanager
def _connected(address: str, patience: float) -> "Iterator[Client]":
    """Give a client of a scheduler whose workers have all the version of this process."""
    if find_spec("distributed") is None:
        raise CasemateError('Dask is not installed; expected it from: pip install "casemate[cluster]"')
    from distributed import Client, Security

    scheme, colon, _ = address.partition("://")
    if colon and scheme not in ("tcp", "tls"):
        raise CasemateError(f"a scheduler cannot be at {address}; expected tcp://host:8786, or tls://host:8786")
    getLogger("distributed.client").setLevel(CRITICAL)  # what goes wrong is said by an error
    try:
        if scheme == "tls" and not Security().get_connection_args("client").get("ssl_context"):
            raise CasemateError(
                f"{address}: Dask has no certificates; expected some in its configuration: casemate sweep --help"
            )
        client = Client(address, timeout=10)
    except (OSError, RuntimeError, ValueError, TimeoutError) as error:
        raise CasemateError(
            f"no scheduler answers at {address} ({error}); expected the address that `dask scheduler` prints, such as "
            f"tcp://host:8786"
        ) from error
    try:
        try:
            client.wait_for_workers(1, timeout=patience)
        except TimeoutError as error:
            raise CasemateError(
                f"{address} has no worker after {patience:g} s; expected some, such as: dask worker {address}"
            ) from error
        _same(client)
        if scheme != "tls":
            getLogger("casemate").warning(
                f"casemate: Dask trusts whoever can reach {address}: they can run any program on its workers and on "
                f"this machine; tls:// keeps others out (casemate sweep --help)"
            )
        yield client
    finally:
        with suppress(Exception):  # it may have gone
            client.close(timeout=2)


def _same(client: "Client") -> None:
    """Refuse workers that would compute something else: which, and in what they differ."""
    wrong = list[str]()
    for worker, said in sorted(client.run(_differing, _here(), on_error="return").items()):
        if not isinstance(said, str):
            wrong.append(f"{worker} cannot run Casemate ({said})")
        elif said:
            wrong.append(f"{worker} has {said}")
    if wrong:
        raise CasemateError(f"not every worker has the version of this machine: {'; '.join(wrong)}")


@contextmanager
def _watched(client: "Client", patience: float) -> Iterator[Event]:
    """Leave a scheduler that has no worker for too long; the event tells so."""
    deserted, over = Event(), Event()

    def watch() -> None:
        lonely = 0.0
        while not over.wait(patience / 30):
            lonely = 0.0 if _workers(client) else lonely + patience / 30
            if lonely >= patience:
                deserted.set()
                client.close(timeout=2)
                return

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield deserted
    finally:
        over.set()
        thread.join(timeout=patience)


def _workers(client: "Client") -> int:
    """Return how many workers there are; while the scheduler does not answer it is not their fault."""
    try:
        info: Any = client.scheduler_info(n_workers=-1)
    except Exception:
        return 1
    return len(info["workers"])
