"""Engines: they play an assault and know no rule set. The one place that picks one is `run`."""

from typing import Any, Literal

from sims.assault import Assault
from sims.dice import BUDGET
from sims.engines.bounded import bounded
from sims.engines.chain import LEFT_OUT, Chain, Values, values, values_within
from sims.engines.exact import Progress, solve, solved
from sims.engines.learner import Learner
from sims.engines.memory import keep_freed
from sims.engines.result import COLUMNS, Bounded, Exact, Result, Sampled
from sims.engines.sampled import Until, outcomes, play
from sims.engines.starts import Ahead, ahead
from sims.engines.walk import WITHIN, Walk
from sims.errors import BudgetError

keep_freed()

PATIENCE = 2**23
"""Transitions that `auto` learns for an exact answer: some six seconds."""

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

    The budget is of transitions; `auto` gives up at `PATIENCE` of them, and what has been learnt by then is not learnt
    again. It goes on to samples where more would have to be left out than `within`.

    Raises:
        BudgetError: If the exact engine was asked for and would burst its budget, or the bounded one has too much to
            learn.
    """
    chain = None
    if engine in ("auto", "exact"):
        chain = Learner(assault, budget=min(budget, PATIENCE) if engine == "auto" else budget)
        try:
            return solved(chain, progress)
        except BudgetError:
            if engine == "exact":
                raise
    if engine in ("auto", "bounded"):
        try:
            return bounded(assault, within=within, beside=chain, progress=progress)
        except BudgetError:
            if engine == "bounded":
                raise
    drawn: Literal["sampled", "rolled"] = "rolled" if engine == "rolled" else "sampled"
    return play(assault, engine=drawn, trials=trials, seed=seed, workers=workers, until=until, progress=progress)
