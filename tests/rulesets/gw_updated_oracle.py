"""Brute force of a whole assault by the updated building rules, written from their text: fractions alone.

Everybody has the same profile: WS3 BS3 S3 T3 A1 Ld7 Sv5+; a sergeant has WS4 I4 A2 Ld8 and a blade of AP2 beside his
pistol, which is worth an Attack to whoever has a hand for each. Models are named by what they carry; a side is a tuple
of names, those that the owner removes first at its end.
A unit has the Weapon Skill and Initiative of its ordinary models. The garrison fires from `points` fire points,
farthest weapons first. Models of several Wounds bear a dash for each that they have lost, and the one that is nearest
to the enemy in the open a star: it has been hit there, and is hit until it falls.

Some models may be other bodies (BASE-064, 041, 065): hits wound against the Toughness that most of the unit have when a
volley, a step of a fight or masonry begins, ties to the higher; each wound falls on one model, by the order of who falls
or, of masonry and templates inside, drawn evenly among those left; it saves by its own save, and dies at once of twice
its own Toughness. A sergeant who is another body than some of his men passes a wound that falls on him in the open on to
another model, on 4 or more and always if he can: to whom the order of who falls names among the others. Whoever has been
hurt by a wound passed on bears a plus: of its kind it is hit again.

Morale under fire, falling back and regrouping (BASE-061, 037, 063), where `under_fire` is "test":
- Attackers who fall back stay as such in the state (`falling`) until they regroup, in a fight as well: who is charged
  while he falls back loses his nerve with every round that he loses, and has broken at the turn limit, locked or not.
- Whoever falls back or has regrouped in this turn charges nobody, so that all weapons that are neither heavy nor
  templates are fired at a garrison in the open, rifles too, however near it stands; at the walls, those of `shooters`.
- They count as having moved though they came no inch nearer. At an empty building that they could go into they do
  not shoot.
- Overwatch is a matter of the enemy's turn: who falls back and is charged fires it as ever, flamers too.
- A garrison under fire in its building (`embarked_units`) counts those whom templates and masonry have killed while the
  attackers shot. It takes no check when the building falls, which ends the assault.
- The check under fire and regrouping are against the Leadership of those left, without any margin.
- Twin-linked are only weapons that roll to hit; a twin-linked flamer, which would wound again, is not known here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from quicktions import Fraction

from tests.oracle import added, counts, falls_next, left_after, share
from tests.rulesets.judging import TALLY

D6 = range(1, 7)
SIXTH = Fraction(1, 6)

REACH = {
    "blade": -1,
    "sergeant": 12,
    "pistol": 12,
    "flamer": 8,
    "fusion": 12,
    "rifle": 24,
    "machine gun": 36,
    "autocannon": 48,
}
STRENGTH = {"sergeant": 4, "pistol": 4, "flamer": 4, "fusion": 8, "rifle": 3, "machine gun": 5, "autocannon": 7}
AP = {"sergeant": 5, "pistol": 5, "flamer": 5, "fusion": 1, "machine gun": 4, "autocannon": 4}
SHOTS = {"machine gun": 3, "autocannon": 2}
HEAVY = ("machine gun", "autocannon")
LIGHT = ("sergeant", "pistol", "flamer", "fusion")
"""Pistols, assault weapons and templates: what may be fired before a charge."""
PINNED = f"{TALLY}garrisons pinned on their way out"
CHARACTER = "sergeant"
TEMPLATE = "flamer"
INSIDE, OUTSIDE, LOCKED, GONE = 0, 1, 2, 3
"""Where the garrison is; gone, nobody is left to hold the building, which stays claimed and empty."""


@dataclass(frozen=True)
class Body:
    """What a model is to who hits it; a save of 7 is none."""

    T: int = 3
    W: int = 1
    Sv: int = 5
    inv: int = 7

    def dies_of(self, AP: int | None) -> Fraction:
        """The chance that a wound is not saved, by the best save that is allowed."""
        best = min(self.Sv if AP is None or self.Sv < AP else 7, self.inv)
        return share([face < max(2, best) for face in D6])


@dataclass(frozen=True)
class Setup:
    AV: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    weapons: tuple[str, ...] = ()
    bulwark: bool = False
    hull: int = 0
    """Hull points, where they are counted."""
    krak: bool = False
    points: int = 1
    distance: int = 12
    halt: int = 0
    charges: bool = True
    """They charge and strike the walls."""
    closes: bool = False
    """They charge those who come out, although they could not hurt the walls by hand."""
    blows_later: bool = False
    """They go for the walls hand to hand only when nobody is left who shoots at them."""
    shooters: tuple[str, ...] = ()
    """Who shoots at the walls."""
    turns: int = 2
    room: int = 60
    automatic: bool = False
    collapse_at_nothing: bool = True
    volley_at_its_start: bool = False
    volley_stops: bool = False
    """A unit that has killed the last of those inside shoots and strikes no more, if it finds room there."""
    manned: bool = False
    """Whoever does not shoot from a fire point fires an emplaced weapon with BS3, a Snap Shot if shaken or jammed."""
    templates_inside: bool = True
    defenders_first: bool = False
    sally: bool = False
    dares: int = 7
    """The longest charge for which the garrison comes out."""
    overwatch: bool = False
    attackers_I: int = 3
    defenders_I: int = 3
    second_weapon: bool = True
    """A blade in the other hand is worth an Attack."""
    two_handed: bool = False
    """The sergeants' blades take both hands."""
    capacity: int = 20
    own_capacity: int | None = None
    """What the building's own profile says, where its size says otherwise and counts."""
    attackers_bulk: int = 1
    doors: int = 1
    part_gets_in: bool = False
    """As many attackers as there is room for claim the building; else all of them must fit."""
    difficult: bool = False
    """Charges go over difficult ground: 3D6, of which the highest does not count."""
    defenders_T: int = 3
    defenders_W: int = 1
    who: str = "spread"
    """Who falls to fire and blows."""
    attackers_bodies: tuple[tuple[str, Body], ...] = ()
    """Kinds of models that are other bodies than T3 W1 Sv5+."""
    defenders_bodies: tuple[tuple[str, Body], ...] = ()
    """The same, other than of `defenders_T`, `defenders_W` and Sv5+."""
    look_out: bool = True
    """Look Out, Sir, where the bodies of a side differ."""
    look_out_on: int = 4
    look_out_inside: bool = False
    """It is rolled for wounds of Random Allocation as well."""
    drawn_afresh: bool = False
    """If who falls is drawn, it is for each wound, whoever has been hurt before."""
    one_by_one: bool = False
    """Both sides are wounded model by model, and sergeants look out, though bodies are alike: for comparison."""
    twin_linked: tuple[str, ...] = ()
    """Kinds of weapons that roll to hit again where they have missed, on both sides."""
    under_fire: str = "steady"
    """"test": under fire attackers test their nerve, and whoever falls back may regroup."""
    edge: int = 12
    """Inches from where the attackers start to the edge of the table behind them."""
    reaching_the_edge: str = "reached"
    """"reached": gone is for whom no inch is left to the edge; "passed": who would go beyond it."""
    embarked_units: str = "steady"
    """"test": a garrison in its building tests under fire too, and leaves for good if it fails."""
    jump: bool = False
    """The attackers fall back 3D6 inches."""

    @property
    def tests(self) -> bool:
        return self.under_fire == "test"

    def body(self, side: str, model: str) -> Body:
        bodies = self.attackers_bodies if side == "attackers" else self.defenders_bodies
        usual = Body() if side == "attackers" else Body(self.defenders_T, self.defenders_W)
        return dict(bodies).get(bare(model), usual)

    def wounded_one_by_one(self, side: str) -> bool:
        return self.one_by_one or bool(getattr(self, f"{side}_bodies"))

    def differ(self, side: str) -> bool:
        """Whether a side is not of one body."""
        return self.one_by_one or len({self.body(side, model) for model in getattr(self, side)}) > 1

    def common_T(self, side: str, models: tuple[str, ...]) -> int:
        """The Toughness that most models have; ties to the higher."""
        every = [self.body(side, model).T for model in models]
        return max(every, key=lambda T: (every.count(T), T), default=3)

    def attacks(self, kind: str, charged: bool) -> int:
        """How often one strikes in close combat."""
        other_hand = kind == "sergeant" and self.second_weapon and not self.two_handed
        return (2 if kind == "sergeant" else 1) + charged + other_hand

    def fits(self, models: int) -> bool:
        """Whether so many attackers find room inside."""
        return self.doors > 0 and (1 if self.part_gets_in else models) * self.attackers_bulk <= self.capacity

    def reaches(self, inches: int) -> Fraction:
        """The chance that a charge covers so many inches."""
        if self.difficult:
            return share([sum(dice) - max(dice) >= inches for dice in product(D6, D6, D6)])
        return share([a + b >= inches for a, b in product(D6, D6)])


