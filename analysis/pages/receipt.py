"""The page of a receipt, and where it may go."""

from collections.abc import Sequence
from pathlib import Path
from shlex import join

from analysis.deciding.receipt import Receipt
from analysis.deciding.receipt_opening import ENDS, by_end
from analysis.deciding.receipt_words import _computed
from analysis.pages.report import again, picture, plain
from analysis.points.point import How
from analysis.rows.decisions import move_rows
from analysis.say.blocks import Block, html, markdown
from analysis.say.engine import options
from analysis.say.files import existing_folder, writable
from sims.errors import CasemateError


def target(out: Path) -> None:
    """See that a receipt can be written to a file, or raise `CasemateError` if it cannot."""
    if out.suffix not in (".md", ".html"):
        raise CasemateError(f'--out cannot be "{out}"; expected a file ending in .md or .html')
    writable(out, existing_folder(out))


def command(rules: str, against: str | None, suite: Path | None, play: str, how: How, *, undo: bool) -> str:
    """Return the command that computes a receipt again, by what was asked."""
    given = {"--against": against, "--suite": suite, "--play": play if play != "fixed" else None}
    typed = [word for name, value in given.items() if value for word in (name, str(value))]
    return join(["casemate", "receipt", rules, *typed, *["--undo"] * undo, *options(how)])


def page(found: Receipt, lead: Sequence[str], said: Sequence[Block], command: str, kind: str) -> str:
    """Return a receipt as Markdown, or as a page with a chart."""
    body = [*said, *again(command, _computed(found))]
    if kind == ".md":
        return f"# {found.after.title}\n\n" + markdown([*lead, *body])
    from analysis import charts  # Matplotlib takes its time to start

    ends = [end for end, _, _ in by_end(found)]
    if not ends:
        return plain(found.after.title, lead, html(body))
    rows = move_rows(found)
    what = "of 100 games" if len(ends) > 1 else ENDS[ends[0]]
    told = ", ".join(end.removeprefix("p_") for end in ends)
    caption = f"Every assault in which it moves by a point or more: {told}. {_computed(found)}"
    title = f"{what}, before and now"
    chart = picture("moves", lambda width: charts.move_chart(rows, title, width=width))
    return plain(found.after.title, lead, html(body), chart, caption)
