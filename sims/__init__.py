"""The rules and what computes them; no statistics, no pictures."""
