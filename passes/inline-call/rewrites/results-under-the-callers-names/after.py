"""Results are computed under the caller's names, and shifts stand as literals where they are used."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


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


@npr.step(
    counter="n",
    constants={"dt": "float64"},
    state={"mass": "float64", "momentum": "float64"},
    compile=True,
)
def _run_step(dt, mass, momentum):
    """One iteration of the loop over `n` in `run`."""
    rho = mass / 0.1
    v = momentum / rho / 0.1  # what the equations are about
    drho = (np.roll(rho, -1) - np.roll(rho, 1)) / (2 * 0.1)
    dv = (np.roll(rho, -1) - rho) / 0.1
    applied_flux = rho * v - 0.1 * drho
    mass += dt * applied_flux
    mass -= dt * np.roll(applied_flux, 1)
    applied_flux_1 = rho * v * v - 0.1 * dv
    momentum += dt * applied_flux_1
    momentum -= dt * np.roll(applied_flux_1, 1)
    return mass, momentum


@nprewrite.jit
def run(mass: npt.NDArray[np.float64], momentum: npt.NDArray[np.float64], steps: int, dt: float):
    for n in _run_step.over(range(steps), dt=dt, mass=mass, momentum=momentum):
        rho = mass / 0.1
        v = momentum / rho / 0.1  # what the equations are about
        drho = (np.roll(rho, -1) - np.roll(rho, 1)) / (2 * 0.1)
        dv = (np.roll(rho, -1) - rho) / 0.1
        applied_flux = rho * v - 0.1 * drho
        mass += dt * applied_flux
        mass -= dt * np.roll(applied_flux, 1)
        del applied_flux
        applied_flux_1 = rho * v * v - 0.1 * dv
        momentum += dt * applied_flux_1
        momentum -= dt * np.roll(applied_flux_1, 1)
        del applied_flux_1
    return mass, momentum


def cases():
    for size, steps in ((8, 3), (8, 0), (3, 1)):
        x = np.linspace(0.0, 1.0, size)
        yield "run", (1.0 + 0.2 * np.sin(x), 0.1 * np.cos(x), steps, 1e-3)
