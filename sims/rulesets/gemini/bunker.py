"""A bunker under attack: shots and blows at it, and what becomes of those inside when it comes down."""

import numpy as np

from sims.dice import LOW, Capped, Dice, Ints, Volley
from sims.dice.source import Argument
from sims.games.arap.hits import hit_target, to_hit
from sims.games.arap.shooting import save_goals, shots
from sims.games.arap.wounds import armour_save
from sims.rulesets.gemini import way_in
from sims.rulesets.gemini.armour import ONE_DIE, dice_to_penetrate
from sims.rulesets.gemini.bombardment import AUTOMATIC, Bombardment
from sims.rulesets.gemini.bunker_hits import Bunker, HitsTable
from sims.rulesets.gemini.state import MAY_NOT_FIRE, STUNNED, Scene, Siege, standing, wounded, wounds_left


def shoot(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Fire one group's shots at the bunker: each hits, and then penetrates its Armour Value or not.

    Source: Firing at Buildings; Bunkers (GB-133, GB-138; partly GB-049, partly GB-068, partly GB-137).
    """
    tables, shooter = scene.rules.tables, scene.scenario.attackers.groups[group]
    weapon = shooter.weapon
    assert weapon is not None
    fired = standing(state, scene, "attackers")[group] * shots(scene.rules.game, weapon, state.distance, state.volleys)
    close = state.distance < tables.walls.hit_within
    to = np.where(close, AUTOMATIC, hit_target(scene.rules.game, shooter.profile.BS, 0))
    added = dice_to_penetrate(scene.rules, weapon, state.distance)
    return attacked(
        dice, state, scene, fired, to, added, weapon.strength(shooter.profile), weapon.AP, group == scene.gunners[-1]
    )


def strike(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Let one group strike at the bunker's walls; there is no charge bonus against them.

    Source: Bunkers (GB-133; partly GB-048, partly GB-136).
    """
    striker = scene.scenario.attackers.groups[group]
    S = striker.melee.strength(striker.profile) if striker.melee else striker.profile.S
    automatic = scene.rules.rulings.blows_at_walls("automatic")
    to = AUTOMATIC if automatic else hit_target(scene.rules.game, striker.profile.WS, 0)
    AP = striker.melee.AP if striker.melee else None
    blows = standing(state, scene, "attackers")[group] * striker.profile.A
    return attacked(dice, state, scene, blows, to, ONE_DIE, S, AP, False)


def attacked(
    dice: Dice,
    state: Siege,
    scene: Scene,
    attacks: Ints,
    to: Argument,
    added: Argument,
    S: int,
    AP: int | None,
    last: bool,
) -> Siege:
    """Draw what some attacks do to the bunker; once it is breached nobody attacks it, and its hull counts no more.

    Source: Bunkers; Bunker Hits Table (GB-139, GB-140, GB-141, GB-142).
    """
    before = Bunker(state.hull, state.cracks, state.mounted, state.shaken, state.falling)
    modifier = scene.rules.tables.armour_penetration.of(AP)
    table = HitsTable.of(scene.rules, modifier, MAY_NOT_FIRE if scene.sallies else STUNNED)
    mechanic = Bombardment(table, to_hit(scene.rules.game))
    code = dice.draw("attacks on the bunker", mechanic, attacks, to, added, S, scene.resists, before.code())
    left = Bunker.decode(code)
    return state.replace(
        hull=np.where(left.cracks > 0, 0, left.hull),
        cracks=left.cracks,
        mounted=left.mounted,
        shaken=left.shaken,
        falling=left.falling,
        volleys=np.where((left.cracks > 0) | last, 0, state.volleys),
        defenders=state.defenders.replace(points=np.where(left.shaken == STUNNED, 0, state.defenders.points)),
    )


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the bunker down: each occupant takes a wound on 3 or less, and may save.

    Source: Bunker Hits Table (GB-143).
    """
    tables, garrison = scene.rules.tables, scene.scenario.defenders.unit
    occupants = way_in.crowd(state, scene)
    most = wounds_left(state, scene, "defenders", occupants)
    saves = save_goals(garrison, None, both=scene.both_saves)
    hurting = Volley((LOW, *(armour_save(scene.rules.game).failed for _ in saves)))
    wounds = dice.draw("collapse", Capped(hurting), occupants, tables.collapse.wounded, *saves, most)
    dice.tally("defenders lost to the collapse", wounds)
    after = wounded(state, scene, "defenders", wounds)
    return after.replace(destroyed=np.ones_like(state.destroyed), falling=np.zeros_like(state.falling))
