"""The first round of a storm, by the stages that an assault plays, in the true fractions of the exact engine."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from sims.assault import Assault, PlayerTurn
from sims.dice import PMF
from sims.dice.source import Argument
from sims.engines import solve
from sims.games.arap.melee import against_cover
from sims.games.arap.moving.charge import NEAR
from sims.inputs import NONE, Initiative, Number, at_most
from sims.profiles import Building, Unit, Weapon
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, OwnBuilding
from sims.rulesets.gemini.order import end, outcome, start, strikes
from sims.rulesets.gemini.setting import set_up
from sims.scenario import Force, Group, Scenario, Side

MOST = 6
"""Models of a side, which the exact engine plays in no time."""
Own = Annotated[Argument, Number("A number of the profile.", 1, 10)]
Saved = Annotated[Argument, Number("Armour save, or none.", 2, 6, none=NONE)]


@dataclass(frozen=True)
class Attackers:
    """Those who storm: each has one wound and a weapon of close combat.

    Attributes:
        WS: Weapon Skill of the attackers.
        S: Strength of the attackers.
        T: Toughness of the attackers.
        I: Initiative of the attackers.
        A: Attacks of an attacker, without that for the charge.
        Sv: Armour save of the attackers, or none.
    """

    WS: Own
    S: Own
    T: Own
    I: Own
    A: Own = 1
    Sv: Saved = NONE


@dataclass(frozen=True)
class Defenders:
    """Those inside: each has one wound and a weapon of close combat.

    Attributes:
        their_WS: Weapon Skill of the defenders.
        their_S: Strength of the defenders.
        their_T: Toughness of the defenders.
        their_I: Initiative of the defenders.
        their_A: Attacks of a defender.
        their_Sv: Armour save of the defenders, or none.
    """

    their_WS: Own
    their_S: Own
    their_T: Own
    their_I: Own
    their_A: Own = 1
    their_Sv: Saved = NONE


@asks("GB-125", name="losses in the first round of a storm", needs=("ARAP-005", "ARAP-011", "ARAP-181", "ARAP-188"))
def losses(
    book: Gemini,
    side: Side,
    ours: Attackers,
    theirs: Defenders,
    grenades: bool = False,
    attackers: int = 1,
    defenders: int = 1,
) -> PMF:
    """Return how many models a side loses in the first round of a storm, in which all of both sides fight (GB-125).

    Args:
        side: Whose losses are counted.
        grenades: Whether the attackers have assault grenades.
        attackers: Models that come in.
        defenders: Models that fight them.
    """
    at_most(MOST, attackers=attackers, defenders=defenders)
    storming = force(attackers, *vars(ours).values(), grenades=grenades)
    garrison = force(defenders, *vars(theirs).values())
    house = Building(title="", archetype="house", footprint=(4, 4), material="brick", capacity=2 * MOST)
    house = house.with_own(OwnBuilding(windows=MOST))
    scene = set_up(Scenario("", "", "", 0, 1, "attackers", storming, garrison, "storm", "hold", house, ()), book)
    inside = start(scene).replace(
        charge=np.array([NEAR]), attackers_in=np.array([attackers]), defenders_in=np.array([defenders])
    )
    turn = PlayerTurn("attackers", tuple(strikes(scene)))
    played = solve(Assault("gemini", scene, inside, (turn,), 1, end, outcome), number=Fraction)
    lost = played.columns[f"{side}_lost"].tolist()
    return PMF.mixture((chance, PMF.constant(n)) for n, chance in zip(lost, played.weights, strict=True))


@asks("GB-125", name="defenders strike first", needs=("ARAP-181", "ARAP-188"))
def defenders_first(book: Gemini, I: Initiative, their_I: Initiative, grenades: bool = False) -> bool:
    """Return whether those inside strike before those who storm them, and not with them or after them (GB-125).

    Args:
        I: Initiative of the attackers.
        their_I: Initiative of the defenders.
        grenades: Whether the attackers have assault grenades.
    """
    return bool(their_I > against_cover(book.game, I, grenades=int(grenades)))


def force(models: int, WS: int, S: int, T: int, I: int, A: int, Sv: int, *, grenades: bool = False) -> Force:
    """Return so many models."""
    unit = Unit(
        title="",
        WS=WS,
        BS=0,
        S=S,
        T=T,
        I=I,
        A=A,
        Ld=2,
        Sv=None if Sv == NONE else Sv,
        grenades=("assault",) if grenades else (),
    )
    return Force(unit, (Group(unit, None, Weapon(title="", kind="melee"), models),))
