"""Brute force of whole assaults by the storming rules, written from their text: itertools and fractions alone.

Squads of one-wound models at a defensible building with one door, or more: pistols (12 inches, S4 AP5) and grenades or none
outside, rifles (24 inches, rapid fire, S3) inside, or anything where nobody fires out. Either side may go first, and each has a plan.
"""

import operator
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import product
from math import ceil

from quicktions import Fraction

from tests.oracle import added, counts, left_after, share
from tests.rulesets.judging import TALLY

D6 = range(1, 7)


@dataclass(frozen=True)
class Troops:
    WS: int
    BS: int
    S: int
    T: int
    A: int
    Ld: int
    Sv: int
    I: int = 3
    arms: tuple[str, ...] = ("pistol",)

    def attacks(self, charging: bool) -> int:
        """How often one strikes: once more for a charge, and once more with a weapon in either hand."""
        either = sum(arm in ("pistol", "sword") for arm in self.arms) == 2
        return self.A + (1 if charging else 0) + (1 if either else 0)


def unsaved(hit_on: int, wound_on: int, save_on: int) -> Fraction:
    """The chance of one attack, by going through all faces of its three dice."""
    faces = product(D6, D6, D6)
    return share([h >= hit_on and w >= wound_on and (s < save_on or s == 1) for h, w, s in faces])


@cache
def support_hits(n: int, p: Fraction) -> dict[int, Fraction]:
    """Casualties of n grenades or templates: each D6, halved and rounded up, is its number of hits."""
    ways: dict[int, Fraction] = defaultdict(Fraction)
    for dice in product(D6, repeat=n):
        for dead, chance in counts(sum(ceil(d / 2) for d in dice), p).items():
            ways[dead] += chance / 6**n
    return ways


def holds(Ld: int) -> Fraction:
    return share([a + b <= Ld or a + b == 2 for a, b in product(D6, D6)])


def hit_need(striker: int, target: int) -> int:
    return 3 if striker > target else 5 if target > 2 * striker else 4


def wound_need(S: int, T: int) -> int:
    chart = {-1: 3, 0: 4, 1: 5, 2: 6, 3: 6}
    return 2 if T - S < -1 else chart.get(T - S, 7)


def support(theirs: Troops, S: int, grenades: bool, flamers: int = 0, cover: int = 5) -> dict[int, Fraction]:
    """Casualties of so many in support: S4 AP5 of those with flamers, without cover; a grenade of each other, if any."""
    burnt = share([w >= wound_need(4, theirs.T) and (theirs.Sv >= 5 or s < theirs.Sv or s == 1) for w, s in product(D6, D6)])  # fmt: skip
    blown = share([w >= wound_need(3, theirs.T) and (s < min(theirs.Sv, cover) or s == 1) for w, s in product(D6, D6)])
    thrown = S - flamers if grenades else 0
    return added(support_hits(flamers, burnt), support_hits(thrown, blown))


def storming(
    ours: Troops, theirs: Troops, a: int, d: int, grenades: bool, fireteam_first: bool, send: int = 5, cover: int = 5
):
    """One storming: yields (attackers left, defenders left, who breaks, chance)."""
    F = min(send, a)
    S = a - F
    for burnt, c in support(theirs, S, grenades, cover=cover).items():
        inside = max(0, d - burnt)
        if inside == 0:
            yield a, 0, None, c
            continue
        for left_F, left_S, left_d, loser, chance in exchange(ours, theirs, F, S, inside, True, fireteam_first):
            yield left_F + left_S, left_d, loser, c * chance


def exchange(
    ours: Troops, theirs: Troops, F: int, S: int, d: int, charging: bool, fireteam_first=False, together=False
):
    """One exchange and its morale check: yields (Fireteam, support, defenders, who breaks, chance)."""
    for *left, margin, chance in blows(ours, theirs, F, S, d, charging, fireteam_first, together):
        if left[0] + left[1] == 0 or left[2] == 0 or margin == 0:
            yield *left, None, chance
        else:
            stand = holds((ours if margin < 0 else theirs).Ld - abs(margin))
            yield *left, None, chance * stand
            yield *left, "attackers" if margin < 0 else "defenders", chance * (1 - stand)


def blows(ours: Troops, theirs: Troops, F: int, S: int, d: int, charging: bool, fireteam_first=False, together=False):
    """Blows, the defenders' first or all together: yields (Fireteam, support, defenders, the attackers' lead, chance)."""
    hit, wound = hit_need(theirs.WS, ours.WS), wound_need(theirs.S, ours.T)
    p_wound = share([h >= hit and w >= wound for h, w in product(D6, D6)])
    p_fails = share([s < ours.Sv or s == 1 for s in D6])
    p_back = unsaved(hit_need(ours.WS, theirs.WS), wound_need(ours.S, theirs.T), theirs.Sv)
    for wounds, c1 in counts(d * theirs.attacks(False), p_wound).items():
        for (dead_F, dead_S), c2 in losses(wounds, F, S, p_fails, fireteam_first).items():
            strikers = F if together else F - dead_F
            for slain, c3 in counts(strikers * ours.attacks(charging), p_back).items():
                killed = min(slain, d)
                yield F - dead_F, S - dead_S, d - killed, killed - dead_F - dead_S, c1 * c2 * c3


def one_storming(ours: Troops, theirs: Troops, F: int, S: int, d: int, *, grenades=False, flamers=0, together=False):
    """One storming of one exchange: the chance of each result, and of so many lost on a side."""
    ways: dict[str | tuple[str, int], Fraction] = defaultdict(Fraction)
    for burnt, c in support(theirs, S, grenades, flamers).items():
        nobody_fights = [(F, S, 0, 0, Fraction(1))]
        fight = blows(ours, theirs, F, S, d - burnt, True, together=together) if burnt < d else nobody_fights
        for left_F, left_S, inside, margin, p in fight:
            outside, chance = left_F + left_S, c * p
            ways["attackers", F + S - outside] += chance
            ways["defenders", d - inside] += chance
            if outside == 0 or inside == 0:  # who is wiped out has lost, and nobody tests
                ways["defenders win" if outside == 0 else "attackers win"] += chance
                ways["building cleared"] += chance * (inside == 0)
            elif margin == 0:
                ways["draw"] += chance
            else:
                runs = 1 - holds((ours if margin < 0 else theirs).Ld - abs(margin))
                ways["attackers win" if margin > 0 else "defenders win"] += chance
                ways["building cleared" if margin > 0 else "attackers fall back"] += chance * runs
    return ways


def cleared(ours: Troops, theirs: Troops, F: int, d: int, *, second_round: bool = False, together: bool = False):
    """The chance that a Fireteam clears a building in one storming, of one exchange or two, whatever becomes of it."""
    chance = Fraction(0)
    for left, _, inside, loser, c in exchange(ours, theirs, F, 0, d, True, together=together):
        if inside == 0 or loser == "defenders":
            chance += c
        elif second_round and left and loser is None:
            again = exchange(ours, theirs, left, 0, inside, False, together=together)
            chance += c * sum(p for _, _, still, who, p in again if still == 0 or who == "defenders")
    return chance


def taken(
    ours: Troops, theirs: Troops, a: int, d: int, stormings: int, *, second_round: bool, grenades=False, flamers=0
) -> Fraction:
    """The chance to take a building within so many stormings by five and the rest in support.

    Those with flamers go in last and fall last, inside and outside.
    """
    if stormings == 0:
        return Fraction(0)
    chance = Fraction(0)
    undecided: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    F = min(5, a)
    flames_in = max(0, F - (a - flamers))
    for burnt, c in support(theirs, a - F, grenades, flamers - flames_in).items():
        if burnt >= d:
            chance += c
            continue
        for left_F, S, inside, loser, c1 in exchange(ours, theirs, F, a - F, d - burnt, True):
            tired = [(left_F, S, inside, loser, Fraction(1))]
            if second_round and loser is None and left_F and inside:  # with no Fireteam left nobody is there to fight
                tired = list(exchange(ours, theirs, left_F, S, inside, False))
            for F2, S2, still, who, c2 in tired:
                if F2 + S2 == 0 or who == "attackers":
                    continue
                if still == 0 or who == "defenders":
                    chance += c * c1 * c2
                else:
                    flames = min(flames_in, F2) + min(flamers - flames_in, S2)
                    undecided[F2 + S2, still, flames] += c * c1 * c2
    how = {"second_round": second_round, "grenades": grenades}
    return chance + sum(
        c * taken(ours, theirs, a, d, stormings - 1, flamers=n, **how) for (a, d, n), c in undecided.items()
    )


