"""One assault, move by move: it is a trial of the rolled engine, or what a script says."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest

from analysis.told.replay import as_data
from sims.assault import End
from sims.dice import (
    BEST_OF_TWO,
    D3,
    GOAL,
    HIGH,
    LEADERSHIP,
    LOW,
    PLAIN_LEADERSHIP,
    UNDER,
    AtLeast,
    Share,
    Test,
    Throw,
    Total,
    Volley,
    rerolled,
)
from sims.dice.die import D6, added_up
from sims.dice.mechanics import tell
from sims.dice.telling import Told, listed, needed, thrown
from sims.engines import COLUMNS, play
from sims.errors import CasemateError
from sims.games.arap.moving.charge import ChargeRoll
from sims.games.arap.nerve.casualties import HeavyCasualtyTest
from sims.games.wh40k.book import Fifth
from sims.games.wh40k.structures import ArmourRoll
from sims.games.wh40k.structures import DamageRoll as VehicleDamage
from sims.replay import ScriptedDice, replay
from sims.rulesets import rule_set
from sims.rulesets.gemini.bunkers.bombardment import Bombardment
from sims.rulesets.gemini.bunkers.hits_table import Bunker, HitsTable
from sims.rulesets.gemini.openings.blasts import Blasts, Flame, Grenade
from sims.rulesets.gemini.openings.ports import AtPorts, EachAtPorts
from sims.rulesets.gw_updated.damage_roll import damage_roll
from sims.rulesets.realm_of_chaos.damage.fabric import StabilityRoll
from sims.rulesets.storming.buildings.capacity import HiddenLevel
from sims.scenario import load_scenario
from sims.script import LackingError, RollFile, Script, read_answer
from tests.conftest import told
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
    RollFile(label="defenders' blows", faces=(4, 5, 2, 4, 6)),
    RollFile(label="Fireteam saves", faces=(5, 2)),
    RollFile(label="Fireteam's blows", faces=(4, 4, 4, 5, 1, 2, 3, 3, 4, 5, 1, 2, 1, 6)),
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
    assert lines["defenders strike"] == [
        "defenders' blows: 2, as written",
        "   Model with Rifle: to hit, 4+: 4 5 2, 2 of 3",
        "   to wound, 4+: 4 6, 2 of 2",
        "-> wounds on the attackers, before saves: 2",
    ]
    assert lines["saves"][:5] == [
        "Fireteam saves: 1, as written",
        "   save, 5+: 5 2, 1 of 2 failed",
        "-> attackers lost in the fight: 1",
        "-> attackers: 10 to 9",
        "-> in the Fireteam: 5 to 4",
    ]
    assert lines["fireteam strikes"][:4] == [
        "Fireteam's blows: 1, as written",
        "   Model with Pistol: to hit, 4+: 4 4 4 5 1 2 3 3, 4 of 8",
        "   to wound, 4+: 4 5 1 2, 2 of 4",
        "   save, 5+: 1 6, 1 of 2 failed",
    ]
    assert "-> inches to the building: 0 to 2" in lines["draw off"]


def test_dice_of_grenades_are_told_for_their_own_hits():
    """Every hit counted is one that a D3 made, and the counts agree with the answer."""
    for seed in range(20):
        played = replay(GAME, seed=seed)
        roll = next(r for move in played.moves for r in move.rolls if r.label == "support attacks")
        (lines,) = (lines for heading, lines in told(played) if heading.endswith("support"))
        failed = [int(line.split(", ")[-1].split(" of ")[0]) for line in lines if "   save" in line]
        assert min(sum(failed), 5) == roll.answer


def test_a_script_must_have_every_roll_and_no_other():
    with pytest.raises(CasemateError, match='turn 1: the script has no roll left, and the game wants "consolidation"'):
        replay(GAME, script=Script(ROLLS[:-1]))
    with pytest.raises(
        CasemateError, match='turn 1: the script has no roll "support attacks"; did you mean "support a"'
    ):
        replay(GAME, script=Script((RollFile(label="support a", answer=2),)))
    with pytest.raises(CasemateError, match="never came up: morale"):
        replay(GAME, script=Script((*ROLLS, RollFile(label="morale", answer="passed"))))
    with pytest.raises(CasemateError, match='never came up: consolidatoin; did you mean "consolidation"'):
        replay(GAME, seed=5, script=Script((RollFile(label="consolidatoin", answer=1),)))
    with pytest.raises(CasemateError, match=r"never came up: consolidation \(turn 9\)$"):
        replay(GAME, script=Script((*ROLLS, RollFile(label="consolidation", answer=1, turn=9))))


def test_a_roll_in_a_scope_is_written_with_it():
    script = Script([RollFile(label=f"section {i}/damage", answer=2 * i) for i in (1, 2)])
    dice = ScriptedDice(script)
    for i in (1, 2):
        within = dice.within(f"section {i}")
        within.tally("damage", within.draw("damage", Throw(D6), 1))
    assert (script.left, dice.tallies, [r.answer for r in dice.rolls]) == ((), {"damage": 6}, [2, 4])


def test_what_a_script_lacks_is_rolled_by_a_seed():
    played = replay(GAME, seed=5, script=Script(ROLLS[:1]))
    assert [r.scripted for m in played.moves for r in m.rolls][:2] == [True, False]


def test_a_replay_as_json_says_how_it_ended():
    game = replace(load_scenario("bunker-rush"), plan="demolish")
    data = as_data(replay(rule_set("storming").assault(game), seed=2))
    assert data["end"] in {"destroyed", "held", "broken"}
    assert all(move["lines"] for move in data["moves"])


def rolls_of(played):
    return [RollFile(label=r.label, turn=m.turn, faces=r.faces) for m in played.moves for r in m.rolls]


@pytest.mark.parametrize(("plan", "defence"), [("storm", "sally"), ("demolish", "hold"), ("smoke", "hold")])
def test_the_faces_of_a_log_written_down_replay_the_same_game(rules, scenario_id, plan, defence):
    game = rule_set(rules).assault(replace(load_scenario(scenario_id), plan=plan, defence=defence))
    rolled = replay(game, seed=4)
    written = replay(game, script=Script(rolls_of(rolled)))
    assert (written.end, written.turn) == (rolled.end, rolled.turn)
    for ours, theirs in zip(rolled.moves, written.moves, strict=True):
        assert [(r.answer, r.lines) for r in ours.rolls] == [(r.answer, r.lines) for r in theirs.rolls]
        pairs = zip(ours.after.arrays(), theirs.after.arrays(), strict=True)
        assert all((a == b).all() for a, b in pairs), ours.stage


def test_the_log_prints_the_faces_that_a_script_needs():
    """Of rolls whose lines hold nothing but dice after the colon: the faces, in order."""
    for move in replay(GAME, seed=6).moves:
        for roll in move.rolls:
            shown = [line.split(": ")[-1].split(",")[0].split(" make")[0] for line in roll.lines if ": " in line]
            dice = [int(face) for line in shown for face in line.replace("+", " ").split() if face.isdigit()]
            if not any(line.startswith(("no save", "D3:")) for line in roll.lines):
                assert tuple(dice) == roll.faces, roll.lines


@pytest.mark.parametrize("plan", ["storm", "demolish"])
def test_the_answers_of_a_log_written_down_replay_the_same_game(rules, scenario_id, plan):
    """As they are said, in words or as numbers; those that say nothing to a player by their faces."""
    game = rule_set(rules).assault(replace(load_scenario(scenario_id), plan=plan))
    rolled = replay(game, seed=5)
    answers = [
        RollFile(label=r.label, turn=m.turn, **({"answer": r.said} if r.said else {"faces": r.faces}))
        for m in rolled.moves
        for r in m.rolls
    ]
    written = replay(game, script=Script(answers))
    assert (written.end, written.turn) == (rolled.end, rolled.turn)
    for ours, theirs in zip(rolled.moves, written.moves, strict=True):
        assert [r.said for r in ours.rolls] == [r.said for r in theirs.rolls]
        pairs = zip(ours.after.arrays(), theirs.after.arrays(), strict=True)
        assert all((a == b).all() for a, b in pairs), ours.stage


def test_a_test_is_answered_in_words():
    """What counts as a success is no matter of the reader's: a rule may count those who fail."""
    game = rule_set("realm_of_chaos").assault(load_scenario("farmhouse"))
    seed, rout = next(
        (seed, r) for seed in range(9) for m in replay(game, seed=seed).moves for r in m.rolls if r.label == "rout test"
    )
    assert (rout.answer, rout.said) in ((0, "passed"), (1, "failed"))
    script = Script((RollFile(label="rout test", answer=1),))
    with pytest.raises(CasemateError, match='"rout test" cannot be 1; expected one of passed, failed'):
        replay(game, seed=seed, script=script)
    bunker = rule_set("gemini").assault(replace(load_scenario("bunker-rush"), plan="demolish"))
    with pytest.raises(CasemateError, match='"attacks on the bunker" can only be given by its faces'):
        replay(bunker, seed=1, script=Script((RollFile(label="attacks on the bunker", answer=4),)))


