"""Heun's method on FitzHugh and Nagumo's equations, the right-hand side a closure over the parameters."""

import numpy as np

ENTRY = "solve"
SIZES = {"bench": (60_000, 60), "small": (20, 7)}


def solve(v, w, a=0.7, b=0.8, tau=12.5, current=0.5, dt=0.05, steps=10):
    def rhs(v, w):
        return v - v**3 / 3 - w + current, (v + a - b * w) / tau

    for _ in range(steps):
        dv, dw = rhs(v, w)
        ev, ew = rhs(v + dt * dv, w + dt * dw)
        v = v + dt / 2 * (dv + ev)
        w = w + dt / 2 * (dw + ew)
    return v, w


def setup(n, steps):
    rng = np.random.default_rng(65)
    return {"v": rng.uniform(-2, 2, n), "w": rng.uniform(-1, 1, n), "steps": steps}
