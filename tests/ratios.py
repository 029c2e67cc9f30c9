"""Speed is told as ratios within one run: `make bench` and `make judge` print them, with the seconds on either side."""

from collections.abc import Callable
from multiprocessing import get_context
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import pytest

Job = Callable[[], object]


class Told(NamedTuple):
    name: str
    first: float
    second: float
    ratio: float
    target: float
    clock: str


RATIOS: list[Told] = []


def by_the_clock(job: Job) -> float:
    """Seconds on the wall."""
    start = perf_counter()
    job()
    return perf_counter() - start


def by_the_processor(job: Job) -> float:
    """Seconds of this process on a processor."""
    start = process_time()
    job()
    return process_time() - start


def alone(job: Job) -> float:
    """Seconds of processor time in a process of its own, which has done nothing but import what the job is made of."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(by_the_processor, (job,))


@pytest.fixture
def ratio(benchmark, request) -> Callable[..., float]:
    """Run two things in turn and note how many times as fast the first is, as the median over rounds."""

    def compare(
        first: Job, second: Job, *, target: float, rounds: int = 9, seconds: Callable[[Job], float] = by_the_clock
    ) -> float:
        if benchmark.disabled:
            first()
            second()
            benchmark(lambda: None)
            return 0.0
        taken = [(seconds(first), seconds(second)) for _ in range(rounds)]
        benchmark.pedantic(first)  # for the table of pytest-benchmark; its rounds are not told
        ours, theirs = (median(side) for side in zip(*taken, strict=True))
        times = median(b / a for a, b in taken)
        benchmark.extra_info["ratio"] = times
        clock = "on the wall" if seconds is by_the_clock else "of the processor"
        RATIOS.append(Told(request.node.name, ours, theirs, times, target, clock))
        return times

    return compare


def pytest_terminal_summary(terminalreporter) -> None:
    for name, ours, theirs, times, target, clock in RATIOS:
        taken = f"{1000 * ours:.3g} ms against {1000 * theirs:.3g} {clock}"
        terminalreporter.write_line(f"{name}: {times:.3g} times as fast (aim: {target:g}), {taken}")
