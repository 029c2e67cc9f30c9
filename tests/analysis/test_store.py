"""The store: what it gives back is what was kept, bit by bit; killed work goes on; no file is harmed."""

import ast
import csv
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from contextlib import closing, redirect_stdout
from copy import deepcopy
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.cli import run
from analysis.commands import options
from analysis.pages import report
from analysis.points import batches
from analysis.points import point as points
from analysis.points import store as module
from analysis.points import version as versions
from analysis.points.margins import Margins, margins
from analysis.points.packing import pack, pack_result, unpack, unpack_result
from analysis.points.plans import Plans
from analysis.points.point import How, Played, Point, Reading, point
from analysis.points.store import (
    Spare,
    Store,
    clear,
    contents,
    default,
    open_store,
)
from analysis.sweeps import design, sweep, unmoved
from analysis.values.steps import steps
from sims.engines import COLUMNS, Exact, Sampled
from sims.errors import BudgetError, CasemateError
from sims.rulesets import rule_set
from tests.conftest import ROOT

KILLS = int(os.environ.get("KILLS", "3"))
STORMING = rule_set("storming")


def bits(of):
    """All that margins hold: kinds, sizes, and every bit."""
    kinds = [(each.dtype, each.shape, each.tobytes()) for each in (of.ends, *of.lost.values())]
    return [*kinds, [*of.lost], type(of.cleared), np.array(of.cleared).tobytes(), of.trials, of.looks, of.left_out]


@pytest.mark.parametrize("how", [How("exact"), How("sampled", trials=300)], ids=lambda how: how.engine)
def test_margins_come_back_as_they_were(skirmish, rules, how):
    one = point(skirmish, rule_set(rules), how=how)
    found = margins(one.play(), one.models)
    assert bits(unpack(pack(found))) == bits(found)


@st.composite
def any_margins(draw):
    sampled, turns = draw(st.booleans()), draw(st.integers(1, 12))
    kind, one = (np.int64, st.integers(0, 2**62)) if sampled else (np.float64, st.floats(0, 1))
    ends = draw(arrays(kind, (4, turns), elements=one))
    lost = {side: draw(arrays(kind, draw(st.integers(1, 61)), elements=one)) for side in ("attackers", "defenders")}
    trials = draw(st.integers(1, 2**62)) if sampled else None
    return Margins(ends, lost, draw(one), trials, draw(st.integers(1, 20)))


@given(any_margins())
def test_any_margins_come_back_as_they_were(found):
    assert bits(unpack(pack(found))) == bits(found)


def whole_bits(of):
    """All that a result holds: of which type it is, its fields in their order, and every bit of their numbers."""

    def plain(value):
        match value:
            case np.ndarray():
                return value.dtype, value.shape, value.tobytes()
            case float():
                return value.hex()
            case tuple():
                return tuple(map(plain, value))
            case dict():
                return [(name, plain(each)) for name, each in value.items()]
        return type(value), value

    return type(of), {name: plain(value) for name, value in vars(of).items()}


@pytest.mark.parametrize("engine", ["exact", "sampled", "rolled"])
def test_results_come_back_as_they_were(skirmish, rules, engine):
    found = point(skirmish, rule_set(rules), how=How(engine, trials=300)).play()
    assert whole_bits(unpack_result(pack_result(found))) == whole_bits(found)


def test_results_of_best_play_come_back_as_they_were(scuffle):
    found = point(scuffle, STORMING, plans=Plans("best", "hold")).play()
    assert whole_bits(unpack_result(pack_result(found))) == whole_bits(found)


@st.composite
def any_result(draw):
    n, counted, chance = draw(st.integers(1, 20)), st.integers(0, 2**62), st.floats(0, 1)
    columns = {name: draw(arrays(np.int64, n, elements=counted)) for name in COLUMNS}
    named = st.text('a Z\n"é\\', max_size=9)
    mean = st.tuples(st.floats(0, 100), st.floats(0, 100))
    rules, course = draw(named), tuple(draw(st.lists(mean, min_size=1, max_size=12)))
    if draw(st.booleans()):
        weights = draw(arrays(np.float64, n, elements=chance))
        return Exact(rules, columns, weights, draw(st.dictionaries(named, st.floats(0, 1e9))), course)
    tallies = draw(st.dictionaries(named, st.tuples(st.integers(0, 2**80), st.integers(0, 2**80))))
    counts = draw(arrays(np.int64, n, elements=counted))
    engine = draw(st.sampled_from(["sampled", "rolled"]))
    return Sampled(rules, columns, counts, tallies, course, engine, draw(counted), draw(counted), draw(counted))


@given(any_result())
def test_any_result_comes_back_as_it_was(found):
    assert whole_bits(unpack_result(pack_result(found))) == whole_bits(found)


