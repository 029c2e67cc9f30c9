"""Melee: the charge, the blows of a round in steps of Initiative, and who loses it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from sims.dice import PMF, Bools, Draw, Ints, together
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, listed
from sims.forces import Models, chosen, total
from sims.games.arap.book import Arap
from sims.games.arap.hits import hit
from sims.games.arap.measuring import melee_radius
from sims.games.arap.wounds import unsaved, wound
from sims.profiles import Unit
from sims.scenario import Force, Group

REACHED, REACHED_FAST = 0, 7
"""What a charge roll comes to when it is far enough; else the inches that the unit moves."""
SHORT, NEAR, FAR, FAST = range(4)
"""How a charge came off: not at all; from too near to be fired at; from farther; at more than 12 inches."""


@dataclass(frozen=True)
class ChargeRoll:
    """The dice of a charge, the two highest of which are added to the move (ARAP-062, ARAP-168, ARAP-172).

    The answer is `REACHED`, or `REACHED_FAST` for a roll above the second argument; a roll that falls short is the
    highest die, the inches that the unit goes all the same.

    Arguments: inches wanted of the dice; the roll above which a charge is fast.
    """

    dice: int
    arity = 2
    answers: ClassVar[Mapping[int, str]] = {REACHED: "reaches", REACHED_FAST: "reaches, fast"} | {
        inches: f"falls short, {inches} inches nearer" for inches in range(1, 7)
    }

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution by going through the faces."""
        weights: dict[int, int] = {}
        for faces in product(range(1, 7), repeat=self.dice):
            answer = int(self._read(np.array(faces)[:, None], *(np.array([a]) for a in arguments))[0])
            weights[answer] = weights.get(answer, 0) + 1
        return PMF.of(weights)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the dice."""
        return self._read(cast("charge", 6, self.dice).astype(np.int64), *arguments)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say what the two highest must make, and what the dice show."""
        wanted, slow = arguments
        shown = listed(face("charge", 6, row) for row in range(self.dice))
        needs = f"the two highest must make {wanted}" if wanted > 2 else "any dice reach"
        yield f"{needs}, more than {slow} is a fast charge: {shown}"

    def _read(self, faces: Ints, wanted: Ints, slow: Ints) -> Ints:
        ordered = np.sort(faces, axis=0)
        rolled = ordered[-1] + ordered[-2]
        return np.asarray(np.where(rolled < wanted, ordered[-1], np.where(rolled > slow, REACHED_FAST, REACHED)))


def charge_dice(book: Arap, M: int) -> ChargeRoll:
    """Return the dice of a charge: two, or the best two of three for fast units (ARAP-062)."""
    table = book.tables.movement
    fast = table.two_dice_up_to < M and book.rulings.charge_dice("fast_units")
    return ChargeRoll(table.fast_dice if fast else table.dice)


def inches_wanted(book: Arap, M: int, distance: Argument, size: int) -> Ints:
    """Return what the dice of a charge have to show, beside the move and the melee radius (ARAP-167, ARAP-168)."""
    return np.asarray(np.maximum(distance - melee_radius(book, size) - M, 0))


def charge(book: Arap, M: int, distance: Argument, size: int) -> Draw:
    """Return the dice of a charge: whether it reaches, and the inches that it goes if not.

    Source: Charge Actions; Failed Charges; Stand and Fire (ARAP-062, ARAP-063, ARAP-168, ARAP-172, ARAP-187).

    Parameters
    ----------
    book : Arap
    M : int
        Basic move in inches.
    distance : int or array of int
        Inches to the target.
    size : int
        Of the chargers, which gives their melee radius.
    """
    beyond = book.tables.fire.fast_beyond - M if book.rulings.fast_charge("rolled") else -1
    return Draw(charge_dice(book, M), (inches_wanted(book, M, distance, size), beyond))


def came_off(rolled: Ints, M: int, distance: Argument) -> Ints:
    """Return how a charge came off: those who need no dice are too near to be fired at (ARAP-185)."""
    reached = (rolled == REACHED) | (rolled == REACHED_FAST)
    far = np.where(rolled == REACHED_FAST, FAST, FAR)
    return np.where(reached, np.where(distance <= M, NEAR, far), SHORT)


