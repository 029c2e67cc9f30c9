"""Receipts: what a change does to a suite, in the words of players."""

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import binom, norm

from analysis.deciding.receipt import Line, Weight, receipt, shares
from analysis.deciding.receipt_opening import example, first_word, gain, merge_alike, more_words
from analysis.deciding.receipt_words import as_data, blocks, by_end, weights_of
from analysis.deciding.solve import Level
from analysis.pages.receipt import page
from analysis.points import suite
from analysis.points.paired import Paired, Pairs, paired
from analysis.points.plans import Plans
from analysis.points.point import How, Played, point
from analysis.points.responses import Estimate
from analysis.points.stopping import looks
from analysis.points.suite import Game
from analysis.say.blocks import Code, Grid, Heading, html, markdown, show
from analysis.say.numbers import written_shares
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from tests import sampling

STORMING = rule_set("storming")
HEAVY = STORMING.with_values({"tables.grenade.hits": "D6", "rulings.second_round": "yes"})


@pytest.fixture(scope="module")
def games(skirmish):
    return suite.under_all_plans([skirmish])


@pytest.fixture(scope="module")
def known():
    return Played()


@pytest.fixture(scope="module")
def found(games, known):
    return receipt(HEAVY, STORMING, games, known=known)


def test_a_line_is_what_playing_both_says(found, games):
    assert [line.game for line in found.lines] == games
    line = found.lines[2]
    for rules, answers in ((STORMING, line.before), (HEAVY, line.after)):
        one = point(line.game.scenario, rules, plans=line.game.plans)
        assert one.responses(one.play()) == answers


def test_own_plans_come_first(games, found):
    assert games[0].plans == Plans("storm", "hold")
    assert [line.own for line in found.lines] == [True] + [False] * 7


def test_shares_add_up_to_the_move(found, known):
    moved = found.movers("p_captured")
    parts, shared = shares(found, moved, known)
    assert [dict(part) for part in parts] == [{"tables.grenade.hits": "D6"}, {"rulings.second_round": "yes"}]
    for line in moved:
        each = shared[line.game].shares["p_captured"]
        assert float(sum(each)) == pytest.approx(line.move("p_captured"), abs=1e-12)


def test_a_change_is_weighed_between_two_neighbouring_numbers(found, known):
    line, end, weights = weights_of(found, known)
    old = line.before[end].value
    for weight in weights:
        near, far = weight.levels
        assert abs(near.value - far.value) == 1
        assert (near.response.value - old) * (far.response.value - old) <= 0
        for level in weight.levels:
            one = point(line.game.scenario, HEAVY, {f"{weight.side}.models": level.value})
            assert one.responses(one.play())[end] == level.response
    assert {weight.side for weight in weights} <= {"attackers", "defenders"}


def test_a_change_that_cannot_be_weighed_is_not(found):
    class Nowhere(Played):
        def of(self, point, progress=None):
            raise CasemateError("the rules know no such assault")

    line, end, weights = weights_of(found, Nowhere())
    assert (line, end, weights) == (found.lines[0], "p_captured", [])


def test_a_null_edit_has_an_empty_receipt(games, known):
    same = receipt(STORMING.with_values({"tables.grenade.hits": "D3"}), STORMING, games, known=known)
    assert same.lines == ()
    assert first_word(same) == "Storming buildings changes nothing: as storming."
    assert [*more_words(same)] == []
    assert weights_of(same, known) is None
    assert same.changes == {}


def test_what_is_said_is_what_was_played(found, known):
    line = found.lines[0]
    before, now = (100 * answers["p_captured"].value for answers in (line.before, line.after))
    said = first_word(found)
    assert f"in {now:.0f} games in 100, {before:.0f} before" in said
    parts, shared = shares(found, found.movers("p_captured"), known)
    told = [*blocks(found, parts, shared, weights_of(found, known), ("storming", "my.toml"))]
    grid = next(block for block in told if isinstance(block, Grid))
    assert grid.headings[:5] == ("captured of 100", "own plans", "before", "now", "")
    assert grid.rows[0][2:5] == (f"{before:.1f}", f"{now:.1f}", f"{now - before:+.1f}")
    codes = [block for block in told if isinstance(block, Code)]
    assert all(line.startswith("casemate compare ") for code in codes for line in code.lines)
    text = "\n".join(block for block in told if isinstance(block, str))
    moved = sum(line.moves() for line in found.lines)
    assert f"{moved} of 8 assaults move by a point or more" in text


