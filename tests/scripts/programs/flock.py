"""A flock as a class that keeps its state."""

import sys

import numpy as np


class Flock:
    def __init__(self, count=200, width=640, height=360):
        rng = np.random.default_rng(1)
        self.width, self.height = width, height
        self.max_velocity = 2.0
        self.position = rng.uniform(0, 1, (count, 2)) * (width, height)
        self.velocity = np.cos(rng.uniform(0, 6.28, (count, 2)))
        self.age = 0

    def limit(self, vectors, most):
        norm = np.sqrt((vectors * vectors).sum(axis=1)).reshape(-1, 1)
        return np.where(norm > most, vectors * most / np.maximum(norm, 1e-12), vectors)

    def separation(self):
        dx = np.subtract.outer(self.position[:, 0], self.position[:, 0])
        dy = np.subtract.outer(self.position[:, 1], self.position[:, 1])
        distance = np.hypot(dx, dy)
        near = (distance > 0) & (distance < 25)
        count = np.maximum(near.sum(axis=1), 1).reshape(-1, 1)
        towards = np.dstack((dx, dy))
        return (towards * near[..., None]).sum(axis=1) / count

    def step(self, dt):
        self.velocity += 0.01 * self.separation()
        self.velocity = self.limit(self.velocity, self.max_velocity)
        self.position += dt * self.velocity
        self.position += (self.width, self.height)
        self.position %= (self.width, self.height)
        self.age += 1

    def coast(self, steps, dt):
        for n in range(steps):
            self.position = self.position + dt * self.velocity
            self.velocity = self.velocity * 0.999
        return self.position.mean()


flock = Flock()
means = []
for frame in range(5):
    flock.step(0.5)
    means.append(flock.coast(20, 0.1))
np.savez(sys.argv[1], position=flock.position, velocity=flock.velocity, age=flock.age, means=means)
