"""The command that hands an assault to other programs: export."""

from pathlib import Path

from analysis.commands import options
from analysis.commands.root import app, progress_bar
from analysis.points.plans import PLANS, contest
from analysis.points.point import point
from analysis.say import files
from analysis.say.notes import note
from sims.errors import CasemateError
from sims.rulesets import rule_set
from sims.scenario import Side, load_scenario


@app.command
def export(
    scenario: options.ScenarioName = options.DEFAULT_SCENARIO,
    /,
    *,
    rules: options.RulesName = "storming",
    meant: options.Meant = options.OWN_PLANS,
    choose: Side | None = None,
    out: Path | None = None,
) -> None:
    """Write an assault as an explicit model that a model checker such as Storm reads, to have an answer judged.

    The model is a Markov chain (DTMC, in the format DRN): every state that games can come to, before every step that
    leaves something to chance. The start is labelled init, the ends broken, captured, destroyed and held; where a
    player turn begins, the labels say which (turn_3 attackers_to_move) and what stands there, in words of the log
    (attackers_9). Files of large assaults have hundreds of megabytes.

    With --choose the model is a decision process (MDP): that side may take up another plan at the start of each of its
    player turns, and has an action for each; the other keeps its plan. The greatest chance of captured is then what the
    attackers' best reply to that plan is worth.

    For example:

    - `casemate export`
    - `casemate export bastion --rules gw_updated --plan demolish --out bastion.drn`
    - `storm --explicit-drn bastion.drn --prop 'P=? [F "captured"]'`
    - `casemate export --choose attackers --defence sally --out choices.drn`
    - `storm --explicit-drn choices.drn --prop 'Pmax=? [F "captured"]'`

    Args:
        choose: The side that chooses its plans; with neither, both keep theirs.
        out: The file to write, ending in .drn; in reports/ if not given.
    """
    from analysis.exports.dtmc import Layered, Model
    from analysis.exports.mdp import Decisions

    own, game = rule_set(rules), load_scenario(scenario)
    path = out or Path("reports") / f"{game.id}-{own.id}.drn"
    if path.suffix != ".drn":
        raise CasemateError(f'--out cannot be "{path}"; expected a file ending in .drn')
    files.writable(path, files.existing_folder(path) if out else files.folder_for(path.parent))
    with progress_bar() as tell:
        if choose:
            attacks = PLANS[0] if choose == "attackers" else (meant.plan or game.plan,)
            defences = PLANS[1] if choose == "defenders" else (meant.defence or game.defence,)
            found = contest(game, own, attacks, defences, lambda done, limit: tell(done, 2 * limit))
            model: Layered = Decisions(found, choose)
        else:
            model = Model(point(scenario, own, plans=meant.plans(game)).assault, tell)
        with files.open_to_write(path) as file:
            file.writelines(model.drn(tell))
    note(f"The model: {path}, {model.size:,} states")
