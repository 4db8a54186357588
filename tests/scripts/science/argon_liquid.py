"""Liquid argon with lists of neighbouring pairs, rebuilt now and then (D. C. Rapaport, The Art of Molecular Dynamics, chapter 3)."""

import sys

import numpy as np

SIZES = {"bench": (10, 120), "small": (3, 12)}


class Argon:
    def __init__(self, cells, density=0.8, cutoff=2.5, skin=0.4):
        self.n = cells**3
        self.box = (self.n / density) ** (1 / 3)
        self.rc, self.skin = cutoff, skin
        grid = (np.arange(cells) + 0.5) * self.box / cells
        self.x = np.array(np.meshgrid(grid, grid, grid)).reshape(3, -1).T.copy()
        rng = np.random.default_rng(7)
        self.v = rng.normal(size=self.x.shape)
        self.v -= self.v.mean(axis=0)
        self.f = np.zeros_like(self.x)
        self.build_list()

    def build_list(self):
        d = self.x[:, None, :] - self.x[None, :, :]
        d -= self.box * np.rint(d / self.box)
        r2 = np.einsum("ijk,ijk->ij", d, d)
        i, j = np.nonzero(r2 < (self.rc + self.skin) ** 2)
        keep = i < j
        self.i, self.j = i[keep], j[keep]
        self.moved = 0.0

    def forces(self):
        d = self.x[self.i] - self.x[self.j]
        d -= self.box * np.rint(d / self.box)
        r2 = (d * d).sum(axis=1)
        inside = r2 < self.rc**2
        i, j, d, r2 = self.i[inside], self.j[inside], d[inside], r2[inside]
        ir6 = 1.0 / r2**3
        w = 24 * ir6 * (2 * ir6 - 1) / r2
        fij = w[:, None] * d
        self.f[:] = 0
        np.add.at(self.f, i, fij)
        np.subtract.at(self.f, j, fij)
        return np.sum(4 * ir6 * (ir6 - 1))

    def step(self, dt):
        self.v += 0.5 * dt * self.f
        self.x += dt * self.v
        self.moved += dt * np.sqrt((self.v**2).sum(axis=1).max())
        if self.moved > self.skin / 2:
            self.build_list()
        potential = self.forces()
        self.v += 0.5 * dt * self.f
        return potential, 0.5 * (self.v**2).sum()


def main(cells, steps):
    md = Argon(cells)
    md.forces()
    log = []
    for n in range(steps):
        log.append(md.step(0.003))
        if n % 25 == 0:
            print("%4d potential %10.3f kinetic %9.3f" % (n, *log[-1]))
    return dict(x=md.x, v=md.v, log=np.array(log))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