def test_own_plans_and_others_have_tables_of_their_own(found):
    """A line with other plans that comes out as one with own plans does is not told as one of these."""
    alike = Game(found.lines[0].game.scenario, Plans("shoot", "hold"))
    other = replace(found.lines[0], game=alike, point=replace(found.lines[0].point, plans=alike.plans))
    told = [*blocks(replace(found, lines=(found.lines[0], other)), [], {}, None, ("storming", "my.toml"))]
    own, others = (block for block in told if isinstance(block, Grid) and block.headings[0] == "captured of 100")
    assert (own.headings[1], [row[1] for row in own.rows]) == ("own plans", ["storm"])
    assert (others.headings[1], others.rows[0][1:4]) == ("other plans", ("shoot", *own.rows[0][2:4]))
    assert markdown(told).index("| captured of 100 | own plans |") < markdown(told).index("| other plans |")
    assert html(told).index(">own plans</th>") < html(told).index(">other plans</th>")
    only = [*blocks(replace(found, lines=(other,)), [], {}, None, ("storming", "my.toml"))]
    assert [block.headings[1] for block in only if isinstance(block, Grid)][:1] == ["other plans"]


def test_json_holds_every_line_and_is_json(found, known):
    parts, shared = shares(found, found.movers("p_captured"), known)
    data = json.loads(json.dumps(as_data(found, parts, shared, weights_of(found, known)), allow_nan=False))
    assert [(one["plan"], one["defence"]) for one in data["assaults"]] == [
        tuple(line.game.plans) for line in found.lines
    ]
    assert data["changes"][0]["key"] == "tables.grenade.hits"


def test_a_game_that_cannot_be_played_says_why(skirmish):
    nowhere = STORMING.with_values({"tables.agreed.building_class": "impassable"})
    found = receipt(nowhere, STORMING, [Game(skirmish, Plans("storm", "hold"))])
    assert not found.lines
    assert ["nobody may occupy an impassable building" in why for why in found.refused.values()] == [True]
    assert first_word(found).endswith(f"nothing can be played ({skirmish}).")
    told = [*blocks(found, [], {}, None, ("storming", "my.toml"))]
    assert told[0] == "1 assault cannot be played."
    assert any("storm against hold: " in str(block) and "nobody may occupy" in str(block) for block in told)


def test_a_suite_is_read_from_a_file(tmp_path: Path, skirmish):
    (tmp_path / "own.toml").write_text(Path(skirmish).read_text())
    (tmp_path / "suite.toml").write_text(
        'scenarios = ["own.toml"]\n[[games]]\nscenario = "keep-gate"\nplan = "smoke"\n'
    )
    games = suite.load(tmp_path / "suite.toml")
    own = str(tmp_path / "own.toml")
    assert len(games) == 9
    assert games[0] == Game(own, Plans("storm", "hold"))
    assert games[-1] == Game("keep-gate", Plans("smoke", "hold"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('title = "x"\n', "unknown key"),
        ("scenarios = []\n", "it names no scenario"),
        ('scenarios = ["farmhose"]\n', 'there is no scenario "farmhose"; did you mean "farmhouse"'),
        ('[[games]]\nscenario = "farmhouse"\nplan = "stom"\n', "plan"),
    ],
)
def test_a_suite_that_does_not_fit_is_refused(tmp_path: Path, text, message):
    (tmp_path / "suite.toml").write_text(text)
    with pytest.raises(CasemateError, match=message.replace("?", r"\?")):
        suite.load(tmp_path / "suite.toml")


def test_blocks_are_written_for_every_reader():
    said = [Heading("One"), "A < B", Grid(("what", "n"), (("a|b", "1"),)), Code(("casemate compare",))]
    assert '<th scope="col" class="text">what</th><td></td>' in html([Grid(("what", ""), (("a", "1"),))])
    assert markdown(said) == (
        "## One\n\nA < B\n\n| what | n |\n| --- | ---: |\n| a\\|b | 1 |\n\n```\ncasemate compare\n```\n"
    )
    page = html(said)
    assert "<p>A &lt; B</p>" in page
    assert "<pre>casemate compare</pre>" in page


