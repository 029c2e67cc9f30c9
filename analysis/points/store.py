"""The store: what came of design points, kept in a file as soon as it is known, so that work goes on where it stopped.

It is an SQLite database, which several processes may share. A cell is found by the frame of its point and the values of
the book that were read, as in memory, and by the version of the code: two versions never mix. It holds margins; where a
whole result was asked for, that has a cell of its own. A file that cannot be used is left as it is.

Disks damage files, and people make some. So each answer has a seal before it, a digest of it and of all that it
answers: an answer whose seal does not fit what is asked, or that no assault can give, counts as not there.
"""

import json
import os
import shlex
import sqlite3
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TypeVar

import numpy as np

from analysis.points import version
from analysis.points.packing import MOST, pack, pack_result, possible, possible_result, unpack, unpack_result
from analysis.points.point import Played, Point, Reading, Whole, looked_at
from sims.errors import BudgetError, CasemateError

A = TypeVar("A")
LAYOUT = 1
"""The layout of the file; another is not read."""
APPLICATION = int.from_bytes(b"Csmt")
"""What tells a store from other databases."""
PATIENCE = 60
"""Seconds that are waited for another process to finish its writing."""

_MAGIC = b"SQLite format 3\0"
_TABLES = (
    "CREATE TABLE looks (look BLOB PRIMARY KEY, code TEXT NOT NULL, rules TEXT NOT NULL, keys TEXT NOT NULL)",
    "CREATE TABLE cells (frame BLOB, look BLOB, leaves BLOB, answer NOT NULL, PRIMARY KEY (frame, look, leaves))",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {LAYOUT}",
)
"""`looks`: which values of a book were read, under which rules and by which code. `cells`: what came of a point."""
_WHOLE = b"whole"
"""What stands behind the frame of a point in the cell of its whole result."""
_LARGE = b"!"
"""What stands before the reason why a point is too large to be exact; nothing that is packed begins so."""
_SEAL = 16
"""Bytes of a seal."""
_COUNTED = (
    "SELECT CAST(code AS TEXT), CAST(rules AS TEXT), count(*) FROM cells JOIN looks USING (look) GROUP BY code, rules"
)
_LOOKED = (
    "INSERT INTO looks VALUES (?, ?, ?, ?) ON CONFLICT (look) DO UPDATE SET code = excluded.code, keys = excluded.keys "
    "WHERE code <> excluded.code OR keys <> excluded.keys"  # where they have been damaged
)
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


