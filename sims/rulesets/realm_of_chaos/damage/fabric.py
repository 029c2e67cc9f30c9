"""The start of a turn: a fire burns, and a damaged section is stable or falls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from sims.dice import PMF, Bools, Dice, Draw, Ints
from sims.dice.die import added_up
from sims.dice.mechanics import Cast
from sims.dice.source import Argument
from sims.dice.telling import Face
from sims.forces import together, total
from sims.inputs import Many, Number, Strength
from sims.questions import asks
from sims.rulesets.realm_of_chaos.book import FabricName, RealmOfChaos, Stability
from sims.rulesets.realm_of_chaos.damage.fire import burn
from sims.rulesets.realm_of_chaos.damage.walls import damage as damage_to_walls
from sims.rulesets.realm_of_chaos.state import NEIGHBOURS, SECTION, Scene, Siege

Damage = Annotated[Argument, Number("Points of damage of the section.", 0, 10**6)]
Result = Annotated[Argument, Number("Result of the roll.", 0, 10**6)]
Crowd = Annotated[Argument, Number("Models of both sides in the section.", 0, 10**6)]
Tests = Annotated[int, Number("Stability rolls.", 0, 1000)]
Above = Annotated[Argument, Number("Levels on top of it.", 0, 10**6)]


@dataclass(frozen=True)
class StabilityRoll:
    """A stability roll: the die and the damage above 6 (RC-048).

    Arguments: whether it is made, points of damage.
    """

    table: Stability
    arity = 2

    @property
    def answers(self) -> Mapping[int, str]:
        """What the table says of each result; those who stand there and on top may make more of it."""
        table, worse = self.table, self.table.worse.items()
        said = {r: " and ".join(name for name, row in worse if r in row) or "stable" for r in range(table.collapse)}
        falls = dict.fromkeys(range(table.collapse, 7 + table.neighbours_fall), "collapse")
        return said | falls | {r: "collapse, with its neighbours" for r in falls if r >= table.neighbours_fall}

    def result(self, made: Ints, face: Ints, damage: Ints) -> Ints:
        """Return the result of a die, 0 where none is thrown."""
        return np.where(made, face + damage - self.table.starts_at, 0)

    def pmf(self, *arguments: int) -> PMF:
        """Return the distribution of the result."""
        made, damage = map(np.array, arguments)
        return self.table.die.pmf.map(lambda face: int(self.result(made, np.array(face), damage)))

    def throw(self, cast: Cast, *arguments: Ints) -> Ints:
        """Throw the die."""
        made, damage = arguments
        return self.result(made, self.table.die.read(cast("stability", 6, 1)[0].astype(np.int64)), damage)

    def tell(self, face: Face, *arguments: int) -> Iterator[str]:
        """Say the die and the damage."""
        _, damage = arguments
        die, over = self.table.die, damage - self.table.starts_at
        score = int(die.read(np.array(face("stability", 6, 0))))
        yield f"{die.name}: {added_up(score, (over, f'damage beyond {self.table.starts_at}'))}"


@asks("RC-047", name="stability rolls in a turn")
def rolls_in_a_turn(book: RealmOfChaos, damage: Damage) -> Ints:
    """Return how often a section is rolled for in a turn after the damage was done (RC-047)."""
    return np.asarray(damage >= book.tables.stability.starts_at).astype(int)


def stability_roll(book: RealmOfChaos, damage: Argument, due: Argument) -> Draw:
    """Return the stability roll of a section, where it is due; 0 where not (RC-048)."""
    return Draw(StabilityRoll(book.tables.stability), (due, damage))


@asks("RC-048", name="stability roll")
def result_of_stability(book: RealmOfChaos, damage: Damage) -> PMF:
    """Return the result of the stability roll, 10 and more read as 10; 0 if there is none (RC-047, RC-048)."""
    rolled = stability_roll(book, damage, rolls_in_a_turn(book, damage)).pmf
    return rolled.cap(10).named(rolled.names)


@asks("RC-052", name="collapse by a result")
def collapses(book: RealmOfChaos, result: Result, models: Crowd = 0, levels_above: Above = 0) -> Bools:
    """Return whether a result brings the section down (RC-050, RC-052, RC-053; partly RC-049, partly RC-054)."""
    table = book.tables.stability
    crowded = np.isin(result, table.unstable) & (models > table.most_models)
    overloaded = np.isin(result, table.unsound) & (levels_above > table.most_levels_above)
    return (result >= table.collapse) | crowded | overloaded


@asks("RC-053", name="section after a result")
def section_after(
    book: RealmOfChaos, result: Result, models: Crowd = 0, levels_above: Above = 0
) -> Literal["collapses", "stands"]:
    """Return what becomes of a section by a result of the stability roll (RC-053)."""
    return "collapses" if collapses(book, result, models, levels_above) else "stands"


@asks("RC-050", name="collapse in one test")
def chance_to_collapse(book: RealmOfChaos, damage: Damage, levels_above: Above = 0) -> Fraction:
    """Return the chance that an empty section falls in one stability roll (RC-050)."""
    roll = stability_roll(book, damage, rolls_in_a_turn(book, damage)).pmf
    return roll.where(lambda result: bool(collapses(book, result, 0, levels_above)))


@asks("RC-050", name="tests until collapse")
def rolls_until_collapse(book: RealmOfChaos, damage: Damage, levels_above: Above = 0) -> Fraction:
    """Return how many stability rolls an empty section stands on average, the last among them (RC-050).

    Args:
        damage: Points of damage of the section, 6 or more.

    Raises:
        ValueError: If it is not rolled for.
    """
    chance = chance_to_collapse(book, damage, levels_above)
    if not chance:
        raise ValueError(f"a section with {damage} points of damage is not rolled for")
    return 1 / chance


@asks("RC-050", name="standing after tests")
def standing_after(book: RealmOfChaos, damage: Damage, tests: Tests, levels_above: Above = 0) -> Fraction:
    """Return the chance that an empty section still stands after some stability rolls (RC-050)."""
    return (1 - chance_to_collapse(book, damage, levels_above)) ** tests


@asks("RC-050", name="section standing after hits", needs=("RC-039", "RC-041", "RC-047", "RC-048"))
def standing_after_hits(
    book: RealmOfChaos,
    hits: Many,
    S: Strength,
    material: FabricName,
    levels_above: Above = 0,
    tests: Tests = 1,
) -> Fraction:
    """Return the chance that an empty section stands after hits in one turn and the rolls that follow (RC-050).

    Args:
        hits: Hits on the section, all in one turn.
        S: Strength of the hits.
        material: Class of the walls.
    """
    points = damage_to_walls(book, material, S, hits).pmf
    return sum((p * standing_after(book, n, tests, levels_above) for n, p in points), Fraction(0))


def is_rolled_for(state: Siege, scene: Scene) -> Bools:
    """Return where the ground section is rolled for."""
    due = rolls_in_a_turn(scene.book, state.damage) > 0
    return due & (state.tested == 0) & (state.falling == 0)


def burns_or_is_rolled_for(state: Siege, scene: Scene) -> Bools:
    """Return where the start of a turn may damage the ground section, or bring it down."""
    return is_rolled_for(state, scene) | (state.burning > 0)


def stability(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Roll for the ground section: it holds, holds in a worse state, or falls with all that stands on it.

    Source: Damaging Buildings (RC-047, RC-048, RC-050, RC-051, RC-052, RC-053; partly RC-049, partly RC-054,
    partly RC-058, partly RC-059, partly RC-060).
    """
    return rolled(dice, state, scene, is_rolled_for(state, scene))


