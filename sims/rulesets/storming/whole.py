"""Whole stormings, asked of the exact engine in true fractions: the very stages that an assault plays."""

from fractions import Fraction
from typing import Literal

import numpy as np
from pydantic import ValidationError

from sims.assault import Assault, End, Outcome, PlayerTurn, ending
from sims.dice import PMF
from sims.engines import Exact, solve
from sims.games.wh40k.asked import NoneOr, given
from sims.profiles import Building, Unit
from sims.questions import asks, at_most
from sims.rulesets.storming.assault import outcome, start
from sims.rulesets.storming.book import Intact, Storming
from sims.rulesets.storming.order import AFTERMATH, DRAW_OFF, SUPPORT, Step, exchange, nerve, stages, storming
from sims.rulesets.storming.state import Scene, Storm
from sims.scenario import Force, Group, Scenario

Result = Literal["attackers win", "draw", "defenders win", "building cleared", "attackers fall back"]


def _force(models: int, WS: int, S: int, T: int, A: int, Ld: int, Sv: NoneOr, I: int, grenades: bool) -> Force:  # noqa: E741
    thrown: tuple[Literal["assault"], ...] = ("assault",) if grenades else ()
    try:
        unit = Unit(title="", WS=WS, BS=0, S=S, T=T, I=I, A=A, Ld=Ld, Sv=given(Sv), grenades=thrown)
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"{fault['loc'][0]} cannot be {fault['input']}: {fault['msg'].lower()}") from error
    return Force(unit, (Group(unit, None, None, models),))


def _scene(rules: Storming, name: Intact, attackers: Force, defenders: Force, access: int) -> Scene:
    house = Building(title="", archetype="house", footprint=(4, 4), material="brick", doors=access, capacity=60)
    game = Scenario("", "", "", 0, 1, "attackers", attackers, defenders, "storm", "hold", house, ())
    return Scene(game, rules, name, access, storming=True)


def _won(state: Storm, scene: Scene) -> Outcome:
    now = outcome(state, scene)
    end = ending(destroyed=np.zeros_like(state.lead) > 0, captured=state.lead > 0, broken=state.lead < 0)
    return Outcome(end, now.attackers_lost, now.defenders_lost, now.cleared)


def _solve(scene: Scene, fireteam: int, steps: list[Step], *, to_the_end: bool) -> Exact:
    """Play one storming of a Fireteam that is inside already."""
    first = start(scene).replace(fireteam=(np.array([fireteam]),))
    turn = (PlayerTurn("attackers", tuple(steps)),)
    return solve(Assault("storming", scene, first, turn, 1, outcome if to_the_end else _won, {}), number=Fraction)


def _share(result: Exact, end: End, fewer: int | None = None) -> Fraction:
    """Return the chance of an end; of those only in which fewer attackers were lost."""
    counted = result.columns["end"] == end
    if fewer is not None:
        counted = counted & (result.columns["attackers_lost"] < fewer)
    return sum(result.weights[counted], Fraction(0))


@asks("ST-045", name="whole storming")
def whole_storming(
    rules: Storming,
    result: Result,
    fireteam: int,
    defenders: int,
    WS: int,
    S: int,
    T: int,
    Ld: int,
    A: int = 1,
    I: int = 4,  # noqa: E741
    Sv: NoneOr = "none",
    supporters: int = 0,
    grenades: bool = False,
    building_class: Intact = "defensible",
) -> Fraction:
    """Return the chance of a result of one storming between one-wound models of one profile (ST-045).

    Parameters
    ----------
    rules : Storming
    result : str
        Who wins the fight, or what becomes of both sides after their morale checks.
    fireteam : int
        Models that go in.
    defenders : int
        Models inside.
    WS : int
        Weapon Skill of both sides.
    S : int
        Strength.
    T : int
        Toughness.
    Ld : int
        Leadership.
    A : int
        Attacks.
    I : int
        Initiative.
    Sv : int
        Armour save, or none.
    supporters : int
        Models of the attackers outside.
    grenades : bool
        Whether all supporters throw assault grenades.
    building_class : str
        Defensible or stronghold.
    """
    at_most(20, fireteam=fireteam, defenders=defenders, supporters=supporters)
    profile = (WS, S, T, A, Ld, Sv, I)
    attackers = _force(fireteam + supporters, *profile, grenades)
    scene = _scene(rules, building_class, attackers, _force(defenders, *profile, False), 1)
    fight = (SUPPORT, *exchange(scene))
    if result in ("attackers win", "draw", "defenders win"):
        won = _solve(scene, fireteam, list(stages(*fight)), to_the_end=False)
        ends = {"attackers win": End.CAPTURED, "draw": End.HELD, "defenders win": End.BROKEN}
        return _share(won, ends[result])
    parts = stages(*fight, *nerve(rules), *AFTERMATH, DRAW_OFF)
    done = _solve(scene, fireteam, list(parts), to_the_end=True)
    if result == "building cleared":
        return _share(done, End.CAPTURED)
    return _share(done, End.BROKEN, fewer=fireteam + supporters)


