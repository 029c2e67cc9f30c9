"""Every number, die and ruling that a rule set offers for change makes a difference somewhere.

Each is changed by a legal step, and what reads it is played and asked again: small assaults, and the questions of
``casemate odds``. What reads it is found by watching a book while they are played and asked with nothing changed.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import cycle, product
from time import perf_counter
from typing import Any, Literal, get_args, get_origin

import pytest

import sims.questions
from sims.engines import solve
from sims.errors import BudgetError, CasemateError
from sims.games.arap import Arap
from sims.games.arap.nerve import Kind
from sims.games.wh40k.book import edition_of
from sims.profiles import Material
from sims.questions import Question, question, questions
from sims.reading import Strict, parse
from sims.rulebook import Book
from sims.rulesets import rule_set
from sims.rulesets.gemini import tables as gemini
from sims.rulesets.realm_of_chaos import building
from sims.scenario import AttackPlan, DefencePlan, Scenario, build, load_scenario
from tests.test_clauses import CHECKS, written

Key = tuple[str | int, ...]
Edits = dict[Key, Any]
ABOUT = {"source", "unit", "note"}

CANNOT_DIFFER: dict[str, dict[str, str]] = {
    "gemini": {"rulings.pick_ups.choice = one_unit": "each side of an assault is one unit, and then it is the same"},
}
"""What truly cannot make a difference in what is modelled, and why: by rule set and key."""

SMALL: dict[str, dict[str, Any]] = {
    "farmhouse": {"attackers.models": 5, "attackers.specials": [{"weapon": "flamer"}, {"weapon": "fusion-gun"}]},
    "bunker-rush": {
        "attackers.models": 5,
        "attackers.specials": [{"weapon": "fusion-gun"}, {"weapon": "rocket-launcher"}],
    },
    "bastion": {"attackers.models": 5, "attackers.specials": [{"weapon": "fusion-gun"}, {"weapon": "beam-cannon"}]},
    "keep-gate": {"attackers.models": 4, "attackers.specials": [{"weapon": "bombard"}], "defenders.specials": []},
}
"""The scenarios that come with Casemate, cut down."""
EVERYWHERE = {"distance": 8, "turns": 3, "defenders.models": 4}
EXTRA: tuple[str, ...] = (
    """
    title = "Leapers at a hut"
    distance = 14
    turns = 3
    [building]
    title = "Hut with a gun"
    archetype = "hut"
    footprint = [4, 4]
    material = "wood"
    doors = 2
    firing_points = 2
    capacity = 6
    weapons = ["machine-gun"]
    [attackers]
    unit = "vanguard-leaper"
    models = 4
    weapon = "pistol"
    [defenders]
    unit = "militia"
    models = 2
    weapon = "rifle"
    """,
    """
    title = "Fusion at the keep"
    distance = 6
    turns = 2
    building = "keep"
    attackers = { unit = "vanguard", models = 3, weapon = "fusion-gun" }
    defenders = { unit = "footman", models = 3, weapon = "longbow" }
    """,
    """
    title = "Runners at a hut"
    distance = 12
    turns = 3
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", windows = 1, capacity = 6 }
    attackers = { unit = "runner", models = 5, weapon = "pistol", leader = { unit = "trooper-sergeant", weapon = "rifle" } }
    defenders = { unit = "militia", models = 5, weapon = "rifle" }
    units.runner = { title = "Runner", WS = 3, BS = 3, S = 3, T = 3, I = 4, A = 1, Ld = 6, Sv = 6, move = 8 }
    """,
    """
    title = "Hammers at a door"
    distance = 6
    turns = 3
    attackers = { unit = "man-at-arms", models = 4, weapon = "crossbow", melee = "war-hammer" }
    defenders = { unit = "footman", models = 2, weapon = "longbow" }
    building = { title = "Shed", archetype = "hut", footprint = [4, 4], material = "wood", capacity = 6 }
    """,
    """
    title = "Marksmen in a hut"
    distance = 10
    turns = 3
    attackers = { unit = "trooper", models = 5, weapon = "rifle" }
    defenders = { unit = "veteran", models = 4, weapon = "marksman-rifle" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", windows = 1, capacity = 6 }
    """,
    """
    title = "Carbines at a window"
    distance = 10
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "pistol" }
    defenders = { unit = "veteran", models = 4, weapon = "carbine" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", windows = 1, capacity = 6 }
    """,
    """
    title = "Juggernauts in a hut"
    distance = 6
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "juggernaut", models = 7, weapon = "rifle" }
    building = { title = "Hut", archetype = "hut", footprint = [4, 4], material = "wood", windows = 8, capacity = 20 }
    """,
    """
    title = "A large bunker"
    distance = 6
    turns = 3
    attackers = { unit = "vanguard", models = 5, weapon = "fusion-gun" }
    defenders = { unit = "footman", models = 2, weapon = "longbow" }
    [building]
    title = "Bunker"
    archetype = "bunker"
    footprint = [8, 8]
    material = "armour"
    military = true
    capacity = 25
    """,
    """
    title = "One slit"
    distance = 6
    turns = 2
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "footman", models = 4, weapon = "longbow" }
    building = { title = "Shed", archetype = "hut", footprint = [4, 4], material = "brick", capacity = 6, firing_inches = 1 }
    """,
    """
    title = "A tower"
    distance = 6
    turns = 3
    attackers = { unit = "vanguard", models = 5, weapon = "fusion-gun" }
    defenders = { unit = "footman", models = 13, weapon = "sword" }
    [building]
    title = "Tower"
    archetype = "hut"
    footprint = [4, 4]
    levels = 2
    material = "wattle"
    capacity = 20
    """,
    """
    title = "A stone house"
    distance = 6
    turns = 2
    building = "stone-house"
    attackers = { unit = "vanguard", models = 3, weapon = "rocket-launcher" }
    defenders = { unit = "footman", models = 3, weapon = "longbow" }
    """,
    """
    title = "A full house"
    distance = 4
    turns = 2
    building = "house"
    attackers = { unit = "trooper", models = 4, weapon = "rifle" }
    defenders = { unit = "militia", models = 8, weapon = "rifle" }
    """,
)
"""Scenarios that reach what these do not."""
WALLS = """
title = "Walls of {0}"
distance = 6
turns = 4
attackers = {{ unit = "vanguard", models = 5, weapon = "fusion-gun", plan = "{4}" }}
defenders = {{ unit = "footman", models = 4, weapon = "longbow" }}
building = {{ title = "{1}", archetype = "{1}", footprint = [4, 4], material = "{0}", capacity = 6, door = "{2}", doors = {3} }}
"""
BUILT = [
    *((material, "hut", door, 1) for material, door in zip(get_args(Material), cycle(("single", "double", "barn")))),
    *((material, "hut", "single", 0) for material in get_args(Material)),
    *(("brick", archetype, "single", 1) for archetype in ("house", "stone house", "bunker", "bastion", "keep")),
    *(("brick", archetype, "single", 1, "storm") for archetype in ("bunker", "bastion")),
    ("stone", "keep", "single", 0),
]
"""Every material and archetype, with some kind of door and without one."""
COVER = {
    "5th": ("wire", "hedges", "fences", "crops", "units", "walls", "woods", "wreckage", "craters", "buildings"),
    "6th": ("default", "area terrain", "battlements", "trenches", "gun emplacement", "fortification"),
}
INPUTS: dict[str, list[dict[str, str]]] = {
    "failed cover save": [{"edition": e, "cover": kind} for e, kinds in COVER.items() for kind in kinds],
    "what a class allows": [{"building_class": c, "what": "attack the structure"} for c in ("impassable", "ruins")],
    "armour rolls": [{"occupied": "0", "attacked_before": "yes"}],
    "squads that attack the structure": [{"charging": "2"}],
    "attack or storm": [{"declared": "storm", "viable": "0"}],
    "distance at another scale": [{"distance": "3", "scale": scale} for scale in ("1 in", "2 cm", "1 cm")],
    "T-stick": [{"part": part} for part in ("arm", "span", "height")],
    "size of a figure": [{"figure": figure} for figure in Arap.load().tables.sizes.figures],
    "melee radius": [{"figure": figure} for figure in ("small_creature", "titan")],
    "Leadership test": [{"target": "1", "test": kind, "double_one": "morale_checks"} for kind in get_args(Kind)],
    "crazed animal's move": [{"move": "5"}],
    "blow in hand-to-hand combat": [{"WS": str(w), "target_WS": str(t)} for w in range(1, 11) for t in range(1, 11)],
}
"""Inputs of questions that reach what the checks of the catalogue, and those one step beside them, do not."""
MATERIALS, WALL_KINDS, DOOR_KINDS = map(get_args, (gemini.Material, gemini.WallKind, gemini.DoorKind))
UNDER: dict[str, dict[str, dict[str, Any]]] = {
    "storming": {
        "tables.room.attackers": {"rulings.attackers_room.choice": "given"},
        "tables.room.defenders": {"rulings.defenders_room.choice": "given"},
        "rulings.attackers_room.choice": {"tables.room.attackers": 1},
        "rulings.defenders_room.choice": {"tables.room.defenders": 1},
        "rulings.fireteam_choice.choice": {"tables.fireteam.send": 1},
        "rulings.fireteam_after.choice": {
            "tables.room.attackers": 1,
            "rulings.attackers_room.choice": "given",
            "rulings.after_taking.choice": "consolidate",
        },
    },
    "gemini": {
        "tables.casualties.half*": {"rulings.half_losses.choice": "yes"},
        "tables.combat.grenade_share": {"rulings.grenades_needed.choice": "quarter"},
        "tables.storming.flinch": {"rulings.losing_attackers.choice": "flinch"},
        "tables.armour*": {"rulings.armour_values.choice": "any_building"},
        "tables.walls.of.keep.*": {"tables.wall_points.castle": 2},
        **{f"tables.doors.kinds.{kind}.*": {"tables.gates.of.hut": kind} for kind in DOOR_KINDS},
        **{f"tables.materials.{row}": {"tables.walls.of.wood.T": row} for row in MATERIALS},
        **{f"tables.wall_points.{row}": {"tables.walls.of.wood.points": row} for row in WALL_KINDS},
    },
    "gw_updated": {
        "tables.buildings.*.size": {"rulings.glancing_hits.choice": "hull_points"},
        "tables.hull_points.*": {"rulings.glancing_hits.choice": "hull_points"},
        "tables.damage.breach.results.0": {"tables.buildings.keep.AV": 9},
        "tables.damage.total_collapse.[Aow]*": {"tables.damage.total_collapse.destroyed": False},
        "tables.damage.detonation.[Aow]*": {"tables.damage.detonation.destroyed": False},
    },
}
"""What matters only where something else is changed too: by rule set and key, what goes with it."""


# Books with a value changed.


def put(data: Any, key: Key, value: Any) -> None:
    """Set a value where a key leads; arrays are replaced, so that other books keep theirs."""
    for part in key[:-1]:
        data = data[part]
    data[key[-1]] = value


def has(data: Any, key: Key) -> bool:
    try:
        for part in key:
            data = data[part]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def game_of(kind: type[Book]) -> type[Book] | None:
    return kind.model_fields["game"].annotation if "game" in kind.model_fields else None


@contextmanager
def changed(kind: type[Book], edits: Edits) -> Iterator[None]:
    """Let the book of a rule set, and that of its game and what the game's editions share, be read with other values."""
    read, game = Book.__dict__["_data"], game_of(kind)

    def with_edits(cls: type[Book]) -> Any:
        data, sources = unchanged(cls)
        data = deepcopy(data)
        if cls is kind:
            mine = edits
        elif game is not None and cls in game.__mro__:
            mine = {key[1:]: value for key, value in edits.items() if key[0] == "game"}
        else:
            mine = {}
        for key, value in mine.items():
            if has(data, key[:-1]):
                put(data, key, deepcopy(value))
        return data, sources

    forget()
    Book._data = classmethod(with_edits)
    try:
        yield
    finally:
        Book._data = read
        forget()


