"""What an assault is, for every rule set and every engine.

A rule is a pure function ``rule(dice, state, scene) -> state``. `state` is what changes: a frozen dataclass of
integer arrays, ``[..., R]``, with R trials or distinct states. `scene` is what does not: the scenario in the rule
set's own terms, with its tables. A turn is a sequence of stages, and each stage is one rule.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property, reduce
from itertools import takewhile
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.scenario import Scenario, Side
from sims.state import Phrase, State
from sims.words import CHOSEN


class End(IntEnum):
    """How an assault ended. Of the first three the greater goes before; `GOING_ON` is not an end."""

    GOING_ON = 0
    BROKEN = 1
    CAPTURED = 2
    DESTROYED = 3
    HELD = 4


class Scene(Protocol):
    """What does not change in an assault: what every rule set has of it, to which each adds its own."""

    @property
    def scenario(self) -> Scenario:
        """What is played."""

    def standing(self, state: Any, side: Side) -> tuple[Ints, ...]:
        """Return how many of each group of a side are left."""

    def with_standing(self, state: Any, side: Side, models: tuple[Ints, ...]) -> Any:
        """Return a state with so many of each group of a side left, all else as near to what it was as can be."""


S = TypeVar("S", bound=State)
C = TypeVar("C", bound=Scene)


Actor = Literal["attackers", "defenders", "both sides", "building"]
"""Who acts in a stage: a side or both, or neither: the building burns, is damaged or falls."""


@dataclass(frozen=True)
class Stage(Generic[S, C]):
    """One step of a turn.

    Attributes:
        name: What is done, in words: for the log, and part of the address of its dice.
        rule: ``rule(dice, state, scene) -> state``.
        when: ``when(state, scene) -> bools [R]``: the columns the stage concerns; the others pass it by untouched.
        times: How often the stage is played in a row (one shot after the other, where each may change the next).
        by: Who acts, for the log; the side whose player turn it is if not given.
        group: The place in its side of the group that it is about, where it is one alone: part of the address of its
            dice.
        of: What the group is called that acts, for the log alone: other words for the same models do not change their
            luck.
    """

    name: str
    rule: Callable[[Dice, S, C], S]
    when: Callable[[S, C], Bools] | None = None
    times: int = 1
    by: Actor | None = None
    group: int | None = None
    of: str = ""

    @property
    def title(self) -> str:
        """What is done, and whose models do it."""
        return f"{self.name} ({self.of})" if self.of else self.name


When = Callable[[S, C], Bools]


def both(one: When[S, C], other: When[S, C]) -> When[S, C]:
    """Return the test of whether two things hold."""
    return lambda state, scene: one(state, scene) & other(state, scene)


def only(where: When[S, C], stages: Iterable[Stage[S, C]]) -> Iterator[Stage[S, C]]:
    """Yield stages that are played only where something holds, besides what they ask for themselves."""
    for stage in stages:
        yield replace(stage, when=where if stage.when is None else both(where, stage.when))


def of_group(i: int, title: str, stages: Iterable[Stage[S, C]]) -> Iterator[Stage[S, C]]:
    """Yield stages that are about one group of models, by its place in its side; what it does itself is so called."""
    for stage in stages:
        yield replace(stage, group=i, of="" if stage.by else title)


def acted(by: Actor, stages: Iterable[Stage[S, C]]) -> Iterator[Stage[S, C]]:
    """Yield stages in which somebody acts, but for those that name another themselves."""
    for stage in stages:
        yield replace(stage, by=stage.by or by)


class Step(NamedTuple):
    """One playing of a stage: which step of the turn, counted from 0, and the words that address its dice."""

    turn: int
    place: int
    player_turn: str
    stage: str
    repetition: int


class Moment(NamedTuple):
    """A point of an assault: its turn, and which step of that turn comes next, counted from 0."""

    turn: int
    place: int


START = Moment(1, 0)
"""Before the first turn."""


@dataclass(frozen=True)
class PlayerTurn(Generic[S, C]):
    """The stages of one side's turn, in order."""

    name: str
    stages: tuple[Stage[S, C], ...]

    def addressed(self) -> list[tuple[Stage[S, C], str]]:
        """Return each stage with its name and number among its namesakes: part of the address of its dice."""
        seen: Counter[str] = Counter()
        named = []
        for stage in self.stages:
            name = stage.name if stage.group is None else f"{stage.name} {stage.group}"
            named.append((stage, f"{name} {seen[name]}"))
            seen[name] += 1
        return named


