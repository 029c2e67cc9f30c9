"""How long a burning section lasts, by the stages that an assault plays, in the true fractions of the exact engine."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from sims.assault import Assault, PlayerTurn, Stage, ending
from sims.dice import PMF, Bools, Ints
from sims.engines import solve
from sims.forces import total
from sims.inputs import at_most
from sims.profiles import Building, Unit
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.damage import fire
from sims.rulesets.realm_of_chaos.damage.fabric import is_rolled_for, rolls_in_a_turn
from sims.rulesets.realm_of_chaos.order import end_of_turn, is_tested, outcome, start, start_of_turn
from sims.rulesets.realm_of_chaos.setting import set_up
from sims.rulesets.realm_of_chaos.state import Scene, Siege
from sims.scenario import Force, Group, Scenario, Side

TURNS = 60
"""More turns than any section burns."""


@asks("RC-077", name="turns until a burning section falls")
def turns_until_collapse(book: RealmOfChaos, damage: int = 0, levels_above: int = 0) -> PMF:
    """Return in which turn after it caught fire a section falls (RC-077).

    Turns are player turns; game turns if stability is rolled for once in each.

    Args:
        damage: Points of damage when it caught fire.
        levels_above: Levels on top of it.
    """
    at_most(1000, damage=damage)
    at_most(5, levels_above=levels_above)
    scene = _scene(book, levels_above + 1)
    sides: tuple[Side, ...] = ("attackers", "defenders")
    alike = is_tested(scene, "attackers") == is_tested(scene, "defenders")
    order = tuple(
        PlayerTurn(side, (*start_of_turn(scene, side), *end_of_turn(scene))) for side in sides[: 1 if alike else 2]
    )
    return _turns(scene, damage, order, lambda state, _: total(state.stands) == 0)


@asks("RC-077", name="burns until a section is rolled for")
def burns_until_tested(book: RealmOfChaos, damage: int = 0) -> PMF:
    """Return at which burn a section reaches the damage at which it is rolled for (RC-077).

    Args:
        damage: Points of damage when it caught fire, less than 6.
    """
    at_most(max(points for points in range(TURNS) if not rolls_in_a_turn(book, points)), damage=damage)
    burning = PlayerTurn("attackers", (Stage("burn", fire.burn),))
    return _turns(_scene(book, 1), damage, (burning,), is_rolled_for)


def _scene(book: RealmOfChaos, levels: int) -> Scene:
    unit = Unit(title="", WS=3, BS=3, S=3, T=3, I=3, A=1, Ld=7)
    alone = Force(unit, (Group(unit, None, None, 1),))
    tower = Building(title="", archetype="house", footprint=(4, 4), material="wood", capacity=1, levels=levels)
    return set_up(Scenario("", "", "", 0, 1, "attackers", alone, alone, "storm", "hold", tower, ()), book)


def _turns(
    scene: Scene, damage: int, order: tuple[PlayerTurn[Siege, Scene], ...], ended: Callable[[Siege, Scene], Bools]
) -> PMF:
    """Play turns of a section that has caught fire until a condition holds; return how many."""

    def end(state: Siege, scene: Scene) -> Ints:
        over = ended(state, scene)
        return ending(destroyed=over, captured=over, broken=over)

    first = start(scene).replace(damage=np.array([damage]), burning=np.array([1]))
    played = solve(Assault("realm_of_chaos", scene, first, order, TURNS, end, outcome), number=Fraction)
    turns = played.columns["turn"].tolist()
    return PMF.mixture((p, PMF.constant(t)) for t, p in zip(turns, played.weights, strict=True))
