"""Against whose Leadership a unit tests."""

import numpy as np

from sims.dice import Ints
from sims.forces import Models, best, total
from sims.games.arap.book import Arap
from sims.scenario import Force


def leadership_of(book: Arap, force: Force, models: Models) -> Ints:
    """Return the Leadership of a unit: the best of those who are left, or that of its ordinary models (ARAP-012)."""
    if book.rulings.unit_leadership("best"):
        return best(force, models, lambda group: group.profile.Ld)
    return np.full_like(total(models), force.unit.Ld)
