"""Files from people: what is wrong is said with file, line, key and what was expected."""

import os
from typing import Annotated, Literal

import pytest
from pydantic import Field

from sims.errors import CasemateError
from sims.reading import MAX_BYTES, Source, Strict, Whole, parse, read, validate


class Inner(Strict):
    cover: int
    faces: Whole = ()


class Outer(Strict):
    title: str
    inner: Inner
    rows: dict[str, Inner] = Field(default_factory=dict)


GOOD = 'title = "a"\n\n[inner]\ncover = 4\nfaces = [1, 2]\n'


def refused(text: str) -> str:
    source = parse("rules.toml", text)
    with pytest.raises(CasemateError) as error:
        validate(Outer, source.data, [source])
    return str(error.value)


def test_a_good_file_is_read():
    source = parse("rules.toml", GOOD)
    assert validate(Outer, source.data, [source]).inner == Inner(cover=4, faces=(1, 2))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            GOOD.replace("cover = 4", "cover = '4'"),
            "rules.toml, line 4: inner.cover: expected a whole number, got '4'",
        ),
        (GOOD.replace("cover = 4", "cover = nan"), "rules.toml, line 4: inner.cover:"),
        (GOOD.replace("cover", "covr"), 'rules.toml, line 4: inner.covr: unknown key; did you mean "cover"?'),
        (GOOD.replace("cover = 4\n", ""), "rules.toml, line 3: inner.cover: this key is missing"),
        (GOOD.replace("[1, 2]", "[1, 'x']"), "rules.toml, line 5: inner.faces[2]: expected a whole number, got 'x'"),
        (GOOD.replace("title =", "titel ="), 'rules.toml, line 1: titel: unknown key; did you mean "title"?'),
        (GOOD + "[rows.one]\ncover = 2.5\n", "rules.toml, line 7: rows.one.cover: expected"),
    ],
)
def test_faults_are_placed(text, said):
    assert said in refused(text)


class Item(Strict):
    size: int | str
    where: str | Inner = ""
    colour: Literal["red"] | Literal["green", "blue"] = "red"
    loud: bool = False
    pair: Annotated[tuple[int, int], Field(strict=False)] = (0, 0)


class Listed(Strict):
    item: Annotated[tuple[Item, ...], Field(strict=False)]


