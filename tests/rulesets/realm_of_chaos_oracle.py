"""Brute force of a whole assault by the Realm of Chaos rules, written from their text: itertools and fractions alone.

Two units of models, some with guns and the others alike, one of which may carry wounds, at a building whose sections stand in a row, one or
more to a level, with one door on the ground, at one end of the row, or none. The garrison is at that end: on the ground,
then above it, then in the next columns, the top levels first. A building that nobody can get into is nobody's to capture.

What falls takes with it what stands on it, and from a 7 the column beside it with all its levels; a 9 or a 10 is as an 8,
for nothing but the garrison's section has been damaged, and the D6 that a 10 does to sections farther off is left out.
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

    @property
    def unshielded(self) -> "Troops":
        """They and their leader as free hacks find them: without shields, each worth one point of a save."""
        save = min(7, self.Sv + 1) if self.shield else self.Sv
        return replace(self, Sv=save, shield=False, leader=self.leader and self.leader.unshielded)

    def blows(self, guns: int, others: int, chance: Callable[[int], Fraction]) -> dict[int, Fraction]:
        """What so many blows come to, by the chance of each Strength."""
        return together((guns, chance(self.hand_S or self.S)), (others, chance(self.S)))


@dataclass(frozen=True)
class House:
    """A building, the numbers that a house rule may change, and what players have agreed on.

    `columns`: sections of a level; `rubble`: what stands beside a column that fell is open on that side, as wide as a barn
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
    least: int = 4
    ranks_first: bool = False
    """Ranks are counted before the blows, not after them."""
    loose: bool = False
    """Neither ranks nor standards score."""
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


