"""Words that all rule sets have for a translation."""

NOT_MODELLED = "Not modelled yet, and it matters here"
NEVER_FIRED = "Never fired"
NOT_USED = "Not used of the building"
NO_GROUND = "Not used of ground and deployment"
"""Terms of a translation that stand beside the first numbers: what a scenario has and the rules as they are played do
not know yet, weapons that these rules give nothing to do, and keys of the building, or of the ground and how units
stand on it, that change nothing under them."""
LEFT_OUT = (NOT_MODELLED, NEVER_FIRED, NOT_USED, NO_GROUND)
"""These terms, in their order."""
CHOSEN = "Who goes in, as the attackers choose"
"""The term that stands there too, where the rules leave this to them and the scenario does as well."""


def counted(n: int, one: str, many: str = "") -> str:
    """Say how many there are of something: no doors, 1 door, 2 doors."""
    return f"{n or 'no'} {one if n == 1 else many or one + 's'}"
