"""A against B: the same assault under two sets of rules, or two scenarios under one, on the same dice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analysis.comparing.compare import alternatives
from analysis.deciding.receipt import Line, lines_of
from analysis.points.plans import Plans, as_plans, own_plans
from analysis.points.point import AUTO, FARMHOUSE, How, Played, Point
from analysis.points.responses import Estimate
from analysis.points.suite import Game
from analysis.say.scenarios import called
from sims.engines import Progress
from sims.errors import CasemateError, nearest
from sims.reading import read
from sims.rulesets import RuleSet, rule_set, rule_set_ids
from sims.scenario import Scenario, load_scenario, scenario_ids

RULES = "storming"
"""The rules that two scenarios are played under if none are named."""


class Contestant(NamedTuple):
    """One of the two.

    Attributes:
        name: What it is called at the head of a column.
        where: What it is called in a sentence: "under Storming buildings", "in the farmhouse".
    """

    name: str
    where: str
    rule_set: RuleSet
    scenario: Scenario


Pair = tuple[Contestant, Contestant]


@dataclass(frozen=True)
class Versus:
    """What two contestants answer, by plans.

    Attributes:
        common: The title of what is the same for both: the scenario, or the rules.
        lines: An assault for each pair of plans that both can play, as a receipt has it: A before, B after. The plans
            that were asked for come first.
        refused: The plans that one of them cannot play, and why.
    """

    pair: Pair
    common: str
    how: How
    lines: tuple[Line, ...]
    refused: Mapping[Plans, str]

    @property
    def sampled(self) -> int:
        """How many of the answers, two for each line, were sampled."""
        return sum(each.sampled for each in self._chances)

    @property
    def certified(self) -> int:
        """How many of the answers are known within bounds."""
        return sum(each.certified for each in self._chances)

    @property
    def _chances(self) -> Iterator[Estimate]:
        return (found["p_held"] for line in self.lines for found in (line.before, line.after))


def versus(
    first: str | Path | RuleSet | Scenario,
    second: str | Path | RuleSet | Scenario,
    *,
    scenario: str | Path | Scenario | None = None,
    rules: str | Path | RuleSet | None = None,
    plans: tuple[str, str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Versus:
    """Compare two sets of rules on one scenario, or two scenarios under one set of rules.

    Where they are sampled, both are played on the same dice, game by game, so that their difference has less luck in it
    than either answer has.

    >>> from analysis import versus
    >>> found = versus("storming", "gw_updated")
    >>> line = found.lines[0]
    >>> [round(answers["p_captured"].value, 3) for answers in (line.before, line.after)]
    [0.74, 0.03]

    `show(found)` prints it; `rows.versus_rows(found)` are the rows of `charts.versus_chart`.

    Args:
        first, second: Two sets of rules by id or house rule file, or two scenarios by id or file.
        scenario: What two sets of rules are compared on; the farmhouse if not given.
        rules: What two scenarios are compared under; Storming Buildings if not given.
        plans: The plans that come first; those of the scenario, of two scenarios those of the first, if not given.

    Raises:
        CasemateError: If they are not two of one kind, or one of them cannot be played under any of the plans.
    """
    pair = contestants(first, second, scenario, rules)
    return play_pair(pair, as_plans(plans) if plans else own_plans(pair[0].scenario), how, known, workers, progress)


def contestants(
    first: str | Path | RuleSet | Scenario,
    second: str | Path | RuleSet | Scenario,
    scenario: str | Path | Scenario | None = None,
    rules: str | Path | RuleSet | None = None,
) -> Pair:
    """Read two sets of rules or two scenarios, or raise `CasemateError` if they are not two of one kind."""
    one, other = _read(first), _read(second)
    if isinstance(one, RuleSet) and isinstance(other, RuleSet):
        if rules is not None:
            raise CasemateError("two sets of rules are compared on one scenario; expected --scenario, not --rules")
        game = load_scenario(FARMHOUSE if scenario is None else scenario)
        names = _told_apart((one.title, one.file or one.id), (other.title, other.file or other.id))
        sets = zip(names, (one, other), strict=True)
        a, b = (Contestant(name, f"under {name}", each, game) for name, each in sets)
        return a, b
    if isinstance(one, Scenario) and isinstance(other, Scenario):
        if scenario is not None:
            raise CasemateError("two scenarios are compared under one set of rules; expected --rules, not --scenario")
        under = rule_set(RULES if rules is None else rules)
        names = _told_apart(
            *((each.title, each.id if given is each else str(given)) for given, each in ((first, one), (second, other)))
        )
        games = zip(names, (one, other), strict=True)
        a, b = (Contestant(name, f"in {called(name)}", under, each) for name, each in games)
        return a, b
    kinds = [f"{each.id} is {'rules' if isinstance(each, RuleSet) else 'a scenario'}" for each in (one, other)]
    raise CasemateError(
        f"{' and '.join(kinds)}; expected two sets of rules, with --scenario for what they are compared on, "
        "or two scenarios, with --rules"
    )


def _told_apart(one: tuple[str, str], other: tuple[str, str]) -> tuple[str, str]:
    """Return two titles, each with where it is from if they are the same, or raise `CasemateError` if that is too."""
    if one == other:
        raise CasemateError(f"both are {one[1]}; expected two that differ")
    (first, _), (second, _) = one, other
    return (first, second) if first != second else (f"{first} ({one[1]})", f"{second} ({other[1]})")


def _read(name: str | Path | RuleSet | Scenario) -> RuleSet | Scenario:
    """Return what a name or a file stands for."""
    if isinstance(name, RuleSet | Scenario):
        return name
    if not isinstance(name, str | Path):
        raise CasemateError(f"expected the name or the file of rules or of a scenario, got {name!r}")
    known, path = str(name), Path(name)
    if known in rule_set_ids():
        return rule_set(known)
    if known in scenario_ids():
        return load_scenario(known)
    if path.suffix != ".toml" and not path.is_file():
        found = nearest(known, [*rule_set_ids(), *scenario_ids()])
        raise CasemateError(f'there are no rules and no scenario "{known}"; {found} (or a file of either)')
    written = read(path).data
    of_rules = written.get("base") in rule_set_ids() or {"tables", "rulings"} & written.keys()
    return rule_set(path) if of_rules else load_scenario(path)


def play_pair(
    pair: Pair,
    plans: Plans,
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Versus:
    """Play both contestants: by some plans first, then where one side means to do something else.

    Raises:
        CasemateError: If one of them cannot be played under any of the plans.
    """
    one, other = pair
    every = [*dict.fromkeys((plans, *alternatives(one.scenario)))]
    games = [Game(one.scenario.id, each) for each in every]
    points = [
        (Point(one.rule_set, one.scenario, each, how), Point(other.rule_set, other.scenario, each, how))
        for each in every
    ]
    known = Played() if known is None else known
    lines, refused, _ = lines_of(games, points, known, shared=1, workers=workers, progress=progress)
    if not lines:
        raise CasemateError(next(iter(refused.values())))
    common = one.scenario.title if one.scenario is other.scenario else one.rule_set.title
    return Versus(pair, common, how, lines, {game.plans: why for game, why in refused.items()})