class Store(Played):
    """What has been played, in a file: new cells are written to it at once. It is closed at the end of a `with`.

    Where the file may only be read, what is played is remembered as long as the store is open.

    Args:
        file: It is made if it is not there.
        warn: ``warn(message)``, called once where the file may only be read, and once where some of it is damaged.

    Raises:
        CasemateError: Here and from every method: if the file is no store, is one of another layout or cannot be read,
            or nothing more can be written to it.
    """

    def __init__(self, file: Path, warn: Callable[[str], None] = warnings.warn) -> None:
        super().__init__()
        self.file = file
        self._code = code()
        self._warn = warn
        self._has_warned = False
        self._database = _open(file)
        self._is_read_only = bool(_one(self._database, "PRAGMA query_only"))
        if self._is_read_only:
            warn(f"{file}: cannot be written: what is in it is used, what is played is not kept; {_HELPS}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def find(self, point: Point) -> Reading | BudgetError | None:
        """Return what came of a point, if one was played that can give nothing else: all it read is the same here."""

        def found(answer: bytes, leaves: frozenset[str]) -> Reading | BudgetError:
            if answer.startswith(_LARGE):
                return BudgetError(answer.removeprefix(_LARGE).decode())
            return Reading(possible(unpack(answer)), leaves)

        return self._kept(point, bytes.fromhex(point.frame), found) or super().find(point)

    def find_whole(self, point: Point) -> Whole | None:
        """Return the whole result of a point, if one was played for it that can give nothing else."""

        def found(answer: bytes, leaves: frozenset[str]) -> Whole:
            return Whole(possible_result(unpack_result(answer)), leaves)

        return self._kept(point, bytes.fromhex(point.frame) + _WHOLE, found) or super().find_whole(point)

    def _kept(self, point: Point, frame: bytes, made: Callable[[bytes, frozenset[str]], A]) -> A | None:
        """Return what is made of the answer in a cell of a point, and of the keys that were read for it."""
        with _told(self.file):
            for look, said in self._database.execute(_LOOKS, (self._code, frame)).fetchall():
                try:
                    keys = _keys(said)
                    if look != _brief((self._code, point.rule_set.base, said)):
                        raise ValueError("other keys than were written")
                    leaves = _brief([point.leaves.get(key) for key in keys])
                    found = self._database.execute(
                        "SELECT answer FROM cells WHERE frame = ? AND look = ? AND leaves = ?", (frame, look, leaves)
                    )
                    for (answer,) in found.fetchall():
                        return made(_unsealed(answer, frame, look, leaves), frozenset(keys))
                except ValueError:
                    self._mend()
        return None

    def _mend(self) -> None:
        """Say once that some of the file is damaged, and have no index that points elsewhere."""
        if not self._has_warned:
            self._has_warned = True
            if not self._is_read_only:
                self._database.execute("REINDEX")
            self._warn(
                f"{self.file}: some of the store is damaged; what does not fit is played again; {_anew(self.file)}"
            )

    def add(self, point: Point, found: Reading | Whole | BudgetError) -> None:
        """Keep what was played, or that it is too large to be exact; the margins of a whole if there are none."""
        if self._is_read_only:
            return super().add(point, found)
        keys = looked_at(point, found)
        about = (self._code, point.rule_set.base, json.dumps(keys))
        look, leaves = _brief(about), _brief([point.leaves[key] for key in keys])
        frame = bytes.fromhex(point.frame)

        def put(otherwise: Literal["IGNORE", "REPLACE"], frame: bytes, answer: bytes) -> None:
            sealed = _seal(answer, frame, look, leaves) + answer
            self._database.execute(
                f"INSERT OR {otherwise} INTO cells VALUES (?, ?, ?, ?)", (frame, look, leaves, sealed)
            )

        with _told(self.file), _at_once(self._database):
            self._database.execute(_LOOKED, (look, *about))
            match found:
                case Whole(result):
                    put("REPLACE", frame + _WHOLE, pack_result(result))
                    put("IGNORE", frame, pack(point.reading(found).margins))
                case Reading(of):
                    put("REPLACE", frame, pack(of))
                case too_large:
                    put("REPLACE", frame, _LARGE + str(too_large).encode())
        return None


class Spare(Played):
    """The default store, which nobody has asked for by name: where it fails, that is said, and play goes on without.

    Args:
        warn: ``warn(message)``, called as a `Store` does, and where the store fails.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        super().__init__()
        self._warn = warn
        self._store: Store | None = None
        with self._spared():
            self._store = Store(_made(default()), warn)

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
            ``warn(message)`` says so, as it does of any store that can only be read, or is damaged in part.
    """
    return Store(Path(file), warn) if file else Spare(warn)


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
    with _told(file):
        if not file.exists():
            return Contents(file, 0, code(), Counter())
        size = sum(part.stat().st_size for part in _parts(file) if part.exists())
        with closing(_open(file)) as database:
            cells = Counter({(by, rules): n for by, rules, n in database.execute(_COUNTED)})
    return Contents(file, size, code(), cells)


def clear(file: Path, what: Clear) -> int:
    """Clear a store, and return how many cells were in it that are no more.

    One of another layout, or a damaged one, is removed where all is to be cleared; its cells cannot be counted.

    Raises:
        CasemateError: If the file is no store, or cannot be cleared so.
    """
    with _told(file):
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


def _seal(answer: bytes, frame: bytes, look: bytes, leaves: bytes) -> bytes:
    return sha256(look + leaves + frame + answer).digest()[:_SEAL]


def _unsealed(kept: Any, *of: bytes) -> bytes:
    """Return the answer that is kept in a cell.

    Raises:
        ValueError: If there is none, or it answers something else.
    """
    if not isinstance(kept, bytes) or kept[:_SEAL] != _seal(kept[_SEAL:], *of):
        raise ValueError("its seal does not fit")
    return kept[_SEAL:]


def _keys(said: str) -> list[str]:
    """Return the keys of a book that have been looked at.

    Raises:
        ValueError: If they are none.
    """
    try:
        keys = json.loads(said)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not (isinstance(keys, list) and all(isinstance(key, str) for key in keys)):
        raise ValueError("these are no keys")
    return keys


def _made(file: Path) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}; {_HELPS}") from error
    return file


