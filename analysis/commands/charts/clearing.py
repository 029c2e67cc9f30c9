"""The charts of what clears a building, as the studies that come with Casemate have it."""

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.charts.base import ASSAULTS, Levels, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from analysis.commands.root import progress_bar
from analysis.points.point import AUTO
from sims.rulesets import rule_set
from sims.scenario import load_scenario


@chart.command(group=ASSAULTS)
def support(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance to clear a building by access points and support: none, grenades, templates as well.

    For example:

    - `casemate chart support`
    - `casemate chart support --attackers 8 12 16 20 --out doors.png`

    Args:
        attackers: Numbers of attackers; 5 to 25 by fives if not given.
    """
    _draw("support", scenario, rules, attackers, pictured)


@chart.command(group=ASSAULTS)
def plans(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance to clear a building by the plan of the attackers, with and without weapons that open a wall.

    Demolishing only, as the standard rules have it, stands beside storming where the rules can be set back to that.
    For example:

    - `casemate chart plans bastion`

    Args:
        attackers: Numbers of attackers; 5 to 25 by fives if not given.
    """
    _draw("plans", scenario, rules, attackers, pictured)


def _draw(name: str, scenario: str, rules: str, attackers: list[int] | None, pictured: Pictured) -> None:
    """Draw the chance to clear a building, as a study has it."""
    from analysis.say.engine import engine
    from analysis.sweeps.words import common_caption

    picture = pictured.ready(f"{load_scenario(scenario).id}-{name}")
    levels = sorted(set(attackers or ()))
    with progress_bar() as tell:
        shown = rows.clear_rows(name, scenario, rules, levels, progress=tell)
    computed = engine(AUTO, len(shown), sum(row.low is not None for row in shown))
    played = common_caption(rows.clear_design(name, scenario, rules, levels))
    picture.write(charts.clear_chart(shown, caption=f"{rule_set(rules).title}. {played} {computed}"), shown)
