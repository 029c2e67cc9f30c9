"""The console that every command prints on."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from sims.errors import visible


class _Terminal(Console):
    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render with the control characters in texts written out; those of the terminal's own colours come later."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)

    def on_broken_pipe(self) -> None:
        """Leave it to the command to say what a reader comes to who has gone away."""
        raise BrokenPipeError


def console() -> Console:
    """Return a console on standard output that prints text as it is."""
    return _Terminal(markup=False, highlight=False, emoji=False)
