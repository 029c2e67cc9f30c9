"""Pages, as a browser shows them: `make browser`. Nothing leaves the machine, and everybody can read them."""

import io
import os
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from analysis.cli import run
from tests.browser.conftest import Shown

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="make browser installs it")

DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
HOUSE_RULE = 'base = "storming"\ntitle = "Heavier grenades"\n[tables.grenade]\nhits = "D6"\n'
THREE_KEYS = HOUSE_RULE + "S = 4\n[tables.classes]\nstronghold.armour = 11\n"
PAGES = {
    "compare": "compare",
    "house": "compare --rules storming,my-house-rule.toml",
    "sampled": "compare --rules storming --engine sampled --trials 2000",
    "receipt": "receipt my-house-rule.toml --no-store --workers 1",
    "keys": "receipt three-keys.toml --no-store --workers 1",
    "rules": "rules",
}
"""Pages by name, and the commands that write them."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "my-house-rule.toml").write_text(HOUSE_RULE)
    (folder / "three-keys.toml").write_text(THREE_KEYS)
    before = Path.cwd()
    os.chdir(folder)
    for name, command in PAGES.items():
        assert run([*command.split(), "--out", f"{name}.html"]) == 0
    os.chdir(before)
    return folder


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_by_everybody_and_asks_for_nothing(browser, folder, name, size, scheme):
    shown = Shown(browser, (folder / f"{name}.html").as_uri(), size, color_scheme=scheme)
    found = axe.Axe().run(shown.page)
    assert found.violations_count == 0, found.generate_report()
    assert not shown.said
    assert all(url.startswith(("file:", "data:")) for url in shown.asked)
    assert shown.measured("document.documentElement.scrollWidth") <= size["width"]


LETTERS = """[...document.querySelectorAll("svg text")].filter(t => t.textContent.trim() && t.getClientRects().length)
    .map(t => parseFloat(getComputedStyle(t).fontSize) * Math.hypot(t.getScreenCTM().a, t.getScreenCTM().b))"""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["compare", "house", "sampled", "receipt"])
def test_charts_are_drawn_for_the_size_of_the_screen(browser, folder, name, size):
    shown = Shown(browser, (folder / f"{name}.html").as_uri(), size)
    assert min(shown.measured(LETTERS)) > 9.5


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["compare", "house", "sampled"])
def test_the_first_screen_holds_the_finding_and_its_chart(browser, folder, name, size):
    shown = Shown(browser, (folder / f"{name}.html").as_uri(), size)
    lead, chart = (
        shown.measured(
            f"[...document.querySelectorAll('{which}')].find(e => e.getClientRects().length).getBoundingClientRect().toJSON()"
        )
        for which in (".lead", "#chart-ends svg")
    )
    assert lead["bottom"] < chart["top"] < chart["bottom"] < size["height"]


@pytest.mark.parametrize("name", ["compare", "rules"])
def test_everything_that_can_be_worked_is_reached_by_keyboard(browser, folder, name):
    shown = Shown(browser, (folder / f"{name}.html").as_uri(), DESK)
    wanted = shown.measured("document.querySelectorAll('a[href], summary, [tabindex=\"0\"]').length")
    assert wanted
    reached = set()
    for _ in range(min(wanted, 40)):
        shown.page.keyboard.press("Tab")
        reached.add(shown.measured("document.activeElement.outerHTML.slice(0, 200) + document.activeElement.offsetTop"))
    assert len(reached) == min(wanted, 40)


def test_a_printed_page_is_ink_on_paper(browser, folder):
    shown = Shown(browser, (folder / "compare.html").as_uri(), DESK, color_scheme="dark")
    shown.page.emulate_media(media="print")
    assert shown.measured("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.measured("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_a_printed_page_has_what_is_folded_away(browser, folder):
    shown = Shown(browser, (folder / "compare.html").as_uri(), DESK)
    told = "[...document.querySelectorAll('details :is(td, dd, li)')].filter(e => e.checkVisibility() && e.offsetHeight).length"
    assert shown.measured(told) == 0
    shown.page.emulate_media(media="print")
    assert shown.measured(told) == shown.measured("document.querySelectorAll('details :is(td, dd, li)').length") > 0


EDGES = """async () => {
    const wide = [...document.querySelectorAll('.wide')].find(e => e.scrollWidth > e.clientWidth);
    wide.scrollIntoView({block: 'center'});
    wide.scrollLeft = %s;
    await new Promise(requestAnimationFrame);
    return wide.getBoundingClientRect().toJSON();
}"""


@pytest.mark.parametrize("name", ["receipt", "keys"])
def test_no_table_of_a_receipt_scrolls_sideways_on_a_desk_and_no_page_on_a_phone(browser, folder, name):
    desk = Shown(browser, (folder / f"{name}.html").as_uri(), DESK)
    too_wide = "[...document.querySelectorAll('.wide')].filter(each => each.scrollWidth > each.clientWidth).length"
    assert desk.measured(too_wide) == 0
    for size in (DESK, PHONE):
        shown = Shown(browser, (folder / f"{name}.html").as_uri(), size)
        assert shown.measured("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize(("scrolled", "shaded"), [(0, "right"), (10_000, "left")])
def test_a_table_that_can_be_scrolled_is_shaded_at_that_edge(browser, folder, scrolled, shaded):
    """The lightest point of the outermost columns of pixels, between lines and letters, is the paper or a shade."""
    shown = Shown(browser, (folder / "compare.html").as_uri(), PHONE)
    box = shown.measured(EDGES % scrolled)
    brightest = {}
    for edge, x in {"left": box["left"], "right": box["right"] - 1}.items():
        clip = {"x": x, "y": box["top"], "width": 1, "height": box["height"]}
        png = io.BytesIO(shown.page.screenshot(clip=clip))
        brightest[edge] = plt.imread(png)[:, :, :3].max()
    assert {edge for edge, light in brightest.items() if light < 0.95} == {shaded}
