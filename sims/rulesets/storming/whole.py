"""Whole stormings, asked of the exact engine in true fractions: the very stages that an assault plays."""

from fractions import Fraction
from typing import Literal

import numpy as np

from sims.assault import Assault, End, PlayerTurn, Stage, ending
from sims.dice import PMF, Bools, Dice, Ints
from sims.engines import Exact, solve
from sims.errors import BudgetError
from sims.forces import chosen, total
from sims.games.wh40k.retreat import run_on
from sims.inputs import Progress, at_most
from sims.profiles import MOST_MODELS, Building
from sims.questions import asks
from sims.rulesets.storming.book import Intact, Storming
from sims.rulesets.storming.order import end, outcome, start
from sims.rulesets.storming.state import Scene, Storm
from sims.rulesets.storming.storm.result import won_by
from sims.rulesets.storming.storm.sides import Fighters, Garrison, Same
from sims.rulesets.storming.storm.steps import ENTER, SUPPORT, Part, exchange, second_round, stages, storming
from sims.scenario import Force, Scenario, Side

Result = Literal["attackers win", "draw", "defenders win", "building cleared", "attackers fall back"]

WINS = {"defenders win": End.BROKEN, "draw": End.HELD, "attackers win": End.CAPTURED}
"""Who wins, and how a storming of one exchange ends then."""

PATIENCE = 1_400_000
"""Transitions that fractions are carried through in some two minutes: so many in one turn, or fewer in each of some."""


def _scene(book: Storming, name: Intact, attackers: Force, defenders: Force, access: int = 1) -> Scene:
    house = Building(
        title="", archetype="house", footprint=(4, 4), material="brick", doors=access, capacity=MOST_MODELS
    )
    game = Scenario("", "", "", 0, 1, "attackers", attackers, defenders, "storm", "hold", house, ())
    return Scene(game, book, name, access, storming=True)


def _carried(flamers: int, models: int) -> None:
    """Refuse more flamers than there are models to carry them."""
    if not 0 <= flamers <= models:
        raise ValueError(f"flamers cannot be {flamers}; expected 0 to {models}, one for each model that may carry one")


