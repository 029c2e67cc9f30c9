"""Counts that ``casemate odds`` answers: each against a game of its own in plain Python, written from the book."""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

from sims.dice import PMF
from sims.errors import CasemateError
from sims.questions import question

FACES = range(1, 7)
SIXTH = Fraction(1, 6)
Chances = dict[int, Fraction]


def ask(name, **given):
    answer = question(name).answer({key: str(value) for key, value in given.items()})
    return dict(answer) if isinstance(answer, PMF) else answer


def repeated(start, times: int, step: Callable[..., Iterable]) -> dict:
    """Return the chances of states after so many steps, each of which yields chances and states."""
    chances = {start: Fraction(1)}
    for _ in range(times):
        after = Counter()
        for state, chance in chances.items():
            for more, reached in step(state):
                after[reached] += chance * more
        chances = dict(after)
    return {state: chance for state, chance in chances.items() if chance}


def counted(chances: dict, what: Callable) -> Chances:
    found = Counter()
    for state, chance in chances.items():
        found[what(state)] += chance
    return dict(found)


def by_count(n: int, p: Fraction) -> Chances:
    return repeated(0, n, lambda k: [(p, k + 1), (1 - p, k)])


def armour(building: str) -> list[int]:
    """The Armour Values behind the six faces of the die that is read as a D3."""
    return [{"defensible": 8, "stronghold": 10}[building] + (face + 1) // 2 for face in FACES]


@pytest.mark.parametrize("building", ["defensible", "stronghold"])
@pytest.mark.parametrize("hit", ["penetrating", "glancing", "any"])
@pytest.mark.parametrize(("S", "dice"), [(6, 1), (8, 1), (8, 2)])
def test_hits_on_one_armour_value_that_is_rolled_first(building, hit, S, dice):
    """Storming: the Armour Value is rolled once, and all hits meet it; above it they penetrate, level they glance."""
    does = {"penetrating": lambda a, b: a > b, "glancing": lambda a, b: a == b, "any": lambda a, b: a >= b}[hit]
    expected = Counter()
    for AV in armour(building):
        throws = [sum(faces) for faces in product(FACES, repeat=dice)]
        p = Fraction(sum(does(S + thrown, AV) for thrown in throws), len(throws))
        for k, chance in by_count(3, p).items():
            expected[k] += chance / 6
    asked = ask("hits on the structure", n=3, S=S, building_class=building, dice=dice, hit=hit)
    assert asked == {k: chance for k, chance in expected.items() if chance}


def test_attacks_on_a_known_armour_value():
    """Ten krak grenades of Strength 6 at Armour Value 10 penetrate on 5 and 6: 10/3 of them on average."""
    asked = ask("hits on the structure", n=10, S=6, building_class="defensible", AV=10)
    assert asked == by_count(10, Fraction(1, 3))
    mean = question("hits on the structure").answer({"n": "10", "S": "6", "building_class": "stronghold"}).mean
    assert mean == ask("attack on the structure", attacks=10, S=6, building_class="stronghold") == Fraction(5, 9)


def saves(w: int) -> Iterable[tuple[int, ...]]:
    return product(FACES, repeat=w)


@pytest.mark.parametrize(("w", "F", "S"), [(5, 2, 2), (4, 3, 1), (3, 1, 0), (5, 0, 2)])
@pytest.mark.parametrize("allocation", ["one_each", "fireteam_first"])
def test_losses_of_the_supporters(w, F, S, allocation):
    """Storming: wounds go round, the Fireteam before the supporters; or all to the Fireteam until none of it is left."""
    expected = {"fireteam": Counter(), "supporters": Counter()}
    for faces in saves(w):
        failed = [face < 4 for face in faces]
        if allocation == "one_each":
            inside = [bad for i, bad in enumerate(failed) if F + S and i % (F + S) < F]
            dead, outside = min(sum(inside), F), min(sum(failed) - sum(inside), S)
        else:
            dead = min(sum(failed), F)
            outside = min(sum(failed) - dead, S)
        expected["fireteam"][dead] += SIXTH**w
        expected["supporters"][outside] += SIXTH**w
    for who, lost in expected.items():
        asked = ask("Fireteam casualties from wounds", w=w, F=F, S=S, Sv=4, who=who, wound_allocation=allocation)
        assert asked == dict(lost), who


def test_losses_of_the_supporters_by_blows():
    """Six blows that hit and wound on 4+, at a Fireteam of two with two in support, who save on 5+."""
    expected = Counter()
    for wounds, chance in by_count(6, Fraction(1, 4)).items():
        for faces in saves(wounds):
            outside = sum(face < 5 for i, face in enumerate(faces) if i % 4 >= 2)
            expected[min(outside, 2)] += chance * SIXTH**wounds
    given = {"D": 3, "A": 2, "F": 2, "supporters": 2, "WS": 3, "target_WS": 3, "S": 3, "T": 3, "Sv": 5}
    assert ask("Fireteam casualties", **given, who="supporters") == dict(expected)


def most_inside(points: int, models: dict[int, int], order: list[int]) -> int:
    """The size of a Fireteam that goes in by size, as many of each as fit beside those before: five slots a point."""

    def fits(team: dict[int, int]) -> bool:
        ways = {(0,) * len(order)}
        one = [c for c in product(range(6), repeat=len(order)) if sum(map(int.__mul__, c, order)) <= 5]
        for _ in range(points):
            ways = {tuple(map(int.__add__, before, c)) for before in ways for c in one}
        return any(all(have >= team[size] for have, size in zip(way, order, strict=True)) for way in ways)

    team = dict.fromkeys(order, 0)
    for size in order:
        while team[size] < models[size] and fits(team | {size: team[size] + 1}):
            team[size] += 1
    return sum(team.values())


@pytest.mark.parametrize("first", ["small", "big"])
@pytest.mark.parametrize(("k", "small", "big", "very_big"), [(1, 4, 3, 0), (2, 3, 4, 0), (2, 7, 2, 1), (1, 0, 3, 2)])
def test_supporters_of_mixed_sizes(first, k, small, big, very_big):
    order = [1, 2, 4] if first == "small" else [4, 2, 1]
    inside = most_inside(k, {1: small, 2: big, 4: very_big}, order)
    asked = ask("supporters", models=small, big=big, very_big=very_big, first=first, k=k, double_twice="four")
    assert asked == small + big + very_big - inside


def unsaved_hits(hits: Chances, p: Fraction) -> Chances:
    found = Counter()
    for n, chance in hits.items():
        for k, more in by_count(n, p).items():
            found[k] += chance * more
    return dict(found)


@pytest.mark.parametrize(("building", "cover"), [("defensible", 5), ("stronghold", 4)])
def test_grenades_and_flamers_together(building, cover):
    """Each makes D3 hits: grenades of Strength 3 against cover, flamers of Strength 4 and AP5 that pierce Sv 5+."""
    D3 = {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    grenade = unsaved_hits(D3, Fraction(1, 2) * Fraction(min(cover, 5) - 1, 6))
    flamer = unsaved_hits(D3, Fraction(2, 3))
    by_grenades = repeated(0, 2, lambda k: [(chance, k + n) for n, chance in grenade.items()])
    expected = Counter()
    for (a, p), (b, q) in product(by_grenades.items(), flamer.items()):
        expected[min(a + b, 4)] += p * q
    given = {"throwers": 2, "flamers": 1, "T": 3, "Sv": 5, "building_class": building, "defenders": 4}
    assert ask("grenades and flamers together", **given) == dict(expected)


def bunker_hit(
    hp: int, cracks: int, weapons: int, hit: str, natural: bool = False
) -> Iterable[tuple[Fraction, tuple[int, int, int, bool]]]:
    """What a glancing or penetrating hit leaves of a bunker, by the printed Bunker Hits Table.

    A 2, of the total or of the die, costs a weapon that still works instead of what stands beside it.
    """
    left = max(hp - 1, 0)
    if hit == "glancing" and hp > 0:
        return [(Fraction(1), (left, cracks, weapons, False))]
    results = []
    for face in FACES:
        total = face + cracks
        if (face if natural else total) == 2 and weapons:
            after = (left, cracks, weapons - 1, False)
        elif hit == "glancing":
            after = (left, cracks + (total == 5), weapons, total >= 6)
        else:
            after = (left, cracks + (total in (3, 4)), weapons, total >= 5)
        results.append((SIXTH, after))
    return results


def one_shot(S: int, AV: int, p: Fraction, dice: int, natural: bool) -> Callable:
    def shot(state):
        hp, cracks, weapons, down = state
        if down:
            return [(Fraction(1), state)]
        results = [(1 - p, state)]
        for faces in product(FACES, repeat=dice):
            reach, q = S + sum(faces), p * SIXTH**dice
            if reach < AV:
                results.append((q, state))
            else:
                hit = "penetrating" if reach > AV else "glancing"
                results += [(q * chance, after) for chance, after in bunker_hit(hp, cracks, weapons, hit, natural)]
        return results

    return shot


@pytest.mark.parametrize(("n", "hull", "damage", "weapons"), [(1, 3, 0, 0), (3, 1, 0, 0), (4, 2, 1, 0), (3, 0, 1, 2)])
@pytest.mark.parametrize("BS", [None, 4])
@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize("armament", ["modified", "natural"])
def test_shots_at_a_bunker(n, hull, damage, weapons, BS, dice, armament):
    """A shot hits on its Ballistic Skill or less, or without a roll; then its Strength and dice meet the Armour Value."""
    p = Fraction(BS, 6) if BS else Fraction(1)
    chances = repeated((hull, damage, weapons, False), n, one_shot(8, 12, p, dice, armament == "natural"))
    expected = counted(chances, lambda state: 2 if state[3] else 1 if state[1] else 0)
    given = {"shots": n, "S": 8, "AV": 12, "hull": hull, "damage": damage, "weapons": weapons, "dice": dice}
    assert ask("shots at a bunker", **given, armament_roll=armament, **({"BS": BS} if BS else {})) == expected


@pytest.mark.parametrize(("hull", "damage", "hits"), [(3, 1, "pp"), (1, 2, "gg"), (0, 0, "g"), (2, 0, "gpg")])
def test_hits_on_a_bunker_that_is_damaged_already(hull, damage, hits):
    chances = {(hull, damage, 0, False): Fraction(1)}
    for letter in hits:
        hit = {"g": "glancing", "p": "penetrating"}[letter]
        after = Counter()
        for state, chance in chances.items():
            for more, left in [(Fraction(1), state)] if state[3] else bunker_hit(*state[:3], hit):
                after[left] += chance * more
        chances = after
    down = sum(chance for state, chance in chances.items() if state[3])
    assert ask("hits on a bunker", hull=hull, hits=hits, damage=damage) == down


@pytest.mark.parametrize(
    ("way", "modifiers", "gets_in"),
    [
        ("opening", 0, Fraction(3, 6)),
        ("opening", -1, Fraction(2, 6)),
        ("port", 0, Fraction(1, 12)),
        ("port", 1, Fraction(2, 12)),
    ],
)
def test_several_grenades_at_an_opening_or_a_port(way, modifiers, gets_in):
    """BS 4: 3 or less at an opening, 1 at a port, of which half go through. Each hits all who are left inside.

    Strength 3 wounds Toughness 3 half the time, and a save of 5+ fails four times in six.
    """

    def grenade(left):
        wounds = by_count(left, Fraction(1, 2) * Fraction(4, 6)).items()
        return [(1 - gets_in, left), *((gets_in * chance, left - k) for k, chance in wounds)]

    expected = counted(repeated(3, 2, grenade), lambda left: 3 - left)
    given = {"BS": 4, "grenades": 2, "way": way, "modifiers": modifiers, "occupants": 3, "S": 3, "T": 3, "save": 5}
    assert ask("wounds by grenades from outside", **given) == expected


@pytest.mark.parametrize(("AV", "modifier", "given"), [(14, 0, {}), (11, 1, {"AP": 2}), (3, 2, {"AP": 1}), (2, -1, {})])
@pytest.mark.parametrize("hits", [1, 2, 3])
def test_armour_that_penetrating_hits_leave(AV, modifier, given, hits):
    """Breach, 0 to 1: one point; Catastrophic Breach, 5: D3; 6 and above, and walls of nothing: the building is down."""

    def hit(before):
        if before == 0:
            return [(Fraction(1), 0)]
        results = []
        for face in FACES:
            total = face + modifier
            if total >= 6:
                results.append((SIXTH, 0))
            elif total == 5:
                results += [(SIXTH / 3, max(before - lost, 0)) for lost in (1, 2, 3)]
            else:
                results.append((SIXTH, before - 1 if total <= 1 else before))
        return results

    bulwark = {"mighty_bulwark": "yes"} if modifier < 0 else {}
    asked = ask("Armour Value after penetrating hits", AV=AV, hits=hits, **given, **bulwark)
    assert asked == repeated(AV, hits, hit)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("shots at a bunker", {"shots": 21, "S": 8, "AV": 12, "hull": 3}, "shots cannot be 21; expected 0 to 20"),
        ("shots at a bunker", {"shots": 2, "S": 8, "hull": 3}, "expected AV="),
        ("hits on the structure", {"n": 99, "S": 8, "building_class": "defensible"}, "n cannot be 99"),
    ],
)
def test_counts_that_are_refused(name, given, message):
    with pytest.raises(CasemateError, match=message):
        ask(name, **given)
