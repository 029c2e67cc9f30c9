"""A close combat in the open between two forces: who strikes when and with what, who tests, who is caught.

Forces and numbers in, mechanics and targets out: the stages of a rule set draw, and keep the counts. `lead` is always
by how many unsaved wounds the first of two forces is ahead in this round, negative where it is behind.
"""

from collections.abc import Sequence

import numpy as np

from sims.dice import Bools, Capped, Ints, Mechanic, Total
from sims.dice.source import Argument
from sims.forces import Models, best, total
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.book import Wh40k
from sims.profiles import Unit
from sims.scenario import Force, Group


def blows(
    rules: Wh40k,
    striking: Force,
    models: Models,
    who: Sequence[int],
    target: Unit,
    most: Argument,
    charged: Argument = 0,
) -> tuple[Mechanic, list[Argument]]:
    """Return the blows of the groups whose turn it is, to be drawn as one total of unsaved wounds.

    To hit by Weapon Skill, to wound with the weapon's Strength or the striker's own, and the target's best save that
    the weapon does not pierce. Blows beyond what the target can lose do not count for the result. A blow of twice the
    target's Toughness takes one wound like any other.

    Source: base rules (BASE-009, BASE-010, BASE-011, BASE-013, BASE-034; partly BASE-012).

    Parameters
    ----------
    striking : Force
    models : Models
        How many of each of its groups stand when this step begins.
    who : sequence of int
        The groups that strike in this step; at least one.
    target : Unit
        The profile that blows are aimed at.
    most : array
        Wounds that the target has left when this step begins.
    charged : array of bool
        Whether the striking side charged this turn.
    """
    acting = Force(striking.unit, tuple(striking.groups[i] for i in who))
    acting_models = tuple(models[i] for i in who)
    parts, arguments = wh40k.blows(rules, acting, wh40k.attacks(rules, acting, acting_models, charging=charged), target)
    return Capped(Total(tuple(parts))), [*arguments, most]


def tests_morale(lead: Argument, one: Models, other: Models) -> Bools:
    """Return whether a side must test its morale: one that lost the round while both still stand (BASE-034)."""
    return np.asarray((np.asarray(lead) != 0) & (total(one) > 0) & (total(other) > 0))


def nerve(lead: Argument, one: Force, one_left: Models, other: Force, other_left: Models) -> Ints:
    """Return the target of the loser's morale check: its best Leadership left, less the margin (BASE-035).

    It is to be drawn as a `Leadership test`, on which a double 1 always passes.
    """
    behind = np.asarray(lead) < 0
    lost = np.where(behind, best(one, one_left, _leadership), best(other, other_left, _leadership))
    return np.asarray(lost - np.abs(lead))


def _leadership(group: Group) -> int:
    return group.profile.Ld


def falls_behind(lead: Argument, one: Force, other: Force) -> Ints:
    """Return the target of the sweeping advance, `combat.CAUGHT`: the loser's Initiative less the winner's (BASE-036).

    A unit has the Initiative of its ordinary models.
    """
    ours, theirs = one.unit.I, other.unit.I
    return np.asarray(np.where(np.asarray(lead) < 0, ours - theirs, theirs - ours))
