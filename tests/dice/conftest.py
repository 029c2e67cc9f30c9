"""Property tests take the same examples on every machine, and no stopwatch judges them."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")
