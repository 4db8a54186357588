"""A sequential scalar loop as a function that Numba compiles.

Why: Python takes some hundred nanoseconds for each element; a loop in which every trip needs the one before
is no array code, and torch.compile cannot help it.

    s = 0.0
    for i in range(1, n):                   ->    s = _drift_loop(x, n, s)
        x[i] = 0.5 * (x[i - 1] + x[i])
        s += x[i]

Safety: the loop moves as it is written, and is its own fallback. The runtime compiles it for the types of a
call, with Python's and NumPy's arithmetic; what it does not follow runs as written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from nprewrite.facts.function import Function
from nprewrite.facts.native_regions import NativeRegion, native_regions
from nprewrite.facts.problems import Problem
from nprewrite.facts.steps import NativeSpec
from nprewrite.passes.contract import Change, Deferral, Level, Refusal, RewritePass
from nprewrite.passes.native_text import moved
from nprewrite.passes.reasons import reason, reasons


@dataclass(frozen=True)
class Site:
    """A loop, and the region that it starts or why it starts none."""

    loop: ast.stmt
    found: NativeRegion | Problem


@dataclass(frozen=True)
class NativeLoop(RewritePass[Site, NativeRegion]):
    """NPR407."""

    code = "NPR407"
    name = "native-loop"
    summary = "a sequential scalar loop becomes a function that Numba compiles"
    level = Level.EXACT
    refuses = reasons("NPR407")
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """Loops over elements of arrays."""
        for loop, found in native_regions(function):
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
        return moved(proof, function, "loop", NativeSpec())
