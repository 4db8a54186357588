"""Every operation needs the complex array itself, which torch.compile does not fuse."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def roots(z: npt.NDArray[np.complex128]):
    return np.sqrt(np.sqrt(z))


def cases():
    yield "roots", (np.array([1j, -1.0]),)
