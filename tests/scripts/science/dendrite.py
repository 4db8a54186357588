"""A snow flake grows: an anisotropic phase field with latent heat (R. Kobayashi, Physica D 63, 1993)."""

import sys

import numpy as np

SIZES = {"bench": (250, 400), "small": (24, 6)}


def make_simulation(n, delta=0.02, aniso=6.0, latent=1.8):
    tau, epsbar, mu, alpha, gamma, teq, theta0 = 0.0003, 0.01, 1.0, 0.9, 10.0, 1.0, 0.2
    h, dt = 0.03, 1e-4
    phi, T = np.zeros((n, n)), np.zeros((n, n))
    i, j = np.mgrid[0:n, 0:n]
    phi[(i - n / 2) ** 2 + (j - n / 2) ** 2 < 5] = 1.0

    def ddx(f):
        return (np.roll(f, -1, 0) - np.roll(f, 1, 0)) / (2 * h)

    def ddy(f):
        return (np.roll(f, -1, 1) - np.roll(f, 1, 1)) / (2 * h)

    def lap(f):
        return (np.roll(f, 1, 0) + np.roll(f, -1, 0) + np.roll(f, 1, 1) + np.roll(f, -1, 1) - 4 * f) / h**2

    def step():
        nonlocal phi, T
        px, py = ddx(phi), ddy(phi)
        theta = np.arctan2(py, px)
        eps = epsbar * (1.0 + delta * np.cos(aniso * (theta - theta0)))
        deps = -epsbar * aniso * delta * np.sin(aniso * (theta - theta0))
        term1 = ddy(eps * deps * px)
        term2 = -ddx(eps * deps * py)
        m = alpha / np.pi * np.arctan(gamma * (teq - T))
        old = phi
        phi = old + dt / tau * (term1 + term2 + eps**2 * lap(old) + old * (1 - old) * (old - 0.5 + m))
        T = T + dt * lap(T) + latent * (phi - old)
        return phi, T

    return step


def main(n, steps):
    step = make_simulation(n)
    solid = []
    for k in range(steps):
        phi, T = step()
        solid.append(np.count_nonzero(phi > 0.5))
        if k % 50 == 0:
            print(k, "solid cells", solid[-1])
    return dict(phi=phi, T=T, solid=np.array(solid))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
