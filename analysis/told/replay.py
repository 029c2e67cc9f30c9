"""One assault told move by move: each roll, what was needed, what it did."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

from analysis.points.margins import SIDES
from analysis.points.point import FARMHOUSE
from analysis.say.blocks import Block, Grid
from analysis.say.blocks import show as show_blocks
from analysis.say.console import console
from analysis.say.engine import certified_within
from analysis.say.numbers import moved, percent, signed
from analysis.say.tables import hang
from analysis.told.chances import FAINT, Chances, Course, Shift
from analysis.told.luck import Choices
from analysis.told.luck import as_data as choices_data
from sims.assault import Assault, End, Scene
from sims.replay import Move, Replay, replay
from sims.rolls import Roll
from sims.rulesets import RuleSet, rule_set
from sims.scenario import Scenario, load_scenario
from sims.script import RollFile, Script
from sims.state import Phrase

ENDS = {
    End.BROKEN: "The attackers have broken in turn {}.",
    End.CAPTURED: "The attackers have taken the building in turn {}.",
    End.DESTROYED: "The building has been destroyed in turn {}.",
    End.GOING_ON: "The game was left in turn {}.",
    End.HELD: "The building is still held at the end of turn {}.",
}
TOLD = 0.0005
"""A chance that moves by less is not told."""
WIPED_OUT = "The last attacker has fallen in turn {}."


def play(
    scenario: str | Path | Scenario = FARMHOUSE,
    rules: str | Path | RuleSet = "storming",
    *,
    seed: int | None = None,
    script: str | Path | Iterable[Mapping[str, Any]] | None = None,
) -> Replay:
    """Play an assault once, roll by roll.

    >>> from analysis import play
    >>> game = play("farmhouse", "storming", seed=2)
    >>> game.end.name, game.turn
    ('BROKEN', 6)

    `show(game)` prints it. `Course(game.assault)` has the chances of each end at every step.

    Args:
        seed: Which luck: the same seed throws the same dice again. One is drawn if neither it nor a script is given.
        script: Rolls that are written down, in the order they come up: the path of a file, or
            ``[{"label": "morale", "turn": 4, "answer": "failed"}]``. With a seed, the others are thrown.

    Raises:
        CasemateError: If a script has no seed and lacks a roll, or has one that does not fit.
    """
    if script is None or isinstance(script, str | Path):
        rolls = Script.load(Path(script)) if script else None
    else:
        rolls = Script([RollFile(**each) for each in script])
    return replay(rule_set(rules).assault(load_scenario(scenario)), seed=seed, script=rolls)


def events(move: Move) -> list[str]:
    """Return a line for each thing that happened in a move."""
    rolled = [line for roll in move.rolls for line in roll_lines(roll)]
    return [*rolled, *(f"-> {effect}" for effect in effects(move))]


def heading(move: Move) -> str:
    """Say who acts, in whose turn if it is not his own, and what is done."""
    whose = "" if move.by == move.player else f"{move.player}' turn, "
    return f"turn {move.turn}, {whose}{move.by}: {move.stage}"


def roll_lines(roll: Roll) -> list[str]:
    """Tell a roll: its label and answer, then the dice of each part with what they needed."""
    head = f"{roll.label}: {roll.said}" if roll.said else roll.label
    return [f"{head}{', as written' * roll.scripted}", *(f"   {line}" for line in roll.lines)]


def effects(move: Move) -> list[str]:
    """Say what a move did: what was tallied, and what changed of those parts of the state that have words."""
    tallied = [f"{name}: {n}" for name, n in move.tallies.items() if n]
    changes = (change(each.words, count(each.of(move.before)), count(each.of(move.after))) for each in move.told)
    return tallied + [said for said in changes if said]


def change(words: Phrase, before: int, after: int) -> str:
    """Say how a number changed, "" if that is not worth a word."""
    if before == after:
        return ""
    if isinstance(words, str):
        return f"{words}: {before} to {after}"
    if isinstance(words, Mapping):
        return words.get(after, "")
    said = words[: 1 if after > 0 else 0] or words[1 : 2 if after < 0 else 1]
    return "".join(said).format(abs(after))


def count(value: Any) -> int:
    """Return a field's value; models of all groups together."""
    return sum(map(count, value)) if isinstance(value, tuple) else int(np.asarray(value).reshape(-1)[0])


def ending(played: Replay) -> str:
    """Say how an assault ended."""
    words = ENDS[played.end]
    if played.end == End.BROKEN and played.moves:
        outcome = played.assault.outcome(played.moves[-1].after, played.assault.scene)
        if count(outcome.attackers_lost) == played.assault.scene.scenario.attackers.models:
            words = WIPED_OUT
    return words.format(played.turn)


def luck(seed: int | None) -> str:
    """Say which luck an assault is played with."""
    return "Every roll as it is written." if seed is None else f"Seed {seed}: with --seed {seed} the same dice fall."


def summary(played: Replay) -> str:
    """Say in a line what both sides meant to do, by which luck, and how it ended."""
    scenario = played.assault.scene.scenario
    written = any(roll.scripted for move in played.moves for roll in move.rolls)
    dice = [f"seed {played.seed}"] * (played.seed is not None) + ["rolls as they are written"] * written
    return f"{scenario.plan} against {scenario.defence}, {', '.join(dice)}. {ending(played)}"


def show_start(assault: Assault[Any, Scene], seed: int | None, course: Course | None = None) -> None:
    """Print which luck an assault is played with, how the rules see the scenario, and the chances if asked for."""
    out = console()
    out.print(luck(seed))
    for name, fact in assault.translation.items():
        out.print(Text.assemble((f"{name}: ", "bold"), fact))
    if course:
        out.print(Text(f"\nBefore the first move: {chances(course.now)}"))


