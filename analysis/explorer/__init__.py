"""The explorer: sliders over an assault and the numbers of its rules, in a notebook or served by Voilà."""

from analysis.explorer.panel import Panel

__all__ = ["Panel"]
