"""Flames and grenades across a doorway: what two sides in neighbouring sections throw at each other before they shoot.

    behind | under attack | attackers | empty        what misses the section aimed at may come down in the next
           |      <-------------------+              on either side of it: here behind, or among the attackers
           +---------------------> * <               and here among the garrison, or where nobody is

Grenades are thrown first, all at once; then they burst, one section after the other.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.forces import Models, chosen, total, without
from sims.games.arap.rolls.circumstances import Circumstances, modifiers
from sims.games.arap.shooting import grenade, in_shooting, shoots, shots_of, small_group, throwing, throws
from sims.profiles import Unit
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import OwnBuilding
from sims.rulesets.gemini.openings import flames, indoors
from sims.rulesets.gemini.openings.grenades import close_by
from sims.rulesets.gemini.openings.interiors import Thrown, burst
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.sections.between import aimed_between, on_the_other_side, still_there
from sims.rulesets.gemini.state import Scene, Siege
from sims.scenario import Group, Side


def used(scene: Scene) -> bool:
    """Return whether flames and grenades are used from section to section at all: not through doors that are shut."""
    stand_open = OwnBuilding.of(scene.scenario.building).inner_doors == "open"
    return scene.in_turn > 1 and stand_open and scene.book.rulings.across_doorways("first")


def fighters(state: Siege, scene: Scene, side: Side) -> Models:
    """Return who of a side is in the section next to the enemy's."""
    return rooms.party(state, scene) if side == "attackers" else rooms.inside(state, scene)


def burners(state: Siege, scene: Scene, side: Side) -> Models:
    """Return who of a side has a template weapon there."""
    pairs = zip(fighters(state, scene, side), scene.force(side).groups, strict=True)
    return tuple(n * setting.burns(group) for n, group in pairs)


def throwers(state: Siege, scene: Scene, side: Side) -> Models:
    """Return who throws grenades across the doorway: a quarter of the unit, ordinary models first (ARAP-156).

    Those with template weapons burn instead; who has thrown has others for a charge.
    """
    groups = scene.force(side).groups
    if not used(scene):
        return tuple(map(np.zeros_like, state.unit(side).standing))
    pairs = zip(fighters(state, scene, side), groups, strict=True)
    able = tuple(n * setting.hurls(group) for n, group in pairs)
    most = throwing(scene.book.game, state.unit(side).models) * rooms.is_entered(state, scene)
    return chosen(able, most, range(len(groups))[::-1])


def points(state: Siege, side: Side) -> Ints:
    """Return the action points that a side gives to shooting."""
    return state.volleys if side == "attackers" else state.defenders.points


def have_blasts(state: Siege, scene: Scene, side: Side, nth: int) -> Bools:
    """Return where a side has flames or grenades for those in the next section, in one of its shootings."""
    using = total(burners(state, scene, side)) + total(throwers(state, scene, side))
    others = total(fighters(state, scene, scene.enemy(side)))
    able = (state.dazed == 0) | (side == "attackers")
    return shoots(nth, points(state, side)) & rooms.is_entered(state, scene) & (using > 0) & (others > 0) & able


def throw(dice: Dice, state: Siege, scene: Scene, side: Side, nth: int) -> Siege:
    """Throw the grenades: of those that miss some still come down in the section aimed at, and others come back.

    Source: Shooting and Building Sections; Hand Grenades (GB-119, ARAP-156).
    """
    book, thrown, back = scene.book, 0 * state.distance, 0 * state.distance
    for BS, n in by_skill(scene.force(side).groups, throwers(state, scene, side)).items():
        count = in_shooting(nth, points(state, side), partial(throws, book.game, n))
        aimed = aimed_between(book, BS + at_few(state, scene, side), "thrown")
        astray = aimed.failed.then(still_there(book).failed).times(count)
        thrown, back = thrown + count, back + astray.made(dice, f"astray, thrown with Ballistic Skill {BS}")
    return state.replace(lobbed=np.maximum(thrown - back, 0), back=back)


def by_skill(groups: Sequence[Group], models: Models) -> dict[int, Ints]:
    """Return how many of some models that can throw have each Ballistic Skill."""
    found: dict[int, Ints] = {}
    for group, n in zip(groups, models, strict=True):
        if setting.hurls(group):
            found[group.profile.BS] = found.get(group.profile.BS, 0) + n
    return found


