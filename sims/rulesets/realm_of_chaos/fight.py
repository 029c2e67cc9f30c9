"""The fight inside: blows in the order of Initiative, who wins the round, who routs, and what that costs."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from sims.dice import HIGH, PMF, Capped, Dice, Ints, Total, Volley
from sims.dice.source import Argument
from sims.forces import Models, best, total
from sims.games.common import IMPOSSIBLE
from sims.games.fantasy import rules as fantasy
from sims.profiles import Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.state import ATTACKERS, DEFENDERS, Scene, Siege
from sims.scenario import Force


def lost(models: Ints, hurt: Ints, wounds: Ints, W: int) -> tuple[Ints, Ints]:
    """Let models suffer unsaved wounds, one after the other; return how many are left and the wounds carried."""
    suffered = hurt + wounds
    left = np.maximum(models - suffered // W, 0)
    return left, np.where(left > 0, suffered % W, 0)


def strike(dice: Dice, state: Siege, scene: Scene, turn: int) -> Siege:
    """Let the groups strike whose turn it is; groups of equal Initiative strike together.

    All who are in the section fight.

    Source: fantasy game (BASE-044, BASE-045, BASE-046; partly BASE-049, partly BASE-050), Combat within Buildings
    (RC-015, RC-016, RC-017).
    """
    attacking, defending = scene.order[turn]
    scenario, rules = scene.scenario, scene.rules
    ours = blow_modifier(rules, 0, state.winner == ATTACKERS)
    theirs = blow_modifier(rules, state.above, state.winner == DEFENDERS)
    their_most = state.ground * scenario.defenders.unit.W - state.defenders_hurt
    our_most = state.inside * scenario.attackers.unit.W - state.attackers_hurt
    slain = _wounds(
        dice, "attackers' blows", rules, scenario.attackers, scene.inside(state), attacking, scenario.defenders.unit,
        ours, their_most,
    )  # fmt: skip
    struck = _wounds(
        dice, "defenders' blows", rules, scenario.defenders, scene.ground(state), defending, scenario.attackers.unit,
        theirs, our_most,
    )  # fmt: skip
    defenders, defenders_hurt = lost(state.defenders, state.defenders_hurt, slain, scenario.defenders.unit.W)
    inside, attackers_hurt = lost(state.inside, state.attackers_hurt, struck, scenario.attackers.unit.W)
    dice.tally("defenders lost in the fight", state.defenders - defenders)
    dice.tally("attackers lost in the fight", state.inside - inside)
    return state.replace(
        inside=inside,
        defenders=defenders,
        attackers_hurt=attackers_hurt,
        defenders_hurt=defenders_hurt,
        margin=state.margin + slain - struck,
    )


def _wounds(
    dice: Dice,
    label: str,
    rules: RealmOfChaos,
    striking: Force,
    models: Models,
    who: Sequence[int],
    target: Unit,
    modifier: Ints,
    most: Ints,
) -> Ints:
    if not who:
        return np.zeros_like(most)
    parts, arguments = fantasy.blows(rules.game, striking, models, who, target, modifier)
    return dice.draw(label, Capped(Total(tuple(parts))), *arguments, np.maximum(most, 0))


def blow_modifier(rules: RealmOfChaos, above: Argument, won: Argument) -> Ints:
    """Return what is added to the die of a blow inside: a charge adds nothing (RC-015, RC-016, RC-017).

    Parameters
    ----------
    above : array of bool
        The striker fights from a higher level, in the first round.
    won : array of bool
        The striker won the last round.
    """
    table = rules.game.tables.blow_modifiers
    return np.asarray(np.asarray(above) * table.higher + np.asarray(won) * table.followed_up)


@asks("RC-015", "RC-016", "RC-017", name="blow inside a building")
def chance_of_a_blow(
    rules: RealmOfChaos,
    WS: int,
    target_WS: int,
    above: bool = False,
    first_round: bool = True,
    charging: bool = False,
    won_last_round: bool = False,
) -> Fraction:
    """Return the chance that a blow inside a building hits (RC-015, RC-016, RC-017).

    Parameters
    ----------
    rules : RealmOfChaos
    WS : int
        The striker's Weapon Skill.
    target_WS : int
        The target's Weapon Skill.
    above : bool
        The striker occupies a higher level, or charges down from one.
    first_round : bool
        It is the first round of the combat.
    charging : bool
        The striker charged this turn: no difference.
    won_last_round : bool
        The striker's side won the last round.
    """
    modifier = blow_modifier(rules, above and first_round, won_last_round)
    return HIGH.chance(int(fantasy.modified(rules.game, fantasy.need_to_hit(rules.game, WS, target_WS), modifier)))


@asks("RC-015", name="wounds inside a building")
def wounds_of_blows(
    rules: RealmOfChaos,
    blows: int,
    WS: int,
    S: int,
    target_WS: int,
    target_T: int,
    above: bool = False,
    first_round: bool = True,
) -> PMF:
    """Return how many wounds blows inside a building cause on models without armour (RC-015).

    Parameters
    ----------
    rules : RealmOfChaos
    blows : int
        Blows struck.
    WS : int
        The strikers' Weapon Skill.
    S : int
        Their Strength.
    target_WS : int
        The targets' Weapon Skill.
    target_T : int
        The targets' Toughness.
    above : bool
        The strikers occupy a higher level, or charge down from one.
    first_round : bool
        It is the first round of the combat.
    """
    need = fantasy.modified(
        rules.game, fantasy.need_to_hit(rules.game, WS, target_WS), blow_modifier(rules, above and first_round, False)
    )
    return fantasy.ATTACKS.pmf(blows, int(need), fantasy.need_to_wound(rules.game, S, target_T), IMPOSSIBLE)


def result(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Compare the round's scores; a loser who has lost a quarter may rout. Nobody is pushed back.

    Source: fantasy game (BASE-051, BASE-053), Combat within Buildings (RC-017; partly RC-019).
    """
    scenario, game = scene.scenario, scene.rules.game
    winner = np.sign(state.margin)
    shaken = {
        DEFENDERS: fantasy.must_test(game, scenario.attackers.models, state.attackers) & (state.attackers > 0),
        ATTACKERS: fantasy.must_test(game, scenario.defenders.models, state.defenders) & (state.defenders > 0),
    }
    tests = np.where(winner == DEFENDERS, shaken[DEFENDERS], (winner == ATTACKERS) & shaken[ATTACKERS])
    Ld = np.where(
        winner == DEFENDERS,
        best(scenario.attackers, scenario.attackers.standing(state.attackers), lambda g: g.profile.Ld),
        best(scenario.defenders, scenario.defenders.standing(state.defenders), lambda g: g.profile.Ld),
    )
    routs = dice.draw("rout test", Volley((fantasy.ROUT,)), tests, np.where(tests, Ld, 0))
    goes_on = (state.inside > 0) & (state.ground > 0) & (routs == 0)
    return state.replace(
        fight=0 * state.fight,
        margin=0 * state.margin,
        above=0 * state.above,
        winner=np.where(goes_on, winner, 0),
        routing=np.where(routs > 0, -winner, 0),
    )


