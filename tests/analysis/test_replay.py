"""How an assault is told: in words of the rules, so that a player can follow it."""

import re
from dataclasses import replace

import pytest

from analysis.told.replay import ENDS, change, ending, events, show_move
from sims.assault import End
from sims.replay import replay
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from sims.state import State
from tests.conftest import told

PLANS = ("storm", "demolish", "shoot", "smoke")


def games(rules, scenario_id, plan, seeds, defences=("hold",)):
    for defence in defences:
        game = rule_set(rules).assault(replace(load_scenario(scenario_id), plan=plan, defence=defence))
        for seed in seeds:
            yield replay(game, seed=seed)


def lines_of(played):
    return [line for _, lines in told(played) for line in lines]


def fields_of(state):
    """The names of a state's fields, those of records after a dot."""
    for name in state.__dataclass_fields__:
        value = getattr(state, name)
        yield from (f"{name}.{own}" for own in fields_of(value)) if isinstance(value, State) else [name]


def test_what_a_state_tells_are_its_fields(assault):
    """Models and distance are among them; so are those who fall and those who stand elsewhere."""
    state, told = type(assault.start), set(type(assault.start).told)
    assert told <= set(fields_of(assault.start))
    shown = {"attackers", "outside", "inside", "defenders", "garrison", "distance"} & set(state.__dataclass_fields__)
    assert "distance" in shown
    assert shown & {"defenders", "garrison"}
    assert shown <= {name.removesuffix(".models") for name in told}


def test_long_rolls_go_on_to_the_right_of_where_they_begin(monkeypatch, capsys):
    """No line that a narrow terminal wraps begins to the left of the line that it goes on."""
    played = replay(rule_set("storming").assault(load_scenario("farmhouse")), seed=1)
    move = next(move for move in played.moves if any(len(line) > 50 for line in events(move)))
    monkeypatch.setenv("COLUMNS", "50")
    show_move(move)
    _, _, *shown = capsys.readouterr().out.splitlines()
    for line in events(move):
        first, *others = [shown.pop(0) for _ in range(_rows(line, shown))]
        begins = len(first) - len(first.lstrip())
        assert all(len(each) - len(each.lstrip()) > begins for each in others)
        assert " ".join(each.strip() for each in (first, *others)) == line.strip()
    assert shown == []


def _rows(line, shown):
    """Return how many of the lines shown a line takes."""
    return next(n for n in range(1, len(shown) + 1) if "".join("".join(shown[:n]).split()) == "".join(line.split()))


@pytest.mark.parametrize("plan", PLANS)
def test_logs_have_no_names_of_fields_and_no_empty_lines(rules, scenario_id, plan):
    for played in games(rules, scenario_id, plan, [2], ["hold", "sally"]):
        fields = {name for name in type(played.assault.start).__dataclass_fields__ if "_" in name}
        for heading, lines in told(played):
            assert "=" not in heading
            assert all(line.strip() for line in lines)
            assert not [line for line in lines if any(name in line for name in fields)]


def test_moves_of_the_attackers_are_in_inches(rules):
    played = replay(rule_set(rules).assault(load_scenario("farmhouse")), seed=7)
    assert any(re.match(r"-> inches to the \w+: 24 to \d+", line) for line in lines_of(played))


@pytest.mark.parametrize(("end", "words"), ENDS.items())
def test_each_end_has_its_sentence(end, words):
    played = replay(rule_set("storming").assault(load_scenario("farmhouse")), seed=7)
    left = replace(played, moves=(), end=end, turn=5)
    assert ending(left) == words.format(5)
    assert end is not End.BROKEN or "attackers" in words


def test_attackers_who_are_all_lost_have_not_broken():
    all_go_in = load_scenario("farmhouse", {"attackers.send": 60})
    played = replay(rule_set("storming").assault(all_go_in), seed=2)
    assert (played.end, ending(played)) == (End.BROKEN, "The last attacker has fallen in turn 4.")


@pytest.mark.parametrize(
    ("words", "before", "after", "expected"),
    [
        ("models", 3, 3, ""),
        ("models", 3, 2, "models: 3 to 2"),
        (("ahead by {}", "behind by {}"), 0, 2, "ahead by 2"),
        (("ahead by {}", "behind by {}"), 0, -2, "behind by 2"),
        (("ahead by {}", "behind by {}"), 2, 0, ""),
        (("ahead by {}",), 2, 0, ""),
        ({1: "broken"}, 0, 1, "broken"),
        ({1: "broken"}, 1, 0, ""),
    ],
)
def test_a_change_is_told_where_it_matters(words, before, after, expected):
    assert change(words, before, after) == expected


