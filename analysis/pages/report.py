"""The report: one HTML file that opens anywhere, with its charts inside and no link outside."""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from analysis.comparing import words
from analysis.comparing.compare import Comparison, Entry
from analysis.comparing.foremost import GAMES, seed_of
from analysis.comparing.table import plan_lines, table_lines
from analysis.deciding.explain import Sensitivity, swings
from analysis.deciding.explain_words import largest_swing
from analysis.findings import assaults as findings
from analysis.findings import plans as found_plans
from analysis.pages.rules import Told
from analysis.points.responses import Estimate
from analysis.rows.assaults import both_rows, end_rows, loss_marks, loss_rows, turn_rows
from analysis.rows.plans import compared_plans, end_wanted
from analysis.say import blocks, scenarios
from analysis.say.blocks import Block, Code, Heading
from analysis.say.files import existing_folder, folder_for, writable
from sims.clauses import Clause, Document, documents
from sims.engines import WITHIN, Progress
from sims.errors import CasemateError
from sims.reading import read_text
from sims.rulebook import Ruling

if TYPE_CHECKING:
    from analysis.charts import Chart

MOST_BYTES = 2**25
"""Of a page that is looked at."""
MOST_STEM = 100
"""How long the name of a page becomes."""


def target(out: Path, scenario: str) -> Path:
    """Return the file a report goes to, having seen that it can be written there.

    Args:
        out: A file ending in ``.html``, or a folder.
        scenario: Names the file in a folder.

    Raises:
        CasemateError: If nothing can be written there.
    """
    page = out
    if out.is_dir() or out.suffix == "":
        page = out / f"{scenario}.html"
    elif out.suffix.lower() not in (".html", ".htm"):
        raise CasemateError(f"{out}: expected a file ending in .html, or a folder")
    if page.is_dir():
        raise CasemateError(f"{page}: this is a folder; expected a file")
    folder = folder_for(page.parent) if page.parent == out else existing_folder(page)
    writable(page, folder)
    return page


def beside(page: Path, rules: Sequence[str]) -> Path:
    """Return the file of a comparison in a folder: one named after the rules too, where the page there has others.

    Args:
        rules: The ids of the sets of rules that are compared.

    Raises:
        CasemateError: If that file cannot be written.
    """
    if not page.exists() or {*_rules_of(page)} == {*rules}:
        return page
    other = page.with_stem(f"{page.stem}-{'-'.join(rules)}"[:MOST_STEM])
    writable(other, page.parent)
    return other


def _rules_of(page: Path) -> list[str]:
    """Return the ids of the rules that a page compares, by the command on it; none if it has no such command."""
    try:
        text = read_text(page, MOST_BYTES, "HTML")
    except CasemateError:
        return []
    found = re.search(r"<pre><code>(casemate compare .*)</code>", text)
    parts = shlex.split(unescape(found[1])) if found else []
    names = parts[parts.index("--rules") + 1].split(",") if "--rules" in parts else []
    return [Path(name).stem if name.endswith(".toml") else name for name in names]


def picture(name: str, draw: "Callable[[float], Chart]") -> str:
    """Return a chart as HTML, drawn for the width of a page and for that of a phone: one of the two is shown."""
    from analysis.charts import PHONE, WIDE, svg

    return both(svg(draw(WIDE), name), svg(draw(PHONE), f"{name}-phone"))


def both(at_desk: str, on_phone: str) -> str:
    """Return the two drawings of a chart as HTML, of which one is shown."""
    return f'<div class="at-desk">{at_desk}</div><div class="on-phone">{on_phone}</div>'


def command(comparison: Comparison, names: list[str], scenario: str, *, weigh: bool = False) -> str:
    """Return the command that computes a comparison again, with the rule sets as they were asked for: ids and files."""
    game = comparison.scenario
    parts = ["casemate", "compare", scenario, "--plan", game.plan, "--defence", game.defence]
    parts += ["--rules", ",".join(names)]
    parts += ["--engine", comparison.how.engine, "--budget", str(comparison.how.budget)]
    parts += ["--within", f"{comparison.how.within:g}"] if comparison.how.within != WITHIN else []
    if comparison.sampled:
        parts += ["--trials", str(comparison.how.trials), "--seed", str(comparison.how.seed)]
        parts += ["--until", f"{comparison.how.until:g}"] if comparison.how.until else []
    parts += ["--best"] if any(entry.best is not None for entry in comparison.entries) else []
    parts += ["--weigh"] if weigh else []
    return shlex.join(parts)


def again(command: str, computed: str = "") -> list[Block]:
    """Return the end of a page: how its numbers were computed, and the command that computes them again."""
    typed = f"To compute it again, with casemate {version('casemate')}:"
    return [Heading("How this was computed"), *([computed] if computed else ()), typed, Code((command,))]


