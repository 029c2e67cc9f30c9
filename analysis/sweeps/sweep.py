"""Sweeps: every point of a design is played, and says its responses, or why it cannot be played."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.points.batches import play
from analysis.points.point import AUTO, How, Played, Point, point_name
from analysis.points.responses import Estimate
from analysis.say.files import csv_rows, open_to_write
from analysis.say.rules import titles as named_sets
from analysis.sweeps.design import FOUND, Cell, Design, design, factor, points_factor
from sims.engines import Progress
from sims.errors import CasemateError
from sims.rulesets import RuleSet

if TYPE_CHECKING:
    import pandas as pd


PORTION = 1_000
"""Cells that are at hand at a time: memory does not grow with their number."""
LOOKS, TITLES = "looks", "titles"
"""Where the attributes of a frame say how each set of rules looks, and what it is called."""


class Answer(NamedTuple):
    """What has come of a cell: its responses, or why there are none.

    Attributes:
        point: The name of its design point.
        id: The id of it; None where a scenario or rules do not take its values.
        responses: By name; none where it is refused.
        refused: Why it cannot be played.
    """

    cell: Cell
    point: str
    id: str | None
    responses: Mapping[str, Estimate]
    refused: str | None

    @property
    def rule_set(self) -> RuleSet:
        """Its rules, as its design names them."""
        return self.cell.values["rules"]

    @property
    def rules(self) -> str:
        """The id of its rules."""
        return self.rule_set.id

    @property
    def scenario(self) -> str:
        """The id of its scenario."""
        return Path(self.cell.values["scenario"]).stem

    @property
    def sampled(self) -> bool:
        """Whether any response has an interval."""
        return any(each.low is not None for each in self.responses.values())

    @property
    def certified(self) -> bool:
        """Whether they are known within bounds."""
        return any(each.certified for each in self.responses.values())

    def only(self, responses: Iterable[str]) -> "Answer":
        """Return the same with some responses alone."""
        return self._replace(responses={name: self.responses[name] for name in responses if name in self.responses})

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each response; one that says why, where there are none."""
        about = {"point": self.point, "id": self.id, "scenario": self.scenario, "rules": self.rules, **self.cell.said}
        if self.refused:
            yield {**about, **dict.fromkeys(FOUND), "refused": self.refused}
        for name, estimate in self.responses.items():
            yield {**about, **dict.fromkeys(FOUND), "response": name, **estimate.data}


def by_rules(found: Iterable[Answer]) -> dict[str, list[Answer]]:
    """Return answers by the id of their rules, in their order."""
    some = dict[str, list[Answer]]()
    for answer in found:
        some.setdefault(answer.rules, []).append(answer)
    return some


def answers(
    of: Design,
    how: How = AUTO,
    *,
    known: Played | None = None,
    workers: int | str = 1,
    progress: Progress | None = None,
) -> Iterator[Answer]:
    """Play the points of a design, and give what comes of each cell, in their order.

    >>> of = design([factor("attackers.models", [12, 20])], "farmhouse", "storming")
    >>> [round(each.responses["p_captured"].value, 2) for each in answers(of)]
    [0.23, 0.74]

    Args:
        workers: Processes that play, or the address of a Dask scheduler whose workers do.

    Raises:
        CasemateError: If there is no such key, a level fits in no cell, or no point can be played.
    """
    cells = of.points(how)
    known = Played() if known is None else known

    def portions() -> Iterator[Answer]:
        for before in range(0, len(of), PORTION):
            tell = _after(before, len(of), progress) if progress else None
            yield from _portion([*islice(cells, PORTION)], known, workers, tell)

    return _answered(portions())


def _after(before: int, of: int, progress: Progress) -> Progress:
    """Return a progress for a part of a work, before which some was done."""
    return lambda done, _: progress(before + done, of)


