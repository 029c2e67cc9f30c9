"""What is meant to harm: the work is done, or refused in one message, soon, and nothing of it reaches the terminal raw."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from analysis.cli import run
from sims.errors import LONGEST, MOST_FAULTS, CasemateError
from sims.reading import MOST_BASES, read
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("rulings_as_in_the_book")
POSIX = pytest.mark.skipif(os.name == "nt", reason="pipes, streams and signals are others there")
SOON = 5.0
"""Seconds of the processor; each of these took more than 17."""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def refused(capsys: pytest.CaptureFixture) -> Callable[..., str]:
    """Run a command that is refused, and return its one message."""

    def ask(*arguments: str) -> str:
        begun = time.process_time()
        assert run(arguments) == 2
        out, err = capsys.readouterr()
        assert time.process_time() - begun < SOON
        assert (out, err[:10]) == ("", "casemate: ")
        assert len(err) <= 1500
        return err

    return ask


def casemate(*arguments: str, **how: object) -> subprocess.Popen[str]:
    """Start the program."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | how.pop("env", {})
    return subprocess.Popen([sys.executable, "-m", "analysis.cli", *arguments], env=environment, text=True, **how)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#\n" * 8000 + "bad = 1", "line 8001: bad: unknown key"),
        ("#" * 29 + "\n" + ("#" * 29 + "\n") * 8000 + "bad = 1", "line 8002: bad: unknown key"),
        ("".join(f"a{n} = 1\n" for n in range(22_000)), "line 1: a0: unknown key"),
        ("bad = [\n" + "1,\n" * 80_000 + "]", "line 80002: bad: unknown key"),
    ],
)
def test_the_line_of_a_bad_key_is_found_soon(text, said, refused):
    Path("long.toml").write_text(text)
    assert said in refused("scenarios", "long.toml")


def test_of_very_many_faults_the_first_are_told(refused):
    Path("house.toml").write_text('base = "storming"\n[tables]\n' + "".join(f"a{n} = 1\n" for n in range(20_000)))
    with pytest.raises(CasemateError) as error:
        rule_set("house.toml")
    assert len(str(error.value).splitlines()) <= MOST_FAULTS
    assert "line 3: tables.a0: unknown table" in refused("rules", "house.toml")


@pytest.mark.parametrize(
    ("varied", "said"),
    [
        (["attackers.models=1..1000000"], "attackers.models: these are 1,000,000 levels; expected at most 10,000"),
        ([f"tables.x{n}=1..9999" for n in range(40)], "points; expected at most 1,000,000"),
        (["attackers.models=200000..209999"], "attackers.models cannot be 200000, 200001"),
        (["building.doors=1..9999"], "building.doors cannot be 13, 14"),
        (["tables.grenade.S=300..350", "attackers.models=20..60"], "expected a number from -200 to 200, got 300"),
    ],
)
def test_a_range_is_counted_before_it_is_made_and_what_cannot_fit_is_refused_at_once(varied, said, refused):
    assert said in refused("sweep", "--rules", "storming", *(word for each in varied for word in ("--vary", each)))


@POSIX
@pytest.mark.parametrize(
    "asked",
    [("store", "--store", "pipe"), ("compare", "--store", "pipe"), ("baseline", "check", "pipe"), ("rules", "pipe")],
)
def test_a_pipe_is_not_waited_for(asked, refused):
    os.mkfifo("pipe")
    assert "pipe" in refused(*asked)


@pytest.mark.parametrize(
    "asked",
    [
        ("scenarios", "deep.toml"),
        ("compare", "--rules", "deep.toml"),
        ("sweep", "--study", "deep.toml"),
        ("best", "--for", "deep.toml"),
        ("sweep", "--vary", ".".join("a" * 990) + "=1"),
    ],
)
@pytest.mark.parametrize("text", [".".join("a" * 990) + " = 1", f"[{'.'.join('a' * 990)}]"])
def test_keys_of_very_many_parts_are_refused(asked, text, refused):
    Path("deep.toml").write_text(text)
    refused(*asked)


