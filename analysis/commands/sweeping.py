"""The command that plays many points: sweep."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analysis.commands.assaults import DEFAULT_SCENARIO, split
from analysis.commands.base import (
    USUAL,
    USUALLY_KEPT,
    WORKERS,
    Computed,
    Json,
    Kept,
    Workers,
    app,
    print_json,
    progress_bar,
)
from analysis.responses import NAMES
from sims.errors import CasemateError, nearest

if TYPE_CHECKING:
    from analysis.design import Design


@app.command
def sweep(
    scenario: str | None = None,
    /,
    *,
    vary: Annotated[list[str] | None, Parameter(negative=())] = None,
    study: str | None = None,
    rules: Annotated[list[str] | None, Parameter(negative=())] = None,
    response: str = "p_captured",
    computed: Computed = USUAL,
    kept: Kept = USUALLY_KEPT,
    workers: Workers = WORKERS,
    out: Path | None = None,
    as_json: Json = False,
) -> None:
    """Play an assault at every combination of the levels of some factors, under several sets of rules.

    Prints where a response is least and most, or every level where one thing alone is varied; all numbers go to --out
    or --json, a row for each point and response. For example:

    - `casemate sweep farmhouse --vary attackers.models=5..20 --vary defenders.models=4..15 --rules all --out DIR`
    - `casemate sweep --vary building.doors=1,2,3 --vary first=attackers,defenders`
    - `casemate sweep bastion --vary tables.grenade.hits=D3,D6,2D6 --rules storming`
    - `casemate sweep --vary scenario=all --vary attackers.plan=storm,smoke --response p_cleared`
    - `casemate sweep --study my-study.toml --out DIR`

    A point that is impossible, be it under one set of rules alone, is a row that says why.

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if none is said.
    vary
        A key as files of scenarios and house rules write it, or rules or scenario, and its levels: `5..20`, `5..20:5`
        in steps of 5, or `a,b,c`. Give it once for each factor.
    study
        A file of factors and points, or one of those that come with Casemate: plans, support.
    rules
        Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if not given.
    response
        What is told: p_captured, p_destroyed, p_broken, p_held, p_cleared, turns_mean, attackers_lost_mean, ...
    workers
        Processes that play.
    out
        A folder to write all rows to, as sweep.csv; it is made if need be.
    as_json
        Print all rows as JSON.
    """
    from analysis.design import design
    from analysis.study import study as read
    from analysis.study import varied

    if response not in NAMES:
        raise CasemateError(f'there is no response "{response}"; {nearest(response, NAMES)}')
    factors = [*(read(study) if study else ()), *varied(vary or ())]
    if not factors:
        raise CasemateError("nothing is varied; expected --vary KEY=LEVELS, such as attackers.models=5..20, or --study")
    if scenario is None and not any("scenario" in each.keys for each in factors):
        scenario = DEFAULT_SCENARIO
    made = design(factors, scenario, split(rules) if rules else None)
    show(made, [response], computed, kept, workers, out, as_json=as_json)


def show(
    of: "Design",
    responses: Sequence[str],
    computed: Computed,
    kept: Kept,
    workers: int,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play a design, write its rows to a folder if there is one, and say what came of it."""
    from analysis import blocks, files, sweep_words
    from analysis.looks import short
    from analysis.sweep import Answer, answers, written
    from analysis.terminal import console
    from analysis.words import not_enough

    file = out / "sweep.csv" if out else None
    if out and file:
        files.writable(file, files.ready(out))
    found, every, wide = sweep_words.Found(of, responses), list[Answer](), 0
    gather = every.append if as_json else found.add
    with kept.opened() as known, progress_bar() as tell:
        arriving = answers(of, computed.how, known=known, workers=workers, progress=tell)
        with written(file, of) as write:
            for answer in arriving:
                write(answer)
                gather(answer)
                wide += short([answer.responses], computed.until)
    if as_json:
        print_json(sweep_words.data(of, every))
    else:
        blocks.show(console(), [*sweep_words.said(computed.how, found), *not_enough(computed.how, wide)])
    if file:
        print(f"The rows: {file}", file=sys.stderr)
