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

from functools import partial

from nprewrite.passes.moved_loop import MovedLoop
from nprewrite.regions.native.loops import native_region, regions


class NativeLoop(MovedLoop):
    """NPR407."""

    code = "NPR407"
    name = "native-loop"
    summary = "a sequential scalar loop becomes a function that Numba compiles"
    regions = staticmethod(partial(regions, find=native_region))
