"""One assault, move by move: what was rolled at each stage, and what the state was before and after it.

The dice are those of one trial of the rolled engine, or what somebody wrote down, or both.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from types import MappingProxyType
from typing import Any

import numpy as np

from sims.assault import Assault, End, Scene, Step, Told
from sims.dice import Address, Ints, Mechanic, RolledDice
from sims.dice.source import Argument
from sims.errors import CasemateError, nearest
from sims.rolls import Ask, LeftError, Roll, Thrown, Wanted, sayings
from sims.script import LackingError, Script, ScriptError
from sims.state import State

Named = Mapping[str, Mapping[int, str]]
"""The words that rules have for the answers of some rolls, by label."""


@dataclass(frozen=True)
class Move:
    """One stage: where in the assault it stands, who acts, what he does, its rolls, and what it did."""

    step: Step
    by: str
    stage: str
    rolls: tuple[Roll, ...]
    before: State
    after: State
    tallies: Mapping[str, int]
    told: tuple[Told, ...]

    @property
    def turn(self) -> int:
        """The turn it belongs to."""
        return self.step.turn

    @property
    def player(self) -> str:
        """Whose player turn it is."""
        return self.step.player_turn


@dataclass(frozen=True)
class Replay:
    """An assault played once; it goes on if it was left. Without a seed all its rolls were given."""

    assault: Assault[Any, Scene]
    moves: tuple[Move, ...]
    end: End
    turn: int
    seed: int | None


class ScriptedDice:
    """Dice of one game: each roll is what a script says, else what a person gives, else what is thrown.

    Args:
        script: Rolls that are written down.
        thrown: Throws the rolls that nobody gives; without them all must be written down.
        ask: Asks a person for the rolls that no script has; what he leaves is thrown.
        turn: The turn that is played.
        named: The words that the rules have for the answers of some rolls, by label.
    """

    def __init__(
        self,
        script: Script | None = None,
        thrown: RolledDice | None = None,
        ask: Ask | None = None,
        turn: int = 1,
        named: Named = MappingProxyType({}),
    ) -> None:
        self._script, self._thrown, self._ask, self._turn, self._named = script, thrown, ask, turn, named
        self._scope = ""
        self.rolls: list[Roll] = []  # shared by all scopes, as the tallies are
        self.tallies: dict[str, int] = {}

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        """Return the outcome, ``[1]``; a roll with more than one is noted.

        Raises:
            ScriptError: If a roll is missing that nobody throws, or what is written does not fit it.
        """
        values = tuple(first(a) for a in arguments)
        possible = mechanic.pmf(*values).outcomes
        if len(possible) == 1:
            return np.array(possible)
        name = f"{self._scope}{label}"
        wanted = Wanted(name, self._turn, mechanic, values, sayings(self._named.get(name), mechanic, values, possible))
        roll = self._written(wanted) or self._asked(label, wanted) or self._rolled(label, wanted)
        self.rolls.append(roll)
        return np.array([roll.answer])

    def _written(self, wanted: Wanted) -> Roll | None:
        """Return a roll that is written down, if it is."""
        written = self._script.take(wanted.name, wanted.turn) if self._script else None
        if written is None:
            return None
        return wanted.answered(written) if isinstance(written, int | str) else wanted.by_faces(written)

    def _asked(self, label: str, wanted: Wanted) -> Roll | None:
        """Return a roll that a person gives, if one is asked and does not leave it to be thrown."""
        return wanted.asked(self._ask, partial(self._thrown.face, label)) if self._ask and self._thrown else None

    def _rolled(self, label: str, wanted: Wanted) -> Roll:
        """Return a roll that is thrown."""
        if self._thrown is None:
            lacking = (self._script or Script(())).lacks(wanted.name, wanted.turn)
            raise LackingError(f"{lacking}\n   {wanted.takes()}")
        noting = Thrown(wanted.mechanic)
        self._thrown.draw(label, noting, *wanted.arguments)
        return wanted.told(noting.face, scripted=False)

    def within(self, scope: str) -> "ScriptedDice":
        """Return the same dice for one scope: its labels are written ``scope/label``."""
        inner = object.__new__(type(self))
        thrown = self._thrown and self._thrown.within(scope)
        inner.__dict__ = self.__dict__ | {"_scope": f"{self._scope}{scope}/", "_thrown": thrown}
        return inner

    def tally(self, name: str, value: Argument) -> None:
        """Add a value."""
        self.tallies[name] = self.tallies.get(name, 0) + first(value)


def first(value: Argument) -> int:
    """Return the number that stands in an array of one."""
    return int(np.reshape(value, -1)[0])


def drawn() -> int:
    """Return a seed that nobody has chosen."""
    return secrets.randbelow(10**6)


def replay(
    assault: Assault[Any, Scene],
    *,
    seed: int | None = None,
    script: Script | None = None,
    ask: Ask | None = None,
    tell: Callable[[Move], None] | None = None,
) -> Replay:
    """Play an assault once.

    Args:
        seed: Which luck: the first trial that the rolled engine plays with this seed; one is drawn if none is given.
            With a script and without a seed everything must be written down.
        script: Rolls that are written down.
        ask: Asks a person for the rolls that no script has; those that he leaves are rolled.
        tell: Called with each move as soon as it is done.

    Raises:
        CasemateError: If the script lacks a roll, has one that does not fit, or one that never comes up.
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
    assault: Assault[Any, Scene],
    seed: int | None,
    script: Script | None,
    ask: Ask | None = None,
    told: Callable[[Move], None] | None = None,
) -> Replay:
    """Play an assault; without a seed everything is written down."""
    state, scene, moves = assault.start, assault.scene, list[Move]()
    end, turn = End.GOING_ON, 1
    for step, stage in chain.from_iterable(map(assault.steps, range(1, assault.limit + 1))):
        turn = step.turn
        if stage.when is not None and not np.all(stage.when(state, scene)):
            continue
        address = Address(seed or 0, 0, turn, step.player_turn, step.stage, step.repetition)
        luck = None if seed is None else RolledDice(address, np.array([0]))
        dice = ScriptedDice(script, luck, ask, turn, state.rolls)
        try:
            played = stage.rule(dice, state, scene)
        except LeftError:
            return Replay(assault, tuple(moves), End.GOING_ON, turn, seed)
        after = state.rebuild([np.array([first(array)]) for array in played.arrays()])
        who = stage.by or step.player_turn
        moves.append(Move(step, who, stage.title, tuple(dice.rolls), state, after, dice.tallies, assault.told))
        if told:
            told(moves[-1])
        state, end = after, End(first(assault.end(after, scene)))
        if end is not End.GOING_ON:
            break
    return Replay(assault, tuple(moves), End(first(assault.called(state, np.array(end)))), turn, seed)


def _order_of_rolls(assault: Assault[Any, Scene], script: Script) -> str:
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


def _all_used(script: Script | None, moves: Iterable[Move]) -> None:
    """Refuse a script with rolls that never came up, and say what the first unknown label may have meant."""
    if script is None or not script.left:
        return
    came_up = {roll.label for move in moves for roll in move.rolls}
    unknown = next((roll.label for roll in script.left if roll.label not in came_up), None)
    near = f"; {nearest(unknown, came_up)}" if unknown else ""
    left = ", ".join(f"{roll.label} (turn {roll.turn})" if roll.turn else roll.label for roll in script.left)
    raise CasemateError(f"the script has rolls that never came up: {left}{near}")
