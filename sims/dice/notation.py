"""Dice as players write them, read into distributions.

Capitals do not matter and spaces may stand between any two parts. The grammar, with the literal signs in quotes::

    notation = scatter | volley | sum
    scatter  = "scatter" | "scatter, double or 7" | "scatter only" | "scatter" ("-" | "+") number
             | "short scatter" | "short scatter only" | "three-dice scatter" | "veer" | "crazed animal"
    volley   = test | sum ("@" test)+
    test     = target ["reroll"] | high "reroll" "1" | "Ld" number ["reroll"]
    target   = high | number "-" | "1/3-" | "1/2-" | "1/1"
    high     = number "+" | "6/4+" | "6/5+" | "6/6"
    sum      = term (("+" | "-") term)*
    term     = number | [number "x"] dice | dice "x" number
    dice     = [number] "D" number | [number] "AvD" | "D66"
             | "R" number "D" number "P" number ("up" | "down" | "↑" | "↓")

``2D6`` adds up two dice, ``5xD3`` (or ``D3x5``) multiplies one, ``R3D6P2 up`` adds up the two highest of three.
``D66`` reads two dice as tens and units and is never added up; ``AvD`` is an average die. ``scatter-4`` is scatter with
BS 4 subtracted, ``scatter+1`` that with a BS of -1.

A target is one success (1) or none (0): ``4+`` a high roll and ``4-`` a low one, with their natural 1 and 6, ``6/4+``
to ``6/6`` and ``1/3-`` to ``1/1`` the rolls that a second die confirms (which ``7+`` to ``9+`` and ``0-`` mean too). A
volley counts successes: ``10@4-@3+`` is ten attacks that hit on 4 or less and wound on 3 or more. ``Ld8`` is a test of
Leadership 8, 2D6 equal or under, of which a double 1 always passes. ``reroll`` takes a failed test once more,
``reroll 1`` a high roll whose first die shows a 1.
"""

import re
from fractions import Fraction
from functools import cache

from sims.dice import die
from sims.dice.die import Die
from sims.dice.pmf import PMF, compound, keep
from sims.dice.targets import HIGH, LEADERSHIP, LOW, Test
from sims.errors import CasemateError

MAX_TEXT = 80
"""The longest notation that is read."""
MAX_DIGITS = 9
MAX_SIDES = 1000

_NAMED = {
    named.name: named.pmf
    for named in (
        die.SCATTER,
        die.SCATTER_AS_GW,
        die.SCATTER_ONLY,
        die.SHORT_SCATTER,
        die.SHORT_SCATTER_ONLY,
        die.SCATTER_THREE,
        die.VEER,
        die.CRAZED,
    )
}
_CONFIRMED = {
    ("6", "/", "4", "+"): (HIGH, 7),
    ("6", "/", "5", "+"): (HIGH, 8),
    ("6", "/", "6"): (HIGH, 9),
    ("1", "/", "3", "-"): (LOW, 0),
    ("1", "/", "2", "-"): (LOW, -1),
    ("1", "/", "1"): (LOW, -2),
}
MOST_DICE = 6
"""The most dice that `parse_die` reads."""
MOST_TOTAL = 60
"""The highest total that `parse_die` reads."""
_DIE = re.compile(
    r"(?P<number>\d{1,3})|(?:(?P<count>\d{0,3})(?P<kind>d2|d3|d6|d10|avd)"
    r"|r(?P<thrown>\d{1,3})d6p(?P<kept>\d{1,3})(?P<way>up|down|↑|↓))(?P<more>[+-]\d{1,3})?"
)
_PART = re.compile(r"\s*(\d+|avd|up|down|ld|re-?roll|\S)")
_ARROWS = {"up": True, "↑": True, "down": False, "↓": False}


EXAMPLES = {
    "D6": "a die; D3, D10, any number of sides",
    "2D6": "two dice added up",
    "2D6-4": "with a number taken off, or added; dice are added in the same way: D6+D3",
    "5xD3": "a die multiplied; D3x5 is the same",
    "R3D6P2 up": "the two highest of three dice; down: the two lowest",
    "D66": "two dice read as tens and units",
    "2AvD": "average dice: 2 3 3 4 4 5",
    "4+": "one roll of 4 or more: 1 for a success, 0 for none; a 1 always fails",
    "4-": "one roll of 4 or less; a 6 always fails",
    "6/4+": "a 6, then 4 or more; also 6/5+ and 6/6, or 7+ to 9+",
    "1/3-": "a 1, then 3 or less; also 1/2- and 1/1, or 0- and less",
    "Ld8": "a test of Leadership 8: 2D6 equal or under; a double 1 always passes",
    "4+ reroll": "a test that is taken once more if it fails; so are Ld8 reroll and others",
    "3+ reroll 1": "a high roll that is taken once more if it shows a 1",
    "10@4+@3+": "ten attacks: how many hit on 4 or more, and of these wound on 3 or more",
    "2D6@4+ reroll@3+": "as many attacks as dice say, whose hits are re-rolled",
    "scatter": "scatter dice, 0 for a hit; also: scatter, double or 7; scatter only; short scatter; "
    "short scatter only; three-dice scatter; veer; crazed animal",
    "scatter-4": "scatter with a Ballistic Skill of 4 taken off",
}
"""What notation there is, by examples."""


