"""A filter of one pole, and what is measured of its samples and of its output."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _resonate_loop(n, z, pole, driven):
    """The loop in `resonate`."""
    for i in range(1, n):
        z[i] = pole * z[i - 1] + driven[i - 1]


@npr.native
def _resonate_loop_1(n, loudest, power, loudest_values):
    """The loop in `resonate`."""
    for i in range(1, n):
        loudest = max(0.5 * loudest, power[i - 1])
        loudest_values[i - 1] = loudest
    return loudest


def resonate(x: npt.NDArray[np.complex128], pole: complex):
    n = len(x)
    z = np.zeros(n, dtype=np.complex128)
    level = np.zeros(n)
    loudest = 0.0
    if npr.quiet() and npr.are_arrays(np.complex128, 1, x) and type(pole) is complex and n >= 1:
        with np.errstate(all="ignore"):
            driven = np.tan(x[1:]) * (0.5 + 0.25 * np.arange(1, n)).astype(np.complex128)
            _resonate_loop(n, z, pole, driven)
            power = np.abs(z[1:])
            loudest_values = np.empty(n - 1)
            loudest = _resonate_loop_1(n, loudest, power, loudest_values)
            level[1:] = loudest_values / (1.0 + np.abs(driven))
    else:
        for i in range(1, n):
            driven = np.tan(x[i]) * (0.5 + 0.25 * i)
            z[i] = pole * z[i - 1] + driven
            power = np.abs(z[i])
            loudest = max(0.5 * loudest, power)
            level[i] = loudest / (1.0 + np.abs(driven))
    return z, level, loudest


def cases():
    for n in (40, 2, 1, 0):
        yield "resonate", (np.exp(1j * np.arange(n)), 0.9 * np.exp(0.3j))
    yield "resonate", (np.full(20, np.inf + 0j), 0.5j)
