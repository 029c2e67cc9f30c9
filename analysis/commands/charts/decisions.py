"""The charts of what is decided: what matters most, what a change does, what rulings are worth, what meets a target."""

import sys
from functools import partial
from pathlib import Path

from analysis.commands.base import (
    DEFAULT_SCENARIO,
    OWN_PLANS,
    USUAL_WORK,
    Meant,
    Names,
    Work,
    progress_bar,
    split,
    tell_short,
)
from analysis.commands.charts.base import DECISIONS, IN_REPORTS, Pictured, chart
from analysis.commands.deciding import both
from analysis.commands.sweeping import see
from analysis.commands.weighing import answers_to
from analysis.points.point import point
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import load_scenario

draws = partial(chart.command, group=DECISIONS)


@draws
def sensitivity(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: Names = None,
    response: str = "p_captured",
    meant: Meant = OWN_PLANS,
    work: Work = USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what matters most of a scenario: how far a response swings by one step of each number, down and up.

    For example:

    - `casemate chart sensitivity --rules storming`
    - `casemate chart sensitivity bastion --rules gemini,storming --out bastion.png`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own.
        rules: Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets, `all`, if not
            given.
        response: What swings: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
    """
    from analysis import charts
    from analysis.rows.sweeps import looks_of, swing_rows, titles_of
    from analysis.say.engine import engine
    from analysis.say.scenarios import assault
    from analysis.sweeps import scenario_steps, tornado
    from analysis.sweeps.words import what

    see(response)
    one = load_scenario(scenario, meant.changes)
    picture = pictured.ready(f"{one.id}-sensitivity")
    steps = scenario_steps.steps(scenario)
    of = tornado.one_by_one(steps, scenario, split(rules) if rules else None, meant.changes)
    answers = answers_to([response], work, of)
    found, titles = tornado.tornados(steps, answers, response), titles_of(answers)
    for each in found:
        if each.now is None:
            print(f"{titles[each.rules]} is not drawn: {each.refused[0].refused}", file=sys.stderr)
    rows = swing_rows(found, titles, looks_of(answers))
    if not rows:
        raise CasemateError(f"nothing is drawn: no single step changes it: {what(response)}")
    still = [
        f"{titles[each.rules]}: nothing {'changes' if each.now.low is None else 'is seen to change'} it by one step."
        for each in found
        if each.now and not each.seen
    ]
    computed = engine(work.how, len(answers), sum(answer.sampled for answer in answers))
    caption = "\n".join([*still, f"{assault(one)} {computed}"])
    picture.write(charts.tornado_chart(rows, response, caption=caption), rows)
    tell_short(work.how, (answer.responses for answer in answers))


@draws
def receipt(
    rules: str,
    /,
    *,
    against: str | None = None,
    suite: Path | None = None,
    work: Work = USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what a house rule moves in a suite of assaults, how far, and which of its keys has done how much of that.

    For example:

    - `casemate chart receipt my-house-rule.toml`
    - `casemate chart receipt my-house-rule.toml --suite my-suite.toml`

    Args:
        rules: The file of a house rule.
        against: The rules it is compared with; its base if not given.
        suite: A file of scenarios and plans; all scenarios that come with Casemate, under all pairs of plans, if not
            given.
    """
    from analysis import charts
    from analysis.deciding.receipt import receipt as received
    from analysis.deciding.receipt import shares
    from analysis.deciding.receipt_opening import first_word
    from analysis.deciding.receipt_words import caption
    from analysis.points import suite as suites
    from analysis.rows.decisions import move_rows, share_rows, shared_rows

    before, after = both(rules, against)
    picture = pictured.ready(f"{after.id}-receipt")
    games = suites.load(suite) if suite else suites.shipped_games()
    with work.kept.opened() as known, progress_bar() as tell:
        found = received(before, after, games, how=work.how, known=known, workers=work.workers, progress=tell)
        if found.refused and not found.lines:
            raise CasemateError(next(iter(found.refused.values())))
        moved = [line for line in found.lines if line.moves()]
        if not moved:
            raise CasemateError(f"there is nothing to draw: no end of any assault moves by a point under {after.title}")
        parts, shared = shares(found, moved, known, workers=work.workers)
    rows = move_rows(found)
    by_key = share_rows(found, parts, shared)
    drawn = charts.move_chart(rows, first_word(found), by_key, caption=caption(found))
    picture.write(drawn, shared_rows(rows, by_key))
    tell_short(work.how, (answers for line in found.lines for answers in (line.before, line.after)))


@draws
def rulings(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    rules: str = "storming",
    response: str = "p_captured",
    meant: Meant = OWN_PLANS,
    work: Work = USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what each ruling of a set of rules is worth: how far its other options move a response.

    For example:

    - `casemate chart rulings`
    - `casemate chart rulings --rules gw_updated --response p_destroyed`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own.
        rules: A rule set by its id, or the file of a house rule.
        response: What is moved: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
    """
    from analysis import charts
    from analysis.deciding.explain import sensitivity as weighed
    from analysis.deciding.explain_words import rulings_caption
    from analysis.rows.decisions import ruling_rows

    see(response)
    one = point(scenario, rule_set(rules), plans=meant.plans(load_scenario(scenario)), how=work.how)
    picture = pictured.ready(f"{one.scenario.id}-rulings")
    with work.kept.opened() as known, progress_bar() as tell:
        found = weighed(one, response, section="rulings.", known=known, workers=work.workers, progress=tell)
    rows = ruling_rows(one, found, response)
    if not rows:
        raise CasemateError(f"there is nothing to draw: no ruling of {one.rule_set.title} moves {response} here")
    picture.write(charts.rulings_chart(rows, response, caption=rulings_caption(one, found, len(rows))), rows)
    tell_short(work.how, [found.before, *(each.responses for each in found.worth)])


@draws
def solve(
    scenario: str = DEFAULT_SCENARIO,
    /,
    *,
    vary: str,
    rules: Names = None,
    response: str = "p_captured",
    target: float = 0.5,
    meant: Meant = OWN_PLANS,
    work: Work = USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw a response over the values of one number under several sets of rules, and where it meets a target.

    For example:

    - `casemate chart solve --vary attackers.models`
    - `casemate chart solve --vary tables.grenade.hits --rules storming,my-house-rule.toml --target 0.75`

    Args:
        scenario: One of those that `casemate scenarios` lists, or the file of your own.
        vary: The key of a whole number or of dice, as files write it: of a scenario, or of a table of rules.
        rules: Rule sets by id, and files of house rules; all rule sets that have the key if not given.
        response: p_captured, p_destroyed, p_broken, p_held, p_cleared, turns_mean, attackers_lost_mean,
            defenders_lost_mean, ...
        target: What it is to meet; from 0 to 1 for a chance.
    """
    from analysis import charts
    from analysis.deciding.solve import solve as solved
    from analysis.deciding.solve_words import caption
    from analysis.rows.decisions import solve_rows
    from analysis.say.axes import factor_words
    from sims.rulesets import rule_sets_of

    see(response)
    game, how = load_scenario(scenario, meant.changes), work.how
    picture = pictured.ready(f"{game.id}-solve")
    sets = rule_sets_of(split(rules) if rules else rule_set_ids())
    asked = scenario, sets, vary, response, target
    with work.kept.opened() as known, progress_bar() as tell:
        found = solved(*asked, plans=meant.plans(game), how=how, known=known, progress=tell)
    rows, met = solve_rows(found)
    said = caption(game, found, how)
    drawn = charts.crossings_chart(rows, met, response, factor=factor_words(vary), target=target, caption=said)
    picture.write(drawn, rows)
    tell_short(how, ({response: level.response} for one in found for level in one.levels))
