"""How wounds find models that do not fall alike, by the 5th edition: everybody gets one before anybody gets a second.

Wounds are of one *kind* if they have the same Strength, armour piercing and cover save against them; the strongest are
dealt out first. So it is settled how many each part of a unit has of each kind, and how many each body of it in all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from sims.dice import Bools, Dice, Ints, together
from sims.forces import Models, fallen, of, total, without
from sims.forces import together as together_with
from sims.games.wh40k import open_fight
from sims.games.wh40k.book import Fifth
from sims.games.wh40k.combat import common_toughness, dealt_out
from sims.games.wh40k.open_fight import Fight
from sims.games.wh40k.rules import Attack, Target, slays, unsaved
from sims.inputs import NONE
from sims.scenario import Body, Force, Scenario, Side

F = TypeVar("F", bound=Fight)


class House(Protocol):
    """A book of house rules that leans on the 5th edition."""

    @property
    def game(self) -> Fifth:
        """The book of the base game."""


class Scene(Protocol):
    """What does not change in a close combat."""

    @property
    def scenario(self) -> Scenario:
        """Who fights."""

    @property
    def book(self) -> House:
        """The book in force."""


class Kind(NamedTuple):
    """Wounds that are alike."""

    S: int
    AP: int = NONE
    cover: int = NONE

    @classmethod
    def of(cls, attack: Attack) -> "Kind":
        """Return what kind of wounds an attack causes."""
        return cls(*(int(np.asarray(number).item()) for number in (attack.by.S, attack.by.AP, attack.cover)))

    @property
    def rank(self) -> tuple[int, int, int]:
        """Its place in the order in which wounds are dealt out."""
        return -self.S, self.AP, self.cover


class Dealt(NamedTuple):
    """So many wounds of a kind."""

    kind: Kind
    n: Ints


def kinds_of(attacks: Iterable[Attack]) -> list[Kind]:
    """Return the kinds of wounds that attacks cause, in the order in which they are dealt out."""
    return sorted({Kind.of(attack) for attack in attacks}, key=lambda kind: kind.rank)


def struck(dice: Dice, book: Fifth, force: Force, models: Models, attacks: Sequence[Attack], label: str) -> list[Dealt]:
    """Return the wounds of each kind on a unit, before saves, against the Toughness that most of it have.

    Source: 40k (BASE-011, BASE-064).
    """
    T, dealt = common_toughness(force.bodies, models), list[Dealt]()
    for i, kind in enumerate(kinds_of(attacks), start=1):
        wounds = together(attack.wounds(book, T) for attack in attacks if Kind.of(attack) == kind)
        dealt.append(Dealt(kind, wounds.made(dice.within(f"kind {i}"), label)))
    return dealt


def seats(book: Fifth, force: Force) -> list[int]:
    """Return in which order bodies are dealt a wound: those before others have one more where they do not go round."""
    led, order = book.rulings.odd_wounds("leader"), [*range(len(force.bodies))[::-1]]
    return sorted(order, key=lambda i: not (led and force.groups[force.bodies[i].groups[0]].leads))


def shared(book: Fifth, force: Force, parts: Sequence[Models], dealt: Sequence[Dealt]) -> list[list[list[Dealt]]]:
    """Return the wounds of each body of each part of a unit: each model gets one, part by part, and round again.

    Source: 40k 5th edition (BASE-040).
    """
    nobody = np.zeros(1, np.int64)
    everybody, places = sum(map(total, parts), nobody), nobody
    found = []
    for part in parts:
        by_body = [list[Dealt]() for _ in force.bodies]
        for i in seats(book, force):
            there, before = total(of(force.bodies[i], part)), nobody
            for kind, n in dealt:
                up_to, already = (_of_places(wounds, places, there, everybody) for wounds in (before + n, before))
                by_body[i].append(Dealt(kind, up_to - already))
                before = before + n
            places = places + there
        found.append(by_body if book.rulings.strongest_wounds("in_turn") else ordinary_first(by_body))
    return found


def ordinary_first(by_body: list[list[Dealt]]) -> list[list[Dealt]]:
    """Return the wounds of each body of a part, as many, if ordinary models are given the strongest (BASE-040)."""
    kinds = [kind for kind, _ in by_body[0]]
    pool = [total(tuple(dealt[k].n for dealt in by_body)) for k in range(len(kinds))]
    given = []
    for dealt in reversed(by_body):
        given.append(first_of([*map(Dealt, kinds, pool)], total(tuple(n for _, n in dealt))))
        pool = [left - n for left, (_, n) in zip(pool, given[-1], strict=True)]
    return given[::-1]


def first_of(dealt: Sequence[Dealt], most: Ints) -> list[Dealt]:
    """Return the first wounds of several kinds, up to so many."""
    first = list[Dealt]()
    for kind, n in dealt:
        first.append(Dealt(kind, np.minimum(n, most)))
        most = most - first[-1].n
    return first


def _of_places(wounds: Ints, places: Ints, there: Ints, everybody: Ints) -> Ints:
    """Return how many of the first wounds fall on some places, after so many others."""
    return dealt_out(wounds, places + there, everybody) - dealt_out(wounds, places, everybody)


def borne(
    dice: Dice, book: Fifth, body: Body, models: Ints, hurt: Ints, here: Bools, dealt: Sequence[Dealt]
) -> tuple[Ints, Ints, Ints]:
    """Let some models of a body save together; return who fall, the wounds that one then carries, and those that count.

    A wound that slays takes a model away, an unhurt one while there is any, and counts as one. What they cannot take is
    lost. Wounds that have killed nobody elsewhere are carried on to them, and where nobody is they stay.

    Source: 40k (BASE-013, BASE-040; partly BASE-012).

    Args:
        hurt: Wounds that one of the body carries.
        here: Whether he is one of these.
    """
    at, W = Target.of(body.profile), body.profile.W
    most = np.maximum(models * W - hurt * here, 0)

    def failed(label: str, slaying: bool) -> Ints:
        draws = [
            unsaved(at.Sv, kind.AP, kind.cover, at.invulnerable).times(n).by(body.profile.title)
            for kind, n in dealt
            if (W > 1 and slays(book, kind.S, body.profile.T)) == slaying
        ]
        return together(draws).up_to(most).made(dice, label) if draws else np.zeros(1, np.int64)

    wounds, slain = failed("saves", slaying=False), failed("saves against instant death", slaying=True)
    dead = np.minimum(slain, models)
    carried = np.where(here & (models > 0) & (models == dead), 0, hurt)
    more, left = np.divmod(np.minimum(wounds, (models - dead) * W - carried * here) + carried, W)
    return dead + more, np.where(models > 0, left, hurt), np.minimum(wounds + slain, most)


def bear(
    dice: Dice, state: F, scene: Scene, side: Side, parts: Mapping[str, Models], dealt: Sequence[Dealt]
) -> tuple[F, list[Models], Ints]:
    """Let a side save against wounds; return the state, who is left of each part, and the wounds that count.

    Args:
        parts: Who can be wounded, by what they are called, those first who have a wound before others.
    """
    force, book = getattr(scene.scenario, side), scene.book.game
    models, begun = getattr(state, side), getattr(state, f"{side}_begun")
    hurts = [*getattr(state, f"{side}_others_hurt"), getattr(state, f"{side}_hurt")]
    left, counted, before = list[Models](), np.zeros(1, np.int64), tuple(np.zeros_like(n) for n in models)
    for (name, part), by_body in zip(parts.items(), shared(book, force, [*parts.values()], dealt), strict=True):
        for b, (body, own) in enumerate(zip(force.bodies, by_body, strict=True)):
            within, able = dice.within(f"{name} {b + 1}"), of(body, part)
            here = total(of(body, before)) == 0
            dead, hurts[b], wounds = borne(within, book, body, total(able), hurts[b], here, own)
            falls = fallen(within, book.rulings.who_falls, force, models, dead, "saves", able, begun=begun)
            models, part, counted = without(models, falls), without(part, falls), counted + wounds
        left.append(part)
        before = together_with(before, parts[name])
    hurt = {f"{side}_hurt": hurts[-1], f"{side}_others_hurt": tuple(hurts[:-1])}
    return state.replace(**{side: models}, **hurt), left, counted


def suffers(
    dice: Dice, state: F, scene: Scene, side: Side, attacks: Sequence[Attack], label: str, tally: str
) -> tuple[F, Ints]:
    """Let a side suffer attacks, whoever its models are; return the state and the wounds that count.

    Source: 40k 5th edition (BASE-040).
    """
    force, models = getattr(scene.scenario, side), getattr(state, side)
    if not force.mixed:
        return open_fight.suffers(dice, state, scene, side, attacks, label, tally)
    dealt = struck(dice, scene.book.game, force, models, attacks, label)
    after, _, wounds = bear(dice, state, scene, side, {side: models}, dealt)
    dice.tally(tally, wounds)
    return after, wounds
