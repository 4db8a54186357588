"""The loop stores into a global through a name of its own."""

import numpy as np

HEIGHT = np.linspace(1.0, 2.0, 5)


def drain(trips: int):
    HEIGHT[:] = np.linspace(1.0, 2.0, 5)
    found = []
    for k in range(trips):
        speed = np.sqrt(9.81 * HEIGHT.max())
        level = HEIGHT
        level -= 0.1 / speed
        found.append(speed)
    return found


def cases():
    yield "drain", (4,)
    yield "drain", (0,)
