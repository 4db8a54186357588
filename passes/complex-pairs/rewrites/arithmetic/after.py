"""+ - * / by complex arrays, real arrays and Python numbers, conjugate, abs, real and imaginary part.

Hazards: 2.division, 2.fused
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"r": "float64", "w": npr.pair("float64")},
    state={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _mix_step(r, w_re, w_im, z_re, z_im):
    """One iteration of the loop over `n` in `mix`."""
    t_re, t_im = z_re, -z_im
    a_re, a_im = (
        z_re * w_re - z_im * w_im - (t_re * 0.5 - t_im * 0.0) + r,
        z_re * w_im + z_im * w_re - (t_re * 0.0 + t_im * 0.5) + 0.0,
    )
    t_1_re, t_1_im = w_re + 3, w_im + 0.0
    t_2_re, t_2_im = npr.divide(a_re, a_im, t_1_re, t_1_im)
    b_re, b_im = (
        t_2_re + (0.0 * w_im - 1.0 * 0.0) - 2 * z_re,
        t_2_im + (0.0 * 0.0 + 1.0 * w_im),
    )
    size = np.hypot(b_re, b_im) + 1.0
    t_3_re, t_3_im = npr.divide(b_re, b_im, size, np.full_like(b_re, 0.0))
    t_4_re, t_4_im = -z_re, --z_im
    t_5_re, t_5_im = 0.25 - 0.0, 0.0 - 0.5
    t_6_re, t_6_im = t_3_re + (t_4_re + t_4_im * 0.0) / 4 + (w_re * t_5_re - w_im * t_5_im), t_3_im + (t_4_im - t_4_re * 0.0) / 4 + (w_re * t_5_im + w_im * t_5_re)
    z_re[...], z_im[...] = t_6_re * r - t_6_im * 0.0, t_6_re * 0.0 + t_6_im * r
    return z_re, z_im


def mix(z: npt.NDArray[np.complex128], w: npt.NDArray[np.complex128], r: npt.NDArray[np.float64], trips: int):
    for n in _mix_step.over(range(trips), r=r, w=w, z=z):
        a = z * w - np.conj(z) * 0.5 + r
        b = a / (w + 3) + 1j * w.imag - 2 * z.real
        size = np.abs(b) + 1.0
        z[...] = (b / size + (-z).conj() / 4 + +w * (0.25 - 0.5j)) * r
    return z


@npr.step(
    counter="n",
    inputs={"w": npr.pair("float32")},
    carried={"z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _quotient_step(w_re, w_im, z_re, z_im):
    """One iteration of the loop over `n` in `quotient`."""
    z_re, z_im = npr.divide(z_re, z_im, w_re, w_im)
    return z_re, z_im


def quotient(z: npt.NDArray[np.complex64], w: npt.NDArray[np.complex64], trips: int):
    for n in (loop := _quotient_step.over(range(trips), w=w, z=z)):
        z = z / w
    if loop.finished:
        (z,) = loop.results
    return z


@npr.step(
    counter="n",
    carried={"z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _inverse_step(z_re, z_im):
    """One iteration of the loop over `n` in `inverse`."""
    z_re, z_im = npr.divide(np.full_like(z_re, 1), np.full_like(z_re, 0.0), z_re, z_im)
    return z_re, z_im


def inverse(z: npt.NDArray[np.complex64], trips: int):
    for n in (loop_1 := _inverse_step.over(range(trips), z=z)):
        z = 1 / z
    if loop_1.finished:
        (z,) = loop_1.results
    return z


def parts():
    return np.linspace(-1, 1, 9), np.linspace(2, -0.5, 9)


def cases():
    u, v = parts()
    for trips in (9, 16, 8, 1, 0):
        yield "mix", (u + 1j * v, v - 0.3j * u, u.copy(), trips)
    yield "mix", ((u + 1j * v)[::-1], (v - 0.3j * u), u[::-1], 9)
    shared = u + 1j * v
    yield "mix", (shared, shared, u.copy(), 9)
    yield "mix", (shared.copy(), v + 0j, v.astype(np.float32), 9)
    big = np.complex64([1e30 + 1e30j, 1e-30 + 1e-30j, 3e38, 1e38j, 1 + 2j, -3e38 + 3e38j])
    small = np.complex64([1e30 - 1e30j, 1e-30 + 2e-30j, 2 + 2j, 1e38 + 1e38j, 1e-20 + 1e20j, 3e38 + 3e38j])
    yield "quotient", (big, small, 1)
    yield "quotient", (big, small, 2)
    yield "quotient", (np.complex64([1, 1j, 0, np.nan]), np.complex64([0, 0, 0, 1]), 1)
    yield "quotient", (np.complex64([1, 1j, 2, np.inf]), np.complex64([np.inf, 1j * np.inf, 3, 1]), 1)
    yield "inverse", (small, 1)
    yield "inverse", (small, 9)
    yield "inverse", (np.zeros(0, dtype=np.complex64), 9)
