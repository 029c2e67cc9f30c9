"""How the hits of volleys find targets that are not alike, and what each of those suffers.

Targets come in *bodies*: models with the same Wounds and the same targets for the tests of a volley. One hit after the
other finds a model, and takes its tests against that one; who has lost his last Wound is not found any more. A model
may pass on to another what is about to hurt it, before the last test, its save; and one wound may take several of its
Wounds.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sims.dice.die import Bools, Ints
from sims.dice.draws import Draw
from sims.dice.mechanics import Cast, Volley, distribution
from sims.dice.pmf import PMF
from sims.dice.source import Argument, Dice
from sims.dice.telling import Face, d6, listed, needed, purpose, scored, signed, thrown

NOBODY = 7
"""A need that no D6 meets."""
Suffered = tuple[int, ...]
"""Wounds that each body has suffered."""


class Body(NamedTuple):
    """Models that are alike: how many there are, what each can take, and what one of them has lost already.

    Attributes:
        passes: What one of them needs on a D6 to pass on to another what is about to hurt it; `NOBODY` if none does.
    """

    models: Argument
    W: Argument = 1
    hurt: Argument = 0
    who: str = ""
    passes: int = NOBODY


T = TypeVar("T")


@dataclass(frozen=True)
class _Finding(ABC):
    """The wounds that each body suffers of volleys, one volley after the other, as digits of one number.

    Arguments: for each body how many models, Wounds of each, Wounds lost by one of them; then for each volley n, and
    for each body a target for each test.

    Attributes:
        bodies: How many there are.
        digit: The wounds that a body suffers are one digit of the answer to this base, those of the first the lowest.
        counted: Which digit it is, where bodies share one; else each has its own.
        passes: What each body needs to pass on what is about to hurt it, where any does.
        takes: Of each volley, how many Wounds one wound takes of a model of each body that has so many left; where any
            takes more than one.
    """

    volleys: tuple[Volley, ...]
    bodies: int
    digit: int
    who: tuple[str, ...] = field(default=(), compare=False)
    counted: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()
    takes: tuple[tuple[int, ...], ...] = ()

    @property
    def arity(self) -> int:
        """Return three for each body, and what the volleys take."""
        return 3 * self.bodies + sum(1 + len(volley.tests) * self.bodies for volley in self.volleys)

    @abstractmethod
    def _parts(self, models: int) -> int:
        """Return a number that all numbers of shares divide among which a hit may be shared by so many models."""

    @abstractmethod
    def _found(self, living: Sequence[int], begun: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
        """Return whom a hit may find, a body and its share, and of how many shares; nobody if none lives.

        Args:
            living: Models of each body who live.
            begun: Models of each body before the first hit.
        """

    @abstractmethod
    def _find(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints]) -> Ints:
        """Return the body that a hit finds in each trial, ``[R]``; one more than there are for nobody."""

    @abstractmethod
    def _tell(self, face: Face, hit: str, living: Sequence[int], begun: Sequence[int]) -> tuple[int, str]:
        """Return the body that a hit finds, or one more than there are, and the die that found it, in words."""

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the answer."""
        bodies, lots = self._shared(arguments)
        alive, begun = [_living(*body) for body in bodies], [models for models, _, _ in bodies]
        parts = self._parts(sum(begun))
        parts *= 6 * parts if self.passes else 1
        ways: dict[Suffered, int] = {(0,) * self.bodies: 1}
        for i, (volley, n, targets) in enumerate(lots):
            chances = [[test.chance(t) for test, t in zip(volley.tests, of, strict=True)] for of in targets]
            chance = {
                (found, struck): prod(chances[found][:-1]) * prod(chances[struck][-1:])
                for found, struck in product(range(self.bodies), repeat=2)
                if found == struck or self.passes
            }
            whole = lcm(*(p.denominator for p in chance.values()))
            wounding = {pair: int(p * whole) for pair, p in chance.items()}
            lost = [self._lost(i, body, *bodies[body][1:]) for body in range(self.bodies)]
            hits = PMF.constant(1) if volley.hits is None else volley.hits.pmf
            for _ in range(n):
                after: dict[Suffered, int] = {}
                for more in range(hits.outcomes[-1] + 1):
                    share = int(hits[more] * hits.total) * (whole * parts) ** (hits.outcomes[-1] - more)
                    for suffered, weight in ways.items() if share else ():
                        after[suffered] = after.get(suffered, 0) + share * weight
                    if more < hits.outcomes[-1]:
                        ways = self._hit(ways, alive, begun, wounding, lost, whole, parts)
                ways = after
        answers: dict[int, int] = {}
        for suffered, weight in ways.items():
            answer = self._answer(suffered)
            answers[answer] = answers.get(answer, 0) + weight
        return PMF.of(answers)

    def _hit(
        self,
        ways: dict[Suffered, int],
        alive: list[list[int]],
        begun: list[int],
        wounding: dict[tuple[int, int], int],
        lost: list[Callable[[int], int]],
        whole: int,
        parts: int,
    ) -> dict[Suffered, int]:
        """Return what bodies have suffered after one more hit, with weights that are so many times as large.

        Args:
            ways: The weight of what they have suffered.
            alive: Of each body, how many live after no wound, one, two, ...
            begun: How many there were of each.
            wounding: The weight, of a whole, of a wound by a hit that finds one body and is suffered by another.
            lost: Of each body, what is lost by a wound after so many.
            parts: What every share is a share of.
        """
        after: dict[Suffered, int] = {}
        for suffered, weight in ways.items():
            nothing = whole * parts
            living = [of[n] for of, n in zip(alive, suffered, strict=True)]
            for found, body, share in self._struck(living, begun, parts):
                if wound := share * wounding[found, body]:
                    then = (*suffered[:body], suffered[body] + lost[body](suffered[body]), *suffered[body + 1 :])
                    after[then] = after.get(then, 0) + weight * wound
                    nothing -= wound
            if nothing:
                after[suffered] = after.get(suffered, 0) + weight * nothing
        return after

    def _struck(self, living: Sequence[int], begun: Sequence[int], parts: int) -> Iterator[tuple[int, int, int]]:
        """Yield whom a hit finds, who of those takes it in the end, and the share of this."""
        found, among = self._found(living, begun)
        for body, share in found:
            part = parts // among * share
            others, shares = self._found(_but(living, body), begun) if self._need(body) < NOBODY else ([], 1)
            passed = part // 6 * (NOBODY - self._need(body)) if others else 0
            yield body, body, part - passed
            for other, more in others:
                yield body, other, passed // shares * more

    def _need(self, body: int) -> int:
        return self.passes[body] if self.passes else NOBODY

    def _lost(self, volley: int, body: int, W: int, hurt: int) -> Callable[[int], int]:
        """Return what a model of a body loses by a wound of a volley, after so many that the body has suffered."""
        takes = self._takes(volley, body)
        return lambda suffered: min(takes, W - (suffered + hurt) % W)

    def _takes(self, volley: int, body: int) -> int:
        return self.takes[volley][body] if self.takes else 1

    def _answer(self, suffered: Sequence[T]) -> T:
        """Return what bodies have suffered as digits of one number."""
        of = self.counted or range(self.bodies)
        return sum(lost * self.digit**i for i, lost in zip(of, suffered, strict=True))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, hit by hit, who is found and every die of every test."""
        bodies, lots = self._shared(arguments)
        suffered, begun = [np.zeros_like(models) for models, _, _ in bodies], [models for models, _, _ in bodies]
        for i, (volley, n, targets) in enumerate(lots):
            attacks = int(np.max(n, initial=0))
            thrown_for: Bools = np.arange(attacks)[:, None] < n
            if volley.hits is not None:
                dice = (cast(f"{i} hits {d}", sides, attacks) for d, sides in enumerate(volley.hits.sides))
                scores = np.where(thrown_for, volley.hits.read(*(f.astype(np.int64) for f in dice)), 0)
                slots = np.arange(volley.hits.pmf.outcomes[-1])[:, None]
                thrown_for = (slots < scores[:, None, :]).reshape(-1, scores.shape[-1])
            rows = len(thrown_for)
            faces = [
                [cast(f"{i} {j} {test.name} {d}", 6, rows) for d in range(test.dice)]
                for j, test in enumerate(volley.tests)
            ]
            for row in range(rows):
                hit = f"{i} hit {row + 1}"
                living = [models - (lost + hurt) // W for (models, W, hurt), lost in zip(bodies, suffered, strict=True)]
                body = self._find(cast, hit, living, begun)
                passed = thrown_for[row] & (sum(living) > 0)
                for j, test in enumerate(volley.tests):
                    if j == len(volley.tests) - 1:
                        body = self._passed_on(cast, hit, living, begun, body)
                    some = np.minimum(body, self.bodies - 1)
                    of_each = np.stack([np.broadcast_to(of[j], body.shape) for of in targets])
                    target = np.take_along_axis(of_each, some[None], axis=0)[0]
                    passed = passed & test.passes(target, *(die[row] for die in faces[j]))
                for b, (_, W, hurt) in enumerate(bodies):
                    loses = np.minimum(W - (suffered[b] + hurt) % W, self._takes(i, b))
                    suffered[b] = suffered[b] + (passed & (body == b)) * loses
        return self._answer(suffered)

    def _passed_on(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints], body: Ints) -> Ints:
        """Return the body that takes a hit in each trial: the one that it has found, or one that it is passed on to."""
        if not self.passes:
            return body
        others = [np.maximum(n - (body == b), 0) for b, n in enumerate(living)]
        passed = (cast(f"{hit} passed on", 6, 1)[0] >= np.take(self.passes, body, mode="clip")) & (sum(others) > 0)
        return np.where(passed, self._find(cast, f"{hit} passed on", others, begun), body)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each hit: whom it finds, and the dice of its tests."""
        bodies, lots = self._shared(arguments)
        suffered = [0] * self.bodies
        for i, (volley, n, targets) in enumerate(lots):
            rows = list(range(n))
            if volley.hits is not None and n:
                throws, scores = scored(volley.hits, face, n, f"{i} hits")
                most = volley.hits.pmf.outcomes[-1]
                rows = [a * most + slot for a, score in enumerate(scores) for slot in range(score)]
                yield f"{volley.hits.name} hits each: {listed('+'.join(map(str, t)) for t in throws)} make {len(rows)}"
            yield from signed(volley.who, self._hits(face, i, volley, rows, bodies, targets, suffered))

    def _hits(
        self,
        face: Face,
        i: int,
        volley: Volley,
        rows: Sequence[int],
        bodies: Sequence[tuple[int, int, int]],
        targets: Sequence[tuple[int, ...]],
        suffered: list[int],
    ) -> Iterator[str]:
        """Say the hits of one volley, and count what bodies suffer."""
        for row in rows:
            hit = f"{i} hit {row + 1}"
            living = [models - (lost + hurt) // W for (models, W, hurt), lost in zip(bodies, suffered, strict=True)]
            if not any(living):
                return
            begun = [models for models, _, _ in bodies]
            found, words = self._tell(face, hit, living, begun)
            if found == self.bodies:
                yield f"nobody who still lives ({words})"
                continue
            body, tests, passed = found, [words] if words else [], True
            for j, test in enumerate(volley.tests):
                if passed and j == len(volley.tests) - 1:
                    body, more = self._tell_passed_on(face, hit, living, begun, found)
                    tests += more
                if passed:
                    target = targets[body][j]
                    shown, passed = thrown(test, target, d6(face, f"{i} {j} {test.name}", row))
                    what = ", ".join(filter(None, (purpose(test), needed(test, target))))
                    tests.append(f"{what}: {shown}" if shown else what)
            lost = self._lost(i, body, *bodies[body][1:])(suffered[body]) if passed else 0
            suffered[body] += lost
            who = "" if body == found else f" {self._name(body)}"
            suffers = f"{who} suffers {'a wound' if lost == 1 else f'{lost} wounds'}" if lost else ""
            yield f"{self._name(found)} ({'; '.join(tests)}){suffers}"

    def _tell_passed_on(
        self, face: Face, hit: str, living: Sequence[int], begun: Sequence[int], body: int
    ) -> tuple[int, list[str]]:
        """Return the body that takes a hit which has found one, and the dice by which it is passed on, in words."""
        need, others = self._need(body), _but(living, body)
        if need == NOBODY or not any(others):
            return body, []
        shown = face(f"{hit} passed on", 6, 0)
        words = [f"{need}+ to pass it on: {shown}"]
        if shown < need:
            return body, words
        other, die = self._tell(face, f"{hit} passed on", others, begun)
        return other, [*words, f"to {self._name(other)}{die and f', {die}'}"]

    def words(self, *arguments: int) -> Mapping[int, str]:
        """Say the wounds of each body, where there are several; of those of one name together."""
        names = {of: self._name(body) for body, of in enumerate(self.counted or range(self.bodies))}
        named = [name for _, name in sorted(names.items())] if self.bodies > 1 else []
        return wounds_in_words(distribution(self, arguments).outcomes, self.digit, named)

    def _name(self, body: int) -> str:
        return self.who[body] if self.who else f"body {body + 1}"

    def _shared(
        self, arguments: Sequence[T]
    ) -> tuple[list[tuple[T, T, T]], list[tuple[Volley, T, list[tuple[T, ...]]]]]:
        """Return the arguments of the bodies, and each volley with its n and, by body, the targets of its tests."""
        left = iter(arguments)
        bodies = [(next(left), next(left), next(left)) for _ in range(self.bodies)]
        lots = []
        for volley in self.volleys:
            n = next(left)
            targets = [tuple(next(left) for _ in volley.tests) for _ in range(self.bodies)]
            lots.append((volley, n, targets))
        return bodies, lots


@dataclass(frozen=True)
class InOrder(_Finding):
    """Wounds of bodies that stand in a row: every hit finds one of the first of them of whom anybody lives."""

    def _parts(self, models: int) -> int:
        return 1

    def _found(self, living: Sequence[int], begun: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
        return next(([(body, 1)] for body, n in enumerate(living) if n), []), 1

    def _find(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints]) -> Ints:
        return np.argmax([np.asarray(n > 0) for n in living], axis=0)

    def _tell(self, face: Face, hit: str, living: Sequence[int], begun: Sequence[int]) -> tuple[int, str]:
        return next(body for body, n in enumerate(living) if n), ""


@dataclass(frozen=True)
class AtRandom(_Finding):
    """Wounds of bodies that are hit at random: every hit finds any model that lives as easily as any other.

    Attributes:
        first: So many bodies are found first, the others once nobody of those lives; all alike if it is 0.
        lost: Hits find those who have died meanwhile as well, and are lost.
    """

    first: int = 0
    lost: bool = False

    def _parts(self, models: int) -> int:
        return lcm(*range(1, models + 1))

    def _found(self, living: Sequence[int], begun: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
        reached, sides = self._reached(living, begun)
        return [(body, int(n)) for body, n in enumerate(reached) if n], int(sides)

    def _find(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints]) -> Ints:
        reached, sides = self._reached(living, begun)
        face = np.ones_like(sides)
        for number in np.unique(sides[sides > 1]):
            thrown_with = cast(f"{hit} finds one of {number}", int(number), 1)[0]
            face = np.where(sides == number, thrown_with, face)
        return np.sum(face > np.cumsum(reached, axis=0), axis=0)

    def _tell(self, face: Face, hit: str, living: Sequence[int], begun: Sequence[int]) -> tuple[int, str]:
        reached, sides = self._reached(living, begun)
        if max(reached) == sides:
            return int(np.argmax(reached)), ""
        shown = face(f"{hit} finds one of {sides}", int(sides), 0)
        return int(np.sum(shown > np.cumsum(reached))), f"D{sides}: {shown}"

    def _reached(self, living: Sequence[Any], begun: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return how many of each body a hit can find, and among how many it is drawn."""
        there = begun if self.lost else living
        if not self.first:
            return list(living), sum(there)
        nobody = sum(living[: self.first]) == 0
        turn = [nobody if body >= self.first else np.logical_not(nobody) for body in range(self.bodies)]
        return [n * now for n, now in zip(living, turn, strict=True)], sum(
            n * now for n, now in zip(there, turn, strict=True)
        )


def wounds_by_body(
    dice: Dice,
    label: str,
    finding: Callable[..., InOrder | AtRandom],
    bodies: Sequence[Body],
    lots: Sequence[Sequence[Draw]],
    *,
    counted: Sequence[int] = (),
    takes: Sequence[Sequence[int]] = (),
) -> tuple[Ints, ...]:
    """Let the hits of volleys find bodies; return the wounds that each suffers, ``[..., R]``, in one draw.

    Args:
        label: Of the draw.
        finding: How hits find them: `InOrder`, the first body until nobody of it lives, or `AtRandom`, of which
            more may be said (``partial(AtRandom, first=2)``).
        bodies: Who can be hit.
        lots: For each volley, in the order in which they are suffered, the draw that it is against each body: with as
            many attacks, of the same tests against other targets.
        counted: For each body, with which of the numbers that are returned its wounds are counted; each has its own if
            not given.
        takes: For each volley, how many Wounds one wound takes of a model of each body, one if not given: what exceeds
            those that it has is lost.
    """
    arguments: list[Argument] = [number for body in bodies for number in (body.models, body.W, body.hurt)]
    volleys = list[Volley]()
    for lot in lots:
        assert isinstance(lot[0].mechanic, Volley)
        volleys.append(lot[0].mechanic)
        arguments += [lot[0].arguments[0], *(target for draw in lot for target in draw.targets)]
    passes, taken = tuple(body.passes for body in bodies), tuple(map(tuple, takes))
    numbers = counted or range(len(bodies))
    most = Counter[int]()
    for number, body in zip(numbers, bodies, strict=True):
        most[number] += int(np.max(body.models * body.W, initial=0))
    mechanic = finding(
        tuple(volleys),
        len(bodies),
        max(most.values()) + 1,
        tuple(body.who for body in bodies),
        counted=tuple(counted),
        passes=passes if min(passes) < NOBODY else (),
        takes=taken if any(n > 1 for lot in taken for n in lot) else (),
    )
    answer = dice.draw(label, mechanic, *arguments)
    return by_digit(answer, mechanic.digit, 1 + max(numbers))


def by_digit(answer: Ints, digit: int, n: int) -> tuple[Ints, ...]:
    """Return the first digits of numbers to a base, the lowest first, ``[..., R]`` each."""
    whole = answer.astype(np.int64)  # sampled ones may have too few bits for a digit
    return tuple(whole // digit**i % digit for i in range(n))


def wounds_in_words(answers: Iterable[int], digit: int, who: Sequence[str]) -> Mapping[int, str]:
    """Say answers whose digits, to a base, are the wounds of several; nothing where nobody is named."""
    words = dict[int, str]()
    for answer in answers if who else ():
        suffered = Counter[str]()
        for i, name in enumerate(who):
            suffered[name] += answer // digit**i % digit
        words[answer] = ", ".join(f"{name} {n}" for name, n in suffered.items() if n) or "none"
    return words


def _living(models: int, W: int, hurt: int) -> list[int]:
    """Return how many live by the wounds that a body suffers, from none to all that it can take."""
    return [max(models - (lost + hurt) // W, 0) for lost in range(max(models * W - hurt, 0) + 1)]


def _but(living: Sequence[int], body: int) -> list[int]:
    """Return how many live but for one of a body."""
    return [n - (b == body) for b, n in enumerate(living)]
