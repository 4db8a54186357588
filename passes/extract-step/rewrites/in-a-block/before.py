"""Loops under if, with and try: the loop's header changes where it stands."""

import numpy as np


def guarded(size: int, trips: int, ready: bool):
    x = np.linspace(0, 1, size)
    if ready:
        with np.errstate(over="ignore", invalid="ignore"):
            for n in range(trips):
                x = x * x + 0.3
    else:
        try:
            for n in range(trips):
                x = x * 0.5
        finally:
            x = x + 1
    return x


def plain(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = x * x + 0.3
    return x


def strictly(size: int, trips: int):
    with np.errstate(all="raise"):
        return plain(size, trips)


def cases():
    for trips in (20, 9, 8, 1, 0):
        yield "guarded", (5, trips, True)
        yield "guarded", (5, trips, False)
        yield "plain", (5, trips)
    yield "strictly", (5, 3)
    yield "strictly", (5, 40), FloatingPointError
