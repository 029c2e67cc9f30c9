"""Tidy rows for charts: one observation each, read from answers; the rows of a chart are all that it draws.

A row is a named tuple of plain values. What belongs to a set of rules has its name in `rules` and how it looks in
`look`: the colour of its book, "blue", and that of its base if it is a house rule, "blue, dashed". What a module of
rows has that is public is here as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.lazy import lazy

if TYPE_CHECKING:
    from analysis.rows.assaults import *
    from analysis.rows.choices import *
    from analysis.rows.clearing import *
    from analysis.rows.decisions import *
    from analysis.rows.dice import *
    from analysis.rows.games import *
    from analysis.rows.growth import *
    from analysis.rows.markers import *
    from analysis.rows.plans import *
    from analysis.rows.scatter import *
    from analysis.rows.standing import *
    from analysis.rows.sweeps import *
    from analysis.rows.tables import *

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