@pytest.mark.parametrize("given", [{}, {"answer": 2, "faces": (1, 2)}, {"answer": 0, "faces": ()}])
def test_a_written_roll_has_its_answer_or_its_faces(given, tmp_path):
    with pytest.raises(ValueError, match="one of the two"):
        RollFile(label="morale", **given)
    path = tmp_path / "game.toml"
    lines = [f"{key} = {list(value) if isinstance(value, tuple) else value}" for key, value in given.items()]
    path.write_text("\n".join(["[[roll]]", 'label = "morale"', *lines]))
    with pytest.raises(
        CasemateError, match=r'line 1: roll\[1\]: the roll "morale" needs its answer or its faces.*(neither|both)$'
    ):
        Script.load(path)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ((4, 5), 'turn 1: the roll "consolidation" takes 1 die; left over: 5'),
        ((), 'turn 1: the roll "consolidation" has 0 dice written down and needs more: next, a D6'),
        ((7,), "has a 7; expected 1 to 6"),
    ],
)
def test_faces_must_be_as_many_as_the_dice(faces, message):
    with pytest.raises(CasemateError, match=message):
        replay(GAME, script=Script((*ROLLS[:-1], RollFile(label="consolidation", faces=faces))))


def test_a_missing_die_is_named_by_what_it_is_for():
    """And the log up to there says where those that are written went."""
    with pytest.raises(CasemateError) as error:
        replay(GAME, script=Script((ROLLS[0], RollFile(label="defenders' blows", faces=(4, 5, 2, 4)), *ROLLS[2:])))
    assert str(error.value).splitlines() == [
        'turn 1: the roll "defenders\' blows" has 4 dice written down and needs more: next, a D6 to wound',
        "   Model with Rifle: to hit, 4+: 4 5 2, 2 of 3",
        "   then: 4",
    ]
    with pytest.raises(
        CasemateError, match=r"has 1 die written down and needs more: next, a D6 for the save\n   then: 5$"
    ):
        replay(GAME, script=Script((*ROLLS[:2], RollFile(label="Fireteam saves", faces=(5,)), *ROLLS[3:])))


