"""The functions of SciPy, which take further parameters."""

import numpy as np
import scipy.fft
from scipy.fft import ifft2


def blurred(image, transfer):
    return np.real(ifft2(scipy.fft.fft2(image) * transfer))


def filtered(signal, keep, **options):
    spectrum = scipy.fft.rfft(signal, **options)
    spectrum[keep:] = 0
    return scipy.fft.irfft(spectrum, workers=1), scipy.fft.dct(signal)


def cases():
    rng = np.random.default_rng(11)
    image = rng.random((16, 24))
    yield "blurred", (image, rng.random((16, 24)))
    yield "blurred", (image.astype(np.float32), 0.5)
    yield "blurred", (image[0], 1.0), ValueError
    yield "filtered", (image[0], 5)
    yield "filtered", (rng.integers(0, 9, 30), 5)
    yield "filtered", (image[0] + 1j, 5), TypeError
