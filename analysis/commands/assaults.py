"""The commands that play assaults: compare, play."""

import shlex
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from analysis.commands import options
from analysis.commands.root import app, print_json, progress_bar, tell_short, within
from analysis.commands.sweeping import show
from analysis.comparing.compare import Comparison, alternatives, bases, with_best, with_plans
from analysis.comparing.compare import compare as compare_rules
from analysis.points.margins import ENDS
from analysis.points.plans import BEST, solution_of
from analysis.points.point import Played, Point, point
from analysis.say import files
from analysis.say.notes import note
from sims.assault import Assault, Scene
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_set_ids, rule_sets_of
from sims.scenario import load_scenario

if TYPE_CHECKING:
    from analysis.deciding.explain import Sensitivity
    from analysis.told.chances import Course


@app.command
def compare(
    scenario: str | None = None,
    /,
    *,
    every: Annotated[bool, Parameter(name="--all", negative=())] = False,
    rules: options.RulesNames = None,
    meant: options.Meant = options.OWN_PLANS,
    computed: options.Computed = options.USUAL,
    kept: options.Kept = options.USUALLY_KEPT,
    best: options.Flag = False,
    weigh: options.Flag = False,
    out: Path | None = None,
    as_json: Annotated[options.Json, Parameter(help="Print JSON, and write no page unless --out is given.")] = False,
) -> None:
    """Play one assault under several sets of rules: who takes the building, when, at what cost.

    Prints a table and writes a page with charts. Examples:

    - `casemate compare`
    - `casemate compare bunker-rush --rules gemini,storming`
    - `casemate compare keep-gate --rules gemini --rules my-house-rule.toml --out my-page.html`
    - `casemate compare --engine rolled --trials 200000 --json`
    - `casemate compare --all`: every scenario that comes with Casemate, as `casemate sweep` plays it

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if not given.
        every: Play every scenario, and print how it ends under each set of rules.
        best: Say as well how often the building is captured if both sides play their best, as `casemate best` has it;
            for four sets of rules that takes two to four minutes.
        weigh: Play the assault with every other option of the rulings that it asks as well, exactly if it is, so that
            the page tells how far each moves an end, and not their order alone; for four sets of rules that takes
            some minutes.
        out: The page to write: a file ending in .html in a folder that exists, or a folder, made if need be; reports/
            if not given. In a folder it is called by the scenario, and by the rules as well where a page of that name
            compares others. With --all a folder for the rows, as sweep.csv.
    """
    from analysis.comparing import terminal
    from analysis.findings import assaults as findings
    from analysis.pages import report

    if weigh and (every or (as_json and not out)):
        raise CasemateError(
            "--weigh is about the page of one assault, and none is written; expected --out, without --all"
        )
    if best and every:
        raise CasemateError("--best is about one assault; expected it without --all")
    if every:
        _compare_all(scenario, rules, meant, options.Work(computed, kept), out, as_json=as_json)
        return
    scenario = options.DEFAULT_SCENARIO if scenario is None else scenario
    game = load_scenario(scenario, meant.changes)
    names = options.split(rules) if rules else rule_set_ids()
    rule_sets = rule_sets_of(names)
    page = report.target(out or Path("reports"), game.id) if out or not as_json else None
    usual = page
    if page and page != out:
        page = report.beside(page, [one.id for one in rule_sets])
    with kept.opened() as known:
        with progress_bar() as tell:
            found = compare_rules(game, rule_sets, how=computed.how, progress=tell, known=known)
        if best:
            with progress_bar() as tell:
                found = with_best(found, tell)
        if as_json:
            print_json(terminal.as_data(found))
            tell_short(computed.how, (answers for entry in found.entries for answers in entry.by_plans().values()))
        else:
            terminal.show(found, findings.opening(found))
        if not page:
            return
        note("casemate: playing the other plans")
        with progress_bar() as tell:
            found = with_plans(found, alternatives(game), tell, known)
        if not as_json:
            terminal.show_plans(found)
        note("casemate: drawing the charts of the page")
        with progress_bar() as tell:
            charts = report.pictures(found, tell)
        again = report.command(found, names, scenario, weigh=weigh)
        written = partial(report.page, found, again, bases(found, known), charts)
        files.write(page, written())
        stays = f"; {usual} compares other rules and stays as it is" if page != usual else ""
        note(f"The page with charts: {page}{stays}")
        note("casemate: putting the rulings on the page in order, the rest of it is there")
        weighed, first = (_weighed(found, known), None) if weigh else (None, _foremost(found))
        if weighed or first:
            files.write(page, written(weighed, first))
            note("casemate: the rulings are in order, those first that matter most")


