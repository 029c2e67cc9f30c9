"""What a house of several sections becomes in these rules, in words for the player."""

from collections.abc import Iterator

from sims.rulesets.gemini import setting
from sims.rulesets.gemini.book import OwnBuilding
from sims.rulesets.gemini.sections import across, rooms
from sims.rulesets.gemini.sections.levels import on_a_ladder
from sims.rulesets.gemini.state import Scene
from sims.words import counted


def sections_in_turn(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield where a garrison stands that is deployed over several sections, and how these are taken."""
    if scene.in_turn == 1:
        return
    stands = {
        "spread": "evenly",
        "doors": "by the ways in, as far as there is room",
        "top": "away from the ways in, as far as there is room",
    }
    given, even = scene.scenario.deployment, scene.book.rulings.evens_out
    by_number = f"with {rooms.deployed(scene)} by the ways in and the others evenly behind them"
    begins = by_number if isinstance(given, int) else stands[given if given in ("doors", "top") else "spread"]
    spreads = "and whoever is in a section stays there" if even("stays") else f"and spreads evenly again {even.said}"
    own = OwnBuilding.of(scene.scenario.building)
    links = own.links
    most = int(on_a_ladder(scene.book, scene.scenario.attackers.unit.bulk))
    up = f"a ladder, {most} models in a turn and without a charge bonus" if links == "ladder" else links
    further, garrison = scene.book.tables.between.further, scene.scenario.defenders
    barricades = f", at the garrison {further} besides" if scene.book.rulings.between_sections("barricaded") else ""
    parts = [
        f"{scene.in_turn}, stormed one after the other, from the second on D6 against D6",
        f"from floor to floor by {up}",
        f"the garrison begins {begins}, {spreads}",
        *([f"its leader and specials stand {scene.book.rulings.specials_stand.said}"] * (len(garrison.groups) > 1)),
        "who routs inside dies, on either side, with those beside him and nobody else",
        f"attackers in the house and those in the next section fire at each other, in hard cover{barricades}"
        if own.inner_doors == "open"
        else "inner doors are shut, and nobody shoots or throws anything through them",
        *across_a_doorway(scene),
        *["it is all one hall: a charge goes through an empty section at those behind it"] * own.open,
        f"a section has room for {scene.room_to_storm} attackers, and the others wait",
    ]
    yield "Sections", "; ".join(parts)


def across_a_doorway(scene: Scene) -> Iterator[str]:
    """Yield what is thrown from section to section, if anybody has it."""
    if not across.used(scene):
        return
    groups = [group for force in (scene.scenario.attackers, scene.scenario.defenders) for group in force.groups]
    if any(map(setting.burns, groups)):
        yield "before they shoot come flames, as at people in hard cover"
    if any(map(setting.hurls, groups)):
        share, still = scene.book.game.tables.grenades.share, scene.book.tables.between.still_there
        yield (
            f"before they shoot, one in {share} of the unit throws grenades; one that misses still comes down there on "
            f"{still} or less, else in a section next to it, that of the throwers among them"
        )


def not_across(scene: Scene) -> Iterator[str]:
    """Yield what nobody does between the sections of a house yet."""
    guns = [*scene.scenario.attackers.guns, *scene.scenario.defenders.guns]
    own = OwnBuilding.of(scene.scenario.building)
    if own.inner_doors == "open" and not across.used(scene):
        yield "flames, grenades and markers from section to section"
    elif own.inner_doors == "open" and any(weapon.kind == "blast" for weapon in guns):
        yield "markers from section to section"
    if scene.sallies:
        yield "a sally out of a house that attackers are in"
    if scene.sallies and own.links == "ladder":
        yield "what else a jump brings in the base game: +1 for Strength, hits and the result, which counts falls"
        yield "those on whom somebody falls"


def back_inside(scene: Scene) -> str:
    """Say what a garrison does that means to come out, once attackers are in its house."""
    if scene.in_turn == 1:
        return ""
    links, levels = OwnBuilding.of(scene.scenario.building).links, scene.book.tables.levels
    tests, lives = counted(levels.storey // levels.test, "Initiative test"), scene.book.rulings.failed_jump("fights")
    fallen = "fights without the bonus of a charge" if lives else "does not fight"
    down = f", and jumps down a storey with {tests} each; who falls and lives {fallen}" if links == "ladder" else ""
    return f"; once attackers are inside it charges back into the section next to its own{down}"