@dataclass(frozen=True)
class Outcome:
    """What every rule set says of a state, in the same words; all ``[R]``.

    Attributes:
        attackers_lost, defenders_lost: Models removed as casualties so far.
        cleared: No living defender is inside.
    """

    attackers_lost: Ints
    defenders_lost: Ints
    cleared: Bools


class Told(NamedTuple):
    """What the log says of a field of a state, or of a part of it."""

    field: str
    part: int | None
    words: Phrase

    def of(self, state: State) -> Any:
        """Return what stands there; the field of a record comes after a dot."""
        value = attrgetter(self.field)(state)
        return value if self.part is None else value[self.part]


@dataclass(frozen=True)
class Assault(Generic[S, C]):
    """A scenario under one set of rules, ready to be played by any engine.

    Attributes:
        rules: The id of the rule set or house rule.
        scene: What does not change: profiles, numbers, tables.
        start: The state before the first turn, ``[1]``.
        turn: One turn: a player turn of each side, in order.
        limit: Turns after which it is called: the building counts as held, if `at_limit` does not say otherwise.
        end: ``end(state, scene) -> ends``: for each column its `End`, or `End.GOING_ON`; asked after every stage.
        outcome: ``outcome(state, scene) -> Outcome``, asked of columns that have ended, and of all when a turn ends.
        translate: ``translate(scene) -> words``, by term: how the scenario was put into the rule set's own terms.
        alike: ``alike(state, scene) -> state``: the one that stands for all from which everything goes on in the same
            way.
        committed: ``committed(state, scene, side) -> bools``: where a side has to go on by the plan that it has.
        chosen: What the attackers have chosen that the scenario leaves to them, in words.
        parts: What the parts of a field are called, such as the sections of a building, where it has one for each.
        at_limit: ``at_limit(state, scene) -> ends``: how those end that still go on when the turn limit has come.
        smaller: Values that would make it smaller, by the keys of files, for those for whom it is too large: those that
            change least come first.
    """

    rules: str
    scene: C
    start: S
    turn: tuple[PlayerTurn[S, C], ...]
    limit: int
    end: Callable[[S, C], Ints]
    outcome: Callable[[S, C], Outcome]
    translate: Callable[[C], Mapping[str, str]] = lambda _: {}
    alike: Callable[[S, C], S] = lambda state, _: state
    committed: Callable[[S, C, Side], Bools] = lambda state, _, side: np.zeros(1, dtype=np.bool_)
    chosen: str = ""
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    at_limit: Callable[[S, C], Ints] = lambda state, _: np.array(End.HELD)
    smaller: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """What the log says of each field that means something to a player, of parts with names one by one."""
        found = list[Told]()
        for name, words in self.start.told.items():
            if names := self.parts.get(name, ()):
                found += [Told(name, i, _about(words, part)) for i, part in enumerate(names)]
            else:
                found.append(Told(name, None, words))
        return tuple(found)

    @property
    def translation(self) -> Mapping[str, str]:
        """How the scenario was put into the rule set's own terms; said when it is asked for."""
        return {**self.translate(self.scene), **({CHOSEN: self.chosen} if self.chosen else {})}

    def called(self, state: S, end: Ints) -> Ints:
        """Return the ends of states when the turn limit has come, by those that they had before."""
        return np.where(end == End.GOING_ON, self.at_limit(state, self.scene), end)

    def steps(self, turn: int) -> Iterator[tuple[Step, Stage[S, C]]]:
        """Yield every step of a turn in order, a stage that is repeated as often as it is played."""
        place = 0
        for player in self.turn:
            for stage, name in player.addressed():
                for repetition in range(stage.times):
                    yield Step(turn, place, player.name, name, repetition), stage
                    place += 1

    def opening(self, turn: int, side: Side) -> Moment:
        """Return when the player turn of a side begins."""
        before = takewhile(lambda player: player.name != side, self.turn)
        return Moment(turn, sum(stage.times for player in before for stage in player.stages))


def ending(*, destroyed: Bools, captured: Bools, broken: Bools) -> Ints:
    """Return the end of each column, by the order of precedence in `End`."""
    ends = ((broken, End.BROKEN), (captured, End.CAPTURED), (destroyed, End.DESTROYED))
    return reduce(np.maximum, (there * np.int8(end) for there, end in ends))


def _about(words: Phrase, part: str) -> Phrase:
    """Return words about a part, by its name."""
    if isinstance(words, str):
        return words.replace("{part}", part)
    if isinstance(words, Mapping):
        return {code: said.replace("{part}", part) for code, said in words.items()}
    return tuple(said.replace("{part}", part) for said in words)
