"""A step of Runge and Kutta over a right-hand side with defaults: the whole loop becomes one step."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


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


@npr.step(
    counter="n",
    scalars={"scalar_float64": npr.scalar("float64"), "scalar_float64_1": "float64", "scalar_float64_2": npr.scalar("float64")},
    constants={"dt": "float64"},
    carried={"u": "float64"},
    looped=True,
    compile=True,
)
def _solve_step(scalar_float64, scalar_float64_1, scalar_float64_2, dt, u):
    """One iteration of the loop over `n` in `solve`."""
    curvature_out = np.zeros_like(u)
    curvature_out[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / 0.1 ** 2
    slope_value = 0.5 * curvature_out + scalar_float64 - u * u
    middle_half = u + scalar_float64_1 * slope_value
    curvature_out_1 = np.zeros_like(middle_half)
    curvature_out_1[1:-1] = (middle_half[2:] - 2 * middle_half[1:-1] + middle_half[:-2]) / 0.1 ** 2
    slope_value_1 = 0.5 * curvature_out_1 + scalar_float64_2 - middle_half * middle_half
    u = u + dt * slope_value_1
    return (u,)


@nprewrite.jit
def solve(u: npt.NDArray[np.float64], steps: int, dt: float):
    for n in (loop := _solve_step.over(
        range(steps),
        scalars=lambda n: (np.sin(n * dt) * 0.01, 0.5 * dt, np.sin(n * dt + 0.5 * dt) * 0.01),
        dt=dt,
        u=u,
    )):
        middle_t = n * dt
        curvature_out = np.zeros_like(u)
        curvature_out[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / 0.1 ** 2
        slope_value = 0.5 * curvature_out + np.sin(middle_t) * 0.01 - u * u
        del curvature_out
        middle_half = u + 0.5 * dt * slope_value
        del slope_value
        slope_t = middle_t + 0.5 * dt
        del middle_t
        curvature_out_1 = np.zeros_like(middle_half)
        curvature_out_1[1:-1] = (middle_half[2:] - 2 * middle_half[1:-1] + middle_half[:-2]) / 0.1 ** 2
        slope_value_1 = 0.5 * curvature_out_1 + np.sin(slope_t) * 0.01 - middle_half * middle_half
        del curvature_out_1, middle_half, slope_t
        u = u + dt * slope_value_1
        del slope_value_1
    if loop.finished:
        (u,) = loop.results
    return u


def cases():
    for size in (5, 12):
        for steps in (0, 1, 9):
            yield "solve", (np.linspace(0.0, 1.0, size), steps, 1e-3)
