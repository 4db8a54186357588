"""The lattice Kuramoto model as a solver class with a loop over every oscillator (Srinivasan)."""

import numpy as np

ENTRY = "NaiveSolver.dudt"
RUN = "right_hand_side"
SIZES = {"bench": (300,), "small": (9,), "stated": (1000,)}


class NaiveSolver:
    def __init__(self, N, K, omega):
        self.N = N
        self.K = K
        self.omega = omega

    def dudt(self, u):
        dudt = self.omega.copy()
        for row in range(self.N):
            for col in range(self.N):
                # Horizontal neighbors
                if row > 0:
                    dudt[row, col] += self.K * np.sin(u[row - 1, col] - u[row, col])
                if row < self.N - 1:
                    dudt[row, col] += self.K * np.sin(u[row + 1, col] - u[row, col])
                # Vertical neighbors
                if col > 0:
                    dudt[row, col] += self.K * np.sin(u[row, col - 1] - u[row, col])
                if col < self.N - 1:
                    dudt[row, col] += self.K * np.sin(u[row, col + 1] - u[row, col])
        return dudt


def right_hand_side(u, omega, K):
    return NaiveSolver(len(u), K, omega).dudt(u)


def setup(n):
    rng = np.random.default_rng(61)
    return rng.uniform(0, 2 * np.pi, (n, n)), rng.uniform(0, 2 * np.pi, (n, n)), 2.0
