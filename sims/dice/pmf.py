"""Probability mass functions over integers, with integer weights.

A `PMF` is immutable and always in lowest terms, so equal distributions are equal objects. Weights are
Python integers: nothing is rounded and nothing is dropped from a tail. Independent numbers are added by convolution:
P(X + Y = n) = sum_k P(X = k) P(Y = n - k).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate
from math import comb, gcd, lcm
from typing import Self

from sims.errors import BudgetError

MAX_BITS = 2**23
"""The largest product of outcomes and bits for each weight that `n @ pmf` will build."""

MAX_STEPS = 2**20
"""The most products of two weights that a sum or a pick of dice will form."""


def _afford(steps: int, what: str) -> None:
    """Refuse what takes more than `MAX_STEPS`, by a `BudgetError`."""
    if steps > MAX_STEPS:
        raise BudgetError(
            f"{what} is too large for an exact distribution; expected at most {MAX_STEPS:,} steps, got {steps:,}"
        )


@dataclass(frozen=True)
class PMF:
    """A distribution over integers.

    Attributes:
        outcomes: In increasing order, each with a weight above zero.
        weights: As many as outcomes, with greatest common divisor 1.
        names: The words for outcomes that are codes; they tell no two distributions apart.

    Examples:
        >>> from sims.dice import PMF
        >>> two = 2 @ PMF.die(6)
        >>> two[7], two.at_least(10), two.mean
        (Fraction(1, 6), Fraction(1, 6), Fraction(7, 1))
    """

    outcomes: tuple[int, ...]
    weights: tuple[int, ...]
    names: Mapping[int, str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, weights: Mapping[int, int]) -> Self:
        """Make a PMF from integer weights, in any order and any common multiple.

        Raises:
            ValueError: If a weight is negative or all of them are zero.
        """
        if any(weight < 0 for weight in weights.values()):
            raise ValueError(f"weights must not be negative, got {dict(weights)}")
        positive = sorted((k, w) for k, w in weights.items() if w)
        if not positive:
            raise ValueError("a distribution needs at least one outcome with a weight above zero")
        divisor = gcd(*(w for _, w in positive))
        return cls(tuple(int(k) for k, _ in positive), tuple(w // divisor for _, w in positive))

    @classmethod
    def die(cls, sides: int) -> Self:
        """Return the distribution of a fair die with faces 1 to `sides`.

        Raises:
            ValueError: If there is no side.
            BudgetError: If there are too many.
        """
        if sides < 1:
            raise ValueError(f"a die has at least one side, got {sides}")
        _afford(sides, f"a die of {sides:,} sides")
        return cls(tuple(range(1, sides + 1)), (1,) * sides)

    @classmethod
    def constant(cls, value: int) -> Self:
        """Return the distribution that is always `value`."""
        return cls((value,), (1,))

    @classmethod
    def chance(cls, p: Fraction | int) -> Self:
        """Return the distribution of one success (1) with chance `p`, else 0.

        Raises:
            ValueError: If `p` lies outside 0 to 1.
        """
        p = Fraction(p)
        return cls.of({0: p.denominator - p.numerator, 1: p.numerator})

    @classmethod
    def mixture(cls, parts: Iterable[tuple[Fraction, "PMF"]]) -> Self:
        """Return the distribution that follows each PMF with the chance given beside it."""
        shares = [(chance / pmf.total, pmf) for chance, pmf in parts]
        common = lcm(*(share.denominator for share, _ in shares))
        weights: dict[int, int] = {}
        for share, pmf in shares:
            factor = int(share * common)
            for k, w in pmf._pairs:
                weights[k] = weights.get(k, 0) + factor * w
        return cls.of(weights)

    @cached_property
    def total(self) -> int:
        """The sum of the weights: the denominator of every chance."""
        return sum(self.weights)

    def __iter__(self) -> Iterator[tuple[int, Fraction]]:
        """Yield each outcome with its chance, in increasing order."""
        return zip(self.outcomes, self.chances, strict=True)

    @cached_property
    def chances(self) -> tuple[Fraction, ...]:
        """The chance of each outcome."""
        return tuple(Fraction(w, self.total) for w in self.weights)

    @cached_property
    def floats(self) -> tuple[float, ...]:
        """The chance of each outcome, each rounded once (integer divided by integer)."""
        return tuple(w / self.total for w in self.weights)

    def __getitem__(self, outcome: int) -> Fraction:
        return Fraction(dict(zip(self.outcomes, self.weights, strict=True)).get(outcome, 0), self.total)

    def where(self, condition: Callable[[int], bool]) -> Fraction:
        """Return the chance that the outcome fulfils a condition."""
        return Fraction(sum(w for k, w in self._pairs if condition(k)), self.total)

    def at_least(self, k: int) -> Fraction:
        """Return P(outcome >= k)."""
        return self.where(lambda outcome: outcome >= k)

    def at_most(self, k: int) -> Fraction:
        """Return P(outcome <= k)."""
        return self.where(lambda outcome: outcome <= k)

    @cached_property
    def mean(self) -> Fraction:
        """The expected outcome."""
        return Fraction(sum(k * w for k, w in self._pairs), self.total)

    @cached_property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean."""
        return Fraction(sum(k * k * w for k, w in self._pairs), self.total) - self.mean**2

    def quantile(self, q: float) -> int:
        """Return the smallest outcome that is not exceeded with a chance of at least `q`."""
        reached = accumulate(self.weights)
        return next(k for k, w in zip(self.outcomes, reached, strict=True) if w >= q * self.total)

    def named(self, names: Mapping[int, str]) -> Self:
        """Return the same distribution with words for its outcomes, and for some that cannot come up."""
        return replace(self, names=dict(names))

    @property
    def of_words(self) -> bool:
        """Whether outcomes are codes with names, whose mean says nothing; that of failed and passed is a chance."""
        return not {*self.names} <= {0, 1} and {*self.outcomes} <= {*self.names}

    def map(self, f: Callable[[int], int]) -> "PMF":
        """Return the distribution of f(outcome)."""
        weights: dict[int, int] = {}
        for k, w in self._pairs:
            weights[f(k)] = weights.get(f(k), 0) + w
        return PMF.of(weights)

    def cap(self, most: int) -> "PMF":
        """Return the distribution of min(outcome, most)."""
        if self.outcomes[-1] <= most:
            return self
        free = bisect_left(self.outcomes, most)
        return PMF.of(dict(zip(self.outcomes[:free], self.weights, strict=False)) | {most: sum(self.weights[free:])})

    def __add__(self, other: "PMF | int") -> "PMF":
        """Return the distribution of the sum of independent outcomes, or of a shifted outcome.

        Raises:
            BudgetError: If the two have too many outcomes.
        """
        if isinstance(other, int):
            return self.map(lambda k: k + other)
        _afford(len(self.outcomes) * len(other.outcomes), "a sum of so many dice")
        weights: dict[int, int] = {}
        for a, v in self._pairs:
            for b, w in other._pairs:
                weights[a + b] = weights.get(a + b, 0) + v * w
        return PMF.of(weights)

    def __sub__(self, other: "PMF | int") -> "PMF":
        return self + (-other)

    def __neg__(self) -> "PMF":
        return self.map(lambda k: -k)

    def __rmatmul__(self, n: int) -> "PMF":
        """Return the distribution of the sum of `n` independent outcomes (``3 @ PMF.die(6)``).

        The weights are packed side by side into one long integer, whose power holds the weights of the sum: as fast
        as integer multiplication.

        Raises:
            ValueError: If `n` is negative.
            BudgetError: If the answer would be larger than `MAX_BITS`.
        """
        if n < 0:
            raise ValueError(f"the number of dice must not be negative, got {n}")
        lowest, width = self.outcomes[0], self.outcomes[-1] - self.outcomes[0]
        slots = _Slots.holding(n * self.total.bit_length(), n * width + 1, f"{n:,} dice of {width + 1} outcomes each")
        packed = sum(w << slots.bits * (k - lowest) for k, w in self._pairs) ** n
        return slots.unpack(packed, n * lowest)

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple(zip(self.outcomes, self.weights, strict=True))