@pytest.mark.parametrize("width", [30, 60, 80, 200])
def test_no_word_of_a_table_is_cut_off_on_a_narrow_terminal(width):
    grid = Grid(
        ("step", "captured", "where"),
        (
            (
                "way_to_the_garrison: storm -> wreck\n  as party.squads: 1 -> 0",
                "-80.9",
                "movement and assault (BASE-030)",
            ),
        ),
    )
    out = Console(width=width, record=True, file=StringIO())
    show(out, [grid])
    told = out.export_text()
    assert "…" not in told
    assert max(map(len, told.splitlines())) <= width
    if width >= 60:
        assert {word for row in (grid.headings, *grid.rows) for cell in row for word in cell.split()} <= {*told.split()}


def test_what_is_destroyed_is_the_building_and_not_its_assault(found):
    """Nobody destroys "Siege of the bastion"."""
    whole = found.lines[0]
    siege = replace(whole.point, scenario=load_scenario("bastion"), plans=Plans("demolish", "hold"))
    before, now = ({**whole.before, "p_captured": Estimate(0), "p_destroyed": Estimate(n)} for n in (0.99, 0.95))
    line = Line(Game("bastion", siege.plans), siege, before, now)
    assert example(line) == "Demolition takes or destroys the bastion in 95 games in 100, 99 before."


def test_what_a_change_is_worth_is_what_to_remove_or_add(found):
    line = found.lines[0]
    levels = {n: Level(n, Estimate(n / 100)) for n in (8, 9, 10, 13, 14)}
    weights = (
        line,
        "p_captured",
        [Weight("attackers", 14, (levels[14], levels[13])), Weight("defenders", 8, (levels[9], levels[10]))],
    )
    (told,) = [
        each
        for each in blocks(found, [], {}, weights, ("storming", "my.toml"))
        if isinstance(each, str) and "to get back to" in each
    ]
    was = 100 * line.before["p_captured"].value
    assert told == (
        f"{line.point.scenario.title}, captured of 100: to get back to {was:.1f}, remove up to one attacker "
        "(14.0 with 14, 13.0 with 13), or add 1 to 2 defenders (9.0 with 9, 10.0 with 10)."
    )


Ends = tuple[float, ...]
"""How often a building is captured and destroyed, of 100 games, and how often the attackers break, if that matters."""


def test_where_no_end_moves_models_lost_are_told(found):
    alike = made_up(found, ("house", "storm", (50, 0, 0), (50, 0, 0)))
    (line,) = alike.lines
    for mean, who in (("attackers_lost_mean", "the attackers lose"), ("defenders_lost_mean", "the garrison loses")):
        before, after = (answers | {mean: Estimate(n)} for answers, n in ((line.before, 4.3), (line.before, 8.7)))
        moved = replace(alike, lines=(replace(line, before=before, after=after),))
        assert f"no end moves by a point, but {who} at the house 8.7 models on average, 4.3 before." in first_word(
            moved
        )


def test_plans_that_come_to_the_same_count_once(found):
    twice = made_up(found, ("house", "storm", (50, 0), (62, 0)), ("house", "smoke", (50, 0), (62, 0)), ("mill", "storm", (60, 0), (40, 0)))  # fmt: skip
    assert "easier to take (1 assault, the house by storm: 50 to 62 games in 100)" in first_word(twice)


def test_what_is_not_certain_is_never_all_games_or_none(found):
    nearly = made_up(found, ("house", "storm", (50, 0), (99.96, 0)))
    assert first_word(nearly).endswith("A storm takes the house in more than 99 games in 100, 50 before.")


def made_up(found, *games: tuple[str, str, Ends, Ends]):
    """Return a receipt of games in which this comes of the plans in a scenario, before and now."""
    whole, lines = found.lines[0], []
    for name, plan, before, now in games:
        scenario = replace(whole.point.scenario, title=f"The {name}")
        answers = [
            whole.before | {end: Estimate(n / 100) for end, n in zip(MADE_UP, ends, strict=False)}
            for ends in (before, now)
        ]
        attackers, _, garrison = plan.partition(" against ")
        plans = Plans(attackers, garrison or "hold")
        lines.append(Line(Game(name, plans), replace(whole.point, scenario=scenario, plans=plans), *answers))
    return replace(found, lines=tuple(lines))


