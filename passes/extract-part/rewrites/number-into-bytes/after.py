"""A single number for which the store may raise is stored between the iterations of the step.

Hazards: 5.number
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    state={"x": "float64", "codes": "int64"},
    once=True,
    compile=True,
)
def _pressed_step(x, codes):
    """The array statements of an iteration of the loop in `pressed`."""
    x[1:-1] = x[1:-1] + 0.25 * (x[2:] - 2 * x[1:-1] + x[:-2])
    x[1:-1] = x[1:-1] * 0.5 + 1.0
    codes[1:] = codes[1:] * 2 + 1
    return x, codes


def pressed(x: npt.NDArray[np.float64], codes: npt.NDArray[np.int64], trips: int):
    seen = np.zeros(4, np.int8)
    with _pressed_step.running(x=x, codes=codes) as run:
        for n in range(trips):
            if not run.advance():
                x[1:-1] = x[1:-1] + 0.25 * (x[2:] - 2 * x[1:-1] + x[:-2])
                x[1:-1] = x[1:-1] * 0.5 + 1.0
                codes[1:] = codes[1:] * 2 + 1
            run.store()
            seen[1:] = codes[1]
    return x, seen


def cases():
    yield "pressed", (np.linspace(0, 1, 6), np.array([0, 3, 0]), 4)
    yield "pressed", (np.linspace(0, 1, 6), np.array([0, 3, 0]), 9), OverflowError
