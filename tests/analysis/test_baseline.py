"""Baselines: what is written is read again; a change is told, by as much as it is."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, norm

from analysis.cli import run as casemate
from analysis.deciding import baseline
from analysis.deciding.baseline import Change, Margin, Verdict, asks, baseline_of, changes, check, code, fits, judge
from analysis.deciding.baseline_file import load, text, write
from analysis.deciding.baseline_words import as_data, summary
from analysis.points.intervals import wilson
from analysis.points.plans import Plans
from analysis.points.point import AUTO, How
from analysis.points.stopping import looks
from analysis.points.suite import Game
from analysis.say.blocks import Grid
from analysis.values.steps import steps
from sims.errors import CasemateError
from sims.rulesets import rule_set
from tests import sampling

STORMING = rule_set("storming")
HEAVY = STORMING.with_values({"tables.grenade.hits": "D6"})


@pytest.fixture(scope="module")
def games(skirmish):
    return [Game(skirmish, Plans("storm", "hold")), Game(skirmish, Plans("smoke", "hold"))]


@pytest.fixture(scope="module")
def old(games):
    return baseline_of(STORMING, games, AUTO, Margin())


def test_what_is_written_is_read_again(old, tmp_path: Path):
    path = tmp_path / "old.json"
    path.write_text(text(old))
    assert load(path) == old
    lines = text(old).splitlines()
    assert json.loads(text(old))["leaves"] == STORMING.book.leaves()
    assert not {'"title":', '"plural":', '"story":'} & {*text(old).replace("{", " ").split()}
    assert ' "tables.grenade.hits": "D3",' in lines
    assert sum(line.startswith(' {"scenario"') for line in lines) == 2


def test_nothing_has_changed_since(old):
    assert check(old, STORMING) == []
    assert code([]) == 0


def test_a_changed_value_is_changed_and_named_with_both_values(old):
    found = check(old, HEAVY)
    assert (found[0].where, found[0].before, found[0].after) == ("tables.grenade.hits", "D3", "D6")
    assert any(one.where.endswith("storm against hold: p_captured") for one in found)
    assert code(found) == 1


def test_a_changed_value_is_changed_even_if_no_answer_moves(old):
    (one,) = check(old, STORMING.with_values({"tables.capacity.models": 4}))
    assert (one.where, one.verdict) == ("tables.capacity.models", Verdict.CHANGED)


def test_what_is_played_is_told_apart_as_well(old, games):
    other = old.model_copy(update={"units": {**old.units, "trooper": {**old.units["trooper"], "T": 4}}})
    assert [(one.where, one.before, one.after) for one in changes(old, other)] == [("trooper.T", 3, 4)]


@pytest.mark.parametrize(
    ("kind", "key", "inner", "value"),
    [
        ("weapons", "rifle", "S", 4),
        ("buildings", "house", "doors", 4),
        ("scenarios", "", "distance", 9),
        ("units", "skirmish: trooper", "T", 4),
    ],
)
def test_all_that_is_played_is_guarded(old, games, kind, key, inner, value):
    """A unit of a scenario's own is told beside the answers, and is none of them."""
    key = key or games[0].scenario
    profile = {**getattr(old, kind).get(key, {}), inner: value}
    (one,) = changes(old, old.model_copy(update={kind: {**getattr(old, kind), key: profile}}))
    assert (one.where, one.after, one.verdict) == (f"{key}.{inner}", value, Verdict.CHANGED)
    assert [*summary(old, [one])][
        -1
    ] == f"storming: {sum(len(each.responses) for each in old.answers)} answers are the same."


def test_an_answer_that_came_or_went_is_changed(old):
    first, *others = old.answers
    more = old.model_copy(
        update={"answers": (first.model_copy(update={"responses": {**first.responses, "p_new": 0.5}}), *others)}
    )
    assert [*changes(old, more)] == [(f"{first}: p_new", None, 0.5, Verdict.CHANGED)]
    assert [*changes(more, old)] == [(f"{first}: p_new", 0.5, None, Verdict.CHANGED)]


