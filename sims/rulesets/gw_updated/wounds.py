"""Who of the garrison suffers each wound: inside whoever is drawn, in the open the one that is nearest to the enemy."""

from collections.abc import Sequence

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.forces import Models, fall, picked, total, without, wounds_left
from sims.games.wh40k import open_fight
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.allocation import suffered
from sims.games.wh40k.combat import random_victims, spared
from sims.games.wh40k.rules import Attack
from sims.inputs import Count, Some
from sims.questions import asks
from sims.rulesets.gw_updated.setting import stops
from sims.rulesets.gw_updated.state import Scene, Siege
from sims.scenario import Side


def suffer_inside(dice: Dice, state: Siege, scene: Scene, attack: Attack, cause: str, *, stands: bool = True) -> Siege:
    """Let those inside suffer an attack; whoever dies is picked at random.

    A wound of twice the Toughness takes a model away. Else models with several Wounds are wounded one by one, in stages
    of their own (`wound_one`). Who is hurt among those who live matters only while the building stands.

    Source: GW-031, 40k (BASE-011, BASE-013, BASE-041; partly BASE-012).
    """
    if scene.scenario.defenders.mixed:
        after, _ = suffer_mixed(dice, state, scene, "defenders", [attack], "hits inside", cause, inside=True)
        return stopped(after if stands else unhurt(after), scene)
    W = wh40k.wounds_to_kill(scene.book.game, int(attack.by.S), scene.scenario.defenders.unit)
    hurt = np.where(W == 1, 0, lost_by(state.wounded))
    most = wounds_left(state.defenders, hurt, W)
    wounds = open_fight.unsaved(dice, scene, "defenders", [attack], most, "hits inside", cause)
    if W > 1:
        return state.replace(wounds=wounds)
    own = dice.within("who falls")
    if stands:
        hit = random_victims(own.within("hurt"), by_wounds(state), wounds, scene.by_wounds)
        _, *left = without(by_wounds(state), hit)
        state = state.replace(wounded=tuple(left))
    return fallen_inside(own, state, scene, wounds)


def suffering(state: Siege, scene: Scene) -> Bools:
    """Return where wounds are still to be suffered, by models that have several."""
    return state.wounds > 0


def wound_one(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Wound one of those inside, picked evenly whatever it has suffered, and remove it if that was its last Wound.

    Source: GW-031, 40k (BASE-041).
    """
    victim = random_victims(dice.within("hurt"), by_wounds(state), np.minimum(state.wounds, 1), scene.by_wounds)
    _, *before = without(by_wounds(state), victim)
    after = state.replace(
        wounds=np.maximum(state.wounds - 1, 0),
        wounded=tuple(n + now for n, now in zip(before, victim, strict=False)),
    )
    return fallen_inside(dice.within("who falls"), after, scene, victim[-1])


@asks("GW-031", name="victim inside")
def named_victim(dice: Dice, occupants: Some, wounds: Count = 1) -> Bools:
    """Return whether a named model of those inside is a victim of hits on the building (GW-031).

    Args:
        occupants: Models of one Wound inside, the named one among them.
        wounds: Unsaved wounds.
    """
    return ~spared(dice, occupants, wounds)


def suffer_outside(
    dice: Dice, state: Siege, scene: Scene, side: Side, attacks: Sequence[Attack], label: str, tally: str
) -> tuple[Siege, Ints]:
    """Let a side suffer attacks in the open; return the state and the unsaved wounds.

    Models of a garrison alike, with several Wounds, are wounded in stages of their own (`wound_nearest`).

    Source: 40k (BASE-034, BASE-041).
    """
    if getattr(scene.scenario, side).mixed:
        return suffer_mixed(dice, state, scene, side, attacks, label, tally)
    if side == "attackers" or not scene.several_wounds:
        return open_fight.suffers(dice, state, scene, side, attacks, label, tally)
    hurt, unit = state.defenders_hurt + lost_by(state.wounded), scene.scenario.defenders.unit
    most = wounds_left(state.defenders, hurt, unit.W)
    wounds = open_fight.unsaved(dice, scene, side, attacks, most, label, tally)
    return state.replace(wounds=wounds), wounds


def suffer_mixed(
    dice: Dice,
    state: Siege,
    scene: Scene,
    side: Side,
    attacks: Sequence[Attack],
    label: str,
    tally: str,
    *,
    inside: bool = False,
) -> tuple[Siege, Ints]:
    """Let a side whose models are not alike suffer attacks; return the state and the wounds.

    Source: GW-031, 40k 6th edition (BASE-034, BASE-041).
    """
    force, others, last = getattr(scene.scenario, side), f"{side}_others_hurt", f"{side}_hurt"
    hurt = (*getattr(state, others), getattr(state, last))
    begun = getattr(state, f"{side}_begun")
    models, hurt, wounds = suffered(
        dice, scene.book.game, force, getattr(state, side), hurt, attacks, label, inside=inside, begun=begun
    )
    dice.tally(tally, wounds)
    return state.replace(**{side: models, others: hurt[:-1], last: hurt[-1]}), wounds


def unhurt(state: Siege) -> Siege:
    """Return the state once it no longer matters who of the garrison is hurt."""
    others = tuple(0 * n for n in state.defenders_others_hurt)
    return state.replace(defenders_hurt=0 * state.defenders_hurt, defenders_others_hurt=others)


def wound_nearest(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Wound the one of the garrison in the open that is nearest to the enemy, until it falls or no wound is left.

    It stays the nearest until it falls. Who comes next may have been hurt inside like any other of those left: there
    wounds were drawn, of whatever kind a model is.

    Source: 40k 6th edition (BASE-041).
    """
    force, new = scene.scenario.defenders, np.where(state.defenders_hurt == 0, 1, 0)
    nearest = picked(dice.within("hurt"), by_wounds(state), new, scene.by_wounds)
    _, *others = without(by_wounds(state), nearest)
    hurt = state.defenders_hurt + lost_by(nearest[1:])
    suffered = np.minimum(state.wounds, force.unit.W - hurt)
    dead = hurt + suffered == force.unit.W
    who, begun = scene.book.game.rulings.who_falls, state.defenders_begun
    return state.replace(
        defenders=fall(dice, who, force, state.defenders, dead, "nearest", begun=begun),
        wounded=tuple(others),
        defenders_hurt=np.where(dead, 0, hurt + suffered),
        wounds=state.wounds - suffered,
    )


def by_wounds(state: Siege) -> Models:
    """Return how many of the garrison have lost no Wound, one, two and so on, but for one known to be the nearest."""
    return (total(state.defenders) - sum(state.wounded) - (state.defenders_hurt > 0), *state.wounded)


def lost_by(wounded: Models) -> Argument:
    """Return how many Wounds those have lost who have lost one, two and so on."""
    return sum(n * wounds for wounds, n in enumerate(wounded, start=1))


def fallen_inside(dice: Dice, state: Siege, scene: Scene, dead: Ints) -> Siege:
    """Remove so many of those inside, picked evenly."""
    names = [group.title for group in scene.scenario.defenders.groups]
    defenders = without(state.defenders, random_victims(dice, state.defenders, dead, names))
    return stopped(state.replace(defenders=defenders), scene)


def stopped(state: Siege, scene: Scene) -> Siege:
    """Return the state in which the volley that has killed the last of those inside may have stopped (GW-057)."""
    go_on = (total(state.defenders) > 0) | ~stops(state, scene)
    return state.replace(
        attacks=np.where(go_on, state.attacks, 0),
        grenades=np.where(go_on, state.grenades, 0),
    )
