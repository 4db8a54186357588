"""A time step that is NumPy's float64 on one path, Python's float or an integer on another: it serves as a float."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def advect(u: npt.NDArray[np.float64], end: float):
    t = 0
    while t < end:
        dt = 0.25 / np.max(1.0 + np.abs(u))
        if t + dt > end:
            dt = end - t
        slope = 0.5 * (np.roll(u, -1) - np.roll(u, 1))
        u = u - dt * u * slope
        t += dt
        print(f"{t:.3f}")
    return u, t


def cases():
    u = np.linspace(-1.0, 2.0, 12)
    yield "advect", (u, 0)
    yield "advect", (u, 1)
    yield "advect", (u, 0.1)
    yield "advect", (u, np.float64(0.6))
