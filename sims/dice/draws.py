"""What a rule throws: a mechanic with its arguments, not thrown yet; and what a rule answers under exact dice."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np

from sims.dice.die import Bools, Die, Ints
from sims.dice.mechanics import Beside, Capped, Mechanic, Total, Volley, distribution, hitting, words_of
from sims.dice.pmf import PMF
from sims.dice.source import Argument, Dice, ExactDice
from sims.dice.targets import Test


@dataclass(frozen=True)
class Draw:
    """A mechanic with its arguments.

    A stage adds up the draws of all groups and makes them as one, on one axis; a question asks for the distribution.

    Attributes:
        arguments: As many as the mechanic takes, each a number or an array ``[..., R]``.
    """

    mechanic: Mechanic
    arguments: tuple[Argument, ...]

    def by(self, who: str) -> Self:
        """Return the same draw by somebody, who is named where it is told."""
        return type(self)(self.mechanic.by(who), self.arguments)  # type: ignore[attr-defined]  # of volleys alone

    def times(self, n: Argument) -> Self:
        """Return the same draw made n times over: so many attacks, or none where n is 0."""
        return type(self)(self.mechanic, (n, *self.arguments[1:]))

    def then(self, other: "Draw") -> "Draw":
        """Return the volley of what passes one volley and then the other: shots that hit, of these those that wound."""
        first, second = self.mechanic, other.mechanic
        assert isinstance(first, Volley)
        assert isinstance(second, Volley)
        return Draw(Volley(first.tests + second.tests, first.hits, first.who), (*self.arguments, *other.arguments[1:]))

    @property
    def tests(self) -> tuple[Test, ...]:
        """The tests of a volley."""
        assert isinstance(self.mechanic, Volley)
        return self.mechanic.tests

    @property
    def targets(self) -> tuple[Argument, ...]:
        """The targets of these tests."""
        return self.arguments[1:]

    @property
    def failed(self) -> "Draw":
        """The roll that counts where this one fails: a save that is not made."""
        (test,) = self.tests
        return Draw(Volley((test.failed,)), self.arguments)

    def named(self, name: str) -> "Draw":
        """Return the same roll by the name that it has in its place: to hit, to go through."""
        (test,) = self.tests
        return Draw(Volley((test.named(name),)), self.arguments)

    def hitting(self, hits: Die) -> "Draw":
        """Return the same volley with so many hits of each attack, every one of which takes the tests."""
        assert isinstance(self.mechanic, Volley)
        return Draw(replace(self.mechanic, hits=hits), self.arguments)

    def up_to(self, most: Argument | None) -> Self:
        """Return the same draw, counted no further than what is there; None for no limit."""
        if most is None:
            return self
        return type(self)(Capped(self.mechanic), (*self.arguments, most))

    def made_beside(self, dice: Dice, label: str, most: int, matter: Argument) -> tuple[Ints, Ints]:
        """Make it, if it comes of hits; return the answer, and beside it the hits, ``[..., R]`` each.

        Args:
            most: The highest answer.
            matter: How many hits matter: more are not counted.
        """
        digit = int(most) + 1
        both = dice.draw(label, Beside(hitting(self.mechanic), digit), *self.arguments, matter).astype(np.int64)
        return both % digit, matter - both // digit

    def made(self, dice: Dice, label: str) -> Ints:
        """Make it under a label; return the answer, ``[..., R]``."""
        return dice.draw(label, self.mechanic, *self.arguments)

    def passed(self, dice: Dice, label: str) -> Bools:
        """Make it under a label; return whether anything was passed, ``[..., R]``."""
        return self.made(dice, label) > 0

    @property
    def pmf(self) -> PMF:
        """The distribution of the answer, with its words, where every argument is one number."""
        arguments = tuple(int(np.asarray(a).item()) for a in self.arguments)
        return distribution(self.mechanic, arguments).named(words_of(self.mechanic, *arguments))


def once(test: Test, target: Argument) -> Draw:
    """Return one roll against a target."""
    return Draw(Volley((test,)), (1, target))


def without_a_roll(n: Argument) -> Draw:
    """Return so many hits that need no roll, or, with `hitting`, so many times as many as a die says."""
    return Draw(Volley(()), (n,))


def together(draws: Iterable[Draw]) -> Draw:
    """Return several draws as one, whose answers are added up."""
    draws = tuple(draws)
    arguments = (argument for draw in draws for argument in draw.arguments)
    return Draw(Total(tuple(draw.mechanic for draw in draws)), tuple(arguments))


def exactly(rule: Callable[..., Any], *arguments: Any, **named: Any) -> PMF:
    """Return what a rule that throws dice answers, ``rule(dice, ...)``, as a distribution in true fractions.

    A truth is 1 or 0. Repeats of a rule are best merged in between: ``PMF.mixture((p, exactly(rule, a)) for a, p in
    before)``; in one call each throw has an axis of its own.
    """
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    answer = np.asarray(rule(dice, *arguments, **named)).astype(np.int64)
    values, weights = (np.broadcast_to(a, dice.weights.shape).reshape(-1) for a in (answer, dice.weights))
    parts = zip(weights, values.tolist(), strict=True)
    return PMF.mixture((weight, PMF.constant(value)) for weight, value in parts if weight)
