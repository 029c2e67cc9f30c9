"""What these rules alone ask of a profile."""

from typing import Annotated, ClassVar

from pydantic import Field

from sims.profiles import Building, Profile, Section, Unit, Weapon


class OwnBuilding(Section):
    """Windows or holes that a model can climb through, within the attackers' reach."""

    profile: ClassVar[type[Profile]] = Building
    windows: Annotated[int, Field(ge=0, le=40)] = 0


class OwnUnit(Section):
    """The size category of a figure (ARAP-034)."""

    profile: ClassVar[type[Profile]] = Unit
    size: Annotated[int, Field(ge=1, le=4)] = 2


class OwnWeapon(Section):
    """Whether those who are hit test pinning."""

    profile: ClassVar[type[Profile]] = Weapon
    pinning: bool = False
