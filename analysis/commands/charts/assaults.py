"""The charts of one assault: how it ends, when, at what cost, and what rulings are worth; and one game of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.assaults import course_of
from analysis.commands.charts.base import ASSAULTS, DECISIONS, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from analysis.commands.root import progress_bar, tell_short
from analysis.comparing.compare import Comparison, compare
from analysis.points.point import point
from analysis.points.responses import check_response
from analysis.say.notes import note
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_sets_of
from sims.scenario import load_scenario


@Parameter(name="*")
@dataclass(frozen=True)
class Compared:
    """Under which rules an assault is played, and where the picture of that goes."""

    rules: options.RulesNames = None
    meant: options.Meant = options.OWN_PLANS
    computed: options.Computed = options.USUAL
    pictured: Pictured = IN_REPORTS

    def draw(
        self,
        name: str,
        scenario: str,
        rows_of: Callable[[Comparison], Sequence[Any]],
        draw: "Callable[..., charts.Chart]",
    ) -> None:
        """Play an assault, and draw the rows of it under a name."""
        from analysis.comparing import words
        from analysis.say.scenarios import assault

        picture = self.pictured.ready(f"{load_scenario(scenario).id}-{name}")
        how = self.computed.how
        with progress_bar() as tell:
            game = load_scenario(scenario, self.meant.changes)
            found = compare(game, rule_sets_of(options.split(self.rules or ["all"])), how=how, progress=tell)
        rows = rows_of(found)
        caption = f"{assault(game)} {words.engine_words(found)}"
        picture.write(draw(rows, caption=caption), rows)
        tell_short(how, (entry.responses for entry in found.entries))


AS_USUAL = Compared()


@chart.command(group=ASSAULTS)
def ends(scenario: options.ScenarioName = options.DEFAULT_SCENARIO, /, *, compared: Compared = AS_USUAL) -> None:
    """Draw how an assault ends under several sets of rules: destroyed, captured, broken or held.

    For example:

    - `casemate chart ends`
    - `casemate chart ends bastion --rules gemini,storming --out bastion.png`
    """
    compared.draw("ends", scenario, rows.end_rows, charts.end_chart)


@chart.command(group=ASSAULTS)
def captured(scenario: options.ScenarioName = options.DEFAULT_SCENARIO, /, *, compared: Compared = AS_USUAL) -> None:
    """Draw when a building is captured under several sets of rules: by the end of each turn.

    For example:

    - `casemate chart captured`
    """
    compared.draw("captured", scenario, rows.turn_rows, charts.capture_chart)


@chart.command(group=ASSAULTS)
def losses(scenario: options.ScenarioName = options.DEFAULT_SCENARIO, /, *, compared: Compared = AS_USUAL) -> None:
    """Draw what an assault costs both sides together, as a heat map for each set of rules.

    For example:

    - `casemate chart losses`
    """
    compared.draw("losses", scenario, rows.both_rows, charts.both_chart)


@chart.command(group=ASSAULTS)
def garrison(scenario: options.ScenarioName = options.DEFAULT_SCENARIO, /, *, compared: Compared = AS_USUAL) -> None:
    """Draw how many of the garrison are left by the end of each turn under several sets of rules, on average.

    For example:

    - `casemate chart garrison`
    - `casemate chart garrison bastion --plan smoke`
    """
    compared.draw("garrison", scenario, rows.left_rows, charts.garrison_chart)


@chart.command(group=ASSAULTS)
def game(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    meant: options.Meant = options.OWN_PLANS,
    seed: options.Seed | None = None,
    script: Path | None = None,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw how likely each end of one game was, roll by roll, and the rolls on which it turned.

    The game is the one that `casemate play` tells; both sides keep to their plans. For example:

    - `casemate chart game --seed 7`
    - `casemate chart game bunker-rush --rules gemini --seed 7 --out rush.png`
    - `casemate chart game --script my-game.toml --seed 7`: your own dice, where you wrote them down

    Args:
        seed: Which luck to play with. Without one, and without a script, it is drawn, and said.
        script: A file of rolls that are written down, as `casemate play` takes it.
    """
    from analysis.say.engine import certified_within
    from analysis.told import replay as telling
    from analysis.told.chances import FAINT
    from sims.replay import replay
    from sims.script import Script

    one = point(scenario, rule_set(rules), meant.changes)
    picture = pictured.ready(f"{one.scenario.id}-game")
    played = replay(one.assault, seed=seed, script=Script.load(script) if script else None)
    course = course_of(one.assault)
    shown, points = rows.game_rows(played, course)
    exact = certified_within(FAINT) if course.left_out else "exact"
    told = f"{one.scenario.title}, {one.rule_set.title}: {telling.summary(played)} Chances are {exact}."
    picture.write(charts.game_chart(shown, points, told), shown)
    note(telling.luck(played.seed))


@chart.command(group=DECISIONS)
def rulings(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    response: str = "p_captured",
    meant: options.Meant = options.OWN_PLANS,
    work: options.Work = options.USUAL_WORK,
    pictured: Pictured = IN_REPORTS,
) -> None:
    """Draw what each ruling of a set of rules is worth: how far its other options move a response.

    For example:

    - `casemate chart rulings`
    - `casemate chart rulings --rules gw_updated --response p_destroyed`

    Args:
        response: What is moved: p_captured, p_destroyed, p_cleared, turns_mean, attackers_lost_mean, ...
    """
    from analysis.deciding.explain import sensitivity as weighed
    from analysis.deciding.explain_words import rulings_caption

    check_response(response)
    one = point(scenario, rule_set(rules), plans=meant.plans(load_scenario(scenario)), how=work.how)
    picture = pictured.ready(f"{one.scenario.id}-rulings")
    with work.kept.opened() as known, progress_bar() as tell:
        found = weighed(one, response, section="rulings.", known=known, workers=work.workers, progress=tell)
    shown = rows.ruling_rows(one, found, response)
    if not shown:
        raise CasemateError(f"there is nothing to draw: no ruling of {one.rule_set.title} moves {response} here")
    picture.write(charts.rulings_chart(shown, response, caption=rulings_caption(one, found, len(shown))), shown)
    tell_short(work.how, [found.before, *(each.responses for each in found.worth)])
