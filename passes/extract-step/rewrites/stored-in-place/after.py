"""In-place operators and full stores change the caller's array, step by step."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    scalars={"scalar_float64": "float64"},
    constants={"room": "float64"},
    state={"T": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _cool_step(scalar_float64, room, T):
    """One iteration of the loop over `_` in `cool`."""
    T -= room
    T *= scalar_float64
    T[...] = T + room
    return (T,)


def cool(T: npt.NDArray[np.float64], room: float, rate: float, trips: int):
    for _ in _cool_step.over(range(trips), scalars=lambda _: (1 - rate,), room=room, T=T):
        T -= room
        T *= 1 - rate
        T[...] = T + room
    return T


@npr.step(
    counter="n",
    scalars={"n": "int32"},
    inputs={"x": "int32"},
    state={"total": "int32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _accumulate_step(n, x, total):
    """One iteration of the loop over `n` in `accumulate`."""
    total += x * n
    total[...] = total ^ 5
    return (total,)


def accumulate(total: npt.NDArray[np.int32], x: npt.NDArray[np.int32], trips: int):
    for n in _accumulate_step.over(range(trips), x=x, total=total):
        total += x * n
        total[...] = total ^ 5
    return total


def cases():
    row = np.array([0.0, -0.0, 90.5, -2.0, np.nan, np.inf])
    for trips in (9, 203, 8, 1, 0):
        yield "cool", (row.copy(), 20.0, 0.1, trips)
        yield "accumulate", (np.arange(5, dtype=np.int32), np.arange(5, dtype=np.int32)[::-1], trips)
    yield "cool", (row.copy()[::-2], 20, 0.1, 9)
    yield "cool", (np.asfortranarray(np.outer(row, row)), 20.0, 0.1, 9)
    yield "cool", (np.array(3.0), 20.0, 0.1, 9)
    yield "cool", (np.arange(3), 20.0, 0.1, 9), TypeError
    yield "cool", (np.array([1, 2], dtype=np.float32), 20.0, 0.1, 9)
    yield "cool", (row.copy(), np.float64(20.0), 0.1, 9)
    locked = row.copy()
    locked.flags.writeable = False
    yield "cool", (locked, 20.0, 0.1, 9), ValueError
    same = np.arange(5, dtype=np.int32)
    yield "accumulate", (same, same, 9)
    yield "accumulate", (same[1:], same[:-1], 9)
    yield "accumulate", (np.full(3, 2**31 - 1, dtype=np.int32), np.ones(3, dtype=np.int32), 9)
    yield "accumulate", (np.zeros(3, dtype=np.int32), np.array([1], dtype=np.int32), 9)
