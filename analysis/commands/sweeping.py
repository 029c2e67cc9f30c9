"""The command that plays many points: sweep."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.pictures import NO_CHART, Charted, Picture
from analysis.commands.root import app, print_blocks, print_rows, progress_bar
from analysis.points.point import How
from analysis.points.responses import check_response
from analysis.points.stopping import short
from analysis.say import files
from analysis.say.notes import note
from sims.errors import CasemateError

if TYPE_CHECKING:
    from analysis.sweeps.contours import Plane
    from analysis.sweeps.design import Design
    from analysis.sweeps.sweep import Answer
    from analysis.sweeps.words import Found


@Parameter(name="*")
@dataclass(frozen=True)
class Varied:
    """What is varied, and under which rules.

    Args:
        vary: A key as files of scenarios and house rules write it, or rules or scenario, and its levels: `5..20`,
            `5..20:5` in steps of 5, or `a,b,c`. Give it once for each factor.
        study: A file of factors and points, or one of those that come with Casemate: plans, support.
    """

    vary: options.Names = None
    study: str | None = None
    rules: options.RulesNames = None

    @property
    def anything(self) -> bool:
        """Whether a factor is given."""
        return bool(self.vary or self.study)

    @property
    def sets(self) -> list[str] | None:
        """The names of the sets of rules, if they are given."""
        return options.split(self.rules) if self.rules else None

    @property
    def typed(self) -> list[str]:
        """The same as options of a command."""
        vary = [word for each in self.vary or () for word in ("--vary", each)]
        study = ["--study", self.study] if self.study else []
        return [*vary, *study, *(["--rules", ",".join(self.sets)] if self.sets else [])]

    def design(self, scenario: str | None, changes: Mapping[str, str] | None = None) -> "Design":
        """Return the design of what is typed, of the farmhouse if nothing says another scenario."""
        from analysis.sweeps.design import design, factor
        from analysis.sweeps.study import study, typed_factors

        factors = [*(study(self.study) if self.study else ()), *typed_factors(self.vary or ())]
        if not factors:
            raise CasemateError(
                "nothing is varied; expected --vary KEY=LEVELS, such as attackers.models=5..20, or --study"
            )
        if scenario is None and not any("scenario" in each.keys for each in factors):
            scenario = options.DEFAULT_SCENARIO
        set_to = (factor(key, [value]) for key, value in (changes or {}).items())
        return design([*factors, *set_to], scenario, self.sets)


NOTHING_VARIED = Varied()


@app.command
def sweep(
    scenario: str | None = None,
    /,
    *,
    varied: Varied = NOTHING_VARIED,
    response: str = "p_captured",
    target: float | None = None,
    work: options.Work = options.USUAL_WORK,
    cluster: str | None = None,
    out: Path | None = None,
    charted: Charted = NO_CHART,
    as_json: Annotated[options.Json, Parameter(help="Print all rows as JSON.")] = False,
) -> None:
    """Play an assault at every combination of the levels of some factors, under several sets of rules.

    Prints where a response is least and most, or every level where one thing alone is varied; all numbers go to --out
    or --json, a row for each point and response. For example:

    - `casemate sweep farmhouse --vary attackers.models=5..20 --vary defenders.models=4..15 --rules all --out DIR`
    - `casemate sweep --vary building.doors=1,2,3 --vary first=attackers,defenders`
    - `casemate sweep bastion --vary tables.grenade.hits=D3,D6,2D6 --rules storming`
    - `casemate sweep --vary scenario=all --vary attackers.plan=storm,smoke --response p_cleared`
    - `casemate sweep --vary distance=6..36:2 --vary defenders.models=4..15 --target 0.5`
    - `casemate sweep --study my-study.toml --out DIR`
    - `casemate sweep --vary attackers.models=5..20 --chart sweep.svg`
    - `casemate sweep --vary attackers.plan=storm,demolish,shoot,smoke --response p_cleared --chart plans.svg`
    - `casemate sweep --vary tables.grenade.hits=D3,D6,2D6 --rules storming --response turns_mean --chart hits.svg`

    A chart is drawn over the levels of one thing, a number or a word, or over the plane of two numbers.

    A point that is impossible, be it under one set of rules alone, is a row that says why.

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if none is said.
        response: What is told: p_captured, p_destroyed, p_broken, p_held, p_cleared, turns_mean, attackers_lost_mean,
            ...
        target: Of two factors that are numbers, say as well where the response meets this: 0.5 for an even chance. The
            lines go to --out as contours.csv, and to --json; `casemate chart contours` draws them.
        cluster: The address of a Dask scheduler, such as tcp://host:8786, whose workers play instead: those with the
            same versions of Casemate, Python and NumPy. Whoever can reach it can run any program on the workers and on
            this machine: use it in a network of your own, or with certificates at tls://host:8786.
        out: A folder to write all rows to, as sweep.csv, and a page with a chart of one or two numbers that are varied,
            as sweep.html; it is made if need be.
    """
    from analysis.sweeps.contours import even_plane, plane

    check_response(response)
    made = varied.design(scenario)
    picture = charted.ready()
    if picture and not even_plane(made, response):
        rows.one_factor(made)
    on = None if target is None else plane(made, response, target)
    typed = ["sweep", *([scenario] if scenario else []), *varied.typed, "--response", response]
    typed += [] if target is None else ["--target", str(target)]
    show(made, [response], work, out, typed, cluster=cluster, as_json=as_json, on=on, picture=picture)


def show(
    of: "Design",
    responses: Sequence[str],
    work: options.Work,
    out: Path | None,
    typed: Sequence[str],
    *,
    cluster: str | None = None,
    as_json: bool,
    on: "Plane | None" = None,
    picture: Picture | None = None,
) -> None:
    """Play a design, write its rows to a folder and draw it if that is wanted, and say what came of it.

    On a plane, the lines where the response meets its target are among them. What is typed for it, but for how it is
    computed, stands on its page.
    """
    from analysis.pages import sweep as sweep_page
    from analysis.say import engine
    from analysis.sweeps import contour_words
    from analysis.sweeps import words as sweep_words
    from analysis.sweeps.contours import contours, even_plane, rows

    file = out / "sweep.csv" if out else None
    if out:
        for name in ("sweep.csv", "sweep.html", *(["contours.csv"] if on else ())):
            files.writable(out / name, files.folder_for(out))
    found, by = sweep_words.Found(of, responses), cluster or work.workers
    keep = bool(on or picture or (out and len(of) <= sweep_page.MOST))
    with TemporaryFile("w+", encoding="ascii") as lines:
        brief, wide = _play(found, work, by, file, lines if as_json else None, keep=keep)
        drawn = contours(on, brief) if on else []
        if as_json:
            lines.seek(0)
            print_rows(sweep_words.data(of) | (contour_words.data(on, drawn) if on else {}), lines)
    fell_short = [*engine.not_enough(work.how, wide)]
    said = [*sweep_words.summary(work.how, found), *(contour_words.summary(on, drawn) if on else ()), *fell_short]
    if as_json:
        for each in fell_short:
            note(f"casemate: {each}")
    else:
        print_blocks([sweep_page.opening(found, brief or found.answers, on), *said])
    if out and on:
        files.write_rows(out / "contours.csv", on.columns, rows(on, drawn))
        note(f"The lines: {out / 'contours.csv'}")
    if out:
        note(f"The rows: {file}")
        command = shlex.join(["casemate", *typed, *engine.options(work.how)])
        files.write(out / "sweep.html", sweep_page.page(found, brief, said, command, on))
        note(f"The page: {out / 'sweep.html'}")
    if picture:
        _draw(picture, of, on or even_plane(of, responses[0]), brief, responses[0], work.how)


def _play(
    found: "Found", work: options.Work, workers: int | str, file: Path | None, lines: TextIO | None, *, keep: bool
) -> "tuple[list[Answer], int]":
    """Play a design; return its answers, if they are to be kept, and in how many the most trials were not enough.

    Args:
        found: What is told of the design, to which every answer is added.
        file: What all rows are written to.
        lines: What they are written to as JSON.
    """
    from analysis.sweeps.sweep import Answer, answers, rows_writer

    brief, wide, of = list[Answer](), 0, found.of
    with work.kept.opened() as known, progress_bar() as tell, rows_writer(file, of) as write:
        for answer in answers(of, work.how, known=known, workers=workers, progress=tell):
            write(answer)
            found.add(answer)
            if lines:
                lines.writelines(f"{json.dumps(row, allow_nan=False)}\n" for row in answer.rows())
            if keep:
                brief.append(answer.only(found.responses))
            wide += short([answer.responses], work.how.until)
    return brief, wide


def _draw(picture: Picture, of: "Design", on: "Plane | None", found: "list[Answer]", response: str, how: How) -> None:
    """Draw a response over the plane of two numbers, or over the levels of the one thing that is varied."""
    from analysis.say.axes import factor_words
    from analysis.sweeps.words import caption

    if on:
        draw_plane(picture, on, of, found, how)
        return
    shown, factor = rows.answer_rows(of, found, response), factor_words(rows.one_factor(of).name)
    said = caption(of, how, found, rows.left_out(found))
    picture.write(charts.sweep_chart(shown, response, factor=factor, caption=said), shown)


def draw_plane(picture: Picture, on: "Plane", of: "Design", found: "list[Answer]", how: How) -> None:
    """Draw a response over the plane of two numbers: a heat map for each set of rules, with the line of a target."""
    from analysis.sweeps.contours import contours
    from analysis.sweeps.words import caption

    shown = rows.plane_rows(on, found)
    lines = rows.contour_rows(contours(on, found), rows.titles_of(found), rows.looks_of(found))
    said = caption(of, how, found, rows.left_out(found))
    picture.write(charts.plane_chart(shown, lines, on, caption=said), shown)
