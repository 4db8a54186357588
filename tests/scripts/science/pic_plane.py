"""Particles in cells, electrostatic, in the plane: weights of clouds in cells, the field by FFT (Birdsall and Langdon, chapter 14)."""

import sys

import numpy as np

SIZES = {"bench": (64, 60000, 60), "small": (8, 300, 5)}


class Plasma:
    def __init__(self, nx, npart, seed=5):
        rng = np.random.default_rng(seed)
        self.nx = nx
        self.L = 2 * np.pi
        self.dx = self.L / nx
        self.pos = rng.random((npart, 2)) * self.L
        self.vel = rng.normal(0, 0.3, (npart, 2))
        self.vel[: npart // 2, 0] += 1.5
        self.vel[npart // 2:, 0] -= 1.5
        self.q = -self.L ** 2 / npart
        k = np.fft.fftfreq(nx, 1.0 / nx)
        self.kx, self.ky = np.meshgrid(k, k, indexing='ij')
        self.k2 = self.kx ** 2 + self.ky ** 2
        self.k2[0, 0] = 1.0
        self.energy = []

    def weights(self):
        s = self.pos / self.dx
        i = np.floor(s).astype(int)
        f = s - i
        i %= self.nx
        j = (i + 1) % self.nx
        return i, j, f

    def deposit(self):
        i, j, f = self.weights()
        rho = np.zeros((self.nx, self.nx))
        np.add.at(rho, (i[:, 0], i[:, 1]), (1 - f[:, 0]) * (1 - f[:, 1]))
        np.add.at(rho, (j[:, 0], i[:, 1]), f[:, 0] * (1 - f[:, 1]))
        np.add.at(rho, (i[:, 0], j[:, 1]), (1 - f[:, 0]) * f[:, 1])
        np.add.at(rho, (j[:, 0], j[:, 1]), f[:, 0] * f[:, 1])
        return rho * self.q / self.dx ** 2 + 1.0

    def field(self, rho):
        phi = np.fft.fft2(rho) / self.k2
        phi[0, 0] = 0
        Ex = np.real(np.fft.ifft2(-1j * self.kx * phi))
        Ey = np.real(np.fft.ifft2(-1j * self.ky * phi))
        return Ex, Ey

    def gather(self, E):
        i, j, f = self.weights()
        return ((1 - f[:, 0]) * (1 - f[:, 1]) * E[i[:, 0], i[:, 1]] + f[:, 0] * (1 - f[:, 1]) * E[j[:, 0], i[:, 1]]
                + (1 - f[:, 0]) * f[:, 1] * E[i[:, 0], j[:, 1]] + f[:, 0] * f[:, 1] * E[j[:, 0], j[:, 1]])

    def step(self, dt):
        Ex, Ey = self.field(self.deposit())
        self.vel[:, 0] -= dt * self.gather(Ex)
        self.vel[:, 1] -= dt * self.gather(Ey)
        self.pos += dt * self.vel
        self.pos %= self.L
        self.energy.append(0.5 * np.sum(Ex ** 2 + Ey ** 2) * self.dx ** 2)


def main(nx, npart, steps):
    plasma = Plasma(nx, npart)
    for n in range(steps):
        plasma.step(0.05)
        if n % 10 == 0:
            print(f"{n:4d} field energy {plasma.energy[-1]:.5f}")
    return dict(pos=plasma.pos, vel=plasma.vel, energy=np.array(plasma.energy))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
