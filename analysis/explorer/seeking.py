"""Best play, found in a process of its own: the panel stays usable, and what nobody waits for any more is ended."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection

from analysis.best_play import words as best_words
from analysis.best_play.best import Best, Question, Refused, best_of
from analysis.explorer.asked import Asked
from analysis.say.blocks import Block
from sims.errors import CasemateError

LOOK = 0.05
"""Seconds between two looks at whether the process has told anything."""

Told = float | Sequence[Block]
"""How much of the work is done, from 0 to 1, or all that is found so far."""


async def found(asked: Asked) -> AsyncGenerator[Told, None]:
    """Yield how far it is, and what is found whenever a set of rules has been answered.

    Raises:
        CasemateError: If something cannot be played, or the process ends early.
    """
    context = get_context("spawn")
    told, tells = context.Pipe(duplex=False)
    process = context.Process(target=_find, args=(asked, tells), daemon=True)
    with told:
        with tells:
            process.start()
        try:
            for _ in asked.rules:
                while isinstance(one := await _next(told), float):
                    yield one
                yield one
        finally:
            process.kill()
            process.join()
            process.close()


async def _next(told: Connection) -> Told:
    """Return what the process tells next."""
    while not told.poll():
        await asyncio.sleep(LOOK)
    try:
        one = told.recv()
    except EOFError:
        raise CasemateError("what looked for best play has been ended; is there too little memory?") from None
    if isinstance(one, CasemateError):
        raise one
    return one


def _find(asked: Asked, tells: Connection) -> None:
    """Tell what best play is, one set of rules after the other, and how far that is."""
    answers = list[Best | Refused]()

    def tell(done: float, of: int) -> None:
        tells.send((len(answers) + done / of) / len(asked.rules))

    try:
        question = Question(asked.game())
        for rules in asked.rules:
            answers.append(best_of(question, asked.rule_set(rules), tell))
            tells.send([*best_words.in_short(question, answers)])
    except CasemateError as error:
        tells.send(error)
