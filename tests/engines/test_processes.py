"""Other processes end with the one for which they work."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from joblib import delayed

from sims.engines.processes import parallel
from tests.conftest import ROOT

WORK = """
import sys, time
from pathlib import Path
from joblib import delayed
from sims.engines.processes import parallel

def work(file):
    for _ in range(600):
        Path(file).write_text(str(time.time()))
        time.sleep(0.1)

parallel(2)(delayed(work)(file) for file in sys.argv[1:])
"""


@pytest.mark.slow
def test_processes_end_when_the_one_for_which_they_work_is_killed(tmp_path):
    files = [tmp_path / "one", tmp_path / "two"]
    script = tmp_path / "work.py"
    script.write_text(WORK)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    going = subprocess.Popen([sys.executable, str(script), *map(str, files)], env=environment)
    _wait(lambda: all(file.exists() for file in files))
    going.kill()
    going.wait()
    assert _wait(lambda: _silent(files))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there are no signal masks on Windows")
def test_ctrl_c_reaches_the_one_that_has_started_the_others_alone():
    masks = parallel(2)(delayed(signal.pthread_sigmask)(signal.SIG_BLOCK, []) for _ in range(4))
    assert all(signal.SIGINT in mask for mask in masks)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def _silent(files: list[Path]) -> bool:
    """Return whether nobody writes to some files within a second."""
    before = [file.read_text() for file in files]
    time.sleep(1)
    return [file.read_text() for file in files] == before


def _wait(until) -> bool:
    deadline = time.monotonic() + 30
    while not until():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True
