"""A storm: who fights at the openings and from section to section, and the blows."""

from fractions import Fraction
from functools import partial

import numpy as np

from sims.dice import Bools, Dice, Ints, roll
from sims.dice.source import Argument
from sims.forces import Models, chosen, together, total, without
from sims.games.arap import melee
from sims.games.arap.allocation import Marks
from sims.games.arap.moving.charge import NEAR, SHORT
from sims.games.arap.unit import Wounds as Suffered
from sims.games.arap.unit import is_pinned
from sims.inputs import Chance, Count
from sims.questions import asks
from sims.rulesets.gemini import plans
from sims.rulesets.gemini.book import Gemini, OwnBuilding, WayUp
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.sections.levels import on_a_ladder
from sims.rulesets.gemini.sections.onwards import brings_bonus, charge_over_two
from sims.rulesets.gemini.state import Scene, Siege, marks, wounded
from sims.scenario import Side


def entering(state: Siege, scene: Scene) -> Bools:
    """Return where chargers have reached a way in."""
    return (state.charge > SHORT) & (plans.intent(state, scene) == plans.ENTER)


def one_to_one(room: Argument, models: Argument, enemies: Argument) -> Ints:
    """Return how many pairs of models fight in a section that both sides are in (GB-123).

    Args:
        room: How many attackers can come in.
    """
    return np.minimum(room, np.minimum(models, enemies))


@asks("GB-126", name="pairs at the openings")
def pairs(book: Gemini, openings: Count, models: Count, enemies: Count) -> Ints:
    """Return how many pairs of models fight where attackers charge a section from outside, one to one (GB-126).

    Args:
        openings: Doorways and windows that they use.
        models: Attackers.
        enemies: Those inside.
    """
    return one_to_one(way_in.abreast(book, openings), models, enemies)


@asks("GB-123", name="close combat in a section")
def are_locked(models: Count, enemies: Count) -> Bools:
    """Return whether two sides that are in the same section are locked in close combat (GB-123)."""
    return one_to_one(models, models, enemies) > 0


@asks("GB-124", "GB-126", name="models at a single opening")
def at_a_single_opening(dice: Dice, book: Gemini, side: Side, models: Count) -> Ints:
    """Return how many models of a side fight where one attacks the other through a single opening (GB-124, GB-126).

    Args:
        side: Whose they are.
        models: All that it has there.
    """
    return at_the_opening(dice, book, side, models, True)


def at_the_opening(dice: Dice, book: Gemini, side: Side, models: Argument, thrown: Argument) -> Ints:
    """Return how many models of a side fight at a single opening, where dice decide (GB-124)."""
    return np.minimum(roll(dice, f"{side} at the opening", book.tables.storming.doorway, thrown), models)


@asks("GB-124", name="lead at a single opening")
def surplus(dice: Dice, book: Gemini, attackers: Count, defenders: Count) -> Ints:
    """Return by how many those who attack through a single opening outnumber those who defend it (GB-124)."""
    fighting = at_a_single_opening(dice, book, "attackers", attackers)
    return fighting - at_a_single_opening(dice, book, "defenders", defenders)


