"""How hits find targets that are not alike: against models that are told apart, and every fall of the physical dice."""

from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from sims.dice import D3, GOAL, AtRandom, Body, Draw, ExactDice, InOrder, Volley, wounds_by_body
from sims.dice.mechanics import tell
from sims.dice.telling import Told
from tests import oracle

DIGIT = 10
BLOWS = Volley((GOAL, GOAL.failed))
FLAMES = Volley((GOAL,), hits=D3)


def chance(found, taken):
    """Of a hit on one model that another takes in the end: by the goals of the one, but the last of the other."""
    *hits, _ = (oracle.passing("GOAL", goal) for goal in found)
    *others, last = (oracle.passing("GOAL", goal) for goal in taken)
    return hits[0] * (1 - last) if others else last


def one_by_one(kind, bodies, lots, passes=(), takes=()):
    """The wounds of each body, by models each of whom has a number of Wounds left."""

    def drawn(models, living):
        """Whom of the living a hit is on, the first or any: models of one body finish who is hurt, who stands first."""
        found = defaultdict(Fraction)
        able = living if kind is AtRandom else living[:1]
        for place in able:
            found[next(p for p in living if models[p][0] == models[place][0])] += Fraction(1, len(able))
        return found

    @cache
    def after(models, hits):
        if not hits or not any(left for _, left in models):
            return {tuple(left for _, left in models): Fraction(1)}
        (lot, goals), *more_hits = hits
        living = [place for place, (_, left) in enumerate(models) if left]
        struck = defaultdict(Fraction)
        for place, share in drawn(models, living).items():
            others = [other for other in living if other != place]
            passed = Fraction(7 - passes[models[place][0]], 6) if passes and others else Fraction(0)
            struck[place, place] += share * (1 - passed)
            for other, part in drawn(models, others).items() if passed else ():
                struck[place, other] += share * passed * part
        ways = defaultdict(Fraction)
        for (found, place), share in struck.items():
            body, left = models[place]
            p = chance(goals[models[found][0]], goals[body])
            lives = max(left - (takes[lot][body] if takes else 1), 0)
            hit = (*models[:place], (body, lives), *models[place + 1 :])
            for then, part in ((hit, p), (models, 1 - p)):
                for lives, more in after(then, tuple(more_hits)).items():
                    ways[lives] += share * part * more
        return dict(ways)

    standing = tuple(
        (body, W - (hurt if n == 0 else 0)) for body, (models, W, hurt) in enumerate(bodies) for n in range(models)
    )
    ways = {(): Fraction(1)}
    for lot, (volley, n, goals) in enumerate(lots):
        for _ in range(n):
            scores = {1: Fraction(1)} if volley.hits is None else {hits: Fraction(1, 3) for hits in (1, 2, 3)}
            ways_then = defaultdict(Fraction)
            for hits, p in ways.items():
                for score, q in scores.items():
                    ways_then[hits + ((lot, goals),) * score] += p * q
            ways = ways_then
    answers = defaultdict(Fraction)
    for hits, p in ways.items():
        for left, q in after(standing, hits).items():
            lost = [0] * len(bodies)
            for (body, had), has in zip(standing, left, strict=True):
                lost[body] += had - has
            answers[sum(n * DIGIT**body for body, n in enumerate(lost))] += p * q
    return {answer: p for answer, p in sorted(answers.items()) if p}


LEADER_LAST = ((2, 1, 0), (1, 3, 1))
CASES = [
    (LEADER_LAST, ((BLOWS, 3, ((3, 5), (4, 3))),)),
    (((1, 2, 0), (2, 1, 0)), ((BLOWS, 2, ((3, 5), (4, 3))), (FLAMES, 1, ((4,), (2,))))),
    (((1, 1, 0), (1, 2, 1), (2, 2, 1)), ((BLOWS, 4, ((3, 5), (4, 3), (2, 7))),)),
    (((0, 1, 0), (2, 1, 0)), ((BLOWS, 3, ((3, 5), (4, 3))),)),
    (((1, 1, 0), (0, 3, 0)), ((FLAMES, 2, ((4,), (2,))),)),
    (((0, 1, 0), (0, 1, 0)), ((FLAMES, 1, ((4,), (2,))),)),
    (LEADER_LAST, ((BLOWS, 0, ((3, 5), (4, 3))),)),
]


