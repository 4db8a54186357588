"""A driven oscillator that prints where it is from time to time, and stops with a word when it is too fast."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _simulate_loop(places, x, v, dt, every):
    """The loop in `simulate`."""
    for n in range(len(places)):
        a = -x - 0.05 * v + 0.3 * np.cos(1.2 * n * dt)
        v = v + a * dt
        x = x + v * dt
        places[n] = x
        if n % every == 0:
            print(f"step {n}: x = {x:.4f}, v = {v:.4f}")
        if abs(v) > 50:
            print("too fast at", n)
            break
    return x, v


def simulate(x: float, v: float, dt: float, places: npt.NDArray[np.float64], every: int):
    x, v = _simulate_loop(places, x, v, dt, every)
    return x, v


def cases():
    yield "simulate", (1.0, 0.0, 0.01, np.zeros(200), 50)
    yield "simulate", (1.0, 60.0, 0.01, np.zeros(200), 50)
    yield "simulate", (1.0, 0.0, 0.01, np.zeros(0), 50)
    yield "simulate", (1.0, 0.0, 0.01, np.zeros(10), 0), ZeroDivisionError
