"""A bunker under attack: shots and blows at it, and what becomes of those inside when it comes down."""

import numpy as np

from sims.dice import PMF, Dice, Draw, Ints, once
from sims.dice.source import Argument
from sims.forces import killed, total
from sims.games.arap.allocation import struck_each
from sims.games.arap.melee import weapon_skill
from sims.games.arap.rolls.hits import hit, low_roll, to_hit
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, unsaved
from sims.games.arap.shooting import shots_of, strength_of_shot
from sims.inputs import Count
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.bunkers.armour import ONE_DIE, dice_to_penetrate
from sims.rulesets.gemini.bunkers.bombardment import AUTOMATIC, Attack, bombardment
from sims.rulesets.gemini.bunkers.hits_table import Bunker, collapse_chance
from sims.rulesets.gemini.sections import rooms
from sims.rulesets.gemini.state import MAY_NOT_FIRE, STUNNED, Scene, Siege


def shoot(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Fire one group's shots at the bunker: each hits, and then penetrates its Armour Value or not.

    Source: Smoke and Lasers (ARAP-113); Firing at Buildings; Bunkers (GB-133, GB-138; partly GB-049, partly GB-068,
    partly GB-137).
    """
    game, shooter = scene.book.game, scene.scenario.attackers.groups[group]
    weapon, smoke = shooter.weapon, setting.approach(state, scene).smoke
    assert weapon is not None
    fired = state.attackers.standing[group] * shots_of(game, shooter, state.distance, state.volleys, smoke)
    aimed = hit(game, shooter.profile.BS, setting.from_cover(state, scene))
    close = state.distance < scene.book.tables.walls.hit_within
    attack = Attack(
        once(aimed.tests[0], np.where(close, AUTOMATIC, aimed.targets[0])),
        dice_to_penetrate(scene.book, weapon, state.distance),
        strength_of_shot(game, weapon, shooter.profile, smoke),
        weapon.AP,
    )
    return attacked(dice, state, scene, fired, attack, group == scene.gunners[-1])


def strike(dice: Dice, state: Siege, scene: Scene, group: int) -> Siege:
    """Let one group strike at the bunker's walls; there is no charge bonus against them.

    Source: Bunkers (GB-133; partly GB-048, partly GB-136).
    """
    striker = scene.scenario.attackers.groups[group]
    S = striker.melee.strength(striker.profile) if striker.melee else striker.profile.S
    aimed = to_hit(scene.book.game, "melee", WS=weapon_skill(scene.book.game, striker))
    if scene.book.rulings.blows_at_walls("automatic"):
        aimed = once(aimed.tests[0], AUTOMATIC)
    blows = state.attackers.standing[group] * striker.profile.A
    attack = Attack(aimed, ONE_DIE, S, striker.melee.AP if striker.melee else None)
    return attacked(dice, state, scene, blows, attack, last=False)


def attacked(dice: Dice, state: Siege, scene: Scene, n: Ints, attack: Attack, last: bool) -> Siege:
    """Draw what some attacks do to the bunker; once it is breached nobody attacks it, and its hull counts no more.

    Source: Bunkers; Bunker Hits Table (GB-139, GB-140, GB-141, GB-142).
    """
    before = Bunker(state.hull, state.cracks, state.mounted, state.shaken, state.falling)
    shaken = MAY_NOT_FIRE if scene.scenario.may_sally else STUNNED
    left = Bunker.decode(
        bombardment(scene.book, before, n, attack, scene.resists, shaken).made(dice, "attacks on the bunker")
    )
    return state.replace(
        hull=np.where(left.cracks > 0, 0, left.hull),
        cracks=left.cracks,
        mounted=left.mounted,
        shaken=left.shaken,
        falling=left.falling,
        volleys=np.where((left.cracks > 0) | last, 0, state.volleys),
    )


def collapse(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Bring the bunker down: each occupant takes a wound on 3 or less, and may save.

    Which of them die tells nothing any more.

    Source: Bunker Hits Table (GB-143).
    """
    force, unit, occupants = scene.scenario.defenders, state.defenders, rooms.crowd(state, scene)

    def harm(target: Unit) -> Draw:
        return crushed(scene.book, 1, Saves.of(target, None))

    wounds = struck_each(dice, force, unit, rooms.inside(state, scene), occupants, "collapse", harm)
    dice.tally("defenders lost to the collapse", total(wounds))
    left = unit.models
    for body, carried, suffered in zip(force.bodies, unit.hurts, wounds, strict=True):
        left = left - killed(carried, suffered, body.profile.W)[0]
    after = state.with_unit("defenders", models=np.maximum(left, 0))
    return after.replace(destroyed=np.ones_like(state.destroyed), falling=np.zeros_like(state.falling))


def crushed(book: Gemini, occupants: Argument, saves: Saves) -> Draw:
    """Return the unsaved wounds of occupants of a bunker that falls (GB-143)."""
    return low_roll(book.tables.collapse.wounded).then(unsaved(book.game, saves)).times(occupants)


@asks("GB-143", name="occupants of a bunker that falls", needs=("ARAP-011",))
def wounds_by_fall(book: Gemini, occupants: Count = 1, save: SaveGoal = NO_SAVE) -> Draw:
    """Return the unsaved wounds of occupants of a bunker that falls (GB-143).

    Args:
        save: Their armour save, or none.
    """
    return crushed(book, occupants, Saves(save))


@asks("GB-143", name="occupants of a bunker that is hit", needs=("ARAP-011", "GB-139", "GB-140"))
def wounds_by_hits(book: Gemini, hull: int, hits: str, occupants: Count = 1, save: SaveGoal = NO_SAVE) -> PMF:
    """Return the unsaved wounds of occupants of a bunker which some hits may bring down (GB-143).

    Args:
        hull: Hull points before the first.
        hits: One letter for each hit, in order: g glancing, p penetrating.
        save: Their armour save, or none.
    """
    falls = collapse_chance(book, hull, hits)
    return PMF.mixture([(falls, wounds_by_fall(book, occupants, save).pmf), (1 - falls, PMF.constant(0))])
