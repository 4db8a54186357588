"""The number has no value in the first round: its first iteration prints and changes the array before it raises."""

import numpy as np
import numpy.typing as npt


def fade(x: npt.NDArray[np.float64], rounds: int, trips: int):
    for _ in range(rounds):
        for n in range(trips):
            print(n)
            x[...] = np.exp(-x) * 0.5 + np.sqrt(np.abs(x))
            x *= factor
        factor = 0.5
    return x


def cases():
    yield "fade", (np.ones(3), 2, 0)
    yield "fade", (np.ones(3), 1, 2), UnboundLocalError
