"""The explorer: what its sliders ask is what is played, shown and saved."""

import asyncio
import re
from html import escape
from itertools import permutations, product
from multiprocessing import Pipe, active_children, get_context
from pathlib import Path
from urllib.parse import urlencode

import pytest

from analysis.best_play import words as best_words
from analysis.best_play.best import Question, best_of
from analysis.charts import PHONE, capture_chart, end_chart, svg
from analysis.comparing.compare import alternatives, compare
from analysis.explorer import Panel, best_play, seeking
from analysis.explorer import panel as module
from analysis.explorer.asked import DOORS, Asked, choices, keys, statline
from analysis.explorer.panel import BUILDINGS, NUMBERS, STATS
from analysis.rows.assaults import end_rows, turn_rows
from analysis.say import blocks
from analysis.values.steps import is_allowed
from sims.assault import Assault
from sims.errors import CasemateError
from sims.profiles import library
from sims.rulesets import rule_set, rule_set_ids, rule_sets_of
from sims.scenario import load_scenario, scenario_ids


@pytest.fixture
def panel() -> Panel:
    return Panel(query="rules=storming")


def test_the_panel_begins_with_the_scenario_as_it_is_under_all_rules() -> None:
    panel = Panel()
    found = compare(load_scenario("farmhouse"), rule_sets_of(["all"]))
    assert [entry.rule_set.id for entry in found.entries] == rule_set_ids()
    assert panel.ends.value.count(svg(end_chart(end_rows(found)), "ends")) == 1
    assert panel.turns.value.count(svg(capture_chart(turn_rows(found)), "turns")) == 1
    for name, chart in (
        ("ends", end_chart(end_rows(found), title="", width=PHONE)),
        ("turns", capture_chart(turn_rows(found), width=PHONE)),
    ):
        assert svg(chart, f"small-{name}") in panel.small[name].value


def test_what_a_slider_says_is_what_is_played(panel: Panel) -> None:
    panel.numbers["attackers.models"].value = 14
    panel.words["building"].value = "bastion"
    panel.rules["realm_of_chaos"].value = True
    game = load_scenario("farmhouse", {"attackers.models": 14, "building": "bastion"})
    found = compare(game, rule_sets_of(["realm_of_chaos", "storming"]))
    assert panel.answer is not None
    assert [e.responses for e in panel.answer.entries] == [e.responses for e in found.entries]
    assert "Realm of Chaos buildings" in panel.turns.value
    assert panel.plans.value.count("<tr>") == 1 + len(alternatives(game))


def test_a_value_of_a_book_is_put_on_a_slider_and_saved_as_a_house_rule(
    panel: Panel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    panel.save.click()
    assert "nothing of storming is changed" in panel.said.value
    panel.key.value = "tables.grenade.hits"
    panel.key.value = "rulings.cover_save"
    panel.key.value = "tables.grenade.hits"
    hits, cover = panel.sliders.values()
    assert panel.changed.children == (hits, cover)
    hits.value, cover.value = "D6", "replaces"
    panel.save.click()
    assert "my-house-rule.toml" in panel.said.value
    saved = rule_set("my-house-rule.toml")
    assert saved.title == "My house rule"
    assert saved.changes() == {"tables.grenade.hits": ("D3", "D6"), "rulings.cover_save": ("best", "replaces")}
    assert panel.answer is not None
    (found,) = compare(load_scenario("farmhouse"), [saved]).entries
    assert panel.answer.entries[0].responses == found.responses
    panel.save.click()
    assert "is there already" in panel.said.value
    hits.value, cover.value = "D3", "best"
    assert panel.asked.house == {}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", 'cannot be ""'),
        (".toml", 'cannot be ".toml"'),
        ("rule.txt", 'cannot be "rule.txt"; expected a name that ends in .toml'),
        ("none/rule.toml", 'cannot be "none/rule.toml"; expected a name alone'),
        ("folder/rule.toml", "expected a name alone"),
        ("folder/../rule.toml", "expected a name alone"),
        ("../rule.toml", "expected a name alone"),
        ("{folder}/rule.toml", "expected a name alone"),
    ],
)
def test_a_house_rule_needs_a_name_and_stays_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    (tmp_path / "explorer" / "folder").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "explorer")
    asked = Asked(house={"storming": {"tables.grenade.S": 4}})
    with pytest.raises(CasemateError) as refused:
        asked.save("storming", name.format(folder=tmp_path))
    assert says in str(refused.value)
    assert not [*tmp_path.rglob("*.toml")]


