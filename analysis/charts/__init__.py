"""Charts: tidy rows in, a `Chart` out, which notebooks draw.

Nothing is computed here, and Matplotlib is imported nowhere else. A chart takes `width`, in inches: `WIDE` or `PHONE`.
"""

from analysis.charts.capture import capture_chart
from analysis.charts.clear import clear_chart
from analysis.charts.contours import contour_chart
from analysis.charts.crossings import crossings_chart
from analysis.charts.ends import end_chart
from analysis.charts.game import game_chart
from analysis.charts.garrison import garrison_chart
from analysis.charts.losses import both_chart, loss_chart
from analysis.charts.matrix import matrix_chart
from analysis.charts.moves import move_chart
from analysis.charts.pictures import svg, write
from analysis.charts.plane import plane_chart
from analysis.charts.rulings import rulings_chart
from analysis.charts.style import PHONE, WIDE, Chart
from analysis.charts.sweep import sweep_chart
from analysis.charts.tornado import tornado_chart

__all__ = [
    "PHONE",
    "WIDE",
    "Chart",
    "both_chart",
    "capture_chart",
    "clear_chart",
    "contour_chart",
    "crossings_chart",
    "end_chart",
    "game_chart",
    "garrison_chart",
    "loss_chart",
    "matrix_chart",
    "move_chart",
    "plane_chart",
    "rulings_chart",
    "svg",
    "sweep_chart",
    "tornado_chart",
    "write",
]
