"""What a player asks about one building: how many, by how many doors, with what support; and storm it or break it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple, get_args

from analysis.compare import ALIKE, firsts
from analysis.point import How, Played, Point, own
from analysis.responses import Estimate
from sims.engines import Engine
from sims.errors import CasemateError
from sims.rulesets import RuleSet
from sims.scenario import AttackPlan, Force, Group, Scenario, load_scenario

SUPPORT = ("no support", "grenades", "grenades and templates")
ARMS = ("with their special weapons", "with ordinary weapons alone")
PLANS: tuple[AttackPlan, ...] = get_args(AttackPlan)


class ClearRow(NamedTuple):
    """The chance that a building is cleared; `low` and `high` where it was sampled."""

    panel: str
    line: str
    attackers: int
    cleared: float
    low: float | None
    high: float | None


Progress = Callable[[Iterable[Any]], Iterable[Any]]


def by_access_and_support(
    scenario: str,
    rule_set: RuleSet,
    levels: Sequence[int],
    access: Sequence[int] = (1, 2, 3),
    *,
    engine: Engine = "auto",
    progress: Progress = iter,
) -> list[ClearRow]:
    """Return the chance to clear a building by attackers, access points and support; one panel for each support.

    Without template weapons in the scenario there is no panel for them.

    Parameters
    ----------
    scenario : str
        An id, or the path of a file.
    rule_set : RuleSet
    levels : sequence of int
        Numbers of attackers.
    access : sequence of int
        Numbers of doors.
    engine : {"auto", "exact", "sampled", "rolled"}
    progress : callable, optional
        Wraps the points, as ``tqdm`` does.

    Raises
    ------
    CasemateError
        If a level does not fit the scenario.
    """
    groups = load_scenario(scenario, {"attackers.models": max(levels)}).attackers.groups
    templates = any(g.weapon is not None and g.weapon.kind == "template" for g in groups)
    points = [(s, k, n) for s in (SUPPORT if templates else SUPPORT[:2]) for k in access for n in levels]
    played, rows = Played(), []
    for support, doors, n in progress(points):
        game = load_scenario(scenario, {"attackers.models": n})
        game = replace(game, plan="storm", attackers=supporting(game.attackers, support))
        game = replace(game, building=game.building.model_copy(update={"doors": doors}))
        line = f"{doors} door" + ("s" if doors > 1 else "")
        rows.append(ClearRow(support, line, n, *vars(_cleared(played, rule_set, game, engine)).values()))
    return rows


def by_plan(
    scenario: str, rule_set: RuleSet, levels: Sequence[int], *, engine: Engine = "auto", progress: Progress = iter
) -> list[ClearRow]:
    """Return the chance to clear a building by attackers and plan, with and without their special weapons.

    Where the rules can be set back to those without storming, demolishing only stands beside storming, and beside
    demolishing as long as there is somebody who can, then storming; else there is a line for every plan. Plans that
    come to the same everywhere share a line.

    Parameters
    ----------
    scenario : str
        An id, or the path of a file.
    rule_set : RuleSet
    levels : sequence of int
        Numbers of attackers.
    engine : {"auto", "exact", "sampled", "rolled"}
    progress : callable, optional
        Wraps the points, as ``tqdm`` does.

    Raises
    ------
    CasemateError
        If a level does not fit the scenario.
    """
    lines: list[tuple[str, RuleSet, AttackPlan]] = [(plan, rule_set, plan) for plan in PLANS]
    if rulings := rule_set.book.without_storming:
        alone = replace(rule_set, book=rule_set.book.with_rulings(rulings))
        both = "demolish, then storm"
        lines = [("storm", rule_set, "storm"), (both, rule_set, "demolish"), ("demolish only", alone, "demolish")]
    played, rows = Played(), []
    for arms, (line, under, plan), n in progress(list(product(ARMS, lines, levels))):
        game = load_scenario(scenario, {"attackers.models": n, "attackers.plan": plan})
        if arms == ARMS[1]:
            plain = load_scenario(scenario, {"attackers.models": n, "attackers.plan": plan, "attackers.specials": []})
            game = replace(plain, attackers=plainly_armed(plain.attackers))
        rows.append(ClearRow(arms, line, n, *vars(_cleared(played, under, game, engine)).values()))
    return named_alike(rows)


def named_alike(rows: Sequence[ClearRow]) -> list[ClearRow]:
    """Return rows without the lines that are the same as another everywhere; that one is named for all of them."""
    lines = dict[str, dict[tuple[str, int], float]]()
    for row in rows:
        lines.setdefault(row.line, {})[row.panel, row.attackers] = row.cleared
    names = dict[str, list[str]]()
    for line, first in firsts(lines, _everywhere).items():
        names.setdefault(first, []).append(line)
    shown = {first: f"{first}; {', '.join(rest)}: as {first}" if rest else first for first, (_, *rest) in names.items()}
    return [row._replace(line=shown[row.line]) for row in rows if row.line in shown]


def _everywhere(one: Mapping[Any, float], other: Mapping[Any, float]) -> bool:
    return all(abs(one[point] - chance) < ALIKE for point, chance in other.items())


def _cleared(played: Played, rule_set: RuleSet, game: Scenario, engine: Engine) -> Estimate:
    point = Point(rule_set, game, own(game), How(engine))
    return point.responses(played.of(point))["p_cleared"]


def supporting(force: Force, support: str) -> Force:
    """Return a force with what it may use in support: nothing, grenades for everybody, or templates as well."""
    if support not in SUPPORT:
        raise CasemateError(f'there is no support "{support}"; expected one of {", ".join(SUPPORT)}')
    thrown = () if support == "no support" else ("assault",)

    def equipped(group: Group) -> Group:
        others = tuple(g for g in group.profile.grenades if g != "assault")
        profile = group.profile.model_copy(update={"grenades": (*thrown, *others)})
        template = group.weapon is not None and group.weapon.kind == "template"
        weapon = None if template and support != "grenades and templates" else group.weapon
        return replace(group, profile=profile, weapon=weapon)

    return replace(force, groups=tuple(map(equipped, force.groups)))


def plainly_armed(force: Force) -> Force:
    """Return a force whose models all carry what the ordinary ones, its last, do, and no grenades against armour."""
    ordinary = force.groups[-1]

    def plain(group: Group) -> Group:
        grenades = tuple(g for g in group.profile.grenades if g != "krak")
        profile = group.profile.model_copy(update={"grenades": grenades})
        return replace(group, profile=profile, weapon=ordinary.weapon, melee=ordinary.melee)

    return replace(force, groups=tuple(map(plain, force.groups)))
