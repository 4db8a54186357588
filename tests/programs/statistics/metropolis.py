"""The Ising model by Metropolis' rule on the two colours of a checkerboard, random numbers given a sweep."""

import numpy as np

ENTRY = "ising"
SIZES = {"bench": (300, 40), "small": (10, 6)}


def ising(rng, spins, beta, sweeps):
    n, m = spins.shape
    colour = np.indices((n, m)).sum(axis=0) % 2
    magnetisation = np.zeros(sweeps)
    for sweep in range(sweeps):
        for c in (0, 1):
            neighbours = (
                np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
            )
            dE = 2 * spins * neighbours
            flip = (colour == c) & (rng.random((n, m)) < np.exp(-beta * dE))
            spins[flip] *= -1
        magnetisation[sweep] = spins.mean()
    return magnetisation


def setup(n, sweeps):
    rng = np.random.default_rng(80)
    return rng, rng.choice([-1, 1], size=(n, n)), 0.44, sweeps
