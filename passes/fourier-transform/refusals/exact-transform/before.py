"""Another library rounds in another way."""

import numpy as np


def spectrum(signal):
    return np.abs(np.fft.rfft(signal)) ** 2


def cases():
    yield "spectrum", (np.arange(6.0),)
