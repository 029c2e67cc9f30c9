"""What every test may use."""

import gc
import os
import re
import signal
from collections.abc import Callable, Hashable, Iterable
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from analysis.comparing import foremost
from analysis.told.replay import events, heading
from sims.assault import Assault
from sims.dice import source
from sims.engines import sampled
from sims.errors import CasemateError
from sims.replay import Replay
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario, scenario_ids

ROOT = Path(__file__).parent.parent
T = TypeVar("T")
JUDGED_BY_RULE_SET = ("test_every_stage_is_judged", "test_positions")
"""Files whose tests look at the judged cases of the set of rules that they name first."""
pytest.register_assert_rewrite("tests.rulesets.judging")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `rules` or `scenario_id` on every one found."""
    if "rules" in metafunc.fixturenames:
        metafunc.parametrize("rules", rule_set_ids())
    if "scenario_id" in metafunc.fixturenames:
        metafunc.parametrize("scenario_id", scenario_ids())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run the tests that ask for `some`, with all their cases")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under `--thorough`, keep the tests that have a short form."""
    if config.getoption("thorough"):
        every = [*items]
        items[:] = [item for item in every if has_a_short_form(item)]
        config.hook.pytest_deselected(items=[item for item in every if not has_a_short_form(item)])


def pytest_collection_finish() -> None:
    """Have garbage looked for more seldom, and not among modules and tests, which stay to the end."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def has_a_short_form(item: pytest.Item) -> bool:
    return "some" in getattr(item, "fixturenames", ())


class Sharing(LoadScopeScheduling):
    """Tests that share what they compute are run by one process."""

    def _split_scope(self, nodeid: str) -> str:
        return shared_by(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Give tests to processes by what they share."""
    return Sharing(config, log)


def shared_by(nodeid: str) -> str:
    """Return the name of what one process computes for several tests: a rule set whose cases they judge, or their file.

    Notebooks share nothing.
    """
    path, _, test = nodeid.partition("::")
    stem, given = Path(path).stem, re.split(r"[\[\]-]", test)[1:]
    if stem == "test_notebooks" and given:
        return nodeid
    owner = given[:1] if stem in JUDGED_BY_RULE_SET else [stem.removeprefix("test_")]
    return next((rules for rules in rule_set_ids() for name in owner if name.startswith(rules)), stem)


class Some(Protocol):
    """Choose cases."""

    def __call__(self, cases: Iterable[T], *kinds: Callable[[T], Hashable]) -> list[T]: ...


@pytest.fixture(scope="session")
def some(request: pytest.FixtureRequest) -> Some:
    """Return what a test takes of its cases: ``some(cases, kind)`` is one of each kind, under `--thorough` all.

    Where there are several kinds, ``some(cases, plan, scenario)``, it is one of each of them: of each plan, of each scenario.
    """
    return (lambda cases, *_: [*cases]) if request.config.getoption("thorough") else one_of_each


def one_of_each(cases: Iterable[T], *kinds: Callable[[T], Hashable]) -> list[T]:
    """Return one case of each kind: the one whose text has the least digest, whatever other cases there are."""
    taken, known = list[T](), set[tuple[int, Hashable]]()
    for case in sorted(cases, key=lambda case: blake2b(str(case).encode()).digest()):
        own = {(n, kind(case)) for n, kind in enumerate(kinds)}
        if own - known:
            taken.append(case)
            known |= own
    return taken


@pytest.fixture
def assault(rules: str, scenario_id: str) -> Assault:
    """A scenario under a rule set, as its file gives it."""
    return rule_set(rules).assault(load_scenario(scenario_id))


_STORES = count()


@pytest.fixture(autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a store of its own, which is not there yet; none writes to the user's."""
    monkeypatch.setenv("CASEMATE_STORE", str(tmp_path_factory.getbasetemp() / f"store-{next(_STORES)}.sqlite"))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play trials in small batches: dice that are rolled are thrown for a whole batch, however few play in it."""
    for module in (sampled, source):
        monkeypatch.setattr(module, "BATCH", 2**14)


def heed_interrupts() -> None:
    """Let a process that is about to begin heed interrupts, which a shell has its background jobs ignore (`preexec_fn`)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


INTERRUPTIBLE = None if os.name == "nt" else heed_interrupts

SKIRMISH = """
base = "farmhouse"
title = "A skirmish"
distance = 8
turns = 3
[attackers]
models = 14
send = 5
first_in = "leader"
specials = [{ weapon = "flamer" }]
[defenders]
models = 8
specials = []
[building]
levels = 1
"""
"""An assault that is played at once; over several floors each exact answer would take Gemini some times as long."""


@pytest.fixture(scope="session")
def skirmish(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file of an assault that is played in no time."""
    path = tmp_path_factory.mktemp("scenarios") / "skirmish.toml"
    path.write_text(SKIRMISH)
    return str(path)


@pytest.fixture(scope="session")
def scuffle(skirmish: str) -> str:
    """Return the file of one with about half as many models, for what plays it very often."""
    path = Path(skirmish).with_name("scuffle.toml")
    path.write_text(SKIRMISH.replace("models = 14", "models = 7").replace("models = 8", "models = 4"))
    return str(path)


@pytest.fixture
def rulings_as_in_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no games to put the rulings of a page in order, which takes longer than most assaults."""

    def refuse(*_: object) -> None:
        raise CasemateError("no games are drawn here")

    monkeypatch.setattr(foremost, "foremost", refuse)


def told(played: Replay) -> list[tuple[str, list[str]]]:
    """Return the moves of a game that rolled or changed something: the heading of each, and its lines."""
    return [(heading(move), lines) for move in played.moves if (lines := events(move))]
