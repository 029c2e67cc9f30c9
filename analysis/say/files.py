"""Files that are written for people: seen beforehand to be possible, and written whole or not at all."""

import csv
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from sims.errors import CasemateError


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
    """See that a file can be written in a folder.

    Raises:
        CasemateError: If it cannot.
    """
    if file.is_dir():
        raise CasemateError(f"{file}: cannot be written: it is a folder")
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}") from error


@contextmanager
def open_to_write(file: Path) -> Iterator[TextIO]:
    """Open a file beside its place, and move it there when it is whole; its folder is made if need be.

    Raises:
        CasemateError: If it cannot be written.
    """
    try:
        file.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="xmlcharrefreplace") as open_file:
            yield open_file
        os.chmod(name, 0o644)  # a temporary file is private, a report is to be read
        os.replace(name, file)
    except OSError as error:
        raise CasemateError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        Path(name).unlink(missing_ok=True)


def write(file: Path, text: str) -> None:
    """Write a file, whole or not at all; its folder is made if need be.

    Raises:
        CasemateError: If it cannot be written.
    """
    with open_to_write(file) as out:
        out.write(text)


def write_rows(file: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as a CSV file, whole or not at all; its folder is made if need be.

    Raises:
        CasemateError: If it cannot be written.
    """
    with open_to_write(file) as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
