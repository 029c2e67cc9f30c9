"""Realm of Chaos buildings: a condensed house version of the fantasy game's building rules, 3rd edition."""

from sims.rulesets.realm_of_chaos.book import RealmOfChaos as Rules
from sims.rulesets.realm_of_chaos.order import assault
from sims.rulesets.realm_of_chaos.setting import ways
