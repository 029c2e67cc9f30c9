"""Charts: tidy rows in, a `Chart` out, which notebooks draw.

Nothing is computed here, and Matplotlib is imported nowhere else. A chart takes `width`, in inches: `WIDE` or `PHONE`.
"""

from typing import TYPE_CHECKING

from analysis.lazy import lazy

if TYPE_CHECKING:
    from analysis.charts.capture import capture_chart as capture_chart
    from analysis.charts.choices import choice_chart as choice_chart
    from analysis.charts.clear import clear_chart as clear_chart
    from analysis.charts.contours import contour_chart as contour_chart
    from analysis.charts.crossings import crossings_chart as crossings_chart
    from analysis.charts.dice import dice_chart as dice_chart
    from analysis.charts.ends import end_chart as end_chart
    from analysis.charts.game import game_chart as game_chart
    from analysis.charts.garrison import garrison_chart as garrison_chart
    from analysis.charts.losses import both_chart as both_chart
    from analysis.charts.losses import loss_chart as loss_chart
    from analysis.charts.matrix import matrix_chart as matrix_chart
    from analysis.charts.moves import move_chart as move_chart
    from analysis.charts.pictures import svg as svg
    from analysis.charts.pictures import write as write
    from analysis.charts.plane import plane_chart as plane_chart
    from analysis.charts.rulings import rulings_chart as rulings_chart
    from analysis.charts.scatter import cover_chart as cover_chart
    from analysis.charts.scatter import scatter_chart as scatter_chart
    from analysis.charts.standing import breach_chart as breach_chart
    from analysis.charts.standing import standing_chart as standing_chart
    from analysis.charts.style import PHONE as PHONE
    from analysis.charts.style import WIDE as WIDE
    from analysis.charts.style import Chart as Chart
    from analysis.charts.sweep import sweep_chart as sweep_chart
    from analysis.charts.tables import table_chart as table_chart
    from analysis.charts.targets import extended_chart as extended_chart
    from analysis.charts.targets import hit_chart as hit_chart
    from analysis.charts.targets import leadership_chart as leadership_chart
    from analysis.charts.targets import save_chart as save_chart
    from analysis.charts.targets import wound_chart as wound_chart
    from analysis.charts.tornado import tornado_chart as tornado_chart
else:
    __getattr__, __dir__ = lazy(__name__)