def in_the_open(
    ours: Troops,
    theirs: Troops,
    a: int,
    d: int,
    charged: bool,
    charging: bool = False,
    last: bool = False,
    running: bool = False,
):
    """One round outside: yields (attackers left, defenders left, who breaks, chance).

    The garrison may have charged, or the attackers may be charging, and strike last; or they are running, and fail
    their test.
    """
    I = 1 if last else ours.I
    p_ours = unsaved(hit_need(ours.WS, theirs.WS), wound_need(ours.S, theirs.T), theirs.Sv)
    p_theirs = unsaved(hit_need(theirs.WS, ours.WS), wound_need(theirs.S, ours.T), ours.Sv)

    def strikes(alive_a: int, alive_d: int):
        """Both sides' dead, in the order of Initiative."""
        if I > theirs.I:
            for slain, c1 in counts(alive_a * ours.attacks(charging), p_ours).items():
                left = max(0, alive_d - slain)
                for lost, c2 in counts(left * theirs.attacks(charged), p_theirs).items():
                    yield lost, slain, c1 * c2
        elif I < theirs.I:
            for lost, c1 in counts(alive_d * theirs.attacks(charged), p_theirs).items():
                left = max(0, alive_a - lost)
                for slain, c2 in counts(left * ours.attacks(charging), p_ours).items():
                    yield lost, slain, c1 * c2
        else:
            for lost, c1 in counts(alive_d * theirs.attacks(charged), p_theirs).items():
                for slain, c2 in counts(alive_a * ours.attacks(charging), p_ours).items():
                    yield lost, slain, c1 * c2

    for lost, slain, chance in strikes(a, d):
        lost, slain = min(lost, a), min(slain, d)
        left_a, left_d = a - lost, d - slain
        if left_a == 0 or left_d == 0 or lost == slain:
            yield left_a, left_d, None, chance
            continue
        loser, winner = (ours, theirs) if lost > slain else (theirs, ours)
        stand = holds(loser.Ld - abs(lost - slain)) if lost < slain or not running else Fraction(0)
        yield left_a, left_d, None, chance * stand
        caught = share([w + winner.I >= r + loser.I for w, r in product(D6, D6)])
        runs, who = chance * (1 - stand), "attackers" if lost > slain else "defenders"
        yield left_a, left_d, who, runs * (1 - caught)
        yield (0, left_d, who, runs * caught) if lost > slain else (left_a, 0, who, runs * caught)


@cache
def losses(wounds: int, F: int, S: int, p: Fraction, fireteam_first: bool) -> dict[tuple[int, int], Fraction]:
    """Who dies of the defenders' wounds, model by model."""
    ways: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for failed in product((0, 1), repeat=wounds):
        chance = Fraction(1)
        for f in failed:
            chance *= p if f else 1 - p
        if fireteam_first:
            dead = min(sum(failed), F + S)
            ways[min(dead, F), max(0, dead - F)] += chance
        else:
            bearers = (["F"] * F + ["S"] * S) * (wounds + 1)
            dead_F = min(F, sum(f for f, b in zip(failed, bearers, strict=False) if b == "F"))
            dead_S = min(S, sum(f for f, b in zip(failed, bearers, strict=False) if b == "S"))
            ways[dead_F, dead_S] += chance
    return ways


@dataclass(frozen=True)
class Game:
    """A whole assault; `armour` is the Armour Value if it is known, else it is 8 + D3.

    `send` go in by each door, five at most; of jump infantry two at most.

    `under_fire`: "steady", or who has lost a quarter in one turn of shooting must "test", and who runs may regroup.
    `edge`: inches from the attackers' start to their own table edge; they are gone if "reached", or once "passed".
    `mounted`: machine guns on the building, that are crewed before any firing point; a stronghold is 10 + D3.
    `jump`: the attackers are jump infantry; `jump_from_storming`: how many dice these run after a storming.
    """

    ours: Troops
    theirs: Troops
    attackers: int
    defenders: int
    points: int
    distance: int
    turns: int
    plan: str = "storm"
    defence: str = "hold"
    first: str = "attackers"
    grenades: bool = False
    armour: int | None = None
    fireteam_first: bool = False
    sweeping: bool = False
    ruins: bool = False
    second_round: bool = False
    doors: int = 1
    send: int = 5
    under_fire: str = "steady"
    edge: int = 12
    reaching_the_edge: str = "reached"
    jump: bool = False
    jump_from_storming: int = 2
    mounted: int = 0
    stronghold: bool = False

    @property
    def go_in(self) -> int:
        return self.doors * min(2 if self.jump else 5, self.send)


@dataclass(frozen=True)
class At:
    """How it stands: models, inches between, Armour Value; the garrison silenced for a turn, come out; how it ended.

    Of the attackers so many may be inside, where a second round is to come. `clear` is said of one player turn alone:
    the attackers have drawn off from a storming that broke nobody; whether they are falling back.
    """

    a: int
    d: int
    away: int
    av: int
    silent: bool = False
    out: bool = False
    inside: int = 0
    clear: bool = False
    end: str = ""
    falling: bool = False
    mounted: int = 0


Ways = Iterator[tuple[At, Fraction]]


def whole_assault(game: Game) -> dict[str, Fraction]:
    """The chance of each end, the mean losses, and means of what is told besides."""
    return play_on(game, start(game), 2 * game.turns)


def start(game: Game) -> dict[At, Fraction]:
    live: dict[At, Fraction] = defaultdict(Fraction)
    for die in D6:
        av = game.armour or (10 if game.stronghold else 8) + ceil(die / 2)
        live[At(game.attackers, game.defenders, game.distance, av, mounted=game.mounted)] += Fraction(1, 6)
    return live


def play_on(game: Game, live: dict[At, Fraction], left: int) -> dict[str, Fraction]:
    """What it comes to from some states, when so many player turns are left."""
    telling = TOLD if game.under_fire == "steady" else ()
    ends: dict[str, Fraction] = defaultdict(Fraction, {TALLY + name: Fraction(0) for name in telling})
    turns = [attackers_turn, garrisons_turn] if game.first == "attackers" else [garrisons_turn, attackers_turn]
    for play in (turns * left)[-left:]:
        after: dict[At, Fraction] = defaultdict(Fraction)
        for at, chance in live.items():
            for then, c in [(at, Fraction(1))] if at.end else play(game, at):
                for name, mean in [] if at.end or not telling else told(game, then):
                    ends[TALLY + name] += chance * c * mean
                after[replace(then, clear=False)] += chance * c
        live = after
    for at, chance in live.items():
        ends[at.end or ("broken" if at.falling else "held")] += chance
        ends["came out"] += chance * at.out
        ends["attackers lost"] += chance * (game.attackers - at.a)
        ends["defenders lost"] += chance * (game.defenders - at.d)
    return ends


TOLD = (
    "inches the attackers fell back",
    "inches the garrison fell back",
    "inches the attackers may consolidate",
    "garrison pinned",
)


def told(game: Game, then: At) -> Iterator[tuple[str, Fraction]]:
    """Inches of those who fall back (2D6, if any are left) and of attackers who consolidate (D6); who is pinned outside.

    Who takes a building by storm occupies it. Nobody moves after shots.
    """
    two_dice, one_die = Fraction(sum(map(sum, product(D6, D6))), 36), Fraction(sum(D6), 6)
    pinned = share([a + b > game.theirs.Ld for a, b in product(D6, D6)])
    means = (
        two_dice * (then.end == "broken" and then.a > 0),
        two_dice * (then.end == "captured" and then.d > 0),
        one_die * (then.clear or (then.end == "captured" and then.out)),
        pinned * (then.end == "destroyed" and then.d > 0),
    )
    yield from zip(TOLD, means, strict=True)


# Under fire, falling back and regrouping (BASE-035, BASE-037, BASE-061, BASE-062).


@cache
def inches(dice: int) -> dict[int, Fraction]:
    """How far one falls back."""
    return added(*[{face: Fraction(1, 6) for face in D6}] * dice)


def must_test(before: int, left: int) -> bool:
    """Whether a quarter or more has been lost by shots, and somebody is left to test."""
    return 0 < left < before and 4 * (before - left) >= before


def may_regroup(begun: int, left: int, away: int) -> bool:
    return 2 * left >= begun and away > 6


