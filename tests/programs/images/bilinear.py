"""Rotate a picture by bilinear interpolation with index arrays."""

import numpy as np

ENTRY = "rotate"
SIZES = {"bench": (700, 600), "small": (12, 10)}


def rotate(image, angle, fill=0.0):
    h, w = image.shape
    cy, cx = (h - 1) / 2, (w - 1) / 2
    y, x = np.indices((h, w))
    c, s = np.cos(angle), np.sin(angle)
    ys = c * (y - cy) - s * (x - cx) + cy
    xs = s * (y - cy) + c * (x - cx) + cx
    y0 = np.floor(ys).astype(int)
    x0 = np.floor(xs).astype(int)
    fy = ys - y0
    fx = xs - x0
    inside = (y0 >= 0) & (y0 < h - 1) & (x0 >= 0) & (x0 < w - 1)
    y0 = np.clip(y0, 0, h - 2)
    x0 = np.clip(x0, 0, w - 2)
    top = (1 - fx) * image[y0, x0] + fx * image[y0, x0 + 1]
    bottom = (1 - fx) * image[y0 + 1, x0] + fx * image[y0 + 1, x0 + 1]
    return np.where(inside, (1 - fy) * top + fy * bottom, fill)


def setup(h, w):
    return np.random.default_rng(97).random((h, w)), 0.4
