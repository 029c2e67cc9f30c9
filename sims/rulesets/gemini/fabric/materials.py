"""What walls and floors are made of, and what a hit does to it."""

from sims.dice import Draw
from sims.games.arap.rolls.wounds import goal_where_allowed, to_wound, wound_goal
from sims.inputs import Strength, Truth
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.tables import Material


def toughness(book: Gemini, material: Material) -> int:
    """Return the Toughness of a material (GB-052)."""
    T: int = getattr(book.tables.materials, material)
    return T


@asks("GB-052", name="damage point", needs=("ARAP-009", "ARAP-010", "ARAP-014"), ask="P(passed)")
def damage_point(book: Gemini, material: Material, S: Strength, near: Truth = True) -> Draw:
    """Return the roll by which a hit does a damage point to a material (GB-052).

    Args:
        material: Brick and concrete are as stone.
        near: Whether it is struck, or shot at from short range.
    """
    return to_wound(goal_where_allowed(book.game, wound_goal(book.game, S, toughness(book, material)), near))
