"""Speed is told as ratios within one run: `make bench` prints them; the test suite only runs the code."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import pytest

RATIOS: list[tuple[str, float, float]] = []


@pytest.fixture
def ratio(benchmark, request) -> Callable[..., float]:
    """Run two things in turn and note how many times as fast the first is, as the median over rounds."""

    def compare(first: Callable[[], object], second: Callable[[], object], *, target: float, rounds: int = 9) -> float:
        if benchmark.disabled:
            first()
            second()
        times = []
        for _ in range(0 if benchmark.disabled else rounds):
            start = perf_counter()
            first()
            middle = perf_counter()
            second()
            times.append((perf_counter() - middle) / (middle - start))
        benchmark(first) if not benchmark.disabled else benchmark(lambda: None)
        if times:
            benchmark.extra_info["ratio"] = median(times)
            RATIOS.append((request.node.name, median(times), target))
        return median(times) if times else 0.0

    return compare


def pytest_terminal_summary(terminalreporter) -> None:
    for name, ratio, target in RATIOS:
        terminalreporter.write_line(f"{name}: {ratio:.2f} times as fast (aim: {target:g})")
