"""Tables on a terminal: no word, number, interval or id is ever broken, and no line is longer than the terminal.

What does not fit side by side is drawn as several tables, one below the other; if even that is too wide, row by row.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

LABELS, PROSE = 20, 10
"""The least width of a column of longer texts: of the only one, and of several."""
TOKEN = re.compile(r"\([-+\d.e]+ to [-+\d.e]+\)\S*|\S*\d %\S*|\S+")
"""What is never broken: an interval, a percentage, a word."""

Cell = str | Text


def draw(
    out: Console,
    headings: Sequence[Cell],
    rows: Sequence[Sequence[Cell]],
    words: int = 1,
    breaks: Collection[int] = (),
) -> None:
    """Draw a table.

    Args:
        words: How many columns from the left hold words; the others hold numbers.
        breaks: The rows, by number, below which there is a line.
    """
    words = min(words, len(headings))
    table = [[_text(cell) for cell in row] for row in (headings, *rows)]
    least = [max(map(_longest_token, column)) for column in zip(*table, strict=True)]
    most = [max(map(_longest_line, column)) for column in zip(*table, strict=True)]
    prose = LABELS if words == 1 else PROSE
    least[:words] = [max(low, min(high, prose)) for low, high in zip(least[:words], most, strict=False)]
    pieces = [*_pieces(least, words, out.width)]
    if not all(_fits([least[i] for i in piece], out.width) for piece in pieces):
        _draw_rows(out, table)
        return
    for piece in pieces:
        widths = _widths([least[i] for i in piece], [most[i] for i in piece], out.width)
        drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for i, width in zip(piece, widths, strict=True):
            drawn.add_column(_aligned(table[0][i], width, right=i >= words), width=width, no_wrap=True)
        for n, row in enumerate(table[1:]):
            cells = (_aligned(row[i], width, right=i >= words) for i, width in zip(piece, widths, strict=True))
            drawn.add_row(*cells, end_section=n in breaks)
        out.print(drawn)


def hang(out: Console, text: Cell, indent: int = 0) -> None:
    """Print a text; lines that do not fit go on further to the right than they begin."""
    for line in _text(text).split("\n"):
        first = Text(" " * indent).append_text(line)
        out.print(wrapped(first, out.width, _margin(first) + 2), no_wrap=True, overflow="ignore", crop=False)


def wrapped(text: Text, width: int, hanging: int | None = None) -> Text:
    """Return a text in lines no wider than a width, broken between words alone.

    Args:
        hanging: Where lines go on; where they begin if not given.
    """
    lines = list[Text]()
    for line in text.split("\n", allow_blank=True):
        margin = _margin(line) if hanging is None else hanging
        cuts, begin, left = list[int](), 0, 0
        for n, token in enumerate(TOKEN.finditer(line.plain)):
            if n and left + len(line.plain[begin : token.end()]) > width:
                cuts.append(token.start())
                begin, left = token.start(), margin
        *broken, last = line.divide(cuts)
        for each in broken:
            each.rstrip()
        first, *others = (*broken, last)
        lines += [first, *(Text(" " * margin).append_text(each) for each in others)]
    return Text("\n").join(lines)


def _aligned(text: Text, width: int, *, right: bool) -> Text:
    """Return a text in lines, each pushed to the right of its column if it is one of numbers."""
    lines = wrapped(text, width).split("\n", allow_blank=True)
    for line in lines if right else ():
        line.pad_left(width - len(line))
    return Text("\n").join(lines)


def _text(cell: Cell) -> Text:
    return Text(cell) if isinstance(cell, str) else cell


def _margin(text: Text) -> int:
    return len(text.plain) - len(text.plain.lstrip())


def _longest_token(cell: Text) -> int:
    return max(map(len, TOKEN.findall(cell.plain)), default=0)


def _longest_line(cell: Text) -> int:
    return max(map(len, cell.plain.split("\n")))


def _pieces(least: Sequence[int], words: int, room: int) -> Iterator[list[int]]:
    """Yield the columns of each table: all that hold words, and as many numbers as fit beside them."""
    piece = [*range(words)]
    for i in range(words, len(least)):
        if len(piece) > words and not _fits([*(least[each] for each in piece), least[i]], room):
            yield piece
            piece = [*range(words)]
        piece.append(i)
    yield piece


def _fits(widths: Sequence[int], room: int) -> bool:
    return sum(widths) <= room - _between(widths)


def _between(widths: Sequence[int]) -> int:
    """Return how much of a line lies between columns and beside them."""
    return 3 * len(widths) - 1


def _widths(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Return how wide columns are: as their lines where there is room, else what is spare is shared out."""
    spare, wanted = room - _between(least) - sum(least), sum(most) - sum(least)
    return [low + (high - low) * min(spare, wanted) // max(1, wanted) for low, high in zip(least, most, strict=True)]


def _draw_rows(out: Console, table: Sequence[Sequence[Text]]) -> None:
    """Draw each row by itself: its first cell, and below that the others with their headings."""
    headings, *rows = table
    out.print()
    for first, *others in rows:
        if first.plain:
            hang(out, first)
        for heading, cell in zip(headings[1:], others, strict=True):
            if cell.plain:
                term = f"{heading.plain}: " if heading.plain else ""
                hang(out, Text.assemble(term, Text(" ").join(cell.split("\n"))), _margin(first) + 2)
    out.print()
