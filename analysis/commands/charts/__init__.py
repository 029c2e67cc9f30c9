"""The commands that draw, by chapter."""

from analysis.commands.charts import assaults, clearing, decisions, gallery, sweeps
from analysis.commands.charts.base import chart

__all__ = ["assaults", "chart", "clearing", "decisions", "gallery", "sweeps"]
