"""Conjugate gradients for Poisson's equation, the operator a closure over the grid (J. R. Shewchuk, An Introduction to the Conjugate Gradient Method, 1994)."""

import sys

import numpy as np

SIZES = {"bench": (400, 1e-8), "small": (14, 1e-6)}


def make_operator(nx, ny, hx, hy):
    def apply(u):
        U = u.reshape(nx, ny)
        out = 2 * U * (1 / hx**2 + 1 / hy**2)
        out[1:, :] -= U[:-1, :] / hx**2
        out[:-1, :] -= U[1:, :] / hx**2
        out[:, 1:] -= U[:, :-1] / hy**2
        out[:, :-1] -= U[:, 1:] / hy**2
        return out.ravel()

    return apply


def cg(A, b, tol, maxiter=10000):
    x = np.zeros_like(b)
    r = b - A(x)
    d = r.copy()
    delta = r @ r
    delta0 = delta
    history = [delta]
    i = 0
    while i < maxiter and delta > tol**2 * delta0:
        q = A(d)
        alpha = delta / (d @ q)
        x = x + alpha * d
        if i % 50 == 0:
            r = b - A(x)
        else:
            r = r - alpha * q
        old = delta
        delta = r @ r
        d = r + delta / old * d
        i += 1
        history.append(delta)
    return x, history


def main(n, tol):
    h = 1.0 / (n + 1)
    X, Y = np.meshgrid(np.linspace(h, 1 - h, n), np.linspace(h, 1 - h, n), indexing="ij")
    f = np.exp(-40 * ((X - 0.3) ** 2 + (Y - 0.6) ** 2))
    x, history = cg(make_operator(n, n, h, h), f.ravel(), tol)
    print(len(history) - 1, "iterations")
    return dict(x=x.reshape(n, n), first=np.array(history[:5]))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
