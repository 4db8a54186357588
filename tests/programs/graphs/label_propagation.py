"""Connected components: every vertex takes the smallest label of its neighbours until nothing changes."""

import numpy as np

ENTRY = "components"
SIZES = {"bench": (200_000, 300_000), "small": (30, 25)}


def components(n, a, b):
    label = np.arange(n)
    changed = True
    rounds = 0
    while changed:
        low = np.minimum(label[a], label[b])
        new = label.copy()
        np.minimum.at(new, a, low)
        np.minimum.at(new, b, low)
        changed = bool((new != label).any())
        label = new
        rounds += 1
    return label, len(np.unique(label)), rounds


def setup(n, edges):
    rng = np.random.default_rng(104)
    return n, rng.integers(0, n, edges), rng.integers(0, n, edges)
