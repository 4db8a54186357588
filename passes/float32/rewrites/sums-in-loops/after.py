"""A number that a loop adds to is kept in float64, like the accumulator of a sum."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    carried={"x": "float32"},
    once=True,
    compile=True,
)
def _work_region(x):
    """Lines of `work`."""
    x = np.cos(x)
    return (x,)


@nprewrite.jit(level="fast", precision="float32")
def work(n: int, steps: int):
    x, done = np.linspace(0, 1, n, dtype=np.float32), np.float64(0.0)
    for _ in range(steps):
        for once in (region := _work_region.over(range(1), x=x)):
            x = np.cos(x)
        if region.finished:
            (x,) = region.results
        del region
        done += x.sum(dtype=np.float64).astype(np.float32) / n
        done += x[0]
    return x * done.astype(np.float32), done.astype(np.float32)


def cases():
    for n, steps in ((2, 1), (9, 30)):
        yield "work", (n, steps)
