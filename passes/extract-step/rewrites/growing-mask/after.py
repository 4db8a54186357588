"""The mask reads an array that changes outside of it: lanes come back, so that the loop must not stop early.

Hazards: 3.idempotent
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"level": "float64", "dry": "int64"},
    carried={"phase": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _tide_step(n, level, dry, phase):
    """One iteration of the loop over `n` in `tide`."""
    m = level > 0.5
    dry = np.where(m, n, dry)
    level = np.where(m, level - 1.0, level)
    phase = phase + 0.25
    level += 0.1 * phase
    return level, dry, phase


def tide(size: int, trips: int):
    level = np.linspace(-1, 1, size)
    dry = np.zeros(size, dtype=np.int64)
    phase = np.linspace(0, 3, size)
    for n in (loop := _tide_step.over(range(trips), level=level, dry=dry, phase=phase)):
        m = level > 0.5
        dry[m] = n
        level[m] = level[m] - 1.0
        phase = phase + 0.25
        level += 0.1 * phase
    if loop.finished:
        (phase,) = loop.results
    return level, dry, phase


@npr.step(
    counter="n",
    state={"x": "float64", "hits": "int64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _awake_step(x, hits):
    """One iteration of the loop over `n` in `awake`."""
    m = x > 3
    hits = np.where(m, hits + 1, hits)
    x += 0.5
    return x, hits


def awake(size: int, trips: int):
    x = np.zeros(size)
    hits = np.zeros(size, dtype=np.int64)
    for n in _awake_step.over(range(trips), x=x, hits=hits):
        m = x > 3
        hits[m] += 1
        x += 0.5
    return x, hits


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"x": "int64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _from_the_counter_step(n, x):
    """One iteration of the loop over `n` in `from_the_counter`."""
    m = x < n
    x = np.where(m, x + 3, x)
    return (x,)


def from_the_counter(size: int, trips: int):
    x = np.arange(size)
    for n in _from_the_counter_step.over(range(trips), x=x):
        m = x < n
        x[m] = x[m] + 3
    return x


def cases():
    for trips in (203, 40, 16, 9, 8, 7, 1, 0):
        yield "tide", (21, trips)
        yield "awake", (5, trips)
        yield "from_the_counter", (30, trips)
    yield "tide", (0, 9)
    yield "awake", (30_000, 20)
    yield "from_the_counter", (30_000, 20)