class Now(NamedTuple):
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    distance: int
    AV: int
    hull: int
    weapons: tuple[str, ...]
    tremor: bool = False
    jammed: bool = False
    garrison: int = INSIDE
    gap: int = 0
    """Inches between the two sides once the garrison is outside."""
    falling: bool = False
    """The attackers are falling back."""


class Blow(NamedTuple):
    S: int
    AP: int | None
    dice: int
    hits: Fraction
    """The chance that it hits the walls."""


Spread = Iterator[tuple[Now, Fraction]]
Left = dict[tuple[str, ...], Fraction]
"""Who is left of a side, with the chance of each way."""
Harmed = dict[tuple[tuple[str, ...], int], Fraction]
"""The same, with the number of wounds that were suffered."""


@cache
def chance_unsaved(S: int, AP: int | None, T: int = 3) -> Fraction:
    """One hit on Sv5+ in the open, by the faces of two dice: 4 wounds at Strength and Toughness alike."""
    saves = AP is None or AP > 5
    return share([w >= wounds_on(S, T) and not (saves and s >= 5) for w, s in product(D6, D6)])


def wounds_on(S: int, T: int) -> int:
    """The face that wounds; more than 6 is none."""
    face = max(4 - (S - T), 2)
    return 6 if face == 7 else face


@cache
def chance_wounded(S: int, T: int) -> Fraction:
    return share([face >= wounds_on(S, T) for face in D6])


@cache
def losses_of_dice(dice: int, p: Fraction) -> dict[int, Fraction]:
    """How many of so many D6 hits kill, die by die."""
    ways = {0: Fraction(1)}
    for _ in range(dice):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for (before, c1), face in product(ways.items(), D6):
            for dead, c2 in counts(face, p).items():
                after[before + dead] += c1 * c2 * SIXTH
        ways = after
    return dict(ways)


@cache
def random_victims(side: tuple[str, ...], dead: int) -> dict[tuple[str, ...], Fraction]:
    """Who is left, each victim picked evenly among those left."""
    ways = {side: Fraction(1)}
    for _ in range(min(dead, len(side))):
        after: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for left, chance in ways.items():
            for i in range(len(left)):
                after[left[:i] + left[i + 1 :]] += chance / len(left)
        ways = after
    return dict(ways)


