"""Tidy rows for charts: one observation each, read from answers; the rows of a chart are all that it draws.

A row is a named tuple of plain values. What belongs to a set of rules has its name in `rules` and how it looks in
`look`: the colour of its book, "blue", and that of its base if it is a house rule, "blue, dashed".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.lazy import lazy

if TYPE_CHECKING:
    from analysis.rows.assaults import BothRow as BothRow
    from analysis.rows.assaults import EndRow as EndRow
    from analysis.rows.assaults import LeftRow as LeftRow
    from analysis.rows.assaults import LossMark as LossMark
    from analysis.rows.assaults import LossRow as LossRow
    from analysis.rows.assaults import TurnRow as TurnRow
    from analysis.rows.assaults import both_rows as both_rows
    from analysis.rows.assaults import end_rows as end_rows
    from analysis.rows.assaults import left_rows as left_rows
    from analysis.rows.assaults import loss_marks as loss_marks
    from analysis.rows.assaults import loss_rows as loss_rows
    from analysis.rows.assaults import turn_rows as turn_rows
    from analysis.rows.choices import ChoiceRow as ChoiceRow
    from analysis.rows.choices import choice_rows as choice_rows
    from analysis.rows.clearing import ClearRow as ClearRow
    from analysis.rows.clearing import clear_rows as clear_rows
    from analysis.rows.decisions import CrossingRow as CrossingRow
    from analysis.rows.decisions import MoveRow as MoveRow
    from analysis.rows.decisions import RulingRow as RulingRow
    from analysis.rows.decisions import SharedRow as SharedRow
    from analysis.rows.decisions import ShareRow as ShareRow
    from analysis.rows.decisions import move_rows as move_rows
    from analysis.rows.decisions import ruling_rows as ruling_rows
    from analysis.rows.decisions import share_rows as share_rows
    from analysis.rows.decisions import shared_rows as shared_rows
    from analysis.rows.decisions import solve_rows as solve_rows
    from analysis.rows.dice import DiceMark as DiceMark
    from analysis.rows.dice import DiceRow as DiceRow
    from analysis.rows.dice import ExtendedRow as ExtendedRow
    from analysis.rows.dice import HitRow as HitRow
    from analysis.rows.dice import PassRow as PassRow
    from analysis.rows.dice import SaveRow as SaveRow
    from analysis.rows.dice import WoundRow as WoundRow
    from analysis.rows.dice import dice_rows as dice_rows
    from analysis.rows.dice import extended_rows as extended_rows
    from analysis.rows.dice import hit_rows as hit_rows
    from analysis.rows.dice import leadership_rows as leadership_rows
    from analysis.rows.dice import save_rows as save_rows
    from analysis.rows.dice import wound_rows as wound_rows
    from analysis.rows.games import PointRow as PointRow
    from analysis.rows.games import StepRow as StepRow
    from analysis.rows.games import game_rows as game_rows
    from analysis.rows.plans import AlikeRow as AlikeRow
    from analysis.rows.plans import PlansRow as PlansRow
    from analysis.rows.plans import compared_plans as compared_plans
    from analysis.rows.plans import plans_rows as plans_rows
    from analysis.rows.scatter import CoverRow as CoverRow
    from analysis.rows.scatter import LandingRow as LandingRow
    from analysis.rows.scatter import Target as Target
    from analysis.rows.scatter import Variant as Variant
    from analysis.rows.scatter import cover_rows as cover_rows
    from analysis.rows.scatter import landing_rows as landing_rows
    from analysis.rows.scatter import targets as targets
    from analysis.rows.scatter import variants as variants
    from analysis.rows.standing import HalfRow as HalfRow
    from analysis.rows.standing import Hit as Hit
    from analysis.rows.standing import StandRow as StandRow
    from analysis.rows.standing import burning_rows as burning_rows
    from analysis.rows.standing import half_rows as half_rows
    from analysis.rows.standing import survival_rows as survival_rows
    from analysis.rows.standing import wall_rows as wall_rows
    from analysis.rows.sweeps import ContourRow as ContourRow
    from analysis.rows.sweeps import LevelRow as LevelRow
    from analysis.rows.sweeps import PlaneRow as PlaneRow
    from analysis.rows.sweeps import RangeRow as RangeRow
    from analysis.rows.sweeps import SwingRow as SwingRow
    from analysis.rows.sweeps import answer_rows as answer_rows
    from analysis.rows.sweeps import cell_rows as cell_rows
    from analysis.rows.sweeps import contour_rows as contour_rows
    from analysis.rows.sweeps import level_rows as level_rows
    from analysis.rows.sweeps import looks_of as looks_of
    from analysis.rows.sweeps import plane_rows as plane_rows
    from analysis.rows.sweeps import range_rows as range_rows
    from analysis.rows.sweeps import swing_rows as swing_rows
    from analysis.rows.sweeps import titles_of as titles_of
    from analysis.rows.tables import ResultRow as ResultRow
    from analysis.rows.tables import bunker_rows as bunker_rows
    from analysis.rows.tables import damage_rows as damage_rows
else:
    __getattr__, __dir__ = lazy(__name__)


def description(rows: Sequence[Any]) -> str:
    """Say rows for those who cannot see what is drawn of them: what the columns are, then every value."""
    columns = [name for name in rows[0]._fields if name != "look" and any(getattr(r, name) is not None for r in rows)]
    values = ("; ".join(", ".join(_told(getattr(row, name)) for name in columns) for row in rows)).strip()
    return f"{', '.join(name.replace('_', ' ') for name in columns)}: {values}."


def _told(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "none" if value is None else str(value)


def as_table(rows: Sequence[Any]) -> tuple[Sequence[str], Iterator[Mapping[str, Any]]]:
    """Return the columns of rows, and each as a mapping, to be written to a file."""
    return rows[0]._fields, (row._asdict() for row in rows)


def names(rows: Iterable[Any]) -> list[str]:
    """Return the names of the sets of rules that rows have, in their order."""
    return list(dict.fromkeys(row.rules for row in rows))
