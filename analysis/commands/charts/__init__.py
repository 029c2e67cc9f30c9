"""The commands that draw, by chapter."""

from analysis.commands.charts import assaults, decisions, dice, gallery, scatter
from analysis.commands.charts.base import chart

__all__ = ["assaults", "chart", "decisions", "dice", "gallery", "scatter"]
