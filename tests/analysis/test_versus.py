"""A against B: what is played, what is said first of it, and what cannot be asked."""

import json
import re
from dataclasses import replace

import pytest

from analysis import charts, rows, show, versus
from analysis.cli import run
from analysis.deciding.receipt import Line
from analysis.deciding.versus import Contestant, Versus, contestants
from analysis.deciding.versus_words import aim, blocks, verdict
from analysis.points.paired import DIFFER, paired
from analysis.points.plans import Plans
from analysis.points.point import AUTO, How, Point, point
from analysis.points.responses import Estimate
from analysis.points.suite import Game
from analysis.say.blocks import Grid
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario

STORMING, GW = rule_set("storming"), rule_set("gw_updated")
FARMHOUSE = load_scenario("farmhouse")


def estimate(value, half=None):
    return Estimate(value) if half is None else Estimate(value, max(value - half, 0), min(value + half, 1))


def made_up(one, other, response="p_captured", plans=("storm", "hold"), *, half=None, apart=None):
    """A contest of X and Y in which one response is known, and the rest is nothing."""
    none = dict.fromkeys(("p_held", *DIFFER), estimate(0.0, half))
    before, after = ({**none, response: estimate(value, half)} for value in (one, other))
    asked = Point(STORMING, FARMHOUSE, Plans(*plans), AUTO)
    gap = {response: Estimate(other - one, *apart)} if apart else {}
    line = Line(Game("farmhouse", asked.plans), asked, before, after, None if half is None else 1000, gap)
    x, y = (Contestant(name, f"under {name}", STORMING, FARMHOUSE) for name in "XY")
    return Versus((x, y), "The farmhouse", AUTO, (line,), {})


WHEN = "The farmhouse, when the attackers storm and the garrison holds: "


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((0.703, 0.809), "the building is captured in 11 games in 100 more under Y (81) than under X (70)."),
        ((0.81, 0.25), "the building is captured in 56 games in 100 more under X (81) than under Y (25)."),
        ((0.703, 0.713), "the building is captured in 1 game in 100 more under Y (71) than under X (70)."),
        # 71 less 69 would be 2 games, and it is 1.2
        ((0.694, 0.706), "the building is captured in 1.2 games in 100 more under Y (70.6) than under X (69.4)."),
        ((0.0, 0.2), "the building is captured in 20 games in 100 more under Y (20) than under X (0)."),
        ((0.7, 0.7), "no difference: the building is captured in 70 games in 100 under X and under Y alike."),
        ((0.0, 0.0), "no difference: the building is captured in 0 games in 100 under X and under Y alike."),
        ((0.701, 0.705), "hardly any difference: the building is captured in 70.1 games in 100 under X, 70.5 under Y."),
        (
            (0.7, 0.6999),
            "hardly any difference: the building is captured in 70.00 games in 100 under X, 69.99 under Y.",
        ),
        (
            (0.45, 0.55),
            "the building is captured in 10 games in 100 more under Y (55) than under X (45). "
            "The assault is about even under X and under Y.",
        ),
        (
            (0.447, 0.557),
            "the building is captured in 11 games in 100 more under Y (56) than under X (45). "
            "The assault is about even under X.",
        ),
        (
            (0.44, 0.55),
            "the building is captured in 11 games in 100 more under Y (55) than under X (44). "
            "The assault is about even under Y.",
        ),
        ((0.44, 0.56), "the building is captured in 12 games in 100 more under Y (56) than under X (44)."),
    ],
)
def test_the_first_sentence_of_exact_answers_can_be_repeated(asked, said):
    assert verdict(made_up(*asked), "p_captured") == WHEN + said


@pytest.mark.parametrize(
    ("response", "values", "said"),
    [
        ("p_held", (0.5, 0.38), "the building is held in 12 games in 100 more under X (50) than under Y (38)."),
        ("p_destroyed", (0.5, 0.38), "the building is destroyed in 12 games in 100 more under X (50) than"),
        ("p_broken", (0.1, 0.3), "the attackers are broken in 20 games in 100 more under Y (30) than under X (10)."),
        ("turns_mean", (3.72, 2.31), "a game lasts 1.4 turns more on average under X (3.7) than under Y (2.3)."),
        ("attackers_lost_mean", (3.0, 4.5), "the attackers lose 1.5 models more on average under Y (4.5) than"),
        ("defenders_lost_mean", (4.5, 4.5), "no difference: the garrison loses 4.5 models on average under X and"),
        ("turns_mean", (4.5, 4.7), "hardly any difference: a game lasts 4.5 turns on average under X, 4.7 under Y."),
    ],
)
def test_other_responses_have_sentences_of_their_own(response, values, said):
    told = verdict(made_up(*values, response), response)
    assert told.startswith(WHEN + said)
    assert "about even" not in told


