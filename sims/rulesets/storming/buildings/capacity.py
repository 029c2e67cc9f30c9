"""How many a building holds: agreed, or rolled with a cellar now and then."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from sims.dice import D6, PMF, Dice, Die, Ints, exactly, roll
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, listed
from sims.forces import chosen, total
from sims.inputs import Number
from sims.profiles import MOST_MODELS
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm

NO_LIMIT = 200
"""So many models that a limit of them is none."""
Limit = Annotated[Argument, Number("Models at most.", 0, NO_LIMIT)]


@dataclass(frozen=True)
class HiddenLevel:
    """A die of models, and another whenever the die shows a face, counted up to a limit (ST-012).

    Arguments: whether there is such a level, the limit.
    """

    die: Die
    face: int
    arity = 2

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution, by the face of the first die."""
        there, most = arguments
        if not there or most <= 0:
            return PMF.constant(0)
        return PMF.mixture([(Fraction(1, 6), self._from(face, most)) for face in D6.pmf.outcomes])

    def _from(self, face: int, most: int) -> PMF:
        models = int(self.die.read(np.array(face)))
        again = self.pmf(1, most - models) if face == self.face else PMF.constant(0)
        return (again + models).cap(most)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw until a die does not show the face."""
        there, most = arguments
        found, going = np.zeros_like(most), there > 0
        for face in cast("hidden level", 6, int(np.max(most, initial=0))):
            found = found + np.where(going, self.die.read(face.astype(np.int64)), 0)
            going = going & (face == self.face)
        return np.minimum(found, most)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the dice, as long as another one is thrown and matters."""
        _, most = arguments
        found, shown = 0, list[int]()
        while found < most and (not shown or shown[-1] == self.face):
            shown.append(face("hidden level", 6, len(shown)))
            found += int(self.die.read(np.array(shown[-1])))
        yield f"{self.die.name} models, thrown again after a {self.face}: the dice show {listed(shown)}"


def base_capacity(book: Storming, face: Argument) -> Ints:
    """Return the capacity by the face of the die behind it, before a six adds to it (ST-011)."""
    table = book.tables.capacity
    return table.models * table.dice.read(face)


@asks("ST-011", "ST-012", name="random capacity")
def capacity_roll(dice: Dice, book: Storming, most: Limit = MOST_MODELS) -> Ints:
    """Return how many models a building of random capacity holds (ST-011, ST-012).

    Args:
        most: It is counted up to this, which matters where the hidden level goes on and on.
    """
    table, rulings = book.tables.capacity, book.rulings
    face = roll(dice, "capacity", D6)
    deeper = (face == table.hidden_level) & ~np.asarray(rulings.capacity_six("never"))
    if rulings.capacity_six("chain"):
        more = dice.draw("hidden level", HiddenLevel(table.dice, table.hidden_level), deeper, most)
    else:
        each = table.models if rulings.capacity_six("times_five") else 1
        more = roll(dice, "hidden level", table.dice, deeper) * each
    return np.minimum(base_capacity(book, face) + more, most)


@asks("ST-011", name="base capacity")
def without_hidden_level(book: Storming) -> PMF:
    """Return the capacity before a six adds to it (ST-011)."""
    return exactly(capacity_roll, book.with_rulings({"capacity_six": "never"}), NO_LIMIT)


@asks("ST-012", name="expected capacity")
def expected_capacity(book: Storming) -> Fraction:
    """Return the mean capacity; a hidden level that goes on and on is followed to its end (ST-012)."""
    if not book.rulings.capacity_six("chain"):
        return exactly(capacity_roll, book, NO_LIMIT).mean
    table = book.tables.capacity
    six = D6.pmf[table.hidden_level]
    return without_hidden_level(book).mean + six * table.dice.pmf.mean / (1 - six)


def settle(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Roll for the capacity as the garrison moves in; those of it who do not fit take no part.

    Source: Buildings in 40k (ST-010, ST-011, ST-012), 40k 5th edition (BASE-030).
    """
    most = max(scene.scenario.attackers.models * 2, scene.scenario.defenders.models)
    capacity = capacity_roll(dice, scene.book, most)
    settled = chosen(state.defenders, capacity, range(len(state.defenders)))
    dice.tally("defenders who find no room and take no part", total(state.defenders) - total(settled))
    return state.replace(capacity=capacity, defenders=settled)


def garrison_size(state: Storm, scene: Scene) -> Ints:
    """Return how many of the garrison got in at the start (ST-010)."""
    everybody = scene.scenario.defenders.models
    random = scene.book.rulings.capacity_from("random")
    return np.where(random & (state.capacity > 0), np.minimum(everybody, state.capacity), everybody)
