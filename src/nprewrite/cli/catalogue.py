"""``nprewrite pass``: the passes, and the page of one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from nprewrite.files.problems import UsageProblem

if TYPE_CHECKING:
    from nprewrite.passes.level import Level

_PACKAGE = Path(__file__).resolve().parents[1]


class Described(Protocol):
    """What every pass says about itself."""

    @property
    def code(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def level(self) -> Level: ...

    @property
    def summary(self) -> str: ...


def passes() -> tuple[Described, ...]:
    """The passes in the order in which they run."""
    from nprewrite.engine import pipeline

    return tuple(cast("Iterable[Described]", pipeline.PASSES))


def find_pass(word: str) -> Described:
    """The pass with this name or code. Raises UsageProblem that names them all."""
    for each in passes():
        if word in (each.code, each.name):
            return each
    raise UsageProblem(f"no pass is called {word!r}; the passes are: {known_passes()}")


def known_passes() -> str:
    """All passes by code, with their names."""
    ordered = sorted(passes(), key=lambda each: each.code)
    return ", ".join(f"{each.code} ({each.name})" for each in ordered) or "none"


def table() -> str:
    """One line for each pass."""
    rows = [("CODE", "PASS", "LEVEL", "WHAT IT DOES")]
    rows += [(each.code, each.name, each.level.name.lower(), each.summary) for each in passes()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    )


def page(word: str) -> str:
    """The catalogue's page of a pass. Raises UsageProblem."""
    found = find_pass(word)
    for folder in _folders():
        readme = folder / found.name / "README.md"
        if readme.is_file():
            return readme.read_text(encoding="utf-8").rstrip()
    raise UsageProblem(f"the page of {found.code} ({found.name}) is not part of this installation")


def _folders() -> list[Path]:
    """The catalogue of a wheel, then that of the source tree that the package is run from."""
    return [_PACKAGE / "_catalogue", _PACKAGE.parents[1] / "passes"]