def pictures(comparison: Comparison, progress: Progress = lambda done, of: None) -> dict[str, str]:
    """Return the charts of the report of a comparison as HTML, by name."""
    from analysis import charts  # Matplotlib takes its time to start

    ends, turns, both = end_rows(comparison), turn_rows(comparison), both_rows(comparison)
    lost, marks = loss_rows(comparison), loss_marks(comparison)
    after = end_wanted(comparison.scenario.plan)
    plans = compared_plans(comparison, after)
    best = found_plans.against(plans, comparison.scenario.defence, after)
    figures: dict[str, Callable[[float], charts.Chart]] = {
        "ends": lambda width: charts.end_chart(ends, title="", width=width),
        "capture": lambda width: charts.capture_chart(turns, width=width),
        "losses": lambda width: charts.loss_chart(lost, marks, width=width),
        "plans": lambda width: charts.matrix_chart(plans, (), after, title=best, width=width),
        "both": lambda width: charts.both_chart(both, width=width),
    }
    drawn = dict[str, str]()
    for name, draw in figures.items():
        drawn[name] = picture(name, draw)
        progress(len(drawn), len(figures))
    return drawn


def page(
    comparison: Comparison,
    reproduce: str,
    bases: Mapping[str, Mapping[str, Estimate]],
    charts: Mapping[str, str],
    weighed: Mapping[str, Sensitivity] | None = None,
    first: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return the report of a comparison as HTML.

    Args:
        reproduce: The command that computes it again.
        bases: For each house rule, by its id, the responses of its base.
        charts: What `pictures` has drawn.
        weighed: By the id of a set of rules, what each of its rulings is worth in the assault.
        first: By the id of a set of rules, the rulings that stand first, see `foremost`.
    """
    return _filled(
        "compare",
        comparison=comparison,
        scenario=comparison.scenario,
        finding=findings.opening(comparison),
        house_rules=[
            words.main_move(each, bases[each.rule_set.id]) for each in comparison.entries if each.rule_set.made_from
        ],
        entries=list(zip(comparison.names(), comparison.entries, strict=True)),
        setting=scenarios.setting(comparison.scenario),
        story=words.story,
        left_out=words.left_out,
        other_plans=words.other_plans,
        alike=words.alike,
        table=table_lines(comparison),
        plans=plan_lines(comparison),
        plan_heading=scenarios.plan_heading,
        rulings={
            name: rulings(entry, (weighed or {}).get(entry.rule_set.id), (first or {}).get(entry.rule_set.id))
            for name, entry in zip(comparison.names(), comparison.entries, strict=True)
        },
        weighed=weighed is not None,
        drawn=bool(first),
        games=GAMES,
        seed=seed_of(comparison),
        by_document=by_document,
        charts=charts,
        computed=words.engine_words(comparison),
        brief="Exact." if comparison.exact else words.engine_words(comparison),
        command=reproduce,
    )


class InForce(NamedTuple):
    """The rulings that an assault asks.

    Attributes:
        asked: Each with its name, and what it is worth if that has been weighed.
        moving: How many of them, the first, are seen to move an end in drawn games; None where none were drawn.
        others: How many others the book has.
    """

    asked: list[tuple[str, Ruling, str]]
    moving: int | None
    others: int


def rulings(entry: Entry, weighed: Sensitivity | None = None, first: Sequence[str] | None = None) -> InForce:
    """Return the rulings that an assault asks.

    Those that swing it stand first, in their order: as they are weighed, else as drawn games have it. Then the others,
    those of the base game last.
    """
    every = {f"rulings.{name}": (name, ruling) for name, ruling in entry.rule_set.book.all_rulings()}
    swinging = swings(weighed) if weighed else {}
    asked = dict.fromkeys([*swinging, *(first or ()), *(key for key in every if key in entry.read)])
    said = {key: largest_swing(weighed, key, swinging.get(key)) if weighed else "" for key in asked}
    moving = None if first is None else len(first)
    return InForce([(*every[key], said[key]) for key in asked], moving, len(every) - len(asked))


def gallery(chapters: Mapping[str, Sequence[tuple[str, str, Sequence[tuple[str, str]]]]], house_rule: str) -> str:
    """Return a page of charts: by chapter, their names, purposes, and the commands that make them with the pictures."""
    return _filled("gallery", chapters=chapters, house_rule=house_rule)


def rules(chapters: Mapping[Document, Mapping[str, Sequence[Told]]]) -> str:
    """Return the page of every clause, by document and section."""
    return _filled("rules", chapters=chapters, reflowed=blocks.reflow)


def plain(title: str, lead: Sequence[str], body: str, chart: str = "", caption: str = "") -> str:
    """Return a page with a chart, if there is one, over what else it says, which is HTML already."""
    return _filled("plain", title=title, lead=lead, body=body, chart=chart, caption=caption)


def _filled(template: str, **given: Any) -> str:
    loader = PackageLoader("analysis")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return made.get_template(f"{template}.html.j2").render(**given, version=version("casemate"))


def by_document(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    """Return rows, of which each has a clause, by the title of the document that it comes from."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    titles = {clause.id: document.title for document in documents().values() for clause in document.clauses}
    for row in rows:
        (clause,) = (part for part in row if isinstance(part, Clause))
        found.setdefault(titles[clause.id], []).append(row)
    return found
