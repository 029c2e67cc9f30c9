"""A store that has been damaged, or made up, gives no wrong answer: what does not fit is not there, and that is said once."""

import json
import os
import random
import shutil
import sqlite3
import tempfile
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import run
from analysis.points import packing
from analysis.points import store as module
from analysis.points import version as versions
from analysis.points.margins import Margins
from analysis.points.packing import pack, pack_result
from analysis.points.point import How, Played, Point, Reading, Whole, point
from analysis.points.store import Store, contents
from sims.errors import CasemateError
from sims.rulesets import rule_set

STORMING = rule_set("storming")
DAMAGED = "some of the store is damaged; what does not fit is played again"


@pytest.fixture(scope="module")
def played(skirmish: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Point, bytes]]:
    """Return a store of a few cells, each with an answer of its own, and their answers."""
    file = tmp_path_factory.mktemp("played") / "store"
    points = [point(skirmish, STORMING, {"attackers.models": n}) for n in range(6, 12)]
    with Store(file) as known:
        answers = [pack(known.of(each)) for each in points]
    assert len({*answers}) == len(points)
    return file, list(zip(points, answers, strict=True))


@pytest.fixture
def damaged(played, tmp_path: Path) -> tuple[Path, dict[Point, bytes]]:
    """Return a copy of that store, to be damaged."""
    return Path(shutil.copy(played[0], tmp_path / "store")), played[1]


def entries(file: Path) -> list[int]:
    """Return where in a store the entries of its index say which row they mean, but for the first, which needs no byte."""
    with closing(sqlite3.connect(file)) as database:
        cells = database.execute(
            "SELECT rowid, CAST(frame || look || leaves AS BLOB) FROM cells WHERE rowid > 1"
        ).fetchall()
    data = file.read_bytes()
    ends = [(row, data.rfind(key) + len(key)) for row, key in cells]  # the index stands behind the rows
    assert all(data[end] == row for row, end in ends)
    return [end for _, end in ends]


def test_an_index_that_points_elsewhere_gives_no_other_cell(damaged):
    file, answers = damaged
    rows, data, elsewhere = len(answers), file.read_bytes(), 0
    for at in entries(file):
        for bit in (1, 2, 4):
            row = data[at] ^ bit
            file.write_bytes(data[:at] + bytes([row]) + data[at + 1 :])
            said = list[str]()
            with Store(file, said.append) as known:
                if not 1 <= row <= rows:
                    with pytest.raises(CasemateError, match="the store is damaged; casemate store --clear all"):
                        [known.find(each) for each, _ in answers]
                    continue
                found = [known.find(each) for each, _ in answers]
                assert found.count(None) == 1
                assert all(pack(one.margins) == answer for one, (_, answer) in zip(found, answers, strict=True) if one)
                assert [pack(known.of(each)) for each, _ in answers] == [answer for _, answer in answers]
            with Store(file, said.append) as known:  # the index has been made again
                assert all(known.find(each) for each, _ in answers)
            assert [DAMAGED in each for each in said] == [True]
            elsewhere += 1
    assert elsewhere > 5


def test_bits_that_flip_anywhere_give_no_wrong_answer(damaged):
    """Some damage makes the file unreadable, which is said; most does not."""
    file, answers = damaged
    whole, refused = file.read_bytes(), 0
    for seed in range(40):
        luck, data, said = random.Random(seed), bytearray(whole), list[str]()
        for at in luck.sample(range(len(data)), luck.choice((1, 2, 8))):
            data[at] ^= 1 << luck.randrange(8)
        file.write_bytes(data)
        try:
            with Store(file, said.append) as known:
                found = [(known.find(each), answer) for each, answer in answers]
                assert all(pack(one.margins) == answer for one, answer in found if one)
                assert [pack(known.of(each)) for each, _ in answers] == [answer for _, answer in answers]
                assert all(known.find(each) for each, _ in answers)
        except CasemateError as error:
            refused += str(error).startswith(f"{file}: ")
            said.append(str(error))
        assert len(said) <= 1
    assert refused < 10


