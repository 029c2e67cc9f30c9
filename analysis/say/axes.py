"""What charts call the keys of files and the responses: in the words of the table top."""

from typing import Any

from sims.reading import undotted

FACTORS = {
    "attackers.models": "attackers",
    "defenders.models": "models in the garrison",
    "attackers.plan": "plan of the attackers",
    "defenders.plan": "plan of the garrison",
    "building.doors": "doors",
    "building.firing_points": "firing points",
    "distance": "inches apart at the start",
    "edge": "inches from where the attackers begin to their table edge",
    "turns": "turns",
    "first": "who moves first",
    "scenario": "scenario",
}
"""Keys that are called otherwise than they are written."""

COUNTED = {
    "attackers.models": "attacker",
    "defenders.models": "model in the garrison",
    "building.doors": "door",
    "building.firing_points": "firing point",
    "distance": "inch apart at the start",
    "edge": "inch from where the attackers begin to their table edge",
    "turns": "turn",
}
"""What one is called of what a key counts."""

CHANCES = {
    "p_captured": "the building is captured",
    "p_destroyed": "the building is destroyed",
    "p_broken": "the attackers are broken",
    "p_held": "the building is held",
    "p_cleared": "the building is cleared",
}
MEANS = {"mean": "on average", "q05": "at least, in 19 games of 20", "q95": "at most, in 19 games of 20"}
STATLINE = {
    "WS": "Weapon Skill",
    "BS": "Ballistic Skill",
    "S": "Strength",
    "T": "Toughness",
    "W": "Wounds",
    "I": "Initiative",
    "A": "Attacks",
    "Ld": "Leadership",
    "Sv": "save",
    "invulnerable": "invulnerable save",
}
"""Characteristics that are written short."""
UNDER = ("tables", "rulings", "units", "weapons")
"""Parts of files that a key need not name."""


def factor_words(key: str) -> str:
    """Say what is varied: "grenade: hits" of `tables.grenade.hits`."""
    first, *others = undotted(key)
    *parts, last = others if first in UNDER and others else [first, *others]
    return FACTORS.get(key, ": ".join([*parts, STATLINE.get(last, last)]).replace("_", " "))


def number_words(key: str, numbers: str) -> str:
    """Say which numbers a key has: "with 9 attackers", "with trooper: Toughness 3 and 4"."""
    if key not in COUNTED:
        return f"with {factor_words(key)} {numbers}"
    return f"{'at' if key == 'distance' else 'with'} {numbers} {COUNTED[key] if numbers == '1' else FACTORS[key]}"


def step_words(key: str, of: str) -> str:
    """Say what one step is of: of a unit also whose it is."""
    whose = {"attackers": "attackers' ", "defenders": "garrison's "}.get(of, "") if key.startswith("units.") else ""
    return f"{whose}{factor_words(key)}"


def level_words(level: Any) -> str:
    """Say a level of what is varied."""
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level).replace("_", " ")


def response_words(response: str) -> str:
    """Say what an axis of a response has."""
    if response in CHANCES:
        return f"games in which {CHANCES[response]}"
    what, _, how = response.rpartition("_")
    return f"{what.replace('defenders', 'garrison').replace('_', ' ')}, {MEANS[how]}"