def moves(old, *moved):
    """Return a baseline of made-up assaults, and changes: (scenario, plan, defence, response, before, after, verdict)."""
    games = list(dict.fromkeys(each[:3] for each in moved))
    made = [
        old.answers[0].model_copy(update={"scenario": scenario, "plan": plan, "defence": defence})
        for scenario, plan, defence in games
    ]
    where = [f"{made[games.index(each[:3])]}: {each[3]}" for each in moved]
    return old.model_copy(update={"answers": tuple(made)}), [
        Change(place, *each[4:]) for place, each in zip(where, moved, strict=True)
    ]


SMOKED = ("bunker-rush", "smoke", "hold")
STORMED = ("farmhouse", "storm", "sally")
BOTH_BEST = ("toll-house", "best", "best")
VALUE = Change("tables.grenade.S", 3, 4, Verdict.CHANGED)


@pytest.mark.parametrize(
    ("values", "moved", "said"),
    [
        (
            [VALUE],
            [
                (*STORMED, "p_captured", 0.70, 0.74, Verdict.CHANGED),
                (*SMOKED, "p_captured", 0.79, 0.89, Verdict.CHANGED),
                (*SMOKED, "attackers_lost_mean", 9.0, 4.0, Verdict.CHANGED),
                (*STORMED, "turns_mean", 4.0, 4.1, Verdict.WITHIN),
            ],
            "Changed: 1 value; 3 answers beyond the margin; most: bunker-rush by smoke against hold, captured 79 to 89.",
        ),
        (
            [],
            [
                (*STORMED, "p_captured", [0.7, 0.6, 0.8], [0.9, 0.8, 1.0], Verdict.CANNOT_TELL),
                (*BOTH_BEST, "p_held", 0.2, 0.1, Verdict.CHANGED),
            ],
            "Changed: 1 answer beyond the margin; 1 answer that cannot be told; most: toll-house by best play, "
            "held 20 to 10.",
        ),
        (
            [],
            [(*STORMED, "defenders_lost_mean", [5.0, 4.8, 5.2], [5.4, 5.2, 5.6], Verdict.CANNOT_TELL)],
            "Cannot tell: 1 answer that cannot be told; most: farmhouse by storm against sally, defenders lost "
            "mean 5.0 to 5.4.",
        ),
        (
            [],
            [
                (*BOTH_BEST, "p_cleared", 0.63, 0.98, Verdict.CHANGED),
                (*BOTH_BEST, "p_captured", 0.35, 0.37, Verdict.CHANGED),
            ],
            "Changed: 2 answers beyond the margin; most: toll-house by best play, captured 35 to 37.",
        ),
        ([VALUE, VALUE], [], "Changed: 2 values; no answers beyond the margin."),
        (
            [],
            [(*STORMED, "p_held", 0.2, 0.205, Verdict.WITHIN)],
            "Nothing has changed: 1 answer moved within the margin.",
        ),
        ([], [], "Nothing has changed."),
        ([], [(*STORMED, "p_held", None, 0.2, Verdict.CHANGED)], "Changed: 1 answer beyond the margin."),
    ],
)
def test_the_first_line_says_how_much_has_changed_and_what_most(old, values, moved, said):
    before, found = moves(old, *moved)
    assert next(iter(summary(before, [*values, *found]))) == said


def lines(said):
    return [row for block in said if isinstance(block, Grid) for row in block.rows]


