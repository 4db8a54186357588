"""The sieve of Eratosthenes with strided stores."""

import numpy as np

ENTRY = "primes"
SIZES = {"bench": (20_000_000,), "small": (200,)}


def primes(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return np.flatnonzero(is_prime)


def setup(n):
    return (n,)
