"""The studies that come with Casemate, as rows and as charts."""

import pytest

from analysis import charts
from analysis.cli import run
from analysis.rows.clearing import ClearRow, clear_rows, named_alike
from sims.errors import CasemateError
from sims.scenario import load_scenario
from tests.readable import assert_readable

OWN, ORDINARY = "with their special weapons", "with ordinary weapons alone"
ROWS = [ClearRow("blue", p, line, n, 0.01 * n * (i + 1), None, None) for p in ("a", "b") for i, line in enumerate("xyz") for n in (5, 10)]  # fmt: skip


def cleared(name, scenario, *levels):
    return {(row.panel, row.line, row.attackers): row.cleared for row in clear_rows(name, scenario, "storming", levels)}


def test_support_clears_more_and_two_doors_let_more_in():
    rows = cleared("support", "farmhouse", 20)
    one_door = [rows[support, "1 door", 20] for support in ("no support", "grenades", "grenades and templates")]
    assert one_door == sorted({*one_door})
    assert rows["no support", "1 door", 20] < rows["no support", "2 doors", 20]


def test_a_panel_for_templates_needs_template_weapons():
    panels = {panel for panel, _, _ in cleared("support", "keep-gate", 8)}
    assert panels == {"no support", "grenades or grenades and templates"}


def test_specials_who_fill_the_squad_do_not_pass_for_ordinary_ones():
    """Five attackers at the gate are all specials; without them five ordinary ones cannot hurt the keep either."""
    rows = cleared("plans", "keep-gate", 5)
    only = next(line for _, line, _ in rows if line.startswith("demolish only"))
    assert rows[OWN, only, 5] > 0
    assert rows[ORDINARY, only, 5] == 0


def test_without_weapons_against_armour_there_is_only_storming():
    """The complaint that storming answers: by the standard rules such a squad has no way in (ST-001)."""
    rows = cleared("plans", "bastion", 10)
    assert rows[ORDINARY, "demolish", 10] == pytest.approx(rows[ORDINARY, "storm", 10], abs=1e-12)
    assert rows[ORDINARY, "demolish only", 10] == 0
    assert rows[ORDINARY, "storm", 10] > 0.5
    assert rows[OWN, "demolish only", 10] > 0.5


def test_storming_with_those_who_are_left_clears_more_than_demolishing_only():
    rows = cleared("plans", "farmhouse", 10, 20)
    only = next(line for _, line, _ in rows if line.startswith("demolish only"))
    for n in (10, 20):
        assert rows[OWN, "demolish", n] > rows[OWN, only, n] > 0
    assert rows[OWN, "storm", 10] < rows[OWN, only, 10]


def test_rules_that_nobody_can_storm_under_have_no_line_for_doing_without():
    """By any plan those of the bunker rush do the same under GW; flamers at a farmhouse do not."""
    lines = {row.line for row in clear_rows("plans", "farmhouse", "gw_updated", (5,))}
    assert {plan for line in lines for plan in line.split(" or ")} == {"storm", "demolish", "shoot", "smoke"}
    assert {line.split(" or ")[0] for line in lines} >= {"storm", "shoot", "smoke"}


def test_a_level_that_does_not_fit_is_refused():
    with pytest.raises(CasemateError, match=r"attackers.models cannot be 3: .*expected at least 4"):
        clear_rows("support", "farmhouse", "storming", (3, 8))


def test_points_that_do_not_fit_are_left_out():
    """Four are too few for a sergeant and his specials, but not for ordinary troopers."""
    rows = clear_rows("plans", "farmhouse", "storming", (3, 5))
    assert {row.attackers for row in rows if row.panel == OWN} == {5}
    assert {row.attackers for row in rows if row.panel == ORDINARY} == {3, 5}
    first, second = charts.clear_chart(rows).axes
    assert {len(line.get_xdata()) for line in first.lines} == {1}
    assert {len(line.get_xdata()) for line in second.lines} == {2}


def armed(arms):
    return load_scenario("farmhouse", {"attackers.arms": arms}).attackers


@pytest.mark.parametrize("support", ["no support", "grenades", "grenades and templates"])
def test_what_a_side_has_in_support_is_what_it_says(support):
    kinds = {g.weapon.kind for g in armed(support).groups if g.weapon}
    assert ("template" in kinds) is (support == "grenades and templates")
    thrown = {"assault" in g.profile.grenades for g in armed(support).groups}
    assert thrown == {support != "no support"}
    assert armed(support).models == 20