def test_a_roll_for_another_turn_is_named_with_it():
    late = tuple(RollFile(label="consolidation", answer=1, turn=turn) for turn in (2, 9))
    with pytest.raises(CasemateError) as error:
        replay(GAME, script=Script((*ROLLS[:-1], *late)))
    first, *_ = str(error.value).splitlines()
    assert first == 'turn 1: the roll "consolidation" is only written for turn 2 and 9'


def test_a_script_that_lacks_a_roll_is_told_which_rolls_the_game_wants_in_their_order():
    """The first two are written, the third is missing; what comes after it is as dice may fall."""
    with pytest.raises(LackingError) as error:
        replay(GAME, script=Script(ROLLS[:2]))
    _, takes, wants, first, *_ = map(str.strip, str(error.value).splitlines())
    assert takes == "it takes save, 5+: 2D6, or its answer (0, 1, 2)"
    assert wants.startswith("the game wants these rolls, in this order")
    start = "turn 1, attackers: support attacks (written), defenders' blows (written), Fireteam saves, Fireteam's blows"
    assert first.startswith(start)


def test_without_a_seed_one_is_drawn_and_said():
    played = replay(GAME)
    again = replay(GAME, seed=played.seed)
    assert [m.rolls for m in again.moves] == [m.rolls for m in played.moves]
    assert len({replay(GAME).seed for _ in range(5)}) > 1
    assert replay(GAME, script=Script(ROLLS)).seed is None


class Player:
    """Gives lines one by one, and remembers what was asked."""

    def __init__(self, *lines):
        self.lines, self.heard = list(lines), []

    def __call__(self, words):
        self.heard.append(words)
        return self.lines.pop(0) if self.lines else None