def test_a_byte_that_has_changed_is_noticed(skirmish):
    played = point(skirmish, STORMING, how=How("sampled", trials=30)).whole().result
    found = point(skirmish, STORMING).read().margins
    for each, packed, unpacked, told in ((found, pack, unpack, bits), (played, pack_result, unpack_result, whole_bits)):
        data, passed = packed(each), 0
        for i in range(len(data)):
            for other in (0x01, 0x80, 0xFF):
                try:
                    again = unpacked(data[:i] + bytes([data[i] ^ other]) + data[i + 1 :])
                except ValueError:
                    continue
                assert told(again) == told(each)  # bits that fill up a byte, or are of a code that is not used
                passed += 1
        assert passed < 3 * len(data) / 100
        with pytest.raises(ValueError, match="incomplete"):
            unpacked(data[:-5])


def test_what_is_kept_is_there_when_the_store_is_opened_again(skirmish, tmp_path, runs):
    file, one = tmp_path / "store", point(skirmish, STORMING)
    with Store(file) as known:
        assert known.find(one) is None
        first = known.read(one)
    with Store(file) as known:
        again = known.read(one)
        sampled = known.of(point(skirmish, STORMING, how=How("sampled", trials=9)))
    assert bits(again.margins) == bits(first.margins)
    assert again.leaves == first.leaves
    assert sampled.trials == 9
    assert len(runs) == 2


KEPT = pytest.mark.parametrize(
    "kept", [lambda path: Store(path / "store"), lambda path: Played()], ids=["file", "memory"]
)


@KEPT
def test_what_was_played_whole_has_margins_too_but_not_the_other_way_round(kept, skirmish, tmp_path, runs):
    known, one, other = kept(tmp_path), point(skirmish, STORMING), point(skirmish, STORMING, {"turns": 2})
    whole = known.whole(one)
    assert whole_bits(known.whole(one).result) == whole_bits(whole.result) == whole_bits(one.play())
    assert known.whole(one).leaves == known.read(one).leaves == whole.leaves
    assert bits(known.of(one)) == bits(margins(whole.result, one.models))
    assert len(runs) == 2
    first = known.of(other)
    assert known.find_whole(other) is None
    assert known.find_whole(one.under(STORMING.with_values({"tables.grenade.hits": "D6"}))) is None
    assert bits(known.of(other)) == bits(margins(known.whole(other).result, other.models)) == bits(first)
    assert len(runs) == 4


@KEPT
def test_margins_that_are_there_stay_as_they_are_when_the_whole_is_played(kept, skirmish, tmp_path):
    """Those of a batch may differ in the sixteenth digit from those of the point alone."""
    known, one = kept(tmp_path), point(skirmish, STORMING)
    reading = one.read()
    known.add(one, reading._replace(margins=replace(reading.margins, cleared=0.125)))
    alone = known.whole(one)
    assert known.of(one).cleared == 0.125
    assert bits(margins(alone.result, one.models)) == bits(reading.margins)


@KEPT
def test_a_whole_that_is_too_large_is_refused_as_its_margins_are(kept, skirmish, tmp_path, runs):
    known, large = kept(tmp_path), point(skirmish, STORMING, how=How("exact", budget=2))
    for asked in (known.whole, known.of, known.whole):
        with pytest.raises(BudgetError, match="more than 2 transitions"):
            asked(large)
    assert len(runs) == 1


def test_cells_of_margins_are_as_large_as_they_were(skirmish, tmp_path):
    """A whole result has a cell of its own, some twenty times as large, which no sweep writes."""
    file = tmp_path / "store"
    with Store(file) as known:
        one = point(skirmish, STORMING)
        known.of(one)
        sizes = "SELECT length(answer) FROM cells ORDER BY 1"
        (margins_alone,) = known._database.execute(sizes).fetchall()
        known.whole(one)
        of_margins, of_whole = known._database.execute(sizes).fetchall()
    assert margins_alone == of_margins
    assert of_whole[0] > 5 * of_margins[0]
    assert contents(file).cells.total() == 2
    assert clear(file, "all") == 2


def test_an_edited_rule_is_played_anew_only_where_it_is_read(skirmish, tmp_path, runs):
    file, now = tmp_path / "store", point(skirmish, STORMING)
    with Store(file) as known:
        read = known.read(now).leaves
    del runs[:]
    with Store(file) as known:
        for some, found in ((sorted({*now.leaves} - read), True), (sorted(read), False)):
            for key, ways in steps(STORMING, some).items():
                for way in ways:
                    assert (known.find(now.under(STORMING.with_values(way))) is not None) == found, key
        unread = next(iter(steps(STORMING, sorted({*now.leaves} - read)).values()))[0]
        known.of(now.under(STORMING.with_values(unread)))
        assert runs == []
        known.of(now.under(STORMING.with_values({"tables.grenade.hits": "D6"})))
        known.of(now)
        assert len(runs) == 1


