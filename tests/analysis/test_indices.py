"""Indices: those of a plain analysis of variance in fractions, and of functions whose indices are known."""

import csv
import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import run
from analysis.points.point import How
from analysis.points.responses import Estimate
from analysis.sweeps.design import design, factor
from analysis.sweeps.indices import indices, sobol, varied_factors
from analysis.sweeps.study import typed_factors as typed
from analysis.sweeps.sweep import answers, sweep
from sims.errors import CasemateError


def anova(values: dict) -> tuple[list[Fraction], list[Fraction]]:
    """First-order and total indices by the effects of every set of factors, in fractions and from the definition."""
    n = len(next(iter(values)))
    every = [frozenset(i for i in range(n) if mask >> i & 1) for mask in range(2**n)]

    def mean(some, at):
        cells = [value for cell, value in values.items() if all(cell[i] == at[i] for i in some)]
        return sum(cells, Fraction(0)) / len(cells)

    effects, parts = {}, {}
    for some in sorted(every, key=len):
        for at in values:
            below = sum((effects[other, at] for other in every if other < some), Fraction(0))
            effects[some, at] = mean(some, at) - below
        parts[some] = sum(effects[some, at] ** 2 for at in values) / len(values)
    whole = sum(parts[some] for some in every if some)
    first = [parts[frozenset([i])] / whole for i in range(n)]
    return first, [sum(part for some, part in parts.items() if i in some) / whole for i in range(n)]


@pytest.mark.parametrize("shape", [(5,), (2, 3), (3, 2, 4), (2, 1, 3), (2, 2, 2, 2)])
def test_indices_are_those_of_an_analysis_of_variance_in_fractions(shape):
    numbers = np.random.default_rng(7).integers(0, 1000, shape)
    first, total = anova({at: Fraction(int(numbers[at]), 1000) for at in np.ndindex(*shape)})
    assert sobol(numbers / 1000) == (
        pytest.approx([*map(float, first)], abs=1e-12),
        pytest.approx([*map(float, total)], abs=1e-12),
    )


def test_what_adds_up_is_of_single_factors():
    """The variances of 0, 1, 2 and of 0, 3 are 2/3 and 9/4."""
    first, total = sobol(np.array([[a + b for b in (0, 3)] for a in (0, 1, 2)], dtype=float))
    assert first == pytest.approx([8 / 35, 27 / 35], abs=1e-12)
    assert total == pytest.approx(first, abs=1e-12)


def test_a_product_is_partly_of_both():
    """Of x y with means m and variances v: v_x m_y^2, m_x^2 v_y and v_x v_y, here 2/3 * 4, 4 * 1 and 2/3."""
    first, total = sobol(np.array([[x * y for y in (1, 3)] for x in (1, 2, 3)], dtype=float))
    assert first == pytest.approx([8 / 22, 12 / 22], abs=1e-12)
    assert total == pytest.approx([10 / 22, 14 / 22], abs=1e-12)


