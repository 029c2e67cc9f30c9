"""Tidy rows for charts: one observation each, read from answers; the rows of a chart are all that it draws.

A row is a named tuple of plain values. What belongs to a set of rules has its name in `rules` and how it looks in
`look`: the colour of its book, "blue", and that of its base if it is a house rule, "blue, dashed".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.lazy import lazy

if TYPE_CHECKING:
    from analysis.rows.assaults import (
        BothRow,
        EndRow,
        LeftRow,
        LossMark,
        LossRow,
        TurnRow,
        both_rows,
        end_rows,
        left_rows,
        loss_marks,
        loss_rows,
        turn_rows,
    )
    from analysis.rows.choices import ChoiceRow, choice_rows
    from analysis.rows.clearing import ClearRow, clear_rows
    from analysis.rows.decisions import (
        CrossingRow,
        MoveRow,
        RulingRow,
        SharedRow,
        ShareRow,
        move_rows,
        ruling_rows,
        share_rows,
        shared_rows,
        solve_rows,
    )
    from analysis.rows.dice import (
        DiceMark,
        DiceRow,
        ExtendedRow,
        HitRow,
        PassRow,
        SaveRow,
        WoundRow,
        dice_rows,
        extended_rows,
        hit_rows,
        leadership_rows,
        save_rows,
        wound_rows,
    )
    from analysis.rows.games import PointRow, StepRow, game_rows
    from analysis.rows.plans import AlikeRow, PlansRow, compared_plans, plans_rows
    from analysis.rows.scatter import CoverRow, LandingRow, Target, Variant, cover_rows, landing_rows, targets, variants
    from analysis.rows.standing import HalfRow, Hit, StandRow, burning_rows, half_rows, survival_rows, wall_rows
    from analysis.rows.sweeps import (
        ContourRow,
        LevelRow,
        PlaneRow,
        RangeRow,
        SwingRow,
        answer_rows,
        cell_rows,
        contour_rows,
        level_rows,
        looks_of,
        plane_rows,
        range_rows,
        swing_rows,
        titles_of,
    )
    from analysis.rows.tables import ResultRow, bunker_rows, damage_rows
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