def test_a_house_rule_on_the_command_line_plays_what_it_touches(skirmish, tmp_path, runs):
    rule = tmp_path / "house.toml"
    asked = ["sweep", skirmish, "--vary", "attackers.plan=storm,smoke", "--rules", str(rule), "--workers", "1"]
    plays = []
    for hits in ("D3", "D3", "D6", "D3"):
        rule.write_text(f'base = "storming"\n[tables.grenade]\nhits = "{hits}"\n')
        assert run(asked) == 0
        plays.append(len(runs))
    assert plays == [2, 2, 4, 4]


def test_that_a_point_is_too_large_to_be_exact_is_kept(skirmish, tmp_path, runs):
    file, large = tmp_path / "store", point(skirmish, STORMING, how=How("exact", budget=2))
    said = []
    for _ in range(2):
        with Store(file) as known, pytest.raises(BudgetError) as refused:
            known.of(large)
        said.append(str(refused.value))
    assert len({*said}) == 1
    assert "more than 2 transitions" in said[0]
    auto = point(skirmish, STORMING, how=How("auto", budget=2, within=1e-4))
    for _ in range(2):
        with Store(file) as known:
            assert 0 < known.of(auto).left_out <= 1e-4
    assert len(runs) == 2


def test_two_versions_of_the_code_never_mix(skirmish, tmp_path, runs, monkeypatch):
    file, one = tmp_path / "store", point(skirmish, STORMING)
    for version in ("one", "other", "one"):
        monkeypatch.setattr(versions, "digest", lambda version=version: version)
        with Store(file) as known:
            known.of(one)
    assert len(runs) == 2
    assert clear(file, "others") == 1
    assert [*contents(file).cells.values()] == [1]
    monkeypatch.setattr(module.np, "__version__", "0.0")
    with Store(file) as known:
        assert known.find(one) is None


def test_the_version_is_every_line_that_makes_margins(tmp_path, monkeypatch):
    def digest():
        return versions.digest.__wrapped__()

    own = digest()
    for folder in ("analysis/points", "sims"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(versions, "__file__", str(tmp_path / "analysis" / "points" / "version.py"))
    assert digest() == own
    for path in ("analysis/points/margins.py", "sims/engines/exact.py", "sims/rulesets/gemini/order.py"):
        text = (tmp_path / path).read_bytes()
        (tmp_path / path).write_bytes(text.replace(b"\n", b"\r\n"))
        assert digest() == own, path
        (tmp_path / path).write_bytes(text + b"# more\n")
        assert digest() != own, path
        (tmp_path / path).write_bytes(text)
    (tmp_path / "sims" / "new.py").write_bytes(b"")
    assert digest() != own


def test_all_that_makes_margins_is_in_the_version():
    """What plays a point imports nothing of analysis but its own room, the whole of which is digested."""
    for file in (ROOT / "analysis" / "points").glob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text("utf-8")))
        froms = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        assert all(f"{each}.".startswith("analysis.points.") for each in froms if each.startswith("analysis")), file


CELLS = 36
FACTORS = ("--vary", "units.trooper.WS=1..6", "--vary", "building.doors=1..3")
SWEEP = (*FACTORS, "--rules", "gemini,storming", "--workers", "1")
"""Of cells that have to be played one by one."""


def start(folder, *more):
    code = "import sys; from analysis.cli import run; sys.exit(run(sys.argv[1:]))"
    given = [sys.executable, "-c", code, "sweep", *SWEEP, "--store", "store", *more]
    return subprocess.Popen(given, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE)


def kept(file):
    """How many cells stand in a store that somebody may be writing to."""
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as database:
        there = database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'cells'").fetchone()[0]
        return database.execute("SELECT count(*) FROM cells").fetchone()[0] if there else 0


