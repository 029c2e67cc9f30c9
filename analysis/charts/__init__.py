"""Charts: tidy rows in, a `Chart` out, which notebooks draw.

Nothing is computed here, and Matplotlib is imported nowhere else. A chart takes `width`, in inches: `WIDE` or `PHONE`.
"""

from typing import TYPE_CHECKING

from analysis.lazy import lazy

if TYPE_CHECKING:
    from analysis.charts.choices import choice_chart
    from analysis.charts.clear import clear_chart
    from analysis.charts.contours import contour_chart
    from analysis.charts.dice import dice_chart
    from analysis.charts.ends import end_chart
    from analysis.charts.game import game_chart
    from analysis.charts.growth import growth_chart
    from analysis.charts.losses import both_chart, loss_chart
    from analysis.charts.markers import marker_chart
    from analysis.charts.matrix import matrix_chart
    from analysis.charts.moves import move_chart
    from analysis.charts.pictures import svg, write
    from analysis.charts.plane import plane_chart
    from analysis.charts.scatter import cover_chart, scatter_chart
    from analysis.charts.standing import breach_chart, standing_chart
    from analysis.charts.style import PHONE, WIDE, Chart
    from analysis.charts.sweep import crossings_chart, sweep_chart
    from analysis.charts.tables import table_chart
    from analysis.charts.targets import extended_chart, hit_chart, leadership_chart, save_chart, wound_chart
    from analysis.charts.tornado import rulings_chart, tornado_chart
    from analysis.charts.turns import capture_chart, garrison_chart
    from analysis.charts.versus import versus_chart

    __all__ = [  # for type checkers, which do not run what is below
        "PHONE",
        "WIDE",
        "Chart",
        "both_chart",
        "breach_chart",
        "capture_chart",
        "choice_chart",
        "clear_chart",
        "contour_chart",
        "cover_chart",
        "crossings_chart",
        "dice_chart",
        "end_chart",
        "extended_chart",
        "game_chart",
        "garrison_chart",
        "growth_chart",
        "hit_chart",
        "leadership_chart",
        "loss_chart",
        "marker_chart",
        "matrix_chart",
        "move_chart",
        "plane_chart",
        "rulings_chart",
        "save_chart",
        "scatter_chart",
        "standing_chart",
        "svg",
        "sweep_chart",
        "table_chart",
        "tornado_chart",
        "versus_chart",
        "wound_chart",
        "write",
    ]
else:
    __getattr__, __dir__ = lazy(__name__)
