"""Tolerances relative to the data that float32 can reach, and errors that start as Python's numbers."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


def _solved_trips(error, limit):
    """The numbers of each iteration of the loop in `solved`."""
    while error > limit:
        (error,) = yield ()
    return ()


@npr.step(
    inputs={"b": "float32", "A": "float32"},
    carried={"x": "float32"},
    out={"error": "float32"},
    received=("error",),
    ranks={"b": 1, "A": 2, "x": 1},
    grows=True,
    compile=True,
)
def _solved_step(b, A, x):
    """One iteration of the loop in `solved`."""
    r = b - A @ x
    x = x + 0.5 * r
    error = np.linalg.norm(r)
    return x, error


@npr.step(
    sizes=("n",),
    inputs={"b": "float32"},
    out={"x": "float32", "limit": "float32"},
    ranks={"b": 1},
    once=True,
    compile=True,
)
def _solved_region(n, b):
    """Lines of `solved`."""
    x = np.zeros(n, dtype=np.float32)
    limit = 1e-8 + 1e-5 * np.linalg.norm(b)
    return x, limit


@nprewrite.jit(level="fast", precision="float32")
def solved(n: int):
    A, b = np.eye(n, dtype=np.float32) + 0.01, np.linspace(0, 1, n, dtype=np.float32)
    for once_1 in (region := _solved_region.over(range(1), n=n, b=b)):
        x = np.zeros(n, dtype=np.float32)
        limit = 1e-8 + 1e-5 * np.linalg.norm(b)
    if region.finished:
        (x, limit) = region.results
    del region
    error = np.float32(np.inf)
    for once in (loop := _solved_step.over(_solved_trips(error, limit), b=b, A=A, x=x)):
        while error > limit:
            r = b - A @ x
            x = x + 0.5 * r
            error = np.linalg.norm(r)
    if loop.finished:
        (x, error) = loop.results
    return x


@nprewrite.jit(level="fast", precision="float32")
def settled(n: int):
    x = np.linspace(0, 1, n)
    change, steps = 1.0, 0
    while change > 1e-5:
        y = np.cos(x)
        change = np.abs(y - x).max()
        x = y
        steps += 1
    return x, steps > 10


def cases():
    for n in (2, 12):
        yield "solved", (n,)
        yield "settled", (n,)
