import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analysis.cli import run
from analysis.comparing.compare import Comparison, alternatives, bases, compare
from analysis.deciding.explain import Sensitivity, Worth, swings
from analysis.deciding.explain_words import largest_swing
from analysis.pages import report, rules
from analysis.pages.rules import chapters
from analysis.points.margins import ENDS
from analysis.points.point import Played, point
from analysis.points.responses import Estimate
from analysis.say import files
from sims.assault import Assault
from sims.clauses import clause, clauses
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_sets_of
from sims.scenario import load_scenario

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Checks that tags close in order, and collects ids and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [v for k, v in attrs if k in ("src", "href", "xlink:href", "action", "data")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def page_of(found: Comparison) -> str:
    return report.page(found, "casemate compare", {}, report.pictures(found))


@pytest.fixture(scope="module")
def html(exact: Comparison) -> str:
    return report.page(exact, "casemate compare farmhouse", bases(exact), report.pictures(exact))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_the_page_stands_alone(html: str, page: Page) -> None:
    assert all(link.startswith(("#", "data:image/png;")) for link in page.links)
    assert "<script" not in html
    assert not re.search(r"@import|url\((?!#)", html)
    assert len(page.ids) == len(set(page.ids))


def test_the_page_tells_the_whole_story(page: Page, exact: Comparison) -> None:
    said = " ".join(page.words.split())
    for part in (
        exact.scenario.title,
        exact.scenario.story,
        exact.names()[0],
        "Grenades & <b>$x$</b>",
        "tables.grenade.S",
        "Attackers demolish: bring the walls down",
        "Garrison sally: come out and charge",
        "Attackers, plan smoke",
        "The attackers",
        "Exact: every way the dice can fall",
        "casemate compare farmhouse",
        *exact.entries[0].translation,
    ):
        assert part in said, part


def words_before(html: str, mark: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index("<body>") : html.index(mark)]).split())


def test_the_page_opens_with_what_it_finds_and_the_chart_of_it(html: str, exact: Comparison) -> None:
    """No table, list or other chart stands before it."""
    first = words_before(html, '<figure id="chart-ends">')
    storming, house = (round(100 * entry.responses["p_captured"].value) for entry in exact.entries)
    assert storming < house
    assert first.startswith(
        f"The farmhouse The same assault: the attackers take the brick farmhouse in {house} games in 100 under "
        f"Grenades &amp; &lt;b&gt;$x$&lt;/b&gt;, in {storming} under Storming buildings."
    )
    assert f"changes grenade.S 3 -&gt; 6: captured in {house} of 100 games, {storming} under Storming" in first
    assert len(re.findall(r"<svg", html[html.index("chart-ends") : html.index("chart-capture")])) == 2


def test_the_base_of_a_house_rule_is_played_for_the_page_if_nobody_asked_for_it(house_rule: str) -> None:
    game = load_scenario("farmhouse")
    alone, both = (compare(game, rule_sets_of(names)) for names in ([house_rule], ["storming", house_rule]))
    assert bases(alone) == bases(both) == {"heavy-grenades": both.entries[0].responses}


def test_the_base_of_a_house_rule_is_played_once(house_rule: str, runs: list[Assault]) -> None:
    known, game = Played(), load_scenario("farmhouse")
    alone = compare(game, rule_sets_of([house_rule]), known=known)
    assert bases(alone, known) == bases(alone, known)
    assert len(runs) == 2


def test_the_page_names_what_is_not_modelled_yet(exact: Comparison) -> None:
    missing = clause("GB-001")
    entry = replace(exact.entries[0], unmodelled=(("missing", missing),))
    said = " ".join(Page(page_of(replace(exact, entries=(entry,)))).words.split())
    assert "1 clause not done yet" in said
    assert " ".join(missing.title.split()) in said


def test_the_page_names_what_no_assault_plays_and_why(exact: Comparison) -> None:
    entry = replace(exact.entries[0], asked=((clause("ST-012"), "a calculator: a series without end"),))
    said = " ".join(Page(page_of(replace(exact, entries=(entry,)))).words.split())
    assert "1 clause done that no assault plays" in said
    assert f"{clause('ST-012').title} (a calculator: a series without end)" in said


def test_clauses_stand_under_the_document_they_come_from() -> None:
    rows = [("partial", clause(id)) for id in ("ARAP-040", "GB-017", "ARAP-035")]
    of = {document: [row.id for _, row in found] for document, found in report.by_document(rows).items()}
    assert of == {"Gemini-ARAP Basic Rules 2.4": ["ARAP-040", "ARAP-035"], "Gemini building rules": ["GB-017"]}