@dataclass(frozen=True, eq=False)
class Now(Looked):
    """How things stand; `end` is empty while the assault goes on."""

    outside: int
    inside: int
    garrison: int
    upstairs: int
    away: int
    fired: int = 0
    fired_up: int = 0
    """Those elsewhere in the building who fired last turn; `fired` are those on the ground."""
    moved: bool = False
    damage: int = 0
    unsafe: bool = False
    unstable: bool = False
    unsound: bool = False
    winner: str = ""
    charged: str = ""
    above: bool = False
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
    columns: int = 1
    """Those that still stand; the garrison's is the first."""
    our_leader: str = ""
    """Where a leader is who is another than his men, if he lives; wounds that are carried are then his."""
    their_leader: str = ""

    @property
    def ground(self) -> int:
        return self.garrison - self.upstairs - self.out

    @property
    def attackers(self) -> int:
        return self.outside + self.inside


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
        for side in (us, them):
            if side.leader is not None:
                assert house.who == "owner"
                assert side.W == 1
                assert not side.gunners
                alike = ("WS", "BS", "I", "move", "missile_S", "range", "flaming")
                assert all(getattr(side, k) == getattr(side.leader, k) for k in alike)
        self.known: dict[tuple[Phase | int, Now], Spread] = {}

    def play(self, away: int, turns: int, first: str) -> dict[str, Fraction]:
        """Every end with its chance, and the mean losses."""
        return self.play_on(self.start(away), 2 * turns, first)

    def start(self, away: int) -> Now:
        upstairs = max(0, self.them.number - self.house.room)
        return replace(
            Now(self.us.number, 0, self.them.number, upstairs, away, columns=self.house.columns),
            guns=self.us.gunners,
            their_guns=self.them.gunners,
            our_leader="outside" if self.us.leader else "",
            their_leader=("ground" if upstairs < self.them.number else "upstairs") if self.them.leader else "",
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
            ends["cleared"] += chance * (now.end in ("captured", "destroyed") or now.garrison == now.out)
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
        for phase in (*moves, self.blows_at_walls, self.catch_fire, *fight, self.fight_outside, *last):
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
        return replace(now, end="captured") if now.garrison == 0 and self.way(now) else now

    def way(self, now: Now) -> int:
        """How many pass in or out: by the door, which falls with its section."""
        if now.columns == self.house.columns:
            return self.house.door
        return 12 if self.house.rubble else 0

    def window(self, now: Now, column: int) -> int:
        """How many can shoot from a section of a column: one for each full inch of its part of the wall."""
        parts = [0] * self.house.columns
        for inch in range(self.house.wall):
            if inch < 4 * len(parts):
                parts[inch // 4] += 1
        if self.house.evenly:
            parts = [min(4, self.house.wall // len(parts))] * len(parts)
        return parts[self.house.columns - now.columns + column]

    def places(self, now: Now) -> dict[tuple[int, int], int]:
        """The garrison by column and level, but for those who are outside."""
        tops = [(c, k) for c in range(now.columns) for k in range(self.house.levels, 0, -1)]
        above = [(0, k) for k in range(2, self.house.levels + 1)]
        left, found = now.upstairs, {(0, 1): now.ground}
        for place in (*above, *(top for top in tops if top[0] > 0)):
            found[place] = min(left, self.house.room)
            left -= found[place]
        return found

    @property
    def flames(self) -> bool:
        """Their flames burn the walls from outside, with one more Strength."""
        return self.us.flaming and self.house.burns_outside

    @property
    def burns_walls(self) -> bool:
        return self.flames and self.us.missile_S + 1 >= self.house.needs_S

    def goes_in(self, now: Now) -> bool:
        if now.damage >= 6:
            return False
        if self.plan == "storm":
            return True
        if self.plan == "demolish" and not self.us.gunners:  # nobody stays out who can do nothing to the walls
            return self.house.needs_S > self.us.S
        if self.us.gunners:  # as many as have no gun go in; all do, once the guns are lost
            return self.plan == "demolish" and self.hands(now) > 0 and self.way(now) > 0
        outside_will_do = self.burns_walls or (self.house.torches and self.house.burns_outside)
        goes = self.plan == "smoke" and self.us.flaming and not outside_will_do and not now.burning
        return goes and self.way(now) > 0

    def hands(self, now: Now) -> int:
        """How many attackers would go in: all; under plan demolish those without a gun, who fall first, or as many.

        One is enough to set fire, which needs no roll.
        """
        if self.plan == "smoke":
            return min(1, now.attackers)
        guns = self.guns(now) if self.plan == "demolish" else 0
        return now.attackers - guns

    def guns(self, now: Now) -> int:
        """How many of the attackers left have guns."""
        if self.house.who != "owner":
            return now.guns
        full = kinds(self.us.gunners, self.us.number)
        ((left, _),) = left_after(self.house.who, full, full, full, self.us.number - now.attackers)
        return left.count("gun")

    @property
    def guns_first(self) -> bool:
        """Guns are the first through a door, but those that bring walls down the last, unless players choose."""
        return self.plan != "demolish" if self.first_in is None else self.first_in == "leader"

    def guns_at(self, now: Now, place: str) -> int:
        """How many guns are there; who goes in first makes up those inside as far as there are any such."""
        guns, theirs = self.guns(now), now.their_guns
        within = min(guns, now.inside) if self.guns_first else max(0, guns - now.outside)
        out = min(theirs, now.out)
        ground = min(theirs - out, now.ground)
        above = theirs - out - ground
        return {"inside": within, "outside": guns - within, "out": out, "ground": ground, "upstairs": above}[place]

    def our_guns_lost(self, left: Kinds, able: Kinds, dead: int) -> Iterator[tuple[int, Fraction]]:
        """How many guns attackers lose, once so many of those have fallen who could; where the owner gives up, others step in."""
        if self.house.who == "owner":
            yield 0, Fraction(1)
            return
        full = kinds(self.us.gunners, self.us.number)
        for (_, some), c in left_after(self.house.who, full, kinds(*left), kinds(*able), dead).items():
            yield able[0] - some.count("gun"), c

    def their_guns_lost(self, left: Kinds, able: Kinds, dead: int) -> Iterator[tuple[int, Fraction]]:
        """How many guns the garrison loses, once so many of those have fallen who could, with guns and without."""
        full = kinds(self.them.gunners, self.them.number)
        for (_, some), c in left_after(self.house.who, full, kinds(*left), kinds(*able), dead).items():
            yield able[0] - some.count("gun"), c

    def we_lose(self, now: Now, place: str, wounds: int) -> Iterator[tuple[Now, Fraction]]:
        """Wounds on the attackers inside or outside."""
        there = getattr(now, place)
        dead, hurt = lost(there, now.our_hurt, wounds, self.us.W)
        after = replace(now, our_hurt=hurt, **{place: there - dead})
        able = self.guns_at(now, place), there
        for guns, c in self.our_guns_lost((self.guns(now), now.attackers), able, dead):
            yield replace(after, guns=now.guns - guns), c

    def they_lose(self, now: Now, place: str, wounds: int, able: int | None = None) -> Iterator[tuple[Now, Fraction]]:
        """Wounds on the garrison on the ground, upstairs or out of doors, or on so many there, who have guns first."""
        there = getattr(now, place) if able is None else able
        dead, hurt = lost(there, now.their_hurt, wounds, self.them.W)
        after = replace(now, their_hurt=hurt, garrison=now.garrison - dead, out=now.out - dead * (place == "out"))
        after = replace(after, upstairs=now.upstairs - dead * (place == "upstairs"))
        able = min(self.guns_at(now, place), there), there
        for guns, c in self.their_guns_lost((now.their_guns, now.garrison), able, dead):
            yield replace(after, their_guns=now.their_guns - guns), c

    def wounded(
        self, now: Now, side: str, place: str, attacks: Attacks, able: int | None = None
    ) -> Iterator[tuple[Now, int, Fraction]]:
        """Attacks on those of a side at a place, or on so many of them: what is left, wounds caused, chance."""
        troops, hurt = (self.us, now.our_hurt) if side == "attackers" else (self.them, now.their_hurt)
        there = getattr(now, place) if able is None else able
        if troops.leader is not None:
            led = self.leader_at(now, side) == place and there > 0
            if led and side == "attackers" and self.house.steps_in and now.attackers > there:
                falls = one_by_one(there, troops, None, 0, attacks, self.house.invulnerable)
                for then, caused, c in self.with_leader(now, side, place, falls, False):
                    gone = getattr(then, place) == 0
                    yield replace(then, our_leader="outside" if gone and place == "inside" else place), caused, c
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
        most = max(0, getattr(now, place) * troops.W - hurt)
        chances = (hit * wounds(S, troops.T) * (fails(troops.Sv) if armour else 1) for _, hit, S, armour in attacks)
        for caused, c in together(*((n, p) for (n, *_), p in zip(attacks, chances, strict=True))).items():
            lose = self.we_lose(now, place, caused) if side == "attackers" else self.they_lose(now, place, caused, able)
            yield from ((then, min(caused, most), c * e) for then, e in lose)

    def leader_at(self, now: Now, side: str) -> str:
        return now.our_leader if side == "attackers" else now.their_leader

    def with_leader(
        self, now: Now, side: str, place: str, falls: Falls, led: bool
    ) -> Iterator[tuple[Now, int, Fraction]]:
        """What becomes of a side that has a leader, who may be among those that were hit."""
        attacking = side == "attackers"
        troops, hurt = (self.us, now.our_hurt) if attacking else (self.them, now.their_hurt)
        for (men, lost), c in falls.items():
            gone = led and lost >= troops.leader.W
            dead, caused = men + gone, men + (lost - hurt if led else 0)
            his = {"our_hurt" if attacking else "their_hurt": 0 if gone else lost} if led else {}
            if gone:
                his["our_leader" if attacking else "their_leader"] = ""
            if attacking:
                yield replace(now, **{place: getattr(now, place) - dead}, **his), caused, c
            else:
                left = {"garrison": now.garrison - dead, "out": now.out - dead * (place == "out")}
                left["upstairs"] = now.upstairs - dead * (place == "upstairs")
                yield replace(now, **left, **his), caused, c

    def burnt(self, now: Now, side: str, place: str, n: int) -> Iterator[tuple[Now, Fraction]]:
        """A hit of Strength 3 on each of those in a fire, against which no armour saves."""
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
        yield from self.burnt(now, "attackers", "inside", now.inside if self.house.scorches and now.burning else 0)

    def scorch_them(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        yield from self.burnt(now, "defenders", "ground", now.ground if self.house.scorches and now.burning else 0)

    def parted(self, now: Now) -> Now:
        """Forget who won the last round where one side of the fight is gone: who comes next charges afresh."""
        return now if now.open or (now.inside and now.ground) else replace(now, winner="")

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
        for face in D6:
            result = face + now.damage - 6
            crowded = result in (2, 3) and now.ground + now.inside > self.house.crowd
            overloaded = result == 3 and self.house.levels - 1 > 1
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
            gone = 2 if result >= 7 and now.columns > 1 else 1
            yield from (
                (then, c * Fraction(1, 6)) for then, c in self.fallen(replace(now, damage=0, burning=False), gone)
            )

    def fallen(self, now: Now, gone: int) -> Iterable[tuple[Now, Fraction]]:
        """What comes of a collapse, equal outcomes added up; it is remembered, for no damage matters any more."""
        if (gone, now) not in self.known:
            self.known[gone, now] = added_up(self.collapse(now, gone))
        return self.known[gone, now].items()

    def collapse(self, now: Now, gone: int) -> Iterator[tuple[Now, Fraction]]:
        """So many columns fall; who lives gets into a section beside that stands, as far as there is room, or out."""
        places = self.places(now)
        falling = [place for place in places if place[0] < gone and places[place]]
        his = self.leaders_place(now, places)
        fates = [self.fate(now, "defenders", places[p], p == (0, 1), p == his) for p in falling]
        ours = self.fate(now, "attackers", now.inside, True, now.our_leader == "inside")
        for (mine, e), *theirs in product(ours.items(), *(fate.items() for fate in fates)):
            after, out, chance, hurt = dict(places), now.out, e, now.their_hurt
            killed = {place: dead for place, ((dead, *_), _) in zip(falling, theirs, strict=True)}
            leader = now.their_leader if his is None else "ground" if his == (gone, 1) else "upstairs"
            for (column, level), ((dead, carried, lived), c) in zip(falling, theirs, strict=True):
                lives = after.pop((column, level)) - dead
                beside = (column + 1, level)
                room = self.house.room - places[beside] if gone <= column + 1 < now.columns else 0
                inside = min(lives, room)
                if inside:
                    after[beside] += inside
                gets_out = column == 0 and self.way(now) and (level == 1 or self.house.any_door)
                if gets_out:
                    out += lives - inside
                chance *= c
                if (column, level) == his:  # he is the first to find a place
                    below = "ground" if beside == (gone, 1) else "upstairs"
                    leader = "" if not lived else below if inside else "out" if gets_out else ""
                    hurt = carried if leader else 0
                elif not self.them.leader:
                    hurt = carried if (column, level) == (0, 1) else hurt
            held = {place: n for place, n in after.items() if place[0] >= gone}
            then = replace(
                now,
                outside=now.attackers - mine[0],
                inside=0,
                our_hurt=mine[1],
                garrison=sum(held.values()) + out,
                upstairs=sum(n for place, n in held.items() if place != (gone, 1)),
                out=out,
                their_hurt=hurt,
                columns=now.columns - gone,
                damage=0,
                unsafe=False,
                unstable=False,
                unsound=False,
                burning=False,
                winner=now.winner if now.open else "",
                end="" if gone < now.columns else "destroyed",
                our_leader="outside" if mine[2] or now.our_leader == "outside" else "",
                their_leader=leader,
            )
            inside = self.guns_at(now, "inside"), now.inside
            our_guns = self.our_guns_lost((self.guns(now), now.attackers), inside, mine[0])
            theirs_lost = self.buried(now, places, killed, now.garrison - then.garrison)
            for (few, c), (many, f) in product(our_guns, theirs_lost):
                yield replace(then, guns=now.guns - few, their_guns=now.their_guns - many), chance * c * f

    def leaders_place(self, now: Now, places: dict[tuple[int, int], int]) -> tuple[int, int] | None:
        """The column and level of the garrison's leader, if he lives and is in the building."""
        if now.their_leader == "ground":
            return 0, 1
        if now.their_leader == "upstairs":
            return next(place for place, n in places.items() if n and place != (0, 1))
        return None

    def fate(self, now: Now, side: str, models: int, carries: bool, led: bool) -> dict[tuple[int, int, bool], Fraction]:
        """Of models in a section that falls, how many are killed, wounds that one still carries, whether a leader of them lives."""
        troops, hurt = (self.us, now.our_hurt) if side == "attackers" else (self.them, now.their_hurt)
        if led:
            return crushed_with_leader(models, hurt, troops, self.house.masonry_heals)
        if troops.leader is None:
            return {(*what, False): c for what, c in crushed(models, hurt if carries else 0, troops).items()}
        return {(dead, hurt, False): c for (dead, _), c in crushed(models, 0, troops).items()}

    def buried(
        self, now: Now, places: dict[tuple[int, int], int], killed: dict[tuple[int, int], int], gone: int
    ) -> Iterator[tuple[int, Fraction]]:
        """How many guns are lost: of the killed on the ground, of those elsewhere, and of those who find no room."""
        below, ground = killed.get((0, 1), 0), self.guns_at(now, "ground")
        higher = [place for place in killed if place != (0, 1)]
        there, dead = sum(places[place] for place in higher), sum(killed[place] for place in higher)
        upstairs = min(there, now.their_guns - self.guns_at(now, "out") - ground)
        guns, garrison = now.their_guns, now.garrison
        for one, c in self.their_guns_lost((guns, garrison), (ground, now.ground), below):
            for two, e in self.their_guns_lost((guns - one, garrison - below), (upstairs, there), dead):
                left, lost = garrison - below - dead, one + two
                alive = ground + upstairs - lost, now.ground + there - below - dead
                for three, f in self.their_guns_lost((guns - lost, left), alive, gone - below - dead):
                    yield lost + three, c * e * f

    def approach(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        if now.open:
            yield replace(now, moved=False), Fraction(1)
        elif not self.goes_in(now):
            away = min(now.away, max(now.away - self.us.move, self.halt))
            yield replace(now, away=away, moved=away < now.away), Fraction(1)
        elif now.away > 2 * self.us.move:
            yield replace(now, away=now.away - self.us.move, moved=True), Fraction(1)
        elif now.out:  # nobody gets in past those who stand outside
            yield replace(now, away=0, open=True, charged="attackers"), Fraction(1)
        else:
            willing = max(0, self.hands(now) - now.inside)
            going = min(willing, self.way(now), self.house.room - now.inside)
            charged = "attackers" if going and now.ground and self.is_new(now) else ""
            inn = replace(now, away=0, outside=now.outside - going, inside=now.inside + going, charged=charged)
            inn = replace(inn, moved=now.away > 0)
            if now.our_leader == "outside" and going and (self.guns_first or going == now.outside):
                inn = replace(inn, our_leader="inside")
            carry = self.us.flaming and (self.house.accidents or self.plan == "smoke")
            if not (going and carry and not now.burning):
                yield inn, Fraction(1)
                return
            for face in D6:
                yield replace(inn, burning=face == 6), Fraction(1, 6)

    def is_new(self, now: Now) -> bool:
        """Who comes into a section in which his unit fights already joins the same engagement, and does not charge."""
        return self.house.charges_again or not (now.inside and now.ground)

    def shots_by_us(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Shots at those inside who fired last turn; the walls only if there is nobody to shoot at."""
        steady = 7 - self.us.BS + (1 if now.moved else 0)
        aim = steady + (1 if 2 * now.away > self.us.range else 0)
        n = now.outside if now.away <= self.us.range else 0
        now = replace(now, moved=False)
        if now.open:
            yield now, Fraction(1)
        elif now.inside:
            yield replace(now, fired=0, fired_up=0), Fraction(1)
        elif now.out:
            for then, _, c in self.wounded(now, "defenders", "out", self.rifles(now, n, aim)):
                yield then, c
        elif self.us.gunners and self.plan == "demolish":
            guns = self.guns_at(now, "outside")
            dent = chance_of_need(aim - 1) * wounds(self.us.gun_S, self.house.T)
            for points, c in counts(guns if n else 0, dent).items():
                for then, e in self.shots_inside(now, 0, now.outside - guns, steady):
                    yield replace(then, damage=min(12, now.damage + points)), c * e
        elif self.plan == "smoke" and self.burns_walls:
            yield from self.at_walls(replace(now, fired=0, fired_up=0), n, aim - 1)
        elif now.fired or now.fired_up:
            guns = self.guns_at(now, "outside")
            yield from self.shots_inside(now, guns, now.outside - guns, steady)
        elif self.plan in ("shoot", "smoke"):
            yield from self.at_walls(now, n, aim - 1)
        else:
            yield now, Fraction(1)

    def rifles(self, now: Now, n: int, need: int) -> Attacks:
        """Shots by so many of those outside, all or none."""
        guns = min(n, self.guns_at(now, "outside"))
        return self.volley([guns, n - guns], need)

    def shots_inside(self, now: Now, guns: int, others: int, need: int) -> Iterator[tuple[Now, Fraction]]:
        """Shots at those who showed themselves at the openings, on each floor as many in proportion as fired from there.

        Each in turn, those with guns first, aims upstairs as soon as the whole part that is due there is one more.

        Upstairs is a tenth farther, and those who cannot shoot so far all shoot at the ground. Cover is hard, but soft
        in a ground section that is unsafe or unsound.
        """
        reach = self.us.range
        uphill = -(-9 * reach // 10) if self.house.levels > 1 else reach
        cover = 1 if now.unsafe or now.unsound else 2
        fired = now.fired + now.fired_up
        able = guns + others if fired and now.away <= uphill else 0
        goes = [(k + 1) * now.fired_up // fired > k * now.fired_up // fired for k in range(able)]
        up = [sum(goes[:guns]), sum(goes[guns:])]
        low = [n - above if now.away <= reach else 0 for n, above in zip((guns, others), up, strict=True)]
        at_ground = self.volley(low, need + (1 if 2 * now.away > reach else 0) + cover)
        higher = self.volley(up, need + (1 if 2 * now.away > uphill else 0) + 2)
        for then, _, c in self.wounded(now, "defenders", "ground", at_ground, min(now.fired, now.ground)):
            for last, _, e in self.wounded(then, "defenders", "upstairs", higher, min(now.fired_up, now.upstairs)):
                yield replace(last, fired=0, fired_up=0), c * e

    def volley(self, models: list[int], need: int) -> Attacks:
        """Shots by so many with guns and so many others."""
        hits = chance_of_need(need)
        return (models[0], hits, self.us.gun_S, True), (models[1], hits, self.us.missile_S, True)

    def at_walls(self, now: Now, n: int, need: int) -> Iterator[tuple[Now, Fraction]]:
        """Shots at the walls; flames have one more Strength, and may set what does not burn yet alight."""
        S = self.us.missile_S + self.flames
        p = chance_of_need(need) * wounds(S, self.house.T) if self.house.needs_S <= S else Fraction(0)
        for points, c in counts(n, p).items():
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
        """A hand with a brand needs no roll."""
        at_walls = self.house.torches and self.house.burns_outside and now.away == 0 and now.outside and not now.open
        lit = self.plan == "smoke" and self.us.flaming and (now.inside or at_walls)
        yield replace(now, burning=now.burning or bool(lit)), Fraction(1)

    def come_out(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """By the door, as many as pass; then they charge what they reach, at once or a turn later, or walk nearer."""
        reach = now.away <= 2 * self.them.move
        wants = (self.defence == "sally" and reach) or (self.house.drives_out and now.burning)
        follow = wants or self.defence == "sally" or self.house.drives_out  # else they hold, but for those put outside
        if now.inside or not (now.out or wants):
            yield now, Fraction(1)
            return
        out = now.out + (min(now.ground, self.way(now)) if follow else 0)
        after = replace(now, out=out)
        if now.their_leader == "ground" and out > now.out:
            after = replace(after, their_leader="out")
        if not now.open and reach and (now.out if self.house.waits else out):
            after = replace(after, open=True, charged="defenders")
        elif not now.open and out and not reach:
            after = replace(after, away=now.away - self.them.move)
        yield replace(after, waited=now.waited or (out > 0 and not after.open)), Fraction(1)

    def step(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        room = min(self.house.room, self.house.unsafe_room if now.unsafe else self.house.room)
        if now.unstable:
            room = min(room, max(0, self.house.crowd - now.inside))  # both sides weigh on it
        if now.inside:
            down = min(now.upstairs, max(0, room - now.ground))
            charged = "defenders" if down and self.is_new(now) else ""
            above = bool(down) and now.ground == 0 and self.house.levels > 1
            leader = "ground" if now.their_leader == "upstairs" and down else now.their_leader
            after = replace(now, upstairs=now.upstairs - down, charged=charged, above=above, fired=0, fired_up=0)
            yield from self.accident(replace(after, their_leader=leader), down)
        else:
            elsewhere = (now.columns * self.house.levels - 1) * self.house.room
            upstairs = min(elsewhere, max(0, now.garrison - now.out - room))
            leader = now.their_leader
            if leader in ("ground", "upstairs"):
                leader = "ground" if now.garrison - now.out > upstairs else "upstairs"
            after = replace(now, upstairs=upstairs, fired=0, fired_up=0, their_leader=leader)
            yield from self.accident(after, now.upstairs - upstairs)

    def accident(self, after: Now, down: int) -> Iterator[tuple[Now, Fraction]]:
        """One die for all of the garrison who have stepped down: a 6 sets the ground section alight, if they carry flames."""
        if down <= 0 or after.burning or not (self.them.flaming and self.house.accidents):
            yield after, Fraction(1)
            return
        for face in D6:
            yield replace(after, burning=face == 6), Fraction(1, 6)

    def shots_by_them(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        if now.inside or now.open:
            yield now, Fraction(1)
            return
        kinds, fired = [], []
        far = -(-11 * self.them.range // 10) if self.house.levels > 1 else self.them.range
        out, ground = self.guns_at(now, "out"), self.guns_at(now, "ground")
        above, near = now.their_guns - out - ground, self.them.range
        at_walls = sum(min(n, self.window(now, place[0])) for place, n in self.places(now).items() if place != (0, 1))
        shooters = (
            (min(now.ground, self.window(now, 0)), ground, near, now.unsound),
            (at_walls, above, far, False),
            (now.out, out, near, True),  # those in the open have moved
        )
        for n, guns, reach, unsteady in shooters:
            need = 7 - self.them.BS + (1 if 2 * now.away > reach else 0) + (1 if unsteady else 0)
            firing = n if now.away <= reach else 0
            for many, S in ((min(firing, guns), self.them.gun_S), (max(0, firing - guns), self.them.missile_S)):
                kinds.append((many, chance_of_need(need), S, True))
            fired.append(firing)
        for then, _, c in self.wounded(now, "attackers", "outside", tuple(kinds)):
            yield replace(then, fired=fired[0], fired_up=fired[1]), c

    def blows_at_walls(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Those at the walls strike them in both players' turns, and cannot miss."""
        at_walls = self.plan == "demolish" and now.away == 0 and not now.open
        led = now.our_leader == "outside"
        blows = [(now.outside - led) * self.us.A, self.us.S], [self.us.leader.A, self.us.leader.S] if led else [0, 0]
        dents = ((n, wounds(S, self.house.T) if self.house.needs_S <= S else Fraction(0)) for n, S in blows)
        for points, c in together(*dents).items() if at_walls else [(0, Fraction(1))]:
            yield replace(now, damage=min(12, now.damage + points)), c

    def fight(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """Blows, then those who carry fire and have lived through them, then who has won."""
        then = self.untouched if self.house.arson_first else self.arson
        if now.open:
            yield now, Fraction(1)
            return
        if not (now.inside and now.ground):
            yield from then(replace(now, winner="", charged="", above=False))
            return
        we_score = (now.charged == "attackers") + (now.winner == "attackers")
        they_score = (now.charged == "defenders") + (now.winner == "defenders")
        our_need = HAND_TO_HAND[self.us.WS, self.them.WS] - (now.winner == "attackers")
        their_need = HAND_TO_HAND[self.them.WS, self.us.WS] - (now.winner == "defenders") - now.above
        for after, caused, suffered, c in self.blows(now, "inside", "ground", our_need, their_need):
            margin = we_score + caused - they_score - suffered
            for lit, _ in then(after):
                yield from ((end, c * e) for end, e in self.result(lit, margin))

    def untouched(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        yield now, Fraction(1)

    def blows(
        self, now: Now, ours: str, theirs: str, our_need: int, their_need: int
    ) -> Iterator[tuple[Now, int, int, Fraction]]:
        """(what is left, wounds on the garrison, on the attackers, chance), the higher Initiative first, equals together.

        Wounds beyond those that are left do not count.
        """
        if self.us.I < self.them.I:
            first = self.strikes(now, "defenders", theirs, their_need)
            for then, suffered, c in self.wounded(now, "attackers", ours, first):
                back = self.strikes(then, "attackers", ours, our_need)
                for last, caused, e in self.wounded(then, "defenders", theirs, back):
                    yield last, caused, suffered, c * e
            return
        for then, caused, c in self.wounded(now, "defenders", theirs, self.strikes(now, "attackers", ours, our_need)):
            back = self.strikes(then if self.us.I > self.them.I else now, "defenders", theirs, their_need)
            for last, suffered, e in self.wounded(then, "attackers", ours, back):
                yield last, caused, suffered, c * e

    def strikes(self, now: Now, side: str, place: str, need: int) -> Attacks:
        """All blows of a side at a place: of those with guns, of the others, and of the leader last."""
        troops = self.us if side == "attackers" else self.them
        led = troops.leader is not None and self.leader_at(now, side) == place
        guns, n = self.guns_at(now, place), getattr(now, place) - led
        hits = chance_of_need(need)
        blows = [
            (guns * troops.A, hits, troops.hand_S or troops.S, True),
            ((n - guns) * troops.A, hits, troops.S, True),
        ]
        if led:
            blows.append((troops.leader.A, hits, troops.leader.S, True))
        return tuple(blows)

    def hacks(self, by: Troops, at: Troops, guns: int, others: int) -> dict[int, Fraction]:
        """Wounds of free hacks, which always hit."""
        return by.blows(guns, others, lambda S: wounds(S, at.T) * fails(at.Sv))

    def hacked(
        self, now: Now, by: str, strikers: str, guns: int, n: int, each: int, all_blows: bool, there: int
    ) -> Iterator[tuple[int, dict[str, Any], Fraction]]:
        """Free hacks, which always hit, on so many of the other side: how many die, what becomes of their leader.

        Armour saves against them, but shields do not count.
        They are made by so many victors, with guns and in all, whose leader may be there; `each` may make several, or
        `all_blows` that he has.
        """
        us, them = (self.us, self.them.unshielded) if by == "attackers" else (self.them, self.us.unshielded)
        led = us.leader is not None and n > 0 and (strikers == "all" or self.leader_at(now, by) == strikers)
        led = led and self.leader_at(now, by) != ""
        others, sure = n - led - guns, Fraction(1)
        blows = each * (us.A if all_blows else 1)
        hacks = [(guns * blows, sure, us.hand_S or us.S, True), (others * blows, sure, us.S, True)]
        if led:
            hacks.append((each * (us.leader.A if all_blows else 1), sure, us.leader.S, True))
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
        runs = bool(place) and (strikers == "all" or place == ("outside" if foe == "attackers" else "out"))
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
            fate = dict(zip(names, ("", 0) if gone else (place, wounds_lost), strict=True)) if runs else {}
            yield men + gone, fate, c

    def breaks(self, now: Now, side: str, place: str = "") -> Fraction:
        """How often 2D6 are above the best Leadership of a side, its leader's while he lives, or of those at a place."""
        troops, at = self.us if side == "attackers" else self.them, self.leader_at(now, side)
        led = troops.leader is not None and at != "" and place in ("", at)
        best = max(troops.Ld, troops.leader.Ld) if led else troops.Ld
        return share([a + b > best for a, b in product(D6, D6)])

    def catches(self, now: Now, victors: str, place: str) -> Fraction:
        """How often victors in the open catch those who rout: they would rather hold back, and test for it."""
        us, them = (self.us, self.them) if victors == "attackers" else (self.them, self.us)
        if us.move < them.move:
            return Fraction(0)
        return Fraction(1) if self.house.pursues else self.breaks(now, victors, place)

    def result(self, after: Now, margin: int) -> Iterator[tuple[Now, Fraction]]:
        winner = "attackers" if margin > 0 else "defenders" if margin < 0 else ""
        goes_on = after.inside and after.ground
        calm = replace(after, winner=winner if goes_on else "", charged="", above=False)
        loser, left = (self.us, after.attackers) if winner == "defenders" else (self.them, after.garrison)
        lost_a_quarter = Fraction(loser.number - left, loser.number) >= Fraction(1, 4)
        if not winner or not after.attackers or not after.garrison or not lost_a_quarter:
            yield calm, Fraction(1)
            return
        routs = self.breaks(after, "attackers" if winner == "defenders" else "defenders")
        yield calm, 1 - routs
        if winner == "defenders":  # out of the ground section: one section to cross, if any are left in it
            n, guns = (after.garrison, after.their_guns) if after.inside else (0, 0)
            for dead, his, c in self.hacked(after, "defenders", "all", guns, n, 1, False, after.attackers):
                yield replace(calm, outside=after.attackers - dead, inside=0, end="broken", **his), routs * c
        else:
            sections = max(
                column + level for (column, level), n in self.places(after).items() if n or column + level == 1
            )
            n, guns = (after.attackers, self.guns(after)) if after.inside else (0, 0)
            for dead, his, c in self.hacked(after, "attackers", "all", guns, n, sections, False, after.garrison):
                left = after.garrison - dead
                yield replace(calm, garrison=left, upstairs=0, end="captured", **his), routs * c

    def fight_outside(self, now: Now) -> Iterator[tuple[Now, Fraction]]:
        """All who are out against all attackers, as in any battle: a charge helps to hit and to win."""
        if not now.open:
            yield now, Fraction(1)
            return
        now = replace(now, fought_outside=True)
        bonus = {s: (now.charged == s) + (now.winner == s) for s in ("attackers", "defenders")}
        our_need = HAND_TO_HAND[self.us.WS, self.them.WS] - bonus["attackers"]
        their_need = HAND_TO_HAND[self.them.WS, self.us.WS] - bonus["defenders"]
        edge = bonus["attackers"] - bonus["defenders"]
        for after, caused, suffered, c in self.blows(now, "outside", "out", our_need, their_need):
            ranked = now if self.house.ranks_first else after
            drawn_up = self.ranks(ranked.outside) - self.ranks(ranked.out)
            drawn_up += self.standard(self.us, after.outside) - self.standard(self.them, after.out)
            yield from ((then, c * e) for then, e in self.open_result(after, edge + drawn_up + caused - suffered))

    def ranks(self, models: int) -> int:
        """1 for each complete rank beyond the first, 3 at most."""
        complete = len(range(self.house.frontage, models + 1, self.house.frontage))
        scores = self.house.frontage >= self.house.least and not self.house.loose
        return min(3, max(0, complete - 1)) if scores else 0

    def standard(self, troops: Troops, models: int) -> int:
        """1 for a standard while anybody can carry it."""
        return 1 if troops.standard and models and not self.house.loose else 0

    def open_result(self, after: Now, margin: int) -> Iterator[tuple[Now, Fraction]]:
        """Who loses and has lost a quarter of the unit may rout; each victor then makes all blows once more.

        Victors who pursue and catch those who rout make them twice.
        """
        winner = "attackers" if margin > 0 else "defenders" if margin < 0 else ""
        goes_on = bool(after.outside and after.out)
        calm = replace(after, winner=winner if goes_on else "", charged="", open=goes_on)
        loser, left = (self.us, after.attackers) if winner == "defenders" else (self.them, after.garrison)
        if not winner or not after.attackers or not after.garrison or 4 * (loser.number - left) < loser.number:
            yield calm, Fraction(1)
            return
        routs = self.breaks(after, "attackers" if winner == "defenders" else "defenders")
        yield calm, 1 - routs
        gone = replace(calm, open=False, winner="")
        place = "out" if winner == "defenders" else "outside"
        n, guns, caught = getattr(after, place), self.guns_at(after, place), self.catches(after, winner, place)
        there = after.outside if winner == "defenders" else after.out
        for times, e in ((1, routs * (1 - caught)), (2, routs * caught)):
            for dead, his, c in self.hacked(after, winner, place, guns, n, times, True, there):
                if winner == "defenders":
                    yield replace(gone, outside=after.outside - dead, end="broken", **his), e * c
                else:
                    left = after.garrison - dead
                    yield replace(gone, garrison=left, out=0, upstairs=0, end="captured", **his), e * c
