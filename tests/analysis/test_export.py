"""An exported model, read by the description of its format alone and answered without the engines."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from analysis.cli import run
from analysis.exports import dtmc as export
from analysis.exports.dtmc import Model
from analysis.points.plans import contest
from sims.assault import Assault, End, Outcome, PlayerTurn, Stage, ending
from sims.dice import D2, Ints, fair, roll
from sims.engines import Chain, solve
from sims.engines.contest import Aim
from sims.rulesets import rule_set
from sims.scenario import load_scenario
from sims.state import State, code, flag

ENDS = {"broken": End.BROKEN, "captured": End.CAPTURED, "destroyed": End.DESTROYED, "held": End.HELD}
near = partial(pytest.approx, rel=1e-12, abs=1e-12)


class Choice(NamedTuple):
    """A state of a decision process: its labels, and how likely each action is to come to each of others."""

    labels: set[str]
    actions: dict[str, dict[int, float]]


def read_choices(text: str) -> list[Choice]:
    """Read a decision process: what it is and its size; then every state, its actions, and where they lead."""
    head, _, body = text.partition("@model\n")
    size, choices = re.fullmatch(r"@type: MDP\n@nr_states\n(\d+)\n@nr_choices\n(\d+)\n", head).groups()
    states = list[Choice]()
    for block in re.split(r"^state ", body, flags=re.MULTILINE)[1:]:
        first, *rest = block.split("\taction ")
        number, *labels = first.strip().split(" ")
        assert int(number) == len(states)
        actions = {}
        for action in rest:
            name, *moves = action.splitlines()
            pairs = [re.fullmatch(r"\t\t(\d+) : ([\d.e-]+)", move).groups() for move in moves]
            actions[name] = {int(to): float(chance) for to, chance in pairs}
            assert fsum(actions[name].values()) == near(1)
        assert len(actions) == len(rest)
        states.append(Choice({*labels}, actions))
    assert (len(states), sum(len(state.actions) for state in states)) == (int(size), int(choices))
    return states


def worth(states: list[Choice], end: str, best: Callable[..., float]) -> float:
    """Return the greatest or least chance of an end; every state comes before those that it leads to, but the ends."""
    value = [float(end in state.labels) for state in states]
    for i in reversed(range(len(states))):
        if not ENDS.keys() & states[i].labels:
            assert all(to > i for moves in states[i].actions.values() for to in moves)
            value[i] = best(fsum(c * value[to] for to, c in moves.items()) for moves in states[i].actions.values())
    return value[0]


class Read(NamedTuple):
    """A state of a model: its labels, and how likely it is to come to each of others."""

    labels: set[str]
    moves: dict[int, float]


def read(text: str) -> list[Read]:
    """Read a model: what it is and its size; then every state, its one action, and where that leads."""
    head, _, body = text.partition("@model\n")
    (size,) = re.fullmatch(r"@type: DTMC\n@nr_states\n(\d+)\n@nr_choices\n\1\n", head).groups()
    states = list[Read]()
    for block in re.split(r"^state ", body, flags=re.MULTILINE)[1:]:
        first, action, *moves = block.splitlines()
        number, *labels = first.split(" ")
        assert (int(number), action) == (len(states), "\taction 0")
        pairs = [re.fullmatch(r"\t\t(\d+) : ([\d.e-]+)", move).groups() for move in moves]
        states.append(Read({*labels}, {int(to): float(chance) for to, chance in pairs}))
        assert len(states[-1].moves) == len(pairs)
    assert len(states) == int(size)
    return states


def sound(states: list[Read]) -> None:
    """It begins in one state, every state can be come to, chances add up to 1, and nothing follows on the ends."""
    assert [i for i, state in enumerate(states) if "init" in state.labels] == [0]
    over = {i for i, state in enumerate(states) if state.moves == {i: 1}}
    assert sorted(label for i in over for label in states[i].labels) == sorted(ENDS)
    assert {*range(len(states))} == {0, *over}.union(*(state.moves for state in states))
    for i, state in enumerate(states):
        assert fsum(state.moves.values()) == near(1)
        assert min(state.moves.values()) > 0
        assert i in over or (i not in state.moves and not ENDS.keys() & state.labels)


def visits(states: list[Read]) -> list[float]:
    """Return how likely each state is ever to be come to: none is left and come back to."""
    ways = Counter(to for i, state in enumerate(states) for to in state.moves if to != i)
    likely, ready = [1.0] + [0.0] * (len(states) - 1), [0]
    while ready:
        i = ready.pop()
        for to, chance in states[i].moves.items():
            if to != i:
                likely[to] += likely[i] * chance
                ways[to] -= 1
                ready += [to] * (ways[to] == 0)
    assert not any(ways.values())
    return likely


def exported(assault: Assault) -> list[Read]:
    states = read("".join(Model(assault).drn()))
    sound(states)
    return states


# By hand


@dataclass(frozen=True)
class Door(State):
    """Two attackers at a door; whether the garrison aims is not told."""

    left: Ints = code({1: "one is left (at the door)"})
    open: Ints = flag("the door is open")
    aimed: Ints = flag()


SCENE = SimpleNamespace(
    scenario=SimpleNamespace(attackers=SimpleNamespace(groups=()), defenders=SimpleNamespace(groups=())),
    standing=lambda state, side: (state.left if side == "attackers" else np.array([3]),),
)


def force(dice, state, scene, sides):
    """On the highest face the door opens, on a 1 an attacker falls."""
    face = roll(dice, "door", fair(sides))
    return state.replace(left=state.left - (face == 1), open=np.where(face == sides, 1, 0))


def shoot(dice, state, scene):
    return state.replace(left=state.left - (roll(dice, "shot", D2) == 1))


def aim(dice, state, scene, aimed):
    return state.replace(aimed=np.array([aimed]))


def door(turns: int, sides: int = 4) -> Assault:
    """The attackers try the door; the garrison shoots at one that is alone."""
    shots = (
        Stage("aim", partial(aim, aimed=1)),
        Stage("shoot", shoot, when=lambda state, _: state.left == 1),
        Stage("rest", partial(aim, aimed=0)),
    )
    return Assault(
        "door",
        SCENE,
        Door(np.array([2])),
        (PlayerTurn("attackers", (Stage("force", partial(force, sides=sides)),)), PlayerTurn("defenders", shots)),
        turns,
        lambda state, _: ending(destroyed=state.left > 2, captured=state.open == 1, broken=state.left == 0),
        lambda state, _: Outcome(2 - state.left, 0 * state.left, state.open == 1),
    )


def test_a_model_by_hand():
    """Of four faces one opens the door, one leaves one attacker, two change nothing: nobody shoots at two."""
    assert "".join(Model(door(turns=1)).drn()).splitlines() == [
        *("@type: DTMC", "@nr_states", "9", "@nr_choices", "9", "@model"),
        *("state 0 init turn_1 attackers_to_move attackers_2", "\taction 0", "\t\t1 : 1.0"),
        *("state 1", "\taction 0", "\t\t2 : 0.25", "\t\t3 : 0.5", "\t\t6 : 0.25"),
        *("state 2 turn_1 defenders_to_move attackers_1 one_is_left_at_the_door", "\taction 0", "\t\t4 : 1.0"),
        *("state 3 turn_1 defenders_to_move attackers_2", "\taction 0", "\t\t8 : 1.0"),
        *("state 4", "\taction 0", "\t\t5 : 0.5", "\t\t8 : 0.5"),
        *("state 5 broken", "\taction 0", "\t\t5 : 1.0"),
        *("state 6 captured", "\taction 0", "\t\t6 : 1.0"),
        *("state 7 destroyed", "\taction 0", "\t\t7 : 1.0"),
        *("state 8 held", "\taction 0", "\t\t8 : 1.0"),
    ]


def test_what_comes_again_in_another_turn_is_another_state():
    """After turn 1: captured 1/4, broken 1/8, one attacker 1/8, two 1/2."""
    states = exported(door(turns=2))
    assert {
        (*sorted(state.labels - {"init"}),): likely
        for state, likely in zip(states, visits(states), strict=True)
        if state.labels
    } == {
        ("attackers_2", "attackers_to_move", "turn_1"): 1,
        ("attackers_1", "defenders_to_move", "one_is_left_at_the_door", "turn_1"): 1 / 4,
        ("attackers_2", "defenders_to_move", "turn_1"): 1 / 2,
        ("attackers_1", "attackers_to_move", "one_is_left_at_the_door", "turn_2"): 1 / 8,
        ("attackers_2", "attackers_to_move", "turn_2"): 1 / 2,
        ("attackers_1", "defenders_to_move", "one_is_left_at_the_door", "turn_2"): 1 / 16 + 1 / 8,
        ("attackers_2", "defenders_to_move", "turn_2"): 1 / 4,
        ("broken",): 1 / 8 + 1 / 32 + 3 / 32,
        ("captured",): 1 / 4 + 1 / 32 + 1 / 8,
        ("destroyed",): 0,
        ("held",): 3 / 32 + 1 / 4,
    }


def jump(dice, state, scene, to):
    """Go on to one of two numbers."""
    one, other = np.transpose(to)
    return state.replace(left=np.where(roll(dice, "jump", D2) == 1, one[state.left], other[state.left]))


def test_a_rule_that_two_stages_share_is_written_for_the_states_of_each():
    """They meet its states in other orders: the first 3 in turn 1 and 1 in turn 3, the second 4 and then 3."""

    def stage(where: tuple[int, ...], **to: tuple[int, int]) -> Stage:
        table = tuple(to.get(f"from_{n}", (n, n)) for n in range(10))
        return Stage("go", partial(jump, to=table), when=lambda state, _: np.isin(state.left, where))

    shared = {"from_1": (0, 9), "from_3": (0, 7), "from_4": (5, 5)}
    stages = (
        stage((2,), from_2=(3, 4)),
        stage((1, 3), **shared),
        stage((5,), from_5=(3, 3)),
        stage((3, 4), **shared),
        stage((7, 8), from_7=(8, 8), from_8=(1, 1)),
    )
    assault = replace(
        door(turns=3),
        turn=(PlayerTurn("attackers", stages),),
        end=lambda state, _: ending(destroyed=state.left > 9, captured=state.left == 9, broken=state.left == 0),
    )
    states = exported(assault)
    ends = {
        name: likely for state, likely in zip(states, visits(states), strict=True) for name in state.labels & {*ENDS}
    }
    assert ends == {"broken": 5 / 8, "captured": 1 / 8, "destroyed": 0, "held": 1 / 4}


def test_chances_read_back_as_the_same_floats():
    assert [*exported(door(turns=1, sides=3))[1].moves.values()] == [1 / 3] * 3


# Rule sets


FEWER = {"attackers.models": 8, "defenders.models": 4, "attackers.plan": "smoke", "defenders.plan": "sally"}


@pytest.mark.parametrize("changes", [{}, FEWER], ids=["own plans", "smoke and sally"])
def test_a_model_is_answered_as_solve_answers(skirmish, rules, changes):
    """By its labels too: how many of the garrison are left when turn 3 begins is what turn 2 has ended with."""
    assault = rule_set(rules).assault(load_scenario(skirmish, changes))
    states = exported(assault)
    labelled = [(state.labels, likely) for state, likely in zip(states, visits(states), strict=True) if state.labels]

    def chance(*labels: str) -> float:
        return fsum(likely for those, likely in labelled if {*labels} <= those)

    exact, earlier = solve(assault), solve(replace(assault, limit=2))
    for name, end in ENDS.items():
        assert chance(name) == near(exact.weights[exact.columns["end"] == end].sum())
    goes_on = earlier.columns["end"] == End.HELD
    assert chance("turn_3", "attackers_to_move") == near(earlier.weights[goes_on].sum())
    garrison = assault.scene.scenario.defenders.models
    for left in range(garrison + 1):
        there = goes_on & (earlier.columns["defenders_lost"] == garrison - left)
        assert chance("turn_3", "attackers_to_move", f"defenders_{left}") == near(earlier.weights[there].sum())


# The command


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_writes_a_model_whole(here, skirmish, capsys):
    assert run(["export", skirmish, "--rules", "gw_updated", "--plan", "smoke", "--defence", "sally"]) == 0
    out, err = capsys.readouterr()
    (file,) = (here / "reports").iterdir()
    model = Model(rule_set("gw_updated").assault(replace(load_scenario(skirmish), plan="smoke", defence="sally")))
    assert file.read_text() == "".join(model.drn())
    assert (out, err) == ("", f"The model: {Path('reports/skirmish-gw_updated.drn')}, {model.size:,} states\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "model.txt"], '--out cannot be "model.txt"; expected a file ending in .drn'),
        (["--out", "models/model.drn"], 'models/model.drn: cannot be written: there is no folder "models"'),
        (["farmhuose"], 'there is no scenario "farmhuose"; did you mean "farmhouse"?'),
        (["--rules", "storm"], 'there is no rule set "storm"'),
        ([], "the chain of the assault has more than 10 transitions; there are fewer with fewer models"),
    ],
)
def test_what_cannot_be_exported_is_refused(here, capsys, monkeypatch, arguments, said):
    monkeypatch.setattr(export, "Chain", partial(Chain, budget=10))
    assert run(["export", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"casemate: {said}")
    assert err.count("\n") == 1
    assert not [*here.iterdir()]


@pytest.mark.parametrize("first", ["attackers", "defenders"])
@pytest.mark.parametrize(("side", "best", "kept"), [("attackers", max, "sally"), ("defenders", min, "storm")])
def test_the_best_of_every_choice_exported_is_what_the_best_reply_is_worth(
    side, best, kept, first, rules, skirmish, tmp_path, capsys
):
    scenario, file = tmp_path / "first.toml", tmp_path / "choices.drn"
    few = "[attackers]\nmodels = 4\n[defenders]\nmodels = 2\n"
    scenario.write_text(f'base = "{skirmish}"\ntitle = "First"\nfirst = "{first}"\n{few}')
    plan = "--defence" if side == "attackers" else "--plan"
    run(["export", str(scenario), "--rules", rules, "--choose", side, plan, kept, "--out", str(file)])
    states = read_choices(file.read_text())
    assert capsys.readouterr().err == f"The model: {file}, {len(states):,} states\n"
    plans = {"defences" if side == "attackers" else "attacks": (kept,)}
    solution = contest(load_scenario(str(scenario)), rule_set(rules), **plans).solve()
    for end, aim in (("captured", Aim(captured=1)), ("held", Aim(held=1))):
        (expected,) = solution.contest.solve(aim).replies[side]
        assert worth(states, end, best) == pytest.approx(expected, rel=0, abs=1e-12)
    own = solution.contest.attacks if side == "attackers" else solution.contest.defences
    assert {name for state in states for name in state.actions} == {"0", *own}
