"""A recurrence along one axis of arrays as a function that Numba compiles.

Why: each row or column needs the one before, so that the loop must stay. NumPy goes over a column once for
every operation, and torch.compile would unroll the loop or be called for each column.

    for j in range(2, m):                                   ->    _smooth_sweep(b, c, x, y, m)
        y[:, j] = x[:, j] + b * y[:, j - 1] + c * y[:, j - 2]

Safety: the loop is moved as written, and is its own fallback. The runtime runs consecutive statements in one
pass over the lanes where each lane is computed from itself alone.
"""

from __future__ import annotations

from nprewrite.passes.moved_loop import MovedLoop
from nprewrite.program.steps import NativeSpec
from nprewrite.regions.native.sweeps import sweep_regions


class NativeSweep(MovedLoop):
    """NPR403."""

    code = "NPR403"
    name = "native-sweep"
    summary = "a recurrence along one axis of arrays becomes a function that Numba compiles"
    regions = staticmethod(sweep_regions)
    word = "sweep"
    spec = NativeSpec("sweep")
