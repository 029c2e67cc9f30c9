"""Where pictures go: those of `casemate chart`, and the one that a command draws beside its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclopts import Parameter

from analysis import charts
from analysis.say import files
from analysis.say.notes import note
from sims.errors import CasemateError


@dataclass(frozen=True)
class Picture:
    """A picture that can be written, and what else of it is wanted: as it is drawn for a phone, its rows."""

    path: Path
    phone: Path | None
    csv: Path | None

    def write(self, drawn: "charts.Chart", rows: Sequence[Any]) -> None:
        """Write the picture of rows, and say where it is."""
        from analysis.rows import as_table

        charts.write(drawn, self.path)
        note(f"The chart: {self.path}")
        if self.phone:
            charts.write(drawn.anew(charts.PHONE), self.phone)
            note(f"The chart for a phone: {self.phone}")
        if self.csv:
            files.write_rows(self.csv, *as_table(rows))
            note(f"The rows: {self.csv}")

    def leave_out(self, why: str) -> None:
        """Say why there is no picture beside an answer."""
        note(f"casemate: there is nothing to draw: {why}")


def writable_picture(option: str, path: Path, folder: Path, phone: Path | None, csv: Path | None) -> Picture:
    """Return a picture, having seen that it can be written.

    Args:
        option: The option that names its file.
        folder: One that exists, in which that can be written.

    Raises:
        CasemateError: If it cannot be written.
    """
    for name, file in ((option, path), ("--phone", phone)):
        if file and file.suffix not in (".svg", ".png", ".pdf"):
            raise CasemateError(f'{name} cannot be "{file}"; expected a file ending in .svg, .png or .pdf')
    if phone == path:
        raise CasemateError(f'--phone cannot be "{path}", which the chart itself goes to; expected another file')
    if csv and csv.suffix != ".csv":
        raise CasemateError(f'--csv cannot be "{csv}"; expected a file ending in .csv')
    files.writable(path, folder)
    for file in (phone, csv):
        if file:
            files.writable(file, files.existing_folder(file))
    return Picture(path, phone, csv)


@Parameter(name="*")
@dataclass(frozen=True)
class Pictured:
    """Where a picture goes.

    Args:
        out: The file to write, ending in .svg, .png or .pdf; in reports/ if not given.
        phone: Another such file, for the chart as drawn for the width of a phone.
        csv: A file to write the rows to that are drawn, ending in .csv.
    """

    out: Path | None = None
    phone: Path | None = None
    csv: Path | None = None

    def ready(self, name: str) -> Picture:
        """Return a named picture, or raise `CasemateError`, before anything is computed, if it cannot be written."""
        path = self.out or Path("reports") / f"{name}.svg"
        folder = files.existing_folder(path) if self.out else files.folder_for(path.parent)
        return writable_picture("--out", path, folder, self.phone, self.csv)


@Parameter(name="*")
@dataclass(frozen=True)
class Charted:
    """The chart that a command draws beside its answer.

    Args:
        chart: A file to draw the answer to as well, ending in .svg, .png or .pdf.
        phone: With --chart: another such file, for the chart as drawn for the width of a phone.
        csv: With --chart: a file to write the rows to that are drawn, ending in .csv.
    """

    chart: Path | None = None
    phone: Path | None = None
    csv: Path | None = None

    def ready(self) -> Picture | None:
        """Return the picture, if one is wanted, or raise `CasemateError`, before all else, if it cannot be written."""
        if self.chart is not None:
            folder = files.existing_folder(self.chart)
            return writable_picture("--chart", self.chart, folder, self.phone, self.csv)
        for option, file in (("--phone", self.phone), ("--csv", self.csv)):
            if file:
                raise CasemateError(f"{option} is about the chart, and none is drawn; expected it with --chart FILE")
        return None


IN_REPORTS = Pictured()
NO_CHART = Charted()