def test_ten_lines_say_the_largest_move_of_each_assault(old):
    moved = [(f"s{n}", "storm", "hold", "p_captured", 0.5, 0.5 + n / 100, Verdict.CHANGED) for n in range(2, 20)]
    moved += [(f"s{n}", "storm", "hold", "turns_mean", 4.0, 9.0, Verdict.CHANGED) for n in range(2, 20)]
    before, found = moves(old, *moved)
    values = [VALUE._replace(where=f"tables.grenade.{key}") for key in "abcdefg"]
    rows = lines(summary(before, [*values, *found]))
    assert [row[0] for row in rows[:5]] == [f"tables.grenade.{key}" for key in "abcde"]
    assert [row[0] for row in rows[5:]] == [f"s{n}, storm against hold: captured %" for n in (19, 18, 17, 16, 15)]
    assert "--all lists 33 more, 2 of them values." in [*summary(before, [*values, *found])]
    assert len(lines(summary(before, [*values, *found], everything=True))) == 43
    few = [*values, *found[:1]]
    assert [row[0] for row in lines(summary(before, few))] == [
        *(one.where for one in values),
        "s2, storm against hold: captured %",
    ]
    assert not any("--all" in block for block in summary(before, few) if isinstance(block, str))


def test_what_moved_within_the_margin_is_listed_where_all_is_asked_for(old):
    before, found = moves(old, (*STORMED, "p_held", 0.2, 0.205, Verdict.WITHIN))
    assert lines(summary(before, found)) == []
    assert lines(summary(before, found, everything=True)) == [
        ("farmhouse, storm against sally: held %", "20.00", "20.50", "+0.50")
    ]


@pytest.mark.parametrize(
    ("response", "before", "after", "row"),
    [
        ("p_captured", 0.25, 0.25 + 2e-8, ("25.0000000", "25.0000020", "+0.0000020")),
        ("p_captured", 0.30449, 0.34551, ("30.4", "34.6", "+4.2")),  # of what is written, not of what is rounded away
        ("turns_mean", 3.5, 3.25, ("3.50", "3.25", "-0.25")),
        ("p_captured", [0.5, 0.4, 0.6], [0.7, 0.6, 0.8], ("50.0 (40.0–60.0)", "70.0 (60.0–80.0)", "+20.0")),
        ("p_captured", None, 0.2, ("nothing", "20.0", "")),
    ],
)
def test_a_move_is_written_to_two_figures_at_least(old, response, before, after, row):
    of, found = moves(old, (*STORMED, response, before, after, Verdict.CHANGED))
    assert lines(summary(of, found))[0][1:] == row


def test_what_came_or_went_is_told(old):
    more = old.model_copy(update={"units": {**old.units, "troll": {"T": 5}}})
    assert [*changes(old, more)] == [("troll.T", None, 5, Verdict.CHANGED)]
    assert [*changes(more, old)] == [("troll.T", 5, None, Verdict.CHANGED)]


def test_a_unit_of_a_scenarios_own_is_kept_under_its_name(tmp_path: Path, skirmish):
    path = tmp_path / "own.toml"
    unit = "WS = 3\nBS = 3\nS = 3\nT = 4\nI = 3\nA = 1\nLd = 7\nSv = 5\n"
    weapon = '[weapons.rifle]\ntitle = "Rifle"\nkind = "rapid fire"\nrange = 20\nS = 3\nshots = 1\n'
    path.write_text(Path(skirmish).read_text() + f'[units.trooper]\ntitle = "Guard"\n{unit}{weapon}')
    found = baseline_of(STORMING, [Game(str(path), Plans("shoot", "hold"))], AUTO, Margin())
    assert found.units[f"{path}: trooper"]["T"] == 4
    assert found.units["trooper"]["T"] == 3
    assert found.weapons[f"{path}: rifle"]["range"] == 20


def test_every_leaf_that_takes_a_step_is_named_with_both_values(old):
    leaves = STORMING.book.leaves()
    for key, ways in steps(STORMING).items():
        for way in ways:
            after = old.model_copy(update={"leaves": STORMING.book.with_values(way).leaves()})
            found = {one.where: (one.before, one.after, one.verdict) for one in changes(old, after)}
            assert found == {one: (leaves[one], value, Verdict.CHANGED) for one, value in way.items()}, key


