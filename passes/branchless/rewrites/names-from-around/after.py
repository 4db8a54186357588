"""Numbers from around the function are looked up at each call, and functions that it calls are followed."""

import numpy as np
import nprewrite.runtime as npr

G = 9.81


def squared(t):
    return t * t


def fall(t, drag):
    if t < 0:
        return 0.0
    v = G * t
    if v > drag and drag > 0:
        v = drag
    else:
        t = squared(t)
    return v - 0.1 * t


@npr.step(
    constants={"limit": "float64"},
    inputs={"t": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _lambda_lanes(limit, t):
    """`lambda` for all elements at once."""
    return (np.where(2 < np.where(limit < t, limit, t), 2, np.where(limit < t, limit, t)),)


@npr.step(
    constants={"G": "float64", "limit": "float64"},
    inputs={"t": "float64", "d": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _capped_lanes(G, limit, t, d):
    """`capped` for all elements at once."""
    case = t < 0
    v = G * t
    case_1 = (v > d) & (d > 0)
    t_1 = np.where(case_1, t, t * t)
    v_1 = np.where(case_1, d, v)
    h = np.where(case, 0.0, v_1 - 0.1 * t_1)
    return (np.where(h > limit, limit, h),)


def flights(times, drags, limit):
    @np.vectorize(otypes=[np.float32])
    def capped(t, d):
        h = fall(t, d)
        return limit if h > limit else h

    return npr.vectorized(capped, _capped_lanes, bits=24)(times, drags) + npr.vectorized(np.vectorize(lambda t: min(t, limit, 2)), _lambda_lanes)(times)


def cases():
    times = np.linspace(-1.0, 4.0, 75)
    yield "flights", (times, 20.0, 30.0)
    yield "flights", (times, np.array([[0.0], [15.0], [25.0]]), 12)
    yield "flights", (times, -1, np.float64(7.5))
    yield "flights", (times, 5.0, None), TypeError
    yield "flights", (np.arange(70), 3, 4)