def test_rulings_in_force_are_those_that_the_assault_asks(exact: Comparison) -> None:
    """Whether there is a second round of blows decides this assault; much else never comes up in it."""
    entry = exact.entries[0]
    asked, _, others = report.rulings(entry)
    assert "ST-043" in {ruling.clause for _, ruling, _ in asked}
    assert len(asked) + others == len([*entry.rule_set.book.all_rulings()])
    assert others > 0


def test_rulings_that_are_weighed_stand_in_the_order_of_what_they_swing(skirmish: str, tmp_path: Path) -> None:
    """Each with the option that moves an end furthest: every option of every ruling is played here alone."""
    file = tmp_path / "page.html"
    assert run(["compare", skirmish, "--rules", "storming", "--weigh", "--out", str(file)]) == 0
    one = point(skirmish, rule_set("storming"))
    before, furthest = one.responses(one.play()), {}
    for name, ruling in one.rule_set.book.all_rulings():
        for option in set(ruling.options) - {ruling.choice}:
            other = one.under(one.rule_set.with_values({f"rulings.{name}": option}))
            then = other.responses(other.play())
            moved = max(abs(then[f"p_{end}"].value - before[f"p_{end}"].value) for end in ENDS)
            if moved > 0.001:
                furthest[name] = max(furthest.get(name, (0.0, "")), (moved, option))
    said = file.read_text("utf-8")
    listed = re.findall(r"<dt><code>(\w+)</code>", said)
    swinging = re.findall(r"<dt><code>(\w+)</code>[^\n]*\n? *<span class=\"soft\">With (\w+), \w+ moves", said)
    assert len(swinging) > 3
    assert swinging == [(name, option) for name, (_, option) in sorted(furthest.items(), key=lambda pair: -pair[1][0])]
    assert listed[: len(swinging)] == [name for name, _ in swinging]
    assert said.count("No other option moves an end by a tenth of a point.") == len(listed) - len(swinging)
    assert "--weigh" in Page(said).words


def test_what_rulings_swing_is_told_with_intervals_and_only_where_they_lie_apart() -> None:
    ends = dict.fromkeys(("p_destroyed", "p_captured", "p_broken", "p_held"), Estimate(0.0))
    before = {**ends, "p_captured": Estimate(0.5, 0.4375, 0.5625), "p_held": Estimate(0.5, 0.4375, 0.5625)}
    luck = {**before, "p_captured": Estimate(0.58, 0.53, 0.63), "p_held": Estimate(0.42, 0.37, 0.47)}
    apart = {**before, "p_captured": Estimate(0.75, 0.6875, 0.8125), "p_held": Estimate(0.3, 0.25, 0.35)}
    worth = (Worth(({"rulings.a": "yes"},), apart), Worth(({"rulings.b": "no"},), luck))
    found = Sensitivity(before, worth, ("rulings.c",), (), ("rulings.d: it does not fit",))
    assert [*swings(found)] == ["rulings.a"]
    assert (
        largest_swing(found, "rulings.a", swings(found).get("rulings.a"))
        == "With yes, captured moves from 50.0 (43.7–56.3) % to 75.0 (68.7–81.3) %."
    )
    for none in ("rulings.b", "rulings.c"):
        assert (
            largest_swing(found, none, swings(found).get(none))
            == "No other option moves an end by a tenth of a point, as far as intervals tell."
        )
    assert largest_swing(found, "rulings.d", None) == "Not every other option can be played here."
    exact = {**ends, "p_captured": Estimate(0.5), "p_held": Estimate(0.5)}
    hardly = {**exact, "p_captured": Estimate(0.5009), "p_held": Estimate(0.4991)}
    found = Sensitivity(exact, (Worth(({"rulings.a": "yes"},), hardly),), (), (), ())
    assert (
        largest_swing(found, "rulings.a", swings(found).get("rulings.a"))
        == "No other option moves an end by a tenth of a point."
    )


