"""Masked thermostat: cells above a limit are cooled and counted, below it heated, step after step."""

import numpy as np

ENTRY = "thermostat"
SIZES = {"bench": (300_000, 40), "small": (40, 9)}


def thermostat(T, limit, steps, cool=0.9, heat=0.35):
    switched = np.zeros(T.shape, dtype=int)
    for step in range(steps):
        hot = T > limit
        T[hot] *= cool
        T[~hot] += heat
        switched[hot] += 1
    return switched, T[T > limit].mean() if (T > limit).any() else 0.0


def setup(n, steps):
    return np.random.default_rng(138).uniform(0, 40, n), 20.0, steps
