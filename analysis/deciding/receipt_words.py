"""What a receipt says, in the words of players."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import join
from string import ascii_uppercase
from typing import Any

from analysis.deciding.explain import Part, Sharing
from analysis.deciding.explain_words import shares_within
from analysis.deciding.receipt import A_POINT, MOVED, Line, Receipt, Weight, parts_to_share, weigh
from analysis.deciding.receipt_opening import ENDS, by_end, largest, merge_alike
from analysis.points.plans import BEST
from analysis.points.point import Played
from analysis.points.responses import Estimate
from analysis.points.stopping import short
from analysis.points.suite import Game
from analysis.say.blocks import Block, Code, Grid, Heading
from analysis.say.engine import engine, not_enough, options
from analysis.say.numbers import listed, moved, signed, with_interval, written_shares
from analysis.say.rules import change_words, part_name, value_words, where_of
from sims.words import NOT_MODELLED, counted

MEANS = {"turns_mean": "turns", "attackers_lost_mean": "attackers lost", "defenders_lost_mean": "defenders lost"}
MOST_CHANGES = 4
"""Changes that are told beside a picture."""
Weights = tuple[Line, str, Sequence[Weight]]
"""The game that a change is weighed in, the end that it is weighed by, and what it comes to in models of each side."""


def weights_of(found: Receipt, known: Played) -> Weights | None:
    """Weigh the change in models, in the game with own plans in which one end has moved most; None if none has."""
    if not any(line.own for line in found.lines):
        return None
    move, end, line = largest(found)
    return (line, end, weigh(line, found.after, end, known)) if move >= A_POINT else None


def blocks(
    found: Receipt,
    parts: Sequence[Part],
    shares: Mapping[Game, Sharing],
    weights: Weights | None,
    names: tuple[str, str],
) -> Iterator[Block]:
    """Yield all of a receipt but its opening; `names` are what both sets of rules are called on the command line."""
    for response, heading, lines in by_end(found):
        yield from _moves(response, heading, lines)
    if found.changes:
        yield summary(found)
    if not parts and len(parts_to_share(found)) > 1 and any(line.moves() for line in found.lines):
        yield f"Which key does how much: {join(['casemate', 'explain', *names, *options(found.how)])}"
    if weights:
        yield from _weights(*weights)
    yield from _means(found)
    if shares:
        yield from _shares(found, parts, shares)
    if found.changes:
        yield Heading("What is changed")
        yield _changes(found)
    yield from _untold(found)
    if commands := list(dict.fromkeys(_command(line, names) for line in found.lines if line.moves())):
        yield Heading("To see a line in full")
        yield Code(tuple(commands))


def _moves(response: str, heading: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """Yield how an end moves: under the scenarios' own plans, or best play, then under other plans."""
    own, others = ([line for line in lines if line.own is which] for which in (True, False))
    if own:
        plans = "plans" if BEST in own[0].point.plans else "own plans"
        yield _grid(response, (heading, plans), own)
    if others:
        yield _grid(response, (heading, "other plans"), others)


def _grid(response: str, headings: tuple[str, str], lines: Sequence[Line]) -> Grid:
    rows = []
    for label, line in merge_alike(lines):
        before, now = (with_interval(found[response], 100) for found in (line.before, line.after))
        apart = _apart(line, response, _move(line, response))
        rows.append((line.game.scenario, label, before, now, apart))
    return Grid((*headings, "before", "now", ""), tuple(rows), 2)


def _shares(found: Receipt, parts: Sequence[Part], shares: Mapping[Game, Sharing]) -> Iterator[Block]:
    """Yield what each part of a change adds to every move, in columns by letters that are explained first."""
    yield Heading("What each change adds")
    letters = ascii_uppercase[: len(parts)]
    yield f"{listed([f'{letter} is {part_name(part)}' for letter, part in zip(letters, parts, strict=True)])}."
    for response, heading, lines in by_end(found):
        rows = []
        for label, line in merge_alike([line for line in lines if line.game in shares]):
            each = written_shares(shares[line.game].estimates(response), _move(line, response), 100)
            rows.append((line.game.scenario, label, *each))
        if rows:
            yield Grid((heading, "plans", *letters), tuple(rows), 2)


def _apart(line: Line, response: str, move: float) -> str:
    """Write a move, with its interval if it was sampled."""
    if response not in line.apart:
        return signed(move)
    low, high = line.apart[response].ends
    return f"{signed(move)} ({signed(100 * low)} to {signed(100 * high)})"


def _move(line: Line, response: str, scale: int = 100) -> float:
    """Return how far a chance has moved, of 100, or a mean, as both are written: to a tenth."""
    return moved(scale * line.before[response].value, scale * line.after[response].value)


def caption(found: Receipt) -> str:
    """Say beside a picture of a receipt what is changed and where it stands, what moves, and how it was computed."""
    changes = [
        f"{key.partition('.')[2]}: {change_words(*each)} [{where_of(found.after.book, key)}]"
        for key, each in [*found.changes.items()][:MOST_CHANGES]
    ]
    if (more := len(found.changes) - MOST_CHANGES) > 0:
        changes.append(f"{counted(more, 'key')} more.")
    return "\n".join([*changes, f"{summary(found)} {_computed(found)}"])


def _computed(found: Receipt) -> str:
    sampled, certified = sum(line.sampled for line in found.lines), sum(line.certified for line in found.lines)
    return engine(found.how, len(found.lines), sampled, certified)


