"""The order of play: the stages of a turn, the state before the first, and how an assault ends."""

from collections.abc import Callable, Iterator
from functools import partial, reduce

import numpy as np

from sims.assault import Assault, Outcome, PlayerTurn, Stage, ending
from sims.dice import Bools, Ints
from sims.forces import Models, at_full_strength, begun, since, together, total, unhurt
from sims.games.common import who_strikes
from sims.games.fantasy.open_fight import has_counted_ranks
from sims.games.fantasy.rout import most_to_rout
from sims.rulesets.realm_of_chaos import shooting
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.damage import collapse, fabric, fire, siege
from sims.rulesets.realm_of_chaos.deployment import deployed
from sims.rulesets.realm_of_chaos.inside import fight, movement, rout
from sims.rulesets.realm_of_chaos.outside import open_fight, sally
from sims.rulesets.realm_of_chaos.setting import may_come_in, set_up
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.rulesets.realm_of_chaos.words import translation
from sims.scenario import Scenario, Side

Step = Stage[Siege, Scene]


def assault(scenario: Scenario, book: RealmOfChaos) -> Assault[Siege, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    sides = (scenario.first, "defenders" if scenario.first == "attackers" else "attackers")
    turn = {"attackers": attackers_turn, "defenders": defenders_turn}
    order = tuple(PlayerTurn(side, tuple(turn[side](scene))) for side in sides)
    begins = start(scene)
    fields = ("inside", "tall", "garrison", "tall_garrison", "fired", "fight")
    by_section = [name for name in fields if getattr(begins, name)]
    return Assault(
        book.ruleset.id,
        scene,
        begins,
        order,
        scenario.turns,
        end,
        outcome,
        translation,
        alike,
        committed,
        parts=dict.fromkeys(by_section, scene.plan.titles) | {"stands": scene.plan.names},
    )


def attackers_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the attackers' turn (RC-078): start, movement, shooting, combat."""
    yield from start_of_turn(scene, "attackers")
    yield from attackers_move(scene)
    yield from combat(scene)
    yield from end_of_turn(scene)


def defenders_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the garrison's turn (RC-078)."""
    yield from start_of_turn(scene, "defenders")
    yield from defenders_move(scene)
    yield from combat(scene)
    yield from end_of_turn(scene)


def combat(scene: Scene) -> Iterator[Step]:
    """Yield what is struck in a player turn of either side: the walls, enemies inside, enemies in the open."""
    yield from at_the_walls(scene)
    yield from fight_inside(scene)
    if sally.may_be_outside(scene):
        yield from fight_outside(scene)


def start_of_turn(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield what fire and damage do to the ground section at the start of a player turn (RC-075, RC-078)."""
    if scene.book.rulings.models_in_a_fire("hit"):
        yield Stage("scorch", partial(fire.scorch, side=side), when=is_("burning"), by="building")
    if is_tested(scene, side):
        yield from test(scene)
    else:
        yield Stage("burn", fire.burn, when=is_("burning"), by="building")


def end_of_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stability roll where, by a ruling, it follows at once on the damage (RC-048)."""
    if scene.book.rulings.stability_rolls("at_once"):
        yield from test(scene)


def is_tested(scene: Scene, side: Side) -> bool:
    """Return whether stability is rolled for at the start of a side's turn (RC-048)."""
    when = scene.book.rulings.stability_rolls
    return when("every_player_turn") or (when("every_game_turn") and side == scene.scenario.first)


def test(scene: Scene) -> Iterator[Step]:
    """Yield the stability roll, after a fire where it starts a turn, and what becomes of those in a falling section."""
    if scene.book.rulings.stability_rolls("at_once"):
        yield Stage("stability", fabric.stability, when=fabric.is_rolled_for, by="building")
    else:
        yield Stage("burn and test", fabric.burn_and_test, when=fabric.burns_or_is_rolled_for, by="building")
    for side in ("attackers", "defenders"):
        for i in scene.plan.deepest_first:
            rule = partial(collapse.bury, section=i, side=side)
            yield Stage(f"bury {side} in {scene.plan.titles[i]}", rule, when=collapse.is_buried(i, side), by="building")
    yield Stage("collapse", collapse.collapse, when=is_("falling"), by="building")


def attackers_move(scene: Scene) -> Iterator[Step]:
    """Yield what the attackers do in their Movement and Shooting phases."""
    yield Stage("advance", movement.advance, when=movement.apart)
    yield Stage("enter", movement.enter, when=movement.may_go_in)
    if sally.may_wait_outside(scene):
        yield Stage("charge those outside", sally.charge_those_outside, when=sally.may_be_charged)
    if scene.shooters and scene.scenario.plan != "storm":
        yield Stage("shoot at fabric", siege.shoot_at_fabric, when=siege.aims_at_fabric)
    if scene.burners and scene.scenario.plan != "storm":
        yield Stage("flames at fabric", siege.flames_at_fabric, when=siege.aims_flames)
    for i in scene.plan.upwards:
        rule = partial(shooting.shoot_in, section=i)
        yield Stage(f"shoot into {scene.plan.titles[i]}", rule, when=shooting.has_targets(i))
    yield Stage("cease fire", shooting.cease_fire, when=lambda state, _: state.has_fired)
    if sally.may_wait_outside(scene):  # last, so that nobody shoots again once they are dead
        yield Stage("shoot at those outside", shooting.shoot_at_those_outside, when=shooting.has_enemies_outside)


def defenders_move(scene: Scene) -> Iterator[Step]:
    """Yield what the garrison does in its Movement and Shooting phases."""
    if sally.may_be_outside(scene):
        yield Stage("come out", sally.come_out, when=sally.leaving)
    yield Stage("step", movement.step)
    yield Stage("garrison fires", shooting.garrison_fires, when=shooting.has_enemies_at_hand)
    if sally.may_wait_outside(scene):
        yield Stage("those outside fire", shooting.those_outside_fire, when=shooting.waits_outside)


def at_the_walls(scene: Scene) -> Iterator[Step]:
    """Yield what attackers do to the walls hand to hand, and whether the section catches fire."""
    besieging = scene.strikers and scene.scenario.plan == "demolish"
    if besieging:
        yield Stage("strike fabric", siege.strike_fabric, when=siege.strikes_fabric, by="attackers")
    if (scene.burners and scene.scenario.plan != "storm") or (
        besieging and any(siege.is_flaming(scene, i) for i in scene.strikers)
    ):
        yield Stage("catch fire", fire.catch_fire, when=is_("scorched"), by="building")


def fight_inside(scene: Scene) -> Iterator[Step]:
    """Yield the fight in the ground section; carriers light it after the blows, by a ruling before (RC-078)."""
    first = scene.book.rulings.arson_order("arson_first")
    arson = [Stage("arson", fire.arson, when=fire.may_light, by="attackers")] if scene.carry_in or scene.torches else []
    yield from arson if first else ()
    for turn, step in enumerate(scene.order):
        for i, title in enumerate(scene.plan.titles):
            rule = partial(fight.strike, turn=turn, section=i)
            yield Stage(f"strike in {title}, step {turn + 1}", rule, when=fight.is_fought_in(i), by=who_strikes(step))
    yield from () if first else arson
    yield Stage("result", fight.result, when=lambda state, _: state.fights, by="both sides")
    yield Stage("hack attackers", rout.hack_attackers, when=is_("routing", ATTACKERS), by="defenders")
    yield Stage("hack defenders", rout.hack_defenders, when=is_("routing", DEFENDERS), by="attackers")


def fight_outside(scene: Scene) -> Iterator[Step]:
    """Yield the fight in the open; no unit has a fight inside in the same player turn."""
    if has_counted_ranks(scene.book.game):
        yield Stage("count ranks", open_fight.count_ranks, when=is_("open"), by="both sides")
    for turn, step in enumerate(scene.order):
        yield Stage(
            f"clash, step {turn + 1}", partial(open_fight.clash, turn=turn), when=is_("open"), by=who_strikes(step)
        )
    yield Stage("decide", open_fight.decide, when=is_("open"), by="both sides")
    yield Stage("hack besiegers", open_fight.hack_besiegers, when=is_("routing", ATTACKERS), by="defenders")
    yield Stage("hack garrison", open_fight.hack_garrison, when=is_("routing", DEFENDERS), by="attackers")


def is_(field: str, value: int | None = None) -> Callable[[Siege, Scene], Bools]:
    """Return the condition that a field of the state is set, or has a value."""

    def condition(state: Siege, scene: Scene) -> Bools:
        held = getattr(state, field)
        return held != 0 if value is None else held == value

    return condition


def start(scene: Scene) -> Siege:
    """Return the state before the first turn: what is not 0 in it."""
    attackers, garrison = scene.scenario.attackers, scene.scenario.defenders
    given_up = scene.book.game.rulings.who_falls("owner")
    nobody = tuple(np.zeros(1, dtype=np.int64) for _ in scene.plan.sections)
    begin, *tall = [tuple(np.array([n]) for n in places) for places in deployed(scene)]
    tall_attackers = len(scene.parties["attackers"]) > 1
    counted = given_up and len(garrison.groups) == 1 and not garrison.mixed and not tall
    return Siege(
        outside=np.array([attackers.models]),
        inside=nobody,
        garrison=reduce(together, tall, begin),
        tall_garrison=tall[0] if tall else (),
        fired=nobody,
        fight=nobody,
        tall=nobody if tall_attackers else (),
        attackers_kinds=() if given_up and not attackers.mixed and not tall_attackers else at_full_strength(attackers),
        defenders_kinds=() if counted else at_full_strength(garrison),
        attackers_begun=begun(attackers, scene.scenario.one_of_several),
        defenders_begun=begun(garrison, scene.scenario.one_of_several),
        attackers_others_hurt=unhurt(attackers),
        defenders_others_hurt=unhurt(garrison),
        distance=np.array([scene.scenario.distance]),
        stands=tuple(np.ones(1, dtype=np.int64) for _ in scene.plan.columns),
    )


def alike(state: Siege, scene: Scene) -> Siege:
    """Return the state that stands for all from which everything goes on in the same way, whatever it comes from."""

    def kept(side: Side) -> Models:
        game, force, begun = scene.book.game, getattr(scene.scenario, side), getattr(state, f"{side}_begun")
        return since(game.rulings.who_falls, force, scene.standing(state, side), begun, partial(most_to_rout, game))

    return state.replace(attackers_begun=kept("attackers"), defenders_begun=kept("defenders"))


def committed(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where a side has to go on by its plan: attackers with models inside, for who is there follows from it."""
    return (state.entered > 0) & (side == "attackers")


def end(state: Siege, scene: Scene) -> Ints:
    """Say how it has ended: a garrison that routs has lost the building, attackers who rout have broken.

    One that is wiped out has lost it where there is a way in for attackers, or some are inside (RC-011). While a
    section falls nothing else is decided.
    """
    still = state.falling == 0
    gone = ((state.attackers == 0) | (state.broken > 0)) & still
    may_come = may_come_in(state, scene) | (state.entered > 0)
    taken = (((state.defenders == 0) & may_come) | (state.driven_out > 0)) & still
    return ending(destroyed=total(state.stands) == 0, captured=taken & ~gone, broken=gone)


def outcome(state: Siege, scene: Scene) -> Outcome:
    """Say what it has cost; a garrison that has come out has left the building."""
    return Outcome(
        attackers_lost=scene.scenario.attackers.models - state.attackers,
        defenders_lost=scene.scenario.defenders.models - state.defenders,
        cleared=(state.defenders == state.out) | (state.driven_out > 0) | (total(state.stands) == 0),
    )
