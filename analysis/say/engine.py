"""Say how numbers were computed: exactly, or from how many games."""

from collections.abc import Iterator

from analysis.points.point import AUTO, How
from analysis.points.stopping import looks
from sims.words import counted


def trials_words(how: How) -> str:
    """Say how many assaults are played where they are sampled."""
    trials = "1 assault" if how.trials == 1 else f"{how.trials:,} assaults"
    return trials if how.until is None else f"{trials} or more, until every chance is within {how.until:g},"


def not_enough(how: How, answers: int) -> Iterator[str]:
    """Say, if it is so, in how many answers the most trials were not enough."""
    if how.until is not None and answers:
        most = how.trials << looks(how.trials, how.until) - 1
        yield f"In {counted(answers, 'answer')} {most:,} assaults were not enough to be within {how.until:g}."


def engine(how: How, points: int, sampled: int, certified: int = 0) -> str:
    """Say how the numbers were computed.

    Args:
        sampled, certified: Of how many points they were sampled, or are known within bounds.
    """
    if not sampled and not certified and how.engine != "bounded":
        return "All numbers are exact."

    def which(n: int) -> str:
        return "All are" if n == points else f"{counted(n, 'point')} {'is' if n == 1 else 'are'}"

    said = []
    if certified or not sampled:
        said.append(f"{which(certified or points)} {certified_words(how)}.")
    if sampled:
        luck = f"{trials_words(how)} from seed {how.seed}"
        said.append(f"{which(sampled)} sampled ({luck}): 95 of 100 intervals hold the true value.")
    return " ".join(said)


def certified_words(how: How) -> str:
    """Say how far a number can be off that is known within bounds."""
    return certified_within(how.within)


def certified_within(bound: float) -> str:
    """Say how far a chance can be off that is known within a bound."""
    games = f"{100 * bound:.12f}".rstrip("0").rstrip(".")
    return f"certified: no chance is off by more than {games} {'game' if games == '1' else 'games'} in 100"


def options(how: How) -> list[str]:
    """Return the options by which assaults are computed that are not the usual ones."""
    usual = AUTO._asdict()
    return [word for name, value in how._asdict().items() if value != usual[name] for word in (f"--{name}", str(value))]
