"""What `casemate explain` says."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.deciding.explain import Sensitivity, Sharing, Swing, Worth
from analysis.points.intervals import mean_interval, reach
from analysis.points.margins import ENDS, SIDES
from analysis.points.plans import BEST
from analysis.points.point import Point
from analysis.points.responses import Estimate, difference
from analysis.points.stopping import short
from analysis.say.blocks import Block, Grid, Heading
from analysis.say.engine import engine, not_enough
from analysis.say.numbers import apart, in_100, moved, number, signed, with_interval, written_shares
from analysis.say.rules import part_name, part_words, step_words, where_of
from analysis.say.scenarios import PLAN_WORDS, plans_words
from sims.engines import Result, Sampled
from sims.rulebook import Book
from sims.rulesets import RuleSet
from sims.words import counted

ASKED = {**{f"p_{end}": end for end in ENDS}, "turns_mean": "turns"}
ASKED |= {f"{side}_lost_mean": f"{side} lost" for side in ("attackers", "defenders")}
"""The responses that are told, and what they are called."""
SHOWN = 0.0005
"""A chance that moves by less is not told."""


def setting(point: Point) -> str:
    """Say which assault is played."""
    plan, defence = point.plans
    attackers = plan if plan == BEST else f"{plan} ({PLAN_WORDS[plan]})"
    return f"{point.scenario.title}, {point.rule_set.title}: {plans_words(attackers, defence)}."


def shares(before: Point, after: RuleSet, found: Sharing) -> Iterator[Block]:
    """Yield how a difference is shared over the parts of a change."""
    if not found.parts:
        yield f"{after.title} changes nothing: as {before.rule_set.title}."
        yield setting(before)
        return
    yield shares_verdict(after, found)
    yield setting(before)
    both = (found.before, found.after)
    numbers = {r: (*(answers[r].value for answers in both), *map(float, found.shares[r])) for r in ASKED}
    asked = [response for response, values in numbers.items() if max(map(abs, values)) >= SHOWN]
    columns = [(before.rule_set.id, *map(part_name, found.parts), after.id)]
    for response in asked:
        scale = 100 if response.startswith("p_") else 1
        was, now = (answers[response] for answers in both)
        move = moved(scale * was.value, scale * now.value)
        each = written_shares(found.estimates(response), move, scale)
        columns.append((with_interval(was, scale), *each, with_interval(now, scale)))
    yield Grid(("of 100, or mean", *(ASKED[response] for response in asked)), tuple(zip(*columns, strict=True)))
    yield from (part_words(before.rule_set.book, after.book, part) for part in found.parts)
    yield (
        "What each part adds is the mean over all orders in which the parts could have been changed; together they are "
        "the difference."
    )
    yield from not_enough(before.how, short(both, before.how.until))


def shares_verdict(after: RuleSet, found: Sharing) -> str:
    """Say which end a change moves most, and which of its parts does most of that."""
    end = _most_moved(found.before, found.after)
    by = difference(found.before[f"p_{end}"], found.after[f"p_{end}"])
    if by.sampled and by.ends[0] < 0 < by.ends[1]:
        return f"{after.title}: no end of this assault is seen to move, in the games drawn."
    if abs(by.value) < SHOWN:
        return f"{after.title}: no end of this assault moves."
    shares = [float(share) / by.value for share in found.shares[f"p_{end}"]]
    most = max(range(len(shares)), key=lambda i: shares[i])
    which = "more than all of it" if shares[most] > 1 else "most of it" if shares[most] > 0.5 else "the largest part"
    move = moved(100 * found.before[f"p_{end}"].value, 100 * found.after[f"p_{end}"].value)
    share = [*written_shares(found.estimates(f"p_{end}"), move, 100)][most].partition(" ")[0]
    told = f"{which} by {part_name(found.parts[most])} ({share})" * (len(shares) > 1)
    moves = _from_to(end, found.before, found.after, "before")
    return f"{after.title}: {'; '.join(filter(None, (moves, told)))}."


def _most_moved(before: Mapping[str, Estimate], now: Mapping[str, Estimate]) -> str:
    """Return the end whose chance moves most."""
    return max(ENDS, key=lambda end: abs(now[f"p_{end}"].value - before[f"p_{end}"].value))


def _most_of_any(before: Mapping[str, Estimate], now: Mapping[str, Estimate]) -> float:
    """Return how far the end moves that moves most."""
    end = f"p_{_most_moved(before, now)}"
    return round(abs(now[end].value - before[end].value), 9)


def _from_to(end: str, before: Mapping[str, Estimate], now: Mapping[str, Estimate], was: str) -> str:
    """Say how often an end comes now, and how often where it is what is said of that."""
    both = [answers[f"p_{end}"] for answers in (before, now)]
    one, other = apart(*(each.value for each in both), chance=True)
    return f"{end} in {'about ' if any(each.sampled for each in both) else ''}{in_100(other)}, {one} {was}"


def shares_data(found: Sharing) -> dict[str, Any]:
    """Return the same as JSON has it."""
    return {
        "parts": [dict(part) for part in found.parts],
        "before": {name: answer.data for name, answer in found.before.items()},
        "now": {name: answer.data for name, answer in found.after.items()},
        "shares": {name: [float(share) for share in shares] for name, shares in found.shares.items()},
        "shares_within": shares_within(found),
    }


def shares_within(found: Sharing) -> dict[str, list[list[float]]] | None:
    """Return the intervals of shares as JSON has them, None if they are exact."""
    return {name: [[*ends] for ends in within] for name, within in found.within.items()} or None


def worth(point: Point, found: Sensitivity, *, every: bool) -> Iterator[Block]:
    """Yield what each value of a book is worth, the largest first."""
    book = point.rule_set.book
    yield worth_verdict(book, found)
    yield setting(point)
    rows = []
    for one in sorted(found.worth, key=lambda one: -_most_of_any(found.before, one.responses)):
        moves = [100 * (one.responses[f"p_{end}"].value - found.before[f"p_{end}"].value) for end in ENDS]
        if every or max(map(abs, moves)) >= 100 * SHOWN:
            first, *others = one.steps
            lines = (
                step_words(book, first),
                *(f"  as {step_words(book, step)}" for step in others),
                _where(point, first),
            )
            rows.append(("\n".join(lines), *map(signed, moves)))
    now = ("as it is", *(with_interval(found.before[f"p_{end}"], 100) for end in ENDS))
    yield Grid(("one step, of 100 games", *ENDS), (now, *rows))
    small = len(found.worth) - len(rows)
    if small:
        yield f"{counted(small, 'step')} more by less than a game in {1 / SHOWN:.0f}."
    yield (
        f"{counted(len(found.inert), 'value')} of the book that the assault reads change nothing by one step, "
        f"{len(found.unread)} it never reads{'' if every else ' (--all lists them)'}."
    )
    answers = [found.before, *(one.responses for one in found.worth)]
    yield from not_enough(point.how, short(answers, point.how.until))
    if every:
        yield Heading("Read, and no matter by one step")
        yield ", ".join(found.inert)
        yield Heading("Never read")
        yield ", ".join(found.unread)
    if found.refused:
        yield Heading("What makes this assault impossible")
        yield from found.refused


def worth_verdict(book: Book, found: Sensitivity) -> str:
    """Say which step moves an assault most."""
    if not found.worth:
        return "No value of the book moves this assault by one step."
    first = max(found.worth, key=lambda one: _most_of_any(found.before, one.responses))
    told = _from_to(_most_moved(found.before, first.responses), found.before, first.responses, "as it is")
    return f"No step moves this assault more than {step_words(book, first.steps[0])}: {told}."


def _where(point: Point, step: Mapping[str, Any]) -> str:
    """Say in brackets where a step is taken; of a ruling, what the other option means."""
    return f"  [{where_of(point.rule_set.with_values(step).book, next(iter(step)))}]"


def rulings_caption(point: Point, found: Sensitivity, shown: int) -> str:
    """Say which assault the rulings of a book were weighed in, how, and how many of them do not matter in it."""
    answers = [found.before, *(one.responses for one in found.worth)]
    chances = [answer["p_held"] for answer in answers]
    computed = engine(
        point.how, len(answers), sum(each.sampled for each in chances), sum(each.certified for each in chances)
    )
    others = sum(len(one.steps) for one in found.worth) - shown
    parts = [
        f"{counted(others, 'option')} more move other numbers alone." if others else "",
        f"{counted(len(found.inert), 'ruling')} read here change nothing, {len(found.unread)} are never read.",
        f"{counted(len(found.refused), 'option')} cannot be played here." if found.refused else "",
    ]
    return f"{setting(point)}\n{computed} {' '.join(part for part in parts if part)}"


def worth_data(point: Point, found: Sensitivity) -> dict[str, Any]:
    """Return the same as JSON has it."""

    def one(each: Worth) -> dict[str, Any]:
        answers = {name: answer.data for name, answer in each.responses.items()}
        return {"steps": [dict(step) for step in each.steps], "responses": answers}

    return {
        "point": point.name,
        "now": {name: answer.data for name, answer in found.before.items()},
        "worth": [one(each) for each in found.worth],
        "inert": list(found.inert),
        "unread": list(found.unread),
        "refused": list(found.refused),
    }


def causes(both: Sequence[tuple[Point, Result]]) -> Iterator[Block]:
    """Yield the losses by cause under rules that have no common base, side by side."""
    (one, _), (other, _) = both
    yield causes_verdict(both)
    yield setting(one)
    yield (
        f"{one.rule_set.id} and {other.rule_set.id} are no house rules of one book, so there are no keys to share the "
        "difference over; here is what they cost, by cause."
    )
    named = [_causes(*each) for each in both]
    rows = [
        (name, *(with_interval(found[name]) if name in found else "" for found in named))
        for name in sorted({name for found in named for name in found})
        if any(found[name].value >= 0.05 for found in named if name in found)
    ]
    yield Grid(("on average", *(point.rule_set.id for point, _ in both)), tuple(rows))
    yield from not_enough(one.how, short((point.responses(result) for point, result in both), one.how.until))


def causes_verdict(both: Sequence[tuple[Point, Result]]) -> str:
    """Say how many models each side loses under either set of rules."""
    answers = [point.responses(result) for point, result in both]
    about = "about " * any(each["attackers_lost_mean"].sampled for each in answers)
    ours, theirs = ([number(each[f"{side}_lost_mean"].value) for each in answers] for side in SIDES)
    first, second = (point.rule_set.title for point, _ in both)
    return (
        f"On average the attackers lose {about}{ours[0]} models under {first} and {ours[1]} under {second}, the "
        f"garrison {about}{theirs[0]} and {theirs[1]}."
    )


def causes_data(both: Sequence[tuple[Point, Result]]) -> dict[str, Any]:
    """Return the same as JSON has it."""
    lost = [{name: mean.data for name, mean in _causes(*each).items()} for each in both]
    return {"causes": [{"rules": point.rule_set.id, "lost": each} for (point, _), each in zip(both, lost, strict=True)]}


def _causes(point: Point, result: Result) -> dict[str, Estimate]:
    """Return the models lost on average, by side and cause."""
    names = [name for name in result.tallies if " lost " in name]
    if not isinstance(result, Sampled):
        beyond = {"attackers": point.models.attackers, "defenders": point.models.defenders}
        return {
            name: Estimate(float(result.tallies[name]), beyond=result.left_out * beyond[name.split(" ", 1)[0]])
            for name in names
        }
    found = dict[str, Estimate]()
    for name in names:
        total, squares = result.tallies[name]
        most = point.models.attackers if name.startswith("attackers") else point.models.defenders
        about = mean_interval(total, squares, result.trials, lowest=0, highest=most, z=reach(result.looks))
        found[name] = Estimate(total / result.trials, *about)
    return found


def largest_swing(found: Sensitivity, key: str, swing: Swing | None) -> str:
    """Say which other option of a ruling moves an end most, and how far; or that none is seen to."""
    if swing:
        before, then = with_interval(swing.before, 100), with_interval(swing.then, 100)
        return f"With {swing.option}, {swing.end} moves from {before} % to {then} %."
    if any(line.startswith(f"{key}:") for line in found.refused):
        return "Not every other option can be played here."
    sampled = any(estimate.low is not None for estimate in found.before.values())
    beyond = "by a tenth of a point, as far as intervals tell" if sampled else "by a tenth of a point"
    return f"No other option moves an end {beyond}."
