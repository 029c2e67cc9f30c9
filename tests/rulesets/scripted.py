"""Dice for the tests of rules: they fall as is written, and in no other way."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sims.replay import ScriptedDice
from sims.script import RollFile, Script

Written = Mapping[str, int | str | Sequence[int]]


def script_of(written: Written) -> Script:
    """For each label the answer, or the faces as they are told."""
    return Script(
        [
            RollFile(label=label, answer=given) if isinstance(given, int | str) else RollFile(label=label, faces=given)
            for label, given in written.items()
        ]
    )


def scripted(written: Written = MappingProxyType({})) -> ScriptedDice:
    return ScriptedDice(script_of(written))
