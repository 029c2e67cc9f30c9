"""The main question: the same assault under several sets of rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import count
from pathlib import Path
from typing import Literal, get_args

from analysis.best_play.best import Question, Refused, best_value
from analysis.points.margins import Margins, Models, margins
from analysis.points.plans import Plans, as_plans, own_plans
from analysis.points.point import AUTO, FARMHOUSE, How, Played, Point
from analysis.points.responses import Estimate, firsts, responses, same
from analysis.say.rules import titles
from sims.clauses import Clause, clauses, documents, only_asked, status, with_needs
from sims.engines import Progress, Result
from sims.rulesets import Rules, RuleSet, rule_sets_of
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario

PLAYED = ("assault", "kernel")
"""The scopes of clauses that an assault plays; the others decide a campaign, or say something of themselves."""


def alternatives(scenario: Scenario) -> list[Plans]:
    """Return the plans to compare: each of the attackers, then each of the garrison, against the other side's own."""
    attackers = [Plans(plan, scenario.defence) for plan in get_args(AttackPlan)]
    return list(dict.fromkeys([*attackers, *(Plans(scenario.plan, plan) for plan in get_args(DefencePlan))]))


@dataclass(frozen=True)
class Entry:
    """What one set of rules says of the assault.

    Attributes:
        results: The result for each pair of plans that was played, the scenario's own among them.
        translations: For each pair of plans how the scenario was put into the rule set's own terms.
        unmodelled: The clauses that the assault does not play yet: whether partial or missing, and the clause.
        asked: The clauses that are done, but that no assault plays: the clause, and why.
        read: The keys of the book that were looked at, under any of the plans played.
        best: The chance that the building is captured if both sides play their best; None if that was not asked for.
    """

    rule_set: RuleSet
    results: Mapping[Plans, Result]
    plans: Plans
    models: Models
    translations: Mapping[Plans, Mapping[str, str]]
    unmodelled: tuple[tuple[Literal["partial", "missing"], Clause], ...]
    asked: tuple[tuple[Clause, str], ...]
    read: frozenset[str] = frozenset()
    best: float | Refused | None = None

    @property
    def result(self) -> Result:
        """The result of the scenario's own plans."""
        return self.results[self.plans]

    @property
    def translation(self) -> Mapping[str, str]:
        """How the scenario was put into the rule set's own terms."""
        return self.translations[self.plans]

    @cached_property
    def margins(self) -> Margins:
        """The margins of the result of the scenario's own plans."""
        return margins(self.result, self.models)

    @cached_property
    def responses(self) -> dict[str, Estimate]:
        """The responses of the scenario's own plans."""
        return responses(self.margins)

    def by_plans(self) -> dict[Plans, dict[str, Estimate]]:
        """Return the responses for each pair of plans played."""
        return {plans: responses(margins(result, self.models)) for plans, result in self.results.items()}

    def alike(self) -> dict[Plans, Plans]:
        """Return, for each pair of plans that ends as one does that was played before it, which one that is."""
        first = firsts(self.by_plans(), same)
        return {plans: other for plans, other in first.items() if other != plans}


@dataclass(frozen=True)
class Comparison:
    """One assault under several sets of rules, and how it was computed.

    Attributes:
        entries: One for each set of rules, in the order asked for.
        how: How it was to be computed; the type of each result says which engine played.
    """

    scenario: Scenario
    entries: tuple[Entry, ...]
    how: How

    @property
    def exact(self) -> bool:
        """Whether every number in it is exact."""
        return all(r.engine == "exact" for r in self._results)

    @property
    def sampled(self) -> bool:
        """Whether any number in it was sampled."""
        return any(r.trials is not None for r in self._results)

    @property
    def _results(self) -> Iterator[Result]:
        return (result for entry in self.entries for result in entry.results.values())

    def names(self) -> list[str]:
        """Return a name to show for each set of rules."""
        return titles([entry.rule_set for entry in self.entries])


