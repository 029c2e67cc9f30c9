"""Flames and grenades among those inside who are not alike: each meets those who are still alive, as what they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np

from sims.dice import PMF, UNDER, AtRandom, Ints, Volley
from sims.dice.finding import wounds_in_words
from sims.dice.hits import Few, added
from sims.dice.mechanics import Cast, Share, distribution, scoped
from sims.rulesets.gemini.openings.blasts import EVERYBODY, HIT, Blast, hits_of_one, hurts

Left = tuple[int, ...]
"""Wounds that each row of models can still take."""
Targets = tuple[tuple[Any, ...], ...]
"""For each row, a target for each test."""
WARNED = UNDER.named("to pass the hit on")
"""The die of a character who looks out."""


class Kind(NamedTuple):
    """Blasts of a kind: how many, their own arguments, and the targets of those who are hit."""

    blast: Blast
    n: Any
    own: tuple[Any, ...]
    targets: Targets


@dataclass(frozen=True)
class BlastsApart:
    """Blasts among rows of models, one after the other; the answer is the wounds of each row, as digits of one number.

    Where characters look out, most hits on one are passed on to somebody who is none, if any lives.

    Arguments: of each kind of blast how many, its own arguments, and the targets of each row; then the wounds that each
    row can take.

    Attributes:
        W: Wounds of a model of each row.
        looks_out: For each row, on how much or less its models pass a hit on; 0 for those who are no characters.
        digit: The wounds of a row are one digit of the answer to this base, those of the first the lowest.
    """

    kinds: tuple[Blast, ...]
    W: tuple[int, ...]
    looks_out: tuple[int, ...]
    digit: int
    who: tuple[str, ...] = field(default=(), compare=False)

    @property
    def arity(self) -> int:
        """Return as many as the kinds take, and one for each row."""
        return len(self.W) + sum(1 + kind.own + len(kind.tests) * len(self.W) for kind in self.kinds)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the answer, blast by blast."""
        kinds, most = self._shared(arguments)
        ways: dict[Left, Fraction] = {most: Fraction(1)}
        for kind in kinds:
            for _ in range(kind.n):
                ways = added(
                    (after, weight * chance)
                    for left, weight in ways.items()
                    for after, chance in after_one(self, kind.blast, kind.own, kind.targets, left).items()
                )
        return PMF.mixture((chance, PMF.constant(self.answer(most, left))) for left, chance in ways.items())

    def words(self, *arguments: int) -> Mapping[int, str]:
        """Say the wounds of each row."""
        return wounds_in_words(distribution(self, arguments).outcomes, self.digit, self.who)

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits by all of them, with the answer."""
        kinds, living = self._shared(arguments)
        ways: dict[tuple[int, Left], Fraction] = {(0, living): Fraction(1)}
        for kind in kinds:
            for _ in range(kind.n):
                ways = added(
                    ((hits + more, after), weight * c * chance)
                    for (hits, left), weight in ways.items()
                    for more, c in hits_of_one(kind.blast, kind.own, sum(self.models(left)), most - hits)
                    for after, chance in after_hits(self, kind.blast, kind.targets, left, more).items()
                )
        return {(hits, self.answer(living, left)): chance for (hits, left), chance in ways.items()}

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw every die of every blast."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return the hits of all of them, and the answer."""
        kinds, most = self._shared(arguments)
        hits, left = np.zeros_like(most[0]), most
        for i, (blast, n, own, targets) in enumerate(kinds):
            for j in range(int(np.max(n, initial=0))):
                one, models = scoped(cast, f"{i} {j}"), self.models(left)
                hit, score = blast.throw_one(one, (n > j).astype(np.int64), sum(models), *own)
                left, made = self._throw_hits(one, blast, targets, left, hit, score)
                hits = hits + made
        return hits, np.asarray(self.answer(most, left))

    def _throw_hits(
        self, cast: Cast, blast: Blast, targets: Targets, left: tuple[Ints, ...], hit: Ints, score: Ints
    ) -> tuple[tuple[Ints, ...], Ints]:
        """Throw for those whom one blast can hit; return the wounds that each row can still take, and the hits."""
        models, after, passed, made = self.models(left), list[Ints](), np.zeros_like(hit), np.zeros_like(hit)
        among, others = sum(models), self.others(models)
        for row, (n, looks) in enumerate(zip(models, self.looks_out, strict=True)):
            one = scoped(cast, f"{row}")
            some = Share().throw(scoped(one, "in reach"), hit, among, n)
            among, hit = among - n, hit - some
            hits = Volley((HIT,)).throw(one, some, score)
            on = Volley((WARNED,)).throw(scoped(one, "look out"), hits * (others > 0), looks + 0 * hits)
            wounds = Volley(blast.tests).throw(scoped(one, "harm"), hits - on, *targets[row])
            after.append(np.maximum(left[row] - wounds, 0))
            passed, made = passed + on, made + hits
        mechanic, given = self.passing_on(blast, after, passed, targets)
        found = mechanic.throw(scoped(cast, "passed on"), *given)
        return tuple(n - found // self.digit**row % self.digit for row, n in enumerate(after)), made

    def passing_on(
        self, blast: Blast, left: Sequence[Any], hits: Any, targets: Targets
    ) -> tuple[AtRandom, tuple[Any, ...]]:
        """Return how hits that are passed on find those who are no characters, and the arguments of that."""
        bodies = list[Any]()
        for n, W, of, looks in zip(self.models(left), self.W, left, self.looks_out, strict=True):
            bodies += [n * (not looks), W + 0 * n, (n * W - of) * (not looks)]
        return AtRandom((Volley(blast.tests),), len(self.W), self.digit), (*bodies, hits, *sum(targets, ()))

    def models(self, left: Sequence[Any]) -> list[Any]:
        """Return how many live of each row."""
        return [-(-of // W) for of, W in zip(left, self.W, strict=True)]

    def others(self, models: Sequence[Any]) -> Any:
        """Return how many live who are no characters."""
        return sum(n for n, looks in zip(models, self.looks_out, strict=True) if not looks)

    def answer(self, most: Sequence[Any], left: Sequence[Any]) -> Any:
        """Return the wounds of each row as one number."""
        return sum((had - has) * self.digit**row for row, (had, has) in enumerate(zip(most, left, strict=True)))

    def _shared(self, arguments: tuple[Any, ...]) -> tuple[list[Kind], tuple[Any, ...]]:
        """Return the arguments of each kind, and the wounds that each row can take."""
        given, kinds = iter(arguments), list[Kind]()
        for blast in self.kinds:
            n, *own = islice(given, 1 + blast.own)
            kinds.append(Kind(blast, n, tuple(own), tuple(tuple(islice(given, len(blast.tests))) for _ in self.W)))
        return kinds, tuple(given)


@lru_cache(maxsize=2**12)
def after_one(
    blasts: BlastsApart, kind: Blast, own: tuple[int, ...], targets: Targets, left: Left
) -> dict[Left, Fraction]:
    """Return the chances of what each row can still take after one blast."""
    models = sum(blasts.models(left))
    return added(
        (after, chance * c)
        for chance, n, score in kind.ways(*own)
        if chance
        for after, c in after_reach(blasts, kind, targets, left, models if n is None else min(n, models), score)
    )


@lru_cache(maxsize=2**12)
def after_hits(blasts: BlastsApart, kind: Blast, targets: Targets, left: Left, hits: int) -> dict[Left, Fraction]:
    """Return the chances of what each row can still take after one blast that hits so many."""
    return added(after_reach(blasts, kind, targets, left, hits, EVERYBODY))


def after_reach(
    blasts: BlastsApart, kind: Blast, targets: Targets, left: Left, reach: int, score: int
) -> Iterator[tuple[Left, Fraction]]:
    """Yield what each row can still take after one blast that can hit so many, each at a score, and the chance."""
    models = blasts.models(left)
    for some in product(*(range(n + 1) for n in models)):
        if sum(some) == reach:
            share = Fraction(prod(map(comb, models, some)), comb(sum(models), reach))
            rows = (_one_row(blasts, kind, targets, left, row, n, score) for row, n in enumerate(some))
            for each in product(*(row.items() for row in rows)):
                weight = share * prod((c for _, c in each), start=Fraction(1))
                lives = tuple(had - lost for had, ((lost, _), _) in zip(left, each, strict=True))
                mechanic, given = blasts.passing_on(kind, lives, sum(on for (_, on), _ in each), targets)
                for found, c in distribution(mechanic, given):
                    suffered = (found // blasts.digit**row % blasts.digit for row in range(len(left)))
                    yield tuple(n - lost for n, lost in zip(lives, suffered, strict=True)), weight * c


def _one_row(
    blasts: BlastsApart, kind: Blast, targets: Targets, left: Left, row: int, n: int, score: int
) -> dict[tuple[int, int], Fraction]:
    """Return the chances of the wounds of so many of a row who can be hit, and of the hits that they pass on."""
    hit, hurting = UNDER.chance(score), hurts(kind, targets[row])
    on = UNDER.chance(blasts.looks_out[row]) * (blasts.others(blasts.models(left)) > 0)
    one = ((hit * on, n + 1), (hit * (1 - on) * hurting, 1), (1 - hit * (on + (1 - on) * hurting), 0))
    found = n @ PMF.mixture((chance, PMF.constant(k)) for chance, k in one if chance)
    return added(((min(k % (n + 1), left[row]), k // (n + 1)), chance) for k, chance in found)
