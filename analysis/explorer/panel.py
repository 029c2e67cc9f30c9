"""The panel of the explorer: widgets on the left, what comes of them on the right."""

import asyncio
import gc
import json
import os
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from time import perf_counter
from typing import Any, get_args
from urllib.parse import parse_qsl

import ipywidgets as widgets

from analysis.charts import PHONE, Chart, capture_chart, end_chart, svg
from analysis.comparing import words
from analysis.comparing.compare import Comparison, alternatives, with_plans
from analysis.comparing.table import Line, plan_lines
from analysis.explorer.asked import DOORS, Asked, choices, in_address, keys, statline
from analysis.explorer.best_play import BestPlay
from analysis.points.plans import Plans, own_plans
from analysis.points.point import Played
from analysis.rows.assaults import end_rows, turn_rows
from analysis.say.axes import STATLINE, factor_words
from analysis.say.numbers import percent
from sims.errors import CasemateError
from sims.profiles import library
from sims.rulesets import rule_set, rule_set_ids
from sims.scenario import AttackPlan, DefencePlan, Scenario, load_scenario, scenario_ids, written

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
    DOORS: ("doors", 6),
    "distance": ("inches apart", 48),
    "turns": ("turns", 12),
}
"""The numbers of a scenario that have a slider: what they are called, and how far it goes, if the scenario goes so far
and does not begin beyond."""
BUILDINGS = [("its own", ""), *((building.title, id) for id, building in library().buildings.items())]
SIDES = [("attackers", "attackers"), ("garrison", "defenders")]
STATS = {name: STATLINE[name] for name in ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv")}
"""The characteristics of a unit that have a slider, and what they are called."""
NO_SAVE = "none"
"""What stands on a slider for None, which no slider takes."""
WIDE: dict[str, Any] = {
    "style": {"description_width": "8rem"},
    "layout": widgets.Layout(width="auto", min_width="0"),
}
LOOKS = """<style>
.casemate, .casemate-parts, :is(.jp-OutputArea, .jp-OutputArea *):has(.casemate) { overflow: visible !important; }
.casemate-parts { display: grid; gap: 0 1rem; }
.casemate-parts { grid-template: "asked ends" auto "asked more" 1fr / 24rem minmax(0, 1fr); }
.casemate-asked { grid-area: asked; }
.casemate-found { grid-area: ends; }
.casemate-more { grid-area: more; }
.casemate figure { margin: .5rem 0; }
.casemate figure svg { max-width: 100%; height: auto; }
.casemate :is(.widget-html, .widget-html-content) { min-width: 0; max-width: 100%; }
.casemate .wide { overflow-x: auto; }
.casemate :is(td, th) { padding: .2rem .5rem; text-align: left; vertical-align: top; line-height: 1.3; }
.casemate .on-phone { display: none; }
@media (max-width: 50rem) {
  .casemate-parts { grid-template: "ends" "asked" "more" / minmax(0, 1fr); }
  .casemate-found { position: sticky; top: 0; z-index: 1; background: #fefefd; }
  .casemate-found p { margin: 0; font-size: .75rem; line-height: 1.2; }
  .casemate-found figure svg { max-height: 33vh; }
  .casemate-asked * { scroll-margin-top: 45vh; }
  .casemate .on-phone { display: block; }
  .casemate .at-desk { display: none; }
}
</style>"""
"""How the panel looks. Of each chart one of two drawings is shown, by the width of the window; in a narrow one how the
assault ends stays in view while one scrolls through the sliders."""


class Panel:
    """An assault on sliders: how it ends under some sets of rules, drawn anew whenever one moves.

    What a change asks for is done in parts; the next change takes the place of those that are left.

    Attributes:
        shown (widget): What a notebook displays.
        answer: What it shows: the last that could be played.
        took (float): Seconds from the last change to its charts.

    Args:
        scenario: The id of the one it begins with.
        query: What the sliders are set to, as `Asked.query` writes it; what cannot be set is shown as refused.
        served: The page is Panel's own, so that its address may say what is on the sliders.
    """

    def __init__(self, scenario: str = Asked.scenario, query: str = "", *, served: bool = False) -> None:
        given = dict(parse_qsl(query))
        self.answer: Comparison | None = None
        self.took = 0.0
        self._known = Played()
        self._changes = 0
        self._meant = 0
        self._limited: int | None = None
        self._settled = False
        self._served = served
        self._setting = True
        self._later: asyncio.TimerHandle | None = None
        self._begun = dict[str, Any]()
        scenarios = [(load_scenario(id).title, id) for id in scenario_ids()]
        self.scenario = widgets.Dropdown(options=scenarios, value=scenario, description="scenario", **WIDE)
        titles = {id: rule_set(id).title for id in rule_set_ids()}
        self.rules = {id: widgets.Checkbox(value=True, description=title, indent=False) for id, title in titles.items()}
        self.numbers = {key: widgets.IntSlider(description=name, **WIDE) for key, (name, _) in NUMBERS.items()}
        self.words = {
            "building": widgets.Dropdown(description="building", options=BUILDINGS, **WIDE),
            "first": widgets.Dropdown(description="moves first", options=SIDES, **WIDE),
            "attackers.plan": widgets.Dropdown(description="attackers' plan", options=get_args(AttackPlan), **WIDE),
            "defenders.plan": widgets.Dropdown(description="garrison's plan", options=get_args(DefencePlan), **WIDE),
        }
        self.profile = dict[str, widgets.SelectionSlider]()
        self.profiles = widgets.Accordion()
        books = [(title, id) for id, title in titles.items()]
        self.book = widgets.Dropdown(description="a rule of", options=books, value="storming", **WIDE)
        self.key = widgets.Combobox(
            description="its key", placeholder="tables.grenade.hits", ensure_option=True, **WIDE
        )
        self.sliders = dict[tuple[str, str], widgets.SelectionSlider]()
        self.changed = widgets.VBox()
        self.file = widgets.Text(description="save as", value="my-house-rule.toml", **WIDE)
        self.save = widgets.Button(description="Save the house rule", layout=widgets.Layout(width="auto"))
        self.refused, self.said, self.script = widgets.HTML(), widgets.HTML(), widgets.Output()
        self.bar = widgets.FloatProgress(max=1, style={"description_width": "initial"})
        self.best = BestPlay(lambda: self.asked)
        self.ends, self.turns, self.plans = (widgets.HTML() for _ in range(3))
        self.small = {name: widgets.HTML() for name in ("ends", "turns")}
        self._list_keys()
        self._begin()
        self.words["building"].observe(self._move_in, "value")
        self._set(given)
        self.scenario.observe(self._take_over, "value")
        self.book.observe(self._list_keys, "value")
        self.key.observe(self._add, "value")
        self.save.on_click(self._save)
        for each in (*self.numbers.values(), *self.words.values(), *self.rules.values()):
            each.observe(self._moved, "value")
        self.shown = self._laid_out()
        self._setting = False
        self._moved()

    @classmethod
    def at_address(cls) -> "Panel":
        """Return a panel that is set to what the address of its page asks, where Voilà serves it; else a plain one."""
        served = os.environ.get("SERVER_SOFTWARE", "").startswith("voila")
        return cls(query=os.environ.get("QUERY_STRING", "") if served else "", served=served)

    def _laid_out(self) -> widgets.Box:
        """Return what is shown: sliders, and beside them what comes of them."""
        asked = [self.scenario, *self.rules.values(), *self.numbers.values(), *self.words.values(), self.profiles]
        house = [widgets.HTML("<b>A house rule</b>"), self.book, self.key, self.changed, self.file, self.save]
        found = [self.refused, self.said, self.ends, self.small["ends"]]
        more = [self.bar, self.best.shown, self.turns, self.small["turns"], self.plans]
        parts = {"asked": [*asked, *house], "found": found, "more": more}
        row = widgets.Box([widgets.VBox(each).add_class(f"casemate-{name}") for name, each in parts.items()])
        shown = widgets.VBox([widgets.HTML(LOOKS), row.add_class("casemate-parts"), self.script])
        return shown.add_class("casemate")

    def _repr_mimebundle_(self, **how: Any) -> Any:
        return self.shown._repr_mimebundle_(**how)

    @property
    def asked(self) -> Asked:
        """What the sliders ask."""
        house = dict[str, dict[str, Any]]()
        for (rules, key), slider in self.sliders.items():
            if slider.value != rule_set(rules).leaves[key]:
                house.setdefault(rules, {})[key] = slider.value
        controls = self.numbers | self.words | self.profile
        changed = {key: each.value for key, each in controls.items() if each.value != self._begun[key]}
        changes = {key: None if value == NO_SAVE else value for key, value in changed.items()}
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
        self.turns.value, self.ends.value = _shown(turns, "turns", "at-desk"), _shown(ends, "ends", "at-desk")
        self.answer, self.plans.value = answer, ""
        self.took = perf_counter() - start
        self._tell(f"{words.engine_words(answer)} {1000 * self.took:.0f} ms")
        if not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()  # what is loaded by now stays; to look through it made every few changes half as slow again

    def draw_small(self) -> Iterator[None]:
        """Draw what has just been played for a phone as well."""
        if self.answer and not self.plans.value:
            rows = end_rows(self.answer), turn_rows(self.answer)
            self.small["ends"].value = _shown(end_chart(rows[0], title="", width=PHONE), "small-ends", "on-phone")
            yield
            self.small["turns"].value = _shown(capture_chart(rows[1], width=PHONE), "small-turns", "on-phone")

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
        yield PAUSE
        yield from (PAUSE for _ in self.draw_small())
        yield AT_REST
        yield from (PAUSE for _ in self.rest())

    def _moved(self, _change: Any = None) -> None:
        if self._setting:
            return
        self.best.forget()
        if self._served:
            self._write_address()
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

    def _write_address(self) -> None:
        """Have the address of the page say what is on the sliders, so that it can be kept and passed on."""
        code = f"history.replaceState(null, '', '?' + {json.dumps(self.asked.query())})"
        data = {"application/javascript": code, "text/plain": ""}
        self.script.outputs = ({"output_type": "display_data", "data": data, "metadata": {}},)

    def _take_over(self, _change: Any = None) -> None:
        """Put the sliders where another scenario has them, and play it."""
        self._setting = True
        self._begin()
        self._setting = False
        self._moved()

    def _begin(self) -> None:
        """Put the sliders where the scenario has them."""
        game = load_scenario(self.scenario.value)
        self._limited = None
        models = {"attackers.models": game.attackers.models, "defenders.models": game.defenders.models}
        numbers = models | {DOORS: game.building.doors, "distance": game.distance, "turns": game.turns}
        plans = {"attackers.plan": game.plan, "defenders.plan": game.defence}
        words = {"building": "", "first": game.first, **plans}
        self._list_profiles(game)
        self._begun = numbers | words | {key: slider.value for key, slider in self.profile.items()}
        for key, value in numbers.items():
            slider = self.numbers[key]
            slider.min, slider.max, slider.value = 0, max(slider.max, value), value
        for key, word in words.items():
            self.words[key].value = word
        self.numbers[DOORS].value = game.building.doors  # the building that was there before may have had others
        self._fit(*NUMBERS)

    def _list_profiles(self, game: Scenario) -> None:
        """Put the characteristics of both sides' units on sliders."""
        file, of = written(self.scenario.value), dict[str, list[str]]()
        for name, side in SIDES:
            of.setdefault(file[side]["unit"], []).append(name)
        units = {id: game.attackers.unit if "attackers" in sides else game.defenders.unit for id, sides in of.items()}
        self.profile = {}
        for id, unit in units.items():
            for name, values in statline(STATS).items():
                self.profile[f"units.{id}.{name}"] = widgets.SelectionSlider(
                    options=[(in_address(each), NO_SAVE if each is None else each) for each in values],
                    value=NO_SAVE if getattr(unit, name) is None else getattr(unit, name),
                    description=STATS[name],
                    **WIDE,
                )
        for slider in self.profile.values():
            slider.observe(self._moved, "value")
        self.profiles.children = [
            widgets.VBox([each for key, each in self.profile.items() if key.startswith(f"units.{id}.")]) for id in units
        ]
        self.profiles.titles = [f"{' and '.join(of[id])}: {unit.title}" for id, unit in units.items()]
        self.profiles.selected_index = None

    def _move_in(self, _change: Any) -> None:
        """Take the doors of another building, and make the garrison what it was meant to be, as far as that fits."""
        named = self.words["building"].value
        building = library().buildings[named] if named else load_scenario(self.scenario.value).building
        self.numbers[DOORS].max = max(NUMBERS[DOORS][1], building.doors)
        self._begun[DOORS] = self.numbers[DOORS].value = building.doors
        garrison = self.numbers["defenders.models"]
        if garrison.value != self._limited:
            self._meant = garrison.value
        self._fit("defenders.models")
        garrison.value = self._limited = max(garrison.min, min(self._meant, garrison.max))

    def _set(self, given: Mapping[str, str]) -> None:
        """Set the sliders to what an address asks, and say what cannot be set; what is no key of ours is left alone."""
        refused = [f"rules={id}" for id in given.get("rules", "").split(",") if id and id not in self.rules]
        if given.get("scenario", self.scenario.value) not in scenario_ids():
            refused.append(f"scenario={given['scenario']}")
        elif "scenario" in given:
            self.scenario.value = given["scenario"]
            self._begin()
        for id, box in self.rules.items():
            box.value = "rules" not in given or id in given["rules"].split(",")
        scenario = self.numbers | self.words | self.profile
        for key in sorted(given, key=lambda key: key != "building"):  # it limits the garrison
            rules, _, of_book = key.partition(".")
            if rules in self.rules or key in scenario or rules == "units":
                slider = self._on_slider(rules, of_book) if rules in self.rules else scenario.get(key)
                if slider is None or not _put(slider, given[key]):
                    refused.append(f"{key}={given[key]}")
        if refused:
            told = f"The address asks for what cannot be set, and was left alone: {', '.join(refused)}"
            self.refused.value = f"<p role='alert'>{escape(told)}</p>"

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
        """Add a slider for a value of the book that is looked at."""
        self._on_slider(self.book.value, change["new"])

    def _on_slider(self, rules: str, key: str) -> widgets.SelectionSlider | None:
        """Return the slider of a value of a book, a new one if there is none yet; None if the value has no choice."""
        if (rules, key) not in self.sliders and key in keys(rule_set(rules)):
            slider = widgets.SelectionSlider(
                options=[(str(each), each) for each in choices(rule_set(rules), key)],
                value=rule_set(rules).leaves[key],
                description=factor_words(key),
                tooltip=f"{rules}: {key}",
                **WIDE,
            )
            slider.observe(self._moved, "value")
            self.sliders[rules, key] = slider
            self.changed.children = (*self.changed.children, slider)
        return self.sliders.get((rules, key))

    def _save(self, _button: Any) -> None:
        """Save the house rule of the book that is looked at."""
        try:
            self._tell(f"The house rule: {self.asked.save(self.book.value, self.file.value)}")
        except CasemateError as error:
            self._tell(str(error), role="alert")


def _put(control: Any, text: str) -> bool:
    """Set a control to a value as an address has it; return whether it takes it."""
    if isinstance(control, widgets.IntSlider):
        taken = re.fullmatch(r"\d{1,3}", text) is not None and control.min <= int(text) <= control.max
        values = [int(text)] if taken else []
    else:
        options = [each if isinstance(each, tuple) else (each, each) for each in control.options]
        values = [value for _, value in options if in_address(value) == text]
    if values:
        control.value = values[0]
    return bool(values)


def _shown(chart: Chart, name: str, where: str) -> str:
    return f'<figure class="casemate-{name} {where}">{svg(chart, name)}</figure>'


def _table(answer: Comparison) -> str:
    """Return the table of plans as HTML: a row for each, and how the assault ends under each set of rules."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in answer.names())
    rows = []
    for plan, (same, lines) in plan_lines(answer).items():
        told = (as_other or _ends(lines, i) for i, as_other in enumerate(same))
        cells = "".join(f"<td>{escape(each)}</td>" for each in told)
        rows.append(f'<tr><th scope="row">{escape(plan)}</th>{cells}</tr>')
    table = f"<table><thead><tr><th scope='col'>plan</th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="other plans">{table}</div>'


def _ends(lines: Sequence[Line], column: int) -> str:
    """Return how often each end comes, of those that come at all."""
    cells = {line.label: line.cells[column] for line in lines}
    never = percent(0.0)
    return ", ".join(
        " ".join(filter(None, (end, *cell))).replace(" %", "\u00a0%")
        for end, cell in cells.items()
        if (cell.text, cell.interval) != (never, "")
    )
