"""One assault told move by move: each roll, what was needed, what it did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from rich.padding import Padding
from rich.text import Text

from analysis.terminal import console
from sims.assault import State
from sims.dice import Capped, Mechanic, Test, Throw, Total, Volley
from sims.replay import Move, Replay, Roll

Thrown = Mapping[str, tuple[int, ...]]


def told(played: Replay) -> Iterator[tuple[str, list[str]]]:
    """Yield each move that rolled or changed something: its heading, and a line for each thing that happened."""
    for move in played.moves:
        lines = [line for roll in move.rolls for line in roll_lines(roll)]
        done = effects(move)
        if lines or done:
            heading = f"turn {move.turn}, {move.player}: {move.stage.replace('_', ' ')}"
            yield heading, [*lines, *(f"-> {effect}" for effect in done)]


def roll_lines(roll: Roll) -> list[str]:
    """Tell a roll: its label, then the dice of each part with what they needed."""
    if not roll.thrown:
        return [f"{roll.label}: {roll.answer}, as written"]
    parts = list(_parts(roll.mechanic, roll.arguments, roll.thrown))
    if isinstance(roll.mechanic, Capped) and roll.answer == roll.arguments[-1]:
        parts.append(f"no more than {roll.arguments[-1]} count")
    head = f"{roll.label}: {roll.answer}{', as written' if roll.scripted else ''}"
    return [head, *(f"   {part}" for part in parts)]


def _parts(mechanic: Mechanic, arguments: Sequence[int], thrown: Thrown) -> Iterator[str]:
    match mechanic:
        case Capped():
            yield from _parts(mechanic.counted, arguments[:-1], thrown)
        case Total():
            first = 0
            for i, part in enumerate(mechanic.parts):
                own = arguments[first : first + part.arity]
                first += part.arity
                prefix = f"{i}: "
                yield from _parts(
                    part, own, {k.removeprefix(prefix): v for k, v in thrown.items() if k.startswith(prefix)}
                )
        case Volley():
            if arguments[0]:
                yield from _volley(mechanic, arguments, thrown)
        case Throw():
            faces = [face for part in thrown.values() for face in part]
            yield f"{arguments[0]}{mechanic.die.name}: {_faces(faces)}"
        case _:
            needed = ", ".join(map(str, arguments))
            dice = "; ".join(f"{part} {_faces(faces)}" for part, faces in thrown.items())
            yield f"{dice} (with {needed})"


def _volley(volley: Volley, arguments: Sequence[int], thrown: Thrown) -> Iterator[str]:
    """Tell the dice of a volley test by test, those alone that the tests before have let through."""
    n, *targets = arguments
    left = np.arange(n)
    if volley.hits is not None:
        faces = [np.array(thrown[f"hits {d}"])[:n] for d in range(len(volley.hits.sides))]
        most = volley.hits.pmf.outcomes[-1]
        scores = volley.hits.read(*faces)
        left = np.array([i * most + slot for i in range(n) for slot in range(int(scores[i]))], dtype=np.int64)
        yield f"{volley.hits.name} hits each: {_written(faces)} make {left.size}"
    for i, (test, target) in enumerate(zip(volley.tests, targets, strict=True)):
        dice = [np.array(thrown[f"{i} {test.name} {d}"])[left] for d in range(_dice_that_matter(test, target))]
        every = [np.array(thrown[f"{i} {test.name} {d}"])[left] for d in range(test.dice)]
        passed = np.asarray(test.passes(np.array(target), *every), dtype=np.bool_)
        if dice and left.size:
            yield f"{test.name}, {test.needs.format(target)}: {_written(dice)}, {int(passed.sum())} of {left.size}"
        left = left[passed]


def _dice_that_matter(test: Test, target: int) -> int:
    """Return how many dice of a test can make a difference against a target."""
    faces = np.indices((6,) * test.dice) + 1
    passed = np.asarray(test.passes(np.array(target), *faces))
    axes = [axis for axis in range(test.dice) if (passed != np.roll(passed, 1, axis)).any()]
    return max(axes) + 1 if axes else 0


def _written(dice: Sequence[Any]) -> str:
    """Write the faces of each throw: 4 2 6, or 3+5 1+6 where a throw has two dice."""
    return " ".join("+".join(map(str, throw)) for throw in zip(*(d.tolist() for d in dice), strict=True))


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def effects(move: Move) -> list[str]:
    """Say what a move did: what was tallied, and every part of the state that changed."""
    tallied = [f"{name}: {n}" for name, n in move.tallies.items() if n]
    return tallied + [
        f"{name}: {before} to {after}" for name, before, after in _changes(move.before, move.after) if before != after
    ]


def _changes(before: State, after: State) -> Iterator[tuple[str, int, int]]:
    for f in fields(before):
        old, new = getattr(before, f.name), getattr(after, f.name)
        yield f.name.replace("_", " "), _count(old), _count(new)


def _count(value: Any) -> int:
    """Return a field's value; models of all groups together."""
    return sum(map(_count, value)) if isinstance(value, tuple) else int(np.asarray(value).reshape(-1)[0])


def show(played: Replay) -> None:
    """Print an assault move by move."""
    out = console()
    for name, fact in played.assault.translation.items():
        out.print(Text.assemble((f"{name}: ", "bold"), fact))
    for heading, lines in told(played):
        out.print(Text(f"\n{heading}", style="bold"))
        for line in lines:
            out.print(Padding(Text(line), (0, 0, 0, 2), expand=False))
    out.print(Text(f"\nThe building is {played.end.name.lower()} in turn {played.turn}.", style="bold"))


def as_data(played: Replay) -> dict[str, Any]:
    """Return an assault move by move as JSON has it."""
    moves = [{"move": heading, "lines": lines} for heading, lines in told(played)]
    return {"rules": played.assault.rules, "end": played.end.name.lower(), "turn": played.turn, "moves": moves}
