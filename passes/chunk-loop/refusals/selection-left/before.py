"""With NPR101 left out a selection stays in the step, whose length depends on the data."""

import numpy as np
import numpy.typing as npt


def cut(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x[x > 1] = x[x > 1] * 0.5
    return x


def cases():
    yield "cut", (np.linspace(-9, 9, 5), 9)