@pytest.fixture(scope="module")
def whole(skirmish, tmp_path_factory):
    """The rows of an uninterrupted sweep."""
    out = tmp_path_factory.mktemp("whole")
    assert run(["sweep", skirmish, *SWEEP, "--no-store", "--out", str(out)]) == 0
    return (out / "sweep.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="processes are killed otherwise there")
def test_work_that_is_killed_goes_on_where_it_stopped(skirmish, whole, tmp_path, runs):
    seed = random.randrange(10**6)
    luck, file, before = random.Random(seed), tmp_path / "store", 0
    for _ in range(KILLS):
        going = start(tmp_path, skirmish, "--out", "rows")
        enough = before + luck.randint(0, max(1, CELLS // (KILLS + 1)))
        while going.poll() is None and kept(file) < enough:
            time.sleep(0.001)
        time.sleep(luck.uniform(0, 0.01))
        going.kill()
        going.communicate()
        assert going.returncode == -signal.SIGKILL, seed
        assert enough <= kept(file) < CELLS, seed
        before = kept(file)
    assert run(["sweep", skirmish, *SWEEP, "--store", str(file), "--out", str(tmp_path / "rows")]) == 0
    assert (tmp_path / "rows" / "sweep.csv").read_bytes() == whole, seed
    assert len(runs) == CELLS - before, seed


BATCHES = ("--vary", "distance=6,7", "--vary", "attackers.models=5..8", "--workers", "1")


@pytest.mark.parametrize("portion", [sweep.PORTION, 5])
def test_rows_of_batches_do_not_hang_on_what_is_kept(portion, skirmish, tmp_path, monkeypatch):
    """Where a part of this sweep is, to the last bit; where another one is, whose batches are others, nearly so."""
    monkeypatch.setattr(sweep, "PORTION", portion)

    def rows(*more):
        asked = ["sweep", skirmish, *BATCHES, "--rules", "storming,realm_of_chaos", "--out", str(tmp_path)]
        assert run([*asked, *more]) == 0
        return (tmp_path / "sweep.csv").read_bytes()

    file = tmp_path / "store"
    expected = rows("--no-store")
    assert rows("--store", str(file)) == rows("--store", str(file)) == expected
    for left in (1, 2, 3):
        with closing(sqlite3.connect(file)) as database:
            database.execute(f"DELETE FROM cells WHERE rowid % 4 <> {left}")
            database.commit()
        assert rows("--store", str(file)) == expected
    file.unlink()
    other = ["--vary", "attackers.models=7..12", "--vary", "distance=5..7", "--workers", "1", "--store", str(file)]
    assert run(["sweep", skirmish, *other, "--rules", "storming,realm_of_chaos"]) == 0
    others = rows("--store", str(file))
    assert rows("--store", str(file)) == others
    for one, mine in zip(
        csv.reader(others.decode().splitlines()), csv.reader(expected.decode().splitlines()), strict=True
    ):
        assert one[:-5] == mine[:-5]
        assert one[-5] == mine[-5] or float(one[-5]) == pytest.approx(float(mine[-5]), abs=1e-12)


def test_what_is_impossible_does_not_have_its_batch_played_again(skirmish, tmp_path, monkeypatch, capsys):
    plain = Point.assault.fget

    def assault(one):
        if one.models.attackers == 8:
            raise CasemateError("eight are too many")
        return plain(one)

    monkeypatch.setattr(Point, "assault", property(assault))
    asked = ["sweep", skirmish, "--vary", "attackers.models=5..9", "--rules", "storming", "--workers", "1"]
    assert run(asked) == 0
    first = capsys.readouterr()
    monkeypatch.setattr(batches, "ahead", None)
    assert run(asked) == 0
    assert capsys.readouterr() == first
    assert "1 point cannot be played: eight are too many" in first.out


@pytest.mark.slow
def test_two_processes_share_a_store(skirmish, whole, tmp_path):
    both = [start(tmp_path, skirmish, "--out", name) for name in ("one", "other")]
    for each in both:
        each.communicate()
        assert each.returncode == 0
    assert [(tmp_path / name / "sweep.csv").read_bytes() for name in ("one", "other")] == [whole, whole]
    assert sum(contents(tmp_path / "store").cells.values()) == CELLS


def test_who_writes_waits_for_the_other_and_the_same_cell_twice_is_no_error(skirmish, tmp_path, monkeypatch):
    file, one = tmp_path / "store", point(skirmish, STORMING)
    reading = one.read()
    with Store(file) as known, Store(file) as other:
        known.add(one, reading)
        other.add(one, reading)
        assert bits(other.find(one).margins) == bits(known.find(one).margins) == bits(reading.margins)
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    with Store(file) as known, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CasemateError, match="another process has kept it locked"):
            known.add(one, reading)
        assert known.find(one)
        other.rollback()
        known.add(one, reading)


def test_a_store_that_another_process_clears_is_filled_anew(skirmish, tmp_path, runs):
    file, one = tmp_path / "store", point(skirmish, STORMING)
    with Store(file) as known:
        known.of(one)
        assert clear(file, "all") == 1
        known.of(one)
        known.of(one)
    assert len(runs) == 2


def test_where_there_is_no_wal_it_keeps_its_journal(skirmish, tmp_path, monkeypatch):
    """Locks by a file beside it, as on some networks, leave no room for what WAL shares."""
    plain, file = sqlite3.connect, tmp_path / "store"
    monkeypatch.setattr(sqlite3, "connect", lambda address, **how: plain(f"{address}&vfs=unix-dotfile", **how))
    one = point(skirmish, STORMING)
    with Store(file) as known:
        known.of(one)
        assert {path.name for path in tmp_path.iterdir()} == {"store"}
        assert known._database.execute("PRAGMA synchronous").fetchone() == (2,)  # a journal needs the disk each time
    with Store(file) as known:
        assert known.find(one)


def small_store(file, skirmish):
    with Store(file) as known:
        for turns in range(1, 4):
            one = point(skirmish, STORMING, {"turns": turns})
            known.of(one)
            for n in range(30):  # pages enough
                known.add(point(skirmish, STORMING, {"turns": turns, "distance": 7 + n}), known.read(one))


def test_what_is_kept_outlives_a_power_cut_and_shows_in_the_size(skirmish, tmp_path):
    """By the manual of SQLite a WAL is never damaged with synchronous = NORMAL, which is 1."""
    file, one = tmp_path / "store", point(skirmish, STORMING)
    with Store(file) as known:
        known.of(one)
        for asked, expected in (("journal_mode", "wal"), ("synchronous", 1)):
            assert known._database.execute(f"PRAGMA {asked}").fetchone() == (expected,)
        parts = [path.stat().st_size for path in tmp_path.iterdir()]
        assert len(parts) == 3
        assert contents(file).size >= sum(parts) > file.stat().st_size


def test_what_is_cleared_leaves_nothing_behind(skirmish, tmp_path):
    small_store(tmp_path / "store", skirmish)
    with Store(tmp_path / "new"):
        pass
    assert clear(tmp_path / "store", "all") > 50
    assert (tmp_path / "store").stat().st_size == (tmp_path / "new").stat().st_size
    with Store(tmp_path / "store") as known:
        assert known._database.execute("SELECT count(*) FROM looks").fetchone() == (0,)


def test_what_stands_beside_a_damaged_store_goes_with_it(skirmish, tmp_path):
    """SQLite would take it for the journal of the store that is made next."""
    file = tmp_path / "store"
    later(file, skirmish)
    for part in ("wal", "shm", "journal"):
        file.with_name(f"store-{part}").write_bytes(b"")
    assert clear(file, "all") == 0
    assert [*tmp_path.iterdir()] == []


def test_who_makes_a_store_waits_for_who_is_making_it(tmp_path):
    file, opened_too = tmp_path / "store", []
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        thread = Thread(target=lambda: opened_too.append(Store(file).__exit__()))
        thread.start()
        time.sleep(0.2)
        for each in module._TABLES:
            other.execute(each)
        other.execute("COMMIT")
        thread.join()
    assert opened_too == [None]


def foreign(file, skirmish):
    file.write_text("Dear diary, " * 1000)


def dressed(file, skirmish):
    file.write_bytes(b"SQLite format 3\0" + b"Dear diary, " * 1000)


def short(file, skirmish):
    file.write_bytes(b"x")


def database(file, skirmish):
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE diary (dear TEXT)")


def truncated(file, skirmish):
    small_store(file, skirmish)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def header(file, skirmish):
    small_store(file, skirmish)
    file.write_bytes(file.read_bytes()[:300])


def beginning(file, skirmish):
    """Nothing says whose it is."""
    small_store(file, skirmish)
    file.write_bytes(file.read_bytes()[:50])


def others(file, skirmish):
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE diary (dear TEXT)")
        other.execute("PRAGMA application_id = 7")
    file.write_bytes(file.read_bytes()[:300])


def later(file, skirmish):
    small_store(file, skirmish)
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA user_version = 2")


BAD = {
    foreign: "is no store of Casemate",
    dressed: "is no store of Casemate",
    short: "is no store of Casemate",
    database: "is no store of Casemate",
    truncated: "the store is damaged; casemate store --clear all --store",
    header: "the store is damaged; casemate store --clear all --store",
    beginning: "is no store of Casemate",
    others: "is no store of Casemate",
    later: "the store has layout 2, this version of Casemate has 1; casemate store --clear all --store",
}


@pytest.mark.parametrize("spoil", BAD, ids=lambda spoil: spoil.__name__)
def test_a_file_that_cannot_be_used_is_said_and_left_as_it_is(spoil, skirmish, tmp_path, capsys):
    file = tmp_path / "store"
    spoil(file, skirmish)
    before = file.read_bytes()
    asked = [
        ["sweep", skirmish, "--vary", "turns=1,2", "--rules", "storming", "--workers", "1", "--store", str(file)],
        ["store", "--store", str(file)],
        ["store", "--store", str(file), "--clear", "others"],
    ]
    for arguments in asked:
        assert run(arguments) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"{file}: {BAD[spoil]}" in err
        assert "--store FILE names another" in err
        assert ("--no-store does without" in err) is (arguments[0] == "sweep")
        assert file.read_bytes() == before
    begun_anew = spoil in (truncated, header, later)
    assert run(["store", "--store", str(file), "--clear", "all"]) == (0 if begun_anew else 2)
    assert [path.name for path in tmp_path.iterdir()] == ([] if begun_anew else ["store"])


def test_a_full_disk_is_said_and_what_was_finished_is_kept(skirmish, tmp_path):
    file = tmp_path / "store"
    points = [point(skirmish, STORMING, {"distance": distance}) for distance in range(4, 50)]
    reading = points[0].read()
    done = []

    def fill():
        for each in points:
            known.add(each, reading)
            done.append(each)

    with Store(file) as known:
        known._database.execute("PRAGMA max_page_count = 8")
        with pytest.raises(
            CasemateError, match="store: there is no room left for it; what was finished before is kept"
        ):
            fill()
        assert 0 < len(done) < len(points)
    with Store(file) as known:
        assert [each for each in points if known.find(each)] == done


@pytest.mark.filterwarnings("error")
def test_a_disk_that_is_full_half_way_is_one_message_whoever_plays(skirmish, tmp_path, monkeypatch, capsys):
    """Workers who have played ahead are stopped in silence."""
    plain = module._open

    def small(file):
        database = plain(file)
        database.execute("PRAGMA max_page_count = 5")
        return database

    monkeypatch.setattr(module, "_open", small)
    asked = ["sweep", skirmish, *FACTORS, "--rules", "storming"]
    assert run([*asked, "--workers", "2", "--out", str(tmp_path / "rows")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "there is no room left for it" in err
    assert [*(tmp_path / "rows").iterdir()] == []


def test_a_folder_that_cannot_be_written_to_is_said(skirmish, tmp_path, capsys):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "file").write_text("")
    asked = ["sweep", skirmish, "--vary", "turns=1,2", "--rules", "storming", "--workers", "1", "--store"]
    for file, words in (
        (folder, "cannot be used: "),
        (tmp_path / "none" / "store", f'there is no folder "{tmp_path / "none"}"'),
        (tmp_path / "file" / "store", f'there is no folder "{tmp_path / "file"}"'),
    ):
        assert run([*asked, str(file)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"{file}: " in err
        assert words in err


def test_a_database_that_takes_nothing_is_said(skirmish, tmp_path):
    one = point(skirmish, STORMING)
    with Store(tmp_path / "store") as known:
        known._database.execute("PRAGMA query_only = 1")
        with pytest.raises(CasemateError, match=r"store: cannot be written; --store FILE names another"):
            known.add(one, one.read())


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "{home}/.cache"),
        ("linux", {"XDG_CACHE_HOME": "{home}/mine"}, "{home}/mine"),
        ("linux", {"XDG_CACHE_HOME": "mine"}, "{home}/.cache"),
        ("darwin", {}, "{home}/Library/Caches"),
        ("win32", {}, "{home}/AppData/Local"),
        ("win32", {"LOCALAPPDATA": "{home}/mine"}, "{home}/mine"),
    ],
)
def test_the_default_store_is_in_the_cache_folder(platform, variables, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(module.sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(home=tmp_path))
    assert default() == Path(expected.format(home=tmp_path)) / "casemate" / "store.sqlite"


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """A user without a store, who names none."""
    monkeypatch.delenv("CASEMATE_STORE")
    monkeypatch.setattr(module, "default", lambda: tmp_path / "caches" / "casemate" / "store.sqlite")
    return tmp_path / "caches"


SMALL = ["--vary", "building.doors=1,2", "--rules", "storming", "--workers", "1"]


def test_the_default_store_is_used_unasked_and_can_be_gone_without(at_home, skirmish, runs, capsys):
    assert run(["store"]) == 0
    assert "There is no store at" in capsys.readouterr().out
    assert not at_home.exists()
    plays = []
    for more in ([], [], ["--no-store"], ["--no-store", "--store", "nowhere/store"]):
        assert run(["sweep", skirmish, *SMALL, *more]) == 0
        plays.append(len(runs))
    assert plays == [2, 2, 4, 6]
    assert capsys.readouterr().err == ""
    assert contents(module.default()).cells.total() == 2


def test_an_empty_variable_names_no_store(at_home, skirmish, monkeypatch, capsys):
    monkeypatch.setenv("CASEMATE_STORE", "")
    assert run(["sweep", skirmish, *SMALL]) == 0
    assert module.default().exists()
    capsys.readouterr()
    assert run(["store"]) == 0
    assert str(module.default()) in capsys.readouterr().out.replace("\n", "")


def test_a_default_store_that_cannot_be_used_does_not_stop_the_work(at_home, skirmish, runs, capsys):
    assert run(["sweep", skirmish, *SMALL, "--no-store"]) == 0
    expected = capsys.readouterr().out
    at_home.write_text("")
    assert run(["sweep", skirmish, *SMALL]) == 0
    out, err = capsys.readouterr()
    assert out == expected
    assert err.startswith(f"casemate: {module.default()}: cannot be written: ")
    assert err.endswith("; going on without a store\n")
    assert err.count("\n") == 1
    at_home.unlink()
    at_home.joinpath("casemate").mkdir(parents=True)
    module.default().write_text("Dear diary, " * 1000)
    assert run(["sweep", skirmish, *SMALL]) == 0
    assert "is no store of Casemate" in capsys.readouterr().err
    assert module.default().read_text() == "Dear diary, " * 1000
    assert len(runs) == 6


def test_a_default_store_that_fails_half_way_is_gone_without(at_home, skirmish, runs):
    said = []
    points = [point(skirmish, STORMING, {"turns": turns}) for turns in (1, 2)]
    with Spare(said.append) as known:
        first = known.of(points[0])
        known._store._database.execute("PRAGMA query_only = 1")
        second = known.of(points[1])
        assert known.of(points[1]) is second
        assert len(runs) == 2
        assert bits(known.of(points[0])) == bits(first)
        assert known.whole(points[1]) is known.whole(points[1])
    assert len(said) == 1
    assert contents(module.default()).cells.total() == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "storming", "--scenario", "{dash}"],
        ["explain", "storming", "{rule}", "--scenario", "{dash}"],
        ["explain", "gemini", "storming", "--scenario", "{dash}"],
        ["solve", "{dash}", "--vary", "defenders.models", "--rules", "storming"],
        ["receipt", "{rule}", "--suite", "{suite}"],
        ["versus", "storming", "{rule}", "--scenario", "{dash}"],
        ["sweep", "{dash}", "--vary", "turns=1,2", "--rules", "storming", "--engine", "exact", "--budget", "30000"],
    ],
    ids=lambda arguments: "-".join(arguments[:3]),
)
def test_commands_play_nothing_twice(arguments, skirmish, tmp_path, runs, capsys):
    rule, suite, dash = (tmp_path / f"{name}.toml" for name in ("rule", "suite", "dash"))
    dash.write_text(f'base = "{skirmish}"\nturns = 1\n')
    rule.write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n[rulings]\nsecond_round = "yes"\n')
    suite.write_text(f'[[games]]\nscenario = "{dash}"\n')
    asked = [each.format(dash=dash, rule=rule, suite=suite) for each in arguments]
    told, plays = [], []
    for _ in range(2):
        assert run([*asked, "--workers", "1", "--json"]) == 0
        told.append(capsys.readouterr().out)
        plays.append(len(runs))
    assert told[0] == told[1]
    assert plays[0] == plays[1] > 0


