"""Fire: the garrison's at attackers in the open, and the attackers' at those who fire out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints
from sims.dice.source import Argument
from sims.forces import Models, chosen, longest_range_first, total, without
from sims.games.arap.allocation import Against, Attack, Marks, in_sight
from sims.games.arap.areas.firing import Aim, areas, grenades
from sims.games.arap.areas.ranks import CLEAR, HARD, Lane
from sims.games.arap.book import Arap
from sims.games.arap.nerve import casualties, suppression
from sims.games.arap.nerve.casualties import after_fire
from sims.games.arap.rolls.circumstances import Circumstances, behind_cover, modifiers
from sims.games.arap.rolls.hits import Modifiers, hit
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, shot_that_hurts
from sims.games.arap.shooting import (
    DIRECT,
    Salvo,
    Shooter,
    in_shooting,
    is_aimed,
    is_last,
    reaches,
    salvoes,
    shoots,
    shots_of,
    small_group,
    throws,
    under_fire,
)
from sims.inputs import NONE, Count, Piercing, Skill, Strength, Toughness, Truth
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.gemini import plans, setting
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.openings import smoke, way_in
from sims.rulesets.gemini.openings.ports import at_ports, port_modifier
from sims.rulesets.gemini.routs import stand
from sims.rulesets.gemini.sections import across, rooms
from sims.rulesets.gemini.sections.between import at_garrison, in_hard_cover
from sims.rulesets.gemini.state import Scene, Siege, after_losses, hits_on, marks
from sims.rulesets.gemini.turn import leadership_of
from sims.scenario import Group, Side


def garrison_fires(dice: Dice, state: Siege, scene: Scene, nth: int, reaction: bool) -> Siege:
    """Let the garrison fire out at the attackers: six models of a section, of a bunker one for each inch of slot.

    Built-in weapons are fired by others. Those who man the openings, with a weapon that reaches the enemy, can be fired
    at until the unit's next activation; nobody takes the place of those who fall before it. Who throws grenades stays
    out of sight (ARAP-158).

    Source: Shooting and Building Sections; Bunkers (GB-111, GB-114, GB-134; partly GB-074).
    """
    game, points = scene.book.game, state.defenders.points
    groups, out = scene.scenario.defenders.groups, with_free_hands(state, scene, setting.who_fire_out(state, scene))
    way, entered, places = (
        setting.approach(state, scene),
        rooms.is_entered(state, scene),
        rooms.firing_places(state, scene),
    )
    in_all = tuple(shots_of(game, group, state.distance, points, way.smoke) for group in groups)
    able = tuple(np.where(s > 0, n, 0) for n, s in zip(out, in_all, strict=True))
    gunners = chosen(able, places, longest_range_first(scene.scenario.defenders))
    thrown = setting.throws_outside(scene, "defenders", gunners, state.defenders.models, state.distance)
    thrown = tuple(n * ~entered for n in thrown)
    firing = without(gunners, thrown)
    shooters = shooting(state, scene, zip(groups, firing, strict=True), nth, points, way)
    idle = np.maximum(total(rooms.in_view(state, scene)) - total(gunners), 0)
    crews = np.minimum(state.mounted, np.where(entered, 0, idle))
    mounted = (Group(scene.scenario.defenders.unit, weapon, None, 1) for weapon in scene.scenario.mounted)
    crewed = ((crew, (crews > i).astype(int)) for i, crew in enumerate(mounted))
    shooters += shooting(state, scene, crewed, nth, points, way)
    few = small_group(game, scene.scenario.attackers, state.attackers.models)
    of = Circumstances(from_hard_cover=~entered, models=few, corrected=state.defenders.laid & ~way.smoke)
    fire = Fire(shooters, of, way, hands=throwers(scene, zip(groups, thrown, strict=True), nth, points))
    last = is_last(nth, points)
    party = rooms.party(state, scene)
    after = suffer(dice, state, scene, "attackers", fire, total(party), last, reaction, party)
    ready = total(tuple(n * reaches(g, state.distance) for g, n in zip(groups, out, strict=True)))
    manned = np.minimum(ready, places)
    sees_all = way_in.at_an_opening(state, scene) & (scene.in_turn == 1) & stand(state, scene)
    unseen = (total(gunners) == 0) | sees_all | entered
    exposed = np.where(unseen, 0, np.maximum(manned - total(thrown), 0))
    fired = (total(gunners) > 0) & way_in.shuttered(state, scene)
    done = after.with_unit("defenders", points=np.where(last, 0, points))
    done = done.replace(exposed=exposed, fired=fired.astype(int))
    return has_shot(done, scene, "defenders", total(firing) > 0)


def with_free_hands(state: Siege, scene: Scene, able: Models) -> Models:
    """Return who of some of the garrison does not throw grenades into the next section."""
    pairs = zip(able, across.throwers(state, scene, "defenders"), strict=True)
    return tuple(np.maximum(n - thrown, 0) for n, thrown in pairs)


def take_cover(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Take those out of sight who fired out before: no shot comes any more before their side acts (GB-114)."""
    return state.replace(exposed=0 * state.exposed)


