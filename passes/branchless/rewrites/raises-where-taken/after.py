"""math.sqrt of a negative number raises where the branch is taken, and nowhere else.

Hazards: 4.square-root, 4.both-arms
"""

import math

import numpy as np
import nprewrite.runtime as npr


def pressure(depth, top):
    if depth > top:
        return math.sqrt(depth - top) / top
    elif depth == top:
        raise ValueError("on the surface")
    return math.exp(depth) ** 2


@npr.step(
    inputs={"depth": "float64", "top": "float64"},
    out={"result": "float64", "raises": "bool"},
    once=True,
    compile=True,
)
def _p_lanes(depth, top):
    """`p` for all elements at once."""
    case = depth > top
    case_1 = depth == top
    exp = np.exp(depth)
    power = exp ** 2
    raises = np.any(case & (depth - top < 0))
    raises = raises | np.any(case & (top == 0))
    raises = raises | np.any(~case & case_1)
    raises = raises | np.any(~case & ~case_1 & (np.isinf(exp) & np.isfinite(depth)))
    raises = raises | np.any(~case & ~case_1 & (~np.isfinite(power) & np.isfinite(exp)))
    return np.where(case, np.sqrt(depth - top) / top, power), raises


def profile(depths, top):
    p = np.vectorize(pressure)
    return npr.vectorized(p, _p_lanes)(depths, top)


def cases():
    row = np.linspace(-3.0, 3.0, 90)
    yield "profile", (row, 0.7)
    yield "profile", (row, -0.5)
    yield "profile", (row.reshape(9, 10), np.linspace(0.1, 0.9, 10))
    yield "profile", (row, np.array([[0.2], [1.3]]))
    yield "profile", (row, 0.0), ZeroDivisionError
    yield "profile", (row, 3.0), ValueError
    yield "profile", (np.full(70, 800.0), 900.0), OverflowError
    yield "profile", (row, np.ones((4, 7))), ValueError
    yield "profile", (np.array([np.nan, 1.0] * 50), 0.5)
