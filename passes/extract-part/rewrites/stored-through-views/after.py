"""What a step holds in another form than the user's arrays is read again when it was stored into, by whatever way."""

import numpy as np
import nprewrite.runtime as npr


def poke(z, m):
    z[..., m] = 0.5j


@npr.step(
    inputs={"c": npr.pair("float64")},
    carried={"z": npr.pair("float64")},
    once=True,
    compile=True,
)
def _orbits_step(c_re, c_im, z_re, z_im):
    """The array statements of an iteration of the loop in `orbits`."""
    z_re, z_im = z_re * z_re - z_im * z_im + c_re, z_re * z_im + z_im * z_re + c_im
    return z_re, z_im


def orbits(size: int, trips: int):
    z = np.linspace(-1, 1, size) + 0.3j
    c = np.linspace(-0.5, 0.2, size) + 0.1j
    kept = []
    with _orbits_step.running(c=c, z=z) as run:
        for m in range(trips):
            run.store()
            c.real[m] = 0.125
            if run.advance():
                (z,) = run.results
            else:
                z = z * z + c
            if m == 1:
                z = run.own(z)
                z.imag[m] += 0.05
            elif m == 2:
                z = run.own(z)
                z.real = 0.25
            elif m > 2:
                z = run.own(z)
                kept.append(z)
                run.store()
                kept[0].view(float)[3] = 0.4
            z = run.own(z)
            poke(z, m)
    return z, c, kept


@npr.step(
    carried={"u": "float64", "old": "float64"},
    previous={"old": "u"},
    once=True,
    compile=True,
)
def _two_in_a_row_step(u, old):
    """The array statements of an iteration of the loop in `two_in_a_row`."""
    old, u = u, 2 * u - 0.5 * old + 0.1 * u * u
    return u, old


def two_in_a_row(size: int, trips: int):
    # The older array is the one that the list holds.
    u = np.linspace(0, 1, size)
    old = np.zeros(size)
    kept = []
    with _two_in_a_row_step.running(u=u, old=old) as run_1:
        for m in range(trips):
            if run_1.advance():
                (u, old) = run_1.results
            else:
                old, u = u, 2 * u - 0.5 * old + 0.1 * u * u
            u = run_1.own(u)
            kept.append(u)
            if m > 0:
                run_1.store()
                kept[-2][m] = 0.25
    return u, kept


@npr.step(
    state={"u": "float64"},
    ranks={"u": 1},
    once=True,
    compile=True,
)
def _records_are_the_state_step(u):
    """The array statements of an iteration of the loop in `records_are_the_state`."""
    u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return (u,)


def records_are_the_state(size: int, trips: int):
    # In the second round the array that numbers are recorded in is the one that the step changes.
    energy = np.zeros(size)
    u = np.linspace(0, 1, size)
    for _ in range(2):
        with _records_are_the_state_step.running(u=u) as run_2:
            for m in range(trips):
                if not run_2.advance():
                    u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
                run_2.store()
                energy[m] = m
                print(end="")
        u = energy
    return u


def cases():
    for name in ("orbits", "two_in_a_row", "records_are_the_state"):
        for size, trips in ((8, 6), (7, 1)):
            yield name, (size, trips)
