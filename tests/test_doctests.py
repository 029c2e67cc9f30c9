"""Examples in docstrings are run: what they print is what they say."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import analysis
import sims

MODULES = [
    module.name
    for package in (sims, analysis)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if "._template" not in module.name  # whose questions are nobody's
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
