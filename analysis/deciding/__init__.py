"""Decisions about rules: explain, solve, remedies, receipts and baselines."""
