"""The store: what came of design points, kept in a file as soon as it is known, so that work goes on where it stopped.

It is an SQLite database, which several processes may share. A cell is found by the frame of its point and the values of
the book that were read, as in memory, and by the version of the code: two versions never mix. It holds margins; where a
whole result was asked for, that has a cell of its own. What it holds is left as it is whenever it cannot be used.
"""

import json
import os
import shlex
import sqlite3
import struct
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TypeVar

import numpy as np

from analysis.points import version
from analysis.points.margins import ENDS, SIDES, Margins
from analysis.points.point import Played, Point, Reading, Whole, looked_at
from sims.engines import COLUMNS, Exact, Result, Sampled
from sims.errors import BudgetError, CasemateError

A = TypeVar("A")
LAYOUT = 1
"""The layout of the file; another is not read."""
APPLICATION = int.from_bytes(b"Csmt")
"""What tells a store from other databases."""
PATIENCE = 60
"""Seconds that are waited for another process to finish its writing."""

_MAGIC = b"SQLite format 3\0"
_HEAD = struct.Struct("<q4H")
_TABLES = (
    "CREATE TABLE looks (look BLOB PRIMARY KEY, code TEXT NOT NULL, rules TEXT NOT NULL, keys TEXT NOT NULL)",
    "CREATE TABLE cells (frame BLOB, look BLOB, leaves BLOB, answer NOT NULL, PRIMARY KEY (frame, look, leaves))",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {LAYOUT}",
)
"""`looks`: which values of a book were read, under which rules and by which code. `cells`: what came of a point."""
_WHOLE = b"whole"
"""What stands behind the frame of a point in the cell of its whole result."""
_LOOKS = "SELECT look, keys FROM looks WHERE code = ? AND look IN (SELECT look FROM cells WHERE frame = ?)"

_WHY = {
    "SQLITE_FULL": "there is no room left for it; what was finished before is kept",
    "SQLITE_READONLY": "cannot be written",
    "SQLITE_CANTOPEN": "cannot be written; expected a file in a folder that can be",
    "SQLITE_BUSY": f"another process has kept it locked for {PATIENCE} s",
}
WITHOUT = ", --no-store does without"
"""What helps besides where something is played."""
_HELPS = f"--store FILE names another{WITHOUT}"


class UnreadableError(CasemateError):
    """A file is no store, or none that can be read; the message says which and what helps."""


Clear = Literal["others", "all"]
"""What is cleared: the cells of other versions of the code, or every cell."""


def default() -> Path:
    """Return the store that is used if none is named, in the folder of the user for what may be lost.

    Raises:
        CasemateError: If the user has no folder.
    """
    try:
        home = Path.home()
    except RuntimeError as error:
        raise CasemateError(f"there is no folder for the store: {error}; {_HELPS}") from error
    if sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
    elif sys.platform == "darwin":
        caches = home / "Library/Caches"
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
        caches = caches if caches.is_absolute() else home / ".cache"  # as the XDG specification wants it
    return caches / "casemate" / "store.sqlite"


def pack(of: Margins) -> bytes:
    """Return margins as bytes, which `unpacked` makes the same margins of again, bit by bit."""
    exact = of.trials is None
    lost = [of.lost[side] for side in SIDES]
    numbers = np.concatenate([of.ends.ravel(), *lost, [of.cleared]])
    trials = -1 if of.trials is None else of.trials
    head = _HEAD.pack(trials, of.looks, of.ends.shape[1], *(each.size for each in lost))
    return zlib.compress(head + numbers.astype("<f8" if exact else "<i8", casting="safe").tobytes(), 1)


def unpack(data: bytes) -> Margins:
    """Return the margins of such bytes.

    Raises:
        ValueError: If they are none.
    """
    try:
        data = zlib.decompress(data)  # which sees by a checksum that they are whole
        trials, looks, turns, *sizes = _HEAD.unpack_from(data)
    except (zlib.error, struct.error) as error:
        raise ValueError(str(error)) from error
    numbers = np.frombuffer(data, "<f8" if trials < 0 else "<i8", offset=_HEAD.size)
    ends, *lost, cleared = np.split(numbers, np.cumsum([len(ENDS) * turns, *sizes]))
    return Margins(
        ends.reshape(len(ENDS), turns),
        dict(zip(SIDES, lost, strict=True)),
        cleared.item(),
        None if trials < 0 else trials,
        looks,
    )