def made(kind, bodies, lots, passes=(), takes=()):
    mechanic = kind(tuple(volley for volley, _, _ in lots), len(bodies), DIGIT, passes=passes, takes=takes)
    arguments = [number for body in bodies for number in body]
    for _, n, goals in lots:
        arguments += [n, *(goal for of in goals for goal in of)]
    assert mechanic.arity == len(arguments)
    return mechanic, arguments


@pytest.mark.parametrize("kind", [InOrder, AtRandom])
@pytest.mark.parametrize(("bodies", "lots"), CASES)
def test_bodies_suffer_what_their_models_would(kind, bodies, lots):
    mechanic, arguments = made(kind, bodies, lots)
    assert dict(mechanic.pmf(*arguments)) == one_by_one(kind, bodies, lots)


LOOKS_OUT = [
    (*CASES[0], (7, 4), ()),
    (*CASES[1], (4, 7), ()),
    (((1, 1, 0), (2, 2, 0)), ((BLOWS, 3, ((3, 5), (4, 3))),), (2, 7), ()),
    (*CASES[1], (), ((2, 1), (1, 1))),
    (*CASES[2], (5, 7, 7), ((1, 2, 1),)),
    (*CASES[3], (4, 4), ()),
    (((2, 3, 1), (1, 3, 0)), ((BLOWS, 3, ((3, 5), (4, 3))), (FLAMES, 1, ((4,), (2,)))), (), ((2, 2), (1, 1))),
    (((2, 5, 4),), ((BLOWS, 4, ((3, 5),)),), (), ((3,),)),
]


@pytest.mark.parametrize("kind", [InOrder, AtRandom])
@pytest.mark.parametrize(("bodies", "lots", "passes", "takes"), LOOKS_OUT)
def test_who_looks_out_passes_on_what_may_take_several_wounds(kind, bodies, lots, passes, takes):
    mechanic, arguments = made(kind, bodies, lots, passes, takes)
    assert dict(mechanic.pmf(*arguments)) == one_by_one(kind, bodies, lots, passes, takes)


SMALL = [
    (((1, 1, 0), (1, 2, 0)), ((Volley((GOAL,)), 3, ((3,), (5,))),)),
    (((2, 1, 0), (1, 1, 0)), ((FLAMES, 1, ((4,), (2,))),)),
]


class NeededError(Exception):
    """A die that has not been thrown."""


def thrown(mechanic, arguments, faces):
    """The distribution of what physical dice give; those that are thrown depend on those before."""

    def cast(part, sides, rows):
        for row in range(rows):
            if (part, row) not in faces:
                raise NeededError((part, row), sides)
        return np.array([[faces[part, row]] for row in range(rows)]).reshape(rows, 1)

    try:
        return {int(mechanic.throw(cast, *(np.array([a]) for a in arguments))[0]): Fraction(1)}
    except NeededError as needed:
        die, sides = needed.args
    ways = defaultdict(Fraction)
    for face in range(1, sides + 1):
        for answer, p in thrown(mechanic, arguments, faces | {die: face}).items():
            ways[answer] += p / sides
    return dict(sorted(ways.items()))


@pytest.mark.parametrize("kind", [InOrder, AtRandom])
@pytest.mark.parametrize(("bodies", "lots"), SMALL)
def test_every_fall_of_the_physical_dice(kind, bodies, lots):
    mechanic, arguments = made(kind, bodies, lots)
    assert thrown(mechanic, arguments, {}) == one_by_one(kind, bodies, lots)


@pytest.mark.parametrize(("kind", "volley", "n"), [(InOrder, Volley((GOAL,)), 2), (AtRandom, BLOWS, 1)])
def test_every_fall_of_the_dice_by_which_hits_are_passed_on(kind, volley, n):
    goals = ((3, 5), (4, 2), (3, 5))
    lots = ((volley, n, tuple(of[: len(volley.tests)] for of in goals)),)
    case = kind, ((1, 2, 1), (1, 2, 0), (1, 1, 0)), lots, (5, 7, 7), ((False, True, False),)
    mechanic, arguments = made(*case)
    assert thrown(mechanic, arguments, {}) == one_by_one(*case)


