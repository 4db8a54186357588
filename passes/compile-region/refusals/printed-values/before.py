"""What is printed is needed there and then."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def show(x: npt.NDArray[np.float64]):
    print(x * 2)
    return x


def cases():
    yield "show", (np.arange(3.0),)
