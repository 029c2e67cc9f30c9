"""Moving: distances and sizes, and the dice of a charge."""