def parse_notation(text: str) -> PMF:
    """Return the distribution of dice as players write them.

    Args:
        text: Such as ``2D6-4``, ``R4D6P2 up``, ``6/4+``, ``10@4-`` or ``scatter``; the grammar is that of this module.

    Raises:
        CasemateError: If the text is not notation: what was read, where it stopped, what was expected. Also if it is
            too long, or the dice are too many for an exact distribution.

    Examples:
        >>> from sims.dice import parse_notation
        >>> parse_notation("R3D6P2 up")[12]
        Fraction(2, 27)
    """
    if len(text) > MAX_TEXT:
        raise CasemateError(f"dice notation of {len(text):,} characters is too long; expected at most {MAX_TEXT}")
    plain = " ".join(text.lower().split())
    if plain in _NAMED:
        return _NAMED[plain]
    less = re.fullmatch(r"scatter ?([+-]) ?(\d{1,9})", plain)
    if less:
        skill = int(less[2])
        return die.scatter_less(skill if less[1] == "-" else -skill).pmf
    return _Reader(text).notation()


@cache
def parse_die(text: str, D3: Die = die.D3) -> Die:
    """Return the dice that a rule throws, as players write them: those that can be thrown, not only reckoned with.

    Args:
        text: ``D6``, ``D3``, ``D2``, ``D10`` or ``AvD``, some of one kind (``2D6``), some picked from D6
            (``R3D6P2 down``), each with a number added or taken off (``D6+1``); or a number alone, which is always
            that.
        D3: How a D3 is read off a D6, which books do in different ways.

    Raises:
        CasemateError: If it is nothing of these, more than `MOST_DICE`, or a total may be negative or above
            `MOST_TOTAL`.

    Examples:
        >>> from sims.dice import parse_die
        >>> parse_die("2D6").pmf == parse_notation("2D6")
        True
    """
    found = _DIE.fullmatch("".join(text.lower().split())) if len(text) <= MAX_TEXT else None
    read = found and _dice_of(found, {"d2": die.D2, "d3": D3, "d6": die.D6, "d10": die.D10, "avd": die.AVERAGE})
    if not read:
        raise CasemateError(
            f"expected dice such as D3, 2D6, D6+1 or R3D6P2 up, at most {MOST_DICE} of them with totals from 0 to "
            f"{MOST_TOTAL}, or a number"
        )
    return read


def _dice_of(found: re.Match[str], kinds: dict[str, Die]) -> Die | None:
    """Return the dice that a text names, None if they are too many or too much."""
    part = found.groupdict()
    if part["number"]:
        number = int(part["number"])
        return die.fair(1).plus(number - 1, str(number)) if number <= MOST_TOTAL else None
    count, kept = int(part["count"] or part["thrown"] or 1), int(part["kept"] or 1)
    if not 1 <= kept <= count <= MOST_DICE:
        return None
    one, more = kinds[part["kind"] or "d6"], int(part["more"] or 0)
    rolled = one if count == 1 else count @ one
    if part["way"]:
        rolled = die.pick(count, one, kept, highest=_ARROWS[part["way"]])
    whole = rolled.plus(more, f"{rolled.name}{more:+}") if more else rolled
    return whole if whole.pmf.outcomes[0] >= 0 and whole.pmf.outcomes[-1] <= MOST_TOTAL else None


