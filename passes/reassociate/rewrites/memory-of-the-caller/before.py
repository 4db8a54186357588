"""Arrays of the caller may share memory: a guard looks, and the loop as written stays for where they do."""

import numpy as np
import numpy.typing as npt


def heat(u: npt.NDArray[np.float64], x: npt.NDArray[np.float64], rate: float, steps: int):
    for n in range(steps):
        u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
        u += rate * np.exp(-x)
    return u


def limited(u: npt.NDArray[np.float64], x: npt.NDArray[np.float64], rate: float, first: int, steps: int):
    table = np.linspace(0.0, 1.0, 20)
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
