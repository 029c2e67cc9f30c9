"""What the assault costs each side, by rule set: side by side, and both at once."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.ticker import MaxNLocator

from analysis.charts.heat import draw_heat, level_names
from analysis.charts.palette import LOOKS, SIDES
from analysis.charts.style import INK, NARROW, PAPER, WIDE, Chart, in_style, new_chart, tick, wrap
from analysis.findings import as_sampled
from analysis.findings import assaults as findings
from analysis.points.margins import SIDES as BOTH
from analysis.rows import names
from analysis.rows.assaults import BothRow, LossMark, LossRow
from analysis.say.numbers import whole_percent


@in_style
def loss_chart(
    rows: Sequence[LossRow], marks: Sequence[LossMark], *, title: str = "", caption: str = "", width: float = WIDE
) -> Chart:
    """Draw the distribution of each side's losses: a row for each set of rules, a column for each side.

    Above the bars a diamond marks the mean, a line the range that nine games out of ten keep to.
    """
    rules, narrow = names(rows), width < NARROW
    each = 1.45 if narrow else 1.25
    figure = new_chart(title or as_sampled(findings.losses(marks), rows), width, 0.9 + each * len(rules), caption)
    grid = figure.subplots(len(rules), 2, sharex="col", squeeze=False)
    figure.get_layout_engine().set(h_pad=0.06, w_pad=0.08)  # type: ignore[union-attr, call-arg]
    for down, name in enumerate(rules):
        for across, side in enumerate(BOTH):
            axes = grid[down, across]
            bars = [row for row in rows if row.rules == name and row.side == side]
            mark = next(mark for mark in marks if mark.rules == name and mark.side == side)
            _panel(axes, bars, mark, ticks=4 if narrow else 8)
            axes.set_xlim(-0.6, max(row.lost for row in rows if row.side == side) + 0.6)
            above = [f"{SIDES[side]} {side} lost"] * (down == 0) + [wrap(name, 30)] * (narrow and across == 0)
            axes.set_title("\n".join(above), pad=34 if down == 0 else 26)
            if down == len(rules) - 1:
                axes.set_xlabel("models")
        if not narrow:
            grid[down, 0].set_ylabel(wrap(name), rotation=0, ha="right", va="center", labelpad=12)
    return figure


def _panel(axes: Axes, bars: Sequence[LossRow], mark: LossMark, *, ticks: int) -> None:
    lost, chances = [row.lost for row in bars], [row.chance for row in bars]
    filled = mark.side == "attackers"
    colour = LOOKS[mark.look].colour
    axes.bar(
        lost,
        chances,
        0.85,
        facecolor=colour if filled else PAPER,
        hatch="" if filled else "////",
        edgecolor=PAPER if filled else colour,
        linewidth=0 if filled else 0.8,
    )
    sampled = [row for row in bars if row.low is not None and row.high is not None]
    axes.vlines([r.lost for r in sampled], [r.low or 0 for r in sampled], [r.high or 0 for r in sampled], color=INK)
    above = 1.1
    place = axes.get_xaxis_transform()
    axes.plot([mark.least, mark.most], [above, above], "|-", color=INK, linewidth=1.2, transform=place, clip_on=False)
    axes.plot([mark.mean], [above], "D", color=INK, markersize=4.5, transform=place, clip_on=False)
    axes.text(mark.mean, above + 0.1, f"{mark.mean:.1f}", transform=place, ha="center", va="bottom", fontsize=8.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=ticks))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=2))
    axes.yaxis.set_major_formatter(tick)
    axes.grid(axis="y")


@in_style
def both_chart(rows: Sequence[BothRow], *, title: str = "", caption: str = "", width: float = WIDE) -> Chart:
    """Draw how likely the losses of both sides together are: a heat map for each set of rules, on one scale.

    It goes by the root of a chance, for most losses are rare, and would be as good as white.
    """
    rules = names(rows)
    columns = 1 if width < NARROW else min(2, len(rules))
    down = -(-len(rules) // columns)
    figure = new_chart(title or findings.both(rows), width, 0.4 + 3.1 * down, caption)
    panels = figure.subplots(down, columns, squeeze=False, sharex=True, sharey=True)
    across, up = (max(getattr(row, f"{side}_lost") for row in rows) + 1 for side in BOTH)
    most = max(row.chance for row in rows)
    for axes, name in zip(panels.flat, rules, strict=False):
        grid = np.full((up, across), np.nan)
        for row in (row for row in rows if row.rules == name):
            grid[row.defenders_lost, row.attackers_lost] = row.chance
        draw_heat(axes, grid, level_names(range(across)), level_names(range(up)), scale=PowerNorm(0.5, 0, most))
        axes.set_title(name)
    for axes in panels[:, 0]:
        axes.set_ylabel(f"{SIDES['defenders']} garrison lost")
    for axes in panels[-1]:
        axes.set_xlabel(f"{SIDES['attackers']} attackers lost")
    for axes in panels.flat[len(rules) :]:
        axes.set_axis_off()
    bar = figure.colorbar(panels[0, 0].collections[0], ax=panels, shrink=0.7, format=tick, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(f"of all games, up to {whole_percent(most)}")
    return figure
