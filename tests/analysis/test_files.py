"""Files that are written: whole or not at all, as private as the user wants them, and nothing in them runs."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis import charts
from analysis.charts.style import new_chart
from analysis.say import files
from sims.errors import CasemateError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes, links and locks of files are others there")


@pytest.fixture
def umask():
    """A umask that lets the group read and nobody else."""
    before = os.umask(0o027)
    yield
    os.umask(before)


def chart() -> charts.Chart:
    """A chart of nothing."""
    drawn = new_chart("plain", 4, 2)
    drawn.add_subplot()
    return drawn


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_a_new_file_is_as_private_as_the_user_has_it_and_an_old_one_stays_so(tmp_path, umask):
    new, old = tmp_path / "new.html", tmp_path / "old.html"
    old.touch(mode=0o600)
    files.write(new, "a")
    files.write(old, "b")
    assert (mode(new), mode(old), old.read_text()) == (0o640, 0o600, "b")


def test_what_is_kept_from_being_changed_is_not_replaced(tmp_path):
    file = tmp_path / "kept.html"
    file.write_text("mine")
    file.chmod(0o444)
    for write in (lambda: files.write(file, "other"), lambda: files.writable(file, tmp_path)):
        with pytest.raises(CasemateError, match="read-only"):
            write()
    assert file.read_text() == "mine"


def test_a_link_is_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "page.html", tmp_path / "link.html"
    link.symlink_to(real)
    for text in ("one", "two"):
        files.writable(link, tmp_path)
        files.write(link, text)
        assert (link.is_symlink(), real.read_text()) == (True, text)
    assert [*tmp_path.glob("*/.*"), *tmp_path.glob(".*")] == []


def test_what_is_no_file_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(CasemateError, match="it is no file"):
        files.write(pipe, "a")
    assert pipe.is_fifo()


def test_a_name_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(CasemateError, match="cannot be written: File name too long"):
        files.write(tmp_path / ("a" * 300), "a")
    files.write(tmp_path / ("a" * 255), "b")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["b"]


HOLD = "import sys; from pathlib import Path; from analysis.say.files import open_to_write\n" + (
    "with open_to_write(Path(sys.argv[1])): print('open', flush=True); sys.stdin.read()"
)


def test_what_a_killed_process_has_left_is_cleared_and_nothing_that_one_still_writes(tmp_path):
    file = tmp_path / "rows[1].csv"
    beside = tmp_path / ".rows[1].csv.backup.part"
    beside.touch()
    both = [subprocess.Popen([sys.executable, "-c", HOLD, file], stdin=-1, stdout=-1, text=True) for _ in range(2)]
    for one in both:
        assert one.stdout.readline() == "open\n"
    both[0].kill()
    both[0].communicate()
    assert len([*tmp_path.iterdir()]) == 3
    files.write(file, "a")
    assert len([*tmp_path.iterdir()]) == 3  # the file, what stood beside it, and what is still written
    both[1].communicate()
    assert both[1].returncode == 0
    assert sorted(tmp_path.iterdir()) == [beside, file]


@pytest.mark.parametrize("when", ["open", "replace"])
def test_another_writer_who_clears_what_was_left_takes_nothing_that_is_written(tmp_path, monkeypatch, when):
    """Neither a file that is made and not locked yet, nor one that is whole and not moved yet."""
    file, do, calls = tmp_path / "rows.csv", getattr(os, when), []

    def beside_another(*given):
        calls.append(given)
        if when == "replace":
            files._clear_parts(file)
        done = do(*given)
        if when == "open" and len(calls) == 1:
            files._clear_parts(file)
        return done

    monkeypatch.setattr(os, when, beside_another)
    files.write(file, "a")
    assert len(calls) == {"open": 2, "replace": 1}[when]
    assert [each.read_text() for each in tmp_path.iterdir()] == ["a"]


def test_a_picture_stays_where_there_is_no_room_for_a_new_one(tmp_path, monkeypatch):
    for name in ("old.svg", "old.png", "old.pdf"):
        file = tmp_path / name
        file.write_text("old")

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", full)
            with pytest.raises(CasemateError, match=f"{name}: cannot be written: No space left on device"):
                charts.write(chart(), file)
        assert file.read_text() == "old"
    assert len([*tmp_path.iterdir()]) == 3


EVIL = "a\x1b[31m\x07\x9b\u202e & <b>"


@pytest.mark.filterwarnings("ignore:Glyph")
def test_a_picture_of_a_title_with_control_characters_is_xml(tmp_path):
    drawn = chart()
    drawn.suptitle("plain \x01")
    drawn.shows = EVIL
    charts.write(drawn, tmp_path / "chart.svg")
    ElementTree.parse(tmp_path / "chart.svg")


def test_texts_in_tables_do_not_run_as_formulas(tmp_path):
    rows = [
        {"=x": "=cmd|' /C calc'!A0", "n": -1.5},
        {"=x": "@a", "n": -2},
        {"=x": "+1", "n": None},
        {"=x": EVIL, "n": "-"},
    ]
    files.write_rows(tmp_path / "rows.csv", ["=x", "n"], rows)
    assert (tmp_path / "rows.csv").read_text("utf-8").splitlines() == [
        "'=x,n",
        "'=cmd|' /C calc'!A0,-1.5",
        "'@a,-2",
        "'+1,",
        "a\\x1b[31m\\x07\\x9b\\u202e & <b>,'-",
    ]
