"""The chart of best play: its rows are what best play comes to, what is drawn is what the rows say."""

from collections import defaultdict
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from analysis.charts import choice_chart
from analysis.charts.choices import ANY, FADES
from analysis.charts.palette import ENDS, LOOKS, PLANS
from analysis.findings.choices import by_turn, turns, what_is_shown
from analysis.points.plans import contest
from analysis.rows.choices import ChoiceRow, choice_rows
from analysis.told.fields import fields
from sims.engines.contest import BOTH, Pair, Solution
from sims.engines.follow import best_play, follow
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from tests.march import march

STORMING = rule_set("storming")


SMALL = {"distance": 16, "turns": 4, "attackers.models": 5, "defenders.models": 3, "defenders.specials": []}


@cache
def solved(rules: str) -> Solution:
    game = load_scenario("farmhouse", SMALL | {"attackers.specials": [{"weapon": "flamer"}]})
    return contest(game, rule_set(rules)).solve()


def row(turn: int, attackers: int, defenders: int, chance: float, plan: str | None, rules: str = "one") -> ChoiceRow:
    worth, gives = (0.0, 0.0) if plan is None else (0.2, 10 * chance)
    return ChoiceRow(rules, "blue", "attackers", turn, attackers, defenders, chance, plan, worth, gives)


ROWS = [
    row(1, 20, 12, 1.0, "demolish"),
    row(2, 18, 12, 0.9, "storm"),
    row(2, 19, 12, 0.05, None),
    row(3, 9, 4, 0.3, "storm"),
    row(3, 9, 3, 0.03, "smoke"),
    row(3, 8, 3, 0.002, "smoke"),
    row(4, 8, 3, 0.1, None),
]


def test_rows_of_a_march_are_known_by_thought():
    """Two turns of marching; then two storms, of which the second comes in one game of two."""
    rows = choice_rows(STORMING, march(number=float), "attackers")
    assert [(r.turn, r.attackers, r.defenders, r.chance, r.plan, r.worth) for r in rows] == [
        (1, 1, 1, 1.0, "shoot", 0.75),
        (2, 1, 1, 1.0, "shoot", 0.75),
        (3, 1, 1, 1.0, "storm", 0.25),
        (4, 1, 1, 0.5, "storm", 0.5),
    ]
    assert all(r.gives == 0 for r in rows)  # a cell holds one state
    assert {(r.rules, r.look, r.side) for r in rows} == {("Storming buildings", "vermillion", "attackers")}
    exact = choice_rows(STORMING, march(), "attackers")
    assert rows == exact


def test_a_choice_that_is_worth_little_has_no_plan():
    """The last storm of a point that is half a game counts as 0.5 / 0.5 = 1 point, the one before as half of it."""
    of = march()
    for point, plans in (
        (2.4, [*["shoot"] * 2, "storm", "storm"]),
        (2.6, [*["shoot"] * 2, None, "storm"]),
        (8, [None] * 4),
    ):
        assert [r.plan for r in choice_rows(STORMING, of, "attackers", point)] == plans


@pytest.mark.parametrize("side", ["attackers", "defenders"])
def test_states_in_a_cell_count_as_often_as_best_play_comes_to_them(rules, side):
    of = solved(rules)
    first = next(iter(of.contest.chains.values())).assault
    both = of.start[..., BOTH]
    begins = Pair(of.contest.attacks[0], of.contest.defences[int(both.max(axis=0).argmin())])
    visits = follow(of, best_play(BOTH), begins).visits
    plans = of.contest.attacks if side == "attackers" else of.contest.defences
    often, lost = defaultdict(float), defaultdict(lambda: np.zeros(len(plans)))
    for opening, choice in of.choices.items():
        if opening.side != side:
            continue
        stands = fields(first, of.contest.states.take(choice.states))
        for k, a, d in np.argwhere(visits[opening]):
            if choice.committed[k]:
                continue
            place = opening.turn, int(stands["attackers"][k]), int(stands["defenders"][k])
            weight = visits[opening][k, a, d]
            worth = choice.worth[k, :, d, BOTH] if side == "attackers" else -choice.worth[k, a, :, BOTH]
            often[place] += weight
            lost[place] += weight * (worth.max() - worth)
    rows = choice_rows(rule_set(rules), of, side)
    assert {(r.turn, r.attackers, r.defenders) for r in rows} == {place for place in often if often[place] >= 0.001}
    for r in rows:
        place = r.turn, r.attackers, r.defenders
        mean = lost[place] / often[place]
        assert r.chance == pytest.approx(often[place])
        assert r.worth == pytest.approx(mean.max() - mean.min(), abs=1e-12)
        assert (r.plan is None) == (mean.max() - mean.min() <= 0.001)
        assert r.plan is None or mean[plans.index(r.plan)] <= mean.min() + 0.001
        assert r.gives == pytest.approx(100 * lost[place][plans.index(r.plan)] if r.plan else 0, abs=1e-9)
    assert rows


