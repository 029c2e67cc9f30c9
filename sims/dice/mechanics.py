"""What a rule can ask for: volleys of attacks, dice added up, and what is built from them.

A mechanic is a small frozen value. It knows the distribution of its answer for given integer arguments, by
algebra, and how to get one answer for each trial from physical dice. Arguments are positional; those of each
mechanic are listed under `Arguments`. Rules pass arrays of shape ``[..., R]`` for them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from math import prod
from operator import add
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from sims.dice.die import Bools, Die, Ints
from sims.dice.pmf import PMF, compound
from sims.dice.targets import BEST_OF_TWO, BEST_OF_TWO_TWICE, GOAL, HIGH, LOW, PLAIN_LOW, UNDER, Test

T = TypeVar("T")
Cast = Callable[[str, int, int], Ints]
"""``cast(part, sides, rows)`` throws fair dice: faces of shape ``[rows, R]``. The die in row j of a trial is the
same however many rows are asked for."""
Face = Callable[[str, int, int], int]
"""``face(part, sides, row)`` is what one of those dice shows."""


class Mechanic(Hashable, Protocol):
    """What a draw asks for; hashable, so that its tables can be kept."""

    @property
    def arity(self) -> int:
        """How many arguments it takes."""

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the answer."""

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Return one answer for each trial, ``[R]``, from physical dice."""


@runtime_checkable
class Telling(Protocol):
    """A mechanic that has words for its dice, as a `Test` has `needs`."""

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each throw: what was needed, what it did.

        It asks for the dice that matter and for no others, each once, in the order in which it says them: the order in
        which a script gives their faces.
        """


def tell(mechanic: Mechanic, face: Face, *arguments: int) -> Iterator[str]:
    """Tell the throws of any mechanic; one without words of its own names its dice, all of them."""
    if isinstance(mechanic, Telling):
        yield from mechanic.tell(face, *arguments)
        return
    parts: list[tuple[str, list[int]]] = []

    def cast(part: str, sides: int, rows: int) -> Ints:
        faces = [face(part, sides, row) for row in range(rows)]
        if faces and parts and parts[-1][0] == part_in_words(part):
            parts[-1][1].extend(faces)
        elif faces:
            parts.append((part_in_words(part), list(faces)))
        return np.array(faces, dtype=np.int64).reshape(rows, 1)

    mechanic.throw(cast, *(np.array([a]) for a in arguments))
    if parts:
        yield "; ".join(f"{part}: {_listed(faces)}" for part, faces in parts)


def part_in_words(part: str) -> str:
    """Return the name of a part without the numbers that only tell it apart."""
    return part.split(": ")[-1].strip("0123456789 ")


@lru_cache(maxsize=2**16)
def distribution(mechanic: Mechanic, arguments: tuple[int, ...]) -> PMF:
    """Return ``mechanic.pmf(*arguments)``, remembered."""
    return mechanic.pmf(*arguments)


