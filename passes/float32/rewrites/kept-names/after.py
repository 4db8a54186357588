"""What is computed for the names that the user gives is computed as written."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32", keep_float64=["clock", "history"])
def decay(n: int, steps: int):
    u = np.linspace(1, 2, n, dtype=np.float32)
    clock = np.float64(0.1) + 0.2
    history = np.zeros(steps)
    for step in range(steps):
        u = u * 0.9
        history[step] = u.astype(np.float64).sum() * clock
    float32_value = np.float32(clock)
    return u * float32_value, history, clock


def cases():
    for n, steps in ((3, 2), (10, 7)):
        yield "decay", (n, steps)
