"""The commands that ask what an assault, or a position in it, is worth: best, position."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analysis import charts
from analysis.best_play.best import Best, Look, Question, Refused, best_of
from analysis.best_play.objective import objective
from analysis.commands import options
from analysis.commands.pictures import NO_CHART, Charted, Picture
from analysis.commands.root import app, print_blocks, print_json, progress_bar, within
from analysis.points.plans import PLANS
from analysis.say.notes import note
from sims.engines.contest import Solution
from sims.errors import CasemateError
from sims.rulesets import RuleSet, rule_sets_of
from sims.scenario import Side, load_scenario

if TYPE_CHECKING:
    from analysis.rows.choices import ChoiceRow

INTERRUPTED = 130


@app.command
def best(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.Names = None,
    aim: Annotated[str, Parameter(name="--for")] = "captured",
    meant: options.KeptTo = options.ALL_CHOOSE,
    anew: Annotated[bool, Parameter(negative=())] = False,
    side: Side | None = None,
    charted: Charted = NO_CHART,
    as_json: options.Json = False,
) -> int | None:
    """Say what good players make of an assault: both sides may change their plans at the start of their turns.

    For four sets of rules that takes two to four minutes. Examples:

    - `casemate best`
    - `casemate best toll-house --rules storming,gemini`
    - `casemate best --defence hold`: the attackers alone choose
    - `casemate best --rules storming --anew`: how many go in, and who first, is chosen at each turn
    - `casemate best --for cleared`, or `destroyed`, or a file of weights
    - `casemate best --rules storming --chart best.svg`: which plan is best when, by turn and by the models left
    - `casemate best --rules storming --defence hold --chart best.svg`: against a garrison that does not change its plan
    - `casemate best --rules storming --plan storm --side defenders --chart garrison.svg`

    Args:
        rules: Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets if not given.
        aim: What the attackers want, and the garrison wants the opposite: captured, cleared, destroyed, or a file that
            weighs each end, the losses and a cleared building.
        anew: Also let the attackers choose at each of their turns how many go in by each door, and who first, where the
            rules leave it to them. That takes two to ten times as long. If not, each plan goes in as it does best
            against a garrison that keeps to one.
        side: With --chart: whose choices are drawn; the attackers' if not given.
    """
    from analysis.best_play import words as best_words
    from analysis.findings.choices import keeping
    from analysis.rows.choices import ChoiceRow, choice_rows

    plans = ((meant.plan,) if meant.plan else PLANS[0], (meant.defence,) if meant.defence else PLANS[1])
    picture = charted.ready()
    if side and not picture:
        raise CasemateError("--side is about the chart, and none is drawn; expected it with --chart FILE")
    whose: Side = side or "attackers"
    if picture and (own := meant.plan if whose == "attackers" else meant.defence):
        raise CasemateError(f"there is nothing to draw: no choice is left to {keeping(whose, own)}")
    question = Question(load_scenario(scenario), objective(aim), *plans, anew)
    rule_sets = rule_sets_of(options.split(rules or ["all"]))
    rows = list[ChoiceRow]()

    def look(rule_set: RuleSet, solution: Solution) -> None:
        rows.extend(choice_rows(rule_set, solution, whose, question.objective.point))

    answers = _answers(question, rule_sets, look if picture else None)
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    if len(refused) == len(rule_sets):
        said = "".join(f"\n   {answer.rule_set.id}: {answer.why}" for answer in refused)
        raise CasemateError(f"{question.scenario.title}: this assault cannot be answered:{said}")
    if as_json:
        print_json(best_words.as_data(question, answers))
    else:
        print_blocks(best_words.summary(question, answers))
    if picture:
        for one in refused:
            note(f"{one.rule_set.title} is not drawn: {one.why}")
        _draw(picture, question, rows, whose, meant.defence if whose == "attackers" else meant.plan)
    return None if len(answers) == len(rule_sets) else INTERRUPTED


def _answers(question: Question, rule_sets: Sequence[RuleSet], look: Look | None) -> list[Best | Refused]:
    """Return what an assault is worth under each set of rules; of an interrupt, those that were finished before."""
    answers = list[Best | Refused]()
    try:
        with progress_bar() as tell:
            for n, rule_set in enumerate(rule_sets):
                answers.append(best_of(question, rule_set, partial(within, tell, n, len(rule_sets)), look))
    except KeyboardInterrupt:
        if not answers:
            raise KeyboardInterrupt("no set of rules was answered yet, and best play is not kept") from None
        left = ", ".join(rule_set.id for rule_set in rule_sets[len(answers) :])
        note(f"casemate: interrupted; not answered: {left}")
    return answers


def _draw(picture: Picture, question: Question, rows: "list[ChoiceRow]", side: Side, other: str | None) -> None:
    """Draw which plan is best for a side when, against another that plays its best or keeps to a plan."""
    from analysis.findings.choices import best_play
    from analysis.rows import names

    if not any(row.plan for row in rows):
        why = (f"under {title} no choice is worth a tenth of a point" for title in names(rows))
        picture.leave_out("; ".join(why))
        return
    aim = question.objective
    wanted = f"which the attackers want {aim.name}" if aim.chance else f"by the weights of {aim.name}"
    caption = f"{question.scenario.title}, {wanted}: {best_play(side, other)}. Exact."
    picture.write(charts.choice_chart(rows, caption=caption), rows)


@app.command
def position(file: Path, /, *, rules: options.Names = None, as_json: options.Json = False) -> None:
    """Say what a position is worth: the chance of each end from there, under every plan and set of rules.

    A position is a file that says what is known of a game when a player turn begins; one is shown below.

    To `attackers`, `defenders` and `distance` it may add anything that the log of `casemate play` tells of what stands
    there, in its words: `"Armour Value" = 11`, `"the garrison may not fire in its next turn" = true`. Each set of rules
    answers if it has these. Casemate fills in what is left out from the nearest games by the plans so far: the
    scenario's, or the file's `plan` and `defence`. The answer says first what was filled in, then how often the
    attackers capture the building.

    - `casemate position position.toml`
    - `casemate position position.toml --rules gemini --json`
    - `casemate play --seed 7 --save-position 3`: writes such a file, with all that stands there

    Args:
        file: The position.
        rules: Rule sets by id, and files of house rules; repeated, or with commas between. If not given, the rules that
            the position names, those it was saved under, or else all rule sets.
    """
    from analysis.told import position_words as words
    from analysis.told.position import Worth, worth
    from analysis.told.position_file import load, rule_sets_for

    rule_sets = rule_sets_for(file, options.split(rules) if rules else None)
    asked = load(file, rule_sets)
    with progress_bar() as tell:
        answers = []
        for n, rule_set in enumerate(rule_sets):
            answers.append(worth(asked, rule_set, partial(within, tell, n, len(rule_sets))))
    refused = [answer for answer in answers if not isinstance(answer, Worth)]
    if len(refused) == len(answers):
        said = "".join(f"\n   {answer.rule_set.id}: {words.refusal(answer)}" for answer in refused)
        raise CasemateError(f"{file}: this position cannot be answered:{said}")
    return print_json(words.as_data(asked, answers)) if as_json else words.show(asked, answers)
