"""A receipt in full: what moves, which part of the change does that, what it is worth, and what would undo it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.deciding import receipt_words, remedies
from analysis.deciding.explain import Part, Sharing
from analysis.deciding.receipt import A_POINT, Receipt, receipt, shares
from analysis.deciding.receipt_best import best_play_words
from analysis.deciding.receipt_opening import by_plans, example, first_word, gain, more_words
from analysis.deciding.receipt_words import Weights, weights_of
from analysis.points.plans import own_plans
from analysis.points.point import How, Played
from analysis.points.suite import Game
from analysis.say.blocks import Block, Heading
from sims.engines import Progress
from sims.errors import CasemateError
from sims.rulesets import RuleSet
from sims.scenario import load_scenario


@dataclass(frozen=True)
class Account:
    """All that is told of a receipt.

    Attributes:
        parts: The parts that the change is shared over, if these are few.
        shares: What each of them does, by game.
        weights: What the change is worth in models, if it moves anything.
        undo: Which other values would put the balance back where it has moved most, if that was asked.
        best_play: What the change does to best play, in words.
    """

    receipt: Receipt
    parts: Sequence[Part]
    shares: Mapping[Game, Sharing]
    weights: Weights | None
    undo: remedies.Remedies | None
    best_play: Sequence[str]

    @property
    def opening(self) -> list[str]:
        """What it opens with."""
        return [*self.best_play, first_word(self.receipt), *more_words(self.receipt)]

    def blocks(self, names: tuple[str, str]) -> Iterator[Block]:
        """Yield the rest, by what both sets of rules are called on the command line."""
        yield from receipt_words.blocks(self.receipt, self.parts, self.shares, self.weights, names)
        if self.undo:
            yield Heading("To put it back")
            yield from remedies.blocks(self.undo)

    @property
    def data(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        undo = remedies.as_data(self.undo) if self.undo else None
        told = receipt_words.as_data(self.receipt, self.parts, self.shares, self.weights)
        return told | {"undo": undo, "best_play": [*self.best_play]}


def early_word(
    before: RuleSet, after: RuleSet, games: Sequence[Game], how: How, known: Played, *, workers: int = 1
) -> str | None:
    """Return what moves most under the scenarios' own plans, which are soon played; None if it is not certain yet."""
    own = [game for game in games if game.plans == own_plans(load_scenario(game.scenario))]
    found = receipt(after, before, own, how=how, known=known, workers=workers)
    most = max(found.lines, key=lambda line: abs(gain(line)), default=None)
    if most is None or found.sampled or abs(gain(most)) < 100 * A_POINT:
        return None
    said = example(most)
    return f"So far, {by_plans(found)}: {said[0].lower()}{said[1:]}"


def account(
    before: RuleSet,
    after: RuleSet,
    games: Sequence[Game],
    how: How,
    known: Played,
    *,
    undo: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> Account:
    """Play a suite under two sets of rules, and gather all that is told of the difference.

    Raises:
        CasemateError: If the two are not of one kind, or nothing can be played.
    """
    found = receipt(after, before, games, how=how, known=known, workers=workers, progress=progress)
    if found.refused and not found.lines:
        raise CasemateError(next(iter(found.refused.values())))
    moved = [line for line in found.lines if line.moves()]
    parts, shared = shares(found, moved, known, workers=workers)
    weights = weights_of(found, known)
    back = _undoing(found, weights, known, workers, progress) if undo and weights else None
    return Account(found, parts, shared, weights, back, [*best_play_words(found)])


def _undoing(
    found: Receipt, weights: Weights, known: Played, workers: int, progress: Progress | None
) -> remedies.Remedies:
    """Return what a designer would turn first to put back the game that has moved most, and its side effects."""
    line, end, _ = weights
    others = [one.point.under(found.after) for one in found.lines if one.own and one is not line]
    wanted, target = line.point.under(found.after), line.before[end].value
    return remedies.levers(wanted, end, target, others, known, workers=workers, progress=progress)
