"""Avalanches of the Abelian sandpile (Bak, Tang, Wiesenfeld, Phys. Rev. Lett. 59, 1987)."""

import sys

import numpy as np

SIZES = {"bench": (150, 24), "small": (15, 4)}


def topple(grid, topples):
    over = grid >= 4
    n = over.astype(grid.dtype)
    topples += n
    grid -= 4 * n
    grid[1:, :] += n[:-1, :]
    grid[:-1, :] += n[1:, :]
    grid[:, 1:] += n[:, :-1]
    grid[:, :-1] += n[:, 1:]
    return over.any()


def main(n, drops):
    rng = np.random.default_rng(87)
    grid = rng.integers(2, 4, size=(n, n), dtype=np.int32)
    topples = np.zeros_like(grid)
    sizes = []
    for drop in range(drops):
        i, j = rng.integers(0, n, 2)
        grid[i, j] += 40
        duration = 0
        before = topples.sum()
        while topple(grid, topples):
            duration += 1
        sizes.append((duration, topples.sum() - before))
        print(f"drop {drop}: {sizes[-1][0]} steps, {sizes[-1][1]} topplings")
    return dict(grid=grid, topples=topples, sizes=np.array(sizes))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