SETS = ["--rules", "storming,{rule}", "--out", "{page}"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "{dash}", *SETS],
        ["compare", "{dash}", *SETS, "--json", "--engine", "sampled", "--trials", "40", "--until", "0.2"],
        ["compare", "{dash}", "--weigh", "--rules", "{rule}", "--out", "{page}"],
    ],
    ids=["page", "sampled", "weigh"],
)
@pytest.mark.usefixtures("rulings_as_in_the_book")
def test_a_comparison_plays_nothing_twice(arguments, skirmish, tmp_path, runs, capsys, monkeypatch):
    monkeypatch.setattr(options, "WORKERS", 1)
    monkeypatch.setattr(report, "picture", lambda *_: "")
    rule, dash, page = tmp_path / "rule.toml", tmp_path / "dash.toml", tmp_path / "page.html"
    dash.write_text(f'base = "{skirmish}"\nturns = 1\n')
    rule.write_text('base = "storming"\n[tables.grenade]\nhits = "D6"\n')
    asked = [each.format(rule=rule, dash=dash, page=page) for each in arguments]
    told, plays = [], []
    for more in ([], [], ["--no-store"]):
        assert run([*asked, *more]) == 0
        told.append((capsys.readouterr().out, page.read_text("utf-8") if page.exists() else ""))
        plays.append(len(runs))
    assert told[0] == told[1] == told[2]
    assert plays[0] == plays[1] > 0
    assert plays[2] == 2 * plays[0]


