"""Wounds of the 6th edition on a unit whose models are not alike: each on one of them, who suffers it as what he is."""

from collections.abc import Sequence

import numpy as np

from sims.dice import AtRandom, Body, Bools, Dice, Draw, InOrder, Ints, without_a_roll, wounds_by_body
from sims.forces import Models, fall, killed, of, picked, stretches, total
from sims.games.wh40k.book import Sixth
from sims.games.wh40k.combat import common_toughness
from sims.games.wh40k.rules import Attack, Target, unsaved, wounds_to_kill
from sims.inputs import NONE, Invulnerable, Piercing, Save
from sims.questions import asks
from sims.scenario import Force


def suffered(
    dice: Dice,
    book: Sixth,
    force: Force,
    models: Models,
    hurt: Models,
    attacks: Sequence[Attack],
    label: str,
    *,
    inside: bool = False,
    begun: Models = (),
) -> tuple[Models, Models, Ints]:
    """Let a unit suffer attacks; return who is left, the Wounds lost by one of each body, and how many were lost now.

    Each hit is rolled to wound against the Toughness that most have when the attacks begin. The wound falls on the
    first of those who stand in a row, or on whoever is drawn; a leader in the open may pass it on. Who takes it saves
    by what he has himself, and one wound of twice his own Toughness kills him. Of those alike one is wounded until he
    falls.

    Source: 40k 6th edition (BASE-011, BASE-013, BASE-041, BASE-064, BASE-065; partly BASE-012).

    Args:
        hurt: Wounds that one of each body has lost.
        inside: Whether they are in a building, where the victim of each wound is drawn.
        begun: As in `forces.fall`.
    """
    bodies, T, unseen = force.bodies, common_toughness(force.bodies, models), list(hurt)
    drawn = inside or book.rulings.who_falls("drawn")
    row = [(i, total(of(body, models))) for i, body in enumerate(bodies)]
    if not drawn:
        row = stretches(book.rulings.who_falls, force, models, models, begun=begun)
    units, targets = [body.profile for body in bodies], [Target.of(body.profile) for body in bodies]
    places = list[Body]()
    for i, n in row:
        first = np.where(n > 0, unseen[i], 0)
        unseen[i] = unseen[i] - first
        places.append(Body(n, units[i].W, first, units[i].title, NONE if inside else passes(book, force, i)))
    lost = wounds_in_row(
        dice,
        label,
        places,
        [[attack.wounds(book, T).then(attack.saved_by(targets[i])) for i, _ in row] for attack in attacks],
        counted=[i for i, _ in row],
        takes=[[units[i].W // wounds_to_kill(book, int(a.by.S), units[i]) for i, _ in row] for a in attacks],
        drawn=drawn,
    )
    left = list[Ints]()
    for i, body in enumerate(bodies):
        dead, one = killed(hurt[i], lost[i], body.profile.W)
        left.append(np.asarray(one))
        models = _fallen(dice.within(f"{label}, {i + 1}"), book, force, models, i, dead, drawn=drawn, begun=begun)
    return models, tuple(left), total(lost)


def wounds_in_row(
    dice: Dice,
    label: str,
    row: Sequence[Body],
    lots: Sequence[Sequence[Draw]],
    *,
    counted: Sequence[int] = (),
    takes: Sequence[Sequence[int]] = (),
    drawn: bool = False,
) -> Models:
    """Let wounds fall on the first of those who stand in a row, or on whoever is drawn; return the Wounds of each.

    Who looks out passes a wound on before saves (BASE-041, BASE-065).

    Args:
        lots, counted, takes: As in `sims.dice.wounds_by_body`.
    """
    finding = AtRandom if drawn else InOrder
    return wounds_by_body(dice, label, finding, row, lots, counted=counted, takes=takes)


def _fallen(
    dice: Dice, book: Sixth, force: Force, models: Models, body: int, dead: Ints, *, drawn: bool, begun: Models
) -> Models:
    """Return who is left when so many of a body have fallen."""
    groups = force.bodies[body].groups
    if not drawn:
        among = of(force.bodies[body], models)
        return fall(dice, book.rulings.who_falls, force, models, dead, "who falls", among, begun=begun)
    titles = [force.groups[i].title for i in groups]
    gone = dict(zip(groups, picked(dice, tuple(models[i] for i in groups), dead, titles), strict=True))
    return tuple(n - gone.get(i, 0) for i, n in enumerate(models))


def passes(book: Sixth, force: Force, body: int) -> int:
    """Return what one of a body needs to pass on a wound; 7 unless it is the leader, alone of his kind (BASE-065)."""
    alone = len(force.bodies) > 1 and force.bodies[body].groups == (0,)
    return need_to_pass(book) if alone and force.groups[0].leads else NONE


def need_to_pass(book: Sixth, independent: bool = False) -> int:
    """Return what a character needs to pass on a wound; 7 if nobody does (BASE-065)."""
    table = book.tables.look_out
    if book.rulings.look_out("no"):
        return NONE
    return table.independent if independent else table.need


def wound_on(dice: Dice, book: Sixth, unsaved: Draw, independent: bool) -> Models:
    """Return the Wounds that a character and another lose, of one Wound each, by a wound that falls on him (BASE-065).

    Args:
        unsaved: The wound that is not saved.
        independent: Whether it is an independent character.
    """
    wound = without_a_roll(1).then(unsaved)
    return wounds_in_row(dice, "wound", [Body(1, passes=need_to_pass(book, independent)), Body(1)], [[wound, wound]])


@asks("BASE-065", name="Look Out, Sir", ask="P(yes)")
def passed_on(dice: Dice, book: Sixth, independent: bool = False) -> Bools:
    """Return whether a wound is passed on that falls on a character (BASE-065).

    Args:
        independent: Whether it is an independent character.
    """
    _, others = wound_on(dice, book, unsaved(), independent)
    return others > 0


@asks("BASE-065", name="character hit once")
def falls(
    dice: Dice,
    book: Sixth,
    Sv: Save = NONE,
    AP: Piercing = NONE,
    invulnerable: Invulnerable = NONE,
    independent: bool = False,
) -> Bools:
    """Return whether a character of one Wound falls by a wound that he may pass on, but does not save (BASE-065).

    Args:
        independent: Whether it is an independent character.
    """
    his, _ = wound_on(dice, book, unsaved(Sv, AP, invulnerable=invulnerable), independent)
    return his > 0
