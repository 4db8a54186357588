"""A sequential scalar loop as a function that Numba compiles.

Why: Python takes some hundred nanoseconds for each element; a loop in which every iteration needs the one
before cannot become array code, and torch.compile does not help.

    s = 0.0
    for i in range(1, n):                   ->    s = _drift_loop(x, n, s)
        x[i] = 0.5 * (x[i - 1] + x[i])
        s += x[i]

Safety: the loop is moved as written, and is its own fallback. The runtime compiles it for the types of a
call, with Python's and NumPy's arithmetic; what it cannot follow runs as written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nprewrite.passes.contract import Change
from nprewrite.passes.moved_loop import LoopSite, MovedLoop
from nprewrite.passes.native_text import moved
from nprewrite.passes.reasons import reasons
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec
from nprewrite.regions.native.loops import NativeRegion, native_regions


@dataclass(frozen=True)
class NativeLoop(MovedLoop):
    """NPR407."""

    code = "NPR407"
    name = "native-loop"
    summary = "a sequential scalar loop becomes a function that Numba compiles"
    refuses = reasons("NPR407")

    def match(self, function: Function) -> Iterator[LoopSite]:
        """Loops over elements of arrays."""
        for loop, found in native_regions(function):
            yield LoopSite(loop, found)

    def rewrite(self, site: LoopSite, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        return moved(proof, function, "loop", NativeSpec())
