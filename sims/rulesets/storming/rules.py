"""A storming, in the order of the text (ST-046): support, the defenders' blows, the Fireteam's, and who breaks."""

import numpy as np

from sims.dice import D3, GOAL, LEADERSHIP, Capped, Dice, Ints, Mechanic, Total, Volley, passes
from sims.dice.source import Argument
from sims.forces import best, chosen, fall, together, total, without, wound, wounds_left
from sims.games.wh40k import rules as wh40k
from sims.rulesets.storming.state import Scene, Storm

HITS_EACH = Volley((GOAL, GOAL.failed), hits=D3)
"""D3 automatic hits from each attack that wound and are not saved. Arguments: attacks, need to wound, save."""


def enter(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Pick the Fireteam: up to five models for each viable access point; the rest of the squad supports.

    The leader goes in first and template weapons stay in support, where they can be used.

    Source: Storming Buildings (ST-024, ST-026, ST-027; partly ST-019, partly ST-020, partly ST-021, partly ST-023,
    partly ST-025).
    """
    force = scene.scenario.attackers
    templates = [g.weapon is not None and g.weapon.kind == "template" for g in force.groups]
    order = sorted(range(len(force.groups)), key=lambda i: (templates[i], i != 0))
    return state.replace(
        fireteam=chosen(state.attackers, fireteam_size(scene), order), distance=np.zeros_like(state.distance)
    )


def fireteam_size(scene: Scene) -> int:
    """Return how many models of the squad can go in at most."""
    table, unit = scene.rules.tables.fireteam, scene.scenario.attackers.unit
    slots = 2 if unit.kind == "jump infantry" or unit.bulk >= table.double_bulk else 1
    if scene.rules.rulings.slots("pooled"):
        return table.slots * scene.viable // slots
    return table.slots // slots * scene.viable


def support(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let every supporter attack with a template weapon or a grenade, and remove the dead before any blow.

    Source: Storming Buildings (ST-028, ST-029, ST-030, ST-031, ST-032).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    supporters = without(state.attackers, state.fireteam)
    grenadiers: Ints = np.zeros_like(supporters[0])
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(force.groups, supporters, strict=True):
        weapon = group.weapon
        if weapon is not None and weapon.kind == "template":
            S = weapon.strength(group.profile)
            parts.append(HITS_EACH)
            arguments += [n, wh40k.need_to_wound(S, target.T), wh40k.save_against(target, weapon.AP)]
        elif "assault" in group.profile.grenades:
            grenadiers = grenadiers + n
    cover = scene.building_class.grenade_cover
    thrown: list[Argument] = [
        grenadiers,
        wh40k.need_to_wound(scene.rules.tables.grenade.S, target.T),
        wh40k.save_against(target, None, cover),
    ]
    unsaved = Capped(Total((*parts, HITS_EACH)))
    most = wounds_left(state.defenders, state.defenders_hurt, target.W)
    wounds = dice.draw("support attacks", unsaved, *arguments, *thrown, most)
    dice.tally("defenders lost to support", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, target.W)
    return state.replace(defenders=defenders, defenders_hurt=hurt)


def defenders_strike(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the defenders strike first; `struck` is what they wound, before saves.

    Source: Storming Buildings (ST-033).
    """
    garrison, target = scene.scenario.defenders, scene.scenario.attackers.unit
    striking = state.defenders
    if scene.rules.rulings.defenders_striking("twice_the_fireteam"):
        striking = chosen(striking, 2 * total(state.fireteam), range(len(striking)))
    parts: list[Mechanic] = []
    arguments: list[Argument] = []
    for group, n in zip(garrison.groups, wh40k.attacks(garrison, striking, charging=False), strict=True):
        S = group.melee.strength(group.profile) if group.melee else group.profile.S
        parts.append(wh40k.WOUNDING_BLOWS)
        arguments += [n, wh40k.need_to_hit(group.profile.WS, target.WS), wh40k.need_to_wound(S, target.T)]
    return state.replace(struck=dice.draw("defenders' blows", Total(tuple(parts)), *arguments))


def saves(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Save against the defenders' blows, and remove the dead of the Fireteam and of the support.

    `fireteam` becomes those who strike back, `struck` the unsaved wounds.

    Source: Storming Buildings (ST-034).
    """
    unit = scene.scenario.attackers.unit
    save = wh40k.save_against(unit, None)
    F, S = total(state.fireteam), total(state.attackers) - total(state.fireteam)
    wounds = state.struck
    if scene.rules.rulings.wound_allocation("fireteam_first"):
        unsaved = dice.draw("saves", Capped(wh40k.UNSAVED), wounds, save, F + S)
        inside, outside = np.minimum(unsaved, F), unsaved - np.minimum(unsaved, F)
    else:
        on_fireteam = one_each(wounds, F, S)
        inside = dice.draw("Fireteam saves", Capped(wh40k.UNSAVED), on_fireteam, save, F)
        outside = dice.draw("supporters' saves", Capped(wh40k.UNSAVED), wounds - on_fireteam, save, S)
    dice.tally("attackers lost in the fight", inside + outside)
    supporters = fall(without(state.attackers, state.fireteam), outside)
    alive = fall(state.fireteam, inside)
    striking = state.fireteam if scene.rules.rulings.blows("simultaneous") else alive
    return state.replace(attackers=together(alive, supporters), fireteam=striking, struck=inside + outside)


def one_each(wounds: Ints, F: Ints, S: Ints) -> Ints:
    """Return how many wounds fall on the Fireteam if each model gets one before any gets a second (ST-034)."""
    everybody = np.maximum(F + S, 1)
    return np.asarray(wounds // everybody * F + np.minimum(wounds % everybody, F))


def fireteam_strikes(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the Fireteam strike back.

    Source: Storming Buildings (ST-033).
    """
    force, target = scene.scenario.attackers, scene.scenario.defenders.unit
    attacks = wh40k.attacks(force, state.fireteam, charging=scene.rules.rulings.charge_bonus("yes"))
    parts, arguments = wh40k.blows(force, attacks, target)
    most = wounds_left(state.defenders, state.defenders_hurt, target.W)
    wounds = dice.draw("Fireteam's blows", Capped(Total(tuple(parts))), *arguments, most)
    dice.tally("defenders lost in the fight", wounds)
    defenders, hurt = wound(state.defenders, state.defenders_hurt, wounds, target.W)
    return state.replace(defenders=defenders, defenders_hurt=hurt, slain=wounds)


def result(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Compare the wounds of the fight; the loser checks morale. A draw needs no check.

    The Fireteam of attackers who fail comes out and falls back with its squad; defenders who fail are driven out; if
    nobody fails the Fireteam returns and the squad draws off, free to charge again. A move of D6 inches away keeps it
    within the charge of the next turn whatever the die shows, so that die is not rolled.

    Source: Storming Buildings (ST-035, ST-036, ST-042, ST-043, ST-044; partly ST-037, partly ST-039, partly ST-041).
    """
    scenario = scene.scenario
    margin = state.slain - state.struck
    no_defenders, no_attackers = total(state.defenders) == 0, total(state.attackers) == 0
    tests = (margin != 0) & ~no_defenders & ~no_attackers
    Ld = np.where(
        margin > 0,
        best(scenario.defenders, state.defenders, lambda g: g.profile.Ld),
        best(scenario.attackers, state.attackers, lambda g: g.profile.Ld),
    )
    fails = tests & ~passes(dice, "morale", LEADERSHIP, np.where(tests, Ld - np.abs(margin), 12), tests)
    nobody = tuple(np.zeros_like(n) for n in state.fireteam)
    return state.replace(
        broken=fails & (margin < 0),
        driven_out=fails & (margin > 0),
        fireteam=nobody,
        slain=np.zeros_like(state.slain),
        struck=np.zeros_like(state.struck),
        distance=np.full_like(state.distance, scene.rules.tables.drawing_off.distance),
    )
