"""The logistic map x -> r x (1 - x) over a range of r; past r = 4 it leaves [0, 1] and diverges."""

import numpy as np


def logistic(size, maxiter, bound=1e3):
    r = np.linspace(2.5, 4.2, size)
    x = np.full(size, 0.3)
    N = np.zeros(size, dtype=int)
    for n in range(maxiter):
        bounded = np.abs(x) < bound
        x[bounded] = r[bounded] * x[bounded] * (1 - x[bounded])
        N[bounded] = n
    return r, x, N


def main():
    r, x, N = logistic(200_000, 500)
    kept = np.abs(x) < 1e3
    print("bounded:", np.count_nonzero(kept), "largest r:", r[kept].max(), "sum of escape times:", N.sum())


if __name__ == "__main__":
    main()
