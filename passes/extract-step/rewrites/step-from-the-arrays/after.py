"""The arrays wait for a step that Python chooses from what they were: each trip gives it to the next one.

Hazards: 3.python-integers
"""

import numpy as np
import nprewrite.runtime as npr


def _steepen_trips(u, t, end):
    """The numbers of each iteration of the loop in `steepen`."""
    value = None
    while t < end:
        if value is None:
            value = np.abs(u).max()
        top = value
        h = 0.1 if top > 2.0 else 0.25
        (value,) = yield (h,)
        t += h
    return (t,)


@npr.step(
    scalars={"h": "float64"},
    carried={"u": "float64"},
    out={"value": "float64"},
    received=("value",),
    ranks={"u": 1},
    compile=True,
)
def _steepen_step(h, u):
    """One iteration of the loop in `steepen`."""
    u = u - h * u * (u - np.roll(u, 1))
    value = np.abs(u).max()
    return u, value


def steepen(size: int, end: float):
    u = 1.5 + np.sin(np.linspace(0, 6, size))
    t = 0.0
    for once in (loop := _steepen_step.over(_steepen_trips(u, t, end), u=u)):
        while t < end:
            top = np.abs(u).max()
            h = 0.1 if top > 2.0 else 0.25
            u = u - h * u * (u - np.roll(u, 1))
            t += h
    if loop.finished:
        (t,) = loop.numbers
        (u, value) = loop.results
    return u, t


def _advect_trips(u, t, end, cfl, trips):
    """The numbers of each iteration of the loop in `advect`."""
    value = None
    while t < end:
        if value is None:
            speed = np.sqrt(u * u + 1.0)
            value = speed.max()
        dt = min(cfl / float(value), end - t)
        (value,) = yield (dt,)
        t += dt
        trips += 1
    return (t, trips)


@npr.step(
    scalars={"dt": "float64"},
    state={"u": "float64"},
    out={"value": "float64"},
    received=("value",),
    ranks={"u": 1},
    compile=True,
)
def _advect_step(dt, u):
    """One iteration of the loop in `advect`."""
    u[1:-1] -= dt * (u[2:] - u[:-2])
    speed = np.sqrt(u * u + 1.0)
    value = speed.max()
    return u, value


def advect(size: int, end: float, cfl: float):
    u = np.sin(np.linspace(0, 6, size))
    t = 0.0
    trips = 0
    for once_1 in (loop_1 := _advect_step.over(_advect_trips(u, t, end, cfl, trips), u=u)):
        while t < end:
            speed = np.sqrt(u * u + 1.0)
            dt = min(cfl / float(speed.max()), end - t)
            u[1:-1] -= dt * (u[2:] - u[:-2])
            t += dt
            trips += 1
    if loop_1.finished:
        (t, trips) = loop_1.numbers
    return u, t, trips


def _fall_trips(h, t, end, cfl):
    """The numbers of each iteration of the loop in `fall`."""
    value = None
    while t < end:
        if value is None:
            value = np.max(h)
        dt = min(cfl / value, end - t)
        (value,) = yield (1 - dt,)
        t += dt
    return (dt, t)


@npr.step(
    scalars={"scalar_float64": "float64"},
    carried={"h": "float64"},
    out={"value": "float64"},
    received=("value",),
    ranks={"h": 1},
    compile=True,
)
def _fall_step(scalar_float64, h):
    """One iteration of the loop in `fall`."""
    h = h * scalar_float64
    value = np.max(h)
    return h, value


def fall(size: int, end: float, cfl: float):
    h = np.linspace(1, 2, size)
    t = 0.0
    dt = 0.0
    for once_2 in (loop_2 := _fall_step.over(_fall_trips(h, t, end, cfl), h=h)):
        while t < end:
            dt = min(cfl / np.max(h), end - t)
            h = h * (1 - dt)
            t += dt
    if loop_2.finished:
        (dt, t) = loop_2.numbers
        (h, value) = loop_2.results
    return h, t, dt


def cases():
    yield "steepen", (8, 1.0)
    yield "steepen", (8, 0.0)
    yield "steepen", (0, 0.0)
    yield "advect", (9, 1.0, 0.3)
    yield "advect", (9, 0.1, 0.3)
    yield "advect", (9, 0.0, 0.3)
    yield "fall", (5, 1.0, 0.5)
    yield "fall", (5, 0.1, 0.5)
    yield "fall", (5, -1.0, 0.5)
    yield "fall", (0, 1.0, 0.5), ValueError
