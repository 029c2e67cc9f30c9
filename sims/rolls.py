"""One roll of an assault that is told: thrown, written down, or asked of a person; and what it takes to answer it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from sims.dice import PMF, Capped, Ints, Mechanic
from sims.dice.mechanics import Cast, tell, words_of
from sims.dice.telling import Face, Told, listed
from sims.script import MoreDiceError, Pile, ScriptError, read_answer

Ask = Callable[[str], str | None]
"""Says something to a person and returns the line that he gives, None if he gives no more."""


class LeftError(Exception):
    """Somebody who is asked for rolls gives no more."""


@dataclass(frozen=True)
class Roll:
    """One labelled roll.

    Attributes:
        faces: The dice that matter, in the order of `lines`; none where the answer was written down.
        lines: What was needed and what those dice did, test by test.
        said: The answer as a player says it: in words if it has any; "" where only the faces say something.
        scripted: Whether a script said so.
    """

    label: str
    faces: tuple[int, ...]
    lines: tuple[str, ...]
    answer: int
    said: str
    scripted: bool


class Thrown:
    """A mechanic whose dice are noted as they are thrown."""

    def __init__(self, mechanic: Mechanic) -> None:
        self._mechanic = mechanic
        self._faces: dict[str, tuple[int, ...]] = {}
        self.arity = mechanic.arity

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what is thrown."""
        return self._mechanic.pmf(*arguments)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the dice, and note what they show."""

        def noted(part: str, sides: int, rows: int) -> Ints:
            faces = cast(part, sides, rows)
            self._faces[part] = tuple(int(row[0]) for row in faces)
            return faces

        return self._mechanic.throw(noted, *arguments)

    def face(self, part: str, sides: int, row: int) -> int:
        """Return what a die showed."""
        return self._faces[part][row]


@dataclass(frozen=True)
class Wanted:
    """A roll that is asked for: what a person has to know to give its answer, or to throw its dice.

    Attributes:
        name: Its label, as a script has it.
        said: How each possible answer is said.
    """

    name: str
    turn: int
    mechanic: Mechanic
    arguments: tuple[int, ...]
    said: Mapping[int, str]

    @property
    def where(self) -> str:
        """Where it stands, for messages."""
        return f'turn {self.turn}: the roll "{self.name}"'

    @property
    def answers(self) -> str:
        """The answers it may have, as they are said."""
        words = [*self.said.values()]
        in_a_row = words == [str(min(self.said, default=0) + i) for i in range(len(words))]
        return f"{words[0]} to {words[-1]}" if in_a_row and len(words) > 3 else ", ".join(words)

    def answered(self, written: int | str) -> Roll:
        """Return the roll by an answer that is written as it is said."""
        answer = read_answer(self.where, written, self.said)
        return Roll(self.name, (), (), answer, self.said[answer], True)

    def by_faces(self, faces: Sequence[int], rest: Face | None = None) -> Roll:
        """Return the roll by faces that are written down; `rest` throws the dice that are not."""
        pile = Pile(self.where, faces, rest)
        roll = self.told(pile.face, scripted=True)
        pile.close()
        return roll

    def told(self, face: Face, *, scripted: bool) -> Roll:
        """Return the roll by the face of each die."""
        told = Told(face)
        lines = list(_so_far(tell(self.mechanic, told.face, *self.arguments), told))
        arrays = [np.array([value]) for value in self.arguments]
        answer = int(self.mechanic.throw(told.cast, *arrays)[0])
        if isinstance(self.mechanic, Capped):
            uncapped = self.mechanic.counted.throw(told.cast, *arrays[:-1])
            if int(uncapped[0]) > answer:
                lines.append(f"no more than {answer} count")
        return Roll(self.name, told.faces, tuple(lines), answer, self.said.get(answer, ""), scripted)

    def next_dice(self, faces: Sequence[int]) -> str:
        """Say what the next dice are, after some faces: what they are for, what they need, and how many at least.

        What stands in a line before its dice is what the line has in common whatever they show.
        """
        (ones, n, sides), (twos, m, _) = (self._going_on(faces, other) for other in (1, 2))
        head = "".join(
            one for one, _ in takewhile(lambda pair: len({*pair}) == 1, zip(ones, twos, strict=False))
        ).rstrip(" :")
        dice = f"{min(n, m)}D{sides}"
        return f"{head}: {dice}" if head and not f"1{head}".endswith(dice) else dice

    def _going_on(self, faces: Sequence[int], other: int) -> tuple[str, int, int]:
        """Return the line that the next dice are told in if they all show one face, how many are in it, their sides."""
        given, missing = list(faces), list[int]()

        def face(part: str, sides: int, row: int) -> int:
            if given:
                return given.pop(0)
            missing.append(sides)
            return min(other, sides)

        for line in tell(self.mechanic, Told(face).face, *self.arguments):
            if missing:
                return line, len(missing), missing[0]
        return "", 0, 6

    def takes(self) -> str:
        """Say what may be given for it."""
        answers = f", or its answer ({self.answers})" if self.said else ""
        return f"it takes {self.next_dice(())}{answers}"

    def asked(self, ask: Ask, rest: Face) -> Roll | None:
        """Ask a person for the roll until what is given fits; None if it is left to the machine.

        Args:
            rest: Throws the dice that are left to the machine after some were given.

        Raises:
            LeftError: If no more is given.
        """
        answers = f"= and the answer: {self.answers}; " if self.said else ""
        said, faces, shown = f"turn {self.turn}, {self.name} ({answers}Enter rolls it)\n", list[int](), 0
        while True:
            line = ask(f"{said}  {self.next_dice(faces)}{' (Enter rolls the rest)' * bool(faces)} > ")
            if line is None:
                raise LeftError
            said, given = "", line.replace(",", " ").split()
            try:
                if line.strip().startswith("="):
                    return self.answered(line.strip().removeprefix("=").strip())
                if not given:
                    return self.by_faces(faces, rest) if faces else None
                more = [*faces, *_faces(line, given)]
                return self.by_faces(more)
            except MoreDiceError as error:
                faces, done = more, error.done
                said, shown = "".join(f"   {each}\n" for each in done[shown:]), len(done)
            except ScriptError as error:
                said = f"{error}\n"


def _faces(line: str, given: Sequence[str]) -> list[int]:
    """Read faces off a line."""
    if not given or not all(part.isdecimal() and len(part) < 3 for part in given):
        raise ScriptError(f'expected faces such as "4 2 6", or = and the answer; got "{line.strip()}"')
    return [int(part) for part in given]


def sayings(
    named: Mapping[int, str] | None, mechanic: Mechanic, arguments: tuple[int, ...], possible: Iterable[int]
) -> Mapping[int, str]:
    """Return how each possible answer of a roll is said: in words of the rules, in the mechanic's own, or as a number.

    Args:
        named: The words that the rules have for this roll; an empty mapping if its answers say nothing to a player.
    """
    words = (words_of(mechanic, *arguments) or None) if named is None else named
    if words is None:
        return {answer: str(answer) for answer in possible}
    return {answer: words[answer] for answer in possible if answer in words}


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
        raise type(error)("\n   ".join([str(error), *done, *then]), done) from error
