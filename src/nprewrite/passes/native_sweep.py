"""A recurrence along one axis of arrays as a function that Numba compiles.

Why: each row or column needs the one before, so that the loop must stay. NumPy goes over a column once for
every operation, and torch.compile would unroll the loop or be called for each column.

    for j in range(2, m):                                   ->    _smooth_sweep(b, c, x, y, m)
        y[:, j] = x[:, j] + b * y[:, j - 1] + c * y[:, j - 2]

Safety: the loop is moved as written, and is its own fallback. The runtime runs consecutive statements in one
pass over the lanes where each lane is computed from itself alone.
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
from nprewrite.regions.native.loops import NativeRegion
from nprewrite.regions.native.sweeps import sweep_regions


@dataclass(frozen=True)
class NativeSweep(MovedLoop):
    """NPR403."""

    code = "NPR403"
    name = "native-sweep"
    summary = "a recurrence along one axis of arrays becomes a function that Numba compiles"
    refuses = reasons("NPR403")

    def match(self, function: Function) -> Iterator[LoopSite]:
        """Loops that store rows or columns and read others of the same array."""
        for loop, found in sweep_regions(function):
            yield LoopSite(loop, found)

    def rewrite(self, site: LoopSite, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        return moved(proof, function, "sweep", NativeSpec("sweep"))