def compare(
    scenario: str | Path | Scenario = FARMHOUSE,
    rules: Rules = "all",
    *,
    plans: Iterable[tuple[str, str]] = (),
    how: How = AUTO,
    known: Played | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play one assault under several sets of rules, side by side.

    >>> from analysis import compare
    >>> found = compare("farmhouse", rules="storming")
    >>> round(found.entries[0].responses["p_captured"].value, 3)
    0.74

    `show(found)` prints the tables of `casemate compare`. `rows.end_rows(found)`, `rows.turn_rows(found)` and others
    make it tidy for a chart: `charts.end_chart(rows.end_rows(found))`.

    Args:
        scenario: The name of a scenario, the path of your own, or one that `load_scenario` has changed.
        rules: Rule sets by name and house rules by the path of their file, in a list or with commas between.
        plans: More pairs of plans to play besides the scenario's own: ``[("smoke", "hold")]``.

    Raises:
        BudgetError: If the exact engine was asked for and would burst its budget.
    """
    game, sets = load_scenario(scenario), rule_sets_of(rules)
    asked = list(dict.fromkeys((own_plans(game), *map(as_plans, plans))))
    return with_plans(empty_comparison(game, sets, how), asked, progress, known)


def empty_comparison(scenario: Scenario, rule_sets: Sequence[RuleSet], how: How = AUTO) -> Comparison:
    """Return a comparison of which nothing has been played yet."""
    models = Models(scenario.attackers.models, scenario.defenders.models)
    none = tuple(
        Entry(one, {}, own_plans(scenario), models, {}, unmodelled_of(one), only_asked_of(one)) for one in rule_sets
    )
    return Comparison(scenario, none, how)


def with_plans(
    comparison: Comparison, plans: Sequence[Plans], progress: Progress | None = None, known: Played | None = None
) -> Comparison:
    """Return a comparison with more plans played; those played before are kept."""
    known = Played() if known is None else known
    scenario = comparison.scenario
    games = len(comparison.entries) * len(plans)
    started = count()

    def played(entry: Entry, plans: Plans) -> Entry:
        before = next(started)
        if plans in entry.results:
            return entry
        point = Point(entry.rule_set, scenario, plans, comparison.how)
        found = known.whole(point, (lambda done, of: progress(before + done / of, games)) if progress else None)
        return replace(
            entry,
            read=entry.read | found.leaves,
            results={**entry.results, plans: found.result},
            translations={**entry.translations, plans: point.assault.translation},
        )

    return replace(comparison, entries=tuple(reduce(played, plans, entry) for entry in comparison.entries))


def with_best(comparison: Comparison, progress: Progress = lambda done, of: None) -> Comparison:
    """Return a comparison that says as well what both sides make of the assault if they play their best."""
    asked, of = Question(comparison.scenario), len(comparison.entries)

    def found(before: int, entry: Entry) -> Entry:
        return replace(
            entry, best=best_value(asked, entry.rule_set, lambda done, all_: progress(before + done / all_, of))
        )

    return replace(comparison, entries=tuple(found(n, entry) for n, entry in enumerate(comparison.entries)))


def bases(comparison: Comparison, known: Played | None = None) -> dict[str, dict[str, Estimate]]:
    """Return for each house rule, by its id, what its base answers under the scenario's own plans."""
    known = Played() if known is None else known
    found = {}
    for entry in comparison.entries:
        if base := entry.rule_set.made_from:
            played = {other.rule_set.id: other.responses for other in comparison.entries}
            point = Point(base, comparison.scenario, entry.plans, comparison.how)
            found[entry.rule_set.id] = played.get(base.id) or point.responses(known.of(point))
    return found


def unmodelled_of(rule_set: RuleSet) -> tuple[tuple[Literal["partial", "missing"], Clause], ...]:
    """Return the clauses that an assault does not play in full: of the rule set's documents, and what they lean on."""
    about = clauses_of(rule_set)
    found: list[tuple[Literal["partial", "missing"], str]] = []
    for document in status().values():
        found += [("partial", id) for id in document.partial]
        found += [("missing", id) for id in document.missing]
    return tuple((how, about[id]) for how, id in found if id in about and about[id].scope in PLAYED)


def only_asked_of(rule_set: RuleSet) -> tuple[tuple[Clause, str], ...]:
    """Return the done clauses that no assault plays, of the rule set's documents and what they lean on, and why."""
    about = clauses_of(rule_set)
    return tuple((about[id], only_asked()[id]) for id in sorted(about.keys() & only_asked().keys()))


def clauses_of(rule_set: RuleSet) -> dict[str, Clause]:
    """Return the clauses of a rule set's documents, and those that they lean on."""
    known = clauses()
    own = (clause.id for id in rule_set.book.ruleset.documents for clause in documents()[id].clauses)
    return {id: known[id] for id in with_needs(own)}
