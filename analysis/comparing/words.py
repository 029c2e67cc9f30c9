"""What a comparison says, on the terminal and on the page alike."""

import re
from collections.abc import Mapping

from analysis.best_play.best import Refused
from analysis.comparing.compare import Comparison, Entry
from analysis.points.margins import ENDS
from analysis.points.plans import Best, Plans
from analysis.points.responses import Estimate
from analysis.points.stopping import short
from analysis.say.engine import certified_words, not_enough, trials_words
from analysis.say.numbers import A_GAME, SELDOM, in_games, listed, number
from analysis.say.rules import change_words
from analysis.say.scenarios import actor
from sims.scenario import AttackPlan, DefencePlan, Scenario, Side
from sims.words import CHOSEN, LEFT_OUT


def telling_plan(plans: Plans, scenario: Scenario) -> AttackPlan | DefencePlan | Best:
    """Return the plan that tells a pair from the scenario's own: the garrison's if it differs, else the attackers'."""
    return plans.attackers if plans.defenders == scenario.defence else plans.defenders


def other_plans(entry: Entry, scenario: Scenario) -> dict[str, str]:
    """Return what each other plan comes to under a set of rules: the lines of the translation that it changes.

    What the side itself does under a plan that comes to the same as another is said there (`alike`).
    """
    same, found = entry.alike(), dict[str, str]()
    for plans, translation in entry.translations.items():
        plan = telling_plan(plans, scenario)
        told = {actor(plan)} if plans in same else set()
        changed = {t: meaning for t, meaning in translation.items() if meaning != entry.translation.get(t)}
        found |= {f"{term}, plan {plan}": meaning for term, meaning in changed.items() if term not in told}
    return found


def as_under(plans: Plans, other: Plans, scenario: Scenario) -> str:
    """Say which plan another comes to the same as: the garrison's, where the attackers' is the same."""
    alone = plans.attackers == other.attackers
    return f"as {other.defenders if alone else telling_plan(other, scenario)}"


def alike(entry: Entry, scenario: Scenario) -> dict[str, str]:
    """Return why plans come to the same as others under a set of rules: what each side then does."""
    found = dict[str, str]()
    for plans, other in entry.alike().items():
        plan, same = telling_plan(plans, scenario), as_under(plans, other, scenario)
        mine, others = (entry.translations[pair].get(actor(plan), "") for pair in (plans, other))
        why = "nothing is played otherwise" if mine == others else _why(mine, same)
        found[f"{plan} {same}"] = why
    return found


def _why(done: str, same: str) -> str:
    """Return what a side does, and that it comes to the same as another plan; unless it says that itself, with a why.

    "As under storm: they charge" is then "they charge", and "none can dig, as under storm: they charge" is "none can
    dig: they charge".
    """
    itself = re.compile(rf"(^|[,;] )as (?:under )?{same.removeprefix('as ')}(?:: |, for |, since )")
    if itself.search(done):
        return itself.sub(lambda match: ": " if match[1] else "", done, count=1)
    return f"{done}, which comes to the same here"


def left_out(entry: Entry) -> dict[str, str]:
    """Return what of the scenario a set of rules does not play, and what it leaves to the attackers and they choose.

    Then why best play is not known.
    """
    terms = (*LEFT_OUT, CHOSEN)
    told = {term: entry.translation[term] for term in terms if term in entry.translation}
    return told | ({"Best play": entry.best.why} if isinstance(entry.best, Refused) else {})


def story(entry: Entry, turns: int) -> str:
    """Say in plain words what happened under one set of rules."""
    ends = {
        "captured": "take the building",
        "destroyed": "destroy it",
        "broken": "are wiped out or run",
        "held": f"have not taken it when turn {turns} ends",
    }
    shares = {end: entry.responses[f"p_{end}"].in_words for end in ends}
    about = "" if entry.result.trials is None else "about "
    parts = [f"{verb} {in_games(shares[end], about)}" for end, verb in ends.items() if shares[end] >= SELDOM]
    if shares["captured"] < SELDOM:
        parts.insert(0, f"{'almost ' if shares['captured'] else ''}never take the building")
    return f"The attackers {listed(parts)}. {_cost(entry, turns, about)}"


def main_move(entry: Entry, before: Mapping[str, Estimate]) -> str:
    """Say what a house rule changes, and how far it moves the end that it moves most."""
    base = entry.rule_set.made_from
    keys = [f"{key.partition('.')[2]} {change_words(*values)}" for key, values in entry.rule_set.changes().items()]
    changes = f"changes {listed(keys)}" if keys else "changes nothing"
    end = max(ENDS, key=lambda end: abs(entry.responses[f"p_{end}"].value - before[f"p_{end}"].value))
    now, was = entry.responses[f"p_{end}"].value, before[f"p_{end}"].value
    about = "" if entry.result.trials is None else "about "
    if abs(now - was) < A_GAME / 2:
        return f"{entry.rule_set.title} {changes}; no end moves by a game in 100."
    return (
        f"{entry.rule_set.title} {changes}: {end} {in_games(now, about)}, "
        f"{about}{100 * was:.0f} under {base.title if base else 'its base'}."
    )


def _cost(entry: Entry, turns: int, about: str) -> str:
    """Say how long a game takes and what it costs."""
    r, models = entry.responses, entry.models

    def lost(side: Side) -> str:
        mean, low, high = (r[f"{side}_lost_{what}"] for what in ("mean", "q05", "q95"))
        return f"{about}{number(mean.value)} of {getattr(models, side)} models ({low.value:.0f} to {high.value:.0f})"

    return (
        f"On average a game lasts {about}{number(r['turns_mean'].value)} of {turns} turns and costs the attackers "
        f"{lost('attackers')}, the garrison {lost('defenders')}; in brackets what nine games out of ten keep to."
    )


def engine_words(comparison: Comparison) -> str:
    """Say how the numbers of a comparison were computed."""
    if comparison.exact:
        return "Exact: every way the dice can fall was followed, nothing was sampled; no number has an interval."
    said = list[str]()
    kinds = {result.engine for entry in comparison.entries for result in entry.results.values()}
    if "bounded" in kinds:
        which = "All numbers are" if kinds == {"bounded"} else "Where the engine is bounded, numbers are"
        said.append(f"{which} {certified_words(comparison.how)}.")
    if comparison.sampled:
        sampled = f"{trials_words(comparison.how)} each from seed {comparison.how.seed}"
        answers = (found for entry in comparison.entries for found in entry.by_plans().values())
        said.append(f"Sampled where an interval is given ({sampled}): 95 of 100 such intervals hold the true value.")
        said += not_enough(comparison.how, short(answers, comparison.how.until))
    return " ".join(said)
