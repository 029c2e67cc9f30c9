"""The command that asks what good players make of an assault."""

import sys
from functools import partial
from typing import Annotated

from cyclopts import Parameter

from analysis.commands.base import (
    ALL_CHOOSE,
    DEFAULT_SCENARIO,
    Json,
    KeptTo,
    Names,
    app,
    print_json,
    progress_bar,
    split,
    within,
)
from sims.errors import CasemateError
from sims.rulesets import rule_set_ids, rule_sets_of
from sims.scenario import load_scenario

INTERRUPTED = 130


@app.command
def best(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    aim: Annotated[str, Parameter(name="--for")] = "captured",
    meant: KeptTo = ALL_CHOOSE,
    as_json: Json = False,
) -> int | None:
    """Say what good players make of an assault: both sides may change their plans at the start of their turns.

    For four sets of rules that takes a minute. Examples:

    - `casemate best`
    - `casemate best toll-house --rules storming,gemini`
    - `casemate best --defence hold`: the attackers alone choose
    - `casemate best --for cleared`, or `destroyed`, or a file of weights

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own.
        rules: Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets if not given.
        aim: What the attackers want, and the garrison wants the opposite: captured, cleared, destroyed, or a file that
            weighs each end, the losses and a cleared building.
        as_json: Print JSON.
    """
    from analysis.best_play import words as best_words
    from analysis.best_play.best import Question, Refused
    from analysis.best_play.best import best as best_play
    from analysis.best_play.objective import objective
    from analysis.points.plans import PLANS
    from analysis.say import blocks
    from analysis.say.console import console

    plans = ((meant.plan,) if meant.plan else PLANS[0], (meant.defence,) if meant.defence else PLANS[1])
    question = Question(load_scenario(scenario), objective(aim), *plans)
    rule_sets = rule_sets_of(split(rules) if rules else rule_set_ids())
    answers = []
    try:
        with progress_bar() as tell:
            for n, rule_set in enumerate(rule_sets):
                part = partial(within, tell, n, len(rule_sets))
                answers.append(best_play(question, rule_set, part))
    except KeyboardInterrupt:
        if not answers:
            raise
        left = ", ".join(rule_set.id for rule_set in rule_sets[len(answers) :])
        print(f"casemate: interrupted; not answered: {left}", file=sys.stderr)
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    if len(refused) == len(rule_sets):
        said = "".join(f"\n   {answer.rule_set.id}: {answer.why}" for answer in refused)
        raise CasemateError(f"{question.scenario.title}: this assault cannot be answered:{said}")
    if as_json:
        print_json(best_words.as_data(question, answers))
    else:
        blocks.show(console(), best_words.summary(question, answers))
    return None if len(answers) == len(rule_sets) else INTERRUPTED