def show_move(move: Move, course: Course | None = None) -> None:
    """Print a move, if it rolled or changed something, and what it does to the chances if asked for."""
    out = console()
    moved = follow(course, move) if course else []
    if lines := [*events(move), *moved]:
        out.print(Text(f"\n{heading(move)}", style="bold"))
        for line in lines:
            hang(out, line, indent=2)


def show(played: Replay, course: Course | None = None) -> None:
    """Print an assault move by move."""
    show_start(played.assault, played.seed, course)
    for move in played.moves:
        show_move(move, course)
    show_end(played, course)


def show_end(played: Replay, course: Course | None = None) -> None:
    """Print how an assault ended, and on which rolls it turned if asked for."""
    out = console()
    out.print(Text(f"\n{ending(played)}", style="bold"))
    if course and course.turning_points:
        out.print("\nWhere it turned:")
        for shift in course.turning_points:
            hang(out, turning_point(shift), indent=2)
    if course and course.left_out:
        out.print(f"\nChances are {certified_within(FAINT)}.")


def follow(course: Course, move: Move) -> list[str]:
    """Go on by a move, and say what it does to the chances: nothing, or each roll by itself where there are several."""
    shifts = course.follow(move)
    large = [shift for shift in shifts if shift.size >= TOLD]
    if not large:
        return []
    each = [f"   {shift.roll.label}: {shift_words(shift.change)}" for shift in large] if len(move.rolls) > 1 else []
    whole = {end: sum(shift.change[end] for shift in shifts) for end in course.now}
    return [f"chances: {chances(course.now, whole)}", *each]


def turning_point(shift: Shift) -> str:
    """Say which roll moved the chances, and how far."""
    return f"{rolled(shift)} ({shift_words(shift.change)})"


def rolled(shift: Shift) -> str:
    """Say which roll it was: who made it, what for, and what it came to; by what the move did, where it has no word."""
    came_to = shift.roll.said or ", ".join(effects(shift.move)) or "to no effect"
    return f"{heading(shift.move)}, {shift.roll.label}: {came_to}"


def chances(now: Chances, change: Chances | None = None) -> str:
    """Say the chance of each end in per cent, and how far what is said of it has moved, if that is asked for."""
    parts = []
    for end, chance in now.items():
        before = chance - change[end] if change else chance
        if max(chance, before) >= TOLD:
            by = signed(moved(100 * before, 100 * chance))
            parts.append(f"{end} {percent(chance)}{f' ({by})' if change else ''}")
    return ", ".join(parts)


def shift_words(change: Chances) -> str:
    """Say how far the chance of each end has moved."""
    return ", ".join(f"{end} {signed(100 * by)}" for end, by in change.items() if abs(by) >= TOLD)


def show_choices(found: Choices) -> None:
    """Print what every choice of a game has cost, and what its dice have done."""
    rows = list[tuple[str, ...]]()
    for turn in found.turns:
        best = "" if turn.cost < TOLD else turn.best
        when = str(turn.opening.turn) if turn.opening else "before"
        cost = "" if turn.cost < TOLD else f"{100 * turn.cost:.1f}"
        rows.append((when, turn.side, turn.plan, best, cost, signed(100 * turn.luck) if turn.opening else ""))
    costs = " and ".join(f"the {side} {100 * found.cost(side):.1f}" for side in SIDES)
    said: list[Block] = [
        f"\nAgainst best play: captured {percent(found.start)} before the game, if both play their best.",
        Grid(("turn", "side", "plan", "best", "given away", "dice"), tuple(rows), words=4),
        f"Points of a capture given away by choice: {costs}; by the dice: {signed(100 * found.luck)}.",
    ]
    show_blocks(console(), said)


def script_of(played: Replay, command: str) -> str:
    """Return a game as a script, by which it is played again: the faces of each roll, or its answer where it has none.

    Args:
        command: What plays it.
    """
    lines = [f"# {' '.join(command.splitlines())}", f"# {ending(played)}"]
    for move in played.moves:
        for roll in move.rolls:
            told = f"faces = {[*roll.faces]}" if roll.faces or not roll.said else f"answer = {json.dumps(roll.said)}"
            lines += ["", "[[roll]]", f"label = {json.dumps(roll.label)}", f"turn = {move.turn}", told]
    return "\n".join(lines) + "\n"


def as_data(played: Replay, course: Course | None = None, choices: Choices | None = None) -> dict[str, Any]:
    """Return an assault move by move as JSON has it, with the chances, and luck and choice, if asked for."""
    start, moves = course.now if course else None, list[dict[str, Any]]()
    for move in played.moves:
        shifts = course.follow(move) if course else []
        if lines := events(move):
            moves.append({"move": heading(move), "lines": lines})
            if course:
                moves[-1] |= {"chances": course.now, "rolls": [_shift(shift) for shift in shifts]}
    data: dict[str, Any] = {
        "rules": played.assault.rules,
        "seed": played.seed,
        "end": played.end.name.lower(),
        "turn": played.turn,
        "moves": moves,
    }
    if course:
        points = [{"move": heading(shift.move)} | _shift(shift) for shift in course.turning_points]
        data |= {"chances": start, "turning_points": points, "left_out": course.left_out}
    return data | ({"choices": choices_data(choices)} if choices else {})


def _shift(shift: Shift) -> dict[str, Any]:
    return {"label": shift.roll.label, "answer": shift.roll.answer, "change": shift.change}
