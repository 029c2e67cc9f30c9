"""What becomes of those in a section that falls: masonry, saves, and the ways out."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Die, Draw, Ints, Test, Volley, roll
from sims.dice.source import Argument
from sims.forces import Models, by_body, chosen, together, total, without
from sims.games.fantasy.wounds import save_against, unsaved
from sims.inputs import NONE, Count, Number, Save, Toughness, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.casualties import bereft, bereft_of, each_body
from sims.rulesets.realm_of_chaos.setting import filled, from_the_top, way, whereabouts
from sims.rulesets.realm_of_chaos.state import NEIGHBOURS, Scene, Siege
from sims.scenario import Force

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
    left = np.where(is_tough(book, T, W), np.maximum(W - hurt, 1), 1)
    wounds = Draw(Volley((_killed_by(book.tables.collapse.wounds),)), (1, left))
    return fails(book, T, W, save).then(wounds).times(models)


def is_tough(book: RealmOfChaos, T: Argument, W: Argument) -> Bools:
    """Return whether a model is tough enough not to die by any wound of masonry (RC-056)."""
    return np.asarray((book.tables.collapse.tough_T <= T) | (book.tables.collapse.tough_W <= W))


def fails(book: RealmOfChaos, T: Argument, W: Argument, save: Argument) -> Draw:
    """Return whether a model in a falling section fails to save (RC-055, RC-056)."""
    return unsaved(np.where(is_tough(book, T, W), np.minimum(save, book.tables.collapse.tough_save), save))


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


def crush(
    dice: Dice, book: RealmOfChaos, force: Force, models: Models, hurt: Models, *, ground: bool = True
) -> tuple[Models, Models]:
    """Return how many of each body in a falling section are killed, and the wounds that one of each still carries.

    Wounds that do not kill a tough model are kept where it is alone of its kind, such as a leader.

    Args:
        ground: It is the ground section, where those are who are hurt, but for those alone of their kind.
    """
    fates = list[tuple[Ints, Ints]]()
    for (body, own), n, was in zip(each_body(dice, force), models, hurt, strict=True):
        unit, ordinary = body.profile, body == force.bodies[-1]
        if not ordinary and sum(force.groups[i].count for i in body.groups) == 1:
            fates.append(crush_one(own, book, unit, n, was))
        elif ground:
            fates.append(crush_some(own, book, unit, n, was))
        else:
            fates.append((crushed(book, n, unit.T, unit.W, save_against(unit, None)).made(own, "saves"), was))
    dead, carried = zip(*fates, strict=True)
    return dead, carried


def crush_one(dice: Dice, book: RealmOfChaos, unit: Unit, there: Ints, hurt: Ints) -> tuple[Ints, Ints]:
    """Return whether a model that is alone of its kind is killed if it is there, and the wounds it then carries."""
    save = save_against(unit, None)
    if unit.W == 1 or not is_tough(book, unit.T, unit.W):
        dead = crushed(book, there, unit.T, unit.W, save).made(dice, "saves")
        return dead, np.where(dead > 0, 0, hurt)
    failed = fails(book, unit.T, unit.W, save).times(there).made(dice, "saves")
    carried = hurt + roll(dice, "wounds", book.tables.collapse.wounds, failed)
    return (carried >= unit.W).astype(int), np.where(carried < unit.W, carried, 0)


def crush_some(dice: Dice, book: RealmOfChaos, unit: Unit, models: Ints, hurt: Ints) -> tuple[Ints, Ints]:
    """Return how many models with one profile are killed, and the wounds that one still carries.

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
    force, inside = scene.scenario.attackers, scene.inside(state)
    dead, hurt = crush(dice, scene.book, force, by_body(force, inside), state.hurt("attackers"))
    killed = total(dead)
    dice.tally("attackers lost in the collapse", killed)
    after = bereft_of(dice, state, scene, "attackers", dead, inside, "attackers who fall").with_hurt("attackers", hurt)
    return after.replace(outside=state.outside + state.inside - killed, inside=0 * state.inside)


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the garrison's column fall, and by a 7 the one beside it; each model in them saves or is killed.

    Source: Damaging Buildings (RC-055, RC-056, RC-057; partly RC-054, partly RC-060).
    """
    upstairs, in_the_next, _ = whereabouts(state, scene)
    above = filled(scene, upstairs, scene.levels - 1)
    beside = tuple(n * (state.falling == NEIGHBOURS) for n in from_the_top(scene, in_the_next))
    ground, *higher = in_sections(state, scene, above, beside)
    killed, hurt = crush(dice.within("ground"), scene.book, scene.scenario.defenders, ground, state.hurt("defenders"))
    dead_above, hurt = crush_each(dice.within("above"), scene, higher[: len(above)], hurt)
    dead_beside, hurt = crush_each(dice.within("beside"), scene, higher[len(above) :], hurt)
    own = tuple(n - total(dead) for n, dead in zip((state.ground, *above), (killed, *dead_above), strict=True))
    next_to = tuple(n - total(dead) for n, dead in zip(beside, dead_beside, strict=True))
    after = resettled(state, scene, own, next_to)
    lost = state.defenders - after.defenders
    dice.tally("defenders lost in the collapse", lost)
    if state.defenders_kinds:
        elsewhere = tuple(map(total, zip(*dead_above, *dead_beside, strict=True)))
        kinds = left(dice, state, scene, total((*above, *beside)), (killed, elsewhere), lost)
        after = after.replace(defenders_kinds=kinds)
        if scene.scenario.defenders.mixed:
            living = by_body(scene.scenario.defenders, kinds)
            hurt = tuple(was * (n > 0) for was, n in zip(hurt, living, strict=True))
    return after.with_hurt("defenders", hurt)


def in_sections(state: Siege, scene: Scene, above: tuple[Ints, ...], beside: tuple[Ints, ...]) -> list[Models]:
    """Return how many of each body stand in what falls: on the ground, above it and beside, as many as are given.

    Those who fall last stand nearest to the ground of their column, or on top of the next.
    """
    if not scene.scenario.defenders.mixed:
        return [(n,) for n in (state.ground, *above, *beside)]
    here, upstairs = scene.garrison(state)
    found = [here]
    for n in (*above, *reversed(beside)):
        found.append(chosen(upstairs, n, range(len(upstairs))))
        upstairs = without(upstairs, found[-1])
    column = len(above) + 1
    return [by_body(scene.scenario.defenders, models) for models in (*found[:column], *reversed(found[column:]))]


def crush_each(dice: Dice, scene: Scene, sections: Sequence[Models], hurt: Models) -> tuple[list[Models], Models]:
    """Return how many of each body are killed in each of some sections off the ground, and the wounds carried."""
    killed = list[Models]()
    for i, models in enumerate(sections, start=1):
        own = dice.within(f"section {i}")
        dead, hurt = crush(own, scene.book, scene.scenario.defenders, models, hurt, ground=False)
        killed.append(dead)
    return killed, hurt


def left(dice: Dice, state: Siege, scene: Scene, higher: Ints, dead: tuple[Models, Models], lost: Ints) -> Models:
    """Return who of the garrison is left by group: of those in what falls, each falls in his place.

    Args:
        higher: Those who fall with their section, but for those on the ground.
        dead: The killed by body, of those on the ground and of these; the others who are lost find no room.
        lost: All who are lost.
    """
    ground, upstairs = scene.garrison(state)
    elsewhere = chosen(upstairs, higher, range(len(upstairs)))
    after = bereft_of(dice, state, scene, "defenders", dead[0], ground, "who is killed on the ground")
    after = bereft_of(dice, after, scene, "defenders", dead[1], elsewhere, "who is killed elsewhere")
    fallen = without(state.defenders_kinds, after.defenders_kinds)
    alive = without(together(ground, elsewhere), fallen)
    more = lost - total(dead[0]) - total(dead[1])
    return bereft(dice, after, scene, "defenders", more, alive, "who finds no room").defenders_kinds


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
