"""Firing ports of a bunker: whether their shutters are open, and the shots that pass them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Literal, TypeVar

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints, Test, Volley, compound, together
from sims.dice.hits import Few, added, harming
from sims.dice.mechanics import Cast, Share, scoped
from sims.dice.source import Argument
from sims.dice.telling import Face, Told, d6, signed, thrown, told_test
from sims.forces import Models, picked, total
from sims.games.arap.allocation import Against, Attack, Marks, damage_of
from sims.games.arap.areas.aim import thrown_grenade
from sims.games.arap.rolls.hits import Modifiers, hit
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, armour_against, shot_that_hurts
from sims.games.arap.shooting import Salvo
from sims.inputs import NONE, Count, Piercing, Skill, Strength, Toughness, Truth
from sims.profiles import Unit, Weapon
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini

T = TypeVar("T")


def port_open(book: Gemini, earlier: Argument, last_turn: Argument, shuttered: bool = True) -> Bools:
    """Return whether ports stand open: shutters do if the garrison fired from them in a previous turn (GB-149).

    Args:
        earlier: It did in any turn before the one that goes on.
        last_turn: It did in the turn before.
        shuttered: The ports have shutters.
    """
    ruling = book.rulings.shutters
    if ruling("none") or not shuttered:
        return np.ones_like(earlier, dtype=np.bool_)
    return np.asarray(earlier if ruling("stay_open") else last_turn) > 0


@asks("GB-149", name="shuttered ports")
def ports_can_be_hit(
    book: Gemini, shuttered: bool = True, fired: Literal["never", "this turn", "last turn", "earlier"] = "never"
) -> Bools:
    """Return whether a port can be shot through (GB-149).

    Args:
        shuttered: Whether it has shutters.
        fired: When the occupants fired from it.
    """
    return port_open(book, fired in ("last turn", "earlier"), fired == "last turn", shuttered)


def port_modifier(book: Gemini) -> int:
    """Return the modifier for firing at a port, which takes the place of hard cover or adds to it (partly GB-144).

    No weapon that scatters is fired at one.
    """
    both = book.rulings.port_modifier("adds")
    return book.tables.ports.modifier + (book.game.tables.fire.hard_cover if both else 0)


@asks("GB-144", name="shot at a firing port", needs=("ARAP-005",), ask="P(passed)")
def port_shot(book: Gemini, BS: Skill, modifiers: Modifiers = 0, grenade: bool = False) -> Draw:
    """Return the roll to hit a firing port (partly GB-144).

    Args:
        BS: Ballistic Skill.
        modifiers: Other than those of the port and of a grenade.
        grenade: Whether a grenade is thrown at it.
    """
    aimed = thrown_grenade if grenade else hit
    return aimed(book.game, BS, modifiers + port_modifier(book))


@dataclass(frozen=True)
class AtPorts:
    """Shots of a unit at firing ports: of the hits of all only one in so many passes, whichever those are (GB-145).

    Arguments: of each kind of weapon its shots, then a target for each test, the first of which is the roll to hit.
    """

    kinds: tuple[tuple[Test, ...], ...]
    halved: int
    who: tuple[str, ...] = field(default=(), compare=False)

    @property
    def arity(self) -> int:
        """Return the number of tests, and one more for each kind."""
        return sum(1 + len(tests) for tests in self.kinds)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what passes every test: of all hits, as many as pass are drawn evenly."""
        return PMF.mixture((c, Share().pmf(hits // self.halved, hits, hurt)) for hits, hurt, c in self._hits(arguments))

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits that go through, with what passes every test."""
        return added(
            ((hits // self.halved, hurts), chance * c)
            for hits, hurt, chance in self._hits(arguments)
            if hits // self.halved < most
            for hurts, c in Share().pmf(hits // self.halved, hits, hurt)
        )

    def _hits(self, arguments: tuple[int, ...]) -> Iterator[tuple[int, int, Fraction]]:
        """Yield how many hits there may be, how many of them would pass every test, and the chance of both."""
        kinds = self._parts(arguments)
        span, found = 1 + sum(n for _, (n, *_) in kinds), PMF.constant(0)
        for tests, (n, to, *targets) in kinds:
            hit, hurts = tests[0].chance(to), Volley(tests[1:]).pmf(1, *targets)
            found = found + n @ PMF.mixture([(1 - hit, PMF.constant(0)), (hit, hurts + span)])
        for of, chance in found:
            yield *divmod(of, span), chance

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw to hit, halve, draw which hits pass, and throw for the rest."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return how many hits go through, and what passes every test."""
        kinds = self._parts(arguments)
        hits = [Volley(tests[:1]).throw(scoped(cast, f"{i}"), n, to) for i, (tests, (n, to, *_)) in enumerate(kinds)]
        left = np.sum(hits, axis=0)
        passing, hurt = left // self.halved, np.zeros_like(left)
        all_through = passing
        for i, (own, (tests, (_, _, *targets))) in enumerate(zip(hits, kinds, strict=True)):
            through = Share().throw(scoped(cast, f"{i} drawn"), passing, left, own)
            hurt = hurt + Volley(tests[1:]).throw(scoped(cast, f"{i} through"), through, *targets)
            left, passing = left - own, passing - through
        return all_through, hurt

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the rolls to hit and how many go through, and whose those are; then the rest as of any volley."""
        kinds, hits = self._parts(arguments), list[int]()
        for i, (who, (tests, (n, to, *_))) in enumerate(zip(self.who, kinds, strict=True)):
            rolls = [thrown(tests[0], to, d6(face, f"{i}: 0 {tests[0].name}", row)) for row in range(n)]
            hits.append(sum(hit for _, hit in rolls))
            yield from signed(who, [told_test(tests, 0, to, rolls)] if rolls else [])
        left, passing = sum(hits), sum(hits) // self.halved
        if left:
            yield f"one hit in {self.halved} goes through the ports: {passing} of {left}"
        for i, (who, own, (tests, (_, _, *targets))) in enumerate(zip(self.who, hits, kinds, strict=True)):
            told = Told(scoped(face, f"{i} drawn"))
            yield from Share(f"a hit of {who}" if who else "a hit").tell(told.face, passing, left, own)
            through = int(Share().throw(told.cast, *(np.array([n]) for n in (passing, left, own)))[0])
            yield from signed(who, Volley(tests[1:]).tell(scoped(face, f"{i} through"), through, *targets))
            left, passing = left - own, passing - through

    def _parts(self, arguments: tuple[T, ...]) -> list[tuple[tuple[Test, ...], tuple[T, ...]]]:
        """Return the tests of each kind, and its arguments."""
        own = iter(arguments)
        return [(tests, tuple(islice(own, 1 + len(tests)))) for tests in self.kinds]


@dataclass(frozen=True)
class EachAtPorts:
    """Shots at firing ports of which each model's hits are halved by themselves (GB-145).

    Arguments: models, shots of each, then a target for each test, the first of which is the roll to hit.
    """

    tests: tuple[Test, ...]
    halved: int
    who: str = field(default="", compare=False)

    @property
    def arity(self) -> int:
        """Return two more than the number of tests."""
        return 2 + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what passes every test."""
        _, _, _, *targets = arguments
        return compound(self._through(arguments), Volley(self.tests[1:]).pmf(1, *targets))

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits that go through, with what passes every test."""
        _, _, _, *targets = arguments
        return harming(most, self._through(arguments), Volley(self.tests[1:]).pmf(1, *targets)[1])

    def _through(self, arguments: tuple[int, ...]) -> PMF:
        """Return how many hits go through."""
        models, each, target, *_ = arguments
        hit = PMF.chance(self.tests[0].chance(target))
        return models @ (each @ hit).map(lambda hits: hits // self.halved)

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw to hit, halve, and throw for the rest."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return how many hits go through, and what passes every test."""
        models, each, *targets = arguments
        most, deep = int(np.max(models, initial=0)), int(np.max(each, initial=0))
        throws = (
            Volley(self.tests[:1]).throw(scoped(cast, f"model {i}"), np.where(models > i, each, 0), targets[0])
            for i in range(most if deep else 0)
        )
        through = sum((hits // self.halved for hits in throws), start=np.zeros_like(models))
        return through, Volley(self.tests[1:]).throw(scoped(cast, "through"), through, *targets[1:])

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the rolls to hit and how many go through, then the rest as of any volley."""
        return signed(self.who, self._lines(face, *arguments))

    def _lines(self, face: Face, *arguments: int) -> Iterator[str]:
        models, each, to, *targets = arguments
        test, rolls, through = self.tests[0], list[tuple[str, bool]](), 0
        for i in range(models):
            own = [thrown(test, to, d6(face, f"model {i}: 0 {test.name}", row)) for row in range(each)]
            through += sum(hit for _, hit in own) // self.halved
            rolls += own
        if rolls:
            yield f"{told_test(self.tests, 0, to, rolls)}; one in {self.halved} goes through the port: {through}"
        yield from Volley(self.tests[1:]).tell(scoped(face, "through"), through, *targets)


def at_ports(dice: Dice, book: Gemini, at: Marks, salvoes: Callable[[Unit], Sequence[Salvo]]) -> Against:
    """Return what salvoes at the ports of a bunker are to those behind (GB-145).

    Where these are not alike, or hits are shared out evenly or counted, what passes the ports is thrown first.

    Args:
        at: Those behind.
        salvoes: Of one shooting, at models with a profile.
    """
    if at.finding is None:
        return lambda target: [Attack(draw) for draw in halved(book, salvoes(target))]
    ordinary = salvoes(at.force.unit)
    damages = {damage_of(salvo.weapon) for salvo in ordinary}
    shared = book.game.rulings.hits_shared("evenly") or book.game.rulings.suppression("test")
    if not at.force.mixed and len(damages) == 1 and not shared:
        wounds = together(halved(book, ordinary)).made(dice, "wounds behind the ports")
        return lambda _: [Attack(Draw(Volley(()), (wounds,)), max(damages))]
    through = hits_through(dice, book, ordinary)

    def behind(target: Unit) -> list[Attack]:
        attacks = list[Attack]()
        for s, n in zip(salvoes(target), through, strict=True):
            wounds = Draw(Volley(s.shot.tests[1:]), (n, *s.shot.targets[1:])).by(s.who)
            attacks.append(Attack(wounds, damage_of(s.weapon), hits=n))
        return attacks

    return behind


def hits_through(dice: Dice, book: Gemini, salvoes: Sequence[Salvo]) -> Models:
    """Throw to hit; return how many hits of each salvo pass the ports, which of them being drawn evenly (GB-145)."""
    ruling, share, apart = book.rulings.halved_hits, book.tables.ports.halved, list[Ints]()
    for i, s in enumerate(salvoes, start=1):
        aimed = Draw(Volley(s.shot.tests[:1]), (s.models * s.shots, s.shot.targets[0]))
        if ruling("each_model"):
            aimed = Draw(EachAtPorts(s.shot.tests[:1], share, s.who), (s.models, s.shots, s.shot.targets[0]))
        apart.append(aimed.made(dice, f"hits {i}"))
    if ruling("each_model"):
        return tuple(apart)
    for pool in pools(book, salvoes):
        hits = tuple(apart[i] for i in pool)
        through = picked(
            dice.within(f"{pool[0]}"), hits, total(hits) // share, [f"a hit of {salvoes[i].who}" for i in pool]
        )
        for i, n in zip(pool, through, strict=True):
            apart[i] = n
    return tuple(apart)


def pools(book: Gemini, salvoes: Sequence[Salvo]) -> list[list[int]]:
    """Return which salvoes are halved together: all, or those of like weapons (GB-145)."""
    found = dict[Weapon | None, list[int]]()
    for i, salvo in enumerate(salvoes):
        found.setdefault(None if book.rulings.halved_hits("pooled") else salvo.weapon, []).append(i)
    return [*found.values()]


def halved(book: Gemini, salvoes: Sequence[Salvo]) -> list[Draw]:
    """Return the salvoes of one shooting at the ports of a bunker, the hits being halved together or apart (GB-145)."""
    share = book.tables.ports.halved
    if book.rulings.halved_hits("each_model"):
        each = ((EachAtPorts(s.shot.tests, share, s.who), (s.models, s.shots, *s.shot.targets)) for s in salvoes)
        return [Draw(*draw) for draw in each]
    return [_pooled([salvoes[i] for i in pool], share) for pool in pools(book, salvoes)]


def _pooled(salvoes: Sequence[Salvo], halved: int) -> Draw:
    mechanic = AtPorts(tuple(s.shot.tests for s in salvoes), halved, tuple(s.who for s in salvoes))
    return Draw(mechanic, tuple(a for s in salvoes for a in (s.models * s.shots, *s.shot.targets)))


@asks("GB-145", name="hits at a firing port", needs=("ARAP-005", "ARAP-011"))
def port_hits(
    book: Gemini,
    shots: Count,
    BS: Skill,
    modifiers: Modifiers = 0,
    S: Strength = 0,
    T: Toughness = 0,
    save: SaveGoal = NO_SAVE,
    AP: Piercing = NONE,
    near: Truth = True,
) -> Draw:
    """Return how many of a unit's shots pass a firing port, or wound behind it without being saved (GB-145).

    Args:
        shots: In one shooting action, one for each model.
        BS: Ballistic Skill.
        modifiers: Other than that of the port.
        S: Strength of the shots; 0 to count hits.
        T: Toughness of those inside.
        save: Their armour save, or none.
        near: Whether they are shot at from short range.
    """
    aimed = hit(book.game, BS, modifiers + port_modifier(book))
    shot = shot_that_hurts(book.game, aimed, S, T, Saves(armour_against(save, AP)), near)
    (through,) = halved(book, [Salvo("", None, shots, 1, shot)])
    return through
