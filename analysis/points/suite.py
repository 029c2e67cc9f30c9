"""A suite: assaults that are played together, to see what a change of rules does to all of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, get_args

from pydantic import Field

from analysis.points.plans import BEST, Plans, own_plans
from analysis.points.point import AUTO, How, Point, point
from sims.errors import CasemateError
from sims.reading import Key, Names, Source, Strict, read, validate
from sims.rulesets import RuleSet
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario, scenario_ids


@dataclass(frozen=True)
class Game:
    """One assault of a suite: a scenario by its name, and what both sides mean to do."""

    scenario: str
    plans: Plans


class GameFile(Strict):
    """One assault as a suite file gives it; plans that it does not say are the scenario's own."""

    scenario: str
    plan: AttackPlan | None = None
    defence: DefencePlan | None = None


class SuiteFile(Strict):
    """A suite: scenarios to be played under all pairs of plans, and single games."""

    scenarios: Names = ()
    games: Annotated[tuple[GameFile, ...], Field(strict=False)] = ()


def shipped_games() -> list[Game]:
    """Return all scenarios that come with Casemate, under all pairs of plans; their own plans first."""
    return under_all_plans(scenario_ids())


def under_all_plans(scenarios: Iterable[str]) -> list[Game]:
    """Return scenarios under all pairs of plans: their own plans first.

    >>> [tuple(game.plans) for game in under_all_plans(["farmhouse"])[:2]]
    [('storm', 'hold'), ('storm', 'sally')]

    Raises:
        CasemateError: If there is no such scenario.
    """
    names = list(scenarios)
    first = [Game(name, own_plans(load_scenario(name))) for name in names]
    pairs = product(names, get_args(AttackPlan), get_args(DefencePlan))
    return list(dict.fromkeys([*first, *(Game(name, Plans(plan, defence)) for name, plan, defence in pairs)]))


def games_for(games: Iterable[Game], playing: str) -> list[Game]:
    """Return games, or each of their scenarios once with both sides playing their best."""
    if playing == "fixed":
        return list(games)
    return list(dict.fromkeys(Game(game.scenario, Plans(BEST, BEST)) for game in games))


def load(path: Path) -> list[Game]:
    """Read a suite from a file; scenarios that it names by a path are looked for beside it.

    Raises:
        CasemateError: If a key or a name does not fit, or it names no game.
    """
    source = read(path)
    given = validate(SuiteFile, source.data, [source])

    def beside(name: str) -> str:
        return str(path.parent / name) if name.endswith(".toml") else name

    for i, name in enumerate(given.scenarios):
        _scenario(source, ("scenarios", i), beside(name))
    games = under_all_plans(map(beside, given.scenarios))
    for i, each in enumerate(given.games):
        usual = own_plans(_scenario(source, ("games", i, "scenario"), beside(each.scenario)))
        plans = Plans(each.plan or usual.attackers, each.defence or usual.defenders)
        games.append(Game(beside(each.scenario), plans))
    if not games:
        raise CasemateError(f"{path}: it names no scenario; expected scenarios = [...] or tables headed [[games]]")
    return list(dict.fromkeys(games))


def _scenario(source: Source, key: Key, name: str) -> Scenario:
    """Load a scenario that a suite file names, and say where it does if that fails."""
    try:
        return load_scenario(name)
    except CasemateError as error:
        raise source.error(key, str(error)) from error


def points(games: Iterable[Game], rule_set: RuleSet, how: How = AUTO) -> list[Point]:
    """Return the design points of games under a rule set."""
    return [point(game.scenario, rule_set, plans=game.plans, how=how) for game in games]
