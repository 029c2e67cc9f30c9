"""The version of the code that answers hang on: a digest of the source of `sims` and of this folder."""

from functools import cache
from hashlib import sha256
from pathlib import Path


@cache
def digest() -> str:
    """Return the digest; how lines end does not matter."""
    here = Path(__file__).parent
    root = here.parent.parent
    files = {
        file.relative_to(root).as_posix(): file for folder in (root / "sims", here) for file in folder.rglob("*.py")
    }
    found = sha256()
    for name in sorted(files):
        text = files[name].read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{name} {len(text)}\n".encode() + text)
    return found.hexdigest()
