"""A design point: one assault under one set of rules, and how it is computed; every answer is made of such points."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from analysis.points.margins import Margins, Models, margins
from analysis.points.plans import BEST, Plans, as_plans, but_best, exactly, outcome, own_plans, plans_of
from analysis.points.responses import Estimate, responses
from analysis.points.stopping import until
from sims.assault import Assault
from sims.engines import WITHIN, Engine, Progress, Result, run
from sims.engines.walk import LEARNT
from sims.errors import BudgetError, CasemateError
from sims.profiles import Profile
from sims.reading import undotted
from sims.reads import leaves_read, watched
from sims.rulesets import RuleSet
from sims.rulesets import rule_set as read_rules
from sims.scenario import Force, Scenario, load_scenario

TRIALS = 100_000
SEED = 1
MOST_TRIALS = 10**9
MOST_SEED = 2**63 - 1
MOST_BUDGET = 2**28
LEAST_WITHIN, MOST_WITHIN = 1e-12, 0.01
"""What may be asked for in a command or a file."""


class How(NamedTuple):
    """How an assault is computed: the engine, transitions that it may keep if exact, and trials and luck if sampled.

    With `until`, a sampled assault is played on until no interval of a chance reaches further than this to either side.
    `within` is how much weight a bounded one may leave out.

    >>> How("sampled", trials=10_000, seed=2).trials
    10000
    """

    engine: Engine = "auto"
    budget: int = LEARNT
    trials: int = TRIALS
    seed: int = SEED
    until: float | None = None
    within: float = WITHIN


AUTO = How()
"""Exactly where that is possible."""
FARMHOUSE = "farmhouse"
"""The scenario that is played where none is named."""


@dataclass(frozen=True)
class Point:
    """One assault under one set of rules; what cannot be played as `how` asks is refused, by `play` and all that plays.

    Attributes:
        rule_set: The rules, with what is changed in them.
        scenario: The scenario, with what is changed in it.
        changes: What was changed, by the keys of the files: for its name.
    """

    rule_set: RuleSet
    scenario: Scenario
    plans: Plans
    how: How = AUTO
    changes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.how, How):
            raise CasemateError(f'expected how to compute it, such as How("sampled", trials=10_000), got {self.how!r}')

    @property
    def name(self) -> str:
        """What it is called: by its values, so that its name outlives any change of what it is a part of."""
        plans = {"attackers.plan": self.plans.attackers, "defenders.plan": self.plans.defenders}
        usual = dict(zip(plans, own_plans(self.scenario), strict=True))
        changes = {**self.changes, **{key: plan for key, plan in plans.items() if plan != usual[key]}}
        return point_name(self.rule_set.id, self.scenario.id, changes)

    @property
    def leaves(self) -> Mapping[str, Any]:
        """Every value of the book in force, by its key."""
        return self.rule_set.leaves

    @cached_property
    def decisive(self) -> Mapping[str, Any]:
        """All of its scenario that decides how the assault goes, but for the plans."""
        return scenario_values(self.scenario)

    @cached_property
    def frame(self) -> str:
        """A digest of all that decides the answer but for the values of the book; titles and names of files do not."""
        engine, budget, *luck, within = self.how
        return _digest(
            rules=self.rule_set.base,
            scenario=self.decisive,
            plans=self.plans,
            engine=engine,
            budget=budget if engine in ("auto", "exact") else None,
            luck=None if engine in ("exact", "bounded") else luck,
            within=within if engine in ("auto", "bounded") else None,
        )

    @cached_property
    def id(self) -> str:
        """A digest of all that decides the answer, and of nothing else."""
        return _digest(frame=self.frame, book=self.rule_set.digest)

    @property
    def assault(self) -> Assault[Any, Any]:
        """The assault, ready to be played; where a side plays its best, by the plan that the scenario has for it."""
        return self.rule_set.assault(self.meant)

    @property
    def meant(self) -> Scenario:
        """The scenario with the plans that are played; of a side that plays its best, the scenario's own."""
        plan, defence = self.plans
        plan = self.scenario.plan if plan == BEST else plan
        defence = self.scenario.defence if defence == BEST else defence
        return replace(self.scenario, plan=plan, defence=defence)

    def under(self, rule_set: RuleSet) -> "Point":
        """Return the same assault under other rules."""
        return Point(rule_set, self.scenario, self.plans, self.how, self.changes)

    @property
    def models(self) -> Models:
        """How many models each side has."""
        return Models(self.scenario.attackers.models, self.scenario.defenders.models)

    def play(self, progress: Progress | None = None) -> Result:
        """Play it.

        Raises:
            BudgetError: If the exact engine was asked for and would burst its budget, or best play has too many
                transitions.
            CasemateError: If best play was to be sampled.
        """
        engine, budget, trials, seed, width, within = self.how
        if BEST in self.plans:
            exactly(engine)
            return outcome(self.scenario, self.rule_set, self.plans, progress)
        to_go = until(trials, width) if width else None
        return run(
            self.assault,
            engine=engine,
            budget=budget,
            within=within,
            trials=trials,
            seed=seed,
            until=to_go,
            progress=progress,
        )

    def read(self, progress: Progress | None = None) -> "Reading":
        """Play it, and return the margins of its result with the values of the book that it has looked at."""
        return self.reading(self.whole(progress))

    def whole(self, progress: Progress | None = None) -> "Whole":
        """Play it, and return its result with the values of the book that it has looked at."""
        with watched() as seen:
            result = self.play(progress)
        return Whole(result, leaves_read(self.rule_set.book, seen))

    def reading(self, of: "Whole") -> "Reading":
        """Return the margins of a result of its own."""
        return Reading(margins(of.result, self.models), of.leaves)

    def responses(self, of: Result | Margins, shared: int = 1) -> dict[str, Estimate]:
        """Return the responses of its result, or of the margins of it, by name; so many answers share an error."""
        return responses(of if isinstance(of, Margins) else margins(of, self.models), shared)


