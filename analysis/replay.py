"""One assault told move by move: each roll, what was needed, what it did."""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import numpy as np
from rich.padding import Padding
from rich.text import Text

from analysis.terminal import console
from sims.assault import Assault, End, Scene
from sims.replay import Move, Replay
from sims.rolls import Roll
from sims.state import Phrase

ENDS = {
    End.BROKEN: "The attackers have broken in turn {}.",
    End.CAPTURED: "The attackers have taken the building in turn {}.",
    End.DESTROYED: "The building has been destroyed in turn {}.",
    End.GOING_ON: "The game was left in turn {}.",
    End.HELD: "The building is still held at the end of turn {}.",
}
WIPED_OUT = "The last attacker has fallen in turn {}."


def told(played: Replay) -> Iterator[tuple[str, list[str]]]:
    """Yield each move that rolled or changed something: its heading, and a line for each thing that happened."""
    for move in played.moves:
        if lines := happened(move):
            yield heading(move), lines


def happened(move: Move) -> list[str]:
    """Return a line for each thing that happened in a move."""
    rolled = [line for roll in move.rolls for line in roll_lines(roll)]
    return [*rolled, *(f"-> {effect}" for effect in effects(move))]


def heading(move: Move) -> str:
    """Say who acts, in whose turn if it is not his own, and what is done."""
    whose = "" if move.by == move.player else f"{move.player}' turn, "
    return f"turn {move.turn}, {whose}{move.by}: {move.stage}"


def roll_lines(roll: Roll) -> list[str]:
    """Tell a roll: its label and answer, then the dice of each part with what they needed."""
    head = f"{roll.label}: {roll.said}" if roll.said else roll.label
    return [f"{head}{', as written' * roll.scripted}", *(f"   {line}" for line in roll.lines)]


def effects(move: Move) -> list[str]:
    """Say what a move did: what was tallied, and what changed of those parts of the state that have words."""
    tallied = [f"{name}: {n}" for name, n in move.tallies.items() if n]
    changes = (
        change(phrase, count(attrgetter(name)(move.before)), count(attrgetter(name)(move.after)))
        for name, phrase in move.before.told.items()
    )
    return tallied + [said for said in changes if said]


def change(words: Phrase, before: int, after: int) -> str:
    """Say how a number changed, "" if that is not worth a word.

    Parameters
    ----------
    words : str, tuple or mapping
    before, after : int
    """
    if before == after:
        return ""
    if isinstance(words, str):
        return f"{words}: {before} to {after}"
    if isinstance(words, Mapping):
        return words.get(after, "")
    said = words[: 1 if after > 0 else 0] or words[1 : 2 if after < 0 else 1]
    return "".join(said).format(abs(after))


def count(value: Any) -> int:
    """Return a field's value; models of all groups together."""
    return sum(map(count, value)) if isinstance(value, tuple) else int(np.asarray(value).reshape(-1)[0])


def ending(played: Replay) -> str:
    """Say how an assault ended."""
    words = ENDS[played.end]
    if played.end == End.BROKEN and played.moves:
        outcome = played.assault.outcome(played.moves[-1].after, played.assault.scene)
        if count(outcome.attackers_lost) == played.assault.scene.scenario.attackers.models:
            words = WIPED_OUT
    return words.format(played.turn)


def show_start(assault: Assault[Any, Scene], seed: int | None) -> None:
    """Print which luck an assault is played with, and how the rules see the scenario."""
    out = console()
    out.print(
        "Every roll as it is written." if seed is None else f"Seed {seed}: with --seed {seed} the same dice fall."
    )
    for name, fact in assault.translation.items():
        out.print(Text.assemble((f"{name}: ", "bold"), fact))


def show_move(move: Move) -> None:
    """Print a move, if it rolled or changed something."""
    out = console()
    if lines := happened(move):
        out.print(Text(f"\n{heading(move)}", style="bold"))
        for line in lines:
            out.print(Padding(Text(line), (0, 0, 0, 2), expand=False))


def show(played: Replay) -> None:
    """Print an assault move by move."""
    show_start(played.assault, played.seed)
    for move in played.moves:
        show_move(move)
    show_end(played)


def show_end(played: Replay) -> None:
    """Print how an assault ended."""
    console().print(Text(f"\n{ending(played)}", style="bold"))


def as_data(played: Replay) -> dict[str, Any]:
    """Return an assault move by move as JSON has it."""
    moves = [{"move": heading, "lines": lines} for heading, lines in told(played)]
    return {
        "rules": played.assault.rules,
        "seed": played.seed,
        "end": played.end.name.lower(),
        "turn": played.turn,
        "moves": moves,
    }
