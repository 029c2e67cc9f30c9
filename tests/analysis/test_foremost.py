"""Which rulings stand first on the page of a comparison."""

import re
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from analysis.cli import run
from analysis.comparing import foremost as module
from analysis.comparing.compare import compare
from analysis.comparing.foremost import GAMES, foremost, furthest, seed_of
from analysis.points.margins import ENDS
from analysis.points.point import SEED, How, Point, point
from analysis.points.responses import Estimate
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import load_scenario

STORMING = rule_set("storming")
UNSEEN = Estimate(0.3, -0.1, 0.7)
"""A difference that may be none, however large it looks."""


def moved(**ends: Estimate) -> dict[str, Estimate]:
    return {f"p_{end}": ends.get(end, Estimate(0.0, -0.01, 0.01)) for end in ENDS}


def options_of(asked: Point) -> list[tuple[str, str]]:
    """Return every ruling of a book with each of its other options."""
    return [
        (f"rulings.{name}", option)
        for name, ruling in asked.rule_set.book.all_rulings()
        for option in ruling.options
        if option != ruling.choice
    ]


def furthest_moves(asked: Point) -> dict[str, float]:
    """Return for each ruling how far an option moves an end, each option played as it would be by hand."""
    before, far = asked.responses(asked.play()), dict[str, float]()
    for key, option in options_of(asked):
        other = asked.under(asked.rule_set.with_values({key: option}))
        after = other.responses(other.play())
        far[key] = max(far.get(key, 0.0), *(abs(after[f"p_{end}"].value - before[f"p_{end}"].value) for end in ENDS))
    return far


@pytest.fixture(scope="module")
def asked(skirmish: str) -> Point:
    """Return an assault in which it is settled who goes in: no option makes the attackers choose anew."""
    one = point(skirmish, STORMING)
    return replace(one, scenario=STORMING.choice(one.meant).taken(one.scenario))


@pytest.fixture(scope="module")
def first(asked: Point) -> list[str]:
    return foremost(asked)


def test_the_furthest_move_that_is_seen_decides() -> None:
    """The least of all moves that are seen comes last, even of a ruling with others that are large and unseen."""
    found = [
        ("small", moved(held=Estimate(-0.1, -0.15, -0.05), captured=UNSEEN)),
        ("unseen", moved(captured=UNSEEN)),
        ("downwards", moved(broken=Estimate(-0.4, -0.45, -0.35))),
        ("two options", moved(held=Estimate(0.05, 0.01, 0.09))),
        ("as far as small", moved(captured=Estimate(0.1, 0.05, 0.15))),
        ("two options", moved(destroyed=Estimate(0.2, 0.15, 0.25))),
    ]
    assert furthest(found) == ["downwards", "two options", "small", "as far as small"]


def test_an_interval_that_touches_none_is_not_seen() -> None:
    assert furthest([("touches", moved(held=Estimate(0.1, 0.0, 0.2), captured=Estimate(-0.1, -0.2, 0.0)))]) == []


def test_other_numbers_than_the_ends_do_not_count() -> None:
    assert furthest([("slower", {**moved(), "turns_mean": Estimate(2.0, 1.5, 2.5)})]) == []


def test_the_order_is_that_of_games_drawn_one_option_at_a_time(asked: Point, first: list[str]) -> None:
    far = furthest_moves(replace(asked, how=How("sampled", trials=GAMES, seed=SEED)))
    assert first == sorted(first, key=lambda key: -far[key])
    assert len(first) > 2


def test_what_moves_an_end_is_seen_and_what_moves_none_is_not(asked: Point, first: list[str]) -> None:
    """Exactly; what is moved further than intervals reach that common dice do not help is seen surely."""
    far = furthest_moves(asked)
    surely = 8 * sqrt(0.5 / GAMES)
    assert {key for key, by in far.items() if by > surely} <= {*first} <= {key for key, by in far.items() if by > 0}
    assert any(by > surely for by in far.values())
    assert any(by == 0 for by in far.values())


