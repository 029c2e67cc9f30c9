"""The order of play: the stages of both player turns, how an assault begins and how it ends."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, When, both, ending, of_group, only
from sims.dice import Ints
from sims.forces import at_full_strength, begun, total, unhurt
from sims.games.common import order_of_blows, who_strikes
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, alike
from sims.games.wh40k.retreat import at_limit, smaller, standing_again
from sims.games.wh40k.rules import Hit, shots
from sims.games.wh40k.structures import reach_to_hurt
from sims.rulesets.choosing import Way
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.buildings import capacity, classes, firing
from sims.rulesets.storming.setting import set_up
from sims.rulesets.storming.state import LOCKED, SALLIED, Scene, Step, Storm
from sims.rulesets.storming.storm import fight, fireteam, steps
from sims.rulesets.storming.storm.aftermath import sweep
from sims.rulesets.storming.storm.result import morale
from sims.rulesets.storming.storm.steps import failed
from sims.rulesets.storming.usual import flight, ruins, sally, structure
from sims.rulesets.storming.words import translation
from sims.scenario import Force, Scenario


def assault(scenario: Scenario, book: Storming) -> Assault[Storm, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    turns = (
        PlayerTurn("attackers", (*moving_in(scene), *attackers_turn(scene))),
        PlayerTurn("defenders", (*moving_in(scene), *defenders_turn(scene))),
    )
    turn = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(
        book.ruleset.id,
        scene,
        start(scene),
        turn,
        scenario.turns,
        end,
        outcome,
        translation,
        alike,
        at_limit=at_limit,
        smaller=smaller(book.game),
    )


def ways(scenario: Scenario, book: Storming) -> list[Way]:
    """Return the ways to go in that the attackers choose from."""
    return fireteam.ways(set_up(scenario, book))


def moving_in(scene: Scene) -> Iterator[Step]:
    """Yield the stage in which the garrison settles, where there is a die to roll for it."""
    if scene.book.rulings.capacity_from("random"):
        yield Stage("settle", capacity.settle, when=lambda state, _: state.capacity == 0, by="defenders")


def attackers_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the attackers' turn: at the building, then against a garrison that has come out."""
    yield from flight.regrouping(scene)
    if scene.building_class.usual:
        yield from into_the_ruins(scene)
    elif scene.scenario.may_sally:
        yield from only(sally.indoors, at_the_building(scene))
        yield from in_the_open(scene)
    else:
        yield from at_the_building(scene)
    yield from standing_again(scene.book.game)


def defenders_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the garrison's turn: it comes out and charges if it means to, else fires, and fights."""
    sallies, ruined = scene.scenario.may_sally, scene.building_class.usual
    if sallies:
        yield Stage("come out", sally.come_out, when=sally.may_sally)
    if ruined:
        fires = Stage("garrison fires", firing.garrison_fires, when=both(sally.indoors, firing.can_fire))
        yield from flight.attackers_under_fire(scene, [fires])
    else:
        yield from only(sally.indoors, from_inside(scene)) if sallies else from_inside(scene)
    if ruined or sallies:
        yield from in_the_open(scene)


def at_the_building(scene: Scene) -> Iterator[Step]:
    """Yield what attackers do at walls: attack the structure, or storm, as they declare with each charge (ST-020)."""
    if scene.asks_armour and not scene.armour:
        yield Stage(
            "roll armour",
            classes.roll_armour,
            when=lambda state, s: classes.armour_is_rolled(s.book, state.armour, occupied=True),
            by="building",
        )
    yield Stage("advance", structure.advance)
    if scene.reaches:
        yield from demolishing(scene)
    if scene.storming:
        yield from only(structure.storms, steps.storming(scene)) if scene.reaches else steps.storming(scene)


def from_inside(scene: Scene) -> Iterator[Step]:
    """Yield what a garrison does in its building: it fires, and fights on where there is a second round (ST-043)."""
    fires = Stage("garrison fires", firing.garrison_fires, when=firing.can_fire)
    yield from flight.attackers_under_fire(scene, [fires])
    yield Stage("recover", firing.recover)
    yield from only(steps.fights_on, steps.second_round(scene))


def demolishing(scene: Scene) -> Iterator[Step]:
    """Yield the stages of attacks on the structure: by each weapon that can hurt it, then at its walls."""
    weakest = min(classes.possible_armour(scene))
    groups = scene.scenario.attackers.groups
    for i, group in enumerate(groups):
        if group.weapon is not None and reach_to_hurt(scene.book.game, group, weakest) is not None:
            aim = Stage("aim", partial(structure.aim, group=i), when=structure.besieges)
            most = group.count * int(shots(scene.book.game, group.weapon, 0))
            AP = int(Hit.of(group.weapon, group.profile).AP)
            shot = partial(structure.shot_at_structure, group=i)
            yield from of_group(i, group.title, [aim, *each("shot at structure", shot, most, AP)])
    if scene.scenario.plan == "shoot":
        return
    for i, group in enumerate(groups):
        for way, (attacks, hit) in enumerate(structure.strikes(scene, i)):
            if structure.felled(scene, hit) >= weakest:
                go = partial(structure.charge_the_walls, group=i, way=way)
                charge = Stage(f"charge the walls, way {way + 1}", go, when=structure.strikes_now)
                strike = partial(structure.strike_at_structure, group=i, way=way)
                name, most = f"strike at structure, way {way + 1}", group.count * attacks
                yield from of_group(i, group.title, [charge, *each(name, strike, most, int(hit.AP))])


