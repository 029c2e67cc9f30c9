"""What a house rule does to best play, for its receipt."""

from collections.abc import Iterator

from analysis.best_play.best import Best, Question, Refused, best_of
from analysis.deciding.receipt import A_POINT, Line, Receipt
from analysis.points.plans import BEST
from analysis.say.numbers import percent
from analysis.say.scenarios import called
from sims.scenario import Side

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
    where = f"At {called(line.point.scenario.title)}"
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
        yield f"{words}, changing plans in mid-game is now worth {gain:.1f} games in 100, no longer {was:.1f}."
