"""The chart of what rulings are worth."""

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.charts.base import DECISIONS, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from analysis.commands.root import progress_bar, tell_short
from analysis.points.point import point
from analysis.points.responses import check_response
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario


@chart.command(group=DECISIONS)
def rulings(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    response: str = "p_captured",
    meant: options.Meant = options.OWN_PLANS,
    work: options.Work = options.USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what each ruling of a set of rules is worth: how far its other options move a response.

    For example:

    - `casemate chart rulings`
    - `casemate chart rulings --rules gw_updated --response p_destroyed`

    Args:
        response: What is moved: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
    """
    from analysis.deciding.explain import sensitivity as weighed
    from analysis.deciding.explain_words import rulings_caption

    check_response(response)
    one = point(scenario, rule_set(rules), plans=meant.plans(load_scenario(scenario)), how=work.how)
    picture = pictured.ready(f"{one.scenario.id}-rulings")
    with work.kept.opened() as known, progress_bar() as tell:
        found = weighed(one, response, section="rulings.", known=known, workers=work.workers, progress=tell)
    shown = rows.ruling_rows(one, found, response)
    if not shown:
        raise CasemateError(f"there is nothing to draw: no ruling of {one.rule_set.title} moves {response} here")
    picture.write(charts.rulings_chart(shown, response, caption=rulings_caption(one, found, len(shown))), shown)
    tell_short(work.how, [found.before, *(each.responses for each in found.worth)])
