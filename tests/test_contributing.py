"""What README and CONTRIBUTING name is there."""

import re

import pytest

from tests.conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
INVENTED = re.compile(
    r"fifth_cases\.py|(barn|third-door|my-game|my-rules|heavy-grenades|position|approach)\.toml|reports/.*|\.git/.*|\.venv/.*"
)
"""Files that the pages make up, and those that commands write."""


def named(text: str) -> set[str]:
    """Return the files, folders and tests that a page names in its text."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    words = {word for span in spans for word in span.split()} | set(re.findall(r"\]\(([^):]+)\)", text))
    files = {word for word in words if re.fullmatch(r"[\w./*<>-]+(\.(py|toml|md|ipynb)|/[\w<>*-]+)", word)}
    return {word for word in files if not INVENTED.fullmatch(word.removeprefix("tests/rulesets/"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page):
    files = named(page.read_text("utf-8"))
    assert len(files) > 2
    places = [ROOT, ROOT / "sims/rulesets"]
    for name in files:
        pattern = re.sub(r"<\w+>", "*", name)
        found = any(any(place.glob(pattern)) for place in places)
        found = found or ("/" not in name and any(any((ROOT / top).rglob(name)) for top in ("sims", "tests")))
        assert found, f"{page.name} names {name}"


def test_every_test_that_contributing_names_is_there():
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    names = re.findall(r"`(test_\w+)`", PAGES[1].read_text("utf-8"))
    assert names
    for name in names:
        assert f"def {name}(" in tests
