"""A lambda that calls itself."""

import numpy as np
import numpy.typing as npt

import nprewrite

halved = lambda x, times: halved(x * 0.5, times - 1) if times else x


@nprewrite.jit
def eighth(x: npt.NDArray[np.float64]):
    return halved(x, 3)


def cases():
    yield "eighth", (np.arange(4.0),)
