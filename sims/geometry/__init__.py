"""Points, walls, circles and strips on a plane: where a marker lands that scatters, and what lies under it."""

from sims.geometry.cover import BEHIND, OPEN, under_marker, under_strip
from sims.geometry.formation import formation, nearest_to_centre
from sims.geometry.plane import Points, Stretches, gap, points, stretches
from sims.geometry.scatter import PARTS, Field, Landing, Law, landing, law

__all__ = [
    "BEHIND",
    "OPEN",
    "PARTS",
    "Field",
    "Landing",
    "Law",
    "Points",
    "Stretches",
    "formation",
    "gap",
    "landing",
    "law",
    "nearest_to_centre",
    "points",
    "stretches",
    "under_marker",
    "under_strip",
]
