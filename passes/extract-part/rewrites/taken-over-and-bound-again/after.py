"""A name that takes over another one's array and is bound anew in the same iteration."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    carried={"v": "float64", "u": "float64"},
    once=True,
    compile=True,
)
def _wave_step(v, u):
    """The array statements of an iteration of the loop in `wave`."""
    u, v = v, 0.5 * v - 0.25 * u + 0.1 * v * v
    u = 0.25 * u + np.sin(v)
    return v, u


def wave(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64], trips: int):
    u, v = u * 1.0, v * 1.0
    snapshots = []
    with _wave_step.running(v=v, u=u) as run:
        for n in range(trips):
            if run.advance():
                (v, u) = run.results
            else:
                u, v = v, 0.5 * v - 0.25 * u + 0.1 * v * v
                u = 0.25 * u + np.sin(v)
            snapshots.append(n)
    return v, snapshots


def cases():
    for trips in (0, 1, 4):
        yield "wave", (np.linspace(-1.0, 2.0, 7), np.linspace(1.0, 0.0, 7), trips)
