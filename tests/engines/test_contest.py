"""Both sides choose: what choosing is worth beside plans that stay, or that change once; and a policy followed forwards."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from sims.engines import solve
from sims.engines.contest import (
    ATTACKERS,
    BOTH,
    CHOOSING,
    DEFENDERS,
    NOBODY,
    SIDES,
    TIE,
    Aim,
    Choice,
    Contest,
    Opening,
    Pair,
    Solution,
    in_force,
)
from sims.engines.follow import Followed, Policy, best_play, follow
from sims.engines.result import COLUMNS, Exact
from sims.rulesets import rule_set
from sims.scenario import Scenario, load_scenario
from tests.engines.test_chain import PLANS

ATTACKS, DEFENCES = (tuple(dict.fromkeys(plans)) for plans in zip(*PLANS, strict=True))
PAIRS = [Pair(*plans) for plans in PLANS]
SMALL = {
    "distance": 12,
    "turns": 3,
    "attackers.models": 4,
    "attackers.specials": [{"weapon": "flamer"}],
    "defenders.models": 3,
    "defenders.specials": [],
}
TINY = {
    "distance": 6,
    "turns": 2,
    "attackers.models": 2,
    "attackers.specials": [],
    "defenders.models": 1,
    "defenders.specials": [],
}
WEIGHED = Aim(broken=-0.5, captured=1, destroyed=0.75, held=-0.25, attackers_lost=-0.125, defenders_lost=0.0625, cleared=0.5)  # fmt: skip
UNREAD = {
    "storming": "[tables.capacity]\nmodels = 2",
    "gw_updated": "[tables.hull_points]\nsmall = 1",
    "realm_of_chaos": "[tables.doors]\nbarn = 3",
    "gemini": "[tables.forcing]\nmost_helpers = 1",
}
"""A number of each book that the farmhouse has no use for: rooms and walls of another kind, doors that stand open."""


def small(first: str = "attackers", **changes) -> Scenario:
    return replace(load_scenario("farmhouse", SMALL | changes), first=first)


def contest(
    rules: str,
    game: Scenario,
    attacks: Sequence[str] = ATTACKS,
    defences: Sequence[str] = DEFENCES,
    number: type = float,
) -> Contest:
    plans = {Pair(*pair): replace(game, plan=pair[0], defence=pair[1], may_change=True) for pair in product(attacks, defences)}  # fmt: skip
    return Contest({pair: rule_set(rules).assault(changed) for pair, changed in plans.items()}, number)


@cache
def solved(rules: str, first: str, attacks: Sequence[str] = ATTACKS, defences: Sequence[str] = DEFENCES) -> Solution:
    return contest(rules, small(first), attacks, defences).solve()


def captured(found: Followed) -> float:
    return float(found.result.weights[found.result.columns["end"] == 2].sum())


def changing_once(side: str, then: int, turn: int) -> Policy:
    """Take up another plan at the start of one's player turn in some turn, and never again, unless one may not."""

    def policy(opening: Opening, choice: Choice):
        stays = in_force(choice.worth.shape[:3], opening.side)
        if (opening.turn, opening.side) != (turn, side):
            return stays
        return np.where(choice.committed[:, np.newaxis, np.newaxis], stays, then)

    return policy


every_first = pytest.mark.parametrize("first", SIDES)


@pytest.mark.slow
@every_first
def test_no_plan_that_changes_once_does_better_than_best_play(rules, first, some):
    """Nor does one that never changes: it changes to itself.

    The short form: from each pair of plans in each turn, and to each plan from each.
    """
    solution = solved(rules, first)
    plans = [(side, then) for side, own in zip(SIDES, (ATTACKS, DEFENCES), strict=True) for then in range(len(own))]
    every = product(PAIRS, range(1, 4), plans)
    shares = {}
    for pair, turn, change in some(every, lambda one: (one[0], one[1]), lambda one: (one[0], one[2])):
        side, then = change
        shares[side, pair, turn, then] = captured(follow(solution, changing_once(side, then, turn), pair))
    for (side, pair, _, _), share in shares.items():
        against = solution.contest.place(pair)[1 - SIDES.index(side)]
        reply = solution.replies[side][against]
        assert share <= reply + 1e-12 if side == "attackers" else share >= reply - 1e-12
    assert len({round(share, 6) for share in shares.values()}) > len({*solution.fixed.round(6).ravel()})


def test_who_has_more_plans_to_choose_from_does_no_worse(rules, some):
    """The short form: of each rule set the assault that one side begins."""
    for _, first in some(((rules, first) for first in SIDES), lambda game: game[0]):
        more_plans_do_no_worse(rules, first)