MADE_UP = "p_captured", "p_destroyed", "p_broken"
HOUSE, TOWER = "house", "tower"
HEADLINES = {
    "one plan of one house": (
        [(HOUSE, "storm", (50, 0), (62, 0))],
        "the attackers do better. A storm takes the house in 62 games in 100, 50 before.",
    ),
    "all the garrison's way": (
        [(HOUSE, "storm", (50, 0), (40, 0)), (TOWER, "storm", (50, 9), (50, 2)), (HOUSE, "smoke", (30, 0), (28, 0))],
        "the garrison does better. A storm takes the house in 40 games in 100, 50 before.",
    ),
    "what moves by less than a point has no say": (
        [(HOUSE, "storm", (50, 0), (62, 0)), (TOWER, "storm", (50, 0), (49.2, 0))],
        "the attackers do better. A storm takes the house in 62 games in 100, 50 before.",
    ),
    "own plans for one side, all others for the other": (
        [(HOUSE, "storm", (50, 0), (44, 0)), *((name, "smoke", (20, 0), (41, 0)) for name in "abcdefghijkl")],
        "cuts both ways: easier to take (12 assaults, most the a by smoke: 20 to 41 games in 100), "
        "harder to take (1 assault, the house by storm: 50 to 44 games in 100).",
    ),
    "taken more often, brought down less often": (
        [(HOUSE, "storm", (50, 0), (52, 0)), (TOWER, "storm", (1, 50), (1, 47)), (TOWER, "demolish", (5, 75), (9, 53))],
        "cuts both ways: easier to take (1 assault, the house by storm: 50 to 52 games in 100), "
        "harder to bring down (2 assaults, under own plans most the tower by storm: 50 to 47 games in 100).",
    ),
    "the ends of one game change places": (
        [(HOUSE, "storm", (75, 0), (0, 75))],
        "buildings are destroyed rather than captured in 1 assault (the house by storm: captured 75 to 0, "
        "destroyed 0 to 75 games in 100). The attackers succeed as often as before.",
    ),
    "one of twelve the other way, by other plans": (
        [*((name, "storm", (20, 0), (41, 0)) for name in "abcdefghijk"), ("a", "shoot", (9, 0), (3, 0))],
        "the attackers do better in 11 of the 12 assaults that move. "
        "A storm takes the a in 41 games in 100, 20 before.",
    ),
    "moves of less than a point are not counted": (
        [
            *((name, "storm", (20, 0), (41, 0)) for name in "abcdefghij"),
            ("a", "shoot", (9, 0), (3, 0)),
            *((name, "shoot", (9, 0), (9.0001, 0)) for name in "bcd"),
        ],
        "the attackers do better in 10 of the 11 assaults that move. "
        "A storm takes the a in 41 games in 100, 20 before.",
    ),
    "nearly all one way, but the best plans the other": (
        [
            ("a", "storm", (60, 0), (40, 0)),
            *(("a", plan, (1, 0), (3, 0)) for plan in ("smoke", "shoot")),
            *((name, plan, (1, 0), (3, 0)) for name in "bcdefgh" for plan in ("smoke", "shoot")),
            *((name, "storm", (60, 0), (59.5, 0)) for name in "bcdefgh"),
        ],
        "cuts both ways: easier to take (8 assaults, most the a by smoke: 1 to 3 games in 100), "
        "harder to take (1 assault, the a by storm: 60 to 40 games in 100).",
    ),
    "other plans alone": (
        [(HOUSE, "storm", (50, 0), (50, 0)), (HOUSE, "smoke", (20, 0), (35, 0))],
        "the attackers do better. Nothing moves under the scenarios' own plans. "
        "Smoke takes the house in 35 games in 100, 20 before.",
    ),
    "other plans alone, and both ways: the garrison sallies in the examples": (
        [
            (HOUSE, "storm", (50, 0), (50, 0)),
            (HOUSE, "storm against sally", (9, 0), (17, 0)),
            (TOWER, "demolish against sally", (0, 34), (0, 26)),
        ],
        "cuts both ways: easier to take (1 assault, the house by storm against a sally: 9 to 17 games in 100), "
        "harder to bring down (1 assault, the tower by demolition against a sally: 34 to 26 games in 100). "
        "Nothing moves under the scenarios' own plans.",
    ),
    "no own plans are played": (
        [(HOUSE, "smoke", (20, 0), (35, 0))],
        "the attackers do better. Smoke takes the house in 35 games in 100, 20 before.",
    ),
    "other plans alone, and all one way": (
        [(HOUSE, "storm", (50, 0), (50, 0)), (HOUSE, "smoke against sally", (20, 0), (35, 0))],
        "the attackers do better. Nothing moves under the scenarios' own plans. "
        "Smoke against a sally takes the house in 35 games in 100, 20 before.",
    ),
    "examples are under own plans, even where others move more": (
        [(HOUSE, "storm", (50, 0), (52, 0)), (HOUSE, "smoke", (9, 0), (70, 0)), (TOWER, "storm", (50, 0), (47, 0))],
        "cuts both ways: easier to take (2 assaults, under own plans most the house by storm: 50 to 52 games in 100), "
        "harder to take (1 assault, the tower by storm: 50 to 47 games in 100).",
    ),
    "captured where it was destroyed is not easier to take": (
        [
            (HOUSE, "storm", (50, 0), (50, 0)),
            (HOUSE, "demolish", (0, 98), (0, 89)),
            (TOWER, "demolish against sally", (74.4, 24), (84.2, 14)),
            (TOWER, "shoot against sally", (70, 12), (75, 7)),
        ],
        "the garrison does better in 1 of the 3 assaults that move. Nothing moves under the scenarios' own plans. "
        "Demolition takes or destroys the house in 89 games in 100, 98 before. Buildings are captured rather than "
        "destroyed in 2 assaults (most the tower by demolition against a sally: captured 74 to 84, destroyed 24 to 14 "
        "games in 100).",
    ),
    "captured where it was destroyed, and both ways": (
        [
            (HOUSE, "storm", (50, 0), (60, 0)),
            (TOWER, "storm", (50, 0), (40, 0)),
            (TOWER, "demolish", (20, 60), (40, 40.5)),
        ],
        "cuts both ways: easier to take (1 assault, the house by storm: 50 to 60 games in 100), "
        "harder to take (1 assault, the tower by storm: 50 to 40 games in 100), "
        "captured rather than destroyed in 1 assault "
        "(the tower by demolition: captured 20 to 40, destroyed 60 to 40 games in 100).",
    ),
    "what makes up for most of a move is in the numbers": (
        [(HOUSE, "storm", (50, 0), (60, 0)), (TOWER, "demolish", (10, 34), (18, 22))],
        "cuts both ways: easier to take (1 assault, the house by storm: 50 to 60 games in 100), "
        "harder to bring down (1 assault, the tower by demolition: captured or destroyed 44 to 40 games in 100).",
    ),
    "attackers break where nothing else moves": (
        [
            (HOUSE, "storm", (50, 0, 9), (60, 0, 7)),
            (TOWER, "storm", (50, 0, 9), (40, 0, 19)),
            *((HOUSE, plan, (0, 0, 4), (0, 0, now)) for plan, now in (("shoot", 38), ("smoke", 29))),
        ],
        "cuts both ways: easier to take (1 assault, the house by storm: 50 to 60 games in 100), "
        "harder to take (1 assault, the tower by storm: 50 to 40 games in 100); the attackers break more often in "
        "3 assaults, most the house by shooting: 4 to 38 games in 100, and less often in 1.",
    ),
    "attackers break where nothing else moves, and one side does better": (
        [(HOUSE, "storm", (50, 0, 9), (60, 0, 9)), (HOUSE, "shoot", (0, 0, 38), (0, 0, 4))],
        "the attackers do better. A storm takes the house in 60 games in 100, 50 before. "
        "The attackers break less often in 1 assault, the house by shooting: 38 to 4 games in 100.",
    ),
    "attackers break in few of the assaults that move": (
        [(HOUSE, "shoot", (0, 0, 4), (0, 0, 9)), *((name, "storm", (50, 0, 9), (60, 0, 9)) for name in "abc")],
        "the attackers do better. A storm takes the a in 60 games in 100, 50 before.",
    ),
    "attackers break because they take less": (
        [(HOUSE, "storm", (50, 0, 9), (40, 0, 19))],
        "the garrison does better. A storm takes the house in 40 games in 100, 50 before.",
    ),
    "attackers break by other plans, nothing else moves": (
        [(HOUSE, "storm", (50, 0, 9), (50, 0, 9)), (HOUSE, "shoot", (0, 0, 4), (0, 0, 9))],
        "under the scenarios' own plans no end moves by a point. "
        "The attackers break more often in 1 assault, the house by shooting: 4 to 9 games in 100.",
    ),
    "attackers break by own plans, nothing else moves": (
        [(HOUSE, "storm", (50, 0, 4), (50, 0, 9))],
        "the attackers break at the house in 9 games in 100, 4 before.",
    ),
    "nothing": (
        [(HOUSE, "storm", (50, 0), (50.3, 0))],
        "under the scenarios' own plans no end moves by a point.",
    ),
}


