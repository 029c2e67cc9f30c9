"""The commands for deciding on a house rule: receipt, explain, solve, baseline."""

import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from analysis.commands.assaults import DEFAULT_SCENARIO, split
from analysis.commands.base import Budget, Json, Seed, Trials, Workers, app, print_json, progress_bar
from analysis.point import SEED, TRIALS, How, Plans, Played, Point, own, point
from sims.dice import BUDGET
from sims.engines import Engine
from sims.errors import CasemateError
from sims.rulesets import RuleSet, rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, load_scenario, scenario_ids

WORKERS = os.cpu_count() or 1


@app.command
def receipt(
    rules: str,
    /,
    *,
    against: str | None = None,
    suite: Path | None = None,
    engine: Engine = "auto",
    trials: Trials = TRIALS,
    seed: Seed = SEED,
    budget: Budget = BUDGET,
    workers: Workers = WORKERS,
    undo: Annotated[bool, Parameter(negative=())] = False,
    out: Path | None = None,
    as_json: Json = False,
) -> None:
    """Say what a house rule does to a suite of assaults: what moves, which part of it does that, what it is worth.

    For example:

    - `casemate receipt my-house-rule.toml`
    - `casemate receipt my-house-rule.toml --against older.toml --suite my-suite.toml`
    - `casemate receipt my-house-rule.toml --out receipt.html`

    Parameters
    ----------
    rules
        The file of a house rule.
    against
        The rules it is compared with; its base if not given.
    suite
        A file of scenarios and plans; all scenarios that come with Casemate, under all pairs of plans, if not given.
    engine
        As for `casemate compare`.
    trials
        Assaults to play where sampled or rolled.
    seed
        Which luck to play them with.
    budget
        Cells that one stage of the exact engine may fill.
    workers
        Processes that play.
    undo
        Say as well which other single value would put the balance back, where it has moved most; that takes longer.
    out
        A file to write the receipt to: .md, or .html with a chart.
    as_json
        Print JSON.
    """
    from analysis import blocks, files, receipt_words, remedies
    from analysis import suite as suites
    from analysis.receipt import receipt as received
    from analysis.receipt import shares
    from analysis.terminal import console

    after = rule_set(rules)
    before = rule_set(against) if against else after.made_from
    if before is None:
        raise CasemateError(f"{rules} has no base to compare it with; expected the file of a house rule, or --against")
    if out:
        receipt_words.target(out)
    games = suites.load(suite) if suite else suites.shipped()
    how, known, term = How(engine, budget, trials, seed), Played(), console()
    with progress_bar() as tell:
        own_plans = [game for game in games if game.plans == own(load_scenario(game.scenario))]
        first = receipt_words.first_word(received(before, after, own_plans, how=how, known=known, workers=workers))
        if not as_json:
            term.print(first)
        found = received(before, after, games, how=how, known=known, workers=workers, progress=tell)
        moved = [line for line in found.lines if line.moves()]
        parts, shared = shares(found, moved, known, workers=workers)
        weights = receipt_words.weighed(found, known)
    back, cured = list[blocks.Block](), None
    if undo and weights:
        line, end, _ = weights
        target, wanted = line.before[end].value, line.point.under(after)
        cures = remedies.remedies(wanted, end, target, known, workers=workers)
        others = [one.point.under(after) for one in found.lines if one.own and one is not line]
        aside = remedies.side_effects(cures[: remedies.SHOWN], others, end, known, workers=workers)
        cured = remedies.as_data(end, target, cures, others, aside)
        back = [blocks.Heading("To put it back"), *remedies.blocks(wanted, end, target, cures, others, aside)]
    if as_json:
        print_json(receipt_words.as_data(found, parts, shared, weights) | {"undo": cured})
    names = (against or before.id, rules)
    lead = [first, *receipt_words.more_words(found)]
    said = [*receipt_words.blocks(found, parts, shared, weights, names), *back]
    if not as_json:
        blocks.show(term, [*lead[1:], *said])
    if out:
        files.write(out, receipt_words.page(found, lead, said, out.suffix))
        print(f"The receipt: {out}", file=sys.stderr)