@pytest.mark.parametrize(
    ("before", "after", "margin", "verdict"),
    [
        (0.5, 0.5 + 5e-10, 0.0, Verdict.SAME),
        (0.5, 0.500001, 0.0, Verdict.CHANGED),
        (0.5, 0.509, 0.01, Verdict.WITHIN),
        (0.5, 0.511, 0.01, Verdict.CHANGED),
        ([0.5, 0.49, 0.51], [0.5, 0.49, 0.51], 0.0, Verdict.SAME),
        ([0.5, 0.499, 0.501], [0.502, 0.501, 0.503], 0.01, Verdict.WITHIN),
        ([0.5, 0.49, 0.51], [0.505, 0.495, 0.515], 0.01, Verdict.CANNOT_TELL),
        ([0.5, 0.49, 0.51], [0.52, 0.51, 0.53], 0.01, Verdict.CANNOT_TELL),
        ([0.5, 0.49, 0.51], [0.528, 0.518, 0.538], 0.01, Verdict.CHANGED),
        ([0.5, 0.49, 0.51], 0.6, 0.01, Verdict.CHANGED),
        ([0.528, 0.518, 0.538], [0.5, 0.49, 0.51], 0.01, Verdict.CHANGED),
        (0.6, None, 0.01, Verdict.CHANGED),
        ([7.0, 7.0, 7.0], [8.0, 7.0, 8.0], 0.25, Verdict.CANNOT_TELL),  # from 0 to 1 apart
        ([8.0, 7.0, 8.0], [7.0, 7.0, 7.0], 0.25, Verdict.CANNOT_TELL),
        ([7.0, 7.0, 7.0], [8.0, 8.0, 9.0], 0.25, Verdict.CHANGED),  # from 1 to 2 apart
        ([0.5, 0.3, 0.501], [0.52, 0.519, 0.7], 0.01, Verdict.CHANGED),  # wide, but away from each other
        (None, 0.6, 0.01, Verdict.CHANGED),
    ],
)
def test_answers_are_judged_by_margin_and_interval(before, after, margin, verdict):
    assert judge(before, after, margin) is verdict


def test_a_chance_and_a_mean_have_margins_of_their_own(old):
    assert Margin(chance=0.01, mean=0.25).of("p_captured") == 0.01
    assert Margin(chance=0.01, mean=0.25).of("turns_mean") == 0.25
    first, *more = old.answers
    moved = first.model_copy(update={"responses": {**first.responses, "turns_mean": first.responses["turns_mean"] + 1}})
    after = old.model_copy(update={"answers": (moved, *more), "margin": Margin(mean=2)})
    assert [one.verdict for one in changes(old, after)] == [Verdict.CHANGED]
    assert [one.verdict for one in changes(after, old)] == [Verdict.WITHIN]  # by the margin of the file


def test_exit_codes_tell_changed_from_cannot_tell():
    def found(*verdicts):
        return code([baseline.Change("x", 0, 1, verdict) for verdict in verdicts])

    assert found(Verdict.WITHIN) == 0
    assert found(Verdict.CANNOT_TELL, Verdict.WITHIN) == 3
    assert found(Verdict.CANNOT_TELL, Verdict.CHANGED) == 1


def test_writing_over_wants_a_reason_and_keeps_it(tmp_path: Path, games):
    path = tmp_path / "own.json"
    first, other = games[:1], games[1:]
    write(path, STORMING, first, AUTO, Margin())
    kept = path.read_text()
    assert write(path, STORMING, first, AUTO, Margin()).startswith("The baseline says the same")
    with pytest.raises(CasemateError, match="to write over it give --accept"):
        write(path, HEAVY, first, AUTO, Margin())
    assert path.read_text() == kept
    write(path, HEAVY, first, AUTO, Margin(), accept="grenades were too weak")
    write(path, HEAVY, other, AUTO, Margin(), accept="smoke is what matters")
    assert load(path).accepted == ["grenades were too weak", "smoke is what matters"]


def with_values(whole, **values):
    data = json.loads(whole)
    return json.dumps(data | {name: data[name] | each for name, each in values.items()})


