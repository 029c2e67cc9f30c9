"""Models that fall: how many by the wounds they suffer, and who."""

from collections.abc import Iterator

import numpy as np

from sims.dice import Dice, Ints
from sims.forces import Models, fall, killed, of, total, without
from sims.games.fantasy.targets import Targets
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Body, Force, Side


def targets(state: Siege, scene: Scene, side: Side, among: Models) -> Targets:
    """Return some models of a side as those whom attacks can reach."""
    who, force = scene.book.game.rulings.who_falls, getattr(scene.scenario, side)
    if not force.mixed:
        return Targets(who, force, among, among, state.hurt(side))
    begun: Models = getattr(state, f"{side}_begun")
    return Targets(who, force, scene.standing(state, side), among, state.hurt(side), begun)


def suffer(
    dice: Dice, state: Siege, scene: Scene, side: Side, wounds: Models, among: Models, label: str
) -> tuple[Siege, Ints]:
    """Let some models of a side suffer unsaved wounds, one after the other; return also how many of them fall.

    The caller takes them from where they stand.

    Args:
        wounds: Of each body.
    """
    fallen, hurt = dead_and_hurt(targets(state, scene, side, among), wounds)
    return bereft_of(dice, state, scene, side, fallen, among, label).with_hurt(side, hurt), total(fallen)


def dead_and_hurt(those: Targets, wounds: Models) -> tuple[Models, Models]:
    """Return how many of each body fall by its wounds, and the wounds that another of it then carries."""
    fallen, hurt = list[Ints](), list[Ints]()
    for body, there, was, lost in zip(those.force.bodies, those.models, those.hurt, wounds, strict=True):
        dead, carried = killed(was, lost, body.profile.W)
        fallen.append(np.minimum(dead, there))
        goes_on = (fallen[-1] < there) | (there == 0)  # where nobody is, the hurt model is elsewhere
        hurt.append(np.where(goes_on, carried, 0))
    return tuple(fallen), tuple(hurt)


def each_body(dice: Dice, force: Force) -> Iterator[tuple[Body, Dice]]:
    """Yield each body with dice of its own; the ordinary models have those at hand."""
    *others, ordinary = force.bodies
    for nth, body in enumerate(others, start=1):
        yield body, dice.within(f"body {nth}")
    yield ordinary, dice


def bereft_of(dice: Dice, state: Siege, scene: Scene, side: Side, fallen: Models, among: Models, label: str) -> Siege:
    """Settle who of some models of a side falls, of each body so many; see `bereft`. One of one group needs no dice."""
    force = getattr(scene.scenario, side)
    if not force.mixed:
        return bereft(dice, state, scene, side, fallen[0], among, label)
    for (body, own), dead in zip(each_body(dice, force), fallen, strict=True):
        able = of(body, among)
        if len(body.groups) > 1:
            state = bereft(own, state, scene, side, dead, able, label)
        else:
            left = without(getattr(state, f"{side}_kinds"), tuple(np.minimum(n, dead) for n in able))
            state = state.replace(**{f"{side}_kinds": left})
    return state


def bereft(dice: Dice, state: Siege, scene: Scene, side: Side, fallen: Ints, among: Models, label: str) -> Siege:
    """Settle who of some models of a side falls, where that does not follow from how many are left."""
    kinds: Models = getattr(state, f"{side}_kinds")
    if not kinds:
        return state
    who, force, begun = (
        scene.book.game.rulings.who_falls,
        getattr(scene.scenario, side),
        getattr(state, f"{side}_begun"),
    )
    left = fall(dice, who, force, kinds, fallen, label, among, begun=begun)
    return state.replace(**{f"{side}_kinds": left})
