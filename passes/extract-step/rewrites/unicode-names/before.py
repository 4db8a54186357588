"""Names in other alphabets: the loop becomes a step, the stores through masks become selects."""

import numpy as np


def settle(size: int, trips: int):
    θ = np.linspace(-1.0, 1.0, size)
    for n in range(trips):
        heiß = θ > 0.25  # above the mark
        θ[heiß] = θ[heiß] * 0.5
        θ = θ + 0.125
    return θ


def capped(size: int):
    θ = np.linspace(-1.0, 1.0, size)
    θ[θ > 0.5] = 0.5
    return θ


def cases():
    for trips in (0, 1, 7, 20):
        yield "settle", (6, trips)
    yield "capped", (6,)
    yield "capped", (0,)