def fall_back(game, at, dice: int):
    """Towards their own edge, from wherever they are; who is over it, or at it, has broken."""
    line = game.distance + game.edge
    for run, c in inches(dice).items():
        away = at.away + run
        gone = away > line or (away == line and game.reaching_the_edge == "reached")
        yield replace(at, away=away, falling=True, end="broken" if gone else ""), c


def routed(game, at, after_storming: bool = False):
    """Who has failed a test has broken, where nobody regroups; else he falls back, after a storming from the walls."""
    if game.under_fire == "steady":
        yield replace(at, end="broken"), Fraction(1)
        return
    where = replace(at, away=0) if after_storming else at
    yield from fall_back(game, where, dice_of(game, after_storming))


def dice_of(game, after_storming: bool = False) -> int:
    return (game.jump_from_storming if after_storming else 3) if game.jump else 2


def shot_at(game: Game, before: int, at: At) -> Ways:
    """What the garrison's shots leave of the attackers, who may have to test; who is falling back does not."""
    if at.a == 0:
        yield replace(at, end="broken"), Fraction(1)
    elif game.under_fire == "steady" or at.falling or not must_test(before, at.a):
        yield at, Fraction(1)
    else:
        stand = holds(game.ours.Ld)
        yield at, stand
        for then, c in routed(game, at):
            yield then, (1 - stand) * c


def shot_in_ruins(game: Game, before: int, at: At) -> Ways:
    """What shots leave of a garrison in ruins; it leaves them if it must test, and fails."""
    if at.d == 0:
        yield replace(at, end="captured"), Fraction(1)
    elif game.under_fire == "steady" or not must_test(before, at.d):
        yield at, Fraction(1)
    else:
        stand = holds(game.theirs.Ld)
        yield at, stand
        yield replace(at, end="captured"), 1 - stand


def rally(game: Game, at: At) -> Ways:
    """A turn of those who fall back: they regroup and come up to three inches nearer, or run on; they may shoot."""
    stand = holds(game.ours.Ld) if may_regroup(game.attackers, at.a, at.away) else Fraction(0)
    ways = [(closer(game, replace(at, falling=False), 3), stand)] if stand else []
    ways += [(then, (1 - stand) * c) for then, c in fall_back(game, at, dice_of(game))]
    for then, c in ways:
        for last, e in [(then, Fraction(1))] if then.end else shots(game, then, moved=True):
            yield last, c * e


def shots(game: Game, at: At, moved: bool) -> Ways:
    """Shots at a garrison in ruins, or at the walls if that is what they are about."""
    if game.ruins:
        yield from shots_at_men(game, at, moved)
    elif besieging(game, at):
        yield from shots_at_walls(game, at, moved).items()
    else:
        yield at, Fraction(1)


def gun(game: Game) -> str:
    return game.ours.arms[0] if game.ours.arms[0] in ATTACKERS_GUNS else "pistol"


ATTACKERS_GUNS = {"pistol": (12, 4, 5), "rifle": (24, 3, 7), "machine-gun": (36, 5, 4)}
"""Range, Strength and AP (7 is none)."""


def times(game: Game, away: int, moved: bool) -> int:
    """How often one attacker shoots: a pistol once, a rifle once or (up to 12 inches) twice, a machine gun three times.

    Who has moved fires no machine gun.
    """
    name = gun(game)
    if away > ATTACKERS_GUNS[name][0]:
        return 0
    if name == "rifle":
        return 2 if away <= 12 else 1
    return 1 if name == "pistol" else 0 if moved else 3


def besieging(game: Game, at: At) -> bool:
    return game.plan == "shoot" or (game.plan == "demolish" and any(fells(game, at)))


def closer(game: Game, at: At, most: int) -> At:
    """So many inches nearer, or as far as their plan takes them."""
    reach = ATTACKERS_GUNS[gun(game)][0]
    stay = 0
    if game.ruins:
        stay = reach if game.plan == "shoot" else 0
    elif besieging(game, at):
        shot, blow = fells(game, at)
        stay = 0 if blow else reach if shot else at.away
    return replace(at, away=min(at.away, max(stay, at.away - most)))


def fells(game: Game, at: At) -> tuple[bool, bool]:
    """Whether a shot, or a blow, can open the walls: it must penetrate, for no glance does enough without AP1."""
    return at.av < ATTACKERS_GUNS[gun(game)][1] + 6, game.plan != "shoot" and at.av < game.ours.S + 6


def attackers_turn(game: Game, at: At) -> Ways:
    if at.out:
        yield from outside(game, at, charged=False)
    elif at.falling:
        yield from rally(game, at)
    elif game.ruins:
        yield from into_ruins(game, at)
    elif besieging(game, at):
        yield from siege(game, at)
    else:
        yield from approach(game, at)


def approach(game: Game, at: At) -> Ways:
    """Six inches nearer, and in if six more reach the door; one alone goes in while the others throw, under smoke."""
    near = max(0, at.away - 6)
    if near > 6:
        yield replace(at, away=near), Fraction(1)
        return
    if game.second_round:
        yield from fight_inside(game, at, min(game.go_in, at.a), charging=True)
        return
    caught = share([w + game.theirs.I >= r + game.ours.I for w, r in product(D6, D6)]) * game.sweeping
    follow = share([w + game.ours.I >= r + game.theirs.I for w, r in product(D6, D6)]) * game.sweeping
    send = 1 if game.plan == "smoke" and game.grenades else game.go_in
    cover = 4 if game.stronghold else 5
    for a, d, loser, c in storming(game.ours, game.theirs, at.a, at.d, game.grenades, game.fireteam_first, send, cover):
        then = replace(at, a=a, d=d, away=2)
        if a == 0:
            yield replace(then, end="broken"), c
        elif loser == "attackers":
            for last, e in routed(game, then, after_storming=True):
                yield last, c * (1 - caught) * e
            yield replace(then, a=0, end="broken"), c * caught
        elif d == 0:
            yield replace(then, end="captured"), c
        elif loser == "defenders":
            yield replace(then, end="captured"), c * (1 - follow)
            yield replace(then, d=0, end="captured"), c * follow
        else:
            yield replace(then, clear=True), c


def fight_inside(game: Game, at: At, F: int, charging: bool) -> Ways:
    """One exchange, without grenades; in the charge's own round those inside stay for another if nobody breaks."""
    for left, S, d, loser, c in exchange(game.ours, game.theirs, F, at.a - F, at.d, charging):
        a = left + S
        won, lost = d == 0 or loser == "defenders", a == 0 or loser == "attackers"
        stay = left if charging and not (won or lost) else 0
        end = "broken" if lost else "captured" if won else ""
        clear = not (stay or end)
        if a and lost:
            for last, e in routed(game, replace(at, a=a, d=d, away=2, inside=0), after_storming=True):
                yield last, c * e
            continue
        yield replace(at, a=a, d=d, away=0 if stay else 2, inside=stay, clear=clear, end=end), c


def siege(game: Game, at: At) -> Ways:
    """Shots with every weapon in range, blows if they reach and open the walls; one attack after the other."""
    _, blow = fells(game, at)
    assert gun(game) == "pistol" or not blow
    then = closer(game, at, 6)
    ways = shots_at_walls(game, then, moved=then.away < at.away)
    at = then
    if blow and at.away <= 6:
        ways = {replace(w, away=0): chance for w, chance in ways.items()}
        for _ in range(at.a * game.ours.attacks(True)):
            ways = attack(game, ways, Fraction(1), game.ours.S, 1)
    yield from ways.items()


def shots_at_walls(game: Game, at: At, moved: bool) -> dict[At, Fraction]:
    _, S, ap = ATTACKERS_GUNS[gun(game)]
    ways: dict[At, Fraction] = {at: Fraction(1)}
    for _ in range(at.a * times(game, at.away, moved)):
        hits = share([face >= 7 - game.ours.BS and face > 1 for face in D6])
        ways = attack(game, ways, hits, S, 1 if ap == 7 else 0)
    return ways


def attack(game: Game, ways: dict[At, Fraction], hits: Fraction, S: int, worse: int) -> dict[At, Fraction]:
    """One attack: hit, penetrate, damage.

    1 and 2 silence the garrison, 3 takes a weapon off the building, 5 wrecks, 6 explodes (a S4 hit on each).
    """
    t = game.theirs
    burnt = share([w >= wound_need(4, t.T) and (s < t.Sv or s == 1) for w, s in product(D6, D6)])
    after: dict[At, Fraction] = defaultdict(Fraction)
    for at, chance in ways.items():
        if at.end:
            after[at] += chance
            continue
        after[at] += chance * (1 - hits)
        for face, roll in product(D6, D6):
            part = chance * hits / 36
            total = min(6, max(1, roll - worse - (2 if S + face == at.av else 0)))
            if S + face >= at.av and total == 3 and at.mounted:
                after[replace(at, mounted=at.mounted - 1)] += part
            elif S + face < at.av or total in (3, 4):
                after[at] += part
            elif total <= 2:
                after[replace(at, silent=True)] += part
            elif total == 5:
                after[replace(at, end="destroyed")] += part
            else:
                for dead, c in counts(at.d, burnt).items():
                    after[replace(at, d=at.d - dead, end="destroyed")] += part * c
    return after


