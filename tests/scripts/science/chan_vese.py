"""An outline that finds the object by two means (T. Chan and L. Vese, IEEE Trans. Image Processing 10, 2001)."""

import sys

import numpy as np

SIZES = {"bench": (400, 1e-6, 140), "small": (20, 1e-2, 12)}
eps = np.finfo(float).eps


def curvature(phi):
    P = np.pad(phi, 1, mode="edge")
    fy = (P[2:, 1:-1] - P[:-2, 1:-1]) / 2.0
    fx = (P[1:-1, 2:] - P[1:-1, :-2]) / 2.0
    fyy = P[2:, 1:-1] + P[:-2, 1:-1] - 2 * phi
    fxx = P[1:-1, 2:] + P[1:-1, :-2] - 2 * phi
    fxy = 0.25 * (P[2:, 2:] + P[:-2, :-2] - P[:-2, 2:] - P[2:, :-2])
    grad2 = fx**2 + fy**2
    return ((fxx * fy**2 + fyy * fx**2 - 2 * fxy * fx * fy) / (np.power(grad2, 1.5) + eps)) * np.sqrt(grad2)


def segment(image, phi, alpha, tol, max_its):
    its, stop, fraction = 0, False, []
    while its < max_its and not stop:
        inside = phi <= 0
        outside = phi > 0
        c1 = np.sum(image[inside]) / (np.count_nonzero(inside) + eps)
        c2 = np.sum(image[outside]) / (np.count_nonzero(outside) + eps)
        F = (image - c1) ** 2 - (image - c2) ** 2
        dphidt = F / np.max(np.abs(F)) + alpha * curvature(phi)
        dt = 0.45 / (np.max(np.abs(dphidt)) + eps)
        prev = phi <= 0
        phi = phi + dt * dphidt
        phi = np.clip(phi, -5.0, 5.0)
        changed = np.logical_xor(prev, phi <= 0).mean()
        fraction.append(changed)
        if changed < tol and its > 20:
            stop = True
        its += 1
    return phi, its, fraction


def main(n, tol, max_its):
    rng = np.random.default_rng(2001)
    y, x = np.mgrid[0:n, 0:n]
    image = 40.0 + 120 * (np.hypot(x - 0.4 * n, y - 0.5 * n) < 0.25 * n) + 90 * ((abs(x - 0.7 * n) < 0.1 * n) & (abs(y - 0.6 * n) < 0.2 * n))
    image += rng.normal(0, 20, (n, n))
    phi = np.hypot(x - n / 2, y - n / 2) - n / 3.0
    phi, its, fraction = segment(image, phi, 0.2, tol, max_its)
    print(its, "iterations, inside", np.count_nonzero(phi <= 0))
    return dict(phi=phi, its=its, fraction=np.array(fraction))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
