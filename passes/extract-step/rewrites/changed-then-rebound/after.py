"""Arrays that nobody else sees are changed in place and then bound anew, as lattice Boltzmann programs do.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    constants={"omega": "float64"},
    carried={"east": "float64", "west": "float64"},
    ranks={"east": 2, "west": 2},
    compile=True,
)
def _streamed_step(omega, east, west):
    """One iteration of the loop over `_` in `streamed`."""
    east = east.copy()
    west = west.copy()
    rho = east + west
    u = (east - west) / rho
    east += omega * (0.5 * rho * (1 + u * u) - east)
    west += omega * (0.4 * rho * (1 - u) - west)
    east = np.roll(east, 1, axis=1)
    west = np.roll(west, -1, axis=1)
    return east, west


def streamed(ny: int, nx: int, omega: float, trips: int):
    east = np.full((ny, nx), 0.4)
    west = np.full((ny, nx), 0.6)
    west[0, :] = 0.1
    west[:, 1] = 0.3
    east[1, 2] = 0.7
    for _ in (loop := _streamed_step.over(range(trips), omega=omega, east=east, west=west)):
        rho = east + west
        u = (east - west) / rho
        east += omega * (0.5 * rho * (1 + u * u) - east)
        west += omega * (0.4 * rho * (1 - u) - west)
        east = np.roll(east, 1, axis=1)
        west = np.roll(west, -1, axis=1)
    if loop.finished:
        (east, west) = loop.results
    return east, west


@npr.step(
    counter="_",
    constants={"dt": "float64"},
    carried={"x": "float64"},
    looped=True,
    compile=True,
)
def _limited_step(dt, x):
    """One iteration of the loop over `_` in `limited`."""
    x = x.copy()
    x += dt * x * (1 - x)
    x[1:] -= dt * x[:-1]
    x = np.maximum(x, 0)
    return (x,)


def limited(prey: npt.NDArray[np.float64], dt: float, trips: int):
    x = prey.copy()
    for _ in (loop_1 := _limited_step.over(range(trips), dt=dt, x=x)):
        x += dt * x * (1 - x)
        x[1:] -= dt * x[:-1]
        x = np.maximum(x, 0)
    if loop_1.finished:
        (x,) = loop_1.results
    return x


@npr.step(
    counter="n",
    scalars={"scalar_float32": "float32"},
    carried={"y": "float32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _element_by_element_step(scalar_float32, y):
    """One iteration of the loop over `n` in `element_by_element`."""
    y = y.copy()
    y -= scalar_float32
    y = y * y
    return (y,)


def element_by_element(x: npt.NDArray[np.float32], trips: int):
    y = x * 2
    for n in (loop_2 := _element_by_element_step.over(
        range(trips),
        scalars=lambda n: (0.125 * n,),
        y=y,
    )):
        y -= 0.125 * n
        y = y * y
    if loop_2.finished:
        (y,) = loop_2.results
    return y


def cases():
    u = np.linspace(0.1, 1, 12)
    for trips in (2, 9, 1, 0):
        yield "streamed", (4, 6, 0.7, trips)
        yield "limited", (u.copy(), 0.1, trips)
        yield "element_by_element", (u.astype(np.float32), trips)
    yield "limited", (np.zeros(0), 0.1, 3)
    yield "limited", (u.reshape(3, 4).T, 0.1, 3)
    yield "limited", (np.arange(5), 0.1, 3), TypeError
    yield "limited", (np.matrix([[0.5, 0.1], [0.2, 0.3]]), 0.1, 3)
    yield "element_by_element", (np.float32([[0.5, 0.1], [0.3, 0.2]]).T, 9)
