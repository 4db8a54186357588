"""Random numbers drawn one by one, from the generator that the program goes on with."""

import random

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _metropolis_loop(trials, n, spins, beta):
    """The loop in `metropolis`."""
    for _ in range(trials):
        i = np.random.randint(0, n)
        change = 2 * spins[i] * (spins[i - 1] + spins[(i + 1) % n])
        if change <= 0 or np.random.rand() < np.exp(-beta * change):
            spins[i] = -spins[i]


def metropolis(spins: npt.NDArray[np.int64], beta: float, trials: int):
    np.random.seed(3)
    n = len(spins)
    _metropolis_loop(trials, n, spins, beta)
    return np.random.rand()


@npr.native
def _walk_loop(steps, rng, x, y):
    """The loop in `walk`."""
    for _ in range(steps):
        x += rng.choice([-1, 1])
        y += rng.normal(scale=0.5)
    return x, y


def walk(steps: int, seed: int):
    rng = np.random.default_rng(seed)
    x, y = 0, 0.0
    x, y = _walk_loop(steps, rng, x, y)
    return x, y, rng.random()


@npr.native
def _inside_loop(n, count):
    """The loop in `inside`."""
    for _ in range(n):
        x = random.random()
        y = random.uniform(-1, 1)
        if x * x + y * y <= 1:
            count += 1
    return count


def inside(n: int):
    random.seed(4)
    count = 0
    count = _inside_loop(n, count)
    return count, random.random()


def cases():
    yield "metropolis", (1 - 2 * (np.arange(30) % 3 % 2), 0.4, 500)
    yield "metropolis", (np.ones(0, int), 0.4, 5), ValueError
    yield "metropolis", (np.ones(0, int), 0.4, 0)
    yield "walk", (400, 5)
    yield "inside", (300,)
