"""A browser: the Chromium that is installed, else that of Playwright."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="no browser is installed; make browser installs one")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Shown:
    """A page as it is shown, with what it asked for and complained of."""

    def __init__(self, browser: Any, url: str, size: dict[str, int], **how: Any) -> None:
        self.page = browser.new_context(viewport=size, **how).new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: message.type == "error" and self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(url)

    def measured(self, script: str) -> Any:
        return self.page.evaluate(script)