FIRST = "[[item]]\nsize = 1\n[[item]]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FIRST + "size = [1]", "line 4: item[2].size: expected a whole number or text, got a list"),
        (FIRST + "size = 1.5", "line 4: item[2].size: expected a whole number or text, got 1.5"),
        (FIRST + "size = 2020-01-01", "line 4: item[2].size: expected a whole number or text, got 2020-01-01"),
        (FIRST + "size = true", "line 4: item[2].size: expected a whole number or text, got true"),
        (FIRST + "size = 1\nwhere = 3", "line 5: item[2].where: expected text or a table, got 3"),
        (FIRST + "size = 1\nwhere = { cover = 'x' }", "line 5: item[2].where.cover: expected a whole number, got 'x'"),
        (FIRST + "size = 1\nwhere = {}", "line 5: item[2].where.cover: this key is missing"),
        (FIRST + "size = 1\nwhere = { covr = 1, cover = 1 }", 'line 5: item[2].where.covr: unknown key; did you mean "cover"?'),
        (
            FIRST + "size = 1\ncolour = 'rad'",
            "line 5: item[2].colour: expected 'red' or 'green' or 'blue', got 'rad'; did you mean \"red\"?",
        ),
        (FIRST + "size = 1\ncolour = 'Greem'", "line 5: item[2].colour: expected 'red' or 'green' or 'blue', got 'Greem'; did you mean \"green\"?"),
        (FIRST + "size = 1\ncolour = 'x'", "line 5: item[2].colour: expected 'red' or 'green' or 'blue', got 'x'"),
        (FIRST + "size = 1\nloud = 'yes'", "line 5: item[2].loud: expected true or false, got 'yes'"),
        (FIRST + "size = 1\npair = [1]", "line 5: item[2].pair[2]: this item is missing"),
        (FIRST + "size = 1\npair = [1, 2, 3]", "line 5: item[2].pair: expected at most 2 items, got a list"),
        (FIRST + "size = 1\npair = 4", "line 5: item[2].pair: expected a list in brackets, got 4"),
        ("[item]\nsize = 1", "line 1: item: expected a list in brackets or tables headed [[item]], got a table"),
        ("item = [7]", "line 1: item[1]: expected a table, got 7"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_in_words_of_the_file(text, said):
    source = parse("rules.toml", text)
    with pytest.raises(CasemateError) as error:
        validate(Listed, source.data, [source])
    assert str(error.value) == f"rules.toml, {said}"


def test_every_fault_is_told():
    said = refused('titel = "a"\n[inner]\ncover = "x"\n')
    assert "titel" in said
    assert "inner.cover" in said
    assert "title: this key is missing" in said


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"title = 4+\n", "line 1, column"),
        (b"", "the file is empty"),
        (b"# only a comment\n", "the file is empty"),
        (b"\x00\xff\xfe\x89PNG", "not a text file"),
        ("title = 'a'\n".encode("utf-16"), "this file is in UTF-16; expected TOML in UTF-8"),
        (b"\xfe\xff" + "title = 'a'\n".encode("utf-16-be"), "this file is in UTF-16; expected TOML in UTF-8"),
        ("x = 1\ntitle = “Barn”\n".encode(), "line 2, column 9: not valid TOML: a curly quote, “; expected a straight"),
        (
            'title = "Barn”\n'.encode(),
            'line 1, column 15: not valid TOML: a curly quote, ”; expected a straight one, "',
        ),
        ("plan = ‘storm’\n".encode(), "line 1, column 8: not valid TOML: a curly quote, ‘"),
        ('x = 4+  # “four”, "or" more\n'.encode(), "line 1, column 6: not valid TOML: Expected newline"),
        ('x = { a = "“", b = }\n'.encode(), "line 1, column 20: not valid TOML: Invalid value"),
        (b"x = " + b"[" * 400 + b"]" * 400, "rules.toml"),
        (b"x = '" + b"y" * MAX_BYTES + b"'", "too large"),
        (b"[x]\ny = [1, 9223372036854775808]", "rules.toml: a number has more than the 64 bits that TOML allows"),
        (b"x = " + b"9" * 5000, "more than the 64 bits"),
        (b"x = 0x" + b"f" * 5000, "more than the 64 bits"),
    ],
)
def test_what_is_not_a_toml_file_is_refused(tmp_path, raw, said):
    path = tmp_path / "rules.toml"
    path.write_bytes(raw)
    with pytest.raises(CasemateError, match=said.replace("(", r"\(")):
        read(path)


def test_a_file_may_begin_with_the_mark_of_an_editor_and_hold_curly_quotes_in_its_texts(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text('# “old”\ntitle = "The “old” barn"\n', encoding="utf-8-sig")
    source = read(path)
    assert source.data == {"title": "The “old” barn"}
    assert source.line(("title",)) == 2


def test_numbers_of_64_bits_are_read():
    assert parse("rules.toml", "x = [-9223372036854775808, 9223372036854775807]").data["x"] == [-(2**63), 2**63 - 1]


def test_a_file_is_read_no_further_than_its_limit(tmp_path):
    """A link to a device that never ends says nothing of its size."""
    (tmp_path / "endless.toml").symlink_to("/dev/zero")
    with pytest.raises(CasemateError, match="too large; expected at most 256 kB"):
        read(tmp_path / "endless.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(CasemateError, match="a pipe, not a file"):
        read(tmp_path / "pipe.toml")


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(CasemateError, match="No such file"):
        read(tmp_path / "none.toml")
    with pytest.raises(CasemateError, match="cannot be read"):
        read(tmp_path)


def test_the_line_of_a_key():
    source = parse("rules.toml", GOOD)
    assert [source.line(key) for key in [("title",), ("inner",), ("inner", "faces"), ("nowhere",)]] == [1, 3, 5, None]
    assert isinstance(source, Source)
