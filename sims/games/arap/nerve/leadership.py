"""Against whose Leadership a unit tests."""

import numpy as np

from sims.dice import Ints
from sims.forces import Models, best, total
from sims.games.arap.book import Arap, ArapUnit
from sims.games.arap.rolls.characteristics import Kind, passes_unrolled
from sims.scenario import Force


def leadership_of(book: Arap, force: Force, models: Models) -> Ints:
    """Return the Leadership of a unit: the best of those who are left, or that of its ordinary models (ARAP-012)."""
    if book.rulings.unit_leadership("best"):
        return best(force, models, lambda group: group.profile.Ld)
    return np.full_like(total(models), force.unit.Ld)


def is_unrolled(book: Arap, force: Force, test: Kind) -> bool:
    """Return whether a unit passes a test without a roll: a morale check of the fearless, by its ordinary models.

    Source: Leadership-Based Tests (ARAP-013).
    """
    return ArapUnit.of(force.unit).fearless and passes_unrolled(book, test, "morale_checks")
