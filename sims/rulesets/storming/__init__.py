"""Storming buildings: house rules for 40k, 5th edition, modelled on the fantasy game's building assaults.

The author offers them untried, so what comes out is a finding about a draft (ST-002).
"""

from sims.rulesets.storming.book import Storming as Rules
from sims.rulesets.storming.order import assault, ways