def more_plans_do_no_worse(rules: str, first: str) -> None:
    every, found = solved(rules, first), []
    for few in range(1, len(ATTACKS) + 1):
        some = solved(rules, first, attacks=ATTACKS[:few])
        found.append((some.best, *some.replies["attackers"]))
        assert some.replies["defenders"] == pytest.approx(every.replies["defenders"][:few], rel=0, abs=1e-12)
    assert (np.diff(found, axis=0) > -1e-12).all()
    for defence in DEFENCES:
        alone = solved(rules, first, defences=(defence,))
        assert every.best <= alone.best + 1e-12
        assert (every.replies["defenders"] <= alone.replies["defenders"] + 1e-12).all()
        assert every.replies["attackers"][DEFENCES.index(defence)] == pytest.approx(alone.best, rel=0, abs=1e-12)


@every_first
def test_who_chooses_does_no_worse_than_who_keeps_to_a_plan(rules, first):
    solution = solved(rules, first)
    assert (solution.replies["attackers"] >= solution.fixed.max(axis=0) - 1e-12).all()
    assert (solution.replies["defenders"] <= solution.fixed.min(axis=1) + 1e-12).all()
    assert solution.replies["defenders"].max() - 1e-12 <= solution.best <= solution.replies["attackers"].min() + 1e-12


def test_a_number_that_is_not_read_changes_no_value(rules, tmp_path):
    file = tmp_path / "house.toml"
    file.write_text(f'base = "{rules}"\ntitle = "House"\n{UNREAD[rules]}\n')
    assert rule_set(str(file)).book != rule_set(rules).book
    ours, theirs = solved(rules, "attackers"), contest(str(file), small()).solve()
    assert (ours.start == theirs.start).all()
    assert ours.choices.keys() == theirs.choices.keys()
    for opening, choice in ours.choices.items():
        assert (choice.states == theirs.choices[opening].states).all()
        assert (choice.worth == theirs.choices[opening].worth).all()


def a_choice(worth, committed: bool = False) -> Choice:
    """A choice at one state of no number, whatever others choose later."""
    every = np.repeat(np.asarray(worth, dtype=float)[np.newaxis, :, :, np.newaxis], len(CHOOSING), axis=3)
    return Choice(np.zeros(1, dtype=int), np.array([committed]), every)


def test_who_acts_takes_the_best_plan_by_the_plan_of_the_other():
    choice = a_choice([[0.1, 0.9], [0.4, 0.2], [0.3, 0.95]])
    assert choice.best("attackers", BOTH)[0].tolist() == [[1, 2]] * 3
    assert choice.best("defenders", BOTH)[0].tolist() == [[0, 0], [1, 1], [0, 0]]


def test_plans_that_tie_leave_the_plan_in_force():
    choice = a_choice([[0.5, 0.3], [0.5 + TIE / 2, 0.3 - TIE / 2], [0.2, 0.2]])
    assert choice.best("attackers", BOTH)[0].tolist() == [[0, 0], [1, 1], [0, 0]]
    even = a_choice([[0.5, 0.5 - TIE / 2], [0.5 + 2 * TIE, 0.5]])
    assert even.best("defenders", BOTH)[0].tolist() == [[0, 1], [1, 1]]


def test_who_is_committed_keeps_his_plan():
    choice = a_choice([[0.1, 0.9], [0.4, 0.2]], committed=True)
    assert choice.best("attackers", BOTH)[0].tolist() == [[0, 0], [1, 1]]
    assert choice.best("defenders", BOTH)[0].tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize(("first", "best"), [("attackers", 0.4), ("defenders", 0.5)])
def test_who_moves_second_declares_the_plan_that_is_best_for_him(first, best):
    """Against hold and sally storm comes to 0.5 and 0.4, shoot to 0.2 and 0.7: by hand."""
    start = np.array([[[0.5] * 4, [0.4] * 4], [[0.2] * 4, [0.7] * 4]])
    declared = {"attackers": np.array([[0.5, 0.4]] * 2), "defenders": np.array([[0.4] * 2, [0.5] * 2])}[first]
    start[..., BOTH] = declared  # who moves first has chosen by the time that his plan matters
    solution = Solution(SimpleNamespace(sides=(first, ({*SIDES} - {first}).pop())), Aim(), {}, start)
    assert solution.best == best
    assert {side: worth.tolist() for side, worth in solution.replies.items()} == {
        "attackers": [0.5, 0.7],
        "defenders": [0.4, 0.2],
    }


