"""What flames and grenades that get into a section do to those who are in it, on either side."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sims.dice import Dice, Draw, Ints, by_digit
from sims.forces import Models, of, total
from sims.games.arap.allocation import passing_on, with_hurt
from sims.games.arap.nerve import casualties, suppression
from sims.games.arap.nerve.leadership import is_unrolled
from sims.games.arap.nerve.suppression import Hits
from sims.games.arap.rolls.wounds import Saves, hurt
from sims.games.arap.shooting import goal_of_shot
from sims.games.arap.unit import Wounds
from sims.profiles import Unit, Weapon
from sims.rulesets.gemini.openings.interiors import Thrown, among, among_rows
from sims.rulesets.gemini.state import Scene, Siege, hits_on, wounded
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
    spared: bool = False,
) -> Siege:
    """Return the state after flames and grenades among some of a side, each of whom takes them as what he is.

    Losses and hits count for its test of heavy casualties or suppression.

    Args:
        inside: Who is in the section.
        thrown: What is thrown, as it is to those with a profile.
        elsewhere: Whether it is a section of the garrison's that is not attacked.
        spared: They count for no test: they fall in its own turn, or are its own.
    """
    force, unit = scene.force(side), state.unit(side)
    some = parts(scene, side, inside)
    rows = [*with_hurt(unit, [(body, total(models)) for body, models, _ in some])]
    profiles = [force.bodies[row.body].profile for row in rows]
    to_each, hits = [thrown(profile) for profile in profiles], hits_on(state, scene, side, spared)
    if len(rows) == 1:
        most = unit.wounds_left(total(inside), profiles[0].W)
        draw, most_lost = among(to_each[0], most, profiles[0].W), int(np.max(most, initial=0))
    else:
        left = [np.maximum(row.models * each.W - row.hurt, 0) for row, each in zip(rows, profiles, strict=True)]
        most_lost = max(int(np.max(wounds, initial=0)) for wounds in left)
        draw = among_rows(to_each, left, profiles, [looks for *_, looks in some], most_lost)
    if hits is not None:
        found, made = draw.made_beside(dice, label, (most_lost + 1) ** len(rows) - 1, hits.matter)
        hits = hits.more(made)
    else:
        found = draw.made(dice, label)
    lost: Wounds = by_digit(found, most_lost + 1, len(rows)) if len(rows) > 1 else (found,)
    dice.tally(f"{side} lost to flames and grenades", total(lost))
    after = state
    for i, ((body, models, _), wounds) in enumerate(zip(some, lost, strict=True), start=1):
        apart = tuple(wounds if b == body else 0 * wounds for b in range(len(force.bodies)))
        named = label if len(rows) == 1 else f"{label}, {i}"
        after = wounded(dice, after, scene, side, apart, named, models, elsewhere=elsewhere)
    return after if spared else counted(state, after, scene, side, hits)


def counted(before: Siege, after: Siege, scene: Scene, side: Side, hits: Hits | None) -> Siege:
    """Return the state after flames and grenades, whose losses and hits on a side count for its test."""
    game, unit = scene.book.game, after.unit(side)
    begun = before.unit(side).models + before.fallen
    so_far = casualties.as_if_fallen(game, begun - unit.models, unit.models)
    tested = not is_unrolled(game, scene.force(side), "heavy_casualties")
    noted = after.replace(fallen=so_far * tested)
    if hits is None:
        return noted
    heavy = casualties.heavy(game, begun - unit.models, begun)
    return noted.replace(hits=suppression.hits_kept(game, scene.force(side), unit, hits, heavy))


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