@pytest.mark.parametrize(("kind", "passes"), [(AtRandom, ()), (AtRandom, (4, 5)), (InOrder, (4, 5))])
def test_what_is_told_is_what_is_thrown(kind, passes):
    mechanic, arguments = made(kind, *CASES[1], passes)
    rng = np.random.default_rng(8)
    for _ in range(200):
        told = Told(lambda part, sides, row: int(rng.integers(1, sides + 1)))
        lines = list(tell(mechanic, told.face, *arguments))
        answer = int(mechanic.throw(told.cast, *(np.array([a]) for a in arguments))[0])
        assert sum("suffers a wound" in line for line in lines) == sum(map(int, str(answer)))


def test_each_hit_is_told_with_whom_it_finds():
    mechanic = AtRandom((BLOWS.by("two blows"),), 2, DIGIT, ("captain", "trooper"))
    faces = iter([3, 4, 2, 1, 5, 3])
    lines = list(tell(mechanic, lambda *_: next(faces), 1, 2, 0, 2, 1, 0, 2, 4, 3, 4, 5))
    assert lines == [
        "two blows: trooper (D3: 3; 4+: 4; 5+: 2) suffers a wound",
        "captain (D2: 1; 4+: 5; 3+: 3)",
    ]


def test_who_passes_a_hit_on_is_told_with_who_takes_it():
    volley = Volley((GOAL, GOAL.failed), who="two blows")
    mechanic = InOrder((volley,), 2, DIGIT, ("captain", "trooper"), passes=(4, 7), takes=((3, 1),))
    faces = iter([4, 5, 1, 3, 2, 2])
    lines = list(tell(mechanic, lambda *_: next(faces), 1, 3, 0, 2, 1, 0, 2, 4, 3, 4, 5))
    assert lines == [
        "two blows: captain (4+: 4; 4+ to pass it on: 5; to trooper; 5+: 1) trooper suffers a wound",
        "captain (4+: 3)",
    ]


def test_stretches_of_a_body_are_counted_together():
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    bodies = [Body(np.array([1])), Body(np.array([1]), 3), Body(np.array([2]))]
    lot = [Draw(BLOWS, (4, 3, 5)), Draw(BLOWS, (4, 4, 3)), Draw(BLOWS, (4, 3, 5))]
    men, leader = wounds_by_body(dice, "blows", InOrder, bodies, [lot], counted=[0, 1, 0])
    parts = ((1, 1, 0), (1, 3, 0), (2, 1, 0))
    expected = defaultdict(Fraction)
    for answer, p in one_by_one(InOrder, parts, ((BLOWS, 4, ((3, 5), (4, 3), (3, 5))),)).items():
        expected[answer % DIGIT + answer // DIGIT**2, answer // DIGIT % DIGIT] += p
    found = zip(men.ravel().tolist(), leader.ravel().tolist(), dice.weights.ravel().tolist(), strict=True)
    assert {(a, b): p for a, b, p in found if p} == expected


def test_an_answer_is_said_by_who_suffers():
    words = InOrder((BLOWS,), 3, DIGIT, ("trooper", "captain", "trooper")).words(
        1, 1, 0, 1, 2, 0, 2, 1, 0, 4, 2, 5, 2, 5, 2, 5
    )
    assert words == {
        0: "none",
        1: "trooper 1",
        11: "trooper 1, captain 1",
        21: "trooper 1, captain 2",
        121: "trooper 2, captain 2",
    }
    assert InOrder((BLOWS,), 2, DIGIT).words(1, 1, 0, 2, 1, 0, 3, 2, 5, 2, 5)[21] == "body 1 1, body 2 2"


def test_a_stage_reads_the_wounds_of_each_body():
    dice = ExactDice(np.array([Fraction(1)], dtype=object))
    bodies = [Body(np.array([2]), 1, 0), Body(np.array([1]), np.array([3]), np.array([1]))]
    lots = [[Draw(BLOWS, (3, 3, 5)), Draw(BLOWS, (3, 4, 3))]]
    men, leader = wounds_by_body(dice, "blows", InOrder, bodies, lots)
    expected = one_by_one(InOrder, *CASES[0])
    found = zip(men.ravel().tolist(), leader.ravel().tolist(), dice.weights.ravel().tolist(), strict=True)
    assert {a + DIGIT * b: p for a, b, p in found} == expected