@cache
def allotted(side: tuple[str, ...], wounds: int, W: int) -> dict[tuple[str, ...], Fraction]:
    """Who is left, each wound on a model picked evenly among those left; its name bears a dash for each that it has."""
    ways = {side: Fraction(1)}
    for _ in range(wounds):
        after: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for left, chance in ways.items():
            for i, model in enumerate(left):
                hurt = (model + "'",) if dashes(model) + 1 < W else ()
                after[left[:i] + hurt + left[i + 1 :]] += chance / len(left)
            if not left:
                after[left] += chance
        ways = after
    return dict(ways)


@cache
def nearest_first(who: str, full: tuple[str, ...], side: tuple[str, ...], wounds: int, W: int) -> Left:
    """Who is left in the open, each wound on the model nearest to the enemy until it falls (BASE-041).

    Which kind of model stands nearest is the ruling's to say; of those alike any may, whatever it has lost inside.
    """
    ways: Left = {side: Fraction(1)}
    for _ in range(wounds):
        after: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for left, chance in ways.items():
            for i, c in nearest(who, full, left).items():
                hurt = (bare(left[i]) + "'" * (dashes(left[i]) + 1) + "*",) if dashes(left[i]) + 1 < W else ()
                after[left[:i] + hurt + left[i + 1 :]] += chance * c
            if not left:
                after[left] += chance
        ways = after
    return dict(ways)


def nearest(who: str, full: tuple[str, ...], left: tuple[str, ...]) -> dict[int, Fraction]:
    """The chance of each model, by its place, to stand nearest."""
    known = [i for i, model in enumerate(left) if model.endswith("*")]
    if known or not left:
        return dict.fromkeys(known, Fraction(1))
    names, chances = tuple(map(bare, left)), dict[int, Fraction]()
    for first, c in falls_next(who, full, names, names).items():
        alike = [i for i, kind in enumerate(names) if kind == names[first]]
        chances |= {i: chances.get(i, Fraction(0)) + c / len(alike) for i in alike}
    return chances


def bare(model: str) -> str:
    return model.rstrip("'*+")


def kinds(models: tuple[str, ...]) -> list[str]:
    return [bare(model) for model in models]


def dashes(model: str) -> int:
    return model.count("'")