def test_what_cannot_be_played_is_said_and_the_last_picture_stays(panel: Panel) -> None:
    before = panel.ends.value, panel.turns.value, panel.plans.value
    panel.rules["storming"].value = False
    assert "no set of rules is chosen" in panel.said.value
    assert "role='alert'" in panel.said.value
    assert before == (panel.ends.value, panel.turns.value, panel.plans.value)
    panel.rules["storming"].value = True
    assert "Exact" in panel.said.value
    assert "role='status'" in panel.said.value


def test_rules_that_refuse_a_garrison_leave_what_was_played_before(panel: Panel) -> None:
    panel.rules["realm_of_chaos"].value = True
    before = panel.answer, panel.ends.value, panel.turns.value, panel.plans.value
    panel.book.value, panel.key.value = "realm_of_chaos", "tables.sections.models"
    panel.sliders["realm_of_chaos", "tables.sections.models"].value = 1
    assert "got 12 defenders" in panel.said.value
    assert "; what is shown was played before" in panel.said.value
    assert before == (panel.answer, panel.ends.value, panel.turns.value, panel.plans.value)
    assert panel.bar.layout.visibility == "hidden"


def test_sliders_go_as_far_as_the_scenario_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every building: the ends of a slider are taken, and what is beyond is not, or is beyond the scale."""
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    panel = Panel()
    for scenario, (_, building) in product(scenario_ids(), BUILDINGS):
        panel.scenario.value, panel.words["building"].value = scenario, building
        for key, (_, far) in NUMBERS.items():
            slider = panel.numbers[key]
            assert [fits(panel.asked, key, n) for n in (slider.min - 1, slider.min, slider.max)] == [False, True, True]
            assert slider.max == far or not fits(panel.asked, key, slider.max + 1)


def fits(asked: Asked, key: str, value: int) -> bool:
    changes = {**asked.changes, key: value}
    if "building" in changes and DOORS in changes:
        changes[f"buildings.{changes['building']}.doors"] = changes.pop(DOORS)
    try:
        load_scenario(asked.scenario, changes)
    except CasemateError:
        return False
    return True


def test_a_garrison_that_does_not_fit_is_as_large_as_fits(panel: Panel) -> None:
    assert panel.numbers["defenders.models"].max == load_scenario("farmhouse").building.capacity == 15
    panel.words["building"].value = "hut"
    garrison = panel.numbers["defenders.models"]
    assert (garrison.value, garrison.max) == (10, 10)
    assert panel.answer is not None
    assert panel.answer.scenario == load_scenario("farmhouse", {"building": "hut", "defenders.models": 10})


def test_a_garrison_that_was_only_limited_is_whole_again_where_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    panel = Panel()
    garrison, building = panel.numbers["defenders.models"], panel.words["building"]
    building.value = "hut"
    building.value = ""
    assert garrison.value == load_scenario("farmhouse").defenders.models == 12
    garrison.value = 14
    building.value = "hut"
    building.value = ""
    assert garrison.value == 14
    building.value = "hut"
    garrison.value = 7
    building.value = ""
    assert garrison.value == 7


def test_a_limited_garrison_is_none_of_another_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a hut are ten of the farmhouse's twelve; the bastion has ten of its own."""
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    panel = Panel()
    panel.words["building"].value = "hut"
    panel.scenario.value = "bastion"
    assert panel.numbers["defenders.models"].value == load_scenario("bastion").defenders.models == 10


