"""Who answers a rule's dice: the protocol, and three answerers.

A rule calls ``dice.draw(label, mechanic, *arguments)`` and does not know who answers:

============== ===================================================================================
`ExactDice`    every outcome, on a fresh leading axis, with its weight
`SampledDice`  one outcome for each trial, by inversion of the distribution
`RolledDice`   one outcome for each trial, by throwing every physical die
============== ===================================================================================

The fourth, `sims.replay.ScriptedDice`, answers by what somebody wrote down or gives when asked.

The last axis of every array is R: trials, or distinct states.

Random numbers are addressed, not consumed. The address of a draw is the root seed, the batch, the turn, the
player turn, the stage, the repetition, the scope and the label (and for thrown dice the part); it seeds a
generator of its own, whose j-th word belongs to trial j. So an answer depends neither on workers nor on
order, and two rule sets that differ in one rule meet the same luck everywhere else (common random numbers).
"""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Protocol, Self

import numpy as np

from sims.dice.die import Bools, Die, Ints
from sims.dice.mechanics import Mechanic, Throw, Volley
from sims.dice.tables import Numbers, look_up, sampler, table
from sims.dice.targets import Test
from sims.errors import BudgetError

Argument = Ints | Bools | int

BATCH = 2**17
"""Trials that share an address; a constant, since the luck of a trial depends on it."""

BUDGET = 2**25
"""Cells that one stage of the exact engine may fill, unless told otherwise."""

LARGE = 2**18
"""Cells of which it is worth while to leave some out."""

WASTE = 0.75
"""Columns are parted where two lots fill less than this share of the cells of one."""


class Dice(Protocol):
    """What a rule sees."""

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        """Return the answer to a mechanic, ``[..., R]``.

        Raises:
            ValueError: If the label was drawn before in this stage and scope.
        """

    def within(self, scope: str) -> Self:
        """Return the same dice for one scope: its labels do not meet those of others."""

    def tally(self, name: str, value: Argument) -> None:
        """Add a value to what is only averaged: losses by cause, shots, hits."""


def roll(dice: Dice, label: str, die: Die, when: Argument = 1) -> Ints:
    """Return the score of a die, ``[..., R]``; 0 where `when` is false."""
    return dice.draw(label, Throw(die), when)


def passes(dice: Dice, label: str, test: Test, target: Argument, when: Argument = 1) -> Bools:
    """Return whether a test is passed, ``[..., R]``; false where `when` is false."""
    return dice.draw(label, Volley((test,)), when, target) > 0


class LotsError(Exception):
    """Asks for the columns of a stage in several lots: much of what a draw would fill has no weight.

    Attributes:
        lot ([R]): To which lot each column belongs.
        lots: How many there are.
    """

    def __init__(self, lot: Ints, lots: int) -> None:
        super().__init__()
        self.lot = lot
        self.lots = lots


@dataclass
class _Stage:
    """What the scopes of one stage share."""

    labels: set[tuple[str, str]] = field(default_factory=set)
    tallies: dict[str, Any] = field(default_factory=dict)

    def open(self, scope: str, label: str) -> None:
        if (scope, label) in self.labels:
            raise ValueError(f'the label "{label}" is drawn twice in one stage (scope "{scope}")')
        self.labels.add((scope, label))


