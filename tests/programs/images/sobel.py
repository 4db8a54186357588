"""Edges of a grey picture: Sobel's filters by slices, magnitude, direction, threshold, as bytes."""

import numpy as np

ENTRY = "edges"
SIZES = {"bench": (1200, 1000), "small": (14, 12)}


def edges(image, threshold=0.25):
    grey = image @ np.array([0.299, 0.587, 0.114])
    gx = (grey[:-2, 2:] + 2 * grey[1:-1, 2:] + grey[2:, 2:]) - (
        grey[:-2, :-2] + 2 * grey[1:-1, :-2] + grey[2:, :-2]
    )
    gy = (grey[2:, :-2] + 2 * grey[2:, 1:-1] + grey[2:, 2:]) - (
        grey[:-2, :-2] + 2 * grey[:-2, 1:-1] + grey[:-2, 2:]
    )
    magnitude = np.hypot(gx, gy)
    magnitude /= magnitude.max()
    angle = np.arctan2(gy, gx)
    strong = magnitude > threshold
    return (255 * magnitude).astype(np.uint8), np.where(strong, angle, 0.0), strong.mean()


def setup(h, w):
    return (np.random.default_rng(92).random((h, w, 3)),)