def test_a_scenario_after_any_other_has_the_numbers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    panel = Panel()
    for before, after in permutations(scenario_ids(), 2):
        panel.scenario.value = before
        panel.scenario.value = after
        game = load_scenario(after)
        expected = [game.attackers.models, game.defenders.models, game.building.doors, game.distance, game.turns]
        assert panel.asked.changes == {}
        assert [panel.numbers[key].value for key in NUMBERS] == expected, (before, after)


def test_another_scenario_brings_its_own_numbers(panel: Panel) -> None:
    panel.scenario.value = "bastion"
    game = load_scenario("bastion")
    assert panel.asked.game() == game
    assert panel.numbers["attackers.models"].value == game.attackers.models


def test_a_newer_value_takes_the_place_of_what_has_not_been_played(runs: list[Assault]) -> None:
    """Served: what is played is shown as it goes, and between two sets of rules a slider that has moved is heard."""
    seen = list[tuple[str, float]]()

    async def moved() -> Panel:
        panel = Panel(query="rules=storming")
        panel.bar.observe(lambda change: seen.append((panel.bar.description, change["new"])), "value")
        panel.numbers["turns"].value = 2
        for box in panel.rules.values():
            box.value = True
        while not runs:
            await asyncio.sleep(0.001)
        assert panel.answer is None
        assert panel.bar.layout.visibility == "visible"
        for attackers in (5, 6):
            panel.numbers["attackers.models"].value = attackers
        while panel.answer is None:
            await asyncio.sleep(0.001)
        assert panel.bar.layout.visibility == "hidden"
        return panel

    panel = asyncio.run(moved())
    played = [(one.rules, one.scene.scenario.attackers.models) for one in runs]
    assert played == [("gemini", 20), *((rules, 6) for rules in rule_set_ids())]
    assert [entry.rule_set.id for entry in panel.answer.entries if panel.answer] == rule_set_ids()
    halves = [(f"playing {rule_set(rules).title}", (i + 0.5) / 4) for i, rules in enumerate(rule_set_ids())]
    assert set(halves) <= set(seen)


def test_what_was_played_is_not_played_again_until_it_is_forgotten(
    panel: Panel, runs: list[Assault], monkeypatch: pytest.MonkeyPatch
) -> None:
    slider, plays = panel.numbers["turns"], []
    for turns in (2, 1, 2, 1):
        slider.value = turns
        plays.append(len(runs))
    pairs = len(alternatives(load_scenario("farmhouse")))
    assert plays == [pairs, 2 * pairs, 2 * pairs, 2 * pairs]
    monkeypatch.setattr(module, "REMEMBERED", 1)
    slider.value = 2
    assert len(runs) == 3 * pairs


def test_keys_with_one_value_have_no_slider() -> None:
    """A fraction of an inch has none; a word beside a list of words has."""
    gemini, storming = rule_set("gemini"), rule_set("storming")
    assert gemini.leaves["tables.t_stick.arm"] == "3/2"
    assert {"tables.t_stick.arm", "tables.t_stick.span"}.isdisjoint(keys(gemini))
    assert "tables.agreed.building_class" in keys(storming)
    classes = ["by_look", "impassable", "ruins", "defensible", "stronghold"]
    assert choices(storming, "tables.agreed.building_class") == classes


@pytest.mark.parametrize(
    ("of", "key", "ends"),
    [
        ("storming", "tables.grenade.S", (1, 10)),
        ("gemini", "tables.sections.area", (1, 50)),
        ("gemini", "tables.storming.abreast", (1, 12)),
        ("gemini", "tables.fire.hard_cover", (-12, 0)),
        ("gw_updated", "tables.modifiers.mighty_bulwark", (-12, 12)),
    ],
)
def test_numbers_go_up_to_their_bound_or_to_a_dozen_or_twice_what_they_are(
    of: str, key: str, ends: tuple[int, int]
) -> None:
    found = choices(rule_set(of), key)
    assert found == [*range(ends[0], ends[1] + 1)]


