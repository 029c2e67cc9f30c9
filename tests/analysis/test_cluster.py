"""A cluster: a real scheduler with two workers answers as one process does, and what goes wrong is said."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Timer
from time import sleep

import pytest

from analysis.points import cluster
from analysis.points.batches import play
from analysis.points.cluster import Version, spread
from analysis.points.point import Played
from sims.errors import CasemateError
from tests.analysis.test_batches import grid, told

ROOT = Path(__file__).parents[2]


def started(program: str, *options: str) -> subprocess.Popen:
    command = [sys.executable, "-m", f"distributed.cli.{program}", *options, "--no-dashboard"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def worker(address: str) -> subprocess.Popen:
    return started("dask_worker", address, "--nthreads", "1", "--no-nanny")


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory) -> Iterator[str]:
    """Return the address of a scheduler without workers."""
    file = tmp_path_factory.mktemp("cluster") / "scheduler.json"
    process = started("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    address = ""
    for _ in range(300):
        with suppress(OSError, ValueError):
            address = json.loads(file.read_text())["address"]
        if address:
            break
        sleep(0.1)
    yield address
    process.kill()
    process.wait()


@pytest.fixture
def workers(scheduler) -> Iterator[list[subprocess.Popen]]:
    both = [worker(scheduler) for _ in range(2)]
    yield both
    for each in both:
        each.kill()
        each.wait()


def test_a_cluster_answers_as_one_process_does(scheduler, workers):
    points = grid() + grid("gw_updated") + grid("gemini")
    assert told(points, [*play(points, Played(), workers=scheduler)]) == told(points, [*play(points, Played())])


def test_a_single_worker_is_handed_the_work(scheduler):
    one = worker(scheduler)
    assert {*spread(scheduler, eval, ["__import__('os').getpid()"] * 3)} == {one.pid}
    one.kill()
    one.wait()


def test_workers_with_another_version_are_refused_by_name(scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "_here", lambda: Version("0" * 64, "2.7", "1.0"))
    with pytest.raises(
        CasemateError, match=r"tcp://127.0.0.1:\d+ has another version of Casemate .*, Python .* not 2.7, NumPy"
    ):
        list(spread(scheduler, sleep, [0]))


def test_work_without_workers_stops_and_says_so(scheduler, workers):
    """Those that are killed come back no more."""
    for each in workers:
        Timer(3, each.kill).start()
    with pytest.raises(CasemateError, match="has had no worker for 5 s; what was finished before is kept"):
        list(spread(scheduler, sleep, [0.5] * 200, patience=5))


def test_nobody_there_is_said_after_a_while(scheduler):
    with pytest.raises(CasemateError, match=r"has no worker after 1 s; expected some, such as: dask worker tcp"):
        list(spread(scheduler, sleep, [0], patience=1))
    with pytest.raises(CasemateError, match=r"no scheduler answers at nonsense .*; expected the address"):
        list(spread("nonsense", sleep, [0]))


def test_dask_is_asked_for_where_it_is_not(monkeypatch):
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(CasemateError, match="Dask is not installed; expected it from: pip install"):
        list(spread("tcp://127.0.0.1:8786", sleep, [0]))
