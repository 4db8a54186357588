"""Two-dimensional convolution with a loop over every pixel and every tap."""

import numpy as np

ENTRY = "convolve"
SIZES = {"bench": (90, 80, 7), "small": (10, 9, 3)}


def convolve(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(h - kh + 1):
        for j in range(w - kw + 1):
            for a in range(kh):
                for b in range(kw):
                    out[i, j] += image[i + a, j + b] * kernel[a, b]
    return out


def setup(h, w, k):
    rng = np.random.default_rng(90)
    return rng.random((h, w)), rng.random((k, k)) / k**2
