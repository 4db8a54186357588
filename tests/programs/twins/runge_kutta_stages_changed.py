"""A Runge-Kutta method whose table is changed on the way: the trips are not those written down."""

import numpy as np

TWIN_OF = "runge_kutta_stages"
ENTRY = "transported"
SIZES = {"small": (50, 6)}


def transported(u, speed, dt, trips):
    u = u.copy()
    carried = np.zeros_like(u)
    stages = [(0.0, 1 / 3), (-5 / 9, 15 / 16), (-153 / 128, 8 / 15)]
    for step in range(trips):
        for a, b in stages:
            carried = a * carried - dt * speed * (np.roll(u, -1) - np.roll(u, 1)) / 2
            u = u + b * carried
        stages[0] = (0.0, 1 / (4 + step))
    return u


def setup(n, trips):
    x = np.linspace(0, 1, n, endpoint=False)
    return np.exp(-100 * (x - 0.5) ** 2), 0.4, 0.5, trips
