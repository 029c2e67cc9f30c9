"""The application, and what its commands share: kinds of parameters, JSON."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain, repeat
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter, Token
from cyclopts.validators import Number

from analysis.points.plans import BEST, Plans, exactly
from analysis.points.point import SEED, TRIALS, How, Played
from analysis.points.responses import Estimate
from sims.dice import BUDGET
from sims.engines import Engine
from sims.errors import CasemateError, nearest
from sims.rulesets import rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario
from sims.words import counted

app = App(
    name="casemate",
    help="""
What does a building rule do to the game? Casemate plays the same assault on the same building under several published
sets of building rules, and under your own house rules: exactly where it can, with a stated error where it cannot.

Start here:

- `casemate compare` plays one assault under every set of rules and writes a page with charts.
- `casemate sweep` plays it at many levels of any numbers: how many attackers, how many doors, which plan.
- `casemate sensitivity` says what matters most of a scenario: by one step of each number, or over ranges.
- `casemate chart` draws what clears a building, the lines of an even chance, or one game, roll by roll. Receipts,
  sweeps and other answers have a chart of their own: `--chart FILE`.
- `casemate receipt` says what a house rule does, and which part of it; `explain`, `solve` and `baseline` go on from
  there, and `new-rule` writes a file to start from.
- `casemate play` plays one assault once and tells it move by move.
- `casemate best` says what good players make of an assault: under which rules it is worth making, and when to change
  the plan.
- `casemate position` says what a position in mid-game is worth, under every plan and set of rules.
- `casemate odds "2D6"` answers any dice; `casemate odds CLAUSE name=value` any clause, exactly.
- `casemate rules` lists the rule sets, their tables and rulings, and what is modelled so far.
- `casemate scenarios` lists the assaults, units, weapons and buildings to choose from.
- `casemate store` shows the file that keeps what was played, and clears it.
- `casemate export` writes an assault as a model that a model checker reads, for a judge from outside.

Each command explains itself: `casemate compare --help`.
""",
    help_format="markdown",
    version=lambda: version("casemate"),
    result_action="return_value",
    exit_on_error=False,
    print_error=False,
    suppress_keyboard_interrupt=False,
)


def _whole(_type: Any, tokens: Sequence[Token]) -> int:
    """Read a whole number; a fraction is refused, not rounded."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f'expected a whole number, got "{tokens[0].value}"') from None


def between(least: int, most: int) -> Parameter:
    """Return the parameter for a whole number within bounds."""
    return Parameter(converter=_whole, validator=Number(gte=least, lte=most))


def split(names: Sequence[str]) -> list[str]:
    """Take names apart at commas, but for the name of a file that holds one."""
    parts = [part.strip() for name in names for part in ([name] if Path(name).is_file() else name.split(","))]
    if not all(parts):
        raise CasemateError(f"--rules names nothing beside a comma; {nearest('', rule_set_ids())}")
    return parts


def _width(_type: Any, tokens: Sequence[Token]) -> float:
    """Read a distance between chances."""
    try:
        width = float(tokens[0].value)
    except ValueError:
        width = 0.0
    if not 0 < width < 0.5:
        raise ValueError(f'expected a distance between chances, above 0 and below 0.5, got "{tokens[0].value}"')
    return width


def _file(_type: Any, tokens: Sequence[Token]) -> Path | None:
    """Read the name of a file; a variable that is empty names none."""
    return Path(tokens[0].value) if tokens[0].value else None


Trials = Annotated[int, between(1, 10**9)]
Seed = Annotated[int, between(0, 2**63 - 1)]
Budget = Annotated[int, between(1, 2**28)]
Workers = Annotated[int, between(1, 256), Parameter(help="Processes that play.")]
Until = Annotated[float | None, Parameter(converter=_width)]
Names = Annotated[list[str] | None, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]
StoreFile = Annotated[Path | None, Parameter(env_var="CASEMATE_STORE", converter=_file)]

# What many commands take alike is described here; a command that means it otherwise says so under its `Args:`.
ScenarioName = Annotated[str, Parameter(help="One of those that `casemate scenarios` lists, or the file of your own.")]
RulesName = Annotated[str, Parameter(help="A rule set by its id, or the file of a house rule.")]
RulesNames = Annotated[
    Names,
    Parameter(
        help="Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if "
        "not given."
    ),
]
SuiteFile = Annotated[
    Path | None,
    Parameter(
        help="A file of scenarios and plans; all scenarios that come with Casemate, under all pairs of plans, if not "
        "given."
    ),
]
Json = Annotated[Flag, Parameter(name="--json", help="Print JSON.")]


@Parameter(name="*")
@dataclass(frozen=True)
class Computed:
    """How assaults are computed.

    Args:
        engine: exact follows every way the dice can fall; sampled draws outcomes; rolled throws every die; auto is
            exact within its budget, else sampled.
        trials: Assaults to play where sampled or rolled.
        seed: Which luck to play them with: the same seed gives the same answer.
        budget: Cells that one stage of the exact engine may fill, up to 268435456 (2**28).
        until: Play on, where sampled, to twice the trials, four times, ... up to ten million, until no interval of a
            chance (the four ends, and a cleared building) reaches further than this to either side: 0.005 is half a
            game of 100.
    """

    engine: Engine = "auto"
    trials: Trials = TRIALS
    seed: Seed = SEED
    budget: Budget = BUDGET
    until: Until = None

    @property
    def how(self) -> How:
        """The same for design points."""
        return How(self.engine, self.budget, self.trials, self.seed, self.until)


