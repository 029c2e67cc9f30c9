"""Flames: template weapons through openings and at firing ports."""

from typing import Literal

import numpy as np

from sims.dice import Draw
from sims.dice.source import Argument
from sims.games.arap.moving.measuring import within
from sims.games.arap.rolls.hits import hit, hit_target
from sims.questions import asks
from sims.rulesets.gemini.book import Gemini, Interior
from sims.rulesets.gemini.openings.blasts import Flame
from sims.rulesets.gemini.openings.interiors import Occupants, Thrown, found_inside

Cover = Literal["open", "soft", "hard"]


def through_opening(
    book: Gemini,
    n: Argument,
    skill: Argument,
    cover: Cover,
    near: Argument,
    interior: Interior,
    hurts: Draw,
    who: str = "",
) -> Thrown:
    """Return shots of a template weapon through an opening: a success hits everybody inside (GB-102; partly ARAP-144).

    In cover only a roll that is so much better does; of the others each is hit on a die of his own.

    Args:
        n: Shots.
        skill: Ballistic Skill with all modifiers but that of cover.
        cover: What the occupants are behind.
        near: How many of them can be hit by a roll that fails.
        interior: What those are in who are hit by a success.
        hurts: What befalls each who is hit.
        who: Who shoots, for the log.
    """
    table, ladder = book.tables.templates, book.rulings.template_missed("ladder")
    fallen = {"open": table.otherwise, "soft": table.missed_soft_cover, "hard": table.missed_hard_cover}[cover]
    return _shots(book, n, skill, cover, near, fallen if ladder else table.otherwise, interior, hurts, who)


def through_port(
    book: Gemini,
    n: Argument,
    skill: Argument,
    distance: Argument,
    cover: Cover,
    near: Argument,
    interior: Interior,
    hurts: Draw,
    who: str = "",
) -> Thrown:
    """Return shots of a template weapon at a port: a roll two better goes through, or one from within 2 inches.

    Flames that fail it still lick at those who are near the port (GB-104, GB-105, GB-150).

    Args:
        n: Shots.
        skill: Ballistic Skill with all modifiers but those of port and cover.
        distance: Inches from the shooter to the port.
        cover: What the occupants are behind inside.
        near: How many of them are within 1 inch of the port.
        interior: What those are in who are hit by a success.
        hurts: What befalls each who is hit.
        who: Who shoots, for the log.
    """
    table = book.tables.templates
    port = np.where(within(distance, table.near), table.port_near, table.port)
    return _shots(book, n, skill + port, cover, near, table.otherwise, interior, hurts, who)


def _shots(
    book: Gemini,
    n: Argument,
    skill: Argument,
    cover: Cover,
    near: Argument,
    missed: int,
    interior: Interior,
    hurts: Draw,
    who: str,
) -> Thrown:
    """Return shots by what a success needs, and the score of those who can be hit by a failure."""
    table = book.tables.templates
    margin = {"open": 0, "soft": table.soft_cover, "hard": table.hard_cover}[cover]
    aimed, bare = hit(book.game, skill, margin), hit_target(book.game, skill)
    kind = Flame(aimed.tests[0], hurts.tests, who)
    scores = table.otherwise, missed, found_inside(book, interior)
    return Thrown(kind, (n, *aimed.targets, bare, near, *scores, *hurts.targets))


@asks("GB-102", name="template through an opening", needs=("ARAP-005", "ARAP-011"), ask="mean")
def template_at_opening(book: Gemini, BS: int, inside: Occupants, cover: Cover = "open") -> Draw:
    """Return how many of some occupants a template through an opening hits on average, or wounds (GB-102).

    Args:
        BS: Ballistic Skill with all modifiers but that of cover.
        cover: What the occupants are behind.
    """
    return inside.meet(through_opening(book, 1, BS, cover, inside.occupants, inside.interior, inside.harm(book)))


@asks(
    "GB-104", "GB-105", "GB-150", name="template at a firing port", needs=("ARAP-005", "ARAP-011", "GB-117"), ask="mean"
)
def template_at_port(
    book: Gemini, BS: int, inside: Occupants, cover: Cover = "open", near: bool = False, distance: int = 5
) -> Draw:
    """Return how many of some occupants a template at a port hits on average, or wounds (GB-104, GB-105, GB-150).

    Args:
        BS: Ballistic Skill with all modifiers but those of port and cover.
        cover: What the occupants are behind inside.
        near: Whether they are within 1 inch of the opening.
        distance: Inches from the shooter to the port.
    """
    manning = inside.occupants if near else 0
    return inside.meet(through_port(book, 1, BS, distance, cover, manning, inside.interior, inside.harm(book)))
