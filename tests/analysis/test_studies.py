"""The questions about one building, as rows and as charts."""

import pytest

from analysis import charts
from analysis.cli import run
from analysis.studies import (
    ARMS,
    PLANS,
    SUPPORT,
    ClearRow,
    by_access_and_support,
    by_plan,
    named_alike,
    plainly_armed,
    supporting,
)
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario

STORMING = rule_set("storming")
ROWS = [ClearRow(p, line, n, 0.01 * n * (i + 1), None, None) for p in ("a", "b") for i, line in enumerate("xyz") for n in (5, 10)]  # fmt: skip


def test_support_clears_more_and_two_doors_let_more_in():
    rows = by_access_and_support("farmhouse", STORMING, (20,), (1, 2))
    cleared = {(row.panel, row.line): row.cleared for row in rows}
    assert cleared["no support", "1 door"] < cleared["grenades", "1 door"] < cleared["grenades and templates", "1 door"]
    assert cleared["no support", "1 door"] < cleared["no support", "2 doors"]


def test_a_panel_for_templates_needs_template_weapons():
    rows = by_access_and_support("keep-gate", STORMING, (8,), (1,))
    assert [row.panel for row in rows] == ["no support", "grenades"]


def plans(scenario, *levels):
    return {(row.panel, row.line, row.attackers): row.cleared for row in by_plan(scenario, STORMING, levels)}


def test_specials_who_fill_the_squad_do_not_pass_for_ordinary_ones():
    """Five attackers at the gate are all specials; without them five ordinary ones cannot hurt the keep either."""
    rows = plans("keep-gate", 5)
    assert rows[ARMS[0], "demolish only", 5] > 0
    assert rows[ARMS[1], "demolish only", 5] == 0


def test_without_weapons_against_armour_there_is_only_storming():
    """The complaint that storming answers: by the standard rules such a squad has no way in (ST-001)."""
    rows = plans("bastion", 10)
    assert rows[ARMS[1], "demolish, then storm", 10] == pytest.approx(rows[ARMS[1], "storm", 10], abs=1e-12)
    assert rows[ARMS[1], "demolish only", 10] == 0
    assert rows[ARMS[1], "storm", 10] > 0.5
    assert rows[ARMS[0], "demolish only", 10] > 0.5


def test_storming_with_those_who_are_left_clears_more_than_demolishing_only():
    rows = plans("farmhouse", 10, 20)
    for n in (10, 20):
        assert rows[ARMS[0], "demolish, then storm", n] > rows[ARMS[0], "demolish only", n] > 0
    assert rows[ARMS[0], "storm", 10] < rows[ARMS[0], "demolish only", 10]


def test_rules_without_storming_have_no_line_for_what_is_left():
    """By any plan those of the bunker rush do the same under GW; flamers at a farmhouse do not."""
    lines = {row.line for row in by_plan("farmhouse", rule_set("gw_updated"), (5,))}
    assert {plan for plan in PLANS if any(plan in line for line in lines)} == set(PLANS)
    assert {line.split(";")[0] for line in lines} >= {"storm", "shoot", "smoke"}


def test_equipment_is_what_the_panel_says():
    force = load_scenario("farmhouse").attackers
    for support in SUPPORT:
        kinds = {g.weapon.kind for g in supporting(force, support).groups if g.weapon}
        assert ("template" in kinds) is (support == "grenades and templates")
        thrown = {"assault" in g.profile.grenades for g in supporting(force, support).groups}
        assert thrown == {support != "no support"}
    assert {g.weapon.title for g in plainly_armed(force).groups if g.weapon} == {"Rifle"}
    with pytest.raises(CasemateError, match="no support"):
        supporting(force, "cannons")


def test_lines_are_as_high_as_the_rows():
    figure = charts.clear_chart(ROWS, "Title")
    for axes, panel in zip(figure.axes, "ab", strict=True):
        assert axes.get_title(loc="left") == panel
        for line in axes.lines:
            expected = [row.cleared for row in ROWS if (row.panel, row.line) == (panel, line.get_label())]
            assert list(line.get_ydata()) == expected
        assert len({line.get_marker() for line in axes.lines}) == 3


def test_intervals_are_drawn_where_sampled():
    sampled = [row._replace(low=row.cleared - 0.01, high=row.cleared + 0.01) for row in ROWS]
    assert len(charts.clear_chart(sampled, "Title").axes[0].collections) == 3
    assert not charts.clear_chart(ROWS, "Title").axes[0].collections


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_chart_command_writes_a_file(tmp_path, ending):
    out = tmp_path / f"chart.{ending}"
    assert run(["chart", "support", "bunker-rush", "--attackers", "4", "8", "--out", str(out)]) == 0
    assert out.stat().st_size > 1000


def test_the_chart_command_refuses_what_it_cannot_write(capsys):
    assert run(["chart", "plans", "--out", "chart.docx"]) == 2
    assert "expected a file ending in .svg, .png or .pdf" in capsys.readouterr().err


def test_the_play_command_tells_a_game(capsys, tmp_path):
    assert run(["play", "bunker-rush", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert "attackers: storm" in told
    assert "The attackers have taken the building in turn" in told
    script = tmp_path / "script.toml"
    script.write_text('[[roll]]\nlabel = "support attacks"\nanswer = 3\n')
    assert run(["play", "bunker-rush", "--script", str(script), "--seed", "1"]) == 0
    assert "support attacks: 3, as written" in capsys.readouterr().out
    assert run(["play", "bunker-rush", "--script", str(script)]) == 2
    assert 'the script has no roll "fire from the building"' in capsys.readouterr().err
    script.write_text('[[roll]]\nlable = "support attacks"\n')
    assert run(["play", "--script", str(script)]) == 2
    assert 'did you mean "label"' in capsys.readouterr().err


def test_lines_that_are_the_same_everywhere_are_one():
    rows = [ClearRow("with", line, n, n / 10, None, None) for line in ("storm", "demolish") for n in (1, 2)]
    rows += [ClearRow("with", "shoot", n, chance, None, None) for n, chance in ((1, 0.1), (2, 0.3))]
    assert [row.line for row in named_alike(rows)] == ["storm; demolish: as storm"] * 2 + ["shoot"] * 2
