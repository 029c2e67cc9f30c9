"""The command that sets two sets of rules, or two scenarios, against each other: versus."""

from analysis import charts, rows
from analysis.commands import options
from analysis.commands.pictures import NO_CHART, Charted
from analysis.commands.root import app, print_blocks, print_json, progress_bar, tell_short
from analysis.points.paired import DIFFER
from sims.errors import CasemateError, nearest


@app.command
def versus(
    first: str,
    second: str,
    /,
    *,
    scenario: str | None = None,
    rules: str | None = None,
    response: str | None = None,
    meant: options.Meant = options.OWN_PLANS,
    work: options.Work = options.USUAL_WORK,
    charted: Charted = NO_CHART,
    as_json: options.Json = False,
) -> None:
    """Compare two sets of rules, or two scenarios, on the same dice: who does better, and by how much.

    For example:

    - `casemate versus storming gemini`
    - `casemate versus storming my-house-rule.toml --scenario toll-house --chart versus.svg`
    - `casemate versus my-older-rule.toml my-house-rule.toml --plan smoke --response defenders_lost_mean`
    - `casemate versus farmhouse my-farmhouse.toml --rules gemini`
    - `casemate versus storming gemini --engine sampled --until 0.002`

    Args:
        first: A set of rules by its id, the file of a house rule, or a scenario by its id or file.
        second: Another of the same kind.
        scenario: What two sets of rules are compared on, by its id or file; the farmhouse if not given.
        rules: What two scenarios are compared under, by id or file; Storming Buildings if not given.
        response: What the sentence, the first table and the chart are about: p_captured, p_destroyed, p_broken, p_held,
            p_cleared, turns_mean, attackers_lost_mean or defenders_lost_mean; p_captured or p_destroyed, whichever
            comes up more, if not given; where that does not differ, the end that differs most.
    """
    from analysis.deciding import versus_words as words
    from analysis.deciding.versus import contestants, play_pair

    if response and response not in DIFFER:
        raise CasemateError(f'no difference is known of "{response}"; {nearest(response, DIFFER)}')
    pair = contestants(first, second, scenario, rules)
    picture, how = charted.ready(), work.how
    with work.kept.opened() as known, progress_bar() as tell:
        found = play_pair(pair, meant.plans(pair[0].scenario), how, known, work.workers, tell)
    response = response or words.aim(found)
    if as_json:
        print_json(words.as_data(found, response))
        tell_short(how, (answers for line in found.lines for answers in (line.before, line.after)))
    else:
        print_blocks(words.blocks(found, response))
    if picture:
        shown = rows.versus_rows(found, response)
        picture.write(charts.versus_chart(shown, response, caption=words.caption(found)), shown)
