"""Each trip stores through views that it makes of the state; the views are the state's in the step too."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    scalars={"scalar_float64": "float64"},
    constants={"rate": "float64"},
    state={"U": "float64", "V": "float64"},
    ranks={"U": 2, "V": 2},
    compile=True,
)
def _react_step(scalar_float64, rate, U, V):
    """One iteration of the loop over `_` in `react`."""
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    spread = U[:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:] - 4 * u
    used = u * v * v
    u += 0.2 * spread - used + rate * (1 - u)
    v += used - scalar_float64 * v
    U[:, 0] = U[:, 1]
    return U, V


def react(size: int, trips: int, rate: float):
    U = np.ones((size, size))
    V = np.zeros((size, size))
    V[size // 2, size // 2] = 1
    for _ in _react_step.over(
        range(trips),
        scalars=lambda _: (rate + 0.06,),
        rate=rate,
        U=U,
        V=V,
    ):
        u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
        spread = U[:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:] - 4 * u
        used = u * v * v
        u += 0.2 * spread - used + rate * (1 - u)
        v += used - (rate + 0.06) * v
        U[:, 0] = U[:, 1]
    return U, V


@npr.step(
    counter="_",
    state={"x": "float64"},
    compile=True,
)
def _halve_step(x):
    """One iteration of the loop over `_` in `halve`."""
    odd = x[1::2]
    odd *= 0.5
    x[0] = odd[-1]
    return (x,)


def halve(x: npt.NDArray[np.float64], trips: int):
    for _ in _halve_step.over(range(trips), x=x):
        odd = x[1::2]
        odd *= 0.5
        x[0] = odd[-1]
    return x


def cases():
    for trips in (9, 1, 0):
        yield "react", (8, trips, 0.03)
    yield "react", (2, 3, 0.03)
    yield "react", (1, 3, 0.03), IndexError
    yield "halve", (np.arange(7.0), 3)
    yield "halve", (np.arange(14.0)[::-2], 3)
    yield "halve", (np.zeros((4, 4)), 3)
    yield "halve", (np.zeros(1), 3), IndexError