@pytest.mark.parametrize(("assaults", "headline"), HEADLINES.values(), ids=HEADLINES)
def test_the_headline_is_what_a_player_would_say(found, assaults, headline):
    told = first_word(made_up(found, *assaults))
    assert told == f"{found.after.title}{'' if headline.startswith('cuts') else ':'} {headline}"


@pytest.mark.parametrize(
    ("against_sally", "words"),
    [
        (96, "Storm is now the best plan for the house (96, 95 before; demolition fell from 98 to 89)."),
        (
            60,
            "Storm is now the best plan for the house against a garrison that holds "
            "(96, 95 before; demolition fell from 98 to 89).",
        ),
    ],
)
def test_another_best_plan_says_against_what_and_what_became_of_the_old_one(found, against_sally, words):
    """Only where it matters what the garrison does."""
    told = made_up(
        found,
        (HOUSE, "storm", (95, 0), (96, 0)),
        (HOUSE, "demolish", (0, 98), (0, 89)),
        (HOUSE, "storm against sally", (60, 0), (against_sally, 0)),
        ("other", "storm", (50, 0), (60, 0)),
    )
    assert [*more_words(told)] == [words]


def test_sampled_ends_that_may_make_up_for_each_other_are_no_gain(found):
    line = made_up(found, (HOUSE, "storm", (70, 20), (80, 8))).lines[0]
    assert gain(line) == pytest.approx(-2)

    def within(width: float) -> Line:
        apart = {
            end: Estimate(move, move - width, move + width)
            for end, move in (("p_captured", 0.1), ("p_destroyed", -0.12))
        }
        return replace(line, apart=apart)

    assert gain(within(0.005)) == pytest.approx(-2)
    assert gain(within(0.02)) == 0


