"""A set of building rules to start from: copy this folder, rename it, and write your book into it.

It plays a small assault of its own: attackers cross open ground under fire, break in by the door and fight.
"""

from sims.rulesets._template.book import Template as Rules
from sims.rulesets._template.order import assault
