"""What a rule can ask for: volleys of attacks, dice added up, and what is built from them.

A mechanic is a small frozen value. It knows the distribution of its answer for given integer arguments, by
algebra, and how to get one answer for each trial from physical dice. Arguments are positional; those of each
mechanic are listed under `Arguments`. Rules pass arrays of shape ``[..., R]`` for them.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import accumulate
from math import comb, prod
from operator import add
from typing import ClassVar, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from sims.dice.die import Bools, Die, Ints
from sims.dice.hits import Few, added, harming, one_after_the_other
from sims.dice.pmf import PMF, compound
from sims.dice.targets import Test
from sims.dice.telling import Face, d6, dice_in_words, listed, part_in_words, scored, signed, thrown, told_test

T = TypeVar("T")
Cast = Callable[[str, int, int], Ints]
"""``cast(part, sides, rows)`` throws fair dice: faces of shape ``[rows, R]``. The die in row j of a trial is the
same however many rows are asked for."""


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
class Hitting(Mechanic, Protocol):
    """A mechanic whose answer comes of hits, which it can count."""

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of fewer than `most` hits, each with every answer."""

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Return the hits and the answer, ``[R]`` each, from physical dice."""


@runtime_checkable
class Telling(Protocol):
    """A mechanic that has words for its dice, as a `Test` has `needs`."""

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each throw: what was needed, what it did.

        It asks for the dice that matter and for no others, each once, in the order in which it says them: the order in
        which a script gives their faces.
        """


@runtime_checkable
class Coded(Protocol):
    """A mechanic whose answers are codes, each with a name."""

    answers: ClassVar[Mapping[int, str]]


@runtime_checkable
class Worded(Protocol):
    """A mechanic that has words for its answers, or for some, by what it is given."""

    def words(self, *arguments: int) -> Mapping[int, str]:
        """Return the words for its answers."""


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
        yield "; ".join(f"{part}: {listed(faces)}" for part, faces in parts)


def words_of(mechanic: Mechanic, *arguments: int) -> Mapping[int, str]:
    """Return the words for the answers of a mechanic that are codes; none where the number says it."""
    if isinstance(mechanic, Worded):
        return mechanic.words(*arguments)
    return mechanic.answers if isinstance(mechanic, Coded) else {}


def scoped(dice: Callable[[str, int, int], T], scope: str) -> Callable[[str, int, int], T]:
    """Return the dice of a mechanic within another: a `Cast` or a `Face` whose parts have a longer name."""
    return lambda part, sides, n: dice(f"{scope}: {part}", sides, n)


def hitting(mechanic: Mechanic) -> Hitting:
    """Return a mechanic that can count its hits."""
    assert isinstance(mechanic, Hitting)
    return mechanic


@lru_cache(maxsize=2**9)
def distributions(mechanic: Mechanic) -> Callable[..., PMF]:
    """Return ``mechanic.pmf``, which remembers what it is asked. A mechanic is slow to hash: keep it where you can."""
    return lru_cache(maxsize=2**12)(mechanic.pmf)