def test_captures_come_before_destructions(found):
    swapped = made_up(found, (HOUSE, "storm", (75, 0), (0, 75)))
    assert [end for end, _, _ in by_end(swapped)] == ["p_captured", "p_destroyed"]


def test_a_move_of_other_ends_has_a_line_of_its_own(found):
    still = found.lines[0].before
    moved = {**still, "p_broken": Estimate(still["p_broken"].value + 0.02), "p_held": Estimate(0.0)}
    only = replace(found, lines=(replace(found.lines[0], after=moved),))
    assert next((end, lines) for end, _, lines in by_end(only)) == ("p_broken", [*only.lines])
    assert "storm: broken" not in page(only, [], [], "again", ".html")  # one end alone needs no name beside each line


def test_means_and_how_far_they_move_add_up_as_they_are_written(found):
    """From 3.04 to 3.46: 3.0, 3.5 and +0.5."""
    line = next(line for line in found.lines if line.own)
    name = "attackers_lost_mean"
    only = replace(line, before={**line.before, name: Estimate(3.04)}, after={**line.before, name: Estimate(3.46)})
    every = blocks(replace(found, lines=(only,)), [], {}, None, ("storming", "again"))
    (grid,) = (block for block in every if isinstance(block, Grid) and "means" in block.headings[0])
    assert [row[2:] for row in grid.rows] == [("3.0", "3.5", "+0.5")]


def test_plans_are_named_by_those_of_the_attackers_unless_the_garrison_does_something_else(found):
    told = [(plans, line.game.plans) for line in found.lines for plans, _ in merge_alike([line])]
    assert {plans.attackers for _, plans in told} == {"storm", "demolish", "shoot", "smoke"}
    for said, plans in told:
        assert said == (plans.attackers if plans.defenders == "hold" else f"{plans.attackers} against sally")
    line = found.lines[0]
    alike = [line, replace(line, game=Game(line.game.scenario, Plans("shoot", "sally")))]
    alike[1] = replace(alike[1], point=replace(line.point, plans=Plans("shoot", "sally")))
    assert [said for said, _ in merge_alike(alike)] == ["storm; shoot against sally"]


