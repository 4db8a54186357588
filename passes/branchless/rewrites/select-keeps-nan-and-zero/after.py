"""A branch that puts 0 for negative numbers keeps nan and -0.0, which a maximum would not.

Hazards: 4.not-maximum
"""

import numpy as np
import nprewrite.runtime as npr


@np.vectorize
def rectified(x):
    if x < 0:
        return 0.0
    else:
        return x


@npr.step(
    inputs={"x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _rectified_lanes(x):
    """`rectified` for all elements at once."""
    case = x < 0
    return (np.where(case, 0.0, x),)


def activate(x):
    return npr.vectorized(rectified, _rectified_lanes)(x), npr.vectorized(rectified, _rectified_lanes)(npr.vectorized(rectified, _rectified_lanes)(x) - 0.5)


def cases():
    yield "activate", (np.array([-1.0, -0.0, 0.0, np.nan, 2.0] * 20),)
    yield "activate", (np.linspace(-1, 1, 300).reshape(3, 100)[:, ::2],)
    yield "activate", (np.arange(-50, 50),)
