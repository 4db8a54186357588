"""Time is added up while some is left: floats round at each sum, and the last step is shorter."""

import numpy as np


def oscillate(size: int, dt: float, end: float):
    x = np.linspace(0, 1, size)
    v = np.zeros(size)
    t, steps = 0.0, 0
    while t < end:
        h = min(dt, end - t)
        v = v - h * x
        x = x + h * (v + np.sin(t))
        t += h
        steps += 1
    return x, v, t, steps


def cases():
    yield "oscillate", (5, 0.1, 1.0)
    yield "oscillate", (5, 0.3, 1.0)
    yield "oscillate", (5, 0.3, 0.0)
    yield "oscillate", (5, 0.25, float("nan"))
