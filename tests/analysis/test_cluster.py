"""A cluster: a real scheduler with two workers answers as one process does, and what goes wrong is said."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest

from analysis.cli import run
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


@contextmanager
def scheduler_of(folder: Path, *options: str) -> Iterator[str]:
    """Give the address of a scheduler without workers."""
    file = folder / "scheduler.json"
    process = started("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file), *options)
    address = ""
    for _ in range(300):
        with suppress(OSError, ValueError):
            address = json.loads(file.read_text())["address"]
        if address:
            break
        sleep(0.1)
    try:
        yield address
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory) -> Iterator[str]:
    """Return the address of a scheduler without workers."""
    with scheduler_of(tmp_path_factory.mktemp("cluster")) as address:
        yield address


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
    """Those that are killed once they have begun come back no more."""
    work = spread(scheduler, sleep, [0.5] * 200, patience=15)
    next(work)
    for each in workers:
        each.kill()
    with pytest.raises(CasemateError, match="has had no worker for 15 s; what was finished before is kept"):
        list(work)


def test_nobody_there_is_said_after_a_while(scheduler):
    with pytest.raises(CasemateError, match=r"has no worker after 1 s; expected some, such as: dask worker tcp"):
        list(spread(scheduler, sleep, [0], patience=1))
    with pytest.raises(CasemateError, match=r"no scheduler answers at nonsense .*; expected the address"):
        list(spread("nonsense", sleep, [0]))


def test_an_address_that_dask_cannot_use_is_said_at_once():
    for address in ("ucx://127.0.0.1:8786", "inproc://x", "http://127.0.0.1"):
        with pytest.raises(
            CasemateError, match=f"a scheduler cannot be at {address}; expected tcp://host:8786, or tls://"
        ):
            list(spread(address, sleep, [0]))
    with pytest.raises(CasemateError, match=r"tls://127.0.0.1:8786: Dask has no certificates; expected some"):
        list(spread("tls://127.0.0.1:8786", sleep, [0]))


@pytest.fixture
def certified(tmp_path, monkeypatch) -> None:
    """Let Dask have a certificate, by the names that its configuration has in the environment."""
    files = {"cert": tmp_path / "own.pem", "key": tmp_path / "own.key"}
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    try:
        command = ["openssl", *made, "-out", files["cert"], "-keyout", files["key"]]
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl, which makes the certificate, is not here")
    given = {"REQUIRE_ENCRYPTION": "True", "TLS__CA_FILE": files["cert"]}
    given |= {f"TLS__{who}__{what.upper()}": files[what] for who in ("SCHEDULER", "WORKER", "CLIENT") for what in files}
    for name, value in given.items():
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__{name}", str(value))


SWEEP = ["sweep", "--vary", "turns=1,2", "--rules", "storming", "--no-store", "--json"]


def swept(*more: str) -> tuple[int, str, str]:
    """Give the command in a process of its own, which reads the configuration of Dask."""
    given = "import sys; from analysis.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", given, *SWEEP, *more], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_certificates_keep_others_out_and_the_command_works(certified, tmp_path):
    with scheduler_of(tmp_path, "--protocol", "tls") as address:
        assert address.startswith("tls://")
        one = worker(address)
        try:
            assert swept("--cluster", address) == swept("--workers", "1")
            code, out, err = swept("--cluster", address.replace("tls", "tcp"))
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert "no scheduler answers at tcp://" in err
        finally:
            one.kill()
            one.wait()


def test_whom_dask_trusts_is_said(scheduler, workers, capsys):
    code, out, err = swept("--cluster", scheduler)
    assert (code, out) == swept("--workers", "1")[:2]
    assert err == (
        f"casemate: Dask trusts whoever can reach {scheduler}: they can run any program on its workers and on this machine; "
        "tls:// keeps others out (casemate sweep --help)\n"
    )
    assert run(["sweep", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.replace("│", "").split())
    assert "Whoever can reach it can run any program" in shown
    assert "Dask trusts everybody" in shown
    assert "Dask trusts everybody" in (ROOT / "README.md").read_text("utf-8")


def test_dask_is_asked_for_where_it_is_not(monkeypatch):
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(CasemateError, match="Dask is not installed; expected it from: pip install"):
        list(spread("tcp://127.0.0.1:8786", sleep, [0]))
