"""The functions of SciPy, which take further parameters."""

import numpy as np
import scipy.fft
from scipy.fft import ifft2
import nprewrite.runtime as npr


def blurred(image, transfer):
    return np.real(npr.scipy_fft.ifft2(npr.scipy_fft.fft2(image) * transfer))


def filtered(signal, keep, **options):
    spectrum = npr.scipy_fft.rfft(signal, **options)
    spectrum[keep:] = 0
    return npr.scipy_fft.irfft(spectrum, workers=1), scipy.fft.dct(signal)


def cases():
    rng = np.random.default_rng(11)
    image = rng.random((16, 24))
    yield "blurred", (image, rng.random((16, 24)))
    yield "blurred", (image.astype(np.float32), 0.5)
    yield "blurred", (image[0], 1.0), ValueError
    yield "filtered", (image[0], 5)
    yield "filtered", (rng.integers(0, 9, 30), 5)
    yield "filtered", (image[0] + 1j, 5), TypeError
