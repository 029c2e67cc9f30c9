"""One assault, move by move: what was rolled at each stage, and what the state was before and after it.

The dice are those of one trial of the rolled engine, or what somebody wrote down, or both.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from sims.assault import Assault, End, Stage, State
from sims.dice import Address, Ints, Mechanic, RolledDice
from sims.dice.source import Argument, ScriptError
from sims.errors import CasemateError, nearest
from sims.rolls import Ask, LeftError, Roll, Thrown, Wanted, sayings
from sims.script import LackingError, Script

Named = Mapping[str, Mapping[int, str]]
"""The words that rules have for the answers of some rolls, by label."""


@dataclass(frozen=True)
class Move:
    """One stage: where in the assault it stands, who acts, what he does, its rolls, and what it did."""

    turn: int
    player: str
    by: str
    stage: str
    rolls: tuple[Roll, ...]
    before: State
    after: State
    tallies: Mapping[str, int]


@dataclass(frozen=True)
class Replay:
    """An assault played once; it goes on if it was left. Without a seed all its rolls were given."""

    assault: Assault[Any, Any]
    moves: tuple[Move, ...]
    end: End
    turn: int
    seed: int | None


@dataclass(frozen=True)
class _Notes:
    """What the rolls of one turn are told with, and where they are noted."""

    turn: int
    named: Named
    script: Script | None
    strict: bool
    ask: Ask | None
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
        wanted = Wanted(name, notes.turn, mechanic, values, said)
        roll = self._given(wanted)
        if roll is None:
            thrown = Thrown(mechanic)
            self._rolled.draw(label, thrown, *values)
            roll = wanted.told(thrown.face, scripted=False)
        notes.rolls.append(roll)
        return np.array([roll.answer])

    def _given(self, wanted: Wanted) -> Roll | None:
        """Return a roll that is written down, or that a person gives; None if it is to be thrown."""
        notes = self._notes
        written = notes.script.take(wanted.name, wanted.turn) if notes.script else None
        if isinstance(written, int | str):
            return wanted.answered(written)
        if written is not None:
            return wanted.by_faces(written)
        if notes.script and notes.strict:
            raise LackingError(f"{notes.script.lacks(wanted.name, wanted.turn)}\n   {wanted.takes()}")
        return wanted.asked(notes.ask) if notes.ask else None

    def within(self, scope: str) -> "_Noting":
        return _Noting(self._rolled.within(scope), self._notes, f"{self._scope}{scope}/")

    def tally(self, name: str, value: Argument) -> None:
        self._rolled.tally(name, np.asarray(value).reshape(-1)[:1])


def drawn() -> int:
    """Return a seed that nobody has chosen."""
    return secrets.randbelow(10**6)


def replay(
    assault: Assault[Any, Any],
    *,
    seed: int | None = None,
    script: Script | None = None,
    ask: Ask | None = None,
    tell: Callable[[Move], None] | None = None,
) -> Replay:
    """Play an assault once.

    Parameters
    ----------
    assault : Assault
    seed : int, optional
        Which luck: the first trial that the rolled engine plays with this seed; one is drawn if none is given. With a
        script and without a seed everything must be written down.
    script : Script, optional
        Rolls that are written down.
    ask : callable, optional
        Asks a person for the rolls that no script has; those that he leaves are rolled.
    tell : callable, optional
        Called with each move as soon as it is done.

    Raises
    ------
    CasemateError
        If the script lacks a roll, has one that does not fit, or one that never comes up.
    """
    strict = script is not None and seed is None and ask is None
    luck = None if strict else drawn() if seed is None else seed
    try:
        played = _played(assault, luck, script, ask, tell)
    except LackingError as error:
        assert script is not None
        raise LackingError(f"{error}{_order_of_rolls(assault, script.anew())}") from error
    if played.end is not End.GOING_ON:
        _all_used(script, played.moves)
    return played


def _played(
    assault: Assault[Any, Any],
    seed: int | None,
    script: Script | None,
    ask: Ask | None = None,
    told: Callable[[Move], None] | None = None,
) -> Replay:
    """Play an assault; without a seed everything is written down."""
    state, scene, moves = assault.start, assault.scene, list[Move]()
    end, turn = End.GOING_ON, 1
    for turn, player, stage, name, repetition in _stages(assault):
        if stage.when is not None and not np.all(stage.when(state, scene)):
            continue
        notes = _Notes(turn, state.rolls, script, seed is None, ask, [])
        dice = RolledDice(Address(seed or 0, 0, turn, player, name, repetition), np.array([0]))
        try:
            rolled = stage.rule(_Noting(dice, notes), state, scene)
        except LeftError:
            return Replay(assault, tuple(moves), End.GOING_ON, turn, seed)
        after = state.rebuild([np.asarray(a, dtype=np.int64).reshape(-1)[:1] for a in rolled.arrays()])
        tallies = {k: int(v[0]) for k, v in dice.tallies.items()}
        moves.append(Move(turn, player, stage.by or player, stage.name, tuple(notes.rolls), state, after, tallies))
        if told:
            told(moves[-1])
        state, end = after, End(int(np.asarray(assault.end(after, scene)).reshape(-1)[0]))
        if end is not End.GOING_ON:
            break
    return Replay(assault, tuple(moves), End.HELD if end is End.GOING_ON else end, turn, seed)


def _order_of_rolls(assault: Assault[Any, Any], script: Script) -> str:
    """Say which rolls an assault wants, in their order; from the first that a script lacks on, as dice may fall."""
    try:
        played = _played(assault, 1, script)
    except ScriptError:
        return ""
    lines = ["the game wants these rolls, in this order; after the first that is not written, as dice may fall:"]
    for (turn, player), moves in groupby(played.moves, key=lambda move: (move.turn, move.player)):
        rolls = [f"{roll.label}{' (written)' * roll.scripted}" for move in moves for roll in move.rolls]
        if rolls:
            lines.append(f"turn {turn}, {player}: {', '.join(rolls)}")
    return "".join(f"\n   {line}" for line in lines)


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