def _judge(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Note who has won (ST-035, ST-044)."""
    winner = won_by(scene.book, state.lead, total(state.attackers), total(state.defenders))
    return state.replace(taken=winner > 0, broken=winner < 0)


def _judged(state: Storm, scene: Scene) -> Ints:
    return ending(destroyed=state.destroyed > 0, captured=state.taken > 0, broken=state.broken > 0)


def _over(state: Storm, scene: Scene) -> Ints:
    """Say how it has ended: attackers who fall back do not come back within one question."""
    return np.where(run_on(state, scene), End.BROKEN, end(state, scene))


def _inside(scene: Scene, fireteam: int) -> Storm:
    """Return the state with a Fireteam that is inside already, models without flamers first."""
    first = start(scene)
    groups = range(len(first.attackers))
    return first.replace(fireteam=chosen(first.attackers, np.array([fireteam]), groups[::-1]))


def _first_exchange(scene: Scene, fireteam: int) -> Exact:
    """Play support and one exchange of blows of a Fireteam that is inside."""
    turn = (PlayerTurn("attackers", (*stages(SUPPORT, *exchange(scene)), Stage("judge", _judge))),)
    return _solved(Assault("storming", scene, _inside(scene, fireteam), turn, 1, _judged, outcome))


def _to_the_end(
    scene: Scene, first: Storm, enter: tuple[Part, ...] = (), stormings: int = 1, progress: Progress | None = None
) -> Exact:
    """Play stormings, with the second round in the defenders' turn where there is one (ST-043)."""
    turns = PlayerTurn("attackers", tuple(storming(scene, enter))), PlayerTurn("defenders", tuple(second_round(scene)))
    return _solved(Assault("storming", scene, first, turns, stormings, _over, outcome), progress)


def _solved(game: Assault[Storm, Scene], progress: Progress | None = None) -> Exact:
    """Solve in fractions what does not take minutes; floats are carried through as many in no time.

    Raises:
        ValueError: If it would.
    """
    try:
        solve(game, budget=PATIENCE // game.limit)
    except BudgetError:
        raise ValueError("this would take minutes; expected fewer models, Attacks or stormings") from None
    return solve(game, number=Fraction, progress=progress)


def _share(result: Exact, counted: Bools) -> Fraction:
    """Return the chance of what is counted."""
    return sum(result.weights[counted], Fraction(0))


@asks("ST-045", name="whole storming", needs=("ST-031", "ST-043"))
def whole_storming(
    book: Storming,
    fireteam: int,
    defenders: int,
    fighters: Fighters,
    garrison: Garrison,
    Ld: int,
    their_Ld: Same = "same",
    supporters: int = 0,
    grenades: bool = False,
    flamers: int = 0,
    building_class: Intact = "defensible",
    result: Result | None = None,
) -> PMF | Fraction:
    """Return the chance of a result of one storming between one-wound models (ST-045).

    Who wins is a matter of the first exchange; what becomes of both sides, of the second too where there is one.

    Args:
        fireteam: Models that go in.
        defenders: Models inside.
        Ld: Leadership of the attackers.
        their_Ld: Leadership of the defenders, or the same as the attackers'.
        supporters: Models of the attackers outside.
        grenades: Whether all supporters throw assault grenades, but those with flamers.
        flamers: Supporters with flamers.
        building_class: Defensible or stronghold.
        result: Who wins the fight, whether no living defender is left inside, or whether the attackers run; who wins
            with what chance if not given.
    """
    at_most(20, fireteam=fireteam, defenders=defenders, supporters=supporters)
    _carried(flamers, supporters)
    squad = fighters.force(fireteam + supporters, Ld, grenades, flamers)
    theirs = garrison.force(fighters, defenders, Ld, their_Ld)
    scene = _scene(book, building_class, squad, theirs)
    if result in (None, *WINS):
        won = _first_exchange(scene, fireteam)
        if result is None:
            shares = [_share(won, won.columns["end"] == end) for end in WINS.values()]
            winner = PMF.mixture((share, PMF.constant(n)) for n, share in enumerate(shares))
            return winner.named(dict(enumerate(WINS)))
        return _share(won, won.columns["end"] == WINS[result])
    done = _to_the_end(scene, _inside(scene, fireteam))
    if result == "building cleared":
        return _share(done, done.columns["cleared"] > 0)
    alive = done.columns["attackers_lost"] < fireteam + supporters
    return _share(done, alive & (done.columns["end"] == End.BROKEN))


@asks("ST-045", name="losses in a storming", needs=("ST-031",))
def losses(
    book: Storming,
    side: Side,
    fireteam: int,
    defenders: int,
    fighters: Fighters,
    garrison: Garrison,
    supporters: int = 0,
    grenades: bool = False,
    flamers: int = 0,
    building_class: Intact = "defensible",
) -> PMF:
    """Return how many models a side loses to support and blows in one storming, before morale (ST-045).

    It counts the first exchange of blows.

    Args:
        side: Attackers or defenders.
        fireteam: Models that go in.
        defenders: Models inside.
        supporters: Models of the attackers outside.
        grenades: Whether all supporters throw assault grenades, but those with flamers.
        flamers: Supporters with flamers.
        building_class: Defensible or stronghold.
    """
    at_most(20, fireteam=fireteam, defenders=defenders, supporters=supporters)
    _carried(flamers, supporters)
    squad = fighters.force(fireteam + supporters, 7, grenades, flamers)
    theirs = garrison.force(fighters, defenders, 7)
    scene = _scene(book, building_class, squad, theirs)
    fought = _first_exchange(scene, fireteam)
    lost = fought.columns[f"{side}_lost"].tolist()
    return PMF.mixture((p, PMF.constant(n)) for n, p in zip(lost, fought.weights, strict=True))


@asks("ST-043", name="taken within so many stormings", needs=("ST-031", "ST-045"))
def taken_within(
    book: Storming,
    progress: Progress,
    stormings: int,
    squad: int,
    defenders: int,
    fighters: Fighters,
    garrison: Garrison,
    Ld: int,
    their_Ld: Same = "same",
    k: int = 1,
    grenades: bool = False,
    flamers: int = 0,
    building_class: Intact = "defensible",
) -> Fraction:
    """Return the chance that a building is taken within so many stormings (ST-043).

    Nobody fires in between.

    Args:
        stormings: At most.
        squad: Models of the attackers, Fireteam and supporters.
        defenders: Models inside.
        Ld: Leadership of the attackers.
        their_Ld: Leadership of the defenders, or the same as the attackers'.
        k: Viable access points.
        grenades: Whether supporters throw assault grenades, but those with flamers.
        flamers: Models of the squad with flamers, who stay in support as long as others can go in.
        building_class: Defensible or stronghold.
    """
    at_most(20, squad=squad, defenders=defenders, stormings=stormings)
    at_most(12, k=k)
    _carried(flamers, squad)
    if stormings == 0:
        return Fraction(0)
    ours = fighters.force(squad, Ld, grenades, flamers)
    theirs = garrison.force(fighters, defenders, Ld, their_Ld)
    scene = _scene(book, building_class, ours, theirs, k)
    done = _to_the_end(scene, start(scene), (ENTER,), stormings, progress)
    return _share(done, done.columns["end"] == End.CAPTURED)
