"""How the cost of an answer grows: every assault is played anew, and a line ends where one is too large."""

import csv

import pytest

from analysis import charts
from analysis.cli import run
from analysis.findings import growth as findings_of_growth
from analysis.rows import growth
from analysis.rows.growth import GrowthRow, growth_rows
from sims.errors import BudgetError

SMALL = "toll-house"


def row(rules: str, answer: str, attackers: int, seconds: float | None) -> GrowthRow:
    return GrowthRow(rules, "blue", answer, attackers, 2 * attackers // 3, seconds)


def test_each_assault_takes_some_time_exactly_and_certified():
    told = []
    found = growth_rows(SMALL, ["storming", "gw_updated"], [3, 6], progress=lambda *done: told.append(done))
    assert [(each.answer, each.attackers, each.garrison) for each in found] == [
        (answer, *models) for _ in range(2) for answer in ("exact", "certified") for models in ((3, 2), (6, 4))
    ]
    assert all(each.seconds and each.seconds > 0 for each in found)
    assert told == [(done, 8) for done in range(8)]


def test_what_attackers_chose_before_is_found_anew(monkeypatch):
    chosen = []
    as_it_is = growth.replace

    def noted(rules):
        chosen.append(as_it_is(rules))
        return chosen[-1]

    monkeypatch.setattr(growth, "replace", noted)
    growth_rows("farmhouse", ["storming"], [4])
    assert len(chosen) == len({id(each) for each in chosen}) == 2
    assert all(each._chosen for each in chosen)


def test_what_is_too_large_has_no_seconds(monkeypatch):
    def burst(*_):
        raise BudgetError("too large")

    monkeypatch.setattr(
        "analysis.points.point.run", lambda *_, **asked: burst() if asked["engine"] == "exact" else None
    )
    monkeypatch.setattr("analysis.points.point.margins", lambda *_: None)
    found = growth_rows(SMALL, ["storming"], [3])
    assert [each.seconds is None for each in found] == [True, False]


def test_the_largest_assault_is_told():
    rows = [row("A", "exact", 10, 0.5), row("A", "exact", 60, 12.4), row("A", "certified", 60, 0.456)]
    assert findings_of_growth.largest(rows) == "60 attackers against 40: exact in 12 s; certified in 0.46 s"
    rows += [row("B", "exact", 60, None), row("B", "certified", 60, 9.54)]
    assert findings_of_growth.largest(rows) == (
        "60 attackers against 40: exact in 12 s; too large to be exact under B; certified in 0.46 to 9.5 s"
    )
    none = [row("A", "exact", 60, None), row("B", "exact", 60, None)]
    assert findings_of_growth.largest(none) == "60 attackers against 40: too large to be exact"


@pytest.mark.parametrize("width", [charts.WIDE, charts.PHONE])
def test_a_line_ends_where_an_assault_is_too_large(width):
    times = {"exact": (0.2, 2.0, None), "certified": (0.1, 0.3, 0.9)}
    rows = [
        row("A", answer, 10 * n, seconds) for answer, each in times.items() for n, seconds in enumerate(each, start=1)
    ]
    exact, certified = charts.growth_chart(rows, caption="Of this machine.", width=width).axes
    assert [line.get_xdata().tolist() for line in (exact.lines[0], certified.lines[0])] == [[10, 20], [10, 20, 30]]
    assert 10 ** exact.lines[0].get_ydata()[1] == pytest.approx(2.0)
    assert [label.get_text() for label in certified.get_xticklabels()] == ["10\nv 6", "20\nv 13", "30\nv 20"]


@pytest.mark.parametrize(("times", "said"), [((0.2, 0.9), ["0.2", "0.5"]), ((0.09, 12.0), ["0.1", "0.2", "0.5", "1"])])
def test_seconds_can_be_read_off_however_near_they_lie(times, said):
    rows = [row("A", "exact", 10 * n, seconds) for n, seconds in enumerate(times, 1)]
    (axes,) = charts.growth_chart(rows).axes
    low, high = axes.get_ylim()
    seen = [
        text.get_text() for at, text in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True) if low < at < high
    ]
    assert seen[: len(said)] == said


def test_nothing_that_is_too_large_altogether_is_drawn():
    rows = [row("A", "exact", 60, None), row("A", "certified", 60, 0.5)]
    exact, certified = charts.growth_chart(rows).axes
    assert not exact.lines
    assert len(certified.lines) == 1


def test_the_command_draws_what_it_has_measured(tmp_path, capsys):
    picture, table = tmp_path / "it.svg", tmp_path / "it.csv"
    asked = [SMALL, "--rules", "storming", "--attackers", "6", "3", "--out", str(picture), "--csv", str(table)]
    assert run(["chart", "growth", *asked]) == 0
    with table.open(newline="") as lines:
        shown = [*csv.DictReader(lines)]
    assert [(each["answer"], each["attackers"]) for each in shown] == [
        ("exact", "3"),
        ("exact", "6"),
        ("certified", "3"),
        ("certified", "6"),
    ]
    assert "6 attackers against 4: exact in" in picture.read_text("utf-8")
    assert run(["chart", "growth", "--attackers", "0", "--out", str(picture)]) == 2
    assert "attackers.models: expected greater than or equal to 1, got 0" in capsys.readouterr().err
