"""Files and arguments of every kind that the program reads, spoilt by a seed, and what has to come of them.

`python -m tests.fuzzing 7` tries seed 7 and says what it was; several may be given.
"""

import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECONDS, KILOBYTES, LETTERS = 20, 2 * 2**20, 1500
ESCAPES = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
DEVICES = ("/dev/full", "/dev/null", "/dev/zero")

FEW = ["--engine", "sampled", "--trials", "50", "--no-store"]
SCENARIO = """base = "farmhouse"
title = "A scuffle"
distance = 8
turns = 3
[attackers]
models = 7
send = 3
first_in = "leader"
specials = [{ weapon = "flamer" }]
[defenders]
models = 4
specials = []
[units.guard]
title = "Guard"
WS = 3
BS = 3
S = 3
T = 3
W = 1
I = 3
A = 1
Ld = 8
Sv = 4
"""
HOUSE = """base = "storming"
title = "Heavy grenades"
[tables.grenade]
hits = "D6"
[rulings]
second_round = "yes"
"""
STUDY = """scenario = "scuffle.toml"
rules = ["storming"]
[vary]
distance = "6..8:2"
attackers.plan = ["storm", "smoke"]
[[vary.approach]]
name = "near"
turns = 2
attackers.models = 6
[[vary.approach]]
name = "far"
turns = 3
attackers.models = 7
"""
SCRIPT = """[[roll]]
label = "morale"
turn = 1
faces = [3, 5]
"""
POSITION = """scenario = "scuffle.toml"
turn = 2
to_move = "attackers"
attackers = 6
defenders = 4
distance = 8
"""
WEIGHTS = """[weights]
captured = 1
attackers_lost = -0.05
defenders_lost = 0.05
"""
SUITE = """scenarios = []
[[games]]
scenario = "scuffle.toml"
plan = "storm"
defence = "hold"
"""

ASKED: dict[str, tuple[str, list[list[str]]]] = {
    "scenario.toml": (
        SCENARIO,
        [
            ["scenarios", "scenario.toml"],
            ["compare", "scenario.toml", "--rules", "storming", *FEW, "--json"],
            ["compare", "scenario.toml", "--rules", "gemini", *FEW, "--json"],
            ["play", "scenario.toml", "--rules", "realm_of_chaos", "--seed", "1"],
            ["sweep", "scenario.toml", "--rules", "storming", "--vary", "distance=8", *FEW, "--out", "swept"],
        ],
    ),
    "house.toml": (
        HOUSE,
        [
            ["rules", "house.toml"],
            ["play", "scuffle.toml", "--rules", "house.toml", "--seed", "1"],
            ["compare", "scuffle.toml", "--rules", "house.toml", *FEW, "--json"],
            ["versus", "storming", "house.toml", "--scenario", "scuffle.toml", "--workers", "1", *FEW, "--json"],
        ],
    ),
    "study.toml": (STUDY, [["sweep", "--study", "study.toml", "--workers", "1", *FEW, "--out", "swept"]]),
    "script.toml": (SCRIPT, [["play", "scuffle.toml", "--script", "script.toml", "--seed", "1"]]),
    "position.toml": (POSITION, [["position", "position.toml", "--rules", "storming"]]),
    "weights.toml": (WEIGHTS, [["best", "scuffle.toml", "--rules", "storming", "--for", "weights.toml"]]),
    "suite.toml": (
        SUITE,
        [["receipt", "heavy.toml", "--suite", "suite.toml", "--workers", "1", *FEW, "--out", "receipt.html"]],
    ),
    "baseline.json": ("", [["baseline", "check", "baseline.json"]]),
    "store.sqlite": (
        "",
        [
            ["store", "--store", "store.sqlite"],
            ["compare", "scuffle.toml", "--rules", "storming", *FEW[:4], "--store", "store.sqlite", "--json"],
        ],
    ),
}
"""What is asked of each kind of file."""

TYPED = [
    ["odds", "10@4+@3+"],
    ["odds", "R3D6P2 up"],
    ["odds", "ST-032", "n=1", "S=4", "AP=5", "T=3", "Sv=5"],
    ["rules", "ST-032"],
    ["scenarios", "farmhouse"],
    ["compare", "scuffle.toml", "--rules", "storming,heavy.toml", *FEW, "--json"],
    ["sweep", "scuffle.toml", "--vary", "attackers.models=6..8", "--rules", "storming", "--workers", "1", *FEW],
    ["sweep", "scuffle.toml", "--vary", "tables.grenade.hits=D3,D6", "--rules", "storming", "--workers", "1", *FEW],
    ["chart", "ends", "scuffle.toml", "--rules", "storming", *FEW[:4], "--out", "chart.svg", "--csv", "chart.csv"],
    ["play", "scuffle.toml", "--rules", "storming", "--seed", "7", "--save-position", "1", "--out", "saved.toml"],
    ["solve", "scuffle.toml", "--rules", "storming", "--vary", "attackers.models", "--target", "0.5", *FEW],
    ["versus", "storming", "heavy.toml", "--scenario", "scuffle.toml", "--workers", "1", *FEW],
    ["new-rule", "new.toml", "--base", "storming"],
    ["export", "scuffle.toml", "--rules", "storming", "--out", "model.drn"],
    ["explain", "heavy.toml", "--scenario", "scuffle.toml", "--workers", "1", *FEW],
]
WHOLE = [
    *((name, asked) for name, (_, questions) in ASKED.items() for asked in questions),
    *(("typed", a) for a in TYPED),
]
"""The lowest seeds ask these of files that are not spoilt."""

