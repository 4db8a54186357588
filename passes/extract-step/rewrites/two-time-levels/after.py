"""The next state from the last two: names move on, and no array is stored into."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    constants={"c": "float64"},
    carried={"before": "float64", "now": "float64"},
    ranks={"before": 1, "now": 1},
    compile=True,
)
def _wave_step(c, before, now):
    """One iteration of the loop over `_` in `wave`."""
    after = 2 * now - before + c * (np.roll(now, 1) - 2 * now + np.roll(now, -1))
    before = now
    now = after
    return before, now


def wave(size: int, trips: int, c: float):
    before = np.zeros(size)
    now = np.exp(-((np.arange(size) - size / 2) ** 2))
    for _ in (loop := _wave_step.over(range(trips), c=c, before=before, now=now)):
        after = 2 * now - before + c * (np.roll(now, 1) - 2 * now + np.roll(now, -1))
        before = now
        now = after
    if loop.finished:
        (before, now) = loop.results
    return now


@npr.step(
    counter="n",
    carried={"x": "float64", "last": "float64"},
    compile=True,
)
def _damped_step(x, last):
    """One iteration of the loop over `n` in `damped`."""
    last, x = x, 1.9 * x - 0.95 * last + np.cumsum(x) * 0.001
    return x, last


def damped(x: npt.NDArray[np.float64], trips: int):
    last = x * 0.5
    for n in (loop_1 := _damped_step.over(range(trips), x=x, last=last)):
        last, x = x, 1.9 * x - 0.95 * last + np.cumsum(x) * 0.001
    if loop_1.finished:
        (x, last) = loop_1.results
    return x


def cases():
    for trips in (9, 1, 0):
        yield "wave", (16, trips, 0.2)
        yield "damped", (np.arange(6.0), trips)
    yield "wave", (1, 3, 0.2)
    yield "damped", (np.arange(6.0).reshape(2, 3), 3), ValueError
