"""A game told move by move: its chances, its luck and its choices, and what a position is worth."""
