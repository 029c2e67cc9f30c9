"""Storming Buildings: who goes in and how, the fight inside, and what comes of it."""
