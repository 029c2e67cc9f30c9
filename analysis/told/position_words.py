"""What a position is worth, told on the terminal and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from analysis.points.margins import ENDS, SIDES
from analysis.points.plans import Plans, own_plans
from analysis.say import tables
from analysis.say.console import console
from analysis.say.engine import certified_within
from analysis.say.numbers import EVEN, SELDOM, in_games, percent, rounded_up
from analysis.told.fields import is_so
from analysis.told.nearest import Fault
from analysis.told.position import Never, Position, Refusal, Spread, TooLarge, Unknown, Worth
from sims.engines.contest import Pair
from sims.scenario import Side

MOST_NAMED = 3
"""Words named at most that say nothing."""


def show(position: Position, answers: Sequence[Worth | Refusal]) -> None:
    """Print what a position is worth under each set of rules."""
    out = console()
    out.print(Text(f"{position.scenario.title}, {when(position)}", style="bold"))
    if position.given:
        out.print(Text(stands(position.given)))
    for answer in answers:
        out.print(Text.assemble("\n", (answer.rule_set.title, "bold")))
        if isinstance(answer, Worth):
            out.print(taken(answer))
            out.print(opening(answer, position))
            out.print(about(answer, own_plans(position.scenario)))
            tables.draw(out, *_table(answer))
            if bounds := certified(answer):
                out.print(bounds)
            if answer.best:
                out.print(best(answer.best, position.to_move, answer.best_ends))
        else:
            out.print(refusal(answer))


def when(position: Position) -> str:
    """Say when in the game it is."""
    return f"turn {position.turn}, the {position.to_move} to move"


def stands(given: Mapping[str, int | bool]) -> str:
    """Say what stands in a position; of much that is not there or not so only how much it is."""
    said = {word: is_so(word, value) for word, value in given.items()}
    none = [word for word, value in given.items() if not value and word not in (*SIDES, "distance")]
    if len(none) <= MOST_NAMED:
        return ", ".join(said.values())
    parts = ", ".join(words for word, words in said.items() if word not in none)
    return f"{parts}{'; ' * bool(parts)}{len(none)} other things none or not so"


def opening(worth: Worth, position: Position) -> str:
    """Say in a sentence how often the building is captured from here, and how often it is destroyed."""
    plans = Pair(position.scenario.plan, position.scenario.defence)
    if worth.best_ends:
        ends, by = worth.best_ends, "if both play their best"
    else:
        ends = {end: chance.mean for end, chance in worth.chances[plans].items()}
        by = f"if both keep to {plan_words(plans)}"
    captured, down = ends["captured"], ends["destroyed"]
    even = ": about even" if round(100 * (captured + down)) in EVEN else ""
    if down > captured:
        what = f"the building is destroyed {in_games(down)} from here {by}"
        more = f"; the attackers capture it {in_games(captured)}"
    else:
        what = f"the attackers capture the building {in_games(captured)} from here {by}{even}"
        more = f"; it is destroyed {in_games(down)}" if down >= SELDOM else ""
    return f"Under {worth.rule_set.title}, {what}{more}."


def taken(worth: Worth) -> str:
    """Say what a position is taken as: what is so there and was not given, then the numbers."""
    first = sorted(worth.taken.items(), key=lambda item: not isinstance(item[1][1], bool))
    parts = [_between(word, low, high) for word, (low, high) in first]
    return f"Taken as: {', '.join([*parts, 'all else as at the start'])}."


def _between(word: str, low: int, high: int) -> str:
    """Say what is so in some states: the least and the greatest."""
    if low == high:
        return is_so(word, low)
    return f"{word} or not" if high is True else f"{word} {low} to {high}"


def about(worth: Worth, plans: Pair | Plans) -> str:
    """Say how games come to a position, and over how many states it is averaged.

    Args:
        plans: Those of the game so far.
    """
    *others, last = map(plan_words, worth.under)
    by = f"{', '.join(others)} or {last}" if others else last
    ways = "one way" if worth.states == 1 else f"{worth.states} ways"
    if worth.share:
        come = f"{percent(worth.share)} of games played {by} come to it, in {ways}."
        if Pair(*plans) not in worth.under:
            come = f"No game played {plan_words(plans)} comes to it. {come}"
    else:
        come = f"No game comes to just this. All else is as in the nearest games played {by}, in {ways}."
    if worth.states == 1:
        return come
    return f"{come} Chances are averaged over these. Below each are the least and the greatest."


def certified(worth: Worth) -> str:
    """Say how far chances may be off that are not exact, and which plans have too many states."""
    said = [f"Chances are {certified_within(rounded_up(worth.left_out))}."] if worth.left_out else []
    if worth.too_large:
        said.append(f"Too large to be answered: {', '.join(map(plan_words, worth.too_large))}.")
    return " ".join(said)


def best(worth: Mapping[str, float], side: Side, ends: Mapping[str, float] | None = None) -> str:
    """Say which plan is best for the side to move, and what the others are worth.

    Args:
        ends: The chance of each end by the best plan.
    """
    down = ends["destroyed"] if ends else 0
    also = f", destroyed {percent(down)}" if down >= SELDOM else ""
    order = sorted(worth, key=lambda plan: worth[plan], reverse=side == "attackers")
    first, *others = order
    if not others:
        return f"The {side} have to go on: {first}, captured {percent(worth[first])}{also} if both play their best."
    if abs(worth[first] - worth[order[-1]]) < SELDOM:
        return f"Whatever the {side} do now, captured {percent(worth[first])}{also}, if both then play their best."
    rest = ", ".join(f"{plan} {percent(worth[plan])}" for plan in others)
    captured = f"captured {percent(worth[first])}{also}"
    return f"Best for the {side} now: {first}, {captured} if both then play their best; {rest}."


def plan_words(plans: Plans | Pair) -> str:
    """Say what both sides mean to do."""
    return " and ".join(plans)


def refusal(answer: Refusal) -> str:
    """Say why a set of rules has no answer."""
    if isinstance(answer, Unknown):
        words = ", ".join(f'"{word}"' for word in answer.words[:MOST_NAMED])
        more = f" and {len(answer.words) - MOST_NAMED} things more" if len(answer.words) > MOST_NAMED else ""
        return f"These rules know nothing of {words}{more}."
    if isinstance(answer, TooLarge):
        return f"Not answered: {answer.why}."
    if none := [word for word, fault in answer.faults.items() if fault.is_none]:
        return " ".join(map(_has_none, none))
    faults = ", and ".join(_fault(word, fault) for word, fault in answer.faults.items())
    return f"This cannot be{': ' * bool(faults)}{faults}. The nearest that can: {stands(answer.nearest)}."


def _has_none(word: str) -> str:
    """Say that an assault has none of what a word counts."""
    of_models = any(side in word for side in (*SIDES, "garrison"))
    who = "no model here has any" if of_models else "this building has none"
    return f'"{word}": {who} under these rules.'


def _fault(word: str, fault: Fault) -> str:
    """Say what is wrong with a value."""
    what = is_so(word, fault.value)
    if not fault.may_be:
        return f"{what} does not go with the rest"
    if isinstance(fault.value, bool):
        return f'"{word}" {"never comes up" if fault.value else "is always so"} while the game goes on'
    least, most = fault.may_be[0], fault.may_be[-1]
    if fault.value > most:
        return f"{what} is too much (at most {most} here)"
    if fault.value < least:
        return f"{what} is too few (at least {least})"
    return f"{what} never comes up (it is {', '.join(map(str, fault.may_be[:-1]))} or {most} here)"


def _table(worth: Worth) -> tuple[list[str], list[list[tables.Cell]]]:
    """Return the headings and rows of the chance of each end that can come, by the plans to go on with."""
    ends = [end for end in ENDS if any(chances[end].high for chances in worth.chances.values())]
    rows = list[list[tables.Cell]]()
    for plans, chances in worth.chances.items():
        rows.append([plan_words(plans), *(_cell(chances[end], worth.left_out) for end in ends)])
    return ["from now on", *ends], rows


def _cell(chance: Spread, left_out: float) -> Text:
    apart = chance.high - chance.low >= SELDOM
    range_ = f"\n{100 * chance.low:.1f}\u2013{100 * chance.high:.1f}" if apart else ""
    return Text.assemble(percent(chance.mean or SELDOM * bool(left_out) / 2), (range_, "dim"))


def as_data(position: Position, answers: Sequence[Worth | Refusal]) -> dict[str, Any]:
    """Return what a position is worth as JSON has it."""
    return {
        "scenario": position.scenario.id,
        "turn": position.turn,
        "to_move": position.to_move,
        "given": dict(position.given),
        "results": [{"rules": answer.rule_set.id} | _as_data(answer) for answer in answers],
    }


def _as_data(answer: Worth | Refusal) -> dict[str, Any]:
    match answer:
        case Unknown(_, words):
            return {"refused": refusal(answer), "unknown": list(words)}
        case TooLarge():
            return {"refused": refusal(answer)}
        case Never(nearest=nearest):
            return {"refused": refusal(answer), "nearest": dict(nearest)}
        case Worth(_, under, share, states, taken, apart, chances, best, best_ends, left_out, too_large):
            return {
                "engine": "bounded" if left_out else "exact",
                "left_out": left_out,
                "too_large": [_plans(plans) for plans in too_large],
                "come_by": [_plans(plans) for plans in under],
                "share": share,
                "states": states,
                "taken": {word: list(of) for word, of in taken.items()},
                "apart": {word: list(of) for word, of in apart.items()},
                "chances": [
                    _plans(plans) | {end: chance._asdict() for end, chance in of.items()}
                    for plans, of in chances.items()
                ],
                "best": dict(best) if best else None,
                "best_ends": dict(best_ends) if best_ends else None,
            }


def _plans(plans: Plans | Pair) -> dict[str, Any]:
    return {"plan": plans.attackers, "defence": plans.defenders}
