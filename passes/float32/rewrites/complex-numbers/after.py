"""complex128 becomes complex64."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"t": "float32"},
    out={"z": npr.pair("float32")},
    once=True,
    compile=True,
)
def _spiral_region(t):
    """Lines of `spiral`."""
    t_1_re, t_1_im = npr.exp(0.0 * t - 1.0 * 0.0, 0.0 * 0.0 + 1.0 * t)
    z_re, z_im = t_1_re * t - t_1_im * 0.0, t_1_re * 0.0 + t_1_im * t
    return z_re, z_im


@nprewrite.jit(level="fast", precision="float32")
def spiral(n: int):
    t = np.linspace(0, 6, n, dtype=np.float32)
    for once in (region := _spiral_region.over(range(1), t=t)):
        z = np.exp(1j * t) * t
    if region.finished:
        (z,) = region.results
    del region
    w = np.zeros(n, dtype=np.complex64)
    w[::2] = z[::2]
    abs_value = np.abs(z)
    z_real = z.real
    sum_value = np.sum(z, dtype=np.complex128)
    return z, w, abs_value, z_real, sum_value.astype(np.complex64)


def cases():
    for n in (1, 9, 40):
        yield "spiral", (n,)
