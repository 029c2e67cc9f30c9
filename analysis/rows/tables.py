"""Rows of damage tables: what a roll comes to, case by case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from sims.dice import PMF
from sims.errors import CasemateError
from sims.games.wh40k.book import Fifth
from sims.games.wh40k.structures import GLANCING, PENETRATING, DamageRoll, vehicle_damage, wrecks
from sims.inputs import NONE
from sims.questions import question
from sims.rulesets import RuleSet

HITS = {"glancing": "by a glancing hit", "penetrating": "by a penetrating hit"}
BULWARK = {"no": "without Mighty Bulwark", "yes": "with Mighty Bulwark"}
MOST_DAMAGE = 5
"""With so much structural damage every hit that rolls brings a bunker down."""
WORSE = ("no effect", "shaken", "stunned", "armament", "structural", "collapse")
"""The results of the Bunker Hits Table, the worst last."""
SAID = {"armament": "armament destroyed", "structural": "structural damage"}


class ResultRow(NamedTuple):
    """The chance of one result on a damage table; `falls` says whether the building is gone by it.

    A table has the same results in every case, the worst last.
    """

    rules: str
    look: str
    table: str
    case: str
    result: str
    falls: bool
    chance: float


def bunker_rows(rule_sets: Sequence[RuleSet], *, armed: bool = False) -> list[ResultRow]:
    """Return the Bunker Hits Table by structural damage so far (GB-140), with a built-in weapon or without (GB-141).

    Raises:
        CasemateError: If one of the sets of rules is not about bunkers.
    """
    asked, falls = question("Bunker Hits Table"), {name: name == "collapse" for name in WORSE}
    rows = list[ResultRow]()
    for rule_set, column, damage in product(rule_sets, HITS, range(MOST_DAMAGE + 1)):
        given = {"column": column, "damage": str(damage), "armed": "yes" if armed else "no"}
        rows += _results(rule_set, HITS[column], str(damage), asked.answer(given, rule_set.book), falls)
    return rows


def damage_rows(rule_sets: Sequence[RuleSet]) -> list[ResultRow]:
    """Return the damage tables by AP: the updated one (GW-029, GW-030), or that of the 5th edition (BASE-017).

    Raises:
        CasemateError: If one of the sets of rules has neither.
    """
    return [row for rule_set in rule_sets for row in _table_of(rule_set)[0](rule_set)]


def clauses_of_damage(rule_set: RuleSet) -> str:
    """Return the clauses of the damage table of a rule set."""
    return _table_of(rule_set)[1]


def _table_of(rule_set: RuleSet) -> tuple[Callable[[RuleSet], Iterator[ResultRow]], str]:
    if rule_set.book.part(Fifth):
        return _vehicle_rows, "BASE-017"
    updated = question("damage roll").book
    if updated and rule_set.book.part(updated):
        return _updated_rows, "GW-029, GW-030"
    raise CasemateError(
        f"{rule_set.title} has no damage table by AP; expected gw_updated, storming, or a house rule of theirs"
    )


def _updated_rows(rule_set: RuleSet) -> Iterator[ResultRow]:
    asked, damage = question("damage roll"), rule_set.book.tables.damage  # type: ignore[attr-defined]
    falls = {row: bool(damage.column("destroyed", total)) for total, row in enumerate(damage.rows)}
    for bulwark, (AP, case) in product(BULWARK, {"none": "3 or worse", "2": "2", "1": "1"}.items()):
        rolled = asked.answer({"AP": AP, "mighty_bulwark": bulwark}, rule_set.book)
        yield from _results(rule_set, BULWARK[bulwark], case, rolled, falls)


def _vehicle_rows(rule_set: RuleSet) -> Iterator[ResultRow]:
    book = rule_set.book.part(Fifth)
    assert isinstance(book, Fifth)
    totals = sorted(DamageRoll(book.tables.vehicle_damage).answers.items())
    falls = {name: bool(wrecks(book, total)) for total, name in totals}
    for (hit, table), (AP, case) in product(
        ((GLANCING, HITS["glancing"]), (PENETRATING, HITS["penetrating"])), {NONE: "none", 3: "2 to 6", 1: "1"}.items()
    ):
        yield from _results(rule_set, table, case, vehicle_damage(book, hit, AP).pmf, falls)


def _results(rule_set: RuleSet, table: str, case: str, rolled: Any, falls: Mapping[str, bool]) -> Iterator[ResultRow]:
    """Yield the chance of each result, by its name, in the order in which it is said what falls.

    Raises:
        KeyError: If it is not said of a result whether the building falls by it.
    """
    assert isinstance(rolled, PMF)
    chances = dict.fromkeys(falls, 0.0)
    for total, name in rolled.names.items():
        chances[name] += float(rolled[total])
    for name, down in falls.items():
        yield ResultRow(rule_set.title, rule_set.look, table, case, SAID.get(name, name), down, chances[name])
