"""What is said of dice at the table: of a die, of one test, and what the test is for."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from sims.dice.die import Bools, Die, Ints
from sims.dice.targets import BEST_OF_TWO, BEST_OF_TWO_TWICE, GOAL, HIGH, LOW, PLAIN_LOW, UNDER, Test

Face = Callable[[str, int, int], int]
"""``face(part, sides, row)`` is what one die shows."""

_NAMELESS = {
    test.name.partition(",")[0] for test in (LOW, PLAIN_LOW, HIGH, GOAL, UNDER, BEST_OF_TWO, BEST_OF_TWO_TWICE)
}
"""Names of rolls that say nothing of what they are for."""


def listed(items: Iterable[object]) -> str:
    """Put things one after the other, as faces are read out."""
    return " ".join(map(str, items))


def dice_in_words(name: str) -> str:
    """Return the name of a die as players say it: the two lowest of 3D6 for R3D6P2 down."""
    if found := re.fullmatch(r"R(\d+)(D\d+)P(\d+) (up|down)", name):
        n, die, k, arrow = found.groups()
        return f"the {k} {'highest' if arrow == 'up' else 'lowest'} of {n}{die}"
    return name


def part_in_words(part: str) -> str:
    """Return the name of a part without the numbers that only tell it apart."""
    return part.split(": ")[-1].strip("0123456789 ")


def scored(die: Die, face: Face, n: int, part: str = "dice") -> tuple[list[list[int]], list[int]]:
    """Return the faces of each of n throws of a die, and the score of each."""
    throws = [[face(f"{part} {d}", sides, row) for d, sides in enumerate(die.sides)] for row in range(n)]
    return throws, [int(die.read(*map(np.array, faces))) for faces in throws]


def d6(face: Face, part: str, row: int) -> Callable[[int], int]:
    """Return the dice of one test, by number."""
    return lambda d: face(f"{part} {d}", 6, row)


def purpose(test: Test) -> str:
    """Return what a test is for: its name, if a rule has given it one, and what its own name adds after a comma."""
    name, comma, more = test.name.removeprefix("failed ").partition(",")
    return more.strip() if name in _NAMELESS else name + comma + more


class Told:
    """Asks for the faces of a roll as it is told, each once, and then answers by them; no other die matters."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._shown: dict[tuple[str, int], int] = {}

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces, in the order in which they were told."""
        return tuple(self._shown.values())

    def face(self, part: str, sides: int, row: int) -> int:
        """Return what a die shows."""
        if (part, row) not in self._shown:
            self._shown[part, row] = self._face(part, sides, row)
        return self._shown[part, row]

    def cast(self, part: str, sides: int, rows: int) -> Ints:
        """Return the faces of one trial, ``[rows, 1]``."""
        return np.array([self._shown.get((part, row), 1) for row in range(rows)], dtype=np.int64).reshape(rows, 1)


def signed(who: str, lines: Iterable[str]) -> Iterator[str]:
    """Put who throws, if that is known, before the first of some lines."""
    for i, line in enumerate(lines):
        yield f"{who}: {line}" if who and not i else line


@lru_cache(maxsize=1024)
def _passed(test: Test, target: int) -> tuple[list[int], Bools]:
    """Return the dice of a test that matter against a target, and whether it is passed by their faces."""
    passed = np.asarray(test.passes(np.array(target), *np.indices((6,) * test.dice) + 1), dtype=np.bool_)
    axes = [axis for axis in range(test.dice) if (passed != np.roll(passed, 1, axis)).any()]
    return axes, passed[tuple(slice(None) if axis in axes else 0 for axis in range(test.dice))]


@lru_cache(maxsize=1024)
def _together(test: Test) -> bool:
    """Return whether the dice of a test are one throw; else they are thrown in turn, while the test is open."""
    return test.dice > 4 or not all(_in_turn(_passed(test, target)[1]) for target in range(-5, 14))


def _in_turn(passed: Bools) -> bool:
    """Return whether later dice need the same, whatever has left the test open."""
    if passed.ndim < 2:
        return True
    still_open = [rest for rest in passed if rest.any() != rest.all()]
    return all((rest == still_open[0]).all() for rest in still_open) and _in_turn(still_open[0])


def thrown(test: Test, target: int, die: Callable[[int], int]) -> tuple[str, bool]:
    """Return the dice of one test in words, "" if none matters, and whether it is passed.

    Args:
        die: ``die(d)`` is the face of die d; asked for those dice only that are thrown.
    """
    axes, passed = _passed(test, target)
    together = _together(test)
    added = passed.ndim == 2 and bool((passed[1:, :-1] == passed[:-1, 1:]).all())
    shown: list[int] = []
    for axis in axes:
        if together or passed.any() != passed.all():
            shown.append(die(axis))
            passed = passed[shown[-1] - 1]
    between = " then " if not together else "+" if added else " and "
    return between.join(map(str, shown)), bool(passed.all())


def needed(test: Test, target: int) -> str:
    """Return what a test needs: in its own words, and in faces where those say something else."""
    axes, passed = _passed(test, target)
    words = test.needs.format(target)
    if _together(test) and _lowest_alone(passed):
        return "a double 1"
    if not axes or len(axes) > 2 or _together(test):
        return words
    faces = _in_faces(~passed if test.name.startswith("failed ") else passed)
    return faces if faces == words else f"{words} ({faces})"


def _lowest_alone(passed: Bools) -> bool:
    """Return whether nothing but a 1 on each of several dice passes."""
    return passed.ndim > 1 and passed.sum() == 1 and bool(passed.flat[0])


def _in_faces(passed: Bools) -> str:
    """Return the faces that one die, or two dice one after the other, must show."""
    if passed.ndim == 1:
        faces = [face for face in range(1, 7) if passed[face - 1]]
        return f"{faces[0]}+" if faces[-1] == 6 else f"{faces[-1]} or less" if faces[0] == 1 else listed(faces)
    at_once = [rest.all() for rest in passed]
    goes_on = [bool(rest.any()) for rest in passed] & ~np.array(at_once)
    then = _in_faces(passed[np.flatnonzero(goes_on)[0]])
    if any(at_once):
        return f"{_in_faces(np.array(at_once))}, else {then}"
    faces = [face for face in range(1, 7) if goes_on[face - 1]]
    return f"{_in_faces(goes_on) if len(faces) > 1 else faces[0]}, then {then}"


def told_test(tests: Sequence[Test], i: int, target: int, rolls: Sequence[tuple[str, bool]]) -> str:
    """Say how one of several tests went: what it is for, what was needed, what was thrown, how many passed.

    Args:
        i: Which of them.
        rolls: What `thrown` returned of each attack that took it.
    """
    n, passed = len(rolls), sum(good for _, good in rolls)
    fails = tests[i].name.startswith("failed ")
    what = purpose(tests[i])
    if not rolls[0][0]:
        if fails and passed:
            return f"no {what}: {n}"
        return f"{what or tests[i].name}: {passed} of {n}, {'without a roll' if passed else 'not possible'}"
    head = f"{', '.join(filter(None, (what, needed(tests[i], target))))}: {listed(words for words, _ in rolls)}"
    return head if len(tests) == n == 1 else f"{head}, {passed} of {n}{' failed' * fails}"
