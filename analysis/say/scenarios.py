"""Say what a scenario is: who fights, with what, for which building, and what both sides mean to do."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Any, get_args

from analysis.points.plans import BEST
from sims.ground import in_words
from sims.profiles import Profile, Section
from sims.scenario import DefencePlan, Force, Scenario
from sims.words import counted

PLAN_WORDS: dict[str, str] = {
    "storm": "go in as soon as the rules allow",
    "demolish": "bring the walls down; those who cannot, storm",
    "shoot": "stay off and shoot at the garrison",
    "smoke": "stay off and drive the garrison out with fire, templates and grenades",
    "hold": "stay inside",
    "sally": "come out and charge as soon as a charge can reach the attackers",
    "best": "choose anew at the start of each player turn what is best",
}


def force(side: Force) -> str:
    """Say who fights on a side and with what."""
    parts = []
    for group in side.groups:
        arms = " and ".join(w.title.lower() for w in (group.weapon, group.melee) if w)
        parts.append(group.profile.counted(group.count) + (f" ({arms})" if arms else ""))
    return ", ".join(parts)


def setting(scenario: Scenario) -> dict[str, str]:
    """Return the scenario's facts, by name."""
    ground, formations = in_words(scenario.walls, scenario.bands), [*standing(scenario)]
    return {
        "Attackers": f"{counted(scenario.attackers.models, 'model')}: {force(scenario.attackers)}",
        "Their plan": f"{scenario.plan} ({PLAN_WORDS[scenario.plan]})",
        "Garrison": f"{counted(scenario.defenders.models, 'model')}: {force(scenario.defenders)}",
        "Its plan": f"{scenario.defence} ({PLAN_WORDS[scenario.defence]})",
        "Building": f"{scenario.building.title}: {', '.join(building_facts(scenario))}",
        "Start": start(scenario),
        **({"On the way": "; ".join(ground)} if ground else {}),
        **({"Formation": "; ".join(formations)} if formations else {}),
    }


def standing(scenario: Scenario) -> Iterator[str]:
    """Yield how those sides stand of whom the scenario says so."""
    for whose, side in (("the attackers", scenario.attackers), ("the garrison", scenario.defenders)):
        if how := side.formation:
            gap = f"{how.gap:g} inches from the middle of one to that of the next"
            yield f"{whose} {how.files} abreast, {gap}"


def start(scenario: Scenario) -> str:
    """Say from where a game begins, with whom, and how long it goes on."""
    apart, turns = counted(scenario.distance, "inch", "inches"), counted(scenario.turns, "turn")
    said = f"{apart} apart, the {scenario.first} move first, {turns} of both sides"
    if scenario.edge is None:
        return said
    return f"{said}; the table edge is {counted(scenario.edge, 'inch', 'inches')} behind the attackers"


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
    above = f" on {counted(building.levels, 'level')}" if building.levels else ""
    yield f"room for {building.capacity}{above}"
    yield from own_facts(building)
    if scenario.mounted:
        titles = Counter(weapon.title.lower() for weapon in scenario.mounted)
        yield f"mounted: {', '.join(counted(n, title) for title, n in titles.items())}"


def more_facts(profile: Profile, known: Container[str]) -> Iterator[str]:
    """Yield what a profile says besides what is known of it, as a file would, where it is not what goes without saying.

    Args:
        known: The keys that are said elsewhere.
    """
    yield from (fact(name, value) for name, value in _not_by_default(profile) if name not in known)
    yield from own_facts(profile)


def own_facts(profile: Profile) -> Iterator[str]:
    """Yield what a profile tells single sets of rules, with their ids, where it is not what goes without saying."""
    for rules, section in profile.own.items():
        yield from (f"{fact(name, value)} ({rules})" for name, value in _not_by_default(section))


def _not_by_default(model: Profile | Section) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a profile, or of a section of one, whose values are not the defaults, with these values."""
    silent = {name: key.get_default(call_default_factory=True) for name, key in type(model).model_fields.items()}
    return ((name, value) for name, value in model if value != silent[name])


def fact(key: str, value: Any) -> str:
    """Say a key of a profile and its value."""
    name = key.replace("_", " ")
    if value is True:
        return name
    return f"{name} {', '.join(map(str, value)) if isinstance(value, tuple | Mapping) else value}"


def plan_heading(plan: str) -> str:
    """Say who means to do what."""
    return f"{actor(plan)} {plan}: {PLAN_WORDS[plan]}"


def actor(plan: str) -> str:
    """Return the term of a translation that says what a side does under a plan."""
    return "Garrison" if plan in get_args(DefencePlan) else "Attackers"


def plans_words(attackers: str, defenders: str) -> str:
    """Say what both sides mean to do, of whom one or both may play their best."""
    if attackers == defenders == BEST:
        return "both sides playing their best"
    one = "attackers who play their best" if attackers == BEST else attackers
    return f"{one} against {'a garrison that plays its best' if defenders == BEST else defenders}"


def assault(scenario: Scenario) -> str:
    """Say which assault a scenario is, and what both sides mean to do."""
    return f"{scenario.title}: {scenario.plan} against {scenario.defence}."


def called(title: str) -> str:
    """Return a title as it reads within a sentence: "the farmhouse"."""
    return title[0].lower() + title[1:] if title.startswith(("The ", "A ", "An ")) else title
