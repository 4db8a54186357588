"""Gravity between all pairs as a class that advances `self.position` and `self.velocity`."""

import numpy as np

ENTRY = "Bodies.advance"
RUN = "simulate"
SIZES = {"bench": (700, 12), "small": (10, 6)}


class Bodies:
    def __init__(self, position, velocity, mass):
        self.position = position.copy()
        self.velocity = velocity.copy()
        self.mass = mass

    def advance(self, dt, eps=0.05):
        d = self.position[np.newaxis, :, :] - self.position[:, np.newaxis, :]
        r2 = (d**2).sum(axis=-1) + eps**2
        a = (self.mass[np.newaxis, :, np.newaxis] * d / r2[:, :, np.newaxis] ** 1.5).sum(axis=1)
        self.velocity += a * dt
        self.position += self.velocity * dt

    def energy(self):
        return 0.5 * (self.mass * (self.velocity**2).sum(axis=1)).sum()


def simulate(position, velocity, mass, steps):
    bodies = Bodies(position, velocity, mass)
    energies = []
    for _ in range(steps):
        bodies.advance(0.01)
        energies.append(bodies.energy())
    return bodies.position, bodies.velocity, energies


def setup(n, steps):
    rng = np.random.default_rng(51)
    return rng.standard_normal((n, 2)), 0.1 * rng.standard_normal((n, 2)), np.full(n, 1.0 / n), steps
