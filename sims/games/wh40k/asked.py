"""Shooting, blows and saves as `casemate odds` asks for them: the tests and needs that every assault is played with."""

from fractions import Fraction
from typing import Literal

from sims.dice import GOAL, rerolled
from sims.errors import CasemateError, nearest
from sims.games.wh40k.book import EditionName, Wh40k, edition_of
from sims.games.wh40k.rules import BALLISTIC, best_save, need_to_hit, need_to_wound
from sims.questions import asks

NoneOr = Literal["none"] | int
"""A save or an AP, or none."""


def given(value: NoneOr) -> int | None:
    """Return a save or AP as profiles have it."""
    return None if value == "none" else value


@asks("BASE-002", "BASE-003", "BASE-005", name="to hit with BS")
def shot_hits(BS: int, twin_linked: bool = False) -> Fraction:
    """Return the chance that a shot hits (BASE-002, BASE-003, BASE-005).

    Parameters
    ----------
    BS : int
        Ballistic Skill.
    twin_linked : bool
        Whether a miss is rolled once more.
    """
    return (rerolled(BALLISTIC) if twin_linked else BALLISTIC).chance(BS)


@asks("BASE-009", name="to hit in close combat")
def blow_hits(rules: Wh40k, WS: int, target_WS: int) -> Fraction:
    """Return the chance that a blow hits (BASE-009).

    Parameters
    ----------
    rules : Wh40k
    WS : int
        Weapon Skill of the striker.
    target_WS : int
        Weapon Skill of the target.
    """
    return GOAL.chance(need_to_hit(rules, WS, target_WS))


@asks("BASE-011", name="to wound")
def chance_to_wound(rules: Wh40k, S: int, T: int) -> Fraction:
    """Return the chance that a hit wounds (BASE-011).

    Parameters
    ----------
    rules : Wh40k
    S : int
        Strength of the hit.
    T : int
        Toughness of the target.
    """
    return GOAL.chance(need_to_wound(rules, S, T))


@asks("BASE-013", name="failed save")
def save_fails(
    Sv: NoneOr = "none", AP: NoneOr = "none", cover: NoneOr = "none", invulnerable: NoneOr = "none"
) -> Fraction:
    """Return the chance that a wounded model fails the best save it may take (BASE-013).

    Parameters
    ----------
    Sv : int
        Armour save, or none.
    AP : int
        Armour piercing of the weapon, or none for '-'.
    cover : int
        Cover save, or none where there is none or it may not be taken.
    invulnerable : int
        Invulnerable save, or none.
    """
    return GOAL.failed.chance(best_save(given(Sv), given(AP), given(cover), given(invulnerable)))


@asks("BASE-014", name="failed cover save")
def cover_fails(edition: EditionName, cover: str) -> Fraction:
    """Return the chance that a model fails the save of its cover (BASE-014).

    Parameters
    ----------
    edition : str
        Of the rules.
    cover : str
        Such as ruins, woods or fortification.

    Raises
    ------
    CasemateError
        If the edition lists no such cover.
    """
    listed = edition_of(edition).tables.cover.saves
    if cover not in listed:
        raise CasemateError(f'there is no cover "{cover}" in the {edition} edition; {nearest(cover, listed)}')
    return GOAL.failed.chance(listed[cover])
