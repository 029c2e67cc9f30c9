"""The commands that write and check a baseline."""

from math import inf
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from analysis.commands import options
from analysis.commands.root import app, print_blocks, print_json, progress_bar, tell_long
from analysis.say.notes import note
from sims.engines import Engine
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_set_ids


def _margin(_type: object, value: float) -> None:
    """Refuse what is no distance."""
    if not 0 <= value < inf:
        raise ValueError(f"expected a number from 0, got {value:g}")


Margin = Annotated[float, Parameter(validator=_margin)]

guard = App(name="baseline", help="Write down what rules answer today, and see later what has changed since.")
app.command(guard)


@guard.command
def write(
    file: Path,
    /,
    *,
    rules: options.RulesName,
    suite: options.SuiteFile = None,
    computed: options.Computed = options.USUAL,
    margin_chance: Margin = 0.01,
    margin_mean: Margin = 0.25,
    workers: options.Workers = options.WORKERS,
    play: options.Playing = "fixed",
    accept: str | None = None,
) -> None:
    """Write a baseline: every value of the rules, what is played, and every answer.

    For example, `casemate baseline write my-house-rule.json --rules my-house-rule.toml`.

    Args:
        file: The file to write, ending in .json.
        margin_chance: How far a chance may move before it counts as changed.
        margin_mean: How far a mean of models or turns may.
        play: Every assault under all plans, or once with both sides playing their best: each then chooses anew at the
            start of each of its player turns. That takes up to a minute for each assault.
        accept: Why it is written over, where what is there says otherwise; the reason stays in the file.
    """
    from analysis.deciding import baseline, baseline_file
    from analysis.points import suite as suites

    games = suites.games_for(suites.load(suite) if suite else suites.shipped_games(), play)
    tell_long(play, computed.engine, len(games), workers)
    how, margin = computed.how, baseline.Margin(chance=margin_chance, mean=margin_mean)
    with progress_bar() as tell:
        said = baseline_file.write(
            file, rule_set(rules), games, how, margin, accept=accept, workers=workers, progress=tell
        )
    note(said)


@guard.command
def check(
    file: Path,
    /,
    *,
    rules: str | None = None,
    suite: Path | None = None,
    engine: Engine | None = None,
    seed: options.Seed | None = None,
    workers: options.Workers = options.WORKERS,
    everything: Annotated[bool, Parameter(name="--all", negative=())] = False,
    as_json: options.Json = False,
) -> int:
    """Say what has changed since a baseline was written: how much, what most, and at most ten lines.

    The exit code is 0 if nothing has beyond its margin, 1 if something has, 3 if that cannot be told.

    For example, `casemate baseline check my-house-rule.json --rules my-house-rule.toml`.

    Args:
        file: A baseline.
        rules: The file of a house rule, where the baseline is one of a house rule; its rule set if not given.
        suite: The suite that it has to be of, if that is to be seen.
        engine: The engine that it has to be of, if that is to be seen.
        seed: Which luck to play with where sampled; that of the baseline if not given.
        everything: List every value and every answer that has moved.
    """
    from analysis.deciding import baseline, baseline_file, baseline_words
    from analysis.points import suite as suites

    before = baseline_file.load(file)
    if rules is None and before.rules not in rule_set_ids():
        raise CasemateError(f'{file}: written of the house rule "{before.rules}"; expected its file: --rules FILE')
    now = rule_set(rules or before.rules)
    baseline.fits(file, before, now, suites.load(suite) if suite else None, engine)
    with progress_bar() as tell:
        found = baseline.check(before, now, seed=seed, workers=workers, progress=tell)
    if as_json:
        print_json(baseline_words.as_data(before, found))
    else:
        print_blocks(baseline_words.summary(before, found, everything=everything))
    return baseline.code(found)
