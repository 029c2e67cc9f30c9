"""A storm: who fights at the openings, the blows, and who gives way."""

from fractions import Fraction
from functools import partial
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, roll
from sims.dice.source import Argument
from sims.forces import Models, chosen, together, total, without
from sims.games.arap import melee, nerve
from sims.games.arap.allocation import Marks
from sims.games.arap.melee import Wounds
from sims.games.arap.moving.charge import NEAR, SHORT, Size
from sims.games.arap.unit import Wounds as Suffered
from sims.inputs import Chance, Count, Inches, Leadership
from sims.questions import asks
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import Gemini, OwnBuilding, WayUp
from sims.rulesets.gemini.openings import way_in
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.sections.levels import on_a_ladder
from sims.rulesets.gemini.sections.onwards import brings_bonus, charge_over_two
from sims.rulesets.gemini.state import Scene, Siege, marks, wounded
from sims.rulesets.gemini.turn import leadership_of
from sims.scenario import Side

Result = Literal["they win", "a draw", "they lose"]


def entering(state: Siege, scene: Scene) -> Bools:
    """Return where chargers have reached a way in."""
    return (state.charge > SHORT) & (setting.intent(state, scene) == setting.ENTER)


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
    return rooms.is_entered(state, scene) & behind & setting.charging(state, scene)


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
    pinned = state.unit(scene.enemy(charging)).pinned > 0
    again = renewed(state, scene) & (charging == "attackers")
    return [melee.against_cover(game, group.profile.I, pinned, again, unit.models, carriers) for group in groups]


