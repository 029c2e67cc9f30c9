"""How a receipt opens: by rule, with what moves most."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from analysis.deciding.receipt import A_POINT, Line, Receipt
from analysis.points.plans import BEST
from analysis.points.responses import ALIKE
from analysis.say.numbers import games, in_100
from analysis.say.scenarios import called
from sims.scenario import Scenario

PLANS = {
    "storm": "a storm",
    "demolish": "demolition",
    "shoot": "shooting",
    "smoke": "smoke",
    "best": "best play",
}
GARRISON = {"hold": "a garrison that holds", "sally": "a sally", "best": "best play"}
ENDS = {f"p_{end}": f"{end} of 100" for end in ("captured", "destroyed", "broken", "held")}
WORDS = {
    "p_captured": ("easier to take", "harder to take"),
    "p_destroyed": ("easier to bring down", "harder to bring down"),
}
LOSES = {"attackers_lost_mean": "the attackers lose", "defenders_lost_mean": "the garrison loses"}
NOTICED = 0.5
"""A move of models lost that is told where no end moves."""
NEARLY_ALL = 0.9
"""The share of the moves that must go one way for a change to be called better for one side."""


def success(line: Line, *, now: bool) -> float:
    """Return how often attackers take a building or bring it down, of 100 games."""
    found = line.after if now else line.before
    return 100 * sum(found[end].value for end in WORDS)


def gain(line: Line) -> float:
    """Return by how many games in 100 the attackers do better; 0 where one end may only make up for the other."""
    moves = [line.move(end) for end in WORDS]
    if min(moves) < 0 < max(moves):
        low, high = (sum(ends) for ends in zip(*(line.by(end).ends for end in WORDS), strict=True))
        if low < 0 < high:
            return 0.0
    return 100 * sum(moves)


def first_word(found: Receipt) -> str:
    """Return the headline: who does better, with an example, or what gets easier and what harder."""
    if not found.changes:
        return f"{found.after.title} changes nothing: as {found.before.id}."
    found = replace(found, lines=(*_different(found.lines),))
    title, names = found.after.title, dict.fromkeys(game.scenario for game in found.refused)
    if not found.lines:
        return f"{title}: {by_plans(found)} nothing can be played ({', '.join(names)})."
    shifts, broken = [*_shifts(found)], _breaking(found)
    own = f" Nothing moves {by_plans(found)}." if _own_still(found) else ""
    then = f" The attackers {broken}." if broken else ""
    if winner := better_side(found):
        moved = [*filter(_moves_success, found.lines)]
        n = sum(winner * gain(line) >= 100 * A_POINT for line in moved)
        where = f" in {n} of the {len(moved)} assaults that move" if n < len(moved) else ""
        shifted = "".join(f" Buildings are {shift}." for shift in shifts)
        who = "the attackers do" if winner > 0 else "the garrison does"
        return f"{title}: {who} better{where}.{own} {example(largest_gain(found))}{shifted}{then}"
    if ways := [*_ways(found)]:
        last = f"; the attackers {broken}" if broken else ""
        return f"{title} cuts both ways: {', '.join([*ways, *shifts])}{last}.{own}"
    if shifts:
        said = f"buildings are {', '.join(shifts)}"
        return f"{title}: {said}. The attackers succeed {'about ' * found.sampled}as often as before.{own}{then}"
    move, end, line = largest(found)
    if move >= A_POINT:
        where = _building(line.point.scenario)
        what = f"the attackers break at {where}" if end == "p_broken" else f"{where} is {end.removeprefix('p_')}"
        return (
            f"{title}: {what} in "
            f"{'about ' * line.sampled}{in_100(games(line.after[end].value))}, "
            f"{games(line.before[end].value)} before.{then if end != 'p_broken' else ''}"
        )
    but = f"; what cannot be played: {', '.join(names)}" if names else ""
    if doubt := dict.fromkeys(line.game.scenario for line in found.in_doubt if line.own):
        seen = f"too few games were drawn to tell whether anything moves by a point ({', '.join(doubt)})"
        return f"{title}: {by_plans(found)} {seen}{but}.{then}"
    return f"{title}: {by_plans(found)} no end moves by a point{_losses(found)}{but}.{then}"


def _different(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield assaults that are played differently: of plans that come to the same, the scenario's own or else the first.

    Where nobody has anything to smoke with, smoke is a storm under another name.
    """
    for same in _alike(lines):
        yield next((line for line in same if line.own), same[0])


