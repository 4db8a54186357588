"""The pages of the catalogue, and what the reasons of refusals mean: the rows of its REASONS.md."""

from __future__ import annotations

import functools
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_COLUMNS = 5


def page(*parts: str) -> str | None:
    """The text of a page; None where the catalogue is not installed."""
    # A wheel has the catalogue inside the package, the source tree beside it.
    folders = (_PACKAGE / "_catalogue", _PACKAGE.parents[1] / "passes")
    found = (path for folder in folders if (path := folder.joinpath(*parts)).is_file())
    return next((path.read_text(encoding="utf-8") for path in found), None)


def meaning(reason: str) -> str | None:
    """What a reason means, in a sentence; None where the catalogue is not installed."""
    return _meanings().get(reason)


@functools.cache
def _meanings() -> dict[str, str]:
    """The rows: code, passes, reported at, meaning, what would help."""
    lines = [line for line in (page("REASONS.md") or "").splitlines() if line.startswith("|")]
    rows = ([cell.strip() for cell in line.strip("|").split(" | ")] for line in lines)
    named = (row for row in rows if len(row) == _COLUMNS and row[0].startswith("`"))
    return {row[0].strip("`"): row[3] for row in named}
