"""Whom hits find of a unit whose models are not alike, and what each suffers (ARAP-119, ARAP-124, ARAP-126)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from sims.dice import (
    UNDER,
    AtRandom,
    Body,
    Bools,
    Dice,
    Draw,
    Evenly,
    InOrder,
    Ints,
    Volley,
    exactly,
    once,
    struck,
    together,
    without_a_roll,
)
from sims.dice.finding import Struck
from sims.dice.source import Argument
from sims.forces import Models, in_order, killed, of, picked, stretches, total, without
from sims.games.arap.book import Arap, ArapWeapon
from sims.games.arap.rolls.wounds import NO_SAVE
from sims.games.arap.unit import Band, Wounds
from sims.inputs import Number, Some
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Force

Hits = Annotated[Argument, Number("How many hits.", 0, 20)]


class Area(NamedTuple):
    """What hits everybody in it: how many that are, what it does to one of them, and for how many hits each counts."""

    under: Draw
    harm: Draw
    counts: int = 1


class Attack(NamedTuple):
    """Attacks that are thrown for together: the unsaved wounds, how many Wounds each takes (ARAP-119), and where.

    Attributes:
        aimed: Each has to hit, which is the first test; else each is a hit.
        hits: Hits that are known before, where hits are counted.
    """

    wounds: Draw
    damage: int = 1
    area: Area | None = None
    aimed: bool = False
    hits: Argument = 0


Against = Callable[[Unit], Sequence[Attack]]
"""What a volley is to models with a profile: as many draws whoever they are, of as many attacks."""


class Row(NamedTuple):
    """Models whom hits find together: which of the bodies of their force they are of, how many, what one has lost."""

    body: int
    models: Ints
    hurt: Ints


@dataclass(frozen=True)
class Marks:
    """Those of a unit whom hits can find.

    Attributes:
        force: The unit at full strength.
        rows: Who they are; one row where all are alike, and what is left over on one of them is passed on.
        finding: How hits find them; None where it makes no difference: all are alike and lose one Wound each.
        most: Wounds that they can take where that is so.
    """

    force: Force
    rows: tuple[Row, ...]
    finding: Callable[..., InOrder | AtRandom] | None
    most: Ints

    @classmethod
    def of(
        cls,
        book: Arap,
        force: Force,
        unit: Band,
        among: Models | None,
        most: Ints,
        beyond: Models | None = None,
        damage: int = 1,
    ) -> "Marks":
        """Return those of a unit who can be hit: any as easily as another, evenly, or in the order in which they fall.

        Source: Randomizing Hits (ARAP-124, ARAP-126).

        Args:
            force: The unit at full strength.
            unit: What is left of it.
            among: Those who can be hit; everybody if not given.
            most: How many can fall.
            beyond: Whom hits find that are too many for those.
            damage: The most Wounds that one of these hits takes.
        """
        if alike(book, force):
            one_by_one = None if min(damage, force.unit.W) == 1 else InOrder
            return cls(force, (Row(0, most, unit.hurt),), one_by_one, unit.wounds_left(most, force.unit.W))
        lost, standing = book.rulings.left_over("lost"), unit.standing
        able = standing if among is None else among
        drawn = lost or book.rulings.who_falls("drawn") or book.rulings.hits_shared("evenly")

        def parts(standing: Models, able: Models) -> list[tuple[int, Ints]]:
            if drawn:
                return [(i, total(of(body, able))) for i, body in enumerate(force.bodies)]
            return stretches(book.rulings.who_falls, force, standing, able, begun=unit.begun)

        first = parts(standing, able)
        others = [] if beyond is None else parts(without(standing, able), beyond)
        how = at_random(book, len(first) if others else 0) if drawn else InOrder
        return cls(force, tuple(with_hurt(unit, [*first, *others])), how, most)

    def suffer(self, dice: Dice, label: str, against: Against) -> Wounds:
        """Return the Wounds lost to a volley, row by row: each hit wounds the model that it finds, or does not."""
        return self.struck(dice, label, against, None)[0]

    def struck(self, dice: Dice, label: str, against: Against, matter: Ints | None) -> tuple[Wounds, Ints]:
        """Return the Wounds lost to a volley, row by row, and how often it hits, where that matters.

        Who is hurt is finished before another like him; what exceeds his Wounds is lost (ARAP-119, ARAP-124). As many
        hits as there are models in an area are shared out as those of shots are, by one reading evenly (ARAP-126).

        Args:
            matter: How many hits matter: more are not counted; None to count none.
        """
        none = np.zeros_like(self.rows[0].models)
        if matter is not None:  # who sees nobody hits nobody
            matter = np.where(total(tuple(row.models for row in self.rows)) > 0, matter, 0)
        if self.finding is None:
            draw = together(attack.wounds for attack in against(self.force.unit)).up_to(self.most)
            if matter is None:
                return (draw.made(dice, label),), none
            wounds, made = draw.made_beside(dice, label, int(np.max(self.most, initial=0)), matter)
            return (wounds,), made
        bodies = self.force.bodies
        rows = [Body(n, bodies[i].profile.W, hurt, bodies[i].profile.title) for i, n, hurt in self.rows]
        volleys, known = [*zip(*(against(bodies[row.body].profile) for row in self.rows), strict=True)], none
        for i, volley in enumerate(volleys):
            known = known + volley[0].hits
            if area := volley[0].area:
                hits = area.under.made(dice, f"{label}, under it {i + 1}")
                volleys[i] = tuple(Attack(each.area.harm.times(hits)) for each in volley if each.area)
                known = known + area.counts * hits
        if matter is None:
            return wounds_suffered(dice, label, rows, volleys, self.finding), none
        left = np.maximum(matter - known, 0)
        suffered, made = rows_struck(rows, volleys, self.finding).made_beside(dice, label, left)
        return suffered, np.minimum(known + made, matter)

    @property
    def nothing(self) -> Wounds:
        """No wounds, row by row."""
        return tuple(np.zeros_like(row.models) for row in self.rows)

    def after(self, wounds: Wounds) -> "Marks":
        """Return those who are left of them after wounds, row by row."""
        if self.finding is None:
            return self
        left = list[Row]()
        for row, suffered in zip(self.rows, wounds, strict=True):
            dead, hurt = killed(row.hurt, suffered, self.force.bodies[row.body].profile.W)
            left.append(Row(row.body, np.maximum(row.models - dead, 0), np.where(row.models > dead, hurt, 0)))
        return replace(self, rows=tuple(left))

    def by_body(self, *wounds: Wounds) -> Wounds:
        """Return the wounds of one or several volleys, row by row each, as those of each body."""
        each: Wounds = tuple(sum(volleys[1:], volleys[0]) for volleys in zip(*wounds, strict=True))
        if self.finding is None:
            return (np.minimum(each[0], self.most),) if len(wounds) > 1 else each
        none = np.zeros_like(self.rows[0].models)
        return tuple(
            sum((lost for row, lost in zip(self.rows, each, strict=True) if row.body == i), none)
            for i in range(len(self.force.bodies))
        )


def wounds_suffered(
    dice: Dice,
    label: str,
    rows: Sequence[Body],
    volleys: Sequence[Sequence[Attack]],
    finding: Callable[..., InOrder | AtRandom] = InOrder,
) -> Wounds:
    """Return the Wounds that rows of models lose, one hit after the other.

    Args:
        volleys: What each volley is to each row.
        finding: How hits find them.
    """
    return rows_struck(rows, volleys, finding).made(dice, label)


def rows_struck(
    rows: Sequence[Body], volleys: Sequence[Sequence[Attack]], finding: Callable[..., InOrder | AtRandom]
) -> Struck:
    """Return what rows of models suffer, not drawn yet; a hit takes no more than a model has left.

    Source: Damage; Randomizing Hits (ARAP-119, ARAP-124, ARAP-126).

    Args:
        volleys: What each volley is to each row.
        finding: How hits find them.
    """
    lots = [_levelled([attack.wounds for attack in volley]) for volley in volleys]
    takes = [[min(attack.damage, int(row.W)) for attack, row in zip(of, rows, strict=True)] for of in volleys]
    aimed = [volley[0].aimed for volley in volleys]
    return struck(finding, rows, lots, takes=takes, aimed=aimed)


def damage_of(weapon: Weapon | None) -> int:
    """Return how many Wounds or damage points a wound by a weapon takes; one without any (ARAP-119)."""
    return 1 if weapon is None else ArapWeapon.of(weapon).damage


def at_random(book: Arap, first: int = 0) -> Callable[..., AtRandom]:
    """Return how hits that are shared out at random find bodies of models, one by one or evenly (ARAP-124, ARAP-126).

    Args:
        first: So many bodies are found before the others; all alike if it is 0.
    """
    how = evenly() if book.rulings.hits_shared("evenly") else AtRandom
    return partial(how, first=first, lost=book.rulings.left_over("lost"))


def evenly() -> type[Evenly]:
    """Return how hits that are shared out evenly find bodies of models (ARAP-126).

    Hits are what the rolls to hit of a shooting or of a step let through, of which the ports of a bunker keep their
    part, and as many as there are models under a marker. One of another Strength or AP is shared out among the others.
    """
    return Evenly


@asks("ARAP-124", name="members who fall", needs=("ARAP-126",))
def members_who_fall(dice: Dice, book: Arap, models: Some, hits: Hits) -> Ints:
    """Return how many members of a unit fall to hits that kill, shared out at random (ARAP-124).

    Where what is left over is lost these are the members who are hit at all.

    Args:
        models: Members of the unit, each with one Wound.
        hits: Hits that wound and are not saved.
    """
    (fallen,) = hits_suffered(dice, [Body(models)], hits, at_random(book))
    return fallen


@asks("ARAP-124", name="a given member is hit", ask="P(yes)")
def member_is_hit(dice: Dice, book: Arap, models: Some, hits: Hits) -> Bools:
    """Return whether one of the members of a unit falls to hits that kill, shared out at random (ARAP-124).

    Args:
        models: Members of the unit, each with one Wound.
        hits: Hits that wound and are not saved.
    """
    his, _ = hits_suffered(dice, [Body(1), Body(models - 1)], hits, at_random(book))
    return his > 0


def hits_suffered(
    dice: Dice,
    bodies: Sequence[Body],
    hits: Hits,
    finding: Callable[..., InOrder | AtRandom] = InOrder,
    damage: int = 1,
) -> Wounds:
    """Return the Wounds that bodies of models lose to hits that are not rolled for any more."""
    each = Attack(without_a_roll(hits), damage)
    return wounds_suffered(dice, "hits", bodies, [[each] * len(bodies)], finding)


@asks("ARAP-126", name="hits shared out evenly")
def shared_evenly(dice: Dice, hits: Hits, targets: Some) -> Ints:
    """Return how many hits a target has where they are shared out evenly, and who has one more is drawn (ARAP-126).

    Args:
        targets: Models that can be hit.
    """
    one, others = (Body(n, np.maximum(hits, 1)) for n in (1, targets - 1))
    his, _ = hits_suffered(dice, [one, others], hits, evenly())
    return his


@asks("ARAP-126", name="fewest hits on any target")
def fewest(hits: Hits, targets: Some) -> int:
    """Return how many hits every target has at least where they are shared out evenly (ARAP-126).

    Args:
        targets: Models that can be hit.
    """
    return exactly(shared_evenly, hits, targets).outcomes[0]


@asks("ARAP-126", name="targets with so many hits")
def targets_with(hits: Hits, targets: Some, so_many: Hits) -> int:
    """Return how many targets have so many hits where they are shared out evenly (ARAP-126).

    Args:
        targets: Models that can be hit.
        so_many: Hits on each of them.
    """
    return int(exactly(shared_evenly, hits, targets)[int(so_many)] * int(targets))


@asks("ARAP-119", name="models removed by Damage", ask="mean")
def removed(dice: Dice, D: Some, W: Some, hits: Hits) -> Ints:
    """Return how many models fall to unsaved hits of so much Damage, one model after the other (ARAP-119).

    Args:
        D: Damage of a hit, all of it on one model.
        W: Wounds of each model.
        hits: Unsaved hits.
    """
    dead, _ = killed(np.asarray(0), lost_to(dice, D, W, hits), int(W))
    return dead


@asks("ARAP-119", name="wounds lost to excess Damage", ask="mean")
def excess(dice: Dice, D: Some, W: Some, hits: Hits) -> Ints:
    """Return the wounds that are lost since they exceed what models can take that unsaved hits have slain (ARAP-119).

    Args:
        D: Damage of a hit, all of it on one model.
        W: Wounds of each model.
        hits: Unsaved hits.
    """
    return np.asarray(D * hits - lost_to(dice, D, W, hits))


def lost_to(dice: Dice, D: Some, W: Some, hits: Hits) -> Ints:
    """Return the Wounds that models lose to unsaved hits of so much Damage; there are as many models as hits."""
    (wounds,) = hits_suffered(dice, [Body(hits, W)], hits, damage=int(D))
    return wounds


def passing_on(book: Arap) -> Draw:
    """Return the roll of a character who is hit by a template or marker, to pass the hit on to another (ARAP-154)."""
    return once(UNDER, book.tables.look_out.passed_on).named("to pass the hit on")


@asks("ARAP-154", name="hits that a character keeps")
def kept(book: Arap, hits: Hits = 1) -> Draw:
    """Return how many hits by templates and markers a character takes himself who looks out (ARAP-154)."""
    return passing_on(book).failed.times(hits)


def alike(book: Arap, force: Force) -> bool:
    """Return whether it makes no difference whom hits find: all models are alike, and no hit is lost."""
    return not force.mixed and book.rulings.left_over("passed")


def in_sight(dice: Dice, book: Arap, force: Force, unit: Band, able: Models, most: Ints) -> Models:
    """Return who can be hit of some models of whom only so many can: any of them, or those who fall first."""
    if alike(book, force):
        return able
    if book.rulings.who_falls("drawn"):
        return picked(dice.within("who can be hit"), able, most, [group.title for group in force.groups])
    seen = [np.zeros_like(n) for n in able]
    for group, n in in_order(book.rulings.who_falls, force, unit.standing, able, unit.begun):
        seen[group] = seen[group] + np.minimum(n, most)
        most = np.maximum(most - n, 0)
    return tuple(seen)


def struck_each(
    dice: Dice, force: Force, unit: Band, able: Models, most: Ints, label: str, harm: Callable[[Unit], Draw]
) -> Wounds:
    """Return the wounds of something that hits each of some models once, as those of each body.

    Args:
        able: Those who are hit.
        most: How many of them are; all where they are not alike.
        harm: What it does to a model with a profile.
    """
    if not force.mixed:
        return (harm(force.unit).times(most).up_to(unit.wounds_left(most, force.unit.W)).made(dice, label),)
    wounds = list[Ints]()
    for i, (body, hurt) in enumerate(zip(force.bodies, unit.hurts, strict=True)):
        n = total(of(body, able))
        hits = harm(body.profile).times(n).by(body.profile.title)
        wounds.append(hits.up_to(np.maximum(n * body.profile.W - hurt, 0)).made(dice, f"{label}, {i + 1}"))
    return tuple(wounds)


def with_hurt(unit: Band, parts: Sequence[tuple[int, Ints]]) -> Iterator[Row]:
    """Yield rows: of each body the first of them in which anybody is has the model that is hurt."""
    hurts = list(unit.hurts)
    for body, n in parts:
        yield Row(body, n, np.where(n > 0, hurts[body], 0))
        hurts[body] = np.where(n > 0, 0, hurts[body])


def _levelled(lot: Sequence[Draw]) -> list[Draw]:
    """Return draws with as many tests: who has no second save fails it."""
    tests = max((draw.tests for draw in lot), key=len)
    return [
        draw.then(Draw(Volley(tests[len(draw.tests) :]), (1, *[NO_SAVE] * (len(tests) - len(draw.tests)))))
        for draw in lot
    ]
