"""The application, and what its commands print: JSON, how far they have come, what takes long."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from cyclopts import App

from analysis.commands.options import Playing
from analysis.points.plans import exactly
from analysis.points.point import How
from analysis.points.responses import Estimate
from analysis.points.stopping import short
from analysis.say.notes import note
from sims.engines import Engine, Progress
from sims.words import counted

if TYPE_CHECKING:
    from analysis.say.blocks import Block

app = App(
    name="casemate",
    help="""
What does a building rule do to the game? Casemate plays the same assault on the same building under several published
sets of building rules, and under your own house rules: exactly where it can, with a stated error where it cannot.

Start here:

- `casemate compare` plays one assault under every set of rules and writes a page with charts.
- `casemate versus A B` compares two sets of rules, or two scenarios, on the same dice: who does better, by how much.
- `casemate sweep` plays it at many levels of any numbers: how many attackers, how many doors, which plan.
- `casemate sensitivity` says what matters most of a scenario: by one step of each number, or over ranges.
- `casemate chart` draws what clears a building, the lines of an even chance, or one game, roll by roll. Receipts,
  sweeps and other answers have a chart of their own: `--chart FILE`.
- `casemate receipt` says what a house rule does, and which part of it; `explain`, `solve` and `baseline` go on from
  there, and `new-rule` writes a file to start from.
- `casemate play` plays one assault once and tells it move by move.
- `casemate best` says what good players make of an assault: under which rules it is worth making, and when to change
  the plan.
- `casemate position` says what a position in mid-game is worth, under every plan and set of rules.
- `casemate odds "2D6"` answers any dice; `casemate odds CLAUSE name=value` any clause, exactly.
- `casemate rules` lists the rule sets, their tables and rulings, and what is modelled so far.
- `casemate scenarios` lists the assaults, units, weapons and buildings to choose from.
- `casemate store` shows the file that keeps what was played, and clears it.
- `casemate export` writes an assault as a model that a model checker reads, for a judge from outside.

Each command explains itself: `casemate compare --help`.
""",
    help_format="markdown",
    version=lambda: version("casemate"),
    result_action="return_value",
    exit_on_error=False,
    print_error=False,
    suppress_keyboard_interrupt=False,
)

LONG = 60
"""Seconds that best play may take for an assault such as the farmhouse."""


def tell_long(playing: Playing, engine: Engine, assaults: int, workers: int = 1) -> None:
    """Say how long best play in so many assaults takes, or raise `CasemateError` if the engine does not find it."""
    if playing == "best":
        exactly(engine)
        minutes = -(-assaults * LONG // (60 * min(workers, assaults)))
        note(
            f"casemate: finding best play takes up to {LONG} seconds for each of about {counted(assaults, 'assault')}: "
            f"up to {counted(minutes, 'minute')}"
        )


def print_blocks(said: "Iterable[Block]") -> None:
    """Print paragraphs and tables."""
    from analysis.say import blocks
    from analysis.say.console import console

    blocks.show(console(), said)


def print_json(data: dict[str, Any]) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2, allow_nan=False))


def print_rows(data: dict[str, Any], rows: Iterable[str]) -> None:
    """Print data as JSON, and rows among it, each a line of JSON already: they are never all in memory."""
    print(json.dumps(data, indent=2, allow_nan=False).removesuffix("\n}"), end=',\n  "rows": [')
    for before, row in zip(chain([""], repeat(",")), rows, strict=False):
        print(f"{before}\n    {row.rstrip()}", end="")
    print("\n  ]\n}")


def tell_short(how: How, found: Iterable[Mapping[str, Estimate]]) -> None:
    """Say beside JSON and pictures, if it is so, in how many answers the most trials were not enough."""
    from analysis.say.engine import not_enough

    for said in not_enough(how, short(found, how.until)):
        note(f"casemate: {said}")


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a bar on standard error once a second has passed, where a person can see it."""
    from tqdm import tqdm

    form = "{percentage:3.0f}% |{bar}| {elapsed}<{remaining}"
    with tqdm(total=1.0, delay=1, disable=None, leave=False, miniters=0, bar_format=form, file=sys.stderr) as bar:

        def tell(done: float, of: int) -> None:
            bar.update(done / of - bar.n)

        yield tell


def within(tell: Progress, part: int, parts: int, done: float, of: int) -> None:
    """Tell how much of the whole is done, by how much is done of one part."""
    tell(part + done / of, parts)