def engage(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Settle who fights: pairs at the openings, or dice of attackers and of defenders at a single one.

    Pairs are for larger buildings: those of several sections, on whatever floor. From one section into the next it is
    dice against dice, of attackers on a ladder no more than get up it (GB-027).

    A garrison that has to fight in its own turn does nothing else in it but spread, shaken or not.

    Source: Close Combat and Building Sections (GB-108, GB-123, GB-124, GB-126).
    """
    ruling, attackers = scene.book.rulings.doorway_fight, total(rooms.party(state, scene))
    defenders, entered = rooms.crowd(state, scene), rooms.is_entered(state, scene)
    facing = one_to_one(way_in.admitted(state, scene), attackers, defenders)
    single = (way_in.openings(state, scene) < way_in.SEVERAL) & (way_in.holes(state, scene) == 0)
    one = scene.sections * scene.floors == 1
    thrown = single & one if ruling("by_size") else ruling("dice") | np.zeros_like(single)
    if scene.in_turn > 1:
        thrown = (thrown | entered) & (defenders > 0)
    up = on_a_ladder(scene.book, scene.scenario.attackers.unit.bulk)
    most = np.where(by_ladder(state, scene), up, attackers)
    a = at_the_opening(dice, scene.book, "attackers", np.minimum(attackers, most), thrown)
    d = at_the_opening(dice, scene.book, "defenders", defenders, thrown)
    return state.replace(
        attackers_in=np.where(thrown, a, facing),
        defenders_in=np.where(thrown, d, facing),
        charge=0 * state.charge + NEAR,
        dazed=0 * state.dazed,
    )


def open_ahead(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who can charge on in a hall find the next section empty, and the garrison behind it."""
    behind = (scene.in_turn - state.held > 1) & (state.here == 0) & (state.defenders.models > 0)
    return rooms.is_entered(state, scene) & behind & plans.charging(state, scene)


def cross(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Charge through an empty section of a hall at those in the one behind it, if the charge reaches so far.

    Source: Movement through Building Sections (GB-110).
    """
    crossed = charge_over_two(dice, scene.book, scene.scenario.attackers.unit.move)
    held = state.held + crossed
    ahead = rooms.evenly(state.defenders.models, scene.in_turn - held)
    return state.replace(held=held, here=np.where(crossed, ahead, state.here))


def by_ladder(state: Siege, scene: Scene) -> Bools:
    """Return where attackers have to go up a ladder: from floor to floor of a house without stairs (GB-109)."""
    return goes_up(state, scene) & (way_up(scene) == "ladder")


def goes_up(state: Siege, scene: Scene) -> Bools:
    """Return where attackers go on from one floor to the next."""
    return rooms.is_entered(state, scene) & (state.held % scene.sections == 0)


def way_up(scene: Scene) -> WayUp:
    """Return what is between two floors."""
    return OwnBuilding.of(scene.scenario.building).links


def fighting(state: Siege, scene: Scene) -> Bools:
    """Return where a fight is going on."""
    return (state.attackers_in > 0) | (state.defenders_in > 0)


def strike(
    dice: Dice, state: Siege, scene: Scene, step: tuple[int, ...], last: bool, charging: Side = "attackers"
) -> Siege:
    """Let everybody strike whose Initiative it is, all together; the slain are gone before the next step.

    After the last step only the wound difference counts, and no more of it than Leadership feels.

    Source: Close Combat and Building Sections; Ladders (GB-028, GB-121, GB-124, GB-125).
    """
    attackers, defenders = state.attackers.standing, state.defenders.standing
    going_in = chosen(attackers, state.attackers_in, melee.best_fighters(scene.scenario.attackers))
    facing = defending(state, scene)
    attacking = attacks_of(state, scene, "attackers", going_in, charging, step)
    answering = attacks_of(state, scene, "defenders", facing, charging, step)
    lost = scene.book.rulings.surplus_wounds("lost")
    ours, theirs = attackers, defenders
    if scene.in_turn > 1:
        ours, theirs = rooms.party(state, scene), rooms.inside(state, scene)
    most = (state.attackers_in, state.defenders_in) if lost else (total(ours), total(theirs))
    others = (None, None) if lost else (without(ours, going_in), without(theirs, facing))
    at_defenders = marks(state, scene, "defenders", facing, most[1], others[1])
    at_attackers = marks(state, scene, "attackers", going_in, most[0], others[0])
    on_defenders = blows(dice, scene, "defenders", attacking, at_defenders)
    on_attackers = blows(dice, scene, "attackers", answering, at_attackers)
    dice.tally("defenders lost in the fight", total(on_defenders))
    dice.tally("attackers lost in the fight", total(on_attackers))
    after = wounded(dice, state, scene, "attackers", on_attackers, "attackers in the fight", going_in, others[0])
    after = wounded(dice, after, scene, "defenders", on_defenders, "defenders in the fight", facing, others[1])
    after = after.replace(
        attackers_in=np.maximum(state.attackers_in - state.attackers.models + after.attackers.models, 0),
        defenders_in=np.maximum(state.defenders_in - state.defenders.models + after.defenders.models, 0),
        margin=state.margin + total(on_defenders) - total(on_attackers),
    )
    if not last:
        return after
    none, worst = np.zeros_like(state.attackers_in), scene.book.game.tables.combat.worst_difference
    return after.replace(attackers_in=none, defenders_in=none, margin=np.clip(after.margin, worst - 1, 1 - worst))


def able_inside(state: Siege, scene: Scene) -> Models:
    """Return who of the garrison can fight at the section attacked, or from it: not the fallen, by one reading."""
    near = rooms.inside(state, scene)
    return near if scene.book.rulings.failed_jump("fights") else not_fallen(state, near)


def not_fallen(state: Siege, models: Models) -> Models:
    """Return who of some of the garrison has not fallen in a jump."""
    return tuple(np.maximum(n - down, 0) for n, down in zip(models, state.fallen_in, strict=True))


def defending(state: Siege, scene: Scene) -> Models:
    """Return who of the garrison fights."""
    return chosen(able_inside(state, scene), state.defenders_in, melee.best_fighters(scene.scenario.defenders))


def attacks_of(
    state: Siege, scene: Scene, side: Side, fighting: Models, charging: Side, step: tuple[int, ...]
) -> Models:
    """Return the attacks in a step of those of a side who fight; chargers have more, if they have not fallen down."""
    game, force = scene.book.game, scene.force(side)
    if side != charging:
        A = tuple(n * group.profile.A for n, group in zip(fighting, force.groups, strict=True))
        return melee.in_step(A, [group.profile.I for group in force.groups], step)
    upright, order = on_their_feet(state, scene, side, fighting), melee.best_fighters(force)
    found = melee.attacks(game, force, upright, charge_bonus(state, scene, side), order)
    more = tuple((n - up) * g.profile.A for n, up, g in zip(fighting, upright, force.groups, strict=True))
    return melee.in_step(together(found, more), initiatives(state, scene, charging), step)


def charge_bonus(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where those of a side who charge have the bonus of it: not by a ladder, which a garrison jumps down."""
    if side == "defenders":
        return np.ones_like(state.held, dtype=np.bool_)
    return ~renewed(state, scene) & (brings_bonus(way_up(scene)) | ~goes_up(state, scene))


def on_their_feet(state: Siege, scene: Scene, side: Side, fighting: Models) -> Models:
    """Return who of those who fight has not fallen; by one reading nobody fights who has."""
    if side == "attackers" or scene.book.rulings.failed_jump("down"):
        return fighting
    return not_fallen(state, fighting)


def blows(dice: Dice, scene: Scene, on: Side, attacks: Models, at: Marks) -> Suffered:
    """Draw the wounds of one side's blows at some of the other."""
    striking = partial(melee.blows, scene.book.game, scene.force(scene.enemy(on)), attacks)
    return at.by_body(at.suffer(dice, f"blows at the {on}", striking))


def renewed(state: Siege, scene: Scene) -> Bools:
    """Return where this is no new combat but a storm that goes on (GB-131)."""
    return (state.stormed > 0) & scene.book.rulings.renewed_storm("continued")


@asks("GB-131", name="taken within so many storms")
def chance_of_taking(chance: Chance, storms: Count) -> Fraction:
    """Return the chance that attackers who may storm again take a building (GB-131).

    Args:
        chance: The chance of each storm.
        storms: How many storms.
    """
    return 1 - (1 - chance) ** int(storms)


def initiatives(state: Siege, scene: Scene, charging: Side) -> list[Ints]:
    """Return the Initiative at which each group of chargers strikes: last against cover, unless grenades go in first.

    Pinned enemies have no benefit of cover, and by one ruling no garrison in a storm that goes on (GB-125).
    """
    game, groups, unit = scene.book.game, scene.force(charging).groups, state.unit(charging)
    pairs = zip(unit.standing, groups, strict=True)
    carriers = sum((n for n, group in pairs if "assault" in group.profile.grenades), 0)
    pinned = is_pinned(state.unit(scene.enemy(charging)).pinned)
    again = renewed(state, scene) & (charging == "attackers")
    return [melee.against_cover(game, group.profile.I, pinned, again, unit.models, carriers) for group in groups]


def steps(scene: Scene, charging: Side) -> list[tuple[int, ...]]:
    """Return the steps of a fight, each by the Initiatives that strike in it."""
    groups, others = scene.force(charging).groups, scene.force(scene.enemy(charging)).groups
    ours = {group.profile.I for group in groups}
    if not all("assault" in group.profile.grenades for group in groups):
        ours.add(scene.book.game.tables.combat.against_cover)
    return melee.initiative_steps(ours, {group.profile.I for group in others})