@pytest.mark.parametrize(
    ("asked", "apart", "said"),
    [
        ((0.703, 0.81), (0.09, 0.121), "in about 11 games in 100 more (9.0 to 12.1) under Y (81) than under X (70)."),
        ((0.81, 0.703), (-0.121, -0.09), "in about 11 games in 100 more (9.0 to 12.1) under X (81) than under Y (70)."),
        (
            (0.7, 0.72),
            (-0.01, 0.05),
            "no difference that the games drawn can tell: the building is captured in about 70 games in 100 under X, "
            "72 under Y.",
        ),
        ((0.7, 0.7), None, "no difference that the games drawn can tell: the building is captured in about 70 games"),
    ],
)
def test_what_may_be_luck_is_no_finding(asked, apart, said):
    assert said in verdict(made_up(*asked, half=0.02, apart=apart), "p_captured")


def moved(**ends):
    """A contest of X and Y by what each end comes to under both."""
    found = made_up(0.0, 0.0)
    (line,) = found.lines
    before, after = ({f"p_{end}": Estimate(both[i]) for end, both in ends.items()} for i in (0, 1))
    return replace(found, lines=(replace(line, before={**line.before, **before}, after={**line.after, **after}),))


def test_an_end_that_differs_more_than_what_is_told_is_told_besides():
    found = moved(captured=(0.22, 0.23), broken=(0.48, 0.58), held=(0.30, 0.19))
    assert aim(found) == "p_captured"
    assert verdict(found, "p_captured") == (
        WHEN + "the building is captured in 1 game in 100 more under Y (23) than under X (22). "
        "Besides, the building is held in 11 games in 100 more under X (30) than under Y (19)."
    )


def test_where_neither_success_differs_what_differs_most_is_told():
    found = moved(captured=(0.0, 0.005), broken=(0.037, 0.379), held=(0.963, 0.616))
    assert aim(found) == "p_held"
    told = "the building is held in 34.7 games in 100 more under X (96.3) than under Y (61.6)."
    assert verdict(found, aim(found)) == WHEN + told
    assert aim(moved(captured=(0.2, 0.205), held=(0.8, 0.795))) == "p_captured"


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        (("smoke", "sally"), "when the attackers mean to smoke the garrison out and the garrison sallies"),
        (("best", "best"), "when the attackers play their best and the garrison plays its best"),
    ],
)
def test_the_sentence_says_by_which_plans(plans, said):
    assert said in verdict(made_up(0.5, 0.7, plans=plans), "p_captured")


def test_a_difference_is_that_of_what_is_printed():
    """38.04 reads 38.0 and 41.46 reads 41.5: 3.5 apart, though they are 3.42 apart."""
    first, *_ = (each for each in blocks(made_up(0.3804, 0.4146), "p_captured") if isinstance(each, Grid))
    assert first.headings == ("captured in 100", "X", "Y", "difference")
    assert first.rows == (("storm", "38.0", "41.5", "+3.5"),)


def answers(of):
    return of.responses(of.play())


def test_two_sets_of_rules_answer_as_each_does_by_itself(skirmish):
    found = versus("storming", GW, scenario=skirmish, plans=("smoke", "hold"))
    assert found.lines[0].point.plans == ("smoke", "hold")
    assert {line.point.plans for line in found.lines} == {
        *((plan, "hold") for plan in ("storm", "demolish", "shoot", "smoke")),
        ("storm", "sally"),
    }
    for line in found.lines:
        for rules, told in ((STORMING, line.before), (GW, line.after)):
            plain = answers(point(skirmish, rules, plans=line.point.plans))
            assert {name: each.value for name, each in told.items()} == {n: each.value for n, each in plain.items()}
        assert not line.apart


def test_two_scenarios_answer_under_one_set_of_rules(skirmish):
    larger = load_scenario(skirmish, {"attackers.models": 9, "title": "A larger skirmish"})
    found = versus(skirmish, larger, rules="gw_updated")
    line = found.lines[0]
    assert line.before == answers(point(skirmish, GW))
    assert line.after == answers(point(skirmish, GW, {"attackers.models": 9}))
    assert verdict(found, "p_captured").startswith("Updated building rules, when the attackers storm")
    assert "in a larger skirmish" in verdict(found, "p_captured")


@pytest.mark.parametrize("other", [GW, STORMING.with_values({"tables.grenade.hits": "D6"})], ids=["book", "house rule"])
def test_sampled_ones_are_apart_by_the_interval_of_pairs(skirmish, other):
    how = How("sampled", trials=300, seed=4)
    found = versus(
        STORMING, replace(other, id="other", title="Other"), scenario=skirmish, how=how, plans=("smoke", "hold")
    )
    line = found.lines[0]
    both = [point(skirmish, rules, plans=("smoke", "hold"), how=how) for rules in (STORMING, other)]
    assert line.apart == paired(*both).differences()
    assert line.trials == 300
    row = rows.versus_rows(found)[0]
    assert (row.low, row.high) == line.apart["p_captured"].ends
    grid = next(each for each in blocks(found, "p_captured") if isinstance(each, Grid))
    assert re.fullmatch(r"[+-]?\d+\.\d\n[+-]?\d+\.\d to [+-]?\d+\.\d", grid.rows[0][-1])


