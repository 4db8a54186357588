"""A new array gets a second name, by which it is changed; only where one of them is read later is it a result."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"speed": "float64", "density": "float64", "pressure": "float64"},
    out={"momentum": "float64", "mass": "float64"},
    once=True,
    compile=True,
)
def _fluxes_region(speed, density, pressure):
    """Lines of `fluxes`."""
    star = 0.5 * (density * speed + speed)
    momentum = star**2 / density + pressure
    mass = star
    mass -= 0.5 * pressure * (density - speed)
    momentum = momentum + star
    return momentum, mass


@nprewrite.jit
def fluxes(
    density: npt.NDArray[np.float64], speed: npt.NDArray[np.float64], pressure: npt.NDArray[np.float64]
):
    for once in (region := _fluxes_region.over(
        range(1),
        speed=speed,
        density=density,
        pressure=pressure,
    )):
        star = 0.5 * (density * speed + speed)
        momentum = star**2 / density + pressure
        mass = star
        mass -= 0.5 * pressure * (density - speed)
        momentum = momentum + star
    if region.finished:
        (momentum, mass) = region.results
    return mass, momentum


@nprewrite.jit
def both(density: npt.NDArray[np.float64], speed: npt.NDArray[np.float64], pressure: npt.NDArray[np.float64]):
    star = 0.5 * (density * speed + speed)
    momentum = star**2 / density + pressure
    mass = star
    mass -= 0.5 * pressure * (density - speed)
    momentum += np.sqrt(density)
    return mass, momentum, star


def cases():
    for name in ("fluxes", "both"):
        yield name, (np.arange(4.0) + 1, np.arange(4.0) + 2, np.arange(4.0) * 0.5)
        yield name, (np.ones(0), np.ones(0), np.ones(0))
