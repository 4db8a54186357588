"""Small integers wrap around; a mask of booleans goes from one iteration to the next."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"cells": "uint8", "odd": "bool"},
    ranks={"cells": 1, "odd": 1},
    looped=True,
    compile=True,
)
def _counted_step(cells, odd):
    """One iteration of the loop over `_` in `counted`."""
    cells[1:] += cells[:-1]
    odd[1:-1] = odd[:-2] ^ (cells[2:] > 100)
    return cells, odd


def counted(n: int, steps: int):
    cells = np.arange(n, dtype=np.uint8)
    odd = np.zeros(n, dtype=bool)
    for _ in _counted_step.over(range(steps), cells=cells, odd=odd):
        cells[1:] += cells[:-1]
        odd[1:-1] = odd[:-2] ^ (cells[2:] > 100)
    return cells, odd


def cases():
    for steps in (1, 2, 300):
        yield "counted", (50, steps)