@asks("ST-045", name="losses in a storming")
def losses(
    rules: Storming,
    side: Literal["attackers", "defenders"],
    fireteam: int,
    defenders: int,
    WS: int,
    S: int,
    T: int,
    A: int = 1,
    I: int = 4,  # noqa: E741
    Sv: NoneOr = "none",
    supporters: int = 0,
    grenades: bool = False,
    building_class: Intact = "defensible",
) -> PMF:
    """Return how many models a side loses to support and blows in one storming, before morale (ST-045).

    Parameters
    ----------
    rules : Storming
    side : str
        Attackers or defenders.
    fireteam : int
        Models that go in.
    defenders : int
        Models inside.
    WS : int
        Weapon Skill of both sides.
    S : int
        Strength.
    T : int
        Toughness.
    A : int
        Attacks.
    I : int
        Initiative.
    Sv : int
        Armour save, or none.
    supporters : int
        Models of the attackers outside.
    grenades : bool
        Whether all supporters throw assault grenades.
    building_class : str
        Defensible or stronghold.
    """
    at_most(20, fireteam=fireteam, defenders=defenders, supporters=supporters)
    profile = (WS, S, T, A, 7, Sv, I)
    attackers = _force(fireteam + supporters, *profile, grenades)
    scene = _scene(rules, building_class, attackers, _force(defenders, *profile, False), 1)
    fought = _solve(scene, fireteam, list(stages(SUPPORT, *exchange(scene))), to_the_end=False)
    lost = fought.columns[f"{side}_lost"].tolist()
    return PMF.mixture((p, PMF.constant(n)) for n, p in zip(lost, fought.weights, strict=True))


@asks("ST-043", name="taken within so many stormings")
def taken_within(
    rules: Storming,
    stormings: int,
    squad: int,
    defenders: int,
    WS: int,
    S: int,
    T: int,
    Ld: int,
    A: int = 1,
    I: int = 4,  # noqa: E741
    Sv: NoneOr = "none",
    k: int = 1,
    grenades: bool = False,
    building_class: Intact = "defensible",
) -> Fraction:
    """Return the chance that a building is taken within so many stormings, one exchange each (ST-043).

    Nobody fires in between.

    Parameters
    ----------
    rules : Storming
    stormings : int
        At most.
    squad : int
        Models of the attackers, Fireteam and supporters.
    defenders : int
        Models inside.
    WS : int
        Weapon Skill of both sides.
    S : int
        Strength.
    T : int
        Toughness.
    Ld : int
        Leadership.
    A : int
        Attacks.
    I : int
        Initiative.
    Sv : int
        Armour save, or none.
    k : int
        Viable access points.
    grenades : bool
        Whether supporters throw assault grenades.
    building_class : str
        Defensible or stronghold.
    """
    at_most(20, squad=squad, defenders=defenders, stormings=stormings, k=k)
    profile = (WS, S, T, A, Ld, Sv, I)
    scene = _scene(rules, building_class, _force(squad, *profile, grenades), _force(defenders, *profile, False), k)
    turn = (PlayerTurn("attackers", tuple(storming(scene))),)
    return _share(
        solve(Assault("storming", scene, start(scene), turn, stormings, outcome, {}), number=Fraction), End.CAPTURED
    )
