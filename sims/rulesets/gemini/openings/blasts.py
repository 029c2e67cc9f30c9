"""Flames and grenades among those inside, one after the other: each meets those who are still alive."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import lcm, prod
from typing import Any, ClassVar

import numpy as np

from sims.dice import PMF, UNDER, Ints, Test, Volley
from sims.dice.hits import Few, added
from sims.dice.mechanics import Cast, Mechanic, distribution, scoped, tell
from sims.dice.telling import Face, Told, d6, needed, signed, thrown

HIT = UNDER.named("to hit")
"""The die of a model that can be hit."""
EVERYBODY = 6
"""The score of the die of each model where all are hit without a roll."""
Way = tuple[Fraction, int | None, int]
"""A chance, how many models can then be hit (None for all inside), and the score at which each of them is."""


@dataclass(frozen=True)
class Flame:
    """Shots of a template weapon: a roll that is good enough hits all inside, any other some on a die of their own.

    Arguments: how many; the target that hits all; the target of a bare success; models that can be hit by a failure;
    the score of each model after a bare success, of those after a failure, and of each model inside where all can be
    hit; a target for each test of those who are hit.

    Attributes:
        own: Its arguments between their number and the targets.
    """

    hitting: Test
    tests: tuple[Test, ...]
    who: str = field(default="", compare=False)
    own: ClassVar[int] = 6

    def ways(self, *arguments: int) -> list[Way]:
        """Return what one shot can do."""
        full, bare, reach, licked, missed, inside, *_ = arguments
        best = self.hitting.chance(full)
        some = max(self.hitting.chance(bare) - best, Fraction(0))
        return [(best, None, inside), (some, None, licked), (1 - best - some, reach, missed)]

    def throw_one(self, cast: Cast, going: Ints, models: Ints, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw for one shot where it is fired; return how many models can be hit, and the score at which they are."""
        full, bare, reach, licked, missed, inside, *_ = arguments
        faces = [cast(f"to hit {d}", 6, 1)[0] for d in range(self.hitting.dice)]
        best, some = self.hitting.passes(full, *faces), self.hitting.passes(bare, *faces)
        score = np.where(best, inside, np.where(some, licked, missed))
        return np.where(best | some, models, np.minimum(reach, models)) * going, score

    def tell_one(self, face: Face, models: int, *arguments: int) -> Iterator[str]:
        """Say how one shot comes in."""
        full, bare, reach, *_ = arguments
        (shown, best), (again, some) = (thrown(self.hitting, target, d6(face, "to hit", 0)) for target in (full, bare))
        hit = models if some else min(reach, models)
        barely = f", barely {needed(self.hitting, bare)}" if bare != full else ""
        needs = f"to hit all, {needed(self.hitting, full)}{barely}"
        how = "" if best else "barely: " if some else "missed: "
        yield f"{needs}: {max(shown, again, key=len)}, {how}{hit} of {models} in reach"


