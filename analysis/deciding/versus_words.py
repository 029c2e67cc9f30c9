"""What `casemate versus` says."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.deciding.receipt import A_POINT, MOVED, Line
from analysis.deciding.receipt_opening import merge_alike
from analysis.deciding.versus import Contestant, Versus
from analysis.points.margins import ENDS
from analysis.points.paired import DIFFER
from analysis.points.point import Point
from analysis.points.responses import ALIKE, Estimate, scale
from analysis.points.stopping import short
from analysis.say.axes import CHANCES
from analysis.say.blocks import Block, Grid
from analysis.say.engine import engine, not_enough
from analysis.say.numbers import EVEN, apart, games, in_100, interval, listed, signed
from sims.words import CHOSEN, LEFT_OUT, NEVER_FIRED, NOT_MODELLED, NOT_USED

MEANS = {
    "turns_mean": ("a game lasts", "turns"),
    "attackers_lost_mean": ("the attackers lose", "models"),
    "defenders_lost_mean": ("the garrison loses", "models"),
}
"""What happens so much on average, and what it is counted in."""
ATTACK = {
    "storm": "storm",
    "demolish": "mean to demolish",
    "shoot": "shoot",
    "smoke": "mean to smoke the garrison out",
    "best": "play their best",
}
SUCCESS = ("p_captured", "p_destroyed")
"""The ends at which attackers aim."""
LOSSES = ("attackers_lost_mean", "defenders_lost_mean")
"""What an assault costs, which is told where no end differs."""
A_MODEL = 0.5
"""A difference between losses that is smaller is not told for its own sake."""
DEFEND = {"hold": "holds", "sally": "sallies", "best": "plays its best"}


def blocks(found: Versus, response: str) -> Iterator[Block]:
    """Yield who does better and by how much, the plans side by side, and all else of the first of them."""
    line, names = found.lines[0], [each.name for each in found.pair]
    yield verdict(found, response)
    rows = [(plans, *_cells(each, response)) for plans, each in merge_alike(found.lines)]
    yield Grid((label(response), *names, "difference"), tuple(rows))
    rows = [(label(each), *_cells(line, each)) for each in DIFFER]
    yield Grid((" against ".join(line.point.plans), *names, "difference"), tuple(rows))
    yield from notes(found)


def verdict(found: Versus, response: str) -> str:
    """Say under which of the two a response is larger, by how much, and where the assault is about even."""
    line = found.lines[0]
    values = (line.before[response].value, line.after[response].value)
    where = (found.pair[0].where, found.pair[1].where)
    told = larger(response, where, values, line.by(response))
    success = [sum(answers[end].value for end in SUCCESS) for answers in (line.before, line.after)]
    even = about_even(response, where, success)
    besides = _besides(line, response, where)
    said = [f"{found.common}, {when(*line.point.plans)}: {told}", even, besides and f"Besides, {besides}"]
    return " ".join(f"{each}." for each in said if each)


def aim(found: Versus) -> str:
    """Return the end of which a verdict tells if none is asked for.

    It is what the attackers come to more often; where that differs by less than a game in 100, what differs most.
    """
    line = found.lines[0]
    first = max(SUCCESS, key=lambda end: line.before[end].value + line.after[end].value)
    return first if abs(line.move(first)) >= A_POINT else _most_apart(line) or first


def _most_apart(line: Line, than: str = "") -> str:
    """Return the end that differs most, by a game in 100 at least and by that more than another, or none."""
    least = A_POINT + (abs(line.move(than)) if than else 0)
    most = max((f"p_{end}" for end in ENDS), key=lambda end: abs(line.move(end)))
    return most if abs(line.move(most)) >= least else ""


def _besides(line: Line, response: str, where: tuple[str, str]) -> str:
    """Say where the attackers succeed more often in the other way, else which end differs by more than is told."""
    if response not in CHANCES:
        return ""
    others = [end for end in SUCCESS if end != response and response in SUCCESS and abs(line.move(end)) >= A_POINT]
    other = others[0] if others else _most_apart(line, than=response)
    if not other and abs(line.move(response)) < A_POINT:
        far = {mean: abs(line.after[mean].value - line.before[mean].value) for mean in LOSSES}
        other = max(far, key=lambda mean: far[mean])
        other = other if far[other] >= A_MODEL else ""
    if not other:
        return ""
    values = (line.before[other].value, line.after[other].value)
    return larger(other, where, values, line.by(other))


def when(plan: str, defence: str) -> str:
    """Say what both sides do."""
    return f"when the attackers {ATTACK[plan]} and the garrison {DEFEND[defence]}"


def larger(response: str, where: tuple[str, str], values: tuple[float, float], apart_by: Estimate) -> str:
    """Say where a response is larger, and by how much; or that there is next to no difference.

    Args:
        where: What the two are called in a sentence: "under Storming buildings".
        apart_by: By how much the second is larger.
    """
    chance = response in CHANCES
    what, unit = (CHANCES[response], "") if chance else MEANS[response]
    about = "about " * apart_by.sampled
    more, less = sorted((0, 1), key=lambda i: -values[i])
    gap, (low, high) = values[more] - values[less], apart_by.ends

    def amount(said: str) -> str:
        return f"in {about}{in_100(said)}" if chance else f"{about}{said} {unit} on average"

    if low < 0 < high or gap < ALIKE:
        told = apart(*values, chance=chance) if gap >= ALIKE else [_as_read(values[0], chance=chance)] * 2
        who = "the games drawn" if apart_by.sampled else "the bounds" if apart_by.certified else ""
        none = f"no difference{f' that {who} can tell' if who else ''}"
        if told[0] == told[1]:
            return f"{none}: {what} {amount(told[0])} {where[0]} and {where[1]} alike"
        return f"{none}: {what} {amount(told[0])} {where[0]}, {told[1]} {where[1]}"
    if gap < (A_POINT if chance else MOVED):
        one, other = apart(*values, chance=chance)
        return f"hardly any difference: {what} {amount(one)} {where[0]}, {other} {where[1]}"
    one, other, by = _amounts(values[more], values[less], chance=chance)
    within = f" ({_range(low, high, chance=chance)})" if apart_by.drawn[1] is not None else ""
    much = f"in {about}{in_100(by)} more{within}" if chance else f"{about}{by} {unit} more{within} on average"
    return f"{what} {much} {where[more]} ({one}) than {where[less]} ({other})"


def about_even(response: str, where: Sequence[str], values: Sequence[float]) -> str:
    """Say where an assault is about even, if it is: by how often the building is captured or destroyed."""
    both = zip(where, values, strict=True)
    even = [each for each, value in both if response == "p_captured" and round(100 * value) in EVEN]
    return f"The assault is about even {listed(even)}" if even else ""


def _amounts(more: float, less: float, *, chance: bool) -> tuple[str, str, str]:
    """Write two numbers and their difference: whole games if these add up, else tenths."""
    if chance:
        whole, under, by = (round(100 * value) for value in (more, less, more - less))
        if whole - under == by:
            return games(more), games(less), str(by)
    one, other = (round(value * (100 if chance else 1), 1) for value in (more, less))
    return f"{one:.1f}", f"{other:.1f}", f"{one - other:.1f}"


def _range(low: float, high: float, *, chance: bool) -> str:
    """Write how far a difference may be from what was drawn, whichever way it goes."""
    ends = sorted(abs(end) * (100 if chance else 1) for end in (low, high))
    return " to ".join(f"{end:.1f}" for end in ends)


def _as_read(value: float, *, chance: bool) -> str:
    return games(value) if chance else f"{value:.1f}"


def label(response: str) -> str:
    """Say what a column or row has, in short."""
    return f"{response.removeprefix('p_')} in 100" if response in CHANCES else response[:-5].replace("_", " ")


def _cells(line: Line, response: str) -> tuple[str, str, str]:
    """Write what both answer, and the difference of what is written, with its interval if it was sampled."""
    factor = scale(response)
    one, other = line.before[response], line.after[response]
    by = signed(round(factor * other.value, 1) - round(factor * one.value, 1))
    _, low, high = line.by(response).drawn
    if low is not None and high is not None:
        by = f"{by}\n{signed(factor * low)} to {signed(factor * high)}"
    return _written(one, factor), _written(other, factor), by


def _written(estimate: Estimate, factor: int) -> str:
    """Write a number, and its interval below it."""
    return f"{factor * estimate.value:.1f}\n{interval(estimate, factor)}".rstrip()


def notes(found: Versus) -> Iterator[str]:
    """Yield what cannot be played, what the rules leave out, and how all of it was computed."""
    for plans, why in found.refused.items():
        yield f"{' against '.join(plans)}: {why}"
    for each in found.pair:
        for term, meaning in left_out(each, found.lines[0]).items():
            yield f"{each.name}: {term[0].lower()}{term[1:]}: {meaning}"
    yield computed(found)
    yield from not_enough(found.how, _short(found))


def caption(found: Versus) -> str:
    """Say beside a picture what was played, and how it was computed."""
    return f"{found.common}. {computed(found)}"


def computed(found: Versus) -> str:
    """Say how the numbers were computed."""
    told = engine(found.how, 2 * len(found.lines), found.sampled, found.certified)
    return f"{told} Where both were sampled, on the same dice." if found.sampled else told


def _short(found: Versus) -> int:
    return short((answers for line in found.lines for answers in (line.before, line.after)), found.how.until)


def left_out(one: Contestant, line: Line) -> dict[str, str]:
    """Return what of its scenario a contestant does not play or use, or gives nothing to do."""
    translation = Point(one.rule_set, one.scenario, line.point.plans).assault.translation
    return {term: translation[term] for term in (*LEFT_OUT, CHOSEN) if term in translation}


def as_data(found: Versus, response: str) -> dict[str, Any]:
    """Return the same as JSON has it."""
    return {
        "first": _named(found.pair[0], found.lines[0]),
        "second": _named(found.pair[1], found.lines[0]),
        "how": found.how._asdict(),
        "response": response,
        "verdict": verdict(found, response),
        "assaults": [
            {
                "plan": line.point.plans.attackers,
                "defence": line.point.plans.defenders,
                "trials": line.trials,
                "first": {name: estimate.data for name, estimate in line.before.items()},
                "second": {name: estimate.data for name, estimate in line.after.items()},
                "difference": {name: line.by(name).data for name in DIFFER},
            }
            for line in found.lines
        ],
        "refused": [
            {"plan": plans.attackers, "defence": plans.defenders, "why": why} for plans, why in found.refused.items()
        ],
    }


def _named(one: Contestant, line: Line) -> dict[str, Any]:
    told = left_out(one, line)
    return {
        "name": one.name,
        "rules": one.rule_set.id,
        "scenario": one.scenario.id,
        "not_modelled": told.get(NOT_MODELLED),
        "never_fired": told.get(NEVER_FIRED),
        "not_used": told.get(NOT_USED),
        "chosen": told.get(CHOSEN),
    }
