"""Gemini building rules: a building chapter for 40k, played with the alternate rules Gemini-ARAP 2.4."""

from sims.rulesets.gemini.book import Gemini as Rules
from sims.rulesets.gemini.order import assault
