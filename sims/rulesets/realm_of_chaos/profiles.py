"""What these rules alone ask of a profile."""

from typing import Annotated, ClassVar

from pydantic import Field

from sims.profiles import Building, Profile, Section, Weapon


class OwnBuilding(Section):
    """How many floors it has, one above the other."""

    profile: ClassVar[type[Profile]] = Building
    levels: Annotated[int, Field(ge=1, le=6)] = 1


class OwnWeapon(Section):
    """Whether it sets fire to what it hits."""

    profile: ClassVar[type[Profile]] = Weapon
    flaming: bool = False


def is_flaming(weapon: Weapon | None) -> bool:
    """Return whether a weapon sets fire to what it hits; nobody does without one."""
    return weapon is not None and OwnWeapon.of(weapon).flaming