def garrisons_turn(game: Game, at: At) -> Ways:
    """Out and into them from 2 inches beside the door with a move and a charge of 6 each; else fire.

    Who is in a fight does not shoot.
    """
    if at.inside:
        yield from fight_inside(game, at, at.inside, charging=False)
        return
    if at.out or (game.defence == "sally" and at.away <= (0 if game.ruins else 2) + 6 + 6):
        away = 0 if game.under_fire == "steady" else at.away
        yield from outside(game, replace(at, out=True, away=away), charged=not at.out)
        return
    rifles = at.d if game.ruins else min(game.points, at.d)
    crew = 0 if game.ruins else min(at.mounted, at.d - rifles)
    fired = 0 if at.silent or at.away > 24 else rifles * (2 if at.away <= 12 else 1)
    burst = 0 if at.silent or at.away > 36 else 3 * crew
    p = unsaved(7 - game.theirs.BS, wound_need(3, game.ours.T), game.ours.Sv)
    p_burst = unsaved(7 - game.theirs.BS, wound_need(5, game.ours.T), game.ours.Sv if game.ours.Sv < 4 else 7)
    for hit, c in added(counts(fired, p), counts(burst, p_burst)).items():
        for then, e in shot_at(game, at.a, replace(at, a=max(0, at.a - hit), silent=False)):
            yield then, c * e


def into_ruins(game: Game, at: At) -> Ways:
    """Six inches nearer, or into pistol range to stay off; shots at men with a 4+ cover save, or a charge."""
    then = closer(game, at, 6)
    if game.plan != "shoot" and then.away <= 6:
        yield from outside(game, replace(at, out=True, away=0), charged=False, charging=True, last=not game.grenades)
        return
    yield from shots_at_men(game, then, moved=then.away < at.away)


def shots_at_men(game: Game, at: At, moved: bool) -> Ways:
    """Shots at a garrison in ruins, which has a cover save of 4+."""
    p = unsaved(7 - game.ours.BS, wound_need(ATTACKERS_GUNS[gun(game)][1], game.theirs.T), min(game.theirs.Sv, 4))
    for hit, c in counts(at.a * times(game, at.away, moved), p).items():
        for then, e in shot_in_ruins(game, at.d, replace(at, d=max(0, at.d - hit))):
            yield then, c * e


def outside(game: Game, at: At, **how: bool) -> Ways:
    """One round; attackers who run and are not caught leave the garrison to go back to where it came from.

    Who was falling back already fails the test of the loser without a roll.
    """
    for a, d, loser, c in in_the_open(game.ours, game.theirs, at.a, at.d, running=at.falling, **how):
        if a and loser == "attackers" and game.under_fire == "test":
            for then, e in routed(game, replace(at, a=a, d=d, out=False, silent=False)):
                yield then, c * e
            continue
        broken, captured = a == 0 or loser == "attackers", d == 0 or loser == "defenders"
        yield replace(at, a=a, d=d, end="broken" if broken else "captured" if captured else ""), c


# Squads of several kinds, and who of them falls.


@dataclass(frozen=True)
class Kinds:
    """A squad of a leader with two Attacks, of flamers and pistols, who storm from the start; a gunner and rifles inside.

    Or the garrison charges them first, and both fight in the open. A side is a tuple of names, those that its owner keeps longest first. So few go in by the one door, `send` of them
    if that is fewer, those with flamers last, and the leader first or the pistols; one model fires out, a machine gun before
    a rifle. With grenades, everybody in support without a flamer throws one. Under smoke one alone goes in while anybody can throw or burn.
    """

    ours: Troops
    theirs: Troops
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    who: str
    go_in: int = 2
    turns: int = 2
    grenades: bool = False
    sally: bool = False
    smoke: bool = False
    send: int = 60
    first_in: str = "leader"


Side = tuple[str, ...]


def storm_of_kinds(game: Kinds, a: Side, d: Side) -> Iterator[tuple[Side, Side, str, Fraction]]:
    """One storming: who is left of both sides, how it ended, and the chance."""
    ours, theirs, who, full = game.ours, game.theirs, game.who, game.attackers
    few = game.smoke and (game.grenades or "flamer" in a)
    number = 1 if few else min(game.go_in, game.send)
    last = -1 if game.first_in == "ordinary" else 1
    entering = sorted(range(len(a)), key=lambda i: (a[i] == "flamer", last * i))[:number]
    team = tuple(a[i] for i in sorted(entering))
    rest = tuple(name for i, name in enumerate(a) if i not in entering)
    p_wound = share(
        [h >= hit_need(theirs.WS, ours.WS) and w >= wound_need(theirs.S, ours.T) for h, w in product(D6, D6)]
    )
    p_back = unsaved(hit_need(ours.WS, theirs.WS), wound_need(ours.S, theirs.T), theirs.Sv)
    p_fails = share([s < ours.Sv or s == 1 for s in D6])
    for burnt, c1 in support(theirs, len(rest), game.grenades, rest.count("flamer")).items():
        for (inside, _), c2 in left_after(who, game.defenders, d, d, burnt).items():
            if not inside:
                yield a, inside, "captured", c1 * c2
                continue
            for wounds, c3 in counts(len(inside), p_wound).items():
                for (dead_F, dead_S), c4 in losses(wounds, len(team), len(rest), p_fails, False).items():
                    for (left, striking), c5 in left_after(who, full, a, team, dead_F).items():
                        for (out, _), c6 in left_after(who, full, left, rest, dead_S).items():
                            blows = sum(3 if name == "leader" else 2 for name in striking)
                            for slain, c7 in counts(blows, p_back).items():
                                killed = min(slain, len(inside))
                                for (still, _), c8 in left_after(who, game.defenders, inside, inside, killed).items():
                                    c = c1 * c2 * c3 * c4 * c5 * c6 * c7 * c8
                                    for end, c9 in nerve(game, out, still, killed - dead_F - dead_S):
                                        yield out, still, end, c * c9


def open_fight_of_kinds(game: Kinds, a: Side, d: Side, charged: bool) -> Iterator[tuple[Side, Side, str, Fraction]]:
    """One round outside, in which the attackers strike first: who is left of both sides, how it ended, and the chance."""
    ours, theirs, who = game.ours, game.theirs, game.who
    p_ours = unsaved(hit_need(ours.WS, theirs.WS), wound_need(ours.S, theirs.T), theirs.Sv)
    p_theirs = unsaved(hit_need(theirs.WS, ours.WS), wound_need(theirs.S, ours.T), ours.Sv)

    def blows(side: Side, charging: bool) -> int:
        return len(side) * (1 + charging) + side.count("leader")

    for slain, c1 in counts(blows(a, False), p_ours).items():
        for (still, _), c2 in left_after(who, game.defenders, d, d, slain).items():
            for lost, c3 in counts(blows(still, charged), p_theirs).items():
                for (left, _), c4 in left_after(who, game.attackers, a, a, lost).items():
                    lead = len(d) - len(still) - len(a) + len(left)
                    for end, c5 in nerve(game, left, still, lead):
                        runs = end and left and still
                        winner, loser = (ours, theirs) if lead > 0 else (theirs, ours)
                        caught = (
                            share([w + winner.I >= r + loser.I for w, r in product(D6, D6)]) if runs else Fraction(0)
                        )
                        c = c1 * c2 * c3 * c4 * c5
                        yield left, still, end, c * (1 - caught)
                        yield (() if lead < 0 else left), (() if lead > 0 else still), end, c * caught


def nerve(game: Kinds, a: Side, d: Side, lead: int) -> Iterator[tuple[str, Fraction]]:
    """How a storming ends: who is wiped out has lost, and the loser of a fight tests his morale."""
    if not a or not d:
        yield ("broken" if not a else "captured"), Fraction(1)
    elif lead == 0:
        yield "", Fraction(1)
    else:
        stands = holds((game.ours if lead < 0 else game.theirs).Ld - abs(lead))
        yield "", stands
        yield ("broken" if lead < 0 else "captured"), 1 - stands


