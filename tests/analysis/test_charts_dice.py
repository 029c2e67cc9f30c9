"""The rows of dice against the books and plain counting; what is drawn against the rows."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from analysis.charts import dice_chart, extended_chart, hit_chart, leadership_chart, save_chart, wound_chart
from analysis.charts.heat import draw_heat, ink_on
from analysis.charts.palette import DAMAGE, ENDS, HEAT, NEVER, PLANS, SHADES
from analysis.charts.style import INK, PAPER, PHONE, WIDE, Chart, new_chart
from analysis.cli import run
from analysis.findings import dice as findings
from analysis.rows import dice as rows_of
from sims.dice import parse_notation
from sims.games.arap import Arap
from sims.games.arap.rolls.wounds import Saves, unsaved
from sims.scenario import load_scenario
from tests.readable import assert_readable

PAIRS = [*product(range(1, 7), repeat=2)]


def chance(passes: Callable[..., bool], throws: Sequence[tuple[int, ...]] = PAIRS) -> float:
    """Count the throws that pass."""
    return float(Fraction(sum(passes(*faces) for faces in throws), len(throws)))


def low(target: int) -> float:
    """A low roll as the book has it: a 6 misses; 0, -1 and -2 are a 1 and then 3, 2 or 1 or less."""
    return chance(lambda a, b: a <= min(target, 5) if target > 0 else a == 1 and b <= target + 3)


def high(goal: int) -> float:
    """A high roll as the book has it: a 1 fails; 7, 8 and 9 are a 6 and then 4, 5 or 6 or more."""
    return chance(lambda a, b: a >= max(goal, 2) if goal < 7 else a == 6 and b >= goal - 3)


def bars(figure: Chart, panel: int) -> list[float]:
    return [bar.get_height() for bar in figure.axes[panel].patches]


def heat(figure: Chart) -> list[list[float]]:
    (mesh,) = [each for each in figure.axes[0].collections if each.get_label() == "heat"]
    return mesh.get_array().tolist()


@pytest.fixture(scope="module")
def hits() -> list[rows_of.HitRow]:
    return rows_of.hit_rows()


@pytest.fixture(scope="module")
def wounds() -> list[rows_of.WoundRow]:
    return rows_of.wound_rows()


def test_outcomes_of_dice_are_counted_out() -> None:
    rows, marks = rows_of.dice_rows(["2D6", "R2D6P1 up"])
    for row in rows:
        score: Callable[[int, int], int] = (lambda a, b: a + b) if row.notation == "2D6" else max
        assert row.chance == pytest.approx(chance(lambda a, b, k=row.outcome, s=score: s(a, b) == k))
        assert row.at_least == pytest.approx(chance(lambda a, b, k=row.outcome, s=score: s(a, b) >= k))
        assert row.at_most == pytest.approx(chance(lambda a, b, k=row.outcome, s=score: s(a, b) <= k))
    assert [(row.notation, row.outcome) for row in rows] == [
        *(("2D6", total) for total in range(2, 13)),
        *(("R2D6P1 up", face) for face in range(1, 7)),
    ]
    assert rows_of.dice_rows(["2D6", "R2D6P1 up", "2D6"]) == (rows, marks)
    assert [(mark.notation, mark.mean) for mark in marks] == [("2D6", 7), ("R2D6P1 up", pytest.approx(161 / 36))]


def test_bars_of_dice_are_the_rows_in_three_panels_and_diamonds_the_means() -> None:
    rows, marks = rows_of.dice_rows(["2D6", "3D6"])
    figure = dice_chart(rows, marks)
    for panel, column in enumerate(("chance", "at_least", "at_most")):
        assert bars(figure, panel) == pytest.approx([getattr(row, column) for row in rows])
    assert [line.get_xdata()[0] for line in figure.axes[0].lines] == [7, 10.5]
    coloured = [to_hex(each.get_facecolor()) for each in figure.legends[0].get_patches()]
    assert [to_hex(line.get_color()) for line in figure.axes[0].lines] == coloured
    assert [to_hex(figure.axes[0].patches[n].get_facecolor()) for n in (0, 11)] == coloured
    assert "3D6, 18, 0.00463, 0.00463, 1" in figure.shows
    assert figure.title == "On average 2D6 comes to 7 and 3D6 comes to 10.5"


def test_a_test_fails_or_succeeds_and_has_no_more_or_less() -> None:
    rows, marks = rows_of.dice_rows(["Ld8"])
    figure = dice_chart(rows, marks)
    assert [(row.said, row.chance) for row in rows] == [
        ("fails", pytest.approx(5 / 18)),
        ("succeeds", pytest.approx(13 / 18)),
    ]
    assert len(figure.axes) == 1
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["fails", "succeeds"]
    assert figure.title == "Ld8 succeeds in 72 rolls in 100"
    assert not any(row.said for row in rows_of.dice_rows(["D2-1", "4+"])[0] if row.notation == "D2-1")


def test_hits_are_the_low_rolls_of_the_book(hits: list[rows_of.HitRow]) -> None:
    assert len(hits) == len(rows_of.SKILLS) * len(rows_of.MODIFIERS)
    for row in hits:
        target = min(5, row.skill + row.modifiers)
        assert row.chance == pytest.approx(low(target))
        assert row.needs == (None if target < -2 else {0: "1/3-", -1: "1/2-", -2: "1/1"}.get(target, f"{target}-"))
    catalogue = {(7, -3): "2/3", (8, 1): "5/6", (4, 0): "2/3", (3, -1): "1/3", (1, -2): "1/18"}
    found = {(row.skill, row.modifiers): row.chance for row in hits}
    assert {key: found[key] for key in catalogue} == {
        k: pytest.approx(float(Fraction(v))) for k, v in catalogue.items()
    }


def test_wounds_are_the_high_rolls_of_the_book_and_hard_goals_need_short_range(wounds: list[rows_of.WoundRow]) -> None:
    for row in wounds:
        goal = max(2, row.T + 4 - row.S)
        assert row.chance == pytest.approx(high(goal))
        assert row.beyond == pytest.approx(high(goal) if goal <= 7 else 0)
    catalogue = {(4, 4): "1/2", (3, 5): "1/6", (10, 2): "5/6", (3, 6): "1/12", (3, 9): "0"}
    found = {(row.S, row.T): row.chance for row in wounds}
    assert {key: found[key] for key in catalogue} == {
        k: pytest.approx(float(Fraction(v))) for k, v in catalogue.items()
    }


def test_saves_fall_to_an_ap_that_is_equal_or_lower_and_then_to_cover() -> None:
    for row in rows_of.save_rows(cover="5"):
        goal, AP = int(row.save[0]), 7 if row.AP == "none" else int(row.AP)
        assert row.chance == pytest.approx(max((7 - goal) / 6 if goal < AP else 0, 2 / 6))


def test_the_best_save_counts_and_no_ap_takes_an_invulnerable_one() -> None:
    found = {(row.save, row.AP): row.chance for row in rows_of.save_rows(cover="6", invulnerable="4")}
    for goal, AP in product(range(2, 7), range(1, 7)):
        best = min(goal, 4) if goal < AP else 4
        assert found[f"{goal}+", str(AP)] == pytest.approx((7 - best) / 6)


def test_the_save_that_counts_is_named() -> None:
    """BASE-013: armour counts where no AP pierces it and nothing else is as good."""
    for row in rows_of.save_rows(cover="4", invulnerable="5"):
        goal, AP = int(row.save[0]), 7 if row.AP == "none" else int(row.AP)
        assert (row.needs, row.by) == ((row.save, "armour") if goal < min(AP, 4) else ("4+", "cover"))
    alone = {(row.save, row.AP): (row.needs, row.by) for row in rows_of.save_rows()}
    assert (alone["3+", "4"], alone["3+", "3"]) == (("3+", "armour"), (None, None))


def test_a_line_goes_around_what_armour_saves_where_there_is_another_save() -> None:
    """With cover of 4+: two rows, of 2+ up to AP 3 and of 3+ up to AP 4; the first column is no AP."""
    upright, level = save_chart(rows_of.save_rows(cover="4")).axes[0].collections[1:]
    assert {(x, y) for (x, y), _ in upright.get_segments()} == {(0, 0), (5, 0), (0, 1), (4, 1)}
    assert {y for (_, y), _ in level.get_segments()} == {0, 1, 2}
    assert not save_chart(rows_of.save_rows()).axes[0].collections[1:]


def test_saves_of_armour_alone_are_those_of_gemini_arap() -> None:
    """The caption says so."""
    unit = load_scenario("farmhouse").attackers.unit
    for row in rows_of.save_rows():
        of = unit.model_copy(update={"Sv": int(row.save[0]), "invulnerable": None})
        fails = unsaved(Arap.load(), Saves.of(of, None if row.AP == "none" else int(row.AP))).pmf[1]
        assert row.chance == pytest.approx(1 - float(fails))


def test_what_a_second_die_confirms_is_nothing_without_it() -> None:
    rows = rows_of.extended_rows()
    targets = {roll: [row for row in rows if row.roll.startswith(roll)] for roll in ("low", "high")}
    for row, target in zip(targets["low"], range(5, -3, -1), strict=True):
        assert row.extended == pytest.approx(low(target))
        assert row.plain == pytest.approx(max(target, 0) / 6)
        assert float(parse_notation(row.needs)[1]) == row.extended
    for row, goal in zip(targets["high"], range(2, 10), strict=True):
        assert row.extended == pytest.approx(high(goal))
        assert row.plain == pytest.approx(max(7 - goal, 0) / 6)
        assert float(parse_notation(row.needs)[1]) == row.extended
    assert findings.extended(rows) == "A second die leaves 8, 6 and 3 successes in 100 where one die alone has none"


def test_a_re_roll_is_two_tries() -> None:
    fours = [*product(range(1, 7), repeat=4)]
    rows = rows_of.leadership_rows()
    assert [row.Ld for row in rows] == [*range(2, 13)]
    for row in rows:
        assert row.once == pytest.approx(chance(lambda a, b, Ld=row.Ld: a + b <= Ld))
        assert row.again == pytest.approx(chance(lambda a, b, c, d, Ld=row.Ld: min(a + b, c + d) <= Ld, fours))
    assert findings.leadership(rows).startswith("A re-roll is worth most at Leadership 6 and 7: 24 more")


def test_heat_maps_are_the_rows(hits: list[rows_of.HitRow], wounds: list[rows_of.WoundRow]) -> None:
    saves = rows_of.save_rows()
    planes: list[tuple[Chart, Sequence[Any], str, str]] = [
        (hit_chart(hits), hits, "modifiers", "skill"),
        (wound_chart(wounds), wounds, "S", "T"),
        (save_chart(saves), saves, "AP", "save"),
    ]
    for figure, rows, x, y in planes:
        across, up = (list(dict.fromkeys(getattr(row, name) for row in rows)) for name in (x, y))
        drawn = heat(figure)
        assert not any(isnan(value) for line in drawn for value in line)
        for row in rows:
            assert drawn[up.index(getattr(row, y))][across.index(getattr(row, x))] == row.chance
        assert [tick.get_text().removeprefix("+") for tick in figure.axes[0].get_xticklabels()] == [*map(str, across)]
        assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == [*map(str, up)]


def test_what_is_rolled_is_written_in_its_cell(hits: list[rows_of.HitRow]) -> None:
    texts = hit_chart(hits).axes[0].texts
    written = {
        (int(text.get_position()[0]) - 5, int(text.get_position()[1]) + 1): text.get_text()
        for text in texts
        if "%" not in text.get_text()
    }
    assert written == {(row.modifiers, row.skill): row.needs for row in hits if row.needs}


def test_findings_say_what_skill_strength_and_ap_do(hits: list[rows_of.HitRow], wounds: list[rows_of.WoundRow]) -> None:
    """A 6 misses; like wounds like on 4+; 1/3- and 1/1, 6/4+ and 6/6 are 3 and 1 of 36."""
    assert findings.hits(hits) == (
        "Skill 5 hits 83 times in 100 unmodified, and more skill only soaks up penalties; "
        "a target below 1 hits 3 to 8 times, by a second die"
    )
    assert findings.wounds(wounds) == (
        "Strength against the same Toughness wounds 50 times in 100; "
        "a goal above 6 wounds 3 to 8 times, by a second die"
    )
    assert findings.saves(rows_of.save_rows()) == (
        "An AP equal to the armour save, or lower, leaves no save; any other changes nothing"
    )
    assert findings.saves(rows_of.save_rows(cover="5")) == (
        "Armour of 2+, 3+ and 4+ counts until an AP pierces it; "
        "otherwise the 5+ cover save does, and saves 33 wounds in 100"
    )
    assert findings.saves(rows_of.save_rows(invulnerable="2")) == (
        "AP changes nothing: the 2+ invulnerable save is as good as any armour, and saves 83 wounds in 100"
    )


def test_a_line_goes_around_what_a_second_die_confirms(hits: list[rows_of.HitRow]) -> None:
    """Upright pieces part cells of which one is within, and the next is not."""
    within = {(row.modifiers + 5, row.skill - 1) for row in hits if -3 < min(5, row.skill + row.modifiers) < 1}
    expected = {(x, y) for x in range(9) for y in range(8) if ((x - 1, y) in within) != ((x, y) in within)}
    upright = hit_chart(hits).axes[0].collections[1].get_segments()
    assert {(int(piece[0][0]), int(piece[0][1])) for piece in upright} == expected
    assert expected


def test_what_is_written_on_cells_keeps_its_ink_on_a_dark_page(
    hits: list[rows_of.HitRow], wounds: list[rows_of.WoundRow]
) -> None:
    """A page replaces the ink of charts by its own, but not the shades of cells."""
    for figure in (hit_chart(hits), wound_chart(wounds)):
        (axes,) = figure.axes
        outlines = [line for line in axes.collections if line.get_label() != "heat"]
        assert len(axes.texts) > 2 * len(outlines) > 0
        inks = {to_hex(text.get_color()) for text in axes.texts}
        inks |= {to_hex(colour) for line in outlines for colour in line.get_colors()}
        assert INK not in inks


def test_no_cell_of_a_heat_map_has_a_colour_that_a_page_replaces() -> None:
    """Every shade that a cell can have, in order: black cells on a dark page would be the ones of no chance."""
    figure = new_chart("Every shade", WIDE, 3)
    draw_heat(figure.subplots(), [np.linspace(0, 1, 256)], [""] * 256, [""])
    (mesh,) = figure.axes[0].collections
    cells = [to_hex(colour) for colour in mesh.to_rgba(mesh.get_array().ravel())]
    assert len(set(cells)) > 200
    assert not {INK, PAPER} & set(cells)


def luminance(colour: Any) -> float:
    """By the Web Content Accessibility Guidelines."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Any, other: Any) -> float:
    pale, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (pale + 0.05) / (dark + 0.05)


