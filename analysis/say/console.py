"""The console that every command prints on."""

from rich.console import Console


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command to say what a reader comes to who has gone away."""
        raise BrokenPipeError


def console() -> Console:
    """Return a console on standard output that prints text as it is."""
    return _Terminal(markup=False, highlight=False, emoji=False)