class Assault:
    """One set-up, played to the end."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ends: dict[str, Fraction] = defaultdict(Fraction, {PINNED: Fraction(0)})
        self.fallen: dict[tuple[Now, int], Fraction] = defaultdict(Fraction)
        """Buildings that have come down on so many dice of hits, and nothing that matters no longer."""
        self.fights = Fraction(0)
        """Rounds fought in the open."""
        self.known: dict[Any, Any] = {}

    def over(self, end: str, now: Now, chance: Fraction) -> None:
        self.ends[end] += chance
        self.ends["attackers lost"] += chance * (len(self.setup.attackers) - len(now.attackers))
        inside = bool(now.defenders) and now.garrison == INSIDE and end != "destroyed"
        self.ends["gone"] += chance * (now.garrison == GONE)
        self.ends["cleared"] += chance * (not inside)
        self.ends["defenders lost"] += chance * (len(self.setup.defenders) - len(now.defenders))

    def play_on(self, now: Now, left: int) -> dict[str, Fraction]:
        """What it comes to from a state, when so many player turns are left; to be asked once."""
        live = {now: Fraction(1)}
        halves = [self.defend, self.attack] if self.setup.defenders_first else [self.attack, self.defend]
        for half in (halves * left)[-left:]:
            after: dict[Now, Fraction] = defaultdict(Fraction)
            for now, chance in live.items():
                for then, c in half(now, chance):
                    after[then] += c
            live = after
        for now, chance in live.items():
            self.over("broken" if now.falling else "held", now, chance)
        for (now, dice), chance in self.fallen.items():
            self.get_out(now, dice, chance)
        return self.ends | {"rounds in the open": self.fights}

    def inside(self, now: Now, dice: int, S: int, AP: int | None) -> Spread:
        """D6 hits, so many times, on those inside; twice their Toughness takes a model whatever its Wounds."""
        if now.garrison == GONE:
            yield now, Fraction(1)
            return
        if self.setup.wounded_one_by_one("defenders"):
            p = chance_wounded(S, self.setup.common_T("defenders", now.defenders))
            for wounds, c1 in losses_of_dice(dice, p).items():
                for (left, _), c2 in self.wounds("defenders", now.defenders, wounds, S, AP, drawn=True).items():
                    yield now._replace(defenders=left), c1 * c2
            return
        T, W = self.setup.defenders_T, self.setup.defenders_W
        for wounds, c1 in losses_of_dice(dice, chance_unsaved(S, AP, T)).items():
            for left, c2 in allotted(now.defenders, wounds, 1 if S >= 2 * T else W).items():
                yield now._replace(defenders=left), c1 * c2

    def under_fire(self, side: str, models: tuple[str, ...], volley: list[tuple[str, int, int]]) -> Left:
        """Who is left in the open of some who are fired at."""
        s, after = self.setup, defaultdict[tuple[str, ...], Fraction](Fraction)
        if s.wounded_one_by_one(side):
            attacks = [
                (hits, STRENGTH[kind], AP.get(kind))
                for kind, need, distance in volley
                if (hits := hits_of(kind, need, distance, s.twin_linked))
            ]
            for (left, _), c in self.suffer(side, models, attacks).items():
                after[left] += c
        else:
            T = s.defenders_T if side == "defenders" else 3
            for left, c in self.fewer(side, models, fire(volley, T, s.twin_linked)):
                after[left] += c
        return after

    def struck(self, side: str, models: tuple[str, ...], strikers: list[str], charged: bool) -> Harmed:
        """Who is left of some after blows, and the wounds that they have suffered."""
        s, after = self.setup, defaultdict[tuple[tuple[str, ...], int], Fraction](Fraction)
        if s.wounded_one_by_one(side):
            attacks = [
                (counts(s.attacks(kind, charged), hit), 3, AP) for kind in strikers for hit, AP in [stroke(kind)]
            ]
            return self.suffer(side, models, attacks)
        most = sum(s.defenders_W - dashes(k) for k in models) if side == "defenders" else len(models)
        for n, c in blows(s, strikers, charged, s.defenders_T if side == "defenders" else 3).items():
            n = min(n, most)
            for left, c2 in self.fewer(side, models, {n: c}):
                after[left, n] += c2
        return after

    def suffer(
        self, side: str, models: tuple[str, ...], attacks: list[tuple[dict[int, Fraction], int, int | None]]
    ) -> Harmed:
        """Hits in the open, one weapon after the other, against the Toughness most common when they begin."""
        T, live = self.setup.common_T(side, models), {(models, 0): Fraction(1)}
        for hits, S, AP in attacks:
            ways: dict[int, Fraction] = defaultdict(Fraction)
            for n, c in hits.items():
                for wounds, c2 in counts(n, chance_wounded(S, T)).items():
                    ways[wounds] += c * c2
            after: Harmed = defaultdict(Fraction)
            for ((left, before), c), (wounds, c2) in product(live.items(), ways.items()):
                for (then, more), c3 in self.wounds(side, left, wounds, S, AP, drawn=False).items():
                    after[then, before + more] += c * c2 * c3
            live = after
        return live

    def wounds(self, side: str, models: tuple[str, ...], wounds: int, S: int, AP: int | None, *, drawn: bool) -> Harmed:
        """Who is left after so many wounds, each saved before the next falls."""
        key = side, models, wounds, S, AP, drawn
        if key not in self.known:
            after: Harmed = defaultdict(Fraction)
            if wounds and models:
                for (left, before), c in self.wounds(side, models, wounds - 1, S, AP, drawn=drawn).items():
                    for then, c2 in self.wound(side, left, S, AP, drawn=drawn).items():
                        after[then, before + (then != left)] += c * c2
            else:
                after[models, 0] = Fraction(1)
            self.known[key] = dict(after)
        return self.known[key]

    def wound(self, side: str, left: tuple[str, ...], S: int, AP: int | None, *, drawn: bool) -> Left:
        """One wound on a unit, drawn evenly or on whom the order names; a sergeant may pass it on."""
        s, every = self.setup, tuple(range(len(left)))
        after: Left = defaultdict(Fraction)
        if not left:
            return {left: Fraction(1)}
        looks_out = s.look_out and s.differ(side) and (s.look_out_inside or not drawn) and len(left) > 1
        evenly = drawn or (s.who == "drawn" and s.drawn_afresh)
        for i, c in self.falls_on(side, left, every, evenly=evenly, nearest=True).items():
            passed = Fraction(7 - s.look_out_on, 6) if looks_out and bare(left[i]) == CHARACTER else Fraction(0)
            for then, c2 in self.unsaved(side, left, i, S, AP, "" if evenly else "*").items():
                after[then] += c * (1 - passed) * c2
            if passed:
                others = tuple(j for j in every if j != i)
                for j, c2 in self.falls_on(side, left, others, evenly=evenly, nearest=False).items():
                    for then, c3 in self.unsaved(side, left, j, S, AP, "" if evenly else "+").items():
                        after[then] += c * passed * c2 * c3
        return after

    def falls_on(
        self, side: str, left: tuple[str, ...], among: tuple[int, ...], *, evenly: bool, nearest: bool
    ) -> dict[int, Fraction]:
        """The chance of each of some models, by its place, to be who a wound falls on."""
        if evenly:
            return dict.fromkeys(among, Fraction(1, len(among)))
        known = [i for i in among if left[i].endswith("*")]
        if known and nearest:
            return dict.fromkeys(known, Fraction(1))
        full, names, chances = getattr(self.setup, side), kinds(left), dict[int, Fraction]()
        for first, c in falls_next(self.setup.who, full, names, [names[i] for i in among]).items():
            alike = [i for i in among if names[i] == names[among[first]]]
            alike = [i for i in alike if left[i][-1] in "*+"] or alike
            chances |= {i: chances.get(i, Fraction(0)) + c / len(alike) for i in alike}
        return chances

    def unsaved(self, side: str, left: tuple[str, ...], i: int, S: int, AP: int | None, mark: str) -> Left:
        """A wound on one model: saved, or it is hurt, or falls."""
        body, hurt = self.setup.body(side, left[i]), dashes(left[i]) + 1
        fails, lives = body.dies_of(AP), hurt < body.W and S < 2 * body.T
        stays = (bare(left[i]) + "'" * hurt + mark,) if lives else ()
        ways = {left: 1 - fails, left[:i] + stays + left[i + 1 :]: fails}
        return {then: c for then, c in ways.items() if c}

    def each(self, live: dict[Now, Fraction], step: Callable[[Now], Spread]) -> dict[Now, Fraction]:
        """Take a step from every state in which the walls are gone for."""
        after: dict[Now, Fraction] = defaultdict(Fraction)
        for now, chance in live.items():
            if self.lets_be(now):
                after[now] += chance
                continue
            for then, c in step(now):
                after[self.emptied(then) if self.setup.volley_stops else then] += chance * c
        return after

    def emptied(self, now: Now) -> Now:
        """Nobody is left to hold a building that is empty: known at the end of a phase, as a unit shoots as one."""
        return now if now.defenders or now.garrison != INSIDE else now._replace(garrison=GONE)

    def end_of_phase(self, live: dict[Now, Fraction], shot_at: int = 0) -> dict[Now, Fraction]:
        """A building may be found empty; of a garrison of so many, shot at inside, it is seen who loses his nerve."""
        s = self.setup
        after: dict[Now, Fraction] = defaultdict(Fraction)
        for now, chance in live.items():
            left = len(now.defenders)
            holds = Fraction(1)
            if s.tests and s.embarked_units == "test" and now.garrison == INSIDE and must_test(shot_at, left):
                holds = nerve(now.defenders)
                after[now._replace(garrison=GONE)] += chance * (1 - holds)
            after[self.emptied(now)] += chance * holds
        return after

    def tested(self, before: Now, now: Now, weight: Fraction) -> Spread:
        """The attackers' nerve when the garrison has fired: who stays, and who falls back, with what each weighs."""
        if not self.setup.tests or before.falling or not must_test(len(before.attackers), len(now.attackers)):
            yield now, weight
            return
        holds = nerve(now.attackers)
        yield now, weight * holds
        yield from self.falls_back(now, weight * (1 - holds))

    def falls_back(self, now: Now, weight: Fraction) -> Spread:
        """The attackers run for the edge; yields what is left on the table, with what it weighs."""
        s = self.setup
        edge = s.distance + s.edge
        inches = [sum(dice) for dice in product(D6, repeat=3 if s.jump else 2)]
        for back in sorted(set(inches)):
            distance, c = now.distance + back, weight * share([n == back for n in inches])
            gap = now.gap + back if now.garrison == OUTSIDE else now.gap
            then = now._replace(distance=distance, gap=gap, falling=True)
            if distance > edge or (distance == edge and s.reaching_the_edge == "reached"):
                self.over("broken", then, c)
            else:
                yield then, c

    def regroups(self, now: Now) -> Fraction:
        """The chance to regroup (BASE-063)."""
        enough = 4 * len(now.attackers) >= len(self.setup.attackers)
        return nerve(now.attackers) if enough else Fraction(1, 36)

    def up_to_three_inches(self, now: Now) -> Now:
        """How near they come who have regrouped, never nearer than they would have gone."""
        if now.garrison == OUTSIDE:
            moved = min(3, now.gap - 1) if self.close(now) else 0
            return now._replace(gap=now.gap - moved, distance=max(0, now.distance - moved))
        halt = 0 if self.lets_be(now) else self.halts(now)
        return now._replace(distance=min(now.distance, max(now.distance - 3, halt)))

    def snap_shots(self, now: Now, weight: Fraction) -> Spread:
        """What they do else who fall back or have regrouped: Snap Shots, with what may be fired on the move."""
        may = [kind for kind in kinds(now.attackers) if kind not in (*HEAVY, TEMPLATE)]
        if self.lets_be(now):
            yield now, weight
        elif now.garrison == OUTSIDE:
            yield from self.shot_at_outside(now, [(kind, 6, now.gap) for kind in may], weight, charges=False)
        else:
            fired = [kind for kind in dict.fromkeys(self.setup.attackers) if kind in may]
            yield from self.shoot_at_walls(now, {now: weight}, fired, 6).items()

    def lets_be(self, now: Now) -> bool:
        """Whether the building is empty and the attackers all find room in it; else they may attack it (GW-011)."""
        return now.garrison == GONE and self.setup.fits(len(now.attackers))

    def go_in(self, now: Now, chance: Fraction) -> Spread:
        """Move up to a door of an empty building, and claim it if all models, who fit inside, end near enough."""
        then = now._replace(distance=max(0, now.distance - 6))
        if then.distance <= 2:
            self.over("captured", then, chance)
        else:
            yield then, chance

    def attack(self, now: Now, chance: Fraction) -> Spread:
        if not now.falling or now.garrison == LOCKED:
            yield from self.go_on(now, chance)
            return
        regroups = self.regroups(now)
        rallied = self.up_to_three_inches(now._replace(falling=False))
        yield from self.snap_shots(rallied, chance * regroups)
        for then, weight in self.falls_back(now, chance * (1 - regroups)):
            yield from self.snap_shots(then, weight)

    def halts(self, now: Now) -> int:
        """How near the attackers go to walls that they attack."""
        s = self.setup
        return 0 if s.blows_later and s.charges and self.close(now) else s.halt

    def shoot_at_walls(self, now: Now, live: dict[Now, Fraction], fired: list[str], need: int) -> dict[Now, Fraction]:
        """All shots of the kinds that are fired, of those who shoot at the walls."""
        start = now.AV if self.setup.volley_at_its_start else None
        for kind in fired:
            if kind in self.setup.shooters:
                live = self.volley(live, lambda n, k=kind: self.shots(n, k, need), start)
        return self.end_of_phase(live, len(now.defenders))

    def go_on(self, now: Now, chance: Fraction) -> Spread:
        """A turn of attackers who are not falling back."""
        s = self.setup
        if self.lets_be(now):
            yield from self.go_in(now, chance)
            return
        if now.garrison in (OUTSIDE, LOCKED):
            yield from self.attack_outside(now, chance)
            return
        charges = s.charges and self.close(now)
        moved = now._replace(distance=min(now.distance, max(now.distance - 6, self.halts(now))))
        live = {moved: chance}
        flamers = kinds(moved.attackers).count("flamer") if moved.distance <= REACH["flamer"] else 0
        if flamers and s.templates_inside and s.points and now.garrison == INSIDE:
            live = self.each(live, lambda n: self.inside(n, flamers, 4, 5))
        stood = moved.distance == now.distance
        live = self.shoot_at_walls(now, live, [k for k in dict.fromkeys(s.attackers) if k not in HEAVY or stood], 4)
        if not charges:
            yield from live.items()
            return
        at_the_walls: dict[Now, Fraction] = defaultdict(Fraction)
        for then, c in live.items():
            if self.lets_be(then):
                yield then, c
                continue
            reaches = s.reaches(then.distance)
            if reaches < 1:
                yield then, c * (1 - reaches)
            if reaches:
                at_the_walls[then._replace(distance=0)] += c * reaches
        by_AV: dict[int, dict[Now, Fraction]] = defaultdict(dict)
        for then, c in at_the_walls.items():
            by_AV[then.AV if s.volley_at_its_start else 0][then] = c
        for first, live in by_AV.items():
            start = first or None
            for kind in dict.fromkeys(s.attackers):
                live = self.volley(live, lambda n, k=kind, f=start: self.strikes(n, k, f), start)
            yield from self.end_of_phase(live).items()

    def close(self, now: Now) -> bool:
        """Whether the attackers go for the walls, or for those who came out, hand to hand."""
        s = self.setup
        return (s.charges or s.closes) and not (
            s.blows_later and any(kind in s.shooters for kind in kinds(now.attackers))
        )

    def shots(self, now: Now, kind: str, need: int) -> list[Blow]:
        s = self.setup
        if now.distance > REACH[kind]:
            return []
        dice = 2 if kind == "fusion" and now.distance <= 6 else 1
        by_itself = kind == TEMPLATE or s.automatic
        hits = Fraction(1) if by_itself else to_hit(kind, need, s.twin_linked)
        blow = Blow(STRENGTH[kind], AP.get(kind), dice, hits)
        return [blow] * SHOTS.get(kind, 1) * kinds(now.attackers).count(kind)

    def strikes(self, now: Now, kind: str, start: int | None) -> list[Blow]:
        AV = start or now.AV
        fists = [Blow(3, 2 if kind == "sergeant" else None, 1, Fraction(1))] * self.setup.attacks(kind, True)
        grenade = [Blow(6, None, 1, Fraction(1))]

        def worth(blows: list[Blow]) -> int:
            return sum(face + blow.S > AV for blow, face in product(blows, D6))

        best = grenade if self.setup.krak and worth(grenade) > worth(fists) else fists
        return best * kinds(now.attackers).count(kind)

    def volley(
        self, live: dict[Now, Fraction], blows: Callable[[Now], list[Blow]], start: int | None
    ) -> dict[Now, Fraction]:
        """All blows of a group of models, one after another."""
        after: dict[Now, Fraction] = defaultdict(Fraction)
        for now, chance in live.items():
            own = {now: chance}
            for blow in [] if self.lets_be(now) else blows(now):
                own = self.each(own, lambda n, b=blow, c=own: self.blow(n, b, start, c[n]))
            for then, c in own.items():
                after[then] += c
        return after

    def blow(self, now: Now, blow: Blow, start: int | None, weight: Fraction) -> Spread:
        """One attack on the walls; `weight` is what the state weighs, for assaults that end here."""
        hits = blow.hits
        AV = start or now.AV
        totals = [blow.S + sum(faces) for faces in product(D6, repeat=blow.dice)]
        penetrates = hits * share([t > AV for t in totals])
        glances = hits * share([t == AV for t in totals]) if self.setup.hull else Fraction(0)
        yield now, 1 - penetrates - glances
        if glances:
            if now.hull == 1:
                self.down(now, 0, weight * glances)
            else:
                yield now._replace(hull=now.hull - 1), glances
        if penetrates:
            for face in D6:
                result = face + {1: 2, 2: 1}.get(blow.AP or 0, 0) - self.setup.bulwark
                for then, c in self.table(now, result, weight * penetrates * SIXTH):
                    yield then, penetrates * SIXTH * c

    def table(self, now: Now, result: int, weight: Fraction) -> Spread:
        """The damage table; yields what stands, and tells what falls."""
        s = self.setup
        dice = {3: 1, 4: 2}.get(result, 0)
        if result >= 6:
            self.down(now, 2 if result == 6 else 4, weight)
            return
        losses_of_AV = {1: Fraction(1)} if result <= 1 else {d: Fraction(1, 3) for d in (1, 2, 3)}
        if 2 <= result <= 4:
            losses_of_AV = {0: Fraction(1)}
        hull = now.hull - 1 if s.hull else 0
        for lost, c1 in losses_of_AV.items():
            AV = max(0, now.AV - lost)
            if AV == 0 and s.collapse_at_nothing:
                self.down(now, 2, weight * c1)
                continue
            if s.hull and hull == 0:
                self.down(now, dice, weight * c1)
                continue
            gone = 1 if result in (4, 5) else 0
            for weapons, c2 in random_victims(now.weapons, gone).items():
                jammed = now.jammed or (result in (3, 4, 5) and bool(weapons))
                tremor = now.tremor or result == 2
                then = now._replace(
                    AV=AV, hull=hull, weapons=weapons, jammed=jammed and bool(weapons), tremor=tremor
                )  # fmt: skip
                for after, c3 in self.inside(then, dice, 6, None):
                    yield after, c1 * c2 * c3

    def down(self, now: Now, dice: int, weight: Fraction) -> None:
        """The building falls, on those inside if there are any."""
        now = self.emptied(now)
        self.fallen[Now(now.attackers, now.defenders, 0, 0, 0, (), garrison=now.garrison), dice] += weight

    def get_out(self, now: Now, dice: int, weight: Fraction) -> None:
        """Hits inside; survivors get out, those without room die, the others test pinning by the best Leadership."""
        if now.garrison == GONE:
            self.over("destroyed", now, weight)
            return
        for then, c in self.inside(now, dice, 6, None):
            out = then.defenders[: self.setup.room]
            self.over("destroyed", then._replace(defenders=out), weight * c)
            Ld = max((8 if kind.startswith("sergeant") else 7 for kind in out), default=12)
            self.ends[PINNED] += weight * c * share([a + b > Ld for a, b in product(D6, D6)])

    def defend(self, now: Now, chance: Fraction) -> Spread:
        if self.setup.sally and now.garrison != GONE:
            now = self.come_out(now)
        if now.garrison == LOCKED:
            yield from self.fight(now, None, chance)
            return
        BS = 6 if now.tremor else 4
        if now.garrison == INSIDE:
            shooters = sorted(map(bare, now.defenders), key=lambda kind: -REACH[kind])[: self.setup.points]
        elif now.garrison == GONE:
            shooters = []
        else:
            shooters = [kind for kind in map(bare, now.defenders) if kind in LIGHT]
        distance = now.distance if now.garrison == INSIDE else now.gap
        volley = [(kind, BS, distance) for kind in shooters if not (kind == "flamer" and now.tremor)]
        crew = len(now.defenders) - len(shooters) if self.setup.manned and now.garrison == INSIDE else 0
        own = 6 if now.tremor or now.jammed else 4
        volley += [(kind, own, now.distance) for kind in now.weapons[:crew]]
        volley += [(kind, 6 if now.jammed else 5, now.distance) for kind in now.weapons[crew:]]
        for left, c in self.under_fire("attackers", now.attackers, volley).items():
            then = now._replace(attackers=left, tremor=False, jammed=False)
            if not left:
                self.over("broken", then, chance * c)
                continue
            for after, weight in self.tested(now, then, chance * c):
                if after.garrison == OUTSIDE:
                    yield from self.charge_outside(after, "garrison", weight)
                else:
                    yield after, weight

    def fewer(self, side: str, models: tuple[str, ...], dead: dict[int, Fraction]) -> Iterator[tuple[Any, Fraction]]:
        """Who is left of a side in the open that has suffered so many wounds."""
        full, W = getattr(self.setup, side), self.setup.defenders_W if side == "defenders" else 1
        for n, chance in dead.items():
            if W > 1:
                ways = nearest_first(self.setup.who, full, models, n, W)
            else:
                ways = {left: c for (left, _), c in left_after(self.setup.who, full, models, models, n).items()}
            yield from ((left, chance * c) for left, c in ways.items())

    def come_out(self, now: Now) -> Now:
        """Bring the garrison out, or nearer: never within an inch of the attackers without a charge."""
        if now.garrison == LOCKED:
            return now
        if now.garrison == OUTSIDE:
            return now._replace(gap=max(1, now.gap - 6))
        gap = max(1, now.distance - (3 if now.tremor else 6))
        return now._replace(garrison=OUTSIDE, gap=gap) if gap <= self.setup.dares else now

    def attack_outside(self, now: Now, chance: Fraction) -> Spread:
        """The attackers' turn against a garrison outside: nothing is done to the empty building."""
        if now.garrison == LOCKED:
            yield from self.fight(now, None, chance)
            return
        moved = 0
        if self.close(now):
            moved = min(6, now.gap - 1)
            now = now._replace(gap=now.gap - moved, distance=max(0, now.distance - moved))
        charges = self.close(now) and now.gap <= 12
        may = [k for k in kinds(now.attackers) if (k in LIGHT or not charges) and not (k in HEAVY and moved)]
        yield from self.shot_at_outside(now, [(kind, 4, now.gap) for kind in may], chance, charges=charges)

    def shot_at_outside(
        self, now: Now, volley: list[tuple[str, int, int]], chance: Fraction, *, charges: bool
    ) -> Spread:
        """A garrison in the open is shot at, may lose its nerve, and is charged."""
        for left, c in self.under_fire("defenders", now.defenders, volley).items():
            then = now._replace(defenders=left)
            holds = Fraction(1)
            if self.setup.tests and must_test(len(now.defenders), len(left)):
                holds = nerve(left)
                yield then._replace(garrison=GONE), chance * c * (1 - holds)
            if not left:
                yield then._replace(garrison=GONE), chance * c
            elif charges:
                yield from self.charge_outside(then, "attackers", chance * c * holds)
            else:
                yield then, chance * c * holds

    def charge_outside(self, now: Now, who: str, chance: Fraction) -> Spread:
        """A charge of 2D6 inches in the open, under fire of Snap Shots where the players want that; none beyond 12."""
        if now.gap > 12:
            yield now, chance
            return
        met = now.attackers if who == "garrison" else now.defenders
        shots = [(kind, 6, now.gap) for kind in kinds(met) if self.setup.overwatch]
        side = "defenders" if who == "garrison" else "attackers"
        for left, c in self.under_fire(side, getattr(now, side), shots).items():
            then = now._replace(**{side: left})
            if not then.attackers:
                self.over("broken", then, chance * c)
                continue
            if not then.defenders:
                yield then._replace(garrison=GONE), chance * c
                continue
            reaches = self.setup.reaches(then.gap)
            if reaches < 1:
                yield then, chance * c * (1 - reaches)
            if reaches:
                went = then.gap if who == "attackers" else 0
                locked = then._replace(garrison=LOCKED, distance=max(0, then.distance - went))
                yield from self.fight(locked, who, chance * c * reaches)

    def fight(self, now: Now, charger: str | None, chance: Fraction) -> Spread:
        """One round, Initiative by Initiative; then the loser's nerve, and whether it is caught."""
        s = self.setup
        self.fights += chance
        live = {(now.attackers, now.defenders, 0, 0): Fraction(1)}
        for step in range(10, 0, -1):
            after: dict[tuple[tuple[str, ...], tuple[str, ...], int, int], Fraction] = defaultdict(Fraction)
            for (a, d, lost, slain), c in live.items():
                mine = [k for k in kinds(a) if initiative(k, s.attackers_I) == step]
                its = [k for k in kinds(d) if initiative(k, s.defenders_I) == step]
                ours = self.struck("defenders", d, mine, charger == "attackers")
                theirs = self.struck("attackers", a, its, charger == "garrison")
                for ((left_d, n), p1), ((left_a, m), p2) in product(ours.items(), theirs.items()):
                    after[left_a, left_d, lost + m, slain + n] += c * p1 * p2
            live = after
        for (a, d, lost, slain), c in live.items():
            then = now._replace(attackers=a, defenders=d, gap=0, tremor=False, jammed=False)
            if not a:
                self.over("broken", then, chance * c)
            elif not d:
                yield then._replace(garrison=GONE), chance * c
            elif lost == slain:
                yield then, chance * c
            else:
                yield from self.runs(then, lost - slain, chance * c)

    def runs(self, now: Now, behind: int, chance: Fraction) -> Spread:
        """The loser's 2D6 against its best Leadership less the margin; who runs may be caught and destroyed."""
        s = self.setup
        loser = now.attackers if behind > 0 else now.defenders
        Ld = max(8 if kind == "sergeant" else 7 for kind in map(bare, loser)) - abs(behind)
        holds = share([a + b <= Ld or a + b == 2 for a, b in product(D6, D6)])
        if behind > 0 and now.falling:
            holds = Fraction(0)
        if holds:
            yield now, chance * holds
        mine, its = (s.attackers_I, s.defenders_I) if behind > 0 else (s.defenders_I, s.attackers_I)
        caught = share([b + its >= a + mine for a, b in product(D6, D6)])
        for gone, c in ((True, caught), (False, 1 - caught)):
            if behind > 0 and s.tests and not gone:
                yield from self.falls_back(now._replace(garrison=OUTSIDE, gap=0), chance * (1 - holds) * c)
            elif behind > 0:
                self.over("broken", now._replace(attackers=() if gone else loser), chance * (1 - holds) * c)
            else:
                yield now._replace(garrison=GONE, defenders=() if gone else loser), chance * (1 - holds) * c


