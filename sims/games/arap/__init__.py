"""Gemini-ARAP, the base game of the Gemini building rules, by topic."""

from sims.games.arap.book import Arap
