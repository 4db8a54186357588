"""Methods, nested functions and async functions hold straight-line stores too."""

import asyncio

import numpy as np


class Grid:
    def __init__(self, size: int):
        self.size = size

    def checker(self):
        size: int = self.size
        A = np.arange(size * 2, dtype=np.int64)
        A[A & 1 == 1] = 1

        def flip(limit: int):
            B = np.arange(limit, dtype=np.int64)
            B[B > 2] = 2
            return B

        return A, flip(size)


async def fetch(size: int):
    A = np.arange(size, dtype=np.int64)
    A[A > 1] = 1
    return A


def run(size: int):
    return Grid(size).checker(), asyncio.run(fetch(size))


def cases():
    for size in (0, 1, 2, 5):
        yield "run", (size,)
