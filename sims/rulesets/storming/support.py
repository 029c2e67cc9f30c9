"""Support: grenades through the slits and template weapons, before any blow."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import PMF, Capped, Dice, Die, Ints, Mechanic, Total, Volley
from sims.dice.source import Argument
from sims.forces import without, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.asked import NoneOr, given
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.storming.book import Class, Intact, Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Group


def hits_each(hits: Die) -> Volley:
    """Return the draw of automatic hits from each attack that wound and are not saved (ST-030, ST-032).

    Arguments: attacks, need to wound, save.
    """
    return Volley((wh40k.TO_WOUND, wh40k.SAVE.failed), hits=hits)


def attack_of(grenades: bool, template: bool) -> Literal["template", "grenade", "nothing"]:
    """Return the one support attack that a model makes (ST-029)."""
    return "template" if template else "grenade" if grenades else "nothing"


def armed_with(group: Group) -> Literal["template", "grenade", "nothing"]:
    """Return the support attack that a model of a group makes (ST-029)."""
    weapon = group.weapon
    return attack_of("assault" in group.profile.grenades, weapon is not None and weapon.kind == "template")


@asks("ST-029", name="support attacks")
def support_attacks(grenades: int = 0, templates: int = 0, both: int = 0, neither: int = 0) -> int:
    """Return how many support attacks are made (ST-029).

    Parameters
    ----------
    grenades : int
        Supporters with assault grenades alone.
    templates : int
        Supporters with a template weapon alone.
    both : int
        Supporters with both.
    neither : int
        Supporters with neither.
    """
    at_most(10**6, grenades=grenades, templates=templates, both=both, neither=neither)
    having = ((grenades, True, False), (templates, False, True), (both, True, True), (neither, False, False))
    return sum(n for n, *weapons in having if attack_of(*weapons) != "nothing")


def save_from_grenades(rules: Storming, building_class: Class, Sv: int | None, invulnerable: int | None) -> int:
    """Return the save of defenders against grenades (ST-031)."""
    cover = rules.tables.classes.of(building_class).grenade_cover
    return wh40k.best_save(Sv if rules.rulings.cover_save("best") else None, None, cover, invulnerable)


@asks("ST-031", name="failed save against grenades")
def grenade_save_fails(
    rules: Storming, building_class: Intact, Sv: NoneOr = "none", invulnerable: NoneOr = "none"
) -> Fraction:
    """Return the chance that a defender wounded by a grenade fails his save (ST-031).

    Parameters
    ----------
    rules : Storming
    building_class : str
        Defensible or stronghold; the others are not stormed, and so nobody throws grenades into them.
    Sv : int
        Armour save, or none.
    invulnerable : int
        Invulnerable save, or none.
    """
    return wh40k.UNSAVED.pmf(1, save_from_grenades(rules, building_class, given(Sv), given(invulnerable)))[1]


@asks("ST-030", "ST-031", name="assault grenades")
def grenade_attack(
    rules: Storming,
    n: int,
    T: int,
    building_class: Intact,
    Sv: NoneOr = "none",
    invulnerable: NoneOr = "none",
    defenders: int | None = None,
) -> PMF:
    """Return how many unsaved wounds assault grenades cause (ST-030, ST-031).

    Parameters
    ----------
    rules : Storming
    n : int
        Supporters who throw them.
    T : int
        Toughness of the defenders.
    building_class : str
        Defensible or stronghold; the others are not stormed, and so nobody throws grenades into them.
    Sv : int
        Armour save of the defenders, or none.
    invulnerable : int
        Their invulnerable save, or none.
    defenders : int
        Wounds they can take at most; not counted if not given.
    """
    save = save_from_grenades(rules, building_class, given(Sv), given(invulnerable))
    table = rules.tables.grenade
    return _asked(table.hits, [n, wh40k.need_to_wound(rules.game, table.S, T), save], defenders)


@asks("ST-032", name="template weapon in support")
def template_attack(
    rules: Storming,
    n: int,
    S: int,
    T: int,
    AP: NoneOr = "none",
    Sv: NoneOr = "none",
    invulnerable: NoneOr = "none",
    defenders: int | None = None,
) -> PMF:
    """Return how many unsaved wounds template weapons cause in support (ST-032).

    Parameters
    ----------
    rules : Storming
    n : int
        Template weapons.
    S : int
        Strength of the weapon.
    T : int
        Toughness of the defenders.
    AP : int
        Armour piercing of the weapon, or none for '-'.
    Sv : int
        Armour save of the defenders, or none.
    invulnerable : int
        Their invulnerable save, or none.
    defenders : int
        Wounds they can take at most; not counted if not given.
    """
    save = wh40k.best_save(given(Sv), given(AP), None, given(invulnerable))
    return _asked(rules.tables.template.hits, [n, wh40k.need_to_wound(rules.game, S, T), save], defenders)


def _asked(hits: Die, arguments: list[int], most: int | None) -> PMF:
    at_most(60, n=arguments[0], **({} if most is None else {"defenders": most}))
    each = hits_each(hits)
    return each.pmf(*arguments) if most is None else Capped(each).pmf(*arguments, most)


def support(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let every supporter attack with a template weapon or a grenade, and remove the dead before any blow.

    Source: Storming Buildings (ST-026, ST-028, ST-029, ST-030, ST-031, ST-032), 40k (BASE-007).
    """
    force, target, tables = scene.scenario.attackers, scene.scenario.defenders.unit, scene.rules.tables
    supporters = without(state.attackers, state.fireteam)
    grenadiers: Ints = np.zeros_like(supporters[0])
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(force.groups, supporters, strict=True):
        weapon = group.weapon
        attack = armed_with(group)
        if attack == "template" and weapon is not None:
            S = weapon.strength(group.profile)
            parts.append(hits_each(tables.template.hits).by(group.title))
            arguments += [n, wh40k.need_to_wound(scene.rules.game, S, target.T), wh40k.save_against(target, weapon.AP)]
        elif attack == "grenade":
            grenadiers = grenadiers + n
    thrown: list[Argument] = [
        grenadiers,
        wh40k.need_to_wound(scene.rules.game, tables.grenade.S, target.T),
        save_from_grenades(scene.rules, scene.class_name, target.Sv, target.invulnerable),
    ]
    most = wounds_left(state.defenders, state.defenders_hurt, target.W)
    every = Total((*parts, hits_each(tables.grenade.hits).by("grenades")))
    wounds = dice.draw("support attacks", Capped(every), *arguments, *thrown, most)
    dice.tally("defenders lost to support", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, target.W)
    return state.replace(defenders=defenders, defenders_hurt=hurt)
