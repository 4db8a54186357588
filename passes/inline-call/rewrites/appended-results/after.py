"""The list of which a method is called is looked at before the function runs."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def moved(x, v, dt):
    x += dt * v
    v *= 0.5
    return 0.5 * (v * v).sum(), x.max()


@npr.step(
    state={"moved_v": "float64", "moved_x": "float64"},
    out={"value": "float64"},
    once=True,
    compile=True,
)
def _logged_region(moved_v, moved_x):
    """Lines of `logged`."""
    moved_x += 0.01 * moved_v
    moved_v *= 0.5
    value = 0.5 * (moved_v * moved_v).sum()
    return moved_v, moved_x, value


@nprewrite.jit
def logged(x: npt.NDArray[np.float64], v: npt.NDArray[np.float64], steps: int):
    log = []
    for n in range(steps):
        log_append = log.append
        moved_x = x
        moved_v = v
        for once in (region := _logged_region.over(range(1), moved_v=moved_v, moved_x=moved_x)):
            moved_x += 0.01 * moved_v
            moved_v *= 0.5
            value = 0.5 * (moved_v * moved_v).sum()
        del moved_v
        if region.finished:
            (value,) = region.results
        del region
        moved_value = (value, moved_x.max())
        del moved_x, value
        log_append(moved_value)
        del log_append, moved_value
    return log


def cases():
    for size, steps in ((5, 3), (1, 2), (6, 0)):
        x = np.arange(float(size))
        yield "logged", (x, x[::-1].copy(), steps)