def has_shot(state: Siege, scene: Scene, side: Side, fires: Bools) -> Siege:
    """Return the state where a side that fires may correct its aim by that, where this is played at all (ARAP-117)."""
    return state.with_unit(side, shot=state.unit(side).shot | fires) if scene.corrects_aim else state


def shooting(
    state: Siege,
    scene: Scene,
    models: Iterable[tuple[Group, Ints]],
    nth: int,
    points: Ints,
    way: Lane = CLEAR,
    aims: Argument = 0,
) -> list[Shooter]:
    """Return what some models of each group shoot in one shooting of their unit.

    Args:
        way: What is between the building and the attackers.
        aims: How many points go to an Aim action first.
    """
    game = scene.book.game
    return [
        (group, n, in_shooting(nth, points, partial(shots_of, game, group, state.distance, smoke=way.smoke), aims))
        for group, n in models
        if group.weapon
    ]


def throwers(scene: Scene, models: Iterable[tuple[Group, Ints]], nth: int, points: Ints) -> list[Shooter]:
    """Return what some models of each group throw in one shooting of their unit (ARAP-156)."""
    game = scene.book.game
    if game.rulings.grenades_outside("kept"):
        return []
    each = in_shooting(nth, points, partial(throws, game, 1))
    return [(group, n, each) for group, n in models if setting.throws(group)]


def attackers_fire(dice: Dice, state: Siege, scene: Scene, nth: int, reaction: bool) -> Siege:
    """Let the attackers fire at those who fired out, or at everybody inside from within 2 inches of an opening.

    Weapons that are used on the structure are not fired here, and who throws a grenade does not shoot.

    Source: Shooting and Building Sections; Shooting at Firing Ports (GB-113, GB-114, GB-115, GB-145;
    partly GB-083, partly GB-144).
    """
    game, about, groups = scene.book.game, plans.intent(state, scene), scene.scenario.attackers.groups
    at_structure = (about == plans.BATTER) | (about == plans.STRIKE)
    entered = rooms.is_entered(state, scene)
    free_hands = without(rooms.party(state, scene), smoke.throwers(state, scene))
    free_hands = without(free_hands, across.throwers(state, scene, "attackers"))
    free_hands = tuple(n * ~(entered & setting.has_area(g.weapon)) for g, n in zip(groups, free_hands, strict=True))
    free = (np.where(at_structure, 0, n) if i in scene.gunners else n for i, n in enumerate(free_hands))
    armed, way, aims = zip(groups, free, strict=True), setting.approach(state, scene), plans.aims(state, scene)
    shooters = shooting(state, scene, armed, nth, state.volleys, way, aims)
    seen, last = way_in.targets(state, scene), is_last(nth, state.volleys)
    of = Circumstances(
        models=small_group(game, scene.scenario.defenders, state.defenders.models),
        from_hard_cover=(way.cover == HARD) & ~entered,
        aimed=is_aimed(game, groups[-1], state.distance, nth, aims),
        corrected=state.attackers.laid & ~way.smoke,
    )
    able = way_in.in_seen_sections(state, scene)
    inside = in_sight(dice, game, scene.scenario.defenders, state.defenders, able, seen)
    fire = Fire(shooters, of, way, cover(scene.book, ports=scene.sealed) + at_garrison(state, scene))
    after = suffer(dice, state, scene, "defenders", fire, seen, last, reaction, inside)
    direct = tuple(n * each for group, n, each in shooters if group.weapon and group.weapon.kind in DIRECT)
    fires = (sum(direct, 0 * seen) > 0) & (seen > 0)
    done = after.replace(volleys=np.where(at_structure | ~last, state.volleys, 0))
    return has_shot(done, scene, "attackers", fires)


