"""Newton's fractal of z**3 - 1: which of the three roots each starting point falls to, and how fast."""

import numpy as np


def newton(size, extent, maxiter, tol=1e-6):
    x = np.linspace(-extent, extent, size)
    z = x + x[:, None] * 1j
    steps = np.zeros(z.shape, dtype=int)
    for n in range(maxiter):
        dz = (z**3 - 1) / (3 * z**2)
        close = np.abs(dz) < tol
        moving = ~close
        steps[moving] = n + 1
        z[moving] = z[moving] - dz[moving]

    root = np.zeros(z.shape, dtype=int)
    root[np.abs(z - 1) < 1e-3] = 1
    root[np.abs(z - (-0.5 + 0.8660254037844386j)) < 1e-3] = 2
    root[np.abs(z - (-0.5 - 0.8660254037844386j)) < 1e-3] = 3
    return z, steps, root


def main():
    # An even size keeps the pole of the iteration, z = 0, off the grid.
    z, steps, root = newton(800, 2.0, 60)
    print("sum of steps:", steps.sum(), "points to each root:", np.bincount(root.ravel(), minlength=4)[1:])


if __name__ == "__main__":
    main()
