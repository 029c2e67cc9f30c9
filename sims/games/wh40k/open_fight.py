"""A round of close combat between two forces: who strikes when and with what, who tests, who is caught.

`lead` is always by how many unsaved wounds the first of two forces, the attackers, is ahead in this round, negative
where it is behind.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from sims.dice import Bools, Dice, Draw, Ints, together
from sims.dice.source import Argument
from sims.forces import Models, best, of, since, total, wound, wounds_left
from sims.games.common import StepOfBlows
from sims.games.wh40k import rules as wh40k
from sims.games.wh40k.book import Edition, Wh40k
from sims.games.wh40k.combat import lead as lead_of
from sims.games.wh40k.combat import sweeping_advance
from sims.games.wh40k.nerve import morale_check, too_few
from sims.games.wh40k.rules import Attack, Target
from sims.inputs import Many
from sims.profiles import Unit
from sims.questions import asks
from sims.scenario import Force, Group, Scenario, Side
from sims.state import State, code, count, counts

NOBODY, ATTACKERS, DEFENDERS = 0, 1, 2
"""Who has failed a morale check."""
RUNS, REGROUPED = 1, 2
"""What becomes of attackers who have fallen back: they still do, or they have regrouped in this turn."""


@dataclass(frozen=True, kw_only=True)
class Fight(State):
    """What changes in a close combat; rule sets add what else changes. Every array is ``[..., R]``."""

    attackers: Models = counts("attackers")
    defenders: Models = counts("defenders")
    attackers_hurt: Ints = count("wounds on the attackers' hurt model")
    defenders_hurt: Ints = count("wounds on the defenders' hurt model")
    # Of each body of a force but the last, whose is the number before; nothing where all fall alike.
    attackers_others_hurt: Models = counts("wounds on the attackers' leader and specials")
    defenders_others_hurt: Models = counts("wounds on the defenders' leader and specials")
    attackers_begun: Models  # how many ordinary models there were at the start, see `forces.begun`
    defenders_begun: Models
    lead: Ints = count()  # by how many unsaved wounds the attackers are ahead in this round
    failed: Ints = code()  # who has failed a morale check: `NOBODY`, `ATTACKERS` or `DEFENDERS`
    retreat: Ints = code(
        {RUNS: "the attackers are falling back", REGROUPED: "the attackers have regrouped"},
        otherwise="the attackers stand firm",
    )
    stood: Ints = count()  # how many there were of the side under fire when this phase began; else 0


class House(Protocol):
    """A book of house rules that leans on the base game."""

    @property
    def game(self) -> Edition:
        """The book of the base game."""


class Scene(Protocol):
    """What does not change in a close combat."""

    @property
    def scenario(self) -> Scenario:
        """Who fights."""

    @property
    def book(self) -> House:
        """The book in force."""


F = TypeVar("F", bound=Fight)


def suffers(
    dice: Dice, state: F, scene: Scene, side: Side, attacks: Sequence[Attack], label: str, tally: str
) -> tuple[F, Ints]:
    """Let a side, whose models fall alike, suffer attacks; return the state and the unsaved wounds.

    Wounds beyond what it can lose do not count, nor do they for the result of a combat (BASE-034). No scenario says
    how models stand: who is nearest is for the ruling to say (BASE-041).
    """
    models, hurt, force = getattr(state, side), getattr(state, f"{side}_hurt"), getattr(scene.scenario, side)
    wounds = unsaved(dice, scene, side, attacks, wounds_left(models, hurt, force.unit.W), label, tally)
    who, begun = scene.book.game.rulings.who_falls, getattr(state, f"{side}_begun")
    left, hurt = wound(dice, who, force, models, hurt, wounds, label, begun=begun)
    return state.replace(**{side: left, f"{side}_hurt": hurt}), wounds


def with_standing(state: F, force: Force, side: Side, models: Models) -> F:
    """Return the state with so many of each group of a side left; nobody is hurt of a body that has nobody left."""
    others, last = f"{side}_others_hurt", f"{side}_hurt"
    hurt = (*getattr(state, others), getattr(state, last))
    left = tuple(n * (total(of(body, models)) > 0) for n, body in zip(hurt, force.bodies, strict=True))
    return state.replace(**{side: models, others: left[:-1], last: left[-1]})


def alike(state: F, scene: Scene) -> F:
    """Return the state that stands for all from which a fight goes on in the same way, whatever it comes from."""

    def kept(side: Side) -> Models:
        game, force = scene.book.game, getattr(scene.scenario, side)
        comes_back = side == "attackers" and game.rulings.under_fire("test")
        held = partial(too_few, game) if comes_back else None
        return since(game.rulings.who_falls, force, getattr(state, side), getattr(state, f"{side}_begun"), held)

    return state.replace(attackers_begun=kept("attackers"), defenders_begun=kept("defenders"))


def unsaved(
    dice: Dice, scene: Scene, side: Side, attacks: Sequence[Attack], most: Argument, label: str, tally: str
) -> Ints:
    """Draw and tally the unsaved wounds of attacks; those beyond what can be lost do not count (BASE-034)."""
    at = Target.of(getattr(scene.scenario, side).unit)
    wounds = together(attack.unsaved(scene.book.game, at) for attack in attacks).up_to(most).made(dice, label)
    dice.tally(tally, wounds)
    return wounds


def blows(
    book: Wh40k,
    striking: Force,
    models: Models,
    who: Sequence[int],
    target: Unit,
    charged: Argument = 0,
) -> list[Attack]:
    """Return the blows of the groups whose turn it is: to hit by Weapon Skill, with the weapon's Strength or their own.

    Source: base rules (BASE-009, BASE-010, BASE-034).

    Args:
        models: How many of each of its groups stand when this step begins.
        who: The groups that strike in this step; at least one.
        target: The profile that blows are aimed at.
        charged (bool): Whether the striking side charged this turn.
    """
    acting = Force(striking.unit, tuple(striking.groups[i] for i in who))
    acting_models = tuple(models[i] for i in who)
    attacks = wh40k.attacks(book, acting, acting_models, charging=charged)
    return wh40k.blows(book, acting, attacks, target.WS)


def trade_blows(
    dice: Dice,
    state: F,
    scene: Scene,
    step: StepOfBlows,
    charged: tuple[Argument, Argument],
    where: str = "in close combat",
    suffer: Callable[..., tuple[F, Ints]] = suffers,
) -> F:
    """Let those groups of both sides strike together whose Initiative it is.

    Source: base rules (BASE-034).

    Args:
        step: The groups of the attackers, and of the defenders.
        charged (bool): Whether the attackers, and the defenders, charged this turn.
        where: Where models are lost, for what is tallied.
        suffer: How a side suffers wounds, with the inputs of `suffers`.
    """
    (ours, theirs), game = step, scene.book.game
    squad, garrison = scene.scenario.attackers, scene.scenario.defenders
    after, caused, suffered = state, np.zeros_like(state.lead), np.zeros_like(state.lead)
    if ours:
        struck = blows(game, squad, state.attackers, ours, garrison.unit, charged[0])
        after, caused = suffer(dice, after, scene, "defenders", struck, "attackers' blows", f"defenders lost {where}")
    if theirs:
        struck = blows(game, garrison, state.defenders, theirs, squad.unit, charged[1])
        after, suffered = suffer(dice, after, scene, "attackers", struck, "garrison's blows", f"attackers lost {where}")
    return after.replace(lead=state.lead + lead_of(caused, suffered))


def somebody_lost(lead: Argument) -> Bools:
    """Return whether a round has a loser, who checks its morale; a draw has none (BASE-034)."""
    return np.asarray(lead != 0)


def tests_morale(lead: Argument, one: Models, other: Models) -> Bools:
    """Return whether a side must test its morale: one that lost the round while both still stand (BASE-034)."""
    return somebody_lost(lead) & (total(one) > 0) & (total(other) > 0)


@asks("BASE-034", name="morale checks")
def checks_taken(ours: Many, theirs: Many) -> int:
    """Return how many sides check their morale after a combat that nobody was wiped out in (BASE-034).

    Args:
        ours: Unsaved wounds that one side caused.
        theirs: Unsaved wounds that the other caused.
    """
    standing = (np.array(1),)
    return int(tests_morale(lead_of(ours, theirs), standing, standing))


def nerve(lead: Argument, one: Force, one_left: Models, other: Force, other_left: Models) -> Draw:
    """Return the loser's morale check: on its best Leadership left, less the margin (BASE-035)."""
    behind = lead < 0
    lost = np.where(behind, best(one, one_left, leadership), best(other, other_left, leadership))
    return morale_check(lost, np.abs(lead))