def have_volleys(state: Siege, scene: Scene, nth: int) -> Bools:
    """Return where the attackers give points to shooting, for as many shootings as that, and see somebody."""
    return shoots(nth, state.volleys) & rooms.sees_others(state, scene)


def cover(book: Gemini, *, ports: bool) -> int:
    """Return the modifier for firing at those inside: hard cover, or firing ports (GB-113, GB-115, partly GB-144)."""
    return port_modifier(book) if ports else in_hard_cover(book)


@asks("GB-113", "GB-115", name="fire at those inside", needs=("ARAP-005", "ARAP-011", "ARAP-120"))
def fire_inside(
    book: Gemini,
    shots: Count,
    BS: Skill,
    modifiers: Modifiers = 0,
    S: Strength = 0,
    T: Toughness = 0,
    save: SaveGoal = NO_SAVE,
    AP: Piercing = NONE,
    near: Truth = True,
) -> Draw:
    """Return how many shots hit those who fire out, or are seen through a window, or wound them (GB-113, GB-115).

    Args:
        shots: In one shooting action.
        BS: Ballistic Skill.
        modifiers: Other than that for those inside.
        S: Strength of the shots; 0 to count hits.
        T: Toughness of those inside.
        save: Their armour save, or none.
        near: Whether they are shot at from short range.
    """
    aimed = hit(book.game, BS, modifiers + cover(book, ports=False))
    return shot_that_hurts(book.game, aimed, S, T, Saves(armour_against(save, AP)), near).times(shots)


@dataclass(frozen=True)
class Fire:
    """A shooting of a unit at people.

    Attributes:
        shooters: Who shoots.
        of: In what circumstances they shoot, but for the cover of those whom they shoot at.
        way: What is between the building and the attackers.
        inside: What is added to Ballistic Skill for the cover of those inside; None if they are in the open.
        hands: Who throws grenades at those in the open, beside those who shoot.
    """

    shooters: Sequence[Shooter]
    of: Circumstances
    way: Lane = CLEAR
    inside: Argument | None = None
    hands: Sequence[Shooter] = ()

    def quiet_and_loud(self) -> tuple["Fire", "Fire"]:
        """Return the fire of weapons that cause no pinning test, and that of those that do."""
        loud = [shooter for shooter in self.shooters if setting.pins(shooter[0].weapon)]
        quiet = [shooter for shooter in self.shooters if not setting.pins(shooter[0].weapon)]
        return replace(self, shooters=quiet), replace(self, shooters=loud, hands=())

    def modifier(self, book: Arap) -> Argument:
        """Return what is added to Ballistic Skill, for cover too."""
        covered = behind_cover(book, self.way.cover) if self.inside is None else self.inside
        return modifiers(book, self.of) + covered

    def salvoes(self, book: Arap, target: Unit, distance: Ints, modifier: Argument) -> list[Salvo]:
        """Return the shots at models with one profile."""
        return salvoes(book, self.shooters, target, distance, modifier, smoke=self.way.smoke)

    def areas(self, book: Arap, target: Unit, aim: Aim) -> list[Attack]:
        """Return the markers, streams and grenades at such models: in the open alone."""
        if self.inside is not None:
            return []
        return [*areas(book, self.shooters, target, aim, self.of), *grenades(book, self.hands, target, aim, self.of)]

    def against(self, dice: Dice, scene: Scene, at: Marks, aim: Aim) -> Against | None:
        """Return what it is to some of a unit, in a bunker behind its firing ports; None if nothing is fired."""
        if not self.shooters and not self.hands:
            return None
        game, ordinary = scene.book.game, at.force.unit
        modifier = self.modifier(game)
        own = self.salvoes(game, ordinary, aim.distance, modifier)
        around = self.areas(game, ordinary, aim)
        if not own and not around:
            return None

        def shots(target: Unit) -> list[Salvo]:
            return own if target is ordinary else self.salvoes(game, target, aim.distance, modifier)

        def fired(target: Unit) -> list[Attack]:
            on_all = around if target is ordinary else self.areas(game, target, aim)
            return [*(salvo.attack for salvo in shots(target)), *on_all]

        return at_ports(dice, scene.book, at, shots) if scene.sealed and self.inside is not None else fired


