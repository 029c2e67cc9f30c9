"""Engines: they play an assault and know no rule set. The one place that picks one is `run`."""

from typing import Any, Literal

from sims.assault import Assault
from sims.engines.bounded import bounded
from sims.engines.chain import LEFT_OUT, Chain, Values, values, values_within
from sims.engines.exact import Progress, solve, solved
from sims.engines.learner import Learner
from sims.engines.memory import keep_freed
from sims.engines.result import COLUMNS, Bounded, Exact, Result, Sampled
from sims.engines.sampled import Until, outcomes, play
from sims.engines.starts import Ahead, ahead
from sims.engines.walk import LEARNT, WITHIN, Walk
from sims.errors import BudgetError

keep_freed()

SHARE = 4
"""`auto` learns this part of the budget for an exact answer: at most some four seconds, if nobody sets the budget."""

Engine = Literal["auto", "exact", "bounded", "sampled", "rolled"]


def run(
    assault: Assault[Any, Any],
    *,
    engine: Engine = "auto",
    trials: int = 100_000,
    seed: int = 1,
    workers: int = 1,
    budget: int = LEARNT,
    within: float = WITHIN,
    until: Until | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play an assault with the engine asked for; `auto` is exact if it can be, else bounded, else sampled.

    The budget is of transitions. `auto` is exact within a quarter of it; what has been learnt by then is not learnt
    again. It goes on to samples where the bounded engine gives up.

    Raises:
        BudgetError: If the exact engine was asked for and would burst its budget, or the bounded one has too much to
            learn.
    """
    if engine in ("auto", "exact", "bounded"):
        try:
            return _followed(assault, engine, budget, within, progress)
        except BudgetError:
            if engine != "auto":
                raise
    drawn: Literal["sampled", "rolled"] = "rolled" if engine == "rolled" else "sampled"
    return play(assault, engine=drawn, trials=trials, seed=seed, workers=workers, until=until, progress=progress)


def _followed(
    assault: Assault[Any, Any], engine: Engine, budget: int, within: float, progress: Progress | None
) -> Exact | Bounded:
    """Return what every way that the dice can fall comes to, or every one that is likely enough."""
    if engine == "bounded":
        return bounded(assault, within=within, progress=progress)
    chain = Learner(assault, budget=budget // SHARE if engine == "auto" else budget)
    try:
        return solved(chain, progress)
    except BudgetError:
        if engine == "exact":
            raise
    return bounded(assault, within=within, beside=chain, progress=progress)
