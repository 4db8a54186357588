"""Flocking in array code: separation, alignment, cohesion (after Rougier, From Python to Numpy, 4.5)."""

import numpy as np

ENTRY = "Flock.step"
RUN = "fly"
SIZES = {"bench": (450, 8), "small": (12, 4)}


def limit(vectors, ceiling):
    norm = np.sqrt((vectors**2).sum(axis=1)).reshape(len(vectors), 1)
    np.multiply(vectors, ceiling / norm, out=vectors, where=norm > ceiling)
    return vectors


class Flock:
    def __init__(self, position, velocity, width=640.0, height=360.0):
        self.position = position
        self.velocity = velocity
        self.size = np.array([width, height])

    def step(self, dt=1.0, max_speed=2.0, max_force=0.03):
        position, velocity = self.position, self.velocity
        dx = np.subtract.outer(position[:, 0], position[:, 0])
        dy = np.subtract.outer(position[:, 1], position[:, 1])
        distance = np.hypot(dx, dy)
        near = (distance > 0) & (distance < 25)
        seen = (distance > 0) & (distance < 50)
        n_near = np.maximum(near.sum(axis=1), 1).reshape(-1, 1)
        n_seen = np.maximum(seen.sum(axis=1), 1).reshape(-1, 1)

        safe = np.where(distance > 0, distance, 1.0)
        away = np.dstack((dx, dy)) / safe[..., None] ** 2
        separation = np.where(near[..., None], away, 0.0).sum(axis=1) / n_near
        alignment = seen @ velocity / n_seen - velocity
        cohesion = seen @ position / n_seen - position

        acceleration = 1.5 * limit(separation + 1e-9, max_force)
        acceleration += limit(alignment, max_force) + limit(cohesion, max_force)
        velocity += acceleration * dt
        limit(velocity, max_speed)
        position += velocity * dt
        position %= self.size


def fly(position, velocity, steps):
    flock = Flock(position, velocity)
    for _ in range(steps):
        flock.step()
    return flock.position.mean(axis=0), flock.velocity


def setup(n, steps):
    rng = np.random.default_rng(53)
    angle = rng.uniform(0, 2 * np.pi, n)
    return rng.random((n, 2)) * [640, 360], np.stack([np.cos(angle), np.sin(angle)], axis=1), steps
