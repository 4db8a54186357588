"""Two versions of a function take turns on the user's own calls, and the faster one is kept.

Each call is executed once. What was kept is remembered for the machine, so that another process neither
compiles nor measures what NumPy does faster.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from types import FunctionType
from typing import Any, Literal

import numpy as np

from nprewrite.runtime import cache

Side = Literal["original", "rewritten"]
CallClass = tuple[Any, ...]

ALWAYS: Side | None = None
"""The side that every call takes, with no turns; verification sets it."""

_ROUNDS = 3
_CLEAR = 3.0
"""Where one side takes this many times as long as the other, one round is enough."""
_FILE = "turns.json"


def call_class(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallClass:
    """What decides which version is faster: dtypes, ranks and magnitudes of sizes and integers; hashable."""
    kind = tuple([_class_of(each) for each in args])
    return (*kind, *[(name, _class_of(each)) for name, each in kwargs.items()]) if kwargs else kind


def _class_of(argument: Any) -> Any:
    kind = type(argument)
    if kind is np.ndarray:
        return argument.dtype.char, argument.ndim, argument.size.bit_length()
    if kind is int:
        return argument.bit_length()
    if kind is FunctionType and argument.__globals__.get(argument.__name__) is argument:
        # Another function is another program; those without a name of their own would be without end.
        return f"{argument.__module__}.{argument.__name__}"
    return kind


@dataclass
class Turns:
    """The turns for one class of calls; ``kept`` is set when it is decided."""

    name: str
    kept: Side | None = None
    seconds: dict[Side, list[float]] = field(default_factory=lambda: {"original": [], "rewritten": []})
    compiled: bool = False
    """Whether the rewritten version has run, and compiled: that call is not measured."""

    @classmethod
    def of(cls, text: str, kind: CallClass) -> Turns:
        """The turns of the rewritten ``text`` for calls of one class, decided where they are remembered."""
        name = hashlib.sha256("\n".join((text, repr(kind), _machine())).encode()).hexdigest()
        kept = cache.read(_FILE).get(name)
        return cls(name, kept if kept in ("original", "rewritten") else None)

    def next(self) -> Side:
        """Whose turn it is."""
        if self.kept is not None:
            return self.kept
        if not self.compiled:
            return "rewritten"
        return "original" if len(self.seconds["original"]) <= len(self.seconds["rewritten"]) else "rewritten"

    def record(self, side: Side, seconds: float) -> None:
        """Note the time of a call, and decide when enough is known."""
        if side == "rewritten" and not self.compiled:
            self.compiled = True
            return
        self.seconds[side].append(seconds)
        original, rewritten = self.seconds["original"], self.seconds["rewritten"]
        if not original or not rewritten:
            return
        best = min(original), min(rewritten)
        if len(rewritten) >= _ROUNDS or max(best) > _CLEAR * min(best):
            self.kept = "original" if best[0] < best[1] else "rewritten"
            cache.update(_FILE, {self.name: self.kept})

    def nothing_compiled(self) -> None:
        """Keep the original in this process; what kept it from compiling may be another thing in the next."""
        self.compiled = True
        self.kept = "original"

    def __str__(self) -> str:
        if self.kept is None:
            return "not decided yet"
        verb = "the rewritten version is kept" if self.kept == "rewritten" else "NumPy is kept"
        original, rewritten = self.seconds["original"], self.seconds["rewritten"]
        if not original or not rewritten:
            return f"{verb}, as remembered" if not self.compiled else f"{verb}: nothing of it ran compiled"
        return f"{verb}: {min(rewritten) * 1e3:.3g} ms against NumPy's {min(original) * 1e3:.3g} ms"


def _machine() -> str:
    """What decides how fast compiled code and NumPy are here."""
    try:
        torch = metadata.version("torch")
    except metadata.PackageNotFoundError:
        torch = "none"
    return f"{platform.machine()} {platform.processor()} {os.cpu_count()} {np.__version__} {torch}"
