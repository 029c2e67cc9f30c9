"""The command that asks what a position is worth."""

from functools import partial
from pathlib import Path

from analysis.commands import options
from analysis.commands.root import app, print_json, progress_bar, within
from sims.errors import CasemateError
from sims.rulesets import rule_sets_of


@app.command
def position(file: Path, /, *, rules: options.Names = None, as_json: options.Json = False) -> None:
    """Say what a position is worth: the chance of each end from there, under every plan and set of rules.

    A position is a file that says what is known of a game when a player turn begins; one is shown below.

    To `attackers`, `defenders` and `distance` it may add anything that the log of `casemate play` tells of what stands
    there, in its words: `"hull points left" = 2`, `"the door is forced" = true`. What is left out is averaged over the
    states that games come to by the plans so far: the scenario's, or the file's `plan` and `defence`.

    - `casemate position position.toml`
    - `casemate position position.toml --rules gemini --json`
    - `casemate play --seed 7 --save-position 3`: writes such a file, with all that stands there

    Args:
        file: The position.
        rules: Rule sets by id, and files of house rules; repeated, or with commas between. All rule sets if not given.
    """
    from analysis.told import position_words as words
    from analysis.told.position import Worth, worth
    from analysis.told.position_file import load

    rule_sets = rule_sets_of(options.split(rules or ["all"]))
    asked = load(file, rule_sets)
    with progress_bar() as tell:
        answers = []
        for n, rule_set in enumerate(rule_sets):
            answers.append(worth(asked, rule_set, partial(within, tell, n, len(rule_sets))))
    refused = [answer for answer in answers if not isinstance(answer, Worth)]
    if len(refused) == len(answers):
        said = "".join(f"\n   {answer.rule_set.id}: {words.refusal(answer)}" for answer in refused)
        raise CasemateError(f"{file}: this position cannot be answered:{said}")
    return print_json(words.as_data(asked, answers)) if as_json else words.show(asked, answers)