def test_the_ordinary_and_the_own_arms_of_a_side():
    assert {g.weapon.title for g in armed("ordinary").groups if g.weapon} == {"Rifle"}
    assert armed("ordinary").models == 20
    assert armed("own") == load_scenario("farmhouse").attackers
    sappers = load_scenario("toll-house", {"attackers.arms": "ordinary"}).attackers
    assert {g.profile.grenades for g in sappers.groups} == {("assault",)}
    assert {g.melee.title for g in sappers.groups} == {"Sword"}
    assert {g.profile.grenades for g in load_scenario("toll-house").attackers.groups} > {("assault", "krak")}
    with pytest.raises(CasemateError, match=r"attackers.arms: expected 'own', .*got 'cannons'"):
        armed("cannons")


def test_lines_are_as_high_as_the_rows():
    figure = charts.clear_chart(ROWS)
    for axes, panel in zip(figure.axes, "ab", strict=True):
        assert axes.get_title(loc="left") == panel
        for line in axes.lines:
            expected = [row.cleared for row in ROWS if (row.panel, row.line) == (panel, line.get_label())]
            assert list(line.get_ydata()) == expected
        assert len({line.get_marker() for line in axes.lines}) == 3


@pytest.mark.parametrize("width", [charts.PHONE, charts.WIDE])
@pytest.mark.parametrize("panels", ["ab", "abc"])
def test_names_at_the_ends_of_lines_are_apart_and_inside(panels, width):
    """Of lines that meet at the top, in the middle and at the bottom, with names of several lines."""
    names = ("storm", "demolish", "demolish only or shoot", "smoke", "shoot from the wood or wait")
    for chance in (0.0, 0.5, 1.0):
        rows = [
            ClearRow("blue", panel, name, n, chance * n / 25 + 0.004 * i * (0.5 - chance), None, None)
            for panel in panels
            for i, name in enumerate(names)
            for n in (5, 25)
        ]
        assert_readable(charts.clear_chart(rows, width=width))


def test_intervals_are_drawn_where_sampled():
    sampled = [row._replace(low=row.cleared - 0.01, high=row.cleared + 0.01) for row in ROWS]
    assert len(charts.clear_chart(sampled).axes[0].collections) == 3
    assert not charts.clear_chart(ROWS).axes[0].collections


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
    rows = [ClearRow("blue", "with", line, n, n / 10, None, None) for line in ("storm", "demolish") for n in (1, 2)]
    rows += [ClearRow("blue", "with", "shoot", n, chance, None, None) for n, chance in ((1, 0.1), (2, 0.3))]
    assert [row.line for row in named_alike(rows, "line")] == ["storm or demolish"] * 2 + ["shoot"] * 2


def test_panels_that_are_the_same_everywhere_are_one():
    same = [row._replace(panel=panel) for panel in "ab" for row in ROWS if row.panel == "a"]
    other = [row._replace(panel="c", cleared=row.cleared + 0.001) for row in ROWS if row.panel == "a"]
    named = named_alike([*same, *other], "panel")
    assert list(dict.fromkeys(row.panel for row in named)) == ["a or b", "c"]
    assert [row.cleared for row in named] == [row.cleared for row in [*same[:6], *other]]


def test_the_title_says_what_clears_a_building_best_and_worst():
    rows = [
        ClearRow("blue", panel, line, n, chance, None, None)
        for panel, line, chances in (
            ("grenades", "1 door or 2 doors", (0.1, 0.9)),
            ("none", "1 door", (0.2, 0.5)),
            ("none", "2 doors", (0.0, 0.6)),
        )
        for n, chance in zip((5, 20), chances, strict=True)
    ]
    at_best = "20 attackers clear the building in 90 games in 100"
    best = f"{at_best} at best (1 door or 2 doors, grenades)"
    assert charts.clear_chart(rows).title == f"{best} and in 50 at worst (1 door, none)"
    assert charts.clear_chart(rows[:2]).title == at_best
    alone = [row._replace(attackers=1, cleared=0.001) for row in rows[:1]]
    assert charts.clear_chart(alone).title == "1 attacker clears the building in less than 1 game in 100"
    same = [row._replace(cleared=0.0) if row.panel == "none" else row for row in rows]
    assert charts.clear_chart(same).title == f"{best} and in 0 at worst (none)"
    sampled = [row._replace(low=0.0, high=1.0) for row in rows]
    assert charts.clear_chart(sampled).title.startswith("20 attackers clear the building in about 90 games")
