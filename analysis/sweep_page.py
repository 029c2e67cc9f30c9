"""The page of a sweep: what was played, its chart where one or two numbers are varied, and what came of it."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from analysis import contours as lines
from analysis.axis_words import factor_words
from analysis.blocks import Block, html
from analysis.contours import plane
from analysis.design import Design
from analysis.findings import listed
from analysis.report import drawn, plain
from analysis.rows.sweeps import answer_rows, called, contour_rows, left_out, looks, plane_rows
from analysis.sweep import Answer
from sims.errors import CasemateError
from sims.scenario import load_scenario

if TYPE_CHECKING:
    from analysis.charts import Chart

MOST = 5_000
"""Cells that a chart can show; more are not at hand."""


def page(of: Design, found: Sequence[Answer], response: str, said: Iterable[Block]) -> str:
    """Return the page of a sweep.

    Parameters
    ----------
    of : Design
    found : sequence of Answer
        What has come of its cells; none, where there are too many to draw.
    response : str
        What is drawn.
    said : iterable of Block
        What the terminal says of it.
    """
    titles = {load_scenario(name).title for name in {cell.values["scenario"] for cell in of}}
    varied = [factor_words(each.name) for each in of.varied]
    title = titles.pop() if len(titles) == 1 else "Several assaults"
    lead = [f"What {listed(varied)} {'does' if len(varied) == 1 else 'do'} to it."] if varied else []
    chart = _chart(of, found, response) if found else None
    return plain(title, lead, html(said), drawn("sweep", chart) if chart else "", " ".join(left_out(found)))


def _chart(of: Design, found: Sequence[Answer], response: str) -> "Callable[[float], Chart] | None":
    """Return the chart of a sweep, by its width: a line over one factor, a heat map over two numbers, else none."""
    from analysis import charts

    if len(of.varied) == 1:
        rows = answer_rows(of, found, response)
        factor = factor_words(of.varied[0].name)
        return lambda width: charts.sweep_chart(rows, response, factor=factor, width=width)
    try:
        on = plane(of, response, 0.5)
    except CasemateError:
        return None
    cells, met = plane_rows(on, found), contour_rows(lines.contours(on, found), called(found), looks(found))
    return lambda width: charts.plane_chart(cells, met, on, width=width)
