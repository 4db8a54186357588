"""Stores of truth values, and into an array of them."""

import numpy as np


def sieve(size: int):
    number = np.arange(size)
    prime = np.ones(size, dtype=bool)
    prime[number < 2] = False
    prime[(number % 2 == 0) & (number > 2)] = False
    prime[(number % 3 == 0) & (number > 3)] = 0
    prime[number == 2] = True
    count = np.zeros(size, dtype=np.int8)
    count[prime] = True
    return prime, count


def cases():
    for size in (0, 1, 2, 3, 25):
        yield "sieve", (size,)