def with_answers(whole, **values):
    data = json.loads(whole)
    return json.dumps(data | {"answers": [each | values for each in data["answers"]]})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda whole: whole[:1000], "this is no baseline, or not all of one"),
        (lambda whole: whole.replace('"baseline": 1', '"baseline": 2'), "written by a later Casemate"),
        (lambda whole: whole.replace('"leaves"', '"leafs"'), "this is no baseline: leaves"),
        (lambda whole: "[]", "this is no baseline"),
        (
            lambda whole: whole.replace('"assaults": 2', '"assaults": 3'),
            "this is not all of a baseline: 2 answers; expected 3",
        ),
        (lambda whole: whole.replace('"engine": "auto"', '"engine": "warp"'), "this is no baseline: engine.engine"),
        (lambda whole: whole.replace('"budget": ', '"budget": -'), "this is no baseline: engine.budget"),
        (lambda whole: with_values(whole, engine={"trials": 10**12}), "this is no baseline: engine.trials"),
        (lambda whole: with_values(whole, engine={"budget": 2**28 + 1}), "this is no baseline: engine.budget"),
        (lambda whole: with_values(whole, engine={"seed": 2**63}), "this is no baseline: engine.seed"),
        (lambda whole: with_values(whole, leaves={"tables.grenade.S": float("nan")}), "NaN is no number"),
        (lambda whole: whole.replace('"tables.grenade.S"', '"x": 1e999, "tables.grenade.S"'), "1e999 is no number"),
        (lambda whole: with_answers(whole, responses={}), "this is no baseline: answers.0.responses"),
        (lambda whole: with_answers(whole, trials=10**12), "this is no baseline: answers.0.trials"),
        (lambda whole: with_answers(whole, plan="storm"), "it has two answers of .*skirmish.toml, storm against hold"),
        (
            lambda whole: json.dumps({**json.loads(whole), "answers": [], "assaults": 0}),
            "this is no baseline: answers: Tuple should have at least 1 item",
        ),
        (lambda whole: whole.replace('"chance": 0', '"chance": -0'), "this is no baseline: margin.chance"),
        (
            lambda whole: whole.replace('"p_held": ', '"p_held": [0.5], "x": '),
            "this is no baseline: answers.0.responses",
        ),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(old, tmp_path: Path, spoil, message):
    path = tmp_path / "old.json"
    path.write_text(spoil(text(old)))
    with pytest.raises(CasemateError, match=message):
        load(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without end")
def test_a_file_without_end_is_refused(tmp_path: Path, capsys):
    endless = tmp_path / "endless.json"
    endless.symlink_to("/dev/zero")
    for file in (endless, "/dev/zero"):
        assert casemate(["baseline", "check", str(file)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"{file}: the file is too large; expected at most 16384 kB of JSON" in err


def test_a_gate_that_compares_nothing_does_not_pass(old, tmp_path: Path, capsys):
    file = tmp_path / "none.json"
    file.write_text(with_answers(text(old), responses={}))
    assert casemate(["baseline", "check", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "this is no baseline: answers.0.responses" in err


def test_what_a_baseline_could_not_say_is_refused_before_it_is_played(games, runs):
    with pytest.raises(CasemateError, match="trials: expected less than or equal to 1000000000, got 1000000000000"):
        baseline_of(STORMING, games, How("sampled", trials=10**12), Margin())
    assert runs == []


def test_another_suite_or_engine_or_base_is_refused_by_name(old, games):
    fits(Path("x.json"), old, HEAVY, games, "auto")
    with pytest.raises(CasemateError, match="written of rules made from storming; gemini is made from gemini"):
        fits(Path("x.json"), old, rule_set("gemini"))
    with pytest.raises(CasemateError, match="written with the engine auto, not sampled"):
        fits(Path("x.json"), old, STORMING, None, "sampled")
    with pytest.raises(CasemateError, match="written over another suite, which differs in keep-gate"):
        fits(Path("x.json"), old, STORMING, [*games, Game("keep-gate", Plans("storm", "hold"))], None)


def test_sampled_answers_keep_their_intervals(games):
    one = baseline_of(STORMING, games[:1], How("sampled", trials=500), Margin())
    value, low, high = one.answers[0].responses["p_captured"]
    assert low < value < high
    assert changes(one, baseline_of(STORMING, games[:1], How("sampled", trials=500), Margin())) == []


def test_sampled_answers_share_the_error_of_one_interval(games):
    """Two assaults with twelve answers each: the quantile of 1 - 0.025 / 24, in any table; exact ones take no share."""
    how = How("sampled", trials=500)
    found = baseline_of(STORMING, games, how, Margin())
    z = norm.isf(0.025 / 24)
    value, low, high = found.answers[0].responses["p_captured"]
    assert (low, high) == pytest.approx(tuple(map(float, wilson(round(500 * value), 500, z))), abs=1e-11)
    assert found.answers[0].trials == 500
    assert baseline_of(STORMING, games[:1], AUTO, Margin()).answers[0].trials is None


def test_what_is_played_on_shares_it_over_looks_as_well(games):
    one = baseline_of(STORMING, games[:1], How("sampled", trials=50, until=0.1), Margin())
    value, low, high = one.answers[0].responses["p_captured"]
    trials = one.answers[0].trials
    z = norm.isf(0.025 / (12 * looks(50, 0.1)))
    assert (low, high) == pytest.approx(tuple(map(float, wilson(round(trials * value), trials, z))), abs=1e-11)
    assert one.engine.how.until == 0.1


def test_reports_on_nothing_new_hold_no_wrong_verdict(games):
    """A short form of `make statistics`: more than 6 of 20 from other seeds come up once in 30,000 runs, at 5 % each."""
    assert sampling.wrong_baselines(STORMING, games, 200, range(20)) <= 6


def test_another_seed_is_played_where_it_is_asked_for(games):
    one = baseline_of(STORMING, games[:1], How("sampled", trials=500), Margin(chance=0, mean=0))
    assert check(one, STORMING) == check(one, STORMING, seed=1) == []
    assert {each.verdict for each in check(one, STORMING, seed=2)} == {Verdict.CANNOT_TELL}


@pytest.mark.parametrize("p", [0, 0.1, 0.5, 0.9])
def test_twice_the_margin_is_caught_at_the_trials_asked_for(old, p):
    """A short form of `make statistics`; at 99 % a false alarm in one of a million."""
    rng = np.random.default_rng([7, round(10 * p)])
    share = sampling.caught(sampling.drawn_anew(old, p, 2000, 40), p, 400, rng)
    assert 400 * share >= binom.ppf(1e-6, 400, 0.99)


def test_trials_are_asked_for_means_as_well(games):
    """The margin is to be z + 2.326 standard errors of the difference; a tenth more, in two digits."""
    one = baseline_of(STORMING, games[:1], How("sampled", trials=4000), Margin(chance=1, mean=0.1))
    found = one.answers[0].responses
    z = norm.isf(0.025 / 12)
    spreads = [
        (found[f"{name}_mean"][2] - found[f"{name}_mean"][1]) / 2 / z
        for name in ("attackers_lost", "defenders_lost", "turns")
    ]
    wanted = 1.1 * 2 * 4000 * ((z + norm.ppf(0.99)) * max(spreads) / 0.1) ** 2
    assert wanted <= asks(one) < 1.1 * wanted
    assert f"--trials {asks(one)}." in [*summary(one, [])][-1]
    assert as_data(one, []) == {"changes": [], "trials_asked": asks(one)}


def test_nothing_is_asked_for_where_nothing_is_sampled_or_forgiven(old, games):
    assert asks(old) is None
    assert asks(baseline_of(STORMING, games[:1], How("sampled", trials=50), Margin(chance=0, mean=0))) is None


def test_the_command_plays_from_another_seed(games, tmp_path: Path, capsys):
    path = tmp_path / "own.json"
    write(path, STORMING, games[:1], How("sampled", trials=300), Margin(chance=1, mean=99))
    assert casemate(["baseline", "check", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] == []
    assert casemate(["baseline", "check", str(path), "--json", "--seed", "2"]) == 0
    assert {one["verdict"] for one in json.loads(capsys.readouterr().out)["changes"]} == {"within"}
