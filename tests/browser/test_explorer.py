"""The explorer, as Voilà serves it: it loads, a slider moves, chart and numbers change, nothing leaves the machine."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from analysis.comparing.compare import compare
from sims.rulesets import rule_sets_of
from sims.scenario import load_scenario
from tests.browser.conftest import Shown
from tests.conftest import ROOT

pytest.importorskip("voila", reason="make browser installs it")


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    paths = os.pathsep.join(filter(None, (str(ROOT / "notebooks/share"), os.environ.get("JUPYTER_PATH"))))
    asked = ["explorer.ipynb", f"--port={port}"]
    with subprocess.Popen(
        [sys.executable, "-m", "voila", *asked],
        cwd=ROOT / "notebooks",
        env=os.environ | {"JUPYTER_PATH": paths},
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr
        yield next(line for line in server.stderr if line.startswith(f"http://localhost:{port}/?token=")).strip()
        server.terminate()


def captured(attackers: int) -> str:
    found = compare(load_scenario("farmhouse", {"attackers.models": attackers}), rule_sets_of(["storming"]))
    return f"{100 * found.entries[0].responses['p_captured'].value:.0f}"


def test_a_slider_moves_and_the_chart_with_it(browser, served):
    shown = Shown(browser, f"{served}&rules=storming", {"width": 1280, "height": 1000})
    shown.page.locator(".casemate-ends svg text", has_text=f"captured {captured(20)} %").wait_for(timeout=60_000)
    before = shown.page.locator(".casemate-turns").inner_html()
    slider = shown.page.locator(".widget-slider", has_text="attackers").locator("[role=slider]").first
    slider.focus()
    for _ in range(6):
        slider.press("ArrowLeft")
    shown.page.locator(".casemate-ends svg text", has_text=f"captured {captured(14)} %").wait_for(timeout=20_000)
    assert shown.page.locator(".casemate-turns").inner_html() != before
    shown.page.locator("table th", has_text="demolish").wait_for(timeout=60_000)

    shown.page.get_by_role("button", name="Best play").click()
    best = shown.page.locator("h2", has_text="if both sides play their best")
    best.wait_for(timeout=120_000)
    assert shown.page.get_by_text("14 v 12").is_visible()
    slider.press("ArrowRight")
    best.wait_for(state="detached", timeout=20_000)
    slider.press("ArrowLeft")
    shown.page.locator(".casemate-ends svg text", has_text=f"captured {captured(14)} %").wait_for(timeout=20_000)

    assert shown.page.url.endswith("?rules=storming&attackers.models=14")
    again = shown.page.context.new_page()
    again.goto(shown.page.url)
    again.locator(".casemate-ends svg text", has_text=f"captured {captured(14)} %").wait_for(timeout=60_000)
    again.close()

    shown.page.get_by_label("Storming buildings", exact=True).uncheck()
    shown.page.locator("[role=alert]", has_text="no set of rules is chosen").wait_for(timeout=20_000)
    assert shown.page.locator(".casemate-ends svg text", has_text=f"captured {captured(14)} %").is_visible()
    shown.page.get_by_label("Gemini building rules", exact=True).check()
    shown.page.get_by_text("playing Gemini building rules").wait_for(timeout=20_000)
    shown.page.locator("[role=status]", has_text="Exact").wait_for(timeout=20_000)
    assert not shown.page.locator("[role=alert]").count()
    shown.page.get_by_text("playing Gemini building rules").wait_for(state="hidden", timeout=60_000)
    assert not shown.said
    own = served.partition("?")[0]
    assert all(url.startswith((own, own.replace("http", "ws"), "data:", "blob:")) for url in shown.asked)


BEYOND = """[...document.querySelectorAll(".casemate *")].filter(each => each.getClientRects().length
    && getComputedStyle(each).visibility != "hidden" && !each.closest(".wide")
    && (each.getBoundingClientRect().right > innerWidth + 1 || each.getBoundingClientRect().left < -1
        || each.matches("button, label, .widget-label") && each.scrollWidth > each.clientWidth + 1))
    .map(each => each.outerHTML.slice(0, 200))"""
"""What is shown and reaches beyond the window, or holds more words than it has room for; tables have a bar of their own."""


@pytest.mark.parametrize(("width", "drawing"), [(1280, "at-desk"), (390, "on-phone")])
def test_nothing_is_cut_off_at_a_desk_or_on_a_phone(browser, served, width, drawing):
    """With the profiles of both units open, and sliders of a house rule."""
    asked = "&storming.tables.grenade.hits=D6&storming.rulings.cover_save=replaces&turns=3"
    shown = Shown(browser, f"{served}{asked}", {"width": width, "height": 844})
    shown.page.locator("table th", has_text="sally").wait_for(timeout=120_000)
    for unit in ("attackers: Line trooper", "garrison: Veteran"):
        shown.page.get_by_text(unit).click()
        shown.page.wait_for_timeout(500)
        assert shown.measured(BEYOND) == []
    drawn = shown.page.locator(".casemate figure:visible")
    assert [each.get_attribute("class").split()[1] for each in drawn.all()] == [drawing] * 2
    assert shown.measured("document.documentElement.scrollWidth <= innerWidth")
    if drawing == "on-phone":
        slider = shown.page.locator(".widget-slider", has_text="grenade: hits").locator("[role=slider]").first
        slider.focus()
        ends, at = drawn.first.bounding_box(), slider.bounding_box()
        assert 0 <= ends["y"] < ends["y"] + ends["height"] <= at["y"] < 844
