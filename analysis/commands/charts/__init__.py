"""The commands that draw, by chapter."""

from analysis.commands.charts import assaults, buildings, decisions, dice, gallery, scatter
from analysis.commands.charts.base import chart

__all__ = ["assaults", "buildings", "chart", "decisions", "dice", "gallery", "scatter"]