def test_what_two_factors_do_only_together_is_of_neither_alone():
    first, total = sobol(np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert (first, total) == ([0, 0], [1, 1])


GRID = {"attackers.models": [4, 9], "defenders.models": [4, 8], "first": ["attackers", "defenders"]}
TYPED = ["--vary", "attackers.models=4,9", "--vary", "defenders.models=4,8", "--vary", "first=attackers,defenders"]


def test_the_command_says_what_a_sweep_comes_to(skirmish, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rules = ["storming", "gw_updated"]
    asked = ["sensitivity", skirmish, *TYPED, "--rules", ",".join(rules), "--workers", "1"]
    assert run([*asked, "--json", "--out", "rows"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    rows = [*csv.DictReader(Path("rows/sensitivity.csv").read_text().splitlines())]
    table = sweep(skirmish, GRID, rules=rules)
    captured = table[table["response"] == "p_captured"].set_index(["rules", *GRID])["value"]
    for one, name in zip(results, rules, strict=True):
        values = {at: Fraction(captured[(name, *at)]) for at in product(*GRID.values())}
        first, total = anova(values)
        assert (one["rules"], one["points"], one["refused"]) == (name, 8, [])
        assert one["mean"] == pytest.approx(float(sum(values.values()) / 8), abs=1e-12)
        assert [index["factor"] for index in one["indices"]] == [*GRID]
        assert [index["first"] for index in one["indices"]] == pytest.approx([*map(float, first)], abs=1e-12)
        assert [index["total"] for index in one["indices"]] == pytest.approx([*map(float, total)], abs=1e-12)
        mine = [row for row in rows if row["rules"] == name]
        assert [float(row["total"]) for row in mine] == [index["total"] for index in one["indices"]]
    assert run(asked) == 0
    told = capsys.readouterr().out
    for one in results:
        for index in one["indices"]:
            said = [index["factor"], str(index["levels"]), f"{100 * index['first']:.1f}", f"{100 * index['total']:.1f}"]
            assert said in [line.split() for line in told.splitlines()]
        alone = sum(index["first"] for index in one["indices"])
        assert f"First orders leave {100 * (1 - alone):.1f} %" in told


def test_the_mean_and_the_deviation_are_those_of_the_whole_grid(skirmish):
    """Of 0, 1, 2, 3: 1.5, and the root of 5/4; the first factor has 4/5 of that, the second 1/5."""
    of = design(typed(["distance=5,6", "turns=1,2"]), skirmish, ["storming"])
    found = [*answers(of, How("sampled", trials=1))]

    def given(*values):
        cells = zip(found, values, strict=True)
        return [each._replace(responses={"p_captured": Estimate(value)}) for each, value in cells]

    (one,) = indices(of, given(0.0, 1.0, 2.0, 3.0))
    assert (one.points, one.mean, one.deviation) == (4, 1.5, pytest.approx(1.25**0.5, abs=1e-12))
    assert [(each.factor, each.first, each.total) for each in one.indices] == [
        ("distance", pytest.approx(0.8, abs=1e-12), pytest.approx(0.8, abs=1e-12)),
        ("turns", pytest.approx(0.2, abs=1e-12), pytest.approx(0.2, abs=1e-12)),
    ]
    (flat,) = indices(of, given(0.5, 0.5 + 1e-12, 0.5, 0.5))  # the last digits of floats are no spread
    assert flat.indices == ()


def test_what_does_not_vary_is_said(skirmish, capsys):
    asked = ["--vary", "units.veteran.move=3,4,5", "--rules", "storming", "--workers", "1"]
    assert run(["sensitivity", skirmish, *asked]) == 0
    assert "does not vary over these levels" in capsys.readouterr().out
    assert run(["sensitivity", skirmish, *asked, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["results"]
    assert (one["indices"], one["refused"]) == ([], [])


def test_points_that_cannot_be_played_are_named_and_other_rules_answered(skirmish, tmp_path, capsys):
    narrow = tmp_path / "narrow.toml"
    narrow.write_text(f"base = '{skirmish}'\ntitle = 'One window'\n[building.gemini]\nwindows = 1\n")
    asked = ["sensitivity", str(narrow), "--vary", "building.doors=0,1,2", "--workers", "1"]
    assert run([*asked, "--rules", "storming,gemini"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 of 3 points cannot be played, and shares take the whole grid:" in out
    assert "narrow?building.doors=0: building.doors: Brick farmhouse: it has no door" in out
    assert "building.doors 3 100.0 100.0" in out
    assert run([*asked, "--rules", "storming"]) == 2
    out, err = capsys.readouterr()
    assert "1 of 3 points cannot be played" in err
    assert (out, err.count("\n")) == ("", 1)


def test_a_grid_that_is_too_large_is_refused_with_its_count(capsys):
    asked = ["--vary", "attackers.models=11..60", "--vary", "distance=1..100", "--vary", "turns=1..20"]
    assert run(["sensitivity", *asked, "--vary", "first=attackers,defenders", "--rules", "storming"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        "casemate: these are 200,000 points; expected at most 100,000, as all of them are played\n",
    )
    assert len(varied_factors(design(typed(asked[1::2]), "farmhouse", ["storming"]))) == 3


def test_rules_are_told_apart_and_no_part_of_another_factor():
    assert [each.name for each in varied_factors(design(typed(["distance=5,6", "turns=3"]), "farmhouse"))] == [
        "distance"
    ]
    army = factor("army", {"a": {"rules": "storming", "distance": 5}, "b": {"rules": "gemini", "distance": 6}})
    with pytest.raises(CasemateError, match="army sets the rules and more"):
        varied_factors(design([army, *typed(["turns=3,4"])], "farmhouse"))
