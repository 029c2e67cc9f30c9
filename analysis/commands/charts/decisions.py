"""The charts of what is decided: what matters most."""

import sys
from functools import partial

from analysis.commands.assaults import DEFAULT_SCENARIO, split
from analysis.commands.base import OWN_PLANS, USUAL_WORK, Meant, Names, Work, tell_short
from analysis.commands.charts.base import DECISIONS, IN_REPORTS, Pictured, chart
from analysis.commands.sweeping import see
from analysis.commands.weighing import played
from sims.errors import CasemateError
from sims.scenario import load_scenario

draws = partial(chart.command, group=DECISIONS)


@draws
def sensitivity(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    response: str = "p_captured",
    meant: Meant = OWN_PLANS,
    work: Work = USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what matters most of a scenario: how far a response swings by one step of each number, down and up.

    For example:

    - `casemate chart sensitivity --rules storming`
    - `casemate chart sensitivity bastion --rules gemini,storming --out bastion.png`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if not given.
    response
        What swings: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
    """
    from analysis import charts, scenario_steps, tornado
    from analysis.rows.sweeps import looks, swing_rows
    from analysis.sweep_words import what

    see(response)
    one = load_scenario(scenario)
    picture = pictured.ready(f"{one.id}-sensitivity")
    steps = scenario_steps.steps(scenario)
    of = tornado.one_by_one(steps, scenario, split(rules) if rules else None, meant.changes)
    answers = played([response], work, of)
    found = tornado.tornados(steps, answers, response)
    for each in found:
        if each.now is None:
            print(f"{each.rules} is not drawn: {each.refused[0].refused}", file=sys.stderr)
    rows = swing_rows(found, looks(answers))
    if not rows:
        raise CasemateError(f"nothing is drawn: no single step changes it: {what(response)}")
    axis = what(response).replace(" %", ", of all games")
    still = [f"{each.rules}: nothing changes it by one step." for each in found if each.now and not each.seen]
    drawn = charts.tornado_chart(rows, f"{one.title}: what one step is worth", axis, caption="\n".join(still))
    picture.write(drawn, rows)
    tell_short(work.how, (answer.responses for answer in answers))