NASTY = [
    "\0", "\x1b[31mred", "\\u001b]0;title\\u0007", "\\u0000", "\u202e", "\\u202e", "\x9b", "\ud800", "=cmd|' /C calc'!A0",
    "-", "--", "\n", "\r", "'", '"', '"""', "[", "]", "[[", "{", "}", "=", ",", ".", "..", "#", "\\", "/", "nan", "inf",
    "-inf", "1e999", "-1", "0", "10000000000000", "9" * 30, "1..1000000", "1..9:0", "true", "1979-05-27", "", "all",
    ".".join("a" * 990), "[" * 3000, "x" * 100_000, "\\u0041", "%s%n", "{0}", "$(id)", "../../x", ".", "/dev/zero",
    "base = 'scenario.toml'\n", "base = 'house.toml'\n", "[tables]\n", "[attackers]\n", "[building]\n", "a = 1\n",
]  # fmt: skip


VALUES = [
    '"\\u001b[2J\\u009b\\u202e"', '"=1+1"', '"\\u0000.toml"', '"house.toml"', '"scenario.toml"', '"/dev/zero"', '"."', '""', "-1", "0", "1",
    "3", "7", "60", "61", "200", "9223372036854775807", "1.5", "nan", "-inf", "1e308", "true", "1979-05-27", "[]", "[[]]", "[1, 2]",
    '["storming", "all"]', "{}", "{ a = 1 }", "[{}]", '"1..10000"', '"1..1000000"', '"D6"', '"99D99"', f'"{"y" * 99_999}"', "[" * 9 + "]" * 9,
    "[" * 400 + "]" * 400, f"[{'1, ' * 5000}]", '"smoke"', '"all"', '"storming"', '"gemini"', '"bastion"', "\"\"\"\na\rb\"\"\"",
]  # fmt: skip


def revalued(text: str, dice: random.Random) -> str:
    """Return TOML with some of its values changed, or its keys, and some keys more."""
    lines = text.splitlines()
    for _ in range(dice.randint(1, 3)):
        i = dice.randrange(len(lines))
        key, is_value, _ = lines[i].partition(" = ")
        if is_value:
            new = dice.choice([key, key, key, "a\u200ey", '"a b"', ".".join("k" * dice.choice((3, 13, 990)))])
            lines[i] = f"{new} = {dice.choice(VALUES)}"
        else:
            lines.insert(i + 1, f"{dice.choice(('title', 'extra', 'plan', 'count', 'unit'))} = {dice.choice(VALUES)}")
    return "\n".join(lines)


def spoilt(text: str, dice: random.Random) -> str:
    """Return a text with one to four things done to it."""
    for _ in range(dice.randint(1, 4)):
        at, to = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        lines = text.splitlines(keepends=True) or [""]
        numbers = [*re.finditer(r"-?\d+", text)]
        match dice.randrange(8):
            case 0:
                text = text[:at] + dice.choice(NASTY) + text[at:]
            case 1:
                text = text[:at] + text[min(to, at + 12) :]
            case 2:
                text = text[:at] + text[at:to] * dice.choice((2, 3, 500))
            case 3:
                dice.shuffle(lines)
                text = "".join(lines)
            case 4 if numbers:
                number = dice.choice(numbers)
                text = text[: number.start()] + dice.choice(NASTY) + text[number.end() :]
            case 5:
                words = [*re.finditer(r"\w+", text)]
                one = dice.choice(words) if words else None
                text = text[: one.start()] + dice.choice(NASTY) + text[one.end() :] if one else text
            case 6:
                text += "".join(
                    dice.choice(("# x\n", f"key{n} = 1\n", f"[t{n}]\n")) for n in range(dice.choice((3, 9000)))
                )
            case _:
                i = dice.randrange(len(lines))
                lines[i] = lines[i] * 2 if dice.random() < 0.5 else ""
                text = "".join(lines)
    return text[: 2**19]


