"""Batches: many points are answered as each is alone, whatever is known of them and however they are spread."""

import os
import signal
from itertools import product

import pytest

from analysis.points import batches as module
from analysis.points.batches import answers_of, batches, play
from analysis.points.point import AUTO, How, Played, Point, Reading, point
from sims.errors import CasemateError
from sims.rulesets import rule_set

SMALL = {"distance": 8, "turns": 2, "attackers.specials": [{"weapon": "flamer"}], "defenders.specials": []}
SMALL |= {"attackers.send": 2, "attackers.first_in": "leader"}  # for what starts choose, see `test_choosing`


def grid(rules: str = "storming", how: How = AUTO, **changes) -> list[Point]:
    """Return points with three to five attackers and one to three defenders."""
    numbers = product((3, 4, 5), (1, 2, 3))
    return [
        point("farmhouse", rule_set(rules), SMALL | {"attackers.models": a, "defenders.models": d} | changes, how=how)
        for a, d in numbers
    ]


def told(points: list[Point], found: list) -> list[dict[str, float]]:
    answers = zip(points, found, strict=True)
    return [{name: each.value for name, each in one.responses(answer).items()} for one, answer in answers]


@pytest.fixture
def chains(monkeypatch) -> list[int]:
    """How many starts each chain has had."""
    sizes, plain = [], module.ahead
    monkeypatch.setattr(module, "ahead", lambda one, some, **k: sizes.append(len(some)) or plain(one, some, **k))
    return sizes


def test_a_batch_is_answered_as_its_points_are_alone(rules, chains):
    points = grid(rules)
    together = told(points, [*play(points, Played())])
    assert chains == [9]
    for one, mine in zip(points, together, strict=True):
        alone = {name: each.value for name, each in one.responses(one.play()).items()}
        assert mine == pytest.approx(alone, abs=1e-12)


def test_points_that_differ_in_more_than_their_starts_are_not_together():
    """By plans, by the book, by weapons, by who moves first; and there are none for a few or for sampled ones."""
    points = grid() + grid(**{"attackers.plan": "shoot"}) + grid(**{"rulings.who_falls": "spread"})
    points += grid(**{"attackers.specials": []}) + grid(first="defenders") + grid("gw_updated")
    assert [len(some) for some in batches(points)] == [9] * 6
    assert [len(some) for some in batches(points[:3])] == [1] * 3
    assert {len(some) for some in batches(grid(how=How(engine="sampled")) + grid(how=How(budget=1000)))} == {1}


def test_a_batch_does_not_depend_on_what_is_known(chains):
    """So that work which was interrupted goes on to the very same numbers."""
    points, known = grid("gemini"), Played()
    whole = told(points, [*play(points, known)])
    part = Played()
    for one in points[:4]:
        part.add(one, one.read())
    assert told(points[4:], [*play(points, part)][4:]) == whole[4:]
    assert told(points, [*play(points, known)]) == whole
    assert chains == [9, 9]


class Deadly:
    """Points that are the end of the process that plays them."""

    def __len__(self) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


def test_what_is_known_is_looked_for_once(monkeypatch):
    """A store unpacks what it finds each time; and what was found is answered, whoever clears the store meanwhile."""
    points, known, asked = grid(), Played(), list[str]()
    before = told(points, [*play(points, known)])
    find = known.find
    monkeypatch.setattr(known, "find", lambda one: asked.append(one.id) or find(one))
    assert told(points, [*play([*points, points[0]], known)][:-1]) == before
    assert asked == [one.id for one in points]


def test_a_process_that_is_killed_is_said():
    with pytest.raises(CasemateError, match=r"a process that plays was killed, .* --workers 1"):
        [*module._parallel([Deadly(), Deadly()], 2)]


def test_batches_are_spread_over_workers():
    points = grid() + grid("gw_updated")
    assert told(points, [*play(points, Played(), workers=2)]) == told(points, [*play(points, Played())])


def test_what_is_done_first_is_kept_first_and_told_in_its_place():
    class Noted(Played):
        def add(self, point, found):
            kept.append(point.rule_set.id)
            super().add(point, found)

    kept = list[str]()
    [*play([point("farmhouse", rule_set("storming"), {"turns": n}) for n in (1, 2)], Played(), workers=2)]  # both begin
    points = [point("farmhouse", rule_set("gemini")), point("farmhouse", rule_set("storming"), {"turns": 1})]
    found = [*play(points, Noted(), workers=2)]
    assert kept == ["storming", "gemini"]
    assert told(points, found) == told(points, [*play(points, Played())])


def test_what_is_too_much_for_one_chain_goes_in_halves(monkeypatch, chains):
    points, plain = grid(), module.ahead
    monkeypatch.setattr(module, "ahead", lambda one, some, **k: plain(one, some, **k, budget=40_000 // len(some) ** 2))
    found = [answer.margins for answer in answers_of(points) if isinstance(answer, Reading)]
    assert chains == [9, 4, 5]
    for one, mine in zip(points, told(points, found), strict=True):
        alone = {name: each.value for name, each in one.responses(one.play()).items()}
        assert mine == pytest.approx(alone, abs=1e-12)


def test_what_a_rule_tells_apart_is_played_apart(chains):
    """Who shoots from afar under GW's rules halts where he starts: points with other distances are other batches."""
    points = grid("gw_updated", **{"attackers.plan": "shoot"})
    points += grid("gw_updated", **{"attackers.plan": "shoot", "distance": 9})
    found = [*play(points, Played())]
    assert chains == [18, 9]
    for one, mine in zip(points, told(points, found), strict=True):
        alone = {name: each.value for name, each in one.responses(one.play()).items()}
        assert mine == pytest.approx(alone, abs=1e-12)


def test_what_cannot_be_played_says_why_and_the_others_are_played():
    """A narrow house has room for ten on its one floor under Realm of Chaos (RC-003)."""
    narrow = SMALL | {"attackers.models": 3, "building.footprint": [2, 2], "building.realm_of_chaos.levels": 1}
    points = [point("farmhouse", rule_set("realm_of_chaos"), narrow | {"defenders.models": n}) for n in (2, 3, 4, 15)]
    *found, refused = play(points, Played())
    assert isinstance(refused, CasemateError)
    assert "15" in str(refused)
    for one, mine in zip(points, told(points[:3], found), strict=False):
        alone = {name: each.value for name, each in one.responses(one.play()).items()}
        assert mine == pytest.approx(alone, abs=1e-12)


def test_a_batch_of_which_nothing_can_be_played_says_why_of_each():
    shut = [point("farmhouse", rule_set("storming"), {"building.doors": 0, "turns": n}) for n in (1, 2, 3)]
    assert ["it has no door" in str(answer) for answer in answers_of(shut)] == [True] * 3


def test_a_batch_tells_how_far_it_is():
    points, heard = [*grid(), *grid("gw_updated")], []
    assert len([*play(points, Played(), progress=lambda done, of: heard.append((done, of)))]) == 18
    assert heard[0] == (0, 18)
    assert heard == sorted(heard)
    assert {of for _, of in heard} == {18}
    assert any(0 < done < 9 for done, _ in heard)
    assert any(9 < done < 18 for done, _ in heard)