@dataclass(frozen=True)
class Throw:
    """The sum of n throws of a die.

    Arguments: n.
    """

    die: Die
    arity = 1

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the sum."""
        (n,) = arguments
        return n @ self.die.pmf

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw and add up."""
        (n,) = arguments
        return np.asarray(np.where(_first(n), _read(self.die, cast, _most(n)), 0).sum(axis=0))

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say what the dice show, and their scores where those differ."""
        (n,) = arguments
        throws, scores = _throws(self.die, face, n)
        many = f"{n} x " if n > 1 else ""
        if len(self.die.sides) > 1:
            yield f"{many}{self.die.name}: {_listed(['+'.join(map(str, throw)) for throw in throws])}"
        elif n:
            faces = [shown for (shown,) in throws]
            shown = f" (the {'dice show' if n > 1 else 'die shows'} {_listed(faces)})" if faces != scores else ""
            yield f"{many}{self.die.name}: {_listed(scores)}{shown}"


@dataclass(frozen=True)
class Volley:
    """How many of n attacks pass every test in turn.

    With `hits`, each attack makes that many hits (D3 for a grenade), and every hit takes the tests.

    Arguments: n, then a target for each test.
    """

    tests: tuple[Test, ...]
    hits: Die | None = None

    @property
    def arity(self) -> int:
        """Return one more than the number of tests."""
        return 1 + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the number of successes."""
        n, *targets = arguments
        success = PMF.chance(prod(test.chance(t) for test, t in zip(self.tests, targets, strict=True)))
        return n @ (success if self.hits is None else compound(self.hits.pmf, success))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every die of every attack, and count."""
        n, *targets = arguments
        passed = _first(n)
        if self.hits is not None:
            hits = np.where(passed, _read(self.hits, cast, _most(n), "hits"), 0)
            slots = np.arange(self.hits.pmf.outcomes[-1])[:, None]
            passed = (slots < hits[:, None, :]).reshape(-1, hits.shape[-1])
        for i, (test, target) in enumerate(zip(self.tests, targets, strict=True)):
            faces = (cast(f"{i} {test.name} {d}", 6, len(passed)) for d in range(test.dice))
            passed = passed & test.passes(target, *faces)
        return np.asarray(passed.sum(axis=0))

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the dice test by test, those alone that the tests before have let through."""
        n, *targets = arguments
        left = list(range(n))
        if self.hits is not None and n:
            throws, scores = _throws(self.hits, face, n, "hits")
            most = self.hits.pmf.outcomes[-1]
            left = [i * most + slot for i, score in enumerate(scores) for slot in range(score)]
            yield f"{self.hits.name} hits each: {_listed('+'.join(map(str, t)) for t in throws)} make {len(left)}"
        for i, (test, target) in enumerate(zip(self.tests, targets, strict=True)):
            if not left:
                return
            thrown = [throw(test, target, partial(_die, face, f"{i} {test.name}", row)) for row in left]
            passed = [row for row, (_, good) in zip(left, thrown, strict=True) if good]
            yield self._line(i, target, [words for words, _ in thrown], len(passed))
            left = passed

    def _line(self, i: int, target: int, shown: list[str], passed: int) -> str:
        test, n = self.tests[i], len(shown)
        fails = test.name.startswith("failed ")
        what = self._what(i)
        if not shown[0]:
            if fails and passed:
                return f"no {what}: {n}"
            return f"{what or test.name}: {passed} of {n}, {'without a roll' if passed else 'not possible'}"
        head = ", ".join(filter(None, (what, needed(test, target))))
        if len(self.tests) == n == 1 and self.hits is None:
            return f"{head}: {shown[0]}"
        return f"{head}: {_listed(shown)}, {passed} of {n}{' failed' * fails}"

    def _what(self, i: int) -> str:
        """Return what a test is for: a roll without a name of its own has one by its place among the others."""
        name, comma, more = self.tests[i].name.removeprefix("failed ").partition(",")
        if name not in _NAMELESS:
            return name + comma + more
        if name != self.tests[i].name.partition(",")[0]:
            return "save" + comma + more
        if len(self.tests) == 1:
            return more.strip()
        later = [test for test in self.tests[i + 1 :] if not test.name.startswith("failed ")]
        return ("to hit" if later else "to wound") + comma + more


