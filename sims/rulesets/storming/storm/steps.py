"""The order of play of a storming, step by step, as it is played and as it is asked."""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import Any, Literal, NamedTuple

import numpy as np

from sims.assault import Actor, Stage, When
from sims.dice import Bools
from sims.forces import total
from sims.games.wh40k.open_fight import ATTACKERS, DEFENDERS, NOBODY
from sims.games.wh40k.retreat import in_order
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Step, Storm
from sims.rulesets.storming.storm import aftermath, fight, fireteam, result, support
from sims.rulesets.storming.usual.structure import storms, within_charge

Rule = Callable[..., Storm]


def at_the_walls(state: Storm, scene: Scene) -> Bools:
    """Return where the squad storms: it has charged and not drawn off yet."""
    return (state.distance == 0) & in_order(state, scene)


def inside(state: Storm, scene: Scene) -> Bools:
    """Return where a Fireteam is in the building."""
    return total(state.fireteam) > 0


def fights_on(state: Storm, scene: Scene) -> Bools:
    """Return where a second round is fought: by a squad that storms, or that is still at it (ST-043)."""
    at_it = (
        inside(state, scene)
        | (state.slain > 0)
        | struck(state, scene)
        | decided(state, scene)
        | (state.failed != NOBODY)
    )
    return at_it | (np.bool_(scene.storming) & storms(state, scene))


def struck(state: Storm, scene: Scene) -> Bools:
    """Return where the defenders have caused wounds."""
    return state.struck > 0


def decided(state: Storm, scene: Scene) -> Bools:
    """Return where a side has lost the fight."""
    return state.lead != 0


def failed(*sides: int) -> When[Storm, Scene]:
    """Return the test of whether one of some sides has failed its morale check."""
    return lambda state, scene: reduce(np.logical_or, (state.failed == side for side in sides))


def _emptied(state: Storm, scene: Scene) -> Bools:
    gone = (state.failed == DEFENDERS) | (total(state.defenders) == 0)
    return gone & (state.distance == 0) & (total(state.attackers) > 0)


def _undecided(state: Storm, scene: Scene) -> Bools:
    stand = (state.failed == NOBODY) & (total(state.defenders) > 0)
    return stand & (state.distance == 0)


def dealt(state: Storm, scene: Scene) -> Bools:
    """Return where attackers who do not all fall alike have wounds to save against."""
    return total(state.dealt) > 0


class Part(NamedTuple):
    """A rule of a storming: its step in the text's order, its name, where it is played, who acts, and how often."""

    step: str
    name: str
    rule: Rule
    when: When[Storm, Scene]
    by: Actor = "attackers"
    times: int = 1


ENTER = Part("3", "storm", fireteam.storm, within_charge)
SUPPORT = Part("4", "support", support.support, at_the_walls)
DEFENDERS_STRIKE = Part("5", "defenders strike", fight.defenders_strike, inside, "defenders")
SAVES = Part("5", "saves", fight.saves, struck)
STRIKE_AT_UNLIKE = DEFENDERS_STRIKE._replace(rule=fight.strike_at_unlike)
UNLIKE_SAVE = SAVES._replace(rule=fight.unlike_save, when=dealt)
FIRETEAM_STRIKES = Part("6", "fireteam strikes", fight.fireteam_strikes, inside)
COMPARE = Part("7", "compare wounds", result.compare_wounds, at_the_walls, "both sides")
MORALE = Part("8", "morale", result.morale, decided, "both sides")
SWEEP = Part("8", "sweep", aftermath.sweep, failed(ATTACKERS, DEFENDERS), "both sides")
AFTERMATH = (
    Part("9a", "attackers fall back", aftermath.attackers_fall_back, failed(ATTACKERS)),
    Part("9b", "defenders driven out", aftermath.defenders_driven_out, failed(DEFENDERS), "defenders"),
    Part("9b", "take", aftermath.take, _emptied),
)
DRAW_OFF = Part("9c", "draw off", aftermath.draw_off, _undecided)


def blows(book: Storming, attackers: int = 0, defenders: int = 0) -> tuple[Part, ...]:
    """Return steps 5 and 6 in the order of the ruling on blows; Initiatives matter to one of its options (ST-033)."""
    by_initiative = book.rulings.blows("initiative")
    if book.rulings.blows("simultaneous") or (by_initiative and attackers == defenders):
        return DEFENDERS_STRIKE, FIRETEAM_STRIKES, SAVES
    if by_initiative and attackers > defenders:
        return FIRETEAM_STRIKES, DEFENDERS_STRIKE, SAVES
    return DEFENDERS_STRIKE, SAVES, FIRETEAM_STRIKES