def test_a_baseline_that_nests_deeply_is_refused(refused):
    Path("deep.json").write_text("[" * 100_000)
    assert "deep.json: this is no baseline" in refused("baseline", "check", "deep.json")


@pytest.mark.parametrize("read_one", [read, rule_set, load_scenario])
def test_a_name_with_a_null_character_is_refused(read_one):
    with pytest.raises(CasemateError, match=r"a\\x00b\.toml"):
        read_one(Path("a\0b.toml") if read_one is read else "a\0b.toml")


@pytest.mark.parametrize(
    "given",
    [
        ("house.toml", 'base = "a\\u0000b.toml"', ("rules", "house.toml")),
        ("own.toml", 'base = "a\\u0000b.toml"', ("scenarios", "own.toml")),
        ("study.toml", 'scenario = "a\\u0000b.toml"\n[vary]\ndistance = 3', ("sweep", "--study", "study.toml")),
        ("place.toml", 'scenario = "a\\u0000b.toml"\nturn = 2', ("position", "place.toml")),
        ("suite.toml", 'scenarios = ["a\\u0000b.toml"]', ("receipt", "storming", "--suite", "suite.toml")),
    ],
    ids=lambda given: given[0],
)
def test_no_more_is_one_in_a_file(given, refused):
    name, text, asked = given
    Path(name).write_text(text)
    refused(*asked)


def test_house_rules_and_scenarios_are_stacked_so_high_and_no_higher(refused):
    Path("r0.toml").write_text('base = "storming"')
    Path("s0.toml").write_text('base = "farmhouse"')
    for n in range(1, 1500):
        Path(f"r{n}.toml").write_text(f'base = "r{n - 1}.toml"')
        Path(f"s{n}.toml").write_text(f'base = "s{n - 1}.toml"')
    assert rule_set(f"r{MOST_BASES - 1}.toml").base == "storming"
    assert f"more than {MOST_BASES} house rules" in refused("rules", "r1499.toml")
    assert f"more than {MOST_BASES} scenarios" in refused("scenarios", "s1499.toml")


@pytest.mark.parametrize("asked", [("store",), ("compare",), ("store", "--clear", "all")])
def test_a_folder_is_no_store(asked, refused):
    assert "." in refused(*asked, "--store", ".")


@pytest.mark.parametrize(
    "asked",
    [
        ("compare", "LONG"),
        ("compare", "--rules", "LONG"),
        ("LONG",),
        ("odds", "LONG"),
        ("compare", "--LONG"),
        ("sweep", "--vary", "LONG=1"),
        ("sweep", "--vary", "distance=LONG"),
        ("chart", "LONG"),
        ("compare", "--engine", "LONG"),
    ],
)
@pytest.mark.parametrize("long", ["a" * 100_000, "a b " * 25_000], ids=["a word", "words"])
def test_a_long_argument_is_not_repeated_whole(asked, long, refused):
    assert len(refused(*(word.replace("LONG", long) for word in asked))) < LONGEST + 100


@POSIX
@pytest.mark.parametrize("streams", ["0", "1", "2", "012"])
def test_streams_may_be_closed(streams, tmp_path):
    def close() -> None:
        for stream in streams:
            os.close(int(stream))

    with (tmp_path / "err").open("w") as err:
        asked = casemate("play", "--seed", "1", "--ask-me", stderr=err, stdout=subprocess.DEVNULL, preexec_fn=close)
        assert asked.wait(60) == 0
    assert "Traceback" not in (tmp_path / "err").read_text()


def test_what_a_terminal_and_matplotlib_are_told_may_be_nonsense():
    env = {"COLUMNS": "0", "MPLBACKEND": "no such thing"}
    asked = casemate("chart", "dice", "2D6", "--out", "a.svg", stderr=subprocess.PIPE, env=env)
    assert (asked.communicate()[1], asked.returncode) == ("The chart: a.svg\n", 0)
    shown = casemate("odds", "2D6", stdout=subprocess.PIPE, env=env).communicate()[0]
    assert "16.7 %" in shown


