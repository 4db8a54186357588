"""A convolution stored into the picture that it reads, and around its lower edge."""

import numpy as np

TWIN_OF = "convolution_scalar"
ENTRY = "convolve"
SIZES = {"small": (9, 8, 3)}


def convolve(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    for i in range(h):
        for j in range(w):
            s = 0.0
            for a in range(kh):
                for b in range(kw):
                    s += image[i - a, j - b] * kernel[a, b]
            image[i, j] = s
    return image


def setup(h, w, k):
    rng = np.random.default_rng(90)
    return rng.random((h, w)), rng.random((k, k)) / k
