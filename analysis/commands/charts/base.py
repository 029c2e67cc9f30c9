"""What the commands that draw share: the application `casemate chart`, its chapters, and where a picture goes."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Group, Parameter

from analysis.commands.base import app
from sims.errors import CasemateError, nearest

if TYPE_CHECKING:
    from analysis.charts import Chart

Levels = Annotated[list[int] | None, Parameter(negative=(), consume_multiple=1)]
"""One or more whole numbers after the name of an option."""

chart = App(name="chart", help="Draw: the dice, what stands on them, assaults, and what is decided.")
app.command(chart)

DICE, SCATTER, BUILDINGS, ASSAULTS, DECISIONS = (
    Group(name, sort_key=n) for n, name in enumerate(("Dice", "Scatter", "Buildings", "Assaults", "Decisions"))
)
"""The chapters of the charts, in their order."""


@chart.default
def charts(
    *unknown: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    listed: Annotated[bool, Parameter(name="--list", negative=())] = False,
) -> None:
    """Draw a chart by its name.

    Args:
        listed: Print what each chart is for.
    """
    if unknown:
        raise CasemateError(f'there is no chart "{unknown[0]}"; {nearest(unknown[0], chart_names())}')
    if listed:
        from analysis.say import blocks
        from analysis.say.console import console

        rows = tuple((name, purpose(name)) for name in chart_names())
        blocks.show(console(), [blocks.Grid(("chart", "what it shows"), rows, 2)])
    else:
        chart.help_print()


def chart_names() -> list[str]:
    """Return the names of the charts, by chapter and name."""
    drawn = [name for name in chart if not name.startswith("-") and chart[name].group]
    return sorted(drawn, key=lambda name: (chapter(name).sort_key, name))


def chapter(name: str) -> Any:
    """Return the chapter of a chart."""
    group = chart[name].group
    return group[0] if isinstance(group, tuple) else group


def purpose(name: str) -> str:
    """Return the line that says what a chart shows."""
    return str(chart[name].help).strip().split("\n")[0].rstrip(".")


@dataclass(frozen=True)
class Picture:
    """A picture that can be written, and what else of it is wanted: as it is drawn for a phone, its rows."""

    path: Path
    phone: Path | None
    csv: Path | None

    def write(self, drawn: "Chart", rows: Sequence[Any]) -> None:
        """Write the picture of rows, and say where it is."""
        from analysis import charts
        from analysis.rows import as_table
        from analysis.say import files

        charts.write(drawn, self.path)
        print(f"The chart: {self.path}", file=sys.stderr)
        if self.phone:
            charts.write(drawn.anew(charts.PHONE), self.phone)
            print(f"The chart for a phone: {self.phone}", file=sys.stderr)
        if self.csv:
            files.write_rows(self.csv, *as_table(rows))
            print(f"The rows: {self.csv}", file=sys.stderr)


@Parameter(name="*")
@dataclass(frozen=True)
class Pictured:
    """Where a picture goes.

    Args:
        out: The file to write, ending in .svg, .png or .pdf; in reports/ if not given.
        phone: Another such file, to write the chart to as it is drawn anew for the width of a phone.
        csv: A file to write the rows to that are drawn, ending in .csv.
    """

    out: Path | None = None
    phone: Path | None = None
    csv: Path | None = None

    def ready(self, name: str) -> Picture:
        """Return the picture of a name, seen to be possible before anything is computed.

        Raises:
            CasemateError: If it cannot be written.
        """
        from analysis.say import files

        path = self.out or Path("reports") / f"{name}.svg"
        for option, file in (("--out", path), ("--phone", self.phone)):
            if file and file.suffix not in (".svg", ".png", ".pdf"):
                raise CasemateError(f'{option} cannot be "{file}"; expected a file ending in .svg, .png or .pdf')
        if self.phone == path:
            raise CasemateError(f'--phone cannot be "{path}", which the chart itself goes to; expected another file')
        if self.csv and self.csv.suffix != ".csv":
            raise CasemateError(f'--csv cannot be "{self.csv}"; expected a file ending in .csv')
        files.writable(path, files.existing_folder(path) if self.out else files.folder_for(path.parent))
        for file in (self.phone, self.csv):
            if file:
                files.writable(file, files.existing_folder(file))
        return Picture(path, self.phone, self.csv)


IN_REPORTS = Pictured()
