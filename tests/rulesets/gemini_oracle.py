"""Brute force of a whole assault by the Gemini rules, written from the books: loops over faces and fractions alone.

One-wound models of one profile a side with one weapon, three activation dice, every failed die picked up by the other
side. The attackers storm an open house, force a locked door or hack its lock (GB-061), shoot or hew down a wall or door
or open a bunker and go in; or they stay outside and burn and blast the garrison out. The garrison stays inside, or
sallies and fights in the open.

Mortars and the like (`weapon="blast"`) drop markers on whoever stands in the open, by ARAP-147 to 150 and 153; flamers
(`weapon="template"`) burn whoever is in reach, by ARAP-142, 144 and 146. If so set, hand grenades are thrown at people
in the open (`thrown`, ARAP-156 to 158), and markers fired at those who charge (`shells`, ARAP-185 to 187).

What lies between: the garrison fires from (0, 0), the first rank of the attackers stands at x = `away`, its middle at
y = 0. Bands of cover or smoke and low walls count while the garrison is inside (ARAP-107, 110, 113, 150 to 152, 162 and
163); once it has come out there is nothing between the two.

Attackers who rout turn and flee in the compulsory phase of each player turn until they rally, or are over the edge of
the table (ARAP-206 to 209); the garrison does not charge them, but fires at them. Once it has come out, the distance
between the two stands for that from the building: the edge is as far away, and no cover is on the way.
If so set, each flight goes on to a line (`flight`); these are whole moves from where the attackers have begun.

If so set, a garrison that has beaten them in the open pursues them (`pursuit`, ARAP-211 to 216): it moves after them in
the compulsory phases, has free hacks at routers whom it reaches, and charges those who have rallied.

If so set, those who have been hit often may be suppressed (`suppression`, ARAP-137 to 141): hits in the enemy's own
turn are counted down from as many as call for a test, which is taken when the own turn of those who were hit begins.

`MixedSiege` is of models that differ in Toughness, Wounds and saves (ARAP-119 to 126, 154): each hit is drawn over those
who can be hit, wounds against the Toughness of the model that it is drawn on, and is saved by its own save.

`Floors` is of a garrison that is spread over several sections of one house, stormed one after the other (GB-107 to 131);
`LedFloors` and `MixedFloors` are of one that has a leader, or is stormed by one.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import ceil, comb, floor, hypot, inf

from quicktions import Fraction

from tests.geometry.plane_oracle import Law, by_arcs, limited, scattered, status
from tests.oracle import Looked, added_up, counts, left_after, replace

FACES = range(1, 7)
VALUE = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5, 6: 5}
"""What activates somebody of an Initiative, or less."""
Ways = Iterator[tuple[Fraction, "Now"]]


@dataclass(frozen=True)
class Troops:
    WS: int = 3
    BS: int = 3
    S: int = 3
    T: int = 3
    I: int = 3
    A: int = 1
    Ld: int = 7
    Sv: int = 5
    weapon: str = "rapid fire"
    range: int = 24
    weapon_S: int = 3
    AP: int = 9  # pierces nothing
    shots: int = 1
    sword: bool = False
    pinning: bool = False
    blast: float = 3  # inches across the marker that a weapon "blast" drops
    W: int = 1  # this and the next two only a `MixedSiege` looks at; and a fall at the next one
    inv: int | None = None
    damage: int = 1  # of the weapon that is fired
    laser: bool = False
    torrent: int = 0  # inches up to which the narrow end of a template may be placed
    guess: bool = False  # its markers fly over walls; and not out of a building that has its roof
    steadfast: bool = False  # they cannot be suppressed
    hates: bool = False  # the other side: better in a combat, worse at staying where it has won and at halting
    frenzied: bool = False  # it always pursues, whatever its move

    @property
    def stroke(self) -> int:
        """Weapon Skill with what is in hand: a sword or a pistol, or else a rifle-butt or the like, which is improvised."""
        return self.WS if self.sword or self.weapon == "pistol" else self.WS - 1

    @property
    def weak_laser(self) -> bool:
        """Its shots do not go through smoke."""
        return self.laser and self.weapon_S < 6 and self.weapon not in ("blast", "template")

    @property
    def big(self) -> bool:
        """One hit by its markers calls for a test of suppression (ARAP-138)."""
        return self.weapon == "blast" and self.blast >= 5

    def counted(self, hits: int, missing: int) -> int:
        """So many hits, as far as they count where so many are missing for a test."""
        return missing if self.big and hits else min(hits, missing)


@dataclass(frozen=True)
class Body:
    """What a model is to whoever hits it."""

    T: int = 3
    W: int = 1
    Sv: int = 5
    inv: int | None = None

    def unsaved(self, AP: int) -> Fraction:
        """By the best save that is allowed."""
        saves = [high(self.Sv)] * (self.Sv < AP) + [high(self.inv or 0)] * (self.inv is not None)
        return 1 - max(saves, default=Fraction(0))


@dataclass(frozen=True)
class House:
    """What stands there: ways in that are open, and what the attackers have to open first."""

    openings: int = 0
    fire_out: int = 6
    kind: str = "open"  # open, door (locked), wall (shot down first), bunker
    T: int = 0
    points: int = 0  # a door of none cannot be shot or hewn down
    door_wide: int = 1  # inches of a locked door
    any_point: bool = True  # each point off a door is a hole for one to come in by; or it opens with its last one alone
    inside: str = "confined"  # or "hard_cover" (furniture and inner walls), or "open"
    hewn: bool = False  # the attackers go at it with their hands, since no shot of theirs can hurt it
    roof: bool = True
    sides: int = 1  # quadrants in which enemies are seen

    @property
    def most_out(self) -> int:
        """Who of a section fires out at most: of a house with enemies on several sides four to each (GB-112)."""
        return 4 * self.sides if self.sides > 1 and self.kind != "bunker" else self.fire_out


@dataclass(frozen=True, eq=False)
class Now(Looked):
    a: int
    d: int
    away: int
    shown: int = 0  # of the garrison: who fired in its last activation, and live
    a_due: bool = False
    d_due: bool = False
    a_pinned: int = 0  # for so many turns of its own, one that is going on among them
    d_pinned: int = 0
    opened: bool = False
    damage: int = 0
    hull: int = 0
    cracks: int = 0
    shaken: int = 0  # in the garrison's next turn: 1 may not fire, 2 may do nothing (stunned)
    dazed: int = 0  # the same, in the turn of the garrison that is going on
    ports: bool = False  # the shutters of a bunker are open: the garrison has fired in an earlier player turn
    fired: bool = False  # it has fired in the one that is going on
    fallen: int = 0  # of the garrison to fire and blasts in the shooting that is going on
    place: str = "in"  # where the garrison is: in, out (in the open, apart), locked
    met: bool = False  # a fight in the open has begun, so that charges have no bonus any more
    stormed: bool = False  # a storm goes on, where that is no new combat
    end: str = ""
    a_laid: bool = False  # who fired in its last player turn, or since, and neither side has moved since then
    d_laid: bool = False
    a_shot: bool = False  # who has fired in the player turn that is going on
    d_shot: bool = False
    edge: int = 0  # inches from the building at which the table ends behind the attackers
    routs: bool = False  # the attackers do
    fled: int = 0  # in the player turn that is going on: 1, and 2 through cover; until they test to rally
    rallied: bool = False  # they have, and do nothing before their own next turn
    pursues: bool = False  # the garrison does, attackers who rout or have rallied
    fought: bool = False  # it has charged those in the player turn that is going on, and nobody acts any more
    parted: bool = False  # they have routed since they have met in the open: what comes next is a new combat
    a_missing: int = 0  # hits that are missing for a test of suppression, while shootings go on whose hits count
    d_missing: int = 0
    a_owes: bool = False  # such a test
    d_owes: bool = False
    a_slowed: int = 0  # suppressed: 1 in the own turn that goes on or comes next, 2 in the one after that, 3 in both
    d_slowed: int = 0


def hurt(S: int, T: int, Sv: int, AP: int, *, close: bool = True) -> Fraction:
    """Wounded by a hit, and not saved; from near by, if nothing else is said."""
    return unsaved(5, S, T, Sv, AP, close=close) / low(5)


@cache
def low(target: int) -> Fraction:
    good = sum(f != 6 and f <= target if target >= 1 else f == 1 and g <= 3 + target for f, g in product(FACES, FACES))
    return Fraction(good, 36)


@cache
def high(goal: int) -> Fraction:
    good = sum(f != 1 and f >= goal if goal <= 6 else f == 6 and g >= goal - 3 for f, g in product(FACES, FACES))
    return Fraction(good, 36)


@cache
def unsaved(hit: int, S: int, T: int, Sv: int, AP: int, *, close: bool = True) -> Fraction:
    goal = max(2, T + 4 - S)
    if goal > (9 if close else 7):
        return Fraction(0)
    return low(min(5, hit)) * high(goal) * (1 if Sv >= AP else 1 - high(Sv))


@cache
def morale(target: int) -> Fraction:
    return Fraction(sum(x + y <= target or x + y == 2 for x, y in product(FACES, FACES)), 36)


@cache
def control(target: int) -> Fraction:
    """No double 1 passes by itself."""
    return Fraction(sum(x + y <= target for x, y in product(FACES, FACES)), 36)


@cache
def flights(move: int) -> dict[int, Fraction]:
    """How far routers flee: 2D6 inches, who moves more than 6 by the two best of three dice."""
    throws = [sum(sorted(fallen)[-2:]) for fallen in product(FACES, repeat=2 if move <= 6 else 3)]
    return added_up((inches, Fraction(1, len(throws))) for inches in throws)


@cache
def charges(move: int, inches: int) -> dict[tuple[int, bool], Fraction]:
    """How far a charge goes that falls short of so many inches, 0 for one that does not; and whether that one is fast."""
    throws = ((x + y + move, max(x, y)) for x, y in product(FACES, FACES))
    return added_up(((far, False) if reach < inches else (0, reach > 12), Fraction(1, 36)) for reach, far in throws)


BODY = 0.5
"""Inches from the middle of a model to its edge."""
COVER = {"soft": 1, "hard": 2}
"""What cover takes from BS, from the margin of a template, and from the faces of the die of a figure."""
LENGTH = 8
"""Inches of a template."""
GRENADE = 3
"""Inches across the marker of a grenade."""
THROW = 6
"""Inches that a grenade is thrown."""
Walls = tuple[tuple[float, float, float, float], ...]


def ranks(models: int, files: int, gap: float = 2) -> list[tuple[float, float]]:
    """Where they stand, back and to the side: a gap apart, a last rank that is not full in the middle."""
    full, rest = divmod(models, files)
    wide = [files] * full + [rest] * (rest > 0)
    return [(gap * rank, gap * (2 * file - (n - 1)) / 2) for rank, n in enumerate(wide) for file in range(n)]


def aimed_at(places: list[tuple[float, float]]) -> tuple[float, float]:
    """The model nearest to the mean of all, the first of several."""
    x, y = (sum(map(Fraction, part)) / len(places) for part in zip(*places, strict=True))
    return min(places, key=lambda place: (Fraction(place[0]) - x) ** 2 + (Fraction(place[1]) - y) ** 2)


@cache
def under_marker(
    models: int, away: int, skill: int, blast: float, files: int = 5, measured: str = "aim"
) -> dict[int, Fraction]:
    """How many of so many are under one marker; the range is measured to the aim, or to the first "rank"."""
    law = under_walls(models, away, skill, blast, files, measured)
    return {n: chance for (n, _), chance in law.items()}


@cache
def under_walls(
    models: int,
    away: int,
    skill: int,
    blast: float,
    files: int = 5,
    measured: str = "aim",
    gap: float = 2,
    walls: Walls = (),
    *,
    guess: bool = False,
    hidden: bool = False,
) -> dict[tuple[int, int], Fraction]:
    """How many of so many are under one marker with no wall between its centre and them, and how many with one.

    A marker that has scattered is stopped by the first wall on its way, if it does not come from above by guess. At a
    hidden target three dice are thrown, whatever the skill.
    """
    places = ranks(models, files, gap)
    aim = aimed_at(places)
    span = hypot(away + aim[0], aim[1]) if measured == "aim" else away
    inches = limited(scattered("hidden") if hidden else scattered("area", skill=skill), span / 2)
    seen = {} if guess or not walls else {far: chance for far, chance in inches.items() if far == 0}
    rest = {far: chance for far, chance in inches.items() if far not in seen}
    return come_down(places, away, blast, walls, (seen, True), (rest, guess))


@cache
def under_thrown(
    models: int, away: int, goal: int, files: int = 5, gap: float = 2, walls: Walls = ()
) -> dict[tuple[int, int], Fraction]:
    """The same for one grenade: it does not scatter, or by the short roll if the goal is missed; over all walls."""
    passed = low(min(5, goal))
    missed = added_up((float(abs(x - y) or x), (1 - passed) / 36) for x, y in product(FACES, FACES))
    return come_down(ranks(models, files, gap), away, GRENADE, walls, ({0.0: passed, **missed}, True))


def come_down(
    places: list[tuple[float, float]], away: int, blast: float, walls: Walls, *parts: tuple[dict[float, Fraction], bool]
) -> dict[tuple[int, int], Fraction]:
    """Who is under a marker that is aimed at some, and scatters by so many inches; in each part over walls or not."""
    aim, lines = aimed_at(places), [((x1 - away, y1), (x2 - away, y2)) for x1, y1, x2, y2 in walls]
    ways: dict[tuple[int, int], float] = defaultdict(float)
    for inches, flies in parts:
        law: Law = by_arcs((-away, 0), aim, inches, places, blast / 2, BODY, lines, flies=flies)
        for codes, chance in law.items():
            ways[codes.count(1), codes.count(2)] += chance
    law = {n: Fraction(round(chance * 2**60), 2**60) for n, chance in sorted(ways.items())}
    law[max(law, key=law.__getitem__)] += 1 - sum(law.values())
    return {n: chance for n, chance in law.items() if chance}


def sheltered(law: dict[tuple[int, int], Fraction], cover: int) -> dict[int, Fraction]:
    """How many are hit of those under a marker, in a band of cover or the open, and of those behind a wall."""
    open_to_it, hidden = Fraction(6 - cover, 6), Fraction(6 - COVER["hard"], 6)
    return added_up(
        (n + k, c * c2 * c3)
        for (near, behind), c in law.items()
        for n, c2 in counts(near, open_to_it).items()
        for k, c3 in counts(behind, hidden).items()
    )


@cache
def behind_walls(models: int, away: int, files: int, gap: float, walls: Walls) -> tuple[bool, ...]:
    """Of each figure whether a wall is between it and (0, 0)."""
    places = [(away + x, y) for x, y in ranks(models, files, gap)]
    lines = [((x1, y1), (x2, y2)) for x1, y1, x2, y2 in walls]
    return tuple(code == 2 for code in status((0, 0), None, (0, 0), places, inf, BODY, lines))


@cache
def under_template(
    models: int, away: int, files: int = 5, gap: float = 2, torrent: int = 0, walls: Walls = ()
) -> tuple[int, int]:
    """How many are under a template along y = 0 with no wall between the shooter and them, and how many with one."""
    start = min(away, torrent)
    codes = []
    places = ranks(models, files, gap)
    for (back, y), behind in zip(places, behind_walls(models, away, files, gap, walls), strict=True):
        x = away + back
        reached = hypot(max(start - x, 0, x - start - LENGTH), max(abs(y) - 1, 0)) <= BODY
        codes.append((2 if behind else 1) if reached else 0)
    return codes.count(1), codes.count(2)


@cache
def by_template(near: int, behind: int, goal: int, cover: int) -> dict[int, Fraction]:
    """How many figures a template hits, of those in a band of cover or the open and those behind a wall.

    One roll for all; a figure in cover by a margin that is taken off the goal before it is capped. A figure that is not
    hit so has a die of its own.
    """
    ways: dict[int, Fraction] = defaultdict(Fraction)
    for face, second in product(FACES, FACES):
        passed = face != 6 and (face <= goal if goal >= 1 else face == 1 and second <= 3 + goal)
        parts = []
        for n, taken in ((near, cover), (behind, COVER["hard"])):
            sure = passed and (taken == 0 or face <= goal - taken)
            parts.append(counts(n, Fraction(1) if sure else Fraction(3 - taken, 6)))
        for (k, c), (k2, c2) in product(*(part.items() for part in parts)):
            ways[k + k2] += c * c2 / 36
    return dict(ways)


def times(n: int, one: dict[int, Fraction]) -> dict[int, Fraction]:
    """What so many alike add up to."""
    ways = {0: Fraction(1)}
    for _ in range(n):
        ways = added_up((k + more, c * c2) for (k, c), (more, c2) in product(ways.items(), one.items()))
    return ways


Fallen = dict[tuple[int, int], Fraction]
"""How many fall, and by how many hits, which are counted no further than they matter."""


def wounding(law: dict[int, Fraction], p: Fraction, most: int, missing: int) -> Fallen:
    """Of so many hits each fells somebody with a chance; at most so many fall."""
    return added_up(
        ((min(dead, most), min(hits, missing)), c * c2)
        for hits, c in law.items()
        for dead, c2 in counts(hits, p).items()
    )


@cache
def shots_fell(n: int, hit: Fraction, p: Fraction, most: int, missing: int) -> Fallen:
    """The same for so many shots."""
    if missing:
        return wounding(counts(max(n, 0), hit), p, most, missing)
    return {(dead, 0): c for dead, c in capped(n, hit * p, most)}


def added_falls(n: int, one: Fallen, most: int, missing: int) -> Fallen:
    """What so many alike add up to."""
    ways = {(0, 0): Fraction(1)}
    for _ in range(n):
        ways = added_up(
            ((min(dead + more, most), min(hits + k, missing)), c * c2)
            for ((dead, hits), c), ((more, k), c2) in product(ways.items(), one.items())
        )
    return ways


REMEMBERED = []
"""What is remembered until an assault is over: of attackers who may be anywhere there is much."""


def merged(play):
    """Add up equal outcomes, and remember them."""

    @cache
    def outcomes(*args, **kwargs):
        ways = added_up((tuple(what), chance) for chance, *what in play(*args, **kwargs))
        return [(chance, *what) for what, chance in ways.items() if chance]

    REMEMBERED.append(outcomes)
    return outcomes


@dataclass(frozen=True, eq=False)
class Siege(Looked):
    """A set-up; `grenades` are the attackers' assault grenades."""

    ours: Troops
    theirs: Troops
    house: House
    grenades: bool = False
    plan: str = "storm"
    defence: str = "hold"
    first: str = "attackers"
    move: int = 4
    helpers: int = 3  # at a door that is forced
    room: int = 12  # inside, in the section attacked; others wait in the next one
    continued: bool = (
        False  # who storms again goes on with the combat: there is neither charge bonus nor cover any more
    )
    until_it_acts: bool = False  # a turn without an action point leaves those in sight who fired before it
    excused: bool = True  # who was shot at and then charged takes no heavy-casualty test
    wall_hits: str = "openings"  # whom a wall that falls hits inside: "section" is everybody; "near" attackers as well
    files: int = 5  # abreast, of a unit in the open on which markers fall
    measured: str = "aim"  # half the range to the model aimed at limits the scatter, or that to the first "rank"
    bands: tuple[tuple[float, float, str], ...] = ()  # from and to so far from the building: "soft", "hard" or "smoke"
    walls: Walls = ()  # low ones, from a point to a point
    formation: tuple[int, float] | None = None  # of the attackers: abreast, and inches apart; else (files, 2)
    corrective: bool = False
    aims: bool = False  # attackers who only shoot use their first point to aim, if they can still fire then
    streams: str = "text"  # templates are fired at people in the open; "shots": not at chargers; "old": never
    lasers: str = "blind"  # through smoke they are weaker and fire at a hidden target, or are only "weaker"
    corrected: str = "seen"  # nobody corrects the aim through smoke; or "always"
    thrown: bool = False  # who has assault grenades throws them at people in the open
    garrison_grenades: bool = False
    throwers_seen: bool = False  # who throws out of a building can be seen like who fires
    shells: bool = False  # markers are fired at chargers
    charge_measured: str = ""  # half of which range limits these; by default what is `measured` for other markers
    hacks: int = 0  # Leadership, or Intelligence, of attackers who can hack or pick a lock; of nobody if it is 0
    hackers: str = "all"  # who these are; or only the "leader" of a `LedSiege`
    hack_again: bool = False  # as often as there are action points, and nobody forces a door; or once in a player turn
    smashed_opens: bool = (
        False  # a lock that is destroyed opens its door; then whoever works at one may hit it (GB-062)
    )
    routers: str = "for_good"  # attackers who rout are gone at once; or they flee until they "rally"
    edge: int = 12  # inches from where they come from to the edge of the table
    routers_move: str = "every_player_turn"  # or only in their "own_turn"
    rally_when: str = "after_the_move"  # or at the "end_of_turn", if they have fled in it
    flight: str = "inches"  # they flee as far as the dice say; or on to the next of "lines", which are a move apart
    pursuit: str = "none"  # "reluctant": who has won in the open tests to stay, and to halt; "eager": it never does
    free_hacks: str = "one_each"  # or as many as each has "attacks"
    pursuit_order: str = "moves_first"  # then routers rally, and pursuers halt; or whoever "halts_first" does not move
    suppression: str = "off"  # or there is a "test" after hits
    threshold: str = "a_quarter"  # of the unit: so many hits call for it; "more_than_a_quarter"; "two_at_least"
    suppressed_turn: str = "this_turn"  # who fails pays in the turn that begins, or in the "next_turn" of his own

    def begins(self, *numbers: int, hull: int) -> Now:
        """How it stands before the first turn."""
        return Now(*numbers, hull=hull)

    def crowd(self, s: Now) -> int:
        """Those of the garrison who are in the section attacked; nobody comes in between one flame and the next."""
        return min(self.room, s.d + s.fallen) - s.fallen

    def with_guns(self, s: Now) -> int:
        """Attackers who have something to shoot with."""
        return s.a

    # what the attackers want

    def way_in(self, s: Now) -> int:
        """Openings that stand open."""
        h = self.house
        return h.openings + h.door_wide * self.door_open(s) + (s.cracks if h.kind == "bunker" else 0)

    def door_open(self, s: Now) -> bool:
        """Whether a door that was locked is so no more, or is gone."""
        return self.house.kind == "door" and (s.opened or 0 < self.house.points <= s.damage)

    def holes(self, s: Now) -> int:
        """How many come in where nobody sees, shoots or throws in: one by each hole, 12 by a wall that is down.

        By the holes of a door no more than two for each inch of it.
        """
        h = self.house
        if h.kind == "wall":
            return 12 if s.damage >= h.points else s.damage
        return min(s.damage, 2 * h.door_wide) if h.kind == "door" and h.any_point and not self.door_open(s) else 0

    def door_shut(self, s: Now) -> bool:
        """Whether there is a door by which fewer come in than if it were open: two abreast for each inch."""
        h = self.house
        return h.kind == "door" and not self.door_open(s) and self.holes(s) < 2 * h.door_wide

    def aim(self, s: Now) -> str:
        h = self.house
        if self.plan == "shoot":
            return "shoot"
        if self.plan == "smoke" and (self.way_in(s) or h.kind == "bunker"):
            return "smoke" if self.grenades or self.ours.weapon == "template" else "shoot"
        if self.door_shut(s) and not (h.points and self.plan == "demolish"):
            return "force"
        shut = self.door_shut(s) or (h.kind == "bunker" and s.cracks == 0)
        if shut or (h.kind == "wall" and self.plan == "demolish" and s.damage < h.points):
            return "hew" if h.hewn else "batter"
        return "enter"

    def wanted(self, s: Now) -> int:
        """How near they come; who has lasers that smoke stops, so near that there is none between, in whole inches."""
        clear = min((near for near, _, kind in self.bands if kind == "smoke"), default=inf)
        reach = self.ours.range
        stay = {"rapid fire": reach // 2}.get(self.ours.weapon, reach)
        if self.ours.weak_laser and clear < inf:
            reach, stay = min(reach, max(1, floor(clear))), min(stay, max(1, floor(clear)))
        smoke = 2 if self.grenades or self.house.kind == "bunker" else reach
        enter = self.move + 2 + 7
        return {"enter": enter, "hew": enter, "force": 1, "batter": reach, "shoot": stay, "smoke": smoke}[self.aim(s)]

    def walk(self, s: Now, moves: int) -> int:
        stop = 1 if self.aim(s) in ("enter", "hew") else self.wanted(s)
        return max(s.away - self.move * moves, min(stop, s.away))

    # shooting

    @staticmethod
    def fired(t: Troops, away: int, points: int) -> int:
        """Shots of one model."""
        if away > t.range:
            return 0
        each = {
            "rapid fire": points * (t.shots + (2 * away <= t.range)),
            "assault": points * t.shots,
            "pistol": points,
            "heavy": t.shots if points >= 2 else 0,
            "blast": t.shots if points >= 2 and t.BS > 0 else 0,
            "template": 0,
        }
        return each[t.weapon]

    def short(self, t: Troops, away: int) -> bool:
        return away <= 12 and 2 * away <= (LENGTH + t.torrent if t.weapon == "template" else t.range)

    def fires(self, s: Now, side: str, points: int) -> int:
        """Shots, markers or templates of one model at people, through what lies between; flames into it are apart."""
        t, inside = self.men(side), s.place == "in"
        if self.roofed(s, side):
            return 0
        if t.weapon == "template":
            burns = self.streams != "old" and not (inside and side == "a") and t.BS > 0
            return points if burns and s.away <= LENGTH + t.torrent else 0
        return 0 if t.weak_laser and self.smoky(s) else self.fired(t, s.away, points)

    def roofed(self, s: Now, side: str) -> bool:
        """Weapons of guess range do not fire out of a building that has its roof."""
        return self.men(side).guess and s.place == "in" and side == "d" and self.house.roof

    def shots_in(self, s: Now, side: str, nth: int) -> int:
        """Shots of one model with the nth action point: each is a shooting of its own."""
        return self.fires(s, side, nth) - self.fires(s, side, nth - 1)

    # what lies between

    def ranked(self, side: str) -> tuple[int, float]:
        """How many abreast, and how far apart."""
        return self.formation if side == "a" and self.formation else (self.files, 2)

    def smoky(self, s: Now) -> bool:
        return s.place == "in" and any(kind == "smoke" and near < s.away for near, _, kind in self.bands)

    def band(self, s: Now) -> int:
        """The cover of the attackers by where they stand."""
        kinds = [COVER[kind] for near, far, kind in self.bands if kind in COVER and near <= s.away < far]
        return max(kinds, default=0) if s.place == "in" else 0

    def cover(self, s: Now) -> int:
        """The cover of all attackers: hard if more than half of them are behind walls."""
        if s.place == "in" and self.walls and s.a:
            behind = behind_walls(s.a, s.away, *self.ranked("a"), self.walls)
            return COVER["hard"] if 2 * sum(behind) > len(behind) else self.band(s)
        return self.band(s)

    def from_hard(self, s: Now) -> int:
        """What attackers have who fire from hard cover."""
        return int(self.cover(s) == COVER["hard"])

    def skill(self, s: Now, side: str, more: int = 0) -> int:
        """The goal to hit somebody of the enemy; of flames and markers without his cover."""
        t, inside = self.men(side), s.place == "in"
        direct, smoky = t.weapon not in ("blast", "template"), self.smoky(s)
        blind = smoky and t.weapon != "blast" and not (t.laser and direct and self.lasers == "weaker")
        laid = getattr(s, f"{side}_laid") and t.weapon != "template" and (self.corrected == "always" or not smoky)
        cover = (COVER["hard"] if side == "a" else self.cover(s)) if inside and direct else 0
        own = 1 if inside and side == "d" else self.from_hard(s)
        small = 1 if getattr(s, "d" if side == "a" else "a") <= 2 else 0
        return (min(1, t.BS) if blind else t.BS) + own - cover - small + laid + more

    def strength(self, s: Now, side: str) -> int:
        t = self.men(side)
        return t.weapon_S - 2 * (t.laser and t.weapon not in ("blast", "template") and self.smoky(s))

    def shot(self, s: Now, side: str) -> Now:
        """One side has fired at the other."""
        return replace(s, **{f"{side}_shot": True}) if self.corrective else s

    def marker(self, s: Now, side: str, skill: int, measured: str = "") -> dict[int, Fraction]:
        """How many of the enemy one marker or template hits."""
        t, other = self.men(side), "d" if side == "a" else "a"
        models, cover, walls = getattr(s, other), self.band(s), self.walls if s.place == "in" else ()
        files, gap = self.ranked(other)
        if t.weapon == "template":
            return by_template(*under_template(models, s.away, files, gap, t.torrent, walls), skill, cover)
        measured = measured or self.measured
        law = under_walls(
            models, s.away, skill, t.blast, files, measured, gap, walls, guess=t.guess, hidden=self.smoky(s)
        )
        return sheltered(law, cover)

    def falls(self, s: Now, side: str, skill: int, n: int, measured: str = "") -> Fallen:
        """How many of the enemy fall by so many shots, markers or templates, which come down on them all at once."""
        t, them = self.men(side), self.ours if side == "d" else self.theirs
        S, close, models = self.strength(s, side), self.short(t, s.away), s.a if side == "d" else s.d
        p, missing = hurt(S, them.T, them.Sv, t.AP, close=close), s.a_missing if side == "d" else s.d_missing
        if t.weapon not in ("blast", "template") or n == 0:
            return shots_fell(n, low(min(5, skill)), p, models, missing)
        law = self.marker(s, side, skill, measured)
        one = added_up(
            ((dead, t.counted(hits, missing)), c * c2)
            for hits, c in law.items()
            for dead, c2 in counts(hits, p).items()
        )
        return added_falls(n, one, models, missing)

    # grenades at people in the open

    def throwing(self, s: Now, side: str, able: int) -> int:
        """Who throws a grenade in each shooting, of so many who could: a quarter of the side, rounded up."""
        has = self.grenades if side == "a" else self.garrison_grenades
        throws = self.thrown and has and s.away <= THROW and self.men(side).BS > 0
        return min(-(-getattr(s, side) // 4), able) if throws else 0

    def grenade_hits(self, s: Now, side: str) -> dict[int, Fraction]:
        """How many of the enemy one grenade hits; smoke hides nobody who is so near."""
        other = "d" if side == "a" else "a"
        models, inside = getattr(s, other), s.place == "in"
        own = 1 if inside and side == "d" else self.from_hard(s)
        goal = self.men(side).BS - 1 + own - (1 if models <= 2 else 0)
        law = under_thrown(models, s.away, goal, *self.ranked(other), self.walls if inside else ())
        return sheltered(law, self.band(s))

    @staticmethod
    def lobbed(away: int) -> "Hit":
        """What a grenade is: from more than half of its range it does not wound on 8 or 9."""
        return Hit(3, close=2 * away <= THROW)

    def fall_at_once(self, s: Now, side: str, n: int, thrown: int) -> list[tuple[tuple[int, int, int], Fraction]]:
        """How many of the enemy fall by so many shots and grenades; by the shots alone, which may pin; and the hits."""
        them, models = self.ours if side == "d" else self.theirs, s.a if side == "d" else s.d
        missing = s.a_missing if side == "d" else s.d_missing
        shot, one = self.falls(s, side, self.skill(s, side), n), {(0, 0): Fraction(1)}
        if thrown:
            p = hurt(3, them.T, them.Sv, 9, close=self.lobbed(s.away).close)
            one = wounding(self.grenade_hits(s, side), p, models, missing)
        blown = added_falls(thrown, one, models, missing)
        ways = added_up(
            ((min(dead + more, models), dead, min(hits + k, missing)), c * c2)
            for ((dead, hits), c), ((more, k), c2) in product(shot.items(), blown.items())
        )
        return list(ways.items())

    def at_windows(self, s: Now) -> int:
        """Those of the garrison inside who can fire."""
        return min(self.house.most_out, self.crowd(s))

    @merged
    def garrison_fires(self, s: Now, points: int, own_turn: bool) -> Ways:
        """Whoever fires can be seen until the next turn of the garrison, in which it may fire again."""
        if self.fires(s, "d", points) == 0:
            acted = points or (own_turn and not self.until_it_acts)
            yield Fraction(1), replace(s, shown=0) if acted else s
            return
        n = self.at_windows(s)
        firing = n - self.throwing(s, "d", n)
        s = self.shot(s, "d") if firing else s
        s = replace(s, shown=n if self.throwers_seen else firing, fired=True)
        yield from self.garrison_shoots(self.reckoned(s, "a", own_turn), n, 1, points, s.a, own_turn)

    @merged
    def garrison_shoots(self, s: Now, n: int, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        """One shooting after the other."""
        if s.end or nth > points:
            yield Fraction(1), self.judged(s, "a", begun, own_turn)
            return
        thrown = self.throwing(s, "d", n)
        for (dead, shot, hits), chance in self.fall_at_once(s, "d", (n - thrown) * self.shots_in(s, "d", nth), thrown):
            left = over(replace(self.struck_by(s, "a", hits), a=s.a - dead))
            for c, after in self.pinning(left, "a", shot, own_turn):
                yield from scaled(chance * c, self.garrison_shoots(after, n, nth + 1, points, begun, own_turn))

    def pinning(self, s: Now, side: str, dead: int, in_turn_of_shooters: bool) -> Ways:
        """Test after casualties by a weapon that pins, if they do not rout. The next turn pays for it."""
        by, pinned = self.theirs if side == "a" else self.ours, getattr(s, f"{side}_pinned")
        spared = pinned or s.end or (side == "a" and s.routs)
        stands = morale(self.men(side).Ld) if by.pinning and dead and not spared else Fraction(1)
        yield stands, s
        yield 1 - stands, replace(s, **{f"{side}_pinned": 1 if in_turn_of_shooters else 2, f"{side}_slowed": 0})

    # suppression

    def suppressible(self, s: Now, side: str, in_turn_of_shooters: bool) -> bool:
        """Whether hits on one side are counted."""
        spared = self.men(side).steadfast or (side == "a" and s.routs)
        return self.suppression == "test" and in_turn_of_shooters and not spared

    def calls(self, models: int) -> int:
        """How many hits call for a test of so many models."""
        quarter = -(-models // 4)
        return {
            "a_quarter": quarter,
            "more_than_a_quarter": models // 4 + 1,
            "two_at_least": max(2, quarter),
        }[self.threshold]

    def reckoned(self, s: Now, side: str, in_turn_of_shooters: bool) -> Now:
        """The shootings of a turn at one side begin."""
        if not self.suppressible(s, side, in_turn_of_shooters):
            return s
        return replace(s, **{f"{side}_missing": self.calls(getattr(s, side))})

    @staticmethod
    def struck_by(s: Now, side: str, hits: int, *, big: bool = False) -> Now:
        """One side has been hit so often, by markers of which one is enough."""
        missing = getattr(s, f"{side}_missing")
        return replace(s, **{f"{side}_missing": 0 if big else max(0, missing - hits)}) if hits and missing else s

    def judged(self, s: Now, side: str, begun: int, in_turn_of_shooters: bool) -> Now:
        """What all shootings of a turn call for: a test of nerve, or else, of who is not pinned, of suppression."""
        after = self.judged_by_losses(s, side, begun, in_turn_of_shooters)
        if not self.suppressible(s, side, in_turn_of_shooters):
            return after
        spared = getattr(after, f"{side}_due") or getattr(s, f"{side}_pinned") or getattr(s, side) == 0
        return replace(
            after, **{f"{side}_owes": getattr(s, f"{side}_missing") == 0 and not spared, f"{side}_missing": 0}
        )

    def judged_by_losses(self, s: Now, side: str, begun: int, in_turn_of_shooters: bool) -> Now:
        """Whether all shootings of a turn call for a test: by a quarter of those there were, who are not pinned."""
        lost = begun - getattr(s, side)
        if not in_turn_of_shooters or lost == 0 or (side == "a" and s.routs):
            return s
        return replace(s, **{f"{side}_due": 4 * lost >= begun and not getattr(s, f"{side}_pinned")})

    def targets(self, s: Now) -> int:
        """Of the garrison inside: nobody for markers, which only come down in the open."""
        if self.ours.weapon == "blast":
            return 0
        if s.away <= 2 and self.way_in(s) > 0:
            return self.crowd(s)
        shuttered = self.house.kind == "bunker" and not s.ports
        return 0 if shuttered else s.shown

    @staticmethod
    def fell(s: Now, dead: int) -> Now:
        """Some of the garrison have fallen: first those who fired, whose places stay empty until it fires again."""
        return replace(s, d=s.d - dead, shown=max(0, s.shown - dead))

    @merged
    def attackers_fire(self, s: Now, points: int, own_turn: bool) -> Ways:
        """Who aims has a point less, and is better at the first shooting after it."""
        takes = 2 if self.ours.weapon in ("heavy", "blast") else 1
        aimed = takes if self.aims and self.plan == "shoot" and points > takes else 0
        s = self.reckoned(s, "d", own_turn)
        yield from self.attackers_shoot(s, 1, points - (aimed > 0), s.d, own_turn, aimed)

    @merged
    def attackers_shoot(self, s: Now, nth: int, points: int, begun: int, own_turn: bool, aimed: int) -> Ways:
        """One shooting after the other, that which was aimed at +1; in each flames and grenades come before shots."""
        if s.end or nth > points:
            yield Fraction(1), self.judged(s, "d", begun, own_turn)
            return
        more = int(nth == aimed)
        for chance, blasted in self.burn(s, more):
            shot = [(Fraction(1), blasted)] if blasted.end else self.shots_at_garrison(blasted, nth, own_turn, more)
            for c, after in shot:
                for c2, left in self.shooting_over(after):
                    rest = self.attackers_shoot(left, nth + 1, points, begun, own_turn, aimed)
                    yield from scaled(chance * c * c2, rest)

    def shooting_over(self, s: Now) -> Ways:
        """Losses of the next one are counted by themselves."""
        yield Fraction(1), replace(s, fallen=0)

    @merged
    def shots_at_garrison(self, s: Now, nth: int, own_turn: bool, more: int) -> Ways:
        t, seen = self.ours, self.targets(s)
        throwing = self.throwers(s) if self.ours.weapon != "template" else 0
        n = (self.with_guns(s) - throwing) * self.shots_in(s, "a", nth)
        s = replace(s, fallen=0)
        if self.aim(s) == "batter" or n == 0 or seen == 0:
            yield Fraction(1), s
            return
        hit, S, s = self.skill(s, "a", more), self.strength(s, "a"), self.shot(s, "a")
        p, passed = hurt(S, self.theirs.T, self.theirs.Sv, t.AP, close=self.short(t, s.away)), low(min(5, hit))
        if self.house.kind == "bunker":
            through = added_up((hits // 2, c) for hits, c in counts(n, passed).items())
            ways = wounding(through, p, seen, s.d_missing)
        else:
            ways = shots_fell(n, passed, p, seen, s.d_missing)
        for (dead, hits), chance in ways.items():
            left = over(self.fell(self.struck_by(s, "d", hits), dead))
            yield from scaled(chance, self.pinning(left, "d", dead, own_turn))

    # fire and grenades

    def throwers(self, s: Now) -> int:
        """A quarter of the unit, rounded up, throws grenades when it smokes the garrison out."""
        can = self.aim(s) == "smoke" and self.grenades and s.away <= 6 and (self.way_in(s) > 0 or s.ports)
        return -(-s.a // 4) if can else 0

    @merged
    def burn(self, s: Now, more: int) -> Ways:
        """Smoke is in the way of flames, not of grenades."""
        t, small = self.ours, 1 if s.d <= 2 else 0
        if not (self.way_in(s) or s.ports):
            yield Fraction(1), s
            return
        flames = s.a if t.weapon == "template" and s.away <= t.range else 0
        thrown = self.throwers(s) if t.weapon != "template" else 0
        goal = self.skill(s, "a", more) if t.weapon == "template" else t.BS - small + self.from_hard(s)
        yield from self.one_by_one(s, flames, thrown, goal)

    @merged
    def one_by_one(self, s: Now, flames: int, thrown: int, BS: int) -> Ways:
        """Each flame and each grenade meets those who are still alive."""
        if s.end or flames + thrown == 0:
            yield Fraction(1), s
            return
        left = (flames - 1, thrown) if flames else (0, thrown - 1)
        for chance, after in self.flame(s, BS) if flames else self.grenade(s, BS):
            yield from scaled(chance, self.one_by_one(after, *left, BS))

    @merged
    def flame(self, s: Now, BS: int) -> Ways:
        """One roll: who passes it burns everybody inside; else each of those in reach of the flames on 3 or less."""
        t = self.theirs
        if self.way_in(s):
            passed, near = low(min(5, BS)), self.crowd(s)
        else:
            passed, near = low(min(5, BS - (1 if s.away <= 2 else 2))), min(self.house.most_out, self.crowd(s))
        p = hurt(self.ours.weapon_S, t.T, t.Sv, self.ours.AP)
        yield from scaled(passed, self.killed(s, self.crowd(s), self.met_inside(), p))
        yield from scaled(1 - passed, self.killed(s, near, Fraction(1, 2), p))

    @merged
    def grenade(self, s: Now, BS: int) -> Ways:
        """Strength 3: always in from 2 inches of an opening; by a roll from farther; half of those that hit a port."""
        t, open_to_them = self.theirs, self.way_in(s) > 0
        inside = low(min(5, BS - 1)) if open_to_them else low(min(5, BS - 3)) / 2
        if open_to_them and s.away <= 2:
            inside = Fraction(1)
        yield from scaled(inside, self.killed(s, self.crowd(s), self.met_inside(), hurt(3, t.T, t.Sv, 9)))
        yield 1 - inside, s

    def met_inside(self) -> Fraction:
        """Of those inside whom a blast or flame finds: all in a confined space, else each on 4 or less, or 3 or less."""
        return {"confined": Fraction(1), "hard_cover": Fraction(4, 6), "open": Fraction(3, 6)}[self.house.inside]

    def killed(self, s: Now, reached: int, met: Fraction, p: Fraction) -> Ways:
        """Of so many inside each is hit with a chance, and falls to a hit with another."""
        for (dead, hits), chance in shots_fell(reached, met, p, reached, s.d_missing).items():
            yield chance, over(self.consumed(self.struck_by(s, "d", hits), dead))

    def consumed(self, s: Now, dead: int) -> Now:
        """Some have fallen to flames and grenades."""
        return replace(self.fell(s, dead), fallen=s.fallen + dead)

    # the structure

    @merged
    def batter(self, s: Now, points: int) -> Ways:
        """Shoot at the structure, which no smoke hides; but smoke stops lasers, or makes them weaker."""
        t = self.ours
        stopped = t.weapon == "blast" or (t.weak_laser and self.smoky(s))
        n = 0 if stopped else self.with_guns(s) * self.fired(t, s.away, points)
        if n == 0 or s.end:
            yield Fraction(1), s
            return
        hit = Fraction(1) if s.away < 2 else low(min(5, t.BS + self.from_hard(s)))
        yield from self.harm(s, n, self.strength(s, "a"), hit, close=self.short(t, s.away), each=t.damage)

    def worn(self, s: Now, n: int, S: int, hit: Fraction, *, close: bool, each: int) -> Ways:
        """What a wall or door has lost then; each shot or blow that harms it takes so many points, while it has any."""
        h, goal = self.house, max(2, self.house.T + 4 - S)
        p = hit * high(goal) if goal <= (9 if close else 7) else Fraction(0)
        for done, chance in counts(n, p).items():
            yield chance, replace(s, damage=min(h.points, s.damage + done * each))

    def comes_down(self, before: Now, after: Now) -> bool:
        """A wall does with its last point, on those near it; what becomes of a door harms nobody."""
        return self.house.kind == "wall" and before.damage < after.damage == self.house.points

    @merged
    def harm(self, s: Now, n: int, S: int, hit: Fraction, *, close: bool, each: int = 1) -> Ways:
        """Do what so many shots or blows of a Strength do to the structure."""
        h = self.house
        if h.kind != "bunker":
            for chance, after in self.worn(s, n, S, hit, close=close, each=each):
                if not self.comes_down(s, after):
                    yield chance, after
                    continue
                inside = self.crowd(s) if self.wall_hits == "section" else min(h.most_out, self.crowd(s))
                outside = min(12, s.a) if self.wall_hits == "near" and s.away <= 1 else 0  # two abreast for each inch
                for dead, c in counts(inside, self.struck_by_wall(self.theirs)).items():
                    for lost, c2 in counts(outside, self.struck_by_wall(self.ours)).items():
                        yield chance * c * c2, over(replace(self.fell(after, dead), a=s.a - lost))
            return
        for chance, after in self.attacks_on_bunker(s, n, S, hit):
            if after.end != "destroyed":
                yield chance, after
                continue
            for dead, c in counts(self.crowd(s), Fraction(1, 2) * (1 - high(self.theirs.Sv))).items():
                yield chance * c, replace(after, d=s.d - dead)

    def struck_by_wall(self, t: Troops) -> Fraction:
        """One hit at the Toughness of the wall, with a save."""
        return high(max(2, t.T + 4 - self.house.T)) * (1 - high(t.Sv))

    @merged
    def attacks_on_bunker(self, s: Now, n: int, S: int, hit: Fraction) -> Ways:
        if n == 0 or s.end:
            yield Fraction(1), s
            return
        for face in FACES:
            reach = face + S
            if reach < self.house.T:
                yield from scaled(Fraction(1, 6) * hit, self.attacks_on_bunker(s, n - 1, S, hit))
                continue
            worn = replace(s, hull=max(0, s.hull - 1))
            if reach == self.house.T and s.hull > 0:
                yield from scaled(Fraction(1, 6) * hit, self.attacks_on_bunker(worn, n - 1, S, hit))
                continue
            for die in FACES:
                after = bunker_table(worn, die + s.cracks, glancing=reach == self.house.T)
                yield from scaled(Fraction(1, 36) * hit, self.attacks_on_bunker(after, n - 1, S, hit))
        if hit < 1:
            yield from scaled(1 - hit, self.attacks_on_bunker(s, n - 1, S, hit))

    # the fight

    @merged
    def charge(self, s: Now) -> Ways:
        """A charge that reaches goes on to stand-and-fire and the fight."""
        s = moved(s)
        for (short, fast), chance in charges(self.move, s.away - 2).items():
            if short:
                yield chance, replace(s, away=s.away - short)
            elif self.aim(s) == "hew":
                yield from scaled(chance, self.hew(s))
            elif s.away <= self.move or s.d_pinned or s.dazed > 0:
                yield from scaled(chance, self.fight(replace(s, away=1), 0))
            else:
                yield from scaled(chance, self.stand_and_fire(s, fast))

    def stands(self, s: Now, side: str, successes: int) -> int:
        """What each of one side fires who is charged."""
        t = self.men(side)
        if t.weapon == "template" and (s.place != "in" or self.streams != "old"):
            return min(1, successes) if self.streams == "text" and t.BS > 0 else 0
        if t.weapon == "blast" and (not self.shells or t.BS <= 0 or self.roofed(s, side)):
            return 0
        return min(1, successes) if t.weapon not in ("heavy", "blast") else t.shots * (successes == 2)

    @staticmethod
    def halted(s: Now, t: Troops) -> Now:
        """Chargers whom flames meet 7 inches away, or markers in range, or where they come from; out of all cover."""
        return replace(s, away=min(7 if t.weapon == "template" else t.range, s.away), place="out")

    def charge_costs(self, s: Now, side: str, skill: int, n: int) -> list[tuple[int, Fraction]]:
        """How many chargers fall by so many shots or templates of the side that they charge."""
        t, them, models = self.men(side), self.ours if side == "d" else self.theirs, s.a if side == "d" else s.d
        if t.weapon == "blast" or (t.weapon == "template" and self.streams == "text"):
            ways = self.falls(self.halted(s, t), side, skill, n, self.charge_measured)
            return [(dead, chance) for (dead, _), chance in ways.items()]  # hits while charging do not count
        return capped(n, unsaved(skill, t.weapon_S, them.T, them.Sv, t.AP), models)

    @merged
    def stand_and_fire(self, s: Now, fast: bool) -> Ways:
        good = Fraction(VALUE[self.theirs.I], 6)
        for successes, chance in counts(2, good).items():
            each = self.stands(s, "d", successes)
            hit = 1 + 1 - fast - (1 if s.a <= 2 else 0)
            for dead, c in self.charge_costs(s, "d", hit, each * self.at_windows(s)):
                after = over(replace(s, a=s.a - dead))
                if after.end:
                    yield chance * c, after
                else:
                    yield from scaled(chance * c, self.fight(replace(after, away=1), -dead))

    @merged
    def hew(self, s: Now) -> Ways:
        """Everybody strikes, at a door two for each inch, and no blow misses; then all are an inch from it.

        It is no unit that is charged: nobody has an extra attack, and nobody stands and fires.
        """
        n = min(s.a, 2 * self.house.door_wide) if self.house.kind == "door" else s.a
        yield from self.harm(replace(s, away=1), n * self.ours.A, self.ours.S, Fraction(1), close=True)

    @merged
    def fight(self, s: Now, margin: int) -> Ways:
        """Who has charged or is charged takes no test for the losses by shooting before, by one reading.

        By a wall that is down two come in for each inch of it; by one or a door that is damaged, one for each hole.
        """
        s = self.charged(replace(s, shown=0))
        ways, more = self.way_in(s), self.holes(s)
        if ways == 1 and not more:
            rolled = added_up(((min(x, s.a), min(y, self.crowd(s))), Fraction(1, 36)) for x, y in product(FACES, FACES))
            for (a_in, d_in), chance in rolled.items():
                yield from scaled(chance, self.round(s, a_in, d_in, margin))
        else:
            pairs = min(2 * ways + more, s.a, self.crowd(s))
            yield from self.round(s, pairs, pairs, margin)

    @merged
    def round(self, s: Now, a_in: int, d_in: int, margin: int) -> Ways:
        us, them = self.ours, self.theirs
        p = unsaved(us.stroke, us.S, them.T, them.Sv, 9)
        q = unsaved(them.stroke + self.above(s), them.S, us.T, us.Sv, 9)
        strikes, own = us.A + self.charge_bonus(s), self.at_initiative(s)
        if own > them.I:
            ways = (
                (killed, lost, c * c2)
                for killed, c in capped(a_in * strikes, p, d_in)
                for lost, c2 in capped((d_in - killed) * them.A, q, a_in)
            )
        elif own < them.I:
            ways = (
                (killed, lost, c * c2)
                for lost, c in capped(d_in * them.A, q, a_in)
                for killed, c2 in capped((a_in - lost) * strikes, p, d_in)
            )
        else:
            ways = (
                (killed, lost, c * c2)
                for killed, c in capped(a_in * strikes, p, d_in)
                for lost, c2 in capped(d_in * them.A, q, a_in)
            )
        for killed, lost, chance in ways:
            after = over(replace(self.slain(s, killed), a=s.a - lost, away=1))
            yield from scaled(chance, self.result(after, margin + killed - lost))

    def charge_bonus(self, s: Now) -> int:
        """Attacks that each has more who storms."""
        return int(not s.stormed)

    def above(self, s: Now) -> int:
        """What those inside have to hit, who stand higher."""
        return 0

    @staticmethod
    def slain(s: Now, dead: int) -> Now:
        """Some of those have fallen who are in the section that is stormed."""
        return replace(s, d=s.d - dead)

    def charged(self, s: Now) -> Now:
        """Nobody stays suppressed in a fight, or pursues; tests that are owed are forgotten, by one reading."""
        s = replace(s, a_slowed=0, d_slowed=0, pursues=False)
        return replace(s, a_due=False, d_due=False, a_owes=False, d_owes=False) if self.excused else s

    def at_initiative(self, s: Now) -> int:
        """When attackers strike: last at those in cover, but for grenades."""
        return self.ours.I if self.grenades or s.d_pinned or s.stormed else 1

    @merged
    def result(self, s: Now, difference: int) -> Ways:
        """Score: difference and 1 for who charges, the difference the other way for those inside; the loser tests."""
        if s.end:
            yield Fraction(1), s
            return
        ours, theirs = self.scores(difference, not s.stormed, False)
        s = replace(s, stormed=self.continued)
        if ours == theirs:
            yield Fraction(1), s
            return
        if ours > theirs:
            stand = morale(self.theirs.Ld + max(-difference, -3))
            yield 1 - stand, over(replace(s, d=s.d - self.crowd(s)))
        else:
            stand = morale(self.ours.Ld + max(difference, -3))
            yield from scaled(1 - stand, self.rout(s, 0))
        yield stand, s

    def scores(self, difference: int, a_charged: bool, d_charged: bool) -> tuple[int, int]:
        """Of attackers and garrison: what they have won by, and 1 each for a charge and for hatred (ARAP-203)."""
        return difference + a_charged + self.ours.hates, -difference + d_charged + self.theirs.hates

    # nerve, and routs of the attackers

    @merged
    def nerve(self, s: Now, side: str) -> Ways:
        """Passed; failed by an even throw, pinned; by an odd one, routed. Who owes no such test may owe the other."""
        if not getattr(s, f"{side}_due"):
            yield from self.suppressed(s, side)
            return
        calm, Ld = replace(s, **{f"{side}_due": False}), self.men(side).Ld
        for x, y in product(FACES, FACES):
            if x + y <= Ld or x + y == 2:
                yield Fraction(1, 36), calm
            elif (x + y) % 2 == 0:
                yield Fraction(1, 36), replace(calm, **{f"{side}_pinned": 1, f"{side}_slowed": 0})
            elif side == "a":
                yield from scaled(Fraction(1, 36), self.rout(calm, s.away))
            else:
                yield Fraction(1, 36), replace(calm, end="captured")

    def suppressed(self, s: Now, side: str) -> Ways:
        """Who fails is suppressed; who is so for this turn already may be for the next one too."""
        if not getattr(s, f"{side}_owes"):
            yield Fraction(1), s
            return
        calm, stands = replace(s, **{f"{side}_owes": False}), morale(self.men(side).Ld)
        turns = getattr(s, f"{side}_slowed") | {"this_turn": 1, "next_turn": 2}[self.suppressed_turn]
        yield stands, calm
        yield 1 - stands, replace(calm, **{f"{side}_slowed": turns})

    def rout(self, s: Now, away: int) -> Ways:
        """They turn and move D6 inches at once from so far away; they stand apart, and what they owed is forgotten."""
        if s.end or self.routers == "for_good":
            yield Fraction(1), s if s.end else replace(s, end="broken")
            return
        place = "in" if s.place == "in" else "out"
        free = {"place": place, "a_due": False, "a_owes": False, "stormed": False, "parted": s.met}
        for die in FACES:
            yield Fraction(1, 6), replace(self.run_off(s, away, die), routs=True, rallied=False, **free)

    def run_off(self, s: Now, away: int, inches: int) -> Now:
        """So far from where they were, and on to a line if that is set, but not over the edge of the table."""
        far = away + inches
        if self.flight == "lines":
            far = self.line_from(s, far)
        return walked(s, max(away, min(far, s.edge)))

    def line_from(self, s: Now, far: int) -> int:
        """The first line that is no nearer: they lie whole moves from where the attackers have begun, either way."""
        begun = s.edge - self.edge
        return begun - (begun - far) // self.move * self.move

    def through_cover(self, near: int, s: Now) -> bool:
        """Whether a flight that began so near has touched soft or hard cover, where it began and ended too."""
        met = (kind in COVER and start <= s.away and near < end for start, end, kind in self.bands)
        return s.place == "in" and any(met)

    @merged
    def compulsory(self, s: Now, side: str) -> Ways:
        """Routers flee, and are pursued. Who has rallied is able to act again in his own turn."""
        s = replace(s, rallied=s.rallied and side == "d")
        if not (s.routs or s.pursues) or (side == "d" and self.routers_move == "own_turn"):
            yield Fraction(1), s
            return
        for chance, after in self.flee(s):
            yield from scaled(chance, self.after_flight(after, side))

    def flee(self, s: Now) -> Ways:
        """Those who rout."""
        if not s.routs:
            yield Fraction(1), s
            return
        for inches, chance in flights(self.move).items():
            after = self.run_off(s, s.away, inches)
            yield chance, replace(after, fled=1 + self.through_cover(s.away, after))

    @merged
    def after_flight(self, s: Now, side: str) -> Ways:
        """Pursuers move, routers rally, pursuers halt; or those who do not halt move last (ARAP-216)."""
        steps = [lambda now: self.rally(now, side, "after_the_move"), self.halt]
        steps.insert(0 if self.pursuit_order == "moves_first" else 2, self.pursue)
        live = {s: Fraction(1)}
        for step in steps:
            live = added_up(
                (after, chance * c)
                for now, chance in live.items()
                for c, after in ([(Fraction(1), now)] if now.end or now.fought else step(now))
                if c
            )
        yield from ((chance, after) for after, chance in live.items())

    def rally(self, s: Now, side: str, when: str) -> Ways:
        """Who has fled tests, once more in cover and once more at the edge; who fails there has left the table."""
        if s.end or not s.fled or self.rally_when != when:
            yield Fraction(1), s
            return
        off = s.away >= s.edge
        fail = (1 - control(self.ours.Ld + (s.away > 8))) ** (s.fled + off)
        s = replace(s, fled=0)
        yield fail, replace(s, end="broken") if off else s
        yield 1 - fail, replace(s, routs=False, rallied=side == "d" or when == "end_of_turn")

    # pursuit

    def followed(self, s: Now) -> Ways:
        """Attackers rout out of a fight in the open; after their D6 inches who does not stay pursues them."""
        stays = self.stays()
        for chance, after in self.rout(s, 1):
            if after.end:
                yield chance, after
                continue
            yield chance * stays, after
            yield chance * (1 - stays), replace(after, pursues=True)

    def stays(self) -> Fraction:
        """The chance that a garrison does not pursue: by a control test, or as it likes if it is slow (ARAP-214)."""
        if self.pursuit == "none" or self.routers == "for_good":
            return Fraction(1)
        if self.pursuit == "eager" or self.theirs.frenzied:
            return Fraction(0)
        return Fraction(1) if self.move <= 3 else self.holds_back()

    def holds_back(self) -> Fraction:
        """A control test of the garrison, at -1 if it hates those whom it follows."""
        return control(self.theirs.Ld - self.theirs.hates)

    def halt(self, s: Now) -> Ways:
        """Pursuers test, whether attackers have rallied or not; who halts is able to act from now on."""
        halts = self.holds_back() if s.pursues and self.pursuit == "reluctant" else Fraction(0)
        yield halts, replace(s, pursues=False)
        yield 1 - halts, s

    @merged
    def pursue(self, s: Now) -> Ways:
        """As far as routers flee, up to an inch from them; the edge, and lines on the table, come nearer by as much."""
        if not s.pursues:
            yield Fraction(1), s
            return
        for inches, chance in flights(self.move).items():
            near = min(s.away, max(1, s.away - inches))
            near = 1 if near <= 2 and not s.routs else near
            after = replace(walked(s, near), edge=s.edge - (s.away - near))
            if near > 2:
                yield chance, after
            else:
                yield from scaled(chance, self.hack(after) if s.routs else self.caught_up(after, s.away))

    def caught_up(self, s: Now, begun: int) -> Ways:
        """Attackers who have rallied are charged anew from so far away, and may stand and fire; it is no fast charge."""
        s = replace(s, pursues=False, fought=True, away=begun)
        if begun <= self.move or s.a_pinned:
            yield from self.blows(replace(s, away=1), "d", 0)
        else:
            yield from self.stand_outside(s, "d", False)

    def hacks_in_all(self, s: Now) -> int:
        """Free hacks of the garrison: one of each, or all his Attacks, none of a charge among them."""
        return s.d * (self.theirs.A if self.free_hacks == "attacks" else 1)

    @merged
    def hack(self, s: Now) -> Ways:
        """Free hacks at routers in reach hit on 4 or less, whoever strikes (ARAP-211)."""
        us, them = self.ours, self.theirs
        for dead, chance in capped(self.hacks_in_all(s), unsaved(4, them.S, us.T, us.Sv, 9), s.a):
            yield chance, over(replace(s, a=s.a - dead))

    # turns

    @merged
    def act(self, s: Now, points: int, own_turn: bool) -> Iterator[tuple[Fraction, Now, bool]]:
        """What attackers do with their points; the last value says whether those inside were drawn into a fight."""
        moves = min(points, -(-max(0, s.away - self.wanted(s)) // self.move))
        s, left = walked(s, self.walk(s, moves)), points - moves
        if left == 0:
            yield Fraction(1), s, False
            return
        for chance, door, left_now in self.force(s, left):
            aim = self.aim(door)
            charges = aim in ("enter", "hew") and left_now > 0 and door.away <= self.wanted(door)
            if aim == "force" or left_now == 0:
                yield chance, door, False
                continue
            spare = 0 if door != s else left_now - 1 if charges else left_now
            for c, shot in self.attackers_fire(door, spare, own_turn) if spare else [(Fraction(1), door)]:
                worked = self.batter(shot, spare) if aim == "batter" and not shot.end else [(Fraction(1), shot)]
                for c2, now in scaled(chance * c, worked):
                    if now.end or not charges:
                        yield c2, now, False
                        continue
                    for c3, after in self.charge(now):
                        yield c2 * c3, after, after.end != "" or self.drawn_in(aim, now, after)

    def drawn_in(self, aim: str, before: Now, after: Now) -> bool:
        """Whether those inside have been in a fight in a charge."""
        return aim == "enter" and (after.away == 1 or after.routs)

    def can_hack(self, s: Now) -> int:
        """Living attackers who can hack a lock; here there is no leader."""
        return s.a if self.hacks and self.hackers == "all" else 0

    @merged
    def force(self, s: Now, points: int) -> Iterator[tuple[Fraction, Now, int]]:
        """Who can hack the lock tries first, one for each point; what is left of the points goes to breaking it open."""
        if self.aim(s) != "force" or s.away > 1 or points == 0:
            yield Fraction(1), s, points
            return
        s, able, hacked, shut = moved(s), self.can_hack(s), morale(self.hacks - 2), Fraction(1)
        tries = points if able and self.hack_again else min(able, points)
        for left in range(points - 1, points - tries - 1, -1):
            yield shut * hacked, replace(s, opened=True), left
            shut *= 1 - hacked
        for chance, after, left in self.break_open(s, points - tries):
            yield shut * chance, after, left

    def break_open(self, s: Now, points: int) -> Iterator[tuple[Fraction, Now, int]]:
        """By force, or by a blow at the lock, if that may open the door: whichever is likelier to."""
        opened = max(self.forced_open(s), self.smashed_open()) if self.smashed_opens else self.forced_open(s)
        for left in range(points - 1, -1, -1):
            yield (1 - opened) ** (points - 1 - left) * opened, replace(s, opened=True), left
        yield (1 - opened) ** points, s, 0

    def forced_open(self, s: Now) -> Fraction:
        """A door of Toughness 5 by the Strength of one and 2 for each who helps."""
        return high(max(2, 5 + 4 - (self.ours.S + 2 * min(self.helpers, s.a - 1))))

    def smashed_open(self) -> Fraction:
        """A lock of Toughness 2 and one point, which nobody misses, by the Strength of one; nobody can help him."""
        return high(max(2, 2 + 4 - self.ours.S))

    def activations(self, side: str, s: Now) -> Iterator[tuple[Fraction, int, int]]:
        """Points of the side whose turn it is and of the other; it costs two of them to be pinned.

        It costs whose turn it is one to be suppressed; he throws his dice as ever.
        Who routs, or has rallied just now, picks nothing up; nor do pursuers.
        """
        other = "d" if side == "a" else "a"
        paid = {who: 2 * (getattr(s, f"{who}_pinned") > 0) for who in "ad"}
        paid[side] += getattr(s, f"{side}_slowed") & 1
        if s.pursues if side == "a" else s.routs or s.rallied:
            for k, chance in counts(3, Fraction(VALUE[self.men(side).I], 6)).items():
                yield chance, max(0, k - paid[side]), 0
            return
        for k, chance in counts(3, Fraction(VALUE[self.men(side).I], 6)).items():
            for r, c in counts(3 - k, Fraction(VALUE[self.men(other).I], 6)).items():
                yield chance * c, max(0, k - paid[side]), max(0, r - paid[other])

    @merged
    def attackers_turn(self, s: Now) -> Ways:
        yield from self.turn(s, "a")

    @merged
    def defenders_turn(self, s: Now) -> Ways:
        yield from self.turn(s, "d")

    def turn(self, s: Now, side: str) -> Ways:
        for chance, now in self.compulsory(s, side):
            yield from [(chance, now)] if now.end else scaled(chance, self.after_compulsory(now, side))

    @merged
    def after_compulsory(self, s: Now, side: str) -> Ways:
        """Who still routs does nothing in his own turn, and leaves no die to pick up; nobody acts once pursuers charge."""
        phase = self.attackers_phase if side == "a" else self.defenders_phase
        for chance, after in [(Fraction(1), s)] if s.fought or (side == "a" and s.routs) else phase(s):
            yield from scaled(chance, self.rally(turn_over(after, side), side, "end_of_turn"))

    @merged
    def attackers_phase(self, s: Now) -> Ways:
        if s.place != "in":
            yield from self.turn_outside(s, "a")
            return
        if self.aim(s) not in ("enter", "force"):  # they have given the storm up: a later one is a new combat
            s = replace(s, stormed=False)
        for c, held in self.nerve(s, "a"):
            if held.end or held.routs:
                yield c, held
                continue
            if held.away > 12:
                held = walked(held, self.walk(held, 1))
            fired = added_up(
                ((shot, k), c2 * c3)
                for c2, k, r in self.activations("a", held)
                for c3, shot in self.garrison_fires(held, r, own_turn=False)
            )
            for (shot, k), c2 in fired.items():
                if shot.end:
                    yield c * c2, shot
                    continue
                for c3, after, _ in self.act(shot, k, own_turn=True):
                    yield c * c2 * c3, after

    @merged
    def defenders_phase(self, s: Now) -> Ways:
        if s.place != "in":
            yield from self.turn_outside(s, "d")
            return
        for c, held in self.nerve(s, "d"):
            if held.end:
                yield c, held
                continue
            held = replace(held, dazed=held.shaken, shaken=0)
            acted = added_up(
                ((met, 0 if locked else k), c2 * c3)
                for c2, k, r in self.activations("d", held)
                for c3, met, locked in self.act(held, r, own_turn=False)
            )
            for (met, k), c2 in acted.items():
                yield from [(c * c2, met)] if met.end else scaled(c * c2, self.garrison_acts(met, k))

    @merged
    def garrison_acts(self, s: Now, points: int) -> Ways:
        """Fire out; a garrison that sallies keeps a point for the charge. The shaken cannot fire, the stunned not move.

        Nobody comes out at routers.
        """
        reach = self.move + 2 + 7
        sallies = self.defence == "sally" and s.dazed < 2 and points > 0 and s.away <= reach and not s.routs
        shooting = 0 if s.dazed else points - 1 if sallies else points
        for c, shot in self.garrison_fires(s, shooting, own_turn=True):
            if shot.end or not sallies:
                yield c, shot
                continue
            out = replace(
                moved(shot),
                place="out",
                shown=0,
                opened=False,
                damage=0,
                hull=0,
                cracks=0,
                ports=False,
                fired=False,
                stormed=False,
            )
            for c2, after, _ in self.charge_outside(out, "d"):
                yield c * c2, after

    # in the open: the attackers are "a", the garrison "d"

    def men(self, side: str) -> Troops:
        return self.ours if side == "a" else self.theirs

    @merged
    def turn_outside(self, s: Now, side: str) -> Ways:
        """Who routs or pursues in his own turn takes the tests that he owes, and no more."""
        other = "d" if side == "a" else "a"
        if side == "d":
            s = replace(s, dazed=s.shaken, shaken=0)
        if s.place == "locked":
            yield from self.blows(s, "", 0)
            return
        for c, held in self.nerve(s, side):
            if held.end or (held.routs if side == "a" else held.pursues):
                yield c, held
                continue
            acted = added_up(
                ((after, 0 if after.end or fought or held.dazed == 2 else k), c2 * c3)
                for c2, k, r in self.activations(side, held)
                for c3, after, fought in self.act_outside(held, other, r, own_turn=False)
            )
            for (after, k), c2 in acted.items():
                for c3, end, _ in self.act_outside(after, side, k, own_turn=True):
                    yield c * c2 * c3, end

    @merged
    def act_outside(self, s: Now, side: str, points: int, own_turn: bool) -> Iterator[tuple[Fraction, Now, bool]]:
        """Shoot with all points but one until the two have met, and charge; the last value is whether there was a fight.

        At routers the garrison shoots with all of them.
        """
        if points == 0:
            yield Fraction(1), s, False
            return
        quiet = (self.fighting_on(s) and not s.routs) or (side == "d" and s.dazed > 0)
        for c, shot in self.shots_outside(s, side, 0 if quiet else points - (not s.routs), own_turn):
            if shot.end or s.routs:
                yield c, shot, False
                continue
            for c2, after, fought in self.charge_outside(shot, side):
                yield c * c2, after, after.end != "" or fought

    def fighting_on(self, s: Now) -> bool:
        """Whether a charge in the open goes on with a combat."""
        return s.met and not s.parted

    def with_pieces(self, s: Now, side: str) -> int:
        """Who shoots in the open. Who bears something else has no mortar."""
        return self.with_guns(s) if side == "a" and self.ours.weapon == "blast" else getattr(s, side)

    @merged
    def shots_outside(self, s: Now, side: str, points: int, own_turn: bool) -> Ways:
        other = "d" if side == "a" else "a"
        s = self.reckoned(s, other, own_turn)
        yield from self.shoot_outside(s, side, 1, points, getattr(s, other), own_turn)

    @merged
    def shoot_outside(self, s: Now, side: str, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        """One shooting after the other."""
        other = "d" if side == "a" else "a"
        if s.end or nth > points:
            yield Fraction(1), self.judged(s, other, begun, own_turn)
            return
        thrown = self.throwing(s, side, getattr(s, side))
        n = max(0, self.with_pieces(s, side) - thrown) * self.shots_in(s, side, nth)
        for (dead, shot, hits), c in self.fall_at_once(s, side, n, thrown):
            after = over(replace(self.struck_by(s, other, hits), **{other: getattr(s, other) - dead}))
            for c2, tested in self.pinning(after, other, shot, own_turn):
                yield from scaled(c * c2, self.shoot_outside(tested, side, nth + 1, points, begun, own_turn))

    @merged
    def charge_outside(self, s: Now, side: str) -> Iterator[tuple[Fraction, Now, bool]]:
        """The last value says whether it has reached."""
        other = "d" if side == "a" else "a"
        for (short, fast), chance in charges(self.move, s.away - 2).items():
            unready = s.away <= self.move or getattr(s, f"{other}_pinned") or (other == "d" and (s.dazed or s.pursues))
            if short:
                yield chance, replace(s, away=s.away - short), False
                continue
            for c, after in self.blows(replace(s, away=1), side, 0) if unready else self.stand_outside(s, side, fast):
                yield chance * c, after, True

    @merged
    def stand_outside(self, s: Now, side: str, fast: bool) -> Ways:
        """Those who are charged fire; the wounds count against the chargers."""
        other = "d" if side == "a" else "a"
        n = getattr(s, side)
        for successes, chance in counts(2, Fraction(VALUE[self.men(other).I], 6)).items():
            each, hit = self.stands(s, other, successes), 1 - fast - (1 if n <= 2 else 0)
            for dead, c in self.charge_costs(s, other, hit, each * self.with_pieces(s, other)):
                after = over(replace(s, **{side: n - dead}))
                if after.end:
                    yield chance * c, after
                else:
                    met = replace(after, away=1)
                    yield from scaled(chance * c, self.blows(met, side, -dead if side == "a" else dead))

    @merged
    def blows(self, s: Now, charger: str, margin: int) -> Ways:
        """Everybody fights, by Initiative; only the first fight of all has the extra attack of the charge."""
        us, them, s = self.ours, self.theirs, self.charged(s)
        a_blows = us.A + (charger == "a" and not self.fighting_on(s))
        d_blows = them.A + (charger == "d" and not self.fighting_on(s))
        p, q = unsaved(us.stroke, us.S, them.T, them.Sv, 9), unsaved(them.stroke, them.S, us.T, us.Sv, 9)
        ways: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        if us.I >= them.I:
            for killed, c in capped(s.a * a_blows, p, s.d):
                for lost, c2 in capped((s.d - killed if us.I > them.I else s.d) * d_blows, q, s.a):
                    ways[killed, lost] += c * c2
        else:
            for lost, c in capped(s.d * d_blows, q, s.a):
                for killed, c2 in capped((s.a - lost) * a_blows, p, s.d):
                    ways[killed, lost] += c * c2
        for (killed, lost), c in ways.items():
            after = over(replace(s, a=s.a - lost, d=s.d - killed, met=True, parted=False))
            yield from scaled(c, self.outcome(after, charger, margin + killed - lost))

    @merged
    def outcome(self, s: Now, charger: str, difference: int) -> Ways:
        """The loser tests; who stands flinches D6 inches, and is still in reach if that is one."""
        if s.end:
            yield Fraction(1), s
            return
        ours, theirs = self.scores(difference, charger == "a", charger == "d")
        if ours == theirs:
            yield Fraction(1), locked(s)
            return
        Ld, own = (self.ours.Ld, difference) if ours < theirs else (self.theirs.Ld, -difference)
        stand = morale(Ld + max(own, -3))
        routed = self.followed(s) if ours < theirs else [(Fraction(1), replace(s, end="captured"))]
        yield from scaled(1 - stand, routed)
        for die in FACES:
            yield stand / 6, locked(s) if 1 + die <= 2 else replace(s, place="out", away=1 + die)


@dataclass(frozen=True, eq=False)
class NowFloors(Now):
    held: int = 0  # sections that the attackers have
    here: int = 0  # of the garrison: who is in the section that is attacked, the next one
    guns: int | None = None  # who shoots in it after flames and grenades; None before these


@dataclass(frozen=True, eq=False)
class Floors(Siege):
    """A garrison in several sections of an open house, or of one with a locked door; they are stormed one after the other.

    Attackers who have a section stand in the last of those that they have, as many as have room; the others wait, and
    nothing befalls them. The garrison is in the section that is attacked, and evenly in those behind it, the nearer ones
    having the more; there is room for all of it.

    If so set, both sides begin each shooting across the doorway with flames and grenades. Who has a template weapon has
    no other; of those with assault grenades a quarter of the unit throw one each, and the others shoot. A grenade that
    misses may come down in a section next to the one aimed at (GB-119): they lie in a row, as they are stormed.

    A garrison that sallies charges back once attackers are in the house (GB-121, 122): as in a storm, the roles exchanged,
    D6 against D6; where there is a ladder it jumps down, each by a test of his own, and may fall (GB-030).

    In a hall attackers inside who charge reach over two sections, if nobody is in the first of them (GB-110): they have
    that one at once, and in the same charge fight those in the second.

    By shut doors nothing goes from section to section until somebody charges, who opens one; it is shut again after that.

    Attackers who rout, and are not killed in the section, leave the house; the garrison is in all sections of it again.
    """

    sections: int = 2
    link: str = "stairs"  # from each section to the next; or "ladder"
    evens_out: str = "own_turn"  # then the garrison spreads evenly; by an "action" of that turn; or it "stays"
    deployment: str | int = "spread"  # or as many as have room in the first section ("doors"), or behind it ("top")
    barricaded: bool = False  # the garrison, at which fire from section to section is worse than at hard cover
    uphill: bool = False  # who defends the upper end of stairs is +1 to hit (ARAP-195)
    across: bool = False  # flames and grenades from section to section, before shots
    powered: bool = False  # the garrison's armour
    failed_jump: str = "fights"  # who falls and lives; or he is "down": this round he neither fights nor can be hit
    hall: bool = False  # the sections are one courtyard or hall; 2D6 and a move of 4 always are the 6 inches it takes
    inner_doors: str = "open"  # between the sections; or "shut"

    def begins(self, *numbers: int, hull: int) -> NowFloors:
        """A number of `deployment` stands in the first section, if that and those behind it have room."""
        d = numbers[1]
        here = {"spread": -(-d // self.sections), "doors": min(d, self.room)}
        here["top"] = max(0, d - self.room * (self.sections - 1))
        if isinstance(self.deployment, int):
            here[self.deployment] = max(here["top"], min(here["doors"], self.deployment))
        return NowFloors(*numbers, hull=hull, here=here[self.deployment])

    # who is where

    def crowd(self, s: NowFloors) -> int:
        return s.here

    def entered(self, s: NowFloors) -> int:
        """Attackers in the section next to the one under attack; others come in for those who fall."""
        return min(s.a, self.room)

    def evened(self, s: NowFloors) -> NowFloors:
        if s.place != "in" or self.evens_out == "stays":
            return s
        return replace(s, here=-(-s.d // (self.sections - s.held)))

    def spread(self, s: NowFloors, points: int) -> tuple[NowFloors, int]:
        """Before all else; where that is an action, if it moves anybody, and then nobody is seen who fired before."""
        even = self.evened(s)
        if self.evens_out != "action" or even == s:
            return even, points
        return (replace(moved(even), shown=0), points - 1) if points else (s, 0)

    def taken(self, s: NowFloors) -> NowFloors:
        """The attackers have one section more; what they storm next is a new combat."""
        left = self.sections - s.held - 1
        return over(replace(s, held=s.held + 1, here=-(-s.d // left) if left else 0, away=1, shown=0, stormed=False))

    def each_section(self, s: NowFloors) -> list[int]:
        """How many of the garrison are in each section that it has."""
        behind, rest = self.sections - s.held - 1, s.d - s.here
        return [s.here] + [rest // behind + (nth < rest % behind) for nth in range(behind)]

    def in_sight(self, s: NowFloors) -> tuple[int, int]:
        """Of those who fired out, and live: who is in the section attacked, and who is in others."""
        near = min(self.house.most_out, s.here, s.shown)
        return near, min(s.shown - near, s.d - s.here)

    # what the attackers want

    def aim(self, s: NowFloors) -> str:
        return "enter" if s.held else Siege.aim(self, s)

    def drawn_in(self, aim: str, before: NowFloors, after: NowFloors) -> bool:
        """Nobody fights in a section where nobody is, but by a charge through it."""
        return (before.here > 0 or self.charges_through(before)) and Siege.drawn_in(self, aim, before, after)

    def charges_through(self, s: NowFloors) -> bool:
        """Whether attackers inside who charge run through an empty section of a hall at those behind it."""
        return self.hall and s.held > 0 and s.here == 0 and s.d > 0

    # shooting: from outside, or from section to section

    def fires(self, s: NowFloors, side: str, points: int) -> int:
        stays = self.men(side).weapon in ("blast", "template") or self.inner_doors == "shut"
        return 0 if s.held and stays else Siege.fires(self, s, side, points)

    def smoky(self, s: NowFloors) -> bool:
        return not s.held and Siege.smoky(self, s)

    def cover(self, s: NowFloors) -> int:
        return COVER["hard"] if s.held else Siege.cover(self, s)

    def skill(self, s: NowFloors, side: str, more: int = 0) -> int:
        """From section to section those shot at are in cover, and no shooter has what it is worth to fire from it."""
        if not s.held:
            return Siege.skill(self, s, side, more)
        small = 1 if getattr(s, "d" if side == "a" else "a") <= 2 else 0
        further = 2 * (self.barricaded and side == "a")
        return self.men(side).BS - COVER["hard"] - further - small + getattr(s, f"{side}_laid") + more

    def with_guns(self, s: NowFloors) -> int:
        if s.guns is not None:
            return s.guns
        return self.entered(s) if s.held else s.a

    def throwing(self, s: NowFloors, side: str, able: int) -> int:
        return 0 if s.held else Siege.throwing(self, s, side, able)

    def at_windows(self, s: NowFloors) -> int:
        return s.here if s.held else sum(min(self.house.most_out, n) for n in self.each_section(s))

    @merged
    def garrison_fires(self, s: NowFloors, points: int, own_turn: bool) -> Ways:
        """Who fires at attackers inside is not seen from outside."""
        if s.held and self.goes_across():
            ways = self.garrison_shoots(self.reckoned(s, "a", own_turn), s.here, 1, points, s.a, own_turn)
        else:
            ways = Siege.garrison_fires(self, s, points, own_turn)
        for chance, after in ways:
            yield chance, replace(after, shown=0) if s.held else after

    @merged
    def garrison_shoots(self, s: NowFloors, n: int, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        """At attackers inside with what comes before shots, by so many as their own grenades have left."""
        if s.end or nth > points or not (s.held and self.across):
            yield from Siege.garrison_shoots(self, s, n, nth, points, begun, own_turn)
            return
        for chance, blasted in self.blasts(s, "d"):
            for c, shot in [(Fraction(1), blasted)] if blasted.end else self.shots_at_entered(blasted, nth, own_turn):
                for c2, after in self.shooting_over(shot):
                    rest = self.garrison_shoots(after, after.here, nth + 1, points, begun, own_turn)
                    yield from scaled(chance * c * c2, rest)

    def shots_at_entered(self, s: NowFloors, nth: int, own_turn: bool) -> Ways:
        """By those of the garrison who have used neither flames nor grenades."""
        n = s.guns * self.shots_in(s, "d", nth)
        s = self.shot(s, "d") if n else s
        for (dead, hits), chance in self.falls(s, "d", self.skill(s, "d"), n).items():
            left = over(replace(self.struck_by(s, "a", hits), a=s.a - dead))
            yield from scaled(chance, self.pinning(left, "a", dead, own_turn))

    def shooting_over(self, s: NowFloors) -> Ways:
        """Who shoots in the next one is settled anew."""
        yield Fraction(1), replace(s, fallen=0, guns=None)

    def falls(self, s: NowFloors, side: str, skill: int, n: int, measured: str = "") -> Fallen:
        """Of attackers inside no more fall than there are, whoever waits."""
        ways = Siege.falls(self, s, side, skill, n, measured)
        if not s.held:
            return ways
        return added_up(((min(dead, self.entered(s)), hits), c) for (dead, hits), c in ways.items())

    def targets(self, s: NowFloors) -> int:
        """At an opening all who are in the first section, and those who fired out of others."""
        if self.ours.weapon == "blast":
            return 0
        return s.here if s.held else self.met_by_shots(s) + self.in_sight(s)[1]

    def met_by_shots(self, s: NowFloors) -> int:
        """Of those in the first section."""
        return s.here if s.away <= 2 and self.way_in(s) > 0 else self.in_sight(s)[0]

    def fell(self, s: NowFloors, dead: int) -> NowFloors:
        """By shots: those of the first section have their share to the nearest man, of a half not the man."""
        if s.held:
            return self.slain(s, dead)
        (fired, others), met = self.in_sight(s), self.met_by_shots(s)
        near = min(s.here, ceil(Fraction(dead * met, met + others) - Fraction(1, 2))) if dead else 0
        near += max(0, dead - near - others)
        return replace(s, d=s.d - dead, here=s.here - near, shown=s.shown - min(near, fired) - (dead - near))

    @staticmethod
    def slain(s: NowFloors, dead: int) -> NowFloors:
        return replace(s, d=s.d - dead, here=s.here - dead)

    @merged
    def burn(self, s: NowFloors, more: int) -> Ways:
        if not s.held:
            yield from Siege.burn(self, s, more)
        else:
            yield from self.blasts(s, "a") if self.goes_across() else [(Fraction(1), s)]

    def consumed(self, s: NowFloors, dead: int) -> NowFloors:
        """In the first section."""
        return replace(self.slain(s, dead), shown=s.shown - min(dead, self.in_sight(s)[0]))

    # flames and grenades from section to section

    def goes_across(self) -> bool:
        """Whether they are used at all, and no door is in the way."""
        return self.across and self.inner_doors == "open"

    def standing(self, s: NowFloors, place: str) -> int:
        """Who is in the section attacked ("d"), in that of the attackers ("a"), or in the one "behind" that attacked."""
        if place == "behind":
            return next(iter(self.each_section(s)[1:]), 0)
        return self.entered(s) if place == "a" else s.here

    def shooters(self, s: NowFloors, side: str) -> int:
        """Who of a side is next to the enemy, and has something to shoot with."""
        return self.with_guns(s) if side == "a" else s.here

    def goal_across(self, s: NowFloors, side: str) -> int:
        """Neither flames nor grenades look at cover before they hit, or are corrected."""
        return self.men(side).BS - (1 if getattr(s, "d" if side == "a" else "a") <= 2 else 0)

    def hurlers(self, s: NowFloors, side: str) -> int:
        """A quarter of the unit, rounded up, of those who are in the section."""
        return min(-(-getattr(s, side) // 4), self.standing(s, side))

    @merged
    def blasts(self, s: NowFloors, side: str) -> Ways:
        """What one side does to those across the doorway before it shoots; it says who shoots after that."""
        guns, burns = self.shooters(s, side), self.men(side).weapon == "template"
        has = self.grenades if side == "a" else self.garrison_grenades
        there = self.standing(s, "d" if side == "a" else "a")
        thrown = self.hurlers(s, side) if has and there and not burns else 0
        for chance, after in self.flames_across(s, side, guns) if burns else self.grenades_across(s, side, thrown):
            thrown = self.hurlers(after, side) if has and not burns else 0
            yield chance, over(replace(after, guns=0 if burns else max(0, self.shooters(after, side) - thrown)))

    def flames_across(self, s: NowFloors, side: str, flames: int) -> Ways:
        """Each has one roll: who beats his goal by 2 burns everybody there; else each of those on 3 or less (GB-102)."""
        other = "d" if side == "a" else "a"
        t, them, n = self.men(side), self.men(other), self.standing(s, other)
        sure, p = low(min(5, self.goal_across(s, side) - COVER["hard"])), hurt(t.weapon_S, them.T, them.Sv, t.AP)
        fallen = self.fall_across(n, flames, ((sure, self.met_inside()), (1 - sure, Fraction(1, 2))), p, s, other)
        for (dead, hits), chance in fallen.items():
            yield from scaled(chance, self.lost(self.struck_by(s, other, hits), other, dead))

    @staticmethod
    def fall_across(
        n: int, times_over: int, rolls: tuple[tuple[Fraction, Fraction], ...], p: Fraction, s: NowFloors, side: str
    ) -> Fallen:
        """Of so many by flames or grenades one after the other: by each roll another chance to be hit for who lives."""
        missing, fallen = getattr(s, f"{side}_missing"), {(0, 0): Fraction(1)}
        for _ in range(times_over):
            fallen = added_up(
                ((dead + more, min(hits + k, missing)), chance * roll * c)
                for (dead, hits), chance in fallen.items()
                for roll, met in rolls
                for (more, k), c in shots_fell(n - dead, met, p, n - dead, missing - hits).items()
            )
        return fallen

    def grenades_across(self, s: NowFloors, side: str, thrown: int) -> Ways:
        """All come down, whoever falls to the first of them: those in the section aimed at, in the own, and behind."""
        places = ("d", "a", "behind") if side == "a" else ("a", "d", "empty")
        for numbers, chance in self.landings(s, side, thrown).items():
            ways = [(chance, s)]
            for place, grenades in zip(places, numbers, strict=True):
                if place != "empty":
                    ways = [(c * c2, after) for c, now in ways for c2, after in self.grenades_in(now, place, grenades)]
            yield from ways

    def landings(self, s: NowFloors, side: str, thrown: int) -> dict[tuple[int, int, int], Fraction]:
        """How many come down in the section aimed at, in that of the throwers, and on the other side of the first.

        Behind the attackers there is another section if they hold two at least, behind the garrison if it has two.
        """
        hit = low(min(5, self.goal_across(s, side) - 1))
        there = hit + (1 - hit) * Fraction(4, 6)
        beyond = self.sections - s.held > 1 if side == "a" else s.held > 1
        own = Fraction(1, 1 + beyond)
        return {
            (k, back, thrown - k - back): chance * c
            for k, chance in counts(thrown, there).items()
            for back, c in counts(thrown - k, own).items()
        }

    def grenades_in(self, s: NowFloors, place: str, grenades: int) -> Ways:
        """Strength 3: each finds everybody there, friend or foe, who has outlived those before it."""
        side = "a" if place == "a" else "d"
        them, rolls = self.men(side), ((Fraction(1), self.met_inside()),)
        fallen = self.fall_across(self.standing(s, place), grenades, rolls, hurt(3, them.T, them.Sv, 9), s, side)
        for (dead, hits), chance in fallen.items():
            yield from scaled(chance, self.lost(self.struck_by(s, side, hits), place, dead))

    def lost(self, s: NowFloors, place: str, dead: int) -> Ways:
        """Some who were in a section have fallen to flames or grenades."""
        if place == "a":
            yield Fraction(1), replace(s, a=s.a - dead)
        else:
            yield Fraction(1), replace(s, d=s.d - dead) if place == "behind" else self.slain(s, dead)

    # the fight

    @merged
    def fight(self, s: NowFloors, margin: int) -> Ways:
        """Pairs where they come into the first section, then D6 against D6, of whom four come up a ladder at most."""
        if s.here == 0:
            after = self.taken(s)
            yield from self.fight(after, margin) if self.charges_through(s) else [(Fraction(1), after)]
            return
        s = self.charged(replace(s, shown=0))
        if not s.held:
            pairs = min(2 * self.way_in(s) + self.holes(s), s.a, s.here)
            yield from self.round(s, pairs, pairs, margin)
            return
        most = min(self.entered(s), 4 if self.link == "ladder" else 6)
        for x, y in product(FACES, FACES):
            yield from scaled(Fraction(1, 36), self.round(s, min(x, most), min(y, s.here), margin))

    def charge_bonus(self, s: NowFloors) -> int:
        """No charge bonus by a ladder; it is no bonus of the charge what counts to the score (ARAP-174, GB-028)."""
        return 0 if s.held and self.link == "ladder" else Siege.charge_bonus(self, s)

    def above(self, s: NowFloors) -> int:
        return int(self.uphill and s.held > 0 and self.link == "stairs")

    @merged
    def result(self, s: NowFloors, difference: int) -> Ways:
        """Who routs is killed, of the defenders those in the section, of attackers from another section those inside."""
        if s.end or s.here == 0:
            yield Fraction(1), s if s.end else self.taken(s)
            return
        ours, theirs = self.scores(difference, not s.stormed, False)
        s = replace(s, stormed=self.continued)
        if ours == theirs:
            yield Fraction(1), s
            return
        if ours > theirs:
            stand = morale(self.theirs.Ld + max(-difference, -3))
            yield 1 - stand, self.taken(self.slain(s, s.here))
        else:
            stand = morale(self.ours.Ld + max(difference, -3))
            yield from scaled(1 - stand, self.rout(self.killed_inside(s), 0))
        yield stand, s

    def killed_inside(self, s: NowFloors) -> NowFloors:
        """Attackers have routed: those of them who are in a section."""
        return over(replace(s, a=s.a - self.entered(s))) if s.held else s

    @merged
    def rout(self, s: NowFloors, away: int) -> Ways:
        """The garrison spreads evenly over sections that attackers have left."""
        left = replace(s, held=0, here=-(-s.d // self.sections)) if s.held else s
        yield from Siege.rout(self, left, away)

    # the garrison charges back

    @merged
    def charge_back(self, s: NowFloors) -> Ways:
        """D6 of those next to the attackers against D6 of these; if nobody can fight who has jumped, there is none."""
        s, inside = moved(s), self.entered(s)
        for x, y in product(FACES, FACES):
            for chance, now, landed, fell in self.landing(s, min(x, s.here)):
                if now.end or not (landed or (fell and self.failed_jump == "fights")):
                    yield chance / 36, now
                    continue
                for c, left, margin in self.exchange_back(self.charged(now), landed, fell, min(y, inside)):
                    yield from scaled(chance * c / 36, self.outcome_back(over(left), margin))

    def wounds_of_fall(self, body: Body) -> dict[int, Fraction]:
        """The wounds of D3 hits at Strength 3, which only power armour saves; a goal of more than 6 cannot be rolled."""
        goal = max(2, body.T + 4 - 3)
        p = (high(goal) if goal <= 6 else 0) * (1 - high(body.inv) if body.inv is not None else Fraction(1))
        p *= 1 - high(body.Sv) if self.powered else 1
        return added_up((n, c / 3) for hits in (1, 2, 3) for n, c in counts(hits, Fraction(p)).items())

    def landing(self, s: NowFloors, n: int) -> Iterator[tuple[Fraction, NowFloors, int, int]]:
        """How many of those who charge land on their feet, and how many fall and live; one test each for 3 inches."""
        if self.link != "ladder":
            yield Fraction(1), s, n, 0
            return
        them = self.theirs
        lives = self.wounds_of_fall(Body(them.T, 1, them.Sv, them.inv))[0]
        for landed, chance in counts(n, low(them.I)).items():
            for fell, c in counts(n - landed, lives).items():
                yield chance * c, over(self.slain(s, n - landed - fell)), landed, fell

    def at_initiative_back(self, s: NowFloors) -> int:
        """When the garrison strikes: last at those in cover, but for grenades; each time is a new combat."""
        return self.theirs.I if self.garrison_grenades or s.a_pinned else 1

    @merged
    def exchange_back(
        self, s: NowFloors, landed: int, fell: int, a_in: int
    ) -> Iterator[tuple[Fraction, NowFloors, int]]:
        """A round against so many inside, with the margin of the garrison; who fell has no Attack more than his own.

        Whom of these attackers kill first is drawn.
        """
        us, them, own = self.ours, self.theirs, self.at_initiative_back(s)
        p, q = unsaved(us.stroke, us.S, them.T, them.Sv, 9), unsaved(them.stroke, them.S, us.T, us.Sv, 9)
        fell = fell if self.failed_jump == "fights" else 0
        there = landed + fell
        if own >= us.I:
            ways = (
                (killed, lost, c * c2)
                for killed, c in capped(landed * (them.A + 1) + fell * them.A, q, a_in)
                for lost, c2 in capped((a_in - killed if own > us.I else a_in) * us.A, p, there)
            )
        else:
            ways = (
                (killed, lost, c * c2 * c3)
                for lost, c in capped(a_in * us.A, p, there)
                for up, c2 in drawn_of(landed, fell, there - lost).items()
                for killed, c3 in capped(up * (them.A + 1) + (there - lost - up) * them.A, q, a_in)
            )
        for killed, lost, chance in ways:
            yield chance, replace(self.slain(s, lost), a=s.a - killed), killed - lost

    @merged
    def outcome_back(self, s: NowFloors, difference: int) -> Ways:
        """Who charges has 1 more, so that it is even by hatred alone; whoever routs is killed, in the section or inside.

        For attackers who fall others come in, while there are any. A section of which nobody is left has not won.
        """
        ours, theirs = self.scores(-difference, False, True)
        if s.end or s.here == 0 or ours == theirs:
            yield Fraction(1), s
            return
        if ours < theirs:
            stand = morale(self.ours.Ld + max(-difference, -3))
            yield from scaled(1 - stand, self.rout(self.killed_inside(s), 0))
        else:
            stand = morale(self.theirs.Ld + max(difference, -3))
            yield 1 - stand, over(self.slain(s, s.here))
        yield stand, s

    # turns

    @merged
    def defenders_phase(self, s: NowFloors) -> Ways:
        for chance, after in Siege.defenders_phase(self, s):
            yield chance, after if after.place == "in" else replace(after, here=0)

    @merged
    def garrison_acts(self, s: NowFloors, points: int) -> Ways:
        """It spreads first; while attackers are in the house it comes out no more, but charges back with its last point."""
        s, points = self.spread(s, points)
        if not s.held:
            yield from Siege.garrison_acts(self, s, points)
            return
        sallies = self.defence == "sally" and s.dazed < 2 and points > 0 and s.here > 0
        shooting = 0 if s.dazed else points - 1 if sallies else points
        for chance, shot in self.garrison_fires(s, shooting, own_turn=True):
            if shot.end or not sallies or shot.here == 0:
                yield chance, shot
            else:
                yield from scaled(chance, self.charge_back(shot))


@dataclass(frozen=True, eq=False)
class NowLed(Now):
    squad: tuple[str, ...] = ()  # the attackers, and at the start; those that fall last by their owner's choice first
    guard: tuple[str, ...] = ()  # the garrison
    begun: tuple[tuple[str, ...], ...] = ((), ())


@dataclass(frozen=True, eq=False)
class LedSiege(Siege):
    """Attackers and garrison of several kinds: leaders, who have more Attacks; bearers, who have no weapon at all.

    The hardest hitters go in first: the leader, then the others, the bearers last. `who` falls is drawn, or is settled by
    the order of the unit; always of those who can be hit: who fights, or is in the section attacked, where leaders stay,
    and bearers.
    """

    who: str = "spread"
    leader_A: int = 3  # of the attackers' leader, and of the garrison's; 0 where there is none
    chief_A: int = 0
    bearers: int = 0  # of the attackers

    def begins(self, *numbers: int, hull: int) -> Now:
        led, chief = bool(self.leader_A), bool(self.chief_A)
        squad = ("leader",) * led + ("bearer",) * self.bearers + ("other",) * (numbers[0] - led - self.bearers)
        guard = ("leader",) * chief + ("other",) * (numbers[1] - chief)
        return NowLed(*numbers, hull=hull, squad=squad, guard=guard, begun=(squad, guard))

    def with_guns(self, s: NowLed) -> int:
        return s.a - s.squad.count("bearer")

    def can_hack(self, s: NowLed) -> int:
        """A leader who is hurt still can."""
        if self.hackers == "leader":
            return sum(plain(name) == "leader" for name in s.squad) if self.hacks else 0
        return super().can_hack(s)

    def inside(self, s: NowLed) -> tuple[str, ...]:
        return s.guard[: self.room - s.fallen]

    def shot_at(self, s: NowLed) -> tuple[str, ...]:
        """Of the garrison inside."""
        return self.inside(s)

    def reached(self, s: NowLed) -> tuple[str, ...]:
        """Attackers who can be hit by shots."""
        return s.squad

    def named(self, s: NowLed, able: tuple[str, ...] | None = None) -> Ways:
        """Who it is that has fallen: of the attackers who can be shot at, of the garrison those who could."""
        gone = [len(s.squad) - s.a, len(s.guard) - s.d]
        ours = left_after(self.who, s.begun[0], s.squad, self.reached(s), gone[0])
        theirs = left_after(self.who, s.begun[1], s.guard, s.guard if able is None else able, gone[1])
        for (squad, _), chance in ours.items():
            for (guard, _), c in theirs.items():
                yield chance * c, replace(s, squad=squad, guard=guard)

    @merged
    def garrison_fires(self, s: NowLed, points: int, own_turn: bool) -> Ways:
        for chance, after in super().garrison_fires(s, points, own_turn):
            yield from scaled(chance, self.named(after))

    @merged
    def shots_at_garrison(self, s: NowLed, nth: int, own_turn: bool, more: int) -> Ways:
        for chance, after in super().shots_at_garrison(s, nth, own_turn, more):
            yield from scaled(chance, self.named(after, self.shot_at(s)))

    def killed(self, s: NowLed, reached: int, met: Fraction, p: Fraction) -> Ways:
        for chance, after in super().killed(s, reached, met, p):
            yield from scaled(chance, self.named(after, self.inside(s)))

    @merged
    def harm(self, s: NowLed, n: int, S: int, hit: Fraction, *, close: bool, each: int = 1) -> Ways:
        for chance, after in super().harm(s, n, S, hit, close=close, each=each):
            yield from scaled(chance, self.named(after, self.inside(s)))

    @merged
    def fight(self, s: NowLed, margin: int) -> Ways:
        """Those who came have been fired at."""
        for chance, named in self.named(s):
            yield from scaled(chance, super().fight(named, margin))

    @merged
    def shots_outside(self, s: NowLed, side: str, points: int, own_turn: bool) -> Ways:
        for chance, after in super().shots_outside(s, side, points, own_turn):
            yield from scaled(chance, self.named(after))

    @staticmethod
    def front(models: tuple[str, ...], n: int) -> tuple[str, ...]:
        """The hardest hitters, so many of them, in the order in which their owner keeps them."""
        hardest = sorted(models, key=("leader", "other", "bearer").index)[:n]
        return tuple(sorted(hardest, key=("leader", "bearer", "other").index))

    def strokes(
        self, side: str, fighters: tuple[str, ...], more: int, most: int, better: int = 0, in_all: int = 0
    ) -> list[tuple[int, Fraction]]:
        """The wounds that some inflict with so many more Attacks each, who hit so much better; no more than so many.

        All together have so many more besides.
        """
        us, them = (self.ours, self.theirs) if side == "a" else (self.theirs, self.ours)
        led = self.leader_A if side == "a" else self.chief_A
        armed = sum(led if name == "leader" else us.A for name in fighters if name != "bearer")
        armed += more * sum(name != "bearer" for name in fighters) + in_all
        bare = fighters.count("bearer") * (us.A + more)
        ways: dict[int, Fraction] = defaultdict(Fraction)
        p, q = (unsaved(WS + better, us.S, them.T, them.Sv, 9) for WS in (us.stroke, us.WS - 1))
        for k, chance in counts(armed, p).items():
            for n, c in counts(bare, q).items():
                ways[min(k + n, most)] += chance * c
        return list(ways.items())

    @merged
    def exchange(
        self, s: NowLed, fighters: tuple[tuple[str, ...], ...], more: tuple[int, int], own: int
    ) -> Iterator[tuple[Fraction, Now, int]]:
        """A round of some on both sides, at an Initiative of the attackers; who falls is one of them; and the margin."""
        steps = {own: "a"}
        steps[self.theirs.I] = steps.get(self.theirs.I, "") + "d"
        live = {(s, *fighters, 0): Fraction(1)}
        for _, step in sorted(steps.items(), reverse=True):
            after: dict[tuple, Fraction] = defaultdict(Fraction)
            for (now, ours, theirs, margin), chance in live.items():
                killed = self.strokes("a", ours, more[0], len(theirs)) if "a" in step else [(0, Fraction(1))]
                lost = (
                    self.strokes("d", theirs, more[1], len(ours), self.above(s)) if "d" in step else [(0, Fraction(1))]
                )
                for (k, c), (n, c2) in product(killed, lost):
                    squads = left_after(self.who, s.begun[0], now.squad, ours, n)
                    guards = left_after(self.who, s.begun[1], now.guard, theirs, k)
                    for ((squad, a), c3), ((guard, d), c4) in product(squads.items(), guards.items()):
                        left = replace(now, a=len(squad), d=len(guard), squad=squad, guard=guard)
                        after[left, a, d, margin + k - n] += chance * c * c2 * c3 * c4
            live = after
        for (left, _, _, margin), chance in live.items():
            yield chance, left, margin

    @merged
    def round(self, s: NowLed, a_in: int, d_in: int, margin: int) -> Ways:
        fighters = self.front(s.squad, a_in), self.front(self.inside(s), d_in)
        charge = (self.charge_bonus(s), 0)
        for chance, left, won in self.exchange(s, fighters, charge, self.at_initiative(s)):
            yield from scaled(chance, self.result(over(replace(left, away=1)), margin + won))

    @merged
    def result(self, s: NowLed, difference: int) -> Ways:
        for chance, after in super().result(s, difference):
            yield from scaled(chance, self.named(after, self.inside(s)))

    def hacks_in_all(self, s: NowLed) -> int:
        led = sum(plain(name) == "leader" for name in s.guard)
        return super().hacks_in_all(s) + led * (self.chief_A - self.theirs.A) * (self.free_hacks == "attacks")

    @merged
    def hack(self, s: NowLed) -> Ways:
        """Whoever falls is one of all, as in a fight."""
        for chance, after in super().hack(s):
            for (squad, _), c in left_after(self.who, s.begun[0], s.squad, s.squad, s.a - after.a).items():
                yield chance * c, replace(after, squad=squad)

    @merged
    def blows(self, s: NowLed, charger: str, margin: int) -> Ways:
        for chance, now in self.named(self.charged(s)):
            new = not self.fighting_on(s)
            more = int(charger == "a" and new), int(charger == "d" and new)
            for c, left, won in self.exchange(now, (now.squad, now.guard), more, self.ours.I):
                met = over(replace(left, met=True, parted=False))
                yield from scaled(chance * c, self.outcome(met, charger, margin + won))


@dataclass(frozen=True)
class Hit:
    """What hits somebody: it wounds as any attack does, or with a chance of its own."""

    S: int
    AP: int = 9
    damage: int = 1
    close: bool = True
    wounds: Fraction | None = None
    any_goal: bool = False  # falling walls wound on 7 to 9 too, wherever

    def on(self, body: Body) -> Fraction:
        """The chance of a wound that is not saved."""
        goal = max(2, body.T + 4 - self.S)
        if self.wounds is None and goal > (9 if self.close or self.any_goal else 7):
            return Fraction(0)
        return (high(goal) if self.wounds is None else self.wounds) * body.unsaved(self.AP)


Harmed = dict[tuple[tuple[str, ...], int], Fraction]
"""Some models after hits, each in its place or nothing where it fell, and the wounds that they have suffered."""


def plain(name: str) -> str:
    """What a model is, whatever it has suffered: it bears a dash for each wound."""
    return name.rstrip("'")


def ordered(unit: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(unit, key=lambda name: (("leader", "bearer", "other").index(plain(name)), name)))


@dataclass(frozen=True, eq=False)
class MixedSiege(LedSiege):
    """Models of their own Toughness, Wounds and saves.

    Each hit is drawn evenly over those who can be hit and still live (ARAP-124: with replacement); so what a figure that
    has died cannot take is passed on, as a hit that wounds and is saved anew. Or it is lost: then hits are drawn over
    those who could be hit when a shooting or a step of a fight began. Of models alike who have several Wounds, one that
    is hurt is finished first (ARAP-119). There is one save for each wound, and Damage of more than one takes as many
    Wounds of that one model at most.
    """

    who: str = "drawn"  # nothing else is meant
    leader: Body | None = None  # of the attackers, and of the garrison, where they are others than their men
    chief: Body | None = None
    left_over: str = "passed"  # or "lost"
    even: bool = False  # ARAP-126: all have a hit before anybody has two, who has one more is drawn
    look_out: bool = False  # ARAP-154: a leader passes on 5 of 6 hits by flames, grenades and markers
    under: str = (
        "each"  # a marker hits so many models once each, whoever they are; or so many hits are "drawn" as shots
    )

    def body(self, side: str, name: str) -> Body:
        t, own = (self.ours, self.leader) if side == "a" else (self.theirs, self.chief)
        return own if own and plain(name) == "leader" else Body(t.T, t.W, t.Sv, t.inv)

    def with_guns(self, s: NowLed) -> int:
        return s.a - sum(plain(name) == "bearer" for name in s.squad)

    # how hits find models

    def struck(self, side: str, some: tuple[str, ...], place: int, hit: Hit) -> Harmed:
        """One hit on one model."""
        name = some[place]
        body, p = self.body(side, name), hit.on(self.body(side, name))
        suffered = min(hit.damage, body.W - name.count("'"))
        after = "" if name.count("'") + suffered == body.W else name + "'" * suffered
        return {(some, 0): 1 - p, ((*some[:place], after, *some[place + 1 :]), suffered): p}

    def found(self, some: tuple[str, ...]) -> dict[int, Fraction]:
        """Whom a hit finds; of models alike one that is hurt already."""
        living = [i for i, name in enumerate(some) if name]
        places = range(len(some)) if self.left_over == "lost" and not self.even else living
        chances: dict[int, Fraction] = defaultdict(Fraction)
        for i in places:
            hurt = [j for j in living if some[i] and plain(some[j]) == plain(some[i]) and "'" in some[j]]
            chances[hurt[0] if hurt else i] += Fraction(1, len(places))
        return chances

    @cache  # noqa: B019 - a set-up is kept for as long as its test
    def hits_on(self, side: str, some: tuple[str, ...], hits: int, hit: Hit) -> Harmed:
        """What so many hits at once do to some models."""
        after: Harmed = defaultdict(Fraction)
        if self.even and hits > 1:
            each, more = divmod(hits, len(some))
            chosen = list(combinations(range(len(some)), more))
            for extra in chosen:
                live = {(some, 0, 0): Fraction(1, len(chosen))}
                for place in [i for i in range(len(some)) for _ in range(each + (i in extra))]:
                    then: dict[tuple[tuple[str, ...], int, int], Fraction] = defaultdict(Fraction)
                    for (left, suffered, over), c in live.items():
                        if not left[place]:
                            then[left, suffered, over + 1] += c
                            continue
                        for (now, n), c2 in self.struck(side, left, place, hit).items():
                            then[now, suffered + n, over] += c * c2
                    live = then
                for (left, suffered, over), c in live.items():
                    again = over if self.left_over == "passed" else 0
                    for (now, n), c2 in self.one_by_one_on(side, left, again, hit).items():
                        after[now, suffered + n] += c * c2
            return dict(after)
        return self.one_by_one_on(side, some, hits, hit)

    @cache  # noqa: B019 - a set-up is kept for as long as its test
    def one_by_one_on(self, side: str, some: tuple[str, ...], hits: int, hit: Hit) -> Harmed:
        live: Harmed = {(some, 0): Fraction(1)}
        for _ in range(hits):
            after: Harmed = defaultdict(Fraction)
            for (left, suffered), c in live.items():
                if not any(left):
                    after[left, suffered] += c
                    continue
                for place, c2 in self.found(left).items():
                    if not left[place]:
                        after[left, suffered] += c * c2
                        continue
                    for (now, n), c3 in self.struck(side, left, place, hit).items():
                        after[now, suffered + n] += c * c2 * c3
            live = after
        return {what: c for what, c in live.items() if c}

    @cache  # noqa: B019 - a set-up is kept for as long as its test
    def swept(self, side: str, some: tuple[str, ...], reached: int, p: Fraction, hit: Hit, looks_out: bool) -> Harmed:
        """So many of some, whoever they are, are hit with a chance each; a leader may look out."""
        total: Harmed = defaultdict(Fraction)
        chosen = list(combinations(range(len(some)), min(reached, len(some))))
        for places in chosen:
            live = {(some, 0, 0): Fraction(1, len(chosen))}
            for place in places:
                warned = looks_out and plain(some[place]) == "leader" and len(some) > 1
                after: dict[tuple[tuple[str, ...], int, int], Fraction] = defaultdict(Fraction)
                for (left, suffered, passed), c in live.items():
                    after[left, suffered, passed] += c * (1 - p)
                    if warned:
                        after[left, suffered, passed + 1] += c * p * Fraction(5, 6)
                    for (now, n), c2 in self.struck(side, left, place, hit).items():
                        after[now, suffered + n, passed] += c * p * c2 * (Fraction(1, 6) if warned else 1)
                live = after
            for (left, suffered, passed), c in live.items():
                others = tuple("" if plain(name) == "leader" else name for name in left)
                for (now, n), c2 in self.passed_on(side, others, some, passed, hit).items():
                    back = tuple(a if plain(a) == "leader" else b for a, b in zip(left, now, strict=True))
                    total[back, suffered + n] += c * c2
        return {what: c for what, c in total.items() if c}

    @cache  # noqa: B019 - a set-up is kept for as long as its test
    def swept_by_hits(
        self, side: str, some: tuple[str, ...], reached: int, p: Fraction, hit: Hit, missing: int
    ) -> dict[tuple[tuple[str, ...], int], Fraction]:
        """The same by flames and grenades, with the hits as far as so many are missing, instead of wounds."""
        if not missing:
            ways = self.swept(side, some, reached, p, hit, self.look_out).items()
            return added_up(((left, 0), c) for (left, _), c in ways)
        return added_up(
            ((left, min(hits, missing)), c * c2)
            for hits, c in counts(min(reached, len(some)), p).items()
            for (left, _), c2 in self.swept(side, some, hits, Fraction(1), hit, self.look_out).items()
        )

    def passed_on(self, side: str, others: tuple[str, ...], some: tuple[str, ...], hits: int, hit: Hit) -> Harmed:
        """Hits passed on by a leader: each on another, who lives or, where what is left over is lost, who was there."""
        if not hits:
            return {(others, 0): Fraction(1)}
        kept = [i for i in range(len(some)) if plain(some[i]) != "leader"]
        found = self.one_by_one_on(side, tuple(others[i] for i in kept), hits, hit)
        ways: Harmed = defaultdict(Fraction)
        for (left, n), c in found.items():
            whole = list(others)
            for i, name in zip(kept, left, strict=True):
                whole[i] = name
            ways[tuple(whole), n] += c
        return ways

    @cache  # noqa: B019 - a set-up is kept for as long as its test
    def marked(self, side: str, living: tuple[str, ...], fallen: int, under: int, hit: Hit) -> Harmed:
        """One marker hits so many of those there were when the shooting began, once each; some have fallen by then.

        What these cannot take any more is passed on, or is lost.
        """
        total: Harmed = defaultdict(Fraction)
        there = len(living) + fallen
        for gone in range(max(0, under - len(living)), min(fallen, under) + 1):
            alive = under - gone
            c = Fraction(comb(len(living), alive) * comb(fallen, gone), comb(there, under))
            again = gone if self.left_over == "passed" else 0
            for (left, n), c2 in self.swept(side, living, alive, Fraction(1), hit, self.look_out).items():
                for (now, more), c3 in self.one_by_one_on(side, left, again, hit).items():
                    total[ordered(tuple(name for name in now if name)), n + more] += c * c2 * c3
        return dict(total)

    @cache  # noqa: B019 - a set-up is kept for as long as its test
    def blasted(
        self,
        side: str,
        some: tuple[str, ...],
        n: int,
        law: tuple[tuple[int, Fraction], ...],
        hit: Hit,
        fallen: int = 0,
        missing: int = 0,
    ) -> dict[tuple[tuple[str, ...], int, int], Fraction]:
        """Who is left of some after so many markers, which come down at once on them, and on who has just fallen.

        With the wounds suffered, and the hits as far as so many are missing.
        """
        live = {(some, 0, 0): Fraction(1)}
        for _ in range(n):
            after: dict[tuple[tuple[str, ...], int, int], Fraction] = defaultdict(Fraction)
            for ((left, suffered, hits), c), (under, c2) in product(live.items(), law):
                for (now, more), c3 in self.marked(side, left, len(some) + fallen - len(left), under, hit).items():
                    after[now, suffered + more, min(hits + under, missing)] += c * c2 * c3
            live = after
        return dict(live)

    # what is left of a side

    def left(self, s: NowLed, side: str, some: tuple[str, ...], after: tuple[str, ...]) -> NowLed:
        unit = list(s.squad if side == "a" else s.guard)
        for old in some:
            unit.remove(old)
        unit = ordered((*unit, *(name for name in after if name)))
        return replace(s, a=len(unit), squad=unit) if side == "a" else replace(s, d=len(unit), guard=unit)

    def volley(
        self, s: NowLed, side: str, some: tuple[str, ...], hits: dict[int, Fraction], hit: Hit, seen: int | None = None
    ) -> Iterator[tuple[Fraction, NowLed, int]]:
        """So many hits on some, or on so many of them who can be seen, whoever they are; with the wounds suffered."""
        chosen = list(combinations(some, len(some) if seen is None else min(seen, len(some))))
        big = self.men("d" if side == "a" else "a").big
        for able in chosen:
            for n, c in hits.items():
                told = self.struck_by(s, side, n, big=big)
                for (after, suffered), c2 in self.hits_on(side, able, n, hit).items():
                    yield c * c2 / len(chosen), self.left(told, side, able, after), suffered

    def fired_on(self, s: NowLed, side: str, n: int, thrown: int) -> Iterator[tuple[Fraction, NowLed, int]]:
        """So many shots and grenades at once on a side that is not in the building, with the wounds by the shots."""
        if not thrown:
            yield from self.shot_on(s, side, n)
            return
        law, hit = tuple(self.grenade_hits(s, "d" if side == "a" else "a").items()), self.lobbed(s.away)
        there = len(s.squad if side == "a" else s.guard)
        for (left, wounds), chance in added_up(((left, n), c) for c, left, n in self.shot_on(s, side, n)).items():
            some = left.squad if side == "a" else left.guard
            fallen = there - len(some)
            if self.under == "each":
                missing = getattr(left, f"{side}_missing")
                ways = self.blasted(side, some, thrown, law, hit, fallen, missing).items()
            else:
                places, drawn = (*some, *("",) * fallen), times(thrown, dict(law)).items()
                ways = (
                    ((*w, hits), c * c2) for hits, c in drawn for w, c2 in self.hits_on(side, places, hits, hit).items()
                )
            for (after, _, hits), c in ways:
                yield chance * c, self.left(self.struck_by(left, side, hits), side, some, after), wounds

    def shot_on(self, s: NowLed, side: str, n: int) -> Iterator[tuple[Fraction, NowLed, int]]:
        """So many shots, markers or templates on a side that is not in the building, with the wounds suffered."""
        some, by = (self.reached(s), "d") if side == "a" else (s.guard, "a")
        t, skill = self.men(by), self.skill(s, by)
        hit = Hit(self.strength(s, by), t.AP, t.damage, close=self.short(t, s.away))
        if t.weapon not in ("blast", "template") or n == 0:
            yield from self.volley(s, side, some, counts(n, low(min(5, skill))), hit)
            return
        law = self.marker(s, by, skill)
        if self.under == "drawn":
            yield from self.volley(s, side, some, times(n, law), hit)
            return
        ways = self.blasted(side, some, n, tuple(law.items()), hit, missing=getattr(s, f"{side}_missing"))
        for (after, suffered, hits), c in ways.items():
            yield c, self.left(self.struck_by(s, side, hits, big=t.big), side, some, after), suffered

    @merged
    def garrison_shoots(self, s: NowLed, n: int, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        if s.end or nth > points:
            yield Fraction(1), self.judged(s, "a", begun, own_turn)
            return
        thrown = self.throwing(s, "d", n)
        for chance, left, wounds in self.fired_on(s, "a", (n - thrown) * self.shots_in(s, "d", nth), thrown):
            for c, after in self.pinning(over(left), "a", wounds, own_turn):
                yield from scaled(chance * c, self.garrison_shoots(after, n, nth + 1, points, begun, own_turn))

    @merged
    def shots_at_garrison(self, s: NowLed, nth: int, own_turn: bool, more: int) -> Ways:
        t, seen = self.ours, self.targets(s)
        throwing = self.throwers(s) if self.ours.weapon != "template" else 0
        n = (self.with_guns(s) - throwing) * self.shots_in(s, "a", nth)
        s = replace(s, fallen=0)
        if self.aim(s) == "batter" or n == 0 or seen == 0:
            yield Fraction(1), s
            return
        ways = counts(n, low(min(5, self.skill(s, "a", more))))
        if self.house.kind == "bunker":
            ways = dict(added_up((hits // 2, c) for hits, c in ways.items()))
        hit, s = Hit(self.strength(s, "a"), t.AP, t.damage, close=self.short(t, s.away)), self.shot(s, "a")
        for chance, left, wounds in self.volley(s, "d", self.shot_at(s), ways, hit, seen):
            left = replace(self.fell(s, s.d - left.d), guard=left.guard, d_missing=left.d_missing)
            yield from scaled(chance, self.pinning(over(left), "d", wounds, own_turn))

    def burnt(self, s: NowLed, reached: int, p: Fraction, hit: Hit) -> Ways:
        some = self.inside(s)
        for (after, hits), c in self.swept_by_hits("d", some, reached, p, hit, s.d_missing).items():
            left = self.left(s, "d", some, after)
            yield c, over(replace(self.consumed(self.struck_by(s, "d", hits), s.d - left.d), guard=left.guard))

    @merged
    def flame(self, s: NowLed, BS: int) -> Ways:
        if self.way_in(s):
            passed, near = low(min(5, BS)), self.crowd(s)
        else:
            passed, near = low(min(5, BS - (1 if s.away <= 2 else 2))), min(self.house.most_out, self.crowd(s))
        hit = Hit(self.ours.weapon_S, self.ours.AP, self.ours.damage)
        yield from scaled(passed, self.burnt(s, self.crowd(s), self.met_inside(), hit))
        yield from scaled(1 - passed, self.burnt(s, near, Fraction(1, 2), hit))

    @merged
    def grenade(self, s: NowLed, BS: int) -> Ways:
        open_to_them = self.way_in(s) > 0
        inside = low(min(5, BS - 1)) if open_to_them else low(min(5, BS - 3)) / 2
        if open_to_them and s.away <= 2:
            inside = Fraction(1)
        yield from scaled(inside, self.burnt(s, self.crowd(s), self.met_inside(), Hit(3)))
        yield 1 - inside, s

    @merged
    def harm(self, s: NowLed, n: int, S: int, hit: Fraction, *, close: bool, each: int = 1) -> Ways:
        h, some = self.house, self.inside(s)
        if h.kind != "bunker":
            stones = Hit(h.T, any_goal=True)
            for chance, worn in self.worn(s, n, S, hit, close=close, each=each):
                if not self.comes_down(s, worn):
                    yield chance, worn
                    continue
                inside = self.crowd(s) if self.wall_hits == "section" else min(h.most_out, self.crowd(s))
                outside = min(12, s.a) if self.wall_hits == "near" and s.away <= 1 else 0  # two abreast for each inch
                for (guard, _), c in self.swept("d", some, inside, Fraction(1), stones, False).items():
                    for (squad, _), c2 in self.swept("a", s.squad, outside, Fraction(1), stones, False).items():
                        left = self.left(self.left(worn, "d", some, guard), "a", s.squad, squad)
                        yield chance * c * c2, over(replace(left, shown=max(0, s.shown - (s.d - left.d))))
            return
        for chance, after in self.attacks_on_bunker(s, n, S, hit):
            if after.end != "destroyed":
                yield chance, after
                continue
            falls = Hit(0, wounds=Fraction(1, 2))
            for (guard, _), c in self.swept("d", some, len(some), Fraction(1), falls, False).items():
                yield chance * c, self.left(after, "d", some, guard)

    def charge_met(self, s: NowLed, side: str, skill: int, n: int) -> Iterator[tuple[Fraction, NowLed, int]]:
        """So many shots, markers or templates on chargers of the side that they charge, with the wounds suffered."""
        t, charger, some = (self.theirs, "a", s.squad) if side == "d" else (self.ours, "d", s.guard)
        hit = Hit(t.weapon_S, t.AP, t.damage)
        if n == 0 or t.weapon not in ("blast", "template") or (t.weapon == "template" and self.streams != "text"):
            yield from self.volley(s, charger, some, counts(n, low(min(5, skill))), hit)
            return
        at = self.halted(s, t)
        law = self.marker(at, side, skill, self.charge_measured)
        if t.weapon == "template":
            yield from self.volley(s, charger, some, times(n, law), hit)
            return
        hit = Hit(t.weapon_S, t.AP, t.damage, close=self.short(t, at.away))
        if self.under == "drawn":
            yield from self.volley(s, charger, some, times(n, law), hit)
            return
        for (after, suffered, _), c in self.blasted(charger, some, n, tuple(law.items()), hit).items():
            yield c, self.left(s, charger, some, after), suffered

    @merged
    def stand_and_fire(self, s: NowLed, fast: bool) -> Ways:
        for successes, chance in counts(2, Fraction(VALUE[self.theirs.I], 6)).items():
            each, skill = self.stands(s, "d", successes), 1 + 1 - fast - (1 if s.a <= 2 else 0)
            n = each * self.at_windows(s)
            for c, left, wounds in self.charge_met(s, "d", skill, n):
                after = over(left)
                if after.end:
                    yield chance * c, after
                else:
                    yield from scaled(chance * c, self.fight(replace(after, away=1), -wounds))

    @staticmethod
    def front(models: tuple[str, ...], n: int) -> tuple[str, ...]:
        hardest = sorted(models, key=lambda name: ("leader", "other", "bearer").index(plain(name)))[:n]
        return ordered(tuple(hardest))

    def hits_by(
        self, side: str, fighters: tuple[str, ...], more: int, better: int, in_all: int = 0
    ) -> dict[int, Fraction]:
        """The hits of some in a fight with so many more Attacks each, or in all, who hit so much better."""
        us = self.ours if side == "a" else self.theirs
        led, names = self.leader_A if side == "a" else self.chief_A, [plain(name) for name in fighters if name]
        armed = sum((led if name == "leader" else us.A) + more for name in names if name != "bearer") + in_all
        bare = names.count("bearer") * (us.A + more)
        ways: dict[int, Fraction] = defaultdict(Fraction)
        for k, chance in counts(armed, low(min(5, us.stroke + better))).items():
            for n, c in counts(bare, low(min(5, us.WS - 1 + better))).items():
                ways[k + n] += chance * c
        return ways

    def blows_on(
        self, side: str, some: tuple[str, ...], by: tuple[str, ...], more: int, better: int = 0, in_all: int = 0
    ) -> Harmed:
        """What some of the other side do to some of this one."""
        other, able = ("d" if side == "a" else "a"), tuple(name for name in some if name)
        ways: Harmed = defaultdict(Fraction)
        for n, c in self.hits_by(other, by, more, better, in_all).items():
            for what, c2 in self.hits_on(side, able, n, Hit(self.men(other).S)).items() if able else [((able, 0), 1)]:
                ways[what] += c * c2
        return ways

    @merged
    def exchange(
        self, s: NowLed, fighters: tuple[tuple[str, ...], ...], more: tuple[int, int], own: int
    ) -> Iterator[tuple[Fraction, Now, int]]:
        steps = {own: "a"}
        steps[self.theirs.I] = steps.get(self.theirs.I, "") + "d"
        live = {(s, *fighters, 0): Fraction(1)}
        for _, step in sorted(steps.items(), reverse=True):
            after: dict[tuple, Fraction] = defaultdict(Fraction)
            for (now, ours, theirs, margin), chance in live.items():
                nobody = {(ours, 0): Fraction(1)}, {(theirs, 0): Fraction(1)}
                lost = self.blows_on("a", ours, theirs, more[1], self.above(s)) if "d" in step else nobody[0]
                killed = self.blows_on("d", theirs, ours, more[0]) if "a" in step else nobody[1]
                for ((a, n), c), ((d, k), c2) in product(lost.items(), killed.items()):
                    left = self.left(self.left(now, "a", ours, a), "d", theirs, d)
                    ours_left, theirs_left = (tuple(name for name in some if name) for some in (a, d))
                    after[left, ours_left, theirs_left, margin + k - n] += chance * c * c2
            live = after
        for (left, _, _, margin), chance in live.items():
            yield chance, left, margin

    @merged
    def hack(self, s: NowLed) -> Ways:
        for n, chance in counts(self.hacks_in_all(s), low(4)).items():
            for (after, _), c in self.hits_on("a", s.squad, n, Hit(self.theirs.S)).items():
                yield chance * c, over(self.left(s, "a", s.squad, after))

    @merged
    def result(self, s: NowLed, difference: int) -> Ways:
        for chance, after in super(LedSiege, self).result(s, difference):
            routed = after.d < len(after.guard)
            yield chance, replace(after, guard=self.left(s, "d", self.inside(s), ()).guard) if routed else after

    @merged
    def shoot_outside(self, s: NowLed, side: str, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        other = "d" if side == "a" else "a"
        if s.end or nth > points:
            yield Fraction(1), self.judged(s, other, begun, own_turn)
            return
        thrown = self.throwing(s, side, getattr(s, side))
        n = max(0, self.with_pieces(s, side) - thrown) * self.shots_in(s, side, nth)
        for c, left, wounds in self.fired_on(s, other, n, thrown):
            for c2, tested in self.pinning(over(left), other, wounds, own_turn):
                yield from scaled(c * c2, self.shoot_outside(tested, side, nth + 1, points, begun, own_turn))

    @merged
    def stand_outside(self, s: NowLed, side: str, fast: bool) -> Ways:
        other = "d" if side == "a" else "a"
        n = getattr(s, side)
        for successes, chance in counts(2, Fraction(VALUE[self.men(other).I], 6)).items():
            each, skill = self.stands(s, other, successes), 1 - fast - (1 if n <= 2 else 0)
            for c, left, wounds in self.charge_met(s, other, skill, each * self.with_pieces(s, other)):
                after = over(left)
                if after.end:
                    yield chance * c, after
                else:
                    met = replace(after, away=1)
                    yield from scaled(chance * c, self.blows(met, side, -wounds if side == "a" else wounds))


@dataclass(frozen=True, eq=False)
class NowLedFloors(NowLed, NowFloors):
    pass


@dataclass(frozen=True, eq=False)
class LedFloors(LedSiege, Floors):
    """A garrison in several sections, or those who storm them, with leaders and bearers.

    Those of the garrison who are no ordinary men stand in the section that is attacked, or behind it, as many as can;
    the men fill up both. Of the attackers who have a section the hardest hitters are inside, as many as have room. From
    outside whoever can be shot at may fall, wherever he stands; else who is in the section attacked, or inside.
    """

    specials: str = "attacked"  # where those of the garrison stand; or "behind"

    def begins(self, *numbers: int, hull: int) -> NowLedFloors:
        led, here = LedSiege.begins(self, *numbers, hull=hull), Floors.begins(self, *numbers, hull=hull).here
        return NowLedFloors(*numbers, hull=hull, squad=led.squad, guard=led.guard, begun=led.begun, here=here)

    # who is where

    def stand(self, s: NowLedFloors) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Who of the garrison is in the section attacked, and who behind it; the unit has its leader first."""
        apart = sum(plain(name) != "other" for name in s.guard)
        behind = min(apart, len(s.guard) - s.here) if self.specials == "behind" else 0
        first = s.guard[behind:]
        return first[: s.here], s.guard[:behind] + first[s.here :]

    def inside(self, s: NowLedFloors) -> tuple[str, ...]:
        return self.stand(s)[0]

    def reached(self, s: NowLedFloors) -> tuple[str, ...]:
        return self.front(s.squad, self.room) if s.held else s.squad

    def shot_at(self, s: NowLedFloors) -> tuple[str, ...]:
        """From outside whoever is in a section where somebody can be hit."""
        near, others = self.stand(s)
        if s.held or not self.in_sight(s)[1]:
            return near
        return s.guard if self.met_by_shots(s) else others

    def with_guns(self, s: NowLedFloors) -> int:
        if s.guns is not None:
            return s.guns
        return sum(plain(name) != "bearer" for name in self.reached(s))

    def lost(self, s: NowLedFloors, place: str, dead: int) -> Ways:
        """Of those behind the section attacked the first of the unit are in the next one."""
        here, behind = self.stand(s)
        able = behind[: self.standing(s, "behind")] if place == "behind" else here
        for chance, after in super().lost(s, place, dead):
            yield from scaled(chance, self.named(after, able))

    def shooting_over(self, s: NowLedFloors) -> Ways:
        """Shots have met those who were inside."""
        for chance, named in self.named(s):
            yield from scaled(chance, super().shooting_over(named))

    # who is where again

    @merged
    def garrison_shoots(self, s: NowLedFloors, n: int, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        """Whoever has fallen inside makes room for another before the next shooting."""
        for chance, now in self.named(s):
            yield from scaled(chance, super().garrison_shoots(now, n, nth, points, begun, own_turn))

    @merged
    def exchange(
        self, s: NowLedFloors, fighters: tuple[tuple[str, ...], ...], more: tuple[int, int], own: int
    ) -> Iterator[tuple[Fraction, Now, int]]:
        """In the house who falls of the garrison was in the section attacked."""
        for chance, left, margin in super().exchange(s, fighters, more, own):
            yield chance, replace(left, here=s.here - (s.d - left.d)) if s.place == "in" else left, margin

    def killed_inside(self, s: NowLedFloors) -> NowLedFloors:
        if not s.held:
            return s
        left = list(s.squad)
        for name in self.reached(s):
            left.remove(name)
        return over(replace(s, a=len(left), squad=tuple(left)))

    # the garrison charges back

    def jump(self, name: str) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        """What becomes of one who jumps and fails: his name if he lives, or nobody."""
        lives = self.wounds_of_fall(Body(self.theirs.T, 1, self.theirs.Sv, self.theirs.inv))[0]
        yield (name,), lives
        yield (), 1 - lives

    def landing(
        self, s: NowLedFloors, n: int
    ) -> Iterator[tuple[Fraction, NowLedFloors, tuple[str, ...], tuple[str, ...]]]:
        """Who charges: the hardest hitters; one after the other he lands, or falls and may live."""
        charging = self.front(self.inside(s), n)
        if self.link != "ladder":
            yield Fraction(1), s, charging, ()
            return
        stay, lands = list(s.guard), low(self.theirs.I)
        for name in charging:
            stay.remove(name)
        live = {((), ()): Fraction(1)}
        for name in charging:
            fates = [((name,), (), lands), *(((), after, (1 - lands) * c) for after, c in self.jump(name))]
            live = added_up(
                ((landed + up, fell + down), chance * c)
                for (landed, fell), chance in live.items()
                for up, down, c in fates
            )
        for (landed, fell), chance in live.items():
            guard = ordered((*stay, *landed, *fell))
            yield chance, over(replace(self.slain(s, s.d - len(guard)), guard=guard)), landed, fell

    @merged
    def exchange_back(
        self, s: NowLedFloors, landed: tuple[str, ...], fell: tuple[str, ...], a_in: int
    ) -> Iterator[tuple[Fraction, NowLedFloors, int]]:
        """The same by names; of those alike whom the attackers kill first is drawn between who landed and who fell."""
        begun = ordered(landed + fell if self.failed_jump == "fights" else landed)
        steps = {self.ours.I: "a"}
        own = self.at_initiative_back(s)
        steps[own] = steps.get(own, "") + "d"
        live = {(s, self.front(self.reached(s), a_in), begun, 0): Fraction(1)}
        for _, step in sorted(steps.items(), reverse=True):
            after: dict[tuple, Fraction] = defaultdict(Fraction)
            for (now, ours, theirs, margin), chance in live.items():
                for in_all, c in self.on_their_feet(landed, begun, theirs).items():
                    struck = self.dealt(now, "a", ours, theirs, in_all) if "d" in step else [(1, now, ours, 0)]
                    for c2, hit, a, n in struck:
                        back = self.dealt(hit, "d", theirs, ours, 0) if "a" in step else [(1, hit, theirs, 0)]
                        for c3, left, d, k in back:
                            after[left, a, d, margin + n - k] += chance * c * c2 * c3
            live = after
        for (left, _, _, margin), chance in live.items():
            yield chance, left, margin

    @staticmethod
    def on_their_feet(landed: tuple[str, ...], begun: tuple[str, ...], left: tuple[str, ...]) -> dict[int, Fraction]:
        """How many of those are left who landed, of those who began to fight."""
        ways = {0: Fraction(1)}
        for kind in ("leader", "other"):
            up, there, n = (sum(plain(name) == kind for name in some) for some in (landed, begun, left))
            drawn = drawn_of(up, there - up, n)
            ways = added_up((k + m, c * c2) for (k, c), (m, c2) in product(ways.items(), drawn.items()))
        return ways

    def dealt(
        self, s: NowLedFloors, side: str, some: tuple[str, ...], by: tuple[str, ...], in_all: int
    ) -> Iterator[tuple[Fraction, NowLedFloors, tuple[str, ...], int]]:
        """What some of the other side do to some of this one, with so many Attacks more; who is left; and the wounds."""
        begun, unit = (s.begun[0], s.squad) if side == "a" else (s.begun[1], s.guard)
        for n, chance in self.strokes("d" if side == "a" else "a", by, 0, len(some), in_all=in_all):
            for (left, able), c in left_after(self.who, begun, unit, some, n).items():
                if side == "a":
                    yield chance * c, replace(s, a=len(left), squad=left), able, n
                else:
                    yield chance * c, replace(self.slain(s, n), guard=left), able, n

    @merged
    def outcome_back(self, s: NowLedFloors, difference: int) -> Ways:
        """Whoever routs in the section was in it."""
        for chance, after in super().outcome_back(s, difference):
            routed = after.d < s.d
            yield chance, replace(after, guard=self.stand(s)[1]) if routed else after


@dataclass(frozen=True, eq=False)
class MixedFloors(LedFloors, MixedSiege):
    """The same with a leader of his own Toughness, Wounds and saves; all others have one Wound each.

    Each flame and each grenade across a doorway meets everybody in the section who has outlived those before it, as what
    he is; nobody comes in between one and the next. A leader may look out for these as for others.
    """

    who: str = "drawn"

    def among(self, s: NowLedFloors, place: str) -> tuple[str, ...]:
        """Who is in the section attacked, in that of the attackers, or in the one behind that attacked."""
        if place == "a":
            return self.reached(s)
        here, behind = self.stand(s)
        return behind[: self.standing(s, "behind")] if place == "behind" else here

    def met_across(
        self, s: NowLedFloors, place: str, n: int, one: tuple[tuple[Fraction, Fraction], ...], hit: Hit
    ) -> Ways:
        """So many flames or grenades: by the chance of each roll, another to be hit for everybody who is there."""
        side, some = "a" if place == "a" else "d", self.among(s, place)
        live, missing = {(some, 0): Fraction(1)}, getattr(s, f"{side}_missing")
        for _ in range(n):
            live = added_up(
                ((ordered(tuple(name for name in after if name)), hits + more), chance * rolled * c)
                for (now, hits), chance in live.items()
                for rolled, p in one
                for (after, more), c in self.swept_by_hits(side, now, len(now), p, hit, missing - hits).items()
            )
        for (after, hits), chance in live.items():
            left = self.left(self.struck_by(s, side, hits), side, some, after)
            yield chance, replace(left, here=s.here - (s.d - left.d)) if place == "d" else left

    def flames_across(self, s: NowLedFloors, side: str, flames: int) -> Ways:
        t, sure = self.men(side), low(min(5, self.goal_across(s, side) - COVER["hard"]))
        one = (sure, self.met_inside()), (1 - sure, Fraction(1, 2))
        hit = Hit(t.weapon_S, t.AP, t.damage)
        yield from self.met_across(s, "d" if side == "a" else "a", flames, one, hit)

    def grenades_in(self, s: NowLedFloors, place: str, grenades: int) -> Ways:
        yield from self.met_across(s, place, grenades, ((Fraction(1), self.met_inside()),), Hit(3))

    @merged
    def garrison_shoots(self, s: NowLedFloors, n: int, nth: int, points: int, begun: int, own_turn: bool) -> Ways:
        if s.held and self.across:
            yield from Floors.garrison_shoots(self, s, n, nth, points, begun, own_turn)
        else:
            yield from super().garrison_shoots(s, n, nth, points, begun, own_turn)

    def jump(self, name: str) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        body = self.body("d", name)
        left = body.W - name.count("'")
        for wounds, chance in self.wounds_of_fall(body).items():
            yield (name + "'" * wounds,) if wounds < left else (), chance

    def dealt(
        self, s: NowLedFloors, side: str, some: tuple[str, ...], by: tuple[str, ...], in_all: int
    ) -> Iterator[tuple[Fraction, NowLedFloors, tuple[str, ...], int]]:
        for (after, wounds), chance in self.blows_on(side, some, by, 0, in_all=in_all).items():
            left, able = self.left(s, side, some, after), tuple(name for name in after if name)
            yield chance, replace(left, here=s.here - (s.d - left.d)), able, wounds

    def shots_at_entered(self, s: NowLedFloors, nth: int, own_turn: bool) -> Ways:
        n = s.guns * self.shots_in(s, "d", nth)
        s = self.shot(s, "d") if n else s
        for chance, left, wounds in self.shot_on(s, "a", n):
            yield from scaled(chance, self.pinning(over(left), "a", wounds, own_turn))


def drawn_of(some: int, others: int, n: int) -> dict[int, Fraction]:
    """How many of some are among so many who are drawn of all."""
    return {
        k: Fraction(comb(some, k) * comb(others, n - k), comb(some + others, n))
        for k in range(max(0, n - others), min(some, n) + 1)
    }


def capped(n: int, p: Fraction, most: int) -> list[tuple[int, Fraction]]:
    ways: dict[int, Fraction] = defaultdict(Fraction)
    for k, chance in counts(max(n, 0), p).items():
        ways[min(k, most)] += chance
    return list(ways.items())


def scaled(by: Fraction, ways: Ways) -> Ways:
    return ((by * chance, s) for chance, s in ways)


def bunker_table(s: Now, total: int, *, glancing: bool) -> Now:
    if glancing:
        effect = ["", "", "shaken", "shaken", "stunned", "structural", "collapse"][min(total, 6)]
    else:
        effect = ["", "stunned", "stunned", "structural", "structural", "collapse"][min(total, 5)]
    if effect == "structural":
        return replace(s, cracks=s.cracks + 1)
    if effect == "collapse":
        return replace(s, end="destroyed")
    return replace(s, shaken=max(s.shaken, 2 if effect == "stunned" else 1)) if effect else s


def over(s: Now) -> Now:
    if s.end:
        return s
    if s.d == 0 and s.a > 0:
        return replace(s, end="captured")
    return replace(s, end="broken") if s.a == 0 else s


def locked(s: Now) -> Now:
    """In a fight: nobody tests for heavy casualties or suppression whose turn begins in one."""
    return replace(s, place="locked", away=1, a_due=False, d_due=False, a_owes=False, d_owes=False)


def moved(s: Now) -> Now:
    """Somebody has moved: nobody corrects his aim."""
    return replace(s, a_laid=False, d_laid=False, a_shot=False, d_shot=False)


def walked(s: Now, away: int) -> Now:
    """The attackers have walked so near, if they were not there already."""
    return s if away == s.away else replace(moved(s), away=away)


def turn_over(s: Now, side: str) -> Now:
    """Who was pinned or suppressed for this turn of his has paid for it; and so has a garrison that was shaken.

    Whose turn it was corrects his aim only if he has fired in it; the other also if he did so in his own turn before.
    """
    laid = {f"{who}_laid": getattr(s, f"{who}_shot") or (who != side and getattr(s, f"{who}_laid")) for who in "ad"}
    s = replace(s, **laid, a_shot=False, d_shot=False, fought=False)
    pinned, s = max(0, getattr(s, f"{side}_pinned") - 1), replace(s, ports=s.ports or s.fired, fired=False)
    s = replace(s, **{f"{side}_slowed": getattr(s, f"{side}_slowed") >> 1})
    return replace(s, d_pinned=pinned, dazed=0) if side == "d" else replace(s, a_pinned=pinned)


def whole_assault(siege: Siege, attackers: int, defenders: int, away: int, turns: int) -> dict[str, Fraction]:
    """Play it out; returns the chance of each end, of a building that is cleared, of a fight outside, and mean losses."""
    now = start(siege, attackers, defenders, away)
    ends = play_on(siege, now, now, 2 * turns)
    for outcomes in REMEMBERED:
        outcomes.cache_clear()
    return ends


def start(siege: Siege, attackers: int, defenders: int, away: int) -> Now:
    now = siege.begins(attackers, defenders, away, hull=siege.house.points if siege.house.kind == "bunker" else 0)
    return replace(now, edge=away + siege.edge)


def play_on(siege: Siege, begun: Now, now: Now, left: int) -> dict[str, Fraction]:
    """What an assault that has begun so comes to, when it stands so and so many player turns are left."""
    live = {now: Fraction(1)}
    ends: dict[str, Fraction] = defaultdict(Fraction)

    def settle(ways: Iterator[tuple[Fraction, Now]], chance: Fraction, into: dict[Now, Fraction]) -> None:
        for c, s in ways:
            if s.end:
                ends[s.end] += chance * c
                ends["attackers lost"] += chance * c * (begun.a - s.a)
                ends["defenders lost"] += chance * c * (begun.d - s.d)
                ends["outside"] += chance * c * s.met
                ends["cleared"] += chance * c * (s.d == 0 or s.place != "in" or s.end in ("captured", "destroyed"))
            else:
                into[s] += chance * c

    order = "ad" if siege.first == "attackers" else "da"
    for side, play in product((order * left)[-left:], (siege.compulsory, siege.after_compulsory)):
        after: dict[Now, Fraction] = defaultdict(Fraction)
        for s, chance in live.items():
            settle(play(s, side), chance, after)
        live = dict(after)
    for s, chance in live.items():
        settle(iter([(Fraction(1), replace(s, end="broken" if s.routs else "held"))]), chance, defaultdict(Fraction))
    return ends
