"""Trees grow, lightning strikes, fires spread (B. Drossel and F. Schwabl, Phys. Rev. Lett. 69, 1992)."""

import sys

import numpy as np

SIZES = {"bench": (600, 600, 600), "small": (20, 24, 10)}

EMPTY, TREE, FIRE = 0, 1, 2


class Forest:
    def __init__(self, shape, p=0.02, f=0.0002, seed=None):
        self.rng = np.random.default_rng(seed)
        self.p, self.f = p, f
        self.grid = (self.rng.random(shape) < 0.5).astype(np.uint8)
        self.burnt = np.zeros(shape, dtype=np.uint16)

    def burning_neighbours(self):
        fire = self.grid == FIRE
        near = np.zeros_like(fire)
        near[1:, :] |= fire[:-1, :]
        near[:-1, :] |= fire[1:, :]
        near[:, 1:] |= fire[:, :-1]
        near[:, :-1] |= fire[:, 1:]
        return near

    def step(self):
        old = self.grid
        chance = self.rng.random(old.shape)
        new = old.copy()
        new[old == FIRE] = EMPTY
        new[(old == TREE) & self.burning_neighbours()] = FIRE
        new[(old == TREE) & (chance < self.f)] = FIRE
        new[(old == EMPTY) & (chance < self.p)] = TREE
        self.burnt += new == FIRE
        self.grid = new


def main(rows, cols, steps):
    forest = Forest((rows, cols), seed=92)
    census = {"tree": [], "fire": []}
    for t in range(steps):
        forest.step()
        census["tree"].append((forest.grid == TREE).mean())
        census["fire"].append((forest.grid == FIRE).mean())
        if t % 50 == 0:
            print("%4d trees %.4f fires %.5f" % (t, census["tree"][-1], census["fire"][-1]))
    return dict(grid=forest.grid, burnt=forest.burnt, **{k: np.array(x) for k, x in census.items()})


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
