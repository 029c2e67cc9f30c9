"""Studies as people give them: factors that are typed, and files of factors and points."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from analysis.sweeps.design import Factor, factor, number_of_levels, points_factor, refuse_many
from sims.errors import CasemateError, nearest
from sims.reading import Key, Names, Source, Strict, dotted, parse, read, validate


class StudyFile(Strict):
    """A study as its file gives it: keys with their levels, and points that set several keys each."""

    scenario: str | None = None
    rules: str | Names | None = None
    vary: dict[str, Any] = Field(default_factory=dict)
    points: Annotated[tuple[dict[str, Any], ...], Field(strict=False)] = ()


def typed_factors(texts: Iterable[str]) -> list[Factor]:
    """Read factors as typed, ``attackers.models=5..20``, or raise `CasemateError` if levels cannot be read."""
    typed = [(key.strip(), levels) for key, _, levels in (text.partition("=") for text in texts)]
    refuse_many(prod(number_of_levels(key, levels) for key, levels in typed), more=True)
    return [factor(key, levels) for key, levels in typed]


def study_ids() -> list[str]:
    """Return the ids of the studies that come with Casemate."""
    found = (files("analysis") / "studies").iterdir()
    return sorted(f.name.removesuffix(".toml") for f in found if f.name.endswith(".toml"))


def study(name: str) -> list[Factor]:
    """Read a study, by its id or from a file: its factors, the scenario and the rules among them if it says them.

    Files that it names are looked for beside it.

    Raises:
        CasemateError: If there is no such study, or a key or a level cannot be read.
    """
    if name in study_ids():
        source, folder = parse(f"{name}.toml", (files("analysis") / f"studies/{name}.toml").read_text("utf-8")), Path()
    elif name.endswith(".toml") or Path(name).is_file():
        source, folder = read(Path(name)), Path(name).parent
    else:
        raise CasemateError(f'there is no study "{name}"; {nearest(name, study_ids())} (or a file)')
    given = validate(StudyFile, source.data, [source])
    factors, points = list[Factor](), 1
    for each in _factors(source, folder, ("vary",), given.vary):
        factors.append(each)
        points *= len(each.levels)
        refuse_many(points, more=True)
    if given.points:
        with _at(source, ("points",)):
            factors.append(points_factor(map(_flat, given.points), folder))
    if not factors:
        raise CasemateError(f"{source.name}: nothing is varied; expected [vary], or tables headed [[points]]")
    return [
        *_factors(source, folder, (), {key: source.data[key] for key in ("scenario", "rules") if key in source.data}),
        *factors,
    ]


def _factors(source: Source, folder: Path, key: Key, tables: Mapping[str, Any]) -> Iterator[Factor]:
    """Yield the factors of a study file: each key with its levels, and each name whose levels have names."""
    for part, given in tables.items():
        place = (*key, part)
        if isinstance(given, dict):
            yield from _factors(source, folder, place, given)
        else:
            with _at(source, place):
                made = factor(dotted(place).removeprefix("vary."), _levels(given), folder)
            yield made


def _levels(given: Any) -> Any:
    """Return levels as a study file writes them: as typed, a list of values or of tables with a name each, or one."""
    if not isinstance(given, list):
        return given if isinstance(given, str) else [given]
    if not any(isinstance(level, dict) for level in given):
        return given
    named = dict[str, dict[str, Any]]()
    for level in given:
        name = level.get("name") if isinstance(level, dict) else None
        if not isinstance(name, str):
            raise CasemateError("expected of each level a name and the keys that it sets")
        if name in named:
            raise CasemateError(f"it has the level {name} twice")
        named[name] = _flat({key: value for key, value in level.items() if key != "name"})
    return named


def _flat(tables: Mapping[str, Any], key: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what stands in tables by dotted key."""
    found = dict[str, Any]()
    for part, value in tables.items():
        found |= _flat(value, (*key, part)) if isinstance(value, dict) else {dotted((*key, part)): value}
    return found


@contextmanager
def _at(source: Source, key: Key) -> Iterator[None]:
    """Say of what goes wrong where in the file it does."""
    try:
        yield
    except CasemateError as error:
        raise source.error(key, str(error)) from error
