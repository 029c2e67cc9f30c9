"""Where an assault is too large under some rules: what to type for rules under which it is smaller."""

import shlex
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from typing import Any

from sims.errors import BudgetError
from sims.reading import undotted
from sims.rulesets import RuleSet


def with_command(error: BudgetError, rule_set: RuleSet) -> BudgetError:
    """Return a refusal with the command that writes rules by the rulings it names, if it names any."""
    typed = command(error.smaller, rule_set)
    return BudgetError(f"{error.whole}; {typed}") if typed else error


def command(smaller: Mapping[str, Any], rule_set: RuleSet) -> str:
    """Say what to type for rules with all rulings among some values, and what to name them by; "" if there is none.

    >>> from sims.rulesets import rule_set
    >>> print(command({"rulings.flight": "lines", "building.levels": 1}, rule_set("gemini")))
    type "casemate new-rule gemini-smaller.toml --base gemini --rulings flight=lines", then --rules gemini-smaller.toml
    """
    chosen = [f"{undotted(key)[1]}={option}" for key, option in smaller.items() if key.startswith("rulings.")]
    if not chosen:
        return ""
    names = (f"{rule_set.id}-smaller{number or ''}.toml" for number in chain([0], count(2)))
    file, base = next(name for name in names if not Path(name).exists()), rule_set.file or rule_set.id
    typed = shlex.join(["casemate", "new-rule", file, "--base", base, "--rulings", ",".join(chosen)])
    return f'type "{typed}", then {shlex.join(["--rules", file])}'