def compound(count: PMF, each: PMF) -> PMF:
    """Return the distribution of the sum of `count` independent draws from `each`.

    The polynomial of `count`, evaluated by Horner's rule at the polynomial of `each`; weights are packed as for
    ``n @ pmf``.

    Raises:
        ValueError: If `count` can be negative.
        BudgetError: If the answer would be larger than `MAX_BITS`.
    """
    most = count.outcomes[-1]
    if count.outcomes[0] < 0:
        raise ValueError(f"the number of draws must not be negative, got {count.outcomes[0]}")
    lowest = min(0, each.outcomes[0])
    width = max(0, each.outcomes[-1]) - lowest
    bits = count.total.bit_length() + most * each.total.bit_length()
    slots = _Slots.holding(bits, most * width + 1, f"up to {most:,} draws of {width + 1} outcomes each")
    once = sum(w << slots.bits * (k - lowest) for k, w in each._pairs)
    weights = dict(count._pairs)
    packed = 0
    for fewer in range(most + 1):
        term = weights.get(most - fewer, 0) * each.total**fewer
        packed = packed * once + (term << slots.bits * fewer * -lowest)
    return slots.unpack(packed, most * lowest)


@dataclass(frozen=True)
class _Slots:
    """How weights stand side by side in one long integer."""

    size: int
    """Bytes for each weight."""
    number: int

    @classmethod
    def holding(cls, bits: int, number: int, what: str) -> Self:
        """Return slots for `number` weights of at most so many bits; refuse more than `MAX_BITS` in all."""
        slots = cls(bits // 8 + 1, number)
        if slots.bits * number > MAX_BITS:
            raise BudgetError(
                f"{what} are too many for an exact distribution; "
                f"expected at most {MAX_BITS:,} outcomes x bits, got {slots.bits * number:,}"
            )
        return slots

    @property
    def bits(self) -> int:
        return 8 * self.size

    def unpack(self, packed: int, lowest: int) -> PMF:
        """Return the distribution whose first weight is that of `lowest`."""
        data = packed.to_bytes(self.size * self.number, "little")
        weights = (int.from_bytes(data[i * self.size : (i + 1) * self.size], "little") for i in range(self.number))
        return PMF.of({lowest + i: w for i, w in enumerate(weights)})


def keep(n: int, die: PMF, k: int, *, highest: bool = True) -> PMF:
    """Return the distribution of the sum of the `k` highest (or lowest) of `n` dice.

    The faces are gone through from the best to the worst; how many dice show each of them is a binomial
    choice among the dice left.

    Raises:
        ValueError: If not 1 <= k <= n.
        BudgetError: If there are too many dice.
    """
    if not 1 <= k <= n:
        raise ValueError(f"the dice kept must be between 1 and the {n} thrown, got {k}")
    width = die.outcomes[-1] - die.outcomes[0]
    _afford(n * n * k * (width + 1) * len(die.outcomes), f"picking from {n} dice")
    faces = sorted(die._pairs, reverse=highest)
    ways = {(0, 0): 1}  # (dice that have shown a face so far, sum of those kept) -> weight

    def show(ways: dict[tuple[int, int], int], face: tuple[int, int]) -> dict[tuple[int, int], int]:
        value, weight = face
        after: dict[tuple[int, int], int] = {}
        for (used, total), way in ways.items():
            for more in range(n - used + 1):
                kept = min(used + more, k) - min(used, k)
                key = (used + more, total + kept * value)
                after[key] = after.get(key, 0) + way * comb(n - used, more) * weight**more
        return after

    final = reduce(show, faces, ways)
    return PMF.of({total: way for (used, total), way in final.items() if used == n})
