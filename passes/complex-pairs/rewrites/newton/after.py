"""Newton's fractal of z**3 - 1: division, a tolerance on the step, several masks, one of them carried."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"scalar_int64": "int64"},
    constants={"tol": "float64"},
    bounds={"tol": (3.054936363499605e-151, 6.703903964971299e+153)},
    state={"z": npr.pair("float64"), "steps": "int64"},
    carried={"moving": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _newton_step(scalar_int64, tol, z_re, z_im, steps, moving):
    """One iteration of the loop over `n` in `newton`."""
    t_re, t_im = npr.power(z_re, z_im, 3)
    t_1_re, t_1_im = t_re - 1, t_im
    t_2_re, t_2_im = z_re * z_re - z_im * z_im, z_re * z_im + z_im * z_re
    t_3_re, t_3_im = 3 * t_2_re - 0.0 * t_2_im, 3 * t_2_im + 0.0 * t_2_re
    dz_re, dz_im = npr.divide(t_1_re, t_1_im, t_3_re, t_3_im)
    close = dz_re * dz_re + dz_im * dz_im < tol * tol
    z_re, z_im = np.where(moving, z_re - dz_re, z_re), np.where(moving, z_im - dz_im, z_im)
    steps = np.where(moving & ~close, scalar_int64, steps)
    moving = moving & ~close
    return z_re, z_im, steps, moving


def newton(width: int, height: int, maxiter: int, tol: float = 1e-6):
    x = np.linspace(-2, 2, width)
    y = np.linspace(-2, 2, height)
    z = x + 1j * y[:, None]
    steps = np.zeros(z.shape, dtype=np.int64)
    moving = np.ones(z.shape, dtype=bool)
    for n in (loop := _newton_step.over(
        range(maxiter),
        scalars=lambda n: (n + 1,),
        tol=tol,
        z=z,
        steps=steps,
        moving=moving,
    )):
        dz = (z**3 - 1) / (3 * z**2)
        close = np.abs(dz) < tol
        z[moving] = z[moving] - dz[moving]
        steps[moving & ~close] = n + 1
        moving = moving & ~close
    if loop.finished:
        (moving,) = loop.results
    root = np.zeros(z.shape, dtype=np.int8)
    root[...] = np.where(np.abs(z - 1) < 0.1, 1, root)
    root[...] = np.where(np.abs(z - np.exp(2j * np.pi / 3)) < 0.1, 2, root)
    root[...] = np.where(np.abs(z - np.exp(-2j * np.pi / 3)) < 0.1, 3, root)
    return z, root, steps, moving


def cases():
    for maxiter in (30, 16, 9, 8, 7, 1, 0):
        yield "newton", (24, 18, maxiter)
    yield "newton", (5, 5, 12)
    yield "newton", (24, 18, 12, 0.0)
    yield "newton", (24, 18, 12, -1.0)
    yield "newton", (24, 18, 12, 1e-200)
    yield "newton", (1, 1, 12)
    yield "newton", (0, 3, 12)
