"""What runs of the command leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Ran:
    """What one run of the command did."""

    code: int
    out: str
    err: str


Explain = Callable[..., Ran]


@dataclass(frozen=True)
class Shown:
    """A run of the program with everything that can be shown: the document, and the page."""

    program: Path
    document: Any
    page: Path
