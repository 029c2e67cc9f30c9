"""The law of scatter by arcs, against a judge who integrates over the direction on his own, and against samples."""

from collections import defaultdict

import numpy as np
import pytest
from scipy.stats import chi2

from sims.dice.die import SCATTER_THREE, scatter_less
from sims.geometry import PARTS, Field, formation, landing, law, nearest_to_centre, points, stretches
from tests.geometry import plane_oracle
from tests.geometry.judged import judged

FALSE_ALARM = 1e-9
"""Chance that a statistical test here fails although nothing is wrong."""
RANKS, DEEP, FEW = formation(10, 5, 2), formation(7, 2, 1.5), formation(3, 3, 1.25)
LOW_WALL = [(-1.3 - 3j, -1.1 + 0.4j)]
CORNER = [(-1 - 4j, -0.7 + 1.1j), (-3 + 0.9j, 2.2 + 1.3j)]
BEYOND = [(1.9 - 5j, 2.1 + 5j)]
HOUSE = [
    (-1 - 6.1j, -1.2 + 1j),
    (-1 + 3.1j, -0.8 + 6j),
    (-1 - 6j, 5 - 5.9j),
    (-1.1 + 6j, 5 + 6.2j),
    (1.1 - 3j, 0.9 + 3j),
]
SET_UPS = {
    "ranks, small marker": (RANKS, 1.5, 0.5, 20, 4, []),
    "ranks, large marker, near": (RANKS, 2.5, 0.5, 5, 2, []),
    "deep, behind a wall": (DEEP, 1.5, 0.5, 18, 3, LOW_WALL),
    "deep, in a corner of two walls that cross": (DEEP, 2.5, 0.25, 14, 3, CORNER),
    "ranks, in a house with a door": (RANKS, 1.5, 0.375, 20, 4, HOUSE),
    "few, a wall behind them": (FEW, 2.5, 0, 12, 1, BEYOND),
    "few, near a wall, half range": (FEW, 1.5, 0.5, 3, -2, LOW_WALL),
    "a figure alone": (formation(1, 5, 2), 1.5, 0.5, 9, 5, []),
}


def thrown(models, radius, body, away, skill, walls):
    """The set-up as the law takes it, and as the judge does."""
    aim = models[nearest_to_centre(models)]
    far = scatter_less(skill).pmf
    limit = abs(aim + away) / 2
    inches = [(min(d, limit), w) for d, w in zip(far.outcomes, far.weights, strict=True)]
    field = Field(complex(-away), aim, points(models), radius + body, stretches(walls))

    def pair(z):
        return (z.real, z.imag)

    scattered = plane_oracle.limited(plane_oracle.scattered("area", skill=skill), limit)
    there, ends = [*map(pair, models)], [(pair(start), pair(end)) for start, end in walls]
    return field, inches, judged((-float(away), 0.0), pair(aim), scattered, there, radius, body, ends)


def chances(found):
    total = sum(found.weights)
    return {
        tuple(row): weight / total for row, weight in zip(found.covered.tolist(), found.weights, strict=True) if weight
    }


@pytest.mark.parametrize("name", SET_UPS)
def test_the_whole_law_is_the_judge_s(name):
    field, inches, judged = thrown(*SET_UPS[name])
    found = chances(law(field, inches))
    for covered in {*found, *judged}:
        assert found.get(covered, 0) == pytest.approx(judged.get(covered, 0), abs=1e-9), covered


@pytest.mark.parametrize("name", SET_UPS)
def test_weights_are_whole_and_add_up(name):
    field, inches, _ = thrown(*SET_UPS[name])
    found = law(field, inches)
    assert sum(found.weights) == PARTS * sum(weight for _, weight in inches)


@pytest.mark.parametrize("name", ["ranks, small marker", "deep, behind a wall", "ranks, in a house with a door"])
def test_samples_fall_as_the_law_says(name):
    """Whole distributions, by chi-square: a mean does not show what a wall does."""
    field, inches, _ = thrown(*SET_UPS[name])
    expected, n, generator = chances(law(field, inches)), 400_000, np.random.default_rng(7)
    weights = np.array([weight for _, weight in inches])
    far = generator.choice([d for d, _ in inches], size=n, p=weights / weights.sum())
    covered = field.covered(landing(field, far, generator.uniform(0, 2 * np.pi, n)))
    rows, counts = np.unique(covered, axis=0, return_counts=True)
    seen = dict(zip(map(tuple, rows.tolist()), counts.tolist(), strict=True))
    likely = {row for row, p in expected.items() if p * n > 10}
    rest, seen_rest = 1 - sum(expected[row] for row in likely), n - sum(seen.get(row, 0) for row in likely)
    far_off = sum((seen.get(row, 0) - n * expected[row]) ** 2 / (n * expected[row]) for row in likely)
    far_off += (seen_rest - n * rest) ** 2 / (n * rest) if rest * n > 10 else 0
    assert chi2.sf(far_off, len(likely)) > FALSE_ALARM
    touching = sum(count for row, count in seen.items() if not expected.get(row))
    assert touching < n / 100_000  # what only touches is as likely as rounding makes it


