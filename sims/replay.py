"""One assault, move by move: what was rolled at each stage, and what the state was before and after it.

The dice are those of one trial of the rolled engine, or what somebody wrote down, or both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from sims.assault import Assault, End, State
from sims.dice import PMF, Address, Capped, Ints, Mechanic, RolledDice, Volley
from sims.dice.mechanics import Cast, tell
from sims.dice.source import Argument, ScriptError
from sims.dice.telling import Face, Told, part_in_words
from sims.errors import CasemateError, nearest
from sims.reading import Strict, Whole, read, validate

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


class RollFile(Strict):
    """A roll that is written down: the answer as it is said, or the faces in the order in which they are told."""

    label: str
    turn: Annotated[int, Field(ge=1)] | None = None
    answer: int | str | None = None
    faces: Whole | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.answer is None) == (self.faces is None):
            given = "neither" if self.answer is None else "both"
            raise ValueError(f'the roll "{self.label}" needs its answer or its faces, one of the two; it has {given}')
        return self


class ScriptFile(Strict):
    """A script: rolls in the order they come up."""

    roll: Annotated[tuple[RollFile, ...], Field(strict=False)]


class Script:
    """Hands out written rolls: for a label the first that is left, of its turn if it names one."""

    def __init__(self, rolls: Sequence[RollFile]) -> None:
        self._left = list(rolls)

    @classmethod
    def load(cls, path: Path) -> "Script":
        """Read a script.

        Raises
        ------
        CasemateError
            If a key or value does not fit.
        """
        source = read(path)
        return cls(validate(ScriptFile, source.data, [source]).roll)

    @property
    def left(self) -> list[str]:
        """The labels of rolls that nothing has asked for."""
        return [roll.label for roll in self._left]

    def take(self, label: str, turn: int) -> int | str | Sequence[int] | None:
        """Return what is written for a label, None if nothing is."""
        found = next((r for r in self._left if r.label == label and r.turn in (None, turn)), None)
        if found is None:
            return None
        self._left.remove(found)
        return found.answer if found.faces is None else found.faces


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


class _Written:
    """Faces that are written down, handed out one by one."""

    def __init__(self, name: str, faces: Sequence[int]) -> None:
        self._name, self._faces = name, faces
        self._next = 0

    def face(self, part: str, sides: int, row: int) -> int:
        if self._next == len(self._faces):
            missing = f"a D{sides} for {part_in_words(part)}"
            raise ScriptError(f"{self._name} has {_dice(self._next)} written down and needs more: next, {missing}")
        shown = self._faces[self._next]
        self._next += 1
        if not 1 <= shown <= sides:
            raise ScriptError(f"{self._name} has a {shown} for {part_in_words(part)}; expected 1 to {sides}")
        return shown

    def close(self) -> None:
        if spare := self._faces[self._next :]:
            left = ", ".join(map(str, spare))
            raise ScriptError(f"{self._name} takes {_dice(self._next)}; left over: {left}")


def _dice(n: int) -> str:
    return f"{n} {'die' if n == 1 else 'dice'}"


class _Noting:
    """Dice that note every roll with more than one outcome."""

    def __init__(self, rolled: RolledDice, turn: int, named: Named, script: Script | None, strict: bool) -> None:
        self._rolled, self._turn, self._named, self._script, self._strict = rolled, turn, named, script, strict
        self._scope = ""
        self.rolls: list[Roll] = []

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        name = f"{self._scope}{label}"
        values = tuple(int(np.asarray(a).reshape(-1)[0]) for a in arguments)
        possible = mechanic.pmf(*values).outcomes
        if len(possible) == 1:
            return np.array(possible)
        said = sayings(self._named.get(name), mechanic, values, possible)
        written = self._script.take(name, self._turn) if self._script else None
        where = f'turn {self._turn}: the roll "{name}"'
        if isinstance(written, int | str):
            return self._note(Roll(name, (), (), _read(where, written, said), str(written), True))
        if written is not None:
            pile = _Written(where, written)
            roll = _told(name, mechanic, values, pile.face, said, scripted=True)
            pile.close()
            return self._note(roll)
        if self._strict:
            left = self._script.left if self._script else []
            raise ScriptError(f'turn {self._turn}: the script has no roll "{name}"; {nearest(name, left)}')
        rolled = _Rolled(mechanic)
        self._rolled.draw(label, rolled, *values)
        return self._note(_told(name, mechanic, values, rolled.face, said, scripted=False))

    def _note(self, roll: Roll) -> Ints:
        self.rolls.append(roll)
        return np.array([roll.answer])

    def within(self, scope: str) -> "_Noting":
        inner = _Noting(self._rolled.within(scope), self._turn, self._named, self._script, self._strict)
        inner._scope, inner.rolls = f"{self._scope}{scope}/", self.rolls
        return inner

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
    words = getattr(mechanic, "answers", None) if named is None else named
    if words is None and isinstance(mechanic, Volley):
        words = mechanic.passed_or_failed(*arguments)
    return {answer: str(answer) for answer in possible} if words is None else words


def _read(where: str, written: int | str, said: Mapping[int, str]) -> int:
    """Return the answer that somebody wrote as it is said."""
    for answer, words in said.items():
        if str(written) == words:
            return answer
    if not said:
        raise ScriptError(f"{where} can only be given by its faces")
    raise ScriptError(f"{where} cannot be {written}; expected one of {', '.join(said.values())}")


def _told(
    name: str, mechanic: Mechanic, values: tuple[int, ...], face: Face, said: Mapping[int, str], *, scripted: bool
) -> Roll:
    told = Told(face)
    lines = list(tell(mechanic, told.face, *values))
    arrays = [np.array([value]) for value in values]
    answer = int(mechanic.throw(told.cast, *arrays)[0])
    if isinstance(mechanic, Capped) and int(mechanic.counted.throw(told.cast, *arrays[:-1])[0]) > answer:
        lines.append(f"no more than {answer} count")
    return Roll(name, told.faces, tuple(lines), answer, said.get(answer, ""), scripted)


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
    state, moves = assault.start, list[Move]()
    for turn in range(1, assault.limit + 1):
        for player in assault.turn:
            for stage, name in player.addressed():
                for repetition in range(stage.times):
                    if stage.when is not None and not np.all(stage.when(state, assault.scene)):
                        continue
                    address = Address(1 if seed is None else seed, 0, turn, player.name, name, repetition)
                    rolled_dice, named = RolledDice(address, np.array([0])), getattr(type(state), "rolls", {})
                    dice = _Noting(rolled_dice, turn, named, script, strict)
                    rolled = stage.rule(dice, state, assault.scene)
                    after = state.rebuild([np.asarray(a, dtype=np.int64).reshape(-1)[:1] for a in rolled.arrays()])
                    tallies = {k: int(v[0]) for k, v in dice._rolled.tallies.items()}
                    rule, bound = getattr(stage.rule, "func", stage.rule), getattr(stage.rule, "keywords", {})
                    moves.append(
                        Move(turn, player.name, rule.__name__, bound, tuple(dice.rolls), state, after, tallies)
                    )
                    state = after
                    end = End(int(np.asarray(assault.end(state, assault.scene)).reshape(-1)[0]))
                    if end is not End.GOING_ON:
                        return _finished(Replay(assault, tuple(moves), end, turn), script)
    return _finished(Replay(assault, tuple(moves), End.HELD, assault.limit), script)


def _finished(played: Replay, script: Script | None) -> Replay:
    if script and script.left:
        came_up = {roll.label for move in played.moves for roll in move.rolls}
        unknown = next((label for label in script.left if label not in came_up), None)
        near = f"; {nearest(unknown, came_up)}" if unknown else ""
        raise CasemateError(f"the script has rolls that never came up: {', '.join(script.left)}{near}")
    return played
