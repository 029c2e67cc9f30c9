"""Charts of buildings: damage tables, hits that they stand, how they burn."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.collections import QuadMesh

from analysis.charts import PHONE, WIDE, breach_chart, standing_chart, table_chart
from analysis.charts.palette import DAMAGE
from analysis.charts.style import Chart
from analysis.charts.tables import faces_of
from analysis.cli import run
from analysis.findings import buildings as findings
from analysis.rows import tables
from analysis.rows.standing import (
    MOST,
    HalfRow,
    Hit,
    StandRow,
    asked_of,
    burning_rows,
    half_rows,
    survival_rows,
    wall_rows,
)
from analysis.rows.tables import ResultRow, bunker_rows, damage_rows
from sims.errors import CasemateError
from sims.questions import questions
from sims.rulesets import RuleSet, rule_set, rule_set_ids
from tests.readable import assert_readable

SIXTH = Fraction(1, 6)
FACES = range(1, 7)


def sets(*names: str) -> list[RuleSet]:
    return [rule_set(name) for name in names]


def table(rows: list[ResultRow]) -> dict[tuple[str, str, str], float]:
    return {(row.table.removeprefix("by a "), row.case, row.result): row.chance for row in rows}


def test_rows_of_the_bunker_hits_table_are_those_of_the_book() -> None:
    """By the formulas of GB-140, where hits with s structural damage roll."""
    found = table(bunker_rows(sets("gemini")))
    for s in range(6):
        expected = {
            ("penetrating hit", "collapse"): min(6, 2 + s),
            ("penetrating hit", "structural damage"): 2 if s <= 2 else 1 if s == 3 else 0,
            ("penetrating hit", "stunned"): max(0, 2 - s),
            ("glancing hit", "collapse"): min(6, 1 + s),
            ("glancing hit", "structural damage"): s <= 4,
            ("glancing hit", "stunned"): s <= 3,
            ("glancing hit", "shaken"): min(2, 3 - s) if s <= 3 else 0,
            ("glancing hit", "no effect"): s == 0,
        }
        for (hit, result), sixths in expected.items():
            assert found[hit, str(s), result] == pytest.approx(sixths / 6), (hit, s, result)
        for hit in ("penetrating hit", "glancing hit"):
            assert found[hit, str(s), "armament destroyed"] == 0
    assert {row.result for row in bunker_rows(sets("gemini")) if row.falls} == {"collapse"}


@pytest.mark.parametrize(
    ("hit", "s", "result", "sixths"),
    [
        ("glancing", 0, "armament destroyed", 1),
        ("glancing", 0, "shaken", 1),
        ("penetrating", 0, "stunned", 1),
        ("penetrating", 1, "armament destroyed", 1),
        ("penetrating", 2, "armament destroyed", 0),
    ],
)
def test_a_bunker_that_is_armed_may_lose_its_weapon(hit: str, s: int, result: str, sixths: int) -> None:
    """The checks of GB-141."""
    assert table(bunker_rows(sets("gemini"), armed=True))[f"{hit} hit", str(s), result] == pytest.approx(sixths / 6)


UPDATED = {
    ("without Mighty Bulwark", "3 or worse"): (1, 1, 1, 1, 1, 1, 0),
    ("without Mighty Bulwark", "2"): (0, 1, 1, 1, 1, 1, 1),
    ("without Mighty Bulwark", "1"): (0, 0, 1, 1, 1, 1, 2),
    ("with Mighty Bulwark", "3 or worse"): (2, 1, 1, 1, 1, 0, 0),
    ("with Mighty Bulwark", "2"): (1, 1, 1, 1, 1, 1, 0),
    ("with Mighty Bulwark", "1"): (0, 1, 1, 1, 1, 1, 1),
}
"""The table of GW-030, in sixths."""


def test_rows_of_the_updated_damage_table_are_those_of_the_book() -> None:
    rows = damage_rows(sets("gw_updated"))
    for (bulwark, AP), sixths in UPDATED.items():
        mine = [row for row in rows if (row.table, row.case) == (bulwark, AP)]
        assert [row.chance for row in mine] == pytest.approx([n / 6 for n in sixths])
        assert [row.result for row in mine if row.falls] == ["total collapse", "detonation"]


def test_a_result_of_which_nobody_says_whether_the_building_falls_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "WORSE", [name for name in tables.WORSE if name != "stunned"])
    with pytest.raises(KeyError, match="stunned"):
        bunker_rows(sets("gemini"))


def test_rows_of_the_vehicle_damage_table_are_those_of_the_book() -> None:
    """BASE-017: D6, 2 less for a glance, 1 less without AP, 1 more for AP 1; 1 and less shaken, 6 and more explodes."""
    names = ("shaken", "stunned", "weapon destroyed", "immobilised (no effect)", "wrecked", "explodes")
    rows = damage_rows(sets("storming"))
    for (hit, less), (AP, more) in product(
        {"glancing": 2, "penetrating": 0}.items(), {"none": -1, "2 to 6": 0, "1": 1}.items()
    ):
        totals = [min(max(face - less + more, 1), 6) for face in FACES]
        mine = {row.result: row.chance for row in rows if (row.table, row.case) == (f"by a {hit} hit", AP)}
        assert [*mine] == [*names]
        assert [*mine.values()] == pytest.approx([totals.count(n) / 6 for n in FACES])
    assert {row.result for row in rows if row.falls} == {"wrecked", "explodes"}


@cache
def gemini(hits: int, need: int, hull: int, cracks: int = 0) -> Fraction:
    """GB-133, GB-139, GB-140: the chance that a bunker stands after hits that glance on a face, and penetrate above."""
    if hits == 0:
        return Fraction(1)
    total = Fraction(0)
    for face in FACES:
        if face < need or (face == need and hull > 0):
            total += SIXTH * gemini(hits - 1, need, hull - (face == need), cracks)
            continue
        crack, fall = (5, 6) if face == need else (3, 5)
        for roll in FACES:
            score = roll + cracks
            if score < fall:
                total += SIXTH**2 * gemini(hits - 1, need, max(hull - 1, 0), cracks + (score >= crack))
    return total


@cache
def updated(hits: int, S: int, AV: int, extra: int) -> Fraction:
    """GW-029, GW-032, GW-051: penetrating hits roll; 0 and 1 cost a point of armour, 5 costs D3, 6 and more the house."""
    if hits == 0:
        return Fraction(1)
    total = Fraction(0)
    for face, roll, lost in product(FACES, FACES, (1, 2, 3)):
        left, falls = AV, False
        if S + face > AV:
            score = roll + extra
            left = max(AV - (1 if score <= 1 else lost if score == 5 else 0), 0)
            falls = score >= 6 or left == 0
        if not falls:
            total += Fraction(1, 108) * updated(hits - 1, S, left, extra)
    return total


@cache
def volley(hits: int, S: int, AV: int, left: int) -> Fraction:
    """The same without AP, where a ruling has a whole volley meet the Armour Value at its start."""
    if hits == 0:
        return Fraction(1)
    total = Fraction(0)
    for face, roll, lost in product(FACES, FACES, (1, 2, 3)):
        armour = max(left - (S + face > AV) * (1 if roll == 1 else lost if roll == 5 else 0), 0)
        if S + face <= AV or (roll < 6 and armour):
            total += Fraction(1, 108) * volley(hits - 1, S, AV, armour)
    return total


def storming(hits: int, S: int, AV: int, extra: int) -> Fraction:
    """ST-022, BASE-016, BASE-017: what glances or penetrates rolls; 5 and more wreck it."""
    falls = 0
    for face, roll in product(FACES, FACES):
        falls += S + face >= AV and roll + extra - 2 * (S + face == AV) >= 5
    return (1 - Fraction(falls, 36)) ** hits


def chaos(hits: int, sixths: int, tests: int = 1, falls: int = 4) -> Fraction:
    """RC-039, RC-047, RC-048, RC-050: points of damage, and from 6 on rolls, in which 4 and more brings it down."""
    p, total = Fraction(sixths, 6), Fraction(0)
    for points in range(hits + 1):
        chance = comb(hits, points) * p**points * (1 - p) ** (hits - points)
        stands = sum(face + points - 6 < falls for face in FACES) if points >= 6 else 6
        total += chance * Fraction(stands, 6) ** tests
    return total


JUDGES: dict[str, Callable[[int], Fraction]] = {
    "gemini": lambda n: gemini(n, 5, 3),
    "gw_updated": lambda n: updated(n, 9, 14, 1),
    "storming": lambda n: storming(n, 9, 14, 0),
    "realm_of_chaos": lambda n: chaos(n, 2),
}
"""By the books, of hits of Strength 9 and AP 2 on Armour Value 14 with 3 hull points, or on stone, which 5+ hurts."""


@pytest.mark.parametrize("name", JUDGES)
def test_a_building_stands_hits_as_by_the_book(name: str) -> None:
    rows = survival_rows(sets(name), Hit(), 12)
    assert [row.after for row in rows] == [*range(13)]
    assert [row.stands for row in rows] == pytest.approx([float(JUDGES[name](n)) for n in range(13)], abs=1e-12)


def test_every_set_of_rules_has_an_answer_and_a_judge() -> None:
    assert sorted(JUDGES) == rule_set_ids()
    assert all(asked_of(rule_set(name)) for name in JUDGES)


def test_weaker_hits_and_other_walls_change_what_stands() -> None:
    hit = Hit(S=8, AP="none", AV=12, material="wattle", hull=1)
    judges = {
        "gemini": gemini(6, 4, 1),
        "gw_updated": updated(6, 8, 12, 0),
        "storming": storming(6, 8, 12, -1),
        "realm_of_chaos": chaos(6, 3),
    }
    for rules, expected in judges.items():
        assert survival_rows(sets(rules), hit, 6)[-1].stands == pytest.approx(float(expected)), rules


def test_hull_points_bring_a_building_down_where_a_ruling_counts_them(tmp_path: Path) -> None:
    """GW-028, by its switch: medium buildings fall with their fourth hit that glances or penetrates."""
    file = tmp_path / "hull.toml"
    file.write_text('base = "gw_updated"\n[rulings]\nglancing_hits = "hull_points"\n')

    @cache
    def stands(hits: int, AV: int, hull: int) -> Fraction:
        if hull == 0 or hits == 0:
            return Fraction(int(hull > 0))
        total = Fraction(0)
        for face, roll, lost in product(FACES, FACES, (1, 2, 3)):
            hurt, pierced = 9 + face >= AV, 9 + face > AV
            left = max(AV - pierced * (1 if roll == 1 else lost if roll == 5 else 0), 0)
            if not (pierced and (roll == 6 or left == 0)):
                total += Fraction(1, 108) * stands(hits - 1, left, hull - hurt)
        return total

    rows = survival_rows(sets(str(file)), Hit(AP="none"), 8)
    assert [row.stands for row in rows] == pytest.approx([float(stands(n, 14, 4)) for n in range(9)])
    for size, hull in (("small", 3), ("large", 5)):  # BASE-021
        assert answered(str(file), hits=5, S=9, AV=14, size=size) == stands(5, 14, hull)


def answered(rules: str, **given: object) -> object:
    """What a set of rules answers about a building after some hits."""
    book = rule_set(rules)
    asked = asked_of(book)
    assert asked is not None
    return asked.answer({name: str(value) for name, value in given.items()}, book.book)


def test_a_volley_meets_the_armour_at_its_start_where_a_ruling_says_so(tmp_path: Path) -> None:
    file = tmp_path / "volley.toml"
    file.write_text('base = "gw_updated"\n[rulings]\narmour_in_a_volley = "at_its_start"\n')
    now = answered(str(file), hits=6, S=9, AV=11)
    assert now == volley(6, 9, 11, 11)
    assert now != answered("gw_updated", hits=6, S=9, AV=11) == updated(6, 9, 11, 0)


def test_what_else_can_be_asked_of_a_building_after_some_hits() -> None:
    """Damage before; Mighty Bulwark; more rolls than one, and levels on top, more than one of which RC-053 allows not."""
    assert answered("gemini", hits=4, S=9, AV=14, AP=2, damage=2) == gemini(4, 5, 3, 2)
    assert answered("gw_updated", hits=5, S=9, AV=13, AP=1, mighty_bulwark="yes") == updated(5, 9, 13, 1)
    stone = {"hits": 20, "S": 9, "material": "stone"}
    for above, falls in ((1, 4), (2, 3)):
        assert answered("realm_of_chaos", **stone, tests=2, levels_above=above) == chaos(20, 2, 2, falls)


def test_an_armour_value_that_nobody_knows_is_rolled_once() -> None:
    """ST-015: a stronghold has 10 and D3, which all hits meet."""
    asked = asked_of(rule_set("storming"))
    assert asked is not None
    for n in (1, 5):
        given = {"hits": str(n), "S": "8", "AP": "3", "building_class": "stronghold"}
        assert asked.answer(given) == sum(storming(n, 8, 10 + more, 0) for more in (1, 2, 3)) / 3


def test_walls_are_down_as_likely_as_not_with_the_hit_that_the_book_says() -> None:
    rows = {(row.rules, row.walls, row.strength): row for row in half_rows(sets(*rule_set_ids()), Hit(), [6, 9])}
    for rules, judge in JUDGES.items():
        asked = asked_of(rule_set(rules))
        assert asked is not None
        row = rows[rule_set(rules).title, Hit().met(asked), 9]
        assert row.hits == next(n for n in range(MOST) if judge(n) <= Fraction(1, 2))
        assert row.stands == pytest.approx(float(judge(MOST)))
    even = half_rows(sets("storming"), Hit(AP="1"), [10])[0]  # every hit penetrates, and 4 and more wrecks
    assert (even.walls, even.hits) == ("AV 10", 1)
    never = rows["Realm of Chaos buildings", "stone", 6]
    assert (never.hits, never.stands) == (None, 1)
    assert rows["Realm of Chaos buildings", "wood", 6].hits == next(
        n for n in range(60) if chaos(n, 1) <= Fraction(1, 2)
    )


BURNING = {
    0: ("5/54", "352/729", "1463/4374", "529/6561", "355/39366", "25/59049", "1/118098"),
    2: ("17/162", "124/243", "461/1458", "277/4374", "34/6561", "1/13122", "0"),
}
"""On which turn a burning section falls, from the third, by the levels on top of it: the table of RC-077."""


@pytest.mark.parametrize("above", BURNING)
def test_a_burning_section_stands_as_long_as_the_book_says(above: int) -> None:
    rows = burning_rows(sets("realm_of_chaos"), [0], above)
    stands, expected = Fraction(1), [Fraction(1)] * 3
    for chance in BURNING[above]:
        stands -= Fraction(chance)
        expected.append(stands)
    assert [row.stands for row in rows] == pytest.approx([float(p) for p in expected[: len(rows)]], abs=1e-12)
    assert stands == 0


def test_bars_are_as_long_as_the_chances_and_lie_beside_each_other() -> None:
    rows = bunker_rows(sets("gemini"), armed=True)
    figure, panels = table_chart(rows, cases="structural damage"), list(dict.fromkeys(row.table for row in rows))
    for axes, name in zip(figure.axes, panels, strict=True):
        bars = [bar[0] for bar in axes.containers if bar[0].get_fill()]
        mine = [row for row in rows if row.table == name and row.chance > 0]
        assert [bar.get_width() for bar in bars] == pytest.approx([row.chance for row in mine])
        by_case = defaultdict[str, float](float)
        for bar, row in zip(bars, mine, strict=True):
            assert bar.get_x() == pytest.approx(by_case[row.case])
            assert bar.get_y() + bar.get_height() / 2 == pytest.approx(int(row.case))
            by_case[row.case] += row.chance
        assert [*by_case.values()] == pytest.approx([1] * 6)


def test_worse_results_are_darker_and_no_two_look_alike() -> None:
    brightness = [sum(matplotlib.colors.to_rgb(face.colour)) for face in DAMAGE]
    assert brightness == sorted(brightness, reverse=True)
    assert len(set(brightness)) == len(DAMAGE)
    for rows in (bunker_rows(sets("gemini"), armed=True), damage_rows(sets("gw_updated", "storming")[:1])):
        assert [*faces_of(rows).values()] == [*DAMAGE[-len(faces_of(rows)) :]]
    armed, plain = (faces_of(bunker_rows(sets("gemini"), armed=armed)) for armed in (True, False))
    assert plain == {name: face for name, face in armed.items() if name != "armament destroyed"}


def lines(figure: Chart) -> dict[str, tuple[list[float], list[float]]]:
    return {str(line.get_label()): (list(line.get_xdata()), list(line.get_ydata())) for line in figure.axes[0].lines}


def test_lines_are_as_high_as_the_chances() -> None:
    rows = survival_rows(sets("gemini", "realm_of_chaos"), Hit(), 10)
    for name, (x, y) in lines(standing_chart(rows, across="hit")).items():
        mine = [row for row in rows if row.rules == name]
        assert (x, y) == ([row.after for row in mine], [row.stands for row in mine])
    rows = wall_rows(rule_set("realm_of_chaos"), Hit(), 10)
    drawn = lines(standing_chart(rows, across="hit"))
    assert [*drawn] == ["wattle", "wood", "stone"]
    for name, (_, y) in drawn.items():
        assert y == [row.stands for row in rows if row.of == name]
    assert [*lines(standing_chart(wall_rows(rule_set("storming"), Hit(AP="1"), 9), across="hit"))] == [
        f"AV {armour}" for armour in range(10, 15)
    ]
    fires = standing_chart(burning_rows(sets("realm_of_chaos"), [0, 1, 2]), across="turns")
    assert [*lines(fires)] == ["undamaged", "1 point of damage", "2 points of damage"]


def test_names_of_lines_that_meet_at_nothing_are_in_the_order_of_the_lines() -> None:
    """What burns undamaged stands longest; its line is above the others until all are at 0 %."""
    figure = standing_chart(burning_rows(sets("realm_of_chaos"), [4, 0, 2]), across="turns")
    heights = {text.get_text(): text.get_position()[1] for text in figure.axes[0].texts if text.get_text()}
    from_above = sorted(heights, key=lambda name: -heights[name])
    assert [name.partition("  ")[0] for name in from_above] == ["undamaged", "2 points of damage", "4 points of damage"]


def test_walls_of_one_set_of_rules_share_its_colour_and_differ_by_mark() -> None:
    drawn = standing_chart(wall_rows(rule_set("realm_of_chaos"), Hit(), 15), across="hit").axes[0].lines
    assert len({line.get_color() for line in drawn}) == 1
    assert len({line.get_marker() for line in drawn}) == len(drawn) == 3


def test_heat_is_the_hits_and_what_never_falls_is_said() -> None:
    rows = [
        HalfRow("A", "blue", "AV 10", 6, 7, 0.0),
        HalfRow("A", "blue", "AV 10", 7, 3, 0.0),
        HalfRow("A", "blue", "AV 11", 6, None, 1.0),
        HalfRow("A", "blue", "AV 11", 7, None, 0.6),
    ]
    axes = breach_chart(rows).axes[0]
    (mesh,) = (part for part in axes.collections if isinstance(part, QuadMesh))
    grid = np.ma.filled(mesh.get_array().astype(float), np.nan).reshape(2, 2)
    np.testing.assert_array_equal(grid, [[7, 3], [np.nan, np.nan]])
    said = {text.get_text(): text.get_position() for text in axes.texts}
    assert said == {"7": (0.5, 0.5), "3": (1.5, 0.5), "never": (0.5, 1.5), f">{MOST}": (1.5, 1.5)}


def test_walls_that_never_fall_are_as_dark_as_any_and_hatched() -> None:
    rows = [
        HalfRow("A", "blue", walls, 6, hits, stands)
        for walls, hits, stands in (("AV 10", 1, 0.0), ("AV 11", MOST, 0.4), ("AV 12", None, 0.6), ("AV 13", None, 1.0))
    ]
    axes = breach_chart(rows).axes[0]
    (mesh,) = (part for part in axes.collections if isinstance(part, QuadMesh))
    numbered = [sum(mesh.to_rgba(hits)[:3]) for hits in (1, MOST)]
    more, never = axes.patches
    assert (more.get_xy(), more.get_hatch()) == ((0, 2), "")
    assert (never.get_xy(), bool(never.get_hatch())) == ((0, 3), True)
    for patch in (more, never):
        assert sum(patch.get_facecolor()[:3]) == pytest.approx(min(numbered), abs=0.01)


def test_findings_say_what_the_rows_say() -> None:
    rows = damage_rows(sets("gw_updated"))
    assert findings.falls(rows, "AP") == (
        "Of 100 rolls 17 to 50 without Mighty Bulwark and 0 to 33 with Mighty Bulwark "
        "bring the building down (AP 3 or worse to 1)"
    )
    house = [
        row._replace(rules="House", chance=row.chance / 2 if row.table == "with Mighty Bulwark" else row.chance)
        for row in rows
    ]
    assert findings.falls([*rows, *house], "AP") == (
        "Of 100 rolls with Mighty Bulwark 0 to 33 under Updated building rules and 0 to 17 under House "
        "bring the building down (AP 3 or worse to 1)"
    )
    alike = [*rows, *(row._replace(rules="House") for row in rows)]
    assert findings.falls(alike, "AP") == (
        "A roll brings the building down as often under Updated building rules and House"
    )
    inner = [
        row._replace(rules="House", falls=row.falls or (row.case == "2" and row.result == "tremor")) for row in rows
    ]
    assert "without Mighty Bulwark 17 to 50 under" in findings.falls([*rows, *inner], "AP")
    assert findings.falls(bunker_rows(sets("gemini")), "structural damage") == (
        "Of 100 rolls 17 to 100 by a glancing hit and 33 to 100 by a penetrating hit "
        "bring the building down (structural damage 0 to 5)"
    )
    line = [StandRow("A", "blue", "x", 0, 1.0), StandRow("A", "blue", "x", 1, 0.5)]
    other = [StandRow("B", "green", "x", 0, 1.0), StandRow("B", "green", "x", 1, 0.81)]
    said = findings.standing([*line, *other], "The building", "hit")
    assert said == (
        "The building is as likely down as not after 1 hit (A); it still stands in 81 of 100 after 1 hit (B)"
    )
    both = [*line, *(row._replace(rules="C", after=3 * row.after) for row in line)]
    assert findings.standing(both, "It", "turn") == "It is as likely down as not after 1 turn (A) and 3 (C)"
    assert findings.standing(other, "A wall", "hit") == "A wall still stands in 81 of 100 after 1 hit (B)"
    never = survival_rows(sets("gemini", "gw_updated"), Hit(S=2), 5)
    assert findings.standing(never, "The building", "hit") == (
        "The building stands whatever comes, 5 hits or fewer: Gemini building rules and Updated building rules"
    )
    nothing = half_rows(sets("gemini"), Hit(), [1, 2])
    assert findings.breaching(nothing) == "Hits of Strength 2 and less bring none of these walls down"
    walls = [
        HalfRow(name, "blue", wall, S, hits, stands)
        for name, hits, stands in (("A", 9, 0.0), ("B", None, 1.0), ("C", None, 0.8))
        for wall, S in product(("weak", "strong"), (6, 8))
    ]
    walls[0:3] = [row._replace(hits=2) for row in walls[0:3]]
    assert findings.breaching(walls) == (
        "Hits of Strength 8 for an even chance that walls are down: "
        "9 on strong under A, no number on strong under B, more than 40 on strong under C"
    )


EVERY = rule_set_ids()
DRAWN: dict[str, Callable[..., Chart]] = {
    "bunker": lambda **look: table_chart(bunker_rows(sets("gemini"), armed=True), cases="structural damage", **look),
    "damage": lambda **look: table_chart(damage_rows(sets("gw_updated")), cases="AP", **look),
    "vehicles": lambda **look: table_chart(damage_rows(sets("storming")), cases="AP", **look),
    "survival": lambda **look: standing_chart(survival_rows(sets(*EVERY), Hit(), 20), across="hits", **look),
    "wall": lambda **look: standing_chart(wall_rows(rule_set("realm_of_chaos"), Hit(), 30), across="hits", **look),
    "burning": lambda **look: standing_chart(
        burning_rows(sets("realm_of_chaos"), [0, 2, 4]), across="turns", what="A section", unit="turn", **look
    ),
    "breach": lambda **look: breach_chart(half_rows(sets(*EVERY), Hit(), [9, 10]), **look),
}


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("name", DRAWN)
def test_nothing_is_cut_off_and_no_words_cover_others(name: str, width: float) -> None:
    assert_readable(DRAWN[name](width=width, caption="Clauses are said here, and that it is exact. " * 5))


CLAUSES = {"bunker": "GB-139, GB-140, GB-141", "damage": "GW-029, GW-030", "burning": "RC-075, RC-077"}


def test_the_commands_draw_and_write_their_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("bunker", "damage", "survival", "wall", "breach", "burning"):
        picture, rows = tmp_path / f"{name}.svg", tmp_path / f"{name}.csv"
        assert run(["chart", name, "--out", str(picture), "--csv", str(rows)]) == 0
        assert "Exact." in picture.read_text("utf-8")
        assert CLAUSES.get(name, "") in picture.read_text("utf-8")
        assert rows.read_text("utf-8").count("\n") > 10
    assert capsys.readouterr().out == ""


HOUSE = {
    "bunker": 'base = "gemini"\ntitle = "Softer bunkers"\n[tables.bunker_hits.glancing]\nstructural = []\ncollapse = [5, 6]\n',
    "damage": 'base = "gw_updated"\ntitle = "Harder shells"\n[tables.modifiers]\nAP1 = 3\n',
    "burning": 'base = "realm_of_chaos"\ntitle = "Dry thatch"\n[tables.fire]\ndamage = "D6"\n',
}


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_rule_stands_beside_its_base(name: str, tmp_path: Path) -> None:
    house, picture, rows = (tmp_path / file for file in ("house.toml", "house.svg", "house.csv"))
    house.write_text(HOUSE[name])
    assert run(["chart", name, "--rules", str(house), "--out", str(picture), "--csv", str(rows)]) == 0
    told = rows.read_text("utf-8")
    both = rule_set(str(house)), rule_set(rule_set(str(house)).base)
    values = {
        one.title: [line.rsplit(",", 1)[1] for line in told.splitlines() if line.startswith(one.title)] for one in both
    }
    assert len({*map(tuple, values.values())}) == 2
    assert all(title in picture.read_text("utf-8") for title in values)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["bunker", "--rules", "storming"], "is not a question of Storming buildings"),
        (["damage", "--rules", "realm_of_chaos"], "Realm of Chaos buildings has no damage table by AP"),
        (["burning", "--rules", "gemini"], "is not a question of Gemini"),
        (["burning", "--above", "9"], "levels_above cannot be 9; expected 0 to 5"),
        (["wall", "--rules", "nobody"], 'there is no rule set "nobody"'),
        (["survival", "--material", "paper"], 'material cannot be "paper"; expected'),
        (["survival", "--strength", "99"], "S cannot be 99; expected 0 to 20"),
        (["breach", "--strengths", "9", "99"], "S cannot be 99; expected 0 to 20"),
        (["burning", "--damage", "-1"], "damage cannot be -1; expected 0 to"),
        (["wall", "--armour", "12"], "--armour"),
    ],
)
def test_what_cannot_be_drawn_is_said(asked: list[str], told: str, tmp_path: Path, capsys) -> None:
    picture = tmp_path / "x.svg"
    assert run(["chart", *asked, "--out", str(picture)]) == 2
    assert told in capsys.readouterr().err
    assert not picture.exists()


def test_rules_without_an_answer_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a set of rules cannot be asked it is left out, and said; where none can, nothing is drawn."""
    known = tuple(asked for asked in questions() if not asked.name.startswith("bunker standing"))
    monkeypatch.setattr("analysis.rows.standing.questions", lambda: known)
    both = sets("gemini", "storming")
    assert {row.rules for row in survival_rows(both, Hit(), 3)} == {"Storming buildings"}
    said = findings.sources(both, Hit()).splitlines()
    assert said[0].startswith("Storming buildings: AV 14; BASE-016, BASE-017, ")
    assert said[1] == "Not drawn, for no done clause says it: Gemini building rules."
    with pytest.raises(CasemateError, match="no done clause of Gemini building rules says how many hits"):
        findings.sources(both[:1], Hit())
