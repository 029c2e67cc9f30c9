"""Over what those in a building may shoot that lies between them and their target."""

from typing import Annotated, Literal

import numpy as np

from sims.dice import Bools
from sims.dice.source import Argument
from sims.inputs import Number, Truth
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import RealmOfChaos
from sims.rulesets.realm_of_chaos.building import Range, range_downhill

Level = Annotated[Argument, Number("Level that the shooters stand on.", 1, 20)]
Levels = Annotated[Argument, Number("Levels of the building in the way.", 1, 20)]
Top = Annotated[Argument | None, Number("Levels of the building that the shooters stand in.", 1, 20)]
Distance = Annotated[Argument, Number("Inches to the target.", 0, 1000)]
Between = Literal["hedge", "wood", "hill"]


@asks("RC-029", "RC-031", "RC-032", name="shot over ground")
def shoots_over(book: RealmOfChaos, level: Level, between: Between = "hedge", on_a_hill: Truth = False) -> Bools:
    """Return whether those on a level shoot over what lies between (RC-029, RC-031, RC-032).

    Args:
        between: A hedge, wall or fence; a wood; or a hill.
        on_a_hill: Whether the building stands on one, and what lies between does not.
    """
    table = book.tables.sight
    least = table.hedge if between == "hedge" else table.wood
    return np.asarray((np.asarray(level) >= least) | on_a_hill)


@asks("RC-030", "RC-032", name="shot over a building")
def shoots_over_a_building(
    book: RealmOfChaos,
    level: Level,
    between: Levels,
    inches: Distance,
    range: Range,
    levels: Top = None,
    on_a_hill: Truth = False,
) -> Bools:
    """Return whether those on a level shoot over a building (RC-030, RC-032).

    It has to be lower than where they stand: by one level within half range, by more at any range. Within range it is
    from a hill above it in any case.

    Args:
        between: Levels of that building.
        inches: To the target.
        range: Of the weapon, before it is lengthened downhill.
        levels: Of their own building, which count by one reading; if not given they stand on its highest.
        on_a_hill: Whether the building stands on one, and the other does not.
    """
    table, reach, own = book.tables.sight, range_downhill(book, range), level if levels is None else levels
    lower = np.subtract(level if book.rulings.lower_than("shooters") else own, between)
    half, within = 2 * np.asarray(inches) <= reach, np.asarray(inches) <= reach
    return ((lower >= table.lower_near) & half) | ((lower >= table.lower_far) & within) | (within & on_a_hill)
