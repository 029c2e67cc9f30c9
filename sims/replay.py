"""One assault, move by move: what was rolled at each stage, and what the state was before and after it.

The dice are those of one trial of the rolled engine, or what somebody wrote down, or both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from sims.assault import Assault, End, State
from sims.dice import PMF, Address, Ints, Mechanic, RolledDice, ScriptedDice
from sims.dice.mechanics import Cast
from sims.dice.source import Argument, ScriptError
from sims.errors import CasemateError, nearest
from sims.reading import Strict, Whole, read, validate


@dataclass(frozen=True)
class Roll:
    """One labelled roll.

    Attributes
    ----------
    label : str
    mechanic : Mechanic
    arguments : tuple of int
    thrown : mapping
        For each part the faces thrown, in order; empty where the answer was written down.
    answer : int
    scripted : bool
        Whether a script said so.
    """

    label: str
    mechanic: Mechanic
    arguments: tuple[int, ...]
    thrown: Mapping[str, tuple[int, ...]]
    answer: int
    scripted: bool


@dataclass(frozen=True)
class Move:
    """One stage: where in the assault it stands, its rolls, and what it did."""

    turn: int
    player: str
    stage: str
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
    """A roll that is written down: the answer, or the faces in the order they are thrown."""

    label: str
    turn: Annotated[int, Field(ge=1)] | None = None
    answer: int | None = None
    faces: Whole = ()


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

    def take(self, label: str, turn: int) -> int | Sequence[int] | None:
        """Return what is written for a label, None if nothing is."""
        found = next((r for r in self._left if r.label == label and r.turn in (None, turn)), None)
        if found is None:
            return None
        self._left.remove(found)
        return found.faces if found.answer is None else found.answer


@dataclass(frozen=True)
class _Heard:
    """A mechanic whose dice are noted as they are thrown."""

    mechanic: Mechanic
    notes: dict[str, tuple[int, ...]] = field(hash=False)

    @property
    def arity(self) -> int:
        return self.mechanic.arity

    def pmf(self, *arguments: int) -> PMF:
        return self.mechanic.pmf(*arguments)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        def noted(part: str, sides: int, rows: int) -> Ints:
            faces = cast(part, sides, rows)
            self.notes[part] = tuple(int(row[0]) for row in faces)
            return faces

        return self.mechanic.throw(noted, *arguments)


class _Noting:
    """Dice that note every roll with more than one outcome."""

    def __init__(self, rolled: RolledDice, turn: int, script: Script | None, strict: bool, scope: str = "") -> None:
        self._rolled, self._turn, self._script, self._strict, self._scope = rolled, turn, script, strict, scope
        self.rolls: list[Roll] = []

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        name = f"{self._scope}{label}"
        values = tuple(int(np.asarray(a).reshape(-1)[0]) for a in arguments)
        possible = mechanic.pmf(*values).outcomes
        if len(possible) == 1:
            return np.array(possible)
        written = self._script.take(name, self._turn) if self._script else None
        notes: dict[str, tuple[int, ...]] = {}
        heard = _Heard(mechanic, notes)
        if written is not None:
            answer = ScriptedDice({name: written}).draw(name, heard, *values)
        elif self._strict:
            left = self._script.left if self._script else []
            raise ScriptError(f'turn {self._turn}: the script has no roll "{name}"; {nearest(name, left)}')
        else:
            answer = self._rolled.draw(label, heard, *values)
        self.rolls.append(Roll(name, mechanic, values, notes, int(answer[0]), written is not None))
        return answer

    def within(self, scope: str) -> "_Noting":
        inner = _Noting(self._rolled.within(scope), self._turn, self._script, self._strict, f"{self._scope}{scope}/")
        inner.rolls = self.rolls
        return inner

    def tally(self, name: str, value: Argument) -> None:
        self._rolled.tally(name, np.asarray(value).reshape(-1)[:1])


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
                    dice = _Noting(RolledDice(address, np.array([0])), turn, script, strict)
                    rolled = stage.rule(dice, state, assault.scene)
                    after = state.rebuild([np.asarray(a, dtype=np.int64).reshape(-1)[:1] for a in rolled.arrays()])
                    tallies = {k: int(v[0]) for k, v in dice._rolled.tallies.items()}
                    moves.append(Move(turn, player.name, stage.name, tuple(dice.rolls), state, after, tallies))
                    state = after
                    end = End(int(np.asarray(assault.end(state, assault.scene)).reshape(-1)[0]))
                    if end is not End.GOING_ON:
                        return _finished(Replay(assault, tuple(moves), end, turn), script)
    return _finished(Replay(assault, tuple(moves), End.HELD, assault.limit), script)


def _finished(played: Replay, script: Script | None) -> Replay:
    if script and script.left:
        raise CasemateError(f"the script has rolls that never came up: {', '.join(script.left)}")
    return played
