"""Spiral waves in an excitable medium on the fields of a record array (D. Barkley, Physica D 49, 1991)."""

import sys

import numpy as np

SIZES = {"bench": (256, 600), "small": (24, 12)}
n, frames = SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]

a, b, eps = 0.75, 0.06, 0.02
h, dt = 0.4, 0.02
Z = np.zeros((n + 2, n + 2), [('U', np.double), ('V', np.double)])
U, V = Z['U'], Z['V']
u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
U[: n // 2] = 1.0
V[:, : n // 2] = a / 2.0


def update(frame):
    global U, V, u, v
    for i in range(1):
        L = (U[0:-2, 1:-1] +
             U[1:-1, 0:-2] - 4 * U[1:-1, 1:-1] + U[1:-1, 2:] +
             U[2:, 1:-1])
        threshold = (v + b) / a
        reaction = u * (1 - u) * (u - threshold) / eps
        v += dt * (u - v)
        u += dt * (L / h ** 2 + reaction)
        U[0, :] = U[1, :]; U[-1, :] = U[-2, :]
        U[:, 0] = U[:, 1]; U[:, -1] = U[:, -2]
    return U


def main():
    tip = []
    for frame in range(frames):
        image = update(frame)
        if frame % 50 == 0:
            tip.append([u.mean(), v.mean()])
    print("mean activity", u.mean())
    return dict(U=U, V=V, tip=np.array(tip))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main())