def test_figures_can_be_read_on_every_shade_of_a_heat_map_and_on_every_face() -> None:
    """4.5 is what the guidelines ask of small letters; black or white always reaches it."""
    assert all(contrast(HEAT(n), ink_on(n / 255)) >= 4.5 for n in range(256))
    assert (ink_on(0), ink_on(1)) == ("#000000", "#ffffff")
    faces = [*ENDS.values(), *PLANS.values(), *SHADES, *DAMAGE, NEVER]
    assert all(contrast(face.colour, face.text) >= 4.5 for face in faces)


def test_a_heat_map_grows_darker_and_ends_in_neither_white_nor_black() -> None:
    shades = [luminance(HEAT(n)) for n in range(256)]
    assert shades == sorted(shades, reverse=True)
    assert contrast(HEAT(0), "#ffffff") > 1.2
    assert contrast(HEAT(255), "#000000") > 1.5


def test_what_is_rolled_is_said_as_players_say_it() -> None:
    rows = rows_of.extended_rows()
    low, high = ([" ".join(t.get_text().split()) for t in axes.get_xticklabels()] for axes in extended_chart(rows).axes)
    assert {"4 or less", "1, then 3 or less"} <= {*low}
    assert {"4 or more", "6, then 4 or more"} <= {*high}


