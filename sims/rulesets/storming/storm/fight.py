"""The fight inside: one exchange of blows, and who bears the wounds."""

from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Dice, Draw, Ints, together, without_a_roll
from sims.dice.source import Argument
from sims.forces import Models, at_full_strength, chosen, fall, fallen, give_up, total, without
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allotment import Dealt, Kind, bear, first_of, kinds_of, struck, suffers
from sims.games.wh40k.combat import dealt_out, strikes_with
from sims.games.wh40k.rules import Attack, Hit, Target
from sims.inputs import (
    NONE,
    Attacks,
    Count,
    Invulnerable,
    Many,
    Number,
    Save,
    Skill,
    Strength,
    Toughness,
)
from sims.profiles import MOST_MODELS
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Group

Some = Annotated[Argument, Number("How many.", 0, 200)]
Who = Literal["fireteam", "supporters"]


def striking(book: Storming, defenders: Models, fireteam: Models) -> Models:
    """Return the defenders who strike: those whom the support attacks have left (ST-028, ST-033)."""
    if book.rulings.defenders_striking("twice_the_fireteam"):
        return chosen(defenders, 2 * total(fireteam), range(len(defenders)))
    return defenders


@asks("ST-028", "ST-033", name="defenders who strike")
def defenders_striking(
    book: Storming, defenders: Many, killed_by_support: Many = 0, fireteam: Many = MOST_MODELS
) -> int:
    """Return how many defenders strike (ST-028, ST-033).

    Args:
        defenders: Before the support attacks.
        killed_by_support: Of them.
        fireteam: Models that come in.
    """
    left = give_up((np.array(defenders),), killed_by_support)
    return int(total(striking(book, left, (np.array(fireteam),))))


