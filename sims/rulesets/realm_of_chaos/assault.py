"""The stages of a turn, and how a scenario is put into these rules' words."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import Bools
from sims.errors import CasemateError
from sims.games.fantasy.rules import order_of_blows
from sims.rulesets.realm_of_chaos import fabric, fight, movement, plans, shooting
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import capacity, door_width, fabric_of, sections
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.scenario import Scenario

Step = Stage[Siege, Scene]


def assault(scenario: Scenario, book: RealmOfChaos) -> Assault[Siege, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    sides = (scenario.first, "defenders" if scenario.first == "attackers" else "attackers")
    order = tuple(PlayerTurn(side, tuple(player_turn(scene, side))) for side in sides)
    return Assault(book.ruleset.id, scene, start(scene), order, scenario.turns, outcome, translation(scene))


def set_up(scenario: Scenario, book: RealmOfChaos) -> Scene:
    """Put a scenario into these rules' words (RC-001; partly RC-002, partly RC-010).

    Raises
    ------
    CasemateError
        If the garrison does not fit.
    """
    building = scenario.building
    number = sections(book, *building.footprint)
    walls = fabric_of(book, building.material)
    order = tuple(order_of_blows(scenario.attackers, scenario.defenders))
    shooters, strikers = plans.shooters(book, scenario, walls), plans.strikers(book, scenario, walls)
    scene = Scene(scenario, book, number, walls, shooters, strikers, halt=0, order=order)
    room = capacity(book) + scene.elsewhere
    if scenario.defenders.models > room:
        raise CasemateError(
            f"{building.title} holds {room} models under {book.ruleset.title}: {number} sections on each of "
            f"{building.levels} levels (RC-003); got {scenario.defenders.models} defenders"
        )
    return Scene(scenario, book, number, walls, shooters, strikers, plans.halting_distance(scene), order)


def player_turn(scene: Scene, side: str) -> Iterator[Step]:
    """Yield the stages of a player turn (RC-078): start, movement, shooting, combat."""
    rulings = scene.rules.rulings
    every_turn, at_once = rulings.stability_rolls("every_player_turn"), rulings.stability_rolls("at_once")
    test = (Stage(fabric.stability, when=fabric.is_rolled_for), Stage(fabric.collapse, when=is_("falling")))
    if every_turn or (not at_once and side == scene.scenario.first):
        yield from test
    yield from attackers_move(scene) if side == "attackers" else defenders_move()
    if scene.strikers:
        yield Stage(shooting.strike_fabric, when=at_the_walls)
    for turn in range(len(scene.order)):
        yield Stage(partial(fight.strike, turn=turn), when=is_("fight"))
    yield Stage(fight.result, when=is_("fight"))
    yield Stage(fight.hack_attackers, when=is_("routing", ATTACKERS))
    yield Stage(fight.hack_defenders, when=is_("routing", DEFENDERS))
    if at_once:
        yield from test


def attackers_move(scene: Scene) -> Iterator[Step]:
    """Yield what the attackers do in their Movement and Shooting phases."""
    yield Stage(movement.advance)
    yield Stage(movement.enter, when=movement.at_the_door)
    if scene.shooters and scene.scenario.plan != "storm":
        yield Stage(shooting.shoot_at_fabric, when=aims_at_fabric)
    yield Stage(shooting.shoot_in, when=has_targets)


def defenders_move() -> Iterator[Step]:
    """Yield what the garrison does in its Movement and Shooting phases."""
    yield Stage(movement.step)
    yield Stage(shooting.garrison_fires, when=lambda state, _: state.inside == 0)


def is_(field: str, value: int | None = None) -> Callable[[Siege, Scene], Bools]:
    """Return the condition that a field of the state is set, or has a value."""

    def condition(state: Siege, scene: Scene) -> Bools:
        held = getattr(state, field)
        return np.asarray(held != 0 if value is None else held == value)

    return condition


def at_the_walls(state: Siege, scene: Scene) -> Bools:
    """Return where attackers stand at the walls to bring them down."""
    return np.asarray(scene.besieging(state) & (state.distance == 0) & (state.inside == 0))


def aims_at_fabric(state: Siege, scene: Scene) -> Bools:
    """Return where attackers shoot at the walls: to bring them down, or for want of better targets."""
    better = (scene.scenario.plan == "shoot") & (state.fired > 0)
    return np.asarray((state.inside == 0) & ~better)


def has_targets(state: Siege, scene: Scene) -> Bools:
    """Return where attackers who are not inside may shoot at defenders."""
    return np.asarray((state.inside == 0) & (state.fired > 0))


def start(scene: Scene) -> Siege:
    """Return the state before the first turn: the garrison fills the ground section; the rest wait in the building."""
    zero = np.zeros(1, dtype=np.int64)
    garrison = scene.scenario.defenders.models
    names = (
        "inside", "attackers_hurt", "defenders_hurt", "moved", "fired", "damage", "tested", "unsafe", "unstable",
        "unsound", "falling", "fight", "margin", "winner", "above", "routing", "destroyed", "broken", "driven_out",
    )  # fmt: skip
    return Siege(
        outside=zero + scene.scenario.attackers.models,
        defenders=zero + garrison,
        upstairs=zero + max(garrison - capacity(scene.rules), 0),
        distance=zero + scene.scenario.distance,
        **dict.fromkeys(names, zero),
    )


def outcome(state: Siege, scene: Scene) -> Outcome:
    """Say how it stands: a garrison driven out or wiped out has lost the building, attackers who rout have broken."""
    destroyed = state.destroyed > 0
    gone = (state.attackers == 0) | (state.broken > 0)
    empty = (state.defenders == 0) | (state.driven_out > 0)
    return Outcome(
        end=ending(destroyed=destroyed, captured=empty & ~gone, broken=gone),
        attackers_lost=scene.scenario.attackers.models - state.attackers,
        defenders_lost=scene.scenario.defenders.models - state.defenders,
        cleared=empty | destroyed,
    )


def translation(scene: Scene) -> dict[str, str]:
    """Say how the scenario was put into these rules' words."""
    scenario, building, rules = scene.scenario, scene.scenario.building, scene.rules
    ground = min(scenario.defenders.models, capacity(rules))
    waiting = scenario.defenders.models - ground
    width = building.doors * door_width(rules, **{building.door: 1})
    if scenario.plan == "storm":
        plan = "go in by the doors as soon as a charge reaches them"
    elif scenario.plan == "demolish" and not (scene.shooters or scene.strikers):
        plan = "carry nothing that can hurt the walls, so they go in by the doors"
    elif scenario.plan == "demolish":
        plan = f"halt at {scene.halt} inches to bring the walls down; if those who can are lost, the others go in"
    else:
        plan = f"halt at {scene.halt} inches and shoot"
    return {
        "Building": f"{scene.sections} sections on each of {building.levels} levels; walls of Toughness "
        f"{scene.fabric.T} that only Strength {scene.fabric.needs_S} and more can hurt",
        "Garrison": f"{ground} in the ground section behind the doors, {waiting} waiting elsewhere who step in to "
        "replace losses; the other sections stand empty",
        "Way in": f"{building.doors} doors to that section, {width} models a turn; windows let nobody in",
        "Attackers": plan,
        "Fire": "one defender to each full inch of the section's wall on each level held; single shots, no rapid fire; "
        "heavy weapons do not move and fire; area attacks and mounted weapons stay silent, as do units in a fight",
        "Armour": "the save on the profile, less the weapon's modifier; no invulnerable saves",
        "Destroyed": "the ground section collapsed, with what stands on it",
        "A unit that routs": "attackers have broken, defenders have left the building to the attackers",
    }