def _open(file: Path) -> sqlite3.Connection:
    """Open a store, or make one where there is none; one that cannot be written is read, anything else refused."""
    with _told(file):
        if not file.parent.is_dir():
            raise CasemateError(f'{file}: cannot be written: there is no folder "{file.parent}"')
        if file.exists() and not file.is_file():  # of a pipe the first bytes would be waited for
            raise CasemateError(f"{file}: cannot be used: it is no file; {_HELPS}")
        if (first := _head(file)) and not first.startswith(_MAGIC):  # SQLite would take a file of one byte
            raise _unreadable(file, "is no store of Casemate")
        try:
            return _connected(file, "mode=rwc")
        except sqlite3.OperationalError as error:
            if not first or not error.sqlite_errorname.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
                raise
        try:
            return _connected(file, "mode=ro")
        except sqlite3.OperationalError:  # to read a WAL, SQLite writes beside it
            return _connected(file, "immutable=1")


def _connected(file: Path, how: str) -> sqlite3.Connection:
    address = f"{file.absolute().as_uri()}?{how}"
    database = sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)
    try:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST)
        database.text_factory = lambda text: text.decode(errors="replace")  # if damaged, it fits nothing
        if how != "mode=rwc":
            database.execute("PRAGMA query_only = 1")
            _refuse_others(file, database)
            return database
        if not _one(database, "PRAGMA application_id"):
            with _at_once(database):  # another process may be about to make it as well
                if not _one(database, "SELECT count(*) FROM sqlite_schema"):
                    for each in _TABLES:
                        database.execute(each)
        _refuse_others(file, database)
        with suppress(sqlite3.OperationalError):  # where there is no WAL, the file keeps its journal: DELETE
            if _one(database, "PRAGMA journal_mode = WAL") == "wal":
                database.execute("PRAGMA synchronous = NORMAL")  # waits for no disk; what is killed loses nothing
        with _at_once(database):  # a file that cannot be written is noticed before anything is played
            database.execute(f"PRAGMA user_version = {LAYOUT}")
    except BaseException:
        database.close()
        raise
    return database


def _refuse_others(file: Path, database: sqlite3.Connection) -> None:
    """Refuse what is no store of this layout; a view in place of a table could go on for ever."""
    if _one(database, "PRAGMA application_id") != APPLICATION:
        raise _unreadable(file, "is no store of Casemate")
    if (layout := _one(database, "PRAGMA user_version")) != LAYOUT:
        found = f"the store has layout {layout}, this version of Casemate has {LAYOUT}"
        raise _unreadable(file, f"{found}; {_anew(file)}")
    if {*database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")} != {(each,) for each in _TABLES[:2]}:
        raise _damaged(file)


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
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_CONSTRAINT", "SQLITE_TOOBIG")):
            raise _damaged(file) from error
        why = next((why for kind, why in _WHY.items() if name.startswith(kind)), f"cannot be used: {error}")
        raise CasemateError(f"{file}: {why}; {_HELPS}") from error


def _parts(file: Path) -> list[Path]:
    """Return the files that a store may have."""
    return [file, *(file.parent / f"{file.name}-{part}" for part in ("wal", "shm", "journal"))]


def _ours(file: Path) -> bool:
    """Return whether a file that cannot be used was a store once, by its first bytes."""
    return (first := _head(file)).startswith(_MAGIC) and first[68:] == APPLICATION.to_bytes(4)


def _head(file: Path) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as open_file:
        return open_file.read(72)
