"""Firing ports of a bunker: whether their shutters are open, and the shots that pass them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sims.dice import PMF, Bools, Draw, Ints, Test, Volley, compound
from sims.dice.mechanics import Cast, scoped
from sims.dice.source import Argument
from sims.dice.telling import Face, d6, signed, thrown, told_test
from sims.games.arap import shooting
from sims.games.arap.rolls.hits import Modifiers, hit
from sims.games.arap.rolls.wounds import NO_SAVE, SaveGoal, Saves, hurt, wound_goal
from sims.games.arap.shooting import Salvo
from sims.inputs import Count, Skill, Strength, Toughness
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini


def port_open(book: Gemini, fired: Argument, just_now: Argument, shuttered: bool = True) -> Bools:
    """Return whether ports stand open: shutters do if the garrison has fired from them, ever or just now (GB-149)."""
    ruling = book.rulings.shutters
    if ruling("none") or not shuttered:
        return np.ones_like(fired, dtype=np.bool_)
    return np.asarray((fired if ruling("stay_open") else just_now) > 0)


@asks("GB-149", name="shuttered ports")
def ports_can_be_hit(
    book: Gemini, shuttered: bool = True, fired: Literal["never", "last turn", "earlier"] = "never"
) -> Bools:
    """Return whether a port can be shot through (GB-149).

    Args:
        shuttered: Whether it has shutters.
        fired: When the occupants fired from it.
    """
    return port_open(book, fired != "never", fired == "last turn", shuttered)


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
    aimed = shooting.thrown if grenade else hit
    return aimed(book.game, BS, modifiers + port_modifier(book))


@dataclass(frozen=True)
class AtPort:
    """Shots at a firing port: of the hits only one in so many passes, counted in all or for each model (GB-145).

    Arguments: models, shots of each, then a target for each test, the first of which is the roll to hit.
    """

    tests: tuple[Test, ...]
    halved: int
    pooled: bool
    who: str = field(default="", compare=False)

    @property
    def arity(self) -> int:
        """Return two more than the number of tests."""
        return 2 + len(self.tests)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of what passes every test."""
        models, each, *targets = arguments
        hit = PMF.chance(self.tests[0].chance(targets[0]))
        if self.pooled:
            through = (models * each @ hit).map(lambda hits: hits // self.halved)
        else:
            through = models @ (each @ hit).map(lambda hits: hits // self.halved)
        return compound(through, Volley(self.tests[1:]).pmf(1, *targets[1:]))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw to hit, halve, and throw for the rest."""
        models, each, *targets = arguments
        most, deep = int(np.max(models, initial=0)), int(np.max(each, initial=0))
        if self.pooled:
            through = Volley(self.tests[:1]).throw(cast, models * each, targets[0]) // self.halved
        else:
            throws = (
                Volley(self.tests[:1]).throw(scoped(cast, f"model {i}"), np.where(models > i, each, 0), targets[0])
                for i in range(most if deep else 0)
            )
            through = sum((hits // self.halved for hits in throws), start=np.zeros_like(models))
        return Volley(self.tests[1:]).throw(scoped(cast, "through"), through, *targets[1:])

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the rolls to hit and how many go through, then the rest as of any volley."""
        return signed(self.who, self._lines(face, *arguments))

    def _lines(self, face: Face, *arguments: int) -> Iterator[str]:
        models, each, to, *targets = arguments
        test, rolls, through = self.tests[0], list[tuple[str, bool]](), 0
        counted = [("", models * each)] if self.pooled else [(f"model {i}: ", each) for i in range(models)]
        for of, n in counted:
            own = [thrown(test, to, d6(face, f"{of}0 {test.name}", row)) for row in range(n)]
            through += sum(hit for _, hit in own) // self.halved
            rolls += own
        if rolls:
            yield f"{told_test(self.tests, 0, to, rolls)}; one in {self.halved} goes through the port: {through}"
        yield from Volley(self.tests[1:]).tell(scoped(face, "through"), through, *targets)


def at_port(book: Gemini, salvo: Salvo) -> Draw:
    """Return a salvo at the ports of a bunker, the hits of like weapons being halved (GB-145)."""
    pooled = book.rulings.halved_hits("pooled")
    mechanic = AtPort(salvo.shot.tests, book.tables.ports.halved, pooled, salvo.who)
    return Draw(mechanic, (salvo.models, salvo.shots, *salvo.shot.arguments[1:]))


@asks("GB-145", name="hits at a firing port", needs=("ARAP-005", "ARAP-011"))
def port_hits(
    book: Gemini,
    shots: Count,
    BS: Skill,
    modifiers: Modifiers = 0,
    S: Strength = 0,
    T: Toughness = 0,
    save: SaveGoal = NO_SAVE,
) -> Draw:
    """Return how many of a unit's shots pass a firing port, or wound behind it without being saved (GB-145).

    Args:
        shots: In one shooting action, one for each model.
        BS: Ballistic Skill.
        modifiers: Other than that of the port.
        S: Strength of the shots; 0 to count hits.
        T: Toughness of those inside.
        save: Their save, or none.
    """
    shot = hit(book.game, BS, modifiers + port_modifier(book))
    if S:
        shot = shot.then(hurt(book.game, wound_goal(book.game, S, T), Saves(save)))
    return at_port(book, Salvo("", shots, 1, shot))
