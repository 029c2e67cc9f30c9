"""Rolls that somebody wrote down: for worked examples, bug reports, and games with dice of one's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from sims.dice.telling import Face, part_in_words
from sims.errors import CasemateError, nearest
from sims.reading import Strict, Whole, read, validate


class ScriptError(CasemateError):
    """A roll that is written down does not fit what the rule asks for.

    Attributes:
        done: The lines that tell the tests before it.
    """

    def __init__(self, message: str, done: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.done = done


class LackingError(ScriptError):
    """A script has nothing for a roll."""


class MoreDiceError(ScriptError):
    """A roll needs more faces than are written down."""


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
        self._all = tuple(rolls)
        self._left = list(rolls)

    @classmethod
    def load(cls, path: Path) -> "Script":
        """Read a script, or raise `CasemateError` if a key or value does not fit."""
        source = read(path)
        return cls(validate(ScriptFile, source.data, [source]).roll)

    def anew(self) -> "Script":
        """Return the same script with nothing taken from it."""
        return Script(self._all)

    @property
    def left(self) -> tuple[RollFile, ...]:
        """The rolls that nothing has asked for."""
        return tuple(self._left)

    def take(self, label: str, turn: int) -> int | str | Sequence[int] | None:
        """Return what is written for a label, None if nothing is."""
        found = next((r for r in self._left if r.label == label and r.turn in (None, turn)), None)
        if found is None:
            return None
        self._left.remove(found)
        return found.answer if found.faces is None else found.faces

    def lacks(self, label: str, turn: int) -> str:
        """Say what is wrong where a roll is missing: all are used up, or it is for other turns, or called otherwise."""
        if not self._left:
            return f'turn {turn}: the script has no roll left, and the game wants "{label}"'
        turns = [str(roll.turn) for roll in self._left if roll.label == label]
        if turns:
            return f'turn {turn}: the roll "{label}" is only written for turn {" and ".join(turns)}'
        near = nearest(label, {roll.label for roll in self._left})
        return f'turn {turn}: the script has no roll "{label}"; {near}'


class Pile:
    """Faces that are written down, handed out one by one to those who ask.

    Args:
        name: The roll that they belong to.
        rest: Throws the dice that are not written down; without it they are missed.
    """

    def __init__(self, name: str, faces: Sequence[int], rest: Face | None = None) -> None:
        self._name, self._faces, self._rest = name, faces, rest
        self._next = 0

    def face(self, part: str, sides: int, row: int) -> int:
        """Return the next face."""
        if self._next == len(self._faces) and self._rest:
            return self._rest(part, sides, row)
        if self._next == len(self._faces):
            missing = f"a D{sides}{_for(part)}"
            raise MoreDiceError(f"{self._name} has {_dice(self._next)} written down and needs more: next, {missing}")
        shown = self._faces[self._next]
        self._next += 1
        if not 1 <= shown <= sides:
            raise ScriptError(f"{self._name} has a {shown}{_for(part)}; expected 1 to {sides}")
        return shown

    def close(self) -> None:
        """Refuse faces that nobody asked for."""
        if spare := self._faces[self._next :]:
            left = ", ".join(map(str, spare))
            raise ScriptError(f"{self._name} takes {_dice(self._next)}; left over: {left}")


def _dice(n: int) -> str:
    return f"{n} {'die' if n == 1 else 'dice'}"


def _for(part: str) -> str:
    """Say what a die is for, if that says anything."""
    what = part_in_words(part).removeprefix("failed ")
    if what == "dice":
        return ""
    return f" {what}" if what.startswith("to ") else f" for the {what}"


def read_answer(where: str, written: int | str, said: Mapping[int, str]) -> int:
    """Return the answer that somebody wrote as it is said; capitals do not matter."""
    for answer, words in said.items():
        if str(written).lower() == words.lower():
            return answer
    if not said:
        raise ScriptError(f"{where} can only be given by its faces")
    raise ScriptError(f"{where} cannot be {written}; expected one of {', '.join(said.values())}")
