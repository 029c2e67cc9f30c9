"""What this game alone asks of a profile."""

from typing import Annotated, ClassVar

from pydantic import Field

from sims.profiles import Profile, Section, Weapon


class OwnWeapon(Section):
    """What it takes off a saving throw, which other games pierce."""

    profile: ClassVar[type[Profile]] = Weapon
    save_modifier: Annotated[int, Field(ge=0, le=6)] = 0


def modifies_by(weapon: Weapon) -> int:
    """Return what a weapon takes off a saving throw."""
    return OwnWeapon.of(weapon).save_modifier
