"""Functions that a module imports by name, and one that stays NumPy's."""

import numpy as np
from numpy.fft import fft, fftshift, ifft as inverse


def convolved(a, b):
    """The circular convolution of two signals."""
    product = fft(a) * fft(b)  # one number a frequency
    return np.real(inverse(product))


def spectrum(signal):
    return fftshift(np.abs(
        fft(signal - signal.mean()),
    ))


def cases():
    rng = np.random.default_rng(4)
    a, b = rng.random(64), rng.random(64)
    yield "convolved", (a, b)
    yield "convolved", (a[:63], b[:63])
    yield "convolved", (a, b[:3]), ValueError
    yield "spectrum", (a,)
