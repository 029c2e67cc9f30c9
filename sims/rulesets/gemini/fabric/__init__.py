"""Walls and doors, and what damages them."""