def exchange(scene: Scene) -> tuple[Part, ...]:
    """Return one exchange of blows, up to who has won it (ST-033 to ST-035)."""
    squad, garrison = scene.scenario.attackers, scene.scenario.defenders
    exchanged = blows(scene.book, squad.unit.I, garrison.unit.I)
    if squad.mixed:
        unlike = {DEFENDERS_STRIKE: STRIKE_AT_UNLIKE, SAVES: UNLIKE_SAVE._replace(times=fight.rounds_of_saves(scene))}
        exchanged = tuple(unlike.get(part, part) for part in exchanged)
    return *exchanged, COMPARE


def nerve(book: Storming) -> tuple[Part, ...]:
    """Return what a lost fight leads to before anybody moves (ST-036)."""
    return (MORALE, SWEEP) if book.rulings.sweeping_advance("yes") else (MORALE,)


def rounds(book: Storming, exchange: tuple[Part, ...]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return what follows the support attacks, in the attackers' turn and in the other (ST-043, ST-046)."""
    fought = (*exchange, *nerve(book), *AFTERMATH)
    if book.rulings.second_round("yes"):
        return fought, (*fought, DRAW_OFF)
    return (*fought, DRAW_OFF), ()


def storming(scene: Scene, enter: tuple[Part, ...] = (ENTER,)) -> Iterator[Step]:
    """Yield the stages of a storming in the attackers' turn (ST-043, ST-046)."""
    first, _ = rounds(scene.book, exchange(scene))
    yield from stages(*enter, SUPPORT, *first)


def second_round(scene: Scene) -> Iterator[Step]:
    """Yield the stages of a second exchange in the opposing player's turn, where there is one (ST-043)."""
    _, second = rounds(scene.book, exchange(scene))
    yield from stages(*second, charging=False)


def stages(*parts: Part, charging: bool = True) -> Iterator[Step]:
    """Yield parts as stages; the Fireteam strikes with its charge unless told otherwise."""
    for part in parts:
        tired = part is FIRETEAM_STRIKES and not charging
        yield Stage(
            part.name, partial(part.rule, charging=False) if tired else part.rule, part.when, part.times, by=part.by
        )


Asked = Literal[
    "support casualties",
    "wounds that count",
    "morale check",
    "attackers fall back",
    "attackers occupy",
    "attackers consolidate",
    "defenders fall back",
]
_RULES: dict[str, set[Any]] = {
    "support casualties": {support.support},
    "wounds that count": {fight.defenders_strike, fight.fireteam_strikes},
    "morale check": {result.morale},
    "attackers fall back": {aftermath.attackers_fall_back},
    "attackers occupy": {aftermath.take},
    "attackers consolidate": {aftermath.take, aftermath.draw_off},
    "defenders fall back": {aftermath.defenders_driven_out},
}


@asks("ST-046", name="order of play")
def steps_of(book: Storming, what: Asked) -> str:
    """Return in which steps of a storming something happens (ST-046).

    Args:
        what: What happens.
    """
    parts = (ENTER, SUPPORT, *blows(book), COMPARE, *nerve(book), *AFTERMATH, DRAW_OFF)
    return " and ".join(dict.fromkeys(part.step for part in parts if part.rule in _RULES[what]))


@asks("ST-043", name="exchanges in a storming")
def exchanges(book: Storming) -> int:
    """Return how many exchanges of blows a storming has (ST-043)."""
    return sum(turn.count(COMPARE) for turn in rounds(book, (*blows(book), COMPARE)))


@asks("ST-033", name="models that strike back")
def striking_back(book: Storming, fireteam: int, slain: int) -> int:
    """Return how many models of a Fireteam strike, if the defenders have no higher Initiative (ST-033).

    Args:
        fireteam: Models that came in.
        slain: Of them by the defenders.
    """
    at_most(10**6, fireteam=fireteam)
    at_most(fireteam, slain=slain)
    order = blows(book)
    return fireteam - slain if order.index(SAVES) < order.index(FIRETEAM_STRIKES) else fireteam
