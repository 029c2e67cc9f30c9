"""How numbers and results are said to people, on the terminal and on the page alike."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any, get_args

from analysis.best import Refused
from analysis.compare import Comparison, Entry
from analysis.contests import Best
from analysis.looks import looks, short
from analysis.margins import ENDS
from analysis.point import How, Plans
from analysis.responses import Estimate
from analysis.rule_words import changed
from sims.profiles import Profile
from sims.scenario import AttackPlan, DefencePlan, Force, Scenario, Side
from sims.words import NEVER_FIRED, NOT_MODELLED, counted

PLAN_WORDS: dict[str, str] = {
    "storm": "go in as soon as the rules allow",
    "demolish": "bring the walls down; those who cannot, storm",
    "shoot": "stay off and shoot at the garrison",
    "smoke": "stay off and drive the garrison out with fire, templates and grenades",
    "hold": "stay inside",
    "sally": "come out and charge as soon as a charge can reach the attackers",
    "best": "choose anew at the start of each player turn what is best",
}

A_GAME = 0.01
"""A game of a hundred."""
SELDOM = 0.0005
"""What happens less often than this is left to the table."""


def percent(share: float) -> str:
    """Write a share as a percentage; only what is certain reads 0 or 100 %."""
    if 0 < share < SELDOM:
        return "<0.1 %"
    if 1 - SELDOM < share < 1 - 1e-12:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def number(value: float) -> str:
    """Write a number of models or turns."""
    return f"{value:.1f}"


def signed(value: float) -> str:
    """Write how far a number moves; what rounds to nothing has no sign."""
    return f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"


def told(estimate: Estimate, factor: int = 1) -> str:
    """Write a number, with its interval if it was sampled."""
    apart = interval(estimate, factor)
    return f"{factor * estimate.value:.1f}{apart and f' ({apart})'}"


def shared(shares: Sequence[float], whole: float) -> list[str]:
    """Write shares to a tenth, rounded so that they add up to their whole as it is written."""
    tenths = [floor(10 * share) for share in shares]
    first = sorted(range(len(shares)), key=lambda i: tenths[i] - 10 * shares[i])
    for i in first[: round(10 * whole) - sum(tenths)]:
        tenths[i] += 1
    return [signed(n / 10) for n in tenths]


def wanted(response: str, value: float, than: str = "") -> str:
    """Say what a response is to be: "captured in 70 % of games", or what else, "in more than 70 %"."""
    if response.startswith("p_"):
        return f"{response.removeprefix('p_')} in {than}{round(100 * value, 1):g} % of games"
    return f"{response.replace('_', ' ')} of {than}{round(value, 2):g}"


def interval(estimate: Estimate, factor: int = 1) -> str:
    """Write the interval of a sampled number, rounded outwards; nothing for an exact one."""
    if estimate.low is None or estimate.high is None:
        return ""
    places = 1 if factor == 100 else 2
    step = 10**places
    low, high = floor(estimate.low * factor * step) / step, ceil(estimate.high * factor * step) / step
    return f"{low:.{places}f}–{high:.{places}f}"


def force(side: Force) -> str:
    """Say who fights on a side and with what."""
    parts = []
    for group in side.groups:
        arms = " and ".join(w.title.lower() for w in (group.weapon, group.melee) if w)
        parts.append(group.profile.counted(group.count) + (f" ({arms})" if arms else ""))
    return ", ".join(parts)


def setting(scenario: Scenario) -> dict[str, str]:
    """Return the scenario's facts, by name."""
    return {
        "Attackers": f"{counted(scenario.attackers.models, 'model')}: {force(scenario.attackers)}",
        "Their plan": f"{scenario.plan} ({PLAN_WORDS[scenario.plan]})",
        "Garrison": f"{counted(scenario.defenders.models, 'model')}: {force(scenario.defenders)}",
        "Its plan": f"{scenario.defence} ({PLAN_WORDS[scenario.defence]})",
        "Building": f"{scenario.building.title}: {', '.join(building_facts(scenario))}",
        "Start": start(scenario),
    }


