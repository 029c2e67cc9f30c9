"""Melee: the charge, the blows of a round in steps of Initiative, and who loses it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from sims.dice import HIGH, PMF, Ints, Mechanic, Total, Volley
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face, listed
from sims.forces import Models, chosen, total
from sims.games.arap.book import Arap
from sims.games.arap.hits import hit_target, to_hit
from sims.games.arap.shooting import save_goals
from sims.games.arap.wounds import armour_save, wound_goal
from sims.profiles import Unit
from sims.scenario import Force, Group

REACHED, REACHED_FAST = 0, 7
"""What a charge roll comes to when it is far enough; else the inches that the unit moves."""


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


def attacks(force: Force, fighters: Models, bonus: Argument, *, each: bool, order: Sequence[int]) -> Models:
    """Return the attacks of each group, with those of a charge for each fighter or for the unit (partly ARAP-174)."""
    charging = fighters if each else chosen(fighters, 1, order)
    pairs = zip(force.groups, fighters, charging, strict=True)
    return tuple(n * group.profile.A + bonus * more for group, n, more in pairs)


def blows(rules: Arap, striking: Force, counts: Models, target: Unit, *, both: bool) -> tuple[Total, list[Argument]]:
    """Return the blows of a unit at models with one profile, to be drawn as one total of unsaved wounds.

    Like fighters are thrown for together. The striker's own Weapon Skill is what must not be exceeded; any goal up to 9
    can be tried (ARAP-194; partly ARAP-195, partly ARAP-196).
    """
    alike: dict[tuple[int, int, int | None], list[tuple[Group, Ints]]] = {}
    for group, n in zip(striking.groups, counts, strict=True):
        S, AP = group.profile.S, None
        if group.melee is not None:
            S, AP = group.melee.strength(group.profile), group.melee.AP
        alike.setdefault((group.profile.WS, S, AP), []).append((group, n))
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for (WS, S, AP), fighters in alike.items():
        saves = save_goals(target, AP, both=both)
        who = " and ".join(dict.fromkeys(group.profile.title for group, _ in fighters))
        parts.append(Volley((to_hit(rules), HIGH, *(armour_save(rules).failed for _ in saves)), who=who))
        n = total(tuple(n for _, n in fighters))
        arguments += [n, hit_target(rules, WS, 0), wound_goal(rules, S, target.T), *saves]
    return Total(tuple(parts)), arguments


def lead(difference: Argument, bonus: Argument, *, by_difference: bool) -> Ints:
    """Return the attackers' combat resolution score less the defenders' (partly ARAP-201, ARAP-202, partly ARAP-203).

    The wound difference counts for one side and against the other; the other reading compares wounds inflicted.
    """
    return np.asarray((2 if by_difference else 1) * np.asarray(difference) + bonus)
