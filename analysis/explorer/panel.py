"""The panel of the explorer: widgets on the left, what comes of them on the right."""

import asyncio
import gc
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from time import perf_counter
from typing import Any, get_args

import ipywidgets as widgets

from analysis.charts import Chart, capture_chart, end_chart, svg
from analysis.comparing import words
from analysis.comparing.compare import Comparison, alternatives, with_plans
from analysis.comparing.table import plan_lines
from analysis.explorer.asked import Asked, choices, keys
from analysis.explorer.best_play import BestPlay
from analysis.points.plans import Plans, own_plans
from analysis.points.point import Played
from analysis.rows.assaults import end_rows, turn_rows
from sims.errors import CasemateError
from sims.profiles import library
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Side, load_scenario, scenario_ids

SOON, AT_REST = 0.02, 1.0
"""Seconds until a chart is drawn anew, so that a slider that is dragged draws the last of its values; until all plans
are played."""
PAUSE = 0.005
"""Seconds between two parts of the work, in which a slider that has moved meanwhile is heard."""
REMEMBERED = 100
"""Changes after which what was played is forgotten: a set of rules takes some 0.1 MB for each plan."""
NUMBERS = {
    "attackers.models": ("attackers", 40),
    "defenders.models": ("garrison", 30),
    "distance": ("inches apart", 48),
    "turns": ("turns", 12),
}
"""The numbers of a scenario that have a slider: what they are called, and how far it goes, if the scenario goes so far
and does not begin beyond."""
BUILDINGS = [("its own", ""), *((building.title, id) for id, building in library().buildings.items())]
WIDE: dict[str, Any] = {"style": {"description_width": "8rem"}, "layout": widgets.Layout(width="24rem")}


