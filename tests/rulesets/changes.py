"""What becomes of judged assaults if a stage is taken out, or an argument of a labelled draw is moved by one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from re import sub
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from sims.assault import Assault, PlayerTurn, Stage
from sims.dice import Dice, Ints
from sims.dice.mechanics import Mechanic
from sims.dice.source import Argument
from sims.engines import Exact, play, solve
from sims.state import State
from tests.rulesets.judging import Case, compared, ends_and_losses

CLOSE = 1e-9
"""Floats that differ by more are noticed."""
FEW, MANY = 16, 256
"""Trials of what is only asked what it plays: of each of many large assaults, and of each small one."""
LAST = -1
"""The place of the last argument, which may be a cap after more groups of models or fewer."""


class Change(NamedTuple):
    """A stage of a player turn that is taken out, or an argument that a rule draws with in any of its stages."""

    player: str
    stage: str
    label: str = ""
    place: int = 0

    def __str__(self) -> str:
        place = "last argument" if self.place == LAST else f"argument {self.place + 1}"
        return f"{self.player}: {self.stage}" + (f', "{self.label}", {place}' if self.label else "")


@dataclass(frozen=True)
class Through:
    """Dice that hand on what they are asked for: `ask` may look at a label and its arguments, and put others there."""

    dice: Dice
    ask: Callable[[str, tuple[Argument, ...]], tuple[Argument, ...]]

    def draw(self, label: str, mechanic: Mechanic, *arguments: Argument) -> Ints:
        return self.dice.draw(label, mechanic, *self.ask(label, arguments))

    def within(self, scope: str) -> "Through":
        return replace(self, dice=self.dice.within(scope))

    def tally(self, name: str, value: Argument) -> None:
        self.dice.tally(name, value)


Ask = Callable[[str, Stage[Any, Any], str, tuple[Argument, ...]], tuple[Argument, ...]]
"""``ask(player, stage, label, arguments) -> arguments``; without a label when the stage begins."""


def asking(assault: Assault[Any, Any], ask: Ask, out: Change | None = None) -> Assault[Any, Any]:
    """Return an assault whose draws are asked about, with one stage taken out or none."""

    def through(player: str, stage: Stage[Any, Any]) -> Stage[Any, Any]:
        def rule(dice: Dice, state: State, scene: Any) -> State:
            ask(player, stage, "", ())
            own = Through(dice, lambda label, arguments: ask(player, stage, label, arguments))
            return stage.rule(own, state, scene)

        return replace(stage, rule=rule)

    def turn(own: PlayerTurn[Any, Any]) -> PlayerTurn[Any, Any]:
        kept = (stage for stage in own.stages if out is None or (own.name, stage.title) != out[:2])
        return replace(own, stages=tuple(through(own.name, stage) for stage in kept))

    return replace(assault, turn=tuple(turn(own) for own in assault.turn))


def rule_of(stage: Stage[Any, Any]) -> str:
    """Return the name of a stage's rule, whatever is bound to it."""
    return getattr(stage.rule, "func", stage.rule).__name__


class Reached(NamedTuple):
    """What a case plays as it is: every change that could be made to it, what comes of it, and the seconds it takes."""

    case: Case
    changes: set[Change]
    result: Exact
    seconds: float


def reached(case: Case) -> Reached:
    found: set[Change] = set()

    def note(player: str, stage: Stage[Any, Any], label: str, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
        if not label:
            found.add(Change(player, stage.title))
        for place in [*range(len(arguments) - 1), LAST] if label else []:
            found.add(Change(player, rule_of(stage), label, place))
        return arguments

    start = process_time()
    result = solve(asking(case.assault, note))
    return Reached(case, found, result, process_time() - start)


def met(assaults: Iterable[Assault[Any, Any]], trials: int) -> set[tuple[str, str, str]]:
    """Return player, rule and label of whatever assaults draw, and with an empty label of every stage they play.

    A label that is the number of a group, or ends with one, stands for those of all groups.
    """
    found = set[tuple[str, str, str]]()

    def note(player: str, stage: Stage[Any, Any], label: str, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
        found.add((player, rule_of(stage), sub(r"\b\d+$", "one group", label)))
        return arguments

    for assault in assaults:
        play(asking(assault, note), trials=trials)
    return found


def unreached(assaults: Iterable[Assault[Any, Any]], cases: Iterable[Case]) -> Iterator[str]:
    """Yield the stages that assaults play and no case does, and of those that one does the draws that none makes."""
    reach = met((case.assault for case in cases), MANY)
    for player, rule, label in sorted(met(assaults, FEW) - reach):
        if not label or (player, rule, "") in reach:
            yield f"{player}: {rule}" + (f', "{label}"' if label else "")


def noticed(of: Reached, assault: Assault[Any, Any]) -> bool:
    """Return whether brute force says otherwise of an assault; one that a value stops which cannot be tells nothing.

    A test of every case has it that brute force says of the ends and the losses what the engine does. So they are held
    against the engine's, which is quick, and brute force is asked where they tell nothing.
    """
    try:
        result = solve(assault)
    except (ArithmeticError, LookupError, ValueError):
        return False
    return differs(result, ends_and_losses(of.result)) or differs(result, of.case.expected)


def differs(result: Exact, expected: Mapping[str, Any]) -> bool:
    return any(abs(played - judged) > CLOSE for _, played, judged in compared(result, expected))


def changed(assault: Assault[Any, Any], change: Change, by: int) -> Assault[Any, Any]:
    """Return an assault with a stage taken out, or with one argument moved by so much; 0 goes down no farther."""

    def move(player: str, stage: Stage[Any, Any], label: str, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
        if (player, rule_of(stage), label) != change[:3] or change.place >= len(arguments) - 1:
            return arguments
        moved = list(arguments)
        old = np.asarray(moved[change.place]).astype(np.int64)
        moved[change.place] = old + by if by > 0 else np.where(old > 0, old + by, old)
        return tuple(moved)

    return asking(assault, move) if change.label else asking(assault, lambda *asked: asked[-1], out=change)


Choose = Callable[[Iterable[Change]], Iterable[Change]]
"""Which changes are tried."""


def unnoticed(cases: Iterable[Case], choose: Choose = sorted) -> Iterator[Change]:
    """Yield the changes that no case notices: stages taken out, and arguments moved down and up."""
    tried = sorted(map(reached, cases), key=lambda of: of.seconds)
    for change in choose(set[Change]().union(*(of.changes for of in tried))):
        meet = (of for of in tried if change in of.changes)
        ways = (-1, 1) if change.label else (0,)
        if not any(noticed(of, changed(of.case.assault, change, by)) for of, by in product(meet, ways)):
            yield change