def _portion(
    cells: Iterable[tuple[Cell, Point | CasemateError]], known: Played, workers: int | str, progress: Progress | None
) -> Iterator[Answer]:
    points = [point for _, point in cells if isinstance(point, Point)]
    results = play(points, known, workers=workers, progress=progress)
    for cell, point in cells:
        yield _answer(cell, point, results)


def _answered(answers: Iterator[Answer]) -> Iterator[Answer]:
    why, answered = "there are none", False
    for answer in answers:
        why, answered = answer.refused or why, answered or not answer.refused
        yield answer
    if not answered:
        raise CasemateError(f"none of these points can be played: {why}")


def _answer(cell: Cell, point: Point | CasemateError, results: Iterator[Any]) -> Answer:
    if isinstance(point, CasemateError):
        changes = {key: value for key, value in cell.values.items() if key not in ("rules", "scenario")}
        nameless = Answer(cell, "", None, {}, str(point))
        return nameless._replace(point=point_name(nameless.rules, nameless.scenario, changes))
    match next(results):
        case CasemateError() as error:
            return Answer(cell, point.name, point.id, {}, str(error))
        case result:
            return Answer(cell, point.name, point.id, point.responses(result), None)


@contextmanager
def rows_writer(file: Path | None, of: Design) -> Iterator[Callable[[Answer], None]]:
    """Give what writes the rows of answers to a CSV file, which is there when all are; or nothing, without a file.

    Raises:
        CasemateError: If it cannot be written.
    """
    if file is None:
        yield lambda _: None
        return
    with open_to_write(file) as out:
        write = csv_rows(out, of.columns)
        yield lambda answer: write(answer.rows())


def sweep(
    scenario: str | None,
    factors: Mapping[str, Any] | Iterable[Mapping[str, Any]],
    *,
    rules: str | RuleSet | Iterable[str | RuleSet] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    workers: int | str = 1,
    progress: Progress | None = None,
) -> "pd.DataFrame":
    """Play a scenario at all combinations of the levels of some factors, under several sets of rules.

    >>> table = sweep("farmhouse", {"attackers.models": [12, 20]}, rules="storming")
    >>> table[table["response"] == "p_captured"]["value"].round(2).tolist()
    [0.23, 0.74]

    Args:
        scenario: An id, or the path of a file; None where ``scenario`` is a factor.
        factors: By key, the values that it takes: ``{"attackers.models": range(5, 21)}``. A factor may have any name if
            its levels have names, and set several keys each: ``{"approach": {"near": {"distance": 8}, "far":
            {"distance": 24, "turns": 8}}}``. Or points one by one, each with its values by key.
        rules: Ids, and paths of house rules, or ``all``; all rule sets if neither this nor a factor says them.
        known: Results that are there already; new ones are added. Those of `open_store` outlive the program.
        workers: Processes that play, or the address of a Dask scheduler whose workers do.

    Returns:
        A row for each design point and response: the name and id of the point, ``scenario``, ``rules``, a column for
        each factor, ``response``, ``value``, ``low`` and ``high`` where it was sampled, and where it is ``certified``
        its bounds. A point that cannot be played has one row without a response, which says why in ``refused``. Its
        ``attrs`` say how each set of rules looks in charts, and what it is called there.

    Raises:
        CasemateError: If a name is unknown, a level fits nowhere, factors contradict each other, or no point can be
            played.
    """
    import pandas as pd

    given = (
        [factor(name, levels) for name, levels in factors.items()]
        if isinstance(factors, Mapping)
        else [points_factor(factors)]
    )
    made = design(given, scenario, rules)
    found = answers(made, how, known=known, workers=workers, progress=progress)
    rows, sets = list[dict[str, Any]](), dict[str, RuleSet]()
    for answer in found:
        rows += answer.rows()
        sets[answer.rules] = answer.rule_set
    table = pd.DataFrame(rows, columns=made.columns).astype(dict.fromkeys(("value", "low", "high"), float))
    table.attrs[LOOKS] = {id: each.look for id, each in sets.items()}
    table.attrs[TITLES] = dict(zip(sets, named_sets([*sets.values()]), strict=True))
    return table