def start(scenario: Scenario) -> str:
    """Say from where a game begins, with whom, and how long it goes on."""
    apart, turns = counted(scenario.distance, "inch", "inches"), counted(scenario.turns, "turn")
    return f"{apart} apart, the {scenario.first} move first, {turns} of both sides"


def building_facts(scenario: Scenario) -> Iterator[str]:
    """Yield what the building of a scenario is."""
    building = scenario.building
    yield "{} by {} inches".format(*building.footprint)
    yield f"{building.material}{', military' * building.military}"
    if building.armour:
        yield f"Armour Value {building.armour}"
    yield counted(building.doors, f"{building.door} door")
    over = f" over {counted(building.firing_inches, 'inch', 'inches')}" if building.firing_inches else ""
    yield counted(building.firing_points, "firing point") + over
    yield f"room for {building.capacity}"
    yield from own_facts(building)
    if scenario.mounted:
        titles = Counter(weapon.title.lower() for weapon in scenario.mounted)
        yield f"mounted: {', '.join(counted(n, title) for title, n in titles.items())}"


def more_facts(profile: Profile, known: Container[str]) -> Iterator[str]:
    """Yield what a profile says besides what is known of it, as a file would, where it is not what goes without saying.

    Parameters
    ----------
    profile : Profile
    known : container of str
        The keys that are said elsewhere.
    """
    for name, value in profile:
        if name not in known and value != type(profile).model_fields[name].default:
            yield said(name, value)
    yield from own_facts(profile)


def own_facts(profile: Profile) -> Iterator[str]:
    """Yield what single sets of rules are told of a profile, beside the id of the rules."""
    for rules, section in profile.own.items():
        yield from (f"{said(name, value)} ({rules})" for name, value in section)


def said(key: str, value: Any) -> str:
    """Say a key of a profile and its value."""
    name = key.replace("_", " ")
    if value is True:
        return name
    return f"{name} {', '.join(map(str, value)) if isinstance(value, tuple) else value}"


def telling(plans: Plans, scenario: Scenario) -> AttackPlan | DefencePlan | Best:
    """Return the plan that tells a pair from the scenario's own: the garrison's if it differs, else the attackers'."""
    return plans.attackers if plans.defenders == scenario.defence else plans.defenders


def plan_heading(plan: str) -> str:
    """Say who means to do what."""
    return f"{actor(plan)} {plan}: {PLAN_WORDS[plan]}"


def other_plans(entry: Entry, scenario: Scenario) -> dict[str, str]:
    """Return what each other plan comes to under a set of rules: the lines of the translation that it changes.

    What the side itself does under a plan that comes to the same as another is said there (`alike`).
    """
    same, found = entry.alike(), dict[str, str]()
    for plans, translation in entry.translations.items():
        plan = telling(plans, scenario)
        told = {actor(plan)} if plans in same else set()
        changed = {t: meaning for t, meaning in translation.items() if meaning != entry.translation.get(t)}
        found |= {f"{term}, plan {plan}": meaning for term, meaning in changed.items() if term not in told}
    return found


def actor(plan: str) -> str:
    """Return the term of a translation that says what a side does under a plan."""
    return "Garrison" if plan in get_args(DefencePlan) else "Attackers"


def as_under(plans: Plans, other: Plans, scenario: Scenario) -> str:
    """Say which plan another comes to the same as: the garrison's, where the attackers' is the same."""
    alone = plans.attackers == other.attackers
    return f"as {other.defenders if alone else telling(other, scenario)}"


def alike(entry: Entry, scenario: Scenario) -> dict[str, str]:
    """Return why plans come to the same as others under a set of rules: what each side then does."""
    found = dict[str, str]()
    for plans, other in entry.alike().items():
        plan = telling(plans, scenario)
        mine, others = (entry.translations[pair].get(actor(plan), "") for pair in (plans, other))
        why = "nothing is played otherwise" if mine == others else f"{mine}, which comes to the same here"
        found[f"{plan} {as_under(plans, other, scenario)}"] = why
    return found


