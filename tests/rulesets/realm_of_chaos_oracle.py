"""Brute force of a whole assault by the Realm of Chaos rules, written from their text: itertools and fractions alone.

Two units of models, some with guns and the others alike, one of which may carry wounds, at a building of columns, each so
many levels high, some with a door on the ground. Both sides are counted by section, column by column and from the ground up.
A building that nobody can get into is nobody's to capture.

One column at a time is the front: it is damaged, burns, and falls. It takes with it what stands on it, and from a 7 the
columns beside it with all their levels; a 9 or a 10 is as an 8, for nothing but the ground of the front has been damaged,
and the D6 that a 10 does to sections farther off is left out.

Those of a side who are over 10 feet, its leader or those with guns, are counted by section apart from the others.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from quicktions import Fraction

from tests.oracle import Looked, added, added_up, counts, left_after, replace, share

D6 = range(1, 7)
Spread = dict["Now", Fraction]
Phase = Callable[["Now"], Iterator[tuple["Now", Fraction]]]
Counts = tuple[int, ...]
"""Something of each section, or of each column."""
Place = int | str
"""A section by its number, or "outside" for attackers, "out" for the garrison."""

HAND_TO_HAND = {(3, 3): 5, (3, 4): 5, (4, 3): 4, (4, 4): 5, (5, 3): 4, (3, 5): 6}
"""The need to hit of one Weapon Skill against another, from the chart."""


@dataclass(frozen=True)
class Troops:
    number: int
    WS: int
    BS: int
    S: int
    T: int
    I: int
    A: int
    Ld: int
    Sv: int
    move: int
    missile_S: int
    range: int
    flaming: bool = False
    gunners: int = 0
    gun_S: int = 0
    hand_S: int = 0
    """Strength of the blows of those with guns, if it is another."""
    W: int = 1
    standard: bool = False
    leader: "Troops | None" = None
    """One of them who has his own Toughness, Wounds, saves, Attacks, Strength and Leadership.

    The others then have one Wound, and no guns.
    """
    inv: int = 7
    shield: bool = False  # part of Sv; it does not count in free hacks
    feet: int = 6
    """How tall a leader is, in his own troops; of the others it says nothing."""
    guns_feet: int = 6
    """How tall each of those with guns is."""

    @property
    def tall(self) -> int:
        """The feet of those of them who are over 10 feet, a leader or those with guns; 0 if nobody is."""
        feet = self.leader.feet if self.leader else self.guns_feet if self.gunners else 0
        return feet if feet > 10 else 0

    @property
    def unshielded(self) -> "Troops":
        """They and their leader as free hacks find them: without shields, each worth one point of a save."""
        save = min(7, self.Sv + 1) if self.shield else self.Sv
        return replace(self, Sv=save, shield=False, leader=self.leader and self.leader.unshielded)

    def blows(self, guns: int, others: int, chance: Callable[[int], Fraction]) -> dict[int, Fraction]:
        """What so many blows come to, by the chance of each Strength."""
        return together((guns, chance(self.hand_S or self.S)), (others, chance(self.S)))


@dataclass(frozen=True, eq=False)
class House(Looked):
    """A building, the numbers that a house rule may change, and what players have agreed on.

    `columns`: sections of a level; `heights`: levels of each column, if they are not `levels` of them all; `beside`: which
    columns are next to which, if they do not stand in a row; `entries`: how many pass the door of each column, if it is not
    `door` for the first and 0 for the others; `inches`: of the wall, for each level of each column;
    `deployment`: how the garrison is posted and moves: "spread", "doors", "top", "gives ground", so many at the doors, or
    so many in each section;
    `rubble`: what stands once a column has fallen is open on that side, as wide as a barn
    door; `any_door`: all of a column may get out by its door as it falls;
    `arson_first`: carriers light a section before any blow; `torches`: fire may be held to walls from outside;
    `accidents`: flaming weapons are carried in, with accidents, also by those who do not mean to light anything, and by those
    of the garrison who step into the ground section;
    `drives_out`: a fire makes the garrison come out; `waits`: who comes out charges a turn later; `scorches`: a fire hits
    those in it; `rolls`: when stability is rolled for, in every player turn, in every game turn, or at once;
    `charges_again`: who joins a fight that goes on charges as well.
    """

    levels: int = 1
    columns: int = 1
    heights: Counts = ()
    beside: tuple[tuple[int, int], ...] | None = None
    entries: Counts = ()
    inches: Counts = ()
    deployment: str | int | Counts = "doors"
    rubble: bool = False
    any_door: bool = False
    T: int = 8
    needs_S: int = 5
    wall: int = 4
    """Inches that face the attackers on each level; four of them, and then four again, belong to a section, or `evenly`."""
    evenly: bool = False
    room: int = 12
    unsafe_room: int = 6
    crowd: int = 6
    door: int = 4
    burns_outside: bool = True
    arson_first: bool = False
    torches: bool = False
    accidents: bool = False
    drives_out: bool = False
    waits: bool = False
    scorches: bool = False
    rolls: str = "every player turn"
    charges_again: bool = False
    frontage: int = 4
    """Models side by side in a rank of those who fight in the open; ranks of fewer than `least` score nothing."""
    all_fight: bool = False
    """In the open all strike, not only the front rank."""
    push_back: int = 2
    """Inches by which the loser of a round in the open is pushed back."""
    least: int = 4
    ranks_first: bool = False
    """Ranks are counted before the blows, not after them."""
    loose: bool = False
    """Neither ranks nor standards score, and all strike."""
    who: str = "owner"
    """Who falls, of those with guns and without: as the owner gives them up, spread over the unit, or drawn."""
    invulnerable: bool = False
    """Invulnerable saves, of which no text of this game knows, are saves like any, also where armour does not count."""
    masonry_heals: bool = False
    """A leader who lives through a collapse is not wounded by it, as others are not."""
    fire_by_order: bool = False
    """The hits of a fire fall on those in it by the order of who falls, not on each of them."""
    steps_in: bool = False
    """Men of the attackers who are elsewhere step in for their leader where attacks would reach him, as they do for guns."""
    pursues: bool = False
    """Who wins in the open always pursues those who rout, and does not test to hold back."""
    ceilings: Counts = ()
    """How many feet high each section and the door into it are; 0 where nothing is said, () if that is everywhere."""
    stooping: bool = False
    """Who is tall may be in any section; where it is as high as he, he counts as one."""


@dataclass(frozen=True, eq=False)
class Now(Looked):
    """How things stand; `end` is empty while the assault goes on."""

    outside: int
    inside: Counts
    """Attackers in each section, as `within` is of the garrison."""
    within: Counts
    away: int
    fired: Counts
    """Of the garrison in each section, last turn."""
    stands: tuple[bool, ...]
    """Whether each column does."""
    moved: bool = False
    damage: int = 0
    """Of the ground section of the front, which alone may be unsafe, unstable, unsound, or burn."""
    unsafe: bool = False
    unstable: bool = False
    unsound: bool = False
    winner: str = ""
    charged: str = ""
    above: tuple[str, ...] = ()
    """In each section, which side was higher before a fight began in this player turn; empty if none was in any."""
    end: str = ""
    out: int = 0
    open: bool = False
    burning: bool = False
    scorched: int = 0
    fought_outside: bool = False
    waited: bool = False
    our_hurt: int = 0
    """Wounds that one of the attackers carries, or one of the garrison."""
    their_hurt: int = 0
    guns: int = 0
    """Of the attackers, unless the owner gives them up."""
    their_guns: int = 0
    our_leader: bool = False
    """Whether a leader lives who is another than his men; wounds that are carried are then his."""
    their_leader: bool = False
    tall: Counts = ()
    """How many of the attackers in each section are over 10 feet; () if nobody is."""
    tall_within: Counts = ()
    """The same of the garrison; who lives and is in no section is out in the open."""

    @property
    def garrison(self) -> int:
        return sum(self.within) + self.out

    @property
    def attackers(self) -> int:
        return self.outside + sum(self.inside)


# The building.


@cache
def high(house: House) -> Counts:
    """How many levels each column has."""
    return house.heights or (house.levels,) * house.columns


@cache
def sections(house: House) -> tuple[tuple[int, int], ...]:
    """Each section by column and level, in the order in which they are numbered."""
    return tuple((column, level) for column, top in enumerate(high(house)) for level in range(1, top + 1))


@cache
def grounds(house: House) -> Counts:
    """The ground section of each column."""
    return tuple(sections(house).index((column, 1)) for column in range(len(high(house))))


@cache
def beside(house: House) -> tuple[Counts, ...]:
    """The columns next to each."""
    every = range(len(high(house)))
    pairs = [(i, i + 1) for i in every[:-1]] if house.beside is None else house.beside
    return tuple(tuple(j for j in every if (i, j) in pairs or (j, i) in pairs) for i in every)


@cache
def neighbours(house: House) -> tuple[Counts, ...]:
    """The sections above and below each, and those on its level next to it."""
    parts = sections(house)

    def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
        if one[0] == other[0]:
            return abs(one[1] - other[1]) == 1
        return one[1] == other[1] and other[0] in beside(house)[one[0]]

    return tuple(tuple(t for t, other in enumerate(parts) if touch(one, other)) for one in parts)


@cache
def walks(house: House, may: tuple[bool, ...]) -> tuple[dict[int, int], ...]:
    """How many steps it is from each section to those that can be reached through some alone, as `steps` has it."""

    def from_one(start: int) -> dict[int, int]:
        found, last = {start: 0}, [start]
        while last:
            last = [t for s in last for t in neighbours(house)[s] if may[t] and t not in found]
            found |= dict.fromkeys(last, max(found.values()) + 1)
        return found

    return tuple(from_one(s) if may[s] else {} for s in range(len(sections(house))))


@cache
def steps(house: House) -> tuple[Counts, ...]:
    """How many steps it is from each section to each, as the building stood at the start."""
    every = range(len(sections(house)))
    return tuple(tuple(far[s] for s in every) for far in walks(house, (True,) * len(every)))


@cache
def hang_together(house: House, held: Counts) -> bool:
    """Whether the sections in which a side has models are one chain; who is outside is in none."""
    places = {s for s, n in enumerate(held) if n}
    found: set[int] = set()
    more = set(sorted(places)[:1])
    while more:
        found |= more
        more = ({t for s in more for t in neighbours(house)[s]} & places) - found
    return found == places


@cache
def doors(house: House) -> Counts:
    """How many pass the door of each column."""
    return house.entries or (house.door,) + (0,) * (len(high(house)) - 1)


@cache
def windows(house: House) -> Counts:
    """How many can shoot from a section of each column: one for each full inch of its part of the wall."""
    parts = [0] * len(high(house))
    for inch in range(house.wall):
        if inch < 4 * len(parts):
            parts[inch // 4] += 1
    if house.evenly:
        parts = [min(4, house.wall // len(parts))] * len(parts)
    return house.inches or tuple(parts)


@cache
def fronts(house: House) -> Counts:
    """The columns in the order in which they are the front: outwards from the first that has a door."""
    order = [next((column for column, width in enumerate(doors(house)) if width), 0)]
    for column in order:  # it grows
        order += [other for other in beside(house)[column] if other not in order]
    return tuple(order)


@cache
def front(house: House, stands: tuple[bool, ...]) -> int:
    """The ground section of the first column that stands."""
    return grounds(house)[next(column for column in fronts(house) if stands[column])]


@cache
def with_doors(house: House, stands: tuple[bool, ...]) -> Counts:
    """The ground sections that have doors still, or that of the front if none has."""
    every = zip(grounds(house), doors(house), stands, strict=True)
    return tuple(s for s, width, up in every if width and up) or (front(house, stands),)


@cache
def ways(house: House, stands: tuple[bool, ...]) -> Counts:
    """How many pass in or out of each section: by the door, which falls with its column, or over the rubble."""
    found = [0] * len(sections(house))
    for s, width, up in zip(grounds(house), doors(house), stands, strict=True):
        found[s] = width if up else 0
    if house.rubble and not all(stands):
        found[front(house, stands)] = found[front(house, stands)] or 12
    return tuple(found)


@cache
def way_out(house: House, stands: tuple[bool, ...]) -> Counts:
    """How many steps it is from each section to the nearest that has a door."""
    return tuple(min(far[s] for s in with_doors(house, stands)) for far in steps(house))


@cache
def outwards(house: House) -> Counts:
    """The sections, those nearest to a door first, as the building stood at the start."""
    whole = (True,) * len(high(house))
    return tuple(sorted(range(len(sections(house))), key=lambda s: way_out(house, whole)[s]))


@cache
def inwards(house: House) -> Counts:
    """The sections, those farthest from a door first, as the building stood at the start."""
    whole = (True,) * len(high(house))
    return tuple(sorted(range(len(sections(house))), key=lambda s: -way_out(house, whole)[s]))


@cache
def downwards(house: House) -> Counts:
    """The sections as a garrison fills them from the top: each is next to one before it."""
    parts, order, found = sections(house), outwards(house), list[int]()
    near = list(order)
    while near:
        found.append(min(near, key=lambda s: (-parts[s][1], order.index(s))))
        near = [s for s in order if s not in found and any(t in found for t in neighbours(house)[s])]
    return tuple(found)


@dataclass(frozen=True)
class Posts:
    """A step in which a garrison takes its posts: in some sections, until `most` of it are in them."""

    where: Counts
    evenly: bool
    """Each goes where fewest are, of these to the first; else to the first that he may go to."""
    most: int


def posts(house: House, models: int) -> list[Posts]:
    """The steps in which a garrison of so many takes its posts, by its deployment."""
    order, first = outwards(house), with_doors(house, (True,) * len(high(house)))
    others = tuple(s for s in order if s not in first)
    if isinstance(house.deployment, tuple):
        return [Posts((s,), False, house.deployment[s]) for s in order]
    if house.deployment == "spread":
        near = sorted(order, key=lambda s: (steps(house)[first[0]][s], s))
        return [Posts(tuple(near), True, models)]
    if house.deployment == "top":
        return [Posts(downwards(house), False, models)]
    if isinstance(house.deployment, int):
        return [Posts(first, True, house.deployment), Posts(others, True, models), Posts(first, True, models)]
    return [Posts(first, True, models), Posts(others, False, models)]


def deployed(
    house: House, models: int, talls: int = 0, may: tuple[bool, ...] = (), places: Counts = ()
) -> tuple[Counts, Counts]:
    """How many of the garrison are in each section at the start, and how many of them are tall.

    They are an unbroken chain, or it is no game. Who is tall may be in some sections, and counts as so many in each.
    """
    held, tall = posted(house, models, talls, may, places)
    if not hang_together(house, held):
        raise ValueError(f"the garrison begins torn apart: {held}")
    return held, tall


def posted(house: House, models: int, talls: int, may: tuple[bool, ...], places: Counts) -> tuple[Counts, Counts]:
    """How the deployment posts so many of the garrison in each section, and how many of them are tall.

    The tall come first, one by one, each where he gets from a door and all his places are left. If there are none, those who are
    spread or posted by number do not ask for room, and who finds none at doors or behind them is not there.
    """
    nobody = (0,) * len(sections(house))
    if isinstance(house.deployment, tuple) and not talls:
        return house.deployment, nobody
    held, tall = list(nobody), list(nobody)
    left = [house.room if talls or house.deployment != "spread" else models for _ in nobody]
    doors_in = with_doors(house, (True,) * len(high(house)))
    reached = {s for start in doors_in for s in walks(house, may)[start]} if talls else set[int]()
    for is_tall, n in ((True, talls), (False, models - talls)):
        for step in posts(house, models):
            while n and sum(held[s] for s in step.where) < step.most:
                able = [
                    s for s in step.where if (places[s] if is_tall else 1) <= left[s] and (not is_tall or s in reached)
                ]
                if not able:
                    break
                s = min(able, key=lambda s: held[s]) if step.evenly else able[0]
                held[s] += 1
                tall[s] += is_tall
                left[s] -= places[s] if is_tall else 1
                n -= 1
        if n and (talls or house.deployment == "top"):
            raise ValueError(f"some of the garrison find no place: {n} more than {held}, of whom {tall} are tall")
    return tuple(held), tuple(tall)


# Dice.


@cache
def chance_of_need(need: int) -> Fraction:
    """7, 8 and 9 are a 6 and then 4+, 5+ and 6; a 1 never does."""
    need = max(need, 2)
    if need <= 6:
        return share([face >= need for face in D6])
    return share([first == 6 and second >= need - 3 for first, second in product(D6, D6)])


@cache
def wounds(S: int, T: int) -> Fraction:
    if T - S > 3:
        return Fraction(0)
    need = {-1: 3, 0: 4, 1: 5, 2: 6, 3: 6}.get(T - S, 2)
    return share([face >= need for face in D6])


@cache
def fails(save: int) -> Fraction:
    return share([face < save or face == 1 for face in D6])


Kinds = tuple[int, int]
"""Of some models, those with guns and how many they are in all."""


def kinds(guns: int, models: int) -> tuple[str, ...]:
    """Some models by name, those with guns first."""
    return ("gun",) * guns + ("other",) * (models - guns)


@cache
def together(*parts: tuple[int, Fraction]) -> dict[int, Fraction]:
    """Successes of several kinds of dice added up."""
    return added(*(counts(n, p) for n, p in parts))


def lost(models: int, hurt: int, wounds: int, W: int) -> tuple[int, int]:
    """Models that so many wounds kill, one after the other, and the wounds that another then carries."""
    wounds = min(wounds, max(0, models * W - hurt))
    return (hurt + wounds) // W, (hurt + wounds) % W


def crushed(models: int, hurt: int, troops: Troops) -> dict[tuple[int, int], Fraction]:
    """Of models in a section that falls, how many are killed, and the wounds that one still carries.

    All that fail to save are killed, but the tough save on 4+ and take D3 wounds; those that live through them are not
    wounded for long.
    """
    tough = troops.T >= 5 or troops.W >= 3
    failing = fails(min(troops.Sv, 4) if tough else troops.Sv)

    def dies(left: int) -> Fraction:
        return failing * (share([(face + 1) // 2 >= left for face in D6]) if tough else 1)

    carries = min(models, 1) if hurt else 0
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for dead, c in counts(models - carries, dies(troops.W)).items():
        if carries:
            found[dead + 1, 0] += c * dies(troops.W - hurt)
        found[dead, hurt] += c * (1 - dies(troops.W - hurt) if carries else 1)
    return found


Attacks = tuple[tuple[int, Fraction, int, bool], ...]
"""So many attacks that hit so often, with such a Strength, and whether armour saves against them."""
Fight = tuple[Place, Place, int, int]
"""Where attackers and garrison fight one another, and what each needs to hit."""
Falls = dict[tuple[int, int], Fraction]
"""The chance that so many men fall, and that their leader, if he is there, has then lost so many Wounds in all."""


@cache
def kills(one: Troops, hit: Fraction, S: int, armour: bool, invulnerable: bool) -> Fraction:
    """How often an attack takes a Wound of one."""
    own = one.inv if invulnerable else 7
    return hit * wounds(S, one.T) * fails(min(one.Sv, own) if armour else own)


@cache
def one_by_one(men: int, one: Troops, leader: Troops | None, hurt: int, attacks: Attacks, invulnerable: bool) -> Falls:
    """Attack after attack on whoever is next to fall, the leader last, each against that model's Toughness and save."""
    ways: Falls = {(0, hurt): Fraction(1)}
    for n, hit, S, armour in attacks:
        for _ in range(n):
            after: Falls = defaultdict(Fraction)
            for (dead, lost), c in ways.items():
                if dead < men:
                    p = kills(one, hit, S, armour, invulnerable)
                    after[dead + 1, lost] += c * p
                elif leader is not None and lost < leader.W:
                    p = kills(leader, hit, S, armour, invulnerable)
                    after[dead, lost + 1] += c * p
                else:
                    p = Fraction(0)
                after[dead, lost] += c * (1 - p)
            ways = {what: c for what, c in after.items() if c}
    return ways


