"""What a judge may use."""

from tests.ratios import pytest_terminal_summary, ratio

__all__ = ["pytest_terminal_summary", "ratio"]
