"""Answers of questions: one number asked of a distribution, and what JSON has of an answer."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Any

from sims.dice import PMF
from sims.errors import CasemateError, nearest

Number = Fraction | int
Answer = PMF | Fraction | int | bool | str | list[Any] | frozenset[Any]

_COMPARED = {">=": ge, "<=": le, "=": eq, ">": gt, "<": lt}
_CHANCE = re.compile(r"P ?\( ?(>=|<=|=|>|<) ?([+-]?\d{1,9}) ?\)", re.IGNORECASE)
_NAMED = re.compile(r"P ?\(([^()<>=]*[^\W\d][^()<>=]*)\)", re.IGNORECASE)
_BETWEEN = re.compile(r"P ?\( ?([+-]?\d{1,9}) ?\.\. ?([+-]?\d{1,9}) ?\)", re.IGNORECASE)


def reduce(answer: Answer, ask: str) -> Number:
    """Return one number that is asked of a distribution.

    Args:
        ask: ``mean``, ``variance``, ``median``, ``outcomes`` (how many there are), ``P(>=15)``, ``P(<=4)``, ``P(>3)``,
            ``P(<3)``, ``P(=7)`` or ``P(11..16)``, both ends included; ``P(pinned)`` where outcomes have names.

    Raises:
        CasemateError: If the answer is no distribution, or one of words whose mean is asked, or what is asked is none
            of these.
    """
    if not isinstance(answer, PMF):
        raise CasemateError(f'"{_plainly(ask)}" can only be asked of a distribution; the answer here is {answer}')
    if answer.of_words and _plainly(ask).lower() in ("mean", "variance", "median"):
        raise CasemateError(
            f"the outcomes are words, which have no {_plainly(ask).lower()}; expected {_chances_of(answer.names)}"
        )
    return _asked(ask, answer.names)(answer)


def check(ask: str) -> None:
    """Refuse what no distribution can be asked; whether outcomes have a name is only known of an answer.

    Raises:
        CasemateError: If `reduce` could not answer it.
    """
    _asked(ask, {0: ask} if _NAMED.fullmatch(_plainly(ask)) else {})


def _plainly(ask: str) -> str:
    return " ".join(ask.split())


def _asked(ask: str, names: Mapping[int, str]) -> Callable[[PMF], Number]:
    """Return what is asked, as a function of a distribution whose outcomes may have names."""
    wanted = _plainly(ask)
    match wanted.lower():
        case "mean":
            return lambda answer: answer.mean
        case "variance":
            return lambda answer: answer.variance
        case "median":
            return lambda answer: answer.quantile(0.5)
        case "outcomes":
            return lambda answer: len(answer.outcomes)
    if chance := _CHANCE.fullmatch(wanted):
        compared, value = _COMPARED[chance[1]], int(chance[2])
        return lambda answer: answer.where(lambda outcome: bool(compared(outcome, value)))
    if between := _BETWEEN.fullmatch(wanted):
        low, high = int(between[1]), int(between[2])
        return lambda answer: answer.where(lambda outcome: low <= outcome <= high)
    if names and (named := _NAMED.fullmatch(wanted)):
        return lambda answer: _chance_of(answer, named[1].strip())
    known = f", or {_chances_of(names)}" if names else ""
    raise CasemateError(
        f'"{wanted}" cannot be asked of a distribution; '
        f"expected mean, variance, median, outcomes, P(>=15), P(<=4), P(>3), P(<3), P(=7) or P(11..16){known}"
    )


def _chances_of(names: Mapping[int, str]) -> str:
    return f"P(...) of {', '.join(dict.fromkeys(names.values()))}"


def _chance_of(answer: PMF, name: str) -> Fraction:
    """Return the chance of the outcomes of a name."""
    names = {outcome: words.lower() for outcome, words in answer.names.items()}
    if name.lower() not in names.values():
        raise CasemateError(f'no outcome is called "{name}"; {nearest(name, {*answer.names.values()})}')
    return answer.where(lambda outcome: names.get(outcome) == name.lower())


def as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON has it.

    Returns:
        ``{"pmf": {outcome: fraction}}`` for a distribution, ``{"value": fraction, "float": number}`` for a number, and
        ``{"value": ...}`` for truth, text, lists and sets, these sorted. Fractions and numbers are text.
    """
    if isinstance(answer, PMF):
        return {"pmf": {str(outcome): str(chance) for outcome, chance in answer}}
    if isinstance(answer, Fraction | int) and not isinstance(answer, bool):
        return {"value": str(answer), "float": float(answer)}
    return {"value": _plain(answer)}


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return [_plain(item) for item in sorted(value)]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, bool | int | str) else str(value)
