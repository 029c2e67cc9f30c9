"""The commands, thin: read what was given, ask, and say the answer."""

from analysis.commands import (
    assaults,
    charts,
    deciding,
    exporting,
    guarding,
    lookups,
    positions,
    storing,
    sweeping,
    weighing,
)
from analysis.commands.base import app

__all__ = [
    "app",
    "assaults",
    "charts",
    "deciding",
    "exporting",
    "guarding",
    "lookups",
    "positions",
    "storing",
    "sweeping",
    "weighing",
]
