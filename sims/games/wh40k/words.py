"""What the page says of morale under fire; every number is the book's."""

from collections.abc import Iterator

from sims.dice.telling import dice_in_words
from sims.games.wh40k.book import Edition, Fifth, Sixth
from sims.games.wh40k.retreat import is_played
from sims.scenario import Scenario
from sims.words import counted

PARTS = {2: "half", 3: "a third", 4: "a quarter"}


def part(n: int) -> str:
    """Return one of so many parts in words."""
    return PARTS.get(n, f"one in {n}")


def morale_under_fire(book: Edition, garrison: str) -> str:
    """Say who checks his morale under fire (BASE-061).

    Args:
        garrison: What is so of the garrison.
    """
    if not is_played(book):
        return "nobody checks his morale under fire"
    return f"checked by attackers of whom {part(book.tables.under_fire.part)} falls in one shooting phase; {garrison}"


def falling_back(book: Edition, given: Scenario, but: str = "") -> str:
    """Say what becomes of attackers who fall back (BASE-037, BASE-062, partly BASE-063).

    Args:
        but: What else is so of the inches.
    """
    if not is_played(book):
        return "have broken and do not come back"
    dice, behind = book.tables.fall_back, counted(given.table_edge - given.distance, "inch", "inches")
    inches = dice_in_words((dice.jump if given.attackers.unit.kind == "jump infantry" else dice.infantry).name)
    gone = "reaches it" if book.rulings.reaching_the_edge("reached") else "would go beyond it"
    run = f"run {inches} inches at a time{but} for their table edge, {behind} behind where they begin"
    end = f"the unit has broken once it {gone}, or if it still runs at the end"
    return "; ".join((run, end, *regrouping(book)))


def regrouping(book: Edition) -> Iterator[str]:
    """Yield when attackers regroup, and what they may do in that turn."""
    table = book.tables.regrouping
    few = f"less than {part(table.part)} of them is left"
    if isinstance(book, Fifth):
        near = f"an enemy is within {book.tables.regrouping.enemy} inches"
        yield f"in their own turn they try to regroup, but not if {few} or {near}"
    if isinstance(book, Sixth):
        yield f"in their own turn they try to regroup, on Leadership {book.tables.regrouping.few_Ld} if {few}"
    shots = "fire Snap Shots" if isinstance(book, Sixth) else "shoot as if they had moved"
    yield f"who regroups moves up to {table.move} inches, who does not runs on; both may {shots} and do not charge"


def unread_ground(book: Edition, given: Scenario) -> list[str]:
    """Return what is given of the ground that changes nothing: the table edge counts where somebody runs for it."""
    return [key for key in given.ground if key != "edge" or not is_played(book)]