def test_a_game_can_be_played_with_dice_in_hand():
    """The same game as the script's, asked for roll by roll; faces may come test by test."""
    player = Player("= 2", "4 5 2", "4 6", "5 2", "4 4 4 5 1 2 3 3 4 5 1 2, 1", "6", "=4")
    asked, written = replay(GAME, seed=1, ask=player), replay(GAME, script=Script(ROLLS))
    assert [r for m in asked.moves for r in m.rolls] == [r for m in written.moves for r in m.rolls]
    assert player.heard[0].startswith("turn 1, support attacks (= and the answer: 0 to ")
    assert "; Enter rolls it)\n" in player.heard[0]
    assert player.heard[1].endswith("to hit, 4+: 3D6 > ")
    assert "to wound" in player.heard[2]
    assert player.heard[2].endswith(" (Enter rolls the rest) > ")


def test_nonsense_is_refused_and_asked_again():
    player = Player("two", "= 99", "7", "1 1 1 1 1 1 1 1 1 1 1", "=2")
    rolls = [r for m in replay(GAME, seed=1, ask=player).moves for r in m.rolls]
    assert (rolls[0].label, rolls[0].answer, rolls[0].scripted) == ("support attacks", 2, True)
    _, two, answer, seven, many = player.heard[:5]
    assert 'expected faces such as "4 2 6", or = and the answer; got "two"' in two
    assert "cannot be 99; expected one of 0, 1" in answer
    assert "has a 7" in seven
    assert "left over" in many


def test_what_is_left_blank_is_rolled_and_at_the_end_of_input_the_game_is_left():
    rolled, player = replay(GAME, seed=6), Player("\n", "\n")
    left = replay(GAME, seed=6, ask=player)
    rolls = [r for m in left.moves for r in m.rolls]
    assert left.end is End.GOING_ON
    assert rolls == [r for m in rolled.moves for r in m.rolls][: len(rolls)]
    assert len(player.heard) == 3


def test_every_roll_of_a_game_can_be_asked_for(assault):
    """Given the faces of a rolled game, a die at a time, the game is the same; each die is asked for with its sides."""
    rolled = replay(assault, seed=11)
    faces = [face for move in rolled.moves for roll in move.rolls for face in roll.faces]
    player = Player(*map(str, faces))
    asked = replay(assault, seed=0, ask=player)
    assert [r.answer for m in asked.moves for r in m.rolls] == [r.answer for m in rolled.moves for r in m.rolls]
    assert all(re.search(r"[1-9]\d*D\d+( \(Enter rolls the rest\))? > $", words) for words in player.heard)


def test_enter_rolls_what_is_left_of_a_roll(assault):
    """Given the first faces of each roll of a game and then nothing, the game is the same: its seed throws the rest."""
    rolled = replay(assault, seed=11)
    faces = [roll.faces for move in rolled.moves for roll in move.rolls]
    player = Player(*(line for each in faces for line in (listed(each[:2]), *[""] * (len(each) > 2))))
    asked = replay(assault, seed=11, ask=player)
    assert any(len(each) > 2 for each in faces)
    assert not player.lines
    assert [r.faces for m in asked.moves for r in m.rolls] == faces
    assert [r.lines for m in asked.moves for r in m.rolls] == [r.lines for m in rolled.moves for r in m.rolls]


def test_what_was_thrown_is_repeated_once():
    """Tests that are done when the next asks for dice; those of the test that is open in its own line."""
    player = Player("=2", "4 5", "2", "4", "6", "=1")
    replay(GAME, seed=1, ask=player)
    open_test, wounds, wound, save = player.heard[2:6]
    assert open_test == "  Model with Rifle: to hit, 4+: 4 5: 1D6 (Enter rolls the rest) > "
    assert wounds == "   Model with Rifle: to hit, 4+: 4 5 2, 2 of 3\n  to wound, 4+: 2D6 (Enter rolls the rest) > "
    assert wound == "  to wound, 4+: 4: 1D6 (Enter rolls the rest) > "
    assert save.startswith("turn 1, Fireteam saves (")


@pytest.mark.parametrize("written", ["failed", "Failed", "FAILED"])
def test_words_are_answers_in_any_case(written):
    assert read_answer('turn 1: the roll "rout test"', written, {0: "passed", 1: "failed"}) == 1


