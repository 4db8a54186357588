"""Histogram equalisation of an 8-bit picture through a table."""

import numpy as np

ENTRY = "equalise"
SIZES = {"bench": (2500, 2000), "small": (20, 15)}


def equalise(image):
    hist, _ = np.histogram(image.ravel(), bins=256, range=(0, 256))
    cdf = hist.cumsum()
    lowest = cdf[cdf > 0][0]
    table = np.round((cdf - lowest) / (image.size - lowest) * 255).astype(np.uint8)
    return table[image]


def setup(h, w):
    picture = np.random.default_rng(93).normal(110, 25, (h, w))
    return (np.clip(picture, 0, 255).astype(np.uint8),)