def test_numbers_go_no_further_than_that_on_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """From -6 to 6 the book takes them; both ends are capped where a slider is shorter."""
    monkeypatch.setattr("analysis.explorer.asked.MOST", 3)
    assert choices(rule_set("gemini"), "tables.armour_penetration.no_AP") == [*range(-3, 4)]


def test_every_value_on_a_slider_is_one_that_the_book_takes(rules: str) -> None:
    one = rule_set(rules)
    for key in keys(one)[::5]:
        options = choices(one, key)
        assert one.leaves[key] in options
        assert len(options) > 1, key
        assert all(is_allowed(one, {key: value}) for value in options), key


def test_scenarios_rules_and_sides_have_their_names(panel: Panel) -> None:
    assert dict(panel.scenario.options) == {load_scenario(id).title: id for id in scenario_ids()}
    assert [box.description for box in panel.rules.values()] == [rule_set(id).title for id in rule_set_ids()]
    assert dict(panel.book.options) == {rule_set(id).title: id for id in rule_set_ids()}
    assert panel.profiles.titles == ("attackers: Line trooper", "garrison: Veteran")
    panel.key.value = "tables.grenade.hits"
    assert panel.sliders["storming", "tables.grenade.hits"].description == "grenade: hits"


def test_a_plan_has_one_row_with_the_ends_that_come(panel: Panel) -> None:
    """By another way: each plan played by itself."""
    rows = re.findall(r'<tr><th scope="row">(\w+)</th><td>(.*?)</td></tr>', panel.plans.value)
    assert [plan for plan, _ in rows] == ["storm", "demolish", "shoot", "smoke", "sally"]
    for plan, told in rows:
        key = "defenders.plan" if plan == "sally" else "attackers.plan"
        (found,) = compare(load_scenario("farmhouse", {key: plan}), rule_sets_of(["storming"])).entries
        ends = {end: 100 * found.responses[f"p_{end}"].value for end in ("destroyed", "captured", "broken", "held")}
        shown = dict(re.findall(r"(\w+) (?:&lt;)?([\d.]+)\u00a0%", told))
        assert {end: float(share) for end, share in shown.items()} == pytest.approx(
            {end: share for end, share in ends.items() if share > 0}, abs=0.1
        )


def test_doors_are_those_of_the_building_and_can_be_changed_in_any(still: Panel) -> None:
    assert still.numbers[DOORS].value == load_scenario("farmhouse").building.doors
    still.numbers[DOORS].value = 4
    assert still.asked.game().building == load_scenario("farmhouse").building.model_copy(update={"doors": 4})
    for title, id in BUILDINGS[1:]:
        still.words["building"].value = id
        assert still.numbers[DOORS].value == library().buildings[id].doors
        assert DOORS not in still.asked.changes
        still.numbers[DOORS].value = 5
        building = still.asked.game().building
        assert (building.title, building.doors) == (title, 5)


def test_the_profiles_of_both_units_are_on_sliders(still: Panel) -> None:
    game = still.asked.game()
    assert len(still.profile) == 2 * len(STATS)
    for id, unit in (("trooper", game.attackers.unit), ("veteran", game.defenders.unit)):
        assert all(still.profile[f"units.{id}.{name}"].value == getattr(unit, name) for name in STATS)
    still.profile["units.trooper.WS"].value = 5
    still.profile["units.veteran.Sv"].value = "none"
    game = still.asked.game()
    assert (game.attackers.unit.WS, game.defenders.unit.Sv) == (5, None)
    still.scenario.value = "bastion"
    assert "units.veteran.WS" not in still.profile
    assert still.asked.changes == {}


