"""The naive Kuramoto model whose phases are moved while the neighbours are still read."""

import numpy as np

TWIN_OF = "kuramoto_naive"
ENTRY = "Lattice.sweep"
RUN = "run"
SIZES = {"small": (9,)}


class Lattice:
    def __init__(self, N, K, omega):
        self.N = N
        self.K = K
        self.omega = omega

    def sweep(self, u):
        for row in range(self.N):
            for col in range(self.N):
                if row > 0:
                    u[row, col] += self.K * np.sin(u[row - 1, col] - u[row, col])
                if col < self.N - 1:
                    u[row, col] += self.K * np.sin(u[row, col + 1] - u[row, col])
        return u


def run(u, omega, K):
    return Lattice(len(u), K, omega).sweep(u)


def setup(n):
    rng = np.random.default_rng(61)
    return rng.uniform(0, 2 * np.pi, (n, n)), rng.uniform(0, 2 * np.pi, (n, n)), 0.1
