"""Random walks all at once: steps of plus and minus one, first passage and mean square displacement."""

import numpy as np

ENTRY = "walk"
SIZES = {"bench": (2000, 1000), "small": (8, 30)}


def walk(rng, walkers, steps, level=20):
    s = 2 * rng.integers(0, 2, size=(walkers, steps)) - 1
    position = np.cumsum(s, axis=1)
    msd = (position**2).mean(axis=0)
    reached = (np.abs(position) >= level).any(axis=1)
    first = np.where(reached, (np.abs(position) >= level).argmax(axis=1), -1)
    return msd, first


def setup(walkers, steps):
    return np.random.default_rng(79), walkers, steps
