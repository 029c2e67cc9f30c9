"""The charts of many assaults: over the plane of two numbers, by the plans of both sides, by what clears a building."""

from typing import TYPE_CHECKING, get_args

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.charts.base import ASSAULTS, Levels, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from analysis.commands.root import progress_bar, tell_short
from analysis.commands.sweeping import NOTHING_VARIED, Varied, draw_plane
from analysis.commands.weighing import answers_to
from analysis.points.point import AUTO, How
from analysis.points.responses import NAMES, check_response
from sims.rulesets import rule_set
from sims.scenario import AttackPlan, DefencePlan, load_scenario

if TYPE_CHECKING:
    from analysis.sweeps.design import Design


@chart.command(group=ASSAULTS)
def plane(
    scenario: str | None = None,
    /,
    *,
    varied: Varied = NOTHING_VARIED,
    response: str = "p_captured",
    target: float = 0.5,
    work: options.Work = options.USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw a response over the plane of two numbers: a heat map for each set of rules, with the line of a target.

    `casemate chart contours` draws the lines of all sets of rules on one plane. For example:

    - `casemate chart plane --vary attackers.models=5..20 --vary defenders.models=4..15`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if none is said.
        response: What is drawn: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
        target: Where the line runs; 0.5 for an even chance.
    """
    from analysis.sweeps import contours as lines

    check_response(response)
    of = varied.design(scenario)
    on = lines.plane(of, response, target)
    picture = pictured.ready(f"{_named(of)}-plane")
    answers = answers_to([response], work, of)
    draw_plane(picture, on, of, answers, work.how)
    tell_short(work.how, (answer.responses for answer in answers))


@chart.command(group=ASSAULTS)
def contours(
    scenario: str | None = None,
    /,
    *,
    varied: Varied = NOTHING_VARIED,
    response: str = "p_captured",
    target: float = 0.5,
    work: options.Work = options.USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the lines on the plane of two numbers where a response meets a target, under several sets of rules.

    The first number is that of the axis to the right; what has one level alone is set to that. Lines are straight
    between neighbouring levels; a response that comes back to its target has several.
    `casemate sweep --target` prints the same lines. For example:

    - `casemate chart contours --vary attackers.models=5..20 --vary defenders.models=4..15`
    - `casemate chart contours --vary distance=6..36:2 --vary defenders.models=4..15 --rules storming,gemini`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if none is said.
        response: What is to meet the target: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
        target: 0.5 for an even chance.
    """
    from analysis.sweeps import contours as lines
    from analysis.sweeps.contour_words import notes
    from analysis.sweeps.words import caption

    check_response(response)
    of = varied.design(scenario)
    on = lines.plane(of, response, target)
    picture = pictured.ready(f"{_named(of)}-contours")
    brief = answers_to([response], work, of)
    found, titles = lines.contours(on, brief), rows.titles_of(brief)
    shown = rows.contour_rows(found, titles, rows.looks_of(brief))
    said = caption(of, work.how, brief, notes(on, found, titles))
    picture.write(charts.contour_chart(shown, on, rows.range_rows(found, titles), caption=said), shown)
    tell_short(work.how, (answer.responses for answer in brief))


@chart.command(group=ASSAULTS)
def matrix(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesNames = None,
    response: str = "p_captured",
    work: options.Work = options.USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw every plan of the attackers against every plan of the garrison, with the best replies of both sides.

    For example:

    - `casemate chart matrix`
    - `casemate chart matrix --response p_cleared`

    Args:
        response: The chance that one side wants great and the other small: p_captured, p_destroyed, p_cleared,
            p_broken, p_held.
    """
    from analysis.sweeps.design import design, factor
    from analysis.sweeps.words import caption

    rows.aim(response)
    both = factor("attackers.plan", get_args(AttackPlan)), factor("defenders.plan", get_args(DefencePlan))
    of = design(both, scenario, options.split(rules) if rules else None)
    picture = pictured.ready(f"{_named(of)}-matrix")
    answers = answers_to(NAMES, work, of)
    shown, alike = rows.plans_rows(answers, response)
    said = caption(of, work.how, answers, rows.left_out(answers))
    picture.write(charts.matrix_chart(shown, alike, response, caption=said), shown)
    tell_short(work.how, (answer.responses for answer in answers))


def _named(of: "Design") -> str:
    """Return the name of the scenario of a design; of several, what they are."""
    scenarios = {cell.values["scenario"] for cell in of}
    return load_scenario(scenarios.pop()).id if len(scenarios) == 1 else "scenarios"


@chart.command(group=ASSAULTS)
def support(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance to clear a building by access points and support: none, grenades, templates as well.

    For example:

    - `casemate chart support`
    - `casemate chart support --attackers 8 12 16 20 --out doors.png`

    Args:
        attackers: Numbers of attackers; 5 to 25 by fives if not given.
    """
    _draw("support", scenario, rules, attackers, pictured)


@chart.command(group=ASSAULTS)
def plans(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance to clear a building by the plan of the attackers, with and without weapons that open a wall.

    Demolishing only, as the standard rules have it, stands beside storming where the rules can be set back to that.
    For example:

    - `casemate chart plans bastion`

    Args:
        attackers: Numbers of attackers; 5 to 25 by fives if not given.
    """
    _draw("plans", scenario, rules, attackers, pictured)


@chart.command(group=ASSAULTS)
def growth(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesNames = None,
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw how long an answer takes with more models on both sides: exactly, and certified.

    There are two defenders for three attackers, in a building that holds them. Every assault is played anew, so it
    takes a few minutes; seconds are those of a processor of this machine. For example:

    - `casemate chart growth --attackers 10 20 30`
    - `casemate chart growth bastion --rules storming,gemini --attackers 10 15 20`

    Args:
        attackers: Numbers of attackers; 10, 20, 30, 40 and 60 if not given.
    """
    from analysis.rows.growth import HOW, SIZES
    from analysis.say.engine import certified_words

    picture = pictured.ready(f"{load_scenario(scenario).id}-growth")
    sizes = sorted(set(attackers or SIZES))
    with progress_bar() as tell:
        shown = rows.growth_rows(scenario, options.split(rules or ["all"]), sizes, progress=tell)
    certified = certified_words(How(HOW["certified"]))
    caption = (
        f"{load_scenario(scenario).title}, two defenders for three attackers. {certified[0].upper()}{certified[1:]}. "
        "A line ends where an assault is too large."
    )
    picture.write(charts.growth_chart(shown, caption=caption), shown)


def _draw(name: str, scenario: str, rules: str, attackers: list[int] | None, pictured: Pictured) -> None:
    """Draw the chance to clear a building, as a study has it."""
    from analysis.say.engine import engine
    from analysis.sweeps.words import common_caption

    picture = pictured.ready(f"{load_scenario(scenario).id}-{name}")
    levels = sorted(set(attackers or ()))
    with progress_bar() as tell:
        shown = rows.clear_rows(name, scenario, rules, levels, progress=tell)
    sampled, certified = sum(row.low is not None for row in shown), sum(row.certified for row in shown)
    computed = engine(AUTO, len(shown), sampled, certified)
    played = common_caption(rows.clear_design(name, scenario, rules, levels))
    picture.write(charts.clear_chart(shown, caption=f"{rule_set(rules).title}. {played} {computed}"), shown)
