"""Examples in docstrings are run: what they print is what they say."""

import doctest
from importlib import import_module

import pytest

from tests.conftest import ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("sims", "analysis")
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>>" in path.read_text("utf-8")
]
EXAMPLES = [
    pytest.param(test, id=test.name)
    for module in MODULES
    for test in doctest.DocTestFinder(exclude_empty=True).find(import_module(module))
    if test.examples
]


def test_there_are_examples():
    assert len(EXAMPLES) > 5


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_print_what_they_say(example):
    failed, attempted = doctest.DocTestRunner(verbose=False).run(example)
    assert attempted
    assert not failed
