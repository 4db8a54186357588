"""Views of the interior that are taken once, before the loop: the step takes them itself."""

import numpy as np
import numpy.typing as npt


def react(U: npt.NDArray[np.float64], V: npt.NDArray[np.float64], steps: int, rate: float):
    u, v = U[1:-1], V[1:-1]
    for n in range(steps):
        spread = U[2:] + U[:-2] - 2 * U[1:-1]
        rest = v * u * u
        u += rate * spread - rest
        v += rest - rate * v
    return U, V, u


def cases():
    for steps in (0, 1, 5):
        U, V = np.linspace(0.0, 1.0, 8), np.linspace(1.0, 0.0, 8)
        yield "react", (U, V, steps, 0.1)
