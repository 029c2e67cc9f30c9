"""The gallery: every chart that help gives as an example, on one page."""

import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from analysis.commands.charts.base import BESIDE, chapter, chart, chart_names, purpose
from analysis.commands.root import app, progress_bar
from analysis.say import files
from analysis.say.notes import note

HOUSE_RULE = "my-house-rule.toml"
"""The file that examples of house rules name."""
OF_THE_GALLERY = """base = "storming"
title = "Heavier grenades"

[tables.grenade]
hits = "D6"
S = 4
"""
"""What it says in the gallery."""


class Example(NamedTuple):
    """A command that the help of a chart gives, and the files that the gallery draws it to."""

    command: str
    file: str
    phone: str


@chart.command
def gallery(*, out: Path = Path("reports") / "gallery") -> None:
    """Draw every example of every chart on one page, each with the command that makes it.

    Args:
        out: The folder to write the page to, as index.html, and the pictures beside it; it is made if need be.
    """
    from analysis.pages import report

    page = out / "index.html"
    files.writable(page, files.existing_folder(out.resolve()))
    files.write(out / HOUSE_RULE, OF_THE_GALLERY)
    drawn = {name: examples(name) for name in chart_names()}
    every = [one for some in drawn.values() for one in some]
    with progress_bar() as tell:
        for n, one in enumerate(every):
            _draw(one, out)
            tell(n + 1, len(every))
    chapters = {
        str(group.name): [
            (name, purpose(name), [(one.command, _picture(one, out)) for one in drawn[name]]) for name in names
        ]
        for group, names in groupby(chart_names(), chapter)
    }
    files.write(page, report.gallery(chapters, OF_THE_GALLERY))
    note(f"The gallery: {page}")


def examples(name: str) -> list[Example]:
    """Return the examples of a chart that ask for no other file of the reader's than his house rule."""
    command, help_ = (name, app[name].help) if name in BESIDE else (f"chart {name}", chart[name].help)
    told = re.findall(rf"^ *- `(casemate {command}(?: [^`]*)?)`", str(help_), flags=re.MULTILINE)
    drawn = [line for line in told if name not in BESIDE or " --chart " in line]
    plain = [re.sub(r" --(?:out|csv) \S+", "", line) for line in drawn]
    plain = [line for line in plain if "my-" not in line.replace(HOUSE_RULE, "")]
    return [Example(line, f"{name}-{n}.svg", f"{name}-{n}-phone.svg") for n, line in enumerate(plain, 1)]


def _draw(one: Example, folder: Path) -> None:
    """Draw an example as if it were typed in a folder."""
    typed = re.sub(r" --chart \S+", "", one.command)
    file = "--out" if typed == one.command else "--chart"
    with chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        app([*shlex.split(typed)[1:], file, one.file, "--phone", one.phone])


def _picture(one: Example, folder: Path) -> str:
    """Return what has been drawn of an example, for a page."""
    from analysis.pages import report

    return report.both(*((folder / file).read_text("utf-8") for file in (one.file, one.phone)))
