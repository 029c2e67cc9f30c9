"""Engines: they play an assault and know no rule set. The one place that picks one is `run`."""

from typing import Any, Literal

from sims.assault import Assault
from sims.dice import BUDGET
from sims.engines.bounded import bounded
from sims.engines.chain import LEFT_OUT, Chain, Values, values, values_within
from sims.engines.exact import Progress, solve
from sims.engines.memory import keep_freed
from sims.engines.result import COLUMNS, Bounded, Exact, Result, Sampled
from sims.engines.sampled import Until, outcomes, play
from sims.engines.starts import Ahead, ahead
from sims.engines.walk import WITHIN, Walk
from sims.errors import BudgetError

keep_freed()

PATIENCE = 2
"""Budgets that `auto` spends on an exact answer: some six seconds, if nobody sets the budget."""

Engine = Literal["auto", "exact", "bounded", "sampled", "rolled"]


def run(
    assault: Assault[Any, Any],
    *,
    engine: Engine = "auto",
    trials: int = 100_000,
    seed: int = 1,
    workers: int = 1,
    budget: int = BUDGET,
    within: float = WITHIN,
    until: Until | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play an assault with the engine asked for; `auto` is exact if it can be, else bounded, else sampled.

    The budget holds for a stage; `auto` gives up as well when all stages together fill `PATIENCE` times as much, and
    where more would have to be left out than `within`.

    Raises:
        BudgetError: If the exact engine was asked for and would burst its budget, or the bounded one has too much to
            learn.
    """
    if engine in ("auto", "exact"):
        try:
            patience = PATIENCE * budget if engine == "auto" else None
            return solve(assault, budget=budget, patience=patience, progress=progress)
        except BudgetError:
            if engine == "exact":
                raise
    if engine in ("auto", "bounded"):
        try:
            return bounded(assault, within=within, progress=progress)
        except BudgetError:
            if engine == "bounded":
                raise
    drawn: Literal["sampled", "rolled"] = "rolled" if engine == "rolled" else "sampled"
    return play(assault, engine=drawn, trials=trials, seed=seed, workers=workers, until=until, progress=progress)
