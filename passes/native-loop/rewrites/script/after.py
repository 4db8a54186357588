"""A loop of a script."""

import numpy as np
import nprewrite.runtime as npr

SIZE = 12
levels = np.zeros(SIZE)
levels[0] = 1.0
total = 0.0


@npr.native
def _module_loop(SIZE, levels, total):
    """The loop in the module."""
    for n in range(1, SIZE):
        levels[n] = 0.9 * levels[n - 1] + 0.1 * np.floor(n / 2)
        total += levels[n]
    return total


total = _module_loop(SIZE, levels, total)


@npr.native
def _module_loop_1(SIZE, levels, n):
    """The loop in the module."""
    for n in range(SIZE):
        for k in range(1, SIZE):
            levels[k] -= 0.5 * levels[k - 1]
    return n


n_after = _module_loop_1(SIZE, levels, None)
if n_after is not None:
    n = n_after


def outcome():
    return levels, total


def cases():
    yield "outcome", ()
