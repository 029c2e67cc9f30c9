"""The charts of dice: any notation, and what targets, goals, saves and Leadership are worth."""

from typing import Annotated

from cyclopts import Parameter

from analysis import charts, rows
from analysis.commands.charts.base import DICE, chart
from analysis.commands.pictures import IN_REPORTS, Pictured
from sims.errors import CasemateError
from sims.rulesets import RuleSet, rule_set

Rules = Annotated[str | None, Parameter(negative=())]


@chart.command(group=DICE)
def dice(*notations: str, pictured: Pictured = IN_REPORTS) -> None:
    """Draw dice as players write them: the chance of each total, of it or more, of it or less.

    `casemate odds --notation` shows what can be written. For example:

    - `casemate chart dice 2D6`
    - `casemate chart dice 2D6 3D6 "R3D6P2 up"`
    - `casemate chart dice "10@4-@3+" "10@4- reroll@3+"`

    Args:
        notations: One, or up to three beside each other.
    """
    if not notations:
        raise CasemateError('which dice? expected notation such as 2D6, "R3D6P2 up" or "10@4-@3+"')
    shown, marks = rows.dice_rows(notations)
    picture = pictured.ready("dice")
    told = "" if all(row.said for row in shown) else "Diamonds mark means. "
    picture.write(charts.dice_chart(shown, marks, caption=f"{told}Exact."), shown)


@chart.command(group=DICE)
def to_hit(*, rules: Rules = None, pictured: Pictured = IN_REPORTS) -> None:
    """Draw the chance to hit under Gemini-ARAP by Ballistic Skill and modifiers.

    For example:

    - `casemate chart to-hit`

    Args:
        rules: The file of a house rule on gemini, in place of the book as it stands.
    """
    picture = pictured.ready("to-hit")
    shown = rows.hit_rows(_house(rules))
    told = "Outlined: a 1 and a second die (1/3-, 1/2-, 1/1). Blows in melee are alike, by Weapon Skill."
    caption = f"{told}\n{_book(rules)}: ARAP-005, ARAP-006, ARAP-008, ARAP-015. Exact."
    picture.write(charts.hit_chart(shown, caption=caption), shown)


@chart.command(group=DICE)
def to_wound(*, rules: Rules = None, pictured: Pictured = IN_REPORTS) -> None:
    """Draw the chance to wound under Gemini-ARAP by Strength and Toughness.

    For example:

    - `casemate chart to-wound`

    Args:
        rules: The file of a house rule on gemini, in place of the book as it stands.
    """
    picture = pictured.ready("to-wound")
    shown = rows.wound_rows(_house(rules))
    told = "Outlined: a 6 and a second die (6/4+, 6/5+, 6/6); above the dots in melee and at short range only."
    caption = f"{told}\n{_book(rules)}: ARAP-009, ARAP-010, ARAP-014. Exact."
    picture.write(charts.wound_chart(shown, caption=caption), shown)


@chart.command(group=DICE)
def saves(*, cover: str = "none", invulnerable: str = "none", pictured: Pictured = IN_REPORTS) -> None:
    """Draw the chance that a wound is saved by armour save and AP, with the best save there is.

    For example:

    - `casemate chart saves`
    - `casemate chart saves --cover 4`

    Args:
        cover: The cover save, such as 4 for 4+.
        invulnerable: The invulnerable save.
    """
    picture = pictured.ready("saves")
    shown = rows.save_rows(cover.rstrip("+"), invulnerable.rstrip("+"))
    others = any(row.by not in ("armour", None) for row in shown)
    told = "Outlined: where armour is the best save.\n" if others else ""
    caption = f"{told}BASE-013; armour alone is the same in Gemini-ARAP (ARAP-011, ARAP-120). Exact."
    picture.write(charts.save_chart(shown, caption=caption), shown)


@chart.command(group=DICE)
def extended(*, pictured: Pictured = IN_REPORTS) -> None:
    """Draw what a second die is worth where a target lies beyond one: 6/4+ and the like, beside one die alone.

    For example:

    - `casemate chart extended`
    """
    picture = pictured.ready("extended")
    shown = rows.extended_rows()
    told = "6/4+: a 6, then 4 or more; 1/3-: a 1, then 3 or less. Anything harder fails."
    caption = (
        f"{told}\nGemini-ARAP: ARAP-005, ARAP-011, ARAP-014, ARAP-015; one die alone is the other reading, by the "
        "rulings extended_to_hit and extended_saves. Exact."
    )
    picture.write(charts.extended_chart(shown, caption=caption), shown)


@chart.command(group=DICE)
def leadership(*, pictured: Pictured = IN_REPORTS) -> None:
    """Draw the chance to pass a 2D6 test against Leadership, once and with a re-roll.

    For example:

    - `casemate chart leadership`
    """
    picture = pictured.ready("leadership")
    shown = rows.leadership_rows()
    caption = 'Gemini-ARAP: ARAP-012, where a double 1 always passes; re-rolled as in "Ld8 reroll". Exact.'
    picture.write(charts.leadership_chart(shown, caption=caption), shown)


def _house(rules: str | None) -> RuleSet | None:

    return rule_set(rules) if rules else None


def _book(rules: str | None) -> str:
    house = _house(rules)
    return house.title if house else "Gemini-ARAP"