EVIL = '"=cmd|a \\u001b[31m\\u0007\\u009b\\u202e\\r & <b>"'
HIDDEN = {*map(chr, [*range(9), *range(11, 32), *range(127, 160)]), "\u202e"}
SEEN = r"\x1b[31m\x07\x9b\u202e"


@pytest.mark.parametrize(
    "asked",
    [
        ("scenarios", "own.toml"),
        ("rules", "house.toml"),
        ("play", "own.toml", "--rules", "house.toml", "--seed", "1"),
        ("compare", "own.toml", "--rules", "house.toml", "--out", "page.html", "--engine", "sampled", "--trials", "50"),
        ("sweep", "own.toml", "--study", "study.toml", "--rules", "house.toml", "--out", "swept", "--chart", "a.svg"),
        ("sweep", "own.toml", "--vary", "attackers.plan=\x1b[31m\x07\x9b\u202e"),
        ("compare", "\x1b[31m\x07\x9b\u202e.toml"),
        ("compare", "bad.toml"),
    ],
    ids=lambda asked: asked[0],
)
def test_what_others_wrote_is_shown_visibly(asked: Sequence[str], skirmish, capsys):
    skirmish = json.dumps(skirmish)
    Path("own.toml").write_text(f"base = {skirmish}\ntitle = {EVIL}\nstory = {EVIL}")
    Path("house.toml").write_text(f'base = "storming"\ntitle = {EVIL}\n[tables.grenade]\nhits = "D6"')
    Path("study.toml").write_text(
        f"[[vary.approach]]\nname = {EVIL}\ndistance = 6\n[[vary.approach]]\nname = 'b'\ndistance = 8"
    )
    Path("bad.toml").write_text(f"base = {skirmish}\n[attackers]\nplan = {EVIL}")
    code = run(asked)
    out, err = capsys.readouterr()
    written = [f.read_text("utf-8") for pattern in ("*.html", "*.svg", "swept/*") for f in Path().glob(pattern)]
    for text in (out, err, *written):
        assert not HIDDEN & {*text}
    assert SEEN in out + err or asked[0] == "play"  # which tells no title
    assert code == (2 if any(w in asked[-1] for w in ("\x1b", "bad")) else 0)
    tables = [*Path().glob("swept/*.csv")]
    assert bool(tables) == ("swept" in asked)
    assert all("'=cmd|a" in file.read_text("utf-8") for file in tables)


@POSIX
@pytest.mark.parametrize(("number", "code"), [(signal.SIGHUP, 129), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_a_sweep_that_is_ended_leaves_no_process_and_no_file(number, code, tmp_path):
    """Within its first second its workers have not had work yet."""
    varied = ("--vary", "attackers.models=5..20", "--vary", "distance=9,10,11")
    asked = casemate("sweep", *varied, "--out", "swept", "--workers", "2", "--no-store", stdout=-3, stderr=-3)
    while not (workers := children(asked.pid)):
        assert asked.poll() is None, "it ended by itself"
        time.sleep(0.02)
    asked.send_signal(number)
    assert asked.wait() == code
    ended = time.monotonic()
    while any(map(runs, workers)):
        assert time.monotonic() - ended < 60, "workers stay"
        time.sleep(0.1)
    assert len([*Path("swept").iterdir()]) == (number == signal.SIGKILL)
    assert (
        run(
            [
                "sweep",
                "--vary",
                "distance=9",
                "--rules",
                "storming",
                "--engine",
                "sampled",
                "--trials",
                "50",
                "--out",
                "swept",
            ]
        )
        == 0
    )
    assert sorted(file.name for file in Path("swept").iterdir()) == ["sweep.csv", "sweep.html"]


def children(of: int) -> list[int]:
    """Return the processes that a process has started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = (map(int, line.split()) for line in listed.splitlines())
    return [pid for pid, parent in pairs if parent == of]


def runs(pid: int) -> bool:
    """Return whether a process is there and has not ended."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")
