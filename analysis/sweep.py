"""Sweeps: one number of a scenario goes through its levels, under several sets of rules."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.compare import SEED, TRIALS
from analysis.responses import Models, responses
from sims.engines import Engine, run
from sims.rulesets import rule_set
from sims.scenario import load_scenario

if TYPE_CHECKING:
    import pandas as pd


class SweepRow(NamedTuple):
    """A response at one design point; `low` and `high` where it was sampled."""

    point: str
    rules: str
    level: float
    response: str
    value: float
    low: float | None
    high: float | None


def point_id(rules: str, scenario: str, factor: str, level: Any) -> str:
    """Name a design point by its values, so that its name outlives any change of the sweep.

    >>> point_id("gemini", "bunker-rush", "attackers.models", 12)
    'gemini/bunker-rush?attackers.models=12'
    """
    return f"{rules}/{scenario}?{factor}={level}"


def sweep(
    scenario: str,
    rules: Iterable[str],
    factor: str,
    levels: Iterable[Any],
    *,
    engine: Engine = "auto",
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> list[SweepRow]:
    """Play a scenario at every level of one factor, under every set of rules.

    Parameters
    ----------
    scenario : str
        An id, or the path of a file.
    rules : iterable of str
        Ids, or paths of house rules.
    factor : str
        A dotted key of the scenario file, such as ``attackers.models``.
    levels : iterable
        The values it takes.
    progress : callable, optional
        Wraps the design points, as ``tqdm`` does.

    Returns
    -------
    list of SweepRow
        One for each design point and response; ``pandas.DataFrame`` takes it as it is.

    Raises
    ------
    CasemateError
        If a name is unknown or a level does not fit.
    """
    games = [(level, load_scenario(scenario, {factor: level})) for level in levels]
    points = [(rule_set(name), level, game) for name in rules for level, game in games]
    rows = []
    for book, level, game in progress(points):
        result = run(book.assault(game), engine=engine, trials=trials, seed=seed)
        found = responses(result, Models(game.attackers.models, game.defenders.models))
        point = point_id(book.id, game.id, factor, level)
        rows += [SweepRow(point, book.title, level, name, *vars(e).values()) for name, e in found.items()]
    return rows


def frame(rows: Iterable[SweepRow]) -> "pd.DataFrame":
    """Return the rows as a table."""
    import pandas as pd

    return pd.DataFrame(rows, columns=SweepRow._fields)
