"""Rivers cut into rising land: steepest receivers, drained area by a stack, implicit incision (J. Braun and S. Willett, Geomorphology 180, 2013)."""

import sys

import numpy as np

SIZES = {"bench": (90, 80, 12), "small": (12, 10, 3)}


def receivers(h, nx, ny, dx):
    rec = np.arange(nx * ny)
    length = np.zeros(nx * ny)
    for ij in range(nx * ny):
        i, j = divmod(ij, ny)
        if i == 0 or i == nx - 1 or j == 0 or j == ny - 1:
            continue
        smax = 0.0
        for ii in range(-1, 2):
            for jj in range(-1, 2):
                if ii == 0 and jj == 0:
                    continue
                k = (i + ii) * ny + j + jj
                l = dx * np.sqrt(ii * ii + jj * jj)
                slope = (h[ij] - h[k]) / l
                if slope > smax:
                    smax = slope
                    rec[ij] = k
                    length[ij] = l
    return rec, length


def stack_order(h):
    return np.argsort(h, kind="stable")


def drainage(order, rec, cell):
    area = np.full(len(rec), cell)
    for k in order[::-1]:
        if rec[k] != k:
            area[rec[k]] += area[k]
    return area


def incise(h, order, rec, length, area, K, m, dt):
    for k in order:
        if rec[k] != k:
            f = K * area[k] ** m * dt / length[k]
            h[k] = (h[k] + f * h[rec[k]]) / (1 + f)


def main(nx, ny, steps):
    rng = np.random.default_rng(2013)
    dx, dt, uplift, K, m = 500.0, 2e4, 1e-3, 2e-5, 0.4
    h = rng.random(nx * ny)
    interior = np.zeros((nx, ny), dtype=bool)
    interior[1:-1, 1:-1] = True
    interior = interior.ravel()
    mean = []
    for step in range(steps):
        h[interior] += uplift * dt
        rec, length = receivers(h, nx, ny, dx)
        order = stack_order(h)
        area = drainage(order, rec, dx * dx)
        incise(h, order, rec, length, area, K, m, dt)
        mean.append(h.mean())
        print("step", step, "mean height %.2f" % mean[-1])
    return dict(h=h.reshape(nx, ny), area=area, mean=np.array(mean))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
