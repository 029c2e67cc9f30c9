"""The commands that draw: what clears a building, and how a game went."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from analysis.commands.assaults import DEFAULT_SCENARIO, course_of
from analysis.commands.base import OWN_PLANS, Meant, Seed, app, progress_bar
from analysis.point import point
from sims.errors import CasemateError
from sims.scenario import Scenario, load_scenario

Levels = Annotated[list[int] | None, Parameter(negative=(), consume_multiple=True)]

chart = App(
    name="chart",
    help="Draw what clears a building, where a response meets a target, what matters most of a scenario, or one game.",
)
app.command(chart)


@chart.command
def support(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    attackers: Levels = None,
    out: Path | None = None,
) -> None:
    """Draw the chance to clear a building by access points and support: none, grenades, templates as well.

    For example:

    - `casemate chart support`
    - `casemate chart support --attackers 8 12 16 20 --out doors.png`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        A rule set by its id, or the file of a house rule.
    attackers
        Numbers of attackers; 5 to 25 by fives if not given.
    out
        The file to write, ending in .svg, .png or .pdf; in reports/ if not given.
    """
    _draw("support", scenario, rules, attackers, out)


@chart.command
def plans(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    attackers: Levels = None,
    out: Path | None = None,
) -> None:
    """Draw the chance to clear a building by the plan of the attackers, with and without weapons that open a wall.

    Demolishing only, as the standard rules have it, stands beside storming where the rules can be set back to that.
    For example:

    - `casemate chart plans bastion`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        A rule set by its id, or the file of a house rule.
    attackers
        Numbers of attackers; 5 to 25 by fives if not given.
    out
        The file to write, ending in .svg, .png or .pdf; in reports/ if not given.
    """
    _draw("plans", scenario, rules, attackers, out)


@chart.command
def game(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    meant: Meant = OWN_PLANS,
    seed: Seed | None = None,
    script: Path | None = None,
    out: Path | None = None,
) -> None:
    """Draw how likely each end of one game was, roll by roll, and the rolls on which it turned.

    The game is the one that `casemate play` tells; both sides keep to their plans. For example:

    - `casemate chart game --seed 7`
    - `casemate chart game bunker-rush --rules gemini --seed 7 --out rush.png`
    - `casemate chart game --script my-game.toml --seed 7`: your own dice, where you wrote them down

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        A rule set by its id, or the file of a house rule.
    seed
        Which luck to play with. Without one, and without a script, it is drawn, and said.
    script
        A file of rolls that are written down, as `casemate play` takes it.
    out
        The file to write, ending in .svg, .png or .pdf; in reports/ if not given.
    """
    from analysis import charts
    from analysis import replay as telling
    from analysis.rows import game_rows
    from sims.replay import replay
    from sims.rulesets import rule_set
    from sims.script import Script

    one = point(scenario, rule_set(rules), meant.changes)
    path = picture("game", one.scenario, out)
    played = replay(one.assault, seed=seed, script=Script.load(script) if script else None)
    course = course_of(one.assault)
    rows, points = game_rows(played, course)
    title, told = f"{one.scenario.title}: {one.rule_set.title}", telling.summary(played)
    turned = "; ".join(map(telling.turning_point, course.turning_points)) or "nowhere"
    figure = charts.game_chart(rows, points, title, told)
    charts.write(figure, path, f"The chance of each end. {title}: {told} Where it turned: {turned}.")
    print(f"The chart: {path}\n{telling.luck(played.seed)}", file=sys.stderr)


def _draw(name: str, scenario: str, rules: str, attackers: list[int] | None, out: Path | None) -> None:
    """Draw the chance to clear a building, as a study has it."""
    from analysis import charts
    from analysis.studies import clear_rows
    from sims.rulesets import rule_set

    one = load_scenario(scenario)
    title = f"{one.title}: {rule_set(rules).title}"
    path = picture(name, one, out)
    with progress_bar() as tell:
        rows = clear_rows(name, scenario, rules, sorted(set(attackers or ())), progress=tell)
    charts.write(charts.clear_chart(rows, title), path, f"Chance to clear the building over the attackers. {title}")
    print(f"The chart: {path}", file=sys.stderr)


def picture(name: str, scenario: Scenario, out: Path | None) -> Path:
    """Return the file to write, seen to be possible before anything is computed."""
    from analysis import files

    path = out or Path("reports") / f"{scenario.id}-{name}.svg"
    if path.suffix not in (".svg", ".png", ".pdf"):
        raise CasemateError(f'--out cannot be "{path}"; expected a file ending in .svg, .png or .pdf')
    files.writable(path, files.existing(path) if out else files.ready(path.parent))
    return path