READ = Book.__dict__["_data"].__func__


@cache
def unchanged(kind: type[Book]) -> Any:
    return READ(kind)


def forget() -> None:
    sims.questions._book.cache_clear()
    edition_of.cache_clear()


# What is played and asked.


@dataclass
class Trial:
    """An assault or a question: how to get its answer, how long that took, and which keys of the book it read."""

    name: str
    ask: Callable[[], Any]
    before: Any = None
    cost: float = 0.0
    reads: set[Key] = field(default_factory=set)

    def answer(self) -> Any:
        """Return what comes out; a refusal is an answer too, unless it is only for want of room."""
        try:
            return self.ask()
        except BudgetError:
            return self.before
        except CasemateError as error:
            return str(error)


def rounded(value: Any) -> Any:
    return round(float(value), 10)


def outcome(rules: str, scenario: Any) -> Any:
    result = solve(rule_set(rules).assault(scenario))
    chances: dict[tuple[int, ...], float] = defaultdict(float)
    for *row, weight in zip(*(c.tolist() for c in result.columns.values()), result.weights.tolist(), strict=True):
        chances[tuple(row)] += weight
    ends = {row: rounded(weight) for row, weight in chances.items() if rounded(weight)}
    tallies = {name: rounded(value) for name, value in result.tallies.items() if rounded(value)}
    return ends, tallies, [(rounded(a), rounded(d)) for a, d in result.course]


