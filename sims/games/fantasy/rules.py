"""Hitting, wounding, saving, winning a round and routing.

Needs are what the die must show, elementwise over arrays. A need of 7, 8 or 9 to hit takes a 6 and then 4+, 5+ or 6.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import GOAL, HIGH, PLAIN_LEADERSHIP, Bools, Ints, Mechanic, Volley
from sims.dice.source import Argument
from sims.forces import Models
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy.book import Fantasy, modifies_by
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.scenario import Force

ATTACKS = Volley((HIGH, GOAL, GOAL.failed))
"""Blows or shots that hit, wound and are not saved. Arguments: attacks, need to hit, need to wound, save."""
HACKS = Volley((GOAL, GOAL.failed))
"""Blows that hit without a roll, wound and are not saved. Arguments: blows, need to wound, save."""
ROUT = PLAIN_LEADERSHIP.failed
"""2D6 above Leadership (BASE-053)."""


def need_to_hit(rules: Fantasy, striker: int, target: int) -> int:
    """Return the need of a blow from both Weapon Skills (BASE-044).

    Parameters
    ----------
    striker, target : int
        Weapon Skills; those outside the chart are read as the nearest.
    """
    rows = rules.tables.to_hit.rows
    row = rows[min(max(striker, 1), len(rows)) - 1]
    return row[min(max(target, 1), len(row)) - 1]


def need_to_wound(rules: Fantasy, S: int, T: int) -> int:
    """Return the need to wound from Strength and Toughness (BASE-046)."""
    return int(rules.tables.to_wound.need(S, T))


def modified(rules: Fantasy, need: Argument, modifier: Argument) -> Ints:
    """Return a need to hit after what is added to the die (BASE-045)."""
    needs = rules.tables.needs
    return np.asarray(np.minimum(np.maximum(need - np.asarray(modifier), needs.best), needs.impossible))


def need_to_shoot(rules: Fantasy, BS: int, modifier: Argument) -> Ints:
    """Return the need of a shot (BASE-047); nobody shoots without any Ballistic Skill."""
    needs = rules.tables.needs
    need = modified(rules, rules.tables.shot_modifiers.need_at_BS0 - BS, modifier)
    beyond = (need > 6) & rules.rulings.needs_beyond_six("impossible")
    return np.asarray(np.where(beyond | (BS == 0), needs.impossible, need))


def save_against(target: Unit, modifier: int = 0) -> int:
    """Return the armour save of a model after the weapon's modifier (partly BASE-049).

    A profile has one figure for armour and shield together; the game has no invulnerable saves.
    """
    return IMPOSSIBLE if target.Sv is None else min(target.Sv + modifier, IMPOSSIBLE)


def is_missile(weapon: Weapon | None) -> bool:
    """Return whether a weapon fires single shots; area attacks are left out."""
    return weapon is not None and weapon.kind not in ("template", "blast", "melee")


def shots(weapon: Weapon, distance: Argument, reach: int, moved: Argument = 0) -> Ints:
    """Return how many shots a weapon has at a distance in inches, 0 beyond its reach; heavy ones stand to fire."""
    may = (np.asarray(distance) <= reach) & ((weapon.kind != "heavy") | (np.asarray(moved) == 0))
    return np.asarray(np.where(may, weapon.shots, 0))


def range_modifier(rules: Fantasy, distance: Argument, reach: int) -> Ints:
    """Return what a distance adds to the die: less beyond half range (BASE-048)."""
    return np.asarray(np.where(2 * np.asarray(distance) > reach, rules.tables.shot_modifiers.over_half_range, 0))


def blows(
    rules: Fantasy, striking: Force, models: Models, who: Sequence[int], target: Unit, modifier: Argument
) -> tuple[list[Mechanic], list[Argument]]:
    """Return the blows of some groups at models with one profile, to be drawn as one total of unsaved wounds.

    Source: fantasy game (BASE-044, BASE-045; partly BASE-049), wounds (BASE-046).

    Parameters
    ----------
    models : Models
        How many of each group can strike.
    who : sequence of int
        The groups whose turn it is to strike.
    modifier : array
        What is added to their dice.
    """
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for i in who:
        profile, weapon = striking.groups[i].profile, striking.groups[i].melee
        S, modifies = (profile.S, 0) if weapon is None else (weapon.strength(profile), modifies_by(weapon))
        need = modified(rules, need_to_hit(rules, profile.WS, target.WS), modifier)
        parts.append(ATTACKS.by(striking.groups[i].title))
        arguments += [models[i] * profile.A, need, need_to_wound(rules, S, target.T), save_against(target, modifies)]
    return parts, arguments


def free_hacks(
    rules: Fantasy, hacking: Force, models: Models, each: Argument, target: Unit
) -> tuple[list[Mechanic], list[Argument]]:
    """Return the free hacks of a unit at routers: each hits, none is struck back (partly BASE-054).

    The profile does not say which part of a save is the shield's, so all of it counts.

    Parameters
    ----------
    models : Models
        How many of each group pursue.
    each : array
        Hacks of each model.
    """
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(hacking.groups, models, strict=True):
        profile, weapon = group.profile, group.melee
        S, modifies = (profile.S, 0) if weapon is None else (weapon.strength(profile), modifies_by(weapon))
        parts.append(HACKS.by(group.title))
        arguments += [n * each, need_to_wound(rules, S, target.T), save_against(target, modifies)]
    return parts, arguments


def must_test(rules: Fantasy, start: int, left: Argument) -> Bools:
    """Return whether a unit that lost a round has lost enough to test for rout (BASE-053)."""
    return np.asarray(rules.tables.rout.part * (start - np.asarray(left)) >= start)


@asks("BASE-046", name="wound, or damage to a building")
def chance_to_wound(rules: Fantasy, S: int, T: int) -> Fraction:
    """Return the chance that a hit wounds, or does a point of damage to a building (BASE-046).

    Parameters
    ----------
    rules : Fantasy
    S : int
        Strength of the hit.
    T : int
        Toughness of the target.
    """
    return GOAL.chance(need_to_wound(rules, S, T))


@asks("BASE-044", "BASE-045", name="blow in hand-to-hand combat")
def chance_of_a_blow(
    rules: Fantasy,
    WS: int,
    target_WS: int,
    charging: bool = False,
    followed_up: bool = False,
    higher: bool = False,
    obstacle: bool = False,
    unarmed: bool = False,
) -> Fraction:
    """Return the chance that a blow hits (BASE-044, BASE-045).

    Parameters
    ----------
    rules : Fantasy
    WS : int
        The striker's Weapon Skill.
    target_WS : int
        The target's Weapon Skill.
    charging : bool
        The striker charged this turn.
    followed_up : bool
        The striker followed up after winning the last round.
    higher : bool
        The striker fights from higher ground.
    obstacle : bool
        The target is behind an obstacle.
    unarmed : bool
        The striker is unarmed.
    """
    table = rules.tables.blow_modifiers
    modifier = charging * table.charging + followed_up * table.followed_up + higher * table.higher
    modifier += obstacle * table.obstacle + unarmed * table.unarmed
    return HIGH.chance(int(modified(rules, need_to_hit(rules, WS, target_WS), modifier)))


@asks("BASE-047", "BASE-048", name="shot")
def chance_of_a_shot(
    rules: Fantasy,
    BS: int,
    cover: Literal["none", "soft", "hard"] = "none",
    size: Literal["small", "normal", "large"] = "normal",
    moved: bool = False,
    over_half_range: bool = False,
    fast: bool = False,
    charging: bool = False,
    improvised: bool = False,
) -> Fraction:
    """Return the chance that a shot hits (BASE-047, BASE-048).

    Parameters
    ----------
    rules : Fantasy
    BS : int
        Ballistic Skill.
    cover : str
        What the target stands behind.
    size : str
        How large the target is: large is over 10 feet.
    moved : bool
        The firer moved.
    over_half_range : bool
        The target is beyond half range.
    fast : bool
        The target moves fast.
    charging : bool
        The target charges.
    improvised : bool
        The missile is improvised.
    """
    table = rules.tables.shot_modifiers
    modifier = {"none": 0, "soft": table.soft_cover, "hard": table.hard_cover}[cover]
    modifier += {"small": table.small_target, "normal": 0, "large": table.large_target}[size]
    modifier += moved * table.moved + over_half_range * table.over_half_range
    modifier += fast * table.fast_target + charging * table.charging_enemy + improvised * table.improvised
    return HIGH.chance(int(need_to_shoot(rules, BS, modifier)))


def score(
    rules: Fantasy, wounds: Argument, charged: Argument, followed_up: Argument, ranks: int = 0, standard: bool = False
) -> Ints:
    """Return what a side scores in a round of combat (BASE-051).

    Parameters
    ----------
    wounds : array
        Wounds it caused.
    charged, followed_up : array of bool
        Whether it charged this turn; whether it followed up after winning the last round.
    ranks : int
        Complete ranks beyond the first.
    standard : bool
        A standard in the front rank.
    """
    table = rules.tables.combat_result
    fixed = min(ranks, table.most_ranks) + standard * table.standard
    return np.asarray(
        wounds + np.asarray(charged) * table.charged + np.asarray(followed_up) * table.followed_up + fixed
    )


@asks("BASE-051", name="combat result")
def margin(
    rules: Fantasy,
    wounds: int,
    against: int,
    charged: bool = False,
    followed_up: bool = False,
    ranks: int = 0,
    standard: bool = False,
) -> int:
    """Return by how much a side wins a round of combat against one that has its wounds only (BASE-051).

    Parameters
    ----------
    rules : Fantasy
    wounds : int
        Wounds it caused.
    against : int
        Wounds it suffered.
    charged : bool
        It charged this turn.
    followed_up : bool
        It followed up after winning the last round.
    ranks : int
        Its complete ranks beyond the first.
    standard : bool
        It has a standard in the front rank.
    """
    return int(score(rules, wounds, charged, followed_up, ranks, standard) - score(rules, against, False, False))


@asks("BASE-053", name="rout")
def chance_to_rout(rules: Fantasy, Ld: int, models: int = 20, lost: int = 5) -> Fraction:
    """Return the chance that a unit that lost a round routs (BASE-053).

    Parameters
    ----------
    rules : Fantasy
    Ld : int
        Leadership.
    models : int
        Models at the start.
    lost : int
        Models lost so far.
    """
    return ROUT.chance(Ld) if must_test(rules, models, models - lost) else Fraction(0)


@asks("BASE-054", name="free hack")
def chance_of_a_hack(rules: Fantasy, S: int, T: int, save: int = IMPOSSIBLE) -> Fraction:
    """Return the chance that a free hack kills (BASE-054).

    Parameters
    ----------
    rules : Fantasy
    S : int
        Strength of the victor.
    T : int
        Toughness of the router.
    save : int
        What the router's armour needs without a shield; 7 for none.
    """
    return HACKS.pmf(1, need_to_wound(rules, S, T), save).at_least(1)