def test_commands_compute_as_the_receipt_did(games):
    how = How("sampled", trials=300, seed=7)
    sampled = receipt(HEAVY, STORMING, games, how=how)
    told = [*blocks(sampled, [], {}, None, ("storming", "my.toml"))]
    lines = [line for block in told if isinstance(block, Code) for line in block.lines]
    assert lines
    assert all(line.endswith("--engine sampled --trials 300 --seed 7") for line in lines)
    grid = next(block for block in told if isinstance(block, Grid))
    assert all("–" in row[2] and "–" in row[3] for row in grid.rows)
    assert any(isinstance(block, str) and "sampled, each number with the interval" in block for block in told)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('scenarios = ["farmhouse", "farmhous"]', r"line 1: scenarios\[2\]: there is no scenario \"farmhous\""),
        ('[[games]]\nscenario = "farmhous"', r"line 2: games\[1\].scenario: there is no scenario \"farmhous\""),
    ],
)
def test_a_suite_that_names_no_scenario_says_where(tmp_path: Path, text, where):
    path = tmp_path / "suite.toml"
    path.write_text(text)
    with pytest.raises(CasemateError, match=rf"suite\.toml, {where}"):
        suite.load(path)


@pytest.mark.parametrize(
    ("shares", "whole", "told"),
    [
        ([3.249, 7.349], 10.6, ["+3.2", "+7.4"]),
        ([0.04, 0.04, 0.04], 0.1, ["+0.1", "0.0", "0.0"]),
        ([-5.75, 26.47], 20.7, ["-5.8", "+26.5"]),
    ],
)
def test_shares_are_written_so_that_they_add_up(shares, whole, told):
    assert written_shares([*map(Estimate, shares)], whole) == told
    assert sum(map(float, told)) == pytest.approx(whole)
    within = [Estimate(share / 100, (share - 1.03) / 100, (share + 1.03) / 100) for share in shares]
    sampled = written_shares(within, whole, 100)
    assert [said.split(" (")[0] for said in sampled] == told
    for said, share in zip(sampled, shares, strict=True):
        low, high = (float(end) for end in re.findall(r"[(]?([-+]?\d+\.\d)", said)[1:])
        assert low <= share - 1.03 < low + 0.1
        assert high - 0.1 < share + 1.03 <= high


@pytest.fixture(scope="module")
def drawn(games):
    return receipt(HEAVY, STORMING, games, how=How("sampled", trials=1000))


def test_a_sampled_move_has_the_interval_of_common_dice(drawn):
    """Eight differences of each of eight assaults share an error, whether they move or not."""
    assert drawn.shared == 64
    line = next(line for line in drawn.lines if line.moves())
    both = paired(line.point, line.point.under(HEAVY))
    for name, each in both.differences(norm.isf(0.025 / 64)).items():
        assert vars(line.apart[name]) == pytest.approx(vars(each), abs=1e-12)
    still = [line for line in drawn.lines if line.still]
    assert still
    assert all(line.apart == {} and not line.in_doubt for line in still)
    assert all(line.apart == {} for line in receipt(HEAVY, STORMING, [line.game]).lines)


def test_what_luck_may_do_is_no_move(drawn):
    line = next(line for line in drawn.lines if line.moves())
    name = max(line.apart, key=lambda name: abs(line.move(name)) if name.startswith("p_") else 0)
    moved = line.after[name].value - line.before[name].value
    assert line.move(name) == moved
    luck = replace(line, apart=dict.fromkeys(line.apart, Estimate(moved, -0.1, 0.1)))
    assert luck.move(name) == 0
    assert not luck.moves()
    assert luck.in_doubt
    still = replace(line, apart=dict.fromkeys(line.apart, Estimate(moved, -0.005, 0.005)))
    assert not still.in_doubt
    told = [*blocks(replace(drawn, lines=(luck,)), [], {}, None, ("storming", "my.toml"))]
    assert any(
        isinstance(each, str) and "an end may have moved by a point, and may not have moved" in each for each in told
    )
    assert not any(isinstance(each, Grid) and each.headings[0].endswith("of 100") for each in told)
    assert "no end moves by a point" in first_word(replace(drawn, lines=(still,)))
    assert f"whether anything moves by a point ({line.game.scenario})" in first_word(replace(drawn, lines=(luck,)))