def test_a_comparison_of_every_scenario_plays_nothing_twice(capsys, monkeypatch):
    asked = ["compare", "--all", "--rules", "storming", "--engine", "sampled", "--trials", "20"]
    assert run(asked) == 0
    first = capsys.readouterr()
    monkeypatch.setattr(Store, "add", lambda *_: pytest.fail("played again"))
    assert run(asked) == 0
    assert capsys.readouterr() == first


def test_what_a_comparison_has_played_serves_all_that_asks_for_margins(skirmish, tmp_path, runs, capsys):
    assert run(["compare", skirmish, "--rules", "storming", "--json"]) == 0
    assert len(runs) == 1
    assert run(["sweep", skirmish, "--vary", "attackers.plan=storm", "--rules", "storming", "--workers", "1"]) == 0
    assert run(["explain", "gemini", "storming", "--scenario", skirmish, "--workers", "1"]) == 0
    assert [one.rules for one in runs] == ["storming", "gemini"]
    assert run(["compare", skirmish, "--rules", "gemini", "--json"]) == 0
    assert len(runs) == 2


def test_an_interrupted_comparison_keeps_what_was_finished(skirmish, runs, capsys, monkeypatch):
    asked = ["compare", skirmish, "--rules", "gemini,realm_of_chaos,storming", "--json"]
    plain = points.run

    def interrupted(assault, **how):
        if assault.rules == "storming":
            raise KeyboardInterrupt
        return plain(assault, **how)

    with monkeypatch.context() as patched:
        patched.setattr(points, "run", interrupted)
        assert run(asked) == 130
    said = "what was finished is in the store, if there is one, and the same command goes on from there"
    assert capsys.readouterr() == ("", f"casemate: interrupted; {said}\n")
    assert [one.rules for one in runs] == ["gemini", "realm_of_chaos"]
    assert run(asked) == 0
    assert [one.rules for one in runs] == ["gemini", "realm_of_chaos", "storming"]


