"""What becomes of those in a section that falls: masonry, saves, and the ways out."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Die, Draw, Ints, Test, Volley
from sims.dice.source import Argument
from sims.forces import Models, chosen, together, total, without
from sims.games.fantasy.wounds import save_against, unsaved
from sims.inputs import NONE, Count, Number, Save, Toughness, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.casualties import bereft
from sims.rulesets.realm_of_chaos.setting import filled, from_the_top, way, whereabouts
from sims.rulesets.realm_of_chaos.state import NEIGHBOURS, Scene, Siege

Wounds = Annotated[Argument, Number("Wounds.", 1, 60)]


@cache
def _killed_by(wounds: Die) -> Test:
    return Test(f"{wounds.name} wounds kill", 1, wounds.pmf.at_least, lambda W, face: wounds.read(face) >= W)


def crushed(
    book: RealmOfChaos, models: Argument, T: Argument, W: Argument, save: Argument = NONE, hurt: Argument = 0
) -> Draw:
    """Return how many models in a falling section are killed; one that is not tough dies by any wound (RC-055, RC-056).

    Args:
        hurt: Wounds that each of them carries.
    """
    table = book.tables.collapse
    tough = (table.tough_T <= T) | (table.tough_W <= W)
    left = np.where(tough, np.maximum(W - hurt, 1), 1)
    fails = unsaved(np.where(tough, np.minimum(save, table.tough_save), save))
    return fails.then(Draw(Volley((_killed_by(table.wounds),)), (1, left))).times(models)


@asks("RC-055", name="survivors of a collapse")
def survivors(book: RealmOfChaos, models: Count, save: Save = NONE) -> PMF:
    """Return how many models in a falling section live, if they have a way out (RC-055).

    Args:
        models: Models that are not tough.
        save: What their armour needs, or none.
    """
    return crushed(book, models, 1, 1, save).pmf.map(lambda killed: int(models - killed))


@asks("RC-056", name="wounds in a collapse")
def wounds_in_a_collapse(book: RealmOfChaos, T: Toughness, W: Wounds, save: Save = NONE) -> PMF:
    """Return how many Wounds a model in a falling section loses: all of them, or D3 if it is tough (RC-056).

    It loses so many if that would kill it with so many left.

    Args:
        save: What its armour needs, or none.
    """
    wounds = int(np.asarray(W).item())
    killed = (crushed(book, 1, T, W, save, hurt=wounds - n).pmf.at_least(1) for n in range(1, wounds + 1))
    chances = [Fraction(1), *killed, Fraction(0)]
    return PMF.mixture((p - more, PMF.constant(n)) for n, (p, more) in enumerate(pairwise(chances)))


@asks("RC-057", name="survivors in the next section")
def settled(book: RealmOfChaos, survivors: Count, models: Count, sections: Count = 1) -> Ints:
    """Return how many survivors of a collapse find room in the sections that adjoin theirs and stand (RC-057).

    Args:
        survivors: Models that have lived.
        models: Models of their side in the sections beside theirs.
        sections: Those sections.
    """
    return np.minimum(survivors, np.maximum(sections * capacity(book) - models, 0))


def may_get_out(book: RealmOfChaos, door: Truth, door_of_the_column: Truth = False) -> Bools:
    """Return whether survivors may be put outside: from the section with the door, by a ruling its column (RC-057)."""
    by_any = np.logical_and(door_of_the_column, book.rulings.doors_after_collapse("any_door"))
    return np.logical_or(door, by_any)


@asks("RC-057", name="survivors outside")
def survivors_outside(
    book: RealmOfChaos, door: Truth, door_of_the_column: Truth = False
) -> Literal["yes", "no, killed"]:
    """Return whether survivors of a collapse who find no room beside theirs are put outside (RC-057).

    Args:
        door: Their own section had a door.
        door_of_the_column: A section of their column had one.
    """
    return "yes" if may_get_out(book, door, door_of_the_column) else "no, killed"


def may_be_put_out(scene: Scene) -> bool:
    """Return whether survivors of a collapse may find no room in what stands, and get out by the door (RC-057)."""
    crowded = scene.scenario.defenders.models > max(scene.levels - 1, 1) * scene.book.tables.sections.models
    return scene.sections > 2 or (scene.sections > 1 and crowded)


def crush(dice: Dice, book: RealmOfChaos, unit: Unit, models: Ints, hurt: Ints) -> tuple[Ints, Ints]:
    """Return how many models of a unit in a falling section are killed, and the wounds that one still carries.

    Wounds that do not kill a tough model are not kept.
    """
    save = save_against(unit, None)
    if unit.W == 1:
        return crushed(book, models, unit.T, unit.W, save).made(dice, "saves"), hurt
    wounded = ((models > 0) & (hurt > 0)).astype(int)
    killed = crushed(book, models - wounded, unit.T, unit.W, save).made(dice, "saves")
    dies = crushed(book, wounded, unit.T, unit.W, save, hurt).made(dice, "save of the one that is hurt")
    return killed + dies, np.where(dies > 0, 0, hurt)


def bury_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the attackers in the falling section save or be killed; those who live get out by the way they came in.

    Source: Damaging Buildings (RC-055, RC-056, RC-057).
    """
    unit = scene.scenario.attackers.unit
    killed, hurt = crush(dice, scene.book, unit, state.inside, state.attackers_hurt)
    dice.tally("attackers lost in the collapse", killed)
    after = bereft(dice, state, scene, "attackers", killed, scene.inside(state), "attackers who fall")
    return after.replace(outside=state.outside + state.inside - killed, inside=0 * state.inside, attackers_hurt=hurt)


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison's column fall, and by a 7 the one beside it; each model in them saves or is killed.

    Source: Damaging Buildings (RC-055, RC-056, RC-057; partly RC-054, partly RC-060).
    """
    book, unit = scene.book, scene.scenario.defenders.unit
    upstairs, in_the_next, _ = whereabouts(state, scene)
    above = filled(scene, upstairs, scene.levels - 1)
    beside = tuple(n * (state.falling == NEIGHBOURS) for n in from_the_top(scene, in_the_next))
    killed, hurt = crush(dice.within("ground"), book, unit, state.ground, state.defenders_hurt)
    own = (state.ground - killed, *spared(dice.within("above"), book, unit, above))
    next_to = spared(dice.within("beside"), book, unit, beside)
    after = resettled(state, scene, own, next_to)
    lost = state.defenders - after.defenders
    dice.tally("defenders lost in the collapse", lost)
    if state.defenders_kinds:
        higher = total((*above, *beside))
        dead = killed, higher - total((*own[1:], *next_to))
        after = after.replace(defenders_kinds=left(dice, state, scene, higher, dead, lost))
    return after.replace(defenders_hurt=hurt)


def spared(dice: Dice, book: RealmOfChaos, unit: Unit, models: tuple[Ints, ...]) -> tuple[Ints, ...]:
    """Return how many models of a unit live in each of some sections that fall."""
    save = save_against(unit, None)
    draws = (crushed(book, n, unit.T, unit.W, save) for n in models)
    return tuple(
        n - draw.made(dice.within(f"section {i}"), "saves")
        for i, (n, draw) in enumerate(zip(models, draws, strict=True), start=1)
    )


def left(dice: Dice, state: Siege, scene: Scene, higher: Ints, dead: tuple[Ints, Ints], lost: Ints) -> Models:
    """Return who of the garrison is left by group: of those in what falls, each falls in his place.

    Args:
        higher: Those who fall with their section, but for those on the ground.
        dead: The killed, of those on the ground and of these; the others who are lost find no room.
        lost: All who are lost.
    """
    ground, upstairs = scene.garrison(state)
    elsewhere = chosen(upstairs, higher, range(len(upstairs)))
    after = bereft(dice, state, scene, "defenders", dead[0], ground, "who is killed on the ground")
    after = bereft(dice, after, scene, "defenders", dead[1], elsewhere, "who is killed elsewhere")
    fallen = without(state.defenders_kinds, after.defenders_kinds)
    alive = without(together(ground, elsewhere), fallen)
    return bereft(dice, after, scene, "defenders", lost - dead[0] - dead[1], alive, "who finds no room").defenders_kinds


def resettled(state: Siege, scene: Scene, own: tuple[Ints, ...], next_to: tuple[Ints, ...]) -> Siege:
    """Put those who live into the next column that stands, the others outside by the door; nothing has hurt it yet.

    Args:
        own, next_to: Those who live of their column, and of the one beside it if that falls too, on each level from the
            ground up.
    """
    book, both, door = scene.book, state.falling == NEIGHBOURS, way(state, scene) > 0
    _, in_the_next, beyond = whereabouts(state, scene)
    beside, third = from_the_top(scene, in_the_next), from_the_top(scene, beyond)
    stay = taken_in(book, own, beside, ~both & (state.standing > 1))
    go_on = taken_in(book, next_to, third, both & (state.standing > 2))
    without_room = total(own[1:]) - total(stay[1:]) if scene.levels > 1 else 0
    out = state.out + (own[0] - stay[0]) * may_get_out(book, door) + without_room * may_get_out(book, False, door)
    inside = total(stay) + total(go_on) + beyond + np.where(both, 0, in_the_next)
    low = np.where(both, go_on[0] + third[0], stay[0] + beside[0])
    unhurt = dict.fromkeys(("damage", "tested", "unsafe", "unstable", "unsound", "burning", "falling"), 0 * inside)
    return state.replace(
        defenders=inside + out,
        upstairs=inside - low,
        out=out,
        standing=state.standing - 1 - both,
        winner=np.where(state.open > 0, state.winner, 0),
        **unhurt,
    )


def taken_in(book: RealmOfChaos, models: tuple[Ints, ...], beside: tuple[Ints, ...], stands: Bools) -> tuple[Ints, ...]:
    """Return how many survivors on each level find room on the same level beside them, if that stands (RC-057)."""
    sections = stands.astype(int)
    return tuple(settled(book, n, there, sections) for n, there in zip(models, beside, strict=True))
