"""Playing on until chances are known well enough: that is reached, it pays for its looks, and no trial is lost."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from analysis.cli import run as casemate
from analysis.commands import deciding
from analysis.points import stopping as module
from analysis.points.intervals import reach, wilson
from analysis.points.margins import margins
from analysis.points.point import How, point
from analysis.points.responses import Estimate, captured_by_turn, losses
from analysis.points.stopping import furthest, looks, short
from sims.dice import source
from sims.engines import Exact, Sampled, play, sampled
from sims.rulesets import rule_set
from tests import sampling

STORMING = rule_set("storming")
FALSE_ALARM = 1e-6
"""Of each count below."""


def test_an_interval_that_shares_its_error_reaches_as_far_as_bonferroni_has_it():
    """The quantiles of the normal distribution, from a table."""
    assert reach() == pytest.approx(1.959964, abs=1e-6)
    assert reach(5) == pytest.approx(2.575829, abs=1e-6)
    assert reach(50) == pytest.approx(3.290527, abs=1e-6)


@pytest.mark.parametrize(("trials", "width"), [(1, 0.1), (7, 0.02), (1000, 0.01), (100_000, 0.005), (333, 0.3)])
def test_the_last_look_is_sure_to_be_enough_and_the_one_before_is_not(trials, width):
    n = looks(trials, width)

    def widest(shared):
        last = trials << shared - 1
        return max(
            float(np.subtract(*wilson(k, last, reach(shared)))) * -0.5
            for k in range(last // 2 - 3, last // 2 + 4)
            if 0 <= k <= last
        )

    assert widest(n) <= width
    assert n == 2 or widest(n - 1) > width


def test_looks_end_at_the_most_trials():
    assert 1000 << looks(1000, 1e-6) - 1 <= module.MOST < 1000 << looks(1000, 1e-6)
    assert looks(10**9, 1e-6) == 2
    assert looks(10**9, None) == 1
    assert 78_125 << looks(78_125, 1e-6) - 1 == module.MOST  # which is reached as well


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_what_is_shown_covers(p):
    """A short form of `make statistics`."""
    n, rng = 600, np.random.default_rng([5, round(10 * p)])
    fixed = round(n * sampling.covered(p, 1000, n, rng))
    assert binom.ppf(FALSE_ALARM, n, 0.94) <= fixed <= binom.isf(FALSE_ALARM, n, 0.96)
    assert n * sampling.covered_until(p, 200, 0.04, n, rng) >= binom.ppf(FALSE_ALARM, n, 0.95)


@pytest.mark.parametrize("engine", ["sampled", "rolled"])
@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_played_on_is_what_is_played_at_once(gate, monkeypatch, engine, workers):
    """In batches of 16, so that looks end within batches and go over several; a worker has those of its own."""
    if workers == 1:
        monkeypatch.setattr(sampled, "BATCH", 16)
        monkeypatch.setattr(source, "BATCH", 16)
    told = []
    rule = sampled.Until(5, lambda found: told.append(found.trials) or found.trials >= 88)
    on, once = (play(gate, engine=engine, trials=n, until=u, workers=workers) for n, u in ((11, rule), (88, None)))
    assert told == [11, 22, 44, 88]
    assert on.trials == once.trials == 88
    assert all((on.columns[name] == once.columns[name]).all() for name in on.columns)
    assert (on.counts.tolist(), on.tallies, on.course) == (once.counts.tolist(), once.tallies, once.course)
    assert (on.looks, once.looks) == (5, 1)


def test_no_trial_is_played_twice(gate, monkeypatch):
    played = []
    batch = sampled.play_batch
    monkeypatch.setattr(sampled, "play_batch", lambda *given: played.append(given[-1]) or batch(*given))
    play(gate, trials=10, until=sampled.Until(3, lambda found: False))
    assert played == [10, 10, 20]


@pytest.mark.parametrize("width", [0.05, 0.02])
def test_a_point_is_played_until_it_is_known_to_a_width(skirmish, width):
    one = point(skirmish, STORMING, how=How("sampled", trials=50, until=width))
    result = one.play()
    assert isinstance(result, Sampled)
    answers = one.responses(result)
    chances = [each for name, each in answers.items() if name.startswith("p_")]
    assert len(chances) == 5
    assert furthest(answers) == max((each.high - each.low) / 2 for each in chances) <= width
    shared, last = looks(50, width), result.trials
    early = play(one.assault, trials=50, until=sampled.Until(shared, lambda so_far: 2 * so_far.trials >= last))
    assert 2 * early.trials == last
    assert furthest(one.responses(early)) > width
    assert module.until(50, furthest(answers)).enough(result)
    assert not module.until(50, 0.999 * furthest(answers)).enough(result)
    z = reach(shared)
    captured = round(answers["p_captured"].value * result.trials)
    assert (answers["p_captured"].low, answers["p_captured"].high) == tuple(
        map(float, wilson(captured, result.trials, z))
    )
    found = margins(result, one.models)
    assert captured_by_turn(found)[-1] == answers["p_captured"]
    lost = losses(found, "attackers")
    assert sum(each.value for each in lost.values()) == pytest.approx(1)
    assert [(each.low, each.high) for each in lost.values()] == [
        tuple(map(float, wilson(int(n), result.trials, z))) for n in found.lost["attackers"][: len(lost)]
    ]


def test_what_was_not_enough_is_counted():
    found = [{"p_held": Estimate(0.5, 0.25, 0.75)}, {"p_held": Estimate(0.5)}, {"turns_mean": Estimate(2, 1, 3)}]
    assert [short(found, width) for width in (0.24, 0.25, None)] == [1, 0, 0]


def test_it_decides_the_answer_and_so_the_id(skirmish):
    def of(**how):
        return point(skirmish, STORMING, how=How(**how)).id

    assert len({of(), of(until=0.1), of(until=0.2)}) == 3
    assert of(engine="exact") == of(engine="exact", until=0.1)


def test_exact_answers_play_on_for_nothing(skirmish):
    assert isinstance(point(skirmish, STORMING, how=How(until=0.1)).play(), Exact)


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (["compare", "SCENARIO", "--rules", "storming", "--json", "--out", "OUT"], None),
        (["explain", "storming", "RULES", "--scenario", "SCENARIO"], "In 2 answers 80 assaults were not enough"),
        (["solve", "SCENARIO", "--vary", "turns", "--rules", "storming"], "answers 80 assaults were not enough"),
        (
            ["sweep", "SCENARIO", "--vary", "turns=1..2", "--rules", "storming", "--workers", "1"],
            "In 2 answers 80 assaults were not enough to be within 0.01.",
        ),
        (["explain", "storming", "gw_updated", "--scenario", "SCENARIO"], "In 2 answers 80 assaults were not enough"),
        (
            ["versus", "storming", "RULES", "--scenario", "SCENARIO", "--workers", "1"],
            "80 assaults were not enough to be within 0.01.",
        ),
        (["solve", "SCENARIO", "--any", "--rules", "storming", "--workers", "1"], "80 assaults were not enough"),
        (
            ["sensitivity", "SCENARIO", "--vary", "turns=1..2", "--rules", "storming", "--workers", "1"],
            "In 2 answers 80 assaults were not enough to be within 0.01.",
        ),
    ],
)
def test_where_the_most_trials_are_not_enough_it_is_said(
    command, word, skirmish, house_rule, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(module, "MOST", 100)
    monkeypatch.setattr(deciding, "scenario_ids", list)  # no others, in which --any says what else moves
    words = [{"SCENARIO": skirmish, "OUT": str(tmp_path), "RULES": house_rule}.get(each, each) for each in command]
    assert casemate([*words, "--engine", "sampled", "--trials", "20", "--until", "0.01"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    if word:
        assert word in said
    else:
        page = " ".join(next(tmp_path.glob("*.html")).read_text().split())
        assert "80 assaults were not enough to be within 0.01." in page
        assert "--until 0.01" in page
        assert '"trials": 80' in said


@pytest.mark.parametrize(
    "command",
    [
        "compare SCENARIO --rules storming",
        "explain storming RULES --scenario SCENARIO",
        "explain storming gw_updated --scenario SCENARIO",
        "solve SCENARIO --vary turns --rules storming",
        "sweep SCENARIO --vary turns=1..2 --rules storming --workers 1",
        "sensitivity SCENARIO --vary turns=1..2 --rules storming --workers 1",
    ],
)
def test_beside_json_it_is_said_on_standard_error(command, skirmish, house_rule, monkeypatch, capsys):
    monkeypatch.setattr(module, "MOST", 100)
    words = [{"SCENARIO": skirmish, "RULES": house_rule}.get(each, each) for each in command.split()]
    assert casemate([*words, "--json", "--engine", "sampled", "--trials", "20", "--until", "0.01"]) == 0
    out, err = capsys.readouterr()
    json.loads(out)
    assert err.count("\n") == 1
    assert "80 assaults were not enough to be within 0.01." in err
    assert casemate([*words, "--json", "--engine", "sampled", "--trials", "20", "--until", "0.45"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("width", ["0", "-0.1", "0.6", "0.5", "nan", "much"])
@pytest.mark.parametrize(
    "command", ["compare", "receipt x.toml", "solve --vary turns", "explain storming", "sweep --vary turns=1..2"]
)
def test_what_is_no_width_is_refused(command, width, capsys):
    assert casemate([*command.split(), f"--until={width}"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f'--until: expected a distance between chances, above 0 and below 0.5, got "{width}"' in err
