"""What flames and grenades that get into a section do to those who are in it, on either side."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sims.dice import Dice, Draw, Ints, by_digit
from sims.forces import Models, of, total
from sims.games.arap.allocation import passing_on, with_hurt
from sims.games.arap.nerve.casualties import as_if_fallen
from sims.games.arap.rolls.wounds import Saves, hurt
from sims.games.arap.shooting import goal_of_shot
from sims.games.arap.unit import Wounds
from sims.profiles import Unit, Weapon
from sims.rulesets.gemini.openings.interiors import Thrown, among, among_rows
from sims.rulesets.gemini.state import Scene, Siege, wounded
from sims.scenario import Side


def burnt(
    dice: Dice,
    state: Siege,
    scene: Scene,
    side: Side,
    inside: Models,
    thrown: Callable[[Unit], list[Thrown]],
    label: str,
    *,
    elsewhere: bool = False,
) -> Siege:
    """Return the state after flames and grenades among some of a side, each of whom takes them as what he is.

    Args:
        inside: Who is in the section.
        thrown: What is thrown, as it is to those with a profile.
        elsewhere: Whether it is a section of the garrison's that is not attacked.
    """
    force, unit = scene.force(side), state.unit(side)
    some = parts(scene, side, inside)
    rows = [*with_hurt(unit, [(body, total(models)) for body, models, _ in some])]
    profiles = [force.bodies[row.body].profile for row in rows]
    to_each = [thrown(profile) for profile in profiles]
    if len(rows) == 1:
        most = unit.wounds_left(total(inside), profiles[0].W)
        lost: Wounds = (among(to_each[0], most, profiles[0].W).made(dice, label),)
    else:
        left = [np.maximum(row.models * each.W - row.hurt, 0) for row, each in zip(rows, profiles, strict=True)]
        most_lost = max(int(np.max(wounds, initial=0)) for wounds in left)
        found = among_rows(to_each, left, profiles, [looks for *_, looks in some], most_lost).made(dice, label)
        lost = by_digit(found, most_lost + 1, len(rows))
    dice.tally(f"{side} lost to flames and grenades", total(lost))
    after = state
    for i, ((body, models, _), wounds) in enumerate(zip(some, lost, strict=True), start=1):
        apart = tuple(wounds if b == body else 0 * wounds for b in range(len(force.bodies)))
        named = label if len(rows) == 1 else f"{label}, {i}"
        after = wounded(dice, after, scene, side, apart, named, models, elsewhere=elsewhere)
    return after


def counted(before: Siege, after: Siege, scene: Scene, side: Side, reaction: bool) -> Siege:
    """Return the state after losses of a side to flames and grenades, which count for its test of heavy casualties.

    In a reaction they fall in its own turn, and count for none.
    """
    if reaction:
        return after
    begun, left = before.unit(side).models + before.fallen, after.unit(side).models
    return after.replace(fallen=as_if_fallen(scene.book.game, begun - left, left))


def parts(scene: Scene, side: Side, inside: Models) -> list[tuple[int, Models, int]]:
    """Return who of a side is in a section: of which body, who, and on how much or less they pass a hit on.

    By one ruling characters look out: all but the ordinary models (ARAP-154).
    """
    force = scene.force(side)
    if scene.book.game.rulings.look_out("no"):
        return [(i, of(body, inside), 0) for i, body in enumerate(force.bodies)]
    last, looks, found = len(force.groups) - 1, int(passing_on(scene.book.game).targets[0]), []
    for i, body in enumerate(force.bodies):
        for groups, on in (([g for g in body.groups if g != last], looks), ([g for g in body.groups if g == last], 0)):
            if groups:
                found.append((i, of(replace(body, groups=tuple(groups)), inside), on))
    return found


def harm(scene: Scene, weapon: Weapon, bearer: Unit, target: Unit, distance: Ints) -> Draw:
    """Return what those inside with a profile take who are hit by a weapon."""
    goal = goal_of_shot(scene.book.game, weapon, bearer, target.T, distance)
    return hurt(scene.book.game, goal, Saves.of(target, weapon.AP))
