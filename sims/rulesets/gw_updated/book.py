"""The numbers and rulings of the updated building rules."""

from functools import cache
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sims.dice import Ints
from sims.dice.source import Argument
from sims.games.common import Roll
from sims.games.wh40k.book import Sixth
from sims.reading import Strict, Whole
from sims.rulebook import Book, Ruling, Rulings, Table

Few = Annotated[int, Field(ge=0, le=6)]


class Effect(Strict):
    """What one row of the damage table does.

    Attributes:
        results: The totals that it stands for.
        AV, AV_dice: Armour Value lost: points, and dice of them.
        inside, roof: How many times the dice of masonry fall on the unit inside, and on each unit on the battlements.
        occupants_snap, weapons_snap: Those inside, or the emplaced weapons, may only fire Snap Shots in their next
            turn.
        weapons_lost: Emplaced weapons destroyed, each drawn at random.
        destroyed: The building falls, with everything mounted on it.
    """

    results: Whole
    AV: Few
    AV_dice: Few
    inside: Few
    roof: Few
    occupants_snap: bool
    weapons_snap: bool
    weapons_lost: Few
    destroyed: bool


class Damage(Table):
    """The updated building damage table, the dice of Armour Value lost; totals beyond its ends count as the ends."""

    dice: Roll
    breach: Effect
    tremor: Effect
    partial_collapse: Effect
    structural_collapse: Effect
    catastrophic_breach: Effect
    total_collapse: Effect
    detonation: Effect

    @model_validator(mode="after")
    def _each_total_once(self) -> Self:
        found = sorted(total for effect in self.effects for total in effect.results)
        if not found or found != list(range(found[-1] + 1)):
            raise ValueError(f"every total from 0 up must stand in one row, found {found}")
        return self

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Every row, in the order of the table."""
        rows = (getattr(self, name) for name in type(self).model_fields)
        return tuple(row for row in rows if isinstance(row, Effect))

    @property
    def rows(self) -> tuple[str, ...]:
        """The name of the row of each total, from 0."""
        fields = ((name, getattr(self, name)) for name in type(self).model_fields)
        by_total = {t: name.replace("_", " ") for name, row in fields if isinstance(row, Effect) for t in row.results}
        return tuple(by_total[total] for total in sorted(by_total))

    def column(self, name: str, totals: Argument) -> Ints:
        """Return what a column of the table says for modified totals."""
        column = _column(self.effects, name)
        return column[np.clip(totals, 0, column.size - 1)]


@cache
def _column(effects: tuple[Effect, ...], name: str) -> Ints:
    """Return what a column of the table says for each total; kept by the values of the rows, not in the table."""
    by_total = {total: effect for effect in effects for total in effect.results}
    return np.array([int(getattr(by_total[total], name)) for total in sorted(by_total)])


class Modifiers(Table):
    """What is added to a roll on the damage table."""

    AP1: int
    AP2: int
    mighty_bulwark: int


class Masonry(Table):
    """How many hits fall at a time, and the Strength of each; it has no AP and ignores cover."""

    hits: Roll
    S: Annotated[int, Field(ge=1, le=10)]


class ForcedExit(Table):
    """How many models find room when a building is destroyed."""

    room: Annotated[int, Field(ge=0, le=60)]


class Leaving(Table):
    """How far those inside come out in the turn after a Tremor, in inches."""

    after_tremor: Annotated[int, Field(ge=0, le=12)]


class GwTables(Strict):
    """Every table."""

    damage: Damage
    modifiers: Modifiers
    masonry: Masonry
    forced_exit: ForcedExit
    leaving: Leaving


class GwRulings(Rulings):
    """Every ruling."""

    attackers_of_walls: Ruling
    claiming_unit: Ruling
    jump_infantry: Ruling
    shots_at_buildings: Ruling
    armour_of_nothing: Ruling
    armour_in_a_volley: Ruling
    volley_when_empty: Ruling
    sally_when: Ruling


class GwUpdated(Book):
    """The updated building rules."""

    package: ClassVar[str] = "sims.rulesets.gw_updated"
    tables: GwTables
    rulings: GwRulings
    game: Sixth