def test_an_answer_is_told_in_the_words_of_the_log():
    game = rule_set("realm_of_chaos").assault(load_scenario("farmhouse"))
    played = replay(game, seed=3, script=Script((RollFile(label="rout test", answer="FAILED"),)))
    assert [r.said for move in played.moves for r in move.rolls if r.label == "rout test"] == ["failed"]


def test_a_written_answer_must_be_possible():
    with pytest.raises(CasemateError, match='"support attacks" cannot be 6'):
        replay(GAME, script=Script((RollFile(label="support attacks", answer=6), *ROLLS[1:])))


TO_HIT, TO_WOUND, SAVE = UNDER.named("to hit"), GOAL.named("to wound"), GOAL.named("save")
GEMINI, FIFTH = rule_set("gemini").book, Fifth.load().tables


def said(mechanic, arguments, faces):
    """Return how some faces are told, all of which must be asked for."""
    left = iter(faces)
    lines = list(tell(mechanic, lambda part, sides, row: next(left), *arguments))
    assert not list(left)
    return lines


@pytest.mark.parametrize(
    ("mechanic", "arguments", "faces", "lines"),
    [
        (Throw(D6), (1,), [4], ["D6: 4"]),
        (Throw(2 @ D6), (1,), [6, 5], ["2D6: 6+5"]),
        (AtLeast(2 @ D6), (8,), [1, 5], ["8 or more on 2D6: 1+5 make 6"]),
        (AtLeast(D6), (3,), [4], ["3 or more on D6: 4"]),
        (AtLeast(D3), (3,), [6], ["3 or more on D3: 6 make 3"]),
        (
            ArmourRoll(),
            (1, 2, 8, 13),
            [2, 5],
            ["Strength 8 against Armour Value 13, 5 to glance, 6+ to penetrate: 2+5"],
        ),
        (VehicleDamage(FIFTH.vehicle_damage), (2, 1), [4], ["D6: 4 + 1 for AP 1 = 5"]),
        (Throw(D3), (1,), [6], ["D3: 3 (the die shows 6)"]),
        (Throw(D3), (2,), [1, 5], ["2 x D3: 1 2 (the dice show 1 5)"]),
        (Volley((LEADERSHIP,)), (1, 8), [1, 6], ["Leadership test, 8 or less: 1+6"]),
        (Volley((LOW.named("to hit"), HIGH.named("to wound"), HIGH.named("save").failed)), (2, 3, 4, 7), [2, 6, 5], []),
        (Volley((TO_WOUND, SAVE.failed)), (2, 3, 7), [5, 4], ["to wound, 3+: 5 4, 2 of 2", "no save: 2"]),
        (Volley((HIGH,)), (2, 8), [6, 5, 2], ["8+ (6, then 5+): 6 then 5 2, 1 of 2"]),
        (Total((Volley((GOAL,)), Volley((GOAL,)))), (2, 2, 0, 2), [1, 2], ["2+: 1 2, 1 of 2"]),
        (
            Volley((TO_HIT, TO_WOUND)),
            (2, 6, 3),
            [3, 2],
            ["to hit: 2 of 2, without a roll", "to wound, 3+: 3 2, 1 of 2"],
        ),
        (Volley((TO_HIT, TO_WOUND)), (2, 0, 3), [], ["to hit: 0 of 2, not possible"]),
    ],
)
def test_dice_are_told_as_players_throw_them(mechanic, arguments, faces, lines):
    if not lines:  # two tests that are rolled for, and a save by 7+ that some dice might still make
        lines = ["to hit, 3 or less: 2 6, 1 of 2", "to wound, 4+: 5, 1 of 1", "save, 7+ (6, then 4+): 3, 1 of 1 failed"]
        faces = [*faces, 3]
    assert said(mechanic, arguments, faces) == lines