@Parameter(name="*")
@dataclass(frozen=True)
class Kept:
    """Where what is played is kept.

    Args:
        store: The file that keeps what is played, so that nothing is played twice and interrupted work goes on; one in
            your cache folder if not given.
        no_store: Keep nothing, and play everything again.
    """

    store: StoreFile = None
    no_store: Flag = False

    @contextmanager
    def opened(self) -> Iterator[Played]:
        """Open what has been played; whoever interrupts its use is told what is kept.

        Raises:
            CasemateError: If a file is named that cannot be used.
        """
        if self.no_store:
            yield Played()
            return
        from analysis.points.store import open_store  # SQLite is imported when it is used

        with open_store(self.store, lambda message: print(f"casemate: {message}", file=sys.stderr)) as known:
            try:
                yield known
            except KeyboardInterrupt:
                kept = "what was finished is in the store, if there is one, and the same command goes on from there"
                print(f"casemate: interrupted; {kept}", file=sys.stderr)
                raise


DEFAULT_SCENARIO = "farmhouse"
USUAL = Computed()
USUALLY_KEPT = Kept()
WORKERS = os.cpu_count() or 1


@Parameter(name="*")
@dataclass(frozen=True)
class Work:
    """How many assaults are computed, and kept."""

    computed: Computed = USUAL
    kept: Kept = USUALLY_KEPT
    workers: Workers = WORKERS

    @property
    def how(self) -> How:
        """How they are computed, for design points."""
        return self.computed.how


@Parameter(name="*")
@dataclass(frozen=True)
class Meant:
    """What the sides mean to do.

    Args:
        plan: What the attackers mean to do, in place of the scenario's own: go in, bring the walls down, stay off and
            shoot, or smoke the garrison out with fire, templates and grenades.
        defence: What the garrison means to do, in place of the scenario's own: stay inside, or sally out against
            attackers within its charge.
    """

    plan: AttackPlan | None = None
    defence: DefencePlan | None = None

    @property
    def changes(self) -> dict[str, str]:
        """What that changes in a scenario, by key."""
        plans = {"attackers.plan": self.plan, "defenders.plan": self.defence}
        return {key: value for key, value in plans.items() if value}

    @property
    def typed(self) -> list[str]:
        """The same as options of a command."""
        plan = ["--plan", self.plan] if self.plan else []
        return [*plan, *(["--defence", self.defence] if self.defence else [])]

    def plans(self, scenario: Scenario) -> Plans:
        """Return what the sides of a scenario then mean to do."""
        return Plans(self.plan or scenario.plan, self.defence or scenario.defence)


@Parameter(name="*")
@dataclass(frozen=True)
class KeptTo(Meant):
    """Plans that sides keep to; the others choose.

    Args:
        plan: The plan to which the attackers keep; they choose if not given.
        defence: The plan to which the garrison keeps; it chooses if not given.
    """


Playing = Literal["fixed", "best"]
LONG = 30
"""Seconds that best play may take for an assault such as the farmhouse."""


def plans_for(meant: Meant, playing: Playing, scenario: Scenario) -> Plans:
    """Return what the sides mean to do; where they play their best, those do for whom no plan is given."""
    if playing == "fixed":
        return meant.plans(scenario)
    return Plans(meant.plan or BEST, meant.defence or BEST)


def tell_long(playing: Playing, engine: Engine, assaults: int, workers: int = 1) -> None:
    """Say how long it will take to find best play in so many assaults.

    Raises:
        CasemateError: If the engine does not find it.
    """
    if playing == "best":
        exactly(engine)
        minutes = -(-assaults * LONG // (60 * min(workers, assaults)))
        print(
            f"casemate: best play is found anew for each of about {counted(assaults, 'assault')}, at up to {LONG} "
            f"seconds each: up to {counted(minutes, 'minute')}",
            file=sys.stderr,
        )


USUAL_WORK = Work()
OWN_PLANS = Meant()
ALL_CHOOSE = KeptTo()


def print_json(data: dict[str, Any]) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2, allow_nan=False))


def print_rows(data: dict[str, Any], rows: Iterable[str]) -> None:
    """Print data as JSON, and rows among it, each a line of JSON already: they are never all in memory."""
    print(json.dumps(data, indent=2, allow_nan=False).removesuffix("\n}"), end=',\n  "rows": [')
    for before, row in zip(chain([""], repeat(",")), rows, strict=False):
        print(f"{before}\n    {row.rstrip()}", end="")
    print("\n  ]\n}")


def tell_short(how: How, found: Iterable[Mapping[str, Estimate]]) -> None:
    """Say beside JSON and pictures, if it is so, in how many answers the most trials were not enough."""
    from analysis.points.stopping import short
    from analysis.say.engine import not_enough

    for said in not_enough(how, short(found, how.until)):
        print(f"casemate: {said}", file=sys.stderr)


@contextmanager
def progress_bar() -> Iterator[Callable[[float, int], None]]:
    """Show a bar on standard error once a second has passed, where a person can see it."""
    from tqdm import tqdm

    form = "{percentage:3.0f}% |{bar}| {elapsed}<{remaining}"
    with tqdm(total=1.0, delay=1, disable=None, leave=False, miniters=0, bar_format=form, file=sys.stderr) as bar:

        def tell(done: float, of: int) -> None:
            bar.update(done / of - bar.n)

        yield tell


def within(tell: Callable[[float, int], None], part: int, parts: int, done: float, of: int) -> None:
    """Tell how much of the whole is done, by how much is done of one part."""
    tell(part + done / of, parts)
