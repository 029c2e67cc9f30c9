"""Brute force of a whole assault by the storming rules, written from their text: itertools and fractions alone.

Squads of one-wound models with a 24-inch rifle (rapid fire, S3) inside and grenades or nothing outside; one door.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil

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


def share(passes: list[bool]) -> Fraction:
    return Fraction(sum(passes), len(passes))


def unsaved(hit_on: int, wound_on: int, save_on: int) -> Fraction:
    """The chance of one attack, by going through all faces of its three dice."""
    faces = product(D6, D6, D6)
    return share([h >= hit_on and w >= wound_on and (s < save_on or s == 1) for h, w, s in faces])


def counts(n: int, p: Fraction) -> dict[int, Fraction]:
    """How many of n attacks succeed, by going through every way they can fall."""
    ways: dict[int, Fraction] = defaultdict(Fraction)
    for fallen in product((0, 1), repeat=n):
        chance = Fraction(1)
        for success in fallen:
            chance *= p if success else 1 - p
        ways[sum(fallen)] += chance
    return ways


def grenade_hits(n: int, p: Fraction) -> dict[int, Fraction]:
    """Casualties of n grenades: each D6, halved and rounded up, is its number of hits."""
    ways: dict[int, Fraction] = defaultdict(Fraction)
    for dice in product(D6, repeat=n):
        for dead, chance in counts(sum(ceil(d / 2) for d in dice), p).items():
            ways[dead] += chance / 6**n
    return ways


def holds(Ld: int) -> Fraction:
    return share([a + b <= Ld or a + b == 2 for a, b in product(D6, D6)])


def wound_need(S: int, T: int) -> int:
    chart = {-1: 3, 0: 4, 1: 5, 2: 6, 3: 6}
    return 2 if T - S < -1 else chart[T - S]


def storming(t: Troops, a: int, d: int, grenades: bool, fireteam_first: bool):
    """One storming: yields (attackers left, defenders left, who breaks, chance)."""
    F = min(5, a)
    S = a - F
    p_grenade = share([w >= wound_need(3, t.T) and (s < t.Sv or s == 1) for w, s in product(D6, D6)])
    for burnt, c1 in grenade_hits(S if grenades else 0, p_grenade).items():
        inside = max(0, d - burnt)
        if inside == 0:
            yield a, 0, None, c1
            continue
        p_wound = share([h >= 4 and w >= wound_need(t.S, t.T) for h, w in product(D6, D6)])
        p_fails = share([s < t.Sv or s == 1 for s in D6])
        for wounds, c2 in counts(inside * t.A, p_wound).items():
            for (dead_F, dead_S), c3 in losses(wounds, F, S, p_fails, fireteam_first).items():
                alive = F - dead_F
                for slain, c4 in counts(alive * (t.A + 1), unsaved(4, wound_need(t.S, t.T), t.Sv)).items():
                    killed = min(slain, inside)
                    left_a, left_d = a - dead_F - dead_S, inside - killed
                    margin = killed - dead_F - dead_S
                    chance = c1 * c2 * c3 * c4
                    if left_a == 0 or left_d == 0 or margin == 0:
                        yield left_a, left_d, None, chance
                    else:
                        loser = "attackers" if margin < 0 else "defenders"
                        stand = holds(t.Ld - abs(margin))
                        yield left_a, left_d, None, chance * stand
                        yield left_a, left_d, loser, chance * (1 - stand)


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


def whole_assault(
    t: Troops, attackers: int, defenders: int, *, grenades: bool, points: int, distance: int, turns: int,
    fireteam_first: bool, sweeping: bool = False,
):  # fmt: skip
    """Approach 6 inches a turn, storm within 6, be shot at after each of one's turns; equals may catch who runs."""
    caught = share([winner >= loser for winner, loser in product(D6, D6)]) if sweeping else Fraction(0)
    live = {(attackers, defenders, distance): Fraction(1)}
    ends: dict[str, Fraction] = defaultdict(Fraction)

    def over(end: str, a: int, d: int, chance: Fraction) -> None:
        ends[end] += chance
        ends["attackers lost"] += chance * (attackers - a)
        ends["defenders lost"] += chance * (defenders - d)

    for _ in range(turns):
        stormed: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
        for (a, d, away), chance in live.items():
            near = max(0, away - 6)
            if near > 6:
                stormed[a, d, near] += chance
                continue
            for left_a, left_d, loser, c in storming(t, a, d, grenades, fireteam_first):
                if left_a == 0 or loser == "attackers":
                    over("broken", left_a, left_d, chance * c * (1 - caught))
                    over("broken", 0, left_d, chance * c * caught)
                elif left_d == 0 or loser == "defenders":
                    over("captured", left_a, left_d, chance * c * (1 - caught))
                    over("captured", left_a, 0, chance * c * caught)
                else:
                    stormed[left_a, left_d, 2] += chance * c
        live = defaultdict(Fraction)
        for (a, d, away), chance in stormed.items():
            shots = min(points, d) * (2 if away <= 12 else 1)
            for hit, c in counts(shots, unsaved(7 - t.BS, wound_need(3, t.T), t.Sv)).items():
                left = max(0, a - hit)
                if left:
                    live[left, d, away] += chance * c
                else:
                    over("broken", 0, d, chance * c)
    for (a, d, _), chance in live.items():
        over("held", a, d, chance)
    return ends


