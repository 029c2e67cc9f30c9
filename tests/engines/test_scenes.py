"""What a rule looks at in its scene."""

from dataclasses import dataclass, replace

from sims.engines.scenes import differing, noting
from sims.rulesets import rule_set
from sims.scenario import load_scenario


@dataclass(frozen=True)
class Within:
    plan: str
    turns: int


@dataclass(frozen=True)
class Scene:
    scenario: Within
    halt: int
    reach: tuple[int, ...]

    @property
    def far(self) -> bool:
        return self.halt > 3


PLAIN = Scene(Within("storm", 3), 5, (1, 2))


def test_what_is_looked_at_is_noted_by_name():
    seen = set[str]()
    scene = noting(PLAIN, seen)
    assert not seen
    assert scene.far
    assert seen == {"halt"}
    assert scene.scenario.plan == "storm"
    assert seen == {"halt", "scenario.plan"}
    assert isinstance(scene, Scene)
    assert vars(PLAIN) == {"scenario": Within("storm", 3), "halt": 5, "reach": (1, 2)}


def test_to_copy_to_compare_and_to_hash_is_to_look_at_all():
    everything = {"scenario.plan", "scenario.turns", "halt", "reach"}
    for look in (
        hash,
        lambda scene: replace(scene.scenario) and replace(scene),
        lambda scene: scene == noting(PLAIN, set()),
        lambda scene: vars(scene) and vars(scene.scenario),
    ):
        seen = set[str]()
        look(noting(PLAIN, seen))
        assert seen == everything


def test_what_is_made_of_a_copy_is_looked_at_as_anything_is():
    """Rules make scenes and units of others; to make one is to look at all of what it is made of."""
    made = replace(noting(PLAIN, set()), halt=2)
    assert (made.halt, made.far, made.reach) == (2, False, (1, 2))


def test_what_differs_has_the_names_that_are_noted():
    assert [*differing(PLAIN, replace(PLAIN))] == []
    other = Scene(Within("shoot", 3), 5, (1,))
    assert [*differing(PLAIN, other)] == ["scenario.plan", "reach"]


def test_what_is_no_scene_is_looked_at_as_a_whole():
    seen = set[str]()
    assert noting(9, seen) == 9
    assert seen == {""} == {*differing(9, 8)}
    assert not [*differing(9, 9)]


def test_plans_change_but_what_follows_from_them(rules):
    one, other = (
        rule_set(rules).assault(load_scenario("farmhouse", {"attackers.plan": p})).scene for p in ("storm", "shoot")
    )
    assert "scenario.plan" in {*differing(one, other)}
    assert not {"scenario.attackers", "scenario.building", "book"} & {*differing(one, other)}