def each(name: str, attack: Callable[..., Storm], times: int, AP: int) -> Iterator[Step]:
    """Yield an attack and the damage it does, again and again: one may change the next."""
    for _ in range(times):
        yield Stage(name, attack, when=lambda state, _: state.shots > 0)
        yield Stage(
            f"{name}: damage", partial(structure.damage, AP=AP), when=lambda state, _: state.hit > 0, by="building"
        )
        yield Stage(f"{name}: thrown out", structure.thrown_out, when=lambda state, _: state.falling > 0, by="building")


def into_the_ruins(scene: Scene) -> Iterator[Step]:
    """Yield what attackers do to a garrison in ruins: advance, shoot where they do not charge, and fight (ST-005)."""
    squad, garrison = scene.scenario.attackers, scene.scenario.defenders
    yield Stage("advance", structure.advance, when=sally.indoors)
    if any(ruins.shoots(group) for group in squad.groups):
        fire = Stage("attackers fire", ruins.attackers_fire, when=ruins.stay_off)
        yield from flight.garrison_under_fire(scene, [fire])
    if scene.scenario.plan != "shoot":
        yield Stage("charge in", ruins.charge_in, when=both(sally.indoors, structure.within_charge))
        yield from blows(ruins.into_cover(squad, scene), garrison, when=ruins.assaulted)
    yield from blows(squad, garrison, when=sally.locked)
    yield from result()


def in_the_open(scene: Scene) -> Iterator[Step]:
    """Yield a round by the usual rules, which is fought in the turns of both players (BASE-034)."""
    yield from blows(scene.scenario.attackers, scene.scenario.defenders, when=sally.fighting)
    yield from result()


def blows(squad: Force, garrison: Force, when: When[Storm, Scene]) -> Iterator[Step]:
    """Yield the blows of a round, in the order of Initiative that two forces have."""
    for i, step in enumerate(order_of_blows(squad, garrison), start=1):
        strike = partial(sally.trade_blows, attackers=step[0], defenders=step[1])
        yield Stage(f"strike, step {i}", strike, when=when, by=who_strikes(step))


def result() -> Iterator[Step]:
    """Yield what the blows of a round lead to (BASE-034 to BASE-038)."""
    yield Stage("morale", morale, when=sally.must_test, by="both sides")
    yield Stage("sweep", sweep, when=both(sally.fighting, failed(ATTACKERS, DEFENDERS)), by="both sides")
    yield Stage("attackers run", sally.attackers_run, when=both(sally.fighting, failed(ATTACKERS)), by="attackers")
    yield Stage("garrison is beaten", sally.garrison_is_beaten, when=sally.beaten, by="defenders")
    yield Stage("lock", sally.lock, when=sally.fighting, by="both sides")


def start(scene: Scene) -> Storm:
    """Return the state before the first turn: what is not 0 in it."""
    scenario = scene.scenario
    attackers = at_full_strength(scenario.attackers)
    return Storm(
        attackers=attackers,
        defenders=at_full_strength(scenario.defenders),
        attackers_begun=begun(scenario.attackers, scenario.one_of_several),
        defenders_begun=begun(scenario.defenders, scenario.one_of_several),
        distance=np.array([scenario.distance]),
        armour=np.array([scene.armour if scene.asks_armour else 0]),
        mounted=np.array([len(scenario.mounted)]),
        fireteam=(np.array([0]),) * len(attackers),
        attackers_others_hurt=unhurt(scenario.attackers),
        defenders_others_hurt=unhurt(scenario.defenders),
        dealt=tuple(np.array([0]) for _ in fight.kinds_struck(scene)),
    )


def end(state: Storm, scene: Scene) -> Ints:
    """Say how it has ended: a garrison driven out or wiped out has lost the building (ST-041, ST-044)."""
    gone = (total(state.attackers) == 0) | (state.broken > 0)
    return ending(destroyed=state.destroyed > 0, captured=(state.taken > 0) & ~gone, broken=gone)


def outcome(state: Storm, scene: Scene) -> Outcome:
    """Say what it has cost; a garrison that has come out has left the building."""
    defenders = total(state.defenders)
    left = (defenders == 0) | (state.place == SALLIED) | (state.place == LOCKED)
    return Outcome(
        attackers_lost=scene.scenario.attackers.models - total(state.attackers),
        defenders_lost=capacity.garrison_size(state, scene) - defenders,
        cleared=left | (state.taken > 0) | (state.destroyed > 0),
    )