@pytest.mark.parametrize(
    ("first", "worths", "begins"),
    [
        ("attackers", [0.4, 0.5], ("storm", "hold")),
        ("attackers", [0.5, 0.4], ("storm", "sally")),
        ("attackers", [0.4, 0.4 - TIE / 2], ("storm", "hold")),
        ("defenders", [0.4, 0.5], ("shoot", "hold")),
        ("defenders", [0.5, 0.4], ("storm", "hold")),
        ("defenders", [0.4, 0.4 + TIE / 2], ("storm", "hold")),
    ],
)
def test_a_game_begins_by_the_plan_that_is_declared_the_first_of_those_as_good(first, worths, begins):
    """By what the plans of who moves second are worth to the attackers."""
    start = np.zeros((2, 2, len(CHOOSING)))
    start[..., BOTH] = np.array(worths)[np.newaxis, :] if first == "attackers" else np.array(worths)[:, np.newaxis]
    sides = first, ({*SIDES} - {first}).pop()
    contest = SimpleNamespace(sides=sides, attacks=("storm", "shoot"), defences=("hold", "sally"))
    assert Solution(contest, Aim(), {}, start).begins == begins


@pytest.mark.parametrize("chooses", [BOTH, ATTACKERS, DEFENDERS], ids=["both", "attackers", "defenders"])
@every_first
def test_best_play_followed_comes_to_what_it_is_worth(rules, first, chooses):
    solution = solved(rules, first)
    for pair in PAIRS:
        found = follow(solution, best_play(chooses), pair)
        expected = solution.start[(*solution.contest.place(pair), chooses)]
        if solution.contest.sides[0] in CHOOSING[chooses]:  # he chooses before anything is played
            own = SIDES.index(first)
            several = np.moveaxis(solution.start[..., chooses], own, 0)[:, solution.contest.place(pair)[1 - own]]
            assert several.max() - several.min() <= 1e-12
        assert captured(found) == pytest.approx(expected, rel=0, abs=1e-9)
        assert found.result.weights.sum() == pytest.approx(1, rel=0, abs=1e-12)


def weights_of(result: Exact) -> dict:
    columns = [result.columns[name].tolist() for name in COLUMNS]
    return dict(zip(zip(*columns, strict=True), result.weights.tolist(), strict=True))


def told(result: Exact) -> dict:
    """Everything that an exact answer says, as numbers by name."""
    course = {("course", turn, i): lost for turn, both in enumerate(result.course) for i, lost in enumerate(both)}
    return weights_of(result) | course | {("tally", name): value for name, value in result.tallies.items()}


@every_first
def test_plans_that_nobody_changes_come_to_what_solve_says(rules, first):
    solution = solved(rules, first)
    for pair in PAIRS:
        found = told(follow(solution, best_play(NOBODY), pair).result)
        game = replace(small(first), plan=pair.attackers, defence=pair.defenders)
        expected = told(solve(rule_set(rules).assault(game)))
        both = {name: (found.get(name, 0), expected.get(name, 0)) for name in found.keys() | expected.keys()}
        for name, (ours, theirs) in both.items():
            assert ours == pytest.approx(theirs, rel=0, abs=1e-12), (pair, name)


@every_first
def test_in_fractions_they_are_the_very_same(rules, first):
    game = replace(load_scenario("farmhouse", TINY), first=first)
    solution = contest(rules, game, ("storm", "shoot"), number=Fraction).solve()
    for pair in (Pair(*plans) for plans in product(("storm", "shoot"), DEFENCES)):
        result = follow(solution, best_play(NOBODY), pair).result
        exact = solve(
            rule_set(rules).assault(replace(game, plan=pair.attackers, defence=pair.defenders)), number=Fraction
        )
        assert weights_of(result) == weights_of(exact)
        assert result.course == exact.course
        assert {k: v for k, v in result.tallies.items() if v} == {k: v for k, v in exact.tallies.items() if v}
        assert solution.fixed[solution.contest.place(pair)] == sum(
            weight for (end, *_), weight in weights_of(exact).items() if end == 2
        )


def test_an_aim_is_worth_what_its_points_come_to(rules):
    """The attackers' points for ends, losses and a building that is cleared, in what comes of best play."""
    solution = solved(rules, "attackers").contest.solve(WEIGHED)
    for chooses, pair in product(range(len(CHOOSING)), PAIRS):
        result = follow(solution, best_play(chooses), pair).result
        points = {1: WEIGHED.broken, 2: WEIGHED.captured, 3: WEIGHED.destroyed, 4: WEIGHED.held}
        each = np.array([points[end] for end in result.columns["end"].tolist()])
        for name in ("attackers_lost", "defenders_lost", "cleared"):
            each = each + getattr(WEIGHED, name) * result.columns[name]
        expected = solution.start[(*solution.contest.place(pair), chooses)]
        assert (result.weights * each).sum() == pytest.approx(expected, rel=0, abs=1e-9)
