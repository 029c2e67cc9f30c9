"""Ruins, which are not stormed: shots at a garrison in cover, and an ordinary assault into it."""

from dataclasses import replace

import numpy as np

from sims.dice import Bools, Dice
from sims.forces import total
from sims.games.wh40k.allotment import suffers
from sims.games.wh40k.areas import volley
from sims.games.wh40k.fire import able
from sims.games.wh40k.rules import cover_save
from sims.rulesets.storming.state import ASSAULTED, NEVER, Scene, Storm
from sims.rulesets.storming.usual import sally, structure
from sims.scenario import Force, Group


def reaches(scene: Scene) -> tuple[tuple[int, ...], ...]:
    """Return how far each group shoots, for a squad that stays off to shoot; there is no armour to tell apart."""
    if scene.scenario.plan != "shoot":
        return ()
    ranges = (g.weapon.range if g.weapon and shoots(g) else NEVER for g in scene.scenario.attackers.groups)
    return tuple((inches,) for inches in ranges)


def shoots(group: Group) -> bool:
    """Return whether a group has a weapon to shoot with."""
    return group.weapon is not None and group.weapon.kind != "melee"


def assaulted(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers have charged into the ruins in this turn."""
    return state.place == ASSAULTED


def stay_off(state: Storm, scene: Scene) -> Bools:
    """Return where the attackers shoot: who means to charge and can does not fire before."""
    near = structure.within_charge(state, scene) & (scene.scenario.plan != "shoot")
    return sally.indoors(state, scene) & ~near


def attackers_fire(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Shoot at a garrison in the cover of ruins; heavy and blast weapons may not move and fire.

    Source: Buildings in 40k (ST-005), base rules (BASE-002, BASE-003, BASE-007, BASE-011, BASE-013, BASE-014).
    """
    squad, cover = scene.scenario.attackers, cover_save(scene.book.game, "ruins")
    fired = volley(dice, scene.book.game, squad, able(squad, state.attackers, state.moved), state.distance, cover)
    label, tally = "fire at the ruins", "defenders lost to shooting"
    after, _ = suffers(dice, state, scene, "defenders", fired, label, tally)
    return after.replace(taken=total(after.defenders) == 0)


def charge_in(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Charge the garrison in the ruins.

    Source: Buildings in 40k (ST-005), 40k 5th edition (BASE-033).
    """
    there = state.replace(distance=np.zeros_like(state.distance))
    return sally.engage(there, scene, ASSAULTED)


def into_cover(squad: Force, scene: Scene) -> Force:
    """Return the squad as it strikes when it charges into cover: last, but for those with assault grenades (ST-005)."""
    last = scene.book.tables.ruins.charging_I

    def hampered(group: Group) -> Group:
        if "assault" in group.profile.grenades:
            return group
        return replace(group, profile=group.profile.model_copy(update={"I": min(group.profile.I, last)}))

    return replace(squad, groups=tuple(hampered(group) for group in squad.groups))