def move_lines(rules, scenario_id, plan, stage, seeds=range(1, 9)):
    """Return the lines of all moves of a stage."""
    for played in games(rules, scenario_id, plan, seeds):
        for heading, lines in told(played):
            if stage in heading:
                yield lines


def test_a_hit_on_a_structure_is_told_with_strength_and_row():
    lines = [line for moved in move_lines("storming", "bunker-rush", "demolish", "") for line in moved]
    needs = r"   Strength 8 against Armour Value 13, 5 to glance, 6\+ to penetrate: \d(\+\d)?"
    assert any(re.fullmatch(needs, line) for line in lines)
    assert "   D6: 2 + 1 for AP 1 = 3" in lines
    assert "vehicle damage: weapon destroyed" in lines


def test_rows_of_damage_tables_are_those_that_took_effect():
    """A building falls if, and only if, the row that is told says so."""
    told_rows = {"storming": ("wrecked", "explodes"), "gw_updated": ("total collapse", "detonation")}
    for rules, rows in told_rows.items():
        for lines in move_lines(rules, "bunker-rush", "demolish", "damage"):
            (row,) = [line.split(": ")[-1] for line in lines if re.match("vehicle damage|damage table", line)]
            falls = any(line in ("-> the building gives way", "-> the building falls") for line in lines)
            assert falls == (row in rows), lines


def test_attacks_on_a_bunker_are_told_one_by_one():
    """What the Bunker Hits Table is said to do is what happens to the bunker."""
    found = 0
    for lines in move_lines("gemini", "bunker-rush", "demolish", "shoot", range(1, 16)):
        attacks = [line for line in lines if line.startswith("   attack ")]
        collapses = any(line.endswith(": collapse") for line in attacks)
        assert collapses == ("-> the structure gives way" in lines)
        cracked = any(line.endswith(": structural") for line in attacks)
        assert collapses or cracked == any(line.startswith("-> structural damage: ") for line in lines)
        found += collapses
    assert found


def test_attackers_occupy_or_consolidate():
    ends = {"occupy": 0, "consolidate": 0}
    for scenario in ("farmhouse", "bunker-rush", "keep-gate"):
        for lines in move_lines("storming", scenario, "storm", ": take", range(1, 9)):
            occupies = any("attackers who occupy the building" in line for line in lines)
            consolidates = any("inches the attackers may consolidate" in line for line in lines)
            assert occupies != consolidates
            ends["occupy"] += occupies
            ends["consolidate"] += consolidates
    assert all(ends.values()), ends


def sides_in(move, scenario):
    """Which sides act in a move by what it tells: whose groups throw, and whose enemies fall to fire."""
    forces = {"attackers": scenario.attackers, "defenders": scenario.defenders}
    words = [line for roll in move.rolls for line in roll.lines]
    throw = {s for s, f in forces.items() for g in f.groups if any(w.startswith(f"{g.title}: ") for w in words)}
    enemy = {"attackers": "defenders", "defenders": "attackers"}
    return throw | {enemy[side] for side in enemy if f"{side} lost to shooting" in move.tallies}


@pytest.mark.parametrize("defence", ["hold", "sally"])
@pytest.mark.parametrize("plan", PLANS)
def test_each_move_names_who_acts(rules, scenario_id, plan, defence):
    """Those who throw the dice, and those whose fire the others fall to; or an empty building with weapons on it."""
    scenario = replace(load_scenario(scenario_id), plan=plan, defence=defence)
    titles = [{g.title for g in force.groups} for force in (scenario.attackers, scenario.defenders)]
    assert not titles[0] & titles[1]
    for played in games(rules, scenario_id, plan, [1], [defence]):
        for move in played.moves:
            if sides := {"building"} if move.stage == "sentry" else sides_in(move, scenario):
                assert move.by == "both sides" or sides == {move.by}, (
                    move.turn,
                    move.player,
                    move.stage,
                )


def test_a_reaction_is_told_as_that_of_the_side_that_reacts():
    """Under Gemini attackers charge in the garrison's turn with the dice it has failed."""
    told_of = [
        h
        for seed in range(6)
        for h, _ in told(replay(rule_set("gemini").assault(load_scenario("farmhouse")), seed=seed))
    ]
    charges = {re.sub(r"turn \d+, ", "", heading) for heading in told_of if heading.endswith(": charge")}
    assert "defenders' turn, attackers: charge" in charges
    assert not charges & {"defenders: charge", "attackers' turn, defenders: charge"}
    assert any("attackers' turn, defenders: garrison fires" in heading for heading in told_of)
