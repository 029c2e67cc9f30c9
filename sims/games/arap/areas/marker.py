"""Markers that scatter over a unit in ranks: who is under them, and what they do to each."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from sims.dice import PMF, UNDER, Bools, Draw, Ints, Test, Volley, compound, once, without_a_roll
from sims.dice.die import Die, scatter_less
from sims.dice.hits import NOTHING, Few, harming, one_after_the_other
from sims.dice.mechanics import Cast, scoped
from sims.dice.source import Argument
from sims.dice.tables import Floats
from sims.dice.telling import Face, Told, listed, needed, signed
from sims.games.arap.areas.aim import strays, thrown_scatter
from sims.games.arap.areas.ranks import OPEN_GROUND, Ranks, Walls, each_of
from sims.games.arap.book import Arap, ArapWeapon
from sims.games.arap.rolls.circumstances import Cover
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, hurt, wound_goal
from sims.geometry import BEHIND, Field, landing, law, nearest_to_centre, points
from sims.geometry import OPEN as IN_VIEW
from sims.geometry.scatter import TURN
from sims.inputs import NONE, Count, Piercing, Strength, Toughness
from sims.profiles import MOST_MODELS, Weapon
from sims.questions import asks

SIDES = 240
"""Two dice of so many sides throw a direction: the first a part of a circle, the second a part of that."""
LONGEST = 11
"""The most inches that a marker scatters before a skill is subtracted: more on two dice is a double."""
MOST = 100
"""More than any skill."""
HIT = UNDER.named("to be hit")
"""The die of a model that may be hit."""
ALL = 6
"""A score that every die is, or less."""
RADIX = 2 * MOST_MODELS
"""The base to which those under a marker are one number: more than there are models."""


@dataclass(frozen=True)
class Markers:
    """What markers do that are aimed at the middle of a unit in ranks: each model that one hits takes the tests.

    A marker scatters by 2D6 less the skill, and no farther than half of the range; a double does not scatter. At what
    is hidden it scatters by other dice, without a skill, and one that is thrown only if the throw does not hit. Walls
    stop one that has scattered.

    Arguments: how many markers, models in the unit, inches to the first rank, skill, or what a throw needs, the score
    of the die at which each model is hit that no wall protects, and a target for each test.

    Source: Area Weapons; Hand Grenades; Hidden Targets (ARAP-147 to ARAP-150, ARAP-152, ARAP-153, ARAP-157, ARAP-158,
    ARAP-163).

    Attributes:
        across: Of the marker, in inches.
        most: The most that is subtracted of a skill.
        hard: The score at which each model is hit that a wall protects.
        walls: What stops it, and protects.
        over: Whether it flies over walls, which protect all the same.
        hidden: The dice of its scatter where nobody sees the target.
        thrown: The roll to hit of one that is thrown by hand, which may go any way.
        counts: For how many hits one counts.
    """

    ranks: Ranks
    across: float
    most: int
    hard: int
    tests: tuple[Test, ...] = ()
    walls: Walls = OPEN_GROUND
    over: bool = False
    hidden: Die | None = None
    thrown: Test | None = None
    counts: int = 1
    who: str = field(default="", compare=False)

    def as_far(self, inches: Argument, skill: Argument) -> Argument:
        """Return inches from which it scatters as from some others: from farther off nothing limits it."""
        if self.walls.ends:
            return inches
        if self.thrown:
            return np.zeros_like(inches)
        longest = max(self.hidden.pmf.outcomes) if self.hidden else LONGEST - np.minimum(skill, self.most)
        return np.minimum(inches, 2 * np.maximum(longest, 0))

    @property
    def arity(self) -> int:
        """Return five more than the number of tests."""
        return 5 + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what passes every test."""
        n, models, inches, skill, score, *targets = arguments
        if not n or not models:
            return PMF.constant(0)
        return n @ compound(self._hits(models, inches, skill, score), Volley(self.tests).pmf(1, *targets))

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few models hit, with those that pass every test; one by a large marker is many."""
        n, models, inches, skill, score, *targets = arguments
        if not n or not models:
            return NOTHING
        harm = Volley(self.tests).pmf(1, *targets)[1]
        one = harming(most, self._hits(models, inches, skill, score), harm, each=self.counts)
        return one_after_the_other(most, [one] * n)

    def _hits(self, models: int, inches: int, skill: int, score: int) -> PMF:
        """Return how many models one marker hits."""
        under = models_under(replace(self, tests=(), who="", counts=1), models, inches, min(skill, self.most))
        return PMF.mixture((chance, self._hit(*divmod(code, RADIX), score)) for code, chance in under)

    def _hit(self, behind: int, seen: int, score: int) -> PMF:
        """Return how many are hit of those under it whom a wall protects, and of those whom none does."""
        one = Volley((HIT,))
        return one.pmf(seen, score) + one.pmf(behind, min(score, self.hard))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw scatter and direction of every marker, look who is under it, and throw for each of them."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return how many hits they count for, and what passes every test."""
        n, models, inches, skill, score, *targets = arguments
        hits, passed = np.zeros_like(models), np.zeros_like(models)
        for i in range(int(np.max(n, initial=0))):
            one = scoped(cast, f"marker {i + 1}")
            sides = self.scatter(0).sides
            faces = [one(f"scatter {d}", side, 1)[0].astype(np.int64) for d, side in enumerate(sides)]
            angle = _angle(*(one(f"direction {d}", SIDES, 1)[0].astype(np.int64) for d in range(2)))
            seen, behind = np.zeros_like(models), np.zeros_like(models)
            for there, row in each_of(models * (n > i), inches, np.minimum(skill, self.most)):
                if row[0]:
                    far = self.scatter(row[2]).read(*(face[there] for face in faces))
                    seen[there], behind[there] = self.under(row[0], row[1], far, angle[there])
            hit = self._throw(scoped(one, "cover"), seen, score)
            hit = hit + self._throw(scoped(one, "walls"), behind, np.minimum(score, self.hard))
            passed = passed + Volley(self.tests).throw(scoped(one, "under it"), hit, *targets)
            hits = hits + self.counts * hit
        return hits, passed

    def _throw(self, cast: Cast, models: Ints, score: Ints) -> Ints:
        """Throw for models whether they are hit, if any of them may not be."""
        return models if np.all((score >= ALL) | (models == 0)) else Volley((HIT,)).throw(cast, models, score)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say of each marker the dice of its scatter, who is under it, and their dice."""
        return signed(self.who, self._lines(face, *arguments))

    def _lines(self, face: Face, *arguments: int) -> Iterator[str]:
        n, models, inches, skill, score, *targets = arguments
        for i in range(n if models else 0):
            one, scatter = scoped(face, f"marker {i + 1}"), self.scatter(min(skill, self.most))
            faces = [one(f"scatter {d}", sides, 0) for d, sides in enumerate(scatter.sides)]
            far = scatter.read(*map(np.array, faces))
            landed = min(float(far), self.limit(models, inches))
            sides = (np.array([one(f"direction {d}", SIDES, 0) if landed else 1]) for d in range(2))
            angle = _angle(*sides)
            seen, behind = (int(under[0]) for under in self.under(models, inches, np.array([far]), angle))
            where = f"{landed:g} inches off, {int(np.degrees(angle[0]))} degrees round" if landed else "on target"
            dice = "hidden, 3D6" if self.hidden else f"2D6 less {min(skill, self.most)}"
            dice = f"thrown, {needed(self.thrown, skill)}, else a short roll" if self.thrown else dice
            protected = f", {behind} behind a wall" if behind else ""
            yield f"scatter, {dice}: {listed(faces)}, {where}; under it: {seen + behind}{protected}"
            told, hit = Told(one), 0
            for name, models_there, on in (("cover", seen, score), ("walls", behind, min(score, self.hard))):
                if models_there and on < ALL:
                    yield from Volley((HIT,)).tell(scoped(told.face, name), models_there, on)
                hit += int(self._throw(scoped(told.cast, name), np.array([models_there]), np.array([on]))[0])
            yield from Volley(self.tests).tell(scoped(told.face, "under it"), hit, *targets)

    def scatter(self, skill: int) -> Die:
        """Return the dice of its scatter."""
        return thrown_scatter(self.thrown, skill) if self.thrown else self.hidden or scatter_less(skill)

    def limit(self, models: int, inches: int) -> float:
        """Return how far it may scatter: half of the range at which it is aimed, if it is not thrown.

        Source: Area Weapons; Hand Grenades (ARAP-149, ARAP-158).
        """
        there = self.ranks.places(models)
        return np.inf if self.thrown else float(abs(there[nearest_to_centre(there)] + inches)) / 2

    def under(self, models: int, inches: int, far: Ints, angle: Floats) -> tuple[Ints, Ints]:
        """Return how many models are under markers that have scattered: seen, and behind a wall, ``[A]`` each."""
        thrown = self.field_of(models, inches)
        covered = thrown.covered(landing(thrown, np.minimum(far, self.limit(models, inches)), angle))
        return np.count_nonzero(covered == IN_VIEW, axis=1), np.count_nonzero(covered == BEHIND, axis=1)

    def field_of(self, models: int, inches: int) -> Field:
        """Return what it is aimed at: the model nearest to the middle of a unit in ranks (ARAP-147, ARAP-153).

        A model is under a marker if some of it is, not its base alone.

        Args:
            inches: From who fires to the first rank.
        """
        there = self.ranks.places(models)
        aim, reach = there[nearest_to_centre(there)], (self.across + self.ranks.across) / 2
        return Field(complex(-inches), aim, points(there), reach, self.walls.before(inches), not self.over)


def is_large(book: Arap, across: Argument) -> Bools:
    """Return whether one hit by a weapon is enough for a suppression test: by the inches across its area (ARAP-138)."""
    return np.asarray(across >= book.tables.suppression.marker)


def marker(book: Arap, weapon: Weapon, ranks: Ranks, walls: Walls = OPEN_GROUND) -> Markers:
    """Return the marker of a weapon; one whose range is guessed flies over walls.

    Everybody guesses right. A hit by a large one is as good as many where hits are counted.

    Source: Guess Range; High-Trajectory and Indirect Fire; Suppressive Fire (ARAP-155, ARAP-160, ARAP-138).

    Args:
        ranks: How those stand at whom it is fired.
        walls: What is before them.
    """
    table = book.tables.markers
    best = book.tables.to_hit.best if book.rulings.subtracted_skill("capped") else MOST
    across = table.large if weapon.blast == 5 else table.small
    return Markers(
        ranks,
        across,
        best,
        table.hard,
        walls=walls,
        over=ArapWeapon.of(weapon).guess,
        counts=MOST_MODELS if is_large(book, across) else 1,
    )


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
    return once(HIT, table.soft if behind == "soft" else table.hard).times(figures)


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


@lru_cache(maxsize=2**12)
def models_under(of: Markers, models: int, inches: int, skill: int) -> PMF:
    """Return how many models of a unit are under a marker: those seen, and `RADIX` times those behind a wall.

    Source: Area Weapons (ARAP-148, ARAP-149, ARAP-152).

    Args:
        of: The marker.
        inches: From who fires to the first rank.
        skill: Ballistic Skill and modifiers.
    """
    field, counts = of.field_of(models, inches), dict[int, int]()
    covered, weights = law(field, strays(of.scatter(skill).pmf, 2 * of.limit(models, inches)))
    found = np.count_nonzero(covered == IN_VIEW, axis=1) + RADIX * np.count_nonzero(covered == BEHIND, axis=1)
    for under, weight in zip(found.tolist(), weights, strict=True):
        counts[under] = counts.get(under, 0) + weight
    return PMF.of(counts)


def _angle(first: Ints, second: Ints) -> Floats:
    """Return the direction of two dice: of equal parts of a circle, the middle of one."""
    return ((first - 1) * SIDES + second - 0.5) / SIDES**2 * TURN
