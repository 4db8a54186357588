"""Time is added up while some is left: floats round at each sum, and the last step is shorter."""

import numpy as np
import nprewrite.runtime as npr


def _oscillate_trips(t, end, dt, steps):
    """The numbers of each iteration of the loop in `oscillate`."""
    while t < end:
        h = min(dt, end - t)
        yield (h, np.sin(t))
        t += h
        steps += 1
    return (t, steps)


@npr.step(
    scalars={"h": "float64", "scalar_float64": npr.scalar("float64")},
    carried={"v": "float64", "x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _oscillate_step(h, scalar_float64, v, x):
    """One iteration of the loop in `oscillate`."""
    v = v - h * x
    x = x + h * (v + scalar_float64)
    return v, x


def oscillate(size: int, dt: float, end: float):
    x = np.linspace(0, 1, size)
    v = np.zeros(size)
    t, steps = 0.0, 0
    for once in (loop := _oscillate_step.over(_oscillate_trips(t, end, dt, steps), v=v, x=x)):
        while t < end:
            h = min(dt, end - t)
            v = v - h * x
            x = x + h * (v + np.sin(t))
            t += h
            steps += 1
    if loop.finished:
        (t, steps) = loop.numbers
        (v, x) = loop.results
    return x, v, t, steps


def cases():
    yield "oscillate", (5, 0.1, 1.0)
    yield "oscillate", (5, 0.3, 1.0)
    yield "oscillate", (5, 0.3, 0.0)
    yield "oscillate", (5, 0.25, float("nan"))
