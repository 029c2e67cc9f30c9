"""What is said to people, as headings, paragraphs and tables: on the terminal, in Markdown and on a page alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from rich.console import Console
from rich.text import Text

from analysis.say import tables


@dataclass(frozen=True)
class Heading:
    """A heading."""

    text: str


@dataclass(frozen=True)
class Grid:
    """A table: its headings, and its rows; the first columns hold words, the others numbers.

    Attributes:
        words: How many columns from the left hold words.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True)
class Code:
    """Lines to be typed."""

    lines: tuple[str, ...]


Block = str | Heading | Grid | Code
"""A paragraph is its text."""


def show(out: Console, blocks: Iterable[Block]) -> None:
    """Print blocks on a terminal."""
    for block in blocks:
        match block:
            case Heading(text):
                out.print()
                out.print(Text(text, style="bold"))
            case Grid(headings, rows, words):
                tables.draw(out, headings, rows, words)
            case Code(lines):
                for line in lines:
                    out.print(Text(f"  {line}"), soft_wrap=True)
            case text:
                out.print(text)
    out.file.flush()


def markdown(blocks: Iterable[Block]) -> str:
    """Write blocks as Markdown."""
    parts = []
    for block in blocks:
        match block:
            case Heading(text):
                parts.append(f"## {text}")
            case Grid(headings, rows, words):
                ruler = tuple("---" if i < words else "---:" for i in range(len(headings)))
                grid = (headings, ruler, *rows)
                parts.append("\n".join(f"| {' | '.join(map(_cell, row))} |" for row in grid))
            case Code(lines):
                parts.append("\n".join(("```", *lines, "```")))
            case text:
                parts.append(text)
    return "\n\n".join(parts) + "\n"


def html(blocks: Iterable[Block]) -> str:
    """Write blocks as the inside of a page."""
    parts = []
    for block in blocks:
        match block:
            case Heading(text):
                parts.append(f"<h2>{escape(text)}</h2>")
            case Grid(headings, rows, words):
                head = "".join(_heading(each, _kind(i, words)) for i, each in enumerate(headings))
                body = "\n".join(f"<tr>{_cells(row, words)}</tr>" for row in rows)
                table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
                label = escape(", ".join(filter(None, headings)))
                parts.append(f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table}</div>')
            case Code(lines):
                parts.append(f"<pre>{escape(chr(10).join(lines))}</pre>")
            case text:
                parts.append(f"<p>{escape(text)}</p>")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _cells(row: Sequence[str], words: int) -> str:
    lines = (escape(cell).replace("\n", "<br>") for cell in row)
    return "".join(f"<td{_kind(i, words)}>{cell}</td>" for i, cell in enumerate(lines))


def _heading(text: str, kind: str) -> str:
    """Return the heading of a column; where it has none, nobody is told of one."""
    return f'<th scope="col"{kind}>{escape(text)}</th>' if text else "<td></td>"


def _kind(column: int, words: int) -> str:
    return ' class="text"' if column < words else ""


def reflow(text: str) -> str:
    """Join the lines of each paragraph, to be broken anew where they are shown."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
