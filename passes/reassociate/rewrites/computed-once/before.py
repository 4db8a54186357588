"""What is the same in each iteration is computed before the loop, where that has one: level exact."""

import numpy as np


def source(size: int, steps: int, rate: float):
    x = np.linspace(0.0, 1.0, size)
    u = np.zeros(size)
    for n in range(steps):
        u = u + rate * np.exp(-((x - 0.5) ** 2) / 0.02) - 0.1 * n * u
        u[0] = np.sin(np.pi * x).sum()
    return u


def named(size: int):
    x = np.linspace(0.1, 1.0, size)
    u = np.zeros(size)
    for n in range(4):
        # The names that the loop binds are bound once.
        width = 0.5 * np.pi
        wave = np.cos(width * x)
        for _ in range(2):
            u = u + 0.1 * wave * np.log(x) - u / np.linalg.norm(x)
    return u, wave, n


def squared(size: int, start: float, end: float):
    K = np.arange(float(size * size)).reshape(size, size) / size**2
    y = np.linspace(-1.0, 1.0, size)
    x = np.zeros(size)
    t = start
    while t < end:
        x = x - 0.1 * (K.T @ K @ x - K.T @ y)
        t += 0.25
    return x


def at_times(size: int, times: int):
    x = np.linspace(0.0, 2.0, size)
    u = np.ones(size)
    kept = []
    moments = np.linspace(0.0, 1.0, times)
    for n, t in enumerate(moments):
        u = u * np.tanh(x) + t
        if n % 2:
            kept.append(np.tanh(x))
        kept.append(u.copy())
    return kept


def watched(size: int, steps: int):
    x = np.full(size, 1e3)
    u = np.zeros(size)
    with np.errstate(all="raise"):
        for _ in range(steps):
            u = np.sort(u + np.exp(x))
    return u


def changed(size: int, steps: int):
    x = np.linspace(0.0, 1.0, size)
    y = x[::2]
    u = np.zeros(size)
    for n in range(steps):
        u = u + np.exp(x)
        w = np.exp(-u[:1])
        w += 1.0
        y += w
    return u, x


def cases():
    for steps in (7, 1, 0):
        yield "source", (20, steps, 0.5)
        yield "squared", (40, 0.0, steps / 4)
        yield "at_times", (9, steps)
        yield "changed", (8, steps)
    yield "named", (12,)
    yield "watched", (5, 0)
    yield "watched", (5, 2), FloatingPointError