def initiative_steps(ours: Iterable[int], theirs: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the steps of a round, the highest Initiative first (ARAP-193).

    Steps that follow each other and in which only the same side strikes are one: nobody falls between them who was yet
    to strike.

    Parameters
    ----------
    ours, theirs : iterable of int
        Every Initiative at which each side may strike.
    """
    ours, theirs = set(ours), set(theirs)
    steps: list[tuple[int, ...]] = []
    for step in sorted(ours | theirs, reverse=True):
        if steps and any({step, *steps[-1]}.isdisjoint(side) for side in (ours, theirs)):
            steps[-1] = (*steps[-1], step)
        else:
            steps.append((step,))
    return steps


def best_fighters(force: Force) -> list[int]:
    """Return the groups of a force in the order in which they go in front: the hardest blows first."""

    def worth(i: int) -> tuple[int, int, int, int]:
        group = force.groups[i]
        S = group.melee.strength(group.profile) if group.melee else group.profile.S
        return (-S, -group.profile.A, -group.profile.WS, -i)

    return sorted(range(len(force.groups)), key=worth)


def against_cover(book: Arap, I: int, cover: Argument) -> Ints:  # noqa: E741 - the books' letter
    """Return the Initiative of chargers, who strike last against cover (ARAP-131, ARAP-181)."""
    return np.where(cover, book.tables.combat.against_cover, I)


def enough_grenades(book: Arap, carriers: Argument, models: Argument) -> Bools:
    """Return whether enough of those who charge have assault grenades to go in first (ARAP-188)."""
    carriers = np.asarray(carriers)
    if book.rulings.grenades_needed("quarter"):
        return np.asarray(book.tables.combat.grenade_share * carriers >= models)
    return carriers > 0


def attacks(book: Arap, force: Force, fighters: Models, charging: Argument, order: Sequence[int]) -> Models:
    """Return the attacks of each group, with those of a charge for each fighter or for the unit (partly ARAP-174)."""
    bonus: Ints = np.where(charging, book.tables.combat.charge_attacks, 0)
    bearing = fighters if book.rulings.charge_bonus("each_model") else chosen(fighters, 1, order)
    pairs = zip(force.groups, fighters, bearing, strict=True)
    return tuple(n * group.profile.A + bonus * more for group, n, more in pairs)


def blows(book: Arap, striking: Force, counts: Models, target: Unit) -> Draw:
    """Return the unsaved wounds of a unit's blows at models with one profile.

    Like fighters are thrown for together. The striker's own Weapon Skill is what must not be exceeded; any goal up to 9
    can be tried (ARAP-194; partly ARAP-195, partly ARAP-196).
    """
    alike: dict[tuple[int, int, int | None], list[tuple[Group, Ints]]] = {}
    for group, n in zip(striking.groups, counts, strict=True):
        S, AP = group.profile.S, None
        if group.melee is not None:
            S, AP = group.melee.strength(group.profile), group.melee.AP
        alike.setdefault((group.profile.WS, S, AP), []).append((group, n))
    draws = []
    for (WS, S, AP), fighters in alike.items():
        who = " and ".join(dict.fromkeys(group.profile.title for group, _ in fighters))
        blow = hit(book, WS).then(wound(book, S, target.T)).then(unsaved(book, target, AP))
        draws.append(blow.times(total(tuple(n for _, n in fighters))).by(who))
    return together(draws)


def lead(book: Arap, difference: Argument, charging: Argument) -> Ints:
    """Return the attackers' combat resolution score less the defenders' (partly ARAP-201, ARAP-202, partly ARAP-203).

    The wound difference counts for one side and against the other; the other reading compares wounds inflicted.

    Parameters
    ----------
    book : Arap
    difference : array
        Wounds inflicted by the attackers less those they took.
    charging : array
        1 where the attackers have the point for a charge, -1 where the defenders have it.
    """
    weight = 2 if book.rulings.combat_score("wound_difference") else 1
    return np.asarray(weight * np.asarray(difference) + book.tables.combat.charge_score * np.asarray(charging))


def fresh(book: Arap, met: Ints) -> Bools:
    """Return where a charge counts for the result: by one reading never after the first fight (partly ARAP-176)."""
    return np.asarray(met == 0) if book.rulings.resumed_charge("nothing") else np.ones_like(met, dtype=np.bool_)


def engaged_within(book: Arap, loser: int, winner: int) -> Ints:
    """Return the melee radius within which a unit that flinches stays engaged (partly ARAP-164, ARAP-205).

    Parameters
    ----------
    book : Arap
    loser, winner : int
        Their sizes.
    """
    own, theirs = melee_radius(book, loser), melee_radius(book, winner)
    return np.maximum(own, theirs) if book.rulings.flinch_radius("larger") else own
