"""What the commands that draw share: the application `casemate chart` and its chapters."""

import re
from collections.abc import Sequence
from shlex import join
from typing import Annotated, Any, NamedTuple

from cyclopts import App, Group, Parameter

from analysis.commands.root import app, print_blocks
from sims.errors import CasemateError, nearest

Levels = Annotated[list[int] | None, Parameter(negative=(), consume_multiple=1)]
"""One or more whole numbers after the name of an option."""

chart = App(name="chart", help="Draw: the dice, what stands on them, assaults, and what is decided.")
app.command(chart)

DICE, SCATTER, BUILDINGS, ASSAULTS, DECISIONS = (
    Group(name, sort_key=n) for n, name in enumerate(("Dice", "Scatter", "Buildings", "Assaults", "Decisions"))
)
"""The chapters of the charts, in their order."""


class Beside(NamedTuple):
    """A chart that another command draws beside its answer.

    Attributes:
        typed: What that command is asked in an example.
        needs: What one of the words typed has to be, as a pattern.
    """

    chapter: Group
    purpose: str
    typed: tuple[str, ...] = ()
    needs: str = ""


BESIDE = {
    "best": Beside(
        DECISIONS,
        "Draw which plan is best when, if both sides play their best: by turn and by the models left",
        ("--rules", "storming"),
    ),
    "receipt": Beside(
        DECISIONS,
        "Draw what a house rule moves in a suite of assaults, how far, and which of its keys has done how much of that",
        ("FILE",),
        needs=r".*\.toml",
    ),
    "sensitivity": Beside(
        DECISIONS, "Draw what matters most of a scenario: how far a response swings by one step of each number"
    ),
    "solve": Beside(
        DECISIONS,
        "Draw a response over the values of one number under several sets of rules, and where it meets a target",
        ("--vary", "KEY"),
        needs="--vary|--any",
    ),
    "sweep": Beside(
        ASSAULTS,
        "Draw a response by one thing that is varied, or by two numbers, under several sets of rules",
        ("--vary", "KEY=LEVELS"),
        needs="--vary|--study",
    ),
    "versus": Beside(
        DECISIONS,
        "Draw a response under two sets of rules, or in two scenarios, by plan, and how far they are apart",
        ("A", "B"),
        needs=r"(?!-|.*\.(svg|png|pdf|csv)$)",
    ),
}
"""The charts that come with the answer of a command, with --chart, by the name of the command."""


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
        name, *given = unknown
        if name in BESIDE:
            raise CasemateError(f"this chart comes with its answer; type {command_beside(name, given)}")
        raise CasemateError(f'there is no chart "{name}"; {nearest(name, chart_names())}')
    if listed:
        from analysis.say import blocks

        rows = tuple(
            (name, f"{purpose(name)} ({command_beside(name)})" if name in BESIDE else purpose(name))
            for name in chart_names()
        )
        print_blocks([blocks.Grid(("chart", "what it shows"), rows, 2)])
    else:
        chart.help_print()


def chart_names() -> list[str]:
    """Return the names of the charts, by chapter and name."""
    drawn = [name for name in chart if not name.startswith("-") and chart[name].group]
    return sorted([*drawn, *BESIDE], key=lambda name: (chapter(name).sort_key, name))


def chapter(name: str) -> Any:
    """Return the chapter of a chart."""
    if name in BESIDE:
        return BESIDE[name].chapter
    group = chart[name].group
    return group[0] if isinstance(group, tuple) else group


def purpose(name: str) -> str:
    """Return the line that says what a chart shows."""
    if name in BESIDE:
        return BESIDE[name].purpose
    return str(chart[name].help).strip().split("\n")[0].rstrip(".")


def command_beside(name: str, given: Sequence[str] = ()) -> str:
    """Return the command that draws a chart beside its answer, by what is given of it to `casemate chart`."""
    asked = [re.sub(r"^--out(?=$|=)", "--chart", word) for word in given if word not in ("--help", "-h")]
    needed, pattern = BESIDE[name].typed, BESIDE[name].needs
    if not asked or not any(re.match(pattern, word) for word in asked):
        asked = [*asked, *needed] if needed and needed[0].startswith("-") else [*needed, *asked]
    where = [] if any(word.startswith("--chart") for word in asked) else ["--chart", f"{name}.svg"]
    return join(["casemate", name, *asked, *where])
