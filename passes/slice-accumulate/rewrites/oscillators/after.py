"""Phases on a lattice pull at their neighbours; what one gains by a bond the other one gains negatively."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"K": "float64"},
    inputs={"omega": "float64", "u": "float64"},
    out={"d": "float64"},
    once=True,
    compile=True,
)
def _rate_region(K, omega, u):
    """Lines of `rate`."""
    d = omega.copy()
    right = u[:, 1:] - u[:, :-1]
    d_term = K * np.sin(right)
    d_part = np.full_like(d, -0.0)
    d_part[:, :-1] = np.broadcast_to(d_term, d_part[:, :-1].shape)
    d += d_part  # to the right
    d_part_1 = np.zeros_like(d)
    d_part_1[:, 1:] = np.broadcast_to(d_term, d_part_1[:, 1:].shape)
    d -= d_part_1
    d_term_1 = K * np.sin(u[1:, :] - u[:-1, :])
    d_part_2 = np.full_like(d, -0.0)
    d_part_2[:-1, :] = np.broadcast_to(d_term_1, d_part_2[:-1, :].shape)
    d += d_part_2
    d_part_3 = np.zeros_like(d)
    d_part_3[1:, :] = np.broadcast_to(d_term_1, d_part_3[1:, :].shape)
    d -= d_part_3
    return (d,)


@nprewrite.jit
def rate(u: npt.NDArray[np.float64], omega: npt.NDArray[np.float64], K: float):
    for once in (region := _rate_region.over(range(1), K=K, omega=omega, u=u)):
        d = omega.copy()
        right = u[:, 1:] - u[:, :-1]
        d[:, :-1] += K * np.sin(right)  # to the right
        d[:, 1:] += K * np.sin(-right)
        d[:-1, :] += K * np.sin(u[1:, :] - u[:-1, :])
        d[1:, :] += K * np.sin(u[:-1, :] - u[1:, :])
    if region.finished:
        (d,) = region.results
    return d


def cases():
    rng = np.random.default_rng(1)
    for shape in [(5, 4), (1, 3), (1, 1), (0, 2)]:
        yield "rate", (rng.normal(size=shape), rng.normal(size=shape), 2.0)
    u = np.array([[0.0, np.inf, 1.0], [np.nan, -0.0, 2.0]])
    yield "rate", (u, np.full((2, 3), -0.0), 0.5)
    yield "rate", (np.zeros((3, 4)), np.zeros((4, 3)), 1.0), ValueError
    yield "rate", (np.zeros(4), np.zeros(4), 1.0), IndexError
