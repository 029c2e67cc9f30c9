"""The commands that draw, by chapter."""

from analysis.commands.charts import assaults, buildings, dice, gallery, scatter, sweeps
from analysis.commands.charts.base import chart
