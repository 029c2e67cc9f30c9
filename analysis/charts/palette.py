"""How what is drawn looks: sets of rules, ends and sides, each in the same way in every chart.

Sets of rules have the bright colours of Okabe and Ito, ends the browns and greens of ColorBrewer's BrBG, plans the
muted ones of Tol, all chosen for colour-blind readers; sides differ by shape, anything else by shades of ink. Colour is
never alone: a set of rules has a marker and a dash of its own, an end and a plan have a hatch, and all have labels.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from matplotlib import color_sequences
from matplotlib.colors import LinearSegmentedColormap, to_hex

from sims.scenario import Side

_BLACK, _ORANGE, _SKY, _GREEN, _YELLOW, _BLUE, _VERMILLION, _PURPLE = (to_hex(c) for c in color_sequences["okabe_ito"])

Dashes = tuple[float, ...]


class Look(NamedTuple):
    """How a line looks; a hollow marker is filled with paper."""

    colour: str
    marker: str
    dashes: Dashes = ()
    hollow: bool = False


_BOOKS = {
    "blue": Look(_BLUE, "o"),
    "purple": Look(_PURPLE, "D", (7, 2, 1.5, 2)),
    "green": Look(_GREEN, "^", (1.2, 1.6)),
    "vermillion": Look(_VERMILLION, "s", (7, 2, 1.5, 2, 1.5, 2)),
    "orange": Look(_ORANGE, "v", (9, 1.5)),
    "sky": Look(_SKY, "P", (3, 1, 1, 1)),
}
LOOKS = _BOOKS | {f"{colour}, dashed": look._replace(dashes=(4, 2.5), hollow=True) for colour, look in _BOOKS.items()}
"""By the colour of a book, and by that of the base of a house rule."""
_MARKERS, _DASHES = "X*phd", ((1, 1.2), (8, 2, 1, 2), (2, 1, 2, 3), (12, 2), (1, 3))
_MORE: list[dict[str, Any]] = [
    {},
    *({"marker": _MARKERS[n % 5], "dashes": _DASHES[(n + n // 5) % 5]} for n in range(len(_MARKERS) * len(_DASHES))),
]
"""What is another in house rules of one base, from the second on."""


class Drawn(Protocol):
    """A row of what is drawn for a set of rules."""

    @property
    def rules(self) -> str:
        """The title of the rules."""

    @property
    def look(self) -> str:
        """How they look in every chart."""


def looks(rows: Iterable[Drawn]) -> dict[str, Look]:
    """Return how each set of rules looks in one chart: house rules of one base differ in marker and dash."""
    found, seen = dict[str, Look](), Counter[str]()
    for name, look in dict.fromkeys((row.rules, row.look) for row in rows):
        found[name] = LOOKS[look]._replace(**_MORE[seen[look] % len(_MORE)])
        seen[look] += 1
    return found


SERIES = (
    ("o", ()),
    ("s", (6, 2)),
    ("^", (2, 1.5)),
    ("D", (6, 2, 1.5, 2)),
    ("v", (1, 1.2)),
    ("P", (9, 2)),
    ("X", (4, 1, 1, 1)),
)
"""The marker and the dash of lines that belong to one set of rules, or to none, one after the other."""


class Face(NamedTuple):
    """How an area looks, and the ink of what is written on it."""

    colour: str
    hatch: str
    text: str


ENDS = {
    "destroyed": Face("#543005", "xxx", "#ffffff"),
    "captured": Face("#a6691f", "", "#ffffff"),
    "broken": Face("#80cdc1", "///", "#04201c"),
    "held": Face("#01665e", "..", "#ffffff"),
}
"""Browns where the garrison has lost the building, greens where it has not."""

PLANS = {
    "storm": Face("#882255", "", "#ffffff"),
    "demolish": Face("#332288", "xxxx", "#ffffff"),
    "shoot": Face("#cc6677", "....", "#16191d"),
    "smoke": Face("#ddcc77", "////", "#16191d"),
    "hold": Face("#999933", "", "#16191d"),
    "sally": Face("#aa4499", "\\\\\\\\", "#ffffff"),
}
"""Of each side one is plain, and no two are as dark as each other."""

SIDES: dict[Side, str] = {"attackers": "▲", "defenders": "■"}
"""The sign of a side, beside its name."""

SHADES = (Face("#3d4854", "", "#ffffff"), Face("#a8b2bd", "////", "#16191d"), Face("#d9dee3", "..", "#16191d"))
"""What belongs to no set of rules and is no end: bars, one kind after the other."""

DAMAGE = (
    Face("#f1f3f5", "", "#16191d"),
    Face("#dbe0e5", "...", "#16191d"),
    Face("#c3cbd3", "", "#16191d"),
    Face("#a3aeb9", "////", "#16191d"),
    Face("#687481", "", "#ffffff"),
    Face("#4a5561", "xxx", "#ffffff"),
    Face("#16191d", "", "#ffffff"),
)
"""The results of a damage table, the worst the darkest; a shorter table has the darkest of them."""

HEAT = LinearSegmentedColormap.from_list("slate", ("#e2e8ec", "#b5c3cd", "#8397a4", "#556b7a", "#2b3d4c"))
"""The colours of chances on a plane, from none, pale, to many, dark: they belong to nobody.

Neither end is white or black, so that a map does not glare on a dark page, nor stare from a light one.
"""

NEVER = Face("#2b3d4c", "////", "#ffffff")
"""A cell of a heat map that has no number because it is beyond the darkest one."""
