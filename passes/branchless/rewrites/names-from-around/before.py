"""Numbers from around the function are looked up at each call, and functions that it calls are followed."""

import numpy as np

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


def flights(times, drags, limit):
    @np.vectorize(otypes=[np.float32])
    def capped(t, d):
        h = fall(t, d)
        return limit if h > limit else h

    return capped(times, drags) + np.vectorize(lambda t: min(t, limit, 2))(times)


def cases():
    times = np.linspace(-1.0, 4.0, 75)
    yield "flights", (times, 20.0, 30.0)
    yield "flights", (times, np.array([[0.0], [15.0], [25.0]]), 12)
    yield "flights", (times, -1, np.float64(7.5))
    yield "flights", (times, 5.0, None), TypeError
    yield "flights", (np.arange(70), 3, 4)
