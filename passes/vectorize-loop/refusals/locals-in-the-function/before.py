"""locals() sees the loop variable and every number of the loop."""

import numpy as np
import numpy.typing as npt


def seen(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i]
    return y, sorted(locals())


def cases():
    yield "seen", (np.arange(3.0),)