def test_a_receipt_that_is_sampled_opens_with_about(found, drawn):
    assert "in about " not in first_word(found)
    assert re.search(r"in about \d+ games in 100, \d+ before", first_word(drawn))


def test_two_workers_say_the_same(drawn, games):
    again = receipt(HEAVY, STORMING, games, how=How("sampled", trials=1000), workers=2)
    for one, other in zip(again.lines, drawn.lines, strict=True):
        assert (one.before, one.after, one.apart) == (other.before, other.after, other.apart)


def test_receipts_of_nothing_new_tell_no_move(games):
    """A short form of `make statistics`: more than 6 of 20 from other seeds come up once in 30,000 runs, at 5 % each."""
    assert sampling.wrong_receipts(STORMING, games[:1], 200, range(20)) <= 6


@pytest.mark.parametrize("apart", [0.02, 0.3])
def test_two_points_are_told_at_the_trials_asked_for(games, apart):
    """A short form of `make statistics`; at 99 % a false alarm in one of a million."""
    null = sampling.null_receipt(STORMING, games[:1], 50, 1)
    rng = np.random.default_rng([8, round(10 * apart)])
    assert 400 * sampling.caught_on_common_dice(null, apart, 2000, 400, rng) >= binom.ppf(1e-6, 400, 0.99)


def test_what_is_asked_for_is_told(drawn):
    told = [each for each in blocks(drawn, [], {}, None, ("storming", "my.toml")) if isinstance(each, str)]
    assert f"A move of two points is told 99 times in 100 with --trials {drawn.asks}." in told
    assert as_data(drawn, [], {}, None)["trials_asked"] == drawn.asks
    assert as_data(drawn, [], {}, None)["assaults"][0]["apart"]["p_captured"].keys() == {"value", "low", "high"}


def test_exact_receipts_ask_for_nothing(found):
    assert found.asks is None
    assert found.in_doubt == []
    assert {one["apart"] is None for one in as_data(found, [], {}, None)["assaults"]} == {True}


def test_what_is_played_on_is_told_apart_by_the_trials_of_both(games):
    """An error over looks and answers; the two may have been played differently often."""
    width, few = 0.05, games[2:4]
    found = receipt(HEAVY, STORMING, few, how=How("sampled", trials=100, until=width))
    line = next(line for line in found.lines if line.apart)
    both = (line.point.play(), line.point.under(HEAVY).play())
    assert line.trials == min(each.trials for each in both)
    expected = paired(line.point, line.point.under(HEAVY), line.trials)
    z = norm.isf(0.025 / (16 * looks(100, width)))
    for name, each in expected.differences(z).items():
        assert vars(line.apart[name]) == pytest.approx(vars(each), abs=1e-12)
    wanted = 0.0
    for line in found.lines:
        for name, each in line.apart.items():
            distance, least = (0.02, 0.02) if name.startswith("p_") else (0.5, 0)
            variance = max(line.trials * ((each.high - each.low) / 2 / z) ** 2, least)
            wanted = max(wanted, 1.1 * variance * ((z + norm.ppf(0.99)) / distance) ** 2)
    assert wanted <= found.asks < 1.1 * wanted
    told = [*blocks(found, [], {}, None, ("storming", "my.toml"))]
    assert not any("were not enough" in each for each in told if isinstance(each, str))
    wide = replace(line, before={**line.before, "p_held": Estimate(0.5, 0.4, 0.6)})
    told = [*blocks(replace(found, lines=(wide,)), [], {}, None, ("storming", "my.toml"))]
    assert any(
        "In 1 answer " in each and "were not enough to be within 0.05." in each
        for each in told
        if isinstance(each, str)
    )


def test_a_chance_that_moves_so_far_differs_in_so_many_trials(drawn):
    """Where no trial has differed yet, that says little of a change that moves two points: its variance is 0.02."""
    none = Paired(1000, {"p_held": Pairs(500, 0, 0, 500)}, {}).differences(norm.isf(0.025 / 64))
    asked = replace(drawn, lines=(replace(drawn.lines[0], apart=none),)).asks
    assert 1.1 * 0.02 * ((norm.isf(0.025 / 64) + norm.ppf(0.99)) / 0.02) ** 2 <= asked < 3000