def test_titles_that_are_the_same_have_their_files_beside_them(tmp_path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "house.toml").write_text('base = "storming"\ntitle = "Mine"\n')
    one, other = contestants(tmp_path / "old/house.toml", tmp_path / "new/house.toml")
    assert one.name.startswith("Mine (")
    assert one.name.endswith("old/house.toml)")
    assert other.name.endswith("new/house.toml)")


def test_a_file_is_read_as_what_it_is(tmp_path):
    rules, game, both = (tmp_path / f"{name}.toml" for name in ("rules", "game", "both"))
    rules.write_text('base = "storming"\ntitle = "Mine"\n[tables.grenade]\nhits = "D6"\n')
    both.write_text('base = "rules.toml"\n[tables.grenade]\nS = 4\n')
    game.write_text('base = "farmhouse"\ntitle = "Two doors"\n[building]\ndoors = 2\n')
    assert [each.name for each in contestants(rules, both)] == ["Mine", "both"]
    assert [each.name for each in contestants("farmhouse", game)] == ["The farmhouse", "Two doors"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (("storming", "farmhouse"), "storming is rules and farmhouse is a scenario; expected two sets of rules, with"),
        (("storming", "storming"), "both are storming; expected two that differ"),
        (("farmhouse", "farmhouse"), "both are farmhouse; expected two that differ"),
        (("storming", "gemnii"), 'there are no rules and no scenario "gemnii"; did you mean "gemini"? (or a file of'),
        (("farmhouse", "bastoin"), 'there are no rules and no scenario "bastoin"; did you mean "bastion"?'),
        (("storming", "no.toml"), "no.toml"),
        (("storming", "gemini", "--rules", "storming"), "expected --scenario, not --rules"),
        (("farmhouse", "bastion", "--scenario", "bastion"), "expected --rules, not --scenario"),
        (("storming", "gemini", "--response", "p_capture"), 'did you mean "p_captured"?'),
        (("storming", "gemini", "--scenario", "farmhose"), 'did you mean "farmhouse"?'),
    ],
)
def test_what_cannot_be_asked_is_refused(asked, why, capsys):
    assert run(["versus", *asked]) == 2
    out, err = capsys.readouterr()
    assert why in " ".join(err.split())
    assert out == ""


def test_what_one_of_them_cannot_play_is_said(skirmish):
    """Nobody may occupy an impassable building; nothing else is played then, and that is refused."""
    nowhere = replace(STORMING.with_values({"tables.agreed.building_class": "impassable"}), title="Nowhere")
    with pytest.raises(CasemateError, match="nobody may occupy an impassable building"):
        versus(STORMING, nowhere, scenario=skirmish)


def test_as_json_it_has_both_answers_and_their_difference(skirmish, capsys):
    asked = ["versus", "storming", "gw_updated", "--scenario", skirmish, "--plan", "smoke", "--workers", "1", "--json"]
    assert run([*asked, "--response", "turns_mean"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [told[each]["rules"] for each in ("first", "second")] == ["storming", "gw_updated"]
    assert told["verdict"].startswith(load_scenario(skirmish).title)
    first = told["assaults"][0]
    assert (first["plan"], first["defence"], first["trials"]) == ("smoke", "hold", None)
    assert {*first["difference"]} == {*DIFFER}
    for name, difference in first["difference"].items():
        one, other = (first[each][name]["value"] for each in ("first", "second"))
        assert difference == {"value": pytest.approx(other - one, abs=1e-12), "low": None, "high": None}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["versus", "storming", "gw_updated", "--no-store"], "nothing is kept with --no-store"),
        (["sensitivity", "--rules", "storming", "--no-store"], "nothing is kept with --no-store"),
        (["versus", "storming", "gw_updated"], "what was finished is in the store, if there is one"),
        (["best", "--rules", "storming"], "no set of rules was answered yet, and best play is not kept"),
    ],
)
def test_an_interrupt_says_what_is_kept(asked, says, monkeypatch, capsys):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.points.point.run", stop)
    monkeypatch.setattr("analysis.commands.choosing.best_of", stop)
    monkeypatch.setattr("analysis.points.batches.batches", stop)
    assert run([*asked, *([] if asked[0] == "best" else ["--workers", "1"])]) == 130
    out, err = capsys.readouterr()
    assert f"casemate: interrupted; {says}" in err
    assert out == ""


def test_it_is_shown_and_drawn_in_a_notebook(skirmish, capsys):
    found = versus("storming", "gw_updated", scenario=skirmish)
    show(found)
    said = capsys.readouterr().out
    assert " ".join(said.split()).startswith(verdict(found, "p_captured"))
    shown = rows.versus_rows(found, "attackers_lost_mean")
    drawn = charts.versus_chart(shown, "attackers_lost_mean")
    assert drawn.title.startswith("When the attackers storm and the garrison holds: ")
    (axes,) = drawn.axes
    marked = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert marked == [value for row in shown for value in (row.one, row.other)]
    assert "ring: under Storming buildings; full mark: under Updated building" in axes.get_xlabel().replace("\n", " ")