def summary(found: Receipt) -> str:
    """Say how many assaults move."""
    moved, still = [line for line in found.lines if line.moves()], sum(line.still for line in found.lines)
    plans = {line.point.plans.defenders for line in moved}
    garrison = f", all with the garrison on {plans.pop()}" if len(plans) == 1 and len(moved) > 1 else ""
    of, refused = counted(len(found.lines), "assault"), f"{counted(len(found.refused), 'assault')} cannot be played."
    if not found.lines:
        return refused
    verb = "moves" if len(found.lines) == 1 else "move"
    others = f"; {still} {'does' if still == 1 else 'do'} not move at all" if still else ""
    moving = f"{len(moved) or 'None'} of {of} {verb} by a point or more{garrison}{others}."
    return f"{moving} {refused}" if found.refused else moving


def _weights(line: Line, end: str, weights: Sequence[Weight]) -> Iterator[str]:
    parts = []
    for weight in weights:
        near, far = weight.levels
        apart = sorted(abs(int(level.value) - weight.present) for level in weight.levels)
        who = weight.side.removesuffix("s")
        first, second = (with_interval(level.response, 100) for level in weight.levels)
        chances = f"{first} with {near.value}, {second} with {far.value}"
        many = f"{apart[0]} to {apart[1]} {who}s" if apart[0] else f"up to one {who}"
        parts.append(f"{'remove' if int(far.value) < weight.present else 'add'} {many} ({chances})")
    if parts:
        name, what = line.point.scenario.title, ENDS[end]
        yield f"{name}, {what}: to get back to {with_interval(line.before[end], 100)}, {', or '.join(parts)}."


def _means(found: Receipt) -> Iterator[Block]:
    rows = []
    for line in found.lines:
        for response, name in MEANS.items():
            if line.own and abs(line.move(response)) >= MOVED:
                row = (
                    line.game.scenario,
                    name,
                    with_interval(line.before[response]),
                    with_interval(line.after[response]),
                )
                rows.append((*row, signed(_move(line, response, 1))))
    if rows:
        plans = "best play" if BEST in found.lines[0].point.plans else "own plans"
        yield Grid((f"{plans}, means", "", "before", "now", ""), tuple(rows), 2)


def _changes(found: Receipt) -> Grid:
    rows = [
        (key, value_words(before), value_words(after), where_of(found.after.book, key))
        for key, (before, after) in found.changes.items()
    ]
    return Grid(("key", "before", "now", "where"), tuple(rows), 4)


def _untold(found: Receipt) -> Iterator[Block]:
    gaps = dict[str, list[str]]()
    for line in found.lines:
        if line.own and (gap := line.point.under(found.after).assault.translation.get(NOT_MODELLED)):
            gaps.setdefault(gap, []).append(line.game.scenario)
    if gaps or found.refused or found.sampled:
        yield Heading("What cannot be told yet")
        names = dict.fromkeys(line.game.scenario for line in found.lines if line.sampled)
        if names:
            yield (
                f"{', '.join(names)}: sampled, each number with the interval that holds it 95 times in 100. A move "
                "is told where it is no luck: both are played on the same dice, and of 100 receipts 95 tell no move "
                "where there is none. Shares of a move have intervals of their own; more "
                "--trials make them narrower."
            )
        if found.asks:
            yield f"A move of two points is told 99 times in 100 with --trials {found.asks}."
        doubt = dict.fromkeys(line.game.scenario for line in found.in_doubt)
        if doubt:
            yield f"{', '.join(doubt)}: an end may have moved by a point, and may not have moved."
        yield from not_enough(found.how, short(found.answers, found.how.until))
        yield from (f"{', '.join(names)}: {gap}" for gap, names in gaps.items())
        barred = dict[tuple[str, str], list[str]]()
        for game, why in found.refused.items():
            barred.setdefault((game.scenario, why), []).append(" against ".join(game.plans))
        yield from (f"{name}, {'; '.join(plans)}: {why}" for (name, why), plans in barred.items())


def _command(line: Line, names: tuple[str, str]) -> str:
    plan, defence = line.point.plans
    if BEST in line.point.plans:
        return join(["casemate", "best", line.game.scenario, "--rules", ",".join(names)])
    parts = ["casemate", "compare", line.game.scenario, "--rules", ",".join(names)]
    return join([*parts, "--plan", plan, "--defence", defence, *options(line.point.how)])


def as_data(
    found: Receipt, parts: Sequence[Part], shares: Mapping[Game, Sharing], weights: Weights | None
) -> dict[str, Any]:
    """Return a receipt as the JSON contract has it."""

    def values(answers: Mapping[str, Estimate]) -> dict[str, Any]:
        return {name: estimate.data for name, estimate in answers.items()}

    lines = [
        {
            "scenario": line.game.scenario,
            "plan": line.point.plans.attackers,
            "defence": line.point.plans.defenders,
            "own_plans": line.own,
            "before": values(line.before),
            "now": values(line.after),
            "apart": values(line.apart) or None,
            "shares": {name: [float(one) for one in each] for name, each in shares[line.game].shares.items()}
            if line.game in shares
            else None,
            "shares_within": shares_within(shares[line.game]) if line.game in shares else None,
        }
        for line in found.lines
    ]
    weight = None
    if weights:
        line, end, sides = weights
        worth = {one.side: {str(level.value): level.response.value for level in one.levels} for one in sides}
        weight = {"scenario": line.game.scenario, "response": end, "models": worth}
    return {
        "before": found.before.id,
        "now": found.after.id,
        "how": found.how._asdict(),
        "trials_asked": found.asks,
        "changes": [
            {"key": key, "before": before, "now": now, "where": where_of(found.after.book, key)}
            for key, (before, now) in found.changes.items()
        ],
        "parts": [dict(part) for part in parts],
        "assaults": lines,
        "worth": weight,
        "refused": [
            {"scenario": game.scenario, "plan": game.plans.attackers, "defence": game.plans.defenders, "why": why}
            for game, why in found.refused.items()
        ],
    }
