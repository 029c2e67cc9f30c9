"""How a receipt opens: by rule, with what moves most."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.best_play.best import Best, Question, Refused, best_of
from analysis.deciding.receipt import A_POINT, Line, Receipt
from analysis.points.plans import BEST
from analysis.say.numbers import percent
from analysis.say.scenarios import called
from sims.scenario import Scenario, Side

PLANS = {
    "storm": "a storm",
    "demolish": "demolition",
    "shoot": "shooting",
    "smoke": "smoke",
    "best": "best play",
}
ENDS = {f"p_{end}": f"{end} of 100" for end in ("captured", "destroyed", "broken", "held")}
WORDS = {
    "p_captured": ("easier to take", "harder to take"),
    "p_destroyed": ("easier to bring down", "harder to bring down"),
}
NEARLY_ALL = 0.9
"""The share of the moves that must go one way for a change to be called better for one side."""


def success(line: Line, *, now: bool) -> float:
    """Return how often attackers take a building or bring it down, of 100 games."""
    found = line.after if now else line.before
    return 100 * sum(found[end].value for end in WORDS)


def gain(line: Line) -> float:
    """Return by how many games of 100 the attackers do better."""
    return 100 * sum(line.move(end) for end in WORDS)


def first_word(found: Receipt) -> str:
    """Return the verdict: who does better, with an example, or what gets easier and what harder."""
    if not found.changes:
        return f"{found.after.title} changes nothing: as {found.before.id}."
    title, names = found.after.title, dict.fromkeys(game.scenario for game in found.refused)
    if not found.lines:
        return f"{title}: {by_plans(found)} nothing can be played ({', '.join(names)})."
    if winner := better_side(found):
        most = largest_gain(found)
        moved = [*filter(_moves_success, found.lines)]
        n = sum(_sign(gain(line)) == winner for line in moved)
        where = f" in {n} of the {len(moved)} assaults that move" if n < len(moved) else ""
        own = "" if most.own else f" Nothing moves {by_plans(found)}."
        return (
            f"{title}: {'the attackers do' if winner > 0 else 'the garrison does'} better{where}.{own} {example(most)}"
        )
    if ways := [*_ways(found)]:
        return f"{title} cuts both ways: {', '.join(ways)}."
    move, end, line = largest(found)
    if move >= A_POINT:
        return (
            f"{title}: {_building(line.point.scenario)} is {end.removeprefix('p_')} in "
            f"{'about ' * line.sampled}{100 * line.after[end].value:.0f} games of 100, "
            f"{100 * line.before[end].value:.0f} before."
        )
    but = f"; what cannot be played: {', '.join(names)}" if names else ""
    if doubt := dict.fromkeys(line.game.scenario for line in found.in_doubt if line.own):
        seen = f"too few games were drawn to tell whether anything moves by a point ({', '.join(doubt)})"
        return f"{title}: {by_plans(found)} {seen}{but}."
    return f"{title}: {by_plans(found)} nothing moves by a point{but}."


def better_side(found: Receipt) -> int:
    """Return 1 if the attackers do better, -1 if the garrison does, 0 if a change cuts both ways or moves neither end.

    A side does better if nearly all captures and destructions that move do so for it, those under the scenarios' own
    plans and those under the attackers' best plan as well.
    """
    moves = [(line, line.move(end)) for line in found.lines for end in WORDS if abs(line.move(end)) >= A_POINT]
    every, own = [move for _, move in moves], [move for line, move in moves if line.own]
    best = [move for lines in _by_scenario(found.lines).values() if (move := _best_gain(lines))]
    for winner in (1, -1):
        groups = [sum(_sign(move) == winner for move in some) / len(some) for some in (every, own, best) if some]
        if every and min(groups) >= NEARLY_ALL:
            return winner
    return 0


def example(line: Line) -> str:
    """Return how often one plan succeeds in an assault, now and before."""
    plan = PLANS[line.point.plans.attackers]
    return (
        f"{plan[0].upper()}{plan[1:]} {_verb(line)} {_building(line.point.scenario)} in {'about ' * line.sampled}"
        f"{success(line, now=True):.0f} games of 100, {success(line, now=False):.0f} before."
    )


def largest_gain(found: Receipt) -> Line:
    """Return the assault in which the side that does better gains most: one with own plans if any of these moves."""
    winner = better_side(found)
    return max(found.lines, key=lambda line: (line.own and gain(line) * winner >= 100 * A_POINT, gain(line) * winner))


def _ways(found: Receipt) -> Iterator[str]:
    """Yield what gets easier and what gets harder, in how many assaults, and where it moves most."""
    for end, words in WORDS.items():
        for sign, word in zip((1, -1), words, strict=True):
            lines = [line for line in found.lines if sign * line.move(end) >= A_POINT]
            if lines:
                most = max(lines, key=lambda line: sign * line.move(end))
                before, now = (100 * answers[end].value for answers in (most.before, most.after))
                many = f"{len(lines)} assaults, most" if len(lines) > 1 else "1 assault,"
                by = PLANS[most.point.plans.attackers].removeprefix("a ")
                where = f"{_called(most.point.scenario)} by {by}: {before:.0f} to {now:.0f} games of 100"
                yield f"{word} ({many} {where})"


def _moves_success(line: Line) -> bool:
    return any(abs(line.move(end)) >= A_POINT for end in WORDS)


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
    """Yield where another plan of the attackers is the best now."""
    named = largest_gain(found).game.scenario if found.lines and better_side(found) else None
    games = _by_scenario(found.lines)
    for scenario in sorted(games, key=lambda each: each != named):  # "there" is what was named
        before, now = _best_lines(games[scenario])
        if success(now, now=True) - success(before, now=True) >= 100 * A_POINT + _doubt(now, before):
            plan = now.point.plans.attackers
            there = "there" if scenario == named else f"for {_called(now.point.scenario)}"
            yield f"{plan.capitalize()} is now the best plan {there} ({success(now, now=True):.0f})."


def _best_lines(lines: Sequence[Line]) -> tuple[Line, Line]:
    """Return the games of a scenario with the attackers' best plan before, and now."""
    before, now = (max(lines, key=lambda line: success(line, now=which)) for which in (False, True))
    return before, now