def fire_of_kinds(game: Kinds, a: Side, d: Side) -> Iterator[tuple[Side, Side, str, Fraction]]:
    """The garrison's one shooter: who is left of both sides, how it ended, and the chance."""
    shots, S, Sv = (3, 5, 7) if "gunner" in d else (2, 3, game.ours.Sv)
    p = unsaved(7 - game.theirs.BS, wound_need(S, game.ours.T), Sv)
    for dead, c1 in counts(shots, p).items():
        for (left, _), c2 in left_after(game.who, game.attackers, a, a, dead).items():
            yield left, d, "" if left else "broken", c1 * c2


def assault_of_kinds(game: Kinds) -> dict[str, Fraction]:
    """The chance of each end, and the mean losses."""
    return play_on_by_kinds(game, {(game.attackers, game.defenders): Fraction(1)}, 2 * game.turns)


def play_on_by_kinds(game: Kinds, live: dict[tuple[Side, Side], Fraction], left: int) -> dict[str, Fraction]:
    """What it comes to from some states, when so many player turns are left."""
    ends: dict[str, Fraction] = defaultdict(Fraction)

    def note(end: str, a: Side, d: Side, chance: Fraction) -> None:
        ends[end] += chance
        ends["attackers lost"] += chance * (len(game.attackers) - len(a))
        ends["defenders lost"] += chance * (len(game.defenders) - len(d))

    for to_come in range(left, 0, -1):
        after: dict[tuple[Side, Side], Fraction] = defaultdict(Fraction)
        for (a, d), chance in live.items():
            if game.sally:
                ways = open_fight_of_kinds(game, a, d, charged=to_come == 2 * game.turns)
            else:
                ways = storm_of_kinds(game, a, d) if to_come % 2 == 0 else fire_of_kinds(game, a, d)
            for out, inside, end, c in ways:
                if end:
                    note(end, out, inside, chance * c)
                else:
                    after[out, inside] += chance * c
        live = after
    for (a, d), chance in live.items():
        note("held", a, d, chance)
    return ends


# Squads whose leader, or another of them, has his own Toughness, Wounds and saves (BASE-012, BASE-013, BASE-040, BASE-064).


@dataclass(frozen=True)
class Fighter(Troops):
    """Whoever may have more Wounds than one, an invulnerable save, or a weapon that leaves no armour save."""

    W: int = 1
    inv: int = 7
    cuts: bool = False

    @property
    def alike(self) -> tuple[int, int, int, int]:
        """Models that have the same of these save together."""
        return self.T, self.W, self.Sv, self.inv


Lot = tuple[int, int, int]
"""Wounds of one kind: their Strength, the best armour save that they leave nothing of, the cover save against them; 7 is none."""
Lots = tuple[tuple[Lot, int], ...]
GUNS = {"pistol": (12, 4, 5), "rifle": (24, 3, 7), "gunner": (36, 5, 4), "mortar": (48, 4, 6)}
"""Range, Strength and AP; a rifle is fired twice up to 12 inches, a gunner fires three times, a mortar drops one marker."""


def gun_of(name: str) -> str:
    """What one inside fires with."""
    return name if name in ("gunner", "mortar") else "rifle"


def marker(BS: int, p: Fraction) -> dict[int, Fraction]:
    """Wounds of one marker: D3 hits if the scatter die shows a hit or 2D6 are no more than BS, else it drifts off all."""
    on = share([face > 4 or a + b <= BS for face, a, b in product(D6, D6, D6)])
    ways: dict[int, Fraction] = defaultdict(Fraction, {0: 1 - on})
    for wounds, c in support_hits(1, p).items():
        ways[wounds] += on * c
    return ways


@dataclass(frozen=True, eq=False)
class Mixed:
    """A whole assault as `Game` has it, by sides as `Kinds` has them: tuples of names, those that are kept longest first.

    Every name has a fighter. Flamers outside have flamers, the others pistols; a gunner inside has a machine gun, a
    mortar a mortar, the others rifles; they man the firing points by range, the longest first. One name of a side may have
    several Wounds, if it is that of one model.

    `odd`: who gets the wounds that are left over once each has as many as any: "ordinary" men or the "leader".
    `lots`: wounds that are not alike are dealt out "together", the strongest first; "weakest" first; or lot by lot, "apart".
    `death`: of an instant death "one" wound counts for the result of a combat, or "all" that the model had left.
    `blast`: hits on the occupants of a building that explodes are on the "unit", or one on "each".
    `majority`: the Toughness of attackers inside is that of most of the "unit", or of the "fireteam".
    """

    us: dict[str, Fighter]
    them: dict[str, Fighter]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    points: int
    distance: int
    turns: int
    plan: str = "storm"
    defence: str = "hold"
    first: str = "attackers"
    grenades: bool = False
    armour: int | None = None
    fireteam_first: bool = False
    sweeping: bool = False
    ruins: bool = False
    second_round: bool = False
    doors: int = 1
    slots: int = 5
    send: int = 60
    first_in: str = "leader"
    who: str = "owner"
    odd: str = "ordinary"
    lots: str = "together"
    death: str = "one"
    blast: str = "unit"
    majority: str = "unit"
    under_fire: str = "steady"
    edge: int = 12
    reaching_the_edge: str = "reached"
    jump: bool = False
    jump_from_storming: int = 2

    def fighters(self, whose: str) -> dict[str, Fighter]:
        return self.us if whose == "attackers" else self.them

    def full(self, whose: str) -> tuple[str, ...]:
        return self.attackers if whose == "attackers" else self.defenders


@dataclass(frozen=True)
class Stand:
    """How it stands: who is left, the wounds that one of a side has lost, and the rest as `At` has it."""

    a: Side
    d: Side
    away: int
    av: int
    a_hurt: int = 0
    d_hurt: int = 0
    silent: bool = False
    out: bool = False
    inside: Side = ()
    end: str = ""
    falling: bool = False


def led(game: Game, our_leader: Fighter | None = None, their_leader: Fighter | None = None, **rulings) -> Mixed:
    """A game in which a leader takes the place of one of a side's models, with the rulings that then matter."""

    def side(troops: Troops, leader: Fighter | None, number: int) -> tuple[dict[str, Fighter], tuple[str, ...]]:
        men = {"trooper": Fighter(**vars(troops))}
        if leader is None:
            return men, ("trooper",) * number
        return men | {"leader": leader}, ("leader", *("trooper",) * (number - 1))

    assert not game.mounted
    assert not game.stronghold
    apart = ("ours", "theirs", "attackers", "defenders", "mounted", "stronghold")
    told = {k: v for k, v in vars(game).items() if k not in apart}
    us, attackers = side(game.ours, our_leader, game.attackers)
    them, defenders = side(game.theirs, their_leader, game.defenders)
    return Mixed(us, them, attackers, defenders, **told, **rulings)


def led_by_kinds(game: Kinds, us: dict[str, Fighter], them: dict[str, Fighter], **rulings) -> Mixed:
    """A game of kinds in which each kind is as it is given."""
    fight = {"plan": "smoke" if game.smoke else "storm", "grenades": game.grenades, "send": game.send}
    fight |= {"slots": game.go_in, "first_in": game.first_in, "who": game.who, "turns": game.turns}
    if game.sally:
        fight |= {"defence": "sally", "first": "defenders"}
    away = 14 if game.sally else 0
    return Mixed(us, them, game.attackers, game.defenders, points=1, distance=away, armour=10, **fight, **rulings)


def most_common(values: list[int]) -> int:
    """What most have; where two are equally common, the higher."""
    return max(set(values), key=lambda value: (values.count(value), value))


def fails_against(one: Fighter, lot: Lot) -> Fraction:
    """How often one fails the best save he is allowed."""
    _, ap, cover = lot
    best = min(one.inv, cover, one.Sv if ap > one.Sv else 7)
    return share([s < best or s == 1 for s in D6])


def seats(game: Mixed, part: Side) -> list[str]:
    """The order in which models of a part are dealt a wound each."""
    others = [name for name in reversed(part) if name != "leader"]
    leaders = [name for name in part if name == "leader"]
    return others + leaders if game.odd == "ordinary" else leaders + others


def in_order(game: Mixed, wounds: Lots) -> list[list[Lot]]:
    """The wounds in the order in which they are dealt out: all in one go, or lot by lot."""
    lots = sorted(wounds, key=lambda lot: lot[0], reverse=game.lots != "weakest")
    piles = [[lot] * n for lot, n in lots if n]
    return piles if game.lots == "apart" else [reduce(operator.iadd, piles, [])]


