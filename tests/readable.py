"""What every chart promises, however wide: nothing is cut off, and no letters cover others."""

from itertools import combinations

import matplotlib
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from analysis.charts.style import STYLE, Chart


def assert_readable(figure: Chart) -> None:
    """Draw a chart, and see that its letters are inside it and apart."""
    with matplotlib.rc_context(STYLE):
        FigureCanvasAgg(figure).draw()
    beyond = {label for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for label in _beyond(axis)}
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible() and text not in beyond]
    boxes = {text: text.get_window_extent() for text in texts}
    whole = figure.bbox.padded(0.5)
    for text, box in boxes.items():
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1, text
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1, text
    for one, other in combinations(texts, 2):
        assert not boxes[one].padded(-0.5).overlaps(boxes[other].padded(-0.5)), (one, other)


def _beyond(axis: Axis) -> list[Text]:
    """Return the labels of ticks that stand beyond the ends of an axis and are not drawn."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if not low - 1e-9 <= tick.get_loc() <= high + 1e-9]
