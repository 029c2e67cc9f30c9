"""The commands for deciding on a house rule: receipt, explain, solve."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.pictures import NO_CHART, Charted, Picture
from analysis.commands.root import app, print_blocks, print_json, progress_bar, tell_long, tell_short
from analysis.points.point import Played, Point, point
from analysis.points.responses import Estimate
from analysis.say import files
from analysis.say.notes import note
from sims.engines import Progress
from sims.errors import CasemateError
from sims.rulesets import RuleSet, rule_set, rule_sets_of
from sims.scenario import load_scenario, scenario_ids

if TYPE_CHECKING:
    from analysis.deciding.account import Account
    from analysis.deciding.solve import Solution
    from analysis.say.blocks import Block

WEIGHED = 8
"""About how many assaults are played to weigh a change in models."""
TRIED = 10
"""About how many levels are tried to meet a target."""


@app.command
def receipt(
    rules: str,
    /,
    *,
    against: str | None = None,
    suite: options.SuiteFile = None,
    work: options.Work = options.USUAL_WORK,
    play: options.Playing = "fixed",
    undo: options.Flag = False,
    out: Path | None = None,
    charted: Charted = NO_CHART,
    as_json: options.Json = False,
) -> None:
    """Say what a house rule does to a suite of assaults: what moves, which part of it does that, what it is worth.

    For example:

    - `casemate receipt my-house-rule.toml`
    - `casemate receipt my-house-rule.toml --against older.toml --suite my-suite.toml`
    - `casemate receipt my-house-rule.toml --out receipt.html`
    - `casemate receipt my-house-rule.toml --chart receipt.svg`

    Args:
        rules: The file of a house rule.
        against: The rules it is compared with; its base if not given.
        play: Every assault under all plans, or once with both sides playing their best: each then chooses anew at the
            start of each of its player turns. That takes up to a minute for each assault.
        undo: Say as well which other single values would put the balance back, where it has moved most: the eight that
            a designer would turn first, by a step or two. That takes longer.
        out: A file to write the receipt to: .md, or .html with a chart.
    """
    from analysis.deciding.account import account, early_word
    from analysis.pages import receipt as receipt_pages
    from analysis.points import suite as suites

    before, after = both(rules, against)
    if out:
        receipt_pages.target(out)
    picture = charted.ready()
    games = suites.games_for(suites.load(suite) if suite else suites.shipped_games(), play)
    how, workers = work.how, work.workers
    to_undo = 4 * len(after.leaves) if undo else 0
    tell_long(play, how.engine, 2 * (len(games) + 1) + WEIGHED + to_undo, workers)
    with work.kept.opened() as known, progress_bar() as tell:
        if play == "fixed" and not as_json and (early := early_word(before, after, games, how, known, workers=workers)):
            print_blocks([early])
        told = account(before, after, games, how, known, undo=undo, workers=workers, progress=tell)
    body = [*told.blocks((against or before.file or before.id, rules))]
    if as_json:
        print_json(told.data)
        tell_short(how, told.receipt.answers)
    else:
        print_blocks([*told.opening, *body])
    if out:
        again = receipt_pages.command(rules, against, suite, play, how, undo=undo)
        files.write(out, receipt_pages.page(told.receipt, told.opening, body, again, out.suffix))
        note(f"The receipt: {out}")
    if picture:
        _draw_receipt(picture, told)


def _draw_receipt(picture: Picture, told: "Account") -> None:
    """Draw what moves in a receipt, and which part of the change has done how much of that."""
    from analysis.deciding.receipt_opening import first_word
    from analysis.deciding.receipt_words import caption

    found = told.receipt
    shown = rows.move_rows(found)
    if not shown:
        picture.leave_out(f"no end of any assault moves by a point under {found.after.title}")
        return
    by_part = rows.share_rows(found, told.parts, told.shares)
    drawn = charts.move_chart(shown, first_word(found), by_part, caption=caption(found))
    picture.write(drawn, rows.shared_rows(shown, by_part))


def both(rules: str, against: str | None) -> tuple[RuleSet, RuleSet]:
    """Return the rules that a house rule is compared with, and itself, or raise `CasemateError` if it has no base."""
    after = rule_set(rules)
    before = rule_set(against) if against else after.made_from
    if before is None:
        raise CasemateError(f"{rules} has no base to compare it with; expected the file of a house rule, or --against")
    return before, after


@app.command
def explain(
    rules: options.RulesName,
    other: str | None = None,
    /,
    *,
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    meant: options.Meant = options.OWN_PLANS,
    work: options.Work = options.USUAL_WORK,
    play: options.Playing = "fixed",
    every: Annotated[bool, Parameter(name="--all", negative=())] = False,
    as_json: options.Json = False,
) -> None:
    """Say which part of a change does how much; or, of one set of rules, what each of its values is worth.

    For example:

    - `casemate explain storming my-house-rule.toml`: the difference, shared over the changed keys
    - `casemate explain storming`: every value one step either way, by clause, the largest first
    - `casemate explain gemini storming`: rules without a common base, with their losses by cause

    Args:
        other: What it is compared with.
        play: Keep to the plans, or play the best: each side then chooses anew at the start of each of its player turns,
            but for one whose plan is given. That takes up to a minute for each assault.
        every: List what changes nothing as well.
    """
    from analysis.deciding import explain_words

    game = load_scenario(scenario)
    plans = options.plans_for(meant, play, game)
    how = work.how
    first = point(scenario, rule_set(rules), plans=plans, how=how)
    with work.kept.opened() as known, progress_bar() as tell:
        if other is None:
            tell_long(play, how.engine, 2 * len(first.leaves), work.workers)
            data, said, answers = _worth(first, known, work.workers, tell, every=every)
        elif type(first.rule_set.book) is type(rule_set(other).book):
            data, said, answers = _shares(first, rule_set(other), play, known, work.workers, tell)
        else:
            tell_long(play, how.engine, 2)
            both = [first, first.under(rule_set(other))]
            causes = [(each, known.whole(each, tell).result) for each in both]
            data, said = explain_words.causes_data(causes), explain_words.causes(causes)
            answers = [each.responses(result) for each, result in causes]
    if as_json:
        print_json(data)
        tell_short(how, answers)
    else:
        print_blocks(said)


class _Explained(NamedTuple):
    """What is given to programs and to people, and the answers it was read from."""

    data: dict[str, Any]
    said: "Iterable[Block]"
    answers: Sequence[Mapping[str, Estimate]]


def _worth(first: Point, known: Played, workers: int, progress: Progress, *, every: bool) -> _Explained:
    """Explain what each value of a book is worth."""
    from analysis.deciding import explain_words
    from analysis.deciding.explain import sensitivity

    found = sensitivity(first, known=known, workers=workers, progress=progress)
    answers = [found.before, *(each.responses for each in found.worth)]
    return _Explained(explain_words.worth_data(first, found), explain_words.worth(first, found, every=every), answers)


def _shares(
    first: Point, after: RuleSet, play: options.Playing, known: Played, workers: int, progress: Progress
) -> _Explained:
    """Explain which part of a change does how much."""
    from analysis.deciding import explain_words
    from analysis.deciding.explain import parts, sharings

    changed = parts(first.rule_set, after)
    tell_long(play, first.how.engine, 2 ** len(changed), workers)
    found = next(sharings([first], changed, known, workers=workers, progress=progress))
    if isinstance(found, CasemateError):
        raise found
    said = explain_words.shares(first, after, found)
    return _Explained(explain_words.shares_data(found), said, [found.before, found.after])


@app.command
def solve(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    vary: str | None = None,
    any_value: Annotated[bool, Parameter(name="--any", negative=())] = False,
    rules: options.Names = None,
    response: str = "p_captured",
    target: float = 0.5,
    meant: options.Meant = options.OWN_PLANS,
    work: options.Work = options.USUAL_WORK,
    play: options.Playing = "fixed",
    charted: Charted = NO_CHART,
    as_json: options.Json = False,
) -> None:
    """Find the value of one number at which a response meets a target: attackers for an even chance, say.

    For example:

    - `casemate solve --vary attackers.models`
    - `casemate solve bastion --vary units.vanguard.T --rules storming,gemini --target 0.6`
    - `casemate solve --vary tables.grenade.hits --rules storming`
    - `casemate solve --vary attackers.models --chart solve.svg`
    - `casemate solve --vary tables.grenade.hits --rules storming,my-house-rule.toml --target 0.75 --chart grenades.svg`
    - `casemate solve --any --rules my-house-rule.toml --target 0.7`: every value of the rules, one at a time

    Args:
        vary: The key of a whole number or of dice, as files write it: of a scenario, or of a table of rules.
        any_value: Try every value of one set of rules a step either way, follow those that help, and say what else they
            move; --workers share the work.
        rules: Rule sets by id, and files of house rules; all rule sets that have the key if not given.
        response: p_captured, p_destroyed, p_broken, p_held, p_cleared, turns_mean, attackers_lost_mean,
            defenders_lost_mean, ...
        target: What it is to meet; from 0 to 1 for a chance.
        play: Keep to the plans, or play the best: each side then chooses anew at the start of each of its player turns,
            but for one whose plan is given. That takes up to a minute for each assault.
    """
    from analysis.deciding import solve_words
    from analysis.deciding.solve import solve as solved
    from analysis.say.axes import factor_words

    game = load_scenario(scenario)
    plans, how = options.plans_for(meant, play, game), work.how
    sets = rule_sets_of(options.split(rules or ["all"]))
    if (vary is None) is not any_value:
        raise CasemateError("expected either --vary KEY or --any")
    if any_value and charted != NO_CHART:
        raise CasemateError("--any tries many values, and no line is drawn over them; expected --vary KEY with --chart")
    picture = charted.ready()
    if vary is None:
        wanted = point(scenario, _only(sets), plans=plans, how=how)
        tell_long(play, how.engine, 4 * len(wanted.leaves), work.workers)
        with work.kept.opened() as known:
            _any(wanted, response, target, known, work.workers, as_json=as_json)
        return
    tell_long(play, how.engine, TRIED * len(sets))
    with work.kept.opened() as known, progress_bar() as tell:
        found = solved(scenario, vary, response, target, rules=sets, plans=plans, how=how, known=known, progress=tell)
    if as_json:
        print_json(solve_words.data(scenario, vary, response, target, found))
        tell_short(how, ({response: level.response} for one in found for level in one.levels))
    else:
        print_blocks(solve_words.summary(game, vary, response, target, found, how))
    if picture:
        caption = solve_words.caption(game, plans, found, how)
        _draw_solution(picture, found, factor_words(vary), response, target, caption)


def _draw_solution(
    picture: Picture, found: "Sequence[Solution]", factor: str, response: str, target: float, caption: str
) -> None:
    """Draw a response over the values that were tried, and where it meets its target."""
    shown, met = rows.solve_rows(found)
    picture.write(charts.crossings_chart(shown, met, response, factor=factor, target=target, caption=caption), shown)


def _only(sets: list[RuleSet]) -> RuleSet:
    if len(sets) != 1:
        raise CasemateError(f"--any takes one set of rules; got {', '.join(one.id for one in sets)}")
    return sets[0]


def _any(wanted: Point, response: str, target: float, known: Played, workers: int, *, as_json: bool) -> None:
    """Print which single values bring a response to a target, and what the first of them move in other scenarios."""
    from analysis.deciding import remedies

    names = [name for name in scenario_ids() if name != wanted.scenario.id]
    others = [point(name, wanted.rule_set, how=wanted.how) for name in names]
    with progress_bar() as tell:
        found = remedies.seek(wanted, response, target, others, known, workers=workers, progress=tell)
    if as_json:
        print_json(remedies.as_data(found))
        tell_short(wanted.how, ({response: one.response} for one in found.found))
    else:
        print_blocks(remedies.blocks(found))
