"""The updated building rules for 40k, 6th edition: buildings that are shot and struck until they come down."""

from sims.rulesets.gw_updated.book import GwUpdated as Rules
from sims.rulesets.gw_updated.order import assault
