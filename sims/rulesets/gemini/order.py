"""The order of play: the stages of both player turns, how an assault begins and how it ends."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from sims.assault import Assault, End, Outcome, PlayerTurn, Stage, acted, ending, only
from sims.dice import Bools, Ints
from sims.forces import since
from sims.games.arap import melee, shooting
from sims.games.arap.moving.charge import FAR
from sims.games.arap.unit import Band
from sims.rulesets.gemini import plans, setting, turn
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.bunkers import bunker
from sims.rulesets.gemini.compulsory import compulsory_phase, late_rally
from sims.rulesets.gemini.fabric import doors, walls
from sims.rulesets.gemini.openings import smoke, way_in
from sims.rulesets.gemini.routs import at_limit, smaller
from sims.rulesets.gemini.sections import across, back, charge, fire, giving_way, rooms, sally, storm
from sims.rulesets.gemini.setting import set_up
from sims.rulesets.gemini.state import LOCKED, SALLYING, STUNNED, Scene, Siege
from sims.rulesets.gemini.words import translation
from sims.scenario import Scenario, Side

Step = Stage[Siege, Scene]


def assault(scenario: Scenario, book: Gemini) -> Assault[Siege, Scene]:
    """Return the scenario under these rules."""
    scene = set_up(scenario, book)
    turns = (
        PlayerTurn("attackers", tuple(attackers_turn(scene))),
        PlayerTurn("defenders", tuple(defenders_turn(scene))),
    )
    order = turns if scenario.first == "attackers" else turns[::-1]
    return Assault(
        book.ruleset.id,
        scene,
        start(scene),
        order,
        scenario.turns,
        end,
        outcome,
        translation,
        alike,
        committed,
        at_limit=at_limit,
        smaller=smaller(scene),
    )


def attackers_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the attackers' turn, against a garrison in the open or inside."""
    yield from compulsory_phase(scene, "attackers")
    if scene.scenario.may_sally:
        yield from reaction_outside(scene, "attackers")
    yield from where_inside(scene, attackers_siege(scene))
    if scene.scenario.may_sally:
        yield from turn_outside(scene, "attackers")
    yield Stage("end turn", partial(turn.end_turn, side="attackers"))
    yield from late_rally(scene, "attackers")


def defenders_turn(scene: Scene) -> Iterator[Step]:
    """Yield the stages of the garrison's turn, in the open or inside, and its charge out of the building."""
    yield from compulsory_phase(scene, "defenders")
    if scene.scenario.may_sally:
        yield from reaction_outside(scene, "defenders")
    yield from where_inside(scene, defenders_siege(scene))
    if scene.scenario.may_sally:
        yield Stage("come out", sally.come_out, when=lambda state, _: state.place == SALLYING)
        yield from turn_outside(scene, "defenders")
    yield Stage("end turn", partial(turn.end_turn, side="defenders"))
    yield from late_rally(scene, "defenders")


def where_inside(scene: Scene, stages: Iterator[Step]) -> Iterator[Step]:
    """Yield stages for the columns where the garrison is still inside."""
    return only(still_inside, stages) if scene.scenario.may_sally else stages


def still_inside(state: Siege, scene: Scene) -> Bools:
    """Return where the garrison has not come out."""
    return state.place <= SALLYING


def attackers_siege(scene: Scene) -> Iterator[Step]:
    """Yield nerve, free move, activation, the garrison's reaction, and the attackers' actions."""
    yield from nerve(scene, "attackers")
    yield Stage("free move", turn.free_move, when=turn.far_away)
    yield Stage("throw activation", partial(turn.throw_activation, side="attackers"))
    yield from acted("defenders", fire_out(scene, reaction=True))
    yield from actions(scene, reaction=False)


def defenders_siege(scene: Scene) -> Iterator[Step]:
    """Yield nerve, activation, the attackers' reaction, and fire from the building."""
    yield from nerve(scene, "defenders")
    yield Stage("throw activation", partial(turn.throw_activation, side="defenders"))
    yield from acted("attackers", actions(scene, reaction=True))
    if scene.in_turn > 1:
        yield from spreading(scene)
    charging_back = scene.scenario.may_sally and scene.in_turn > 1
    if scene.scenario.may_sally:
        yield Stage("muster", sally.muster, when=sally.can_sally)
    if charging_back:
        yield Stage("make ready to charge back", back.make_ready, when=back.can_charge_back)
    yield from fire_out(scene, reaction=False)
    if charging_back:
        yield from charge_back(scene)


