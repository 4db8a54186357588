"""A step of Runge and Kutta over a right-hand side with defaults: the whole loop becomes one step."""

import numpy as np
import numpy.typing as npt

import nprewrite


def curvature(u, dx):
    """Second differences; the ends stay 0."""
    out = np.zeros_like(u)
    out[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
    return out


def slope(u, t, k=0.5, dx=0.1):
    return k * curvature(u, dx) + np.sin(t) * 0.01 - u * u


def middle(f, u, t, dt):
    half = u + 0.5 * dt * f(u, t)
    return u + dt * f(half, t + 0.5 * dt)


@nprewrite.jit
def solve(u: npt.NDArray[np.float64], steps: int, dt: float):
    for n in range(steps):
        middle_t = n * dt
        middle_half = u + 0.5 * dt * slope(u, middle_t)
        slope_t = middle_t + 0.5 * dt
        curvature_out = np.zeros_like(middle_half)
        curvature_out[1:-1] = (middle_half[2:] - 2 * middle_half[1:-1] + middle_half[:-2]) / 0.1 ** 2
        slope_value = 0.5 * curvature_out + np.sin(slope_t) * 0.01 - middle_half * middle_half
        u = u + dt * slope_value
    return u


def cases():
    for size in (5, 12):
        for steps in (0, 1, 9):
            yield "solve", (np.linspace(0.0, 1.0, size), steps, 1e-3)
