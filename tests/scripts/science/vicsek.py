"""Particles that steer like their neighbours, with noise (T. Vicsek et al., Phys. Rev. Lett. 75, 1995)."""

import sys

import numpy as np

SIZES = {"bench": (700, 60), "small": (20, 6)}


def order(theta):
    return np.sqrt(np.cos(theta).mean() ** 2 + np.sin(theta).mean() ** 2)


def main(N, steps, L=15.0, v0=0.03, eta=0.4, radius=1.0):
    rng = np.random.default_rng(1995)
    x = rng.random((N, 1)) * L
    y = rng.random((N, 1)) * L
    theta = rng.uniform(-np.pi, np.pi, (N, 1))
    orders = []
    for step in range(steps):
        dx = x - x.T
        dy = y - y.T
        dx = dx - L * np.round(dx / L)
        dy = dy - L * np.round(dy / L)
        near = dx**2 + dy**2 < radius**2
        sx = np.sum(near * np.cos(theta.T), axis=1)
        sy = np.sum(near * np.sin(theta.T), axis=1)
        theta = np.arctan2(sy, sx).reshape((N, 1)) + eta * (rng.random((N, 1)) - 0.5)
        x += v0 * np.cos(theta)
        y += v0 * np.sin(theta)
        x = x % L
        y = y % L
        orders.append(order(theta))
        if step % 20 == 0:
            print("step", step, "order", round(orders[-1], 4))
    return dict(x=x, y=y, theta=theta, orders=np.array(orders))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
