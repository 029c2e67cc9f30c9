"""One assault, move by move: what was rolled at each stage, and what the state was before and after it.

The dice are those of one trial of the rolled engine, or what somebody wrote down, or both.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sims.assault import Assault, End, Stage, State
from sims.dice import PMF, Address, Capped, Ints, Mechanic, RolledDice
from sims.dice.mechanics import Cast, tell, words_of
from sims.dice.source import Argument, ScriptError
from sims.dice.telling import Face, Told, listed
from sims.errors import CasemateError, nearest
from sims.script import Pile, Script, read_answer

Named = Mapping[str, Mapping[int, str]]
"""The words that rules have for the answers of some rolls, by label."""


@dataclass(frozen=True)
class Roll:
    """One labelled roll.

    Attributes
    ----------
    label : str
    faces : tuple of int
        The dice that matter, in the order of `lines`; none where the answer was written down.
    lines : tuple of str
        What was needed and what those dice did, test by test.
    answer : int
    said : str
        The answer as a player says it: in words if it has any; "" where only the faces say something.
    scripted : bool
        Whether a script said so.
    """

    label: str
    faces: tuple[int, ...]
    lines: tuple[str, ...]
    answer: int
    said: str
    scripted: bool


@dataclass(frozen=True)
class Move:
    """One stage: where in the assault it stands, what was bound to its rule, its rolls, and what it did."""

    turn: int
    player: str
    stage: str
    bound: Mapping[str, Any]
    rolls: tuple[Roll, ...]
    before: State
    after: State
    tallies: Mapping[str, int]


@dataclass(frozen=True)
class Replay:
    """An assault played once."""

    assault: Assault[Any, Any]
    moves: tuple[Move, ...]
    end: End
    turn: int


class _Rolled:
    """A mechanic whose dice are noted as they are thrown."""

    def __init__(self, mechanic: Mechanic) -> None:
        self._mechanic = mechanic
        self._faces: dict[str, tuple[int, ...]] = {}
        self.arity = mechanic.arity

    def pmf(self, *arguments: int) -> PMF:
        return self._mechanic.pmf(*arguments)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        def noted(part: str, sides: int, rows: int) -> Ints:
            faces = cast(part, sides, rows)
            self._faces[part] = tuple(int(row[0]) for row in faces)
            return faces

        return self._mechanic.throw(noted, *arguments)

    def face(self, part: str, sides: int, row: int) -> int:
        return self._faces[part][row]


@dataclass(frozen=True)
class _Notes:
    """What the rolls of one turn are told with, and where they are noted."""

    turn: int
    named: Named
    script: Script | None
    strict: bool
    rolls: list[Roll]


class _Noting:
    """Dice that note every roll with more than one outcome."""

    def __init__(self, rolled: RolledDice, notes: _Notes, scope: str = "") -> None:
        self._rolled, self._notes, self._scope = rolled, notes, scope

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        values = tuple(int(np.asarray(a).reshape(-1)[0]) for a in arguments)
        possible = mechanic.pmf(*values).outcomes
        if len(possible) == 1:
            return np.array(possible)
        name, notes = f"{self._scope}{label}", self._notes
        said = sayings(notes.named.get(name), mechanic, values, possible)
        where = f'turn {notes.turn}: the roll "{name}"'
        match notes.script.take(name, notes.turn) if notes.script else None:
            case int() | str() as written:
                answer = read_answer(where, written, said)
                roll = Roll(name, (), (), answer, said[answer], True)
            case None if notes.script and notes.strict:
                raise notes.script.lacks(name, notes.turn)
            case None:
                rolled = _Rolled(mechanic)
                self._rolled.draw(label, rolled, *values)
                roll = _told(name, mechanic, values, rolled.face, said, scripted=False)
            case faces:
                pile = Pile(where, faces)
                roll = _told(name, mechanic, values, pile.face, said, scripted=True)
                pile.close()
        notes.rolls.append(roll)
        return np.array([roll.answer])

    def within(self, scope: str) -> "_Noting":
        return _Noting(self._rolled.within(scope), self._notes, f"{self._scope}{scope}/")

    def tally(self, name: str, value: Argument) -> None:
        self._rolled.tally(name, np.asarray(value).reshape(-1)[:1])


def sayings(
    named: Mapping[int, str] | None, mechanic: Mechanic, arguments: tuple[int, ...], possible: Iterable[int]
) -> Mapping[int, str]:
    """Return how each possible answer of a roll is said: in words of the rules, in the mechanic's own, or as a number.

    Parameters
    ----------
    named : mapping or None
        The words that the rules have for this roll; an empty mapping if its answers say nothing to a player.
    """
    words = (words_of(mechanic, *arguments) or None) if named is None else named
    if words is None:
        return {answer: str(answer) for answer in possible}
    return {answer: words[answer] for answer in possible if answer in words}


def _told(
    name: str, mechanic: Mechanic, values: tuple[int, ...], face: Face, said: Mapping[int, str], *, scripted: bool
) -> Roll:
    told = Told(face)
    lines = list(_so_far(tell(mechanic, told.face, *values), told))
    arrays = [np.array([value]) for value in values]
    answer = int(mechanic.throw(told.cast, *arrays)[0])
    if isinstance(mechanic, Capped) and int(mechanic.counted.throw(told.cast, *arrays[:-1])[0]) > answer:
        lines.append(f"no more than {answer} count")
    return Roll(name, told.faces, tuple(lines), answer, said.get(answer, ""), scripted)


def _so_far(lines: Iterable[str], told: Told) -> Iterator[str]:
    """Yield lines as they are told; where written dice do not go on, say beside it what those before have done."""
    done, counted = list[str](), 0
    try:
        for line in lines:
            done.append(line)
            counted = len(told.faces)
            yield line
    except ScriptError as error:
        rest = told.faces[counted:]
        then = [f"then: {listed(rest)}"] if rest else []
        raise ScriptError("\n   ".join([str(error), *done, *then])) from error


def replay(assault: Assault[Any, Any], *, seed: int | None = None, script: Script | None = None) -> Replay:
    """Play an assault once.

    Parameters
    ----------
    assault : Assault
    seed : int, optional
        Which luck: the first trial that the rolled engine plays with this seed. With a script and without a seed
        everything must be written down.
    script : Script, optional
        Rolls that are written down.

    Raises
    ------
    CasemateError
        If the script lacks a roll, has one that does not fit, or one that never comes up.
    """
    strict = script is not None and seed is None
    state, scene, moves = assault.start, assault.scene, list[Move]()
    end, turn = End.GOING_ON, 1
    for turn, player, stage, name, repetition in _stages(assault):
        if stage.when is not None and not np.all(stage.when(state, scene)):
            continue
        notes = _Notes(turn, state.rolls, script, strict, [])
        dice = RolledDice(Address(1 if seed is None else seed, 0, turn, player, name, repetition), np.array([0]))
        rolled = stage.rule(_Noting(dice, notes), state, scene)
        after = state.rebuild([np.asarray(a, dtype=np.int64).reshape(-1)[:1] for a in rolled.arrays()])
        tallies = {k: int(v[0]) for k, v in dice.tallies.items()}
        rule, bound = getattr(stage.rule, "func", stage.rule), getattr(stage.rule, "keywords", {})
        moves.append(Move(turn, player, rule.__name__, bound, tuple(notes.rolls), state, after, tallies))
        state, end = after, End(int(np.asarray(assault.end(after, scene)).reshape(-1)[0]))
        if end is not End.GOING_ON:
            break
    _all_used(script, moves)
    return Replay(assault, tuple(moves), End.HELD if end is End.GOING_ON else end, turn)


def _stages(assault: Assault[Any, Any]) -> Iterator[tuple[int, str, Stage[Any, Any], str, int]]:
    """Yield every stage in order, as often as it is played: turn, player, stage, its name, and the repetition."""
    for turn in range(1, assault.limit + 1):
        for player in assault.turn:
            for stage, name in player.addressed():
                for repetition in range(stage.times):
                    yield turn, player.name, stage, name, repetition


def _all_used(script: Script | None, moves: Iterable[Move]) -> None:
    """Refuse a script with rolls that never came up, and say what the first unknown label may have meant."""
    if script is None or not script.left:
        return
    came_up = {roll.label for move in moves for roll in move.rolls}
    unknown = next((roll.label for roll in script.left if roll.label not in came_up), None)
    near = f"; {nearest(unknown, came_up)}" if unknown else ""
    left = ", ".join(f"{roll.label} (turn {roll.turn})" if roll.turn else roll.label for roll in script.left)
    raise CasemateError(f"the script has rolls that never came up: {left}{near}")
