"""Real values computed from the parts of a complex array, and a real array changed by a complex comparison."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="i",
    scalars={"i": "int32"},
    inputs={"c": npr.pair("float64")},
    state={"z": npr.pair("float64"), "alive": "bool", "count": "int32"},
    lanewise=True,
    chunked=True,
    live="alive",
    compile=True,
)
def _ship_step(i, c_re, c_im, z_re, z_im, alive, count):
    """One iteration of the loop over `i` in `ship`."""
    across, up = np.abs(z_re), np.abs(z_im)
    t_re, t_im = across + (0.0 * up - 1.0 * 0.0), 0.0 + (0.0 * 0.0 + 1.0 * up)
    z_re, z_im = (
        np.where(alive, t_re * t_re - t_im * t_im + c_re, z_re),
        np.where(alive, t_re * t_im + t_im * t_re + c_im, z_im),
    )
    alive &= z_re * z_re + z_im * z_im < 16.0
    count = np.where(alive, i, count)
    return z_re, z_im, alive, count, alive


def ship(width: int, maxiter: int):
    x = np.linspace(-1.9, 0.9, width)
    c = x + 0.7j * x[:, None]
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=np.int32)
    alive = np.ones(c.shape, dtype=bool)
    for i in _ship_step.over(range(maxiter), c=c, z=z, alive=alive, count=count):
        across, up = np.abs(z.real), np.abs(np.imag(z))
        z[alive] = (across[alive] + 1j * up[alive]) ** 2 + c[alive]
        alive &= np.abs(z) < 4
        count[alive] = i
    return z, count, alive


@npr.step(
    counter="n",
    state={"total": "float64", "odd": "bool"},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _measures_step(total, odd, z_re, z_im):
    """One iteration of the loop over `n` in `measures`."""
    t_re, t_im = 0.9 + 0.0, 0.1
    z_re, z_im = z_re * t_re - z_im * t_im, z_re * t_im + z_im * t_re
    total += np.abs(z_re) + np.sqrt(np.hypot(z_re, z_im)) - total.real * 0.5 + total.imag
    total -= np.isnan(z_im) * 1.0
    odd |= np.isnan(z_re) | np.isnan(z_im) | ~np.isfinite(total)
    odd ^= z_re > z_im
    return total, odd, z_re, z_im


def measures(size: int, trips: int):
    z = np.linspace(-1, 1, size) * (1 + 0.5j)
    total = np.zeros(size)
    odd = np.zeros(size, dtype=bool)
    for n in (loop := _measures_step.over(range(trips), total=total, odd=odd, z=z)):
        z = z * (0.9 + 0.1j)
        total += np.abs(z.real) + np.sqrt(np.abs(z)) - total.real * 0.5 + total.imag
        total -= np.isnan(z.imag) * 1.0
        odd |= np.isnan(z) | ~np.isfinite(total)
        odd ^= z.real > z.imag
    if loop.finished:
        (z,) = loop.results
    return z, total, odd


def cases():
    for maxiter in (0, 1, 7, 8, 9, 17):
        yield "ship", (23, maxiter)
        yield "measures", (11, maxiter)
    yield "ship", (0, 5)
    yield "measures", (1, 5)
