"""The chart of best play: which plan is best when, and how often it comes to that."""

import sys
from functools import partial
from typing import Annotated

from cyclopts import Parameter

from analysis.commands.base import ALL_CHOOSE, DEFAULT_SCENARIO, KeptTo, Names, progress_bar, split, within
from analysis.commands.charts.base import DECISIONS, IN_REPORTS, Pictured, chart
from sims.errors import BudgetError, CasemateError
from sims.scenario import Side, load_scenario


@chart.command(group=DECISIONS)
def best(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    side: Side = "attackers",
    aim: Annotated[str, Parameter(name="--for")] = "captured",
    meant: KeptTo = ALL_CHOOSE,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw which plan is best when, if both sides play their best: by turn and by the models left.

    That takes some ten seconds for each set of rules. For example:

    - `casemate chart best`
    - `casemate chart best --rules storming --defence hold`: against a garrison that does not change its plan
    - `casemate chart best --rules storming --plan storm --side defenders`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own.
        rules: Rule sets by id, and files of house rules; repeated, or with commas between. Storming buildings if not
            given.
        side: Whose choices are drawn.
        aim: What the attackers want, and the garrison wants the opposite: captured, cleared, destroyed, or a file that
            weighs each end, the losses and a cleared building.
    """
    from analysis import charts
    from analysis.best_play.best import Question, contest_and_solution
    from analysis.best_play.objective import objective
    from analysis.findings.choices import best_play, keeping
    from analysis.points.plans import PLANS
    from analysis.rows.choices import ChoiceRow, choice_rows
    from sims.rulesets import rule_sets_of

    own, other = (meant.plan, meant.defence) if side == "attackers" else (meant.defence, meant.plan)
    if own:
        raise CasemateError(f"there is nothing to draw: no choice is left to {keeping(side, own)}")
    game, sets = load_scenario(scenario), rule_sets_of(split(rules) if rules else ["storming"])
    picture = pictured.ready(f"{game.id}-best")
    plans = ([meant.plan] if meant.plan else PLANS[0], [meant.defence] if meant.defence else PLANS[1])
    question = Question(game, objective(aim), *plans)
    rows, refused = list[ChoiceRow](), list[str]()
    with progress_bar() as tell:
        for n, rule_set in enumerate(sets):
            part = partial(within, tell, n, len(sets))
            try:
                rows += choice_rows(
                    rule_set, contest_and_solution(question, rule_set, part)[1], side, question.objective.point
                )
            except BudgetError as error:
                refused.append(f"{rule_set.title} is not drawn: {error}")
    if not any(row.plan for row in rows):
        why = refused or [f"under {rule_set.title} no choice is worth a tenth of a point" for rule_set in sets]
        raise CasemateError(f"there is nothing to draw: {'; '.join(why)}")
    print("".join(f"{why}\n" for why in refused), end="", file=sys.stderr)
    name, chance = question.objective.name, question.objective.chance
    wanted = f"which the attackers want {name}" if chance else f"by the weights of {name}"
    caption = f"{game.title}, {wanted}: {best_play(side, other)}. Exact."
    picture.write(charts.choice_chart(rows, caption=caption), rows)
