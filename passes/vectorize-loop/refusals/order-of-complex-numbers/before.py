"""Which of two complex numbers is greater NumPy's scalars and arrays say differently where a part is nan."""

import numpy as np
import numpy.typing as npt


def larger(out: npt.NDArray[np.int64], z: npt.NDArray[np.complex128], x: npt.NDArray[np.float64]):
    for i in range(len(out)):
        out[i] += z[i] > x[i]
    return out


def cases():
    z = np.array([1.0, complex(np.inf, np.nan), complex(2.0, np.nan), 0.5j])
    yield "larger", (np.zeros(4, np.int64), z, np.ones(4))
