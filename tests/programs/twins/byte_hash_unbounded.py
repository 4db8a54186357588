"""A hash of bytes that is never reduced: a Python integer that grows with the text."""

import numpy as np

TWIN_OF = "byte_hash"
ENTRY = "polynomial"
SIZES = {"small": (60,)}


def polynomial(data):
    h = 0
    for i in range(len(data)):
        h = h * 257 + int(data[i])
    return h


def setup(n):
    return (np.random.default_rng(114).integers(0, 256, n, dtype=np.uint8),)