def burn_and_test(dice: Dice, state: Siege, scene: Scene) -> Siege:
    """Let a fire burn, then roll for the ground section, if the damage from before the fire's was enough for that.

    Source: Buildings and Fire (RC-075, RC-077, RC-078).
    """
    return rolled(dice, burn(dice, state, scene), scene, is_rolled_for(state, scene))


def rolled(dice: Dice, state: Siege, scene: Scene, due: Bools) -> Siege:
    """Return what becomes of the ground section by a stability roll, where that is due (RC-048 to RC-053)."""
    book, table = scene.book, scene.book.tables.stability
    result = stability_roll(book, state.damage, due).made(dice, "stability")
    taken = together(scene.places_taken(state, "attackers"), scene.places_taken(state, "defenders"))
    there = scene.at_front(state, taken)
    above = sum(
        ((c.levels - 1) * front for c, front in zip(scene.plan.columns, scene.fronts(state), strict=True)), 0 * there
    )
    falls = collapses(book, result, there, above)
    neighbours = (result >= table.neighbours_fall) & (total(state.stands) > 1)
    old = ~due if book.rulings.lasting_results("latest") else True
    return state.replace(
        unsafe=np.maximum(state.unsafe * old, np.isin(result, table.unsafe)),
        unstable=np.maximum(state.unstable * old, np.isin(result, table.unstable)),
        unsound=np.maximum(state.unsound * old, np.isin(result, table.unsound)),
        tested=np.where(due, int(book.rulings.lasting_results("one_test")), state.tested),
        falling=np.where(falls, np.where(neighbours, NEIGHBOURS, SECTION), 0),
    )
