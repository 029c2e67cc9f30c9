"""Heavy casualties: what a unit owes for its losses to shooting, and what becomes of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Annotated, ClassVar

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints, Test
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, needed
from sims.forces import Models
from sims.games.arap.book import Arap
from sims.games.arap.nerve.leadership import is_unrolled
from sims.games.arap.nerve.suppression import hits_needed
from sims.games.arap.rolls.characteristics import leadership_test, may_reroll
from sims.games.arap.unit import PINNED, PINNED_NEXT, RUNS, Band, Wounds, is_pinned
from sims.inputs import Count, Leadership, Number
from sims.questions import asks
from sims.scenario import Force

STANDS, FALTERS, ROUTS = 0, 1, 2
"""What a heavy-casualty test comes to."""
Due = Annotated[Argument, Number("1 for a test, 2 for one of a unit that has lost half, where that matters.", 0, 2)]


@dataclass(frozen=True)
class HeavyCasualtyTest:
    """2D6 against Leadership: passed, failed by an even throw (pinned) or by an odd one (rout) (ARAP-134).

    Arguments: whether it is taken, and the target.
    """

    test: Test
    arity = 2
    answers: ClassVar[Mapping[int, str]] = {STANDS: "passed", FALTERS: "pinned", ROUTS: "routed"}

    def pmf(self, *arguments: int) -> PMF:
        """Return the chances of `STANDS`, `FALTERS` and `ROUTS`."""
        when, target = arguments
        weights = {STANDS: 0, FALTERS: 0, ROUTS: 0}
        for a, b in product(range(1, 7), repeat=2):
            weights[int(self._read(np.array(when), np.array(target), np.array(a), np.array(b)))] += 1
        return PMF.of(weights)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw both dice."""
        when, target = arguments
        return self._read(when, target, cast("first", 6, 1)[0], cast("second", 6, 1)[0])

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say what passes the test, and what a failure means."""
        _, target = arguments
        needs = needed(self.test, target)
        shown = f"{face('first', 6, 0)}+{face('second', 6, 0)}"
        yield f"Leadership, {needs}; an even throw that fails it pins, an odd one routs: {shown}"

    def _read(self, when: Ints, target: Ints, a: Ints, b: Ints) -> Ints:
        stands = (when == 0) | self.test.passes(target, a, b)
        return np.where(stands, STANDS, np.where((a + b) % 2 == 0, FALTERS, ROUTS))


@asks("ARAP-133", name="heavy casualties")
def heavy(book: Arap, losses: Count, size: Count) -> Bools:
    """Return whether a unit lost so much to shooting that it must test: a quarter of it or more (ARAP-133).

    Args:
        losses: Models lost to shooting since the last turn of its side.
        size: Models that it had at the end of that turn.
    """
    return np.asarray((losses > 0) & (book.tables.casualties.quarter * losses >= size))


def due(book: Arap, losses: Argument, size: Argument, pinned: Argument) -> Ints:
    """Return which test a unit owes for its losses: none, one, or a harder one for half of it; the pinned owe none.

    Source: Heavy Casualty Test (ARAP-133, ARAP-134; partly ARAP-135).
    """
    half = book.tables.casualties.half * losses >= size
    owed = heavy(book, losses, size) * (1 + (half & book.rulings.half_losses("yes")))
    return np.where(is_pinned(pinned), 0, owed)


def as_if_fallen(book: Arap, fallen: Ints, left: Ints) -> Ints:
    """Return the fewest losses by which a unit owes the same test after the next ones, ``[..., R]`` (ARAP-133).

    The same hits have to call for the other test, where that is played (ARAP-137).

    Args:
        fallen: Models that fell before, in the same turn.
        left: Those left of it.
    """
    before, after, more = np.ogrid[: fallen.max() + 1, : left.max() + 1, : left.max() + 1]
    owed = due(book, before + np.minimum(more, after), before + after, 0)
    none, one = (np.count_nonzero(owed == test, axis=-1) for test in (0, 1))
    alike = (none[:, np.newaxis] == none) & (one[:, np.newaxis] == one)
    if book.rulings.suppression("test"):
        needed = hits_needed(book, before + after)[..., 0]
        alike &= needed[:, np.newaxis] == needed
    return alike.argmax(axis=1)[fallen, left]


def after_fire(
    dice: Dice,
    book: Arap,
    unit: Band,
    force: Force,
    lost: Wounds,
    pinned: Ints,
    fallen: Ints,
    last: Argument,
    own_turn: bool,
    among: Models,
) -> tuple[Band, Ints]:
    """Return a unit that was shot at, with the heavy-casualty test that it owes for all shootings of a turn.

    Return also those who have fallen so far, as long as there are more of them. Losses by a reaction fall in the unit's
    own turn, and count for no test; nor do those of routers, or of the fearless (ARAP-122, ARAP-133; partly ARAP-135).

    Args:
        lost: Unsaved wounds of each body.
        pinned: How long it is pinned now.
        fallen: Models that fell before, in the same turn.
        last: No shooting comes after this one.
        own_turn: It is shot at in its own turn.
        among: Those who can be hit.
    """
    after = unit.wounded(dice, book, force, lost, "fire", among).replace(pinned=pinned)
    if own_turn:
        return after, 0 * fallen
    begun, tests = unit.models + fallen, (unit.routs != RUNS) & (not is_unrolled(book, force, "heavy_casualties"))
    owed = due(book, begun - after.models, begun, pinned) * tests
    so_far = as_if_fallen(book, begun - after.models, after.models) * tests
    return after.replace(due=np.where(last, owed, unit.due)), np.where(last, 0, so_far)


@asks("ARAP-134", name="heavy-casualty test", needs=("ARAP-012",))
def heavy_casualties(book: Arap, Ld: Leadership, due: Due = 1) -> Draw:
    """Return the heavy-casualty test that is due, if any, by the best Leadership of a unit (ARAP-134)."""
    modifier = np.where(due > 1, book.tables.casualties.half_modifier, 0)
    test = leadership_test(book, "heavy_casualties")
    return Draw(HeavyCasualtyTest(test), (due > 0, Ld + modifier))


def try_nerve(dice: Dice, book: Arap, unit: Band, Ld: Argument, *, rerolls: bool = False) -> tuple[Band, Bools]:
    """Test a unit that lost a quarter to shooting in the enemy's turn; return it, and whether it routs.

    An even failure pins it, for the turn that starts or the one after (ARAP-129, ARAP-133, ARAP-134).

    Args:
        rerolls: Whether the unit knows no fear, and rolls a failed test again (ARAP-210).
    """
    answer = heavy_casualties(book, Ld, unit.due).made(dice, "heavy-casualty test")
    if rerolls and may_reroll(book, "heavy_casualties"):
        again = heavy_casualties(book, Ld, np.where(answer == STANDS, 0, unit.due))
        answer = again.made(dice, "heavy-casualty test, again")
    lasts = PINNED if book.rulings.pinned_turn("this_turn") else PINNED_NEXT
    return unit.replace(pinned=np.where(answer == FALTERS, lasts, unit.pinned), due=0 * unit.due), answer == ROUTS