def assaults(rules: str) -> Iterator[Trial]:
    for (name, changes), plan, defence in product(SMALL.items(), get_args(AttackPlan), get_args(DefencePlan)):
        plans = {"attackers.plan": plan, "defenders.plan": defence}
        yield trial_of(rules, load_scenario(name, EVERYWHERE | changes | plans))
    for text, plan in product(EXTRA, get_args(AttackPlan)):
        yield trial_of(rules, build(parse("extra.toml", text), "extra", {"attackers.plan": plan}))
    for how in BUILT:
        yield trial_of(rules, build(parse("walls.toml", WALLS.format(*how, "demolish")), "walls"))


def trial_of(rules: str, scenario: Scenario) -> Trial:
    return Trial(f"{scenario.title}: {scenario.plan}, {scenario.defence}", lambda: outcome(rules, scenario))


def asked(kind: type[Book]) -> Iterator[Trial]:
    """Yield the questions about a rule set and its game, with the inputs of every check of the catalogue and more."""
    inputs: dict[str, list[dict[str, str]]] = defaultdict(list, deepcopy(INPUTS))
    for check in CHECKS:
        given = {n: written(v) for n, v in {**check.get("inputs", {}), **check.get("rulings", {})}.items()}
        inputs[question(check.get("question", check["clause"]), given).name].append(given)
    for found in questions():
        inputs[found.name] += [*beside(found, inputs[found.name])]
    game = game_of(kind)
    folders = [kind.package, *([game.package] if game else [])]
    for found in questions():
        if found.function.__module__.startswith(tuple(f"{folder}." for folder in folders)):
            for given in inputs[found.name]:
                yield Trial(f"{found.name} {given}", lambda q=found, given=given: said(q.answer(given)))


