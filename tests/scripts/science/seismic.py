"""Waves in the ground on a staggered grid, with a sponge and a line of receivers (J. Virieux, Geophysics 51, 1986)."""

import sys

import numpy as np

SIZES = {"bench": (260, 180, 220), "small": (24, 20, 12)}


class Elastic:
    def __init__(self, nx, nz, h=10.0):
        self.nx, self.nz, self.h = nx, nz, h
        self.rho = np.full((nx, nz), 2200.0)
        vp = np.full((nx, nz), 3000.0)
        vp[:, nz // 2:] = 4000.0
        vs = vp / np.sqrt(3.0)
        self.mu = self.rho * vs**2
        self.lam = self.rho * vp**2 - 2 * self.mu
        self.dt = 0.5 * h / vp.max()
        names = ["vx", "vz", "sxx", "szz", "sxz"]
        for name in names:
            setattr(self, name, np.zeros((nx, nz)))
        self.damp = np.ones((nx, nz))
        w = max(nx // 12, 2)
        for i in range(w):
            d = np.exp(-(0.015 * 20 * (w - i) / w) ** 2)
            self.damp[i, :] *= d
            self.damp[nx - 1 - i, :] *= d
            self.damp[:, nz - 1 - i] *= d
        self.record = []

    def ricker(self, t, f0=12.0):
        a = (np.pi * f0 * (t - 1.2 / f0)) ** 2
        return (1 - 2 * a) * np.exp(-a)

    def velocity(self):
        h, dt = self.h, self.dt
        self.vx[1:, 1:] += dt / (self.rho[1:, 1:] * h) * (
            self.sxx[1:, 1:] - self.sxx[:-1, 1:] + self.sxz[1:, 1:] - self.sxz[1:, :-1])
        self.vz[:-1, :-1] += dt / (self.rho[:-1, :-1] * h) * (
            self.sxz[1:, :-1] - self.sxz[:-1, :-1] + self.szz[:-1, 1:] - self.szz[:-1, :-1])

    def stress(self):
        h, dt = self.h, self.dt
        dvx = self.vx[1:, 1:] - self.vx[:-1, 1:]
        dvz = self.vz[:-1, 1:] - self.vz[:-1, :-1]
        self.sxx[:-1, 1:] += dt / h * ((self.lam + 2 * self.mu)[:-1, 1:] * dvx + self.lam[:-1, 1:] * dvz)
        self.szz[:-1, 1:] += dt / h * ((self.lam + 2 * self.mu)[:-1, 1:] * dvz + self.lam[:-1, 1:] * dvx)
        self.sxz[1:, :-1] += dt / h * self.mu[1:, :-1] * (
            self.vx[1:, 1:] - self.vx[1:, :-1] + self.vz[1:, :-1] - self.vz[:-1, :-1])

    def run(self, nt):
        snapshots = []
        for it in range(nt):
            self.velocity()
            self.vz[self.nx // 2, 2] += self.dt * self.ricker(it * self.dt) / self.rho[self.nx // 2, 2] * 1e3
            self.stress()
            for f in (self.vx, self.vz, self.sxx, self.szz, self.sxz):
                f *= self.damp
            self.record.append(self.vz[::4, 2].copy())
            if it % 100 == 0:
                snapshots.append(self.vz.copy())
                print(it, np.abs(self.vz).max())
        return snapshots


def main(nx, nz, nt):
    model = Elastic(nx, nz)
    snapshots = model.run(nt)
    return dict(vx=model.vx, vz=model.vz, record=np.array(model.record), snapshots=np.array(snapshots))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