def _weighed(found: Comparison, known: Played) -> "dict[str, Sensitivity]":
    """Return, by set of rules, what each of its rulings is worth in an assault."""
    from analysis.deciding.explain import sensitivity

    weighed = {}
    for entry in found.entries:
        one = Point(entry.rule_set, found.scenario, entry.plans, found.how)
        with progress_bar() as tell:
            worth = sensitivity(one, section="rulings.", known=known, workers=options.WORKERS, progress=tell)
            weighed[entry.rule_set.id] = worth
    return weighed


def _foremost(found: Comparison) -> dict[str, list[str]]:
    """Return, by set of rules, its foremost rulings; of no set that cannot be drawn or comes after an interrupt."""
    from analysis.comparing.foremost import foremost, seed_of

    first, sets = dict[str, list[str]](), len(found.entries)
    try:
        with progress_bar() as tell:
            for n, entry in enumerate(found.entries):
                one = Point(entry.rule_set, found.scenario, entry.plans)
                with suppress(CasemateError):
                    first[entry.rule_set.id] = foremost(one, seed_of(found), partial(within, tell, n, sets))
    except KeyboardInterrupt:
        note("casemate: interrupted; rulings that were not reached stand in the order of the book")
    return first


def _compare_all(
    scenario: str | None,
    rules: list[str] | None,
    meant: options.Meant,
    work: options.Work,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play every scenario, as a sweep."""
    from analysis.sweeps.design import design, factor

    if scenario is not None:
        raise CasemateError(f"expected either {scenario} or --all")
    factors = [factor("scenario", ["all"]), *(factor(key, [plan]) for key, plan in meant.changes.items())]
    ends = [f"p_{end}" for end in ENDS]
    made = design(factors, None, options.split(rules) if rules else None)
    typed = ["compare", "--all", *meant.typed, *(["--rules", ",".join(options.split(rules))] if rules else [])]
    show(made, ends, work, out, typed, as_json=as_json)


@app.command
def play(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    meant: options.Meant = options.OWN_PLANS,
    seed: Annotated[int | None, options.between(0, 2**63 - 1)] = None,
    script: Path | None = None,
    ask_me: options.Flag = False,
    chances: options.Flag = False,
    against: Literal["best"] | None = None,
    save_position: Annotated[int | None, options.between(1, 20)] = None,
    save_script: Path | None = None,
    out: Path | None = None,
    as_json: options.Json = False,
) -> None:
    """Play one assault once, and tell it move by move: each roll, what was needed, what it did.

    For example:

    - `casemate play --seed 7`
    - `casemate play bunker-rush --rules storming --seed 7`
    - `casemate play --script my-game.toml`: every roll is written down, as
      `[[roll]]` with `label = "morale"` and `faces = [3, 5]` or `answer = "passed"`, in the order they come up
    - `casemate play --script my-game.toml --seed 7`: what the script lacks is rolled
    - `casemate play --seed 7 --chances`: the chance of each end after every move, and the rolls on which it turned
    - `casemate play --seed 7 --chances --against best`: luck and choice told apart, turn by turn
    - `casemate play --seed 7 --save-position 3`: the start of turn 3 as a file, for `casemate position`
    - `casemate play --ask-me`: throw the dice yourself; each roll is asked for when it comes up
    - `casemate play --ask-me --save-script my-game.toml`: write down what was thrown, to play it again with `--script`

    Faces are given test by test, as the log prints them: all dice of the first test first (to hit), then those of the
    next (to wound) for what the first has let through. Dice that the log does not print are left out.

    Args:
        seed: Which luck to play with: the same seed gives the same game. Without one it is drawn, and said.
        script: A file of rolls that are written down.
        ask_me: Ask for each roll that no script has: type its faces, or = and its answer, or nothing to have it rolled,
            or what is left of it. The game is left at the end of input.
        chances: Say how likely each end is before the first move and after every move that changes it, if both sides
            keep to their plans.
        against: With --chances: measure every player turn by best play. A choice costs what the best plan was worth
            more, the rest is luck; to find best play takes up to a minute.
        save_position: A turn: write what stands at its start to a file.
        save_script: Write the rolls of the game to a file ending in .toml, for --script.
        out: The file of the position, ending in .toml; in reports/ if not given.
    """
    from analysis.told import position_file
    from analysis.told import replay as telling
    from analysis.told.luck import choices as told_apart
    from sims.replay import drawn, replay
    from sims.script import Script

    rolls = Script.load(script) if script else None
    asked = point(scenario, rule_set(rules), meant.changes)
    if against and not chances:
        raise CasemateError("--against best tells what choices have done to the chances; add --chances")
    may_change = save_position is not None or against is not None
    assault = replace(asked, scenario=replace(asked.scenario, may_change=may_change)).assault
    path = _position_file(assault, save_position, out)
    if save_script:
        _script_file(save_script)
    seed = drawn() if seed is None and (ask_me or not rolls) else seed
    course = course_of(assault) if chances else None
    best = None
    if against:
        with progress_bar() as tell_done:
            best = solution_of(asked.scenario, asked.rule_set, (BEST, BEST), tell_done)
    live = ask_me and not as_json
    if live:
        telling.show_start(assault, seed, course)
    tell = partial(telling.show_move, course=course) if live else None
    played = replay(assault, seed=seed, script=rolls, ask=_line if ask_me else None, tell=tell)
    told = told_apart(played, best) if best else None
    if as_json:
        print_json(telling.as_data(played, course, told))
    elif live:
        telling.show_end(played, course)
    else:
        telling.show(played, course)
    if told and not as_json:
        telling.show_choices(told)
    if path and save_position:
        files.write(path, position_file.text_of(played, scenario, rules, save_position, path.parent))
        note(f"The position: {path}")
    if save_script:
        again = ["casemate", "play", scenario, "--rules", rules, *meant.typed, "--script", str(save_script)]
        files.write(save_script, telling.script_of(played, shlex.join(again)))
        note(f"The script: {save_script}")


def _script_file(path: Path) -> None:
    """See that a script can be written."""
    if path.suffix != ".toml":
        raise CasemateError(f'--save-script cannot be "{path}"; expected a file ending in .toml')
    files.writable(path, files.existing_folder(path))


def _position_file(assault: Assault[Any, Scene], turn: int | None, out: Path | None) -> Path | None:
    """Return the file that a position is saved in, if one is, having seen that it can be written."""
    if turn is None:
        if out:
            raise CasemateError("--out is the file of a position, and none is saved; add --save-position and a turn")
        return None
    game = assault.scene.scenario
    if turn > game.turns:
        raise CasemateError(f"--save-position: {game.title} has {game.turns} turns; got {turn}")
    path = out or Path("reports") / f"{game.id}-{assault.rules}-turn-{turn}.toml"
    if path.suffix != ".toml":
        raise CasemateError(f'--out cannot be "{path}"; expected a file ending in .toml')
    files.writable(path, files.existing_folder(path) if out else files.folder_for(path.parent))
    return path


def course_of(assault: Assault[Any, Scene]) -> "Course":
    """Return the chances in an assault; to learn them may take some seconds."""
    from analysis.told.chances import Course

    with progress_bar() as tell:
        return Course(assault, tell)


def _line(words: str) -> str | None:
    """Ask a person on standard error, and return his line; None at the end of what there is."""
    print(words, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline() or None