def _losses(found: Receipt) -> str:
    """Say where a side loses more models or fewer, if that is as much as is noticed; where no end moves."""
    own = [line for line in found.lines if line.own] or found.lines
    moves = [(line, mean, line.by(mean)) for line in own for mean in LOSES]
    line, mean, by = max(moves, key=lambda one: abs(one[2].value))
    if abs(by.value) < NOTICED or by.ends[0] < 0 < by.ends[1]:
        return ""
    about = "about " * line.sampled
    now, before = (answers[mean].value for answers in (line.after, line.before))
    where = _building(line.point.scenario)
    return f", but {LOSES[mean]} at {where} {about}{now:.1f} models on average, {before:.1f} before"


def better_side(found: Receipt) -> int:
    """Return 1 if the attackers do better, -1 if the garrison does, 0 if a change cuts both ways or neither does.

    A side does better if it does in nearly all assaults in which the attackers' success moves, in those under the
    scenarios' own plans and by the attackers' best plans as well. Success is to capture or destroy: a building that is
    captured where it was destroyed is neither easier nor harder.
    """
    moves = [(line, move) for line in found.lines if abs(move := gain(line)) >= 100 * A_POINT]
    every, own = [move for _, move in moves], [move for line, move in moves if line.own]
    best = [move for lines in _by_scenario(found.lines).values() if (move := _best_gain(lines))]
    for winner in (1, -1):
        groups = [sum(_sign(move) == winner for move in some) / len(some) for some in (every, own, best) if some]
        if every and min(groups) >= NEARLY_ALL:
            return winner
    return 0


def example(line: Line) -> str:
    """Return how often one plan succeeds in an assault, now and before."""
    plan = f"{PLANS[line.point.plans.attackers]}{_against(line)}"
    return (
        f"{plan[0].upper()}{plan[1:]} {_verb(line)} {_building(line.point.scenario)} in {'about ' * line.sampled}"
        f"{in_100(_often(line, now=True))}, {_often(line, now=False)} before."
    )


def largest_gain(found: Receipt) -> Line:
    """Return the assault in which the side that does better gains most: one with own plans if any of these moves."""
    winner = better_side(found)
    return max(found.lines, key=lambda line: (line.own and gain(line) * winner >= 100 * A_POINT, gain(line) * winner))


def _ways(found: Receipt) -> Iterator[str]:
    """Yield what gets easier and what gets harder, in how many assaults, and where it moves most.

    Each assault counts once, by the end that its success has moved by.
    """
    for end, words in WORDS.items():
        for sign, word in zip((1, -1), words, strict=True):
            lines = [line for line in found.lines if sign * gain(line) >= 100 * A_POINT and end == _carries(line, sign)]
            if lines:
                most, where = _where(lines, [abs(gain(line)) for line in lines])
                yield f"{word} ({_many(lines)}, {where}: {_numbers(most, end)} games in 100)"


def _carries(line: Line, sign: int) -> str:
    """Return the end that moves farthest one way."""
    return max(WORDS, key=lambda end: sign * line.move(end))


def _numbers(line: Line, end: str) -> str:
    """Write how often an assault ends so before and now; if the other success moves as well, how often by both."""
    if all(abs(line.move(other)) < A_POINT for other in WORDS if other != end):
        return _both(line, end)
    return f"captured or destroyed {'about ' * line.sampled}{_often(line, now=False)} to {_often(line, now=True)}"


def _both(line: Line, end: str) -> str:
    both = " to ".join(games(answers[end].value) for answers in (line.before, line.after))
    return f"{'about ' * line.sampled}{both}"


def _often(line: Line, *, now: bool) -> str:
    """Say how often attackers take a building or bring it down."""
    return games(success(line, now=now) / 100)


def _many(lines: Sequence[Line]) -> str:
    return f"{len(lines)} assaults" if len(lines) > 1 else "1 assault"


