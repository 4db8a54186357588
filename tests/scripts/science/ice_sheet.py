"""An ice sheet spreads under its own weight, steps as long as it is stable (P. Huybrechts et al., EISMINT, Ann. Glaciology 23, 1996)."""

import sys

import numpy as np

SIZES = {"bench": (151, 3000.0), "small": (15, 400.0)}

rho, g, A, n = 910.0, 9.81, 1e-16, 3
Gamma = 2 * A * (rho * g) ** n / (n + 2)


class IceSheet(object):
    def __init__(self, nx, L=1500e3):
        self.nx = nx
        self.dx = L / (nx - 1)
        x = np.linspace(-L / 2, L / 2, nx)
        self.X, self.Y = np.meshgrid(x, x)
        self.r = np.sqrt(self.X ** 2 + self.Y ** 2)
        self.H = np.zeros((nx, nx))
        self.bed = 100.0 * np.cos(4 * np.pi * self.X / L)
        self.smb = np.minimum(0.5, 1e-5 * (450e3 - self.r))

    @property
    def surface(self):
        return self.bed + self.H

    def diffusivity(self):
        h = self.surface
        Hs = 0.25 * (self.H[1:, 1:] + self.H[:-1, :-1] + self.H[1:, :-1] + self.H[:-1, 1:])
        sx = (h[:-1, 1:] - h[:-1, :-1] + h[1:, 1:] - h[1:, :-1]) / (2 * self.dx)
        sy = (h[1:, :-1] - h[:-1, :-1] + h[1:, 1:] - h[:-1, 1:]) / (2 * self.dx)
        return Gamma * Hs ** (n + 2) * (sx ** 2 + sy ** 2) ** ((n - 1) / 2)

    def step(self, remaining):
        D = self.diffusivity()
        h = self.surface
        dt = min(0.1 * self.dx ** 2 / (D.max() + 1e-10), 5.0, remaining)
        qx = -0.5 * (D[1:, :] + D[:-1, :]) * (h[1:-1, 1:] - h[1:-1, :-1]) / self.dx
        qy = -0.5 * (D[:, 1:] + D[:, :-1]) * (h[1:, 1:-1] - h[:-1, 1:-1]) / self.dx
        dHdt = self.smb[1:-1, 1:-1] - (qx[:, 1:] - qx[:, :-1]) / self.dx - (qy[1:, :] - qy[:-1, :]) / self.dx
        self.H[1:-1, 1:-1] += dt * dHdt
        self.H[self.H < 0] = 0
        return dt


def main(nx, years):
    ice = IceSheet(nx)
    t, volume, steps = 0.0, [], 0
    while t < years:
        t += ice.step(years - t)
        steps += 1
        volume.append(ice.H.sum() * ice.dx ** 2 * 1e-9)
        if steps % 500 == 0:
            print("%8.1f a  %10.1f km3" % (t, volume[-1]))
    return dict(H=ice.H, volume=np.array(volume), t=t)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
