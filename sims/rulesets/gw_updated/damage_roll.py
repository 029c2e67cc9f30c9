"""The roll on the updated building damage table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sims.dice import D6, PMF, Draw, Ints
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face
from sims.inputs import NONE, Piercing
from sims.questions import asks
from sims.rulesets.gw_updated.book import GwUpdated


@dataclass(frozen=True)
class DamageRoll:
    """A roll on the damage table; the answer is the modified total (GW-029, GW-030).

    Arguments: the AP of the hit, 7 for '-'.
    """

    rows: tuple[str, ...]
    AP1: int
    AP2: int
    mighty_bulwark: int
    arity = 1

    @property
    def answers(self) -> Mapping[int, str]:
        """The rows of the table by the totals that can be rolled; totals beyond its ends count as the ends."""
        least, most = (edge(0, self.AP1, self.AP2) + self.mighty_bulwark for edge in (min, max))
        totals = range(1 + least, 7 + most)
        return {total: self.rows[min(max(total, 0), len(self.rows) - 1)] for total in totals}

    def modifier(self, AP: Argument) -> Ints:
        """Return what is added to the die."""
        return np.select([AP == 1, AP == 2], [self.AP1, self.AP2]) + self.mighty_bulwark

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the total."""
        (AP,) = arguments
        return D6.pmf + int(self.modifier(AP))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the die."""
        (AP,) = arguments
        return cast("damage", 6, 1)[0].astype(np.int64) + self.modifier(AP)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the die and what modifies it."""
        (AP,) = arguments
        pierces = (int(self.modifier(AP)) - self.mighty_bulwark, f"AP {AP}")
        yield f"D6: {added_up(face('damage', 6, 0), pierces, (self.mighty_bulwark, 'Mighty Bulwark'))}"


def rows(book: GwUpdated) -> tuple[str, ...]:
    """Return the name of the row of the damage table for each total, from 0 (GW-032)."""
    return book.tables.damage.rows


@asks("GW-029", "GW-030", name="damage roll")
def damage_roll(book: GwUpdated, AP: Piercing = NONE, mighty_bulwark: bool = False) -> Draw:
    """Return a roll on the damage table (GW-029, GW-030).

    Args:
        mighty_bulwark: Whether the building has Mighty Bulwark.
    """
    table = book.tables.modifiers
    return Draw(DamageRoll(rows(book), table.AP1, table.AP2, table.mighty_bulwark * mighty_bulwark), (AP,))


@asks("GW-029", name="extreme damage roll")
def extreme_roll(
    book: GwUpdated, end: Literal["lowest", "highest"], AP: Piercing = NONE, mighty_bulwark: bool = False
) -> int:
    """Return the lowest or highest roll on the damage table (GW-029).

    Args:
        end: Which of the two.
        mighty_bulwark: Whether the building has Mighty Bulwark.
    """
    outcomes = damage_roll(book, AP, mighty_bulwark).pmf.outcomes
    return outcomes[0] if end == "lowest" else outcomes[-1]


def each_row(book: GwUpdated) -> list[int]:
    """Return a total that stands for each row of the damage table (GW-032)."""
    return [total_of(book, row) for row in dict.fromkeys(rows(book))]


def total_of(book: GwUpdated, row: str) -> int:
    """Return a total that stands for a row of the damage table.

    Raises:
        ValueError: If none does.
    """
    if row not in rows(book):
        raise ValueError(f"no total of the damage table stands for {row}")
    return rows(book).index(row)