@dataclass(frozen=True)
class Grenade:
    """Grenades, each of which hits all inside if it gets in, and nobody else.

    Arguments: how many, and whatever else decides how many get in; the score of each model inside; a target for each
    test of those who are hit.
    """

    gets_in: Mechanic
    tests: tuple[Test, ...]
    who: str = field(default="", compare=False)

    @property
    def own(self) -> int:
        """Return as many as getting in takes: its rolls, and a score."""
        return self.gets_in.arity

    def ways(self, *arguments: int) -> list[Way]:
        """Return what one grenade can do."""
        rolls, inside = arguments[: self.own - 1], arguments[self.own - 1]
        gets_in = distribution(self.gets_in, (1, *rolls))[1]
        return [(gets_in, None, inside), (1 - gets_in, 0, 0)]

    def throw_one(self, cast: Cast, going: Ints, models: Ints, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw for one grenade where there is one; return how many models can be hit, and the score at which."""
        rolls, inside = arguments[: self.own - 1], arguments[self.own - 1]
        return models * self.gets_in.throw(scoped(cast, "in"), going, *rolls), inside

    def tell_one(self, face: Face, models: int, *arguments: int) -> Iterator[str]:
        """Say how one grenade gets in."""
        if rolls := arguments[: self.own - 1]:
            yield from tell(self.gets_in, scoped(face, "in"), 1, *rolls)


Blast = Flame | Grenade


def hurts(kind: Blast, targets: tuple[int, ...]) -> Fraction:
    """Return the chance that a hit hurts: that one model takes every test as is bad for it."""
    return prod((test.chance(target) for test, target in zip(kind.tests, targets, strict=True)), start=Fraction(1))


def harm(kind: Blast) -> Volley:
    """Return what becomes of models that can be hit: each may be, and then takes the tests."""
    return Volley((HIT, *kind.tests))


def aimed(kind: Blast, told: Told, models: int, arguments: tuple[int, ...]) -> tuple[int, int]:
    """Return how many models one blast that is told can hit, and the score at which they are hit."""
    hit, score = kind.throw_one(told.cast, *(np.array([a]) for a in (1, models, *arguments)))
    return int(hit[0]), int(score[0])


@dataclass(frozen=True)
class Blasts:
    """Blasts of several kinds, one after the other, each among those who are still alive; the answer is their wounds.

    Models take their wounds one model after the other.

    Arguments: those of each kind, one after the other; then the wounds that those inside can take.
    """

    kinds: tuple[Blast, ...]
    W: int

    @property
    def arity(self) -> int:
        """Return one more than the sum of the kinds' arities."""
        return 1 + sum(1 + kind.own + len(kind.tests) for kind in self.kinds)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the wounds, blast by blast."""
        *own, most = arguments
        left = {most: 1}
        for kind, (n, *rest) in self._shared(own):
            for _ in range(n):
                left = _after(left, after_one(kind, tuple(rest), self.W, most))
        return PMF.of({most - k: weight for k, weight in left.items()})

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits by all of them, with the wounds."""
        *own, living = arguments
        ways: Few = {(0, living): Fraction(1)}
        for kind, (n, *rest) in self._shared(own):
            harms = hurts(kind, tuple(rest[kind.own :]))
            for _ in range(n):
                ways = added(
                    ((hits + more, max(left - wounds, 0)), chance * c * c2)
                    for (hits, left), chance in ways.items()
                    for more, c in hits_of_one(kind, tuple(rest), -(-left // self.W), most - hits)
                    for wounds, c2 in more @ PMF.chance(harms)
                )
        return {(hits, living - left): chance for (hits, left), chance in ways.items()}

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every die of every blast."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return the hits of all of them, and the wounds."""
        *own, most = arguments
        hits, left = np.zeros_like(most), most
        for i, (kind, (n, *rest)) in enumerate(self._shared(own)):
            for j in range(int(np.max(n, initial=0))):
                one, going = scoped(cast, f"{i} {j}"), (n > j).astype(np.int64)
                hit, score = kind.throw_one(one, going, -(-left // self.W), *rest)
                made, wounds = harm(kind).both(one, hit, score, *rest[kind.own :])
                hits, left = hits + made, np.maximum(left - wounds, 0)
        return hits, most - left

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Tell each blast among those whom the others have left."""
        *own, left = arguments
        for i, (kind, (n, *rest)) in enumerate(self._shared(own)):
            for j in range(n):
                models, told = -(-left // self.W), Told(scoped(face, f"{i} {j}"))
                lines = [*kind.tell_one(told.face, models, *rest)]
                those_hit = *aimed(kind, told, models, rest), *rest[kind.own :]
                yield from signed(kind.who, [*lines, *harm(kind).tell(told.face, *those_hit)])
                wounds = harm(kind).throw(told.cast, *(np.array([a]) for a in those_hit))
                left = max(left - int(wounds[0]), 0)

    def _shared(self, arguments: Any) -> list[tuple[Blast, Any]]:
        left = iter(arguments)
        return [(kind, tuple(islice(left, 1 + kind.own + len(kind.tests)))) for kind in self.kinds]


def hits_of_one(kind: Blast, arguments: tuple[int, ...], models: int, most: int) -> Iterator[tuple[int, Fraction]]:
    """Yield how many of so many models one blast hits, if those are fewer than `most`, and the chance of it."""
    for chance, n, score in kind.ways(*arguments):
        reach = models if n is None else min(n, models)
        hits = reach @ PMF.chance(UNDER.chance(score))
        yield from ((k, chance * c) for k, c in hits if k < most and chance)


def _after(left: dict[int, int], rows: tuple[dict[int, int], ...]) -> dict[int, int]:
    weights: dict[int, int] = {}
    for before, weight in left.items():
        for k, more in rows[before].items():
            weights[k] = weights.get(k, 0) + weight * more
    return weights


@lru_cache(maxsize=2**12)
def after_one(kind: Blast, arguments: tuple[int, ...], W: int, most: int) -> tuple[dict[int, int], ...]:
    """Return the weights of the wounds that are left after one blast, for each number before; all of one total."""
    hurting = hurts(kind, arguments[kind.own :])
    ways = [(chance, n, UNDER.chance(score) * hurting) for chance, n, score in kind.ways(*arguments)]
    rows = []
    for before in range(most + 1):
        models = -(-before // W)
        wounds = ((c, (models if n is None else min(n, models)) @ PMF.chance(p)) for c, n, p in ways if c)
        rows.append((-PMF.mixture(wounds).cap(before)) + before)
    common = lcm(*(row.total for row in rows))
    return tuple({k: w * (common // row.total) for k, w in zip(row.outcomes, row.weights, strict=True)} for row in rows)
