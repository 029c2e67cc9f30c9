"""How the hits of volleys find targets that are not alike, and what each of those suffers.

Targets come in *bodies*: models with the same Wounds and the same targets for the tests of a volley. One hit after the
other finds a model, and takes its tests against that one; who has lost his last Wound is not found any more. A model
may pass on to another what is about to hurt it, before the last test, its save; and one wound may take several of its
Wounds.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, product, zip_longest
from math import lcm, prod
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sims.dice.die import Bools, Ints
from sims.dice.draws import Draw
from sims.dice.hits import Few, added
from sims.dice.mechanics import Cast, Volley, distribution, scoped
from sims.dice.pmf import PMF
from sims.dice.source import Argument, Dice
from sims.dice.targets import Test
from sims.dice.telling import Face, d6, listed, needed, purpose, scored, signed, thrown, told_test

NOBODY = 7
"""A need that no D6 meets."""
Suffered = tuple[int, ...]
"""Wounds that each body has suffered; after them what else tells whom the next hit finds, if anything does."""
Find = Callable[[Cast, str, Sequence[Ints], Bools], Ints]
"""``find(cast, hit, living, there)`` is the body that a hit finds in each trial, ``[R]``, where it is there; one more
than there are for nobody."""


class Body(NamedTuple):
    """Models that are alike: how many there are, what each can take, and what one of them has lost already.

    Attributes:
        passes: What one of them needs on a D6 to pass on to another what is about to hurt it; `NOBODY` if none does.
    """

    models: Argument
    W: Argument = 1
    hurt: Argument = 0
    who: str = ""
    passes: int = NOBODY


T = TypeVar("T")


class _Lot(NamedTuple):
    """A volley with its arguments.

    Attributes:
        volley: What every hit takes that has found somebody.
        n: How often it is made, and
        aim: the roll to hit of each, with its target, where hits are counted before they find anybody.
        targets: For each body, a target for each test of the volley.
    """

    volley: Volley
    n: Any
    targets: Sequence[tuple[Any, ...]]
    aim: tuple[Test, Any] | None = None

    @property
    def hits(self) -> tuple[int, PMF]:
        """How often it is made, and the hits of each time."""
        if self.aim is not None:
            test, target = self.aim
            return 1, self.n @ PMF.chance(test.chance(int(target)))
        return self.n, PMF.constant(1) if self.volley.hits is None else self.volley.hits.pmf

    def to_hit(self, aimed: bool) -> tuple[Fraction | None, int, Sequence[Test], Sequence[tuple[Any, ...]]]:
        """Return the chance to hit, None without a roll; how often that is thrown; what each hit takes then."""
        assert self.volley.hits is None
        if self.aim is not None:
            test, target = self.aim
            return test.chance(int(target)), self.n, self.volley.tests, self.targets
        if not aimed:
            return None, self.n, self.volley.tests, self.targets
        first, *rest = self.volley.tests
        return first.chance(self.targets[0][0]), self.n, rest, [of[1:] for of in self.targets]

    def made(self, cast: Cast) -> Ints:
        """Return how often it is made, by the dice that are thrown to hit."""
        if self.aim is None:
            return self.n
        test, target = self.aim
        return Volley((test,)).throw(cast, self.n, target)


@dataclass(frozen=True)
class _Finding(ABC):
    """The wounds that each body suffers of volleys, one volley after the other, as digits of one number.

    Arguments: for each body how many models, Wounds of each, Wounds lost by one of them; then for each volley n, and
    for each body a target for each test.

    Attributes:
        bodies: How many there are.
        digit: The wounds that a body suffers are one digit of the answer to this base, those of the first the lowest.
        counted: Which digit it is, where bodies share one; else each has its own.
        passes: What each body needs to pass on what is about to hurt it, where any does.
        takes: Of each volley, how many Wounds one wound takes of a model of each body that has so many left; where any
            takes more than one.
        aimed: Of each volley, whether its first test is a roll to hit; none is if not given.
    """

    volleys: tuple[Volley, ...]
    bodies: int
    digit: int
    who: tuple[str, ...] = field(default=(), compare=False)
    counted: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()
    takes: tuple[tuple[int, ...], ...] = ()
    aimed: tuple[bool, ...] = ()

    @property
    def arity(self) -> int:
        """Return three for each body, and what the volleys take."""
        return 3 * self.bodies + sum(1 + len(volley.tests) * self.bodies for volley in self.volleys)

    @abstractmethod
    def _parts(self, models: int) -> int:
        """Return a number that all numbers of shares divide among which a hit may be shared by so many models."""

    @abstractmethod
    def _found(self, living: Sequence[int], begun: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
        """Return whom a hit may find, a body and its share, and of how many shares; nobody if none lives.

        Args:
            living: Models of each body who live.
            begun: Models of each body before the first hit.
        """

    @abstractmethod
    def _find(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints]) -> Ints:
        """Return the body that a hit finds in each trial, ``[R]``; one more than there are for nobody."""

    def _finder(self, begun: Sequence[Ints]) -> Find:
        """Return what finds a body for one hit after the other."""
        return lambda cast, hit, living, _: self._find(cast, hit, living, begun)

    @property
    def _start(self) -> Suffered:
        """What has been suffered before the first hit."""
        return (0,) * self.bodies

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the answer."""
        bodies, lots = self._shared(arguments)
        alive, begun = [_living(*body) for body in bodies], [models for models, _, _ in bodies]
        parts = self._all_parts(begun)
        ways: dict[Suffered, int] = {self._start: 1}
        for i, lot in enumerate(lots):
            whole, wounding = self._wounding(lot.volley.tests, lot.targets)
            lost = [self._lost(i, body, *bodies[body][1:]) for body in range(self.bodies)]
            times, hits = lot.hits
            for _ in range(times):
                after: dict[Suffered, int] = {}
                for more in range(hits.outcomes[-1] + 1):
                    share = int(hits[more] * hits.total) * (whole * parts) ** (hits.outcomes[-1] - more)
                    for suffered, weight in ways.items() if share else ():
                        after[suffered] = after.get(suffered, 0) + share * weight
                    if more < hits.outcomes[-1]:
                        ways = self._hit(ways, alive, begun, wounding, lost, whole, parts)
                ways = after
        answers: dict[int, int] = {}
        for suffered, weight in ways.items():
            answer = self._answer(suffered[: self.bodies])
            answers[answer] = answers.get(answer, 0) + weight
        return PMF.of(answers)

    def few(self, most: int, *arguments: int) -> Few:
        """Return the chances of few hits by volleys that have a roll to hit, with the answer.

        The roll is the same against all bodies.
        """
        bodies, lots = self._shared(arguments)
        alive, begun = [_living(*body) for body in bodies], [models for models, _, _ in bodies]
        parts = self._all_parts(begun)
        by_hits: list[Mapping[Suffered, Any]] = [{self._start: Fraction(1)}, *({} for _ in range(most - 1))]
        for i, lot in enumerate(lots):
            roll, n, tests, targets = lot.to_hit(self._is_aimed(i))
            whole, wounding = self._wounding(tests, targets)
            lost = [self._lost(i, body, *bodies[body][1:]) for body in range(self.bodies)]
            for _ in range(n):
                hit = [self._hit(ways, alive, begun, wounding, lost, whole, parts) for ways in by_hits]
                if roll is None:
                    by_hits = [_scaled(ways, Fraction(1, whole * parts)) for ways in hit]
                    continue
                after: list[dict[Suffered, Any]] = [Counter(_scaled(ways, 1 - roll)) for ways in by_hits]
                for ways, more in zip(hit, after[1:], strict=False):
                    for suffered, weight in ways.items():
                        more[suffered] += weight * roll / (whole * parts)
                by_hits = [*after]
        return added(
            ((hits, self._answer(suffered[: self.bodies])), chance)
            for hits, ways in enumerate(by_hits)
            for suffered, chance in ways.items()
        )

    def _is_aimed(self, volley: int) -> bool:
        return bool(self.aimed) and self.aimed[volley]

    def _all_parts(self, begun: list[int]) -> int:
        """Return a number that all numbers of shares divide among which a hit may be shared, passed on too."""
        parts = self._parts(sum(begun))
        return parts * (6 * parts if self.passes else 1)

    def _wounding(
        self, tests: Sequence[Test], targets: Sequence[Sequence[Any]]
    ) -> tuple[int, dict[tuple[int, int], int]]:
        """Return the weight of a wound by a hit that finds one body and is suffered by another, and of what whole."""
        chances = [[test.chance(t) for test, t in zip(tests, of, strict=True)] for of in targets]
        chance = {
            (found, struck): prod(chances[found][:-1]) * prod(chances[struck][-1:])
            for found, struck in product(range(self.bodies), repeat=2)
            if found == struck or self.passes
        }
        whole = lcm(*(p.denominator for p in chance.values()))
        return whole, {pair: int(p * whole) for pair, p in chance.items()}

    def _hit(
        self,
        ways: Mapping[Suffered, Any],
        alive: list[list[int]],
        begun: list[int],
        wounding: dict[tuple[int, int], int],
        lost: list[Callable[[int], int]],
        whole: int,
        parts: int,
    ) -> dict[Suffered, Any]:
        """Return what bodies have suffered after one more hit, with weights that are so many times as large.

        Args:
            ways: The weight of what they have suffered.
            alive: Of each body, how many live after no wound, one, two, ...
            begun: How many there were of each.
            wounding: The weight, of a whole, of a wound by a hit that finds one body and is suffered by another.
            lost: Of each body, what is lost by a wound after so many.
            parts: What every share is a share of.
        """
        after: dict[Suffered, Any] = {}
        for suffered, weight in ways.items():
            nothing = whole * parts
            living = [of[n] for of, n in zip(alive, suffered, strict=True)]
            for found, body, share in self._struck(living, begun, parts):
                if wound := share * wounding[found, body]:
                    then = (*suffered[:body], suffered[body] + lost[body](suffered[body]), *suffered[body + 1 :])
                    after[then] = after.get(then, 0) + weight * wound
                    nothing -= wound
            if nothing:
                after[suffered] = after.get(suffered, 0) + weight * nothing
        return after

    def _struck(self, living: Sequence[int], begun: Sequence[int], parts: int) -> Iterator[tuple[int, int, int]]:
        """Yield whom a hit finds, who of those takes it in the end, and the share of this."""
        found, among = self._found(living, begun)
        for body, share in found:
            part = parts // among * share
            others, shares = self._found(_but(living, body), begun) if self._need(body) < NOBODY else ([], 1)
            passed = part // 6 * (NOBODY - self._need(body)) if others else 0
            yield body, body, part - passed
            for other, more in others:
                yield body, other, passed // shares * more

    def _need(self, body: int) -> int:
        return self.passes[body] if self.passes else NOBODY

    def _lost(self, volley: int, body: int, W: int, hurt: int) -> Callable[[int], int]:
        """Return what a model of a body loses by a wound of a volley, after so many that the body has suffered."""
        takes = self._takes(volley, body)
        return lambda suffered: min(takes, W - (suffered + hurt) % W)

    def _takes(self, volley: int, body: int) -> int:
        return self.takes[volley][body] if self.takes else 1

    def _answer(self, suffered: Sequence[T]) -> T:
        """Return what bodies have suffered as digits of one number."""
        of = self.counted or range(self.bodies)
        return sum(lost * self.digit**i for i, lost in zip(of, suffered, strict=True))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw, hit by hit, who is found and every die of every test."""
        return self.both(cast, *arguments)[1]

    def both(self, cast: Cast, *arguments: Ints) -> tuple[Ints, Ints]:
        """Throw; return the hits of volleys that have a roll to hit, and the answer."""
        bodies, lots = self._shared(arguments)
        hits = np.zeros_like(bodies[0][0])
        suffered, begun = [np.zeros_like(models) for models, _, _ in bodies], [models for models, _, _ in bodies]
        find = self._finder(begun)
        for i, lot in enumerate(lots):
            volley, n, targets = lot.volley, lot.made(scoped(cast, f"{i} aimed")), lot.targets
            attacks = int(np.max(n, initial=0))
            hits = hits + n * (lot.aim is not None)
            thrown_for: Bools = np.arange(attacks)[:, None] < n
            if volley.hits is not None:
                dice = (cast(f"{i} hits {d}", sides, attacks) for d, sides in enumerate(volley.hits.sides))
                scores = np.where(thrown_for, volley.hits.read(*(f.astype(np.int64) for f in dice)), 0)
                slots = np.arange(volley.hits.pmf.outcomes[-1])[:, None]
                thrown_for = (slots < scores[:, None, :]).reshape(-1, scores.shape[-1])
            rows = len(thrown_for)
            faces = [
                [cast(f"{i} {j} {test.name} {d}", 6, rows) for d in range(test.dice)]
                for j, test in enumerate(volley.tests)
            ]
            for row in range(rows):
                hit = f"{i} hit {row + 1}"
                living = [models - (lost + hurt) // W for (models, W, hurt), lost in zip(bodies, suffered, strict=True)]
                body = find(cast, hit, living, thrown_for[row])
                passed = thrown_for[row]
                for j, test in enumerate(volley.tests):
                    if j == len(volley.tests) - 1:
                        body = self._passed_on(cast, hit, living, begun, body)
                    some = np.minimum(body, self.bodies - 1)
                    of_each = np.stack([np.broadcast_to(of[j], body.shape) for of in targets])
                    target = np.take_along_axis(of_each, some[None], axis=0)[0]
                    passed = passed & test.passes(target, *(die[row] for die in faces[j]))
                    hits = hits + passed * (j == 0 and lot.aim is None and self._is_aimed(i))
                passed = passed & (sum(living) > 0)
                for b, (_, W, hurt) in enumerate(bodies):
                    loses = np.minimum(W - (suffered[b] + hurt) % W, self._takes(i, b))
                    suffered[b] = suffered[b] + (passed & (body == b)) * loses
        return hits, self._answer(suffered)

    def _passed_on(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints], body: Ints) -> Ints:
        """Return the body that takes a hit in each trial: the one that it has found, or one that it is passed on to."""
        if not self.passes:
            return body
        others = [np.maximum(n - (body == b), 0) for b, n in enumerate(living)]
        passed = (cast(f"{hit} passed on", 6, 1)[0] >= np.take(self.passes, body, mode="clip")) & (sum(others) > 0)
        return np.where(passed, self._find(cast, f"{hit} passed on", others, begun), body)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say each hit: whom it finds, and the dice of its tests."""
        bodies, lots = self._shared(arguments)
        suffered = [0] * self.bodies
        find = self._finder([np.array([models]) for models, _, _ in bodies])
        for i, (volley, n, targets, aim) in enumerate(lots):
            rows, aimed = list(range(n)), list[str]()
            if aim is not None and n:
                test, target = aim[0], int(aim[1])
                rolls = [thrown(test, target, d6(face, f"{i} aimed: 0 {test.name}", row)) for row in rows]
                rows, aimed = rows[: sum(hit for _, hit in rolls)], [told_test((test,), 0, target, rolls)]
            if volley.hits is not None and n:
                throws, scores = scored(volley.hits, face, n, f"{i} hits")
                most = volley.hits.pmf.outcomes[-1]
                rows = [a * most + slot for a, score in enumerate(scores) for slot in range(score)]
                yield f"{volley.hits.name} hits each: {listed('+'.join(map(str, t)) for t in throws)} make {len(rows)}"
            hits = self._hits(face, i, volley, rows, bodies, targets, suffered, find)
            yield from signed(volley.who, chain(aimed, hits))

    def _hits(
        self,
        face: Face,
        i: int,
        volley: Volley,
        rows: Sequence[int],
        bodies: Sequence[tuple[int, int, int]],
        targets: Sequence[tuple[int, ...]],
        suffered: list[int],
        find: Find,
    ) -> Iterator[str]:
        """Say the hits of one volley, and count what bodies suffer."""
        for row in rows:
            hit = f"{i} hit {row + 1}"
            living = [models - (lost + hurt) // W for (models, W, hurt), lost in zip(bodies, suffered, strict=True)]
            if not any(living):
                return
            found, words = _told(face, find, hit, living)
            if found == self.bodies:
                yield f"nobody who still lives ({words})"
                continue
            body, tests, passed = found, [words] if words else [], True
            for j, test in enumerate(volley.tests):
                if passed and j == len(volley.tests) - 1:
                    body, more = self._tell_passed_on(face, find, hit, living, found)
                    tests += more
                if passed:
                    target = targets[body][j]
                    shown, passed = thrown(test, target, d6(face, f"{i} {j} {test.name}", row))
                    what = ", ".join(filter(None, (purpose(test), needed(test, target))))
                    tests.append(f"{what}: {shown}" if shown else what)
            lost = self._lost(i, body, *bodies[body][1:])(suffered[body]) if passed else 0
            suffered[body] += lost
            who = "" if body == found else f" {self._name(body)}"
            suffers = f"{who} suffers {'a wound' if lost == 1 else f'{lost} wounds'}" if lost else ""
            yield f"{self._name(found)} ({'; '.join(tests)}){suffers}"

    def _tell_passed_on(
        self, face: Face, find: Find, hit: str, living: Sequence[int], body: int
    ) -> tuple[int, list[str]]:
        """Return the body that takes a hit which has found one, and the dice by which it is passed on, in words."""
        need, others = self._need(body), _but(living, body)
        if need == NOBODY or not any(others):
            return body, []
        shown = face(f"{hit} passed on", 6, 0)
        words = [f"{need}+ to pass it on: {shown}"]
        if shown < need:
            return body, words
        other, die = _told(face, find, f"{hit} passed on", others)
        return other, [*words, f"to {self._name(other)}{die and f', {die}'}"]

    def words(self, *arguments: int) -> Mapping[int, str]:
        """Say the wounds of each body, where there are several; of those of one name together."""
        names = {of: self._name(body) for body, of in enumerate(self.counted or range(self.bodies))}
        named = [name for _, name in sorted(names.items())] if self.bodies > 1 else []
        return wounds_in_words(distribution(self, arguments).outcomes, self.digit, named)

    def _name(self, body: int) -> str:
        return self.who[body] if self.who else f"body {body + 1}"

    def _shared(self, arguments: Sequence[T]) -> tuple[list[tuple[T, T, T]], list[_Lot]]:
        """Return the arguments of the bodies, and each volley with its n and, by body, the targets of its tests."""
        left = iter(arguments)
        bodies = [(next(left), next(left), next(left)) for _ in range(self.bodies)]
        lots = list[_Lot]()
        for volley in self.volleys:
            n = next(left)
            targets = [tuple(next(left) for _ in volley.tests) for _ in range(self.bodies)]
            lots.append(_Lot(volley, n, targets))
        return bodies, lots


@dataclass(frozen=True)
class InOrder(_Finding):
    """Wounds of bodies that stand in a row: every hit finds one of the first of them of whom anybody lives."""

    def _parts(self, models: int) -> int:
        return 1

    def _found(self, living: Sequence[int], begun: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
        return next(([(body, 1)] for body, n in enumerate(living) if n), []), 1

    def _find(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints]) -> Ints:
        return np.argmax([np.asarray(n > 0) for n in living], axis=0)


@dataclass(frozen=True)
class AtRandom(_Finding):
    """Wounds of bodies that are hit at random: every hit finds any model that lives as easily as any other.

    Attributes:
        first: So many bodies are found first, the others once nobody of those lives; all alike if it is 0.
        lost: Hits find those who have died meanwhile as well, and are lost.
    """

    first: int = 0
    lost: bool = False

    def _parts(self, models: int) -> int:
        return lcm(*range(1, models + 1))

    def _found(self, living: Sequence[int], begun: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
        reached, sides = self._reached(living, begun if self.lost else living)
        return [(body, int(n)) for body, n in enumerate(reached) if n], int(sides)

    def _find(self, cast: Cast, hit: str, living: Sequence[Ints], begun: Sequence[Ints]) -> Ints:
        return _drawn(cast, hit, *self._reached(living, begun if self.lost else living))

    def _reached(self, living: Sequence[Any], there: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return how many of each body a hit can find, and among how many it is drawn, of those who are there."""
        if not self.first:
            return list(living), sum(there)
        nobody = sum(living[: self.first]) == 0
        turn = [nobody == (body >= self.first) for body in range(self.bodies)]
        return [n * now for n, now in zip(living, turn, strict=True)], sum(
            n * now for n, now in zip(there, turn, strict=True)
        )


@dataclass(frozen=True)
class Evenly(AtRandom):
    """Wounds of bodies over whom hits are shared out evenly: nobody is found again before everybody has been.

    Hits come in turns of as many as there were models before the first. Each finds one of those who are yet to be found
    in its turn, drawn at random. What finds one who has died meanwhile is passed on to one who lives, drawn at random,
    or is lost. Of models that are alike, one who is hurt takes what has found another: who is hurt is finished first.

    The hits of all volleys are shared out together, and only they: a roll to hit, against the target of the body that
    most models are of, comes before anybody is found. Nobody passes on what has found him.
    """

    @property
    def _start(self) -> Suffered:
        """No wounds; then of each body how many live who are yet to be found in this turn, and how many are in all."""
        return (0,) * (2 * self.bodies + 1)

    def _shared(self, arguments: Sequence[T]) -> tuple[list[tuple[T, T, T]], list[_Lot]]:
        bodies, lots = super()._shared(arguments)
        assert not self.passes
        models = [n for n, _, _ in bodies]
        return bodies, [_aimed(lot, models) if aim else lot for lot, aim in zip_longest(lots, self.aimed)]

    def _parts(self, models: int) -> int:
        return super()._parts(models) ** 2

    def _hit(
        self,
        ways: Mapping[Suffered, Any],
        alive: list[list[int]],
        begun: list[int],
        wounding: dict[tuple[int, int], int],
        lost: list[Callable[[int], int]],
        whole: int,
        parts: int,
    ) -> dict[Suffered, Any]:
        after = Counter[Suffered]()
        for before, weight in ways.items():
            suffered, turn = before[: self.bodies], before[self.bodies :]
            living = [of[n] for of, n in zip(alive, suffered, strict=True)]
            for body, share, lives, dies in self._dealt(living, begun, turn, parts):
                wound = share * wounding.get((body, body), 0)
                after[*suffered, *lives] += weight * (share * whole - wound)
                if wound:
                    n = suffered[body] + lost[body](suffered[body])
                    then = dies if alive[body][n] < living[body] else lives
                    after[*suffered[:body], n, *suffered[body + 1 :], *then] += weight * wound
        return +after

    def _dealt(
        self, living: Sequence[int], begun: Sequence[int], turn: Suffered, parts: int
    ) -> Iterator[tuple[int, int, Suffered, Suffered]]:
        """Yield whom a hit finds, the share of this, and what is left of the turn if he lives, and if he dies."""
        nobody, (*yet, left) = self.bodies, turn
        if not any(living):
            yield nobody, parts, turn, turn
            return
        if not left:
            yet, left = self._reached(living, begun)
        part, dead = parts // left, parts // left * (left - sum(yet))
        found, passed = [(*_but(yet, body), left - 1) for body in range(self.bodies)], (*yet, left - 1)
        for body, n in enumerate(yet):
            yield body, part * n, found[body], found[body]
        if self.lost:
            yield nobody, dead, passed, passed
            return
        others, among = self._reached(living, living)
        for body, n in enumerate(others):
            yield body, dead // among * yet[body], passed, found[body]
            yield body, dead // among * (n - yet[body]), passed, passed

    def _finder(self, begun: Sequence[Ints]) -> Find:
        return _Turns(self, begun).find


class _Turns:
    """Whom hits find that are shared out evenly, one after the other, in each trial.

    Attributes:
        living: Models of each body who lived before the last hit.
        yet: How many of each body live who are yet to be found in this turn.
        left: How many are yet to be found in all, dead or alive.
        passed: Whether the last hit was passed on to one who is.
    """

    def __init__(self, evenly: Evenly, begun: Sequence[Ints]) -> None:
        self.evenly, self.begun, self.living = evenly, begun, begun
        self.yet, self.left = [np.zeros_like(n) for n in begun], np.zeros_like(begun[0])
        self.passed = self.left > 0

    def find(self, cast: Cast, hit: str, living: Sequence[Ints], there: Bools) -> Ints:
        """Return the body that a hit finds in each trial, ``[R]``, where it is there; one more for nobody."""
        bodies, reached, ends = self.evenly.bodies, self.evenly._reached, self.left == 0
        fell = [(was - is_now) * self.passed for was, is_now in zip(self.living, living, strict=True)]
        fresh, everybody = reached(living, self.begun)
        yet = [np.where(ends, new, old - n) for new, old, n in zip(fresh, self.yet, fell, strict=True)]
        left = np.where(ends, everybody, self.left)
        body = _drawn(cast, hit, yet, left)
        dead = there & (body == bodies)
        self.living, self.left = living, left - there
        self.yet = [n - (there & (body == b)) for b, n in enumerate(yet)]
        if self.evenly.lost:
            return body
        able, among = reached(living, living)
        others = [*yet, *(n - of for n, of in zip(able, yet, strict=True))]
        other = _drawn(cast, f"{hit} passed on", others, among * dead)
        self.passed = dead & (other < bodies)
        return np.where(dead & (among > 0), other % bodies, body)


def _drawn(cast: Cast, hit: str, groups: Sequence[Ints], sides: Ints) -> Ints:
    """Return the group that a hit finds in each trial, drawn among so many; one more than there are for none."""
    face = np.ones_like(sides)
    for number in np.unique(sides[sides > np.max(groups, axis=0)]):
        face = np.where(sides == number, cast(f"{hit} finds one of {number}", int(number), 1)[0], face)
    return np.sum(face > np.cumsum(groups, axis=0), axis=0)


def _told(face: Face, find: Find, hit: str, living: Sequence[int]) -> tuple[int, str]:
    """Return the body that a hit finds, or one more than there are, and the dice that have found it, in words."""
    dice = list[str]()

    def cast(part: str, sides: int, rows: int) -> Ints:
        shown = face(part, sides, 0)
        dice.append(f"D{sides}: {shown}")
        return np.array([[shown]])

    body = find(cast, hit, [np.array([n]) for n in living], np.array([True]))
    return int(body[0]), ", passed on by ".join(dice)


class Struck(NamedTuple):
    """What bodies suffer by volleys, not drawn yet: the draw, the base of its answer, and how many digits that has."""

    draw: Draw
    digit: int
    numbers: int

    def made(self, dice: Dice, label: str) -> tuple[Ints, ...]:
        """Make the draw; return the wounds, ``[..., R]`` each."""
        return by_digit(self.draw.made(dice, label), self.digit, self.numbers)

    def made_beside(self, dice: Dice, label: str, matter: Argument) -> tuple[tuple[Ints, ...], Ints]:
        """Make the draw; return the wounds, and the hits of volleys with a roll to hit, as far as they matter."""
        answer, hits = self.draw.made_beside(dice, label, self.digit**self.numbers - 1, matter)
        return by_digit(answer, self.digit, self.numbers), hits


def struck(
    finding: Callable[..., InOrder | AtRandom],
    bodies: Sequence[Body],
    lots: Sequence[Sequence[Draw]],
    *,
    counted: Sequence[int] = (),
    takes: Sequence[Sequence[int]] = (),
    aimed: Sequence[bool] = (),
) -> Struck:
    """Return what bodies suffer by the hits of volleys, one draw for all of them.

    Args:
        finding: How hits find them: `InOrder`, the first body until nobody of it lives, `AtRandom` or `Evenly`, of
            which more may be said (``partial(AtRandom, first=2)``).
        bodies: Who can be hit.
        lots: For each volley, in the order in which they are suffered, the draw that it is against each body: with as
            many attacks, of the same tests against other targets.
        counted: For each body, with which of the numbers that are returned its wounds are counted; each has its own if
            not given.
        takes: For each volley, how many Wounds one wound takes of a model of each body, one if not given: what exceeds
            those that it has is lost.
        aimed: For each volley, whether its first test is a roll to hit; none is if not given.
    """
    arguments: list[Argument] = [number for body in bodies for number in (body.models, body.W, body.hurt)]
    volleys = list[Volley]()
    for lot in lots:
        assert isinstance(lot[0].mechanic, Volley)
        volleys.append(lot[0].mechanic)
        arguments += [lot[0].arguments[0], *(target for draw in lot for target in draw.targets)]
    passes, taken = tuple(body.passes for body in bodies), tuple(map(tuple, takes))
    numbers = counted or range(len(bodies))
    most = Counter[int]()
    for number, body in zip(numbers, bodies, strict=True):
        most[number] += int(np.max(body.models * body.W, initial=0))
    mechanic = finding(
        tuple(volleys),
        len(bodies),
        max(most.values()) + 1,
        tuple(body.who for body in bodies),
        counted=tuple(counted),
        passes=passes if min(passes) < NOBODY else (),
        takes=taken if any(n > 1 for lot in taken for n in lot) else (),
        aimed=tuple(aimed),
    )
    return Struck(Draw(mechanic, tuple(arguments)), mechanic.digit, 1 + max(numbers))


def wounds_by_body(
    dice: Dice,
    label: str,
    finding: Callable[..., InOrder | AtRandom],
    bodies: Sequence[Body],
    lots: Sequence[Sequence[Draw]],
    *,
    counted: Sequence[int] = (),
    takes: Sequence[Sequence[int]] = (),
    aimed: Sequence[bool] = (),
) -> tuple[Ints, ...]:
    """Let the hits of volleys find bodies; return the wounds that each suffers, ``[..., R]``, in one draw.

    Args:
        label: Of the draw.
        finding, bodies, lots, counted, takes, aimed: As in `struck`.
    """
    return struck(finding, bodies, lots, counted=counted, takes=takes, aimed=aimed).made(dice, label)


def _aimed(lot: _Lot, models: Sequence[Any]) -> _Lot:
    """Return a volley whose roll to hit, its first test, is set apart, with the target of the body of most models."""
    first, *rest = lot.volley.tests
    targets = np.stack(np.broadcast_arrays(*(of[0] for of in lot.targets)))
    target = np.take_along_axis(targets, np.argmax(models, axis=0)[None], axis=0)[0]
    return _Lot(Volley(tuple(rest), who=lot.volley.who), lot.n, [of[1:] for of in lot.targets], (first, target))


def by_digit(answer: Ints, digit: int, n: int) -> tuple[Ints, ...]:
    """Return the first digits of numbers to a base, the lowest first, ``[..., R]`` each."""
    whole = answer.astype(np.int64)  # sampled ones may have too few bits for a digit
    return tuple(whole // digit**i % digit for i in range(n))


def wounds_in_words(answers: Iterable[int], digit: int, who: Sequence[str]) -> Mapping[int, str]:
    """Say answers whose digits, to a base, are the wounds of several; nothing where nobody is named."""
    words = dict[int, str]()
    for answer in answers if who else ():
        suffered = Counter[str]()
        for i, name in enumerate(who):
            suffered[name] += answer // digit**i % digit
        words[answer] = ", ".join(f"{name} {n}" for name, n in suffered.items() if n) or "none"
    return words


def _living(models: int, W: int, hurt: int) -> list[int]:
    """Return how many live by the wounds that a body suffers, from none to all that it can take."""
    return [max(models - (lost + hurt) // W, 0) for lost in range(max(models * W - hurt, 0) + 1)]


def _scaled(ways: Mapping[Suffered, Any], by: Fraction) -> dict[Suffered, Any]:
    """Return the weights of ways, made larger or smaller."""
    return {suffered: weight * by for suffered, weight in ways.items()}


def _but(living: Sequence[int], body: int) -> list[int]:
    """Return how many live but for one of a body."""
    return [n - (b == body) for b, n in enumerate(living)]
