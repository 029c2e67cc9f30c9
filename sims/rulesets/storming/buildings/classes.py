"""Buildings in 40k: their classes, and the armour that is rolled when somebody first gets in."""

from typing import Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Ints, exactly, roll
from sims.dice.source import Argument
from sims.games.wh40k.buildings import may_be_attacked
from sims.games.wh40k.structures import armour_roll
from sims.inputs import Strength, at_most
from sims.profiles import MOST_MODELS
from sims.questions import asks
from sims.rulesets.storming.book import Class, Intact, Storming
from sims.rulesets.storming.state import Scene, Storm

CLASSES: tuple[Class, ...] = ("impassable", "ruins", "defensible", "stronghold")


@asks("ST-003", "ST-006", "ST-007", name="class of a building")
def class_of(book: Storming, military: bool, whole: bool = True, way_in: bool = True) -> Class:
    """Return the class of a building: the one agreed, else by its look (ST-003, ST-004, ST-006, ST-007).

    A way in is a door: a window is none. The buildings of scenarios are whole; of a ruin the class is agreed.

    Args:
        military: Armoured walls, reinforced shutters, perhaps weapons.
        whole: Four walls and a roof.
        way_in: At least one way in that can be seen.
    """
    agreed = book.tables.agreed.building_class
    if agreed != "by_look":
        return agreed
    if not whole:
        return "ruins"
    if not way_in:
        return "impassable"
    return "stronghold" if military else "defensible"


@asks("ST-003", name="number of classes")
def number_of_classes(book: Storming, that_may_be: Literal["occupied", "stormed"]) -> int:
    """Return how many classes of building can be occupied or stormed (ST-003).

    Args:
        that_may_be: Occupied or stormed.
    """
    what: Literal["occupy", "storm"] = "occupy" if that_may_be == "occupied" else "storm"
    return sum(allows(book, name, what) for name in CLASSES)


@asks("ST-003", "ST-005", name="what a class allows")
def allows(book: Storming, building_class: Class, what: Literal["occupy", "storm", "attack the structure"]) -> bool:
    """Return whether a building may be occupied, stormed or attacked through its armour (ST-003, ST-004, ST-005).

    Troops in ruins are assaulted in the usual way of the game, with the cover of ruins (BASE-014): there is nothing to
    storm and no armour to attack.

    Args:
        building_class: Impassable, ruins, defensible or stronghold.
        what: Occupy, storm, or attack the structure.
    """
    row = book.tables.classes.of(building_class)
    return {"occupy": row.occupy, "storm": row.storm, "attack the structure": row.armour > 0}[what]


@asks("ST-004", "ST-010", name="models that may occupy")
def holds(book: Storming, building_class: Class, agreed: int = MOST_MODELS) -> int:
    """Return how many models may occupy a building: the capacity agreed, or none (ST-004, ST-010).

    Args:
        building_class: Impassable, ruins, defensible or stronghold.
        agreed: The capacity agreed.
    """
    return agreed if allows(book, building_class, "occupy") else 0


def armour_is_rolled(book: Storming, armour: Argument, *, occupied: bool, attacked: bool = False) -> Bools:
    """Return where the Armour Value is rolled now: at the first occupation, or the first attack (ST-013)."""
    known = book.rulings.armour_before_occupation("rolled") and attacked
    return np.asarray((armour == 0) & (occupied or known))


@asks("ST-013", name="armour rolls")
def armour_rolls(book: Storming, occupied: int, attacked_before: bool = False) -> int:
    """Return how often the Armour Value of a building is rolled in a game (ST-013).

    Args:
        occupied: How many times units occupy it.
        attacked_before: Whether somebody attacks it before anybody has occupied it.
    """
    at_most(1000, occupied=occupied)
    armour, rolls = 0, 0
    for inside in [False, *[True] * occupied]:
        if armour_is_rolled(book, armour, occupied=inside, attacked=attacked_before):
            armour, rolls = 1, rolls + 1
    return rolls


@asks("ST-013", name="attack on an empty building")
def empty_may_be_attacked(book: Storming) -> bool:
    """Return whether a building may be attacked that nobody has occupied yet (ST-013)."""
    return bool(may_be_attacked(occupied=False) | armour_is_rolled(book, 0, occupied=False, attacked=True))


@asks("ST-014", "ST-015", "ST-007", name="Armour Value")
def armour_value(dice: Dice, book: Storming, building_class: Intact) -> Ints:
    """Return the Armour Value of an intact building, which is rolled once (ST-014, ST-015).

    Args:
        building_class: Defensible or stronghold.
    """
    table = book.tables.classes
    return table.of(building_class).armour + roll(dice, "Armour Value", table.dice)


def possible_armour(scene: Scene) -> tuple[int, ...]:
    """Return the Armour Values that a building may have: the known one, or all that may be rolled (ST-014, ST-015)."""
    return (scene.armour,) if scene.armour else exactly(armour_value, scene.book, scene.intact).outcomes


def roll_armour(dice: Dice, state: Storm, scene: Scene) -> Storm:
    """Roll the Armour Value, once; the garrison has occupied the building before the game.

    Source: Buildings in 40k (ST-013, ST-014, ST-015).
    """
    return state.replace(armour=armour_value(dice, scene.book, scene.intact))


@asks("ST-007", name="highest Armour Value")
def highest_armour(book: Storming, building_class: Intact) -> int:
    """Return the highest Armour Value that a building can roll (ST-007).

    Args:
        building_class: Defensible or stronghold.
    """
    return exactly(armour_value, book, building_class).outcomes[-1]


@asks("ST-014", "ST-015", name="hit on an unknown Armour Value")
def hit_on_unknown(book: Storming, building_class: Intact, S: Strength, dice: Literal[1, 2] = 1) -> PMF:
    """Return what a hit does before the Armour Value is known: 0 nothing, 1 glances, 2 penetrates (ST-014, ST-015).

    Args:
        building_class: Defensible or stronghold.
        S: Strength of the hit.
        dice: D6 added to it.
    """
    known = exactly(armour_value, book, building_class)
    return PMF.mixture((chance, armour_roll(S, AV, dice).pmf) for AV, chance in known)