def beside(found: Question, asked: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield inputs that differ from those asked in one word, truth or number; and none at all where none is needed."""
    known = {frozenset(given.items()) for given in asked}
    start = asked
    if not asked and not any(i.required for i in found.inputs.values()):
        start = [{}]
        yield {}
    for given, put in product(start, found.inputs.values()):
        words = [str(word) for word in choices(put.kind)] + ["yes", "no"] * (put.kind is bool)
        more = str(int(given[put.name]) + 1) if given.get(put.name, "").isdecimal() else "1"
        for word in [*words, more] if not words or put.name in given else words:
            other = given | {put.name: word}
            if frozenset(other.items()) not in known:
                known.add(frozenset(other.items()))
                yield other


def said(answer: Any) -> str:
    return repr(sorted(answer) if isinstance(answer, frozenset) else answer)


# What reads what.


@contextmanager
def watched() -> Iterator[dict[int, tuple[Strict, set[str]]]]:
    """Note every access to what was read from a file; what hashes or compares it does not read it."""
    seen: dict[int, tuple[Strict, set[str]]] = {}
    plain = object.__getattribute__

    def noted(self: Strict, name: str) -> Any:
        if name[0] != "_" or (name == "__dict__" and sys._getframe(1).f_code.co_name not in ("hash_func", "__eq__")):
            seen.setdefault(id(self), (self, set()))[1].add(name)
        return plain(self, name)

    Strict.__getattribute__ = noted
    try:
        yield seen
    finally:
        del Strict.__getattribute__


def fields_of(model: Any, key: Key = ()) -> Iterator[tuple[Key, int, str]]:
    """Yield every field of a book: its key, and which object has it under which name."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        yield (*key, name), id(model), name
        inner = value.items() if isinstance(value, dict) else [(None, value)]
        for part, item in inner:
            if isinstance(item, Strict):
                yield from fields_of(item, (*key, name) if part is None else (*key, name, part))


def try_out(kind: type[Book], trial: Trial) -> Trial:
    """Play or ask with nothing changed, and note how long it took and what was read."""
    start = perf_counter()
    trial.before = trial.answer()
    trial.cost = perf_counter() - start
    forget()
    with watched() as seen:
        trial.answer()
    game = game_of(kind)
    for book in [model for model, _ in seen.values() if isinstance(model, Book)]:
        at = () if type(book) is kind else ("game",) if game and type(book) in game.__mro__ else None
        if at is not None:
            read = (key for key, owner, name in fields_of(book) if {name, "__dict__"} & seen.get(owner, (0, set()))[1])
            trial.reads |= {(*at, *key) for key in read}
    return trial


# What may be changed, and how.


def leaves(value: Any, key: Key) -> Iterator[Key]:
    """Yield the keys of every number, die and choice; arrays item by item, an empty one as itself."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ABOUT:
                yield from leaves(inner, (*key, name))
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from leaves(inner, (*key, i))
    else:
        yield key


def offered(kind: type[Book]) -> Iterator[Key]:
    data = unchanged(kind)[0]
    for at, book in (((), data), (("game",), data.get("game", {}))):
        yield from leaves(book.get("tables", {}), (*at, "tables"))
        yield from ((*at, "rulings", name, "choice") for name in book.get("rulings", {}))


def at(data: Any, key: Key) -> Any:
    for part in key:
        data = data[part]
    return data


def steps(kind: type[Book], key: Key) -> Iterator[Edits]:
    """Yield ways to change one leaf: the next numbers, the least, another word; an item of an array may also move."""
    data = unchanged(kind)[0]
    value = at(data, key)
    if "rulings" in key:
        yield from ({key: option} for option in at(data, key[:-1])["options"] if option != value)
        return
    if value == [] or isinstance(key[-1], int):
        yield from moves(data, key)
    if isinstance(value, bool):
        yield {key: not value}
    elif isinstance(value, int):
        yield from ({key: other} for other in (value + 1, value - 1, 1, 0, 2, 6, 10, 24) if other != value)
    elif isinstance(value, str):
        words = choices(annotation(kind, key))
        yield from ({key: other} for other in (*words, "D6", "2D6", "D3", 1, 2) if other != value)


def moves(data: Any, key: Key) -> Iterator[Edits]:
    """Yield an item moved to the array beside its own, or one of those moved into an empty array; or an item gone."""
    own = key[:-1] if isinstance(key[-1], int) else key
    items = at(data, own)
    table = next(n for n, part in enumerate(key) if part == "tables") + 2
    beside = [other for other in arrays(at(data, key[:table]), key[:table]) if other != own]
    for other in beside:
        theirs = at(data, other)
        if items == []:
            yield from ({own: [item], other: [t for t in theirs if t != item]} for item in theirs)
        else:
            yield {own: [i for i in items if i != items[key[-1]]], other: [*theirs, items[key[-1]]]}
    if items:
        yield {own: [*items[: key[-1]], *items[key[-1] + 1 :]]}


def arrays(value: Any, key: Key) -> Iterator[Key]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from arrays(inner, (*key, name))
    elif isinstance(value, list):
        yield key


def annotation(kind: Any, key: Key) -> Any:
    """Return the type that a book gives to the field of a key."""
    model, found = kind, None
    for part in key:
        if isinstance(model, type) and issubclass(model, Strict):
            found = model.model_fields[part].annotation
            model = found
        else:
            inner = [a for a in get_args(model) if isinstance(a, type) and issubclass(a, Strict)]
            model = inner[0] if inner else model
    return found


def choices(kind: Any) -> list[str]:
    """Return every word that a type allows."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for inner in get_args(kind) for word in choices(inner)]


def differs(kind: type[Book], edits: Edits, trials: list[Trial]) -> bool:
    """Return whether any of some trials comes out otherwise with an edit; one that is refused makes no difference."""
    with changed(kind, edits):
        try:
            kind.load()
        except CasemateError:
            return False
        return any(trial.answer() != trial.before for trial in trials)


@cache
def fields(kind: type[Book]) -> set[Key]:
    return {key for key, _, _ in fields_of(kind.load())}


def place(kind: type[Book], key: Key) -> Key:
    """Return the field that a key stands in: a whole array or mapping is read at once."""
    return next(key[:n] for n in range(len(key), 0, -1) if key[:n] in fields(kind))


def candidates(kind: type[Book], trials: list[Trial], keys: Iterable[Key]) -> list[Trial]:
    """Return what reads any of some keys, the likeliest to be quick and to the point first."""
    places = {place(kind, key) for key in keys}
    reading = [t for t in trials if places & t.reads]
    return sorted(reading, key=lambda t: len(t.reads) * t.cost)


def keyed(text: str) -> Key:
    return tuple(int(part) if part.isdecimal() else part for part in text.split("."))


def companions(rules: str, key: Key) -> Edits:
    """Return what has to be changed as well for a key to matter."""
    name = ".".join(map(str, key))
    among = (edits for pattern, edits in UNDER.get(rules, {}).items() if fnmatchcase(name, pattern))
    return {keyed(other): value for other, value in next(among, {}).items()}


FEW = 30


def inert(rules: str, trials: list[Trial], keys: Iterable[Key]) -> list[str]:
    """Return the keys that change nothing, and the options of rulings that do not."""
    kind = type(rule_set(rules).book)
    found = []
    for key in keys:
        also, ways = companions(rules, key), [*steps(kind, key)]
        among = candidates(kind, trials, (key, *also))
        if "rulings" in key:
            dead = [f" = {way[key]}" for way in ways if not matters(kind, also, [way], among)]
        else:
            dead = [] if matters(kind, also, ways, among) else [""]
        found += [".".join(map(str, key)) + option for option in dead]
    return found


def matters(kind: type[Book], also: Edits, ways: list[Edits], trials: list[Trial]) -> bool:
    """Return whether any of some edits makes a difference to a trial; a few trials at a time, since most soon do."""
    for start in range(0, len(trials), FEW):
        few = trials[start : start + FEW]
        before = trials_under(kind, also, few) if also else few
        if any(differs(kind, also | edits, before) for edits in ways):
            return True
    return False


def trials_under(kind: type[Book], also: Edits, trials: list[Trial]) -> list[Trial]:
    """Return trials as they come out with something changed already."""
    with changed(kind, also):
        return [replace(trial, before=trial.answer()) for trial in trials]


def test_a_number_that_nothing_reads_is_caught(monkeypatch):
    """The short form: doors that any question asks about, with their width in the book and then in code."""
    kind = type(rule_set("realm_of_chaos").book)
    doors = [key for key in offered(kind) if "doors" in key]
    asked_about = [trial for trial in asked(kind) if "to pass doors" in trial.name]
    assert inert("realm_of_chaos", [try_out(kind, trial) for trial in asked_about], doors) == []
    fixed = lambda rules, single=0, double=0, barn=0: 4 * single + 8 * double + 12 * barn  # noqa: E731
    monkeypatch.setattr(building, "door_width", fixed)
    unread = inert("realm_of_chaos", [try_out(kind, trial) for trial in asked_about], doors)
    assert unread == ["tables.doors.single", "tables.doors.double", "tables.doors.barn"]


@pytest.mark.slow
def test_every_number_die_and_ruling_makes_a_difference(rules):
    kind = type(rule_set(rules).book)
    trials = [try_out(kind, trial) for trial in (*asked(kind), *assaults(rules))]
    assert inert(rules, trials, offered(kind)) == list(CANNOT_DIFFER.get(rules, {}))
