"""The command `casemate`: what happens when it is run, and when it cannot be done.

Only the answer goes to standard output, everything else to standard error. Exit codes: 0 answered, 1 and 3 as
`baseline check` says, 2 something given cannot be used, 129 hung up, 130 interrupted, 141 nobody reads the answer any
more, 143 told to end. What takes time to import is imported where an interrupt is caught.
"""

import os
import re
import signal
import sys
import warnings
from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    try:
        return _run(arguments)
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt)
    except Exception as error:  # workers that are only just being started cannot be stopped in order, and fail over it
        ended = _cause_of_end(error)
        if ended is None:
            raise
        return _interrupted(ended) if isinstance(ended, KeyboardInterrupt) else int(ended.code or 0)


def _interrupted(by: KeyboardInterrupt) -> int:
    """Say what is kept of what was begun: what the interrupt was given on its way, else that nothing is."""
    kept = by.args[0] if by.args else "nothing is kept of it"
    print(f"casemate: interrupted; {kept}", file=sys.stderr)
    return 130


def _cause_of_end(error: BaseException | None) -> KeyboardInterrupt | SystemExit | None:
    """Return the interrupt or the signal that an error came after, if one did."""
    if error is None or isinstance(error, KeyboardInterrupt | SystemExit):
        return error
    return _cause_of_end(error.__context__)


def _run(arguments: Sequence[str]) -> int:
    from cyclopts import CycloptsError, UnknownCommandError, UnknownOptionError

    from analysis.commands import app
    from analysis.commands.charts.base import chart_names
    from sims.errors import CasemateError

    try:
        answered = app(list(arguments))
        sys.stdout.flush()
    except UnknownOptionError as error:
        command = " ".join(("casemate", *(error.command_chain or ())))
        return _refuse(f"{error} {command} --help lists those there are.")
    except UnknownCommandError as error:
        (name, *_) = arguments
        meant = f'there is no command "{name}"; did you mean "casemate chart {name}"?'
        return _refuse(meant if name in chart_names() else str(error))
    except (CasemateError, CycloptsError) as error:
        return _refuse(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to flush goes nowhere
        return 141
    except OSError as error:
        return _refuse(f"{error.filename or 'a file'}: {error.strerror or error}")
    except MemoryError:
        return _refuse("there is not enough memory for this; lower --budget, or use --engine bounded or sampled")
    return answered if isinstance(answered, int) else 0


def _refuse(message: str) -> int:
    from sims.errors import brief

    print(f"casemate: {brief(message)}", file=sys.stderr)
    return 2


def main() -> None:
    """Run `casemate` with what was given on the command line."""
    sys.stdin, sys.stdout, sys.stderr = (
        stream or open(os.devnull, mode)  # noqa: SIM115  # whoever has started it may have closed them
        for stream, mode in ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
    )
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # an old terminal lacks some signs
    if not re.fullmatch(r"0*[1-9]\d{0,3}", os.environ.get("COLUMNS", "80")):
        del os.environ["COLUMNS"]  # as one that has no width says 0
    os.environ["MPLBACKEND"] = "agg"  # nothing is shown in a window; of an unknown name Matplotlib would not start
    warnings.filterwarnings("ignore", "A worker stopped while")  # one that has grown large is replaced by a new one
    for each in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(each) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(each, lambda number, _: sys.exit(128 + number))  # so that what is half done is put away
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