@app.command
def explain(
    rules: str,
    other: str | None = None,
    /,
    *,
    scenario: str = DEFAULT_SCENARIO,
    plan: AttackPlan | None = None,
    defence: DefencePlan | None = None,
    engine: Engine = "auto",
    trials: Trials = TRIALS,
    seed: Seed = SEED,
    budget: Budget = BUDGET,
    workers: Workers = WORKERS,
    every: Annotated[bool, Parameter(name="--all", negative=())] = False,
    as_json: Json = False,
) -> None:
    """Say which part of a change does how much; or, of one set of rules, what each of its values is worth.

    For example:

    - `casemate explain storming my-house-rule.toml`: the difference, shared over the changed keys
    - `casemate explain storming`: every value one step either way, by clause, the largest first
    - `casemate explain gemini storming`: rules without a common base, with their losses by cause

    Parameters
    ----------
    rules
        A rule set by its id, or the file of a house rule.
    other
        What it is compared with.
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    plan
        What the attackers mean to do, in place of the scenario's own.
    defence
        What the garrison means to do, in place of the scenario's own.
    engine
        As for `casemate compare`.
    trials
        Assaults to play where sampled or rolled.
    seed
        Which luck to play them with.
    budget
        Cells that one stage of the exact engine may fill.
    workers
        Processes that play.
    every
        List what changes nothing as well.
    as_json
        Print JSON.
    """
    from analysis import blocks, explain_words
    from analysis.explain import parts, sensitivity, shared
    from analysis.terminal import console

    game = load_scenario(scenario)
    plans = Plans(plan or game.plan, defence or game.defence)
    how = How(engine, budget, trials, seed)
    first = point(scenario, rule_set(rules), plans=plans, how=how)
    with progress_bar() as tell:
        if other is None:
            worth = sensitivity(first, workers=workers, progress=tell)
            data, said = explain_words.worth_data(first, worth), explain_words.worth(first, worth, every=every)
        elif type(first.rule_set.book) is type(rule_set(other).book):
            after = rule_set(other)
            found = next(shared([first], after, parts(first.rule_set, after), Played(), workers=workers, progress=tell))
            if isinstance(found, CasemateError):
                raise found
            data, said = explain_words.shares_data(found), explain_words.shares(first, after, found)
        else:
            both = [first, first.under(rule_set(other))]
            causes = [(each, each.play(tell)) for each in both]
            data, said = explain_words.causes_data(causes), explain_words.causes(causes)
    if as_json:
        print_json(data)
    else:
        blocks.show(console(), said)


@app.command
def solve(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    vary: str | None = None,
    any_value: Annotated[bool, Parameter(name="--any", negative=())] = False,
    rules: Annotated[list[str] | None, Parameter(negative=())] = None,
    response: str = "p_captured",
    target: float = 0.5,
    plan: AttackPlan | None = None,
    defence: DefencePlan | None = None,
    engine: Engine = "auto",
    trials: Trials = TRIALS,
    seed: Seed = SEED,
    budget: Budget = BUDGET,
    workers: Workers = WORKERS,
    as_json: Json = False,
) -> None:
    """Find the value of one number at which a response meets a target: attackers for an even chance, say.

    For example:

    - `casemate solve --vary attackers.models`
    - `casemate solve bastion --vary units.vanguard.T --rules storming,gemini --target 0.6`
    - `casemate solve --vary tables.grenade.hits --rules storming`
    - `casemate solve --any --rules my-house-rule.toml --target 0.7`: every value of the rules, one at a time

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    vary
        The key of a whole number or of dice, as files write it: of a scenario, or of a table of rules.
    any_value
        Try every value of one set of rules a step either way, follow those that help, and say what else they move.
    rules
        Rule sets by id, and files of house rules; all rule sets that have the key if not given.
    response
        p_captured, p_destroyed, p_broken, p_held, p_cleared, turns_mean, attackers_lost_mean, defenders_lost_mean, ...
    target
        What it is to meet; from 0 to 1 for a chance.
    plan
        What the attackers mean to do, in place of the scenario's own.
    defence
        What the garrison means to do, in place of the scenario's own.
    engine
        As for `casemate compare`.
    trials
        Assaults to play where sampled or rolled.
    seed
        Which luck to play them with.
    budget
        Cells that one stage of the exact engine may fill.
    workers
        Processes that play, with --any.
    as_json
        Print JSON.
    """
    from analysis import blocks, solve_words
    from analysis.compare import chosen
    from analysis.solve import solve as solved
    from analysis.terminal import console

    game = load_scenario(scenario)
    plans, how = Plans(plan or game.plan, defence or game.defence), How(engine, budget, trials, seed)
    sets = chosen(split(rules) if rules else rule_set_ids())
    if (vary is None) is not any_value:
        raise CasemateError("expected either --vary KEY or --any")
    if vary is None:
        _any(point(scenario, _only(sets), plans=plans, how=how), response, target, workers, as_json=as_json)
        return
    with progress_bar() as tell:
        found = solved(scenario, sets, vary, response, target, plans=plans, how=how, progress=tell)
    if as_json:
        print_json(solve_words.data(scenario, vary, response, target, found))
    else:
        blocks.show(console(), solve_words.said(game, vary, response, target, found))