class ExactDice:
    """Every outcome, on a fresh leading axis, with its weight.

    A table has a row for each outcome that any column can have. Where columns differ much in that, as few fighters and
    many do, most of the cells would have no weight; then the stage is better played for some columns at a time.

    Args:
        weights ([R]): The weight of each state, as floats or as Fractions in an array of objects.
        budget: The most cells that a stage may fill.
        filled: Cells that other columns of the stage fill already.
    """

    def __init__(self, weights: Numbers, budget: int = BUDGET, filled: int = 0) -> None:
        self._stage = _Stage()
        self._scope = ""
        self._joint = [weights]  # shared by all scopes: the joint weight, [K_n, ..., K_1, R]
        self._budget = budget
        self._filled = filled

    @property
    def weights(self) -> Numbers:
        """The joint weight of all draws so far, ``[K_n, ..., K_1, R]``."""
        return self._joint[0]

    @property
    def tallies(self) -> dict[str, Any]:
        """Weight times value, summed, of what was tallied."""
        return self._stage.tallies

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        """Return all outcomes, ``[K, 1, ..., 1]``; one that is the only one has no axis, ``[1]``.

        Raises:
            BudgetError: If the stage would fill more cells than its budget.
            LotsError: If it would fill much fewer in several lots of columns.
        """
        self._stage.open(self._scope, label)
        joint = self._joint[0]
        rows, index = look_up(mechanic, arguments)
        found = table(mechanic, rows)
        if len(found.outcomes) == 1:
            return found.outcomes
        cells = joint.size * len(found.outcomes)
        if cells > LARGE and index.shape[-1:] == joint.shape[-1:]:
            needed = found.sizes[index].reshape(-1, joint.shape[-1]).max(axis=0)
            if cuts := _cuts(np.bincount(needed), joint.size // joint.shape[-1]):
                raise LotsError(np.searchsorted(cuts, needed), len(cuts) + 1)
        if self._filled + cells > self._budget:
            raise BudgetError(
                f'the draw "{label}" needs {self._filled + cells:,} cells, the exact engine has {self._budget:,}; '
                f"use engine bounded or sampled, or fewer models"
            )
        chances = (found.fractions if joint.dtype == object else found.floats)[:, index]
        lead = (len(found.outcomes),) + (1,) * (joint.ndim + 1 - chances.ndim)
        self._joint[0] = joint * chances.reshape(lead + chances.shape[1:])
        return found.outcomes.reshape((-1,) + (1,) * joint.ndim)

    def within(self, scope: str) -> Self:
        """Return the same dice for one scope."""
        inner = object.__new__(type(self))
        inner.__dict__ = self.__dict__ | {"_scope": f"{self._scope}/{scope}"}
        return inner

    def tally(self, name: str, value: Argument) -> None:
        """Add weight times value, over everything drawn so far."""
        amount = (self.weights * value).sum()
        self._stage.tallies[name] = self._stage.tallies.get(name, 0) + amount


def _cuts(columns: Ints, lead: int) -> list[int]:
    """Return up to how many outcomes the columns of each lot but the last have, so that few cells have no weight.

    Args:
        columns: How many columns have no outcome, one, two, ...
        lead: How many cells each outcome of a column fills.
    """
    needs, up_to = np.arange(len(columns)), np.cumsum(columns)
    filled = needs * up_to + needs[-1] * (up_to[-1] - up_to)
    cut = int(filled.argmin())
    if lead * filled[-1] <= LARGE or filled[cut] >= WASTE * filled[-1]:
        return []
    return [*_cuts(columns[: cut + 1], lead), cut, *_cuts(np.where(needs > cut, columns, 0), lead)]


@dataclass(frozen=True)
class Address:
    """Where in a run a stage stands."""

    seed: int
    batch: int
    turn: int
    player_turn: str
    stage: str
    repetition: int

    def generator(self, *more: str) -> np.random.Generator:
        """Return the generator that belongs to this address alone."""
        words = (
            self.seed,
            self.batch,
            self.turn,
            self.player_turn,
            self.stage,
            self.repetition,
            *more,
        )
        key = blake2b("\x1f".join(map(str, words)).encode(), digest_size=16).digest()
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(int.from_bytes(key, "little"))))


class _TrialDice:
    """What sampled and rolled dice share: trials with ids that they keep, and an address."""

    def __init__(self, address: Address, ids: Ints) -> None:
        self._stage = _Stage()
        self._scope = ""
        self._address = address
        self._ids = ids
        self._whole = len(ids) == BATCH and bool((ids[1:] > ids[:-1]).all())

    @property
    def tallies(self) -> dict[str, Ints]:
        """The values tallied, one for each trial at hand, ``[R]``."""
        return self._stage.tallies

    def within(self, scope: str) -> Self:
        """Return the same dice for one scope."""
        inner = object.__new__(type(self))
        inner.__dict__ = self.__dict__ | {"_scope": f"{self._scope}/{scope}"}
        return inner

    def tally(self, name: str, value: Argument) -> None:
        """Add a value for each trial."""
        amount = np.broadcast_to(value, self._ids.shape)
        self._stage.tallies[name] = self._stage.tallies.get(name, 0) + amount

    def _mine(self, words: Any) -> Any:
        """Pick, from words of shape ``[..., BATCH]``, those of the trials at hand."""
        return words if self._whole else words.take(self._ids, axis=-1)


class SampledDice(_TrialDice):
    """One outcome for each trial: one uniform word, inverted through the composed distribution."""

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        """Return one outcome for each trial, ``[R]``."""
        self._stage.open(self._scope, label)
        rows, index = look_up(mechanic, arguments)
        needed = int(self._ids.max(initial=0)) // 2 + 1  # two trials share a word of 64 bits
        raw = self._address.generator(self._scope, label).bit_generator.random_raw(needed)
        return sampler(mechanic).sample(rows, index, self._mine(raw.view(np.uint32)))


class RolledDice(_TrialDice):
    """One outcome for each trial, by throwing every physical die."""

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        """Return one outcome for each trial, ``[R]``."""
        self._stage.open(self._scope, label)

        def cast(part: str, sides: int, rows: int) -> Ints:
            generator = self._address.generator(self._scope, label, part)
            return self._mine(throw_faces(generator, sides, rows))

        arrays = (np.broadcast_to(np.asarray(a, dtype=np.int64), self._ids.shape) for a in arguments)
        return mechanic.throw(cast, *arrays)

    def face(self, label: str, part: str, sides: int, row: int) -> int:
        """Return what one die of a roll shows in the first trial."""
        generator = self._address.generator(self._scope, label, part)
        return int(self._mine(throw_faces(generator, sides, row + 1))[row][0])


def throw_faces(generator: np.random.Generator, sides: int, rows: int) -> Any:
    """Throw ``rows x BATCH`` fair dice; the first rows are the same however many are thrown."""
    return generator.integers(1, sides + 1, dtype=np.uint8, size=(rows, BATCH))
