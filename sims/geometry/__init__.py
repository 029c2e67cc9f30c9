"""Points, walls and circles on a plane: where a marker lands that scatters, and what lies under it."""

from sims.geometry.formation import formation, nearest_to_centre
from sims.geometry.plane import points, stretches
from sims.geometry.scatter import PARTS, Field, landing, law

__all__ = ["PARTS", "Field", "formation", "landing", "law", "nearest_to_centre", "points", "stretches"]
