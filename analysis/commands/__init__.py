"""The commands, thin: read what was given, ask, and say the answer; what more there is to say stands in guides/."""

from pathlib import Path

from analysis.commands import (
    assaults,
    charts,
    choosing,
    deciding,
    exporting,
    guarding,
    lookups,
    storing,
    sweeping,
    versus,
    weighing,
)
from analysis.commands.root import app

for guide in Path(__file__).parent.with_name("guides").glob("*.md"):
    app[guide.stem].help_epilogue = guide.read_text("utf-8")
