"""A question with inputs to try: small numbers, the first of words, and what it answers to them."""

from analysis.odds import Asked, ask
from sims.errors import CasemateError
from sims.inputs import Input
from sims.questions import Question, alias

TRIED = (4, 3, 2, 5, 6, 8)
"""The numbers that are tried for all inputs at once, one after the other, until there is an answer."""


def sample(question: Question) -> Asked | None:
    """Return a question asked with what it cannot do without; None where it takes what nobody can guess."""
    for number in TRIED:
        given = [f"{each.name}={_value(each, number)}" for each in question.inputs.values() if each.required]
        try:
            return ask(alias(question), given)
        except CasemateError:
            continue
    return None


def _value(of: Input, number: int) -> str:
    """Return a value of an input: its first word, or a number within its bounds."""
    if of.choices and int not in of.kinds:
        return of.choices[0]
    if bool in of.kinds:
        return "yes"
    bounds = of.number
    if bounds and bounds.least is not None and bounds.most is not None:
        number = min(max(number, bounds.least), bounds.most)
    return str(number)