class Panel:
    """An assault on sliders: how it ends under some sets of rules, drawn anew whenever one moves.

    What a change asks for is done in parts; the next change takes the place of those that are left.

    Attributes:
        shown (widget): What a notebook displays.
        answer: What it shows: the last that could be played.
        took (float): Seconds from the last change to its charts.
    """

    def __init__(self, scenario: str = "farmhouse") -> None:
        self.answer: Comparison | None = None
        self.took = 0.0
        self._known = Played()
        self._changes = 0
        self._meant = 0
        self._limited: int | None = None
        self._settled = False
        self._later: asyncio.TimerHandle | None = None
        self.scenario = widgets.Dropdown(options=scenario_ids(), value=scenario, description="scenario", **WIDE)
        self.rules = {
            id: widgets.Checkbox(value=id == "storming", description=id, indent=False) for id in rule_set_ids()
        }
        self.numbers = {key: widgets.IntSlider(description=name, **WIDE) for key, (name, _) in NUMBERS.items()}
        self.words = {
            "building": widgets.Dropdown(description="building", options=BUILDINGS, **WIDE),
            "first": widgets.Dropdown(description="moves first", options=get_args(Side), **WIDE),
            "attackers.plan": widgets.Dropdown(description="attackers' plan", options=get_args(AttackPlan), **WIDE),
            "defenders.plan": widgets.Dropdown(description="garrison's plan", options=get_args(DefencePlan), **WIDE),
        }
        self.book = widgets.Dropdown(description="a rule of", options=rule_set_ids(), value="storming", **WIDE)
        self.key = widgets.Combobox(
            description="its key", placeholder="tables.grenade.hits", ensure_option=True, **WIDE
        )
        self.sliders = dict[tuple[str, str], widgets.SelectionSlider]()
        self.changed = widgets.VBox()
        self.file = widgets.Text(description="save as", value="my-house-rule.toml", **WIDE)
        self.save = widgets.Button(description="Save the house rule")
        self.said = widgets.HTML()
        self.bar = widgets.FloatProgress(max=1, style={"description_width": "initial"})
        self.best = BestPlay(lambda: self.asked)
        self.ends, self.turns, self.plans = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self._list_keys()
        self.scenario.observe(self._take_over, "value")
        self.book.observe(self._list_keys, "value")
        self.key.observe(self._add, "value")
        self.save.on_click(self._save)
        left = [self.scenario, *self.rules.values(), *self.numbers.values(), *self.words.values()]
        house = [widgets.HTML("<b>A house rule</b>"), self.book, self.key, self.changed, self.file, self.save]
        right = [self.said, self.bar, self.best.shown, self.ends, self.turns, self.plans]
        self.shown = widgets.HBox([widgets.VBox([*left, *house]), widgets.VBox(right)])
        self._take_over()
        self.words["building"].observe(self._move_in, "value")
        for each in (*self.numbers.values(), *self.words.values(), *self.rules.values()):
            each.observe(self._moved, "value")

    def _repr_mimebundle_(self, **how: Any) -> Any:
        return self.shown._repr_mimebundle_(**how)

    @property
    def asked(self) -> Asked:
        """What the sliders ask."""
        house = dict[str, dict[str, Any]]()
        for (rules, key), slider in self.sliders.items():
            if slider.value != rule_set(rules).leaves[key]:
                house.setdefault(rules, {})[key] = slider.value
        changes = {key: each.value for key, each in (self.numbers | self.words).items() if each.value != ""}
        chosen = tuple(id for id, box in self.rules.items() if box.value)
        return Asked(self.scenario.value, chosen, changes, house)

    def draw(self) -> Iterator[None]:
        """Play what is asked, one set of rules after the other, and draw it; say why, where it cannot be played."""
        start = perf_counter()
        self._changes += 1
        if self._changes % REMEMBERED == 0:
            self._known = Played()
        try:
            asked = self.asked.unplayed()
            answer = yield from self._played(asked, [own_plans(asked.scenario)])
        except CasemateError as error:
            self._tell(f"{error}; what is shown was played before" if self.answer else str(error), role="alert")
            return
        ends, turns = end_chart(end_rows(answer)), capture_chart(turn_rows(answer))
        self.turns.value, self.ends.value = _shown(turns, "turns"), _shown(ends, "ends")
        self.answer, self.plans.value = answer, ""
        self.took = perf_counter() - start
        self._tell(f"{words.engine_words(answer)} {1000 * self.took:.0f} ms")
        if not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()  # what is loaded by now stays; to look through it made every few changes half as slow again

    def rest(self) -> Iterator[None]:
        """Play the other plans one by one, then show the table of them."""
        if self.answer and not self.plans.value:
            self.plans.value = _table((yield from self._played(self.answer, alternatives(self.answer.scenario))))

    def _played(self, answer: Comparison, plans: Sequence[Plans]) -> Generator[None, None, Comparison]:
        """Play plans under one set of rules after the other, show how far that is, and return what has been played."""
        games = [(each, i) for each in plans for i in range(len(answer.entries))]
        self.bar.layout.visibility = "visible"
        try:
            for n, (each, i) in enumerate(games):
                before, entry, after = answer.entries[:i], answer.entries[i], answer.entries[i + 1 :]
                self.bar.description = f"playing {entry.rule_set.title}"
                told = partial(self._goes, n, len(games))
                one = with_plans(replace(answer, entries=(entry,)), [each], told, self._known)
                answer = replace(answer, entries=(*before, *one.entries, *after))
                yield
        finally:
            self.bar.layout.visibility = "hidden"
        return answer

    def _goes(self, before: int, games: int, done: float, of: int) -> None:
        self.bar.value = (before + done / of) / games

    def _tell(self, text: str, role: str = "status") -> None:
        self.said.value = f"<p role='{role}'>{escape(text)}</p>"

    def _work(self) -> Iterator[float]:
        """Do what a change asks for; yield how many seconds to wait before the next part."""
        yield from (PAUSE for _ in self.draw())
        yield AT_REST
        yield from (PAUSE for _ in self.rest())

    def _moved(self, _change: Any = None) -> None:
        self.best.forget()
        self._call(SOON, partial(self._step, self._work()))

    def _step(self, work: Iterator[float]) -> None:
        """Do a part of some work, and the rest after whatever has come up meanwhile."""
        if (pause := next(work, None)) is not None:
            self._call(pause, partial(self._step, work))

    def _call(self, delay: float, what: Callable[[], None]) -> None:
        """Call something after a while, in place of what was to be called; at once where nothing else can happen."""
        if self._later:
            self._later.cancel()
        try:
            self._later = asyncio.get_running_loop().call_later(delay, what)
        except RuntimeError:
            what()

    def _take_over(self, _change: Any = None) -> None:
        """Put the sliders where a scenario has them."""
        game = load_scenario(self.scenario.value)
        self._limited = None
        models = {"attackers.models": game.attackers.models, "defenders.models": game.defenders.models}
        for key, value in (models | {"distance": game.distance, "turns": game.turns}).items():
            slider = self.numbers[key]
            slider.min, slider.max, slider.value = 0, max(slider.max, value), value
        plans = {"attackers.plan": game.plan, "defenders.plan": game.defence}
        for key, word in {"building": "", "first": game.first, **plans}.items():
            self.words[key].value = word
        self._fit(*NUMBERS)
        self._moved()

    def _move_in(self, _change: Any) -> None:
        """Make the garrison what it was meant to be, as far as that fits the building."""
        garrison = self.numbers["defenders.models"]
        if garrison.value != self._limited:
            self._meant = garrison.value
        self._fit("defenders.models")
        garrison.value = self._limited = max(garrison.min, min(self._meant, garrison.max))

    def _fit(self, *numbers: str) -> None:
        """Let sliders go as far as the scenario takes them."""
        for key in numbers:
            slider = self.numbers[key]
            some = self.asked.accepted(key, max(NUMBERS[key][1], slider.value))
            slider.min, slider.max, slider.min = 0, some[-1], some[0]

    def _list_keys(self, _change: Any = None) -> None:
        self.key.value = ""
        self.key.options = keys(rule_set(self.book.value))

    def _add(self, change: Any) -> None:
        """Add a slider for a value of a book."""
        rules, key = self.book.value, change["new"]
        if key not in self.key.options or (rules, key) in self.sliders:
            return
        options = choices(rule_set(rules), key)
        slider = widgets.SelectionSlider(
            options=[(str(each), each) for each in options],
            value=rule_set(rules).leaves[key],
            description=key.partition(".")[2],
            tooltip=f"{rules}: {key}",
            **WIDE,
        )
        slider.observe(self._moved, "value")
        self.sliders[rules, key] = slider
        self.changed.children = (*self.changed.children, slider)

    def _save(self, _button: Any) -> None:
        """Save the house rule of the book that is looked at."""
        try:
            self._tell(f"The house rule: {self.asked.save(self.book.value, self.file.value)}")
        except CasemateError as error:
            self._tell(str(error), role="alert")


def _shown(chart: Chart, name: str) -> str:
    return f'<figure class="casemate-{name}">{svg(chart, name)}</figure>'


def _table(answer: Comparison) -> str:
    """Return the table of plans as HTML."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in answer.names())
    rows = []
    for plan, (same, lines) in plan_lines(answer).items():
        rows.append(
            f'<tr><th scope="rowgroup">{escape(plan)}</th>{"".join(f"<td>{escape(x)}</td>" for x in same)}</tr>'
        )
        for line in lines:
            cells = "".join(f"<td>{escape(cell.text)}</td>" for cell in line.cells)
            rows.append(f'<tr><th scope="row">{escape(line.label)}</th>{cells}</tr>')
    return f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
