"""Both sides of a storming, as questions about whole ones describe them."""

from dataclasses import dataclass, replace
from typing import Literal

from pydantic import ValidationError

from sims.inputs import NONE, Save
from sims.profiles import Unit, library
from sims.scenario import Force, Group

Same = Literal["same"] | int
"""A number of the defenders, or the same as the attackers'."""


@dataclass(frozen=True)
class Fighters:
    """What models have: the attackers, and the defenders in what is not said of them (`Garrison`). Each has one wound.

    Attributes:
        WS: Weapon Skill of the attackers.
        S: Strength of the attackers.
        T: Toughness of the attackers.
        A: Attacks of an attacker.
        I: Initiative of the attackers.
        Sv: Armour save of the attackers, or none.
    """

    WS: int
    S: int
    T: int
    A: int = 1
    I: int = 4
    Sv: Save = NONE

    def force(self, models: int, Ld: int, grenades: bool = False, flamers: int = 0, whose: str = "") -> Force:
        """Return so many of them, some with flamers; errors call their inputs by `whose` they are."""
        thrown: tuple[Literal["assault"], ...] = ("assault",) if grenades else ()
        try:
            unit = Unit(
                title="", BS=0, Ld=Ld, grenades=thrown, **vars(self) | {"Sv": None if self.Sv == NONE else self.Sv}
            )
        except ValidationError as error:
            fault = error.errors()[0]
            expected = fault["msg"].replace("Input should be", "expected")
            raise ValueError(f"{whose}{fault['loc'][0]} cannot be {fault['input']}; {expected}") from error
        armed = (Group(unit, library().weapons["flamer"], None, flamers),) if flamers else ()
        return Force(unit, (*armed, Group(unit, None, None, models - flamers)))


@dataclass(frozen=True)
class Garrison:
    """What the defenders have otherwise than the attackers.

    Attributes:
        their_WS: Weapon Skill of the defenders, or the same as the attackers'.
        their_S: Strength of the defenders, or the same as the attackers'.
        their_T: Toughness of the defenders, or the same as the attackers'.
        their_A: Attacks of a defender, or the same as an attacker's.
        their_I: Initiative of the defenders, or the same as the attackers'.
        their_Sv: Armour save of the defenders, none, or the same as the attackers'.
    """

    their_WS: Same = "same"
    their_S: Same = "same"
    their_T: Same = "same"
    their_A: Same = "same"
    their_I: Same = "same"
    their_Sv: Same | Literal["none"] = "same"

    def force(self, fighters: Fighters, models: int, Ld: int, their_Ld: Same = "same") -> Force:
        """Return so many defenders, who are like the attackers in what is not said."""
        said = {
            name.removeprefix("their_"): NONE if value == "none" else value
            for name, value in vars(self).items()
            if value != "same"
        }
        return replace(fighters, **said).force(models, Ld if their_Ld == "same" else their_Ld, whose="their_")
