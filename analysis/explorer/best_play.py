"""The button of the explorer that asks for best play: what good players make of what is on the sliders."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from html import escape
from typing import Any

import ipywidgets as widgets

from analysis.explorer.asked import Asked
from analysis.explorer.seeking import found
from analysis.say import blocks
from sims.errors import CasemateError

LOOKING = "Looking for best play, which takes some 5 to 30 seconds for each set of rules"


class BestPlay:
    """A button, how far it is, and its answer, which is of what was asked when it was pressed.

    Args:
        asked: Says what is to be answered.
    """

    def __init__(self, asked: Callable[[], Asked]) -> None:
        self._asked = asked
        self._work: asyncio.Task[None] | None = None
        self.button = widgets.Button(description="Best play", tooltip="what good players make of it")
        self.bar = widgets.FloatProgress(max=1, layout=widgets.Layout(visibility="hidden"))
        self.answer = widgets.HTML()
        self.button.on_click(self._press)
        self.shown = widgets.VBox([widgets.HBox([self.button, self.bar]), self.answer])

    def forget(self) -> None:
        """Take the answer away, or end the search for it: something else is asked."""
        if self._work:
            self._work.cancel()
            self._work = None
        self.answer.value = ""

    def _press(self, _button: Any) -> None:
        """Look for the answer, unless that is being done; at once where nothing else can happen."""
        if self._work and not self._work.done():
            return
        try:
            self._work = asyncio.get_running_loop().create_task(self._seek())
        except RuntimeError:
            asyncio.run(self._seek())

    async def _seek(self) -> None:
        """Find best play under one set of rules after the other, and show each as it is found."""
        self.button.disabled, self.bar.value, shown = True, 0, ""
        self.bar.layout.visibility = "visible"
        try:
            asked = self._asked()
            under = ", ".join(asked.unplayed().names())
            self.answer.value = f"<p role='status'>{escape(f'{LOOKING}: {under}')}</p>"
            async with aclosing(found(asked)) as told:
                async for one in told:
                    if isinstance(one, float):
                        self.bar.value = one
                    else:
                        self.answer.value = shown = blocks.html(one)
        except CasemateError as error:
            self.answer.value = f"{shown}<p role='alert'>{escape(str(error))}</p>"
        finally:
            self.button.disabled, self.bar.layout.visibility = False, "hidden"
