"""A loop beside functions made in the same function: one has a name of its own, one sees the loop's."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _integrate_loop(force, dt, position, speed):
    """The loop in `integrate`."""
    for i in range(1, len(force)):
        speed += dt * (force[i] - position[i - 1])
        position[i] = position[i - 1] + dt * speed
        if abs(position[i]) > 9.0:
            break
    return speed


def integrate(force: npt.NDArray[np.float64], position: npt.NDArray[np.float64], dt: float):
    speed = 0.0

    def energy(i, mass=2.0):
        return [mass * position[i] ** 2 for i in range(i)]

    speed = _integrate_loop(force, dt, position, speed)
    return energy(3), speed


@npr.native
def _found_loop(x, limit, k):
    """The loop in `found`."""
    for k in range(len(x)):
        x[k] += 0.5 * x[k - 1]
        if x[k] > limit:
            break
    return k


def found(x: npt.NDArray[np.float64], limit: float):
    k = 0

    def place():
        return k

    k = _found_loop(x, limit, k)
    return place()


def cases():
    yield "integrate", (np.ones(9), np.zeros(9), 0.1)
    yield "integrate", (100 * np.ones(9), np.zeros(9), 0.5)
    yield "found", (np.ones(9), 1.9)
    yield "found", (np.ones(9), 9.0)
    yield "found", (np.ones(0), 9.0)
