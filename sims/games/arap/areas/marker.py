"""Markers that scatter over a unit in ranks: who is under them, and what they do to each."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np

from sims.dice import PMF, UNDER, Draw, Ints, Test, Volley, compound, once, without_a_roll
from sims.dice.die import Die, scatter_less
from sims.dice.mechanics import Cast, scoped
from sims.dice.source import Argument
from sims.dice.tables import Floats
from sims.dice.telling import Face, listed, signed
from sims.games.arap.areas.aim import strays
from sims.games.arap.book import Arap
from sims.games.arap.rolls.circumstances import Cover
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, hurt, wound_goal
from sims.geometry import Field, formation, landing, law, nearest_to_centre, points
from sims.geometry.scatter import TURN
from sims.inputs import NONE, Count, Piercing, Strength, Toughness
from sims.profiles import Weapon
from sims.questions import asks

SIDES = 240
"""Two dice of so many sides throw a direction: the first a part of a circle, the second a part of that."""
SCATTER = (6, 6)
LONGEST = 11
"""The most inches that a marker scatters before a skill is subtracted: more on two dice is a double."""
MOST = 100
"""More than any skill."""


@dataclass(frozen=True)
class Ranks:
    """How models stand who have room: so many abreast, with inches from middle to middle, and each so many across."""

    files: int
    gap: float
    across: float


@dataclass(frozen=True)
class Markers:
    """What markers do that are aimed at the middle of a unit in ranks: each model under one takes the tests.

    A marker scatters by 2D6 less the skill, and no farther than half of the range; a double does not scatter.

    Arguments: how many markers, models in the unit, inches to the first rank, skill, and a target for each test.

    Source: Area Weapons (ARAP-147 to ARAP-150, ARAP-153).

    Attributes:
        across: Of a marker, in inches.
        most: The most that is subtracted of a skill.
    """

    ranks: Ranks
    across: float
    most: int
    tests: tuple[Test, ...] = ()
    who: str = field(default="", compare=False)

    def as_far(self, inches: Argument, skill: Argument) -> Ints:
        """Return inches from which it scatters as from some others: from farther off nothing limits it."""
        return np.minimum(inches, 2 * np.maximum(LONGEST - np.minimum(skill, self.most), 0))

    @property
    def arity(self) -> int:
        """Return four more than the number of tests."""
        return 4 + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what passes every test."""
        n, models, inches, skill, *targets = arguments
        if not n or not models:
            return PMF.constant(0)
        under = models_under(self.ranks, self.across, models, inches, min(skill, self.most))
        return n @ compound(under, Volley(self.tests).pmf(1, *targets))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw scatter and direction of every marker, look who is under it, and throw for each of them."""
        n, models, inches, skill, *targets = arguments
        passed = np.zeros_like(models)
        for i in range(int(np.max(n, initial=0))):
            one = scoped(cast, f"marker {i + 1}")
            faces = [one(f"scatter {d}", sides, 1)[0].astype(np.int64) for d, sides in enumerate(SCATTER)]
            angle = _angle(*(one(f"direction {d}", SIDES, 1)[0].astype(np.int64) for d in range(2)))
            under = np.zeros_like(models)
            for row in np.unique(np.stack([models, inches, skill]), axis=1).T.tolist():
                there = (models == row[0]) & (inches == row[1]) & (skill == row[2]) & (n > i)
                if row[0] and there.any():
                    far = self._scatter(row[2]).read(*(face[there] for face in faces))
                    under[there] = self._under(row[0], row[1], far, angle[there])
            passed = passed + Volley(self.tests).throw(scoped(one, "under it"), under, *targets)
        return passed

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say of each marker the dice of its scatter, who is under it, and their dice."""
        return signed(self.who, self._lines(face, *arguments))

    def _lines(self, face: Face, *arguments: int) -> Iterator[str]:
        n, models, inches, skill, *targets = arguments
        for i in range(n if models else 0):
            one = scoped(face, f"marker {i + 1}")
            faces = [one(f"scatter {d}", sides, 0) for d, sides in enumerate(SCATTER)]
            far = self._scatter(skill).read(*map(np.array, faces))
            landed = min(float(far), limit(self.ranks, models, inches))
            sides = (np.array([one(f"direction {d}", SIDES, 0) if landed else 1]) for d in range(2))
            angle = _angle(*sides)
            under = int(self._under(models, inches, np.array([far]), angle)[0])
            where = f"{landed:g} inches off, {int(np.degrees(angle[0]))} degrees round" if landed else "on target"
            yield f"scatter, 2D6 less {min(skill, self.most)}: {listed(faces)}, {where}; under it: {under}"
            yield from Volley(self.tests).tell(scoped(one, "under it"), under, *targets)

    def _scatter(self, skill: int) -> Die:
        return scatter_less(min(skill, self.most))

    def _under(self, models: int, inches: int, far: Ints, angle: Floats) -> Ints:
        thrown = field_of(self.ranks, self.across, models, inches)
        landed = landing(thrown, np.minimum(far, limit(self.ranks, models, inches)), angle)
        return np.asarray(np.count_nonzero(thrown.covered(landed), axis=1))


