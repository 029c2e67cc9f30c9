"""The fight inside: one exchange of blows, and who bears the wounds."""

from typing import Literal

import numpy as np

from sims.dice import PMF, Capped, Dice, Ints, Mechanic, Total
from sims.dice.source import Argument
from sims.forces import Models, chosen, fall, together, total, without, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.asked import NoneOr, given
from sims.games.wh40k.combat import dealt_out
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Group


def striking(rules: Storming, defenders: Models, fireteam: Models) -> Models:
    """Return the defenders who strike: those whom the support attacks have left (ST-028, ST-033)."""
    if rules.rulings.defenders_striking("twice_the_fireteam"):
        return chosen(defenders, 2 * total(fireteam), range(len(defenders)))
    return defenders


@asks("ST-028", "ST-033", name="defenders who strike")
def defenders_striking(rules: Storming, defenders: int, killed_by_support: int = 0, fireteam: int = 60) -> int:
    """Return how many defenders strike (ST-028, ST-033).

    Parameters
    ----------
    rules : Storming
    defenders : int
        Before the support attacks.
    killed_by_support : int
        Of them.
    fireteam : int
        Models that come in.
    """
    at_most(10**6, defenders=defenders, killed_by_support=killed_by_support, fireteam=fireteam)
    left = fall((np.array(defenders),), np.array(killed_by_support))
    return int(total(striking(rules, left, (np.array(fireteam),))))