def demolition(t: Troops, attackers: int, defenders: int, *, points: int, turns: int):
    """Attack the structure from contact: a pistol (S4 AP5) and then blows from each, until it falls; a garrison fires.

    The building is defensible: AV 8 + D3. Damage on a D6: 1 and 2 silence the garrison for a turn, 5 wrecks, 6
    explodes (each occupant takes a S4 hit); a glance counts 2 less, blows without AP 1 less.
    """
    live = {(attackers, defenders, 8 + ceil(d / 2), False): Fraction(0) for d in D6}
    for d in D6:
        live[attackers, defenders, 8 + ceil(d / 2), False] += Fraction(1, 6)
    ends: dict[str, Fraction] = defaultdict(Fraction)

    def over(end: str, a: int, d: int, chance: Fraction) -> None:
        ends[end] += chance
        ends["attackers lost"] += chance * (attackers - a)
        ends["defenders lost"] += chance * (defenders - d)

    burnt = share([w >= wound_need(4, t.T) and (s < t.Sv or s == 1) for w, s in product(D6, D6)])

    def attack(states, hits: Fraction, S: int, worse: int):
        """One attack: hit, penetrate, damage."""
        after: dict[tuple[int, int, int, bool], Fraction] = defaultdict(Fraction)
        for (a, d, av, silent), chance in states.items():
            after[a, d, av, silent] += chance * (1 - hits)
            for face in D6:
                if S + face < av:
                    after[a, d, av, silent] += chance * hits / 6
                    continue
                for roll in D6:
                    total = min(6, max(1, roll - worse - (2 if S + face == av else 0)))
                    part = chance * hits / 36
                    if total == 5:
                        over("destroyed", a, d, part)
                    elif total == 6:
                        for dead, c in counts(d, burnt).items():
                            over("destroyed", a, d - dead, part * c)
                    else:
                        after[a, d, av, silent or total <= 2] += part
        return after

    for _ in range(turns):
        # all attacks of the survivors, who are as many as the turn began with
        played: dict[tuple[int, int, int, bool], Fraction] = defaultdict(Fraction)
        for a in range(1, attackers + 1):
            states = {state: chance for state, chance in live.items() if state[0] == a}
            for _shot in range(a):
                states = attack(states, share([face >= 7 - t.BS and face > 1 for face in D6]), 4, 0)
            for _blow in range(a * (t.A + 1)):
                states = attack(states, Fraction(1), t.S, 1)
            for state, chance in states.items():
                played[state] += chance
        live = defaultdict(Fraction)
        for (a, d, av, silent), chance in played.items():
            shots = 0 if silent else 2 * min(points, d)
            for hit, c in counts(shots, unsaved(7 - t.BS, wound_need(3, t.T), t.Sv)).items():
                if a > hit:
                    live[a - hit, d, av, False] += chance * c
                else:
                    over("broken", 0, d, chance * c)
    for (a, d, _, _), chance in live.items():
        over("held", a, d, chance)
    return ends