def distribution(mechanic: Mechanic, arguments: tuple[int, ...]) -> PMF:
    """Return ``mechanic.pmf(*arguments)``, remembered."""
    return distributions(mechanic)(*arguments)


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
        return np.where(_first(n), _read(self.die, cast, _most(n)), 0).sum(axis=0)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say what the dice show, and their scores where those differ."""
        (n,) = arguments
        throws, scores = scored(self.die, face, n)
        many = f"{n} x " if n > 1 else ""
        if len(self.die.sides) > 1:
            yield f"{many}{self.die.name}: {listed(['+'.join(map(str, throw)) for throw in throws])}"
        elif n:
            faces = [shown for (shown,) in throws]
            shown = f" (the {'dice show' if n > 1 else 'die shows'} {listed(faces)})" if faces != scores else ""
            yield f"{many}{self.die.name}: {listed(scores)}{shown}"


@dataclass(frozen=True)
class AtLeast:
    """Whether the score of a die is as high as it needs to be.

    Arguments: the need.
    """

    die: Die
    arity = 1

    def pmf(self, *arguments: int) -> PMF:
        """Return the chance of 1, that it is, and of 0."""
        return PMF.chance(self.die.pmf.at_least(arguments[0]))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw once."""
        return np.asarray(_read(self.die, cast, 1)[0] >= arguments[0]).astype(np.int64)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the need and the dice."""
        (faces,), (score,) = scored(self.die, face, 1)
        shown = "+".join(map(str, faces))
        score_too = f" make {score}" if len(faces) > 1 or faces != [score] else ""
        yield f"{arguments[0]} or more on {dice_in_words(self.die.name)}: {shown}{score_too}"


@dataclass(frozen=True)
class Volley:
    """How many of n attacks pass every test in turn.

    With `hits`, each attack makes that many hits (D3 for a grenade), and every hit takes the tests.

    Arguments: n, then a target for each test.
    """

    tests: tuple[Test, ...]
    hits: Die | None = None
    who: str = field(default="", compare=False)

    def by(self, who: str) -> Self:
        """Return the same volley by somebody, who is named where it is told."""
        return type(self)(self.tests, self.hits, who)

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
        return self._left(cast, *arguments)[-1].sum(axis=0)

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few attacks that pass the first test, with those that pass every one."""
        assert self.hits is None
        n, to, *targets = arguments
        hit, harm = self.tests[0].chance(to), Volley(self.tests[1:]).pmf(1, *targets)[1]
        return harming(most, n @ PMF.chance(hit), harm)

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return how many attacks pass the first test, and how many pass every one."""
        left = self._left(cast, *arguments)
        return left[1].sum(axis=0), left[-1].sum(axis=0)

    def _left(self, cast: Cast, *arguments: Ints) -> list[Bools]:
        """Throw; return which attacks there are, and which of them are left after each test."""
        n, *targets = arguments
        passed = _first(n)
        if self.hits is not None:
            hits = np.where(passed, _read(self.hits, cast, _most(n), "hits"), 0)
            slots = np.arange(self.hits.pmf.outcomes[-1])[:, None]
            passed = (slots < hits[:, None, :]).reshape(-1, hits.shape[-1])
        left = [passed]
        for i, (test, target) in enumerate(zip(self.tests, targets, strict=True)):
            faces = (cast(f"{i} {test.name} {d}", 6, len(passed)) for d in range(test.dice))
            passed = passed & test.passes(target, *faces)
            left.append(passed)
        return left

    def words(self, *arguments: int) -> Mapping[int, str]:
        """Return the words for both answers where one test is taken once, none of any other volley."""
        if len(self.tests) != 1 or self.hits is not None or arguments[0] != 1:
            return {}
        passes = int(not self.tests[0].name.startswith("failed "))
        return {passes: "passed", 1 - passes: "failed"}

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the dice test by test, those alone that the tests before have let through."""
        return signed(self.who, self._lines(face, *arguments))

    def _lines(self, face: Face, *arguments: int) -> Iterator[str]:
        n, *targets = arguments
        left = list(range(n))
        if self.hits is not None and n:
            throws, scores = scored(self.hits, face, n, "hits")
            most = self.hits.pmf.outcomes[-1]
            left = [i * most + slot for i, score in enumerate(scores) for slot in range(score)]
            yield f"{self.hits.name} hits each: {listed('+'.join(map(str, t)) for t in throws)} make {len(left)}"
        for i, (test, target) in enumerate(zip(self.tests, targets, strict=True)):
            if not left:
                return
            rolls = [thrown(test, target, d6(face, f"{i} {test.name}", row)) for row in left]
            passed = [row for row, (_, good) in zip(left, rolls, strict=True) if good]
            yield told_test(self.tests, i, target, rolls)
            left = passed


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
        found = [distribution(part, own) for part, own in self._shared(arguments)]
        return reduce(add, found) if found else PMF.constant(0)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every part with dice of its own."""
        shared = enumerate(self._shared(arguments))
        return np.sum([part.throw(scoped(cast, f"{i}"), *own) for i, (part, own) in shared], axis=0)

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits of all parts, with the sum."""
        parts = (hitting(part).few(most, *own) for part, own in self._shared(arguments))
        return one_after_the_other(most, parts)

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw every part with dice of its own; return the hits of all, and the sum."""
        shared = enumerate(self._shared(arguments))
        found = [hitting(part).both(scoped(cast, f"{i}"), *own) for i, (part, own) in shared]
        hits, answers = zip(*found, strict=True)
        return np.sum(hits, axis=0), np.sum(answers, axis=0)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Tell every part."""
        for i, (part, own) in enumerate(self._shared(arguments)):
            yield from tell(part, scoped(face, f"{i}"), *own)

    def _shared(self, arguments: tuple[T, ...]) -> list[tuple[Mechanic, tuple[T, ...]]]:
        return [(part, arguments[own]) for part, own in zip(self.parts, self._own, strict=True)]

    @cached_property
    def _own(self) -> list[slice]:
        """Which arguments each part has."""
        ends = accumulate(part.arity for part in self.parts)
        return [slice(end - part.arity, end) for part, end in zip(self.parts, ends, strict=True)]


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

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits, with the answer up to the cap."""
        *own, cap = arguments
        ways = hitting(self.counted).few(most, *own).items()
        return added(((hits, min(answer, cap)), chance) for (hits, answer), chance in ways)

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return the hits, all of them, and the answer up to the cap."""
        *own, cap = arguments
        hits, answer = hitting(self.counted).both(cast, *own)
        return hits, np.minimum(answer, cap)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Tell what is counted."""
        return tell(self.counted, face, *arguments[:-1])


@dataclass(frozen=True)
class Beside:
    """An answer, and beside it how many hits are lacking of those that matter, as ``answer + digit * lacking``.

    What comes of enough hits, as most does, has the same number however many matter: so it stands on few places of an
    axis.

    Arguments: those of the mechanic, then how many hits matter.
    """

    of: Hitting
    digit: int

    @property
    def arity(self) -> int:
        """Return one more than the mechanic's arity."""
        return self.of.arity + 1

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of both: what does not come of few hits comes of enough."""
        *own, matter = arguments
        alone = distribution(self.of, tuple(own))
        if not matter:
            return alone
        enough, parts = dict(alone), list[tuple[Fraction, PMF]]()
        few = ((both, chance) for both, chance in self.of.few(matter, *own).items() if chance)
        for (hits, answer), chance in few:
            enough[answer] -= chance
            parts.append((chance, PMF.constant(answer + self.digit * (matter - hits))))
        parts += [(chance, PMF.constant(answer)) for answer, chance in enough.items() if chance]
        return PMF.mixture(parts)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, and count hits no further than they matter."""
        *own, matter = arguments
        hits, answer = self.of.both(cast, *own)
        return answer + self.digit * np.maximum(matter - hits, 0)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Tell the throws, which show the hits."""
        return tell(self.of, face, *arguments[:-1])

    def words(self, *arguments: int) -> Mapping[int, str]:
        """Say both, where hits matter."""
        *own, matter = arguments
        alone = words_of(self.of, *own)
        if not matter:
            return alone
        words = dict[int, str]()
        for both in distribution(self, arguments).outcomes:
            lacking, answer = divmod(both, self.digit)
            hits = matter - lacking
            many = "1 hit" if hits == 1 else f"{hits or 'no'} hits"
            words[both] = f"{alone.get(answer, answer)}, by {many}{'' if lacking else ' or more'}"
        return words


@dataclass(frozen=True)
class Share:
    """How many of k that are picked evenly, one after the other, belong to a group.

    Arguments: k, how many there are in all, how many of them are in the group.
    """

    who: str = field(default="", compare=False)
    arity = 3

    def pmf(self, *arguments: int) -> PMF:
        """Return the hypergeometric distribution."""
        k, everybody, group = arguments
        ways = {v: comb(group, v) * comb(everybody - group, k - v) for v in range(min(k, group) + 1)}
        return PMF.of(ways)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, for each victim, a die with a side for everyone left; the first sides are the group's."""
        k, everybody, group = arguments
        of_group = np.zeros_like(group)
        for pick in range(int(np.max(k, initial=0))):
            left = everybody - pick
            for sides in np.unique(left[(pick < k) & (group > of_group)]):
                face = cast(f"pick {pick + 1} of {sides}", int(sides), 1)[0]
                of_group = of_group + ((pick < k) & (left == sides) & (face <= group - of_group))
        return of_group

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each pick that is open, with a die that has a side for everyone left."""
        k, left, group = arguments
        for pick in range(k):
            if not 0 < group < left:
                return
            shown = face(f"pick {pick + 1} of {left}", left, 0)
            yield f"D{left}, {'1' if group == 1 else f'{group} or less'} picks {self.who}: {shown}"
            left, group = left - 1, group - (shown <= group)


def _most(n: Ints) -> int:
    return int(np.max(n, initial=0))


def _first(n: Ints) -> Bools:
    """Which of the rows each trial uses: its first n."""
    return np.arange(_most(n))[:, None] < n


def _read(die: Die, cast: Cast, rows: int, part: str = "dice") -> Ints:
    faces = (cast(f"{part} {d}", sides, rows) for d, sides in enumerate(die.sides))
    return die.read(*(f.astype(np.int64) for f in faces))
