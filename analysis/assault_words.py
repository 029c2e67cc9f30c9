"""What captions say of the assault that was played."""

from analysis.axis_words import factor_words
from analysis.design import Design
from sims.scenario import Scenario, load_scenario


def assault(scenario: Scenario) -> str:
    """Say which assault a scenario is, and what both sides mean to do."""
    return f"{scenario.title}: {scenario.plan} against {scenario.defence}."


def shared(of: Design) -> str:
    """Say what all assaults of a design have: their scenario, plans and values; nothing where all of that is varied."""
    cells = [cell.values for cell in of]
    scenarios = {name: load_scenario(name) for name in {values["scenario"] for values in cells}}
    titles = {scenario.title for scenario in scenarios.values()}
    attackers, garrison = (
        {str(values.get(key, getattr(scenarios[values["scenario"]], own))) for values in cells}
        for key, own in (("attackers.plan", "plan"), ("defenders.plan", "defence"))
    )
    set_to = [
        f"{factor_words(each.name)} {each.label(each.levels[0])}"
        for each in of.factors
        if len(each.levels) == 1 and not {"rules", "scenario", "attackers.plan", "defenders.plan"} & {*each.keys}
    ]
    told = ", ".join([*(titles if len(titles) == 1 else ()), *set_to])
    plans = " ".join(
        [*(attackers if len(attackers) == 1 else ()), *(f"against {one}" for one in garrison if len(garrison) == 1)]
    )
    return f"{': '.join(part for part in (told, plans) if part)}." if told or plans else ""
