"""What changes in an assault, and what does not."""

from dataclasses import dataclass
from typing import cast

from sims.dice import Ints
from sims.forces import Models
from sims.rulesets._template.book import Template
from sims.scenario import Scenario, Side
from sims.state import State, count, counts


@dataclass(frozen=True, kw_only=True)
class Fray(State):
    """The state; every array is ``[..., R]``."""

    attackers: Models = counts("attackers")
    defenders: Models = counts("defenders")
    distance: Ints = count("inches to the building")


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        windows: Models that can shoot from the building in a turn.
    """

    scenario: Scenario
    book: Template
    windows: int

    def standing(self, state: Fray, side: Side) -> Models:
        """Return a side, by group."""
        return cast(Models, getattr(state, side))

    def with_standing(self, state: Fray, side: Side, models: Models) -> Fray:
        """Return the state with so many of each group of a side left."""
        return state.replace(**{side: models})
