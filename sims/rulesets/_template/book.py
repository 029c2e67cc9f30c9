"""The numbers and rulings, with their types and ranges: what a house rule may change, and how far."""

from typing import Annotated, ClassVar

from pydantic import Field

from sims.reading import Strict
from sims.rulebook import Book, Ruling, Rulings, Table


class Movement(Table):
    """How far attackers come in a turn, in inches."""

    advance: Annotated[int, Field(ge=1, le=24)]


class Fight(Table):
    """What a blow or shot needs on a D6, first to hit and then to wound."""

    hit: Annotated[int, Field(ge=2, le=6)]
    wound: Annotated[int, Field(ge=2, le=6)]


class Door(Table):
    """How many models of a side strike through the door."""

    width: Annotated[int, Field(ge=1, le=60)]


class TemplateTables(Strict):
    """Every table."""

    movement: Movement
    fight: Fight
    door: Door


class TemplateRulings(Rulings):
    """Every ruling."""

    first_blow: Ruling


class Template(Book):
    """The book."""

    package: ClassVar[str] = "sims.rulesets._template"
    tables: TemplateTables
    rulings: TemplateRulings
