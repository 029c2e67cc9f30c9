"""The page of a sweep: what it finds, its chart where one or two numbers are varied, and what was played."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.findings import sweeps as findings
from analysis.pages.report import again, picture, plain
from analysis.rows.sweeps import answer_rows, cell_rows, contour_rows, left_out, looks_of, plane_rows, titles_of
from analysis.say.axes import factor_words, response_words
from analysis.say.blocks import Block, Heading, html
from analysis.say.numbers import listed
from analysis.say.scenarios import setting
from analysis.sweeps import contours as lines
from analysis.sweeps.contours import Plane, even_plane
from analysis.sweeps.design import Design
from analysis.sweeps.sweep import Answer
from analysis.sweeps.words import Found
from sims.scenario import Scenario, load_scenario

if TYPE_CHECKING:
    from analysis.charts import Chart

MOST = 5_000
"""Cells that a chart can show; more are not at hand."""


def page(found: Found, cells: Sequence[Answer], said: Iterable[Block], command: str, on: Plane | None = None) -> str:
    """Return the page of a sweep.

    Args:
        found: What is told of it; captures are drawn, or the only response.
        cells: What has come of its cells; none, where there are too many to draw.
        said: What the terminal says of it.
        command: What computes it again.
    """
    scenarios = [load_scenario(name) for name in {cell.values["scenario"] for cell in found.of}]
    chart = _drawn(found, cells, on)
    assault = _assault(found.of, scenarios[0]) if len(scenarios) == 1 else ()
    return plain(
        scenarios[0].title if len(scenarios) == 1 else "Several assaults",
        [opening(found, cells, on)],
        html([*said, *assault, *again(command)]),
        picture("sweep", chart) if chart else "",
        " ".join(left_out(cells)),
    )


def _assault(of: Design, scenario: Scenario) -> Iterator[Block]:
    """Yield what an assault is by itself."""
    yield Heading("The assault")
    if set_here := [
        *dict.fromkeys(key for each in of.factors for key in each.keys if key not in ("scenario", "rules"))
    ]:
        yield f"As the scenario has it, but for {listed(set_here)}:"
    yield from (f"{name}: {fact}" for name, fact in setting(scenario).items())


def opening(found: Found, cells: Sequence[Answer], on: Plane | None = None) -> str:
    """Say in a sentence what a sweep finds of one of its responses; `cells` as for its page."""
    of, response = found.of, _first(found)
    on = on or even_plane(of, response)
    if cells and len(of.varied) == 1:
        return f"{findings.over_levels(answer_rows(of, cells, response), _factor(of), response)}."
    if cells and on:
        return f"{findings.plane(plane_rows(on, cells), response, on.target)}."
    pairs = (by[response] for by in found.ends.values())
    ends = [end for least, most in pairs for end in ((least,) if least is most else (least, most))]
    return f"{findings.over_levels(cell_rows(ends, response), _factor(of), response)}."


def _first(found: Found) -> str:
    """Return the response that is told and drawn, of several captures."""
    return "p_captured" if "p_captured" in found.responses else found.responses[0]


def _factor(of: Design) -> str:
    return listed([factor_words(each.name) for each in of.varied]) if of.varied else ""


def _drawn(found: Found, cells: Sequence[Answer], on: Plane | None) -> "Callable[[float], Chart] | None":
    """Return the chart of a sweep by its width: a line over one factor, heat maps over two numbers."""
    from analysis import charts

    of, response = found.of, _first(found)
    title, on = response_words(response).capitalize(), on or even_plane(of, response)
    if cells and len(of.varied) == 1:
        levels = answer_rows(of, cells, response)
        return lambda width: charts.sweep_chart(levels, response, factor=_factor(of), title=title, width=width)
    if cells and on:
        rows, met = plane_rows(on, cells), contour_rows(lines.contours(on, cells), titles_of(cells), looks_of(cells))
        return lambda width: charts.plane_chart(rows, met, on, title=title, width=width)
    return None
