"""An index outside of the table raises in the middle of the loop, after part of the state was stored.

Hazards: 3.exception, 1.look-up
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"table": "float64"},
    state={"k": "int64"},
    carried={"x": "float64"},
    picks=True,
    compile=True,
)
def _climb_step(table, k, x):
    """One iteration of the loop over `n` in `climb`."""
    x = table[k] + x
    k += 1
    return k, x


def climb(table: npt.NDArray[np.float64], k: npt.NDArray[np.int64], trips: int):
    x = np.zeros(k.shape)
    for n in (loop := _climb_step.over(range(trips), table=table, k=k, x=x)):
        x = table[k] + x
        k += 1
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    yield "climb", (np.arange(9.0), np.array([0, 1, 2]), 4)
    yield "climb", (np.arange(3.0), np.array([0, 1, 2]), 4), IndexError
