"""What a step holds in another form than the user's arrays is read again when it was stored into, by whatever way."""

import numpy as np


def poke(z, m):
    z[..., m] = 0.5j


def orbits(size: int, trips: int):
    z = np.linspace(-1, 1, size) + 0.3j
    c = np.linspace(-0.5, 0.2, size) + 0.1j
    kept = []
    for m in range(trips):
        c.real[m] = 0.125
        z = z * z + c
        if m == 1:
            z.imag[m] += 0.05
        elif m == 2: z.real = 0.25
        elif m > 2:
            kept.append(z)
            kept[0].view(float)[3] = 0.4
        poke(z, m)
    return z, c, kept


def two_in_a_row(size: int, trips: int):
    # The older array is the one that the list holds.
    u = np.linspace(0, 1, size)
    old = np.zeros(size)
    kept = []
    for m in range(trips):
        old, u = u, 2 * u - 0.5 * old + 0.1 * u * u
        kept.append(u)
        if m > 0:
            kept[-2][m] = 0.25
    return u, kept


def records_are_the_state(size: int, trips: int):
    # In the second round the array that numbers are recorded in is the one that the step changes.
    energy = np.zeros(size)
    u = np.linspace(0, 1, size)
    for _ in range(2):
        for m in range(trips):
            u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
            energy[m] = m
            print(end="")
        u = energy
    return u


def cases():
    for name in ("orbits", "two_in_a_row", "records_are_the_state"):
        for size, trips in ((8, 6), (7, 1)):
            yield name, (size, trips)