def stray(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Let each of those that come back go to the other side of the section aimed at instead, as likely (GB-119)."""
    on = on_the_other_side(scene.book).times(state.back).made(dice, "on the other side of it")
    return state.replace(back=np.maximum(state.back - on, 0), beyond=on * (side == "attackers"))


def may_stray(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where another section than that of the throwers lies next to the one aimed at, as they are stormed."""
    others = scene.in_turn - state.held > 1 if side == "attackers" else state.held > 1
    return (state.back > 0) & others


def blast_ahead(dice: Dice, state: Siege, scene: Scene, side: Side, nth: int, reaction: bool) -> Siege:
    """Burn and blast the next section, in which everybody is hit, or those behind cover on a die of their own.

    Source: Shooting and Building Sections; Confined Spaces (GB-094, GB-102, GB-116, GB-117, GB-119).
    """
    enemy, have_grenades = scene.enemy(side), any(map(setting.hurls, scene.force(side).groups))

    def thrown(target: Unit) -> list[Thrown]:
        grenades = [bursts(state, scene, state.lobbed, target)] if have_grenades else []
        return [*shots(state, scene, side, nth, target), *grenades]

    them = fighters(state, scene, enemy)
    after = indoors.burnt(dice, state, scene, enemy, them, thrown, "flames and grenades", spared=reaction)
    return after.replace(lobbed=0 * state.lobbed)


def blast_back(dice: Dice, state: Siege, scene: Scene, side: Side) -> Siege:
    """Let grenades burst that have come back among those who threw them, which counts for no test (GB-119)."""

    def thrown(target: Unit) -> list[Thrown]:
        return [bursts(state, scene, state.back, target)]

    own = fighters(state, scene, side)
    after = indoors.burnt(dice, state, scene, side, own, thrown, "grenades that come back", spared=True)
    return after.replace(back=0 * state.back)


def blast_beyond(dice: Dice, state: Siege, scene: Scene, reaction: bool) -> Siege:
    """Let the attackers' grenades burst that have come down behind the section attacked (GB-119)."""

    def thrown(target: Unit) -> list[Thrown]:
        return [bursts(state, scene, state.beyond, target)]

    them, label = next_behind(state, scene), "grenades beyond it"
    after = indoors.burnt(dice, state, scene, "defenders", them, thrown, label, elsewhere=True, spared=reaction)
    return after.replace(beyond=0 * state.beyond)


def next_behind(state: Siege, scene: Scene) -> Models:
    """Return who of the garrison is in the section behind the one attacked."""
    behind, sections = without(state.defenders.standing, rooms.inside(state, scene)), scene.in_turn - state.held - 1
    nearest = rooms.evenly(total(behind), sections) * (sections > 0)
    return chosen(behind, nearest, range(len(behind)))


def shots(state: Siege, scene: Scene, side: Side, nth: int, target: Unit) -> Iterator[Thrown]:
    """Yield the shots of template weapons, at people in hard cover."""
    book, enemy = scene.book, scene.enemy(side)
    crowd, interior = total(fighters(state, scene, enemy)), OwnBuilding.of(scene.scenario.building).interior
    for group, n in zip(scene.force(side).groups, burners(state, scene, side), strict=True):
        if not setting.burns(group):
            continue
        assert group.weapon is not None
        each = in_shooting(nth, points(state, side), partial(shots_of, book.game, group, state.distance))
        skill = group.profile.BS + at_few(state, scene, side)
        hurts = indoors.harm(scene, group.weapon, group.profile, target, state.distance)
        yield flames.through_opening(book, n * each, skill, "hard", crowd, interior, hurts, group.title)


def bursts(state: Siege, scene: Scene, grenades: Ints, target: Unit) -> Thrown:
    """Return some grenades that come down among those with a profile."""
    interior = OwnBuilding.of(scene.scenario.building).interior
    hurts = indoors.harm(scene, grenade(scene.book.game), target, target, state.distance)
    return burst(scene.book, close_by(grenades), interior, hurts, "grenade")


def at_few(state: Siege, scene: Scene, side: Side) -> Ints:
    """Return what is added to Ballistic Skill for enemies who are few."""
    enemy = scene.enemy(side)
    few = small_group(scene.book.game, scene.force(enemy), state.unit(enemy).models)
    return modifiers(scene.book.game, Circumstances(models=few))
