"""The panel of the explorer: widgets on the left, what comes of them on the right."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from pathlib import Path
from time import perf_counter
from typing import Any, get_args

import ipywidgets as widgets

from analysis import files, words
from analysis.charts import Chart, capture_chart, end_chart, svg
from analysis.compare import Comparison
from analysis.explorer.asked import Asked, choices, keys
from analysis.rows.assaults import end_rows, turn_rows
from analysis.table import plan_lines
from sims.errors import CasemateError
from sims.profiles import library
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Side, load_scenario, scenario_ids

SOON, AT_REST = 0.02, 1.0
"""Seconds until a chart is drawn anew, so that a slider that is dragged draws the last of its values; until all plans
are played."""
NUMBERS = {
    "attackers.models": ("attackers", 1, 40),
    "defenders.models": ("garrison", 1, 30),
    "distance": ("inches apart", 1, 48),
    "turns": ("turns", 1, 12),
}
"""The numbers of a scenario that have a slider: what they are called, and their least and greatest."""
BUILDINGS = [("its own", ""), *((building.title, id) for id, building in library().buildings.items())]
WIDE: dict[str, Any] = {"style": {"description_width": "8rem"}, "layout": widgets.Layout(width="24rem")}


class Panel:
    """An assault on sliders: how it ends under some sets of rules, drawn anew whenever one moves.

    Attributes
    ----------
    shown : widget
        What a notebook displays.
    answer : Comparison or None
        What it shows; None where it cannot be played.
    took : float
        Seconds from the last change to its charts.
    """

    def __init__(self, scenario: str = "farmhouse") -> None:
        self.answer: Comparison | None = None
        self.took = 0.0
        self._later: asyncio.TimerHandle | None = None
        self.scenario = widgets.Dropdown(options=scenario_ids(), value=scenario, description="scenario", **WIDE)
        self.rules = {
            id: widgets.Checkbox(value=id == "storming", description=id, indent=False) for id in rule_set_ids()
        }
        self.numbers = {
            key: widgets.IntSlider(description=name, min=least, max=most, **WIDE)
            for key, (name, least, most) in NUMBERS.items()
        }
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
        self.ends, self.turns, self.plans = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self._list_keys()
        self._take_over()
        for each in (*self.numbers.values(), *self.words.values(), *self.rules.values()):
            each.observe(self._moved, "value")
        self.scenario.observe(self._take_over, "value")
        self.book.observe(self._list_keys, "value")
        self.key.observe(self._add, "value")
        self.save.on_click(self._save)
        left = [self.scenario, *self.rules.values(), *self.numbers.values(), *self.words.values()]
        house = [widgets.HTML("<b>A house rule</b>"), self.book, self.key, self.changed, self.file, self.save]
        right = [self.said, self.ends, self.turns, self.plans]
        self.shown = widgets.HBox([widgets.VBox([*left, *house]), widgets.VBox(right)])
        self._draw_and_rest()

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

    def draw(self) -> None:
        """Play what is asked and draw it; say why, where it cannot be played."""
        start = perf_counter()
        self.plans.value = ""
        try:
            if not (asked := self.asked).rules:
                raise CasemateError("no set of rules is chosen")
            self.answer = asked.compared()
        except CasemateError as error:
            self.answer = None
            self.said.value = f"<p role='status'>{escape(str(error))}</p>"
            self.ends.value = self.turns.value = ""
            return
        ends = end_chart(end_rows(self.answer))
        self.ends.value, self.turns.value = _shown(ends, "ends"), _shown(capture_chart(turn_rows(self.answer)), "turns")
        self.took = perf_counter() - start
        self.said.value = f"<p role='status'>{escape(words.engine_words(self.answer))} {1000 * self.took:.0f} ms</p>"

    def rest(self) -> Iterator[None]:
        """Play the other plans one by one, then show the table of them."""
        asked, answer = self.asked, self.answer
        for plans in asked.alternatives() if answer else ():
            answer = asked.with_plan(answer, plans) if answer else None
            yield
        if answer:
            self.plans.value = _table(answer)

    def _moved(self, _change: Any = None) -> None:
        self._call(SOON, self._draw_and_rest)

    def _draw_and_rest(self) -> None:
        self.draw()
        self._call(AT_REST, partial(self._step, self.rest()))

    def _step(self, work: Iterator[None]) -> None:
        """Do a part of some work, and the rest after whatever has come up meanwhile."""
        if next(work, work) is None:
            self._call(0, partial(self._step, work))

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
        values = {"attackers.models": game.attackers.models, "defenders.models": game.defenders.models}
        values |= {"distance": game.distance, "turns": game.turns}
        for key, value in values.items():
            self.numbers[key].value = value
        plans = {"attackers.plan": game.plan, "defenders.plan": game.defence}
        for key, word in {"building": "", "first": game.first, **plans}.items():
            self.words[key].value = word

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
        asked, name = self.asked, self.file.value
        try:
            if self.book.value not in asked.house:
                raise CasemateError(f"nothing of {self.book.value} is changed")
            if not name.endswith(".toml"):
                raise CasemateError(f'a house rule cannot be "{name}"; expected a file ending in .toml')
            path = Path(name)
            if path.exists():
                raise CasemateError(f"{name}: is there already; expected a new file")
            files.write(path, asked.house_rule(self.book.value, path.stem.replace("-", " ").capitalize()))
            self.said.value = f"<p role='status'>The house rule: {escape(str(path.resolve()))}</p>"
        except CasemateError as error:
            self.said.value = f"<p role='status'>{escape(str(error))}</p>"


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