def spreading(scene: Scene) -> Iterator[Step]:
    """Yield how the garrison of several sections spreads over them again, if it does."""
    if scene.book.rulings.evens_out("own_turn"):
        yield Stage("even out", rooms.even_out, when=lambda state, _: state.dazed != STUNNED)
    elif scene.book.rulings.evens_out("action"):
        yield Stage("even out", rooms.even_out_by_action, when=rooms.can_spread)


def charge_back(scene: Scene) -> Iterator[Step]:
    """Yield how a garrison charges into a section that attackers have taken."""
    yield Stage("charge back", back.charge_back, when=back.charges_back)
    if storm.way_up(scene) == "ladder":
        yield from jumps(scene)
    yield from strikes(scene, "defenders")
    yield Stage("result of the charge back", back.result, when=back.charges_back, by="both sides")


def jumps(scene: Scene) -> Iterator[Step]:
    """Yield how the garrison jumps down, one after the other, the best fighters first."""
    garrison, most = scene.scenario.defenders, max(scene.book.tables.storming.doorway.pmf.outcomes)
    for i in melee.best_fighters(garrison):

        def next_is_one(state: Siege, scene: Scene, i: int = i) -> Bools:
            return back.the_next(state, scene)[i] > 0

        group = garrison.groups[i]
        jump = partial(back.jump, group=i)
        yield Stage("jump", jump, when=next_is_one, times=min(group.count, most), group=i, of=group.title)


def fire_out(scene: Scene, *, reaction: bool) -> Iterator[Step]:
    """Yield the shootings of the garrison out of the building."""
    for nth in shootings(scene):
        yield from blasts_across(scene, "defenders", nth, reaction=reaction)
        firing = partial(fire.garrison_fires, nth=nth, reaction=reaction)
        yield Stage("garrison fires", firing, when=partial(fire.can_fire, nth=nth))


def blasts_across(scene: Scene, side: Side, nth: int, *, reaction: bool) -> Iterator[Step]:
    """Yield what a side throws into the next section in one shooting, and where that bursts."""
    groups, using = scene.force(side).groups, partial(across.have_blasts, side=side, nth=nth)
    grenades, farther = any(map(setting.hurls, groups)), scene.in_turn > 2
    if not (across.used(scene) and (grenades or any(map(setting.burns, groups)))):
        return
    if grenades:
        yield Stage("throw grenades", partial(across.throw, side=side, nth=nth), when=using)
    if grenades and farther:
        yield Stage("grenades stray", partial(across.stray, side=side), when=partial(across.may_stray, side=side))
    ahead = partial(across.blast_ahead, side=side, nth=nth, reaction=reaction)
    yield Stage("blasts in the next section", ahead, when=using)
    if grenades:
        yield Stage("grenades come back", partial(across.blast_back, side=side), when=lambda state, _: state.back > 0)
    if grenades and farther and side == "attackers":
        beyond = partial(across.blast_beyond, reaction=reaction)
        yield Stage("grenades beyond it", beyond, when=lambda state, _: state.beyond > 0)


def shootings(scene: Scene) -> tuple[int, ...]:
    """Return the shootings of a unit, or the only one."""
    return shooting.shootings(scene.book.game, most_points(scene))


def most_points(scene: Scene) -> int:
    """Return the most action points of a unit: no more than dice, its own or those picked up."""
    plans = scene.book.tables.plans
    return max(plans.attackers_dice, plans.defenders_dice)


