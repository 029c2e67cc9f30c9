"""The charts of assaults: how they end, when, at what cost; what clears a building; one game."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analysis.commands.assaults import DEFAULT_SCENARIO, course_of, split
from analysis.commands.base import (
    OWN_PLANS,
    USUAL,
    USUAL_WORK,
    Computed,
    Meant,
    Names,
    Seed,
    Work,
    progress_bar,
    tell_short,
)
from analysis.commands.charts.base import ASSAULTS, IN_REPORTS, Pictured, chart
from analysis.commands.sweeping import NOTHING_VARIED, Varied, see
from analysis.point import point
from sims.rulesets import rule_set_ids
from sims.scenario import load_scenario

if TYPE_CHECKING:
    from analysis.compare import Comparison

Levels = Annotated[list[int] | None, Parameter(negative=(), consume_multiple=True)]

draws = partial(chart.command, group=ASSAULTS)


@draws
def ends(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    meant: Meant = OWN_PLANS,
    computed: Computed = USUAL,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw how an assault ends under several sets of rules: destroyed, captured, broken or held.

    For example:

    - `casemate chart ends`
    - `casemate chart ends bastion --rules gemini,storming --out bastion.png`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if not given.
    """
    from analysis import charts, words
    from analysis.rows.assaults import end_rows

    picture = pictured.ready(f"{load_scenario(scenario).id}-ends")
    found = _compared(scenario, rules, meant, computed)
    rows = end_rows(found)
    picture.write(charts.end_chart(rows, caption=words.engine_words(found)), rows)


@draws
def captured(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    meant: Meant = OWN_PLANS,
    computed: Computed = USUAL,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw when a building is captured under several sets of rules: by the end of each turn.

    For example:

    - `casemate chart captured`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if not given.
    """
    from analysis import charts, words
    from analysis.rows.assaults import turn_rows

    picture = pictured.ready(f"{load_scenario(scenario).id}-captured")
    found = _compared(scenario, rules, meant, computed)
    rows = turn_rows(found)
    picture.write(charts.capture_chart(rows, caption=words.engine_words(found)), rows)


@draws
def losses(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    meant: Meant = OWN_PLANS,
    computed: Computed = USUAL,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what an assault costs both sides together, as a heat map for each set of rules.

    For example:

    - `casemate chart losses`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if not given.
    """
    from analysis import charts, words
    from analysis.rows.assaults import both_rows

    picture = pictured.ready(f"{load_scenario(scenario).id}-losses")
    found = _compared(scenario, rules, meant, computed)
    rows = both_rows(found)
    picture.write(charts.both_chart(rows, caption=words.engine_words(found)), rows)


def _compared(scenario: str, rules: Names, meant: Meant, computed: Computed) -> "Comparison":
    from analysis.compare import chosen, compare

    with progress_bar() as tell:
        game = load_scenario(scenario, meant.changes)
        found = compare(game, chosen(split(rules) if rules else rule_set_ids()), how=computed.how, progress=tell)
    tell_short(computed.how, (entry.responses for entry in found.entries))
    return found


@draws
def contours(
    scenario: str | None = None,
    /,
    *,
    varied: Varied = NOTHING_VARIED,
    response: str = "p_captured",
    target: float = 0.5,
    work: Work = USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the lines on the plane of two numbers where a response meets a target, under several sets of rules.

    The first number is that of the axis to the right; what has one level alone is set to that. Lines are straight
    between neighbouring levels; a response that comes back to its target has several.
    `casemate sweep --target` prints the same lines. For example:

    - `casemate chart contours --vary attackers.models=5..20 --vary defenders.models=4..15`
    - `casemate chart contours --vary distance=6..36:2 --vary defenders.models=4..15 --target 0.3 --rules storming`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own; the farmhouse if none is said.
    response
        What is to meet the target: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
    target
        0.5 for an even chance.
    """
    from analysis import charts
    from analysis import contours as lines
    from analysis.contour_words import notes
    from analysis.rows.sweeps import contour_rows, looks
    from analysis.sweep import answers
    from analysis.words import wanted

    see(response)
    of = varied.design(scenario)
    on = lines.plane(of, response, target)
    one = load_scenario(next(iter(of)).values["scenario"])
    picture = pictured.ready(f"{one.id}-contours")
    with work.kept.opened() as known, progress_bar() as tell:
        arriving = answers(of, work.how, known=known, workers=work.workers, progress=tell)
        brief = [answer.only([response]) for answer in arriving]
    found = lines.contours(on, brief)
    title = f"{one.title}: where it is {wanted(response, target)}"
    rows = contour_rows(found, looks(brief))
    picture.write(charts.contour_chart(rows, on, title, notes(on, found)), rows)
    tell_short(work.how, (answer.responses for answer in brief))


@draws
def support(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance to clear a building by access points and support: none, grenades, templates as well.

    For example:

    - `casemate chart support`
    - `casemate chart support --attackers 8 12 16 20 --out doors.png`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        A rule set by its id, or the file of a house rule.
    attackers
        Numbers of attackers; 5 to 25 by fives if not given.
    """
    _draw("support", scenario, rules, attackers, pictured)


@draws
def plans(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    attackers: Levels = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw the chance to clear a building by the plan of the attackers, with and without weapons that open a wall.

    Demolishing only, as the standard rules have it, stands beside storming where the rules can be set back to that.
    For example:

    - `casemate chart plans bastion`

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        A rule set by its id, or the file of a house rule.
    attackers
        Numbers of attackers; 5 to 25 by fives if not given.
    """
    _draw("plans", scenario, rules, attackers, pictured)


def _draw(name: str, scenario: str, rules: str, attackers: list[int] | None, pictured: Pictured) -> None:
    """Draw the chance to clear a building, as a study has it."""
    from analysis import charts
    from analysis.rows.clearing import clear_rows
    from sims.rulesets import rule_set

    one = load_scenario(scenario)
    title = f"{one.title}: {rule_set(rules).title}"
    picture = pictured.ready(f"{one.id}-{name}")
    with progress_bar() as tell:
        rows = clear_rows(name, scenario, rules, sorted(set(attackers or ())), progress=tell)
    picture.write(charts.clear_chart(rows, title), rows)


@draws
def game(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    meant: Meant = OWN_PLANS,
    seed: Seed | None = None,
    script: Path | None = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw how likely each end of one game was, roll by roll, and the rolls on which it turned.

    The game is the one that `casemate play` tells; both sides keep to their plans. For example:

    - `casemate chart game --seed 7`
    - `casemate chart game bunker-rush --rules gemini --seed 7 --out rush.png`
    - `casemate chart game --script my-game.toml --seed 7`: your own dice, where you wrote them down

    Parameters
    ----------
    scenario
        One of those that `casemate scenarios` lists, or the file of your own.
    rules
        A rule set by its id, or the file of a house rule.
    seed
        Which luck to play with. Without one, and without a script, it is drawn, and said.
    script
        A file of rolls that are written down, as `casemate play` takes it.
    """
    from analysis import charts
    from analysis import replay as telling
    from analysis.rows.games import game_rows
    from sims.replay import replay
    from sims.rulesets import rule_set
    from sims.script import Script

    one = point(scenario, rule_set(rules), meant.changes)
    picture = pictured.ready(f"{one.scenario.id}-game")
    played = replay(one.assault, seed=seed, script=Script.load(script) if script else None)
    rows, points = game_rows(played, course_of(one.assault))
    title = f"{one.scenario.title}: {one.rule_set.title}"
    picture.write(charts.game_chart(rows, points, title, telling.summary(played)), rows)
    print(telling.luck(played.seed), file=sys.stderr)
