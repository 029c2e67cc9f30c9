"""The result of a storming: who has won the fight, and who keeps his nerve."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from sims.dice import Bools, Dice, Ints
from sims.dice.source import Argument
from sims.forces import total
from sims.games.wh40k import open_fight
from sims.games.wh40k.combat import lead as lead_of
from sims.games.wh40k.nerve import morale_check
from sims.inputs import Leadership, Many
from sims.questions import asks
from sims.rulesets.storming.book import Storming
from sims.rulesets.storming.state import Scene, Storm


def wiped_out(book: Storming, attackers_left: Argument, defenders_left: Argument) -> tuple[Bools, Bools]:
    """Return where the attackers have lost for want of models, and where the defenders have (ST-044)."""
    theirs = (np.asarray(defenders_left) == 0) & book.rulings.side_wiped_out("has_lost")
    return np.asarray(attackers_left) == 0, theirs


def ahead(
    book: Storming, slain: Argument, struck: Argument, attackers_left: Argument, defenders_left: Argument
) -> Ints:
    """Return by how many wounds the attackers are ahead, 0 where a side is wiped out and nobody tests (ST-035, ST-044).

    Args:
        slain, struck: Unsaved wounds by blows of the Fireteam, and by blows of the defenders.
        attackers_left, defenders_left: Models of both sides, supporters among them.
    """
    ours, theirs = wiped_out(book, attackers_left, defenders_left)
    return np.where(ours | theirs, 0, lead_of(slain, struck))


def won_by(book: Storming, lead: Argument, attackers_left: Argument, defenders_left: Argument) -> Ints:
    """Return 1 where the attackers have won, -1 where the defenders have, 0 where nobody has (ST-035, ST-044).

    Args:
        lead: By how many wounds the attackers are ahead, as `ahead` has it.
        attackers_left, defenders_left: Models of both sides, supporters among them.
    """
    ours, theirs = wiped_out(book, attackers_left, defenders_left)
    return np.where(ours, -1, np.where(theirs, 1, np.sign(lead)))


@dataclass(frozen=True)
class Fought:
    """What an exchange of blows has come to.

    Attributes:
        by_attackers: Unsaved wounds by blows of the Fireteam.
        by_defenders: Unsaved wounds by blows of the defenders.
        by_support: Wounds by grenades and template weapons, which do not count.
        attackers_left: Models of the attackers after the blows, supporters among them.
        defenders_left: Models of the garrison after the blows.
    """

    by_attackers: Many
    by_defenders: Many
    by_support: Many = 0
    attackers_left: Many = 1
    defenders_left: Many = 1

    def lead(self, book: Storming) -> Ints:
        """Return by how many wounds the attackers are ahead."""
        return ahead(book, self.by_attackers, self.by_defenders, self.attackers_left, self.defenders_left)


@asks("ST-044", "ST-035", name="winner of a storming")
def winner(book: Storming, fought: Fought) -> Literal["attackers", "defenders", "nobody"]:
    """Return who has won the fight: a side that is wiped out has lost, else only blows count (ST-035, ST-044)."""
    won: dict[int, Literal["attackers", "defenders", "nobody"]] = {1: "attackers", -1: "defenders", 0: "nobody"}
    return won[int(won_by(book, fought.lead(book), fought.attackers_left, fought.defenders_left))]


@asks("ST-035", "ST-044", name="winner's margin")
def winners_margin(book: Storming, fought: Fought) -> Ints:
    """Return by how many wounds the loser is beaten who must test; only blows count (ST-035, ST-044)."""
    return np.abs(fought.lead(book))


def compare_wounds(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Compare the wounds of the fight; a side that is wiped out has lost whatever the count.

    Source: Storming Buildings (ST-035, ST-044), base rules (BASE-034).
    """
    lead = ahead(scene.book, state.slain, state.struck, total(state.attackers), total(state.defenders))
    return state.replace(lead=lead, slain=np.zeros_like(state.slain), struck=np.zeros_like(state.struck))


@asks("ST-036", name="failed morale check")
def fails(Ld: Leadership, margin: Many) -> Fraction:
    """Return the chance that the loser fails its morale check; a draw needs none (ST-036).

    Args:
        margin: By how many wounds it was beaten.
    """
    return morale_check(Ld, margin).pmf[0] if open_fight.somebody_lost(margin) else Fraction(0)


def morale(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Let the loser check its morale, unless nobody is left on it.

    Source: Storming Buildings (ST-036), base rules (BASE-035).
    """
    stands = np.where(state.lead > 0, total(state.defenders), total(state.attackers)) > 0
    tested = open_fight.somebody_lost(state.lead) & stands
    return open_fight.morale(dice, state, scene, tested)
