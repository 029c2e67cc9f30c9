"""Flames and grenades asked one at a time: who is hit, and what gets in."""

from fractions import Fraction
from typing import Literal

from sims.dice import PMF, UNDER, Test
from sims.games.arap.hits import hit_target, to_hit
from sims.games.arap.wounds import NO_SAVE, armour_save, wound_goal
from sims.inputs import at_most
from sims.questions import asks
from sims.rulesets.gemini.blasts import Flame, Grenade, hurt
from sims.rulesets.gemini.book import Gemini
from sims.rulesets.gemini.smoke import Cover, at_port, interior, port_open, quarter, through_opening, through_port

Save = Literal["none"] | int


def harmed(rules: Gemini, S: int, T: int, save: Save) -> Fraction:
    """Return the chance that a hit wounds and is not saved; 1 where only hits are counted."""
    goal = NO_SAVE if save == "none" else save
    return hurt((armour_save(rules.game),), int(wound_goal(rules.game, S, T)), goal) if S else Fraction(1)


def flame(rules: Gemini, targets: tuple[int, int, int], *, near: bool, harm: Fraction, occupants: int) -> Fraction:
    """Return how many of some occupants a template hits, or hurts, on average."""
    full, bare, missed = targets
    licked = rules.tables.templates.otherwise
    ways = Flame(to_hit(rules.game), ()).ways(full, bare, occupants, licked, missed if near else 0, interior(rules))
    return occupants * harm * sum((chance * UNDER.chance(score) for chance, _, score in ways), start=Fraction(0))


@asks("GB-102", name="template through an opening", needs=("ARAP-005", "ARAP-011"))
def template_at_opening(
    rules: Gemini, BS: int, cover: Cover = "open", occupants: int = 1, S: int = 0, T: int = 0, save: Save = "none"
) -> Fraction:
    """Return how many of some occupants a template through an opening hits on average, or wounds (GB-102).

    Parameters
    ----------
    rules : Gemini
    BS : int
        Ballistic Skill with all modifiers but that of cover.
    cover : str
        What the occupants are behind.
    occupants : int
        Models under the template, or in the section.
    S : int
        Strength of the weapon; 0 to count hits.
    T : int
        Toughness of the occupants.
    save : int
        Their save, or none.
    """
    full, bare, missed = through_opening(rules, BS, cover)
    targets, harm = (int(full), int(bare), missed), harmed(rules, S, T, save)
    return flame(rules, targets, near=True, harm=harm, occupants=occupants)


@asks("GB-104", "GB-105", "GB-150", name="template at a firing port", needs=("ARAP-005", "ARAP-011", "GB-117"))
def template_at_port(
    rules: Gemini,
    BS: int,
    cover: Cover = "open",
    near: bool = False,
    distance: int = 5,
    occupants: int = 1,
    S: int = 0,
    T: int = 0,
    save: Save = "none",
) -> Fraction:
    """Return how many of some occupants a template at a port hits on average, or wounds (GB-104, GB-105, GB-150).

    Parameters
    ----------
    rules : Gemini
    BS : int
        Ballistic Skill with all modifiers but those of port and cover.
    cover : str
        What the occupants are behind inside.
    near : bool
        Whether they are within 1 inch of the opening.
    distance : int
        Inches from the shooter to the port.
    occupants : int
        Models in the section.
    S : int
        Strength of the weapon; 0 to count hits.
    T : int
        Toughness of the occupants.
    save : int
        Their save, or none.
    """
    full, bare, missed = through_port(rules, BS, distance <= rules.tables.templates.near, cover)
    targets, harm = (int(full), int(bare), missed), harmed(rules, S, T, save)
    return flame(rules, targets, near=near, harm=harm, occupants=occupants)


@asks("GB-094", "GB-117", name="blast in a section", needs=("ARAP-011",))
def blast_in_section(rules: Gemini, occupants: int = 1, S: int = 0, T: int = 0, save: Save = "none") -> PMF:
    """Return how many occupants a blast inside a section hits, or wounds (GB-094, GB-117).

    Parameters
    ----------
    rules : Gemini
    occupants : int
        Models in the section.
    S : int
        Strength of the blast; 0 to count hits.
    T : int
        Toughness of the occupants.
    save : int
        Their save, or none.
    """
    at_most(100, occupants=occupants)
    return occupants @ PMF.chance(UNDER.chance(interior(rules)) * harmed(rules, S, T, save))


def get_in(rolls: tuple[Test, ...], targets: tuple[int, ...], count: int) -> PMF:
    """Return how many grenades pass every roll."""
    at_most(100, grenades=count)
    (chance, _, _), _ = Grenade(rolls, ()).ways(*targets, 0)
    return count @ PMF.chance(chance)


@asks("GB-088", name="grenades at an opening", needs=("ARAP-005",))
def grenades_at_opening(rules: Gemini, BS: int, modifiers: int = 0, grenades: int = 1) -> PMF:
    """Return how many grenades get in from more than 2 inches; a miss bursts outside (GB-088).

    Parameters
    ----------
    rules : Gemini
    BS : int
        Ballistic Skill.
    modifiers : int
        For the size of the opening and the angle.
    grenades : int
        How many are thrown.
    """
    to = hit_target(rules.game, BS, rules.tables.grenades.modifier + modifiers)
    return get_in((to_hit(rules.game),), (int(to),), grenades)


@asks("GB-148", name="grenades at a firing port", needs=("ARAP-005", "ARAP-011", "GB-117"))
def grenades_at_port(
    rules: Gemini, BS: int, grenades: int = 1, occupants: int = 0, S: int = 0, T: int = 0, save: Save = "none"
) -> Fraction | PMF:
    """Return how many grenades go through a port, or the mean wounds behind it of a single one (GB-148).

    Parameters
    ----------
    rules : Gemini
    BS : int
        Ballistic Skill with all modifiers but those of port and grenade.
    grenades : int
        How many are thrown.
    occupants : int
        Models in the section; 0 to count grenades.
    S : int
        Strength of a grenade; 0 to count hits.
    T : int
        Toughness of the occupants.
    save : int
        Their save, or none.
    """
    to, through = at_port(rules, BS, 0)
    inside = get_in((to_hit(rules.game), UNDER), (int(to), through), grenades)
    return inside.mean * blast_in_section(rules, occupants, S, T, save).mean if occupants else inside


@asks("GB-149", name="shuttered ports")
def ports_can_be_hit(
    rules: Gemini, shuttered: bool = True, fired: Literal["never", "last turn", "earlier"] = "never"
) -> bool:
    """Return whether a port can be shot through (GB-149).

    Parameters
    ----------
    rules : Gemini
    shuttered : bool
        Whether it has shutters.
    fired : str
        When the occupants fired from it.
    """
    return not shuttered or bool(port_open(rules, int(fired != "never"), int(fired == "last turn")))


@asks("ARAP-156", name="who throws grenades")
def grenade_throwers(rules: Gemini, models: int) -> int:
    """Return how many models of a unit may throw grenades in a turn (ARAP-156).

    Parameters
    ----------
    rules : Gemini
    models : int
        Models in the unit.
    """
    return int(quarter(rules, models))