@cache
def fate(one: Fighter, models: int, hurt: int, dealt: Lots, death: str) -> dict[tuple[int, int, int], Fraction]:
    """(dead, wounds lost by one that lives, wounds that count) of models that are alike, of whom one alone may have several."""
    ways: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    failed = [counts(n, fails_against(one, lot)).items() for lot, n in dealt]
    left = one.W - hurt
    assert one.W == 1 or models == 1
    for fallen in product(*failed):
        chance, plain, slain = Fraction(1), 0, 0
        for ((S, _, _), _), (n, p) in zip(dealt, fallen, strict=True):
            chance *= p
            if S >= 2 * one.T:
                slain += n
            else:
                plain += n
        if one.W == 1:
            dead = min(models, slain + plain)
            ways[dead, 0, dead] += chance
        elif slain or plain >= left:
            ways[1, 0, left if slain and death == "all" else min(left, slain + plain)] += chance
        else:
            ways[0, hurt + plain, plain] += chance
    return ways


Fates = dict[tuple[Side, int, tuple[Side, ...], int], Fraction]


@cache
def suffer(game: Mixed, whose: str, squad: Side, hurt: int, parts: tuple[Side, ...], wounds: Lots) -> Fates:
    """Who is left of a squad and of its parts, the hurt of one, and the wounds that count, once wounds were dealt out.

    Each model of the first part is dealt one, then each of the next, then it goes round again.
    """
    if game.fireteam_first and len(parts) > 1:
        flat = tuple(reduce(operator.iadd, in_order(game, wounds), []))
        return one_by_one_round(game, whose, squad, hurt, parts, flat)
    ways: Fates = {(squad, hurt, parts, 0): Fraction(1)}
    places = [(i, name) for i, part in enumerate(parts) for name in seats(game, part)]
    for dealt in shared_out(game, whose, places, in_order(game, wounds)).items():
        ways = saved(game, whose, ways, *dealt)
    return ways


def shared_out(game: Mixed, whose: str, places: list[tuple[int, str]], piles: list[list[Lot]]):
    """The wounds of each group of models that are alike, of each part."""
    groups: dict[tuple[int, tuple[int, int, int, int]], dict[Lot, int]] = {}
    for pile in piles:
        for nth, lot in enumerate(pile):
            i, name = places[nth % len(places)]
            group = groups.setdefault((i, game.fighters(whose)[name].alike), defaultdict(int))
            group[lot] += 1
    return {group: tuple(sorted(dealt.items())) for group, dealt in groups.items()}


def saved(game: Mixed, whose: str, ways: Fates, group: tuple[int, tuple[int, int, int, int]], dealt: Lots) -> Fates:
    """One group of one part saves, and its casualties come from it."""
    i, alike = group
    fighters = game.fighters(whose)
    after: Fates = defaultdict(Fraction)
    for (squad, hurt, parts, caused), chance in ways.items():
        able = tuple(name for name in parts[i] if fighters[name].alike == alike)
        one = fighters[able[0]]
        own = hurt if one.W > 1 else 0
        for (dead, then, more), c in fate(one, len(able), own, dealt, game.death).items():
            for (left, some), e in left_after(game.who, game.full(whose), squad, able, dead).items():
                part = tuple(name for name in parts[i] if name not in able)
                part = tuple(sorted(part + some, key=game.full(whose).index))
                now = then if one.W > 1 else hurt
                after[left, now, (*parts[:i], part, *parts[i + 1 :]), caused + more] += chance * c * e
    return after


@cache
def one_by_one_round(game: Mixed, whose: str, squad: Side, hurt: int, parts: tuple[Side, ...], flat: tuple) -> Fates:
    """The first part takes every wound until none of it is left: one each, with saves, and again; then the next part."""
    there = next((i for i, part in enumerate(parts) if part), None)
    if there is None or not flat:
        return {(squad, hurt, parts, 0): Fraction(1)}
    places = [(there, name) for name in seats(game, parts[there])]
    ways: Fates = {(squad, hurt, parts, 0): Fraction(1)}
    for dealt in shared_out(game, whose, places, [list(flat[: len(places)])]).items():
        ways = saved(game, whose, ways, *dealt)
    after: Fates = defaultdict(Fraction)
    for (left, then, some, caused), c in ways.items():
        for (*last, more), e in one_by_one_round(game, whose, left, then, some, flat[len(places) :]).items():
            after[(*last, caused + more)] += c * e
    return after


def piled(dice: list[tuple[Lot, dict[int, Fraction]]]) -> Iterator[tuple[Lots, Fraction]]:
    """So many wounds of each lot, of several throws."""
    lots: dict[Lot, list[dict[int, Fraction]]] = defaultdict(list)
    for lot, wounds in dice:
        lots[lot].append(wounds)
    spread = [(lot, added(*several)) for lot, several in sorted(lots.items())]
    for numbers in product(*(wounds.items() for _, wounds in spread)):
        chance = Fraction(1)
        for _, c in numbers:
            chance *= c
        yield tuple((lot, n) for (lot, _), (n, _) in zip(spread, numbers, strict=True) if n), chance


@cache
def struck(game: Mixed, by: str, strikers: Side, targets: Side, charging: bool) -> tuple[tuple[Lots, Fraction], ...]:
    """Wounds before saves of all blows of some strikers, who are struck at as what most of the targets are."""
    foe = game.fighters("defenders" if by == "attackers" else "attackers")
    WS, T = most_common([foe[n].WS for n in targets]), most_common([foe[n].T for n in targets])
    dice = []
    for name in dict.fromkeys(strikers):
        one = game.fighters(by)[name]
        p = share([h >= hit_need(one.WS, WS) and w >= wound_need(one.S, T) for h, w in product(D6, D6)])
        blows = strikers.count(name) * one.attacks(charging)
        dice.append(((one.S, 1 if one.cuts else 7, 7), counts(blows, p)))
    return tuple(piled(dice))


def support_of(game: Mixed, d: Side, d_hurt: int, rest: Side) -> Fates:
    """Grenades (S3, with a cover save of 5+) and templates (S4 AP5, without) of those in support, shared out together."""
    T = most_common([game.them[name].T for name in d])
    flamers = rest.count("flamer")
    thrown = len(rest) - flamers if game.grenades else 0
    burnt, blown = (share([w >= wound_need(S, T) for w in D6]) for S in (4, 3))
    after: Fates = defaultdict(Fraction)
    dice = [((4, 5, 7), support_hits(flamers, burnt)), ((3, 7, 5), support_hits(thrown, blown))]
    for wounds, c in piled(dice):
        for then, e in suffer(game, "defenders", d, d_hurt, (d,), wounds).items():
            after[then] += c * e
    return after


@cache
def exchange_of(
    game: Mixed, a: Side, a_hurt: int, d: Side, d_hurt: int, team: Side, charging: bool
) -> dict[tuple[Side, int, Side, int, Side, str | None], Fraction]:
    """One exchange and its morale check: the chance of (attackers, hurt, defenders, hurt, Fireteam, who breaks)."""
    rest = without(a, team)
    ways: dict[tuple[Side, int, Side, int, Side, str | None], Fraction] = defaultdict(Fraction)
    who_is_hit = team if game.majority == "fireteam" else a
    for wounds, c1 in struck(game, "defenders", d, who_is_hit, False):
        for (left, hurt, (some, _), lost), c2 in suffer(game, "attackers", a, a_hurt, (team, rest), wounds).items():
            for back, c3 in struck(game, "attackers", some, d, charging):
                for (still, sore, _, caused), c4 in suffer(game, "defenders", d, d_hurt, (d,), back).items():
                    for loser, c5 in nerve_of(game, left, still, caused - lost):
                        ways[left, hurt, still, sore, some, loser] += c1 * c2 * c3 * c4 * c5
    return ways


def without(side: Side, some: Side) -> Side:
    left = list(side)
    for name in some:
        left.remove(name)
    return tuple(left)


def nerve_of(game: Mixed, a: Side, d: Side, lead: int, running: bool = False) -> Iterator[tuple[str | None, Fraction]]:
    """Who breaks after a combat, if anybody; the best Leadership of the loser tests, but attackers who run fail."""
    if not a or not d or lead == 0:
        yield None, Fraction(1)
        return
    loser, left = ("attackers", a) if lead < 0 else ("defenders", d)
    stands = holds(best(game.fighters(loser), left) - abs(lead))
    if running and loser == "attackers":
        stands = Fraction(0)
    yield None, stands
    yield loser, 1 - stands


