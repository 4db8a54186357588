"""The last version of the torch.compile tutorial on this program, the one that it reaches by hand.

Complex numbers as a trailing axis of 2, ten iterations a call, the counter as a Python int. The iterations
left over when ``maxiter`` is no multiple of ten are not run, as in the tutorial.
"""

import numpy as np
import torch


def abs2(a):
    """abs(a)**2 of complex numbers held as a trailing axis of 2."""
    return a[..., 0] ** 2 + a[..., 1] ** 2


def sq2(a):
    """a**2 of complex numbers held as a trailing axis of 2."""
    z = np.empty_like(a)
    z[..., 0] = a[..., 0] ** 2 - a[..., 1] ** 2
    z[..., 1] = 2 * a[..., 0] * a[..., 1]
    return z


@torch.compile(dynamic=True)
def step_4(n0, c, Z, N, horizon, chunksize):
    for j in range(chunksize):
        n = n0 + j
        I = abs2(Z) < horizon**2
        N = np.where(I, n, N)
        Z = np.where(I[..., None], sq2(Z) + c, Z)
    return Z, N


def mandelbrot_4(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    x = np.linspace(xmin, xmax, xn, dtype="float32")
    y = np.linspace(ymin, ymax, yn, dtype="float32")
    c = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)

    N = np.zeros(c.shape[:-1], dtype="int")
    Z = np.zeros_like(c, dtype="float32")

    chunksize = 10
    n_chunks = maxiter // chunksize
    for i_chunk in range(n_chunks):
        n0 = i_chunk * chunksize
        Z, N = step_4(n0, c, Z, N, horizon, chunksize)

    N = np.where(N == maxiter - 1, 0, N)
    return Z, N
