"""The lattice Kuramoto model integrated by a solver class that keeps its state (Srinivasan)."""

import numpy as np

ENTRY = "Solver.integrate"
RUN = "solve"
SIZES = {"bench": (400, 40), "small": (10, 8)}


class Solver:
    def __init__(self, state, omega, T, K, dt=0.1, record=False):
        self.state = state
        self.omega = omega
        self.T = T
        self.K = K
        self.dt = dt
        self.record = record
        self.history = []

    def dudt(self, u):
        dudt = self.omega.copy()
        dudx_right = u[:, 1:] - u[:, :-1]
        dudy_down = u[1:, :] - u[:-1, :]
        dudt[:, :-1] += self.K * np.sin(dudx_right)
        dudt[:, 1:] += self.K * np.sin(-dudx_right)
        dudt[:-1, :] += self.K * np.sin(dudy_down)
        dudt[1:, :] += self.K * np.sin(-dudy_down)
        return dudt

    def integrate(self):
        for _ in range(round(self.T / self.dt)):
            if self.record:
                self.history.append(self.state.copy())
            self.state += self.dudt(self.state) * self.dt


def solve(state, omega, T, K, record):
    solver = Solver(state, omega, T, K, record=record)
    solver.integrate()
    return solver.state, solver.history


def setup(n, steps):
    rng = np.random.default_rng(62)
    state, omega = rng.uniform(0, 2 * np.pi, (2, n, n))
    return state, omega, steps * 0.1, 2.0, False