def _best_gain(lines: Sequence[Line]) -> float:
    """Return by how many games of 100 the attackers' best plan succeeds more often; 0 if that may be luck."""
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
        if line.point.plans.defenders == line.point.scenario.defence:
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
    alike = dict[Any, list[Line]]()
    for line in lines:
        ends = [tuple(round(e.value, 9) for e in found.values()) for found in (line.before, line.after)]
        alike.setdefault((line.game.scenario, *ends), []).append(line)
    for same in alike.values():
        yield "; ".join(_plans(line) for line in same), same[0]


def _plans(line: Line) -> str:
    attackers, defenders = line.point.plans
    return attackers if defenders == line.point.scenario.defence else f"{attackers} against {defenders}"


SINGLE: dict[Side, str] = {"attackers": "for the attackers", "defenders": "for the garrison"}


def line_of(found: Receipt) -> Line | None:
    """Return the game of best play in which the chance of a capture moves most; None if nobody plays his best."""
    lines = [line for line in found.lines if line.point.plans == (BEST, BEST)]
    return max(lines, key=lambda line: abs(line.move("p_captured")), default=None)


def best_play_words(found: Receipt) -> Iterator[str]:
    """Yield what a house rule does to best play, in the game in which that moves most."""
    line = line_of(found)
    if line is None or not found.changes:
        return
    question = Question(line.point.scenario)
    before, now = (best_of(question, rules) for rules in (found.before, found.after))
    if isinstance(before, Refused) or isinstance(now, Refused):
        return
    where = f"At {_called(line.point.scenario)}"
    for side, words in SINGLE.items():
        yield from _single(side, f"{where}, {words}", before, now)


def _single(side: Side, words: str, before: Best, now: Best) -> Iterator[str]:
    """Yield another plan that is the best for a side that never changes it, and what changing is worth to it then."""
    (plan, worth), (had, _) = now.steadfast(side), before.steadfast(side)
    kept = now.kept_to(side).get(had)
    if plan != had and kept is not None and abs(worth - kept) >= A_POINT:
        ends = f"captured {percent(worth)}, with {had} {percent(kept)}"
        yield f"{words}, {plan} is now the best plan to keep to, no longer {had} ({ends})."
    was, gain = (100 * each.worth_of_choosing(side)["best"] for each in (before, now))
    if abs(gain - was) >= 100 * A_POINT:
        yield f"{words}, changing plans in mid-game is now worth {gain:.1f} games of 100, no longer {was:.1f}."
