"""Positions and velocities of a few numbers, of which the loop picks some by their places in the text."""

import math

import numpy as np


def throw(speed: float, angle: float, drag: float = 0.01, dt: float = 1e-3):
    position = np.array([0.0, 0.0])
    velocity = np.array([speed * math.cos(angle), speed * math.sin(angle)])
    xs, heights = [], []
    while position[1] >= 0:
        size = np.sqrt(velocity[0] ** 2 + velocity[1] ** 2)
        force = np.array([-drag * size * velocity[0], -9.81 - drag * size * velocity[1]])
        velocity = velocity + force * dt
        position = position + velocity * dt
        xs.append(position[0])
        heights.append(position[1])
    return xs, heights


def orbit(steps: int, dt: float = 0.05):
    position, velocity = np.array([1.0, 0.0]), np.array([0.0, 1.1])
    track, energies = [position.copy()], []
    for _ in range(steps):
        distance = np.sqrt(position[0] ** 2 + position[1] ** 2)
        velocity = velocity - position / distance**3 * dt
        position = position + velocity * dt
        track.append(position.copy())
        energies.append(0.5 * (velocity[0] ** 2 + velocity[1] ** 2) - 1 / distance)
    return np.array(track), energies, position


def cases():
    yield "orbit", (0,)
    yield "orbit", (40,)
    yield "throw", (20.0, 0.7)
    yield "throw", (0.0, 1.0)
    yield "throw", (5.0, -1.0)
