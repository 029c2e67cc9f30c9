"""What there is to look up: odds, rule sets, clauses, units, weapons and buildings."""
