"""The ground of an assault: formations, walls and bands as files give them, and what is refused."""

import pytest

from sims.engines import solve
from sims.errors import CasemateError
from sims.ground import Band, kind_at, through_smoke
from sims.reading import parse
from sims.rulesets import rule_set
from sims.scenario import build, load_scenario
from sims.words import NO_GROUND
from tests.rulesets.judging import ends_and_losses

FILE = """
base = "farmhouse"
walls = [{ start = [10, -6], end = [10.5, 6] }]
bands = [{ near = 12, far = 16, ground = "smoke" }, { near = 4, far = 8, ground = "soft" }]
[attackers]
formation = { files = 4, gap = 1.5 }
"""


def load(text):
    return build(parse("mine.toml", text), "mine")


def test_a_scenario_has_its_ground():
    scenario = load(FILE)
    assert scenario.walls[0].end == (10.5, 6)
    assert [band.near for band in scenario.bands] == [12, 4]
    assert (scenario.attackers.formation.files, scenario.defenders.formation) == (4, None)
    assert scenario.ground == ["walls", "bands", "attackers.formation"]


def test_a_unit_is_in_a_band_up_to_its_far_edge():
    """And a shot goes through smoke that begins nearer than its target."""
    bands = [Band(near=4, far=8, ground="soft"), Band(near=8, far=10, ground="smoke")]
    assert [kind_at(bands, inches) for inches in (3, 4, 7, 8, 9, 10)] == [
        *("open", "soft", "soft", "smoke", "smoke"),
        "open",
    ]
    assert [through_smoke(bands, inches) for inches in (7, 8, 9, 20)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("files = 4", "files = 0", 6, "attackers.formation.files: expected"),
        ("files = 4, gap = 1.5", "gap = 2", 6, "attackers.formation.files: "),
        ("files = 4", "files = 60", 6, "attackers.formation: expected a rank of at most 72 inches, got 88.5"),
        ("gap = 1.5", "gap = 0", 6, "attackers.formation.gap: expected"),
        ("[10.5, 6]", "[10, -6]", 3, "walls[1]: expected a wall with a length"),
        ("[10.5, 6]", "[-1, 6]", 3, "walls[1]: expected a wall before the building"),
        ("[10.5, 6]", "[0, 6]", 3, "walls[1]: expected a wall before the building"),
        ("far = 16", "far = 12", 4, "bands[1]: expected a band that ends farther off than at 12"),
        (
            "far = 8",
            "far = 13",
            4,
            "bands: expected bands that do not overlap: one goes on to 13, another begins at 12",
        ),
        ('"soft"', '"mud"', 4, "bands[2].ground: expected"),
    ],
)
def test_what_cannot_be_is_refused(old, new, line, said):
    with pytest.raises(CasemateError) as error:
        load(FILE.replace(old, new))
    assert str(error.value).startswith(f"mine.toml, line {line}: ")
    assert said in str(error.value)


def test_more_walls_than_anybody_builds_are_refused():
    walls = ", ".join("{ start = [10, -6], end = [10, 6] }" for _ in range(41))
    with pytest.raises(CasemateError, match="walls: expected at most 40"):
        load(FILE.replace("{ start = [10, -6], end = [10.5, 6] }", walls))


def test_rules_that_do_not_know_the_ground_say_so(rules):
    """No wall, no band and no formation is silently nothing."""
    translation = rule_set(rules).assault(load(FILE)).translation
    knows = rules == "gemini"
    assert translation.get(NO_GROUND, "") == ("" if knows else "walls, bands, attackers.formation")
    assert ("On the way" in translation) == knows
    assert NO_GROUND not in rule_set(rules).assault(load_scenario("farmhouse")).translation


def test_ground_off_the_table_is_refused():
    """Also where it comes from a base, and the attackers begin nearer."""
    near = FILE.replace('base = "farmhouse"', 'base = "farmhouse"\ndistance = 10\nedge = 0')
    with pytest.raises(CasemateError) as error:
        load(near)
    assert str(error.value).startswith(
        "mine.toml, line 6: bands[1]: expected a band on the table, which ends 10 inches off the building"
    )
    assert load(near.replace("10", "12", 1)).bands


def test_ground_behind_attackers_who_begin_nearer_than_written_is_named_and_changes_nothing():
    """It is not refused, for a sweep over distances."""
    behind = [{"near": 20, "far": 36, "ground": "smoke"}]
    with_it, without = (load_scenario("farmhouse", {"bands": bands, "distance": 18}) for bands in (behind, []))
    one, other = (rule_set("gemini").assault(scenario) for scenario in (with_it, without))
    assert one.translation[NO_GROUND] == "smoke from 20 inches on, behind the attackers"
    assert ends_and_losses(solve(one)) == ends_and_losses(solve(other))
