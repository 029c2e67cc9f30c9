"""Up and down: storeys, stairs, ladders and falls, and how rooms hamper those who cross them."""

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import D3, PMF, Bools, Dice, Draw, Ints, fair, pick
from sims.dice.source import Argument
from sims.games.arap.moving.charge import Move
from sims.games.arap.moving.moves import distance_covered
from sims.games.arap.rolls.characteristics import initiative
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.rolls.hits import hit
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, goal_where_allowed, hurt, wound_goal
from sims.inputs import Attacks, Count, Number, Skill, Some, Toughness
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.sections.onwards import attacks_of_charge
from sims.rulesets.gemini.sections.rooms import Bulk

Storeys = Annotated[int, Number("Storeys.", 0, 40)]
Moves = Annotated[int, Number("Basic move in inches, at least one.", 1, 60)]
Fast = Annotated[int, Number("Basic move in inches; the book has no dice for less than 3.", 3, 60)]
Path = Annotated[int, Number("Inches of a way.", 0, 120)]
Reach = Annotated[int, Number("Inches to the foot of the ladder.", 0, 120)]
Quickness = Annotated[int, Number("Initiative.", 0, 20)]
Way = Literal["ladder", "stairs"]
Ground = Literal["normal", "difficult", "very difficult"]


@asks("GB-003", name="height of storeys")
def height(book: Gemini, storeys: Storeys) -> int:
    """Return the inches of some storeys: of a ladder, of a drop, and so the Strength of a fall (GB-003)."""
    return book.tables.levels.storey * storeys


@asks("GB-021", name="arrival on the next floor")
def arrives(M: Move, path: Path) -> Bools:
    """Return whether one move is enough for a way over stairs or a ramp, which are ordinary ground (GB-021).

    Args:
        path: Inches of the way.
    """
    return np.asarray(path <= M)


@asks("GB-022", "GB-045", name="inches through a room", needs=("ARAP-061",))
def inches_through(book: Gemini, M: Move, ground: Ground = "normal") -> Fraction:
    """Return the inches that a move covers in a room; jump troops move as infantry does indoors (GB-022, GB-045).

    Args:
        ground: What the room is like: rubble and machinery are very difficult, furniture may be difficult.
    """
    return Fraction(M) if ground == "normal" else distance_covered(book.game, Fraction(M), ground)


@asks("GB-022", "GB-045", name="inches through a cluttered room")
def inches_through_clutter(book: Gemini, M: Fast) -> PMF:
    """Return the inches that a move covers in a ruined or furnished room: the higher of two dice (GB-022, GB-045).

    The dice have as many faces as the move has inches, within bounds; a walker indoors may be treated in the same way.
    """
    least, most = book.tables.levels.variable
    return pick(2, fair(min(max(M, least), most)), 1).pmf


@asks("GB-022", name="shot at a target behind furniture", ask="P(passed)")
def shot_over_furniture(book: Gemini, BS: Skill) -> Draw:
    """Return the roll to hit a target behind furniture, which is soft cover at least (GB-022)."""
    return hit(book.game, BS, modifiers(book.game, Circumstances(cover="soft")))


@asks("GB-026", name="inches climbed", needs=("GB-003",))
def climbed(book: Gemini, M: Move, approach: Reach, storeys: Storeys = 1, actions: Some = 1) -> Ints:
    """Return the inches of a ladder that a model is up after some move actions (GB-026)."""
    return np.clip(np.multiply(M, actions) - approach, 0, height(book, storeys))


@asks("GB-026", name="inches beyond a ladder", needs=("GB-003",))
def beyond_a_ladder(book: Gemini, M: Move, approach: Reach, storeys: Storeys = 1, actions: Some = 1) -> Ints:
    """Return the inches that are left for the floor above after a ladder (GB-026)."""
    return np.maximum(np.multiply(M, actions) - approach - height(book, storeys), 0)


