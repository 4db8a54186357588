"""What arrives is not what the annotation says: subclasses, other dtypes, read-only arrays and lists run as written.

Hazards: 1.17, 1.2
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _relax_step(x):
    """One iteration of the loop over `_` in `relax`."""
    m = x > 1.0
    x = np.where(m, x * 0.5, x)
    return x, m


def relax(x: npt.NDArray[np.float64], trips: int):
    for _ in _relax_step.over(range(trips), x=x):
        m = x > 1.0
        x[m] *= 0.5
    return x


def cases():
    row = [0.5, 4.0, -3.0, 100.0]
    yield "relax", (np.array(row), 9)
    yield "relax", (np.ma.masked_array(row, mask=[0, 0, 0, 1]), 9)
    yield "relax", (np.matrix([row, row]), 9), TypeError
    yield "relax", (np.array(row, dtype=np.float32), 9)
    yield "relax", (np.array(row, dtype=np.longdouble), 9)
    yield "relax", (np.array(row, dtype=object), 9)
    yield "relax", (np.array(row, dtype=np.complex128), 9)
    yield "relax", (np.array(row, dtype=">f8"), 9)
    yield "relax", (np.array([5, 7]), 9), TypeError
    yield "relax", (np.array(["a", "b"]), 9), TypeError
    yield "relax", (row, 9), TypeError
    yield "relax", (2.0, 9), TypeError
    locked = np.array(row)
    locked.flags.writeable = False
    yield "relax", (locked, 9), ValueError
    locked = np.array(row)
    locked.flags.writeable = False
    yield "relax", (locked, 0)
    yield "relax", (np.broadcast_to(np.array(4.0), (3,)), 9), ValueError
    yield "relax", (np.lib.stride_tricks.as_strided(np.full(3, 64.0), (2, 2), (8, 8)), 3)
    yield "relax", (np.frombuffer(bytearray(32), dtype=np.float64), 9)