def test_progress_rises(asked: Point, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAMES", 10)
    told = list[float]()
    foremost(asked, progress=lambda done, of: told.append(done / of))
    assert told == sorted({*told})
    assert told[0] == 0
    assert 0.8 < told[-1] < 1


def test_an_option_that_is_refused_leaves_the_others_in_order(
    asked: Point, first: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, refused = module.paired, first[0]

    def refusing(one, other, **how):
        if other.leaves[refused] != one.leaves[refused]:
            raise CasemateError("it does not fit")
        return plain(one, other, **how)

    monkeypatch.setattr(module, "paired", refusing)
    assert foremost(asked) == first[1:]


def test_luck_is_that_of_the_comparison_if_it_has_any(skirmish: str) -> None:
    game = load_scenario(skirmish)
    seeds = [seed_of(compare(game, [STORMING], how=How(engine, trials=10, seed=7))) for engine in ("exact", "sampled")]
    assert seeds == [SEED, 7]


# On the page

PAGE = ["compare", "--rules", "storming", "--out", "page.html"]
IN_BOOK_ORDER = "casemate compare --weigh</code> puts those first that matter most."


@pytest.fixture
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written() -> tuple[str, list[str]]:
    """Return the page, its lines made one, and the rulings on it in their order."""
    html = Path("page.html").read_text("utf-8")
    return " ".join(html.split()), [f"rulings.{name}" for name in re.findall(r"<dt><code>(\w+)</code>", html)]


def by_book(keys: list[str]) -> list[str]:
    return [key for name, _ in STORMING.book.all_rulings() if (key := f"rulings.{name}") in keys]


@pytest.mark.usefixtures("_elsewhere")
def test_the_page_has_them_first_and_the_others_as_in_the_book(skirmish: str, first: list[str]) -> None:
    assert run([*PAGE, skirmish]) == 0
    said, listed = written()
    assert listed == [*first, *by_book([*{*listed} - {*first}])]
    assert len(listed) > len(first) > 2
    assert (
        "by 4,000 drawn games with each on the same dice (seed 1); <code>casemate compare --weigh</code> plays" in said
    )
    before, after = said.split("No option of those below is seen to move an end")
    assert f"<code>{first[-1].removeprefix('rulings.')}</code>" in before
    assert f"<code>{listed[len(first)].removeprefix('rulings.')}</code>" in after


@pytest.mark.usefixtures("_elsewhere")
def test_the_page_is_there_before_its_rulings_are_in_order(
    skirmish: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order of the book, and else as it will be."""
    there = list[tuple[str, list[str]]]()

    def looking(*_: object) -> list[str]:
        there.append(written())
        return ["rulings.second_round"]

    monkeypatch.setattr(module, "foremost", looking)
    assert run([*PAGE, skirmish, "--engine", "sampled", "--trials", "20"]) == 0
    [(before, listed)], (after, sorted_) = there, written()
    assert listed == by_book(listed) != []
    assert sorted_ == ["rulings.second_round", *by_book([*{*listed} - {"rulings.second_round"}])]
    assert IN_BOOK_ORDER in before
    assert capsys.readouterr().err.endswith("casemate: the rulings are in order, those first that matter most\n")
    assert before.split("Rulings in force")[0] == after.split("Rulings in force")[0]


@pytest.mark.usefixtures("_elsewhere")
def test_after_an_interrupt_the_page_has_the_others_as_in_the_book(
    skirmish: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first set of rules is reached, the second is not."""
    keys = ["rulings.second_round", "rulings.blows"]

    def interrupted(asked: Point, *_: object) -> list[str]:
        if asked.rule_set.id == "storming":
            return keys
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "foremost", interrupted)
    Path("mine.toml").write_text('base = "storming"\ntitle = "Mine"\n[tables.grenade]\nS = 6\n')
    assert run([*PAGE, skirmish, "--rules", "mine.toml", "--engine", "sampled", "--trials", "20"]) == 0
    said, listed = written()
    half = len(listed) // 2
    assert listed[:half] == [*keys, *by_book([*{*listed} - {*keys}])]
    assert listed[half:] == by_book(listed)
    assert said.count("In the order of the book: no games were drawn.") == 1
    assert "casemate: interrupted; rulings that were not reached stand in the order" in capsys.readouterr().err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), CasemateError("too much can happen")])
@pytest.mark.usefixtures("_elsewhere")
def test_the_page_is_never_lost(error: BaseException, skirmish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(module, "drawn_columns", fails)
    assert run([*PAGE, skirmish, "--engine", "sampled", "--trials", "20"]) == 0
    said, listed = written()
    assert listed == by_book(listed) != []
    assert IN_BOOK_ORDER in said
    assert "drawn games with each" not in said
