"""How hits find targets over whom they are shared out evenly: against models told apart, and every fall of the dice."""

from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from sims.dice import GOAL, AtRandom, Body, Draw, Evenly, ExactDice, Volley, wounds_by_body
from sims.dice.mechanics import tell
from sims.dice.telling import Told
from tests import oracle
from tests.dice.test_finding import DIGIT, thrown

HITS, SHOTS, SURE = Volley((GOAL,)), Volley((GOAL, GOAL)), Volley(())


def one_by_one(bodies, lots, *, lost=False, first=0, takes=(), aimed=()):
    """The wounds of each body, by models who are told apart; what one suffers goes to his like who is hurt."""
    models = [(body, n) for body, (number, _, _) in enumerate(bodies) for n in range(number)]
    most = max(range(len(bodies)), key=lambda body: bodies[body][0])
    hits = [lot for lot, (_, n, _) in enumerate(lots) for _ in range(n)]

    def reached(alive):
        front = [model for model in models if model[0] < first]
        return front if any(model in alive for model in front) else [m for m in models if m[0] >= first]

    def after(at, suffered, alive, turn):
        """The wounds when all hits from this one on have found somebody."""
        if at == len(hits) or not alive:
            return {sum(n * DIGIT**body for body, n in enumerate(suffered)): Fraction(1)}
        _, _, goals = lots[hits[at]]
        aims = bool(aimed) and aimed[hits[at]]
        to_hit = oracle.passing("GOAL", goals[most][0]) if aims else Fraction(1)
        turn = turn or frozenset(reached(alive))
        ways = [(1 - to_hit, suffered, alive, turn)]
        for found in turn:
            others = [model for model in reached(alive) if model in alive]
            takers = [found] if found in alive else [] if lost else others
            share, left = to_hit / len(turn), turn - {found}
            ways += [] if takers else [(share, suffered, alive, left)]
            for taker in takers:
                body, (_, W, hurt) = taker[0], bodies[taker[0]]
                p = oracle.passing("GOAL", goals[body][-1]) if goals[body][aims:] else Fraction(1)
                had = W - (suffered[body] + hurt) % W
                loses = min(takes[hits[at]][body] if takes else 1, had)
                then = (*suffered[:body], suffered[body] + loses, *suffered[body + 1 :])
                dead = {taker} if loses == had else set()
                ways.append((share / len(takers) * p, then, alive - dead, left))
                ways.append((share / len(takers) * (1 - p), suffered, alive, left))
        answers = defaultdict(Fraction)
        for chance, *state in ways:
            for answer, p in after(at + 1, *state).items() if chance else ():
                answers[answer] += chance * p
        return dict(answers)

    after = cache(after)
    return dict(sorted(after(0, (0,) * len(bodies), frozenset(models), frozenset()).items()))


def made(bodies, lots, *, lost=False, first=0, takes=(), aimed=()):
    volleys = tuple(volley for volley, _, _ in lots)
    mechanic = Evenly(volleys, len(bodies), DIGIT, first=first, lost=lost, takes=takes, aimed=aimed)
    arguments = [number for body in bodies for number in body]
    for _, n, goals in lots:
        arguments += [n, *(goal for of in goals for goal in of)]
    return mechanic, arguments


CASES = {
    "fewer hits than models": (((3, 1, 0), (1, 2, 0)), ((HITS, 3, ((3,), (5,))),), {}),
    "twice as many and one": (((2, 1, 0), (1, 3, 1)), ((HITS, 7, ((4,), (5,))),), {}),
    "of two kinds": (((2, 1, 0), (1, 2, 0)), ((HITS, 2, ((3,), (5,))), (HITS, 3, ((5,), (2,)))), {}),
    "of which one does more": (
        ((1, 3, 0), (2, 2, 1)),
        ((HITS, 2, ((3,), (5,))), (HITS, 3, ((5,), (2,)))),
        {"takes": ((1, 1), (3, 2))},
    ),
    "of shots": (((1, 2, 0), (2, 1, 0)), ((SHOTS, 4, ((2, 4), (5, 3))), (HITS, 1, ((3,), (4,)))), {"aimed": (True, False)}),
    "at those in front": (((1, 1, 0), (1, 2, 0), (2, 1, 0)), ((HITS, 5, ((2,), (3,), (4,))),), {"first": 2}),
    "that need no roll": (((2, 1, 0), (1, 2, 0)), ((SURE, 4, ((), ())),), {}),
    "at nobody": (((0, 1, 0), (0, 2, 0)), ((HITS, 2, ((3,), (5,))),), {}),
    "at one": (((1, 3, 1),), ((HITS, 3, ((4,),)),), {}),
}  # fmt: skip


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_bodies_suffer_what_their_models_would(name, lost):
    bodies, lots, how = CASES[name]
    mechanic, arguments = made(bodies, lots, lost=lost, **how)
    assert dict(mechanic.pmf(*arguments)) == one_by_one(bodies, lots, lost=lost, **how)


SMALL = {
    "one more for one": (((1, 1, 0), (1, 2, 0)), ((HITS, 3, ((3,), (5,))),), {}),
    "of three, of two kinds": (((2, 1, 0), (1, 1, 0)), ((HITS, 1, ((4,), (2,))), (HITS, 1, ((2,), (5,)))), {}),
    "that need no roll": (((2, 1, 0), (1, 2, 0)), ((SURE, 6, ((), ())),), {}),
    "of shots": (((1, 1, 0), (1, 2, 0)), ((SHOTS, 2, ((2, 4), (5, 3))),), {"aimed": (True,)}),
    "at those in front": (((1, 1, 0), (1, 1, 0)), ((HITS, 3, ((2,), (3,))),), {"first": 1}),
}


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("name", SMALL)
def test_every_fall_of_the_physical_dice(name, lost):
    bodies, lots, how = SMALL[name]
    mechanic, arguments = made(bodies, lots, lost=lost, **how)
    assert thrown(mechanic, arguments, {}) == one_by_one(bodies, lots, lost=lost, **how)