def changed(file: Path, *changes: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        for each in changes:
            database.execute(each)


def packed(of: Reading | Whole) -> bytes:
    return pack_result(of.result) if isinstance(of, Whole) else pack(of.margins)


@pytest.mark.parametrize("whole", [False, True], ids=["margins", "whole"])
def test_answers_that_have_changed_places_are_not_there(whole, skirmish, tmp_path):
    file, said = tmp_path / "store", list[str]()
    points = [point(skirmish, STORMING, {"attackers.models": n}) for n in (6, 7)]
    with Store(file) as known:
        play = known.whole if whole else known.read
        answers = [packed(play(each)) for each in points]
        cells = f"FROM cells WHERE length(frame) {'>' if whole else '='} 32"
        known._database.execute(f"CREATE TEMP TABLE both AS SELECT rowid r, answer a {cells}")
        known._database.execute(
            "UPDATE cells SET answer = (SELECT a FROM both WHERE r <> cells.rowid) WHERE rowid IN (SELECT r FROM both)"
        )
    with Store(file, said.append) as known:
        play, find = (known.whole, known.find_whole) if whole else (known.read, known.find)
        assert [find(each) for each in points] == [None, None]
        assert [packed(play(each)) for each in points] == answers
        assert [packed(find(each)) for each in points] == answers
    assert [DAMAGED in each for each in said] == [True]


def test_the_answer_of_another_book_is_not_there(skirmish, tmp_path):
    """What was read is said by keys: one that is changed to another of the same value must not let an answer pass."""
    file, one, said = tmp_path / "store", point(skirmish, STORMING), list[str]()
    with Store(file) as known:
        read = sorted(known.read(one).leaves)
    unread = sorted({*one.leaves} - {*read})
    pairs = [(key, other) for key in read for other in unread if repr(one.leaves[key]) == repr(one.leaves[other])]
    for key, other in pairs:
        keys = json.dumps([other if each == key else each for each in read])
        changed(file, f"UPDATE looks SET keys = '{keys}'")
        with Store(file, said.append) as known:
            assert known.find(one) is None
    assert pairs
    assert len(said) == len(pairs)


def test_the_answer_of_another_version_is_not_there(skirmish, tmp_path, monkeypatch):
    file, one, said = tmp_path / "store", point(skirmish, STORMING), list[str]()
    with Store(file) as known:
        known.of(one)
    monkeypatch.setattr(versions, "digest", lambda: "another")
    changed(file, f"UPDATE looks SET code = '{module.code()}'")
    with Store(file, said.append) as known:
        assert known.find(one) is None
    assert len(said) == 1


def put(known: Store, one: Point, body: bytes, whole: bool = False) -> None:
    """Put a made-up answer into the cell of a point, sealed as a true one is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pack", lambda _: body)
        patch.setattr(module, "pack_result", lambda _: body)
        known.add(one, one.whole() if whole else one.read())
        if whole:
            patch.undo()
            known.add(one, one.read())


def numbers(*trials: int, head: tuple[float, ...] = (0.0, 1, 3, 15, 9)) -> Callable[[Margins], bytes]:
    return lambda of: zlib.compress(
        packing._HEAD.pack(*trials, *head)
        + np.concatenate([of.ends.ravel(), *of.lost.values(), [of.cleared]]).tobytes()
    )


def with_numbers(change: Callable[[Margins], Margins]) -> Callable[[Margins], bytes]:
    return lambda of: pack(change(of))


def each_end(of: Margins, value: float) -> Margins:
    return replace(of, ends=np.full_like(of.ends, value))


NONE_IN_MARGINS = {
    "nothing": lambda of: b"",
    "no zlib": lambda of: b"captured: 0.5",
    "cut short": lambda of: pack(of)[:40],
    "no number": with_numbers(lambda of: each_end(of, np.nan)),
    "no end": with_numbers(lambda of: each_end(of, np.inf)),
    "less than nothing": with_numbers(lambda of: replace(of, cleared=-0.5)),
    "more than all": with_numbers(lambda of: replace(of, cleared=1.5)),
    "no ends": with_numbers(lambda of: each_end(of, 0.0)),
    "no losses": with_numbers(lambda of: replace(of, lost={side: each[:0] for side, each in of.lost.items()})),
    "below and above": with_numbers(lambda of: replace(of, lost={s: np.array([2.0, -1.0]) for s in of.lost})),
    "no trials": with_numbers(
        lambda of: Margins(np.zeros((4, 3), int), {side: np.zeros(2, int) for side in of.lost}, 0, 0, 1)
    ),
    "no looks": with_numbers(lambda of: replace(of, looks=0)),
    "no turns": numbers(-1, head=(0.0, 1, 0, 15, 9)),
    "more than there is": numbers(-1, head=(0.0, 1, 2**16 - 1, 2**16 - 1, 2**16 - 1)),
    "gigabytes": lambda of: bomb(),
}


def bomb() -> bytes:
    """Return a megabyte that unpacks to a gigabyte."""
    going = zlib.compressobj(9)
    return b"".join([*(going.compress(bytes(2**24)) for _ in range(64)), going.flush()])


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 2**28
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("made_up", NONE_IN_MARGINS.values(), ids=NONE_IN_MARGINS)
def test_margins_that_no_assault_has_are_not_there(made_up, skirmish, tmp_path):
    one, said = point(skirmish, STORMING), list[str]()
    true = one.read()
    with Store(tmp_path / "store", said.append) as known:
        put(known, one, made_up(true.margins))
        with little_memory():
            assert known.find(one) is None
        assert pack(known.of(one)) == pack(true.margins)
        assert known.find(one)
    assert [DAMAGED in each for each in said] == [True]


def of_result(**changes) -> Callable[[Whole], bytes]:
    return lambda whole: pack_result(replace(whole.result, **changes))


def of_column(name: str, value: int) -> Callable[[Whole], bytes]:
    def made_up(whole: Whole) -> bytes:
        columns = whole.result.columns
        return pack_result(replace(whole.result, columns={**columns, name: np.full_like(columns[name], value)}))

    return made_up


NONE_IN_RESULTS = {
    "no head": lambda whole: zlib.compress(b"\n" + bytes(48)),
    "nothing said": lambda whole: zlib.compress(b"{}\n" + bytes(48)),
    "a number": lambda whole: zlib.compress(b"7\n" + bytes(48)),
    "deep": lambda whole: zlib.compress(b"[" * 100_000 + b"\n" + bytes(48)),
    "deep inside": lambda whole: zlib.compress(b'{"course": ' + b"[" * 100_000 + b"\n" + bytes(48)),
    "not a number": of_result(course=((float("nan"), 1.0),)),
    "no turns": of_result(course=()),
    "no pairs": of_result(course=((1.0, 2.0, 3.0),)),
    "no rules": of_result(rules=None),
    "tallies of text": of_result(tallies={"hits": "many"}),
    "no engine": lambda whole: pack_result(replace(whole.result, engine="divined")),
    "no trials": lambda whole: pack_result(replace(whole.result, trials=0, counts=0 * whole.result.counts)),
    "other trials": of_result(trials=7),
    "no outcomes": lambda whole: pack_result(
        replace(whole.result, counts=np.zeros(0, int), columns={n: np.zeros(0, int) for n in whole.result.columns})
    ),
    "less than none": lambda whole: pack_result(replace(whole.result, counts=-whole.result.counts)),
    "no end": of_column("end", 9),
    "not ended": of_column("end", 0),
    "a late turn": of_column("turn", 2**40),
    "an early turn": of_column("turn", 0),
    "an army lost": of_column("attackers_lost", 2**60),
    "less than nobody lost": of_column("defenders_lost", -1),
    "cleared twice": of_column("cleared", 2),
    "cut short": lambda whole: pack_result(whole.result)[:40],
    "odd": lambda whole: zlib.compress(b"{}\n" + bytes(47)),
    "gigabytes": lambda whole: bomb(),
}


@pytest.mark.parametrize("made_up", NONE_IN_RESULTS.values(), ids=NONE_IN_RESULTS)
def test_results_that_no_assault_has_are_not_there(made_up, skirmish, tmp_path):
    one, said = point(skirmish, STORMING, how=How("sampled", trials=30)), list[str]()
    true = one.whole()
    with Store(tmp_path / "store", said.append) as known:
        put(known, one, made_up(true), whole=True)
        with little_memory():
            assert known.find_whole(one) is None
        assert pack_result(known.whole(one).result) == pack_result(true.result)
    assert [DAMAGED in each for each in said] == [True]


@pytest.mark.parametrize(
    "value", ["7", "0.5", "'captured'", "x''", "zeroblob(9)", "CAST(x'ff' AS TEXT)", "CAST(answer AS TEXT)"]
)
def test_what_is_no_answer_is_not_there(value, damaged, capsys):
    file, answers = damaged
    changed(file, f"UPDATE cells SET answer = {value}")
    said = list[str]()
    with Store(file, said.append) as known:
        assert [known.find(each) for each, _ in answers] == [None] * len(answers)
        assert [pack(known.of(each)) for each, _ in answers] == [answer for _, answer in answers]
    assert [DAMAGED in each for each in said] == [True]


@pytest.mark.parametrize(
    "keys", ["7", "", "{}", "[7]", "[[]]", "null", "[" * 100_000, '["' + "a." * 990 + '"]', "\N{SNOWMAN}"]
)
def test_what_names_no_keys_is_not_there(keys, skirmish, tmp_path):
    """Under any name: that of what was read is a digest of it."""
    file, one = tmp_path / "store", point(skirmish, STORMING)
    with Store(file) as known:
        known.of(one)
        known._database.execute("UPDATE looks SET keys = ?", (keys,))
    said = list[str]()
    with Store(file, said.append) as known:
        assert known.find(one) is None
        answer = known.read(one)
    with Store(file, said.append) as known:
        assert packed(known.find(one)) == packed(answer)
    assert [DAMAGED in each for each in said] == [True]


def test_a_sweep_says_once_that_its_store_is_damaged_and_is_right(skirmish, tmp_path, capsys):
    file, out = tmp_path / "store", tmp_path / "rows"
    asked = ["sweep", skirmish, "--vary", "attackers.models=5..9", "--rules", "storming", "--workers", "1"]
    assert run([*asked, "--store", str(file), "--out", str(out)]) == 0
    rows = (out / "sweep.csv").read_bytes()
    written = capsys.readouterr().err
    changed(file, "UPDATE cells SET answer = (SELECT answer FROM cells LIMIT 1)")
    message = f"casemate: {file}: {DAMAGED}; casemate store --clear all --store {file} begins it anew\n"
    for err in (message + written, written):
        assert run([*asked, "--store", str(file), "--out", str(out)]) == 0
        assert (out / "sweep.csv").read_bytes() == rows
        assert capsys.readouterr().err == err


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i, i FROM n"


@pytest.mark.parametrize(
    "change",
    [
        f"DROP TABLE cells; CREATE VIEW cells(frame, look, leaves, answer) AS {ENDLESS}",
        "DROP TABLE looks",
        "CREATE TRIGGER more BEFORE INSERT ON cells BEGIN DELETE FROM looks; END",
        "UPDATE looks SET keys = zeroblob(50000000); UPDATE looks SET keys = CAST(keys AS TEXT)",
    ],
    ids=["view", "gone", "trigger", "huge"],
)
def test_other_tables_and_values_too_long_are_refused(change, damaged, skirmish, capsys):
    file, _ = damaged
    changed(file, *change.split("; ") if "TRIGGER" not in change else [change])
    given = ["--vary", "attackers.models=6,7", "--rules", "storming", "--workers", "1", "--store", str(file)]
    assert run(["sweep", skirmish, *given]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{file}: the store is damaged; casemate store --clear all" in err
    assert run(["store", "--clear", "all", "--store", str(file)]) == 0


def test_what_a_store_says_of_itself_may_be_anything(damaged, capsys):
    file, _ = damaged
    changed(file, "UPDATE looks SET rules = x'00ff', code = 7", "INSERT INTO looks VALUES (x'01', 'a', 9, '')")
    changed(file, "INSERT INTO cells VALUES (x'', x'01', x'', 7)")
    assert run(["store", "--store", str(file)]) == 0
    assert contents(file).cells.total() == 7


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder that any user may reach."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def another_user() -> Iterator[None]:
    """Be nobody, if one is root, who may write everywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="nothing is read-only here")
