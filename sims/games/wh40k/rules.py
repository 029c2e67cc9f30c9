"""Hitting, wounding, saving, penetrating armour and keeping one's nerve.

Needs and goals are integers, elementwise over arrays; a need of 7 cannot be rolled.
"""

from fractions import Fraction

import numpy as np

from sims.dice import GOAL, Bools, Ints, Mechanic, Test, Volley, rerolled
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.common import IMPOSSIBLE as IMPOSSIBLE
from sims.games.wh40k.book import Wh40k
from sims.games.wh40k.combat import strikes_with
from sims.profiles import Unit, Weapon
from sims.scenario import Force


def _ballistic_chance(BS: int) -> Fraction:
    first = Fraction(min(max(BS, 0), 5), 6)
    return first + (1 - first) * Fraction(min(max(BS - 5, 0), 5), 6)


def _ballistic_passes(BS: Ints, first: Ints, second: Ints) -> Bools:
    hit = (BS > 0) & (first >= np.maximum(7 - BS, 2))
    return np.asarray(hit | ((BS > 5) & (second >= np.maximum(12 - BS, 2))))


BALLISTIC = Test("to hit", 2, _ballistic_chance, _ballistic_passes, "BS {}")
"""7 less BS or more, never better than 2+; BS above 5 rolls a miss once more (BASE-002, BASE-003)."""
LIGHT = ("pistol", "assault", "template")
"""Kinds of weapons that may be fired before a charge in the same turn, in either edition."""
TO_HIT, TO_WOUND, SAVE = GOAL.named("to hit"), GOAL.named("to wound"), GOAL.named("save")
"""High rolls: a blow that hits, a hit that wounds, a wound that is saved (BASE-009, BASE-011, BASE-013)."""

SHOOTING = Volley((BALLISTIC, TO_WOUND, SAVE.failed))
"""Shots that hit, wound and are not saved. Arguments: shots, BS, need to wound, save."""
TWIN_LINKED = Volley((rerolled(BALLISTIC), TO_WOUND, SAVE.failed))
"""The same with misses re-rolled (BASE-005)."""
BLOWS = Volley((TO_HIT, TO_WOUND, SAVE.failed))
"""Blows that hit, wound and are not saved. Arguments: blows, need to hit, need to wound, save."""
WOUNDING_BLOWS = Volley((TO_HIT, TO_WOUND))
"""Blows that hit and wound. Arguments: blows, need to hit, need to wound."""
UNSAVED = Volley((SAVE.failed,))
"""Wounds that are not saved. Arguments: wounds, save."""


def need_to_hit(rules: Wh40k, striker: int, target: int) -> int:
    """Return the need of a blow from both Weapon Skills (BASE-009)."""
    table = rules.tables.blows
    if striker > target:
        return table.better
    return table.outclassed if target > table.outclassed_beyond * striker else table.usual


def need_to_wound(rules: Wh40k, S: int, T: int) -> int:
    """Return the need to wound from Strength and Toughness (BASE-011)."""
    return rules.tables.to_wound.need(S, T)


def best_save(Sv: int | None, AP: int | None, cover: int | None = None, invulnerable: int | None = None) -> int:
    """Return the best save there is: armour that is not pierced, cover or invulnerable (BASE-013)."""
    worn = Sv if Sv is not None and (AP is None or Sv < AP) else None
    return min((s for s in (worn, cover, invulnerable) if s is not None), default=IMPOSSIBLE)


def save_against(target: Unit, AP: int | None, cover: int | None = None, *, armour: bool = True) -> int:
    """Return the best save a model may take (BASE-013)."""
    return best_save(target.Sv if armour else None, AP, cover, target.invulnerable)


def shots(rules: Wh40k, weapon: Weapon, distance: Ints) -> Ints:
    """Return how many shots a weapon has at a distance in inches; 0 out of range.

    A rapid-fire weapon doubles its shots near by; a template counts by D3 hits and is not counted here.
    """
    near = (distance <= rules.tables.shooting.rapid_fire) if weapon.kind == "rapid fire" else False
    return np.asarray(np.where(distance <= weapon.range, weapon.shots * np.where(near, 2, 1), 0))


def shooting(
    rules: Wh40k,
    force: Force,
    shooters: Models,
    target: Unit,
    distance: Ints,
    cover: int | None = None,
    BS: Argument = 10,
) -> tuple[list[Mechanic], list[Argument]]:
    """Return the volley of a unit's shooting at models with one profile, to be drawn as one total of unsaved wounds.

    Template and blast weapons are left out: they do not count single shots.

    Source: base rules (BASE-002, BASE-003, BASE-005, BASE-011, BASE-013).

    Parameters
    ----------
    shooters : Models
        How many of each group shoot.
    distance : array
        Inches to the target.
    cover : int, optional
        The target's cover save.
    BS : array
        The best Ballistic Skill that the shooters may use: 1 for Snap Shots.
    """
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(force.groups, shooters, strict=True):
        weapon = group.weapon
        if weapon is not None and weapon.kind not in ("template", "blast", "melee"):
            parts.append((TWIN_LINKED if weapon.twin_linked else SHOOTING).by(group.title))
            wounding = need_to_wound(rules, weapon.strength(group.profile), target.T)
            save = save_against(target, weapon.AP, cover)
            arguments += [n * shots(rules, weapon, distance), np.minimum(group.profile.BS, BS), wounding, save]
    return parts, arguments


def blows(rules: Wh40k, striking: Force, attacks: Models, target: Unit) -> tuple[list[Mechanic], list[Argument]]:
    """Return the blows of a unit at models with one profile, to be drawn as one total of unsaved wounds.

    Source: base rules (BASE-009, BASE-011, BASE-013).
    """
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(striking.groups, attacks, strict=True):
        S, AP = group.profile.S, None
        if group.melee is not None:
            S, AP = group.melee.strength(group.profile), group.melee.AP
        parts.append(BLOWS.by(group.title))
        need, wounding = need_to_hit(rules, group.profile.WS, target.WS), need_to_wound(rules, S, target.T)
        arguments += [n, need, wounding, save_against(target, AP)]
    return parts, arguments


def attacks(rules: Wh40k, force: Force, models: Models, *, charging: Argument) -> Models:
    """Return the Attacks of each group, with those for a charge this turn and for a second weapon (BASE-010)."""
    each = (strikes_with(rules, group.profile.A, charging, group.two_weapons) for group in force.groups)
    return tuple(n * attacks for n, attacks in zip(models, each, strict=True))
