"""After the loop it is one complex array again: .T, sum(-1), reshape(-1), len, size, [..., 0].

Hazards: 2.layout
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"W": npr.pair("float64")},
    state={"Z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _spin_step(W_re, W_im, Z_re, Z_im):
    """One iteration of the loop over `_` in `spin`."""
    t_re, t_im = Z_re.astype(np.float64), Z_im.astype(np.float64)
    Z_re[...], Z_im[...] = (
        (t_re * W_re - t_im * W_im + 0.0).astype(np.float32),
        (t_re * W_im + t_im * W_re + 1.0).astype(np.float32),
    )
    return Z_re, Z_im


def spin(rows: int, columns: int, trips: int):
    Z = np.ones((rows, columns), dtype=np.complex64)
    W = np.arange(rows * columns).reshape(rows, columns) * (0.01 + 0.02j)
    for _ in _spin_step.over(range(trips), W=W, Z=Z):
        Z[...] = Z * W + 1j
    return Z.T, Z.sum(-1), Z.reshape(-1), len(Z), Z.size, Z[..., 0], Z.nbytes, Z.dtype.name, Z.ndim, Z.shape


def cases():
    for trips in (9, 8, 1, 0):
        yield "spin", (3, 4, trips)
    yield "spin", (1, 1, 9)
    yield "spin", (0, 4, 9)