def _where(lines: Sequence[Line], far: Sequence[float], *, prefer_own: bool = True) -> tuple[Line, str]:
    """Return the assault that moves most, one under own plans if there is any, and its name.

    Args:
        far: How far each of them moves.
    """
    i = max(range(len(lines)), key=lambda i: (prefer_own and lines[i].own, far[i]))
    name = f"{_called(lines[i].point.scenario)} by {_plan(lines[i])}"
    if len(lines) == 1:
        return lines[i], name
    return lines[i], f"{'most' if far[i] > max(far) - ALIKE else 'under own plans most'} {name}"


def _plan(line: Line) -> str:
    """Return what an assault is made by, and against what if the garrison does something else than its own plan."""
    return f"{PLANS[line.point.plans.attackers].removeprefix('a ')}{_against(line)}"


def _against(line: Line) -> str:
    return "" if line.own or _keeps(line) else f" against {GARRISON[line.point.plans.defenders]}"


def _keeps(line: Line) -> bool:
    """Return whether the garrison keeps to the plan of the scenario."""
    return line.point.plans.defenders == line.point.scenario.defence


def _shifts(found: Receipt) -> Iterator[str]:
    """Yield where attackers succeed as often as before by another end."""
    lines = [line for line in found.lines if _moves_success(line) and abs(gain(line)) < 100 * A_POINT]
    for end, other in (("p_captured", "p_destroyed"), ("p_destroyed", "p_captured")):
        some = [line for line in lines if line.move(end) >= A_POINT >= -A_POINT >= line.move(other)]
        if some:
            most, where = _where(some, [line.move(end) for line in some])
            numbers = ", ".join(f"{each.removeprefix('p_')} {_both(most, each)}" for each in WORDS)
            names = [each.removeprefix("p_") for each in (end, other)]
            yield f"{names[0]} rather than {names[1]} in {_many(some)} ({where}: {numbers} games in 100)"


def _breaking(found: Receipt) -> str:
    """Return how often the attackers break, if that moves in half of the assaults that move or more than other ends.

    Not if it moves only where their success does: that is the other side of what has been told.
    """
    moved = [line for line in found.lines if line.moves()]
    breaking = found.movers("p_broken")
    rest = max(len(found.movers(f"p_{end}")) for end in ("captured", "destroyed", "held"))
    if all(map(_moves_success, breaking)) or not (2 * len(breaking) >= len(moved) or len(breaking) > rest):
        return ""
    ways = {sign: [line for line in breaking if _sign(line.move("p_broken")) == sign] for sign in (1, -1)}
    sign = max(ways, key=lambda each: len(ways[each]))
    far = [abs(line.move("p_broken")) for line in ways[sign]]
    most, where = _where(ways[sign], far, prefer_own=False)
    often = {1: "more often", -1: "less often"}
    but = f", and {often[-sign]} in {len(ways[-sign])}" if ways[-sign] else ""
    return f"break {often[sign]} in {_many(ways[sign])}, {where}: {_both(most, 'p_broken')} games in 100{but}"


def _own_still(found: Receipt) -> bool:
    """Return whether no assault moves under the scenarios' own plans, as far as can be told, and some are played."""
    own = [line for line in found.lines if line.own]
    return bool(own) and not any(line.moves() or line.in_doubt for line in own)


def _moves_success(line: Line) -> bool:
    return any(abs(line.move(end)) >= A_POINT for end in WORDS) or abs(gain(line)) >= 100 * A_POINT


def _sign(move: float) -> int:
    return (move > 0) - (move < 0)


def by_plans(found: Receipt) -> str:
    """Say by which plans the assaults are played that are told first."""
    games = [*(line.game for line in found.lines), *found.refused]
    best = all(BEST in game.plans for game in games)
    return "with both sides playing their best" if best else "under the scenarios' own plans"


def largest(found: Receipt) -> tuple[float, str, Line]:
    """Return how far the end moves that moves most, under own plans if any are played, which it is, and where."""
    own = [line for line in found.lines if line.own] or found.lines
    return max(((abs(line.move(end)), end, line) for line in own for end in ENDS), key=lambda one: one[0])