def steps(scene: Scene, charging: Side) -> list[tuple[int, ...]]:
    """Return the steps of a fight, each by the Initiatives that strike in it."""
    groups, others = scene.force(charging).groups, scene.force(scene.enemy(charging)).groups
    ours = {group.profile.I for group in groups}
    if not all("assault" in group.profile.grenades for group in groups):
        ours.add(scene.book.game.tables.combat.against_cover)
    return melee.initiative_steps(ours, {group.profile.I for group in others})


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare wounds, with a point for charging, and let the loser test to rout; if he stands, the attackers draw off.

    A garrison that routs counts as killed to the last model in the section, and the attackers occupy it; attackers that
    rout have broken. Otherwise they fall back an inch, and may storm again.

    Source: Not Pursuing; Close Combat and Building Sections (ARAP-215, GB-127, GB-128, GB-129, GB-130,
    GB-131).
    """
    rulings, scenario = scene.book.rulings, scene.scenario
    crowd, several = rooms.crowd(state, scene), scene.in_turn > 1
    lead = melee.lead(scene.book.game, state.margin, ~renewed(state, scene)) * (crowd > 0)
    theirs = nerve.leadership_of(scene.book.game, scenario.defenders, rooms.inside(state, scene))
    tests, fails = rout_test(dice, state, scene, lead, theirs)
    routed = fails & (lead > 0)
    back: Ints | int = inches_back(scene.book)
    if rulings.losing_attackers("flinch"):
        flinches = tests & ~fails & (lead < 0) & ~rooms.is_entered(state, scene)
        back = np.maximum(gap_after_flinch(dice, scene.book, 0, flinches), back)
    attackers, broken = state.attackers, fails & (lead < 0)
    if several:
        lost = tuple(n * (broken & rooms.is_entered(state, scene)) for n in rooms.party(state, scene))
        attackers = attackers.with_models(scenario.attackers, without(attackers.standing, lost))
        dice.tally("attackers lost in the rout", total(lost))
    defenders, gone = state.defenders, routed & rulings.routed_defenders("ejected") & (not several)
    if several or rulings.routed_defenders("destroyed"):
        inside = tuple(n * routed for n in rooms.inside(state, scene))
        defenders = defenders.with_models(scenario.defenders, without(defenders.standing, inside))
        dice.tally("defenders lost in the rout", np.where(routed, crowd, 0))
    again = rulings.renewed_storm("continued")
    after = state.replace(
        attackers=attackers,
        defenders=defenders,
        broken=broken.astype(int),
        driven_out=gone.astype(int),
        distance=back + np.zeros_like(state.distance),
        charge=np.zeros_like(state.charge),
        margin=np.zeros_like(state.margin),
        stormed=np.full_like(state.stormed, int(again)),
    )
    return taken(after, scene, np.where(routed, 0, crowd)) if several else after


def taken(state: Siege, scene: Scene, left: Ints) -> Siege:
    """Return the state where attackers hold a section that nobody is left in; the next storm is a new combat (GB-127).

    What they have done to the outer wall lies behind them, and is not counted any more.

    Args:
        left: Of the garrison, in the section.
    """
    takes = (left == 0) & (state.attackers.models > 0) & (state.broken == 0)
    held = np.minimum(state.held + takes, scene.in_turn - 1)
    here = np.where(takes, rooms.evenly(state.defenders.models, scene.in_turn - held), left)
    return state.replace(held=held, here=here, stormed=state.stormed * ~takes, damage=state.damage * ~takes)


@asks("GB-129", name="section taken", needs=("ARAP-012", "ARAP-204", "GB-127"))
def takes_section(book: Gemini, Ld: Leadership, result: Result = "they lose", wounds: Wounds = 0) -> Fraction:
    """Return the chance that attackers take a section some of whose defenders live: these lose and rout (GB-129).

    Args:
        Ld: Leadership of the defenders.
        result: Of the round, for the defenders.
        wounds: Wound difference by which they lost.
    """
    return rout_of_defenders(book, Ld, wounds).failed.pmf[1] if result == "they lose" else Fraction(0)


@asks("GB-129", name="inches back from a section")
def inches_back(book: Gemini) -> int:
    """Return how far attackers draw back who are repulsed (GB-129)."""
    return book.tables.storming.fall_back


@asks("GB-130", name="pursuit by defenders")
def may_pursue(result: Result, attackers_rout: bool = False) -> bool:
    """Return whether defenders may pursue, which they never have to (GB-130).

    Args:
        result: Of the round, for the defenders.
        attackers_rout: Whether the attackers have failed their rout test.
    """
    return result == "they win" and attackers_rout


@asks("GB-127", name="defenders that rout", needs=("ARAP-012", "ARAP-204"), ask="P(failed)")
def rout_of_defenders(book: Gemini, Ld: Leadership, wounds: Wounds) -> Draw:
    """Return the rout test of defenders who have lost a round: if they fail it, none of them is left (GB-127).

    Args:
        wounds: Wound difference by which they lost; 0 if only the point for the charge decided.
    """
    return nerve.rout(book.game, Ld, 0 - wounds)


@asks("GB-128", name="winners who stay", needs=("ARAP-215",))
def stays(book: Gemini, Ld: Leadership = 0, frenzied: bool = False) -> Fraction:
    """Return the chance that attackers who have won may stay in the section and occupy it (GB-128).

    Args:
        Ld: Leadership of the attackers; it matters if they are frenzied.
        frenzied: Whether the attackers are frenzied, and test not to pursue.
    """
    return nerve.stays(book.game, Ld, frenzied=frenzied)


@asks("ARAP-205", name="flinch")
def gap_of_flinch(dice: Dice, book: Gemini, gap: Inches) -> Ints:
    """Return the inches between two sides after the loser of a round has flinched (ARAP-205).

    Args:
        gap: Inches before.
    """
    return gap_after_flinch(dice, book, gap, True)


def gap_after_flinch(dice: Dice, book: Gemini, gap: Argument, when: Argument) -> Ints:
    """Return the inches between two sides after a round, more of them where the loser flinches (ARAP-205)."""
    return gap + roll(dice, "flinch", book.tables.storming.flinch, when)


@asks("ARAP-205", name="engaged after a flinch")
def holds_after_flinch(dice: Dice, book: Gemini, gap: Inches, loser: Size = 2, winner: Size = 2) -> Bools:
    """Return whether the loser of a round is still engaged after a flinch (ARAP-205).

    Args:
        gap: Inches between them before.
        loser: Size of the loser, which gives its melee radius.
        winner: Size of the winner.
    """
    return melee.still_engaged(book.game, np.asarray(-1), gap_of_flinch(dice, book, gap), (loser, winner))


def rout_test(dice: Dice, state: Siege, scene: Scene, lead: Ints, Ld_inside: Ints) -> tuple[Bools, Bools]:
    """Test the loser of a round; return where there is a test, and where it is failed."""
    units, Ld = (state.attackers, state.defenders), leadership_of(state, scene, "attackers")
    return nerve.rout_test(dice, scene.book.game, units, lead, state.margin, (Ld, Ld_inside))


def draw_off(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Leave those who have struck at the structure an inch from it.

    Source: Close Combat and Building Sections (GB-129).
    """
    back = scene.book.tables.storming.fall_back
    return state.replace(charge=np.zeros_like(state.charge), distance=np.full_like(state.distance, back))