def suffer(
    dice: Dice,
    state: Siege,
    scene: Scene,
    side: Side,
    fire: Fire,
    most: Ints,
    last: Bools,
    reaction: bool,
    among: Models | None = None,
) -> Siege:
    """Let a side, or some of it, suffer a shooting, test for pinning, and note at the last whether losses are heavy.

    Args:
        most: How many of them can be hit.
        among: Who they are inside; everybody, in the open, if not given.
    """
    game, unit = scene.book.game, state.unit(side)
    hit = unit.standing if among is None else among
    at, aim = marks(state, scene, side, hit, most), Aim(scene.ranks(side), unit.models, state.distance, fire.way)
    plain, loud = fire.quiet_and_loud()
    quiet = plain.against(dice.within("quiet"), scene, at, aim)
    heard = loud.against(dice.within("loud"), scene, at, aim)
    guns = total(tuple(n for _, n, _ in loud.shooters)) if loud.shooters else 0
    Ld = leadership_of(state, scene, side) if loud.shooters else 0
    hits = hits_on(state, scene, side, reaction)
    lost, pinned, hits = under_fire(dice, game, unit, at, quiet, heard, guns, Ld, reaction, scene.rerolls(side), hits)
    dice.tally(f"{side} lost to shooting", total(lost))
    after, fallen = after_fire(dice, game, unit, scene.force(side), lost, pinned, state.fallen, last, reaction, hit)
    if hits is not None:
        heavy = casualties.heavy(game, unit.models + state.fallen - after.models, unit.models + state.fallen)
        after, so_far = suppression.after_fire(game, scene.force(side), after, hits, heavy, last)
        state = state.replace(hits=so_far)
    slain = state.defenders.models - after.models if side == "defenders" else 0
    elsewhere = slain - lost_here(state, scene, slain, most) if scene.in_turn > 1 else 0
    return after_losses(state, scene, side, after, elsewhere).replace(fallen=fallen)


def lost_here(state: Siege, scene: Scene, slain: Argument, seen: Ints) -> Ints:
    """Return how many of those slain by shots are in the section attacked: they fall evenly on those who are seen.

    That is its share, to the nearest model; of a half it keeps the man, so that of two sections none has two more.

    Args:
        slain: Of the garrison.
        seen: How many of it could be hit.
    """
    share = np.multiply(slain, way_in.targets_here(state, scene))
    return -((seen - 2 * share) // np.maximum(2 * seen, 1))


def can_fire(state: Siege, scene: Scene, nth: int) -> Bools:
    """Return where the garrison has points to fire with, as often as that, and sees somebody."""
    able = (state.defenders.models > 0) & (state.dazed == 0) & rooms.sees_others(state, scene)
    return shoots(nth, state.defenders.points) & able
