"""How a receipt opens: by rule, with what moves most."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.best_play.best import Best, Question, Refused, best
from analysis.deciding.receipt import A_POINT, Line, Receipt
from analysis.points.plans import BEST
from analysis.say.numbers import percent
from sims.scenario import Scenario, Side

PLANS = {
    "storm": "a storm",
    "demolish": "demolition",
    "shoot": "shooting",
    "smoke": "smoke",
    "best": "best play",
}
ENDS = {f"p_{end}": f"{end} of 100" for end in ("captured", "destroyed", "broken", "held")}


def success(line: Line, *, now: bool) -> float:
    """Return how often attackers take a building or bring it down, of 100 games."""
    found = line.after if now else line.before
    return 100 * (found["p_captured"].value + found["p_destroyed"].value)


def gain(line: Line) -> float:
    """Return by how many games of 100 the attackers do better."""
    return 100 * (line.move("p_captured") + line.move("p_destroyed"))


def most_moved(found: Receipt) -> Line | None:
    """Return the game with the scenario's own plans in which the attackers gain or lose most."""
    return max((line for line in found.lines if line.own), key=lambda line: abs(gain(line)), default=None)


def first_word(found: Receipt) -> str:
    """Say how far the scenarios' own plans have moved: the most that any of them has."""
    if not found.changes:
        return f"{found.after.title} changes nothing: as {found.before.id}."
    title, most, names = found.after.title, most_moved(found), dict.fromkeys(game.scenario for game in found.refused)
    if most is None:
        return f"{title}: {by_plans(found)} nothing can be played ({', '.join(names)})."
    if abs(gain(most)) >= 100 * A_POINT:
        better = "the attackers do" if gain(most) > 0 else "the garrison does"
        plan, verb = PLANS[most.point.plans.attackers], _verb(most)
        return (
            f"{title}: {better} better. {plan[0].upper()}{plan[1:]} {verb} {_called(most.point.scenario)} in "
            f"{'about ' * most.sampled}{success(most, now=True):.0f} games of 100, "
            f"{success(most, now=False):.0f} before."
        )
    move, end, line = largest(found)
    if move >= A_POINT:
        return (
            f"{title}: {_called(line.point.scenario)} is {end.removeprefix('p_')} in "
            f"{'about ' * line.sampled}{100 * line.after[end].value:.0f} games of 100, "
            f"{100 * line.before[end].value:.0f} before."
        )
    but = f"; what cannot be played: {', '.join(names)}" if names else ""
    if doubt := dict.fromkeys(line.game.scenario for line in found.in_doubt if line.own):
        seen = f"too few games were drawn to tell whether anything moves by a point ({', '.join(doubt)})"
        return f"{title}: {by_plans(found)} {seen}{but}."
    return f"{title}: {by_plans(found)} nothing moves by a point{but}."


def by_plans(found: Receipt) -> str:
    """Say by which plans the assaults are played that are told first."""
    games = [*(line.game for line in found.lines), *found.refused]
    best = all(BEST in game.plans for game in games)
    return "with both sides playing their best" if best else "under the scenarios' own plans"


def largest(found: Receipt) -> tuple[float, str, Line]:
    """Return how far the end moves that moves most under own plans, which it is, and in which game."""
    own = [line for line in found.lines if line.own]
    return max(((abs(line.move(end)), end, line) for line in own for end in ENDS), key=lambda one: one[0])


def more_words(found: Receipt) -> Iterator[str]:
    """Yield what else stands out: a best plan that is another now, and the largest move the other way."""
    most = most_moved(found)
    games = _by_scenario(found.lines)
    for scenario in sorted(games, key=lambda each: not most or each != most.game.scenario):  # "there" is what was named
        lines = games[scenario]
        before = max(lines, key=lambda line: success(line, now=False))
        now = max(lines, key=lambda line: success(line, now=True))
        if success(now, now=True) - success(before, now=True) >= 100 * A_POINT + _doubt(now) + _doubt(before):
            plan = now.point.plans.attackers
            there = "there" if most and most.game.scenario == scenario else f"for {_called(now.point.scenario)}"
            yield f"{plan.capitalize()} is now the best plan {there} ({success(now, now=True):.0f})."
    if most is None:
        return
    own = [line for line in found.lines if line.own]
    other = min(own, key=lambda line: gain(line) * (1 if gain(most) > 0 else -1))
    if gain(other) * gain(most) < 0 and abs(gain(other)) >= 100 * A_POINT:
        name = _called(other.point.scenario)
        how = "harder" if gain(other) < 0 else "easier"
        chances = f"{success(other, now=True):.0f}, {success(other, now=False):.0f} before"
        yield f"{name[0].upper()}{name[1:]} gets {how}: {chances}."


def _doubt(line: Line) -> float:
    """Return how far the attackers' success may be from what was sampled, of 100 games."""
    ends = (line.after[end] for end in ("p_captured", "p_destroyed"))
    return sum(100 * (end.high - end.value) for end in ends if end.high is not None)


def _by_scenario(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return the games of each scenario in which the garrison keeps to its own plan."""
    found = dict[str, list[Line]]()
    for line in lines:
        if line.point.plans.defenders == line.point.scenario.defence:
            found.setdefault(line.game.scenario, []).append(line)
    return found


def _called(scenario: Scenario) -> str:
    title = scenario.title
    return title[0].lower() + title[1:] if title.startswith(("The ", "A ", "An ")) else title


def _verb(line: Line) -> str:
    falls = max(found["p_destroyed"].value for found in (line.before, line.after)) >= A_POINT
    return "takes or brings down" if falls else "takes"


def by_end(found: Receipt) -> Iterator[tuple[str, str, list[Line]]]:
    """Yield each end with the games in which it moves: captured and destroyed, then what is left in which others do."""
    shown = list[Line]()
    for response, heading in ENDS.items():
        lines = found.moved(response)
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
    before, now = (best(question, rules) for rules in (found.before, found.after))
    if isinstance(before, Refused) or isinstance(now, Refused):
        return
    where = f"At {line.point.scenario.title[0].lower()}{line.point.scenario.title[1:]}"
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
