"""Among those inside: what flames and grenades that get into a section do to its occupants."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sims.dice import Draw, Volley
from sims.dice.source import Argument
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, hurt, wound_goal
from sims.inputs import Count, Strength, Toughness
from sims.profiles import Unit
from sims.rulesets.gemini.book import Gemini, Interior
from sims.rulesets.gemini.openings.blasts import EVERYBODY, Blast, Blasts, Grenade
from sims.rulesets.gemini.openings.blasts_apart import BlastsApart

UNHARMED = Draw(Volley(()), (1,))
"""What befalls those who are hit where hits alone are counted."""


class Thrown(NamedTuple):
    """A kind of flame or grenade, and the arguments of its draw."""

    kind: Blast
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Occupants:
    """Those in a section, and what hits them, for questions.

    Args:
        occupants: Models in the section.
        S: Strength of what hits them; 0 to count hits.
        T: Toughness of the occupants.
        save: Their save, or none.
        interior: Whether they are in a confined space, behind furniture and inner walls, or in an open interior.
    """

    occupants: Count = 1
    S: Strength = 0
    T: Toughness = 0
    save: SaveGoal = NO_SAVE
    interior: Interior = "confined"

    def harm(self, book: Gemini) -> Draw:
        """Return what hits do to them."""
        return hurt(book.game, wound_goal(book.game, self.S, self.T), Saves(self.save)) if self.S else UNHARMED

    def meet(self, thrown: Thrown) -> Draw:
        """Return how many of them are hurt by one kind of flame or grenade; each can be hurt once."""
        return among([thrown], self.occupants, 1)


def among(thrown: Iterable[Thrown], most: Argument, W: int) -> Draw:
    """Return the wounds of flames and grenades, each among those who are still alive of models with so many wounds."""
    thrown = tuple(thrown)
    arguments = (argument for _, own in thrown for argument in own)
    return Draw(Blasts(tuple(kind for kind, _ in thrown), W), (*arguments, most))


def among_rows(
    thrown: Sequence[Sequence[Thrown]],
    left: Sequence[Argument],
    profiles: Sequence[Unit],
    looks_out: Sequence[int],
    most: int,
) -> Draw:
    """Return the wounds of flames and grenades among rows of models, as digits of one number to the base ``most + 1``.

    Args:
        thrown: The flames and grenades, as they are to each row.
        left: Wounds that each row can take.
        profiles: Of the models of each row.
        looks_out: On how much or less characters pass a hit on; 0 for a row of others (ARAP-154).
        most: The most wounds that any row can take.
    """
    kinds, arguments = list[Blast](), list[Argument]()
    for rows in zip(*thrown, strict=True):
        kind = max((row.kind for row in rows), key=lambda kind: len(kind.tests))
        kinds.append(kind)
        arguments += rows[0].arguments[: 1 + kind.own]
        for row in rows:
            targets = row.arguments[1 + kind.own :]
            arguments += (*targets, *[NO_SAVE] * (len(kind.tests) - len(targets)))
    W, who = zip(*((profile.W, profile.title) for profile in profiles), strict=True)
    return Draw(BlastsApart(tuple(kinds), W, tuple(looks_out), most + 1, who), (*arguments, *left))


def found_inside(book: Gemini, interior: Interior) -> int:
    """Return the score at which a blast inside hits each occupant: all of them in a confined space (GB-094, GB-117)."""
    table = book.tables.interiors
    return {"confined": EVERYBODY, "hard_cover": table.hard_cover, "open": table.open}[interior]


def burst(book: Gemini, getting_in: Draw, interior: Interior, hurts: Draw, who: str = "") -> Thrown:
    """Return grenades that burst among the occupants if they get in (GB-094, GB-117)."""
    kind = Grenade(getting_in.mechanic, hurts.tests, who)
    return Thrown(kind, (*getting_in.arguments, found_inside(book, interior), *hurts.targets))