def left_out(entry: Entry) -> dict[str, str]:
    """Return what of the scenario a set of rules does not play or gives nothing to do; why best play is not known."""
    told = {term: entry.translation[term] for term in (NOT_MODELLED, NEVER_FIRED) if term in entry.translation}
    return told | ({"Best play": entry.best.why} if isinstance(entry.best, Refused) else {})


def story(entry: Entry, turns: int) -> str:
    """Say in plain words what happened under one set of rules."""
    ends = {
        "captured": "take the building",
        "destroyed": "bring it down",
        "broken": "are wiped out or run",
        "held": f"have not taken it when turn {turns} ends",
    }
    shares = {end: entry.responses[f"p_{end}"].value for end in ends}
    about = "" if entry.result.trials is None else "about "
    parts = [f"{verb} {games(shares[end], about)}" for end, verb in ends.items() if shares[end] >= SELDOM]
    if shares["captured"] < SELDOM:
        parts.insert(0, f"{'almost ' if shares['captured'] else ''}never take the building")
    return f"The attackers {_listed(parts)}. {_cost(entry, turns, about)}"


def moved(entry: Entry, before: Mapping[str, Estimate]) -> str:
    """Say what a house rule changes, and how far it moves the end that it moves most."""
    base = entry.rule_set.made_from
    keys = [f"{key.partition('.')[2]} {changed(*values)}" for key, values in entry.rule_set.changes().items()]
    changes = f"changes {_listed(keys)}" if keys else "changes nothing"
    end = max(ENDS, key=lambda end: abs(entry.responses[f"p_{end}"].value - before[f"p_{end}"].value))
    now, was = entry.responses[f"p_{end}"].value, before[f"p_{end}"].value
    about = "" if entry.result.trials is None else "about "
    if abs(now - was) < A_GAME / 2:
        return f"{entry.rule_set.title} {changes}; no end moves by a game of 100."
    return (
        f"{entry.rule_set.title} {changes}: {end} {games(now, about)}, "
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


def games(share: float, about: str = "") -> str:
    """Say a chance as so many games of a hundred, or of as many as it takes."""
    if not share:
        return "in no game"
    if share > 1 - 1e-12:
        return "in every game" + (" played" if about else "")
    if share >= 0.995:
        return "in nearly every game"
    if share >= 0.01:
        return f"in {about}{100 * share:.0f} of 100 games"
    if share < SELDOM:
        return "in fewer than 1 of 1,000 games"
    return f"in {about}{1000 * share:.0f} of 1,000 games"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def engine_words(comparison: Comparison) -> str:
    """Say how the numbers of a comparison were computed."""
    if comparison.exact:
        return "Exact: every way the dice can fall was followed, nothing was sampled; no number has an interval."
    sampled = f"{played(comparison.how)} each from seed {comparison.how.seed}"
    answers = (found for entry in comparison.entries for found in entry.by_plans().values())
    said = f"Sampled where an interval is given ({sampled}): 95 of 100 such intervals hold the true value."
    return " ".join([said, *not_enough(comparison.how, short(answers, comparison.how.until))])


def played(how: How) -> str:
    """Say how many assaults are played where they are sampled."""
    trials = "1 assault" if how.trials == 1 else f"{how.trials:,} assaults"
    return trials if how.until is None else f"{trials} or more, until every chance is within {how.until:g},"


def not_enough(how: How, answers: int) -> Iterator[str]:
    """Say, if it is so, in how many answers the most trials were not enough."""
    if how.until is not None and answers:
        most = how.trials << looks(how.trials, how.until) - 1
        yield f"In {counted(answers, 'answer')} {most:,} assaults were not enough to be within {how.until:g}."


def reflowed(text: str) -> str:
    """Join the lines of each paragraph, to be broken anew where they are shown."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
