"""Policies as short lists: judged by what comes of them, by games with dice that follow them, and by thought."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

from analysis.best_play.listing import Bounds, Line, shortest_list
from analysis.best_play.policy import Listed, shortest
from analysis.best_play.regret import Judge
from analysis.points.plans import contest
from analysis.told.fields import fields
from sims.assault import Assault, End, PlayerTurn, Stage
from sims.dice import Bools, Dice, Ints
from sims.engines import play
from sims.engines.contest import Aim, Contest, Pair, Solution
from sims.rulesets import rule_set
from sims.scenario import Scenario, Side, load_scenario
from sims.state import State
from tests.march import march

SMALL = {
    "distance": 16,
    "turns": 4,
    "attackers.models": 5,
    "attackers.specials": [{"weapon": "flamer"}],
    "defenders.models": 3,
    "defenders.specials": [],
}
AGAINST = {"attackers": (None, "hold", "sally"), "defenders": (None, "storm", "demolish", "shoot", "smoke")}
LISTS = [(side, against) for side, plans in AGAINST.items() for against in plans]


ODD = {
    "attackers": (
        Line({"turn": Bounds(4)}, "smoke"),
        Line({"distance": Bounds(most=6), "attackers": Bounds(most=3)}, "shoot"),
        Line({"defenders": Bounds(2, 2)}, "demolish"),
        Line({}, "storm"),
    ),
    "defenders": (
        Line({"attackers": Bounds(3), "turn": Bounds(2, 2)}, "hold"),
        Line({"defenders": Bounds(most=2), "distance": Bounds(most=1)}, "hold"),
        Line({}, "sally"),
    ),
}
"""Lists that nobody would choose: plans change often, in mid-fight too."""


def small(**changes) -> Scenario:
    return load_scenario("farmhouse", SMALL | changes)


@cache
def solved(rules: str, first: str) -> Solution:
    return contest(small(first=first), rule_set(rules)).solve()


@pytest.fixture(params=["attackers", "defenders"], ids=lambda side: f"{side} first")
def solution(request, rules) -> Solution:
    return solved(rules, request.param)


def best(solution: Solution, side: Side, against: str | None):
    """Return what it is worth if a side plays its best."""
    if against is None:
        return solution.best
    others = solution.contest.attacks if side == "defenders" else solution.contest.defences
    return solution.replies[side][others.index(against)]


def worth(solution: Solution, listed: Listed):
    """Return what the aim comes to when a list is followed."""
    result, aim = Judge(solution, listed.side, listed.against).follow(listed.lines).result, solution.aim
    ends = {End.BROKEN: aim.broken, End.CAPTURED: aim.captured, End.DESTROYED: aim.destroyed, End.HELD: aim.held}
    points = sum((result.columns["end"] == end) * of for end, of in ends.items())
    for name in ("attackers_lost", "defenders_lost", "cleared"):
        points = points + result.columns[name] * getattr(aim, name)
    return (result.weights * points).sum()


@pytest.mark.parametrize(("side", "against"), LISTS, ids=[f"{side} against {plan}" for side, plan in LISTS])
def test_what_choices_give_away_is_what_the_list_is_worth_less(solution, side, against):
    for enough, most in ((1.0, 1), (0.0, 3)):
        listed = shortest(solution, side, against, enough, most)
        less = best(solution, side, against) - worth(solution, listed)
        assert listed.loss == pytest.approx(less if side == "attackers" else -less, abs=1e-12)
        assert listed.loss >= 0
        assert len(listed.lines) <= most
    odd = Judge(solution, side, against).judge(ODD[side])
    less = best(solution, side, against) - worth(solution, Listed(side, against, odd.lines, odd.loss))
    assert odd.loss == pytest.approx(less if side == "attackers" else -less, abs=1e-12)


def test_what_is_lost_is_exact_in_fractions_and_by_any_aim():
    game = small(turns=2, **{"attackers.models": 3, "defenders.models": 2})
    assaults = contest(game, rule_set("storming"), ("storm", "shoot"), ("hold", "sally"))
    exact = Contest({pair: chain.assault for pair, chain in assaults.chains.items()}, number=Fraction)
    aim = Aim(
        captured=1, held=Fraction(-1, 3), attackers_lost=Fraction(-1, 7), defenders_lost=Fraction(1, 5), cleared=2
    )
    for solution in (exact.solve(), exact.solve(aim)):
        for side in AGAINST:
            listed = shortest(solution, side, enough=0, most=2)
            less = best(solution, side, None) - worth(solution, listed)
            assert listed.loss == (less if side == "attackers" else -less)


def test_a_list_is_no_longer_than_needed(rules):
    """With a line less, more than enough is lost; with more lines to be had, no more than before."""
    solution = solved(rules, "attackers")
    for side, against in (("attackers", None), ("attackers", "hold"), ("defenders", "storm")):
        losses = [shortest(solution, side, against, enough=0, most=n).loss for n in (1, 2, 3)]
        assert losses == sorted(losses, reverse=True)
        listed = shortest(solution, side, against)
        if len(listed.lines) in (2, 3):
            assert losses[len(listed.lines) - 2] > 0.005
        assert listed.loss <= 0.005 or listed.loss <= losses[-1] + 1e-12


@dataclass(frozen=True)
class Told(State):
    """A game, and the plans that are in force."""

    game: State
    attackers: Ints
    defenders: Ints


def by_the_list(solution: Solution, listed: Listed, begins: Pair) -> Assault:
    """Return the assault itself, in which one side looks at its list when its player turn begins."""
    of = solution.contest
    assaults = {pair: chain.assault for pair, chain in of.chains.items()}
    first = assaults[begins]
    plans = {"attackers": of.attacks, "defenders": of.defences}

    def looks(turn: int) -> Stage:
        def rule(dice: Dice, state: Told, scene: None) -> Told:
            columns = fields(first, state.game)
            plan: Ints = np.full(columns["attackers"].shape, -1)
            for line in listed.lines:
                holds = np.ones(plan.shape, dtype=np.bool_)
                for name, (least, most) in line.where.items():
                    seen = turn if name == "turn" else columns[name]
                    holds &= (seen >= (least or 0)) & (seen <= (999 if most is None else most))
                plan = np.where((plan < 0) & holds, plans[listed.side].index(line.plan), plan)
            committed = first.committed(state.game, first.scene, listed.side)
            return state.replace(**{listed.side: np.where(committed, getattr(state, listed.side), plan)})

        return Stage("looks at the list", rule)

    def under(pair: Pair, stage: Stage) -> Stage:
        scene = assaults[pair].scene

        def rule(dice: Dice, state: Told, _: None) -> Told:
            return state.replace(game=stage.rule(dice, state.game, scene))

        def when(state: Told, _: None) -> Bools:
            chosen = (state.attackers == of.attacks.index(pair[0])) & (state.defenders == of.defences.index(pair[1]))
            return chosen & (True if stage.when is None else stage.when(state.game, scene))

        return Stage(f"{stage.name} {pair}", rule, when, stage.times)

    stages = [looks(1)]
    for turn in range(1, first.limit + 1):
        for i, player in enumerate(first.turn):
            stages += [looks(turn)] if player.name == listed.side else []
            stages += [under(pair, stage) for pair, of in assaults.items() for stage in of.turn[i].stages]
    places = [np.array([plans[side].index(plan)]) for side, plan in zip(plans, begins, strict=True)]
    return Assault(
        first.rules,
        None,
        Told(first.start, *places),
        (PlayerTurn("all", tuple(stages)),),
        1,
        lambda state, _: first.end(state.game, first.scene),
        lambda state, _: first.outcome(state.game, first.scene),
        {},
    )


@pytest.mark.parametrize(("side", "against"), [("attackers", "hold"), ("defenders", "storm")])
def test_a_list_followed_with_dice_meets_its_value(solution, side, against):
    """A false alarm in some 6,000 runs of all sixteen together."""
    listed, trials = Listed(side, against, ODD[side], None), 10_000
    begins = Pair("shoot", against) if side == "attackers" else Pair(against, "hold")
    drawn = play(by_the_list(solution, listed, begins), trials=trials, engine="rolled", seed=7)
    captured = int(drawn.counts[drawn.columns["end"] == End.CAPTURED].sum())
    assert 0 < captured < trials
    assert binomtest(captured, trials, worth(solution, listed)).pvalue > 1e-5


def test_who_storms_from_near_by_alone_comes_near_first():
    """Two turns of marching, then two storms of one in two: 3/4."""
    of = march()
    assert of.best == Fraction(3, 4)
    listed = shortest(of, "attackers")
    assert listed.lines == (Line({"distance": Bounds(1, 1)}, "storm"), Line({}, "shoot"))
    assert listed.words == ("an inch away: storm", "else: shoot")
    assert listed.loss == 0
    one = shortest(of, "attackers", most=1)
    assert (one.words, one.loss) == (("throughout: storm",), Fraction(3, 4))
    assert shortest(of, "attackers", "hold", enough=Fraction(3, 4)).words == ("throughout: storm",)


def test_a_garrison_declares_its_plan_before_the_game():
    """Attackers who stand at the gate storm it before the garrison has had a turn.

    Who declares hold gives one in two away at once, and one in four by holding on in the half of the games left.
    """
    of = march(distance=1, turns=2, defences=("hold", "sally"))
    assert of.best == 0
    listed = shortest(of, "defenders")
    assert (listed.words, listed.loss) == (("throughout: sally",), 0)
    judged = Judge(of, "defenders").judge((Line({}, "hold"),))
    assert judged.loss == Fraction(3, 4)


def test_who_moves_second_declares_a_plan_where_the_game_begins():
    """The march begins three inches away, where the attackers choose once; no turn of the garrison begins there."""
    of = march(defences=("hold", "sally"))
    for side in ("attackers", "defenders"):
        judge = Judge(of, side)
        judged = judge.judge((Line({}, judge.plans[1]),))
        assert judge.cells.columns["distance"][judge.cells.start] == 3
        assert judged.visits[judge.cells.start] == 1


COLUMNS = {"distance": np.array([1, 1, 9, 9]), "attackers": np.array([2, 8, 2, 8])}


@pytest.mark.parametrize(
    ("lines", "shorter"),
    [
        (
            [({"distance": (None, 6)}, "smoke"), ({"distance": (7, None)}, "storm")],
            [({"distance": (None, 6)}, "smoke"), ({}, "storm")],
        ),
        (
            [
                ({"distance": (None, 6)}, "smoke"),
                ({"distance": (7, None), "attackers": (None, 5)}, "smoke"),
                ({"distance": (7, None), "attackers": (6, None)}, "storm"),
            ],
            [({"distance": (7, None), "attackers": (6, None)}, "storm"), ({}, "smoke")],
        ),
        (
            [
                ({"distance": (None, 6), "attackers": (None, 5)}, "smoke"),
                ({"distance": (7, None), "attackers": (None, 5)}, "smoke"),
                ({"attackers": (6, None)}, "storm"),
            ],
            [({"attackers": (6, None)}, "storm"), ({}, "smoke")],
        ),
        (
            [
                ({"distance": (None, 6)}, "smoke"),
                ({"distance": (7, None), "attackers": (None, 5)}, "shoot"),
                ({"distance": (7, None), "attackers": (6, None)}, "storm"),
            ],
            [({"distance": (None, 6)}, "smoke"), ({"attackers": (6, None)}, "storm"), ({}, "shoot")],
        ),
    ],
)
def test_a_list_says_no_more_than_it_needs_to(lines, shorter):
    def made(of):
        return tuple(Line({name: Bounds(*bounds) for name, bounds in where.items()}, plan) for where, plan in of)

    found = shortest_list(made(lines), COLUMNS, ["storm", "shoot", "smoke"])
    assert [(dict(line.where), line.plan) for line in found] == [
        (dict(line.where), line.plan) for line in made(shorter)
    ]


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"distance": (None, 6), "attackers": (None, 9)}, "within 6 inches and 9 attackers or fewer: storm"),
        ({"distance": (None, 1)}, "within an inch: storm"),
        ({"distance": (2, None), "defenders": (1, 1)}, "more than an inch away and 1 defender: storm"),
        ({"distance": (5, 8), "defenders": (2, 4)}, "5 to 8 inches away and 2 to 4 defenders: storm"),
        ({"attackers": (3, None), "turn": (4, None)}, "3 attackers or more and from turn 4 on: storm"),
        ({"turn": (None, 2)}, "up to turn 2: storm"),
        ({"turn": (2, 2)}, "in turn 2: storm"),
        ({"turn": (2, 4)}, "in turns 2 to 4: storm"),
    ],
)
def test_lines_in_words(where, words):
    assert Line({name: Bounds(*of) for name, of in where.items()}, "storm").words == words
