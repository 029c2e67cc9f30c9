"""The commands, thin: read what was given, ask, and say the answer."""

from analysis.commands import (
    assaults,
    deciding,
    drawing,
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
    "deciding",
    "drawing",
    "exporting",
    "guarding",
    "lookups",
    "positions",
    "storing",
    "sweeping",
    "weighing",
]