@dataclass(frozen=True)
class Total:
    """The sum of independent mechanics: a volley from several kinds of weapon.

    Arguments: those of each part, one after the other.
    """

    parts: tuple[Mechanic, ...]

    @property
    def arity(self) -> int:
        """Return the sum of the parts' arities."""
        return sum(part.arity for part in self.parts)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the sum."""
        return reduce(add, (distribution(part, own) for part, own in self._shared(arguments)), PMF.constant(0))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every part with dice of its own."""

        def own_cast(i: int) -> Cast:
            return lambda part, sides, rows: cast(f"{i}: {part}", sides, rows)

        shared = enumerate(self._shared(arguments))
        return np.asarray(np.sum([part.throw(own_cast(i), *own) for i, (part, own) in shared], axis=0))

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Tell every part."""

        def own_face(i: int) -> Face:
            return lambda part, sides, row: face(f"{i}: {part}", sides, row)

        for i, (part, own) in enumerate(self._shared(arguments)):
            yield from tell(part, own_face(i), *own)

    def _shared(self, arguments: tuple[T, ...]) -> list[tuple[Mechanic, tuple[T, ...]]]:
        ends = np.cumsum([part.arity for part in self.parts])
        return [(part, arguments[end - part.arity : end]) for part, end in zip(self.parts, ends, strict=True)]


@dataclass(frozen=True)
class Capped:
    """A count that cannot exceed what is there: casualties among the models present.

    Arguments: those of the mechanic, then the cap.
    """

    counted: Mechanic

    @property
    def arity(self) -> int:
        """Return one more than the mechanic's arity."""
        return self.counted.arity + 1

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution with all weight above the cap put on the cap."""
        *own, cap = arguments
        return distribution(self.counted, tuple(own)).cap(cap)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, and count no further than the cap."""
        *own, cap = arguments
        return np.minimum(self.counted.throw(cast, *own), cap)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Tell what is counted."""
        return tell(self.counted, face, *arguments[:-1])


def _most(n: Ints) -> int:
    return int(np.max(n, initial=0))


def _first(n: Ints) -> Bools:
    """Which of the rows each trial uses: its first n."""
    return np.asarray(np.arange(_most(n))[:, None] < n)


def _read(die: Die, cast: Cast, rows: int, part: str = "dice") -> Ints:
    faces = (cast(f"{part} {d}", sides, rows) for d, sides in enumerate(die.sides))
    return die.read(*(f.astype(np.int64) for f in faces))


def _throws(die: Die, face: Face, n: int, part: str = "dice") -> tuple[list[list[int]], list[int]]:
    """Return the faces of each of n throws of a die, and the score of each."""
    throws = [[face(f"{part} {d}", sides, row) for d, sides in enumerate(die.sides)] for row in range(n)]
    return throws, [int(die.read(*map(np.array, faces))) for faces in throws]


_NAMELESS = {
    test.name.partition(",")[0] for test in (LOW, PLAIN_LOW, HIGH, GOAL, UNDER, BEST_OF_TWO, BEST_OF_TWO_TWICE)
}
"""Names of rolls that say nothing of what they are for."""


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


def _die(face: Face, part: str, row: int, d: int) -> int:
    return face(f"{part} {d}", 6, row)


def throw(test: Test, target: int, die: Callable[[int], int]) -> tuple[str, bool]:
    """Return the dice of one test in words, "" if none matters, and whether it is passed.

    Parameters
    ----------
    test : Test
    target : int
    die : callable
        ``die(d)`` is the face of die d; asked for those dice only that are thrown.
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
    if not axes or len(axes) > 2 or _together(test):
        return words
    faces = _in_faces(~passed if test.name.startswith("failed ") else passed)
    return faces if faces == words else f"{words} ({faces})"


def _in_faces(passed: Bools) -> str:
    """Return the faces that one die, or two dice one after the other, must show."""
    if passed.ndim == 1:
        faces = [face for face in range(1, 7) if passed[face - 1]]
        return f"{faces[0]}+" if faces[-1] == 6 else f"{faces[-1]} or less" if faces[0] == 1 else _listed(faces)
    at_once = [rest.all() for rest in passed]
    goes_on = [bool(rest.any()) for rest in passed] & ~np.array(at_once)
    then = _in_faces(passed[np.flatnonzero(goes_on)[0]])
    if any(at_once):
        return f"{_in_faces(np.array(at_once))}, else {then}"
    faces = [face for face in range(1, 7) if goes_on[face - 1]]
    return f"{_in_faces(goes_on) if len(faces) > 1 else faces[0]}, then {then}"


def _listed(items: Iterable[object]) -> str:
    return " ".join(map(str, items))
