"""The charts of buildings: damage tables, how many hits they stand, how long they burn."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.charts.base import BUILDINGS, Levels, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from analysis.say.rules import titles
from sims.rulesets import RuleSet, rule_set, rule_sets_of

Hits = Annotated[int, options.between(1, 40), Parameter(help="To how many hits it is drawn.")]
Strength = Annotated[int, Parameter(help="Strength of the hits.")]
Armour = Annotated[int, options.between(0, 20)]
AP = Annotated[Literal["none", "1", "2", "3", "4", "5", "6"], Parameter(help="Their armour piercing.")]
Hull = Annotated[int, Parameter(help="Hull points, where the rules count them.")]
IN_A_TURN = (
    "Hits come one after the other; where rules roll for damaged sections, all in one turn, and one roll follows."
)


@chart.command(group=BUILDINGS)
def bunker(
    *,
    rules: options.RulesName = "gemini",
    armed: options.Flag = False,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the Bunker Hits Table: what a hit that rolls on it does, by the structural damage so far.

    A house rule stands beside its base. For example:

    - `casemate chart bunker`
    - `casemate chart bunker --armed`

    Args:
        armed: The bunker has a built-in weapon that works.
    """
    picture = pictured.ready("bunker")
    shown = rows.bunker_rows(_beside_its_base(rules), armed=armed)
    caption = (
        "Hits that penetrate roll, and hits that glance once no hull points are left: GB-139, GB-140, GB-141. Exact."
    )
    picture.write(charts.table_chart(shown, cases="structural damage", caption=caption), shown)


@chart.command(group=BUILDINGS)
def damage(*, rules: options.RulesName = "gw_updated", pictured: Pictured = IN_REPORTS) -> None:
    """Draw a damage table by AP: the updated one for buildings, or that for vehicles which storming falls back on.

    A house rule stands beside its base. For example:

    - `casemate chart damage`
    - `casemate chart damage --rules storming`
    """
    picture = pictured.ready("damage")
    sets = _beside_its_base(rules)
    shown = rows.damage_rows(sets)
    caption = f"Each hit that rolls: {rows.clauses_of_damage(sets[0])}. Exact."
    picture.write(charts.table_chart(shown, cases="AP", caption=caption), shown)


@chart.command(group=BUILDINGS)
def survival(
    *,
    rules: options.RulesNames = None,
    hits: Hits = 20,
    strength: Strength = 9,
    ap: AP = "2",
    armour: Armour = 14,
    material: str = "stone",
    hull: Hull = 3,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance that a building still stands after so many hits, under several sets of rules.

    For example:

    - `casemate chart survival`
    - `casemate chart survival --strength 8 --ap 3 --armour 11 --material wood --hull 4`

    Args:
        armour: Armour Value, where the rules know one.
        material: Class of the walls, where the rules know that: stone, wood or wattle.
    """
    from analysis.findings.buildings import sources

    picture, sets = pictured.ready("survival"), _chosen(rules)
    hit = rows.Hit(strength, ap, armour, material, hull)
    caption = f"{sources(sets, hit)}\n{IN_A_TURN} Exact."
    shown = rows.survival_rows(sets, hit, hits)
    what = f"Under {_said(hit)}, the building"
    picture.write(charts.standing_chart(shown, across=_said(hit), what=what, caption=caption), shown)


@chart.command(group=BUILDINGS)
def wall(
    *,
    rules: options.RulesName = "realm_of_chaos",
    hits: Hits = 30,
    strength: Strength = 9,
    ap: AP = "2",
    hull: Hull = 3,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw how many hits bring a wall down, by what it is made of, or by its Armour Value.

    `casemate chart survival` draws a house rule beside its base. For example:

    - `casemate chart wall`
    - `casemate chart wall --rules storming --strength 8 --ap 3`
    """
    from analysis.findings.buildings import sources

    picture, one = pictured.ready("wall"), rule_set(rules)
    hit = rows.Hit(strength, ap, hull=hull)
    caption = f"{sources([one], hit, walls=True)}\n{IN_A_TURN} Exact."
    shown = rows.wall_rows(one, hit, hits)
    what = f"Under {one.title} a wall"
    picture.write(charts.standing_chart(shown, across=_said(hit), what=what, caption=caption), shown)


@chart.command(group=BUILDINGS)
def breach(
    *,
    rules: options.RulesNames = None,
    strengths: Levels = None,
    ap: AP = "2",
    hull: Hull = 3,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw how many hits it takes until walls are as likely down as not, by material or armour, and Strength.

    For example:

    - `casemate chart breach`
    - `casemate chart breach --rules realm_of_chaos --strengths 5 6 7 8 9 10`

    Args:
        strengths: Strengths of the hits; 6 to 10 if not given.
    """
    from analysis.findings.buildings import sources

    picture, sets = pictured.ready("breach"), _chosen(rules)
    hit = rows.Hit(AP=ap, hull=hull)
    caption = f"{sources(sets, hit, walls=True)}\n{IN_A_TURN} Exact."
    shown = rows.half_rows(sets, hit, sorted(set(strengths or range(6, 11))))
    picture.write(charts.breach_chart(shown, caption=caption), shown)


@chart.command(group=BUILDINGS)
def burning(
    *,
    rules: options.RulesName = "realm_of_chaos",
    damage: Levels = None,
    above: int = 0,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the life of a burning house: the chance that a section still stands, turn by turn.

    A house rule stands beside its base. For example:

    - `casemate chart burning`
    - `casemate chart burning --damage 0 --above 2`

    Args:
        damage: Points of damage of the section when it caught fire; 0, 2 and 4 if not given, 0 beside a house rule.
        above: Levels on top of it.
    """
    picture, sets = pictured.ready("burning"), _beside_its_base(rules)
    points = sorted(set(damage or ((0,) if len(sets) > 1 else (0, 2, 4))))
    shown = rows.burning_rows(sets, points, above)
    caption = (
        f"By its damage as it caught fire, {above or 'no'} level{'s' * (above != 1)} on top: RC-075, RC-077. Exact.\n"
        "A turn is a player turn; a game turn where stability is rolled for once in each."
    )
    after = "turns after it caught fire"
    drawn = charts.standing_chart(shown, across=after, what="A burning section", unit="turn", caption=caption)
    picture.write(drawn, shown)


def _said(hit: "rows.Hit") -> str:
    """Say hits at an axis."""
    return f"hits of Strength {hit.S}, {'no AP' if hit.AP == 'none' else f'AP {hit.AP}'}"


def _chosen(names: options.Names) -> list["RuleSet"]:
    """Return sets of rules, each under a title of its own."""
    sets = rule_sets_of(options.split(names or ["all"]))
    return [replace(one, title=name) for one, name in zip(sets, titles(sets), strict=True)]


def _beside_its_base(name: str) -> Sequence["RuleSet"]:
    """Return a set of rules; a house rule after what it is made from."""
    one = rule_set(name)
    if one.made_from is None:
        return [one]
    clash = one.title == one.made_from.title
    return [one.made_from, replace(one, title=f"{one.title} ({one.id})") if clash else one]