def leadership(group: Group) -> int:
    """Return the Leadership of the models of a group."""
    return group.profile.Ld


def morale(dice: Dice, state: F, scene: Scene, tested: Bools) -> F:
    """Let the loser check its morale, where it must; attackers who are falling back already fail.

    Source: base rules (BASE-034, BASE-035, BASE-062).
    """
    squad, garrison = scene.scenario.attackers, scene.scenario.defenders
    check = nerve(state.lead, squad, state.attackers, garrison, state.defenders)
    rolls = tested & ((state.lead > 0) | (state.retreat != RUNS))
    runs = tested & ~check.times(rolls).passed(dice, "morale")
    loser = np.where(state.lead > 0, DEFENDERS, ATTACKERS)
    return state.replace(failed=runs * loser, lead=np.zeros_like(state.lead))


def pursuit(attackers_run: Argument, one: Force, other: Force) -> Draw:
    """Return whether those who run are caught; a unit has the Initiative of its ordinary models (BASE-036)."""
    ours, theirs = one.unit.I, other.unit.I
    return sweeping_advance(np.where(attackers_run, theirs, ours), np.where(attackers_run, ours, theirs))


def sweep(dice: Dice, state: F, scene: Scene) -> F:
    """Let the winner catch those who have failed their morale check: they are destroyed.

    Source: base rules (BASE-036).
    """
    ours = state.failed == ATTACKERS
    chase = pursuit(ours, scene.scenario.attackers, scene.scenario.defenders)
    caught = chase.times(state.failed != NOBODY).passed(dice, "sweeping advance")
    squad, garrison = caught & ours, caught & ~ours
    dice.tally("attackers lost to the sweeping advance", total(state.attackers) * squad)
    dice.tally("defenders lost to the sweeping advance", total(state.defenders) * garrison)
    return state.replace(
        attackers=tuple(n * ~squad for n in state.attackers),
        defenders=tuple(n * ~garrison for n in state.defenders),
        attackers_hurt=state.attackers_hurt * ~squad,
        defenders_hurt=state.defenders_hurt * ~garrison,
        attackers_others_hurt=tuple(n * ~squad for n in state.attackers_others_hurt),
        defenders_others_hurt=tuple(n * ~garrison for n in state.defenders_others_hurt),
    )