def test_mirrored_formations_have_mirrored_laws():
    field, inches, _ = thrown(*SET_UPS["deep, in a corner of two walls that cross"])
    other = Field(
        field.shooter,
        field.aim.conjugate(),
        points(field.targets.starts.conj()),
        field.reach,
        stretches([(a.conjugate(), b.conjugate()) for a, b in CORNER]),
    )
    one, mirrored = chances(law(field, inches)), chances(law(other, inches))
    assert one.keys() == mirrored.keys()
    assert all(mirrored[row] == pytest.approx(one[row], abs=1e-12) for row in one)


def test_a_wall_far_off_changes_nothing():
    field, inches, _ = thrown(*SET_UPS["ranks, small marker"])
    beside = Field(field.shooter, field.aim, field.targets, field.reach, stretches([(-9 + 40j, 9 + 40j)]))
    assert chances(law(beside, inches)) == pytest.approx(chances(law(field, inches)), abs=1e-12)


def test_a_marker_of_no_size_covers_points_it_never_meets():
    found = law(Field(-9, 0.1, points([1, 2j]), 0), [(3, 1)])
    assert chances(found) == {(0, 0): 1}
    assert chances(law(Field(-9, 1, points([1, 2j]), 0), [(0, 1)])) == {(1, 0): 1}


def test_a_stopped_marker_is_on_the_side_it_came_from():
    """Right behind the wall nobody is in the open, right before it everybody is, wherever rounding puts the marker."""
    wall = stretches([(-20j, 20j)])
    field = Field(-10, 5, points([-0.5, 0.5]), 3, wall)
    angle = np.linspace(0, 2 * np.pi, 5000)
    found = landing(field, np.full(angle.shape, 2.0), angle)
    assert (found.stopped_by == 0).all()
    covered = field.covered(found)
    assert set(covered[:, 0].tolist()) <= {0, 1}
    assert set(covered[:, 1].tolist()) <= {0, 2}


@pytest.mark.parametrize("wall", [(-20j, 20j), (20j, -20j)])
def test_who_stands_on_the_wall_that_stops_a_marker_is_not_behind_it(wall):
    """Whichever end of it is named first."""
    field = Field(-10, 5, points([0, 1j, 0.5]), 3, stretches([wall]))
    found = landing(field, np.array([2.0]), np.array([0.0]))
    assert field.covered(found).tolist() == [[1, 1, 2]]


def test_nothing_stops_a_marker_that_does_not_scatter():
    """Who aims sees his target over the wall: it is in the open then."""
    field = Field(-10, 5, points([5, -0.5]), 6, stretches([(-20j, 20j)]))
    assert field.covered(landing(field, np.array([0.0]), np.array([0.0]))).tolist() == [[1, 2]]
    assert law(field, [(0, 1)]).covered.tolist() == [[1, 2]]


def test_a_wall_of_no_length_stops_nothing():
    field, inches, _ = thrown(*SET_UPS["ranks, small marker"])
    beside = Field(field.shooter, field.aim, field.targets, field.reach, stretches([(-9, -9)]))
    assert chances(law(beside, inches)) == chances(law(field, inches))


def test_three_dice_scatter_as_the_judge_counts_them():
    hidden = plane_oracle.scattered("hidden")
    assert {d: SCATTER_THREE.pmf[int(d)] for d in hidden} == hidden
    assert sum(hidden.values()) == 1


def test_numbers_under_a_marker_are_the_known_means():
    """Of 10 in two ranks of five, and of 10 abreast: what a large marker covers on average, found by the judge's grid."""
    for files in (5, 10):
        models = formation(10, files, 2)
        field, inches, _ = thrown(models, 2.5, 0.5, 20, 4, [])
        found, means = chances(law(field, inches)), defaultdict(float)
        pairs = [(z.real, z.imag) for z in models]
        grid = plane_oracle.by_grid(
            (-20.0, 0.0),
            (field.aim.real, field.aim.imag),
            plane_oracle.scattered("area", skill=4),
            pairs,
            2.5,
            0.5,
            [],
            4000,
        )
        for name, of in (("arcs", found), ("grid", grid)):
            means[name] = sum(p * sum(map(bool, row)) for row, p in of.items())
        assert means["arcs"] == pytest.approx(means["grid"], abs=2e-3)