@pytest.mark.parametrize("without_a_page", [["--all"], ["--json"]])
def test_rulings_are_weighed_for_a_page(without_a_page: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--weigh", *without_a_page]) == 2
    assert capsys.readouterr().err.startswith("casemate: --weigh is about the page of one assault")


def test_a_sampled_page_says_how_to_read_an_interval(sampled: Comparison) -> None:
    said = " ".join(Page(page_of(sampled)).words.split())
    assert "2,000 assaults each from seed 2" in said
    assert "the true chance lies between" in said


def test_the_same_comparison_gives_the_same_page(exact: Comparison, html: str) -> None:
    assert report.page(exact, "casemate compare farmhouse", bases(exact), report.pictures(exact)) == html


def test_the_command_names_all_that_decides_the_answer(exact: Comparison, sampled: Comparison) -> None:
    line = report.command(exact, ["storming", "my rules.toml"], "farmhouse")
    assert line == (
        "casemate compare farmhouse --plan storm --defence hold --rules 'storming,my rules.toml' "
        "--engine exact --budget 33554432"
    )
    assert report.command(sampled, ["storming"], "farmhouse").endswith("--trials 2000 --seed 2")


@pytest.mark.parametrize(
    ("out", "page"), [("new", "new/x.html"), ("a.html", "a.html"), (".", "x.html"), ("b.htm", "b.htm")]
)
def test_target_is_a_file_or_a_file_in_a_folder(out: str, page: str, tmp_path: Path) -> None:
    assert report.target(tmp_path / out, "x") == tmp_path / page
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("out", ["notes.txt", "file.html/page.html", "folder.html", "deep/b.htm", "deep/er"])
def test_target_refuses_what_cannot_be_written(out: str, tmp_path: Path) -> None:
    (tmp_path / "file.html").touch()
    (tmp_path / "folder.html/x.html").mkdir(parents=True)
    with pytest.raises(CasemateError, match=r"cannot be written|expected a file"):
        report.target(tmp_path / out, "x")


def test_a_page_is_moved_into_place_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    page = tmp_path / "sub/page.html"
    files.write(page, "old")
    assert page.read_text() == "old"
    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(CasemateError, match=r"page.html: cannot be written: No space left"):
        files.write(page, "new")
    assert page.read_text() == "old"
    assert list(page.parent.iterdir()) == [page]


def test_the_page_of_rules_tells_every_clause_with_odds_that_can_be_typed() -> None:
    html = report.rules(chapters())
    page = Page(html)
    assert set(clauses()) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    said = " ".join(page.words.split())
    told = [told for sections in chapters().values() for some in sections.values() for told in some]
    assert len(told) == len(clauses())
    assert all(" ".join(each.clause.title.split()) in said for each in told)
    chapter_ids = [link[1:] for link in page.links if re.fullmatch(r"#[a-z-]+-\d+", link)]
    assert len(chapter_ids) == len(set(chapter_ids)) == sum(map(len, chapters().values()))
    assert all(f'<h3 id="{id}">' in html for id in chapter_ids)
    tries = {one for each in told for one in each.tries}
    assert len(tries) > 150
    assert len([one for one in tries if not one.answer]) < 15


def test_an_example_that_is_refused_is_left_out_of_the_page_of_rules(monkeypatch) -> None:
    some = {"BASE-003": ("to-hit-with-bs BS=6", "to-hit-with-bs skill=6", "no-such-question")}
    monkeypatch.setattr(rules, "examples", lambda: some)
    tries = [t.tries for sections in chapters().values() for told in sections.values() for t in told if t.tries]
    assert [[each.command for each in one] for one in tries] == [["casemate odds to-hit-with-bs BS=6"]]


def test_what_the_page_of_rules_says_of_a_clause() -> None:
    every = {t.clause.id: t for sections in chapters().values() for some in sections.values() for t in some}
    told = every["ARAP-005"]
    assert every["GW-051"].played == "played"
    assert every["ST-012"].played.startswith("a calculator: ")
    assert ("gw_updated", "armour_of_nothing") in {ruling[:2] for ruling in every["GW-051"].rulings}
    assert "sims.rulesets.gw_updated.damage.collapse" in every["GW-051"].places
    assert "sims.games.arap" in told.places[0]
    assert every["GB-139"].tries[0].command == "casemate odds GB-139 hull=3 hits=ggg"
    (hit,) = told.tries
    assert hit.command == "casemate odds ARAP-005 base=1"
    assert run(shlex.split(hit.command)[1:]) == 0
    (again,) = every["BASE-003"].tries  # "with BS 6 or more": a plain 2+ shows nothing of it
    assert (again.command, again.answer) == ("casemate odds BASE-003 BS=6", "31/36 = 0.861111 = 86.1 %")
    roll, _ = every["GW-029"].tries  # of each of its questions
    assert roll.command == "casemate odds GW-029 AP=1 end=highest"


@pytest.mark.parametrize(("plan", "what"), [("storm", "captured"), ("demolish", "cleared")])
def test_plans_are_judged_by_what_the_attackers_of_the_scenario_are_after(skirmish: str, plan: str, what: str) -> None:
    scenario = load_scenario(skirmish, {"attackers.plan": plan})
    found = compare(scenario, rule_sets_of(["storming"]), plans=alternatives(scenario))
    words = " ".join(Page(page_of(found)).words.split())
    assert f"The building is {what} most often, against a garrison that means to hold, by " in words
    assert f"Of all games those in which the building is {what}." in words
