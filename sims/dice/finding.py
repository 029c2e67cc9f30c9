"""How the hits of volleys find targets that are not alike, and what each of those suffers.

Targets come in *bodies*: models with the same Wounds and the same targets for the tests of a volley. One hit after the
other finds a model, and takes its tests against that one; who has lost his last Wound is not found any more.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm, prod
from typing import NamedTuple, TypeVar

import numpy as np

from sims.dice.die import Bools, Ints
from sims.dice.draws import Draw
from sims.dice.mechanics import Cast, Volley
from sims.dice.pmf import PMF
from sims.dice.source import Argument, Dice
from sims.dice.telling import Face, d6, listed, needed, purpose, scored, signed, thrown

Suffered = tuple[int, ...]
"""Wounds that each body has suffered."""


class Body(NamedTuple):
    """Models that are alike: how many there are, what each can take, and what one of them has lost already."""

    models: Argument
    W: Argument = 1
    hurt: Argument = 0
    who: str = ""


T = TypeVar("T")


@dataclass(frozen=True)
class _Finding(ABC):
    """The wounds that each body suffers of volleys, one volley after the other, as digits of one number.

    Arguments: for each body how many models, Wounds of each, Wounds lost by one of them; then for each volley n, and
    for each body a target for each test.

    Attributes:
        bodies: How many there are.
        digit: The wounds that a body suffers are one digit of the answer to this base, those of the first the lowest.
    """

    volleys: tuple[Volley, ...]
    bodies: int
    digit: int
    who: tuple[str, ...] = field(default=(), compare=False)

    @property
    def arity(self) -> int:
        """Return three for each body, and what the volleys take."""
        return 3 * self.bodies + sum(1 + len(volley.tests) * self.bodies for volley in self.volleys)

    @abstractmethod
    def _parts(self, models: int) -> int:
        """Return a number that all numbers of shares divide among which a hit may be shared by so many models."""

    @abstractmethod
    def _found(self, living: Sequence[int]) -> list[tuple[int, int]]:
        """Return whom a hit may find: a body and its share, of those where so many models live; nobody if none does."""

    @abstractmethod
    def _find(self, cast: Cast, hit: str, living: Sequence[Ints]) -> Ints:
        """Return the body that a hit finds in each trial, ``[R]``; some body where nobody lives."""

    @abstractmethod
    def _tell(self, face: Face, hit: str, living: Sequence[int]) -> tuple[int, str]:
        """Return the body that a hit finds, and the die that found it, in words."""

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the answer."""
        bodies, lots = self._shared(arguments)
        alive = [_living(*body) for body in bodies]
        parts = self._parts(sum(models for models, _, _ in bodies))
        ways: dict[Suffered, int] = {(0,) * self.bodies: 1}
        for volley, n, targets in lots:
            chances = [prod(test.chance(t) for test, t in zip(volley.tests, of, strict=True)) for of in targets]
            whole = lcm(*(chance.denominator for chance in chances))
            wounding = [int(chance * whole) for chance in chances]
            hits = PMF.constant(1) if volley.hits is None else volley.hits.pmf
            for _ in range(n):
                after: dict[Suffered, int] = {}
                for more in range(hits.outcomes[-1] + 1):
                    share = int(hits[more] * hits.total) * (whole * parts) ** (hits.outcomes[-1] - more)
                    for suffered, weight in ways.items() if share else ():
                        after[suffered] = after.get(suffered, 0) + share * weight
                    if more < hits.outcomes[-1]:
                        ways = self._hit(ways, alive, wounding, whole, parts)
                ways = after
        answers: dict[int, int] = {}
        for suffered, weight in ways.items():
            answer = sum(lost * self.digit**i for i, lost in enumerate(suffered))
            answers[answer] = answers.get(answer, 0) + weight
        return PMF.of(answers)

    def _hit(
        self, ways: dict[Suffered, int], alive: list[list[int]], wounding: list[int], whole: int, parts: int
    ) -> dict[Suffered, int]:
        """Return what bodies have suffered after one more hit, with weights that are so many times as large.

        Args:
            ways: The weight of what they have suffered.
            alive: Of each body, how many live after no wound, one, two, ...
            wounding: The weight, of a whole, of a wound on each body that is found.
            parts: What every number of shares divides.
        """
        after: dict[Suffered, int] = {}
        for suffered, weight in ways.items():
            found = self._found([of[lost] for of, lost in zip(alive, suffered, strict=True)])
            nothing = whole * parts
            for body, share in found:
                if wound := parts // sum(share for _, share in found) * share * wounding[body]:
                    then = (*suffered[:body], suffered[body] + 1, *suffered[body + 1 :])
                    after[then] = after.get(then, 0) + weight * wound
                    nothing -= wound
            if nothing:
                after[suffered] = after.get(suffered, 0) + weight * nothing
        return after

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, hit by hit, who is found and every die of every test."""
        bodies, lots = self._shared(arguments)
        suffered = [np.zeros_like(models) for models, _, _ in bodies]
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
                living = [models - (lost + hurt) // W for (models, W, hurt), lost in zip(bodies, suffered, strict=True)]
                body = self._find(cast, f"{i} hit {row + 1}", living)
                passed = thrown_for[row] & (sum(living) > 0)
                for j, test in enumerate(volley.tests):
                    target = np.choose(body, [np.broadcast_to(of[j], body.shape) for of in targets])
                    passed = passed & test.passes(target, *(die[row] for die in faces[j]))
                suffered = [lost + (passed & (body == b)) for b, lost in enumerate(suffered)]
        return np.sum([lost * self.digit**i for i, lost in enumerate(suffered)], axis=0)

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
            living = [models - (lost + hurt) // W for (models, W, hurt), lost in zip(bodies, suffered, strict=True)]
            if not any(living):
                return
            body, words = self._tell(face, f"{i} hit {row + 1}", living)
            tests, passed = [words] if words else [], True
            for j, (test, target) in enumerate(zip(volley.tests, targets[body], strict=True)):
                if passed:
                    shown, passed = thrown(test, target, d6(face, f"{i} {j} {test.name}", row))
                    what = ", ".join(filter(None, (purpose(test), needed(test, target))))
                    tests.append(f"{what}: {shown}" if shown else what)
            suffered[body] += passed
            name = self.who[body] if self.who else f"body {body + 1}"
            yield f"{name} ({'; '.join(tests)}){' suffers a wound' if passed else ''}"

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

    def _found(self, living: Sequence[int]) -> list[tuple[int, int]]:
        return next(([(body, 1)] for body, n in enumerate(living) if n), [])

    def _find(self, cast: Cast, hit: str, living: Sequence[Ints]) -> Ints:
        return np.argmax([np.asarray(n > 0) for n in living], axis=0)

    def _tell(self, face: Face, hit: str, living: Sequence[int]) -> tuple[int, str]:
        return next(body for body, n in enumerate(living) if n), ""


@dataclass(frozen=True)
class AtRandom(_Finding):
    """Wounds of bodies that are hit at random: every hit finds any model that lives as easily as any other."""

    def _parts(self, models: int) -> int:
        return lcm(*range(1, models + 1))

    def _found(self, living: Sequence[int]) -> list[tuple[int, int]]:
        return [(body, n) for body, n in enumerate(living) if n]

    def _find(self, cast: Cast, hit: str, living: Sequence[Ints]) -> Ints:
        sides, face = np.sum(living, axis=0), np.ones_like(living[0])
        for number in np.unique(sides[sides > 1]):
            thrown_with = cast(f"{hit} finds one of {number}", int(number), 1)[0]
            face = np.where(sides == number, thrown_with, face)
        upper = np.cumsum(living, axis=0)
        return np.minimum((face > upper).sum(axis=0), self.bodies - 1)

    def _tell(self, face: Face, hit: str, living: Sequence[int]) -> tuple[int, str]:
        sides = sum(living)
        if sum(n > 0 for n in living) == 1:
            return next(body for body, n in enumerate(living) if n), ""
        shown = face(f"{hit} finds one of {sides}", sides, 0)
        upper = np.cumsum(living)
        return int((shown > upper).sum()), f"D{sides}: {shown}"


def wounds_by_body(
    dice: Dice,
    label: str,
    finding: type[InOrder | AtRandom],
    bodies: Sequence[Body],
    lots: Sequence[Sequence[Draw]],
    most: int,
) -> tuple[Ints, ...]:
    """Let the hits of volleys find bodies; return the wounds that each suffers, ``[..., R]``, in one draw.

    Args:
        label: Of the draw.
        finding: How hits find them: `InOrder`, the first body until nobody of it lives, or `AtRandom`.
        bodies: Who can be hit.
        lots: For each volley, in the order in which they are suffered, the draw that it is against each body: with as
            many attacks, of the same tests against other targets.
        most: The most wounds that any body can suffer.
    """
    arguments: list[Argument] = [number for body in bodies for number in (body.models, body.W, body.hurt)]
    volleys = list[Volley]()
    for lot in lots:
        assert isinstance(lot[0].mechanic, Volley)
        volleys.append(lot[0].mechanic)
        arguments += [lot[0].arguments[0], *(target for draw in lot for target in draw.targets)]
    mechanic = finding(tuple(volleys), len(bodies), most + 1, tuple(body.who for body in bodies))
    answer = dice.draw(label, mechanic, *arguments)
    return tuple(answer // mechanic.digit**i % mechanic.digit for i in range(len(bodies)))


def _living(models: int, W: int, hurt: int) -> list[int]:
    """Return how many live by the wounds that a body suffers, from none to all that it can take."""
    return [models - (lost + hurt) // W for lost in range(models * W - hurt + 1)]
