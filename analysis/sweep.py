"""Sweeps: one value of a scenario or of its rules goes through its levels, under several sets of rules."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.point import SEED, TRIALS, How, Played, point
from sims.engines import Engine
from sims.rulesets import rule_set

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
        A key as the files write it, such as ``attackers.models`` or ``tables.grenade.hits``.
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
    how = How(engine, trials=trials, seed=seed)
    points = [
        (level, point(scenario, one, {factor: level}, how=how)) for one in map(rule_set, rules) for level in levels
    ]
    played = Played()
    rows = []
    for level, each in progress(points):
        found = each.responses(played.of(each))
        rows += [SweepRow(each.name, each.rule_set.title, level, name, *vars(e).values()) for name, e in found.items()]
    return rows


def frame(rows: Iterable[SweepRow]) -> "pd.DataFrame":
    """Return the rows as a table."""
    import pandas as pd

    return pd.DataFrame(rows, columns=SweepRow._fields)