@cache
def one_each(
    men: int, one: Troops, leader: Troops | None, hurt: int, hit: tuple[int, bool], invulnerable: bool
) -> Falls:
    """A hit on each of them."""
    S, armour = hit
    own = kills(leader, Fraction(1), S, armour, invulnerable) if leader else Fraction(0)
    ways: Falls = defaultdict(Fraction)
    for dead, c in counts(men, kills(one, Fraction(1), S, armour, invulnerable)).items():
        ways[dead, hurt + 1] += c * own
        ways[dead, hurt] += c * (1 - own)
    return {what: c for what, c in ways.items() if c}


@cache
def crushed_with_leader(models: int, hurt: int, troops: Troops, heals: bool) -> dict[tuple[int, int, bool], Fraction]:
    """As `crushed`, of models one of whom is the leader, and whether he lives; what he lost he has lost, unless he heals."""
    leader = troops.leader
    tough = leader.T >= 5 or leader.W >= 3
    failing = fails(min(leader.Sv, 4) if tough else leader.Sv)
    his: dict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    his[hurt, True] += 1 - failing
    for face in D6:
        lost = hurt + ((face + 1) // 2 if tough else leader.W)
        if lost >= leader.W:
            his[0, False] += failing / 6
        else:
            his[hurt if heals else lost, True] += failing / 6
    found: dict[tuple[int, int, bool], Fraction] = defaultdict(Fraction)
    for (dead, _), c in crushed(models - 1, 0, troops).items():
        for (lost, lives), e in his.items():
            found[dead + (not lives), lost, lives] += c * e
    return found


class Assault:
    """One assault: `plan` is storm, demolish (with blows), shoot or smoke; `halt` is where those who stay off halt.

    `first_in` is who goes in first: leader (those with guns), ordinary (the others), or as is usual for the plan.
    """

    def __init__(
        self,
        us: Troops,
        them: Troops,
        house: House,
        plan: str,
        halt: int = 0,
        defence: str = "hold",
        first_in: str | None = None,
    ) -> None:
        self.us, self.them, self.house, self.plan, self.halt, self.defence = us, them, house, plan, halt, defence
        self.first_in = first_in
        for troops in (us, them):
            if troops.leader is not None:
                assert house.who == "owner"
                assert troops.W == 1
                assert not troops.gunners
                alike = ("WS", "BS", "I", "move", "missile_S", "range", "flaming")
                assert all(getattr(troops, k) == getattr(troops.leader, k) for k in alike)
        self.known: dict[tuple[Phase | Counts, Now], Spread] = {}
        self.nobody = (0,) * len(sections(house))
        assert len(house.ceilings) in (0, len(self.nobody))
        # Of each side, whether who is tall may be in each section, and as how many he counts there:
        self.may: dict[str, tuple[bool, ...]] = {}
        self.places: dict[str, Counts] = {}
        self.tall_guns: dict[str, bool] = {}
        self.tall_leader: dict[str, bool] = {}
        for side, troops in (("attackers", us), ("defenders", them)):
            high_enough = [feet >= troops.tall for feet in house.ceilings or self.nobody]
            many = max(2, -(-troops.tall // 10))
            self.may[side] = tuple(house.stooping or enough for enough in high_enough)
            self.places[side] = tuple(1 if house.stooping and enough else many for enough in high_enough)
            self.tall_guns[side] = bool(troops.tall and not troops.leader)
            self.tall_leader[side] = bool(troops.tall and troops.leader)

    def play(self, away: int, turns: int, first: str) -> dict[str, Fraction]:
        """Every end with its chance, and the mean losses."""
        return self.play_on(self.start(away), 2 * turns, first)

    def start(self, away: int) -> Now:
        side, them = "defenders", self.them
        talls = 1 if self.tall_leader[side] else them.gunners if self.tall_guns[side] else 0
        within, tall_within = deployed(self.house, them.number, talls, self.may[side], self.places[side])
        stands = (True,) * len(high(self.house))
        return replace(
            Now(self.us.number, self.nobody, within, away, self.nobody, stands),
            guns=self.us.gunners,
            their_guns=them.gunners,
            our_leader=self.us.leader is not None,
            their_leader=them.leader is not None,
            tall=self.no_tall("attackers"),
            tall_within=tall_within if them.tall else (),
        )

    def play_on(self, now: Now, left: int, first: str) -> dict[str, Fraction]:
        """The same from a state, when so many player turns are left."""
        spread: Spread = {now: Fraction(1)}
        second = "defenders" if first == "attackers" else "attackers"
        for side in ((first, second) * left)[-left:]:
            spread = self.player_turn(spread, side, first)
        ends: dict[str, Fraction] = defaultdict(Fraction)
        for now, chance in spread.items():
            ends[now.end or "held"] += chance
            ends["attackers lost"] += chance * (self.us.number - now.attackers)
            ends["defenders lost"] += chance * (self.them.number - now.garrison)
            ends["fought outside"] += chance * now.fought_outside
            ends["waited outside"] += chance * now.waited
            ends["burning"] += chance * now.burning
            if self.us.leader:
                ends["attackers' leader lost"] += chance * (not now.our_leader)
                ends["attackers' leader lives, wounds lost"] += chance * now.our_hurt
            if self.them.leader:
                ends["defenders' leader lost"] += chance * (not now.their_leader)
                ends["defenders' leader lives, wounds lost"] += chance * now.their_hurt
            ends["cleared"] += chance * (now.end in ("captured", "destroyed") or not any(now.within))
        return ends

    def player_turn(self, spread: Spread, side: str, first: str) -> Spread:
        """What a player turn of a side makes of how things may stand."""
        rolled = self.house.rolls == "every player turn" or (self.house.rolls == "every game turn" and side == first)
        start = self.fire_and_stability if rolled else self.fire
        if side == "attackers":
            moves = (self.scorch_us, start, self.approach, self.shots_by_us)
        else:
            moves = (self.scorch_them, start, self.come_out, self.step, self.shots_by_them)
        last = (self.stability_at_once,) if self.house.rolls == "at once" else ()
        fight = (self.arson, self.fight) if self.house.arson_first else (self.fight,)
        for phase in (*moves, self.blows_at_walls, self.catch_fire, *fight, *last):
            after: Spread = defaultdict(Fraction)
            for now, chance in spread.items():
                for then, c in self.outcomes(phase, now).items():
                    after[then] += chance * c
            spread = after
        return spread

    def outcomes(self, phase: Phase, now: Now) -> Spread:
        """What a phase makes of a state, equal outcomes added up; it is remembered."""
        if now.end:
            return {now: Fraction(1)}
        if (phase, now) not in self.known:
            self.known[phase, now] = added_up((self.judged(then), chance) for then, chance in phase(now))
        return self.known[phase, now]

    def judged(self, now: Now) -> Now:
        if now.end:
            return now
        if now.attackers == 0:
            return replace(now, end="broken")
        got_in = self.fit(now) > 0 or any(now.inside)
        return replace(now, end="captured") if now.garrison == 0 and got_in else now

    def ways(self, now: Now) -> Counts:
        return ways(self.house, now.stands)

    def front(self, now: Now) -> int:
        return front(self.house, now.stands)

    def window(self, section: int) -> int:
        return windows(self.house)[sections(self.house)[section][0]]

    def fought(self, now: Now) -> Counts:
        """The sections that both sides are in: one engagement."""
        return tuple(s for s, (ours, theirs) in enumerate(zip(now.inside, now.within, strict=True)) if ours and theirs)

    def at(self, now: Now, side: str, place: Place) -> int:
        """How many of a side are at a place."""
        if isinstance(place, str):
            return getattr(now, place)
        return (now.inside if side == "attackers" else now.within)[place]

    def no_tall(self, side: str) -> Counts:
        """The number of tall ones in each section, if all those of a side are somewhere else."""
        return self.nobody if (self.us if side == "attackers" else self.them).tall else ()

    def tall_in(self, now: Now, side: str) -> Counts:
        """How many of a side who are tall are in each section."""
        return (now.tall if side == "attackers" else now.tall_within) or self.nobody

    def tall_at(self, now: Now, side: str, place: Place) -> int:
        """How many of a side who are tall are at a place: outside, or out, are those who are in no section."""
        if not isinstance(place, str):
            return self.tall_in(now, side)[place]
        leads, guns = (now.our_leader, now.guns) if side == "attackers" else (now.their_leader, now.their_guns)
        live = leads if self.tall_leader[side] else guns if self.tall_guns[side] else 0
        return live - sum(self.tall_in(now, side))

    def more_tall(self, now: Now, side: str, place: Place, more: int) -> Now:
        """So many more of a side who are tall in a section; outside and out they are not counted."""
        if isinstance(place, str) or not more:
            return now
        there, name = self.tall_in(now, side), "tall" if side == "attackers" else "tall_within"
        return replace(now, **{name: (*there[:place], there[place] + more, *there[place + 1 :])})

    def taken(self, now: Now, side: str, section: int) -> int:
        """As how many those of a side in a section count."""
        return self.at(now, side, section) + self.tall_in(now, side)[section] * (self.places[side][section] - 1)

    def fewer(self, now: Now, side: str, place: Place, dead: int) -> Now:
        """So many less of a side at a place."""
        if isinstance(place, str):
            return replace(now, **{place: getattr(now, place) - dead})
        name = "inside" if side == "attackers" else "within"
        there = getattr(now, name)
        return replace(now, **{name: (*there[:place], there[place] - dead, *there[place + 1 :])})

    @property
    def flames(self) -> bool:
        """Their flames burn the walls from outside, with one more Strength."""
        return self.us.flaming and self.house.burns_outside

    @property
    def burns_walls(self) -> bool:
        return self.flames and self.us.missile_S + 1 >= self.house.needs_S

    def fit(self, now: Now) -> int:
        """How many attackers, inside or outside, some way in is high enough for."""
        side, ways = "attackers", self.ways(now)
        tall = sum(self.tall_in(now, side)) + self.tall_at(now, side, "outside") if self.us.tall else 0
        high = any(width and may for width, may in zip(ways, self.may[side], strict=True))
        return (now.attackers - tall) * any(ways) + tall * high

    def goes_in(self, now: Now) -> bool:
        if now.damage >= 6:
            return False
        if self.plan == "storm":
            return True
        if self.plan == "demolish" and not self.us.gunners:  # nobody stays out who can do nothing to the walls
            return self.house.needs_S > self.us.S
        if self.us.gunners:  # as many as have no gun go in; all do, once the guns are lost
            return self.plan == "demolish" and self.hands(now) > 0 and any(self.ways(now))
        outside_will_do = self.burns_walls or (self.house.torches and self.house.burns_outside)
        goes = self.plan == "smoke" and self.us.flaming and not outside_will_do and not now.burning
        return goes and self.fit(now) > 0

    def hands(self, now: Now) -> int:
        """How many attackers would go in: all; under plan demolish those without a gun, who fall first, or as many.

        One is enough to set fire, which needs no roll.
        """
        if self.plan == "smoke":
            return min(1, self.fit(now))
        if self.plan == "storm":
            return now.attackers
        if self.tall_guns["attackers"]:  # they are those with guns
            return (now.attackers - self.guns(now)) * any(self.ways(now))
        return self.fit(now) - self.guns(now)

    def guns(self, now: Now) -> int:
        """How many of the attackers left have guns; nobody takes a gun over from who is tall."""
        if self.house.who != "owner" or self.tall_guns["attackers"]:
            return now.guns
        full = kinds(self.us.gunners, self.us.number)
        ((left, _),) = left_after(self.house.who, full, full, full, self.us.number - now.attackers)
        return left.count("gun")

    @property
    def guns_first(self) -> bool:
        """Guns are the first through a door, but those that bring walls down the last, unless players choose."""
        return self.plan != "demolish" if self.first_in is None else self.first_in == "leader"

    def order(self, now: Now, side: str) -> tuple[Place, ...]:
        """The places of a side: of the garrison, those nearest to the outside first, of the attackers those farthest from it."""
        if side == "attackers":
            return (*inwards(self.house), "outside")
        return ("out", *outwards(self.house))

    def guns_at(self, now: Now, side: str, place: Place) -> int:
        """How many guns are there: in the first places of the garrison, and in those of who goes in first of the attackers."""
        if self.tall_guns[side]:
            return self.tall_at(now, side, place)
        guns = self.guns(now) if side == "attackers" else now.their_guns
        others_first = side == "attackers" and not self.guns_first
        left = now.attackers - guns if others_first else guns
        for other in self.order(now, side):
            there = self.at(now, side, other)
            first = min(left, there)
            if other == place:
                return there - first if others_first else first
            left -= first
        raise ValueError(place)

    def guns_lost(self, side: str, left: Kinds, able: Kinds, dead: int) -> Iterator[tuple[int, Fraction]]:
        """How many guns a side loses, once so many of those have fallen who could, with guns and without.

        Where the owner of the attackers gives up, others step in, from anywhere; but not for who is tall.
        """
        if side == "attackers" and self.house.who == "owner" and not self.tall_guns[side]:
            yield 0, Fraction(1)
            return
        troops = self.us if side == "attackers" else self.them
        full = kinds(troops.gunners, troops.number)
        for (_, some), c in left_after(self.house.who, full, kinds(*left), kinds(*able), dead).items():
            yield able[0] - some.count("gun"), c

    def lose(self, now: Now, side: str, place: Place, wounds: int, able: int | None) -> Iterator[tuple[Now, Fraction]]:
        """Wounds on those of a side at a place, or on so many there, who have guns first."""
        ours = side == "attackers"
        troops, hurt, guns, whole = (
            (self.us, now.our_hurt, self.guns(now), now.attackers)
            if ours
            else (self.them, now.their_hurt, now.their_guns, now.garrison)
        )
        there = self.at(now, side, place) if able is None else able
        dead, hurt = lost(there, hurt, wounds, troops.W)
        after = replace(self.fewer(now, side, place, dead), **{"our_hurt" if ours else "their_hurt": hurt})
        armed = min(self.guns_at(now, side, place), there)
        for fewer, c in self.guns_lost(side, (guns, whole), (armed, there), dead):
            left = {"guns": now.guns - fewer} if ours else {"their_guns": guns - fewer}
            then = self.more_tall(after, side, place, -fewer) if self.tall_guns[side] else after
            yield replace(then, **left), c

    def wounded(
        self, now: Now, side: str, place: Place, attacks: Attacks, able: int | None = None
    ) -> Iterator[tuple[Now, int, Fraction]]:
        """Attacks on those of a side at a place, or on so many of them: what is left, wounds caused, chance."""
        troops, hurt = (self.us, now.our_hurt) if side == "attackers" else (self.them, now.their_hurt)
        there = self.at(now, side, place) if able is None else able
        if troops.leader is not None:
            led = self.leader_at(now, side) == place and there > 0
            steps_in = side == "attackers" and self.house.steps_in and not self.tall_leader[side]
            if led and steps_in and now.attackers > there:
                falls = one_by_one(there, troops, None, 0, attacks, self.house.invulnerable)
                yield from self.with_leader(now, side, place, falls, False)
                return
            falls = one_by_one(
                there - led,
                troops,
                troops.leader if led else None,
                hurt if led else 0,
                attacks,
                self.house.invulnerable,
            )
            yield from self.with_leader(now, side, place, falls, led)
            return
        most = max(0, self.at(now, side, place) * troops.W - hurt)
        chances = (hit * wounds(S, troops.T) * (fails(troops.Sv) if armour else 1) for _, hit, S, armour in attacks)
        for caused, c in together(*((n, p) for (n, *_), p in zip(attacks, chances, strict=True))).items():
            for then, e in self.lose(now, side, place, caused, able):
                yield then, min(caused, most), c * e

    def all_wounded(
        self, now: Now, side: str, attacks: Iterable[tuple[Place, Attacks, int | None]]
    ) -> Iterator[tuple[Now, int, Fraction]]:
        """The same at several places, one after the other."""
        ways = {(now, 0): Fraction(1)}
        for place, some, able in attacks:
            ways = added_up(
                ((after, caused + more), c * e)
                for (then, caused), c in ways.items()
                for after, more, e in self.wounded(then, side, place, some, able)
            )
        yield from ((then, caused, c) for (then, caused), c in ways.items())

    def leader_at(self, now: Now, side: str) -> Place | None:
        """Where the leader of a side is, if he lives."""
        if not (now.our_leader if side == "attackers" else now.their_leader):
            return None
        if self.tall_leader[side]:
            return next(place for place in self.order(now, side) if self.tall_at(now, side, place))
        held = [place for place in self.order(now, side) if self.at(now, side, place)]
        return held[-1] if side == "attackers" and not self.guns_first else held[0]

    def with_leader(
        self, now: Now, side: str, place: Place, falls: Falls, led: bool
    ) -> Iterator[tuple[Now, int, Fraction]]:
        """What becomes of a side that has a leader, who may be among those that were hit."""
        attacking = side == "attackers"
        troops, hurt = (self.us, now.our_hurt) if attacking else (self.them, now.their_hurt)
        for (men, lost), c in falls.items():
            gone = led and lost >= troops.leader.W
            dead, caused = men + gone, men + (lost - hurt if led else 0)
            his = {"our_hurt" if attacking else "their_hurt": 0 if gone else lost} if led else {}
            if gone:
                his["our_leader" if attacking else "their_leader"] = False
            then = self.more_tall(now, side, place, -1) if gone and self.tall_leader[side] else now
            yield replace(self.fewer(then, side, place, dead), **his), caused, c

    def burnt(self, now: Now, side: str) -> Iterator[tuple[Now, Fraction]]:
        """A hit of Strength 3 on each of those in a fire, against which no armour saves."""
        place = self.front(now)
        n = self.at(now, side, place) if self.house.scorches and now.burning else 0
        troops, hurt = (self.us, now.our_hurt) if side == "attackers" else (self.them, now.their_hurt)
        if troops.leader is None or self.house.fire_by_order:
            found = self.wounded(now, side, place, ((n, Fraction(1), 3, False),))
        else:
            led = self.leader_at(now, side) == place and n > 0
            leader = troops.leader if led else None
            falls = one_each(n - led, troops, leader, hurt if led else 0, (3, False), self.house.invulnerable)
            found = self.with_leader(now, side, place, falls, led)
        yield from ((self.parted(then), c) for then, _, c in found)

    def scorch_us(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        return self.burnt(now, "attackers")

    def scorch_them(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        return self.burnt(now, "defenders")

    def parted(self, now: Now) -> Now:
        """Forget who won the last round where no fight is left: who comes next charges afresh."""
        return now if now.open or self.fought(now) else replace(now, winner="")

    def fire_and_stability(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """A fire does half a die of damage, then a section that had 6 before it is rolled for."""
        due = now.damage >= 6
        for hotter, c in self.fire(now):
            yield from ((then, c * e) for then, e in self.stability(hotter, due))

    def fire(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        for face in D6 if now.burning else ():
            yield replace(now, damage=min(12, now.damage + (face + 1) // 2)), Fraction(1, 6)
        if not now.burning:
            yield now, Fraction(1)

    def stability_at_once(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """A section with 6 damage is rolled for at the end of a player turn, also of that in which it got there."""
        return self.stability(now, now.damage >= 6)

    def stability(self, now: Now, due: bool) -> Iterator[tuple[Now, Fraction]]:
        """A section at 6 damage is rolled for in every turn after that in which it got there."""
        if not due:
            yield now, Fraction(1)
            return
        at = self.front(now)
        column = sections(self.house)[at][0]
        near = tuple(other for other in beside(self.house)[column] if now.stands[other])
        for face in D6:
            result = face + now.damage - 6
            weight = self.taken(now, "defenders", at) + self.taken(now, "attackers", at)
            crowded = result in (2, 3) and weight > self.house.crowd
            overloaded = result == 3 and high(self.house)[column] - 1 > 1
            if result < 4 and not crowded and not overloaded:
                yield (
                    replace(
                        now,
                        unsafe=now.unsafe or result == 1,
                        unstable=now.unstable or result in (2, 3),
                        unsound=now.unsound or result == 3,
                    ),
                    Fraction(1, 6),
                )
                continue
            gone = (column, *near) if result >= 7 else (column,)
            yield from (
                (then, c * Fraction(1, 6)) for then, c in self.fallen(replace(now, damage=0, burning=False), gone)
            )

    def fallen(self, now: Now, gone: Counts) -> Iterable[tuple[Now, Fraction]]:
        """What comes of a collapse, equal outcomes added up; it is remembered, for no damage matters any more."""
        if (gone, now) not in self.known:
            self.known[gone, now] = added_up(self.collapse(now, gone))
        return self.known[gone, now].items()

    def collapse(self, now: Now, gone: Counts) -> Iterator[tuple[Now, Fraction]]:
        """Some columns fall: the attackers in them save, and find places, then the garrison."""
        stands = tuple(up and column not in gone for column, up in enumerate(now.stands))
        for one, c in self.buried(now, "attackers", stands):
            for two, e in self.buried(one, "defenders", stands):
                then = replace(
                    two,
                    stands=stands,
                    fired=tuple(n if stands[sections(self.house)[s][0]] else 0 for s, n in enumerate(two.fired)),
                    damage=0,
                    unsafe=False,
                    unstable=False,
                    unsound=False,
                    burning=False,
                    end="" if any(stands) else "destroyed",
                )
                yield self.parted(then), c * e

    def buried(self, now: Now, side: str, stands: tuple[bool, ...]) -> Iterator[tuple[Now, Fraction]]:
        """What becomes of a side in columns that fall: who lives gets into a section beside that stands, or out, or is lost.

        Attackers get out first if they can; who carries wounds, and a leader, is the first to find a place, but who is
        tall the last of his section.
        """
        ours = side == "attackers"
        troops, carried_on = (self.us, now.our_hurt) if ours else (self.them, now.their_hurt)
        own = now.inside if ours else now.within
        falling = [s for s in inwards(self.house) if own[s] and not stands[sections(self.house)[s][0]]]
        his = self.leader_at(now, side)
        carrier = self.front(now)
        fates = [self.fate(now, side, own[s], s == carrier, s == his) for s in falling]
        tall_guns, tall_leader = self.tall_guns[side], self.tall_leader[side]
        name = "guns" if ours else "their_guns"
        guns, models = (self.guns(now), now.attackers) if ours else (now.their_guns, now.garrison)
        here = {s: (self.guns_at(now, side, s), own[s]) for s in falling}
        for fallen in product(*(fate.items() for fate in fates)):
            chance = Fraction(1)
            for _, c in fallen:
                chance *= c
            killed = [(s, dead) for s, ((dead, _, _), _) in zip(falling, fallen, strict=True)]
            for (left, there), c in self.guns_buried(side, (guns, models), here, killed):
                lives = {s: own[s] - dead for s, dead in killed}
                big = {s: there[s][0] if tall_guns else 0 for s in falling}
                for s, ((_, _, lived), _) in zip(falling, fallen, strict=True):
                    big[s] += tall_leader and s == his and lived
                after, nowhere = self.placed(now, side, stands, lives, big)
                leads, hurt = now.our_leader if ours else now.their_leader, carried_on
                for s, ((_, carried, lived), _) in zip(falling, fallen, strict=True):
                    found = not nowhere[s][1] if tall_leader else sum(nowhere[s]) < lives[s]
                    if s == his:
                        leads = lived and found
                        hurt = carried if leads else 0
                    elif troops.leader is None and s == carrier:
                        hurt = carried if found else 0
                if ours:
                    after = replace(after, our_hurt=hurt, our_leader=leads)
                else:
                    after = replace(after, their_hurt=hurt, their_leader=leads)
                if tall_guns:
                    yield replace(after, **{name: left[0] - sum(n for _, n in nowhere.values())}), chance * c
                    continue
                for ((last, _), _), e in self.guns_buried(side, left, there, [(s, sum(nowhere[s])) for s in falling]):
                    yield replace(after, **{name: getattr(now, name) - guns + last}), chance * c * e

    def placed(
        self, now: Now, side: str, stands: tuple[bool, ...], lives: dict[int, int], big: dict[int, int]
    ) -> tuple[Now, dict[int, tuple[int, int]]]:
        """Where those go who live through a collapse; and of each section who finds no place, not tall and tall.

        They are so many in each section that falls, some of whom may be tall.
        """
        ours = side == "attackers"
        foes, parts, width = (now.within if ours else now.inside), sections(self.house), self.ways(now)
        after, nowhere = now, {}
        for s in lives:
            after = self.fewer(after, side, s, self.at(now, side, s))
            after = self.more_tall(after, side, s, -self.tall_in(now, side)[s])
        for s in lives:
            column, level = parts[s]
            left, tall, out = lives[s] - big[s], big[s], 0
            if ours and width[s]:
                out, left, tall = left + tall, 0, 0
            for other in beside(self.house)[column]:
                if stands[other] and level <= high(self.house)[other]:
                    to = parts.index((other, level))
                    n = 0 if foes[to] else min(left, self.house.room - self.taken(after, side, to))
                    after, left = self.fewer(after, side, to, -n), left - n
                    if tall and self.may[side][to] and not foes[to]:
                        n = min(tall, (self.house.room - self.taken(after, side, to)) // self.places[side][to])
                        after, tall = self.more_tall(self.fewer(after, side, to, -n), side, to, n), tall - n
            if width[grounds(self.house)[column] if self.house.any_door else s]:
                out, left, tall = out + left + tall, 0, 0
            after = self.fewer(after, side, "outside" if ours else "out", -out)
            nowhere[s] = left, tall
        return after, nowhere

    def fate(self, now: Now, side: str, models: int, carries: bool, led: bool) -> dict[tuple[int, int, bool], Fraction]:
        """Of models in a section that falls, how many are killed, wounds that one still carries, whether a leader of them lives."""
        troops, hurt = (self.us, now.our_hurt) if side == "attackers" else (self.them, now.their_hurt)
        if led:
            return crushed_with_leader(models, hurt, troops, self.house.masonry_heals)
        carries = carries and troops.leader is None
        return {(*what, False): c for what, c in crushed(models, hurt if carries else 0, troops).items()}

    def guns_buried(
        self, side: str, whole: Kinds, here: dict[int, Kinds], dead: list[tuple[int, int]]
    ) -> Iterator[tuple[tuple[Kinds, dict[int, Kinds]], Fraction]]:
        """Who is left, of all and of those here, by section, as so many die in one section after the other."""
        if not dead:
            yield (whole, here), Fraction(1)
            return
        (s, n), *rest = dead
        for some, c in self.guns_lost(side, whole, here[s], n):
            left = {**here, s: (here[s][0] - some, here[s][1] - n)}
            for what, e in self.guns_buried(side, (whole[0] - some, whole[1] - n), left, rest):
                yield what, c * e

    def room(self, now: Now, side: str, section: int) -> int:
        """As how many those of a side in a section may count: fewer on the ground of the front as it gets worse."""
        most = self.house.room
        if section == self.front(now) and now.unsafe:
            most = min(most, self.house.unsafe_room)
        if section == self.front(now) and now.unstable:  # both sides weigh on it
            foes = self.taken(now, "defenders" if side == "attackers" else "attackers", section)
            most = min(most, max(0, self.house.crowd - foes))
        return most

    def steps(self, now: Now, side: str) -> tuple[Now, list[list[int]]]:
        """The steps of a side, by which a unit that hangs together is not torn; and who came into each section from where.

        They come from so many levels above, from below if it is less than none.
        """
        name = "inside" if side == "attackers" else "within"
        after, came = self.steps_but(now, side, 0)
        if self.hangs_together(getattr(now, name)) and not self.hangs_together(getattr(after, name)):
            after, came = self.steps_but(now, side, 1)
        return after, came

    def hangs_together(self, held: Counts) -> bool:
        """Whether the sections of a side are one chain."""
        return hang_together(self.house, held)

    def joins(self, held: Counts, section: int) -> bool:
        """Whether who gets into a section does not tear his side apart, which holds some, and is not torn yet."""
        more = tuple(n + (s == section) for s, n in enumerate(held))
        return self.hangs_together(more) or not self.hangs_together(held)

    def steps_but(self, now: Now, side: str, kept: int) -> tuple[Now, list[list[int]]]:
        """The steps of a side; if `kept`, one stays in each section it holds: who is not tall, if any such may step."""
        fought, came = self.fought(now), [[] for _ in self.nobody]
        tall = self.tall_in(now, side)
        own = now.inside if side == "attackers" else now.within
        others = [0 if s in fought else n - big for s, (n, big) in enumerate(zip(own, tall, strict=True))]
        talls = [0 if s in fought else big for s, big in enumerate(tall)]
        for s in self.everywhere if kept else ():
            if others[s]:
                others[s] -= 1
            elif talls[s]:
                talls[s] -= 1
        after = self.first_steps(now, side, others, talls, came)
        return self.walk(after, side, others, talls, self.goals(now, side), came), came

    @property
    def everywhere(self) -> range:
        """All sections by number."""
        return range(len(self.nobody))

    def free(self, now: Now, side: str, section: int, tall: bool = False) -> int:
        """How many more of a side find room in a section, who are tall or not."""
        left = max(0, self.room(now, side, section) - self.taken(now, side, section))
        return left if not tall else left // self.places[side][section] if self.may[side][section] else 0

    def go(
        self, now: Now, side: str, tall: bool, way: tuple[int, int], n: int, yet: list[int], came: list[list[int]]
    ) -> tuple[Now, int]:
        """At most so many of those who have not moved yet step from a section into another; and how many did."""
        parts, (s, to) = sections(self.house), way
        n = min(n, yet[s], self.free(now, side, to, tall)) if yet[s] else 0
        if not n:
            return now, 0
        yet[s] -= n
        came[to] += [parts[s][1] - parts[to][1]] * n
        after = self.fewer(self.fewer(now, side, s, n), side, to, -n)
        return self.more_tall(self.more_tall(after, side, s, -n), side, to, n) if tall else after, n

    def walk(
        self, now: Now, side: str, others: list[int], talls: list[int], goals: Counts, came: list[list[int]]
    ) -> Now:
        """A step nearer to the goals, those nearest to them first, of these who is not tall; who cannot get to one stays."""
        foes = now.within if side == "attackers" else now.inside
        if (not any(others) and not any(talls)) or not goals:
            return now
        after, up = now, [now.stands[column] for column, _ in sections(self.house)]
        to_go = {
            tall: [min((far[goal] for goal in goals if goal in far), default=-1) for far in walks(self.house, may)]
            for tall, may in ((False, (True,) * len(self.nobody)), (True, self.may[side]))
        }
        for d, tall in product(range(1, max(max(far) for far in to_go.values()) + 1), (False, True)):
            yet, far = talls if tall else others, to_go[tall]
            for s in self.everywhere:
                for to in neighbours(self.house)[s]:
                    if far[s] == d and far[to] == d - 1 and up[to] and (not foes[to] or to in goals):
                        after, _ = self.go(after, side, tall, (s, to), yet[s], yet, came)
        return after

    def first_steps(self, now: Now, side: str, others: list[int], talls: list[int], came: list[list[int]]) -> Now:
        """The steps of a garrison that makes room, or gives ground: of each section first those who are not tall."""
        parts, after = sections(self.house), now
        foes = now.within if side == "attackers" else now.inside
        if side == "defenders" and self.front(now) not in self.fought(now):
            for tall, yet in ((False, others), (True, talls)):
                after = self.make_room(after, side, tall, yet, came)
        if self.gives_ground(now, side):
            for s in sorted(self.everywhere, key=lambda s: -parts[s][1]):  # the highest make room first
                column, level = parts[s]
                if level < high(self.house)[column] and not foes[s + 1] and self.threatened(now, s):
                    for tall, yet in ((False, others), (True, talls)):
                        after, _ = self.go(after, side, tall, (s, s + 1), yet[s], yet, came)
        return after

    def make_room(self, now: Now, side: str, tall: bool, yet: list[int], came: list[list[int]]) -> Now:
        """Of these, tall or not, as many as it takes leave the ground of the front, if it is too full.

        Those of their kind who are beside make room for them, as many as it takes, by a step of their own.
        """
        near, foes = neighbours(self.house), now.within if side == "attackers" else now.inside
        after, up = now, [now.stands[column] for column, _ in sections(self.house)]
        ground = self.front(now)
        each = self.places[side][ground] if tall else 1
        for to in near[ground]:
            many = self.taken(after, side, ground) - self.room(after, side, ground)
            going = min(-(-many // each), yet[ground])
            if going > 0 and up[to] and not foes[to] and (self.may[side][to] or not tall):
                need = going - self.free(after, side, to, tall)
                for on in near[to]:
                    if need > 0 and on != ground and up[on] and not foes[on]:
                        after, gone = self.go(after, side, tall, (to, on), need, yet, came)
                        need -= gone
                after, _ = self.go(after, side, tall, (ground, to), going, yet, came)
        return after

    def leaves(self, now: Now) -> bool:
        """Whether the garrison means to come out now, and those inside make for the doors; not while attackers are inside."""
        reach = now.away <= 2 * self.them.move
        wants = (self.defence == "sally" and reach) or (self.house.drives_out and now.burning) or now.out
        return bool(self.follows() and wants and not any(now.inside))

    def follows(self) -> bool:
        """Whether the garrison comes out; else it holds, but for those put outside."""
        return self.defence == "sally" or self.house.drives_out

    def gives_ground(self, now: Now, side: str) -> bool:
        return side == "defenders" and self.house.deployment == "gives ground" and not self.leaves(now)

    def threatened(self, now: Now, section: int) -> bool:
        """Whether attackers could charge a section in their next turn."""
        too_low = not self.may["attackers"][section]
        tall = self.tall_in(now, "attackers")
        if any(now.inside[t] - too_low * tall[t] > 0 for t in neighbours(self.house)[section]):
            return True
        outside = now.outside - too_low * self.tall_at(now, "attackers", "outside")
        reach = outside > 0 and now.away <= 2 * self.us.move
        return bool(self.ways(now)[section] and reach and self.goes_in(now))

    def goals(self, now: Now, side: str) -> Counts:
        """The sections that a side makes for; nowhere if it stands."""
        if side == "attackers":  # who carries fire in stays where he came in
            return tuple(s for s, n in enumerate(now.within) if n) if self.plan != "smoke" else ()
        held = tuple(s for s, n in enumerate(now.inside) if n)
        posted = self.house.deployment
        if posted == "top":
            held = self.fought(now)
        if held and posted != "gives ground":
            return held
        if self.leaves(now):
            return tuple(s for s, width in enumerate(self.ways(now)) if width)
        if posted == "doors":
            return with_doors(self.house, now.stands)
        if posted == "top":
            standing = [(level, s) for s, (column, level) in enumerate(sections(self.house)) if now.stands[column]]
            return tuple(s for level, s in standing if level == max(standing)[0])
        return ()

    def charges(self, before: Now, after: Now, side: str, came: list[list[int]]) -> Now:
        """Who came into sections with enemies has charged; where nobody fought before, more from above than below is higher."""
        fought = self.fought(before)
        met = [s for s in self.fought(after) if came[s]]
        higher = [""] * len(came)
        for s in met:
            from_above = sum(level > 0 for level in came[s]) - sum(level < 0 for level in came[s])
            if from_above and s not in fought:
                foe = "defenders" if side == "attackers" else "attackers"
                higher[s] = side if from_above > 0 else foe
        charged = side if met and self.is_new(before) else after.charged
        return replace(after, charged=charged, above=tuple(higher) if any(higher) else ())

    def approach(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        after, came = self.steps(now, "attackers")
        if now.open:
            after = replace(after, moved=False)
        elif not self.goes_in(now):
            away = min(now.away, max(now.away - self.us.move, self.halt))
            after = replace(after, away=away, moved=away < now.away)
        elif now.away > 2 * self.us.move:
            after = replace(after, away=now.away - self.us.move, moved=True)
        elif now.out:  # nobody gets in past those who stand outside
            charges = now.outside and not any(now.inside)  # they do not fight inside and outside at once
            after = replace(after, away=0, open=bool(charges), charged="attackers" if charges else "")
        else:
            after = replace(self.gone_in(after, came), away=0, moved=now.away > 0)
        carry = self.us.flaming and (self.house.accidents or self.plan == "smoke")
        yield from self.accident(self.charges(now, after, "attackers", came), carry and bool(came[self.front(now)]))

    def gone_in(self, now: Now, came: list[list[int]]) -> Now:
        """Those outside go in, door by door, in their order; who finds no room or is too tall lets the next ones pass.

        Nobody goes in where he would tear the unit apart.
        """
        willing, after = max(0, self.hands(now) - sum(now.inside)), now
        for s, width in enumerate(self.ways(now)):
            joins = self.joins(after.inside, s)
            for tall in (True, False) if self.guns_first else (False, True):
                big = self.tall_at(after, "attackers", "outside")
                there = big if tall else after.outside - big
                going = min(willing, there, width, self.free(after, "attackers", s, tall)) if joins else 0
                after = self.fewer(self.fewer(after, "attackers", "outside", going), "attackers", s, -going)
                after = self.more_tall(after, "attackers", s, going) if tall else after
                willing, width = willing - going, width - going
                came[s] += [0] * going
        return after

    def is_new(self, now: Now) -> bool:
        """Who comes into a fight of his unit joins the same engagement, and does not charge."""
        return self.house.charges_again or not (now.open or self.fought(now))

    def shots_by_us(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Who fired is forgotten after it."""
        for then, c in self.shots(now):
            yield replace(then, moved=False, fired=self.nobody), c

    def shots(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Shots at those inside who fired last turn; the walls only if there is nobody to shoot at, or to hit there."""
        steady = 7 - self.us.BS + (1 if now.moved else 0)
        aim = steady + (1 if 2 * now.away > self.us.range else 0)
        n = now.outside if now.away <= self.us.range else 0
        guns, clear = self.guns_at(now, "attackers", "outside"), not any(now.inside)
        if now.open or self.fought(now):
            yield now, Fraction(1)
        elif now.out:
            for then, _, c in self.wounded(now, "defenders", "out", self.rifles(now, n, aim)):
                yield then, c
        elif clear and self.us.gunners and self.plan == "demolish":
            dent = chance_of_need(aim - 1) * wounds(self.us.gun_S, self.house.T)
            for points, c in counts(guns if n else 0, dent).items():
                for then, e in self.shots_inside(now, 0, now.outside - guns, steady):
                    yield replace(then, damage=min(12, now.damage + points)), c * e
        elif clear and self.plan == "smoke" and self.burns_walls:
            yield from self.at_walls(now, n, aim - 1)
        elif any(now.fired):
            yield from self.shots_inside(now, guns, now.outside - guns, steady)
        elif clear and self.plan in ("shoot", "smoke"):
            yield from self.at_walls(now, n, aim - 1)
        else:
            yield now, Fraction(1)

    def rifles(self, now: Now, n: int, need: int) -> Attacks:
        """Shots by so many of those outside, all or none."""
        guns = min(n, self.guns_at(now, "attackers", "outside"))
        return self.volley([guns, n - guns], need)

    def shared(self, models: list[int], fired: list[int]) -> list[list[int]]:
        """Models of several kinds, at each place as many in proportion as fired from there.

        Place after place: of those who still have no target, one after the other, each aims there as soon as the whole part
        that is due there is one more.
        """
        shares, left, whole = [], list(models), sum(fired)
        for there in fired:
            before, some = 0, []
            for n in left:
                some.append((before + n) * there // whole - before * there // whole if whole else 0)
                before += n
            shares.append(some)
            left, whole = [n - m for n, m in zip(left, some, strict=True)], whole - there
        return shares

    def shots_inside(self, now: Now, guns: int, others: int, need: int) -> Iterator[tuple[Now, Fraction]]:
        """Shots at those who showed themselves at the openings, upstairs or on the ground, then in each section.

        Upstairs is a tenth farther, and those who cannot shoot so far all shoot at the ground. Cover is hard, but soft
        in a ground section that is unsafe or unsound.
        """
        reach = self.us.range
        uphill = -(-9 * reach // 10)
        ground = [s for s, (_, level) in enumerate(sections(self.house)) if level == 1]
        higher = [s for s, (_, level) in enumerate(sections(self.house)) if level > 1]
        models = [guns, others]
        aloft, low = self.shared(models, [sum(now.fired[s] for s in floor) for floor in (higher, ground)])
        if now.away > uphill:
            aloft, low = [0, 0], models
        attacks: list[tuple[Place, Attacks, int | None]] = []
        for floor, some, most in ((ground, low, reach), (higher, aloft, uphill)):
            some = some if now.away <= most else [0, 0]
            for s, volley in zip(floor, self.shared(some, [now.fired[s] for s in floor]), strict=True):
                cover = 1 if s == self.front(now) and (now.unsafe or now.unsound) else 2
                shots = self.volley(volley, need + (1 if 2 * now.away > most else 0) + cover)
                attacks.append((s, shots, min(now.fired[s], now.within[s])))
        yield from ((then, c) for then, _, c in self.all_wounded(now, "defenders", attacks))

    def volley(self, models: list[int], need: int) -> Attacks:
        """Shots by so many with guns and so many others."""
        hits = chance_of_need(need)
        return (models[1], hits, self.us.missile_S, True), (models[0], hits, self.us.gun_S, True)

    def at_walls(self, now: Now, n: int, need: int) -> Iterator[tuple[Now, Fraction]]:
        """Shots at the walls; flames have one more Strength, and may set what does not burn yet alight."""

        def dents(S: int) -> Fraction:
            S += self.flames
            return chance_of_need(need) * wounds(S, self.house.T) if self.house.needs_S <= S else Fraction(0)

        guns = min(n, self.guns_at(now, "attackers", "outside"))
        for points, c in together((guns, dents(self.us.gun_S)), (n - guns, dents(self.us.missile_S))).items():
            scorched = points if self.flames and not now.burning else 0
            yield replace(now, damage=min(12, now.damage + points), scorched=scorched), c

    def catch_fire(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """By a die against the damage that flames did this turn."""
        if now.scorched == 0:
            yield now, Fraction(1)
            return
        for face in D6:
            yield replace(now, burning=now.burning or face <= now.scorched, scorched=0), Fraction(1, 6)

    def arson(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """A hand with a brand needs no roll; it lights the section that it is in."""
        at_walls = self.house.torches and self.house.burns_outside and now.away == 0 and now.outside and not now.open
        lit = self.plan == "smoke" and self.us.flaming and (now.inside[self.front(now)] or at_walls)
        yield replace(now, burning=now.burning or bool(lit)), Fraction(1)

    def come_out(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """By doors, as many as pass, the tall first; then they charge what they reach, now or a turn later, or walk."""
        reach = now.away <= 2 * self.them.move
        if (not now.out and not self.leaves(now)) or any(now.inside):
            yield now, Fraction(1)
            return
        after = now
        for s, width in enumerate(self.ways(now) if self.follows() else ()):
            going = min(now.within[s], width)
            after = self.more_tall(after, "defenders", s, -min(self.tall_in(now, "defenders")[s], width))
            after = replace(self.fewer(after, "defenders", s, going), out=after.out + going)
        out = after.out
        if not now.open and reach and (now.out if self.house.waits else out):
            after = replace(after, open=True, charged="defenders")
        elif not now.open and out and not reach:
            after = replace(after, away=now.away - self.them.move)
        yield replace(after, waited=now.waited or (out > 0 and not after.open)), Fraction(1)

    def step(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        after, came = self.steps(replace(now, fired=self.nobody), "defenders")
        carry = self.them.flaming and self.house.accidents
        yield from self.accident(self.charges(now, after, "defenders", came), carry and bool(came[self.front(now)]))

    def accident(self, after: Now, carried: bool) -> Iterator[tuple[Now, Fraction]]:
        """One die for all of a side who have carried flames into the ground section of the front: a 6 sets it alight."""
        if not carried or after.burning:
            yield after, Fraction(1)
            return
        for face in D6:
            yield replace(after, burning=face == 6), Fraction(1, 6)

    def shots_by_them(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        if self.fought(now) or now.open or not now.outside:
            yield now, Fraction(1)
            return
        shots, fired = [], []
        far = -(-11 * self.them.range // 10)
        for s, (_, level) in enumerate(sections(self.house)):
            reach, unsteady = (far if level > 1 else self.them.range), s == self.front(now) and now.unsound
            n = min(now.within[s], self.window(s)) if now.away <= reach else 0
            shots += self.shots_from(now, s, n, reach, unsteady)
            fired.append(n)
        n = now.out if now.away <= self.them.range else 0
        shots += self.shots_from(now, "out", n, self.them.range, True)  # those in the open have moved
        for then, _, c in self.wounded(now, "attackers", "outside", tuple(shots)):
            yield replace(then, fired=tuple(fired)), c

    def shots_from(self, now: Now, place: Place, n: int, reach: int, unsteady: bool) -> Attacks:
        """Shots by so many of the garrison who are somewhere, those with guns first at the windows and last to hit."""
        guns = min(n, self.guns_at(now, "defenders", place))
        hits = chance_of_need(7 - self.them.BS + (1 if 2 * now.away > reach else 0) + (1 if unsteady else 0))
        return (n - guns, hits, self.them.missile_S, True), (guns, hits, self.them.gun_S, True)

    def blows_at_walls(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Those at the walls strike them in both players' turns, and cannot miss."""
        at_walls = self.plan == "demolish" and now.away == 0 and not now.open and not any(now.inside)
        led = self.leader_at(now, "attackers") == "outside"
        blows = [(now.outside - led) * self.us.A, self.us.S], [self.us.leader.A, self.us.leader.S] if led else [0, 0]
        dents = ((n, wounds(S, self.house.T) if self.house.needs_S <= S else Fraction(0)) for n, S in blows)
        for points, c in together(*dents).items() if at_walls else [(0, Fraction(1))]:
            yield replace(now, damage=min(12, now.damage + points)), c

    def fight(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Blows, then those who carry fire and have lived through them, then who has won.

        In the open, those who are out are against the attackers outside, as in any battle: the front rank of each
        strikes, and a charge helps to hit and to win.
        """
        then = self.untouched if self.house.arson_first else self.arson
        fought = self.fought(now)
        if not fought and not now.open:
            yield from then(replace(now, winner="", charged="", above=()))
            return
        bonus = {side: (now.charged == side) + (now.winner == side) for side in ("attackers", "defenders")}
        our_need, their_need = HAND_TO_HAND[self.us.WS, self.them.WS], HAND_TO_HAND[self.them.WS, self.us.WS]
        fights: list[Fight] = []
        for s in fought:
            above = now.above[s] if now.above else ""
            ours = our_need - (now.winner == "attackers") - (above == "attackers")
            fights.append((s, s, ours, their_need - (now.winner == "defenders") - (above == "defenders")))
        if now.open:
            now = replace(now, fought_outside=True)
            fights.append(("outside", "out", our_need - bonus["attackers"], their_need - bonus["defenders"]))
        for after, caused, suffered, c in self.blows(now, fights):
            margin = bonus["attackers"] + caused - bonus["defenders"] - suffered
            if now.open:
                ranked = now if self.house.ranks_first else after
                margin += self.ranks(ranked.outside) - self.ranks(ranked.out)
                margin += self.standard(self.us, after.outside) - self.standard(self.them, after.out)
            for lit, _ in then(after):
                yield from ((end, c * e) for end, e in self.result(lit, margin, bool(fought)))

    def untouched(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        yield now, Fraction(1)

    def blows(self, now: Now, fights: list[Fight]) -> Iterator[tuple[Now, int, int, Fraction]]:
        """(what is left, wounds on the garrison, on the attackers, chance), the higher Initiative first, equals together.

        Wounds beyond those that are left do not count.
        """

        def on_them(left: Now) -> list[tuple[Place, Attacks, None]]:
            return [(theirs, self.strikes(left, "attackers", ours, need), None) for ours, theirs, need, _ in fights]

        def on_us(left: Now) -> list[tuple[Place, Attacks, None]]:
            return [(ours, self.strikes(left, "defenders", theirs, need), None) for ours, theirs, _, need in fights]

        if self.us.I < self.them.I:
            for then, suffered, c in self.all_wounded(now, "attackers", on_us(now)):
                for last, caused, e in self.all_wounded(then, "defenders", on_them(then)):
                    yield last, caused, suffered, c * e
            return
        for then, caused, c in self.all_wounded(now, "defenders", on_them(now)):
            back = on_us(then if self.us.I > self.them.I else now)
            for last, suffered, e in self.all_wounded(then, "attackers", back):
                yield last, caused, suffered, c * e

    def strikes(self, now: Now, side: str, place: Place, need: int) -> Attacks:
        """All blows of a side at a place: of the others, of those with guns, and of the leader last, as they fall."""
        troops = self.us if side == "attackers" else self.them
        led, guns, others = self.strikers(now, side, place)
        hits = chance_of_need(need)
        blows = [
            (others * troops.A, hits, troops.S, True),
            (guns * troops.A, hits, troops.hand_S or troops.S, True),
        ]
        if led:
            blows.append((troops.leader.A, hits, troops.leader.S, True))
        return tuple(blows)

    def strikers(self, now: Now, side: str, place: Place) -> tuple[bool, int, int]:
        """Who of a side at a place strikes: whether its leader does, how many with guns, and how many of the others.

        In the open it is the front rank, filled in this order; in a section, or in loose order, all do.
        """
        led, guns = self.leader_at(now, side) == place, self.guns_at(now, side, place)
        n = self.at(now, side, place)
        if isinstance(place, str) and not self.house.all_fight and not self.house.loose:
            n = min(n, self.house.frontage)
        guns = min(guns, n - led)
        return led, guns, n - led - guns

    def hacks(self, by: Troops, at: Troops, guns: int, others: int) -> dict[int, Fraction]:
        """Wounds of free hacks, which always hit."""
        return by.blows(guns, others, lambda S: wounds(S, at.T) * fails(at.Sv))

    def hacked(
        self,
        now: Now,
        by: str,
        strikers: str,
        guns: int,
        n: int,
        each: int,
        all_blows: bool,
        there: int,
        once_more: bool = False,
    ) -> Iterator[tuple[int, dict[str, Any], Fraction]]:
        """Free hacks, which always hit, on so many of the other side: how many die, what becomes of their leader.

        Armour saves against them, but shields do not count.
        They are made by so many victors, with guns and in all, whose leader may be there; `each` may make several, or
        `all_blows` that he has; `once_more` all his blows where he catches those who rout.
        """
        us, them = (self.us, self.them.unshielded) if by == "attackers" else (self.them, self.us.unshielded)
        place = self.leader_at(now, by)
        led = n > 0 and place is not None and strikers in ("all", place)
        others, sure = n - led - guns, Fraction(1)
        blows = each * (us.A if all_blows else 1) + us.A * once_more
        hacks = [(guns * blows, sure, us.hand_S or us.S, True), (others * blows, sure, us.S, True)]
        if led:
            own = each * (us.leader.A if all_blows else 1) + us.leader.A * once_more
            hacks.append((own, sure, us.leader.S, True))
        foe = "defenders" if by == "attackers" else "attackers"
        hurt = now.our_hurt if foe == "attackers" else now.their_hurt
        if us.leader is None and them.leader is None:
            for hit, c in self.hacks(us, them, guns * blows, others * blows).items():
                yield lost(there, hurt, hit, them.W)[0], {}, c
            return
        if them.leader is None:
            chances = ((k, wounds(S, them.T) * fails(them.Sv)) for k, _, S, _ in hacks)
            for hit, c in together(*chances).items():
                yield lost(there, hurt, hit, them.W)[0], {}, c
            return
        place = self.leader_at(now, foe)
        runs = place is not None and (strikers == "all" or place == ("outside" if foe == "attackers" else "out"))
        falls = one_by_one(
            there - runs,
            them,
            them.leader if runs else None,
            hurt if runs else 0,
            tuple(hacks),
            self.house.invulnerable,
        )
        names = ("our_leader", "our_hurt") if foe == "attackers" else ("their_leader", "their_hurt")
        for (men, wounds_lost), c in falls.items():
            gone = runs and wounds_lost >= them.leader.W
            fate = dict(zip(names, (False, 0) if gone else (True, wounds_lost), strict=True)) if runs else {}
            yield men + gone, fate, c

    def breaks(self, now: Now, side: str, place: str = "") -> Fraction:
        """How often 2D6 are above the best Leadership of a side, its leader's while he lives, or of those at a place."""
        troops, at = self.us if side == "attackers" else self.them, self.leader_at(now, side)
        led = at is not None and place in ("", at)
        best = max(troops.Ld, troops.leader.Ld) if led else troops.Ld
        return share([a + b > best for a, b in product(D6, D6)])

    def catches(self, now: Now, victors: str, place: str) -> Fraction:
        """How often victors in the open catch those who rout: they would rather hold back, and test for it."""
        us, them = (self.us, self.them) if victors == "attackers" else (self.them, self.us)
        if us.move < them.move:
            return Fraction(0)
        return Fraction(1) if self.house.pursues else self.breaks(now, victors, place)

    def result(self, after: Now, margin: int, fought_inside: bool) -> Iterator[tuple[Now, Fraction]]:
        """Who loses and has lost a quarter of the unit may rout; else, in the open, he is pushed back."""
        winner = "attackers" if margin > 0 else "defenders" if margin < 0 else ""
        goes_on = bool(after.open and after.outside and after.out)
        stays = goes_on or self.fought(after)
        away = self.pushed(after.away, winner) if goes_on else after.away
        calm = replace(after, winner=winner if stays else "", charged="", above=(), open=goes_on, away=away)
        loser, left = (self.us, after.attackers) if winner == "defenders" else (self.them, after.garrison)
        lost_a_quarter = Fraction(loser.number - left, loser.number) >= Fraction(1, 4)
        if not winner or not after.attackers or not after.garrison or not lost_a_quarter:
            yield calm, Fraction(1)
            return
        routs = self.breaks(after, "attackers" if winner == "defenders" else "defenders")
        yield calm, 1 - routs
        outside = after.open and not (fought_inside and any(after.inside))
        rout = self.rout_outside if outside else self.rout_inside
        yield from ((end, routs * c) for end, c in rout(replace(after, open=False, charged="", above=()), winner))

    def pushed(self, away: int, winner: str) -> int:
        """How far from the walls the attackers then are: losers are pushed back, never past the walls."""
        if winner == "defenders":
            return away + self.house.push_back
        return max(0, away - self.house.push_back) if winner == "attackers" else away

    def rout_inside(self, after: Now, winner: str) -> Iterator[tuple[Now, Fraction]]:
        """All victors hack once for each section that those farthest in have to cross, if any attackers are left inside.

        Who wants to pursue makes all his blows once more if he catches them outside; nobody has to.
        """
        victors, others = (self.us, self.them) if winner == "attackers" else (self.them, self.us)
        more = self.house.pursues and victors.move >= others.move
        far = way_out(self.house, after.stands)
        if winner == "defenders":
            n, guns = (after.garrison, after.their_guns) if any(after.inside) else (0, 0)
            cross = 1 + max((far[s] for s, there in enumerate(after.inside) if there), default=0)
            for dead, his, c in self.hacked(after, winner, "all", guns, n, cross, False, after.attackers, more):
                left = replace(after, outside=after.attackers - dead, inside=self.nobody, end="broken", **his)
                yield replace(left, tall=self.no_tall("attackers")), c
        else:
            n, guns = (after.attackers, self.guns(after)) if any(after.inside) else (0, 0)
            held = [s for s, there in enumerate(after.within) if there] or [self.front(after)]
            cross = 1 + max(far[s] for s in held)
            for dead, his, c in self.hacked(after, winner, "all", guns, n, cross, False, after.garrison, more):
                left = replace(after, out=after.garrison - dead, within=self.nobody, end="captured", **his)
                yield replace(left, tall_within=self.no_tall("defenders")), c

    def rout_outside(self, after: Now, winner: str) -> Iterator[tuple[Now, Fraction]]:
        """The front rank of the victors makes all its blows once more; who pursues and catches those who rout, twice."""
        place = "out" if winner == "defenders" else "outside"
        led, guns, others = self.strikers(after, winner, place)
        n = led + guns + others
        there, caught = (after.outside if winner == "defenders" else after.out), self.catches(after, winner, place)
        for times, e in ((1, 1 - caught), (2, caught)):
            for dead, his, c in self.hacked(after, winner, place, guns, n, times, True, there):
                if winner == "defenders":
                    yield replace(after, outside=after.outside - dead, end="broken", **his), e * c
                else:
                    left = replace(after, out=after.garrison - dead, within=self.nobody, end="captured", **his)
                    yield replace(left, tall_within=self.no_tall("defenders")), e * c

    def ranks(self, models: int) -> int:
        """1 for each complete rank beyond the first, 3 at most."""
        complete = len(range(self.house.frontage, models + 1, self.house.frontage))
        scores = self.house.frontage >= self.house.least and not self.house.loose
        return min(3, max(0, complete - 1)) if scores else 0

    def standard(self, troops: Troops, models: int) -> int:
        """1 for a standard while anybody can carry it."""
        return 1 if troops.standard and models and not self.house.loose else 0
