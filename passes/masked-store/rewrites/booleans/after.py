"""Stores of truth values, and into an array of them."""

import numpy as np


def sieve(size: int):
    number = np.arange(size)
    prime = np.ones(size, dtype=bool)
    prime[...] = np.where(number < 2, False, prime)
    prime[...] = np.where((number % 2 == 0) & (number > 2), False, prime)
    prime[...] = np.where((number % 3 == 0) & (number > 3), False, prime)
    prime[...] = np.where(number == 2, True, prime)
    count = np.zeros(size, dtype=np.int8)
    count[...] = np.where(prime, True, count)
    return prime, count


def cases():
    for size in (0, 1, 2, 3, 25):
        yield "sieve", (size,)
