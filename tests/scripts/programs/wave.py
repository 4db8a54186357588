"""Wave whose state is global, as an animation's update."""

import sys

import numpy as np

size = 600
u = np.exp(-(np.linspace(-5, 5, size * size).reshape(size, size) ** 2))
v = np.zeros_like(u)
time = 0.0
frames = 0


def advance(dt):
    global u, v, time
    acceleration = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
    v = v + dt * acceleration
    u = u + dt * v
    time += dt


def sponge(width):
    v[:width] *= 0.9
    v[-width:] *= 0.9


def run(steps):
    global u, frames
    for n in range(steps):
        u[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[2:] + u[:-2])
        u *= 0.999
    frames += 1


for _ in range(6):
    advance(0.1)
    sponge(10)
    run(5)
np.savez(sys.argv[1], u=u, v=v, time=time, frames=frames)
