"""Many design points: designs, sweeps, and what their answers show."""
