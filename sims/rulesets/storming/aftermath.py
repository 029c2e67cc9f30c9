"""After the fight: who comes out and finds room, who falls back, who occupies, who draws off."""

from typing import Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Die, Ints, passes, roll
from sims.dice.source import Argument
from sims.forces import fall, together, total, without
from sims.games.wh40k import nerve, open_fight
from sims.games.wh40k.combat import CAUGHT
from sims.games.wh40k.transport import gets_in, placed
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import ATTACKERS, Scene, Storm

Kind = Literal["infantry", "jump infantry"]
UNLIMITED = 60


def sweep(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the winner catch those who run, where it may: they are destroyed.

    Source: Storming Buildings (ST-036), base rules (BASE-036).
    """
    lead = np.where(state.failed == ATTACKERS, -1, 1)
    behind = open_fight.falls_behind(lead, scene.scenario.attackers, scene.scenario.defenders)
    caught = passes(dice, "sweeping advance", CAUGHT, behind)
    squad, garrison = caught & (state.failed == ATTACKERS), caught & (state.failed != ATTACKERS)
    dice.tally("attackers lost to the sweeping advance", total(state.attackers) * squad)
    dice.tally("defenders lost to the sweeping advance", total(state.defenders) * garrison)
    return state.replace(
        attackers=tuple(n * ~squad for n in state.attackers),
        fireteam=tuple(n * ~squad for n in state.fireteam),
        defenders=tuple(n * ~garrison for n in state.defenders),
        defenders_hurt=state.defenders_hurt * ~garrison,
    )


def attackers_room(rules: Storming) -> int:
    """Return how many models of a Fireteam can be placed outside (ST-037)."""
    return UNLIMITED if rules.rulings.attackers_room("all") else rules.tables.room.attackers


def defenders_room(rules: Storming, access: int, supporters: Argument) -> Ints:
    """Return how many defenders can be placed outside: none where supporters close every access point (ST-039)."""
    if rules.rulings.defenders_room("given"):
        return np.asarray(rules.tables.room.defenders)
    closed = np.minimum(rules.tables.room.covered, supporters)
    return np.where(closed < access, UNLIMITED, 0)


@asks("ST-037", name="Fireteam models lost for want of room")
def fireteam_lost(rules: Storming, survivors: int, room: int | None = None) -> int:
    """Return how many Fireteam models are destroyed because they cannot be placed (ST-037).

    Parameters
    ----------
    rules : Storming
    survivors : int
        Of the Fireteam.
    room : int
        Models that can be placed; as the ruling has it if not given.
    """
    found = attackers_room(rules) if room is None else room
    at_most(UNLIMITED, survivors=survivors, room=found)
    return survivors - int(placed(survivors, found))


@asks("ST-039", name="defenders lost for want of room")
def garrison_lost(
    rules: Storming, survivors: int, room: int | None = None, access: int = 1, supporters: int = 0
) -> int:
    """Return how many defenders who are driven out are destroyed because they cannot be placed (ST-039).

    Parameters
    ----------
    rules : Storming
    survivors : int
        Of the garrison.
    room : int
        Models that can be placed; as the ruling has it if not given.
    access : int
        Access points.
    supporters : int
        Of the attackers, near them.
    """
    free = int(defenders_room(rules, access, supporters)) if room is None else room
    at_most(UNLIMITED, survivors=survivors, room=free, access=access, supporters=supporters)
    return survivors - int(placed(survivors, free))


def _comes_out(dice: Dice, state: Storm, scene: Scene, when: Bools | Literal[True] = True) -> Storm:
    """Place the Fireteam outside with its squad; those without room are lost (ST-037)."""
    inside = total(state.fireteam)
    lost = np.where(when, inside - placed(inside, attackers_room(scene.rules)), 0)
    dice.tally("attackers lost for want of room", lost)
    outside = without(state.attackers, state.fireteam)
    return state.replace(
        attackers=together(fall(state.fireteam, lost), outside),
        fireteam=tuple(np.zeros_like(n) for n in state.fireteam),
    )


def fall_back_dice(rules: Storming, kind: str, side: Literal["attackers", "defenders"]) -> Die:
    """Return the dice of inches that a side falls back (ST-038, ST-040)."""
    rulings = rules.rulings
    back, out = rulings.jump_falling_back("three_dice"), rulings.jump_falling_out("three_dice")
    if kind == "jump infantry" and (back if side == "attackers" else out):
        return nerve.fall_back_dice(rules.game, kind)
    return rules.tables.falling_back.inches


@asks("ST-038", "ST-040", name="fall back after a storming")
def falls_back(rules: Storming, side: Literal["attackers", "defenders"] = "attackers", kind: Kind = "infantry") -> PMF:
    """Return how far a side falls back after a storming, in inches (ST-038, ST-040).

    Parameters
    ----------
    rules : Storming
    side : str
        Attackers or defenders.
    kind : str
        Of unit.
    """
    return fall_back_dice(rules, kind, side).pmf


def attackers_fall_back(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Bring the Fireteam out of a storming that the attackers have failed; the whole squad falls back.

    Source: Storming Buildings (ST-037, ST-038), base rules (BASE-037).
    """
    out = _comes_out(dice, state, scene)
    inches = fall_back_dice(scene.rules, scene.scenario.attackers.unit.kind, "attackers")
    dice.tally("inches the attackers fell back", roll(dice, "attackers fall back", inches))
    return out.replace(broken=np.ones_like(state.broken))


def defenders_driven_out(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Place the garrison outside the building it has lost; those without room are lost, the others fall back.

    Source: Storming Buildings (ST-039, ST-040), base rules (BASE-037).
    """
    survivors, supporters = total(state.defenders), total(without(state.attackers, state.fireteam))
    lost = survivors - placed(survivors, defenders_room(scene.rules, scene.access, supporters))
    dice.tally("defenders lost for want of room", lost)
    inches = fall_back_dice(scene.rules, scene.scenario.defenders.unit.kind, "defenders")
    dice.tally("inches the garrison fell back", roll(dice, "garrison falls back", inches, survivors > lost))
    return state.replace(defenders=fall(state.defenders, lost))


def holds(rules: Storming, squad: Argument, capacity: Argument, kind: str) -> Bools:
    """Return whether a building holds a whole squad (ST-041, BASE-030)."""
    places = squad * (2 if kind == "jump infantry" and rules.rulings.jump_inside("two_places") else 1)
    return gets_in(rules.game, places, capacity)


def occupies(rules: Storming, squad: Argument, capacity: Argument, kind: str, wiped_out: Argument) -> Bools:
    """Return whether a squad may and does occupy the building it has taken (ST-041)."""
    rulings, jump = rules.rulings, kind == "jump infantry"
    fits = holds(rules, squad, capacity, kind) | rulings.squad_too_large("yes")
    choice = ~np.asarray(wiped_out, dtype=np.bool_) | rulings.wiped_out_garrison("occupy")
    barred = (jump and rulings.jump_inside("not_at_all")) or rulings.after_taking("consolidate")
    return np.asarray(fits & choice & (not barred))


@asks("ST-041", name="may occupy")
def may_occupy(rules: Storming, squad: int, agreed: int, kind: Kind = "infantry", wiped_out: bool = False) -> bool:
    """Return whether a squad occupies the building it has taken; otherwise it consolidates (ST-041).

    Parameters
    ----------
    rules : Storming
    squad : int
        Models of the squad.
    agreed : int
        The capacity of the building.
    kind : str
        Of unit.
    wiped_out : bool
        Whether the garrison was wiped out, not driven out.
    """
    return bool(occupies(rules, squad, agreed, kind, wiped_out))


@asks("ST-041", "ST-042", name="consolidation after a storming")
def consolidates(rules: Storming) -> PMF:
    """Return how far the attackers may move after a storming, in inches (ST-041, ST-042).

    Parameters
    ----------
    rules : Storming
    """
    return rules.game.tables.consolidation.inches.pmf


def _consolidate(dice: Dice, scene: Scene, when: Bools | Literal[True] = True) -> None:
    """Roll for the inches of a consolidation (ST-041, ST-042)."""
    inches = roll(dice, "consolidation", scene.rules.game.tables.consolidation.inches, when)
    dice.tally("inches the attackers may consolidate", inches)


def take(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Occupy the building that the garrison has lost, or bring the Fireteam out and consolidate.

    Source: Storming Buildings (ST-041, ST-044), base rules (BASE-030, BASE-038).
    """
    rulings, scenario = scene.rules.rulings, scene.scenario
    capacity = state.capacity if rulings.capacity_from("random") else scenario.building.capacity
    wiped_out = total(state.defenders) == 0
    squad, kind = total(state.attackers), scenario.attackers.unit.kind
    stays = occupies(scene.rules, squad, capacity, kind, wiped_out)
    _consolidate(dice, scene, ~stays)
    dice.tally("attackers who occupy the building", squad * stays)
    crowded = ~(stays | holds(scene.rules, squad, capacity, kind))
    dice.tally("attackers who are too many to stay inside", squad * crowded)
    after = _comes_out(dice, state, scene, ~stays & rulings.fireteam_after("comes_out"))
    return after.replace(taken=np.ones_like(state.taken))


def draw_off(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Bring the Fireteam back to its squad, which at once moves clear of the walls: nobody is locked.

    They go no farther than they must, since they mean to come back.

    Source: Storming Buildings (ST-037, ST-042, ST-043), base rules (BASE-038).
    """
    _consolidate(dice, scene)
    clear = scene.rules.tables.drawing_off.distance
    return _comes_out(dice, state, scene).replace(distance=np.full_like(state.distance, clear))
