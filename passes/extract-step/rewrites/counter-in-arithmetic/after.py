"""The counter is a Python integer: weak beside arrays, and it must not wrap where Python's would not.

Hazards: 3.counter-wraps, 3.box-dtype
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n_float32": "float32", "n_int8": "int8"},
    inputs={"x": "float32"},
    state={"age": "int8"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _ages_step(n_float32, n_int8, x, age):
    """One iteration of the loop over `n` in `ages`."""
    old = x > n_float32
    age = np.where(old, n_int8, age)
    return (age,)


def ages(size: int, trips: int):
    age = np.zeros(size, dtype=np.int8)
    x = np.linspace(0, 50, size, dtype=np.float32)
    for n in _ages_step.over(range(trips), scalars=lambda n: (n, n), x=x, age=age):
        old = x > n
        age[old] = n
    return age


@npr.step(
    counter="n",
    scalars={"scalar_float32": "float32"},
    carried={"x": "float32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _ramp_step(scalar_float32, x):
    """One iteration of the loop over `n` in `ramp`."""
    x = x * 0.5 + scalar_float32
    return (x,)


def ramp(size: int, trips: int, dt: float = 0.1):
    x = np.zeros(size, dtype=np.float32)
    for n in (loop := _ramp_step.over(range(trips), scalars=lambda n: (n * dt,), x=x)):
        x = x * 0.5 + n * dt
    if loop.finished:
        (x,) = loop.results
    return x


@npr.step(
    counter="n",
    scalars={"scalar_float64": "float64", "scalar_float64_1": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _decay_step(scalar_float64, scalar_float64_1, x):
    """One iteration of the loop over `n` in `decay`."""
    x = x / scalar_float64 + scalar_float64_1
    return (x,)


def decay(size: int, trips: int):
    x = np.ones(size)
    for n in (loop_1 := _decay_step.over(range(trips), scalars=lambda n: (n + 1, n / 7), x=x)):
        x = x / (n + 1) + n / 7
    if loop_1.finished:
        (x,) = loop_1.results
    return x


@npr.step(
    counter="n",
    scalars={"scalar_float64_2": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _huge_step(scalar_float64_2, x):
    """One iteration of the loop over `n` in `huge`."""
    x = x * 0.5 + scalar_float64_2
    return (x,)


def huge(size: int, trips: int):
    x = np.zeros(size)
    for n in (loop_2 := _huge_step.over(range(trips), scalars=lambda n: (1.0 / (n ** 30 + 1),), x=x)):
        x = x * 0.5 + 1.0 / (n**30 + 1)
    if loop_2.finished:
        (x,) = loop_2.results
    return x


@npr.step(
    counter="n",
    scalars={"scalar_int64": "int64"},
    carried={"k": "int64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _cubes_step(scalar_int64, k):
    """One iteration of the loop over `n` in `cubes`."""
    k = k + scalar_int64
    return (k,)


def cubes(size: int, start: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    for n in (loop_3 := _cubes_step.over(
        range(start, start + trips),
        scalars=lambda n: (n * n * n,),
        k=k,
    )):
        k = k + n * n * n
    if loop_3.finished:
        (k,) = loop_3.results
    return k


def cases():
    yield "ages", (60, 100)
    yield "ages", (60, 128)
    yield "ages", (60, 129), OverflowError
    yield "ages", (60, 203), OverflowError
    yield "ages", (0, 203), OverflowError
    for trips in (203, 9, 8, 1, 0):
        yield "ramp", (5, trips)
        yield "decay", (5, trips)
        yield "huge", (5, trips)
        yield "cubes", (5, 0, trips)
    yield "ramp", (5, 9, 1)
    yield "ramp", (5, 9, np.float64(0.1))
    yield "ramp", (5, 9, 1e39)
    yield "cubes", (5, 2_097_140, 9)
    yield "cubes", (5, 2_097_140, 20), OverflowError
    yield "cubes", (5, -2_097_160, 5), OverflowError