def spoilt_bytes(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 3, 50))):
        if changed:
            changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed[: dice.choice((len(changed), len(changed), len(changed) // 2, 30))])


def case(seed: int, folder: Path) -> list[str]:
    """Lay out the files of a seed, and return what is asked."""
    dice = random.Random(seed)
    (folder / "scuffle.toml").write_text(SCENARIO)
    (folder / "heavy.toml").write_text(HOUSE)
    if seed < len(WHOLE):
        name, asked = WHOLE[seed]
        for kind, made in (("store.sqlite", STORE), ("baseline.json", BASELINE)):
            shutil.copy(made, folder / kind)
        if name.endswith(".toml"):
            (folder / name).write_text(ASKED[name][0])
        return asked
    name = dice.choice([*ASKED, "typed", "typed"])
    if name == "typed":
        asked = [*dice.choice(TYPED)]
        for _ in range(dice.randint(1, 2)):
            i = dice.randrange(len(asked))
            asked[i] = dice.choice(NASTY) if dice.random() < 0.3 else spoilt(asked[i], dice)
        return [word.replace("\0", "")[:120_000] for word in asked if word.replace("\0", "") not in DEVICES]
    text, questions = ASKED[name]
    if name == "store.sqlite":
        (folder / name).write_bytes(spoilt_bytes(STORE.read_bytes(), dice))
    elif dice.random() < 0.05:
        os.mkfifo(folder / name)
    elif name == "baseline.json":
        (folder / name).write_text(spoilt(BASELINE.read_text("utf-8"), dice), "utf-8", "surrogatepass")
    elif dice.random() < 0.6:
        (folder / name).write_text(revalued(text, dice), "utf-8")
    elif dice.random() < 0.2:
        (folder / name).write_bytes(spoilt_bytes(text.encode(), dice))
    else:
        (folder / name).write_text(spoilt(text, dice), "utf-8", "surrogatepass")
    return [*dice.choice(questions)]


HERE = Path(tempfile.gettempdir())
STORE, BASELINE = HERE / "store", HERE / "baseline"


def faults(folder: Path, code: int, used: resource.struct_rusage, out: str, err: str) -> list[str]:
    """Say what must not have come of a run."""
    seconds = used.ru_utime + used.ru_stime
    said = {
        f"exit {code}": code not in (0, 1, 2, 3),
        f"{seconds:.0f} s": seconds > SECONDS,
        f"{used.ru_maxrss // 1024} MB": used.ru_maxrss > KILOBYTES,
        f"a message of {len(err)} letters": code == 2 and len(err) > LETTERS,
        "no message": code == 2 and not err.startswith("casemate: "),
        "an answer beside the message": code == 2 and bool(out),
        "a traceback": "Traceback" in err,
        "an escape": bool(ESCAPES.search(out) or ESCAPES.search(err)),
    }
    for file in (f for part in ("swept", "reports") for f in (folder / part).glob("*")):
        said[f"an escape in {file.name}"] = bool(ESCAPES.search(file.read_text("utf-8")))
    said["a part left behind"] = bool([*folder.rglob("*.part")])
    return [name for name, so in said.items() if so]


def attempt(seed: int, run: Callable[[], None], folder: Path) -> tuple[list[str], list[str]]:
    """Run the program on what a seed has spoilt, in a process of its own; return what was asked, and what is wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    asked = case(seed, folder)
    streams = [folder.with_suffix(".out"), folder.with_suffix(".err")]
    child = os.fork()
    if not child:
        os.chdir(folder)
        for number, stream in enumerate(streams, 1):
            os.dup2(os.open(stream, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
        signal.alarm(6 * SECONDS)
        sys.argv[1:] = asked
        try:
            run()
        except SystemExit as end:
            sys.stdout.flush()
            os._exit(end.code if isinstance(end.code, int) else 99)
        except BaseException:
            import traceback

            traceback.print_exc()
        os._exit(99)
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if seed < len(WHOLE) and code:
        return asked, [f"exit {code}, though nothing is spoilt"]
    return asked, faults(folder, code, used, *(stream.read_text("utf-8", "replace") for stream in streams))


def main(seeds: Sequence[str]) -> int:
    """Try seeds, and print what is wrong."""
    global STORE, BASELINE
    os.environ["COLUMNS"] = "80"
    from analysis.cli import main as run
    from analysis.cli import run as ask

    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        STORE, BASELINE = here / "store.sqlite", here / "baseline.json"
        scuffle = here / "scuffle.toml"
        scuffle.write_text(SCENARIO)
        (here / "suite.toml").write_text(SUITE)
        os.environ["CASEMATE_STORE"] = str(STORE)
        devnull = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        first = ask(["compare", str(scuffle), "--rules", "storming", *FEW[:4], "--json"])
        second = ask(["baseline", "write", str(BASELINE), "--rules", "storming", "--suite", str(here / "suite.toml")])
        sys.stdout.flush()
        os.dup2(devnull, 1)
        if first or second:
            print("what is spoilt could not be made", first, second)
            return 1
        os.environ["CASEMATE_STORE"] = str(here / "own.sqlite")
        for seed in seeds:
            asked, found = attempt(int(seed), run, here / "case")
            if found:
                wrong += 1
                said = here.joinpath("case.err").read_text("utf-8", "replace")
                print(f"seed {seed}: {', '.join(found)}\n  {[word[:80] for word in asked]}\n  {said[-1500:]!r}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
