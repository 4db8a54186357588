"""What the reasons of refusals mean: the rows of the catalogue's REASONS.md."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_COLUMNS = 5


def meaning(reason: str) -> str | None:
    """What a reason means, in a sentence; None where the catalogue is not installed."""
    return _meanings().get(reason)


@functools.cache
def _meanings() -> dict[str, str]:
    """The rows: code, passes, reported at, meaning, what would help."""
    return {cells[0].strip("`"): cells[3] for cells in _rows() if cells[0].startswith("`")}


def _rows() -> Iterator[list[str]]:
    # A wheel has the catalogue inside the package, the source tree beside it.
    for folder in (_PACKAGE / "_catalogue", _PACKAGE.parents[1] / "passes"):
        page = folder / "REASONS.md"
        if not page.is_file():
            continue
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if line.startswith("|") and len(cells) == _COLUMNS:
                yield cells
        return
