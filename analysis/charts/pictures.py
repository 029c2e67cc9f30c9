"""Charts as pictures: SVG for a page, files of SVG, PNG or PDF."""

import re
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, cast

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG

from analysis.charts.style import INK, PAPER, STYLE, Chart
from analysis.say import files
from sims.errors import visible

DARK = (
    "<style>@media (prefers-color-scheme: dark) "
    "{ svg { --ink: #e8eaed; --paper: #16191d; background: var(--paper) } }</style>"
)
"""What a picture that stands alone says of ink and paper."""


def svg(chart: Chart, name: str) -> str:
    """Write a chart as SVG to be put into a page; the same chart gives the same text.

    Args:
        name: Put before every id, so that several charts fit on one page.
    """
    out = StringIO()
    with rc_context(STYLE):
        _print(chart, out)
    text = visible(out.getvalue())  # XML has no control characters
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="', f' id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    for said, colour in (("ink", INK), ("paper", PAPER)):
        # The plain colour stands first for viewers without variables, which drop the second.
        text = re.sub(f"(fill|stroke): {colour}", rf"\g<0>; \1: var(--{said}, {colour})", text)
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(visible(chart.shows))}"', 1)


def _print(chart: Chart, out: StringIO) -> None:
    """Print a chart as `savefig` does, which would draw it twice: once to lay it out."""
    canvas, layout = cast("Any", FigureCanvasSVG(chart)), chart.get_layout_engine()
    if layout:
        layout.execute(chart)
        chart.set_layout_engine("none")
    canvas.print_svg(out, metadata={"Date": None, "Creator": None})
    chart.set_layout_engine(layout)


def write(chart: Chart, path: Path) -> None:
    """Write a chart to a file, whole or not at all: .svg, light on dark where its reader prefers that, .png or .pdf.

    Raises:
        CasemateError: If it cannot be written.
    """
    if path.suffix == ".svg":
        head, end, body = svg(chart, path.stem).partition(">")
        files.write(path, f"{head}{end}{DARK}{body}")
        return
    said = {"Description": chart.shows} if path.suffix == ".png" else {"Subject": chart.shows, "CreationDate": None}
    with rc_context(STYLE), files.open_to_write(path, "wb") as out:
        chart.savefig(out, format=path.suffix[1:], dpi=150, facecolor=PAPER, metadata=said)
