"""What changes in an assault, and what does not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, takewhile
from types import MappingProxyType
from typing import Self

import numpy as np

from sims.dice import Bools, Ints
from sims.forces import Models, by_body, chosen, standing, together, total, without
from sims.rulesets.realm_of_chaos.book import Burns, FabricName, RealmOfChaos
from sims.rulesets.realm_of_chaos.sections import Party, Plan
from sims.scenario import Scenario, Side
from sims.state import State, code, codes, count, counts, flag, number

ATTACKERS, DEFENDERS = 1, -1
"""Who won a round, or routs; 0 is neither."""

OTHER: dict[Side, Side] = {"attackers": "defenders", "defenders": "attackers"}

INSIDE: dict[Side, str] = {"attackers": "inside", "defenders": "garrison"}
TALL: dict[Side, str] = {"attackers": "tall", "defenders": "tall_garrison"}
OUTSIDE: dict[Side, str] = {"attackers": "outside", "defenders": "out"}
"""The fields of the state that count a side: in the building, those of them over 10 feet, and outside."""

LEVEL = 2
"""How there is a fight in a section: on a level, or this and who stood higher as it began; 0 is no fight."""

SECTION, NEIGHBOURS = 1, 2
"""What falls: the ground section of the front with all above it, a column; the columns beside it too."""

Places = tuple[Ints, ...]
"""A number for each section of the building, in the order of `Plan.sections`; or for each of its columns."""


@dataclass(frozen=True, kw_only=True)
class Siege(State):
    """The state of an assault; every array is ``[..., R]``.

    Both sides are counted by section, in the order of `Plan.sections`. Damage, fire and what they lead to are those of
    the ground section of the front: the first column that stands, in the order of `Plan.fronts`. What is known of it
    begins anew where the next column takes its place.

    Models are counted, not told apart: who falls is settled, so how many of each kind are left follows from the count
    but for those below; the leader and special models are the first through a door and on to the enemy, those of the
    garrison nearest to the doors.
    """

    outside: Ints = count("attackers outside")
    inside: Places = counts("attackers in {part}", close=True)
    tall: Places = counts("very tall attackers in {part}")  # they are among those inside; nothing where nobody is
    garrison: Places = counts("defenders in {part}")
    tall_garrison: Places = counts("very tall defenders in {part}")  # likewise
    # Each side by group, where that does not follow from their number: attackers unless they are alike and the owner
    # gives them up, for another of those outside then steps in; a garrison of several groups always.
    attackers_kinds: Models
    defenders_kinds: Models
    attackers_begun: Models  # how many ordinary models there were at the start, see `forces.begun`
    defenders_begun: Models
    attackers_hurt: Ints = count("wounds on the attackers' hurt model")
    defenders_hurt: Ints = count("wounds on the defenders' hurt model")
    # Of each body but the ordinary models, who have those above; nothing where all of a side are alike.
    attackers_others_hurt: Models = counts("wounds on the attackers' leader and specials")
    defenders_others_hurt: Models = counts("wounds on the defenders' leader and specials")
    # From the attackers outside; to defenders in the open who have walked towards them.
    distance: Ints = count("inches to the building")
    moved: Ints = flag("the attackers have moved")  # in this turn
    fired: Places = counts("defenders who fired from {part}")  # in their last turn
    damage: Ints = count("points of damage on the section")  # no more are counted than change anything
    tested: Ints = flag()  # it has been rolled for since its last damage; only kept where one test is all there is
    unsafe: Ints = flag("the section is unsafe")
    unstable: Ints = flag("the section is unstable")
    unsound: Ints = flag("the section is unsound")
    falling: Ints = code({SECTION: "the section falls", NEIGHBOURS: "the section falls, and the columns beside it"})
    fight: Places = codes(  # in this player turn
        {
            LEVEL: "they fight in {part}",
            LEVEL + ATTACKERS: "they fight in {part}, and the attackers stood higher",
            LEVEL + DEFENDERS: "they fight in {part}, and the defenders stood higher",
        }
    )
    margin: Ints = number("the attackers are ahead by {}", "the defenders are ahead by {}")  # 0 outside a fight
    # Of the last round, if the fight goes on.
    winner: Ints = code({ATTACKERS: "the attackers have won the round", DEFENDERS: "the defenders have won the round"})
    out: Ints = count("defenders in the open", after="garrison", otherwise="the garrison is in the building")
    open: Ints = flag("the two sides fight in the open")
    charged: Ints = code()  # who charged in the open in this player turn; 0 is neither
    scorched: Ints = count()  # damage by flames in this player turn, until it is seen whether the section burns
    burning: Ints = code({0: "the fire is out", 1: "the section is on fire"})
    routing: Ints = code({ATTACKERS: "the attackers rout", DEFENDERS: "the defenders rout"})  # not hacked at yet
    stands: Places = codes({0: "column {part} has fallen"})  # 1 for each column that stands
    broken: Ints = flag("the attackers have broken")
    driven_out: Ints = flag("the defenders have left the building")

    rolls = MappingProxyType(
        {
            "accidental fire": {0: "nothing catches fire", 1: "the section catches fire"},
            "fire check": {0: "the section does not burn", 1: "the section catches fire"},
        }
    )

    def hurt(self, side: Side) -> Models:
        """Return the wounds that one model of each body of a side carries."""
        return (*getattr(self, f"{side}_others_hurt"), getattr(self, f"{side}_hurt"))

    def with_hurt(self, side: Side, hurt: Models) -> Self:
        """Return the state with such wounds."""
        return self.replace(**{f"{side}_others_hurt": hurt[:-1], f"{side}_hurt": hurt[-1]})

    @property
    def entered(self) -> Ints:
        """Attackers inside."""
        return total(self.inside)

    @property
    def attackers(self) -> Ints:
        """Attackers left."""
        return self.outside + self.entered

    @property
    def within(self) -> Ints:
        """Defenders in the building."""
        return total(self.garrison)

    @property
    def defenders(self) -> Ints:
        """Defenders left."""
        return self.within + self.out

    @property
    def fights(self) -> Bools:
        """Whether there is a fight inside in this player turn."""
        return total(self.fight) > 0

    @property
    def contested(self) -> list[Bools]:
        """Where both sides are in a section."""
        return [(ours > 0) & (theirs > 0) for ours, theirs in zip(self.inside, self.garrison, strict=True)]

    @property
    def has_fired(self) -> Bools:
        """Whether defenders fired from the building in their last turn."""
        return total(self.fired) > 0


@dataclass(frozen=True)
class Scene:
    """A scenario in the words of these rules.

    Attributes:
        book: The book in force.
        plan: The sections of the building.
        parties: Of each side, those who are counted together inside.
        walls: The class of its walls.
        burns: Where they catch fire: anywhere, within, or nowhere.
        shooters, burners, strikers: The attackers' groups whose shots, whose flames, or whose blows can hurt the walls.
        carriers: Those who carry fire into a building.
        keepers: The garrison's groups that carry fire from section to section.
        besiegers: The groups that can bring the walls down, under a plan to do so.
        torches: Attackers mean to hold fire to the walls from outside.
        carry_in: Attackers mean to carry fire in.
        order_in: The order in which the attackers' groups go in.
        halt: Inches from the walls at which attackers who do not storm halt.
        order: The attackers' and the defenders' groups that strike together, in the order of blows.
    """

    scenario: Scenario
    book: RealmOfChaos
    plan: Plan
    parties: Mapping[Side, tuple[Party, ...]]
    walls: FabricName
    burns: Burns
    order: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    shooters: tuple[int, ...] = ()
    burners: tuple[int, ...] = ()
    strikers: tuple[int, ...] = ()
    carriers: tuple[int, ...] = ()
    keepers: tuple[int, ...] = ()
    besiegers: tuple[int, ...] = ()
    torches: bool = False
    carry_in: bool = False
    order_in: tuple[int, ...] = ()
    halt: int = 0

    def standing(self, state: Siege, side: Side) -> Models:
        """Return a side, by group."""
        kinds: Models = getattr(state, f"{side}_kinds")
        if kinds:
            return kinds
        force, left = getattr(self.scenario, side), getattr(state, side)
        return standing(self.book.game.rulings.who_falls, force, left)

    def with_standing(self, state: Siege, side: Side, models: Models) -> Siege:
        """Return the state with so many of each group of a side left.

        Attackers are missing, or come, outside, then in the sections nearest to the doors; defenders in those farthest
        from them, as far as there is room, and else in the open.
        """
        living = by_body(getattr(self.scenario, side), models)
        left = tuple(total(of_party(party, models)) for party in self.parties[side])
        inside = left if side == "attackers" else without(left, self.kept_outside(state, left))
        state = state.with_hurt(side, tuple(n * (m > 0) for n, m in zip(state.hurt(side), living, strict=True)))
        if getattr(state, f"{side}_kinds"):
            state = state.replace(**{f"{side}_kinds": models})
        rows, by_party = self.plan.deepest_first if side == "attackers" else self.plan.inwards, list[Places]()
        for party, places, n in zip(self.parties[side], self.counted(state, side), inside, strict=True):
            fit = tuple(np.maximum(there, 0) * (i not in party.plan.closed) for i, there in enumerate(places))
            by_party.append(chosen(fit, n, rows))
        if side == "defenders":
            by_party = self.joined(state, by_party, without(inside, tuple(map(total, by_party))))
        after = self.recounted(state, side, by_party)
        return after.replace(**{OUTSIDE[side]: total(models) - total(places_of(after, side))})

    def kept_outside(self, state: Siege, left: Models) -> Models:
        """Return how many of each party of the garrison are in the open, as far as so many are left of it.

        They are as many in all as the state says, those up to 10 feet the first of them.
        """
        out = tuple(np.clip(n, 0, most) for n, most in zip(self.out_by_party(state, "defenders"), left, strict=True))
        more, kept = np.minimum(state.out, total(left)) - total(out), list[Ints]()
        for away, most in zip(out, left, strict=True):
            kept.append(np.clip(away + more, 0, most))
            more = more - (kept[-1] - away)
        return tuple(kept)

    def joined(self, state: Siege, by_party: list[Places], more: Models) -> list[Places]:
        """Return where the garrison is, by party, if more of each come in as far from the doors as there is room."""
        room, by_party = self.book.tables.sections.models, [*by_party]
        for nth, (party, coming) in enumerate(zip(self.parties["defenders"], more, strict=True)):
            taken = self.places_taken(self.recounted(state, "defenders", by_party), "defenders")
            fit = (np.maximum(room - n, 0) // each for n, each in zip(taken, party.places, strict=True))
            open_to = (state.stands[c] * (i in party.plan.within_reach) for i, (c, _) in enumerate(self.plan.sections))
            free = tuple(n * may for n, may in zip(fit, open_to, strict=True))
            by_party[nth] = together(by_party[nth], chosen(free, coming, self.plan.deepest_first))
        return by_party

    def counted(self, state: Siege, side: Side) -> tuple[Places, ...]:
        """Return how many of each party of a side are in each section."""
        places, tall = places_of(state, side), getattr(state, TALL[side])
        return (places,) if len(self.parties[side]) == 1 else (without(places, tall), tall)

    def recounted(self, state: Siege, side: Side, by_party: Sequence[Places]) -> Siege:
        """Return the state where so many of each party of a side are in each section."""
        after = state.replace(**{INSIDE[side]: reduce(together, by_party)})
        return after.replace(**{TALL[side]: by_party[-1]}) if len(by_party) > 1 else after

    def places_taken(self, state: Siege, side: Side) -> Places:
        """Return for how many models a side counts in each section: who is over 10 feet counts as several (RC-005)."""
        places, *tall = self.counted(state, side)
        for party, own in zip(self.parties[side][1:], tall, strict=True):
            places = tuple(n + more * each for n, more, each in zip(places, own, party.places, strict=True))
        return places

    def in_order(self, side: Side) -> Sequence[int]:
        """Return the groups of a side in the order in which they go in, or come out."""
        return self.order_in if side == "attackers" else range(len(self.scenario.defenders.groups))

    def in_turn(self, side: Side) -> Iterator[tuple[int, list[int]]]:
        """Yield a side in that order: the number of a party, and those groups of it."""
        party_of = {i: nth for nth, party in enumerate(self.parties[side]) for i in party.groups}
        for nth, groups in groupby(self.in_order(side), party_of.__getitem__):
            yield nth, [*groups]

    def inside(self, state: Siege, side: Side, section: int) -> Models:
        """Return who of a side is in a section, by group.

        Of each party the first of the attackers have come farthest; the first of the garrison are in the open, then
        nearest to the doors.
        """
        attacking = side == "attackers"
        rows = self.plan.deepest_first if attacking else self.plan.inwards
        nearer, found, standing = [*takewhile(lambda i: i != section, rows)], list[Models](), self.standing(state, side)
        out = self.out_by_party(state, side)
        for party, places, away in zip(self.parties[side], self.counted(state, side), out, strict=True):
            before = sum((places[i] for i in nearer), 0 * away if attacking else away)
            found.append(stretch(of_party(party, standing), before, places[section], self.in_order(side)))
        return reduce(together, found)

    def outside(self, state: Siege, side: Side) -> Models:
        """Return who of a side is outside, by group."""
        standing, parties = self.standing(state, side), self.parties[side]
        order = self.in_order(side)[::-1] if side == "attackers" else self.in_order(side)
        away = zip(parties, self.out_by_party(state, side), strict=True)
        return reduce(together, (chosen(of_party(party, standing), n, order) for party, n in away))

    def left(self, state: Siege, side: Side) -> tuple[Ints, ...]:
        """Return how many of each party of a side are left."""
        if len(self.parties[side]) == 1:
            return (getattr(state, side),)
        standing = self.standing(state, side)
        return tuple(total(of_party(party, standing)) for party in self.parties[side])

    def out_by_party(self, state: Siege, side: Side) -> tuple[Ints, ...]:
        """Return how many of each party of a side are outside."""
        if len(self.parties[side]) == 1:
            return (getattr(state, OUTSIDE[side]),)
        return without(self.left(state, side), tuple(map(total, self.counted(state, side))))

    def taken_away(
        self, before: Siege, after: Siege, side: Side, where: Mapping[int, Bools | int], fallen: Ints
    ) -> Siege:
        """Return the state after models that have fallen are taken from where they stood.

        Args:
            before: The state before they fell.
            where: Of each of some sections, whether they fell there.
            fallen: How many.
        """
        by_party, lost = list[Places](), self.lost_by_party(before, after, side, fallen)
        for places, n in zip(self.counted(before, side), lost, strict=True):
            for section, there in where.items():
                places = put(places, section, places[section] - n * there)
            by_party.append(places)
        return self.recounted(after, side, by_party)

    def lost_by_party(self, before: Siege, after: Siege, side: Side, fallen: Ints) -> tuple[Ints, ...]:
        """Return how many of each party of a side have fallen between two states; one party has lost all that fell."""
        parties = self.parties[side]
        if len(parties) == 1:
            return (fallen,)
        were, are = self.standing(before, side), self.standing(after, side)
        return tuple(total(of_party(party, were)) - total(of_party(party, are)) for party in parties)

    def fronts(self, state: Siege) -> list[Bools]:
        """Return of each column whether it is the front: the first that stands."""
        found, before = [np.zeros(1, dtype=np.bool_)] * len(self.plan.columns), np.zeros(1, dtype=np.bool_)
        for column in self.plan.fronts:
            stands = state.stands[column] > 0
            found[column], before = stands & ~before, before | stands
        return found

    def at_front(self, state: Siege, places: Places) -> Ints:
        """Return what stands in the ground section of the front, 0 if the building has fallen."""
        return total(tuple(places[i] * front for i, front in zip(self.plan.ground, self.fronts(state), strict=True)))

    def kinds_at_front(self, state: Siege, side: Side) -> Models:
        """Return who of a side is in the ground section of the front, by group."""
        fronts = zip(self.plan.ground, self.fronts(state), strict=True)
        return reduce(together, (tuple(n * front for n in self.inside(state, side, i)) for i, front in fronts))


def of_party(party: Party, models: Models) -> Models:
    """Return the models of one party of a side, in the order of all groups: nobody of the others."""
    if len(party.groups) == len(models):
        return models
    return tuple(n * (i in party.groups) for i, n in enumerate(models))


def stretch(models: Models, before: Ints, n: Ints, order: Sequence[int]) -> Models:
    """Return some of a side by group, before whom so many come in an order of preference."""
    return without(chosen(models, before + n, order), chosen(models, before, order))


def put(places: Places, section: int, n: Ints) -> Places:
    """Return how many stand in each section, where it is other in one."""
    return (*places[:section], n, *places[section + 1 :])


def places_of(state: Siege, side: Side) -> Places:
    """Return where a side is in the building, by section."""
    places: Places = getattr(state, INSIDE[side])
    return places


def anywhere(truths: Iterable[Bools]) -> Bools:
    """Return whether something is so in any section."""
    return reduce(np.logical_or, truths)
