"""Dice: distributions, notation, targets, and three ways to answer a draw. Knows nothing of any game."""

from sims.dice.die import AVERAGE, D2, D3, D5, D6, D10, D66, D100, Bools, Die, Ints, fair, narrow, pick
from sims.dice.draws import Draw, exactly, once, together, without_a_roll
from sims.dice.finding import AtRandom, Body, Evenly, InOrder, by_digit, struck, wounds_by_body
from sims.dice.mechanics import AtLeast, Capped, Mechanic, Share, Throw, Total, Volley
from sims.dice.notation import parse_die, parse_notation
from sims.dice.pmf import PMF, compound, keep
from sims.dice.source import (
    BATCH,
    BUDGET,
    Address,
    Dice,
    ExactDice,
    LotsError,
    RolledDice,
    SampledDice,
    passes,
    roll,
)
from sims.dice.targets import (
    BEST_OF_TWO,
    BEST_OF_TWO_TWICE,
    GOAL,
    HIGH,
    LEADERSHIP,
    LOW,
    PLAIN_LEADERSHIP,
    PLAIN_LOW,
    UNDER,
    Test,
    rerolled,
)
