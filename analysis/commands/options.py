"""What commands take: kinds of options, and those that many have alike, in groups."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token
from cyclopts.validators import Number

from analysis.points.plans import BEST, Plans
from analysis.points.point import (
    LEAST_WITHIN,
    MOST_BUDGET,
    MOST_SEED,
    MOST_TRIALS,
    MOST_WITHIN,
    SEED,
    TRIALS,
    How,
    Played,
)
from analysis.say.notes import note
from sims.engines import WITHIN, Engine
from sims.engines.walk import LEARNT
from sims.errors import CasemateError, nearest
from sims.rulesets import rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario


def _whole(_type: Any, tokens: Sequence[Token]) -> int:
    """Read a whole number; a fraction is refused, not rounded."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f'expected a whole number, got "{tokens[0].value}"') from None


WHOLE = Parameter(converter=_whole)
"""A whole number; whoever takes it looks at its bounds."""


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


def _tolerance(_type: Any, tokens: Sequence[Token]) -> float:
    """Read how much may be left out."""
    try:
        within = float(tokens[0].value)
    except ValueError:
        within = 0.0
    if not LEAST_WITHIN <= within <= MOST_WITHIN:
        raise ValueError(f'expected a chance from {LEAST_WITHIN:g} to {MOST_WITHIN:g}, got "{tokens[0].value}"')
    return within


def _file(_type: Any, tokens: Sequence[Token]) -> Path | None:
    """Read the name of a file; a variable that is empty names none."""
    return Path(tokens[0].value) if tokens[0].value else None


Seed = Annotated[int, between(0, MOST_SEED)]
Workers = Annotated[int, between(1, 256), Parameter(help="Processes that play.")]
Names = Annotated[list[str] | None, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]
StoreFile = Annotated[Path | None, Parameter(env_var="CASEMATE_STORE", converter=_file)]

# What many commands take alike is described here; a command that means it otherwise adds a `Parameter`.
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
        engine: exact follows every way the dice can fall; bounded leaves out what hardly ever comes up, and says how
            far its numbers can be off; sampled draws outcomes; rolled throws every die; auto is exact within its
            budget, else bounded, else sampled.
        trials: Assaults to play where sampled or rolled.
        seed: Which luck to play them with: the same seed gives the same answer.
        budget: Transitions from position to position that the exact engine may keep, up to 268435456 (2**28), a
            hundred bytes each; auto is exact within a quarter of them.
        until: Play on, where sampled, to twice the trials, four times, ... up to ten million, until no interval of a
            chance (the four ends, and a cleared building) reaches further than this to either side: 0.005 is half a
            game in 100.
        within: How far a chance may be off where it is bounded, up to 0.01; 1e-06 (a ten-thousandth of a game in 100)
            if not given.
    """

    engine: Engine = "auto"
    trials: Annotated[int, between(1, MOST_TRIALS)] = TRIALS
    seed: Seed = SEED
    budget: Annotated[int, between(1, MOST_BUDGET)] = LEARNT
    until: Annotated[float | None, Parameter(converter=_width)] = None
    within: Annotated[float | None, Parameter(converter=_tolerance)] = None

    @property
    def how(self) -> How:
        """The same for design points.

        Raises:
            CasemateError: If it says how far numbers may be off that another engine finds.
        """
        if self.within is not None and self.engine not in ("auto", "bounded"):
            raise CasemateError(
                f"--within is for what is bounded; expected --engine bounded or auto, got {self.engine}"
            )
        within = WITHIN if self.within is None else self.within
        return How(self.engine, self.budget, self.trials, self.seed, self.until, within)


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
        """Open what was played, or raise `CasemateError` if its file is of no use; an interrupt says what is kept."""
        if self.no_store:
            try:
                yield Played()
            except KeyboardInterrupt as interrupt:
                raise KeyboardInterrupt(*interrupt.args or ["nothing is kept with --no-store"]) from None
            return
        from analysis.points.store import open_store  # SQLite is imported when it is used

        with open_store(self.store, lambda message: note(f"casemate: {message}")) as known:
            try:
                yield known
            except KeyboardInterrupt as interrupt:
                kept = "what was finished is in the store, if there is one, and the same command goes on from there"
                raise KeyboardInterrupt(*interrupt.args or [kept]) from None


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


def plans_for(meant: Meant, playing: Playing, scenario: Scenario) -> Plans:
    """Return what the sides mean to do; where they play their best, those do for whom no plan is given."""
    if playing == "fixed":
        return meant.plans(scenario)
    return Plans(meant.plan or BEST, meant.defence or BEST)


USUAL_WORK = Work()
OWN_PLANS = Meant()
ALL_CHOOSE = KeptTo()
