"""Template weapons: how far a stream of flame reaches, who is under it, and whom it hits in what cover."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from sims.dice import PMF, UNDER, Draw, Ints, Test, Volley, compound
from sims.dice.hits import NOTHING, Few, harming, one_after_the_other
from sims.dice.mechanics import Cast, scoped
from sims.dice.source import Argument
from sims.dice.telling import Face, Told, d6, needed, signed, thrown
from sims.games.arap.areas.ranks import HARD, OPEN, Ranks, Walls, each_of
from sims.games.arap.book import Arap
from sims.games.arap.rolls.circumstances import COVERS, Cover
from sims.games.arap.rolls.hits import hit, hit_target
from sims.geometry import behind_walls, nearest_to_centre, under_strip
from sims.inputs import Count, Number
from sims.questions import asks

Far = Annotated[Fraction, Number("Inches.", 0, 1000)]
HIT = UNDER.named("to be hit")
"""The die of a figure that may be hit."""
NEVER = -9
"""A target that no roll meets."""


class Covered(NamedTuple):
    """Figures under a stream: how many, and what they are behind, by its number in `COVERS`; ``[R]`` each."""

    figures: Argument
    cover: Argument


@dataclass(frozen=True)
class Streams:
    """What streams do to figures under them: a roll hits all that it is good enough for, others have a die each.

    Arguments: how many streams; the target of a bare success; for each part of the figures how many they are, the
    target that hits all of them, and the score of the die of each other; a target for each test of those who are hit.

    Source: Template and Torrent Weapons (ARAP-144).

    Attributes:
        parts: Figures behind one kind of cover each.
        bare_misses: Whom a bare success does not hit has no die of his own.
        counts: For how many hits one counts; only markers are large by their diameter (ARAP-138).
    """

    hitting: Test
    parts: int
    bare_misses: bool
    tests: tuple[Test, ...] = ()
    counts: int = 1
    who: str = field(default="", compare=False)

    @property
    def arity(self) -> int:
        """Return two, three for each part, and the number of tests."""
        return 2 + 3 * self.parts + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what passes every test."""
        n, bare, parts, targets = self._shared(arguments)
        if not n:
            return PMF.constant(0)
        return n @ compound(PMF.mixture(self._ways(bare, parts)), Volley(self.tests).pmf(1, *targets))

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few figures hit, with those that pass every test."""
        n, bare, parts, targets = self._shared(arguments)
        if not n:
            return NOTHING
        one = harming(
            most, PMF.mixture(self._ways(bare, parts)), Volley(self.tests).pmf(1, *targets)[1], each=self.counts
        )
        return one_after_the_other(most, [one] * n)

    def _ways(self, bare: int, parts: Sequence[tuple[int, int, int]]) -> Iterator[tuple[Fraction, PMF]]:
        """Yield how one stream may come out, by how good its roll is: the chance, and how many are hit."""
        success, chances = self.hitting.chance(bare), [self.hitting.chance(target) for _, target, _ in parts]
        for better, worse in pairwise(sorted({Fraction(0), *chances, success, Fraction(1)})):
            hits = PMF.constant(0)
            for (figures, _, score), chance in zip(parts, chances, strict=True):
                own = 0 if self.bare_misses and better < success else score
                hits = hits + (PMF.constant(figures) if better < chance else Volley((HIT,)).pmf(figures, own))
            yield worse - better, hits

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw to hit for every stream, and for each figure that this has not hit."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return how many figures are hit, and what passes every test."""
        n, bare, parts, targets = self._shared(arguments)
        hits, passed = np.zeros_like(n), np.zeros_like(n)
        for i in range(int(np.max(n, initial=0))):
            one = scoped(cast, f"stream {i + 1}")
            hit = self._hit(one, bare, parts) * (n > i)
            passed = passed + Volley(self.tests).throw(scoped(one, "under it"), hit, *targets)
            hits = hits + self.counts * hit
        return hits, passed

    def _hit(self, cast: Cast, bare: Ints, parts: Sequence[tuple[Ints, Ints, Ints]]) -> Ints:
        """Throw for one stream; return how many it hits."""
        faces = [cast(f"to hit {d}", 6, 1)[0] for d in range(self.hitting.dice)]
        success, hits = self.hitting.passes(bare, *faces), np.zeros_like(bare)
        for i, (figures, target, score) in enumerate(parts):
            own = np.where(success & self.bare_misses, 0, score)
            others = Volley((HIT,)).throw(scoped(cast, f"own {i}"), figures, own)
            hits = hits + np.where(self.hitting.passes(target, *faces), figures, others)
        return hits

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say of each stream its roll, whom it hits, and the dice of the others."""
        return signed(self.who, self._lines(face, *arguments))

    def _lines(self, face: Face, *arguments: int) -> Iterator[str]:
        n, bare, parts, targets = self._shared(arguments)
        for i in range(n):
            told = Told(scoped(face, f"stream {i + 1}"))
            shown, success = thrown(self.hitting, bare, d6(told.face, "to hit", 0))
            yield f"to hit, {needed(self.hitting, bare)}: {shown}"
            for j, (figures, target, score) in enumerate(parts):
                _, every = thrown(self.hitting, target, d6(told.face, "to hit", 0))
                own = 0 if self.bare_misses and success else score
                if every or not figures or not own:
                    yield f"hits {figures if every else 0} of {figures} under it"
                else:
                    dice = scoped(told.face, f"own {j}")
                    yield from Volley((HIT,)).tell(dice, figures, own)
            as_arrays = [(np.array([f]), np.array([target]), np.array([score])) for f, target, score in parts]
            hit = int(self._hit(told.cast, np.array([bare]), as_arrays)[0])
            yield from Volley(self.tests).tell(scoped(told.face, "under it"), hit, *targets)

    def _shared(self, arguments: Sequence[Any]) -> tuple[Any, Any, list[tuple[Any, Any, Any]], Sequence[Any]]:
        """Return how many streams, the target of a bare success, the parts, and the targets of the tests."""
        n, bare, *rest = arguments
        own = rest[: 3 * self.parts]
        return n, bare, [*zip(own[::3], own[1::3], own[2::3], strict=True)], rest[3 * self.parts :]


def stream(book: Arap, n: Argument, skill: Argument, parts: Sequence[Covered]) -> tuple[Streams, tuple[Argument, ...]]:
    """Return how many figures are hit by streams: each by a roll that is so much better as his cover needs (ARAP-144).

    Args:
        n: Streams.
        skill: Ballistic Skill with all modifiers but that of cover.
        parts: The figures under each.
    """
    table, bare = book.tables.template_weapons, hit(book, skill)
    margins = np.array([0, table.soft_cover, table.hard_cover])
    scores = np.array([table.otherwise, table.missed_soft_cover, table.missed_hard_cover])
    of = hit_target(book, skill) if book.rulings.template_margin("capped") else np.asarray(skill)
    arguments = [n, *bare.targets]
    for figures, cover in parts:
        able = (np.asarray(cover) == OPEN) | (of + margins[cover] > 0)
        arguments += [figures, np.where(able, hit_target(book, of, margins[cover]), NEVER), scores[cover]]
    bare_misses = not book.rulings.template_dice("not_hit")
    return Streams(bare.tests[0], len(parts), bare_misses), tuple(arguments)


def under_streams(
    book: Arap, ranks: Ranks, walls: Walls, torrent: int, models: Ints, inches: Ints, ground: Ints
) -> list[Covered]:
    """Return who is under a stream that is laid straight ahead at a unit: whom no wall protects, and who is behind one.

    Source: Template and Torrent Weapons; Templates and Markers: In or Out? (ARAP-142, ARAP-146, ARAP-153).

    Args:
        torrent: From how many inches it may begin; 0 if it begins at its bearer.
        models: In the unit.
        inches: To its first rank.
        ground: What cover the ground gives it.
    """
    seen, behind = np.zeros_like(models + inches), np.zeros_like(models + inches)
    table = book.tables.template_weapons
    for there, column in each_of(models, inches):
        covered = figures_under(ranks, walls, table.length, table.to_either_side, torrent, *column)
        seen[there], behind[there] = covered
    protected = [Covered(behind, np.full_like(ground, HARD))] if walls.ends else []
    return [Covered(seen, ground), *protected]


@lru_cache(maxsize=2**12)
def figures_under(
    ranks: Ranks, walls: Walls, length: int, to_either_side: int, torrent: int, models: int, inches: int
) -> tuple[int, int]:
    """Return how many of a unit are under a strip straight ahead: whom no wall protects, and who is behind one.

    It is laid at the middle of the unit, or where nobody stands there at the model that is nearest to it.
    """
    if not models:
        return 0, 0
    there, start = ranks.places(models), complex(min(inches, torrent) - inches)
    for aim in (0, 1j * there[nearest_to_centre(there)].imag):
        begins = start + aim
        under = under_strip(begins, begins + length, to_either_side, ranks.across / 2, there)
        if under.any():
            break
    behind = behind_walls(begins, there, walls.before(inches))
    return int(np.count_nonzero(under & ~behind)), int(np.count_nonzero(under & behind))


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
    skill = G + (book.tables.template_weapons.bounced if bounced else 0)
    behind: Cover = "soft" if prone and cover == "open" else cover
    return Draw(*stream(book, 1, skill, [Covered(figures, COVERS.index(behind))])).pmf[int(figures)]
