"""A question with inputs to try: small numbers, the first of words, and what it answers to them."""

import re

from analysis.odds import Asked, ask
from sims.errors import CasemateError
from sims.inputs import Input
from sims.questions import Question, alias

TRIED = (4, 3, 2, 5, 6, 8)
"""The numbers that are tried for all inputs at once, one after the other, until there is an answer."""


def sample(question: Question, rule: str) -> Asked | None:
    """Return a question asked with what it cannot do without; None where it takes what nobody can guess.

    Parameters
    ----------
    question : Question
    rule : str
        What is to be seen in the answer: where it names a value of an input ("BS 6 or more"), that is asked.
    """
    named = _named(question, rule)
    for number in TRIED:
        inputs = {each.name: _value(each, number) for each in question.inputs.values() if each.required}
        try:
            return ask(alias(question), [f"{name}={value}" for name, value in (inputs | named).items()])
        except CasemateError:
            continue
    return None


def _named(question: Question, rule: str) -> dict[str, str]:
    """Return the first number that stands behind the name of an input in a rule, by inputs."""
    found = {name: re.search(rf"\b{name} ?(\d+)\b", rule) for name in question.inputs}
    return {name: match[1] for name, match in found.items() if match}


def _value(of: Input, number: int) -> str:
    """Return a value of an input: a number where it may be one, else yes, or its first word."""
    if of.choices and int not in of.kinds:
        return of.choices[0]
    return "yes" if bool in of.kinds else str(number)
