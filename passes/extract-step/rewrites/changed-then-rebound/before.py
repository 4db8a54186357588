"""Arrays that nobody else sees are changed in place and then bound anew, as lattice Boltzmann programs do.
"""

import numpy as np
import numpy.typing as npt


def streamed(ny: int, nx: int, omega: float, trips: int):
    east = np.full((ny, nx), 0.4)
    west = np.full((ny, nx), 0.6)
    west[0, :] = 0.1
    west[:, 1] = 0.3
    east[1, 2] = 0.7
    for _ in range(trips):
        rho = east + west
        u = (east - west) / rho
        east += omega * (0.5 * rho * (1 + u * u) - east)
        west += omega * (0.4 * rho * (1 - u) - west)
        east = np.roll(east, 1, axis=1)
        west = np.roll(west, -1, axis=1)
    return east, west


def limited(prey: npt.NDArray[np.float64], dt: float, trips: int):
    x = prey.copy()
    for _ in range(trips):
        x += dt * x * (1 - x)
        x[1:] -= dt * x[:-1]
        x = np.maximum(x, 0)
    return x


def element_by_element(x: npt.NDArray[np.float32], trips: int):
    y = x * 2
    for n in range(trips):
        y -= 0.125 * n
        y = y * y
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