def best(fighters: dict[str, Fighter], side: Side) -> int:
    return max(fighters[name].Ld for name in side)


def caught_of(game: Mixed, runners: Side, whose: str, victors: Side) -> Fraction:
    """How often a sweeping advance catches: by the Initiative that most of a side have."""
    us = game.fighters(whose)
    them = game.fighters("defenders" if whose == "attackers" else "attackers")
    R, W = most_common([us[n].I for n in runners]), most_common([them[n].I for n in victors])
    return share([w + W >= r + R for w, r in product(D6, D6)])


@cache
def open_round(
    game: Mixed,
    a: Side,
    a_hurt: int,
    d: Side,
    d_hurt: int,
    charged: bool,
    charging: bool,
    last: bool,
    running: bool = False,
) -> dict[tuple[Side, int, Side, int, str | None], Fraction]:
    """One round outside, step by step by Initiative; who runs may be caught."""
    speed = {name: 1 if last else one.I for name, one in game.us.items()}
    steps = sorted({speed[n] for n in a} | {game.them[n].I for n in d}, reverse=True)
    ways = {(a, a_hurt, d, d_hurt, 0): Fraction(1)}
    for step in steps:
        after: dict[tuple[Side, int, Side, int, int], Fraction] = defaultdict(Fraction)
        for (x, xh, y, yh, lead), chance in ways.items():
            if not x or not y:
                after[x, xh, y, yh, lead] += chance
                continue
            ours = tuple(n for n in x if speed[n] == step)
            theirs = tuple(n for n in y if step == game.them[n].I)
            for wounds, c1 in struck(game, "attackers", ours, y, charging):
                for (still, sore, _, caused), c2 in suffer(game, "defenders", y, yh, (y,), wounds).items():
                    for back, c3 in struck(game, "defenders", theirs, x, charged):
                        for (left, hurt, _, lost), c4 in suffer(game, "attackers", x, xh, (x,), back).items():
                            after[left, hurt, still, sore, lead + caused - lost] += chance * c1 * c2 * c3 * c4
        ways = after
    ends: dict[tuple[Side, int, Side, int, str | None], Fraction] = defaultdict(Fraction)
    for (x, xh, y, yh, lead), chance in ways.items():
        for loser, c in nerve_of(game, x, y, lead, running):
            if loser is None:
                ends[x, xh, y, yh, None] += chance * c
                continue
            gone = caught_of(game, *((x, loser, y) if loser == "attackers" else (y, loser, x)))
            ends[x, xh, y, yh, loser] += chance * c * (1 - gone)
            ends[((), 0, y, yh, loser) if loser == "attackers" else (x, xh, (), 0, loser)] += chance * c * gone
    return ends


Stands = Iterator[tuple[Stand, Fraction]]


def assault_of_mixed(game: Mixed) -> dict[str, Fraction]:
    """The chance of each end, the mean losses in models, and what becomes of leaders."""
    return play_on_mixed(game, start_of_mixed(game), 2 * game.turns)


def start_of_mixed(game: Mixed) -> dict[Stand, Fraction]:
    live: dict[Stand, Fraction] = defaultdict(Fraction)
    for die in D6:
        av = game.armour or 8 + ceil(die / 2)
        live[Stand(game.attackers, game.defenders, game.distance, av)] += Fraction(1, 6)
    return live


def play_on_mixed(game: Mixed, live: dict[Stand, Fraction], left: int) -> dict[str, Fraction]:
    """What it comes to from some states, when so many player turns are left."""
    ends: dict[str, Fraction] = defaultdict(Fraction)
    turns = [attackers_turn_of, garrisons_turn_of]
    for play in ((turns if game.first == "attackers" else turns[::-1]) * left)[-left:]:
        after: dict[Stand, Fraction] = defaultdict(Fraction)
        for at, chance in live.items():
            for then, c in [(at, Fraction(1))] if at.end else play(game, at):
                after[then] += chance * c
        live = after
    for at, chance in live.items():
        ends[at.end or ("broken" if at.falling else "held")] += chance
        ends["came out"] += chance * at.out
        ends["attackers lost"] += chance * (len(game.attackers) - len(at.a))
        ends["defenders lost"] += chance * (len(game.defenders) - len(at.d))
        for side, full, left_of, hurt in (
            ("attackers'", game.attackers, at.a, at.a_hurt),
            ("defenders'", game.defenders, at.d, at.d_hurt),
        ):
            if "leader" in full:
                ends[f"{side} leader lost"] += chance * ("leader" not in left_of)
                ends[f"{side} leader lives, wounds lost"] += chance * hurt
    return ends


def attackers_turn_of(game: Mixed, at: Stand) -> Stands:
    if at.out:
        yield from outside_of(game, at, charged=False)
    elif at.falling:
        yield from rally_of(game, at)
    elif game.ruins:
        yield from into_ruins_of(game, at)
    elif besieging_of(game, at):
        yield from siege_of(game, at)
    else:
        yield from approach_of(game, at)


def besieging_of(game: Mixed, at: Stand) -> bool:
    return game.plan == "shoot" or (game.plan == "demolish" and any(fells_of(game, at)))


def rally_of(game: Mixed, at: Stand) -> Stands:
    """A turn of those who fall back, as `rally` has it: the best Leadership tests."""
    regroup = may_regroup(len(game.attackers), len(at.a), at.away)
    stand = holds(best(game.us, at.a)) if regroup else Fraction(0)
    ways = [(closer_of(game, replace(at, falling=False), 3), stand)] if stand else []
    ways += [(then, (1 - stand) * c) for then, c in fall_back(game, at, dice_of(game))]
    for then, c in ways:
        if then.end or not (game.ruins or besieging_of(game, then)):
            yield then, c
            continue
        for last, e in shots_at_men_of(game, then) if game.ruins else shots_at_walls_of(game, then).items():
            yield last, c * e


def closer_of(game: Mixed, at: Stand, most: int) -> Stand:
    """So many inches nearer, or as far as their plan takes them; what they have are pistols."""
    stay = 0
    if game.ruins:
        stay = 12 if game.plan == "shoot" else 0
    elif besieging_of(game, at):
        shot, blow = fells_of(game, at)
        stay = 0 if blow else 12 if shot else at.away
    return replace(at, away=min(at.away, max(stay, at.away - most)))


def shot_at_of(game: Mixed, before: int, at: Stand) -> Stands:
    """As `shot_at` has it."""
    if not at.a:
        yield replace(at, end="broken"), Fraction(1)
    elif game.under_fire == "steady" or at.falling or not must_test(before, len(at.a)):
        yield at, Fraction(1)
    else:
        stand = holds(best(game.us, at.a))
        yield at, stand
        for then, c in routed(game, at):
            yield then, (1 - stand) * c


def shot_in_ruins_of(game: Mixed, before: int, at: Stand) -> Stands:
    """As `shot_in_ruins` has it."""
    if not at.d:
        yield replace(at, end="captured"), Fraction(1)
    elif game.under_fire == "steady" or not must_test(before, len(at.d)):
        yield at, Fraction(1)
    else:
        stand = holds(best(game.them, at.d))
        yield at, stand
        yield replace(at, end="captured"), 1 - stand


def fells_of(game: Mixed, at: Stand) -> tuple[bool, bool]:
    return at.av < 4 + 6, game.plan != "shoot" and at.av < max(game.us[name].S for name in at.a) + 6