def test_every_value_of_a_profile_is_one_that_a_scenario_takes() -> None:
    """And the next beyond either end is not, or it is none of a profile's numbers."""
    for name, values in statline(STATS).items():
        numbers = [each for each in values if each is not None]
        assert all(fits(Asked(), f"units.trooper.{name}", each) for each in values)
        assert not any(fits(Asked(), f"units.trooper.{name}", each) for each in (numbers[0] - 1, numbers[-1] + 1))


# The address

SET = {
    "attackers.models": 14,
    "building": "hut",
    DOORS: 3,
    "defenders.models": 9,
    "first": "attackers",
    "attackers.plan": "smoke",
    "units.vanguard.WS": 6,
    "units.trooper.Sv": None,
}


def test_an_address_says_what_is_on_the_sliders_and_sets_them_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    house = {"storming": {"tables.grenade.hits": "D6", "rulings.cover_save": "replaces"}}
    asked = Asked("bastion", ("gemini", "storming"), SET, house)
    panel = Panel(query=f"token=1f3&{asked.query()}")
    assert panel.refused.value == ""
    assert panel.asked == asked
    assert panel.asked.game() == asked.game()
    assert [*panel.changed.children] == [*panel.sliders.values()]
    assert Asked().query() == Panel().asked.query() == ""
    assert asked.query().startswith("scenario=bastion&rules=gemini,storming&attackers.models=14&")


def test_what_an_address_asks_and_cannot_be_is_said_and_the_rest_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    wrong = {
        "scenario": "<b>",
        "turns": "99",
        "distance": "far",
        "attackers.plan": "fly",
        "units.nobody.WS": "3",
        "units.trooper.WS": "11",
        "storming.tables.none": "1",
        "storming.tables.grenade.hits": "D7",
    }
    panel = Panel(query=urlencode({**wrong, "rules": "gemini,nobody", "attackers.models": "12", "other": "x"}))
    told = panel.refused.value
    assert "<b>" not in told
    assert all(f"{escape(key)}={escape(value)}" in told for key, value in wrong.items())
    assert "rules=nobody" in told
    assert "other" not in told
    assert panel.asked == Asked(rules=("gemini",), changes={"attackers.models": 12})


def test_the_address_is_read_and_written_where_the_page_is_the_panels_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    monkeypatch.setenv("QUERY_STRING", "turns=3")
    monkeypatch.delenv("SERVER_SOFTWARE", raising=False)
    plain = Panel.at_address()
    plain.numbers["turns"].value = 4
    assert (plain.asked.changes, plain.script.outputs) == ({"turns": 4}, ())
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.13")
    served = Panel.at_address()
    assert served.asked.changes == {"turns": 3}
    served.numbers["turns"].value = 5
    (written,) = served.script.outputs
    assert "history.replaceState(null, '', '?' + \"turns=5\")" in written["data"]["application/javascript"]


# Best play


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> Panel:
    """A panel with a small assault that plays nothing when a slider moves."""
    monkeypatch.setattr(Panel, "_call", lambda *_: None)
    panel = Panel(query="rules=storming")
    for key, value in {"attackers.models": 4, "defenders.models": 2, "distance": 6, "turns": 2}.items():
        panel.numbers[key].value = value
    return panel


def searching() -> list[object]:
    """Return the processes that look for best play; those that play for sweeps may stand by."""
    return [child for child in active_children() if isinstance(child, get_context("spawn").Process)]


