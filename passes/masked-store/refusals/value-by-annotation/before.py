"""An array of another dtype passes the annotation: the sum in place raises, which a store of a select does not.

Hazards: 1.17
"""

import numpy as np
import numpy.typing as npt


def counted(k: npt.NDArray[np.int64]):
    count = np.full(k.shape, 1, dtype=np.int64)
    count[count != 2] += k[count != 2] & 15
    count[count != 2] -= np.sign(k[count != 2])
    return count


def cases():
    yield "counted", (np.arange(6),)
    yield "counted", (np.arange(6.0),), TypeError