def test_the_store_is_shown_and_cleared(skirmish, tmp_path, capsys, monkeypatch):
    asked = ["sweep", skirmish, "--vary", "turns=1,2", "--rules", "storming,gemini", "--workers", "1"]
    assert run(asked) == 0
    monkeypatch.setattr(versions, "digest", lambda: "another")
    assert run([*asked[:-3], "storming", *asked[-2:]]) == 0
    capsys.readouterr()
    file = Path(os.environ["CASEMATE_STORE"])

    def shown(*more):
        assert run(["store", *more]) == 0
        plain = capsys.readouterr().out
        return plain, json.loads(plain) if "--json" in more else [line.split() for line in plain.splitlines()]

    _, lines = shown()
    assert ["gemini", "0", "2"] in lines
    assert ["storming", "2", "2"] in lines
    _, data = shown("--json")
    assert data == {
        "file": str(file),
        "bytes": file.stat().st_size,
        "layout": 1,
        "code": f"another NumPy {np.__version__}",
        "cells": [{"rules": "gemini", "own": 0, "others": 2}, {"rules": "storming", "own": 2, "others": 2}],
        "cleared": None,
    }
    assert shown("--clear", "others", "--json")[1]["cleared"] == 4
    assert shown("--json")[1]["cells"] == [{"rules": "storming", "own": 2, "others": 0}]
    assert "Cleared: 2 cells." in shown("--clear", "all")[0]
    assert "It is empty." in shown()[0]
    file.unlink()
    assert shown("--json")[1] == {**data, "bytes": 0, "layout": None, "cells": []}
    assert "Cleared: no cells." in shown("--clear", "all")[0]


