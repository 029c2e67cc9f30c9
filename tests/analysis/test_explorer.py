"""The explorer: what its sliders ask is what is played, shown and saved."""

from pathlib import Path

import pytest

from analysis.charts import capture_chart, end_chart, svg
from analysis.compare import alternatives, chosen, compare
from analysis.explorer import Panel
from analysis.explorer.asked import choices, keys
from analysis.rows.assaults import end_rows, turn_rows
from analysis.steps import allowed
from sims.rulesets import rule_set
from sims.scenario import load_scenario


@pytest.fixture
def panel() -> Panel:
    return Panel()


def test_the_panel_begins_with_the_scenario_as_it_is(panel: Panel) -> None:
    found = compare(load_scenario("farmhouse"), chosen(["storming"]))
    assert panel.ends.value.count(svg(end_chart(end_rows(found)), "ends")) == 1
    assert panel.turns.value.count(svg(capture_chart(turn_rows(found)), "turns")) == 1


def test_what_a_slider_says_is_what_is_played(panel: Panel) -> None:
    panel.numbers["attackers.models"].value = 14
    panel.words["building"].value = "bastion"
    panel.rules["realm_of_chaos"].value = True
    game = load_scenario("farmhouse", {"attackers.models": 14, "building": "bastion"})
    found = compare(game, chosen(["realm_of_chaos", "storming"]))
    assert panel.answer is not None
    assert [e.responses for e in panel.answer.entries] == [e.responses for e in found.entries]
    assert "Realm of Chaos buildings" in panel.turns.value
    assert panel.plans.value.count("<tr>") == 1 + 5 * len(alternatives(game))


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


def test_what_cannot_be_played_is_said_and_goes_away_again(panel: Panel) -> None:
    panel.numbers["defenders.models"].value = 16
    assert "expected at most 15 (Brick farmhouse), got 16" in panel.said.value
    assert panel.ends.value == panel.turns.value == panel.plans.value == ""
    panel.numbers["defenders.models"].value = 15
    assert "Exact" in panel.said.value
    panel.rules["storming"].value = False
    assert "no set of rules is chosen" in panel.said.value


def test_another_scenario_brings_its_own_numbers(panel: Panel) -> None:
    panel.scenario.value = "bastion"
    game = load_scenario("bastion")
    assert panel.asked.game() == game
    assert panel.numbers["attackers.models"].value == game.attackers.models


def test_every_value_on_a_slider_is_one_that_the_book_takes(rules: str) -> None:
    one = rule_set(rules)
    for key in keys(one)[::5]:
        options = choices(one, key)
        assert one.leaves[key] in options
        assert all(allowed(one, {key: value}) for value in options), key