def test_bars_beside_each_other_and_lines_are_the_rows() -> None:
    rows = rows_of.extended_rows()
    for panel, roll in enumerate(dict.fromkeys(row.roll for row in rows)):
        own = [row for row in rows if row.roll == roll]
        expected = [row.extended for row in own] + [row.plain for row in own]
        assert bars(extended_chart(rows), panel) == pytest.approx(expected)
        own = extended_chart(rows).axes[panel]
        said = [text.get_text() for text in own.texts]
        assert [len(words.split(",")) for words in said] == [
            1 + (row.extended != row.plain) for row in rows if row.roll == roll
        ]
        assert said[-1] == "3 %, 0 %"
        first, last = own.patches[0], own.patches[-1]
        listed = {
            part.get_label(): to_hex(part.get_facecolor()) for part in extended_chart(rows).legends[0].get_patches()
        }
        assert listed == {
            "a second die may confirm": to_hex(first.get_facecolor()),
            "one die alone": to_hex(last.get_facecolor()),
        }
        assert first.get_x() < last.get_x()
    tests = rows_of.leadership_rows()
    once, again = leadership_chart(tests).axes[0].lines
    assert list(once.get_ydata()) == [row.once for row in tests]
    assert list(again.get_ydata()) == [row.again for row in tests]
    assert (once.get_label(), again.get_label()) == ("one roll", "with a re-roll")


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_charts_of_dice_can_be_read(width: float, hits: list[rows_of.HitRow], wounds: list[rows_of.WoundRow]) -> None:
    told = "Gemini-ARAP: ARAP-005, ARAP-006, ARAP-008, ARAP-015. Exact."
    for notations in (["2D6"], ["2D6", "3D6", "R3D6P2 up"], ["4+", "3+ reroll"], ["0"], ["D100"], ["veer", "4+"]):
        assert_readable(dice_chart(*rows_of.dice_rows(notations), caption=told, width=width))
    assert_readable(hit_chart(hits, caption=told, width=width))
    assert_readable(wound_chart(wounds, caption=told, width=width))
    assert_readable(save_chart(rows_of.save_rows(invulnerable="5"), caption=told, width=width))
    assert_readable(extended_chart(rows_of.extended_rows(), caption=told, width=width))
    assert_readable(leadership_chart(rows_of.leadership_rows(), caption=told, width=width))


