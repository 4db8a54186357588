"""The 32-bit FNV-1a hash of bytes (Fowler, Noll, Vo)."""

import numpy as np

ENTRY = "fnv1a"
SIZES = {"bench": (1_000_000,), "small": (100,)}


def fnv1a(data):
    h = 2166136261
    for i in range(len(data)):
        h = h ^ int(data[i])
        h = (h * 16777619) & 0xFFFFFFFF
    return h


def setup(n):
    return (np.random.default_rng(114).integers(0, 256, n, dtype=np.uint8),)
