"""Best play, told on the terminal and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from analysis.best_play.best import Best, Question, Refused
from analysis.best_play.crossroads import Crossroads
from analysis.best_play.listing import Line
from analysis.best_play.objective import Objective
from analysis.points.margins import ENDS, SIDES
from analysis.points.plans import plan_in
from analysis.say.blocks import Block, Code, Grid, Heading
from analysis.say.numbers import A_GAME, EVEN, SELDOM, in_games, number, percent
from analysis.say.scenarios import start
from analysis.told.fields import is_so
from sims.engines.contest import Pair
from sims.scenario import Scenario, Side
from sims.words import CHOSEN

WHO: dict[Side, str] = {"attackers": "attackers", "defenders": "garrison"}
OTHERWISE = {"captured": "destroyed", "destroyed": "captured"}
"""How attackers succeed as well, by how they mean to."""
WAYS = 2
"""The most ways to go in with one plan that are named where others are wrong; of more it is said how many."""


def summary(question: Question, answers: Sequence[Best | Refused]) -> Iterator[Block]:
    """Yield what best play is, what is found first."""
    found = [answer for answer in answers if isinstance(answer, Best)]
    yield _heading(question)
    yield from _findings(question.objective, answers)
    if sides := [side for side in SIDES if any(side in one.policies for one in found)]:
        rows = [(one.rule_set.title, *(_policy(question.objective, one, side) for side in sides)) for one in found]
        yield Grid(("rules", *(f"the {WHO[side]}" for side in sides)), tuple(rows), words=3)
    for answer in found:
        yield from _details(question, answer)


def in_short(question: Question, answers: Sequence[Best | Refused]) -> Iterator[Block]:
    """Yield of which assault best play is, what is found, and when to do what, beside the plans of the scenario."""
    scenario, objective = question.scenario, question.objective
    yield _heading(question)
    yield f"{scenario.building.title}: {scenario.attackers.models} v {scenario.defenders.models}, {start(scenario)}."
    yield from _findings(objective, answers)
    pair = Pair(scenario.plan, scenario.defence)
    rows = [
        (
            one.rule_set.title,
            *(_policy(objective, one, side) for side in SIDES),
            _number(objective, one.keeping_to(pair)),
            _number(objective, one.value),
        )
        for one in answers
        if isinstance(one, Best)
    ]
    if rows:
        sides = (f"the {WHO[side]}" for side in SIDES)
        yield Grid(("rules", *sides, f"{_unit(objective)}: {' v '.join(pair)}", "best play"), tuple(rows), words=3)


def _heading(question: Question) -> Heading:
    return Heading(f"{question.scenario.title}, {_who_chooses(question)}")


def _policy(objective: Objective, answer: Best, side: Side) -> str:
    """Say in short how a side plays, and what that costs where it is much."""
    if side not in answer.policies:
        return "nothing to choose"
    loss = answer.policies[side].loss
    cost = [f"(costs {_number(objective, loss)})"] if _is_much(objective, loss) else []
    return "\n".join([*_lines(answer, side), *cost])


def _is_much(objective: Objective, loss: float) -> bool:
    """Return whether a list costs more than is sought."""
    return loss > objective.point / 2


def _lines(answer: Best, side: Side) -> tuple[str, ...]:
    """Return the list of a side in words."""
    return ("throughout: any plan",) if answer.indifferent(side) else answer.policies[side].words


def _findings(objective: Objective, answers: Sequence[Best | Refused]) -> Iterator[str]:
    """Say under which rules an assault is worth making, and which have no answer."""
    yield from _worth(objective, [answer for answer in answers if isinstance(answer, Best)])
    for answer in answers:
        if isinstance(answer, Refused):
            yield f"{answer.rule_set.title}: not answered: {answer.why}."


def _worth(objective: Objective, found: Sequence[Best]) -> Iterator[str]:
    """Say under which rules an assault is worth making."""
    if not objective.chance:
        worth = (f"{_number(objective, one.value)} points under {one.rule_set.title}" for one in found)
        yield f"By the weights of {objective.name} the assault is worth {', '.join(worth)} to the attackers."
        return
    by_verdict = dict[tuple[int, str], list[str]]()
    for one in found:
        by_verdict.setdefault(_verdict(objective, one), []).append(f"{one.rule_set.title} ({_success(objective, one)})")
    for (_, verdict), told in sorted(by_verdict.items()):
        yield f"{verdict} under {', '.join(told)}."


def _verdict(objective: Objective, answer: Best) -> tuple[int, str]:
    """Say whether an assault is worth making; a number puts the best first."""
    other = _otherwise(objective, answer)
    often, either = round(100 * answer.value), round(100 * (answer.value + other))
    if often > EVEN[-1]:
        return 0, "Worth attacking"
    if either >= EVEN[0] > often and other > answer.value:
        return 3, f"Seldom {objective.name}, but often {OTHERWISE[objective.name]}"
    if either > EVEN[-1]:
        return 1, "More often captured or destroyed than not"
    if either >= EVEN[0]:
        return 2, "About even"
    return 4, "Not worth attacking"


def _success(objective: Objective, answer: Best) -> str:
    """Say how often an assault succeeds."""
    other = _otherwise(objective, answer)
    besides = f", {OTHERWISE[objective.name]} {in_games(other)}" if other >= A_GAME else ""
    return f"{objective.name} {in_games(answer.value)}{besides}"


def _otherwise(objective: Objective, answer: Best) -> float:
    """Return how likely attackers succeed in the other way than they mean to."""
    if objective.name not in OTHERWISE:
        return 0.0
    return answer.responses[f"p_{OTHERWISE[objective.name]}"].value


def _who_chooses(question: Question) -> str:
    """Say who plays his best, and who keeps to which plan."""
    match question:
        case Question(attacks=[attack], defences=[defence]):
            return f"if the attackers keep to {attack} and the garrison to {defence}"
        case Question(attacks=[attack]):
            return f"if the attackers keep to {attack} and the garrison plays its best"
        case Question(defences=[defence]):
            return f"if the attackers play their best and the garrison keeps to {defence}"
    return "if both sides play their best"


def _details(question: Question, answer: Best) -> Iterator[Block]:
    """Yield all that there is to say of one set of rules."""
    objective = question.objective
    yield Heading(answer.rule_set.title)
    yield _matrix(objective, answer)
    for side in SIDES:
        yield from _left_out(side, answer)
    if question.anew and any(plan_in(plan) != plan for plan in answer.plans("attackers")):
        yield f"{CHOSEN}: anew at each of their turns, as the names of their plans say."
    yield from _going_in(answer)
    yield from (_choosing(objective, answer, side) for side in answer.replies)
    yield _ends(question.scenario, answer)
    for side in answer.policies:
        yield from _list(objective, answer, side)
    if answer.crossroads:
        point = _amount(objective, _number(objective, objective.point))
        yield f"Where a wrong choice costs more than {point}, and in how many of 100 games so played it comes up:"
        yield Grid(
            ("whose turn", "where", "right plans; wrong ones at what cost", "of 100"),
            tuple(_row(objective, each) for each in answer.crossroads),
            words=3,
        )


def _left_out(side: Side, answer: Best) -> Iterator[str]:
    """Say which plans are left out, for they come to the same as others."""
    told = {*map(plan_in, answer.plans(side))}
    for plan, other in dict.fromkeys((plan_in(plan), plan_in(other)) for plan, other in answer.alike[side].items()):
        if plan not in told:
            yield f"For the {WHO[side]}, {plan} comes to the same as {other} here, and is left out."
        else:
            yield f"For the {WHO[side]}, what comes to the same as another way to {plan} is left out."


def _going_in(answer: Best) -> Iterator[str]:
    """Say how the attackers go in by each of their plans, where they choose that."""
    ways = list[str]()
    for plan in answer.plans("attackers"):
        against = {pair.defenders: named for pair, named in answer.chosen.items() if pair.attackers == plan}
        if len({*against.values()}) > 1:
            ways += [f"{plan} v {other}: {named}" for other, named in against.items()]
        else:
            ways += [f"{plan}: {named}" for named in [*against.values()][:1]]
    if ways:
        yield f"{CHOSEN}: {'; '.join(ways)}."


def _matrix(objective: Objective, answer: Best) -> Grid:
    """Return what every pair of plans is worth; beside and below, best play of each side and what changing adds."""
    attacks, defences = answer.plans("attackers"), answer.plans("defenders")
    attackers, garrison = (answer.replies.get(side) for side in SIDES)
    rows = [[plan, *(_number(objective, answer.fixed[Pair(plan, other)]) for other in defences)] for plan in attacks]
    headings = [_unit(objective), *defences]
    if attackers:
        adds = _gains(objective, answer, "attackers")
        rows.append(["best play", *(_number(objective, attackers[plan]) for plan in defences)])
        rows.append(["changing adds", *(adds[plan] for plan in defences)])
    if garrison:
        saves = _gains(objective, answer, "defenders")
        headings += ["best play", "changing saves"]
        for row, plan in zip(rows, attacks, strict=False):
            row += [_number(objective, garrison[plan]), saves[plan]]
    if attackers and garrison:
        rows[-2] += [_number(objective, answer.value), saves["best"]]
        rows[-1] += [adds["best"], ""]
    return Grid(tuple(headings), tuple(map(tuple, rows)))


def _unit(objective: Objective) -> str:
    """Say what the numbers of a table are."""
    return f"{objective.name} of 100" if objective.chance else objective.name


def _number(objective: Objective, value: float) -> str:
    return f"{100 * value:.1f}" if objective.chance else f"{value:z.{objective.decimals}f}"


def _amount(objective: Objective, written: str) -> str:
    """Say a number that is written with its unit."""
    if not objective.chance:
        return f"{written} points"
    return "a game in 100" if written == "1.0" else f"{written} games in 100"


def _gains(objective: Objective, answer: Best, side: Side) -> dict[str, str]:
    """Write what changing plans is worth to a side, as the difference of the numbers that stand beside it."""
    written = {
        against: [float(_number(objective, value)) for value in of] for against, of in answer.choosing(side).items()
    }
    decimals = 1 if objective.chance else objective.decimals
    return {against: f"{abs(best - single):.{decimals}f}" for against, (best, single) in written.items()}


def _choosing(objective: Objective, answer: Best, side: Side) -> str:
    """Say what it is worth to a side that it may change its plan in mid-game."""
    gain, (plan, _) = _gains(objective, answer, side)["best"], answer.steadfast(side)
    if float(gain):
        return f"Changing plans in mid-game is worth {_amount(objective, gain)} to the {WHO[side]}, over {plan} alone."
    alone = "every plan" if answer.indifferent(side) else plan
    return f"Changing plans in mid-game is worth nothing to the {WHO[side]}: {alone} alone does as well."


def _ends(scenario: Scenario, answer: Best) -> str:
    """Say how games end, and at what cost, if both sides play their best."""
    ends = {end: answer.responses[f"p_{end}"].value for end in ENDS}
    told = [f"{end} {percent(share)}" for end, share in ends.items() if share >= SELDOM]
    lost = [
        f"{number(answer.responses[f'{side}_lost_mean'].value)} of {getattr(scenario, side).models} {side}"
        for side in SIDES
    ]
    return f"So played, games end: {', '.join(told)}; {' and '.join(lost)} fall on average."


def _list(objective: Objective, answer: Best, side: Side) -> Iterator[Block]:
    """Yield the list of a side, and what is lost by it."""
    loss = answer.policies[side].loss
    lost = _number(objective, loss)
    cost = _amount(objective, lost) if float(lost) else "nothing"
    short = "; no short list that was tried costs less" if _is_much(objective, loss) else ""
    yield f"The {WHO[side]}, in short (it costs {cost} to keep to it{short}):"
    yield Code(_lines(answer, side))


def _row(objective: Objective, each: Crossroads) -> tuple[str, ...]:
    """Return a line of the table of crossroads: right plans and wrong ones are two lists."""
    attackers, defenders, distance = map(_range, (each.attackers, each.defenders, each.distance))
    plans = f"right: {', '.join(_right(each))}\nwrong: {', '.join(_wrong(objective, each))}"
    told = [f"{attackers} v {defenders}, at {distance} inch{'es' * (distance != '1')}"]
    told += [is_so(*one) for one in each.telling.items()][:1]
    turn = f"{WHO[each.side]}\nturn {each.turn}"
    return turn, "\n".join(told), plans, f"{100 * each.share:.0f}"


def _right(each: Crossroads) -> Iterator[str]:
    """Yield the plans that are right, without their ways to go in where all are."""
    wrong = Counter(map(plan_in, each.costs))
    for plan, ways in groupby(each.right, plan_in):
        names = [*ways]
        told = names if len(names) <= WAYS else [f"{plan} ({len(names)} ways)"]
        yield from told if wrong[plan] else [plan]


def _wrong(objective: Objective, each: Crossroads) -> Iterator[str]:
    """Yield the plans that are wrong with what they cost, the least and the most of several ways to go in."""
    right = {*map(plan_in, each.right)}
    for plan, ways in groupby(each.costs, plan_in):
        costs = sorted(each.costs[name] for name in ways)
        least, most = (_number(objective, cost) for cost in (costs[0], costs[-1]))
        yield f"{plan}{' otherwise' * (plan in right)} {least if least == most else f'{least} to {most}'}"


def _range(of: tuple[int, int]) -> str:
    return "–".join(dict.fromkeys(map(str, of)))


def as_data(question: Question, answers: Sequence[Best | Refused]) -> dict[str, Any]:
    """Return best play as JSON has it."""
    objective = question.objective
    return {
        "scenario": question.scenario.id,
        "for": objective.name,
        "anew": question.anew,
        "weights": {name: weight for name, weight in objective.aim._asdict().items() if weight},
        "results": [{"rules": answer.rule_set.id, "engine": "exact"} | _as_data(answer) for answer in answers],
    }


def _as_data(answer: Best | Refused) -> dict[str, Any]:
    if isinstance(answer, Refused):
        return {"refused": answer.why}
    return {
        "alike": {side: dict(plans) for side, plans in answer.alike.items()},
        "fixed": {
            plan: {other: answer.fixed[Pair(plan, other)] for other in answer.plans("defenders")}
            for plan in answer.plans("attackers")
        },
        "chosen": {
            plan: {other: answer.chosen.get(Pair(plan, other)) for other in answer.plans("defenders")}
            for plan in answer.plans("attackers")
        },
        "replies": {side: dict(of) for side, of in answer.replies.items()},
        "best": answer.value,
        "worth_of_choosing": {side: answer.worth_of_choosing(side) for side in answer.replies},
        "responses": {name: estimate.value for name, estimate in answer.responses.items()},
        "policy": {side: [_line(line) for line in listed.lines] for side, listed in answer.policies.items()},
        "loss": {side: listed.loss for side, listed in answer.policies.items()},
        "crossroads": [each._asdict() for each in answer.crossroads],
    }


def _line(line: Line) -> dict[str, Any]:
    where = {name: bounds._asdict() for name, bounds in line.where.items()}
    return {"where": where, "plan": line.plan, "words": line.words}