@asks("GB-026", name="moves up a ladder", needs=("GB-003",))
def moves_up(book: Gemini, M: Moves, approach: Reach, storeys: Storeys = 1) -> int:
    """Return how many move actions it takes to reach the top of a ladder (GB-026)."""
    return -(-(approach + height(book, storeys)) // M)


@asks("GB-027", name="models on a ladder in a turn")
def on_a_ladder(book: Gemini, bulk: Bulk = 1) -> Ints:
    """Return how many models of some bulk may get on or off a ladder in a turn (GB-027)."""
    table = book.tables.ladders
    slots = bulk if book.rulings.ladder_room("bulk") else np.minimum(bulk, table.bulky)
    return table.models // np.asarray(slots)


@asks("GB-027", name="turns up a ladder")
def turns_up(book: Gemini, models: Count, bulk: Bulk = 1) -> Ints:
    """Return how many turns it takes some models to get up a ladder (GB-027)."""
    return -(-np.asarray(models) // on_a_ladder(book, bulk))


@asks("GB-028", name="attacks of chargers by a ladder")
def attacks_on_arrival(book: Gemini, chargers: Count, A: Attacks = 1, by: Way = "ladder") -> Ints:
    """Return the attacks of chargers in the first round: those by a ladder have none for the charge (GB-028).

    Args:
        chargers: Models.
        by: How they come.
    """
    return np.multiply(chargers, np.add(A, attacks_of_charge(book, by)))


@asks("GB-030", name="wounds of a fall", needs=("ARAP-009", "ARAP-011"))
def wounds_of_a_fall(dice: Dice, book: Gemini, inches: Count, T: Toughness, save: SaveGoal = NO_SAVE) -> Ints:
    """Return the unsaved wounds of a model that falls so far: D3 hits, as strong as it is high (GB-030).

    Args:
        inches: Whole ones; fractions are rounded down.
        save: That of power armour or the like, or an invulnerable one; ordinary armour gives none.
    """
    return fallen(dice, book, inches, T, Saves(save), 1)


def fallen(dice: Dice, book: Gemini, inches: Argument, T: Argument, saves: Saves, when: Argument) -> Ints:
    """Return the unsaved wounds of those who fall."""
    goal = goal_where_allowed(book.game, wound_goal(book.game, inches, T), False)
    return hurt(book.game, goal, saves).hitting(D3).times(when).made(dice, "wounds of the fall")


@asks("GB-122", name="tests of a jump", needs=("GB-003",))
def initiative_tests(book: Gemini, storeys: Storeys = 1) -> int:
    """Return how many Initiative tests it takes to jump down on enemies, which is a charge (GB-122)."""
    return height(book, storeys) // book.tables.levels.test


@asks("GB-122", name="safe jump", needs=("ARAP-020",))
def lands(book: Gemini, I: Quickness, storeys: Storeys = 1) -> Fraction:
    """Return the chance that a model jumps down without falling (GB-122)."""
    return initiative(book.game, I).pmf[1] ** initiative_tests(book, storeys)


@asks("GB-122", name="wounds of a jump", needs=("ARAP-009", "ARAP-011", "ARAP-020"), ask="P(>=1)")
def wounds_of_a_jump(
    dice: Dice, book: Gemini, I: Quickness, T: Toughness, save: SaveGoal = NO_SAVE, storeys: Storeys = 1
) -> Ints:
    """Return the unsaved wounds of a model that jumps down: who fails a test falls (GB-122).

    Args:
        save: That of power armour or the like, or an invulnerable one; ordinary armour gives none.
    """
    _, wounds = jumped(dice, book, storeys, I, T, Saves(save))
    return wounds


def jumped(
    dice: Dice, book: Gemini, storeys: int, I: int, T: Argument, saves: Saves, who: str = ""
) -> tuple[Bools, Ints]:
    """Return whether a model that jumps down falls, and the unsaved wounds of that (GB-030, GB-122)."""
    tests = initiative_tests(book, storeys)
    landing = initiative(book.game, I).times(tests).by(who)
    falls = landing.made(dice, "Initiative test of the jump") < tests
    return falls, fallen(dice, book, height(book, storeys), T, saves, falls)