def approach_of(game: Mixed, at: Stand) -> Stands:
    near = max(0, at.away - 6)
    if near > 6:
        yield replace(at, away=near), Fraction(1)
        return
    many = game.doors * min(game.slots // 2 if game.jump else game.slots, game.send)
    if game.plan == "smoke" and (game.grenades or "flamer" in at.a) and not game.second_round:
        many = 1
    order = -1 if game.first_in == "ordinary" else 1
    entering = sorted(range(len(at.a)), key=lambda i: (at.a[i] == "flamer", order * i))[:many]
    team = tuple(at.a[i] for i in sorted(entering))
    if game.second_round:
        yield from fight_inside_of(game, at, team, charging=True)
        return
    for (d, sore, _, _), c in support_of(game, at.d, at.d_hurt, without(at.a, team)).items():
        if not d:
            yield replace(at, d=d, d_hurt=0, away=2, end="captured"), c
            continue
        for (*left, _, loser), e in exchange_of(game, at.a, at.a_hurt, d, sore, team, True).items():
            yield from aftermath(game, at, *left, loser, c * e)


def aftermath(game: Mixed, at: Stand, a: Side, hurt: int, d: Side, sore: int, loser: str | None, c: Fraction) -> Stands:
    then = replace(at, a=a, a_hurt=hurt, d=d, d_hurt=sore, away=2)
    if not a:
        yield replace(then, end="broken"), c
    elif loser == "attackers":
        caught = caught_of(game, a, "attackers", d) * game.sweeping
        for last, e in routed(game, then, after_storming=True):
            yield last, c * (1 - caught) * e
        yield replace(then, a=(), a_hurt=0, end="broken"), c * caught
    elif not d:
        yield replace(then, end="captured"), c
    elif loser == "defenders":
        caught = caught_of(game, d, "defenders", a) * game.sweeping
        yield replace(then, end="captured"), c * (1 - caught)
        yield replace(then, d=(), d_hurt=0, end="captured"), c * caught
    else:
        yield then, c


def fight_inside_of(game: Mixed, at: Stand, team: Side, charging: bool) -> Stands:
    for (a, hurt, d, sore, some, loser), c in exchange_of(
        game, at.a, at.a_hurt, at.d, at.d_hurt, team, charging
    ).items():
        won, lost = not d or loser == "defenders", not a or loser == "attackers"
        stay = some if charging and not (won or lost) else ()
        if a and lost:
            here = replace(at, a=a, a_hurt=hurt, d=d, d_hurt=sore, away=2, inside=())
            for last, e in routed(game, here, after_storming=True):
                yield last, c * e
            continue
        end = "broken" if lost else "captured" if won else ""
        then = replace(at, a=a, a_hurt=hurt, d=d, d_hurt=sore, away=0 if stay else 2, inside=stay, end=end)
        yield then, c


def siege_of(game: Mixed, at: Stand) -> Stands:
    """Every pistol in range, then blows; the last of the side first and its leader last, one attack after the other."""
    assert "flamer" not in game.attackers
    _, blow = fells_of(game, at)
    at = closer_of(game, at, 6)
    ways = shots_at_walls_of(game, at)
    if blow and at.away <= 6:
        ways = {replace(w, away=0): chance for w, chance in ways.items()}
        for name in reversed(at.a):
            for _ in range(game.us[name].attacks(True)):
                ways = attack_of(game, ways, Fraction(1), game.us[name].S, 1)
    yield from ways.items()


def shots_at_walls_of(game: Mixed, at: Stand) -> dict[Stand, Fraction]:
    ways: dict[Stand, Fraction] = {at: Fraction(1)}
    for name in reversed(at.a) if at.away <= 12 else ():
        hits = share([face >= 7 - game.us[name].BS and face > 1 for face in D6])
        ways = attack_of(game, ways, hits, 4, 0)
    return ways


def attack_of(game: Mixed, ways: dict[Stand, Fraction], hits: Fraction, S: int, worse: int) -> dict[Stand, Fraction]:
    after: dict[Stand, Fraction] = defaultdict(Fraction)
    for at, chance in ways.items():
        if at.end:
            after[at] += chance
            continue
        after[at] += chance * (1 - hits)
        for face, roll in product(D6, D6):
            part = chance * hits / 36
            total = min(6, max(1, roll - worse - (2 if S + face == at.av else 0)))
            if S + face < at.av or total in (3, 4):
                after[at] += part
            elif total <= 2:
                after[replace(at, silent=True)] += part
            elif total == 5:
                after[replace(at, end="destroyed")] += part
            else:
                for (d, sore), c in blasted(game, at.d, at.d_hurt).items():
                    after[replace(at, d=d, d_hurt=sore, end="destroyed")] += part * c
    return after


@cache
def blasted(game: Mixed, d: Side, hurt: int) -> dict[tuple[Side, int], Fraction]:
    """As many hits of S4 AP- as there are occupants: on the unit, as all hits are, or on each of them one of his own."""
    lot = (4, 7, 7)
    after: dict[tuple[Side, int], Fraction] = defaultdict(Fraction)
    if game.blast == "unit":
        p = share([w >= wound_need(4, most_common([game.them[name].T for name in d])) for w in D6])
        for n, c in counts(len(d), p).items():
            for (left, sore, _, _), e in suffer(game, "defenders", d, hurt, (d,), ((lot, n),) if n else ()).items():
                after[left, sore] += c * e
        return after
    ways: Fates = {(d, hurt, (d,), 0): Fraction(1)}
    for alike in dict.fromkeys(game.them[name].alike for name in d):
        hit = sum(game.them[name].alike == alike for name in d)
        p = share([w >= wound_need(4, alike[0]) for w in D6])
        then: Fates = defaultdict(Fraction)
        for n, c in counts(hit, p).items():
            more = ways if n == 0 else saved(game, "defenders", ways, (0, alike), ((lot, n),))
            for what, e in more.items():
                then[what] += c * e
        ways = then
    for (left, sore, _, _), c in ways.items():
        after[left, sore] += c
    return after


def garrisons_turn_of(game: Mixed, at: Stand) -> Stands:
    if at.inside:
        yield from fight_inside_of(game, at, at.inside, charging=False)
        return
    if at.out or (game.defence == "sally" and at.away <= (0 if game.ruins else 2) + 6 + 6):
        away = 0 if game.under_fire == "steady" else at.away
        yield from outside_of(game, replace(at, out=True, away=away), charged=not at.out)
        return
    able = sorted(at.d, key=lambda name: -GUNS[gun_of(name)][0])
    firing = able if game.ruins else able[: game.points]
    yield from fired_at_us(game, replace(at, silent=False), () if at.silent else tuple(firing))


def fired_at_us(game: Mixed, at: Stand, firing: Side) -> Stands:
    T = most_common([game.us[name].T for name in at.a])
    dice = []
    for name in firing:
        reach, S, ap = GUNS[gun_of(name)]
        if name == "mortar":
            falls = marker(game.them[name].BS, share([w >= wound_need(S, T) for w in D6]))
            dice.append(((S, ap, 7), falls if at.away <= reach else {0: Fraction(1)}))
            continue
        shots = 0 if at.away > reach else 3 if name == "gunner" else 2 if at.away <= 12 else 1
        need = 7 - game.them[name].BS
        p = share([h >= need and h > 1 and w >= wound_need(S, T) for h, w in product(D6, D6)])
        dice.append(((S, ap, 7), counts(shots, p)))
    for wounds, c in piled(dice):
        for (a, hurt, _, _), e in suffer(game, "attackers", at.a, at.a_hurt, (at.a,), wounds).items():
            for then, f in shot_at_of(game, len(at.a), replace(at, a=a, a_hurt=hurt)):
                yield then, c * e * f


def into_ruins_of(game: Mixed, at: Stand) -> Stands:
    at = closer_of(game, at, 6)
    if game.plan != "shoot" and at.away <= 6:
        near = replace(at, out=True, away=0)
        yield from outside_of(game, near, charged=False, charging=True, last=not game.grenades)
        return
    yield from shots_at_men_of(game, at)


def shots_at_men_of(game: Mixed, at: Stand) -> Stands:
    assert "flamer" not in game.attackers
    T = most_common([game.them[name].T for name in at.d])
    dice = []
    for name in at.a if at.away <= 12 else ():
        need = 7 - game.us[name].BS
        p = share([h >= need and h > 1 and w >= wound_need(4, T) for h, w in product(D6, D6)])
        dice.append(((4, 5, 4), counts(1, p)))
    for wounds, c in piled(dice):
        for (d, sore, _, _), e in suffer(game, "defenders", at.d, at.d_hurt, (at.d,), wounds).items():
            for then, f in shot_in_ruins_of(game, len(at.d), replace(at, d=d, d_hurt=sore)):
                yield then, c * e * f


def outside_of(game: Mixed, at: Stand, charged: bool, charging: bool = False, last: bool = False) -> Stands:
    for (a, hurt, d, sore, loser), c in open_round(
        game, at.a, at.a_hurt, at.d, at.d_hurt, charged, charging, last, at.falling
    ).items():
        if a and loser == "attackers" and game.under_fire == "test":
            back = replace(at, a=a, a_hurt=hurt, d=d, d_hurt=sore, out=False, silent=False)
            for then, e in routed(game, back):
                yield then, c * e
            continue
        broken, captured = not a or loser == "attackers", not d or loser == "defenders"
        end = "broken" if broken else "captured" if captured else ""
        yield replace(at, a=a, a_hurt=hurt, d=d, d_hurt=sore, end=end), c
