"""What becomes of those in a section that falls: masonry, saves, and the ways out."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Die, Draw, Ints, Test, Volley, roll
from sims.dice.source import Argument
from sims.forces import Models, by_body, total, without
from sims.games.fantasy.wounds import save_against, unsaved
from sims.inputs import NONE, Count, Number, Save, Toughness, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity
from sims.rulesets.realm_of_chaos.casualties import bereft, bereft_of, each_body
from sims.rulesets.realm_of_chaos.setting import passages
from sims.rulesets.realm_of_chaos.state import (
    NEIGHBOURS,
    OTHER,
    Places,
    Scene,
    Siege,
    anywhere,
    of_party,
    places_of,
    put,
)
from sims.scenario import Body, Force, Side

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
    """Return whether survivors of a collapse may be put outside while the building stands on (RC-057)."""
    return len(scene.plan.columns) > 1


def crush(
    dice: Dice, book: RealmOfChaos, force: Force, models: Models, hurt: Models, carries: Bools
) -> tuple[Models, Models]:
    """Return how many of each body in a falling section are killed, and the wounds that one of each still carries.

    Wounds that do not kill a tough model are kept where it is alone of its kind, such as a leader.

    Args:
        carries: Whether those are here who carry wounds, but for those alone of their kind.
    """
    fates = list[tuple[Ints, Ints]]()
    for (body, own), n, was in zip(each_body(dice, force), models, hurt, strict=True):
        unit = body.profile
        if is_alone(force, body):
            fates.append(crush_one(own, book, unit, n, was))
        else:
            fates.append(crush_some(own, book, unit, n, was, carries))
    dead, carried = zip(*fates, strict=True)
    return dead, carried


def is_alone(force: Force, body: Body) -> bool:
    """Return whether a model is alone of its kind, such as a leader."""
    return body != force.bodies[-1] and sum(force.groups[i].count for i in body.groups) == 1


def crush_one(dice: Dice, book: RealmOfChaos, unit: Unit, there: Ints, hurt: Ints) -> tuple[Ints, Ints]:
    """Return whether a model that is alone of its kind is killed if it is there, and the wounds it then carries."""
    save = save_against(unit, None)
    if unit.W == 1 or not is_tough(book, unit.T, unit.W):
        dead = crushed(book, there, unit.T, unit.W, save).made(dice, "saves")
        return dead, np.where(dead > 0, 0, hurt)
    failed = fails(book, unit.T, unit.W, save).times(there).made(dice, "saves")
    carried = hurt + roll(dice, "wounds", book.tables.collapse.wounds, failed)
    return (carried >= unit.W).astype(int), np.where(carried < unit.W, carried, 0)


def crush_some(
    dice: Dice, book: RealmOfChaos, unit: Unit, models: Ints, hurt: Ints, carries: Bools
) -> tuple[Ints, Ints]:
    """Return how many models with one profile are killed, and the wounds that one still carries.

    Wounds that do not kill a tough model are not kept.
    """
    save = save_against(unit, None)
    if unit.W == 1:
        return crushed(book, models, unit.T, unit.W, save).made(dice, "saves"), hurt
    wounded = ((models > 0) & (hurt > 0) & carries).astype(int)
    killed = crushed(book, models - wounded, unit.T, unit.W, save).made(dice, "saves")
    dies = crushed(book, wounded, unit.T, unit.W, save, hurt).made(dice, "save of the one that is hurt")
    return killed + dies, np.where(dies > 0, 0, hurt)


def is_buried(section: int, side: Side) -> Callable[[Siege, Scene], Bools]:
    """Return the condition that a section falls in which some of a side are."""

    def condition(state: Siege, scene: Scene) -> Bools:
        if not np.any(state.falling):
            return state.falling > 0
        there = places_of(state, side)[section] > 0
        return there & falls(state, scene)[scene.plan.sections[section].column]

    return condition


def falls(state: Siege, scene: Scene) -> list[Bools]:
    """Return of each column whether it falls: the front, and by a 7 those that stand beside it (RC-060)."""
    fronts, both = scene.fronts(state), state.falling == NEIGHBOURS
    found = []
    for column, beside in enumerate(scene.plan.beside):
        next_to_it = reduce(np.logical_or, (fronts[i] for i in beside), np.zeros(1, dtype=np.bool_))
        goes_too = both & next_to_it & (state.stands[column] > 0)
        found.append((fronts[column] & (state.falling > 0)) | goes_too)
    return found


def bury(dice: Dice, state: Siege, scene: Scene, section: int, side: Side) -> Siege:
    """Let models of a side in a falling section save or be killed; those who live get beside it, or out by its door.

    Attackers rather get out by the way they came in. Nobody gets to where enemies are. Who carries wounds is taken to
    be on the ground of the front.

    Source: Damaging Buildings (RC-055, RC-056, RC-057).
    """
    force = getattr(scene.scenario, side)
    there = scene.inside(state, side, section)
    column, level = scene.plan.sections[section]
    carries = scene.fronts(state)[column] & (level == 1)
    dead, hurt = crush(dice, scene.book, force, by_body(force, there), state.hurt(side), carries)
    after = bereft_of(dice, state, scene, side, dead, there, "who is killed")
    bereaved = scene.taken_away(state, after, side, {section: 1}, total(dead))
    living = places_of(bereaved, side)[section]
    places, out, lost = resettled(bereaved, scene, section, side)
    if getattr(state, f"{side}_kinds"):
        alive = without(there, without(getattr(state, f"{side}_kinds"), getattr(after, f"{side}_kinds")))
        for nth, (party, n) in enumerate(zip(scene.parties[side], lost, strict=True)):
            own = dice.within("over 10 feet") if nth else dice
            after = bereft(own, after, scene, side, n, of_party(party, alive), "who finds no room")
    dice.tally(f"{side} lost in the collapse", total(dead) + total(lost))
    after = scene.recounted(after, side, places)
    if side == "attackers":
        after = after.replace(outside=state.outside + total(out))
    else:
        after = after.replace(out=state.out + total(out))
    gone, left = carries & (total(lost) >= living), by_body(force, scene.standing(after, side))
    bodies = zip(force.bodies, hurt, left, strict=True)
    return after.with_hurt(
        side, tuple(np.where((n == 0) | (gone & ~is_alone(force, body)), 0, was) for body, was, n in bodies)
    )


def resettled(state: Siege, scene: Scene, section: int, side: Side) -> tuple[list[Places], Models, Models]:
    """Return where a side is after those who live in a falling section have left it, how many get out, and are lost.

    All of them by party: those over 10 feet are the last to find room, and need as much as they take.
    """
    column, level = scene.plan.sections[section]
    fall, door = falls(state, scene), passages(state, scene)[column] > 0
    gets_out = may_get_out(scene.book, door & (level == 1), door)
    by_party, out, lost = [*scene.counted(state, side)], list[Ints](), list[Ints]()
    for nth, party in enumerate(scene.parties[side]):
        living = by_party[nth][section]
        first = living * gets_out if side == "attackers" else 0 * living
        by_party[nth], left = put(by_party[nth], section, 0 * living), living - first
        for there in party.plan.neighbours[section]:
            if scene.plan.sections[there].level == level:
                into = finding_room(scene.recounted(state, side, by_party), scene, there, side, fall, nth, left)
                by_party[nth], left = put(by_party[nth], there, by_party[nth][there] + into), left - into
        out.append(first + left * gets_out)
        lost.append(left - left * gets_out)
    return by_party, tuple(out), tuple(lost)


def finding_room(
    state: Siege, scene: Scene, section: int, side: Side, fall: Sequence[Bools], party: int, left: Ints
) -> Ints:
    """Return how many of a party who have lived find room in a section beside theirs that stands (RC-005, RC-057)."""
    column, places = scene.plan.sections[section].column, scene.parties[side][party].places[section]
    open_to = (state.stands[column] > 0) & ~fall[column] & (places_of(state, OTHER[side])[section] == 0)
    taken = scene.places_taken(state, side)[section]
    return settled(scene.book, left * places, taken, open_to.astype(int)) // places


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let the front fall, and by a 7 the columns beside it; nothing has hurt the next one that is attacked.

    Source: Damaging Buildings (partly RC-054, partly RC-060).
    """
    stands = tuple(up * ~fall for up, fall in zip(state.stands, falls(state, scene), strict=True))
    goes_on = (state.open > 0) | anywhere(state.contested)
    unhurt = dict.fromkeys(
        ("damage", "tested", "unsafe", "unstable", "unsound", "burning", "falling"), 0 * state.falling
    )
    fired = tuple(n * stands[section.column] for n, section in zip(state.fired, scene.plan.sections, strict=True))
    return state.replace(stands=stands, fired=fired, winner=np.where(goes_on, state.winner, 0), **unhurt)