def sections_to_cross(rules: RealmOfChaos, level: Argument, across: Argument = 0) -> Ints:
    """Return how many sections routers have to cross from the one that is furthest from their exit (RC-020).

    Parameters
    ----------
    level : array
        The level of that section.
    across : array
        Its steps sideways from the column with the door.
    """
    outside = 1 if rules.rulings.way_out("with_the_outside") else 0
    return np.asarray(np.asarray(level) - 1 + across + outside)


@asks("RC-020", name="sections to cross in a rout")
def way_of_routers(rules: RealmOfChaos, level: int = 1, across: int = 0) -> int:
    """Return how many sections a unit that routs has to cross (RC-020).

    Parameters
    ----------
    rules : RealmOfChaos
    level : int
        Level of the section it holds that is furthest from a door on the ground.
    across : int
        Steps sideways from that section to the column with the door.
    """
    return int(sections_to_cross(rules, level, across))


def hack_defenders(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at a garrison that routs; what is left of it is put outside and has lost the building.

    Source: Routs Within Buildings (RC-020, RC-021; partly RC-022, partly RC-026), fantasy game (partly BASE-054).
    """
    scenario, section = scene.scenario, scene.rules.tables.sections.models
    up = np.minimum(-(-state.upstairs // section), scenario.building.levels - 1)
    beside = state.upstairs > (scenario.building.levels - 1) * section
    engaged = scene.inside(state)
    everyone = scenario.attackers.standing(state.attackers)
    pursuers = everyone if scene.rules.rulings.hacking("every_member") else engaged
    each = np.where(total(engaged) > 0, sections_to_cross(scene.rules, 1 + up, beside.astype(int)), 0)
    unit = scenario.defenders.unit
    parts, arguments = fantasy.free_hacks(scene.rules.game, scenario.attackers, pursuers, each, unit)
    most = state.defenders * unit.W - state.defenders_hurt
    wounds = dice.draw("free hacks", Capped(Total(tuple(parts))), *arguments, most)
    defenders, hurt = lost(state.defenders, state.defenders_hurt, wounds, unit.W)
    dice.tally("defenders lost in the rout", state.defenders - defenders)
    return state.replace(
        defenders=defenders,
        defenders_hurt=hurt,
        upstairs=0 * state.upstairs,
        routing=0 * state.routing,
        driven_out=np.ones_like(state.routing),
    )


def hack_attackers(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Hack at attackers who rout from the ground section; what is left of them has broken.

    If none of them was left inside, there is nobody to hack at.

    Source: Routs Within Buildings (RC-020, RC-021; partly RC-022, partly RC-026), fantasy game (partly BASE-054).
    """
    scenario, unit = scene.scenario, scene.scenario.attackers.unit
    everyone = scenario.defenders.standing(state.defenders)
    pursuers = everyone if scene.rules.rulings.hacking("every_member") else scene.ground(state)
    each = np.where(state.inside > 0, sections_to_cross(scene.rules, 1), 0)
    parts, arguments = fantasy.free_hacks(scene.rules.game, scenario.defenders, pursuers, each, unit)
    most = state.attackers * unit.W - state.attackers_hurt
    wounds = dice.draw("free hacks", Capped(Total(tuple(parts))), *arguments, most)
    left, hurt = lost(state.attackers, state.attackers_hurt, wounds, unit.W)
    dice.tally("attackers lost in the rout", state.attackers - left)
    return state.replace(
        outside=left,
        inside=0 * state.inside,
        attackers_hurt=hurt,
        routing=0 * state.routing,
        broken=np.ones_like(state.routing),
    )


@asks("RC-021", name="number of free hacks")
def number_of_hacks(pursuers: int, sections: int) -> int:
    """Return how many free hacks a unit makes at routers inside (RC-021).

    Parameters
    ----------
    rules : RealmOfChaos
    pursuers : int
        Models that pursue.
    sections : int
        Sections the routers have to cross.
    """
    return pursuers * sections


@asks("RC-021", name="free hacks at routers")
def kills_by_hacks(
    rules: RealmOfChaos,
    pursuers: int,
    sections: int,
    S: int,
    T: int,
    save: int = IMPOSSIBLE,
    routers: int | None = None,
) -> PMF:
    """Return how many routers with one Wound are killed by free hacks (RC-021).

    Parameters
    ----------
    rules : RealmOfChaos
    pursuers : int
        Models that pursue.
    sections : int
        Sections the routers have to cross.
    S : int
        Strength of the pursuers.
    T : int
        Toughness of the routers.
    save : int
        What the routers' armour needs without a shield; 7 for none.
    routers : int
        Models that rout; leave it out to count every hack.
    """
    hacks = number_of_hacks(pursuers, sections)
    kills = fantasy.HACKS.pmf(hacks, fantasy.need_to_wound(rules.game, S, T), save)
    return kills if routers is None else kills.cap(routers)
