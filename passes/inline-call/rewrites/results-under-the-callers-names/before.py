"""Results are computed under the caller's names, and shifts stand as literals where they are used."""

import numpy as np
import numpy.typing as npt

import nprewrite


def primitive(mass, momentum, volume):
    rho = mass / volume
    v = momentum / rho / volume
    return rho, v


def slopes(f, dx):
    right, left = -1, 1
    centred = (np.roll(f, right) - np.roll(f, left)) / (2 * dx)
    one_sided = (np.roll(f, right) - f) / dx
    return centred, one_sided


def applied(f, flux, dt):
    f += dt * flux
    f -= dt * np.roll(flux, 1)
    return f


@nprewrite.jit
def run(mass: npt.NDArray[np.float64], momentum: npt.NDArray[np.float64], steps: int, dt: float):
    for n in range(steps):
        rho, v = primitive(mass, momentum, 0.1)  # what the equations are about
        drho, dv = slopes(rho, 0.1)
        mass = applied(mass, rho * v - 0.1 * drho, dt)
        momentum = applied(momentum, rho * v * v - 0.1 * dv, dt)
    return mass, momentum


def cases():
    for size, steps in ((8, 3), (8, 0), (3, 1)):
        x = np.linspace(0.0, 1.0, size)
        yield "run", (1.0 + 0.2 * np.sin(x), 0.1 * np.cos(x), steps, 1e-3)
