"""A sequential loop that computes with rows, or with parts of arrays, as a function that Numba compiles.

Why: a call of NumPy takes a microsecond, however few the elements. In a loop where every iteration needs the
one before, and each computes with a few rows of some ten elements, these calls take most of the time.

    for t in range(1, n):                   ->    _forward_loop(alpha, trans, scale, emit, obs, n)
        alpha[t] = alpha[t - 1] @ trans * emit[:, obs[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]

Safety: the loop is moved as written, and is its own fallback. The runtime turns the statements over arrays
into loops over elements, for the types and shapes of a call. Where rows are so long that NumPy is as fast,
and where lengths differ, the loop runs as written.
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
from nprewrite.regions.native.loops import NativeRegion, array_regions


@dataclass(frozen=True)
class SmallArrays(MovedLoop):
    """NPR410."""

    code = "NPR410"
    name = "small-arrays"
    summary = "a sequential loop over rows becomes a function that Numba compiles"
    refuses = reasons("NPR410")

    def match(self, function: Function) -> Iterator[LoopSite]:
        """Loops over rows, or parts, of arrays."""
        for loop, found in array_regions(function):
            yield LoopSite(loop, found)

    def rewrite(self, site: LoopSite, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        return moved(proof, function, "loop", NativeSpec())
