"""The command that weighs what a scenario is made of: sensitivity."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.pictures import NO_CHART, Charted, Picture
from analysis.commands.root import app, print_blocks, print_json, progress_bar, tell_short
from analysis.commands.sweeping import NOTHING_VARIED, Varied
from analysis.points.point import How
from analysis.points.responses import check_response
from analysis.points.stopping import short
from analysis.say import files
from analysis.say.notes import note
from sims.errors import CasemateError
from sims.scenario import Scenario, load_scenario

if TYPE_CHECKING:
    from analysis.say.blocks import Block
    from analysis.sweeps.design import Design
    from analysis.sweeps.sweep import Answer
    from analysis.sweeps.tornado import Tornado

Play = Callable[["Design"], "list[Answer]"]


@app.command
def sensitivity(
    scenario: str | None = None,
    /,
    *,
    varied: Varied = NOTHING_VARIED,
    response: str = "p_captured",
    meant: options.Meant = options.OWN_PLANS,
    work: options.Work = options.USUAL_WORK,
    out: Path | None = None,
    charted: Charted = NO_CHART,
    as_json: options.Json = False,
) -> None:
    """Say what matters most of a scenario: each number one step down and up; or, over ranges, each factor's share.

    Without ranges everything is changed that a player would vary, one thing at a time: the models of both sides, the
    distance, the turns, who moves first, the doors, and the statlines of all who fight. With them, every combination is
    played, and the variance of the response is shared out: the first-order index of a factor is what it does by itself,
    the total index what it does by itself and together with others, each level being equally likely (Sobol);
    100,000 points are played at most. For example:

    - `casemate sensitivity --rules storming --chart what-matters.svg`
    - `casemate sensitivity bastion --rules gemini,storming --chart bastion.svg`
    - `casemate sensitivity bastion --rules gemini,storming --plan smoke --response p_cleared`
    - `casemate sensitivity --vary attackers.models=5..20 --vary defenders.models=4..15 --vary building.doors=1,2`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if none is said.
        response: What is to be explained: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
        out: A folder to write the rows to, as sensitivity.csv; it is made if need be.
    """
    check_response(response)
    file = out / "sensitivity.csv" if out else None
    if out and file:
        files.writable(file, files.folder_for(out))
    if varied.anything and charted != NO_CHART:
        raise CasemateError("a chart is drawn of single steps, and --vary gives ranges; expected --chart without them")
    picture = charted.ready()
    play, named = partial(answers_to, [response], work), options.DEFAULT_SCENARIO if scenario is None else scenario
    if varied.anything:
        weighed = _ranges(varied.design(scenario, meant.changes), response, play)
    else:
        weighed = _steps(named, varied.sets, meant.changes, response, play)
    if as_json:
        print_json(weighed.data)
        tell_short(work.how, (answer.responses for answer in weighed.answers))
    else:
        print_blocks([*weighed.said, *_computed(weighed.answers, work.how)])
    if file:
        files.write_rows(file, weighed.columns, weighed.rows)
        note(f"The rows: {file}")
    if picture:
        _draw(picture, load_scenario(named, meant.changes), weighed, response, work.how)


class _Weighed(NamedTuple):
    """What was found, and how it is given to people and programs; of single steps, what can be drawn."""

    answers: "list[Answer]"
    said: "Iterable[Block]"
    data: dict[str, Any]
    columns: Sequence[str]
    rows: list[dict[str, Any]]
    tornados: "Sequence[Tornado]" = ()


def _steps(scenario: str, rules: Sequence[str] | None, plans: Mapping[str, str], response: str, play: Play) -> _Weighed:
    """Weigh everything that a player would vary, one thing at a time."""
    from analysis.findings.sweeps import largest_swings
    from analysis.sweeps import scenario_steps, sensitivity_words, tornado

    steps = scenario_steps.steps(scenario)
    answers = play(tornado.one_by_one(steps, scenario, rules, plans))
    found = tornado.tornados(steps, answers, response)
    shown = rows.swing_rows(found, rows.titles_of(answers), rows.looks_of(answers))
    first = largest_swings(shown, response) if shown else f"No single step changes {_asked(response)}"
    said = [f"{load_scenario(scenario).title}: {first[0].lower()}{first[1:]}.", *sensitivity_words.steps_summary(found)]
    data = sensitivity_words.steps_data(scenario, response, found)
    return _Weighed(answers, said, data, tornado.COLUMNS, [row for one in found for row in one.rows()], found)


def _ranges(of: "Design", response: str, play: Play) -> _Weighed:
    """Weigh the factors of a grid."""
    from analysis.sweeps import indices, sensitivity_words

    indices.varied_factors(of)
    answers = play(of)
    found = indices.indices(of, answers, response)
    if all(one.refused for one in found):
        (point, why), *_ = found[0].refused
        raise CasemateError(f"{sensitivity_words.gap_words(found[0])}; {point}: {why}")
    said, data = sensitivity_words.indices_summary(found), sensitivity_words.indices_data(found)
    return _Weighed(answers, said, data, indices.COLUMNS, [row for one in found for row in one.rows()])


def _computed(answers: "Sequence[Answer]", how: How) -> "Iterator[str]":
    """Say how answers were computed, and if it is so, that the most trials were not enough."""
    from analysis.say.engine import not_enough
    from analysis.sweeps.words import computed_words

    yield computed_words(how, answers)
    yield from not_enough(how, short((answer.responses for answer in answers), how.until))


def _draw(picture: Picture, scenario: Scenario, weighed: _Weighed, response: str, how: How) -> None:
    """Draw how far a response swings by single steps, under the sets of rules that play the scenario as it is."""
    from analysis.say.scenarios import assault
    from analysis.sweeps.sensitivity_words import still_words
    from analysis.sweeps.words import computed_words

    answers, found, titles = weighed.answers, weighed.tornados, rows.titles_of(weighed.answers)
    for each in found:
        if each.now is None:
            note(f"{titles[each.rules]} is not drawn: {each.refused[0].refused}")
    shown = rows.swing_rows(found, titles, rows.looks_of(answers))
    if not shown:
        picture.leave_out(f"no single step changes {_asked(response)}")
        return
    computed = computed_words(how, answers)
    caption = "\n".join([*still_words(found, titles), f"{assault(scenario)} {computed}"])
    picture.write(charts.tornado_chart(shown, response, caption=caption), shown)


def _asked(response: str) -> str:
    """Say what is asked: how often something happens, or how much there is of it on average."""
    from analysis.say.axes import CHANCES, response_words

    return f"how often {CHANCES[response]}" if response in CHANCES else response_words(response)


def answers_to(responses: Sequence[str], work: options.Work, of: "Design") -> "list[Answer]":
    """Return the answers of a design, with some responses alone."""
    from analysis.sweeps.sweep import answers

    with work.kept.opened() as known, progress_bar() as tell:
        return [
            answer.only(responses) for answer in answers(of, work.how, known=known, workers=work.workers, progress=tell)
        ]
