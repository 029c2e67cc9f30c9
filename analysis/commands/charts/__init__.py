"""The commands that draw, by chapter."""

from analysis.commands.charts import assaults, buildings, clearing, decisions, dice, gallery, scatter, sweeps
from analysis.commands.charts.base import chart