def more_words(found: Receipt) -> Iterator[str]:
    """Yield where another plan of the attackers is the best now, and what became of the one that was."""
    named = largest_gain(found).game.scenario if found.lines and better_side(found) else None
    games = _by_scenario(found.lines)
    for scenario in sorted(games, key=lambda each: each != named):  # "there" is what was named
        before, now = _best_lines(games[scenario])
        if success(now, now=True) - success(before, now=True) >= 100 * A_POINT + _doubt(now, before):
            plan = PLANS[now.point.plans.attackers].removeprefix("a ")
            there = "there" if scenario == named else f"for {_called(now.point.scenario)}"
            against = f" against {GARRISON[now.point.plans.defenders]}" if _matters(found, now) else ""
            had, has = (_often(now, now=which) for which in (False, True))
            was = "as before" if had == has else f"{had} before"
            ends = f"{has}{' ' if had == has else ', '}{was}; {_fate(before)}"
            yield f"{plan.capitalize()} is now the best plan {there}{against} ({ends})."


def _fate(line: Line) -> str:
    """Say what became of a plan: how often it succeeds now, and before."""
    plan = PLANS[line.point.plans.attackers].removeprefix("a ")
    before, now = (_often(line, now=which) for which in (False, True))
    if before == now:
        return f"{plan} stays at {now}"
    return f"{plan} {'fell' if success(line, now=True) < success(line, now=False) else 'rose'} from {before} to {now}"


def _matters(found: Receipt, line: Line) -> bool:
    """Return whether a plan succeeds more often or less often now if the garrison does something else."""
    others = (
        other
        for other in found.lines
        if other.game.scenario == line.game.scenario and other.point.plans.attackers == line.point.plans.attackers
    )
    return any(abs(success(other, now=True) - success(line, now=True)) >= 100 * A_POINT for other in others)


def _best_lines(lines: Sequence[Line]) -> tuple[Line, Line]:
    """Return the games of a scenario with the attackers' best plan before, and now."""
    before, now = (max(lines, key=lambda line: success(line, now=which)) for which in (False, True))
    return before, now


def _best_gain(lines: Sequence[Line]) -> float:
    """Return by how many games in 100 the attackers' best plan succeeds more often; 0 if that may be luck."""
    before, now = _best_lines(lines)
    move = success(now, now=True) - success(before, now=False)
    return move if abs(move) >= 100 * A_POINT + _doubt(now, before) else 0.0


def _doubt(*lines: Line) -> float:
    """Return how far the attackers' success may be from what was sampled, of 100 games, added up."""
    ends = (line.after[end] for line in lines for end in WORDS)
    return sum(100 * (end.high - end.value) for end in ends if end.high is not None)


def _by_scenario(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return the games of each scenario in which the garrison keeps to its own plan."""
    found = dict[str, list[Line]]()
    for line in lines:
        if _keeps(line):
            found.setdefault(line.game.scenario, []).append(line)
    return found


def _called(scenario: Scenario) -> str:
    return called(scenario.title)


def _building(scenario: Scenario) -> str:
    """Return what is attacked: by the scenario's title if that is a thing, else the building."""
    called = _called(scenario)
    if called != scenario.title:
        return called
    title = scenario.building.title
    return f"the {title[0].lower()}{title[1:]}"


def _verb(line: Line) -> str:
    falls = max(found["p_destroyed"].value for found in (line.before, line.after)) >= A_POINT
    return "takes or destroys" if falls else "takes"


def by_end(found: Receipt) -> Iterator[tuple[str, str, list[Line]]]:
    """Yield each end with the games in which it moves: captured and destroyed, then what is left in which others do."""
    shown = list[Line]()
    for response, heading in ENDS.items():
        lines = found.movers(response)
        if response not in ("p_captured", "p_destroyed"):
            lines = [line for line in lines if line not in shown]
        shown += lines
        if lines:
            yield response, heading, lines


def merge_alike(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield games that come out alike as one, with the plans of all of them."""
    for same in _alike(lines):
        yield "; ".join(_plans(line) for line in same), same[0]


def _alike(lines: Sequence[Line]) -> list[list[Line]]:
    """Return games, those of a scenario together that come out alike."""
    alike = dict[Any, list[Line]]()
    for line in lines:
        ends = [tuple(round(e.value, 9) for e in found.values()) for found in (line.before, line.after)]
        alike.setdefault((line.game.scenario, *ends), []).append(line)
    return [*alike.values()]


def _plans(line: Line) -> str:
    attackers, defenders = line.point.plans
    return attackers if _keeps(line) else f"{attackers} against {defenders}"
