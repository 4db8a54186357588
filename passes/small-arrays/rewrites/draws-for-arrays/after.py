"""Steps of a Markov chain: a number is drawn for each parameter, from a distribution of its own."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _chain_loop(steps, state, high, low, kept):
    """The loop in `chain`."""
    for i in range(steps):
        proposed = np.random.normal(state, 0.05 * (high - low))
        outside = proposed > high
        proposed[outside] = 2 * high[outside] - proposed[outside]
        if np.random.uniform(0.0, 1.0) < np.exp(np.sum(state * state) - np.sum(proposed * proposed)):
            state = proposed
        kept[i, :] = state


def chain(steps: int, seed: int):
    np.random.seed(seed)
    low = np.array([0.0, 1.0, -2.0])
    high = low + 3.0
    state = np.random.uniform(low, high)
    kept = np.zeros((steps, 3))
    _chain_loop(steps, state, high, low, kept)
    return kept, np.random.random()


@npr.native
def _noisy_loop(steps, x, rng, scale, total):
    """The loop in `noisy`."""
    for _ in range(steps):
        x = 0.9 * x + rng.normal(0.0, scale)
        total += rng.uniform(scale, scale + 2.0).sum() + rng.exponential(scale=scale).max()
        total += rng.poisson(scale)[1]
    return x, total


def noisy(steps: int, seed: int):
    rng = np.random.default_rng(seed)
    scale = np.linspace(0.5, 1.0, 4)
    x = np.zeros(4)
    total = 0.0
    x, total = _noisy_loop(steps, x, rng, scale, total)
    return x, total, rng.random()


@npr.native
def _summed_loop(steps, rng, scale, total):
    """The loop in `summed`."""
    for _ in range(steps):
        total += rng.normal(0.0, scale + total).sum()
    return total


def summed(steps: int, seed: int):
    rng = np.random.default_rng(seed)
    scale = np.linspace(-0.5, 1.0, 4)
    total = 0.0
    total = _summed_loop(steps, rng, scale, total)
    return total


def cases():
    for seed in (1, 7):
        yield "chain", (60, seed)
        yield "noisy", (60, seed)
    yield "chain", (0, 3)
    # A scale below zero raises.
    yield "summed", (5, 2), ValueError