def defenders_strike(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the defenders strike; `struck` is what they wound, before saves, `piercing` what leaves no armour save.

    Source: Storming Buildings (ST-033), base rules (BASE-009, BASE-010, BASE-011).
    """
    garrison, rules = scene.scenario.defenders, scene.rules
    who = striking(rules, state.defenders, state.fireteam)
    blows = wh40k.attacks(rules.game, garrison, who, charging=False)
    armed = list(zip(garrison.groups, blows, strict=True))
    plain = _wounds(dice, "defenders' blows", scene, [(g, n) for g, n in armed if not pierces(g, scene)])
    piercing = _wounds(dice, "defenders' piercing blows", scene, [(g, n) for g, n in armed if pierces(g, scene)])
    dice.tally("wounds on the attackers, before saves", plain + piercing)
    return state.replace(struck=plain + piercing, piercing=piercing)


def pierces(group: Group, scene: Scene) -> bool:
    """Return whether a defender's close-combat weapon leaves the attackers no armour save (BASE-013)."""
    Sv, AP = scene.scenario.attackers.unit.Sv, group.melee.AP if group.melee else None
    return Sv is not None and AP is not None and Sv >= AP


def _wounds(dice: Dice, label: str, scene: Scene, armed: list[tuple[Group, Ints]]) -> Ints:
    target = scene.scenario.attackers.unit
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in armed:
        parts.append(wh40k.WOUNDING_BLOWS.by(group.title))
        S = group.melee.strength(group.profile) if group.melee else group.profile.S
        hitting = wh40k.need_to_hit(scene.rules.game, group.profile.WS, target.WS)
        arguments += [n, hitting, wh40k.need_to_wound(scene.rules.game, S, target.T)]
    if not armed:
        return np.zeros(1, dtype=np.int64)
    return dice.draw(label, Total(tuple(parts)), *arguments)


def on_fireteam(rules: Storming, wounds: Argument, F: Argument, S: Argument) -> Ints:
    """Return how many wounds before saves fall on a Fireteam of F with S supporters outside (ST-034)."""
    if rules.rulings.wound_allocation("fireteam_first"):
        return np.asarray(wounds)
    return dealt_out(wounds, F, F + S)


@asks("ST-034", name="wounds on the Fireteam")
def wounds_on(rules: Storming, w: int, F: int, S: int, who: Literal["fireteam", "supporters"] = "fireteam") -> int:
    """Return how many wounds the Fireteam or its supporters must save against before anybody has died (ST-034).

    Parameters
    ----------
    rules : Storming
    w : int
        Wounds before saves.
    F : int
        Models of the Fireteam.
    S : int
        Supporters.
    who : str
        Fireteam or supporters.
    """
    at_most(10**6, w=w, F=F, S=S)
    inside = int(on_fireteam(rules, w, F, S))
    return inside if who == "fireteam" else w - inside


@asks("ST-034", name="Fireteam casualties from wounds")
def fireteam_casualties(rules: Storming, w: int, F: int, S: int, Sv: NoneOr = "none") -> PMF:
    """Return how many one-wound models of the Fireteam die of the defenders' wounds (ST-034).

    Parameters
    ----------
    rules : Storming
    w : int
        Wounds before saves.
    F : int
        Models of the Fireteam.
    S : int
        Supporters.
    Sv : int
        Armour save of the attackers, or none.
    """
    at_most(200, w=w, F=F, S=S)
    inside = int(on_fireteam(rules, w, F, S))
    return Capped(wh40k.UNSAVED).pmf(inside, wh40k.best_save(given(Sv), None), F)


@asks("ST-033", name="Fireteam casualties", needs=("ST-034",))
def casualties(
    rules: Storming,
    D: int,
    F: int,
    WS: int,
    S: int,
    target_WS: int,
    T: int,
    A: int = 1,
    Sv: NoneOr = "none",
    supporters: int = 0,
) -> PMF:
    """Return how many one-wound models of the Fireteam the defenders kill (ST-033).

    Parameters
    ----------
    rules : Storming
    D : int
        Defenders alive.
    F : int
        Models of the Fireteam.
    WS : int
        Weapon Skill of the defenders.
    S : int
        Their Strength.
    target_WS : int
        Weapon Skill of the Fireteam.
    T : int
        Its Toughness.
    A : int
        Attacks of a defender.
    Sv : int
        Armour save of the Fireteam, or none.
    supporters : int
        Models in support.
    """
    at_most(60, D=D, F=F, A=A, supporters=supporters)
    blows = A * defenders_striking(rules, D, 0, F)
    needs = wh40k.need_to_hit(rules.game, WS, target_WS), wh40k.need_to_wound(rules.game, S, T)
    wounds = wh40k.WOUNDING_BLOWS.pmf(blows, *needs)
    return PMF.mixture((chance, fireteam_casualties(rules, w, F, supporters, Sv)) for w, chance in wounds)


def saves(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Save against the defenders' blows, and remove the dead of the Fireteam and of the support.

    `struck` becomes the unsaved wounds. Wounds that leave no armour save are shared out before the others. Wounds that
    do not kill a model are carried on, from the Fireteam to the supporters.

    Source: Storming Buildings (ST-034), base rules (BASE-013, BASE-040).
    """
    unit = scene.scenario.attackers.unit
    supporters = without(state.attackers, state.fireteam)
    F, S, hurt = total(state.fireteam), total(supporters), state.attackers_hurt
    inside, bare = (on_fireteam(scene.rules, wounds, F, S) for wounds in (state.struck, state.piercing))
    if scene.rules.rulings.wound_allocation("fireteam_first"):
        unsaved = _unsaved(dice, "saves", scene, inside, bare, (F + S) * unit.W - hurt)
        deaths = np.minimum((unsaved + hurt) // unit.W, F)
    else:
        there = F * unit.W - hurt
        borne = _unsaved(dice, "Fireteam saves", scene, inside, bare, there)
        deaths = (borne + hurt) // unit.W
        rest, bare_rest = state.struck - inside, state.piercing - bare
        outside = _unsaved(dice, "supporters' saves", scene, rest, bare_rest, S * unit.W)
        unsaved = borne + outside
    lost = (unsaved + hurt) // unit.W
    dice.tally("attackers lost in the fight", lost)
    alive = fall(state.fireteam, deaths)
    left = together(alive, fall(supporters, lost - deaths))
    hurt = (unsaved + hurt) % unit.W
    none = np.zeros_like(state.piercing)
    return state.replace(attackers=left, attackers_hurt=hurt, fireteam=alive, struck=unsaved, piercing=none)


def _unsaved(dice: Dice, label: str, scene: Scene, wounds: Ints, bare: Ints, most: Ints) -> Ints:
    """Return how many of some wounds are not saved; `bare` of them leave no armour save."""
    unit = scene.scenario.attackers.unit
    save, without_armour = wh40k.save_against(unit, None), wh40k.save_against(unit, None, armour=False)
    if not any(pierces(group, scene) for group in scene.scenario.defenders.groups):
        return dice.draw(label, Capped(wh40k.UNSAVED), wounds, save, most)
    both = Capped(Total((wh40k.UNSAVED, wh40k.UNSAVED)))
    return dice.draw(label, both, np.maximum(wounds - bare, 0), save, np.minimum(bare, wounds), without_armour, most)


def fireteam_strikes(dice: Dice, state: Storm, scene: Scene, charging: bool = True) -> Storm:
    """Let the Fireteam strike.

    Source: Storming Buildings (ST-033), base rules (BASE-009, BASE-010, BASE-011, BASE-013).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    rules, bonus = scene.rules, charging and scene.rules.rulings.charge_bonus("yes")
    attacks = wh40k.attacks(rules.game, force, state.fireteam, charging=bonus)
    parts, arguments = wh40k.blows(rules.game, force, attacks, target)
    most = wounds_left(state.defenders, state.defenders_hurt, target.W)
    wounds = dice.draw("Fireteam's blows", Capped(Total(tuple(parts))), *arguments, most)
    dice.tally("defenders lost in the fight", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, target.W)
    return state.replace(defenders=defenders, defenders_hurt=hurt, slain=wounds)