class Reading(NamedTuple):
    """The margins of a result, and the keys of the book that have been looked at to find it."""

    margins: Margins
    leaves: frozenset[str]


class Whole(NamedTuple):
    """A whole result, and the keys of the book that have been looked at to find it."""

    result: Result
    leaves: frozenset[str]


A = TypeVar("A", Reading, Whole)
B = TypeVar("B")
Looked = tuple[tuple[str, str], ...]
"""Values of a book, by their keys."""


class Played:
    """What has been played: no design point is played twice, nor one whose book differs only where nobody looks.

    Make one, ``known = Played()``, and hand it to each question as ``known=known``.

    Most questions ask for margins, and only those are kept for them. What was played for its whole result has margins
    too; what was played for its margins is played again where the whole is asked for.
    """

    def __init__(self) -> None:
        self._by_frame: dict[str, dict[Looked, Reading | BudgetError]] = {}
        self._wholes: dict[str, dict[Looked, Whole]] = {}

    def find(self, point: Point) -> Reading | BudgetError | None:
        """Return what came of a point, if one was played that can give nothing else: all it read is the same here."""
        return _found(self._by_frame, point)

    def find_whole(self, point: Point) -> Whole | None:
        """Return the whole result of a point, if one was played for it that can give nothing else."""
        return _found(self._wholes, point)

    def add(self, point: Point, found: Reading | Whole | BudgetError) -> None:
        """Remember what was played, or that it is too large to be exact; the margins of a whole if there are none."""
        looked = tuple((key, repr(point.leaves[key])) for key in looked_at(point, found))
        if isinstance(found, Whole):
            self._wholes.setdefault(point.frame, {})[looked] = found
            self._by_frame.setdefault(point.frame, {}).setdefault(looked, point.reading(found))
        else:
            self._by_frame.setdefault(point.frame, {})[looked] = found

    def read(self, point: Point, progress: Progress | None = None) -> Reading:
        """Return the margins of a point, and the values of the book that were read; it is played if it has to be."""
        return self._known_or_played(point, self.find(point), point.read, progress)

    def whole(self, point: Point, progress: Progress | None = None) -> Whole:
        """Return the whole result of a point, and the values of the book that were read; as `read` does."""
        refused = self.find(point)
        known = refused if isinstance(refused, BudgetError) else self.find_whole(point)
        return self._known_or_played(point, known, point.whole, progress)

    def _known_or_played(
        self,
        point: Point,
        found: A | BudgetError | None,
        play: Callable[[Progress | None], A],
        progress: Progress | None,
    ) -> A:
        """Return what is known of a point; else play it, and keep what comes of it."""
        if found is None:
            try:
                found = play(progress)
            except BudgetError as error:
                found = error
            self.add(point, found)
        if isinstance(found, BudgetError):
            raise found
        return found

    def of(self, point: Point, progress: Progress | None = None) -> Margins:
        """Return the margins of a point; it is played if it has to be."""
        return self.read(point, progress).margins


