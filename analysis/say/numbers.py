"""How numbers and results are said to people, on the terminal and on the page alike."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.points.responses import Estimate


A_GAME = 0.01
"""A game of a hundred."""
SELDOM = 0.0005
"""What happens less often than this is left to the table."""
EVEN = range(45, 56)
"""An assault is about even if it succeeds in so many games in 100, rounded; in more it is worth making."""
CERTAIN = 1 - 1e-12
"""A chance of this much is that of what always happens."""


def percent(share: float) -> str:
    """Write a share as a percentage; only what is certain reads 0 or 100 %."""
    if 0 < share < SELDOM:
        return "<0.1 %"
    if 1 - SELDOM < share < CERTAIN:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def whole_percent(share: float) -> str:
    """Write a share as a whole percentage; only what is certain reads 0 or 100 %."""
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < share < CERTAIN else f"{100 * share:.0f} %"


def bare_percent(share: float) -> str:
    """Write a whole percentage without its sign, where there is no room for more."""
    return whole_percent(share).removesuffix(" %")


def percent_within(share: float, low: float | None, high: float | None) -> str:
    """Write a whole percentage, and how far its interval reaches where it was sampled."""
    if low is None or high is None:
        return whole_percent(share)
    return whole_percent(share).replace(" %", f" ± {100 * max(share - low, high - share):.1f} %")


def number(value: float) -> str:
    """Write a number of models or turns."""
    return f"{value:.1f}"


def rounded_up(bound: float) -> float:
    """Return a bound with one digit, and no less."""
    digit: float = 10.0 ** floor(log10(bound))
    return ceil(bound / digit) * digit


def signed(value: float) -> str:
    """Write how far a number moves; what rounds to nothing has no sign."""
    return f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"


def with_interval(estimate: "Estimate", factor: int = 1) -> str:
    """Write a number, with its interval if it was sampled."""
    apart = interval(estimate, factor)
    return f"{factor * estimate.value:.1f}{apart and f' ({apart})'}"


def moved(before: float, now: float) -> float:
    """Return how far a number has moved, as both are written: to a tenth, so that the three add up."""
    return round(now, 1) - round(before, 1)


def written_shares(shares: "Sequence[Estimate]", whole: float, factor: int = 1) -> list[str]:
    """Write shares to a tenth, which add up to their whole as it is written; sampled ones with their intervals.

    Args:
        whole: Multiplied by the factor already.
    """
    values = [factor * share.value for share in shares]
    tenths = [floor(10 * value) for value in values]
    first = sorted(range(len(values)), key=lambda i: tenths[i] - 10 * values[i])
    for i in first[: round(10 * whole) - sum(tenths)]:
        tenths[i] += 1
    return [f"{signed(n / 10)}{within(share, factor)}" for n, share in zip(tenths, shares, strict=True)]


def within(change: "Estimate", factor: int = 1) -> str:
    """Write the interval of a change that was sampled, after it and in brackets, rounded outwards."""
    if change.low is None or change.high is None:
        return ""
    low, high = floor(10 * factor * change.low) / 10, ceil(10 * factor * change.high) / 10
    return f" ({signed(low)} to {signed(high)})"


def goal(response: str, value: float, than: str = "") -> str:
    """Say what a response is to be: "captured in 70 % of games", or what else, "in more than 70 %"."""
    if response.startswith("p_"):
        return f"{response.removeprefix('p_')} in {than}{round(100 * value, 1):g} % of games"
    return f"{response.replace('_', ' ')} of {than}{round(value, 2):g}"


def interval(estimate: "Estimate", factor: int = 1) -> str:
    """Write the interval of a sampled number, or bounds that can be seen, rounded outwards; else nothing."""
    _, low, high = estimate.drawn
    if low is None or high is None:
        return ""
    places = 1 if factor == 100 else 2
    step = 10**places
    low, high = floor(low * factor * step) / step, ceil(high * factor * step) / step
    return f"{low:.{places}f}–{high:.{places}f}"


def in_games(share: float, about: str = "") -> str:
    """Say a chance as so many games of a hundred, or of as many as it takes."""
    if not share:
        return "in no game"
    if share > CERTAIN:
        return "in every game" + (" played" if about else "")
    if share >= 0.995:
        return "in nearly every game"
    if share >= 0.01:
        return f"in {about}{100 * share:.0f} of 100 games"
    if share < SELDOM:
        return "in fewer than 1 of 1,000 games"
    return f"in {about}{1000 * share:.0f} of 1,000 games"


def games(chance: float) -> str:
    """Say a chance as so many games of a hundred."""
    if 0 < chance <= 0.005:
        return "less than 1"
    return "more than 99" if 0.995 <= chance < CERTAIN else f"{100 * chance:.0f}"


def in_100(said: str, of: str = "game") -> str:
    """Say of what so many are, as `games` says them."""
    return f"{said} {of if said in ('1', 'less than 1') else of + 's'} in 100"


def apart(one: float, other: float, *, chance: bool) -> tuple[str, str]:
    """Say two chances as `games` does, or two means, to a tenth; what would read alike, to as many digits as differ."""
    first = (games(one), games(other)) if chance else (f"{one:.1f}", f"{other:.1f}")
    if first[0] != first[1]:
        return first
    factor = 100 if chance else 1
    for digits in range(1, 9):
        said = f"{factor * one:.{digits}f}", f"{factor * other:.{digits}f}"
        if said[0] != said[1] and not (chance and any(map(_falsely_sure, said, (one, other)))):
            return said
    return first


def _falsely_sure(said: str, chance: float) -> bool:
    """Return whether what may be reads as never, or what may not be as always."""
    return 0 < chance < CERTAIN and float(said) in (0, 100)


def listed(parts: Sequence[str]) -> str:
    """Join parts as people list them."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
