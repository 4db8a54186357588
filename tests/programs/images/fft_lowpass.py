"""Low-pass filter of a picture in Fourier space."""

import numpy as np

ENTRY = "lowpass"
SIZES = {"bench": (1000, 900), "small": (16, 12)}


def lowpass(image, cutoff=0.1):
    spectrum = np.fft.fft2(image)
    fy = np.fft.fftfreq(image.shape[0])[:, None]
    fx = np.fft.fftfreq(image.shape[1])[None, :]
    H = np.exp(-0.5 * (fx**2 + fy**2) / cutoff**2)
    return np.real(np.fft.ifft2(spectrum * H))


def setup(h, w):
    return (np.random.default_rng(95).random((h, w)),)
