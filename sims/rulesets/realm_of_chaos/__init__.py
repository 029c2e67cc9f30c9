"""Realm of Chaos buildings: a condensed house version of the fantasy game's building rules, 3rd edition."""

from sims.rulesets.realm_of_chaos.assault import assault
from sims.rulesets.realm_of_chaos.book import RealmOfChaos as Rules

__all__ = ["Rules", "assault"]