def _found(among: Mapping[str, Mapping[Looked, B]], point: Point) -> B | None:
    """Return what is kept of a point: what was read is the same here."""
    for looked, found in among.get(point.frame, {}).items():
        if all(repr(point.leaves.get(key)) == value for key, value in looked):
            return found
    return None


def looked_at(point: Point, found: Reading | Whole | BudgetError) -> list[str]:
    """Return the values of the book that what came of a point hangs on; all of them, where play was given up."""
    return sorted(point.leaves if isinstance(found, BudgetError) else found.leaves)


def point(
    scenario: str | Path,
    rule_set: str | Path | RuleSet,
    values: Mapping[str, Any] | None = None,
    *,
    plans: tuple[str, str] | None = None,
    how: How = AUTO,
) -> Point:
    """Return a design point by its values: one assault under one set of rules, with some values changed.

    >>> one = point("farmhouse", "storming", {"attackers.models": 12, "tables.grenade.hits": "D6"})
    >>> round(one.responses(one.play())["p_captured"].value, 3)
    0.232

    Args:
        scenario: An id, or the path of a file.
        rule_set: An id, or the path of a house rule.
        values: What is changed, by the keys that files write: ``attackers.models``, ``building.doors``,
            ``units.trooper.T`` (also of a unit that the scenario only names), ``tables.grenade.hits``,
            ``rulings.second_round``.
        plans: The scenario's own if not given.

    Raises:
        CasemateError: If a key is unknown or a value does not fit.
    """
    values = dict(values or {})
    of_rules = {key: value for key, value in values.items() if undotted(key)[0] in ("tables", "rulings")}
    game = load_scenario(scenario, but_best({key: value for key, value in values.items() if key not in of_rules}))
    meant = as_plans(plans) if plans else plans_of(game, values)
    return Point(read_rules(rule_set).with_values(of_rules), game, meant, how, values)


def point_name(rules: str, scenario: str, changes: Mapping[str, Any]) -> str:
    """Return what a design point is called, by the ids of its rules and its scenario and by what is changed."""
    said = "&".join(f"{key}={value}" for key, value in changes.items())
    return f"{rules}/{scenario}{said and '?'}{said}"


def scenario_values(scenario: Scenario) -> dict[str, Any]:
    """Return all of a scenario that decides how an assault goes, but for the plans; whom it names stands by value."""

    def profile(of: Profile | None) -> dict[str, Any] | None:
        said = _in_order(of.written) if of else {}
        return {key: said[key] for key in said if key not in ("title", "plural", "weapons")} or None

    def side(force: Force) -> dict[str, Any]:
        groups = [(profile(g.profile), profile(g.weapon), profile(g.melee), g.count) for g in force.groups]
        return {"unit": profile(force.unit), "groups": groups}

    formations = [str(side.formation or "") for side in (scenario.attackers, scenario.defenders)]
    stands: dict[str, Any] = {
        "walls": [*map(str, scenario.walls)],
        "bands": [*map(str, scenario.bands)],
        "formations": formations if any(formations) else [],
        "deployment": scenario.deployment,
        "edge": scenario.edge,
    }
    return {name: given for name, given in stands.items() if given not in ([], None)} | {
        "distance": scenario.distance,
        "turns": scenario.turns,
        "first": scenario.first,
        "send": scenario.send,
        "first_in": scenario.first_in,
        "attackers": side(scenario.attackers),
        "defenders": side(scenario.defenders),
        "building": profile(scenario.building),
        "mounted": [profile(weapon) for weapon in scenario.mounted],
    }


def _in_order(written: dict[str, Any]) -> dict[str, Any]:
    """Return a profile with tables of tables as lists: their order decides, which a digest of tables does not have."""
    tables = {name: own for name, own in written.items() if isinstance(own, dict)}
    return written | {
        name: {key: [*value.items()] if isinstance(value, dict) and value else value for key, value in own.items()}
        for name, own in tables.items()
    }


def _digest(**decides: Any) -> str:
    return sha256(json.dumps(decides, sort_keys=True, default=_refused).encode("ascii")).hexdigest()


def _refused(value: Any) -> Any:
    raise TypeError(f"{value!r} has no place in the digest of a design point")