def _only(sets: list[RuleSet]) -> RuleSet:
    if len(sets) != 1:
        raise CasemateError(f"--any takes one set of rules; got {', '.join(one.id for one in sets)}")
    return sets[0]


def _any(wanted: Point, response: str, target: float, workers: int, *, as_json: bool) -> None:
    """Print which single values bring a response to a target, and what the first of them move in other scenarios."""
    from analysis import blocks, remedies
    from analysis.terminal import console

    known = Played()
    with progress_bar() as tell:
        found = remedies.remedies(wanted, response, target, known, workers=workers, progress=tell)
    names = [name for name in scenario_ids() if name != wanted.scenario.id]
    others = [point(name, wanted.rule_set, how=wanted.how) for name in names]
    moves = remedies.side_effects(found[: remedies.SHOWN], others, response, known, workers=workers)
    if as_json:
        print_json(remedies.as_data(response, target, found, others, moves))
    else:
        blocks.show(console(), remedies.blocks(wanted, response, target, found, others, moves))


guard = App(name="baseline", help="Write down what rules answer today, and see later what has changed since.")
app.command(guard)


@guard.command
def write(
    file: Path,
    /,
    *,
    rules: str,
    suite: Path | None = None,
    engine: Engine = "auto",
    trials: Trials = TRIALS,
    seed: Seed = SEED,
    budget: Budget = BUDGET,
    margin_chance: float = 0.01,
    margin_mean: float = 0.25,
    workers: Workers = WORKERS,
    accept: str | None = None,
) -> None:
    """Write a baseline: every value of the rules, what is played, and every answer.

    For example, `casemate baseline write my-house-rule.json --rules my-house-rule.toml`.

    Parameters
    ----------
    file
        The file to write, ending in .json.
    rules
        A rule set by its id, or the file of a house rule.
    suite
        A file of scenarios and plans; all scenarios that come with Casemate, under all pairs of plans, if not given.
    engine
        As for `casemate compare`.
    trials
        Assaults to play where sampled or rolled.
    seed
        Which luck to play them with.
    budget
        Cells that one stage of the exact engine may fill.
    margin_chance
        How far a chance may move before it counts as changed.
    margin_mean
        How far a mean of models or turns may.
    workers
        Processes that play.
    accept
        Why it is written over, where what is there says otherwise; the reason stays in the file.
    """
    from analysis import baseline
    from analysis import suite as suites

    games = suites.load(suite) if suite else suites.shipped()
    how, margin = How(engine, budget, trials, seed), baseline.Margin(chance=margin_chance, mean=margin_mean)
    with progress_bar() as tell:
        said = baseline.write(file, rule_set(rules), games, how, margin, accept=accept, workers=workers, progress=tell)
    print(said, file=sys.stderr)


@guard.command
def check(
    file: Path,
    /,
    *,
    rules: str | None = None,
    suite: Path | None = None,
    engine: Engine | None = None,
    workers: Workers = WORKERS,
    as_json: Json = False,
) -> int:
    """Say what has changed since a baseline was written.

    The exit code is 0 if nothing has beyond its margin, 1 if something has, 3 if that cannot be told.

    For example, `casemate baseline check my-house-rule.json --rules my-house-rule.toml`.

    Parameters
    ----------
    file
        A baseline.
    rules
        The file of a house rule, where the baseline is one of a house rule; its rule set if not given.
    suite
        The suite that it has to be of, if that is to be seen.
    engine
        The engine that it has to be of, if that is to be seen.
    workers
        Processes that play.
    as_json
        Print JSON.
    """
    from analysis import baseline, blocks
    from analysis import suite as suites
    from analysis.terminal import console

    before = baseline.load(file)
    if rules is None and before.rules not in rule_set_ids():
        raise CasemateError(f'{file}: written of the house rule "{before.rules}"; expected its file: --rules FILE')
    now = rule_set(rules or before.rules)
    baseline.fits(file, before, now, suites.load(suite) if suite else None, engine)
    with progress_bar() as tell:
        found = baseline.check(before, now, workers=workers, progress=tell)
    if as_json:
        print_json(baseline.as_data(found))
    else:
        blocks.show(console(), baseline.said(before, found))
    return baseline.code(found)
