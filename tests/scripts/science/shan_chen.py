"""A liquid and its vapour come apart: lattice Boltzmann with interparticle forces (Shan and Chen, Phys. Rev. E 47, 1993)."""

import sys

import numpy as np

SIZES = {"bench": (160, 160, 300), "small": (12, 10, 5)}

# directions and weights
c = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
w = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
G, rho0, tau = -120.0, 200.0, 1.0


def psi(rho):
    return 4.0 * np.exp(-rho0 / rho)


def force(rho):
    p = psi(rho)
    Fx = np.zeros_like(rho)
    Fy = np.zeros_like(rho)
    for (cx, cy), wi in zip(c, w):
        shifted = np.roll(np.roll(p, -cx, axis=0), -cy, axis=1)
        Fx += wi * cx * shifted
        Fy += wi * cy * shifted
    return -G * p * Fx, -G * p * Fy


def equilibrium(rho, ux, uy):
    feq = []
    usq = 1.5 * (ux ** 2 + uy ** 2)
    for i in range(9):
        cu = 3.0 * (c[i][0] * ux + c[i][1] * uy)
        feq.append(w[i] * rho * (1.0 + cu + 0.5 * cu * cu - usq))
    return feq


def main(nx, ny, steps):
    rng = np.random.default_rng(0)
    rho = 200.0 + rng.random((nx, ny))
    f = equilibrium(rho, np.zeros((nx, ny)), np.zeros((nx, ny)))
    contrast = []
    for step in range(steps):
        rho = sum(f)
        Fx, Fy = force(rho)
        ux = sum(f[i] * c[i][0] for i in range(9)) / rho + tau * Fx / rho
        uy = sum(f[i] * c[i][1] for i in range(9)) / rho + tau * Fy / rho
        feq = equilibrium(rho, ux, uy)
        for i in range(9):
            f[i] = f[i] - (f[i] - feq[i]) / tau
            f[i] = np.roll(f[i], c[i], axis=(0, 1))
        contrast.append(rho.max() - rho.min())
        if step % 20 == 0:
            print("step", step, "contrast %.6f" % contrast[-1])
    return dict(rho=rho, ux=ux, uy=uy, contrast=np.array(contrast))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