def test_best_play_is_that_of_what_is_on_the_sliders(still: Panel) -> None:
    still.rules["realm_of_chaos"].value = True
    still.key.value = "tables.grenade.hits"
    still.sliders["storming", "tables.grenade.hits"].value = "D6"
    seen = list[float]()
    still.best.bar.observe(lambda change: seen.append(change["new"]), "value")
    still.best.button.click()
    game, rule_sets = still.asked.game(), [still.asked.rule_set(id) for id in ("realm_of_chaos", "storming")]
    told = best_words.in_short(Question(game), [best_of(Question(game), one) for one in rule_sets])
    assert still.best.answer.value == blocks.html(told)
    assert "Storming buildings, changed" in still.best.answer.value
    for entry in compare(game, rule_sets).entries:
        assert f"<td>{100 * entry.responses['p_captured'].value:.1f}</td>" in still.best.answer.value
    assert seen == sorted(seen)
    assert {done < 0.5 for done in seen} == {True, False}
    assert still.best.bar.layout.visibility == "hidden"
    assert not searching()


def test_what_best_play_was_before_is_not_shown_when_a_slider_moves(
    still: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(_asked: Asked):
        yield ["an answer"]

    monkeypatch.setattr(best_play, "found", found)
    house = "storming", "tables.grenade.hits"
    still.key.value = house[1]
    for each, value in (
        (still.numbers["turns"], 3),
        (still.words["attackers.plan"], "smoke"),
        (still.rules["gemini"], True),
        (still.sliders[house], "D6"),
        (still.scenario, "bastion"),
    ):
        still.best.button.click()
        assert still.best.answer.value == "<p>an answer</p>"
        each.value = value
        assert still.best.answer.value == ""


def test_a_slider_that_moves_ends_the_search_for_best_play() -> None:
    """Served: a second press does not begin a second search, and after it has ended the panel goes on."""

    async def moved() -> Panel:
        panel = Panel(query="rules=storming")
        panel.best.button.click()
        while not searching():
            await asyncio.sleep(0.001)
        panel.best.button.click()
        await asyncio.sleep(0.1)
        assert len(searching()) == 1
        assert (panel.best.button.disabled, panel.best.bar.layout.visibility) == (True, "visible")
        assert panel.best.answer.value.endswith("rules: Storming buildings</p>")
        panel.numbers["turns"].value = 2
        await asyncio.sleep(0)
        assert not searching()
        assert (panel.best.button.disabled, panel.best.bar.layout.visibility) == (False, "hidden")
        while panel.answer is None or panel.answer.scenario.turns != 2:  # what was asked before may come in first
            await asyncio.sleep(0.001)
        panel.best.button.click()
        while not searching():
            await asyncio.sleep(0.001)
        panel.best.forget()
        await asyncio.sleep(0)
        assert panel.best.answer.value == ""
        return panel

    panel = asyncio.run(asyncio.wait_for(moved(), 300))
    assert panel.answer is not None
    assert panel.answer.scenario.turns == 2


def test_what_keeps_best_play_from_being_found_is_said_below_what_was(
    still: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(_asked: Asked):
        yield ["what was"]
        raise CasemateError("5 < 6")

    monkeypatch.setattr(best_play, "found", found)
    still.best.button.click()
    assert still.best.answer.value == "<p>what was</p><p role='alert'>5 &lt; 6</p>"
    assert (still.best.button.disabled, still.best.bar.layout.visibility) == (False, "hidden")
    still.rules["storming"].value = False
    still.best.button.click()
    assert still.best.answer.value == "<p role='alert'>no set of rules is chosen</p>"


def test_rules_that_refuse_a_garrison_refuse_its_best_play(still: Panel) -> None:
    still.rules["storming"].value, still.rules["realm_of_chaos"].value = False, True
    still.book.value, still.key.value = "realm_of_chaos", "tables.sections.models"
    still.sliders["realm_of_chaos", "tables.sections.models"].value = 1
    still.numbers["defenders.models"].value = 12
    still.best.button.click()
    assert "role='alert'" in still.best.answer.value
    assert "got 12 defenders" in still.best.answer.value


def test_a_search_that_is_killed_is_told_of() -> None:
    told, tells = Pipe(duplex=False)
    tells.close()
    with told, pytest.raises(CasemateError, match="is there too little memory"):
        asyncio.run(seeking._next(told))
