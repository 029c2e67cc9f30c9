"""What becomes of buildings."""

from collections.abc import Sequence
from itertools import groupby

from analysis.rows import names
from analysis.rows.standing import MOST, HalfRow, Hit, StandRow, asked_of, by_name
from analysis.rows.tables import ResultRow
from analysis.say.numbers import games, listed
from sims.errors import CasemateError
from sims.rulesets import RuleSet
from sims.words import counted


def falls(rows: Sequence[ResultRow], what: str) -> str:
    """Say how many rolls on damage tables bring the building down, from the first case to the last.

    Of several sets of rules it names only the tables that differ in that.

    Args:
        what: What the cases are of: "AP".
    """
    cases, sets = list(dict.fromkeys(row.case for row in rows)), names(rows)
    said = []
    for table in dict.fromkeys(row.table for row in rows):
        down = {rules: [_down(rows, rules, table, case) for case in cases] for rules in sets}
        told = {rules: " to ".join(dict.fromkeys((often[0], often[-1]))) for rules, often in down.items()}
        if len(sets) == 1:
            said.append(f"{told[sets[0]]} {table}")
        elif len({*map(tuple, down.values())}) > 1:
            said.append(f"{table} {listed([f'{often} under {rules}' for rules, often in told.items()])}")
    if not said:
        return f"A roll brings the building down as often under {listed(sets)}"
    where = f"{what} {' to '.join(dict.fromkeys((cases[0], cases[-1])))}"
    return f"Of 100 rolls {listed(said) if len(sets) == 1 else '; '.join(said)} bring the building down ({where})"


def _down(rows: Sequence[ResultRow], rules: str, table: str, case: str) -> str:
    """Say by how many rolls in 100 the building falls."""
    at = rules, table, case
    return games(sum(row.chance for row in rows if row.falls and (row.rules, row.table, row.case) == at))


def standing(rows: Sequence[StandRow], what: str, unit: str) -> str:
    """Say after how many hits or turns each line has come down to an even chance, the soonest first."""
    if all(row.stands == 1 for row in rows):
        return f"{what} stands whatever comes, {counted(rows[-1].after, unit)} or fewer: {listed([*by_name(rows)])}"
    half, still = list[tuple[int, str]](), list[str]()
    for name, line in by_name(rows).items():
        down = next((row.after for row in line if row.stands <= 0.5), None)
        if down is None:
            still.append(f"{games(line[-1].stands)} of 100 after {counted(line[-1].after, unit)} ({name})")
        else:
            half.append((down, name))
    said = list[str]()
    for n, alike in groupby(sorted(half), lambda one: one[0]):
        said.append(f"{n if said else counted(n, unit)} ({listed([name for _, name in alike])})")
    parts = [f"{what} is as likely down as not after {listed(said)}"] if said else []
    stands = [f"{'it' if parts else what} still stands in {', '.join(still)}"] if still else []
    return "; ".join([*parts, *stands])


def breaching(rows: Sequence[HalfRow]) -> str:
    """Say after how many hits of the greatest Strength the strongest walls are as likely down as not."""
    most = max(row.strength for row in rows)
    if all(row.stands == 1 for row in rows):
        return f"Hits of Strength {most} and less bring none of these walls down"
    said = []
    for rules in names(rows):
        last = [row for row in rows if row.rules == rules and row.strength == most][-1]
        hits = last.hits if last.hits is not None else "no number" if last.stands == 1 else f"more than {MOST}"
        said.append(f"{hits} on {last.walls} under {rules}")
    return f"Hits of Strength {most} for an even chance that walls are down: {', '.join(said)}"


def sources(rule_sets: Sequence[RuleSet], hit: Hit, *, walls: bool = False) -> str:
    """Say what a hit meets under each set of rules that has an answer, its clauses, and which rules have none.

    Args:
        walls: Every kind of walls is met.

    Raises:
        CasemateError: If none of them has an answer.
    """
    lines, without = list[str](), list[str]()
    for one in rule_sets:
        if (asked := asked_of(one)) is None:
            without.append(one.title)
            continue
        meets = [hit.met(asked)] * (not walls) + [f"{hit.hull} hull points"] * ("hull" in asked.inputs)
        clauses = ", ".join(sorted({*asked.clauses, *asked.needs}))
        lines.append(f"{one.title}: {''.join(f'{each}; ' for each in meets)}{clauses}.")
    if not lines:
        raise CasemateError(f"no done clause of {listed(without)} says how many hits a building stands")
    return "\n".join([*lines, *([f"Not drawn, for no done clause says it: {listed(without)}."] if without else [])])