NO_SECOND_DIE = 'base = "gemini"\ntitle = "One die"\n[rulings]\nextended_to_hit = "impossible"\n'


def test_a_house_rule_is_drawn_in_place_of_the_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, file, csv = (tmp_path / name for name in ("one-die.toml", "hit.svg", "hit.csv"))
    rules.write_text(NO_SECOND_DIE)
    assert run(["chart", "to-hit", "--rules", str(rules), "--out", str(file), "--csv", str(csv)]) == 0
    assert "a target below 1 never hits" in file.read_text("utf-8")
    assert "One die: ARAP-005" in file.read_text("utf-8")
    rows = [line.split(",") for line in csv.read_text("utf-8").splitlines()[1:]]
    assert {(needs, float(chance)) for _, _, needs, chance in rows if int(needs[:-1] or 0) < 1} == {("", 0.0)}
    assert run(["chart", "to-hit", "--rules", "storming", "--out", str(file)]) == 2
    assert "is not a question of Storming buildings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["dice"], "which dice?"),
        (["dice", "4D"], "is not dice notation"),
        (["dice", "D4", "D6", "D8", "D10"], "4 notations are too many beside each other; expected at most 3"),
        (["dice", "60D6"], "has 301 outcomes; at most 300 can be drawn"),
        (["saves", "--cover", "9"], "cover cannot be 9"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    asked: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.svg"
    assert run(["chart", *asked, "--out", str(file)]) == 2
    assert said in capsys.readouterr().err
    assert not file.exists()
