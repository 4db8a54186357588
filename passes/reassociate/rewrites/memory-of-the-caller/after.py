"""Arrays of the caller may share memory: a guard looks, and the loop as written stays for where they do."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    constants={"rate": "float64"},
    inputs={"exp_x": "float64"},
    state={"u": "float64"},
    looped=True,
    compile=True,
)
def _heat_step(rate, exp_x, u):
    """One iteration of the loop over `n` in `heat`."""
    u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
    u += exp_x
    return (u,)


def heat(u: npt.NDArray[np.float64], x: npt.NDArray[np.float64], rate: float, steps: int):
    if (
        npr.quiet()
        and npr.are_numbers(float, rate)
        and npr.are_arrays(np.float64, None, x)
        and range(steps)
        and npr.apart(u, x)
    ):
        exp_x = rate * np.exp(-x)
        for n in _heat_step.over(range(steps), rate=rate, exp_x=exp_x, u=u):
            u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
            u += exp_x
    else:
        for n in range(steps):
            u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
            u += rate * np.exp(-x)
    return u


@npr.step(
    counter="n",
    inputs={"hypot_x": "float64", "cos_table": "float64"},
    state={"u": "float64"},
    aligned=("u",),
    ranks={"cos_table": 1},
    compile=True,
)
def _limited_step(hypot_x, cos_table, u):
    """One iteration of the loop over `n` in `limited`."""
    u[...] = np.where(u > 1, 0, u)
    u += hypot_x
    u[1:-1] *= cos_table
    return (u,)


def limited(u: npt.NDArray[np.float64], x: npt.NDArray[np.float64], rate: float, first: int, steps: int):
    table = np.linspace(0.0, 1.0, 20)
    if (
        npr.quiet()
        and npr.are_numbers(float, rate)
        and npr.are_arrays(np.float64, None, x)
        and npr.are_numbers(int, first)
        and range(steps)
        and npr.apart(u, x)
    ):
        hypot_x = np.hypot(rate, x)
        cos_table = np.cos(table[first : first + 10])
        for n in _limited_step.over(
            range(steps),
            hypot_x=hypot_x,
            cos_table=cos_table,
            u=u,
        ):
            u[u > 1] = 0
            u += hypot_x
            u[1:-1] *= cos_table
    else:
        for n in range(steps):
            u[u > 1] = 0
            u += np.hypot(rate, x)
            u[1:-1] *= np.cos(table[first : first + 10])
    return u


def cases():
    for steps in (5, 0):
        u = np.linspace(0.0, 1.0, 12)
        yield "heat", (u, np.linspace(0.0, 2.0, 12), 0.1, steps)
        yield "heat", (u, u, 0.1, steps)
        yield "heat", (u[:6], u[3:9], 0.1, steps)
        yield "heat", (u, [0.5] * 12, 0.1, steps), TypeError if steps else None
        u, x = np.linspace(-2.0, 2.0, 12), np.linspace(0.0, 2.0, 12)
        yield "limited", (u.copy(), x, 0.1, 0, steps)
        yield "limited", (u.copy(), x.astype(np.float32), 0.1, 0, steps)
        for rate in (2, np.float32(0.5)):
            yield "limited", (u.copy(), x, rate, np.int64(3), steps)
        for rate in (0.1j, "half", 10**400):
            yield "limited", (u.copy(), x, rate, 0, steps), (TypeError, OverflowError) if steps else None
        for other in (x + 0j, x.astype("U9"), x[:5]):
            yield "limited", (u.copy(), other, 0.1, 0, steps), (TypeError, ValueError) if steps else None
        yield "limited", (u.copy(), x, 0.1, 0.0, steps), TypeError if steps else None
