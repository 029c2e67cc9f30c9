"""Shooting: who may, and what a shot needs. A need of 7, 8 or 9 takes a 6 and then 4+, 5+ or 6."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from sims.dice import HIGH, Bools, Draw, Ints, Volley, narrow
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.fantasy.book import Fantasy
from sims.games.fantasy.combat import modified
from sims.games.fantasy.wounds import hurt, save_against, strength
from sims.inputs import Skill
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Force

Cover = Literal["none", "soft", "hard"]
Size = Literal["small", "normal", "large"]
OPEN, SOFT, HARD = range(3)
"""What a target stands behind, in the order of `Cover`."""
SMALL, NORMAL, LARGE = range(3)
"""How large it is, in the order of `Size`."""


SHOT = Volley((HIGH.named("to hit"),))
"""A shot that hits. Arguments: shots, need."""


@dataclass(frozen=True)
class Aim:
    """What helps or hinders a shot: each a number or a truth, or an array of them.

    Attributes:
        cover, size: What the target stands behind, and how large it is, such as `HARD` and `NORMAL`.
        moved (bool): The firer moved.
        over_half_range (bool): The target is beyond half range.
        fast, charging, improvised (bool): The target moves fast; the target charges; the missile is improvised.
    """

    cover: Argument = OPEN
    size: Argument = NORMAL
    moved: Argument = False
    over_half_range: Argument = False
    fast: Argument = False
    charging: Argument = False
    improvised: Argument = False


def shot(book: Fantasy, BS: Argument, aim: Aim) -> Draw:
    """Return a shot that hits (BASE-047, BASE-048); nobody shoots without any Ballistic Skill."""
    table, needs = book.tables.shot_modifiers, book.tables.needs
    cover = np.array((0, table.soft_cover, table.hard_cover), dtype=np.int16)[aim.cover]
    size = (aim.size == SMALL) * table.small_target + (aim.size == LARGE) * table.large_target
    target = size + aim.fast * table.fast_target + aim.charging * table.charging_enemy
    modifier = target + aim.improvised * table.improvised + cover + aim.moved * narrow(table.moved)
    modifier = modifier + aim.over_half_range * narrow(table.over_half_range)
    need = modified(book, narrow(table.need_at_BS0) - BS, modifier)
    never = BS == 0
    if book.rulings.needs_beyond_six("impossible"):
        never = never | (need > 6)
    return Draw(SHOT, (1, np.where(never, needs.impossible, need)))


@asks("BASE-047", "BASE-048", name="shot", ask="P(passed)")
def shot_at(
    book: Fantasy,
    BS: Skill,
    cover: Cover = "none",
    size: Size = "normal",
    moved: bool = False,
    over_half_range: bool = False,
    fast: bool = False,
    charging: bool = False,
    improvised: bool = False,
) -> Draw:
    """Return a shot that hits, by the words for cover and size (BASE-047, BASE-048).

    Args:
        BS: Ballistic Skill.
        cover: What the target stands behind.
        size: How large the target is: large is over 10 feet.
        moved: The firer moved.
        over_half_range: The target is beyond half range.
        fast: The target moves fast.
        charging: The target charges.
        improvised: The missile is improvised.
    """
    behind, large = get_args(Cover).index(cover), get_args(Size).index(size)
    return shot(book, BS, Aim(behind, large, moved, over_half_range, fast, charging, improvised))


def over_half(distance: Argument, reach: int) -> Bools:
    """Return whether a distance is over half of a weapon's range (BASE-048)."""
    return np.asarray(2 * distance > reach)


def is_missile(weapon: Weapon | None) -> bool:
    """Return whether a weapon fires single shots; area attacks are left out."""
    return weapon is not None and weapon.kind not in ("template", "blast", "melee")


def shots(weapon: Weapon, distance: Argument, reach: int, moved: Argument = 0) -> Ints:
    """Return how many shots a weapon has at a distance in inches, 0 beyond its reach; heavy ones stand to fire."""
    may = (distance <= reach) & ((weapon.kind != "heavy") | (moved == 0))
    return np.where(may, weapon.shots, 0)


def in_range(force: Force, models: Models, distance: Argument, reach: Callable[[int], int] = int) -> Models:
    """Return which models have a target in range.

    Args:
        distance: Inches to the target.
        reach: How far a weapon of a range in inches shoots from where they stand.
    """
    return tuple(
        np.where(shots(g.weapon, distance, reach(g.weapon.range)) > 0, n, 0)
        if g.weapon is not None and is_missile(g.weapon)
        else 0 * n
        for g, n in zip(force.groups, models, strict=True)
    )


def volley(
    book: Fantasy,
    force: Force,
    models: Models,
    target: Unit,
    distance: Argument,
    aim: Aim,
    *,
    moved: Argument = 0,
    reach: Callable[[int], int] = int,
) -> list[Draw]:
    """Return the shots of some models at models with one profile, to be drawn as one total of unsaved wounds.

    Source: fantasy game (BASE-046, BASE-047, BASE-048, BASE-049; partly BASE-043).

    Args:
        models: How many of each group shoot.
        distance: Inches to the target.
        aim: What helps or hinders them, apart from the range.
        moved (bool): They moved this turn: those with heavy weapons do not shoot.
        reach: How far a weapon of a range in inches shoots from where they stand.
    """
    draws = []
    for group, n in zip(force.groups, models, strict=True):
        weapon, profile = group.weapon, group.profile
        if weapon is not None and is_missile(weapon):
            far = reach(weapon.range)
            hits = shot(book, profile.BS, replace(aim, over_half_range=over_half(distance, far)))
            wounds = hurt(book, strength(profile, weapon), target.T, save_against(target, weapon))
            draws.append(hits.then(wounds).times(n * shots(weapon, distance, far, moved)).by(group.title))
    return draws
