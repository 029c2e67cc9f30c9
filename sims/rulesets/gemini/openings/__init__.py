"""Openings and firing ports, and what gets in through them."""
