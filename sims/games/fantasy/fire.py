"""Fire: what flames gain against things that burn, and those who stand in them."""

from sims.dice import Draw
from sims.dice.source import Argument
from sims.games.fantasy.book import Fantasy
from sims.games.fantasy.wounds import hurt


def strength_gained(gain: int, flammable: bool) -> int:
    """Return the Strength that flames gain against a target, which may burn already (partly BASE-059)."""
    return gain if flammable else 0


def scorched(book: Fantasy, S: int, models: Argument, T: Argument) -> Draw:
    """Return the wounds of models who each take a hit by the flames, without an armour save (partly BASE-058)."""
    return hurt(book, S, T).times(models)
