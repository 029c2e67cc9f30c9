"""The commands that draw, by chapter."""

from analysis.commands.charts import assaults, buildings, decisions, gallery
from analysis.commands.charts.base import chart

__all__ = ["assaults", "buildings", "chart", "decisions", "gallery"]
