"""Names that are bound anew in each iteration, and a value that outlives the loop."""

import numpy as np


def oscillators(n: int, steps: int, dt: float):
    x = np.linspace(0.0, 1.0, n)
    v = np.zeros(n)
    pull = np.zeros(n - 2)
    for _ in range(steps):
        pull = x[:-2] - 2 * x[1:-1] + x[2:]
        v = v - dt * x * np.abs(x)
        v[1:-1] += dt * pull
        x = x + dt * v
    return x, v, pull


def cases():
    for steps in (1, 2, 3, 257):
        yield "oscillators", (20, steps, 0.1)
