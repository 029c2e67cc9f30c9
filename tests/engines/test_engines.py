"""The engines on a toy: a d6 race small enough to work out by hand."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.assault import Assault, End, Outcome, PlayerTurn, Stage, ending
from sims.dice import BUDGET, D6, GOAL, ExactDice, Ints, Volley, passes, roll, source
from sims.engines import Bounded, Exact, merging, play, run, solve
from sims.errors import BudgetError
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from sims.state import State


@dataclass(frozen=True)
class Race(State):
    """Attackers add up a die a turn; the defenders go when the total passes the goal, the attackers on a 1."""

    total: Ints
    rolled_one: Ints


def move(dice, state, scene):
    face = roll(dice, "move", D6)
    dice.tally("pips", face)
    return state.replace(total=np.minimum(state.total + face, scene), rolled_one=(face == 1) & (state.total > 0))


def end(state, scene):
    return ending(destroyed=state.total < 0, captured=state.total >= scene, broken=state.rolled_one > 0)


def outcome(state, scene):
    return Outcome(
        attackers_lost=state.rolled_one,
        defenders_lost=state.total,
        cleared=state.total >= scene,
    )


def race(goal: int = 9, turns: int = 3, rule=move) -> Assault:
    start = Race(np.array([0]), np.array([0]))
    return Assault("race", goal, start, (PlayerTurn("a", (Stage("rule", rule),)),), turns, end, outcome)


def by_hand(goal: int, turns: int):
    """Go through every sequence of faces."""
    ends: dict[tuple[str, int], Fraction] = {}
    for faces in product(range(1, 7), repeat=turns):
        total, end, when = 0, "held", turns
        for turn, face in enumerate(faces, start=1):
            first = total == 0
            total = min(total + face, goal)
            if total >= goal or (face == 1 and not first):
                end, when = ("captured" if total >= goal else "broken"), turn
                break
        ends[end, when] = ends.get((end, when), Fraction(0)) + Fraction(1, 6**turns)
    return ends


def found(result: Exact):
    names = {e.value: e.name.lower() for e in End}
    ends: dict[tuple[str, int], Fraction] = {}
    for end, turn, w in zip(result.columns["end"], result.columns["turn"], result.weights, strict=True):
        ends[names[end], turn] = ends.get((names[end], turn), Fraction(0)) + w
    return ends


@pytest.mark.parametrize("goal", [6, 9, 14])
def test_exact_is_the_sum_over_all_sequences(goal):
    assert found(solve(race(goal, 3), number=Fraction)) == by_hand(goal, 3)


def test_floats_are_within_rounding_of_the_fractions():
    true, rounded = solve(race(), number=Fraction), solve(race())
    assert np.abs(true.probabilities - rounded.weights).max() < 1e-15


def shoot(dice, state, scene):
    hits = dice.draw("to hit", Volley((GOAL,)), 1 + state.total, 3)
    more = dice.draw("again", Volley((GOAL,)), hits, 5)
    dice.tally("hits", hits + more)
    return state.replace(total=np.minimum(state.total + hits + more, scene), rolled_one=(hits == 0) & (state.total > 3))


def test_columns_played_in_lots_are_those_played_together(monkeypatch):
    """In fractions: every outcome, every tally and the course."""
    assault = race(14, 4, shoot)
    together = solve(assault, number=Fraction)
    parted, cuts = [], source._cuts
    monkeypatch.setattr(source, "LARGE", 0)
    monkeypatch.setattr(source, "WASTE", 1)
    monkeypatch.setattr(source, "_cuts", lambda *given: parted.append(found := cuts(*given)) or found)
    apart = solve(assault, number=Fraction)
    assert any(parted)
    assert found(apart) == found(together)
    assert [*apart.weights] == [*together.weights]
    assert (apart.tallies, apart.course) == (together.tallies, together.course)


def test_tallies_are_expectations():
    expected, _ = sum_of_pips(9, 3)
    assert solve(race(9, 3), number=Fraction).tallies["pips"] == expected


def sum_of_pips(goal: int, turns: int):
    pips = Fraction(0)
    for faces in product(range(1, 7), repeat=turns):
        total = 0
        for face in faces:
            first, total = total == 0, total + face
            pips += Fraction(face, 6**turns)
            if total >= goal or (face == 1 and not first):
                break
    return pips, None


@pytest.mark.parametrize("engine", ["sampled", "rolled"])
def test_a_drawn_race_agrees(engine):
    """Six-sigma bounds on each cell: a false alarm in fewer than one of 10 million runs."""
    trials = 100_000
    drawn = play(race(), engine=engine, trials=trials, seed=4)
    assert drawn.counts.sum() == trials
    names = {e.value: e.name.lower() for e in End}
    for (end, turn), p in by_hand(9, 3).items():
        mine = [(names[e], t) == (end, turn) for e, t in zip(drawn.columns["end"], drawn.columns["turn"], strict=True)]
        count = drawn.counts[mine].sum()
        assert abs(count - trials * float(p)) <= 6 * np.sqrt(trials * float(p)) + 1
    pips = drawn.tallies["pips"][0] / trials
    assert abs(pips - float(sum_of_pips(9, 3)[0])) < 6 * 5 / np.sqrt(trials)


def test_a_budget_that_is_too_small_is_refused():
    with pytest.raises(BudgetError, match=r"more than 5 transitions; there are fewer with .* or use engine bounded"):
        solve(race(), budget=5)


def test_exact_refuses_what_auto_gives_up():
    with pytest.raises(BudgetError):
        run(race(), engine="exact", budget=5)


def test_the_two_results_are_of_different_types_with_one_frame():
    true, drawn = run(race()), run(race(), engine="rolled", trials=500)
    assert type(true) is not type(drawn)
    assert list(true.frame().columns) == list(drawn.frame().columns)
    assert true.frame()["probability"].sum() == pytest.approx(1)
    assert drawn.frame()["probability"].sum() == pytest.approx(1)


def test_batches_add_up_in_any_order():
    from sims.engines.sampled import play_batch

    batches = [play_batch(race(), "sampled", 1, b, 0, 300) for b in range(3)]
    forwards = batches[0] + batches[1] + batches[2]
    backwards = batches[2] + batches[0] + batches[1]
    assert forwards == backwards


def test_each_batch_has_dice_of_its_own():
    from sims.engines.sampled import play_batch

    assert play_batch(race(), "sampled", 1, 0, 0, 300) != play_batch(race(), "sampled", 1, 1, 0, 300)


def test_more_trials_begin_with_the_same_ones():
    """The first trials are the same however many follow: nothing is resumed at the wrong place."""
    few, more = (play(race(), trials=n, seed=9) for n in (1, 2))
    outcomes = list(zip(*(c.tolist() for c in more.columns.values()), strict=True))
    (first,) = zip(*(c.tolist() for c in few.columns.values()), strict=True)
    assert first in outcomes


def test_progress_is_told_to_the_end():
    told = []
    play(race(), trials=100, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 1)]


def test_auto_gives_up_what_would_take_for_ever():
    """A stage has six faces for each of at most 200 totals, however many turns there are."""
    long = race(goal=200, turns=100)
    assert isinstance(run(long, engine="exact", budget=1200), Exact)
    assert isinstance(run(long, engine="auto", budget=1200, trials=100), Bounded)
    assert isinstance(run(long, engine="auto", budget=4 * 1200), Exact)


def test_a_stage_passes_by_those_it_does_not_concern():
    def hard(dice, state, scene):
        ok = passes(dice, "test", GOAL, 4)
        return state.replace(total=np.where(ok, scene, state.total))

    never = Assault(
        "race",
        9,
        Race(np.array([0]), np.array([0])),
        (PlayerTurn("a", (Stage("hard", hard, when=lambda s, _: s.total > 0),)),),
        2,
        end,
        outcome,
    )
    result = solve(never, number=Fraction)
    assert found(result) == {("held", 2): 1}


def test_a_stage_is_played_once_for_each_state():
    """Whoever throws a 6 is in; the others do the same again. What that comes to is a geometric series."""
    met = []

    def knock(dice, state, scene):
        met.append(state.total.tolist())
        face = roll(dice, "knock", D6)
        dice.tally("pips", face)
        return state.replace(total=np.where(face == 6, scene, np.where(face == 1, 1, 0)))

    result = solve(race(9, 6, knock), number=Fraction)
    missed = Fraction(5, 6)
    assert met == [[0], [1]]
    assert found(result) == {("held", 6): missed**6} | {("captured", t): missed ** (t - 1) / 6 for t in range(1, 7)}
    assert result.tallies["pips"] == sum(missed ** (t - 1) for t in range(1, 7)) * Fraction(7, 2)
    lost = [9 * (1 - missed**t) + missed ** (t - 1) / 6 for t in range(1, 7)]
    assert [theirs for _, theirs in result.course] == lost


def played_anew(assault: Assault) -> Counter[int]:
    """Return how likely each end is, by a solver that keeps nothing: every stage is played on all states of its turn."""
    state, weights, ends = assault.start, np.ones(1), Counter[int]()

    def set_aside(end) -> None:
        nonlocal state, weights
        end = np.broadcast_to(end, weights.shape)
        for each in set(end.tolist()) - {End.GOING_ON}:
            ends[each] += weights[end == each].sum()
        left = np.flatnonzero(end == End.GOING_ON)
        state, weights = state.take(left), weights[left]

    for turn in range(1, assault.limit + 1):
        for _, stage in assault.steps(turn):
            if not weights.size:
                return ends
            when = True if stage.when is None else stage.when(state, assault.scene)
            concerned = np.broadcast_to(when, weights.shape) != 0
            lot, rest = np.flatnonzero(concerned), np.flatnonzero(~concerned)
            groups = [(state.take(rest).arrays(), weights[rest])] if rest.size else []
            if lot.size:
                anew = merging.played(stage, assault, state, weights, lot, BUDGET, ExactDice)
                groups += [(arrays, dice.weights) for _, arrays, dice in anew]
            arrays, weights = merging.merge(groups)
            state = state.rebuild(arrays)
            set_aside(assault.end(state, assault.scene))
    set_aside(assault.at_limit(state, assault.scene))
    return ends


@pytest.mark.parametrize("scenario", ["toll-house", "across-the-wire"])
def test_what_has_been_learnt_is_what_stages_make_of_states_whenever_they_are_played(rules, scenario):
    assault = rule_set(rules).assault(load_scenario(scenario))
    result, anew = solve(assault), played_anew(assault)
    for end in set(End) - {End.GOING_ON}:
        assert result.weights[result.columns["end"] == end].sum() == pytest.approx(anew[end], rel=0, abs=1e-12)


def test_repeated_stages_have_dice_of_their_own():
    def hit(dice, state, scene):
        return state.replace(total=state.total + dice.draw("hit", Volley((GOAL,)), 1, 4))

    twice = Assault(
        "race",
        99,
        Race(np.array([0]), np.array([0])),
        (PlayerTurn("a", (Stage("hit", hit, times=2),)),),
        1,
        end,
        outcome,
    )
    drawn = play(twice, engine="rolled", trials=20_000, seed=2)
    ones = drawn.counts[drawn.columns["defenders_lost"] == 1].sum() / 20_000
    assert abs(ones - 0.5) < 6 * 0.5 / np.sqrt(20_000)
