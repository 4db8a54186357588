"""Gravity between all pairs by matrices of separations, leapfrog (Mocz, N-body Simulation with Python)."""

import numpy as np

ENTRY = "nbody"
SIZES = {"bench": (300, 25), "small": (9, 5)}


def acceleration(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def energy(pos, vel, mass, G):
    kinetic = 0.5 * np.sum(mass * vel**2)
    r = np.sqrt(np.sum((pos[:, None, :] - pos[None, :, :]) ** 2, axis=2))
    r[r > 0] = 1.0 / r[r > 0]
    potential = -G * np.sum(np.triu(mass * mass.T * r, 1))
    return kinetic, potential


def nbody(mass, pos, vel, steps, dt, G, softening):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos, mass, G, softening)
    KE = np.ndarray(steps + 1, dtype=np.float64)
    PE = np.ndarray(steps + 1, dtype=np.float64)
    KE[0], PE[0] = energy(pos, vel, mass, G)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos, mass, G, softening)
        vel += acc * dt / 2.0
        KE[i + 1], PE[i + 1] = energy(pos, vel, mass, G)
    return KE, PE


def setup(n, steps):
    rng = np.random.default_rng(50)
    mass = 20.0 * np.ones((n, 1)) / n
    return mass, rng.standard_normal((n, 3)), rng.standard_normal((n, 3)), steps, 0.01, 1.0, 0.1