def defenders_strike(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the defenders strike; `struck` is what they wound, before saves, `piercing` what leaves no armour save.

    Source: Storming Buildings (ST-033), base rules (BASE-009, BASE-010, BASE-011).
    """
    garrison, book = scene.scenario.defenders, scene.book
    who = striking(book, state.defenders, state.fireteam)
    blows = wh40k.attacks(book.game, garrison, who, charging=False)
    armed = list(zip(garrison.groups, blows, strict=True))
    plain = _wounds(dice, "defenders' blows", scene, [(g, n) for g, n in armed if not pierces(g, scene)])
    piercing = _wounds(dice, "defenders' piercing blows", scene, [(g, n) for g, n in armed if pierces(g, scene)])
    dice.tally("wounds on the attackers, before saves", plain + piercing)
    return state.replace(struck=plain + piercing, piercing=piercing)


def pierces(group: Group, scene: Scene) -> bool:
    """Return whether a defender's close-combat weapon leaves the attackers no armour save (BASE-013)."""
    target = Target.of(scene.scenario.attackers.unit)
    return bool(wh40k.pierced(target.Sv, Hit.of(group.melee, group.profile).AP))


def wounds(book: Storming, blows: Argument, WS: Argument, S: Argument, target_WS: Argument, T: Argument) -> Draw:
    """Return the wounds of blows by defenders, before saves (ST-033)."""
    return wh40k.blow(book.game, WS, target_WS).then(wh40k.wounding(book.game, S, T)).times(blows)


def _wounds(dice: Dice, label: str, scene: Scene, armed: list[tuple[Group, Ints]]) -> Ints:
    target = scene.scenario.attackers.unit
    if not armed:
        return np.zeros(1, dtype=np.int64)
    draws = []
    for group, n in armed:
        WS, S = group.profile.WS, Hit.of(group.melee, group.profile).S
        draws.append(wounds(scene.book, n, WS, S, target.WS, target.T).by(group.title))
    return together(draws).made(dice, label)


def on_fireteam(book: Storming, wounds: Argument, F: Argument, S: Argument) -> Ints:
    """Return how many wounds before saves fall on a Fireteam of F with S supporters outside (ST-034)."""
    if book.rulings.wound_allocation("fireteam_first"):
        return np.asarray(wounds)
    return dealt_out(wounds, F, F + S)


@asks("ST-034", name="wounds on the Fireteam")
def wounds_on(book: Storming, w: Many, F: Many, S: Many, who: Who = "fireteam") -> Ints:
    """Return how many wounds the Fireteam or its supporters must save against before anybody has died (ST-034).

    Args:
        w: Wounds before saves.
        F: Models of the Fireteam.
        S: Supporters.
        who: Fireteam or supporters.
    """
    inside = on_fireteam(book, w, F, S)
    return inside if who == "fireteam" else w - inside


def unsaved(wounds: Argument, bare: Argument | None, most: Argument, Sv: Save, invulnerable: Invulnerable) -> Draw:
    """Return how many of some wounds are not saved; `bare` of them leave no armour save, if any do (ST-034)."""
    plain = wh40k.unsaved(Sv, invulnerable=invulnerable)
    if bare is None:
        return plain.times(wounds).up_to(most)
    without_armour = wh40k.unsaved(invulnerable=invulnerable).times(np.minimum(bare, wounds))
    return together((plain.times(np.maximum(wounds - bare, 0)), without_armour)).up_to(most)


@asks("ST-034", name="Fireteam casualties from wounds")
def fireteam_casualties(book: Storming, w: Some, F: Some, S: Some, Sv: Save = NONE, who: Who = "fireteam") -> PMF:
    """Return how many one-wound models of the Fireteam, or in support, die of the defenders' wounds (ST-034).

    Args:
        w: Wounds before saves.
        F: Models of the Fireteam.
        S: Supporters.
        Sv: Armour save of the attackers, or none.
        who: Whose casualties are counted: the Fireteam's or the supporters'.
    """
    inside = on_fireteam(book, w, F, S)
    if who == "fireteam":
        return unsaved(inside, None, F, Sv, NONE).pmf
    if book.rulings.wound_allocation("fireteam_first"):
        return unsaved(inside, None, F + S, Sv, NONE).pmf.map(lambda lost: max(lost - int(F), 0))
    return unsaved(w - inside, None, S, Sv, NONE).pmf


@asks("ST-033", name="Fireteam casualties", needs=("ST-034",))
def casualties(
    book: Storming,
    D: Count,
    F: Count,
    WS: Skill,
    S: Strength,
    target_WS: Skill,
    T: Toughness,
    A: Attacks = 1,
    Sv: Save = NONE,
    supporters: Count = 0,
    who: Who = "fireteam",
) -> PMF:
    """Return how many one-wound models of the Fireteam, or in support, the defenders kill (ST-033).

    Args:
        D: Defenders alive.
        F: Models of the Fireteam.
        WS: Weapon Skill of the defenders.
        S: Strength of the defenders.
        target_WS: Weapon Skill of the Fireteam.
        T: Toughness of the Fireteam.
        A: Attacks of a defender.
        Sv: Armour save of the Fireteam, or none.
        supporters: Models in support.
        who: Whose casualties are counted: the Fireteam's or the supporters'.
    """
    blows = defenders_striking(book, D, 0, F) * strikes_with(book.game, A)
    struck = wounds(book, blows, WS, S, target_WS, T).pmf
    return PMF.mixture((chance, fireteam_casualties(book, w, F, supporters, Sv, who)) for w, chance in struck)


def saves(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Save against the defenders' blows, and remove the dead of the Fireteam and of the support.

    `struck` becomes the unsaved wounds. Wounds that leave no armour save are shared out before the others. Wounds that
    do not kill a model are carried on, from the Fireteam to the supporters.

    Source: Storming Buildings (ST-034), base rules (BASE-013, BASE-040).
    """
    force, who = scene.scenario.attackers, scene.book.game.rulings.who_falls
    unit = force.unit
    supporters = without(state.attackers, state.fireteam)
    F, S, hurt = total(state.fireteam), total(supporters), state.attackers_hurt
    inside, bare = (on_fireteam(scene.book, wounds, F, S) for wounds in (state.struck, state.piercing))
    if scene.book.rulings.wound_allocation("fireteam_first"):
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
    slain = fallen(dice, who, force, state.attackers, deaths, "Fireteam", state.fireteam, begun=state.attackers_begun)
    left = without(state.attackers, slain)
    left = fall(dice, who, force, left, lost - deaths, "supporters", supporters, begun=state.attackers_begun)
    hurt = (unsaved + hurt) % unit.W
    none = np.zeros_like(state.piercing)
    return state.replace(
        attackers=left, attackers_hurt=hurt, fireteam=without(state.fireteam, slain), struck=unsaved, piercing=none
    )


def _unsaved(dice: Dice, label: str, scene: Scene, wounds: Ints, bare: Ints, most: Ints) -> Ints:
    at = Target.of(scene.scenario.attackers.unit)
    any_pierces = any(pierces(group, scene) for group in scene.scenario.defenders.groups)
    return unsaved(wounds, bare if any_pierces else None, most, at.Sv, at.invulnerable).made(dice, label)


def kinds_struck(scene: Scene) -> list[Kind]:
    """Return the kinds of wounds by blows of defenders, where attackers do not all fall alike; else none."""
    if not scene.scenario.attackers.mixed:
        return []
    return kinds_of(Attack(without_a_roll(0), Hit.of(g.melee, g.profile)) for g in scene.scenario.defenders.groups)


def strike_at_unlike(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the defenders strike at attackers who do not all fall alike.

    Source: Storming Buildings (ST-033), base rules (BASE-009, BASE-010, BASE-011, BASE-064).
    """
    garrison, squad, book = scene.scenario.defenders, scene.scenario.attackers, scene.book
    who = striking(book, state.defenders, state.fireteam)
    attacks = wh40k.attacks(book.game, garrison, who, charging=False)
    blows = wh40k.blows(book.game, garrison, attacks, squad.unit.WS)
    dealt = tuple(n for _, n in struck(dice, book.game, squad, state.attackers, blows, "defenders' blows"))
    dice.tally("wounds on the attackers, before saves", total(dealt))
    return state.replace(dealt=dealt)


def rounds_of_saves(scene: Scene) -> int:
    """Return how often attackers who do not all fall alike may have to save in one exchange of blows."""
    if not scene.book.rulings.wound_allocation("fireteam_first"):
        return 1
    garrison = scene.scenario.defenders
    return int(total(wh40k.attacks(scene.book.game, garrison, at_full_strength(garrison), charging=False)).item())


def unlike_save(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let attackers who do not all fall alike save against the defenders' blows, and remove the dead.

    Each of the Fireteam has one wound, then each supporter, and round again. By the ruling that the Fireteam takes
    every wound until none of it is left, each of it saves against one, and those who are left against the next; and so,
    once nobody is, do the supporters.

    Source: Storming Buildings (ST-034), base rules (BASE-013, BASE-040; partly BASE-012).
    """
    dealt = [Dealt(kind, n) for kind, n in zip(kinds_struck(scene), state.dealt, strict=True)]
    supporters = without(state.attackers, state.fireteam)
    if scene.book.rulings.wound_allocation("fireteam_first"):
        inside = total(state.fireteam) > 0
        supporters = tuple(n * ~inside for n in supporters)
        dealt = first_of(dealt, total(state.fireteam) + total(supporters))
    parts = {"Fireteam": state.fireteam, "supporters": supporters}
    left = tuple(n - now for n, (_, now) in zip(state.dealt, dealt, strict=True))
    after, (fireteam, _), wounds = bear(dice, state, scene, "attackers", parts, dealt)
    dice.tally("attackers lost in the fight", total(state.attackers) - total(after.attackers))
    standing = total(after.attackers) > 0
    return after.replace(fireteam=fireteam, struck=state.struck + wounds, dealt=tuple(n * standing for n in left))


def fireteam_strikes(dice: Dice, state: Storm, scene: Scene, charging: bool = True) -> Storm:
    """Let the Fireteam strike.

    Source: Storming Buildings (ST-033), base rules (BASE-009, BASE-010, BASE-011, BASE-013).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    book, bonus = scene.book, charging and scene.book.rulings.charge_bonus("yes")
    attacks = wh40k.attacks(book.game, force, state.fireteam, charging=bonus)
    blows, tally = wh40k.blows(book.game, force, attacks, target.WS), "defenders lost in the fight"
    after, wounds = suffers(dice, state, scene, "defenders", blows, "Fireteam's blows", tally)
    return after.replace(slain=wounds)
