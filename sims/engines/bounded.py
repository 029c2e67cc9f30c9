"""The bounded engine: states that hardly ever come up are left out, and how likely they were is said.

Weights are carried forwards through the chain of an assault, as the exact engine does. Who was left out could have come
to any end. So with a chance p found and a weight d left out in all::

    p <= true chance <= p + d,    and    sum of all p + d = 1
"""

from typing import Any

from sims.assault import Assault
from sims.engines.exact import Progress, carried
from sims.engines.learner import Learner
from sims.engines.result import Bounded
from sims.engines.walk import LEARNT, WITHIN, Walk


def bounded(
    assault: Assault[Any, Any],
    *,
    within: float = WITHIN,
    budget: int = LEARNT,
    beside: Learner | None = None,
    progress: Progress | None = None,
) -> Bounded:
    """Play an assault and return the distribution of its outcomes, but for some of at most so much weight.

    Args:
        within: The most weight that is left out, from 0 on.
        budget: The most transitions that may be learnt.
        beside: What has been learnt of the same assault before, which is not counted.
        progress: Told the turns done and the turn limit.

    Raises:
        BudgetError: If there is more to learn.
    """
    known = beside.shared.size if beside else 0
    walk = Walk(Learner(assault, budget=known + budget, beside=beside), within)
    found = carried(walk, progress)
    return Bounded(found.rules, found.columns, found.weights, found.tallies, found.course, walk.left_out)