@pytest.mark.parametrize("of", ["folder", "file"])
@pytest.mark.parametrize("journal", ["WAL", "DELETE", "WAL, left behind"])
def test_what_may_only_be_read_is_read_and_shown(of, journal, played, shared, skirmish, capsys):
    folder, answers = shared / "folder", played[1]
    folder.mkdir()
    file = Path(shutil.copy(played[0], folder / "store"))
    changed(file, f"PRAGMA journal_mode = {journal.partition(',')[0]}")
    if "left" in journal:  # by a process that was killed
        Path(f"{file}-wal").write_bytes(b"")
    before = file.read_bytes()
    (file if of == "file" else folder).chmod(0o555)
    folder.chmod(0o777 if of == "file" else 0o555)
    new, said = point(skirmish, STORMING, {"turns": 2}), list[str]()
    with another_user():
        with Store(file, said.append) as known:
            assert [pack(known.find(each).margins) for each, _ in answers] == [answer for _, answer in answers]
            expected = pack(Played().of(new))
            assert pack(known.of(new)) == pack(known.find(new).margins) == expected
            assert known.whole(new) is known.find_whole(new)
        assert run(["store", "--store", str(file)]) == 0
        assert str(len(answers)) in capsys.readouterr().out
        assert run(["store", "--clear", "all", "--store", str(file)]) == 2
        out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{file}: cannot be written" in err
    folder.chmod(0o755)
    assert [
        f"{file}: cannot be written: what is in it is used, what is played is not kept" in each for each in said
    ] == [True]
    assert file.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="nothing is read-only here")
def test_a_store_that_cannot_be_made_or_read_is_said(shared, played, capsys):
    file = Path(shutil.copy(played[0], shared / "store"))
    file.chmod(0o600)
    (shared / "closed").mkdir(mode=0o700)
    with another_user():
        for name, why in (
            ("new", "cannot be written"),
            ("store", "cannot be used"),
            ("closed/store", "cannot be used"),
        ):
            with pytest.raises(CasemateError, match=f"{name}: {why}"):
                Store(shared / name)
        for more in ([], ["--clear", "all"]):
            assert run(["store", "--store", str(shared / "closed/store"), *more]) == 2
            assert capsys.readouterr().err.count("\n") == 1
