"""What 40k and the fantasy game share."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from sims.assault import Actor
from sims.dice import D6, PMF, Die, Ints
from sims.dice.source import Argument
from sims.questions import asks
from sims.rulebook import Table, Thrown
from sims.scenario import Force

IMPOSSIBLE = 7
"""The need of a roll of one die that cannot succeed."""


D3 = Die("D3", (6,), lambda face: (face + 1) // 2, PMF.die(3))
"""A D6 halved, halves rounded up: 1 and 2 read 1, 3 and 4 read 2, 5 and 6 read 3 (BASE-001)."""


Roll = Annotated[Die, Thrown(D3)]
"""Dice that a table names."""
OneDie = Annotated[Die, Thrown(D3, alone=True)]
"""A die that a table names, read off one D6 whose face matters too."""

StepOfBlows = tuple[tuple[int, ...], tuple[int, ...]]
"""The groups of two forces that strike together in a close combat."""


def order_of_blows(one: Force, other: Force) -> list[StepOfBlows]:
    """Return which groups of two forces strike together, in Initiative order, highest first (BASE-050).

    Groups of one force that strike one after the other, with no blow between, are put together.
    """
    steps: list[StepOfBlows] = []
    for initiative in sorted({g.profile.I for f in (one, other) for g in f.groups}, reverse=True):
        ours, theirs = (
            tuple(i for i, g in enumerate(force.groups) if initiative == g.profile.I) for force in (one, other)
        )
        before = steps[-1] if steps else ((), ())
        if steps and ((not theirs and not before[1]) or (not ours and not before[0])):
            steps[-1] = (before[0] + ours, before[1] + theirs)
        else:
            steps.append((ours, theirs))
    return steps


def who_strikes(step: StepOfBlows) -> Actor:
    """Return who acts in a step of attackers and defenders."""
    ours, theirs = step
    return "both sides" if ours and theirs else "attackers" if ours else "defenders"


class ToWound(Table):
    """What a hit needs to wound, by Toughness less Strength; differences beyond the ends count as the ends."""

    first: Annotated[int, Field(ge=-9, le=9)]
    needs: Annotated[tuple[Annotated[int, Field(ge=2, le=7)], ...], Field(strict=False, min_length=1)]

    def need(self, S: Argument, T: Argument) -> Ints:
        """Return the need to wound from Strength and Toughness (BASE-011, BASE-046)."""
        return np.array(self.needs).take(T - S - self.first, mode="clip")


@asks("BASE-001", name="D3")
def d3(dice: int = 1) -> PMF:
    """Return the total of some D3 (BASE-001).

    Args:
        dice: How many are added up.
    """
    return dice @ D3.pmf


@asks("BASE-001", name="face behind a D3")
def face_behind(score: Literal[1, 2, 3], face: int | None = None) -> PMF | Fraction:
    """Return the chance that the die behind a D3 of a known score shows a face (BASE-001).

    Args:
        score: What the D3 reads.
        face: What the D6 shows; all that it may show if not given.
    """
    showing = PMF.of({f: 1 for f in D6.pmf.outcomes if int(D3.read(np.array(f))) == score})
    return showing if face is None else showing[face]
