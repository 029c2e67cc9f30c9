"""The functions behind `from analysis import ...`: they read names, and ask the rooms.

Rooms take what has been read: sets of rules, scenarios, suites. People in a notebook have names and files. So each
question has one thin function here, called as its command is, that reads what it is given and asks the room. What
takes names already (`sweep`, `design`, `point`) is handed out as it is: `analysis/__init__.py` says from where.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from analysis.best_play.best import Best, Question, Refused
from analysis.best_play.best import best as best_play
from analysis.best_play.objective import objective
from analysis.comparing import compare as comparing
from analysis.deciding import explain as explaining
from analysis.deciding import receipt as receipts
from analysis.deciding import solve as solving
from analysis.library import odds as asking
from analysis.points import suite as suites
from analysis.points.plans import PLANS, Plans, but_best, own_plans
from analysis.points.point import AUTO, How, Played, Point
from analysis.points.responses import check_response
from analysis.say import blocks
from analysis.say.console import console
from analysis.sweeps import indices, tornado
from analysis.sweeps.design import design, factor
from analysis.sweeps.scenario_steps import steps
from analysis.sweeps.sweep import answers
from analysis.told import position as positions
from analysis.told import position_file
from analysis.told import replay as telling
from sims.errors import CasemateError, nearest
from sims.replay import Move, Replay, replay
from sims.rulesets import RuleSet, rule_set, rule_sets_of
from sims.scenario import Scenario, load_scenario
from sims.script import RollFile, Script

if TYPE_CHECKING:
    from analysis.told.chances import Course

Rules = str | Path | RuleSet | Iterable[str | Path | RuleSet]
Progress = Callable[[float, int], None]
FARMHOUSE = "farmhouse"
"""The scenario that is played where none is named, as at the command line."""


def compare(
    scenario: str | Scenario = FARMHOUSE,
    rules: Rules = "all",
    *,
    plans: Iterable[tuple[str, str]] = (),
    how: How = AUTO,
    known: Played | None = None,
    progress: Progress | None = None,
) -> comparing.Comparison:
    """Play one assault under several sets of rules, side by side.

    >>> from analysis import compare
    >>> found = compare("farmhouse", rules="storming")
    >>> round(found.entries[0].responses["p_captured"].value, 3)
    0.703

    `show(found)` prints the tables of `casemate compare`. `rows.end_rows(found)`, `rows.turn_rows(found)` and others
    make it tidy for a chart: `charts.end_chart(rows.end_rows(found))`.

    Args:
        scenario: The name of a scenario, the path of your own, or one that `load_scenario` has changed.
        rules: Rule sets by name and house rules by the path of their file, in a list or with commas between.
        plans: More pairs of plans to play besides the scenario's own: ``[("smoke", "hold")]``.
        how: How it is computed: exactly where that is possible.
        known: What has been played already; new answers are added.
        progress: ``progress(done, of)`` in assaults played.
    """
    game, sets, more = _scenario(scenario), _rule_sets(rules), [_plans(pair) for pair in plans]
    return comparing.compare(game, sets, how=_how(how), plans=more, known=known, progress=progress)


@overload
def sensitivity(
    scenario: str = ...,
    *,
    rules: Rules = ...,
    response: str = ...,
    only: str | Iterable[str] | None = ...,
    how: How = ...,
    known: Played | None = ...,
    workers: int | str = ...,
    progress: Progress | None = ...,
) -> list[tornado.Tornado]: ...
@overload
def sensitivity(
    scenario: str,
    factors: Mapping[str, Any],
    *,
    rules: Rules = ...,
    response: str = ...,
    how: How = ...,
    known: Played | None = ...,
    workers: int | str = ...,
    progress: Progress | None = ...,
) -> list[indices.Indices]: ...
def sensitivity(
    scenario: str = FARMHOUSE,
    factors: Mapping[str, Any] | None = None,
    *,
    rules: Rules = "all",
    response: str = "p_captured",
    only: str | Iterable[str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    workers: int | str = 1,
    progress: Progress | None = None,
) -> list[tornado.Tornado] | list[indices.Indices]:
    """Find out what matters most in a scenario: each number by one step, or some numbers over ranges.

    >>> from analysis import sensitivity
    >>> (found,) = sensitivity("farmhouse", rules="storming", only=["attackers.models", "turns"])
    >>> [bar.key for bar in found.bars]
    ['attackers.models', 'turns']

    With ranges every combination of their values is played. The answer then says which share of the spread each factor
    has by itself (``first``), and together with the others (``total``):

    >>> (found,) = sensitivity("farmhouse", {"attackers.models": [16, 20], "turns": [3, 6]}, rules="storming")
    >>> [(each.factor, round(each.first, 1)) for each in found.indices]
    [('attackers.models', 0.3), ('turns', 0.6)]

    Args:
        scenario: The name of a scenario, or the path of your own.
        factors: The values of each number, by key: ``{"attackers.models": range(12, 25)}``.
        rules: Rule sets by name and house rules by the path of their file, in a list or with commas between.
        response: What is to be explained.
        only: Without ranges: the keys to change, not all that a player would vary.
        how: How it is computed: exactly where that is possible.
        known: What has been played already; new answers are added.
        workers: Processes that play.
        progress: ``progress(done, of)`` in assaults played.

    Returns:
        One answer for each set of rules.
    """
    scenario, sets = _file(scenario), _rule_sets(rules)
    check_response(response)
    if factors is not None:
        grid = design([factor(name, levels) for name, levels in factors.items()], scenario, sets)
        indices.varied_factors(grid)
        found = answers(grid, _how(how), known=known, workers=workers, progress=progress)
        return indices.indices(grid, found, response)
    asked = steps(scenario)
    if only is not None:
        keys, there = {only} if isinstance(only, str) else {*only}, {step.key for step in asked}
        for key in sorted(keys - there):
            raise CasemateError(f'"{key}" is nothing that a player would vary; {nearest(key, there)}')
        asked = [step for step in asked if step.key in keys]
    found = answers(
        tornado.one_by_one(asked, scenario, sets), _how(how), known=known, workers=workers, progress=progress
    )
    return tornado.tornados(asked, found, response)


def receipt(
    rules: str | RuleSet,
    against: str | RuleSet | None = None,
    games: str | Path | Sequence[suites.Game] | None = None,
    *,
    play: Literal["fixed", "best"] = "fixed",
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> receipts.Receipt:
    """Find out what a house rule does: play many assaults without it and with it.

    >>> from analysis import games, receipt
    >>> found = receipt("storming", against="storming", games=games(["farmhouse"]))
    >>> found.lines  # these two are the same, so nothing has to be played
    ()

    `show(found)` prints it; `rows.move_rows(found)` are the moves for `charts.move_chart`.

    Args:
        rules: The path of a house rule.
        against: The rules that it is compared with; its base if not given.
        games: The assaults: the path of a suite, or what `games` returns; if not given all scenarios that come with
            Casemate, under all pairs of plans.
        play: Keep to these plans, or let both sides play their best.
        how: How it is computed: exactly where that is possible.
        known: What has been played already; new answers are added.
        workers: Processes that play.
        progress: ``progress(done, of)`` in assaults played.

    Raises:
        CasemateError: If there is nothing to compare the rules with.
    """
    after = rule_set(rules)
    before = after.made_from if against is None else rule_set(against)
    if before is None:
        raise CasemateError(f"{after.id} is no house rule; say against which rules it is compared")
    suite = suites.shipped_games() if games is None else games
    suite = suites.load(Path(suite)) if isinstance(suite, str | Path) else suite
    asked = suites.games_for(suite, play)
    return receipts.receipt(before, after, asked, how=_how(how), known=known, workers=workers, progress=progress)


@overload
def explain(
    rules: str | RuleSet,
    other: None = ...,
    scenario: str | Scenario = ...,
    *,
    section: str = ...,
    response: str = ...,
    plans: tuple[str, str] | None = ...,
    how: How = ...,
    known: Played | None = ...,
    workers: int = ...,
    progress: Progress | None = ...,
) -> explaining.Sensitivity: ...
@overload
def explain(
    rules: str | RuleSet,
    other: str | RuleSet,
    scenario: str | Scenario = ...,
    *,
    plans: tuple[str, str] | None = ...,
    how: How = ...,
    known: Played | None = ...,
    workers: int = ...,
    progress: Progress | None = ...,
) -> explaining.Sharing: ...
def explain(
    rules: str | RuleSet,
    other: str | RuleSet | None = None,
    scenario: str | Scenario = FARMHOUSE,
    *,
    section: str = "",
    response: str = "p_captured",
    plans: tuple[str, str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> explaining.Sensitivity | explaining.Sharing:
    """Find out what each value of a set of rules is worth in one assault, or which change of a house rule does what.

    >>> from analysis import explain
    >>> found = explain("storming", section="rulings.second_round")
    >>> found.worth[0].steps
    ({'rulings.second_round': 'yes'},)
    >>> round(found.worth[0].responses["p_captured"].value, 2)
    0.78

    ``explain("storming", "my-house-rule.toml")`` shares the difference between the two over the keys that differ.

    Args:
        rules: A rule set by name, or a house rule by the path of its file.
        other: What it is compared with: rules made from the same book.
        scenario: The name of a scenario, the path of your own, or one that `load_scenario` has changed.
        section: Which values are tried: those whose key begins like this, such as ``"rulings."``.
        response: What sorts the answer: the values that move it most come first.
        plans: What both sides mean to do, such as ``("smoke", "hold")``; the scenario's own plans if not given.
        how: How it is computed: exactly where that is possible.
        known: What has been played already; new answers are added.
        workers: Processes that play.
        progress: ``progress(done, of)`` in assaults played.

    Raises:
        CasemateError: If the two are not made from one book, or the assault cannot be played.
    """
    game, known = _scenario(scenario), Played() if known is None else known
    first = Point(rule_set(rules), game, _plans(plans) if plans else own_plans(game), _how(how))
    if other is None:
        check_response(response)
        if not any(key.startswith(section) for key in first.leaves):
            raise CasemateError(
                f'no key of {first.rule_set.id} begins with "{section}"; {nearest(section, first.leaves)}'
            )
        return explaining.sensitivity(first, response, section=section, known=known, workers=workers, progress=progress)
    after = rule_set(other)
    changed = explaining.parts(first.rule_set, after)
    found = next(explaining.sharings([first], after, changed, known, workers=workers, progress=progress))
    if isinstance(found, CasemateError):
        raise found
    return found


def solve(
    scenario: str = FARMHOUSE,
    key: str = "attackers.models",
    response: str = "p_captured",
    target: float = 0.5,
    *,
    rules: Rules = "all",
    plans: tuple[str, str] | None = None,
    how: How = AUTO,
    known: Played | None = None,
    progress: Progress | None = None,
) -> list[solving.Solution]:
    """Find the value of one number at which a response meets a target: how many attackers make it even, say.

    >>> from analysis import solve
    >>> (found,) = solve("farmhouse", "attackers.models", target=0.7, rules="storming")
    >>> [(low.value, high.value) for low, high in found.crossings]
    [(19, 20)]
    >>> found.nearest.value
    20

    `rows.solve_rows` makes the answer tidy for `charts.crossings_chart`.

    Args:
        scenario: The name of a scenario, or the path of your own.
        key: The number, by its key in a scenario file (``"distance"``) or in the rules (``"tables.grenade.hits"``).
        response: What is to meet the target: ``p_captured``, ``attackers_lost_mean``, ...
        target: From 0 to 1 for a chance.
        rules: Rule sets by name and house rules by the path of their file, in a list or with commas between.
        plans: What both sides mean to do, such as ``("smoke", "hold")``; the scenario's own plans if not given.
        how: How it is computed: exactly where that is possible.
        known: What has been played already; new answers are added.
        progress: ``progress(done, of)`` in assaults played.

    Returns:
        One answer for each set of rules that has the key.
    """
    asked, meant = _rule_sets(rules), _plans(plans) if plans else None
    return solving.solve(
        _file(scenario), asked, key, response, target, plans=meant, how=_how(how), known=known, progress=progress
    )


def best(
    scenario: str | Scenario = FARMHOUSE,
    rules: Rules = "all",
    *,
    aim: str = "captured",
    plan: str | None = None,
    defence: str | None = None,
    progress: Progress | None = None,
) -> list[Best | Refused]:
    """Find out what good players make of an assault: both sides may change their plans at the starts of their turns.

    >>> from analysis import best, load_scenario
    >>> small = load_scenario("farmhouse", {"attackers.models": 6, "defenders.models": 3, "turns": 4})
    >>> (found,) = best(small, "storming")
    >>> found.policies["defenders"].words
    ('throughout: hold',)

    The farmhouse as it is takes some seconds for each set of rules.

    Args:
        scenario: The name of a scenario, the path of your own, or one that `load_scenario` has changed.
        rules: Rule sets by name and house rules by the path of their file, in a list or with commas between.
        aim: What the attackers want, and the garrison does not: ``captured``, ``cleared``, ``destroyed``, or the path
            of a file of weights.
        plan: The plan to which the attackers keep; they choose if not given.
        defence: The plan to which the garrison keeps; it chooses if not given.
        progress: ``progress(done, of)``; it begins again for each set of rules.

    Returns:
        One answer for each set of rules.
    """
    for side, kept, each in zip(Plans._fields, (plan, defence), PLANS, strict=True):
        if kept and kept not in each:
            raise CasemateError(f'the {side} have no plan "{kept}" to keep to; {nearest(kept, each)}')
    plans: Any = ((plan,) if plan else PLANS[0], (defence,) if defence else PLANS[1])
    question = Question(_scenario(scenario), objective(aim), *plans)
    return [best_play(question, each, progress) for each in _rule_sets(rules)]


def position(
    file: str | Path, rules: Rules = "all", *, progress: Progress | None = None
) -> list[positions.Worth | positions.Refusal]:
    """Find out what a game in the middle is worth: the chance of each end from there, under every plan.

    ``position("position.toml", "storming")[0].chances`` has the chance of each end for each pair of plans, and
    ``.best`` what each plan is worth if both sides play their best from there on. ``casemate play --save-position 3``
    writes such a file, and ``casemate position --help`` shows one.

    Args:
        file: The file that says what is known of the game.
        rules: Rule sets by name and house rules by the path of their file, in a list or with commas between.
        progress: ``progress(done, of)``; it begins again for each set of rules.

    Returns:
        One answer for each set of rules.
    """
    sets = _rule_sets(rules)
    asked = position_file.load(Path(file), sets)
    return [positions.worth(asked, each, progress) for each in sets]


def play(
    scenario: str | Scenario = FARMHOUSE,
    rules: str | RuleSet = "storming",
    *,
    seed: int | None = None,
    script: str | Path | Iterable[Mapping[str, Any]] | None = None,
) -> Replay:
    """Play an assault once, roll by roll.

    >>> from analysis import play
    >>> game = play("farmhouse", "storming", seed=2)
    >>> game.end.name, game.turn
    ('BROKEN', 4)

    `show(game)` prints it. `Course(game.assault)` has the chances of each end at every step.

    Args:
        scenario: The name of a scenario, the path of your own, or one that `load_scenario` has changed.
        rules: A rule set by name, or a house rule by the path of its file.
        seed: Which luck: the same seed throws the same dice again. One is drawn if neither it nor a script is given.
        script: Rolls that are written down, in the order they come up: the path of a file, or
            ``[{"label": "morale", "turn": 4, "answer": "failed"}]``. With a seed, the others are thrown.

    Raises:
        CasemateError: If a script has no seed and lacks a roll, or has one that does not fit.
    """
    if script is None or isinstance(script, str | Path):
        rolls = Script.load(Path(script)) if script else None
    else:
        rolls = Script([RollFile(**each) for each in script])
    return replay(rule_set(rules).assault(_scenario(scenario)), seed=seed, script=rolls)


def odds(
    text: str,
    /,
    *,
    ask: str | None = None,
    rules: str | RuleSet | None = None,
    **inputs: Any,
) -> asking.Asked:
    """Ask any dice, or any clause of the rule books, for exact odds.

    >>> from analysis import odds
    >>> odds("2D6").answer.at_least(9)
    Fraction(5, 18)
    >>> odds("ST-030", n=2, T=4, building_class="defensible", ask="mean").answer
    Fraction(8, 9)

    `show(odds("2D6"))` prints every outcome. ``casemate odds ST-030 --help`` lists what a clause takes.

    Args:
        text: Dice as players write them, the id of a clause, or the name of a question.
        ask: What to ask of a distribution: ``"mean"``, ``"P(>=9)"``.
        rules: The house rule to ask, in place of the printed book.
        inputs: What the clause takes, and rulings to switch.

    Returns:
        An answer, whose ``answer`` is a fraction, a number or a distribution.
    """
    given = [f"{name}={value}" for name, value in inputs.items()]
    return asking.ask(text, given, ask, None if rules is None else rule_set(rules))


def show(
    found: "comparing.Comparison | receipts.Receipt | asking.Asked | Replay | Move | Iterable[blocks.Block]",
    course: "Course | None" = None,
) -> None:
    """Print an answer for people, in the words of its command.

    >>> from analysis import odds, show
    >>> show(odds("1D2", ask="mean"))
    1D2
    3/2 = 1.5

    Of a receipt it prints what moves; `shares` and `weigh` answer what does it, and what it is worth.

    Args:
        found: What `compare`, `receipt`, `odds` or `play` returns, a move of a game, or what `verdict` and
            `baseline_summary` say.
        course: For a game: says the chances of each end after every move. It must have followed none yet.

    Raises:
        CasemateError: If there are no words for it.
    """
    match found:
        case comparing.Comparison():
            from analysis.comparing import terminal

            terminal.show(found)
        case receipts.Receipt():
            from analysis.deciding import receipt_opening, receipt_words

            names = (found.before.file or found.before.id, found.after.file or found.after.id)
            words = receipt_words.blocks(found, [], {}, None, names)
            blocks.show(console(), [receipt_opening.first_word(found), *words])
        case asking.Asked():
            asking.show(found)
        case Replay():
            telling.show(found, course)
        case Move():
            telling.show_move(found, course)
        case _:
            said: list[Any] = [*found] if isinstance(found, list | tuple | Iterator) else [None]
            if not all(isinstance(each, str | blocks.Heading | blocks.Grid | blocks.Code) for each in said):
                expected = "what compare, receipt, odds or play returns, or verdict and baseline_summary say"
                raise CasemateError(f"there are no words for {type(found).__name__}; expected {expected}")
            blocks.show(console(), said)


def _scenario(given: str | Path | Scenario) -> Scenario:
    return given if isinstance(given, Scenario) else load_scenario(_file(given))


def _file(given: str | Path) -> str:
    """Return the name of a scenario, or the path of its file.

    Raises:
        CasemateError: If it is none.
    """
    if not isinstance(given, str | Path):
        what = "one that has been read" if isinstance(given, Scenario) else repr(given)
        raise CasemateError(f"expected the name of a scenario or the path of its file, got {what}")
    return str(given)


def _rule_sets(given: Rules) -> list[RuleSet]:
    """Return some sets of rules, at least one.

    Raises:
        CasemateError: If there are none, or they are not named.
    """
    if not isinstance(given, Iterable | RuleSet | Path):
        raise CasemateError(f"expected the names of sets of rules, or the paths of their files, got {given!r}")
    found = rule_sets_of(given)
    if not found:
        raise CasemateError("no set of rules is named; expected ids and paths, or all")
    return found


def _how(given: How) -> How:
    """Return how something is computed.

    Raises:
        CasemateError: If it is no `How`.
    """
    if not isinstance(given, How):
        raise CasemateError(f'expected how to compute it, such as How("sampled", trials=10_000), got {given!r}')
    return given


def _plans(given: tuple[str, str]) -> Plans:
    """Return a pair of plans.

    Raises:
        CasemateError: If it is no pair, or a side has no such plan.
    """
    if isinstance(given, str) or len(given) != 2:
        raise CasemateError(f'expected a plan for each side, such as ("storm", "hold"), got {given!r}')
    plans: Any = Plans._fields, given
    but_best({f"{side}.plan": plan for side, plan in zip(*plans, strict=True)})
    return Plans(*plans[1])
