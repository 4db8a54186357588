"""A recurrence along one axis of arrays as a function that Numba compiles.

Why: each row or column needs the one before, so that the loop stays a loop; NumPy goes over a column once for
every operation in it, and torch.compile would unroll the loop or be called for each column.

    for j in range(2, m):                                   ->    _smooth_sweep(b, c, x, y, m)
        y[:, j] = x[:, j] + b * y[:, j - 1] + c * y[:, j - 2]

Safety: the loop moves as it is written, and is its own fallback. The runtime runs the statements that follow
each other in one pass over the lanes, where each lane is computed from itself alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from nprewrite.facts.function import Function
from nprewrite.facts.native_regions import NativeRegion
from nprewrite.facts.problems import Problem
from nprewrite.facts.steps import NativeSpec
from nprewrite.facts.sweep_regions import sweep_regions
from nprewrite.passes.contract import Change, Deferral, Level, Refusal, RewritePass
from nprewrite.passes.native_text import moved
from nprewrite.passes.reasons import reason, reasons


@dataclass(frozen=True)
class Site:
    """A loop, and the region that it starts or why it starts none."""

    loop: ast.stmt
    found: NativeRegion | Problem


@dataclass(frozen=True)
class ChunkSweep(RewritePass[Site, NativeRegion]):
    """NPR403."""

    code = "NPR403"
    name = "chunk-sweep"
    summary = "a recurrence along one axis of arrays becomes a function that Numba compiles"
    level = Level.EXACT
    refuses = reasons("NPR403")
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """Loops that store rows or columns and read others of the same array."""
        for loop, found in sweep_regions(function):
            yield Site(loop, found)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where a function is computed whose last bits differ from library to library."""
        rounds = isinstance(site.found, NativeRegion) and site.found.lowered.rounds
        return Level.ROUNDING if rounds else Level.EXACT

    def node(self, site: Site) -> ast.stmt:
        """The loop."""
        return site.loop

    def check(self, site: Site, function: Function) -> NativeRegion | Refusal | Deferral:
        """The loop is followed already; Numba has to be there."""
        found = site.found
        if isinstance(found, Problem):
            if found.parameter is not None and function.can_defer:
                return Deferral(found.message)
            return Refusal(reason(found.code), found.message, found.node)
        if find_spec("numba") is None:
            return Refusal(reason("native-missing"), "Numba is not installed")
        return found

    def rewrite(self, site: Site, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        return moved(proof, function, "sweep", NativeSpec("sweep"))
