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

from functools import partial

from nprewrite.passes.moved_loop import MovedLoop
from nprewrite.regions.native.loops import array_region, regions


class SmallArrays(MovedLoop):
    """NPR410."""

    code = "NPR410"
    name = "small-arrays"
    summary = "a sequential loop over rows becomes a function that Numba compiles"
    regions = staticmethod(partial(regions, find=array_region))
