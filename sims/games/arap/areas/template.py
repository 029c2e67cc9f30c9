"""Template weapons: how far a stream of flame reaches, and whom it hits in what cover."""

from fractions import Fraction
from typing import Annotated, Literal

from sims.dice import UNDER
from sims.games.arap.book import Arap
from sims.games.arap.rolls.circumstances import Cover
from sims.games.arap.rolls.hits import hit, hit_target
from sims.inputs import Count, Number
from sims.questions import asks

Far = Annotated[Fraction, Number("Inches.", 0, 1000)]


@asks("ARAP-142", name="size of a template")
def size(book: Arap, of: Literal["length", "width"]) -> int:
    """Return the inches of a template that is laid as a strip (ARAP-142).

    Args:
        of: Along the stream, or across it.
    """
    table = book.tables.template_weapons
    return table.length if of == "length" else 2 * table.to_either_side


@asks("ARAP-143", name="stream left after a wall")
def left_after(book: Arap, inches: Far) -> Fraction:
    """Return how many inches of a stream are left that is bounced off a wall so far away (ARAP-143)."""
    return max(book.tables.template_weapons.length - inches, Fraction(0))


@asks("ARAP-144", "ARAP-143", "ARAP-145", name="figures hit by a template")
def hit_by_template(
    book: Arap, G: int, cover: Cover = "open", prone: bool = False, bounced: bool = False, figures: Count = 1
) -> Fraction:
    """Return the chance that all of some figures under a template are hit (ARAP-143, ARAP-144, ARAP-145).

    One roll hits all in the open; in cover it has to be so much better. Whom it does not hit has a die of his own.

    Args:
        G: Ballistic Skill with all modifiers, but that of cover and that of a stream that is bounced.
        cover: What they are behind.
        prone: Whether they lie, crawl or move tactically: in the open that is as good as soft cover.
        bounced: Whether the stream is bounced off a wall.
        figures: How many.
    """
    table, skill = book.tables.template_weapons, G + (book.tables.template_weapons.bounced if bounced else 0)
    behind: Cover = "soft" if prone and cover == "open" else cover
    margin = {"open": 0, "soft": table.soft_cover, "hard": table.hard_cover}[behind]
    missed = {"open": table.otherwise, "soft": table.missed_soft_cover, "hard": table.missed_hard_cover}[behind]
    if book.rulings.template_margin("capped"):
        skill = int(hit_target(book, skill))
    everybody = hit(book, skill, margin).pmf[1] if behind == "open" or skill + margin > 0 else Fraction(0)
    failed = 1 - (everybody if book.rulings.template_dice("not_hit") else hit(book, skill).pmf[1])
    return everybody + failed * UNDER.chance(missed) ** int(figures)