def marker(book: Arap, weapon: Weapon) -> Markers:
    """Return the marker of a weapon; one without a size is small."""
    table, how = book.tables.markers, book.tables.formation
    best = book.tables.to_hit.best if book.rulings.subtracted_skill("capped") else MOST
    ranks = Ranks(how.files, float(how.gap), float(how.across))
    return Markers(ranks, table.large if weapon.blast == 5 else table.small, best)


@asks("ARAP-150", "ARAP-145", name="figures hit under a marker")
def hit_under(book: Arap, cover: Cover = "open", prone: bool = False, figures: Count = 1) -> Draw:
    """Return how many figures under a marker are hit (ARAP-145, ARAP-150).

    Args:
        cover: What they are behind, as seen from the middle of the marker.
        prone: Whether they lie, crawl or move tactically: in the open that is as good as soft cover.
        figures: How many.
    """
    behind, table = "soft" if prone and cover == "open" else cover, book.tables.markers
    if behind == "open":
        return without_a_roll(figures)
    return once(UNDER, table.soft if behind == "soft" else table.hard).named("to be hit").times(figures)


@asks("ARAP-150", name="casualty under a marker", needs=("ARAP-009", "ARAP-011", "ARAP-120"))
def casualty_under(
    book: Arap, S: Strength, T: Toughness, save: SaveGoal = NO_SAVE, AP: Piercing = NONE, cover: Cover = "open"
) -> Draw:
    """Return whether a figure under a marker is hit, wounded and not saved (ARAP-150).

    Args:
        S: Strength of the weapon.
        T: Toughness of the figure.
        save: Its armour save, or none.
        AP: Armour piercing of the weapon, or none.
        cover: What it is behind, as seen from the middle of the marker.
    """
    return hit_under(book, cover).then(hurt(book, wound_goal(book, S, T), Saves(armour_against(save, AP))))


@asks("ARAP-151", name="figure in a trench under a marker")
def in_trench(book: Arap, centre: Literal["outside", "inside"]) -> Draw:
    """Return whether a figure in a trench is hit: in hard cover, or without fail from a marker within (ARAP-151).

    Args:
        centre: Whether the middle of the marker is over the trench.
    """
    return hit_under(book, "open" if centre == "inside" else "hard")


@asks("ARAP-151", name="inches of trench")
def trench(book: Arap) -> int:
    """Return how many inches of a trench are hit by a marker whose middle is over it (ARAP-151)."""
    return book.tables.markers.trench


def field_of(ranks: Ranks, across: float, models: int, inches: int) -> Field:
    """Return what a marker is aimed at: the model nearest to the middle of a unit in ranks (ARAP-147, ARAP-153).

    A model is under a marker if some of it is, not its base alone.

    Args:
        across: Of the marker, in inches.
        inches: From who fires to the first rank.
    """
    there = formation(models, ranks.files, ranks.gap)
    return Field(complex(-inches), there[nearest_to_centre(there)], points(there), (across + ranks.across) / 2)


def limit(ranks: Ranks, models: int, inches: int) -> float:
    """Return how far a marker may scatter: half of the range at which it is aimed (ARAP-149)."""
    aimed = field_of(ranks, 0, models, inches)
    return abs(aimed.aim - aimed.shooter) / 2


@lru_cache(maxsize=2**12)
def models_under(ranks: Ranks, across: float, models: int, inches: int, skill: int) -> PMF:
    """Return how many models of a unit in ranks are under a marker (ARAP-148, ARAP-149).

    Args:
        across: Of the marker, in inches.
        inches: From who fires to the first rank.
        skill: Ballistic Skill and modifiers.
    """
    field, counts = field_of(ranks, across, models, inches), dict[int, int]()
    covered, weights = law(field, strays(scatter_less(skill).pmf, abs(field.aim - field.shooter)))
    for under, weight in zip(np.count_nonzero(covered, axis=1).tolist(), weights, strict=True):
        counts[under] = counts.get(under, 0) + weight
    return PMF.of(counts)


def _angle(first: Ints, second: Ints) -> Floats:
    """Return the direction of two dice: of equal parts of a circle, the middle of one."""
    return ((first - 1) * SIDES + second - 0.5) / SIDES**2 * TURN