@pytest.mark.parametrize(
    ("test", "target", "words", "faces", "shown"),
    [
        (LOW, 0, "0 or less (1, then 3 or less)", [1, 2], ("1 then 2", True)),
        (LOW, 6, "6 or less (5 or less)", [6], ("6", False)),
        (LOW, -2, "-2 or less (1, then 1 or less)", [1, 1], ("1 then 1", True)),
        (HIGH, 9, "9+ (6, then 6+)", [6, 6], ("6 then 6", True)),
        (rerolled(GOAL), 4, "4+ (4+, else 4+)", [2, 5], ("2 then 5", True)),
        (PLAIN_LEADERSHIP, 2, "a double 1", [1, 1], ("1+1", True)),
        (LEADERSHIP, -2, "a double 1", [1, 2], ("1+2", False)),
        (LEADERSHIP, 11, "11 or less", [3, 4], ("3+4", True)),
        (BEST_OF_TWO, 4, "against 4", [3, 5], ("3 and 5", True)),
    ],
)
def test_a_test_asks_for_the_dice_that_are_thrown(test: Test, target, words, faces, shown):
    left = iter(faces)
    assert needed(test, target) == words
    assert thrown(test, target, lambda _: next(left)) == shown
    assert not list(left)


@pytest.mark.parametrize(
    ("more", "words"),
    [((), "4"), (((0, "AP"),), "4"), (((1, "AP 1"), (-2, "a glance")), "4 + 1 for AP 1 - 2 for a glance = 3")],
)
def test_what_is_added_to_a_die_is_said(more, words):
    assert added_up(4, *more) == words


BLASTS = Blasts((Flame(LOW, (HIGH, GOAL.failed)), Grenade(Volley((LOW, UNDER)), (HIGH,))), 2)
BUNKER = int(Bunker(np.array(3), np.array(1), np.array(2), np.array(0), np.array(0)).code())


@pytest.mark.parametrize(
    ("mechanic", "arguments"),
    [
        (Throw(2 @ D6), (2,)),
        (Volley((LOW, HIGH, HIGH.failed), hits=D3), (3, 0, 7, 4)),
        (Total((Volley((HIGH,)), Volley((UNDER, rerolled(GOAL))))), (3, 8, 4, 3, 4)),
        (AtLeast(2 @ D6), (8,)),
        (AtLeast(D3), (2,)),
        (ChargeRoll(3), (7, 9)),
        (HeavyCasualtyTest(LEADERSHIP), (1, 7)),
        (ArmourRoll(LOW), (1, 0, 2, 5, 12)),
        (VehicleDamage(FIFTH.vehicle_damage), (1, 7)),
        (damage_roll(rule_set("gw_updated").book, 2, True).mechanic, (2,)),
        (StabilityRoll(rule_set("realm_of_chaos").book.tables.stability), (1, 8)),
        (Share(), (4, 9, 3)),
        (HiddenLevel(D3, 6), (1, 7)),
        (AtPorts(((LOW, HIGH, GOAL.failed),), 2, ("",)), (6, 2, 4, 5)),
        (AtPorts(((LOW, HIGH), (LOW, GOAL.failed), (LOW, HIGH)), 2, ("a", "b", "")), (4, 4, 4, 3, 5, 4, 2, 3, 5)),
        (EachAtPorts((LOW, HIGH, GOAL.failed), 2), (2, 3, 0, 7, 5)),
        (BLASTS, (2, 0, 2, 3, 4, 2, 6, 4, 5, 2, 3, 3, 6, 3, 9)),
        (Bombardment(HitsTable.of(GEMINI, 1), LOW), (6, 0, 1, 8, 12, BUNKER)),
        (Bombardment(HitsTable.of(GEMINI), LOW), (6, 7, 2, 6, 14, BUNKER)),
        (Bombardment(HitsTable.of(GEMINI), LOW), (6, 4, 3, 9, 14, BUNKER)),
    ],
)
def test_dice_that_are_not_told_do_not_matter(mechanic, arguments):
    """The answer by all the dice is the answer by those that were told; and each was told once."""
    arrays = [np.array([argument]) for argument in arguments]
    for seed in range(200):
        table = random.Random(seed)
        faces: dict[tuple[str, int], int] = {}

        def face(part, sides, row, table=table, faces=faces):
            return faces.setdefault((part, row), table.randint(1, sides))

        told = Told(face)
        lines = list(tell(mechanic, told.face, *arguments))
        by_told = mechanic.throw(told.cast, *arrays)

        def cast(part, sides, rows, face=face):
            return np.array([[face(part, sides, row)] for row in range(rows)], dtype=np.int64).reshape(rows, 1)

        assert lines
        assert (mechanic.throw(cast, *arrays) == by_told).all(), lines
