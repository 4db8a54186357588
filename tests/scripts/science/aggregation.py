"""Walkers that stick where they touch: diffusion-limited aggregation (Witten and Sander, Phys. Rev. Lett. 47, 1981)."""

import sys

import numpy as np

SIZES = {"bench": (301, 40000, 400), "small": (31, 200, 30)}


def main(n, walkers, steps):
    rng = np.random.RandomState(47)
    stuck = np.zeros((n, n), dtype=bool)
    stuck[n // 2, n // 2] = True
    pos = rng.randint(0, n, (walkers, 2))
    moves = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
    visits = np.zeros((n, n), dtype=np.int64)
    grown = []
    for step in range(steps):
        pos = (pos + moves[rng.randint(0, 4, len(pos))]) % n
        np.add.at(visits, (pos[:, 0], pos[:, 1]), 1)
        near = stuck.copy()
        near |= np.roll(stuck, 1, 0)
        near |= np.roll(stuck, -1, 0)
        near |= np.roll(stuck, 1, 1)
        near |= np.roll(stuck, -1, 1)
        hit = near[pos[:, 0], pos[:, 1]]
        if hit.any():
            stuck[pos[hit, 0], pos[hit, 1]] = True
            pos = pos[~hit]
        grown.append(stuck.sum())
        if len(pos) == 0:
            break
    print("grown to", grown[-1], "after", len(grown), "steps")
    return dict(stuck=stuck, visits=visits, grown=np.array(grown))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
