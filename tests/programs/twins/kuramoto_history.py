"""The Kuramoto solver that records its state without a copy: every entry of the history is the one array."""

import numpy as np

TWIN_OF = "kuramoto_integration"
ENTRY = "Solver.integrate"
RUN = "solve"
SIZES = {"small": (8, 6)}


class Solver:
    def __init__(self, state, omega, K, dt=0.1):
        self.state = state
        self.omega = omega
        self.K = K
        self.dt = dt
        self.history = []

    def dudt(self, u):
        dudt = self.omega.copy()
        dudt[:, :-1] += self.K * np.sin(u[:, 1:] - u[:, :-1])
        dudt[:, 1:] += self.K * np.sin(u[:, :-1] - u[:, 1:])
        return dudt

    def integrate(self, steps):
        for _ in range(steps):
            self.history.append(self.state)
            self.state += self.dudt(self.history[0]) * self.dt


def solve(state, omega, K, steps):
    solver = Solver(state, omega, K)
    solver.integrate(steps)
    return solver.state, solver.history


def setup(n, steps):
    rng = np.random.default_rng(62)
    return *rng.uniform(0, 2 * np.pi, (2, n, n)), 0.5, steps
