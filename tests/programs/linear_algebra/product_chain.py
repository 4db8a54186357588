"""A chain of four products of unequal sizes that ends in a vector; written from left to right."""

import numpy as np

ENTRY = "chain"
SIZES = {"bench": (800, 1000, 900, 1100, 700), "small": (20, 30, 25, 35, 15)}


def chain(A, B, C, D, x):
    return A @ B @ C @ D @ x


def setup(n0, n1, n2, n3, n4):
    rng = np.random.default_rng(6)
    sizes = [n0, n1, n2, n3, n4]
    matrices = [rng.random((m, n)) / n for m, n in zip(sizes, sizes[1:])]
    return *matrices, rng.random(n4)