def pack_result(of: Result) -> bytes:
    """Return a result as bytes, which `unpack_result` makes the same result of again, bit by bit."""
    said = dict(vars(of))
    columns, exact = said.pop("columns"), isinstance(of, Exact)
    mass = said.pop("weights").astype("<f8", casting="safe").view("<i8") if exact else said.pop("counts")
    numbers = np.array([*(columns[name] for name in COLUMNS), mass])
    return zlib.compress(json.dumps(said).encode("ascii") + b"\n" + numbers.astype("<i8", casting="safe").tobytes(), 1)


def unpack_result(data: bytes) -> Result:
    """Return the result of such bytes.

    Raises:
        ValueError: If they are none.
    """
    try:
        head, numbers = zlib.decompress(data).split(b"\n", 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    said = json.loads(head)
    said["course"] = tuple(map(tuple, said["course"]))
    *columns, mass = np.frombuffer(numbers, "<i8").reshape(len(COLUMNS) + 1, -1)
    said["columns"] = dict(zip(COLUMNS, columns, strict=True))
    if "trials" not in said:
        return Exact(**said, weights=mass.view("<f8"))
    said["tallies"] = {name: tuple(sums) for name, sums in said["tallies"].items()}
    return Sampled(**said, counts=mass)


class Store(Played):
    """What has been played, in a file: new cells are written to it at once. It is closed at the end of a `with`.

    Args:
        file: It is made if it is not there.

    Raises:
        CasemateError: Here and from every method: if the file is no store, is one of another layout or damaged, or
            cannot be written.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file
        self._code = code()
        self._database = _open(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def find(self, point: Point) -> Reading | BudgetError | None:
        """Return what came of a point, if one was played that can give nothing else: all it read is the same here."""

        def found(answer: Any, leaves: frozenset[str]) -> Reading | BudgetError:
            return BudgetError(answer) if isinstance(answer, str) else Reading(unpack(answer), leaves)

        return self._kept(point, bytes.fromhex(point.frame), found)

    def find_whole(self, point: Point) -> Whole | None:
        """Return the whole result of a point, if one was played for it that can give nothing else."""

        def found(answer: Any, leaves: frozenset[str]) -> Whole:
            return Whole(unpack_result(answer), leaves)

        return self._kept(point, bytes.fromhex(point.frame) + _WHOLE, found)

    def _kept(self, point: Point, frame: bytes, made: Callable[[Any, frozenset[str]], A]) -> A | None:
        """Return what is made of the answer in a cell of a point, and of the keys that were read for it."""
        with _told(self.file):
            for look, said in self._database.execute(_LOOKS, (self._code, frame)).fetchall():
                keys = json.loads(said)
                cell = (frame, look, _brief([point.leaves.get(key) for key in keys]))
                found = self._database.execute(
                    "SELECT answer FROM cells WHERE frame = ? AND look = ? AND leaves = ?", cell
                )
                for (answer,) in found:
                    return made(answer, frozenset(keys))
        return None

    def add(self, point: Point, found: Reading | Whole | BudgetError) -> None:
        """Keep what was played, or that it is too large to be exact; the margins of a whole if there are none."""
        keys = looked_at(point, found)
        about = (self._code, point.rule_set.base, json.dumps(keys))
        look, leaves = _brief(about), _brief([point.leaves[key] for key in keys])
        frame = bytes.fromhex(point.frame)
        with _told(self.file), _at_once(self._database):
            self._database.execute("INSERT OR IGNORE INTO looks VALUES (?, ?, ?, ?)", (look, *about))
            if isinstance(found, Whole):
                self._put("REPLACE", frame + _WHOLE, look, leaves, pack_result(found.result))
                self._put("IGNORE", frame, look, leaves, pack(point.reading(found).margins))
            else:
                answer = pack(found.margins) if isinstance(found, Reading) else str(found)
                self._put("REPLACE", frame, look, leaves, answer)

    def _put(self, otherwise: Literal["IGNORE", "REPLACE"], *cell: bytes | str) -> None:
        self._database.execute(f"INSERT OR {otherwise} INTO cells VALUES (?, ?, ?, ?)", cell)


class Spare(Played):
    """The default store, which nobody has asked for by name: where it fails, that is said, and play goes on without.

    Args:
        warn: ``warn(message)``, called at most once.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        super().__init__()
        self._warn = warn
        self._store: Store | None = None
        with self._spared():
            self._store = Store(_made(default()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._store:
            self._store.__exit__()

    def find(self, point: Point) -> Reading | BudgetError | None:
        """Return what came of a point, if one was played that can give nothing else."""
        if self._store:
            with self._spared():
                return self._store.find(point)
        return super().find(point)

    def find_whole(self, point: Point) -> Whole | None:
        """Return the whole result of a point, if one was played for it that can give nothing else."""
        if self._store:
            with self._spared():
                return self._store.find_whole(point)
        return super().find_whole(point)

    def add(self, point: Point, found: Reading | Whole | BudgetError) -> None:
        """Keep what was played, or that it is too large to be exact."""
        if self._store:
            with self._spared():
                return self._store.add(point, found)
        return super().add(point, found)

    @contextmanager
    def _spared(self) -> Iterator[None]:
        try:
            yield
        except CasemateError as error:
            self.__exit__()
            self._store = None
            self._warn(f"{error}; going on without a store")


def open_store(file: str | Path | None = None, warn: Callable[[str], None] = warnings.warn) -> Store | Spare:
    """Return a store, to be used in a `with`; the default one, if no file is named.

    Raises:
        CasemateError: If a file is named that cannot be used. The default one is then gone without, and
            ``warn(message)`` says so.
    """
    return Store(Path(file)) if file else Spare(warn)


class Contents(NamedTuple):
    """What is in a store.

    Attributes:
        size: Bytes on disk; 0 where there is no store yet.
        code: This version of the code.
        cells: How many cells, by the version of the code and the rule set.
    """

    file: Path
    size: int
    code: str
    cells: Counter[tuple[str, str]]


def contents(file: Path) -> Contents:
    """Return what is in a store.

    Raises:
        CasemateError: If the file is no store, is one of another layout or damaged, or cannot be read.
    """
    if not file.exists():
        return Contents(file, 0, code(), Counter())
    size = sum(part.stat().st_size for part in _parts(file) if part.exists())
    counted = "SELECT code, rules, count(*) FROM cells JOIN looks USING (look) GROUP BY code, rules"
    with _told(file), closing(_open(file)) as database:
        cells = Counter({(by, rules): n for by, rules, n in database.execute(counted)})
    return Contents(file, size, code(), cells)


def clear(file: Path, what: Clear) -> int:
    """Clear a store, and return how many cells were in it that are no more.

    One of another layout, or a damaged one, is removed where all is to be cleared; its cells cannot be counted.

    Raises:
        CasemateError: If the file is no store, or cannot be cleared so.
    """
    if not file.exists():
        return 0
    try:
        return _cleared(file, what)
    except UnreadableError:
        if what == "others" or not _ours(file):
            raise
    for part in _parts(file):
        part.unlink(missing_ok=True)
    return 0


def _cleared(file: Path, what: Clear) -> int:
    gone = "SELECT look FROM looks" + " WHERE code <> ?" * (what == "others")
    given = (code(),) * (what == "others")
    with _told(file), closing(_open(file)) as database:
        with _at_once(database):
            n = database.execute(f"DELETE FROM cells WHERE look IN ({gone})", given).rowcount
            database.execute(f"DELETE FROM looks WHERE look IN ({gone})", given)
        database.execute("VACUUM")
    return n


def code() -> str:
    """Return the version of the code whose cells are found: the digest of its source, and NumPy, which adds them up."""
    return f"{version.digest()} NumPy {np.__version__}"


def _brief(of: Any) -> bytes:
    return sha256(json.dumps(of).encode("ascii")).digest()[:16]


def _made(file: Path) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}; {_HELPS}") from error
    return file


def _open(file: Path) -> sqlite3.Connection:
    """Open a store, or make one where there is none; anything else is refused as it is."""
    if not file.parent.is_dir():
        raise CasemateError(f'{file}: cannot be written: there is no folder "{file.parent}"')
    with _told(file):
        if (first := _head(file)) and not first.startswith(_MAGIC):  # SQLite would take a file of one byte
            raise _unreadable(file, "is no store of Casemate")
        database = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)
        try:
            if not _one(database, "PRAGMA application_id"):
                with _at_once(database):  # another process may be about to make it as well
                    if not _one(database, "SELECT count(*) FROM sqlite_schema"):
                        for each in _TABLES:
                            database.execute(each)
            _refuse_others(file, _one(database, "PRAGMA application_id"), _one(database, "PRAGMA user_version"))
            with suppress(sqlite3.OperationalError):  # where there is no WAL, the file keeps its journal: DELETE
                if _one(database, "PRAGMA journal_mode = WAL") == "wal":
                    database.execute("PRAGMA synchronous = NORMAL")  # waits for no disk; what is killed loses nothing
            with _at_once(database):  # a file that cannot be written is refused before anything is played
                database.execute(f"PRAGMA user_version = {LAYOUT}")
        except BaseException:
            database.close()
            raise
    return database


def _refuse_others(file: Path, application: int, layout: int) -> None:
    if application != APPLICATION:
        raise _unreadable(file, "is no store of Casemate")
    if layout != LAYOUT:
        found = f"the store has layout {layout}, this version of Casemate has {LAYOUT}"
        raise _unreadable(file, f"{found}; {_anew(file)}")


def _anew(file: Path) -> str:
    return f"{shlex.join(['casemate', 'store', '--clear', 'all', '--store', str(file)])} begins it anew"


def _unreadable(file: Path, why: str) -> UnreadableError:
    return UnreadableError(f"{file}: {why}; {_HELPS}")


def _damaged(file: Path) -> UnreadableError:
    """Return what is said of a file that SQLite cannot read: one that may be somebody else's is not offered up."""
    return _unreadable(file, f"the store is damaged; {_anew(file)}" if _ours(file) else "is no store of Casemate")


def _one(database: sqlite3.Connection, asked: str) -> Any:
    return database.execute(asked).fetchone()[0]


@contextmanager
def _at_once(database: sqlite3.Connection) -> Iterator[None]:
    """Do all or nothing, after whoever is writing now."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # some failures have ended it already
            database.execute("ROLLBACK")
        raise


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Say in a sentence what is wrong with a store."""
    try:
        yield
    except OSError as error:
        raise CasemateError(f"{file}: cannot be used: {error.strerror}; {_HELPS}") from error
    except ValueError as error:
        raise _damaged(file) from error
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_NOTADB":
            raise _unreadable(file, "is no store of Casemate") from error
        if name.startswith("SQLITE_CORRUPT"):
            raise _damaged(file) from error
        why = next((why for kind, why in _WHY.items() if name.startswith(kind)), f"cannot be used: {error}")
        raise CasemateError(f"{file}: {why}; {_HELPS}") from error


def _parts(file: Path) -> list[Path]:
    """Return the files that a store may have."""
    return [file, *(file.with_name(f"{file.name}-{part}") for part in ("wal", "shm", "journal"))]


def _ours(file: Path) -> bool:
    """Return whether a file that cannot be used was a store once, by its first bytes."""
    return (first := _head(file)).startswith(_MAGIC) and first[68:] == APPLICATION.to_bytes(4)


def _head(file: Path) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as open_file:
        return open_file.read(72)
