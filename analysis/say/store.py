"""What `casemate store` says: the file, its size, and how many cells are in it, by rule set."""

from collections.abc import Iterator
from typing import Any

from analysis.points.store import LAYOUT, Contents
from analysis.say.blocks import Block, Grid
from sims.words import counted


def summary(found: Contents, cleared: int | None) -> Iterator[Block]:
    """Yield what is in a store, and how many cells were cleared if it was."""
    if cleared is not None:
        yield f"Cleared: {counted(cleared, 'cell')}."
    if not found.size:
        yield f"There is no store at {found.file}; it is made when something is played."
        return
    yield f"{found.file}: {found.size / 1e6:.2f} MB, layout {LAYOUT}"
    if rows := [(rules, f"{own:,}", f"{others:,}") for rules, (own, others) in _by_rules(found).items()]:
        yield Grid(("rules", "cells", "of other versions"), tuple(rows))
        yield "The cells are those of this version of Casemate, which it uses, and of others, which it does not."
    else:
        yield "It is empty."


def data(found: Contents, cleared: int | None) -> dict[str, Any]:
    """Return the same as JSON has it."""
    return {
        "file": str(found.file),
        "bytes": found.size,
        "layout": LAYOUT if found.size else None,
        "code": found.code,
        "cells": [{"rules": rules, "own": own, "others": others} for rules, (own, others) in _by_rules(found).items()],
        "cleared": cleared,
    }


def _by_rules(found: Contents) -> dict[str, tuple[int, int]]:
    """Return by rule set how many cells this version of the code has, and how many others have."""
    counts = dict[str, tuple[int, int]]()
    for (code, rules), n in sorted(found.cells.items(), key=lambda item: item[0][1]):
        own, others = counts.get(rules, (0, 0))
        counts[rules] = (own + n, others) if code == found.code else (own, others + n)
    return counts
