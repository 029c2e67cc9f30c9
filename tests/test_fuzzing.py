"""Whatever is read: the work is done or refused in one message, soon, in little memory, without a traceback or an escape."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.fuzzing import WHOLE


@pytest.mark.skipif(os.name == "nt", reason="the fuzzer forks")
def test_what_is_spoilt_is_answered_or_refused_in_one_message(some):
    """The lowest seeds spoil nothing and are answered; the same seeds spoil the same everywhere."""
    seeds = some(range(400), lambda seed: seed if seed < len(WHOLE) else seed % 20)
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    tried = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing", *map(str, seeds)], capture_output=True, text=True, env=environment
    )
    assert tried.returncode == 0, tried.stdout + tried.stderr