def test_trials_have_hits_of_their_own():
    """Some have all, some none: a turn goes on in each where it stands."""
    mechanic, arguments = made(((2, 1, 0), (1, 2, 0)), ((SURE, 4, ((), ())), (SURE, 3, ((), ()))))
    trials = 4000
    rng = np.random.default_rng(5)
    columns = [np.full(trials, a) for a in arguments]
    for n in (6, 7):
        columns[n] = rng.integers(0, arguments[n] + 1, trials)
    answers = mechanic.throw(lambda part, sides, rows: rng.integers(1, sides + 1, (rows, trials)), *columns)
    hits = columns[6] + columns[7]
    for n in range(8):
        expected = one_by_one(((2, 1, 0), (1, 2, 0)), ((SURE, n, ((), ())),))
        counts = {answer: int((answers[hits == n] == answer).sum()) for answer in np.unique(answers[hits == n])}
        assert counts.keys() <= expected.keys()
        for answer, p in expected.items():  # 5 deviations: one in a million for each
            total = sum(counts.values())
            assert abs(counts.get(answer, 0) - total * p) <= 5 * float(total * p * (1 - p)) ** 0.5


@pytest.mark.parametrize("lost", [False, True])
def test_many_hits_have_a_chance_of_one_in_all(lost):
    """Their weights are numbers of any length."""
    mechanic, arguments = made(((4, 1, 0), (1, 3, 0), (3, 1, 0)), ((SHOTS, 24, ((3, 5),) * 3),), lost=lost, first=2)
    assert sum(p for _, p in mechanic.pmf(*arguments)) == 1


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("name", ["of two kinds", "of shots", "twice as many and one"])
def test_what_is_told_is_what_is_thrown(name, lost):
    bodies, lots, how = CASES[name]
    mechanic, arguments = made(bodies, lots, lost=lost, **how)
    rng = np.random.default_rng(8)
    for _ in range(200):
        told = Told(lambda part, sides, row: int(rng.integers(1, sides + 1)))
        lines = list(tell(mechanic, told.face, *arguments))
        answer = int(mechanic.throw(told.cast, *(np.array([a]) for a in arguments))[0])
        assert sum("suffers a wound" in line for line in lines) == sum(map(int, str(answer)))


def test_each_hit_is_told_with_whom_it_finds():
    """Of four shots three hit: the first two find one each, what finds the slain is passed on."""
    volley = Volley((GOAL.named("to hit"), GOAL.named("to wound")), who="four shots")
    mechanic = Evenly((volley,), 2, DIGIT, ("captain", "trooper"), aimed=(True,))
    faces = iter([3, 1, 6, 4, 2, 5, 6, 1, 5])
    lines = list(tell(mechanic, lambda *_: next(faces), 1, 2, 0, 1, 1, 0, 4, 3, 4, 3, 5))
    assert lines == [
        "four shots: to hit, 3+: 3 1 6 4, 3 of 4",
        "trooper (D2: 2; to wound, 5+: 5) suffers a wound",
        "captain (to wound, 4+: 6) suffers a wound",
        "captain (D2: 1; to wound, 4+: 5) suffers a wound",
    ]


@pytest.mark.parametrize(
    ("lost", "line"), [(False, "captain (D4: 4, passed on by D3: 1; 4+: 1)"), (True, "nobody who still lives (D4: 4)")]
)
def test_what_finds_the_slain_is_told(lost, line):
    """All of four are found once, the trooper is slain; the fifth hit finds him again."""
    mechanic = Evenly((HITS,), 3, DIGIT, ("captain", "trooper", "scout"), lost=lost)
    faces = iter([2, 5, 1, 1, 1, 1, 4, 1, 1])
    lines = list(tell(mechanic, lambda *_: next(faces), 1, 9, 0, 1, 1, 0, 2, 9, 0, 5, 4, 4, 4))
    assert lines[0] == "trooper (D4: 2; 4+: 5) suffers a wound"
    assert lines[-1] == line


def test_where_each_falls_to_one_hit_it_makes_no_difference():
    arguments = [2, 1, 0, 3, 1, 0, 4, 5, 5]
    assert Evenly((HITS,), 2, DIGIT).pmf(*arguments) != AtRandom((HITS,), 2, DIGIT, lost=True).pmf(*arguments)
    assert dict(Evenly((HITS,), 2, DIGIT).pmf(*arguments)) == dict(AtRandom((HITS,), 2, DIGIT).pmf(*arguments))


def test_a_stage_counts_hits():
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    bodies = [Body(np.array([2])), Body(np.array([1]), 2)]
    lots = [[Draw(SHOTS, (4, 3, goal)) for goal in (5, 4)]]
    men, leader = wounds_by_body(dice, "shots", Evenly, bodies, lots, aimed=[True])
    found = zip(men.ravel().tolist(), leader.ravel().tolist(), dice.weights.ravel().tolist(), strict=True)
    expected = one_by_one(((2, 1, 0), (1, 2, 0)), ((SHOTS, 4, ((3, 5), (3, 4))),), aimed=(True,))
    assert {a + DIGIT * b: p for a, b, p in found} == expected
