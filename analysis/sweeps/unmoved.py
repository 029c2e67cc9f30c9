"""Which factors of a sweep change nothing, whatever the levels of the others."""

from collections.abc import Iterator, Mapping

from analysis.points.responses import ALIKE
from analysis.say.numbers import SELDOM, listed
from analysis.sweeps.sweep import Answer

MOST = 10_000
"""Points of a sweep of which this is asked: what is kept for it grows with their number."""
EXACTLY = ALIKE / SELDOM
"""What moves by no more than rounding does, as a part of what can be seen."""
PLANS = ("attackers.plan", "defenders.plan")


class Unmoved:
    """By how much each factor moves any response, by set of rules; those that move one visibly are forgotten.

    Args:
        varied: The place of each factor that has several levels, by its name.
        points: How many there are.
    """

    def __init__(self, varied: Mapping[str, int], points: int) -> None:
        self._varied = varied if points <= MOST else {}
        self._plans = [key for key in PLANS if key in varied]
        self._first = dict[tuple[str, str], dict[tuple[str, ...], dict[str, float]]]()
        self._most = dict[tuple[str, str], float]()
        self._titles = dict[str, str]()

    def add(self, answer: Answer) -> None:
        """Compare an answer with the first of those that differ from it in one factor alone."""
        self._titles[answer.rules] = answer.rule_set.title
        if answer.refused:
            return
        values = {name: each.value for name, each in answer.responses.items()}
        for name, place in self._varied.items():
            key = (name, answer.rules)
            if self._most.get(key, 0.0) >= 1:
                continue
            others = tuple(str(level.values) for i, level in enumerate(answer.cell.levels) if i != place)
            first = self._first.setdefault(key, {}).setdefault(others, values)
            if first is not values:
                far = max(_visible(name, abs(value - first[name])) for name, value in values.items())
                self._most[key] = max(self._most.get(key, 0.0), far)
                if far >= 1:
                    del self._first[key]

    def __iter__(self) -> Iterator[str]:
        """Yield for each factor that changes nothing, or next to nothing, under which rules that is so."""
        for name in self._varied:
            for how, least, most in (("nothing", 0.0, EXACTLY), ("next to nothing", EXACTLY, 1.0)):
                rules = [
                    self._titles[id] for (each, id), far in self._most.items() if each == name and least <= far < most
                ]
                if rules:
                    yield f"{name} changes {how} under {listed(rules)}{self._tried(name)}."

    def _tried(self, factor: str) -> str:
        """Say by which plans that was tried."""
        if factor in PLANS:
            return ""
        return ", by any plan tried" if self._plans else ", by these plans; others were not tried"


def _visible(response: str, far: float) -> float:
    """Return how far a response moves, as a part of what can be seen where it is written."""
    return far / (SELDOM if response.startswith("p_") else 100 * SELDOM)
