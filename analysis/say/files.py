"""Files that are written for people: seen beforehand to be possible, and written whole or not at all."""

import csv
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Literal

from sims.errors import CasemateError, visible

PART = ".part"
"""How the name of a file ends that is not whole yet."""
LETTERS = 50
"""How much of that name is the file's own: a name that is as long as may be has room for the rest."""
LOCKS = sys.platform != "win32"
"""Whether open files can be locked; where they cannot, a file must be closed to be moved."""
WRITE = 0o222
"""The mode of a file that somebody may write to; the superuser may write to all others as well."""
FORMULA = ("=", "+", "-", "@", "\t")
"""How a text begins that spreadsheets take for a formula."""


def existing_folder(file: Path) -> Path:
    """Return the folder of a file that is to be written.

    Raises:
        CasemateError: If there is no such folder.
    """
    if not file.parent.is_dir():
        raise CasemateError(f'{file}: cannot be written: there is no folder "{file.parent}"')
    return file.parent


def folder_for(folder: Path) -> Path:
    """Return the folder that exists of one that is to be written to: itself, or the one it can be made in.

    Raises:
        CasemateError: If it could not be made, for the folder it would stand in does not exist, or it is a file.
    """
    if folder.is_file():
        raise CasemateError(f"{folder}: nothing can be written in it: it is a file")
    return folder if folder.is_dir() else existing_folder(folder)


def writable(file: Path, folder: Path) -> None:
    """See that a file can be written in a folder; where it is a link, that is followed.

    Raises:
        CasemateError: If it cannot.
    """
    real = _replaceable(file)
    try:
        tempfile.TemporaryFile(dir=real.parent if file.is_symlink() else folder).close()
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}") from error


def _replaceable(file: Path) -> Path:
    """Return the file that a name stands for, if there is none yet or it can be replaced."""
    try:
        real = Path(os.path.realpath(file))
        if real.is_dir():
            raise CasemateError(f"{file}: cannot be written: it is a folder")
        if real.exists() and not real.is_file():
            raise CasemateError(f"{file}: cannot be written: it is no file")
        if real.exists() and not (real.stat().st_mode & WRITE and os.access(real, os.W_OK)):
            raise CasemateError(f"{file}: cannot be written: it is kept from being changed (read-only)")
    except OSError as error:  # a name may be too long
        raise CasemateError(f"{file}: cannot be written: {error.strerror}") from error
    return real


@contextmanager
def open_to_write(file: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Open a file beside its place, and move it there when it is whole; its folder is made if need be.

    It may be read by whom the file that it replaces may be, and a new one by whom the user lets read new files.

    Raises:
        CasemateError: If it cannot be written.
    """
    real = _replaceable(file)
    how: dict[str, Any] = {"encoding": "utf-8", "errors": "xmlcharrefreplace"} if mode == "w" else {}
    try:
        real.parent.mkdir(exist_ok=True)
        _clear_parts(real)
        with _new_part(real) as (part, handle):
            with os.fdopen(handle, mode, closefd=not LOCKS, **how) as out:
                if real.exists():
                    part.chmod(real.stat().st_mode & 0o777)
                yield out
            os.replace(part, real)
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}") from error


@contextmanager
def _new_part(real: Path) -> Iterator[tuple[Path, int]]:
    """Make a file beside another for what is not whole yet; it stays locked, and is removed if it is not moved away.

    Another writer who clears what was left behind may remove it before it is locked: then one more is made.
    """
    while True:
        part = real.with_name(f".{real.name[:LETTERS]}.{token_hex(4)}{PART}")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        _lock(handle, wait=True)
        if part.exists():
            break
        os.close(handle)
    try:
        yield part, handle
    finally:
        if LOCKS:
            os.close(handle)
        part.unlink(missing_ok=True)


def _clear_parts(real: Path) -> None:
    """Remove what was written of a file by processes that were killed; who still writes has it locked."""
    for part in real.parent.glob(f".{escape(real.name[:LETTERS])}.{'[0-9a-f]' * 8}{PART}"):
        with suppress(OSError), part.open("rb+") as left:
            if _lock(left.fileno()):
                part.unlink()


def _lock(handle: int, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed, if only by the end of the process; return whether it is locked."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def write(file: Path, text: str) -> None:
    """Write a file, whole or not at all, with its control characters written out; its folder is made if need be.

    Raises:
        CasemateError: If it cannot be written.
    """
    with open_to_write(file) as out:
        out.write(visible(text))


def csv_rows(out: IO[str], columns: Sequence[str]) -> Callable[[Iterable[Mapping[str, Any]]], None]:
    """Write the heading of a CSV file, and return what writes rows to it; none of their texts is run as a formula."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_cell, columns))
    return lambda rows: writer.writerows([_cell(row.get(column, "")) for column in columns] for row in rows)


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def write_rows(file: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as a CSV file, whole or not at all; its folder is made if need be.

    Raises:
        CasemateError: If it cannot be written.
    """
    with open_to_write(file) as out:
        csv_rows(out, columns)(rows)