def must_test(began: int, left: int) -> bool:
    """Whether a unit has lost a quarter or more in a phase, and has somebody left (BASE-061)."""
    lost = began - left
    return left > 0 and lost > 0 and 4 * lost >= began


def nerve(models: tuple[str, ...]) -> Fraction:
    """The chance to pass on the best Leadership of some models."""
    Ld = max(8 if kind == CHARACTER else 7 for kind in kinds(models))
    return share([a + b <= Ld or a + b == 2 for a, b in product(D6, D6)])


def to_hit(kind: str, need: int, twin_linked: tuple[str, ...] = ()) -> Fraction:
    """The chance of a shot that needs a face."""
    misses = 1 - share([face >= need for face in D6])
    return 1 - misses * (misses if kind in twin_linked else 1)


def initiative(kind: str, of_its_side: int) -> int:
    return 4 if kind == "sergeant" else of_its_side


def blows(setup: Setup, strikers: list[str], charged: bool, T: int = 3) -> dict[int, Fraction]:
    """Unsaved wounds of some models of S3 on WS3 Sv5+: a sergeant hits on 3+ and pierces."""
    dead = {0: Fraction(1)}
    for kind in strikers:
        hits, AP = stroke(kind)
        p = hits * chance_unsaved(3, AP, T)
        dead = added(dead, counts(setup.attacks(kind, charged), p))
    return dead


