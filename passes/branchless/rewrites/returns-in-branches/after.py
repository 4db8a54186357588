"""Early returns become nested selects; of the first elements' type is the result, 0 of an int truncates the rest.

Hazards: 4.both-arms, 4.first-element
"""

import numpy as np
import nprewrite.runtime as npr


@np.vectorize
def clipped(x, low=-1.0, high=1.0):
    if x < low:
        return low
    elif x > high:
        return high
    return x


def bump(x):
    if x <= 0:
        return 0  # an int, where the other branch gives a float
    return x * (1.5 - x)


smooth = np.vectorize(bump)


@npr.step(
    inputs={"x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _smooth_lanes(x):
    """`smooth` for all elements at once."""
    case = x <= 0
    return (np.where(case, 0, x * (1.5 - x)),)


@npr.step(
    inputs={"x": "float64", "low": "float64", "high": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _clipped_lanes(x, low, high):
    """`clipped` for all elements at once."""
    case = x < low
    case_1 = x > high
    return (np.where(case, low, np.where(case_1, high, x)),)


def shape(values, width):
    return npr.vectorized(clipped, _clipped_lanes)(values), npr.vectorized(clipped, _clipped_lanes)(values, -width, width), npr.vectorized(smooth, _smooth_lanes)(values)


def cases():
    row = np.linspace(-2.0, 2.0, 80)
    yield "shape", (row, 0.5)
    yield "shape", (row[::-1], 0.5)
    yield "shape", (row.reshape(8, 10).T, np.float64(1.5))
    yield "shape", (row.astype(np.float32), 1)
    yield "shape", (np.arange(-40, 40), 7)
    yield "shape", (np.arange(80, dtype=np.uint8), 7)
    yield "shape", (np.array([0.0, -0.0, np.nan, 2.0, -np.inf] * 20), 0.25), ValueError
    yield "shape", (np.array([1.0, -0.0, np.nan, np.inf, -np.inf] * 20), 0.25)
    yield "shape", (row > 0, 2)
    yield "shape", (0.25, 1.0)
    yield "shape", ([0.5, 2, -3.0], 1.0)
    yield "shape", (np.zeros(0), 1.0), ValueError
    yield "shape", (np.arange(100) * 1j, 1.0), TypeError
    yield "shape", (np.array([10**12] * 70), 1.0)
    yield "shape", (np.arange(100, dtype=object), 1.0)
