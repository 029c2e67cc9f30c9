"""Best play as it is asked for: judged by `solve`, by smaller contests and by plain loops, and told to people."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from analysis.best_play import best as module
from analysis.best_play import words as best_words
from analysis.best_play.best import Best, Question, Refused, best_of, best_value
from analysis.best_play.crossroads import Crossroads
from analysis.best_play.listing import Line
from analysis.best_play.objective import Objective, objective
from analysis.best_play.policy import Listed
from analysis.cli import run
from analysis.comparing import terminal
from analysis.comparing.compare import compare, with_best
from analysis.comparing.table import BEST, table_lines
from analysis.points.margins import SIDES
from analysis.points.plans import PLANS, contest, own_plans
from analysis.points.point import point
from analysis.points.responses import Estimate
from analysis.told.fields import fields
from sims.assault import End
from sims.engines import solve
from sims.engines.contest import BOTH, CAPTURED, Aim, Pair
from sims.engines.follow import best_play, follow
from sims.errors import BudgetError, CasemateError
from sims.rulesets import rule_set, rule_set_ids, rule_sets_of
from sims.scenario import Scenario, Side, load_scenario

SMALL = {
    "distance": 6,
    "turns": 3,
    "attackers.models": 4,
    "attackers.specials": [{"weapon": "flamer"}],
    "defenders.models": 2,
    "defenders.specials": [],
}
MANY = {"distance": 8, "turns": 3, "attackers.models": 8, "defenders.models": 5}


def small(**changes) -> Scenario:
    return load_scenario("farmhouse", SMALL | changes)


@pytest.fixture(scope="module")
def learnt():
    """Return `contest`, which learns none twice here; it is closed then, and nobody changes it."""
    known = {}

    def once(scenario, rules, attacks=PLANS[0], defences=PLANS[1], progress=None, *, anew=False):
        key = scenario, rules.base, rules.digest, tuple(attacks), tuple(defences), anew
        if key not in known:
            known[key] = contest(scenario, rules, attacks, defences, progress, anew=anew)
        return known[key]

    return once


@pytest.fixture(autouse=True)
def _learnt_once(learnt, monkeypatch) -> None:
    monkeypatch.setattr(module, "contest", learnt)


class Answers(dict[str, Best]):
    """Best play of a small assault by rule set, found when it is first asked for."""

    def __missing__(self, rules: str) -> Best:
        found = self[rules] = best_of(Question(small()), rule_set(rules))
        assert isinstance(found, Best)
        return found


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """The file of an assault in which a storm is better begun by shooting, and the garrison has to come out."""
    path = tmp_path / "tiny.toml"
    path.write_text('base = "toll-house"\ntitle = "A tiny one"\nturns = 3\ndistance = 14\n[attackers]\nmodels = 6\n')
    return str(path)


def solved(rules: str, pair: Pair):
    plans = {"attackers.plan": pair.attackers, "defenders.plan": pair.defenders}
    return solve(rule_set(rules).assault(small(**plans)))


# What is answered


def test_fixed_plans_end_as_they_do_without_a_choice(rules, answers):
    """Also those that are left out, for they come to the same as another."""
    alike = answers[rules].alike
    for attack in PLANS[0]:
        for defence in PLANS[1]:
            found = solved(rules, Pair(attack, defence))
            captured = found.weights[found.columns["end"] == End.CAPTURED].sum()
            told = Pair(alike["attackers"].get(attack, attack), alike["defenders"].get(defence, defence))
            assert answers[rules].fixed[told] == pytest.approx(captured, abs=1e-12)


def test_replies_are_best_play_where_the_other_side_has_one_plan(rules, answers):
    found = answers[rules]
    for plan, value in replies(found, "attackers"):
        assert best_value(Question(small(), defences=[plan]), rule_set(rules)) == pytest.approx(value, abs=1e-12)
    for plan, value in replies(found, "defenders"):
        assert best_value(Question(small(), attacks=[plan]), rule_set(rules)) == pytest.approx(value, abs=1e-12)


def replies(found: Best, side: Side):
    """Return what its best replies are worth by plans of the other side; none if all its own plans are alike."""
    assert side in found.replies or len(found.alike[side]) == len(PLANS[SIDES.index(side)]) - 1
    return found.replies.get(side, {}).items()


def test_choosing_is_worth_what_is_lost_by_keeping_to_one_plan(rules, answers):
    found = answers[rules]
    kept = {
        "attackers": max(best_value(Question(small(), attacks=[plan]), rule_set(rules)) for plan in PLANS[0]),
        "defenders": min(best_value(Question(small(), defences=[plan]), rule_set(rules)) for plan in PLANS[1]),
    }
    assert kept["attackers"] - 1e-12 <= found.value <= kept["defenders"] + 1e-12
    for side, value in kept.items():
        assert found.worth_of_choosing(side)["best"] == pytest.approx(abs(found.value - value), abs=1e-12)
    for against, _ in replies(found, "attackers"):
        reply, single = found.choosing("attackers")[against]
        assert reply >= single - 1e-12
        assert single == max(v for pair, v in found.fixed.items() if pair.defenders == against)
    for against, _ in replies(found, "defenders"):
        reply, single = found.choosing("defenders")[against]
        assert reply <= single + 1e-12
        assert single == min(v for pair, v in found.fixed.items() if pair.attackers == against)


def test_choosing_is_worth_something_to_somebody(answers):
    """Else the tests above would hold of anything."""
    for side in SIDES:
        assert max(answers[rules].worth_of_choosing(side)["best"] for rules in rule_set_ids()) > 0.0005


def test_games_that_are_played_so_end_as_it_says(rules, answers):
    found = answers[rules]
    assert found.responses["p_captured"].value == pytest.approx(found.value, abs=1e-12)
    assert sum(
        found.responses[f"p_{end}"].value for end in ("destroyed", "captured", "broken", "held")
    ) == pytest.approx(1)


@pytest.mark.parametrize("first", ["attackers", "defenders"])
def test_who_moves_second_has_declared_his_best(rules, first, learnt):
    solution = learnt(small(first=first), rule_set(rules)).solve()
    begun = solution.begins
    for taken, pair in ((begun, None), *((other, begun) for other in solution.contest.chains)):
        played = follow(solution, best_play(BOTH), taken).result
        captured = played.weights[played.columns["end"] == End.CAPTURED].sum()
        if pair is None:
            assert captured == pytest.approx(solution.best, abs=1e-12)
        elif first == "attackers":
            assert captured >= solution.best - 1e-12
        else:
            assert captured <= solution.best + 1e-12


def test_a_side_that_is_fixed_has_no_replies_and_no_list(answers):
    found = best_of(Question(small(), defences=["hold"]), rule_set("storming"))
    assert found.replies.keys() == found.policies.keys() == {"attackers"}
    assert found.value == pytest.approx(answers["storming"].replies["attackers"]["hold"], abs=1e-12)
    assert {each.side for each in found.crossroads} <= {"attackers"}
    neither = best_of(Question(small(), attacks=["smoke"], defences=["hold"]), rule_set("storming"))
    assert neither.fixed == {("smoke", "hold"): neither.value}
    assert not neither.replies
    assert not neither.crossroads


def test_weights_are_added_up(tmp_path):
    aim = {"captured": 1, "held": -0.5, "attackers_lost": -0.02, "defenders_lost": 0.03, "cleared": 0.25}
    weights = tmp_path / "mine.toml"
    weights.write_text("[weights]\n" + "".join(f"{name} = {weight}\n" for name, weight in aim.items()))
    wanted = objective(str(weights))
    assert (wanted.name, wanted.chance, wanted.point) == ("mine", False, pytest.approx(0.01))
    found = best_of(Question(small(), wanted), rule_set("storming"))
    for pair, value in found.fixed.items():
        result = solved("storming", pair)
        columns = result.columns
        points = 1.0 * (columns["end"] == End.CAPTURED) - 0.5 * (columns["end"] == End.HELD)
        points = (
            points - 0.02 * columns["attackers_lost"] + 0.03 * columns["defenders_lost"] + 0.25 * columns["cleared"]
        )
        assert value == pytest.approx((result.weights * points).sum(), abs=1e-12)


# Where a wrong choice costs


@pytest.mark.parametrize("played", ["storming", "gemini"])
def test_crossroads_are_what_a_plain_loop_counts(played, learnt):
    scenario = load_scenario("farmhouse", MANY)
    found = best_of(Question(scenario), rule_set(played))
    solution = learnt(scenario, rule_set(played)).distinct().solve()
    of = solution.contest
    visits = follow(solution, best_play(BOTH), solution.begins).visits
    counted, seen = defaultdict(float), defaultdict(list)
    for opening, choice in solution.choices.items():
        stands = fields(of.chains[solution.begins].assault, of.states.take(choice.states))
        own = of.attacks if opening.side == "attackers" else of.defences
        for k, a, d in np.argwhere(visits[opening] > 0):
            worth = choice.worth[k, :, d, BOTH] if opening.side == "attackers" else -choice.worth[k, a, :, BOTH]
            wrong = tuple(plan for plan, lost in zip(own, worth.max() - worth, strict=True) if lost > 0.01)
            if wrong and not choice.committed[k]:
                key = opening.side, opening.turn, wrong
                counted[key] += visits[opening][k, a, d]
                seen[key].append((stands["attackers"][k], stands["defenders"][k], stands["distance"][k]))
    assert len(found.crossroads) >= 3
    for each in found.crossroads:
        key = each.side, each.turn, tuple(each.costs)
        assert each.share == pytest.approx(counted[key], abs=1e-12)
        assert min(each.costs.values()) > 0.01
        assert {*each.right}.isdisjoint(each.costs)
        for low_high, values in zip(
            (each.attackers, each.defenders, each.distance), zip(*seen[key], strict=True), strict=True
        ):
            assert {*low_high} <= {*map(int, values)}
    for side in ("attackers", "defenders"):
        told = [each for each in found.crossroads if each.side == side]
        assert len(told) == min(5, sum(of_side == side and share >= 0.005 for (of_side, *_), share in counted.items()))


def test_the_first_choice_costs_what_its_plans_are_worth_less(learnt):
    scenario = load_scenario("farmhouse", MANY)
    (first,) = [
        one
        for one in best_of(Question(scenario), rule_set("gemini")).crossroads
        if (one.side, one.turn) == ("attackers", 1)
    ]
    assert first.share == pytest.approx(1)
    assert (first.attackers, first.defenders, first.distance) == ((8, 8), (5, 5), (8, 8))
    worth = learnt(scenario, rule_set("gemini")).solve().choices[1, "attackers"]
    begun = {plan: worth.worth[0, i, :, BOTH].min() for i, plan in enumerate(PLANS[0])}
    assert first.costs == {plan: pytest.approx(max(begun.values()) - begun[plan]) for plan in first.costs}


def test_what_tells_the_states_of_a_crossroads_from_the_others_is_told():
    """A garrison that hides has gone to ground: it may not fire, and had better come out."""
    scenario = load_scenario("toll-house", {"turns": 3})
    found = [one for one in best_of(Question(scenario), rule_set("storming")).crossroads if one.side == "defenders"]
    silent = "the garrison may not fire in its next turn"
    assert {(one.turn, one.right): one.telling.get(silent) for one in found if silent in one.telling} == {
        (2, ("hold",)): False,
        (2, ("sally",)): True,
    }


# What is wanted


def test_objectives_have_names():
    assert objective("captured").aim == CAPTURED
    assert [objective(name).aim for name in ("cleared", "destroyed")] == [Aim(cleared=1), Aim(destroyed=1)]
    assert objective("cleared").chance


def test_a_cleared_building_need_not_be_captured(rules):
    by_name = {
        name: best_value(Question(small(), objective(name)), rule_set(rules)) for name in ("captured", "cleared")
    }
    assert by_name["cleared"] >= by_name["captured"] - 1e-12


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[weights]\ncaptured = 'much'\n", "line 2: weights.captured: expected a valid number, got 'much'"),
        ("[weights]\nheld = true\n", "line 2: weights.held: expected a valid number, got true"),
        ("[weights]\nheld = nan\n", "line 2: weights.held: expected a finite number, got nan"),
        ("[weights]\nheld = 1e9\n", "line 2: weights.held: expected less than or equal to 100, got 1000000000.0"),
        (
            "[weights]\nheld = 1\nattackers_loss = 2\n",
            'line 3: weights.attackers_loss: unknown key; did you mean "attackers_lost"?',
        ),
        ("held = 1\n", "held: unknown key; "),
        ("weights = 3\n", "line 1: weights: expected a table, got 3"),
        ("[weights]\nheld = 0\n", "weights: nothing weighs as much as 0.001 here; expected a weight that does"),
        ("", "the file is empty; expected TOML"),
    ],
)
def test_weights_that_are_none_are_refused(tmp_path, capsys, text, told):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert run(["best", "--for", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert str(path) in err
    assert told in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--for", "capured"], 'there is no objective "capured"; did you mean "captured"? (or a file of weights)'),
        (["--for", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--plan", "hold"], "hold"),
        (["--defence", "storm"], "storm"),
        (["--rules", "storing"], 'did you mean "storming"?'),
    ],
)
def test_what_cannot_be_used_is_refused(capsys, arguments, told):
    assert run(["best", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert "Traceback" not in err


# What is told


def test_the_finding_is_said_first(tiny, capsys):
    assert run(["best", tiny, "--rules", "storming,realm_of_chaos"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "A tiny one, if both sides play their best"
    assert lines[2].startswith(("Worth attacking under ", "About even under ", "Not worth attacking under "))


def test_json_has_what_was_found(tiny, capsys):
    assert run(["best", tiny, "--rules", "storming", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    found = best_of(Question(load_scenario(tiny)), rule_set("storming"))
    assert (data["scenario"], data["for"], data["weights"]) == ("tiny", "captured", {"captured": 1})
    (result,) = data["results"]
    assert result["engine"] == "exact"
    assert result["best"] == found.value
    assert {Pair(a, d): value for a, row in result["fixed"].items() for d, value in row.items()} == found.fixed
    assert result["replies"] == found.replies
    assert result["worth_of_choosing"] == {side: found.worth_of_choosing(side) for side in found.replies}
    assert [line["plan"] for line in result["policy"]["attackers"]] == [
        line.plan for line in found.policies["attackers"].lines
    ]
    assert result["loss"].keys() == result["policy"].keys() == {"attackers", "defenders"}


def invented(value: float, **changes) -> Best:
    """Return an answer with round numbers, in which storm and hold are the best single plans."""
    fixed = {("storm", "hold"): 0.5, ("storm", "sally"): 0.6, ("shoot", "hold"): 0.2, ("shoot", "sally"): 0.7}
    given = {
        "alike": {"attackers": {"smoke": "shoot"}, "defenders": {}},
        "fixed": {Pair(*pair): of for pair, of in fixed.items()},
        "chosen": {},
        "replies": {"attackers": {"hold": 0.5749, "sally": 0.8}, "defenders": {"storm": 0.4951, "shoot": 0.1}},
        "value": value,
        "responses": {f"p_{end}": Estimate(0.25) for end in ("destroyed", "captured", "broken", "held")}
        | {f"{side}_lost_mean": Estimate(2.0) for side in ("attackers", "defenders")},
        "policies": {
            "attackers": Listed("attackers", None, (Line({}, "storm"),), 0.0),
            "defenders": Listed("defenders", None, (Line({}, "hold"),), 0.0042),
        },
        "crossroads": [],
    }
    return Best(rule_set("storming"), **(given | changes))


@pytest.mark.parametrize(
    ("chance", "verdict"),
    [
        (0.56, "Worth attacking under Storming buildings (captured in 56 of 100 games)."),
        (0.554, "About even under Storming buildings (captured in 55 of 100 games)."),
        (0.446, "About even under Storming buildings (captured in 45 of 100 games)."),
        (0.55, "About even under Storming buildings (captured in 55 of 100 games)."),
        (0.45, "About even under Storming buildings (captured in 45 of 100 games)."),
        (0.44, "Not worth attacking under Storming buildings (captured in 44 of 100 games)."),
    ],
)
def test_an_assault_is_worth_making_that_succeeds_clearly_more_often_than_not(chance, verdict):
    alone = {**invented(chance).responses, "p_destroyed": Estimate(0.0)}
    _, told, *_ = best_words.summary(Question(small()), [invented(chance, responses=alone)])
    assert told == verdict


@pytest.mark.parametrize(
    ("captured", "destroyed", "verdict"),
    [
        (0.56, 0.1, "Worth attacking"),
        (0.36, 0.26, "More often captured or destroyed than not"),
        (0.5, 0.09, "More often captured or destroyed than not"),
        (0.31, 0.2, "About even"),
        (0.04, 0.41, "Seldom captured, but often destroyed"),
        (0.3, 0.14, "Not worth attacking"),
    ],
)
def test_to_destroy_a_building_is_a_success_as_well(captured, destroyed, verdict):
    both = {**invented(captured).responses, "p_destroyed": Estimate(destroyed)}
    _, told, *_ = best_words.summary(Question(small()), [invented(captured, responses=both)])
    often = f"captured in {100 * captured:.0f} of 100 games, destroyed in {100 * destroyed:.0f} of 100 games"
    assert told == f"{verdict} under Storming buildings ({often})."


@pytest.mark.parametrize(
    ("aim", "chances", "verdict"),
    [
        ("destroyed", {"captured": 0.31}, "Seldom destroyed, but often captured under Storming buildings"),
        ("destroyed", {"captured": 0.22}, "Not worth attacking under Storming buildings"),
        ("captured", {"destroyed": 0.31}, "Seldom captured, but often destroyed under Storming buildings"),
    ],
)
def test_how_attackers_succeed_besides_what_they_mean_to_do_is_said(aim, chances, verdict):
    """They do what they mean to in 20 games in 100."""
    (other, chance), *_ = chances.items()
    answer = invented(0.2, responses={**invented(0.2).responses, f"p_{other}": Estimate(chance)})
    _, told, *_ = best_words.summary(Question(small(), objective(aim)), [answer])
    assert told == f"{verdict} ({aim} in 20 of 100 games, {other} in {100 * chance:.0f} of 100 games)."


def test_the_table_adds_up_as_it_is_written():
    *_, grid = [each for each in best_words.summary(Question(small()), [invented(0.53)]) if hasattr(each, "rows")]
    assert grid.headings == ("captured of 100", "hold", "sally", "best play", "changing saves")
    assert grid.rows == (
        ("storm", "50.0", "60.0", "49.5", "0.5"),
        ("shoot", "20.0", "70.0", "10.0", "10.0"),
        ("best play", "57.5", "80.0", "53.0", "4.5"),
        ("changing adds", "7.5", "10.0", "3.5", ""),
    )


def test_in_short_plans_that_are_kept_to_stand_beside_best_play():
    """Smoke comes to the same as shoot, and is left out of the matrix."""
    question = Question(small(**{"attackers.plan": "smoke", "defenders.plan": "sally"}))
    told = [*best_words.in_short(question, [invented(0.53), Refused(rule_set("gemini"), "it is too large")])]
    assert told[1] == "Brick farmhouse: 4 v 2, 6 inches apart, the attackers move first, 3 turns of both sides."
    assert "Gemini building rules: not answered: it is too large." in told
    (table,) = [each for each in told if hasattr(each, "rows")]
    assert table.headings[3:] == ("captured of 100: smoke v sally", "best play")
    assert table.rows == (("Storming buildings", "throughout: storm", "throughout: hold", "70.0", "53.0"),)


def test_in_short_nothing_is_tabled_where_nothing_was_answered():
    told = [*best_words.in_short(Question(small()), [Refused(rule_set("gemini"), "it is too large")])]
    assert not [each for each in told if hasattr(each, "rows")]


def test_lists_say_what_they_cost_and_one_line_is_for_the_whole_game():
    told = [*best_words.summary(Question(small()), [invented(0.53)])]
    assert "The attackers, in short (it costs nothing to keep to it):" in told
    assert "The garrison, in short (it costs 0.4 games in 100 to keep to it):" in told
    assert [each.lines for each in told if hasattr(each, "lines")] == [("throughout: storm",), ("throughout: hold",)]
    assert "For the attackers, smoke comes to the same as shoot here, and is left out." in told


def test_right_plans_and_wrong_ones_are_two_lists():
    wrong = {"shoot": 0.156, "smoke": 0.02}
    one = Crossroads("attackers", 3, 0.54, (2, 7), (12, 12), (8, 8), {}, ("storm", "demolish", "rush"), wrong)
    *_, grid = [
        each
        for each in best_words.summary(Question(small()), [invented(0.53, crossroads=[one])])
        if hasattr(each, "rows")
    ]
    plans = "right: storm, demolish, rush\nwrong: shoot 15.6, smoke 2.0"
    assert grid.rows == (("attackers\nturn 3", "2–7 v 12, at 8 inches", plans, "54"),)


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (["storm (2)", "storm (1)"], {"shoot": 0.1}, "right: storm\nwrong: shoot 10.0"),
        (["storm (2)"], {"storm (1)": 0.02}, "right: storm (2)\nwrong: storm otherwise 2.0"),
        (
            ["storm (4)", "storm (3)", "storm (2)", "shoot"],
            {"storm (1)": 0.02, "storm (0)": 0.3},
            "right: storm (3 ways), shoot\nwrong: storm otherwise 2.0 to 30.0",
        ),
        (["shoot"], {"storm (2)": 0.1, "storm (1)": 0.3}, "right: shoot\nwrong: storm 10.0 to 30.0"),
    ],
)
def test_ways_to_go_in_are_named_where_they_make_the_difference(right, wrong, told):
    one = Crossroads("attackers", 3, 0.54, (2, 7), (12, 12), (8, 8), {}, tuple(right), wrong)
    *_, grid = [
        each
        for each in best_words.summary(Question(small(), anew=True), [invented(0.53, crossroads=[one])])
        if hasattr(each, "rows")
    ]
    assert grid.rows[0][2] == told


def test_plans_that_are_left_out_with_all_their_ways_are_named_once():
    alike = {"storm (1)": "storm (2)", "smoke (1)": "storm (2)", "smoke (2)": "storm (2)"}
    fixed = {Pair("storm (2)", "hold"): 0.5, Pair("storm (2)", "sally"): 0.6}
    answer = invented(0.5, alike={"attackers": alike, "defenders": {}}, fixed=fixed)
    told = [*best_words._left_out("attackers", answer)]
    assert told == [
        "For the attackers, what comes to the same as another way to storm is left out.",
        "For the attackers, smoke comes to the same as storm here, and is left out.",
    ]


@pytest.mark.parametrize(
    ("shoot", "said"), [(0.5, "throughout: any plan"), (0.4, "throughout: storm")], ids=["as good", "worse"]
)
def test_no_plan_is_named_where_each_of_them_is_as_good_as_best_play(shoot, said):
    one = invented(0.5, replies={"attackers": {"hold": 0.5, "sally": 0.6}, "defenders": {"storm": 0.5, "shoot": shoot}})
    told = [*best_words.summary(Question(small()), [one])]
    table, *_ = [each for each in told if hasattr(each, "rows")]
    assert table.rows[0][1] == said
    assert next(each.lines for each in told if hasattr(each, "lines")) == (said,)
    either = "every plan" if shoot == 0.5 else "storm"
    assert f"Changing plans in mid-game is worth nothing to the attackers: {either} alone does as well." in told


@pytest.mark.parametrize(
    ("heaviest", "told"), [(1, ["0.054", "0.000"]), (100, ["0.1", "0.0"]), (0.3, ["0.0540", "0.0000"])]
)
def test_numbers_of_weights_tell_a_tenth_of_a_point(heaviest, told):
    weighed = Objective("weighed", Aim(captured=heaviest, held=-heaviest / 2))
    written = [f"{value:.{weighed.decimals}f}" for value in (0.054, 4.8e-8)]
    assert written == told


def test_a_plan_of_a_sweep_that_no_such_side_has_is_refused_with_those_it_has():
    with pytest.raises(CasemateError, match=r"attackers\.plan: expected 'storm', .* or 'best', got 'hold'"):
        point("farmhouse", rule_set("storming"), {"attackers.plan": "hold"})


def test_a_side_whose_plans_all_come_to_the_same_has_nothing_to_choose():
    one = invented(
        0.5,
        alike={"attackers": {}, "defenders": {"sally": "hold"}},
        fixed={Pair("storm", "hold"): 0.4, Pair("shoot", "hold"): 0.2},
        replies={"attackers": {"hold": 0.5}},
        policies={"attackers": Listed("attackers", None, (Line({}, "storm"),), 0.0)},
    )
    table, *_ = [each for each in best_words.summary(Question(small()), [one, invented(0.53)]) if hasattr(each, "rows")]
    assert table.headings == ("rules", "the attackers", "the garrison")
    assert [row[1:] for row in table.rows] == [
        ("throughout: storm", "nothing to choose"),
        ("throughout: storm", "throughout: hold"),
    ]


def test_rules_with_too_many_transitions_are_refused_alone(tiny, tmp_path, capsys, monkeypatch):
    plain, learnt, drawn = module.contest, list[str](), tmp_path / "best.svg"

    def too_many(scenario, rules, *more, **_):
        learnt.append(rules.id)
        if rules.id == "gemini":
            raise BudgetError("it is too large")
        return plain(scenario, rules, *more)

    monkeypatch.setattr(module, "contest", too_many)
    assert run(["best", tiny, "--rules", "gemini,storming"]) == 0
    out = capsys.readouterr().out
    assert "Gemini building rules: not answered: it is too large." in out
    assert "worth attacking under Storming buildings" in out
    learnt.clear()
    assert run(["best", tiny, "--rules", "gemini,storming", "--json", "--chart", str(drawn)]) == 0
    out, err = capsys.readouterr()
    assert learnt == ["gemini", "storming"]
    assert err == f"Gemini building rules is not drawn: it is too large\nThe chart: {drawn}\n"
    refused, answered = json.loads(out)["results"]
    assert refused == {"rules": "gemini", "engine": "exact", "refused": "it is too large"}
    assert answered["rules"] == "storming"
    assert run(["best", tiny, "--rules", "gemini"]) == 2
    assert "A tiny one: this assault cannot be answered:\n   gemini: it is too large" in capsys.readouterr().err
    found = with_best(compare(load_scenario(tiny), rule_sets_of(["gemini", "storming"])))
    assert isinstance(found.entries[0].best, Refused)
    assert [line.cells[0].text for line in table_lines(found) if line.label == BEST] == ["too large"]
    assert terminal.as_data(found)["results"][0]["best"] is None


def test_what_is_done_is_told_when_interrupted(tiny, capsys, monkeypatch):
    plain = module.contest

    def interrupted(scenario, rules, *more, **_):
        if rules.id == "gemini":
            raise KeyboardInterrupt
        return plain(scenario, rules, *more)

    monkeypatch.setattr(module, "contest", interrupted)
    assert run(["best", tiny, "--rules", "storming,gemini,gw_updated"]) == 130
    out, err = capsys.readouterr()
    assert "worth attacking under Storming buildings" in out
    assert err == "casemate: interrupted; not answered: gemini, gw_updated\n"
    assert run(["best", tiny, "--rules", "gemini"]) == 130
    assert capsys.readouterr().out == ""


def test_progress_rises(tiny, monkeypatch):
    monkeypatch.setattr(module, "contest", contest)
    told = list[float]()
    best_of(Question(load_scenario(tiny)), rule_set("storming"), lambda done, of: told.append(done / of))
    assert told == sorted(told)
    assert 0 <= told[0] < 0.2
    assert 0.8 < told[-1] <= 1


# In a comparison


@pytest.mark.usefixtures("rulings_as_in_the_book")
def test_compare_tells_best_play_if_it_is_asked(tiny, capsys, tmp_path, monkeypatch):
    value = best_value(Question(load_scenario(tiny)), rule_set("storming"))
    page = tmp_path / "page.html"
    assert run(["compare", tiny, "--rules", "storming", "--best", "--out", str(page)]) == 0
    told = capsys.readouterr().out.split("\n")
    (row,) = [i for i, line in enumerate(told) if line.startswith(" captured, both")]
    assert told[row].endswith(f"{100 * value:.1f} % ")
    assert told[row + 1].startswith(" playing their best")
    written = page.read_text("utf-8")
    assert (
        f"playing their best<small>each changing its plan where that serves it</small></th><td>{100 * value:.1f} %"
        in written
    )
    assert "casemate compare" in written
    assert "--best" in written
    assert run(["compare", tiny, "--rules", "storming", "--best", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["best"] == value
    monkeypatch.setattr(module, "contest", None)
    assert run(["compare", tiny, "--rules", "storming", "--json"]) == 0
    assert "best" not in json.loads(capsys.readouterr().out)["results"][0]
    assert run(["compare", "--all", "--best"]) == 2
    assert "--best is about one assault; expected it without --all" in capsys.readouterr().err


def test_best_play_does_not_mind_which_plans_the_scenario_has():
    """They are what a comparison plays."""
    assert own_plans(small()) == ("storm", "hold")
    other = small(**{"attackers.plan": "smoke", "defenders.plan": "sally"})
    assert best_value(Question(other), rule_set("gemini")) == best_value(Question(small()), rule_set("gemini"))