def stroke(kind: str) -> tuple[Fraction, int | None]:
    """The chance of a blow to hit, and its AP."""
    return (Fraction(2, 3), 2) if kind == "sergeant" else (Fraction(1, 2), None)


def fire(volley: list[tuple[str, int, int]], T: int = 3, twin_linked: tuple[str, ...] = ()) -> dict[int, Fraction]:
    """Unsaved wounds in the open on some Toughness: what is fired, the face it needs to hit, and the distance."""
    dead = {0: Fraction(1)}
    for kind, need, distance in volley:
        if distance > REACH[kind]:
            continue
        kills = chance_unsaved(STRENGTH[kind], AP.get(kind), T)
        if kind == "flamer":
            hits: dict[int, Fraction] = defaultdict(Fraction)
            for n in (1, 2, 3):
                for k, c in counts(n, kills).items():
                    hits[k] += c / 3
            dead = added(dead, hits)
            continue
        dead = added(dead, counts(shots_of(kind, distance), to_hit(kind, need, twin_linked) * kills))
    return dead


def shots_of(kind: str, distance: int) -> int:
    return SHOTS.get(kind, 2 if kind == "rifle" and distance <= 12 else 1)


def hits_of(kind: str, need: int, distance: int, twin_linked: tuple[str, ...] = ()) -> dict[int, Fraction]:
    """The hits in the open by what is fired, with the face that it needs, from a distance."""
    if distance > REACH[kind]:
        return {}
    if kind == "flamer":
        return {n: Fraction(1, 3) for n in (1, 2, 3)}
    return counts(shots_of(kind, distance), to_hit(kind, need, twin_linked))


def whole_assault(setup: Setup) -> dict[str, Fraction]:
    return play_on(setup, start(setup), 2 * setup.turns)


def start(s: Setup) -> Now:
    return Now(s.attackers, s.defenders, s.distance, s.AV, s.hull, s.weapons)


def play_on(setup: Setup, now: Now, left: int) -> dict[str, Fraction]:
    """What an assault comes to from a state, when so many player turns are left."""
    return Assault(setup).play_on(now, left)
