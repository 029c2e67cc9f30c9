"""Points, walls and circles on a plane: where a marker lands that scatters, and what lies under it."""

from sims.geometry.cover import BEHIND, OPEN, behind_walls, under_strip
from sims.geometry.formation import formation, nearest_to_centre
from sims.geometry.plane import Points, Stretches, points, stretches
from sims.geometry.scatter import PARTS, Field, landing, law

__all__ = [
    "BEHIND",
    "OPEN",
    "PARTS",
    "Field",
    "Points",
    "Stretches",
    "behind_walls",
    "formation",
    "landing",
    "law",
    "nearest_to_centre",
    "points",
    "stretches",
    "under_strip",
]
