"""Derivatives and diffusion by transforms, of all shapes, dtypes and parameters that NumPy takes."""

import numpy as np
import nprewrite.runtime as npr
import nprewrite


def slopes(u, kx, ky):
    u_hat = npr.fft.fft2(u)
    return np.real(npr.fft.ifft2(1j * kx * u_hat)), np.real(npr.fft.ifft2(1j * ky * u_hat))


@nprewrite.jit
def diffused(u, k, dt, steps):
    for _ in range(steps):
        u = npr.fft.irfftn(npr.fft.rfftn(u) * np.exp(-dt * k))
    return u


def along(u, axis, norm=None):
    return npr.fft.ifft(npr.fft.fft(u, axis=axis, norm=norm) ** 2, axis=axis)


def padded(signal, n):
    return npr.fft.rfft(signal, n), [npr.fft.fftn(each, axes=(0,)) for each in (signal, signal[::2])]


def cases():
    rng = np.random.default_rng(3)
    u = rng.random((12, 20))
    ky, kx = np.fft.fftfreq(12)[:, None], np.fft.fftfreq(20)
    yield "slopes", (u, kx, ky)
    yield "slopes", (u.T, ky.T, kx[:, None])
    yield "slopes", (u.astype(np.float32), kx, ky)
    yield "slopes", (np.where(u > 0.9, np.inf, u), kx, ky)
    yield "slopes", (u[0], kx, ky), IndexError
    yield "diffused", (u, rng.random((12, 11)), 0.1, 3)
    yield "diffused", (rng.random((4, 6, 8)), rng.random(5), 0.1, 2)
    for axis in (0, 1, -1):
        yield "along", (u, axis)
        yield "along", (u + 1j, axis, "ortho")
        yield "along", (u.astype(np.complex64), axis, "forward")
    yield "along", (u, 2), IndexError
    yield "along", (u, 0, "sideways"), ValueError
    yield "along", ([1, 2, 4], 0)
    yield "padded", (u[0], 32)
    yield "padded", (np.arange(9), 4)
    yield "padded", (u[0], 0), ValueError