def nerve(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield the heavy-casualty test of a side, and that for suppression, of which it takes one."""
    yield Stage("try nerve", partial(turn.try_nerve, side=side), when=partial(turn.has_lost_many, side=side))
    if scene.book.game.rulings.suppression("test"):
        hit = partial(turn.was_hit_often, side=side)
        yield Stage("try suppression", partial(turn.try_suppression, side=side), when=hit)


def actions(scene: Scene, *, reaction: bool) -> Iterator[Step]:
    """Yield what attackers do with their action points: move, force a door, shoot, charge, fight."""
    yield Stage("advance", turn.advance, when=lambda state, _: state.attackers.points > 0)
    if scene.locked:
        yield from work_at_doors(scene)
    for nth in shootings(scene):
        if scene.burners or scene.plan == "smoke":
            burning = partial(smoke.burn, nth=nth, reaction=reaction)
            yield Stage("burn", burning, when=partial(smoke.burning, nth=nth))
        if scene.plan not in ("shoot", "smoke"):
            yield from blasts_across(scene, "attackers", nth, reaction=reaction)
        firing = partial(fire.attackers_fire, nth=nth, reaction=reaction)
        yield Stage("attackers fire", firing, when=partial(fire.have_volleys, nth=nth))
    if reaction and scene.book.rulings.exposure("next_turn"):
        yield Stage("take cover", fire.take_cover, when=lambda state, _: state.exposed > 0, by="defenders")
    if scene.plan in ("shoot", "smoke"):
        return
    works = scene.plan == "demolish" or scene.sealed or way_in.shut(scene)
    if works and scene.gunners:
        yield from shots_at_structure(scene)
    if scene.in_turn > 1 and OwnBuilding.of(scene.scenario.building).open:
        yield Stage("cross the hall", storm.cross, when=storm.open_ahead)
    yield Stage("charge", charge.charge, when=plans.charging)
    yield Stage("stand and fire", charge.stand_and_fire, when=charge.can_stand_and_fire, by="defenders")
    yield Stage("engage", storm.engage, when=storm.entering)
    yield from strikes(scene)
    yield Stage("result", giving_way.result, when=storm.entering, by="both sides")
    if works and scene.strikers:
        yield from blows_at_structure(scene)


def work_at_doors(scene: Scene) -> Iterator[Step]:
    """Yield the tries to open a locked door: who can hack it does, once each or with every point, others force it."""
    most = most_points(scene)
    able = sum(group.count for group in scene.scenario.attackers.groups if doors.skill(group))
    again = scene.book.rulings.hacking("again") and able > 0
    for nth in [0] * most if again else range(min(able, most)):
        yield Stage("hack lock", partial(doors.hack_door, nth=nth), when=partial(doors.hacking, nth=nth))
    yield Stage("force door", doors.force_door, when=doors.forcing, times=most)


def strikes(scene: Scene, charging: Side = "attackers") -> Iterator[Step]:
    """Yield the steps of Initiative of a fight at the openings, or inside."""
    steps = storm.steps(scene, charging)
    name, rule = ("strike", storm.strike) if charging == "attackers" else ("strike inside", back.strike)
    for i, step in enumerate(steps, start=1):
        strike = partial(rule, step=step, last=i == len(steps))
        yield Stage(f"{name}, step {i}", strike, when=storm.fighting, by="both sides")


def shots_at_structure(scene: Scene) -> Iterator[Step]:
    """Yield the shots at the structure: at armour each may change the next."""
    groups = scene.scenario.attackers.groups
    if scene.structure != "armour":
        yield Stage("batter", walls.batter, when=battering)
        yield Stage("wall falls", walls.wall_falls, when=falling, by="building")
        return
    for i in scene.gunners:
        yield Stage("shoot", partial(bunker.shoot, group=i), when=battering, group=i, of=groups[i].title)
    yield Stage("collapse", bunker.collapse, when=falling, by="building")


def battering(state: Siege, scene: Scene) -> Bools:
    """Return where attackers shoot at the structure."""
    about = plans.intent(state, scene)
    working = (about == plans.BATTER) | (about == plans.STRIKE)
    return working & (state.volleys > 0) & (state.falling == 0)


def falling(state: Siege, scene: Scene) -> Bools:
    """Return where the structure is coming down."""
    return state.falling > 0


def blows_at_structure(scene: Scene) -> Iterator[Step]:
    """Yield the blows at the structure of those who have charged it."""
    groups = scene.scenario.attackers.groups
    if scene.structure == "armour":
        for i in scene.strikers:
            yield Stage(
                "strike",
                partial(bunker.strike, group=i),
                when=lambda state, _: (state.charge > 0) & (state.falling == 0),
                group=i,
                of=groups[i].title,
            )
        yield Stage("collapse", bunker.collapse, when=falling, by="building")
    else:
        yield Stage("hew", walls.hew, when=lambda state, _: state.charge > 0)
        yield Stage("wall falls", walls.wall_falls, when=falling, by="building")
    yield Stage("draw off", giving_way.draw_off, when=lambda state, _: state.charge > 0)


def reaction_outside(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield how a player turn of a side begins in the open: nerve, activation, and the reaction of the other side."""
    yield from only(sally.free, nerve(scene, side))
    yield Stage("activate", partial(sally.activate, side=side), when=sally.free)
    yield from acted(scene.enemy(side), actions_outside(scene, scene.enemy(side), reaction=True))


def turn_outside(scene: Scene, side: Side) -> Iterator[Step]:
    """Yield what a side does in the open in its player turn, and the fights of units that were locked already."""
    yield from actions_outside(scene, side, reaction=False)
    yield from round_of_fight(scene, None)


def actions_outside(scene: Scene, side: Side, *, reaction: bool) -> Iterator[Step]:
    """Yield what a side does with its action points in the open: shoot with those to spare, then charge."""
    how = " in reaction" if reaction else ""
    for nth in shootings(scene):
        firing = partial(sally.shoot, side=side, nth=nth, reaction=reaction)
        yield Stage(f"shoot{how}", firing, when=partial(sally.can_shoot, side=side, nth=nth))
    charging = partial(sally.charge, side=side)
    yield Stage(f"charge{how}", charging, when=partial(sally.can_charge, side=side))
    enemy = scene.enemy(side)
    standing_still = partial(sally.stand_and_fire, side=enemy)
    yield Stage(
        f"stand and fire at a charge{how}",
        standing_still,
        when=lambda state, scene: sally.has_charged(state, scene, side) & (state.charge >= FAR),
        by=enemy,
    )
    yield from round_of_fight(scene, side)


def round_of_fight(scene: Scene, charging: Side | None) -> Iterator[Step]:
    """Yield a round of a fight: of a side that has charged, or of units that are locked already."""

    def fighting(state: Siege, scene: Scene) -> Bools:
        return sally.has_charged(state, scene, charging) if charging else state.place == LOCKED

    ours, theirs = ({g.profile.I for g in scene.force(s).groups} for s in ("attackers", "defenders"))
    kind = "after a charge" if charging else "locked"
    for i, step in enumerate(melee.initiative_steps(ours, theirs), start=1):
        garrison = partial(sally.garrison_strikes, step=step, charging=charging)
        attackers = partial(sally.attackers_strike, step=step, charging=charging)
        yield Stage(f"garrison strikes {kind}, step {i}", garrison, when=fighting, by="defenders")
        yield Stage(f"attackers strike {kind}, step {i}", attackers, when=fighting, by="attackers")
    yield Stage(f"result {kind}", partial(sally.result, charging=charging), when=fighting, by="both sides")


def start(scene: Scene) -> Siege:
    """Return the state before the first turn: what is not 0 in it."""
    scenario = scene.scenario
    return Siege(
        attackers=Band.fresh(scenario.attackers, scenario.one_of_several),
        defenders=Band.fresh(scenario.defenders, scenario.one_of_several),
        distance=np.array([scenario.distance]),
        here=np.array([rooms.deployed(scene)]),
        hull=np.array([scene.points if scene.structure == "armour" else 0]),
        mounted=np.array([len(scenario.mounted)]),
        struck=tuple(np.array([0]) for _ in scenario.attackers.bodies),
        fallen_in=tuple(np.array([0]) for _ in scenario.defenders.groups),
    )


def alike(state: Siege, scene: Scene) -> Siege:
    """Return the state that stands for all from which everything goes on in the same way, whatever it comes from."""
    who = scene.book.game.rulings.who_falls
    attackers, defenders = (
        unit.replace(begun=since(who, force, unit.standing, unit.begun))
        for unit, force in ((state.attackers, scene.force("attackers")), (state.defenders, scene.force("defenders")))
    )
    return state.replace(attackers=attackers, defenders=defenders)


def committed(state: Siege, scene: Scene, side: Side) -> Bools:
    """Return where a side has to go on by its plan: attackers who are in the building storm on."""
    return rooms.is_entered(state, scene) & (side == "attackers")


def end(state: Siege, scene: Scene) -> Ints:
    """Say how it has ended: a garrison that is dead or has routed leaves the building to the attackers (GB-127).

    Nothing has, while grenades are yet to burst.
    """
    gone, thrown = (state.attackers.models == 0) | (state.broken > 0), (state.back > 0) | (state.beyond > 0)
    ends = ending(destroyed=state.destroyed > 0, captured=empty(state) & ~gone, broken=gone)
    return np.where(thrown, End.GOING_ON, ends) if across.used(scene) else ends


def empty(state: Siege) -> Bools:
    """Return where the garrison is dead or has routed."""
    return (state.defenders.models == 0) | (state.driven_out > 0)


def outcome(state: Siege, scene: Scene) -> Outcome:
    """Say what it has cost; a garrison that has come out has left the building."""
    return Outcome(
        attackers_lost=scene.scenario.attackers.models - state.attackers.models,
        defenders_lost=scene.scenario.defenders.models - state.defenders.models,
        cleared=empty(state) | (state.destroyed > 0) | (state.place > SALLYING),
    )
