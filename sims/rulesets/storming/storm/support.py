"""Support: grenades through the slits and template weapons, before any blow."""

from typing import Literal

import numpy as np

from sims.dice import Dice, Draw, together, without_a_roll
from sims.dice.source import Argument
from sims.forces import without
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allotment import suffers
from sims.games.wh40k.rules import Hit, Target
from sims.inputs import NONE, Count, Invulnerable, Many, Most, Piercing, Save, Strength
from sims.questions import asks
from sims.rulesets.storming.book import Intact, Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Group

Attack = Literal["template", "grenade", "nothing"]
PIERCES_ALL = 1
"""The armour piercing of what leaves no armour save."""


def attack_of(grenades: bool, template: bool) -> Attack:
    """Return the one support attack that a model makes (ST-029)."""
    return "template" if template else "grenade" if grenades else "nothing"


def armed_with(group: Group) -> Attack:
    """Return the support attack that a model of a group makes (ST-029)."""
    weapon = group.weapon
    return attack_of("assault" in group.profile.grenades, weapon is not None and weapon.kind == "template")


@asks("ST-029", name="support attacks")
def support_attacks(grenades: Many = 0, templates: Many = 0, both: Many = 0, neither: Many = 0) -> int:
    """Return how many support attacks are made (ST-029).

    Args:
        grenades: Supporters with assault grenades alone.
        templates: Supporters with a template weapon alone.
        both: Supporters with both.
        neither: Supporters with neither.
    """
    having = ((grenades, True, False), (templates, False, True), (both, True, True), (neither, False, False))
    return sum(int(n) for n, *weapons in having if attack_of(*weapons) != "nothing")


@asks("ST-031", name="failed save against grenades", ask="P(failed)")
def unsaved(book: Storming, building_class: Intact, Sv: Save = NONE, invulnerable: Invulnerable = NONE) -> Draw:
    """Return a wound by a grenade that a defender does not save (ST-031).

    Args:
        building_class: Defensible or stronghold; the others are not stormed, and so nobody throws grenades into them.
    """
    return blast(book, 1, building_class).saved_by(Target(1, Sv, invulnerable))


@asks("ST-030", "ST-031", name="assault grenades")
def grenades(book: Storming, n: Count, at: Target, building_class: Intact, defenders: Most = None) -> Draw:
    """Return the unsaved wounds of assault grenades (ST-030, ST-031).

    Args:
        n: Supporters who throw them.
        building_class: Defensible or stronghold; the others are not stormed, and so nobody throws grenades into them.
        defenders: Wounds they can take at most; not counted if not given.
    """
    return blast(book, n, building_class).unsaved(book.game, at).up_to(defenders)


def blast(book: Storming, n: Argument, building_class: Intact) -> wh40k.Attack:
    """Return the hits of assault grenades, by the ruling with the cover save alone or the best there is (ST-031)."""
    table, rulings = book.tables.grenade, book.rulings
    hit = Hit(table.S, NONE if rulings.cover_save("best") else PIERCES_ALL)
    cover = book.tables.classes.of(building_class).grenade_cover
    return wh40k.Attack(without_a_roll(n).hitting(table.hits), hit, cover)


@asks("ST-032", name="template weapon in support")
def templates(book: Storming, n: Count, by: Hit, at: Target, defenders: Most = None) -> Draw:
    """Return the unsaved wounds of template weapons in support, which know no cover (ST-032).

    Args:
        n: Template weapons.
        defenders: Wounds they can take at most; not counted if not given.
    """
    return flames(book, n, by).unsaved(book.game, at).up_to(defenders)


def flames(book: Storming, n: Argument, by: Hit) -> wh40k.Attack:
    """Return the hits of template weapons in support (ST-032)."""
    return wh40k.Attack(without_a_roll(n).hitting(book.tables.template.hits), by)


@asks("ST-028", name="grenades and flamers together")
def grenades_and_templates(
    book: Storming,
    throwers: Count,
    flamers: Count,
    at: Target,
    building_class: Intact,
    S: Strength = 4,
    AP: Piercing = 5,
    defenders: Most = None,
) -> Draw:
    """Return the unsaved wounds of all support attacks, which are made before any blow (ST-028).

    Args:
        throwers: Supporters who throw assault grenades.
        flamers: Supporters with template weapons.
        building_class: Defensible or stronghold; the others are not stormed, and so nobody throws grenades into them.
        S: Strength of the template weapons; that of a flamer if not given.
        AP: Their armour piercing, or none for '-'; that of a flamer if not given.
        defenders: Wounds they can take at most; not counted if not given.
    """
    draws = templates(book, flamers, Hit(S, AP), at), grenades(book, throwers, at, building_class)
    return together(draws).up_to(defenders)


def support(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let every supporter attack with a template weapon or a grenade, and remove the dead before any blow.

    Source: Storming Buildings (ST-026, ST-028, ST-029, ST-030, ST-031, ST-032), 40k (BASE-007).
    """
    book, supporters = scene.book, without(state.attackers, state.fireteam)
    attacks, grenadiers = list[wh40k.Attack](), np.zeros_like(supporters[0])
    for group, n in zip(scene.scenario.attackers.groups, supporters, strict=True):
        attack = armed_with(group)
        if attack == "template":
            attacks.append(flames(book, n, Hit.of(group.weapon, group.profile)).told_of(group.title))
        elif attack == "grenade":
            grenadiers = grenadiers + n
    attacks.append(blast(book, grenadiers, scene.intact).told_of("grenades"))
    return suffers(dice, state, scene, "defenders", attacks, "support attacks", "defenders lost to support")[0]
