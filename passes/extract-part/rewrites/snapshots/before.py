"""What is kept every few iterations is what the arrays hold then; a name bound anew is an array of its own."""

import numpy as np


def heat(size: int, trips: int, every: int):
    u = np.zeros((size, size))
    u[1] = 1.0
    frames = []
    # explicit Euler
    for n in range(trips):
        old = u.copy()
        u[1:-1, 1:-1] = old[1:-1, 1:-1] + 0.1 * (
            old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2] - 4 * old[1:-1, 1:-1]
        )
        u[0, :] = 1.0  # the wall
        # what is drawn later
        if n % every == 0:
            frames.append(u.copy())
    return u, frames


def wave(size: int, trips: int):
    x = np.linspace(0, 1, size)
    before, u = x.copy(), x * (1 - x)
    frames = [u]
    for n in range(trips):
        after = np.zeros_like(u)
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + 0.25 * (u[2:] + u[:-2] - 2 * u[1:-1])
        before, u = u, after
        if n % 2:
            continue
        frames.append(u)
    return u, frames


def cases():
    for size, trips in ((5, 7), (3, 1), (4, 0)):
        yield "heat", (size, trips, 3)
        yield "wave", (size, trips)
    yield "heat", (5, 4, 0), ZeroDivisionError
