"""One assault, move by move: it is a trial of the rolled engine, or what a script says."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.replay import as_data, told
from sims.assault import End
from sims.engines import COLUMNS, play
from sims.errors import CasemateError
from sims.replay import RollFile, Script, replay
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from tests.rulesets.test_storming import GUARDSMAN, scenario


@pytest.mark.parametrize("seed", [1, 7])
def test_a_replay_is_the_first_trial_of_the_rolled_engine(assault, seed):
    alone, played = replay(assault, seed=seed), play(assault, engine="rolled", trials=1, seed=seed)
    outcome = assault.outcome(alone.moves[-1].after, assault.scene)
    found = [alone.end, alone.turn, outcome.attackers_lost, outcome.defenders_lost, outcome.cleared]
    assert [int(np.max(v)) for v in found] == [int(played.columns[name][0]) for name in COLUMNS]


def test_moves_follow_one_another():
    told = replay(rule_set("storming").assault(load_scenario("farmhouse")), seed=3)
    for move, later in zip(told.moves, told.moves[1:], strict=False):
        assert later.before is move.after
    assert all(move.turn <= told.turn for move in told.moves)


GAME = rule_set("storming").assault(scenario(GUARDSMAN, 10, 5, grenades=True))
ROLLS = (
    RollFile(label="support attacks", answer=2),
    RollFile(label="defenders' blows", faces=(4, 5, 2, 4, 6, 6)),
    RollFile(label="Fireteam saves", faces=(5, 2)),
    RollFile(label="Fireteam's blows", faces=(4, 4, 4, 5, 1, 2, 3, 3, 4, 5, 1, 2, 6, 6, 6, 6, 1, 6, 6, 6, 1, 1, 1, 1)),
    RollFile(label="consolidation", answer=4),
)


def test_a_scripted_storming_is_told_roll_by_roll():
    """Three defenders are left and wound twice; one of the Fireteam dies; eight blows hit four times and kill one."""
    played = replay(GAME, script=Script(ROLLS))
    assert (played.end, played.turn) == (End.HELD, 1)
    lines = {heading.split(": ")[1]: lines for heading, lines in told(played)}
    assert lines["support"] == [
        "support attacks: 2, as written",
        "-> defenders lost to support: 2",
        "-> defenders: 5 to 3",
    ]
    assert lines["defenders strike"][:3] == [
        "defenders' blows: 2, as written",
        "   to hit, 4+: 4 5 2, 2 of 3",
        "   to wound, 4+: 4 6, 2 of 2",
    ]
    assert lines["saves"] == [
        "Fireteam saves: 1, as written",
        "   failed save, 5+: 5 2, 1 of 2",
        "-> attackers lost in the fight: 1",
        "-> attackers: 10 to 9",
        "-> fireteam: 5 to 4",
        "-> struck: 2 to 1",
    ]
    assert lines["fireteam strikes"][:4] == [
        "Fireteam's blows: 1, as written",
        "   to hit, 4+: 4 4 4 5 1 2 3 3, 4 of 8",
        "   to wound, 4+: 4 5 1 2, 2 of 4",
        "   failed save, 5+: 1 6, 1 of 2",
    ]
    assert "-> distance: 0 to 2" in lines["draw off"]


def test_dice_of_grenades_are_told_for_their_own_hits():
    """Every hit counted is one that a D3 made, and the counts agree with the answer."""
    for seed in range(20):
        played = replay(GAME, seed=seed)
        roll = next(r for move in played.moves for r in move.rolls if r.label == "support attacks")
        (lines,) = (lines for heading, lines in told(played) if heading.endswith("support"))
        failed = [int(line.split(", ")[-1].split(" of ")[0]) for line in lines if "failed save" in line]
        assert min(sum(failed), 5) == roll.answer


def test_a_script_must_have_every_roll_and_no_other():
    with pytest.raises(CasemateError, match='turn 1: the script has no roll "consolidation"'):
        replay(GAME, script=Script(ROLLS[:-1]))
    with pytest.raises(CasemateError, match="never came up: morale"):
        replay(GAME, script=Script((*ROLLS, RollFile(label="morale", answer=1))))
    with pytest.raises(CasemateError, match="never came up: consolidation"):
        replay(GAME, script=Script((*ROLLS, RollFile(label="consolidation", answer=1, turn=9))))


def test_what_a_script_lacks_is_rolled_by_a_seed():
    played = replay(GAME, seed=5, script=Script(ROLLS[:1]))
    assert [r.scripted for m in played.moves for r in m.rolls][:2] == [True, False]


def test_a_replay_as_json_says_how_it_ended():
    game = replace(load_scenario("bunker-rush"), plan="demolish")
    data = as_data(replay(rule_set("storming").assault(game), seed=2))
    assert data["end"] in {"destroyed", "held", "broken"}
    assert all(move["lines"] for move in data["moves"])