def test_of_plans_that_are_as_good_the_usual_one_is_drawn():
    """A garrison that waits for attackers from afar may as well sally; later, at the gate, it must."""
    rows = choice_rows(STORMING, march(distance=1, turns=3, defences=("hold", "sally"), number=float), "defenders")
    assert {r.plan for r in rows} <= {"sally", None}


def cells(axes) -> dict[tuple[str, float | None], set[tuple[float, float]]]:
    """Return the middles of the cells that are drawn alike."""
    return {
        (part.get_label(), part.get_alpha()): {
            (path.vertices[:4, 0].mean(), path.vertices[:4, 1].mean()) for path in part.get_paths()
        }
        for part in axes.collections
    }


def test_cells_are_the_rows_paler_where_fewer_games_come():
    figure = choice_chart(ROWS)
    drawn = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title(loc="left") for axes in drawn] == [
        "turn 1: demolish",
        "turn 2: storm",
        "turn 3: storm, smoke",
    ]
    strong, pale, palest = (fade for _, fade, _ in FADES)
    assert cells(drawn[0]) == {("demolish", strong): {(20, 12)}}
    assert cells(drawn[1]) == {("storm", strong): {(18, 12)}, (ANY, 0.2): {(19, 12)}}
    assert cells(drawn[2]) == {
        ("storm", strong): {(9, 4)},
        ("smoke", pale): {(9, 3)},
        ("smoke", palest): {(8, 3)},
    }
    for axes in drawn:
        for part in axes.collections:
            face = PLANS.get(part.get_label())
            if face:
                assert to_hex(part.get_facecolor()[0]) == face.colour
                assert part.get_hatch() == face.hatch
    assert "one: in turn 4 no choice is worth a tenth of a point." in figure.shows
    assert "blue" not in figure.shows
    assert "3, 8, 3, 0.002, smoke, 0.2" in figure.shows
    assert strong > pale > palest


def test_panels_of_several_rules_stand_apart():
    figure = choice_chart([*ROWS, *(r._replace(rules="two") for r in ROWS[:3])])
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert titles == [
        "one\nturn 1: demolish",
        "turn 2: storm",
        "turn 3: storm, smoke",
        "two\nturn 1: demolish",
        "turn 2: storm",
    ]


def test_the_title_says_which_plan_is_best_in_which_turns():
    assert (
        by_turn(ROWS) == "Best for the attackers: demolish in turn 1, storm in turns 2 and 3, at times smoke under one"
    )
    garrison = [row(n, 5, 5, 0.5, plan)._replace(side="defenders") for n, plan in enumerate(["hold", None, "sally"], 1)]
    assert by_turn(garrison) == "Best for the garrison: hold in turn 1, sally in turn 3 under one"
    assert by_turn([row(1, 5, 5, 1.0, None)]) == "Best for the attackers: any plan under one"
    assert [turns(of) for of in ([3], [2, 3], [2, 3, 4], [2, 4, 5])] == [
        "turn 3",
        "turns 2 and 3",
        "turns 2 to 4",
        "turns 2, 4 and 5",
    ]


def test_the_caption_says_what_the_plans_that_are_drawn_give_away_where_that_is_much():
    """By thought: 10 points of a game each, in all of them 10 * (1.0 + 0.9 + 0.3 + 0.03 + 0.002)."""
    said = "one: what no cell shows tells for another plan at times; in all, the plans drawn give away 22.3 points."
    assert said in what_is_shown(ROWS).splitlines()
    little = [each._replace(gives=0.1) for each in ROWS[:4]]
    assert "give away" not in what_is_shown(little)


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def test_plans_differ_from_each_other_in_hatch_and_in_grey_and_from_all_else_in_colour():
    """Who sees no colours sees how dark they are."""
    for side in (("storm", "demolish", "shoot", "smoke"), ("hold", "sally")):
        assert len({PLANS[plan].hatch for plan in side}) == len(side)
        for one, other in combinations(side, 2):
            light, dark = sorted((luminance(PLANS[plan].colour) + 0.05 for plan in (one, other)), reverse=True)
            assert light / dark > 1.3
    taken = {look.colour for look in LOOKS.values()} | {face.colour for face in ENDS.values()}
    assert not taken & {face.colour for face in PLANS.values()}
    assert len({face.colour for face in PLANS.values()}) == len(PLANS)
