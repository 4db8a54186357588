"""A mask that is bound to a name, for several reductions, with data that has no value in places."""

import numpy as np
import nprewrite.runtime as npr


@npr.reduction
def _spectrum_reduction(i_width, width_1, k, power):
    """The reductions of the loop over `i` in `spectrum`."""
    return (
        ((np.abs(k - i_width) < width_1) & (power == power)).sum(),
        power[(np.abs(k - i_width) < width_1) & (power == power)].sum(),
    )


def spectrum(n: int, m: int, width: float):
    power = np.sin(np.arange(n, dtype=np.float64)) ** 2
    power[::7] = np.nan
    k = np.abs(np.cos(np.arange(n, dtype=np.float64)))
    total, count = np.zeros(m), np.zeros(m, dtype=np.int64)
    for i, (total_i, total_i_1) in _spectrum_reduction.over(
        range(m),
        lambda i: (i * width, 0.5 * width),
        (k, power),
        (total, count),
        (width,),
    ):
        # not a number is left out
        if total_i > 2:
            total[i] = total_i_1
            count[i] = total_i
    return total, count


def cases():
    for n, m, width in ((50, 6, 0.2), (3, 4, 0.5), (0, 2, 0.5), (20_000, 7, 0.1), (50, 3, np.nan)):
        yield "spectrum", (n, m, width)
