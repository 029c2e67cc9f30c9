"""The source of what makes margins: by its digest two versions of the code are told apart."""

from functools import cache
from hashlib import sha256
from pathlib import Path

MAKERS = (
    "batches.py",
    "best_outcome.py",
    "contests.py",
    "intervals.py",
    "looks.py",
    "margins.py",
    "point.py",
    "responses.py",
)
"""What makes margins here, beside all of `sims`; looks ask responses whether to play on."""


@cache
def digest() -> str:
    """Return a digest of the source of `sims` and of what makes margins; how lines end does not matter."""
    here = Path(__file__).parent
    files = {file.relative_to(here.parent).as_posix(): file for file in (here.parent / "sims").rglob("*.py")}
    files |= {f"{here.name}/{name}": here / name for name in MAKERS}
    found = sha256()
    for name in sorted(files):
        text = files[name].read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{name} {len(text)}\n".encode() + text)
    return found.hexdigest()