class _Reader:
    """Reads the parts of a text from left to right."""

    def __init__(self, text: str) -> None:
        found = list(_PART.finditer(text.lower()))
        self._text = text
        self._parts = [part[1] for part in found]
        self._starts = [part.start(1) for part in found]
        self._at = 0

    def notation(self) -> PMF:
        alone = self._test()
        if alone is not None and self._ended:
            return PMF.chance(alone)
        self._at = 0
        total = self._sum()
        if self._next("@"):
            total = self._volley(total)
        if not self._ended:
            raise self._error('"+", "-", "x", "@" or the end')
        return total

    def _volley(self, attacks: PMF) -> PMF:
        chance = self._needed_target()
        while self._next("@"):
            chance *= self._needed_target()
        return compound(attacks, PMF.chance(chance))

    def _needed_target(self) -> Fraction:
        chance = self._test()
        if chance is None:
            raise self._error("a target such as 3+, 4-, 6/4+ or Ld8")
        return chance

    def _test(self) -> Fraction | None:
        """Read a test with its re-roll, and return its chance; None if there is none."""
        found = self._target()
        if found is None:
            return None
        test, target = found
        chance = test.chance(target)
        if not (self._next("reroll") or self._next("re-roll")):
            return chance
        if self._peek() != "1":
            return chance + (1 - chance) * chance
        if test is not HIGH:
            raise self._error("nothing more: re-rolls of 1 are for high rolls such as 3+")
        self._at += 1
        return chance + Fraction(1, 6) * chance

    def _target(self) -> tuple[Test, int] | None:
        """Read a target if there is one."""
        for parts, found in _CONFIRMED.items():
            if self._next(*parts):
                return found
        if self._next("ld"):
            return LEADERSHIP, self._number()
        if self._peek().isdecimal():
            here = self._at
            number = self._number()
            if self._next("+"):
                return HIGH, number
            if self._next("-"):
                return LOW, number
            self._at = here
        return None

    def _sum(self) -> PMF:
        total = self._term()
        while self._peek() in {"+", "-"}:
            total = total + self._term() if self._next("+") else total - self._after("-")
        return total

    def _after(self, sign: str) -> PMF:
        self._next(sign)
        return self._term()

    def _term(self) -> PMF:
        if not self._peek().isdecimal():
            return self._times(self._dice(None))
        number = self._number(counting=self._peek(1) in {"d", "avd", "x", "×", "*"})
        if self._peek() in {"d", "avd"}:
            return self._times(self._dice(number))
        if self._next_multiply():
            return self._dice(None).map(lambda k: k * number)
        return PMF.constant(number)

    def _times(self, rolled: PMF) -> PMF:
        if not self._next_multiply():
            return rolled
        factor = self._number(counting=True)
        return rolled.map(lambda k: k * factor)

    def _next_multiply(self) -> bool:
        return self._next("x") or self._next("×") or self._next("*")

    def _dice(self, count: int | None) -> PMF:
        if self._next("avd"):
            return (count or 1) @ die.AVERAGE.pmf
        if count is None and self._next("r"):
            return self._pick()
        if count is None and self._next("d", "66"):
            return die.D66.pmf
        if not self._next("d"):
            raise self._error("dice such as 2D6, R3D6P2 up, D66 or AvD, a number, or a test such as 3+ or Ld8")
        if self._peek() == "66":
            raise self._error("the sides of dice that can be added up (D66 stands for itself, without a number)")
        return (count or 1) @ self._sides()

    def _pick(self) -> PMF:
        thrown = self._number(counting=True)
        self._need("d")
        sides = self._sides()
        self._need("p")
        here = self._at
        kept = self._number(counting=True)
        if kept > thrown:
            self._at = here
            raise self._error(f"at most the {thrown} dice thrown")
        if self._peek() not in _ARROWS:
            raise self._error("up or down")
        highest = _ARROWS[self._peek()]
        self._at += 1
        return keep(thrown, sides, kept, highest=highest)

    def _sides(self) -> PMF:
        here = self._at
        sides = self._number(counting=True)
        if sides > MAX_SIDES:
            self._at = here
            raise self._error(f"at most {MAX_SIDES} sides")
        return PMF.die(sides)

    def _number(self, *, counting: bool = False) -> int:
        """Read a number; one that counts something must not be zero."""
        part = self._peek()
        if not part.isdecimal():
            raise self._error("a number")
        if len(part) > MAX_DIGITS:
            raise self._error(f"a number of at most {MAX_DIGITS} digits")
        if counting and int(part) == 0:
            raise self._error("a number above zero")
        self._at += 1
        return int(part)

    def _need(self, part: str) -> None:
        if not self._next(part):
            raise self._error(f'"{part.upper()}"')

    def _next(self, *parts: str) -> bool:
        """Step over parts if they come next."""
        if tuple(self._parts[self._at : self._at + len(parts)]) != parts:
            return False
        self._at += len(parts)
        return True

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._parts[at] if at < len(self._parts) else ""

    @property
    def _ended(self) -> bool:
        return self._at == len(self._parts)

    def _error(self, expected: str) -> CasemateError:
        start = len(self._text) if self._ended else self._starts[self._at]
        read, rest = self._text[:start].strip(), self._text[start:].strip()
        stopped = f'stopped at "{rest}"' if rest else "stopped at the end"
        return CasemateError(f'"{self._text}" is not dice notation: read "{read}", {stopped}; expected {expected}')
