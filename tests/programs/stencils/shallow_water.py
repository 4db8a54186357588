"""The shallow-water equations, nonlinear, by Lax and Friedrichs' scheme with reflecting walls."""

import numpy as np

ENTRY = "shallow_water"
SIZES = {"bench": (500, 25), "small": (16, 4)}


def shallow_water(h, hu, hv, g, dt, dx, steps):
    lam = dt / (2 * dx)
    for _ in range(steps):
        u = hu / h
        v = hv / h
        fu = hu * u + 0.5 * g * h * h
        gv = hv * v + 0.5 * g * h * h
        cross = hu * v
        h_new = h.copy()
        hu_new = hu.copy()
        hv_new = hv.copy()
        h_new[1:-1, 1:-1] = 0.25 * (h[2:, 1:-1] + h[:-2, 1:-1] + h[1:-1, 2:] + h[1:-1, :-2]) - lam * (
            hu[2:, 1:-1] - hu[:-2, 1:-1] + hv[1:-1, 2:] - hv[1:-1, :-2]
        )
        hu_new[1:-1, 1:-1] = 0.25 * (hu[2:, 1:-1] + hu[:-2, 1:-1] + hu[1:-1, 2:] + hu[1:-1, :-2]) - lam * (
            fu[2:, 1:-1] - fu[:-2, 1:-1] + cross[1:-1, 2:] - cross[1:-1, :-2]
        )
        hv_new[1:-1, 1:-1] = 0.25 * (hv[2:, 1:-1] + hv[:-2, 1:-1] + hv[1:-1, 2:] + hv[1:-1, :-2]) - lam * (
            cross[2:, 1:-1] - cross[:-2, 1:-1] + gv[1:-1, 2:] - gv[1:-1, :-2]
        )
        h[...] = h_new
        hu[...] = hu_new
        hv[...] = hv_new
        h[0, :], h[-1, :], h[:, 0], h[:, -1] = h[1, :], h[-2, :], h[:, 1], h[:, -2]
        hu[0, :] = -hu[1, :]
        hu[-1, :] = -hu[-2, :]
        hv[:, 0] = -hv[:, 1]
        hv[:, -1] = -hv[:, -2]


def setup(n, steps):
    x = np.linspace(-1, 1, n)
    X, Y = np.meshgrid(x, x, indexing="ij")
    h = 1.0 + 0.3 * np.exp(-20 * (X**2 + Y**2))
    return h, np.zeros((n, n)), np.zeros((n, n)), 9.81, 0.1 * 2.0 / n, 2.0 / n, steps