@pytest.mark.parametrize("said", [(), ("--json",)], ids=["words", "json"])
def test_memory_does_not_grow_with_the_cells(said, skirmish, tmp_path, monkeypatch):
    """What 80 more cells leave behind is less than what is known of one of them; without a store it is all of it."""
    reading = point(skirmish, STORMING).read()
    monkeypatch.setattr(Point, "read", lambda self, progress=None: reading._replace(margins=deepcopy(reading.margins)))
    monkeypatch.setattr(sweep, "PORTION", 10)
    monkeypatch.setattr(design, "MOST_GAMES", 10)
    monkeypatch.setattr(unmoved, "MOST", 10)  # up to which it keeps what would tell that a factor changes nothing

    def peak(cells, *where):
        factors = ("building.doors=1..2", "units.trooper.WS=1..10", f"units.trooper.S=1..{cells // 20}")
        asked = [*chain(*(("--vary", each) for each in factors)), "--workers", "1"]
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
            assert run(["sweep", skirmish, *asked, "--rules", "storming", *said, *where]) == 0
        return tracemalloc.get_traced_memory()[1] - before

    one = len(pack(reading.margins))
    peak(20, "--store", str(tmp_path / "warm"))
    tracemalloc.start()
    try:
        few, *many = (
            peak(cells, "--store", str(tmp_path / name)) for cells, name in ((20, "a"), (100, "b"), (100, "c"))
        )
        assert min(many) - few < 80 * one  # the lesser: what else goes on in this process takes memory now and then
        assert peak(100, "--no-store") - peak(20, "--no-store") > 4 * 80 * one
    finally:
        tracemalloc.stop()


def test_a_sweep_in_python_is_kept_as_well(skirmish, tmp_path, runs):
    for _ in range(2):
        with open_store(tmp_path / "store") as known:
            sweep.sweep(skirmish, {"building.doors": [1, 2]}, rules=["storming"], known=known)
    assert len(runs) == 2


def test_in_memory_as_in_a_file(skirmish, tmp_path):
    one, large = point(skirmish, STORMING), point(skirmish, STORMING, how=How("exact", budget=2))
    with Store(tmp_path / "store") as known:
        for each in (known, Played()):
            assert each.find(one) is each.find(large) is None
            each.add(one, reading := one.read())
            each.add(large, BudgetError("too large"))
            found, refused = each.find(one), each.find(large)
            assert isinstance(found, Reading)
            assert (bits(found.margins), found.leaves) == (bits(reading.margins), reading.leaves)
            assert isinstance(refused, BudgetError)
            assert str(refused) == "too large"
