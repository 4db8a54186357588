"""V-cycles on Poisson's equation, red and black by strides (W. Briggs, V. Henson, S. McCormick, A Multigrid Tutorial)."""

import sys

import numpy as np

SIZES = {"bench": (9, 40), "small": (4, 3)}


def smooth(u, f, h, sweeps):
    for _ in range(sweeps):
        for i0, j0 in ((1, 1), (2, 2), (1, 2), (2, 1)):
            i, j = slice(i0, -1, 2), slice(j0, -1, 2)
            n, s = u[i0 - 1:-2:2, j], u[i0 + 1::2, j]
            w, e = u[i, j0 - 1:-2:2], u[i, j0 + 1::2]
            u[i, j] = 0.25 * (n[:len(u[i])] + s + w[:, :u[i, j].shape[1]] + e + h * h * f[i, j])


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1, 1:-1] = f[1:-1, 1:-1] - (4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1] - u[1:-1, :-2] - u[1:-1, 2:]) / h**2
    return r


def restrict(r):
    c = np.zeros(((r.shape[0] + 1) // 2, (r.shape[1] + 1) // 2))
    c[1:-1, 1:-1] = (r[2:-2:2, 2:-2:2] / 4 + (r[1:-3:2, 2:-2:2] + r[3:-1:2, 2:-2:2] + r[2:-2:2, 1:-3:2] + r[2:-2:2, 3:-1:2]) / 8
                     + (r[1:-3:2, 1:-3:2] + r[3:-1:2, 1:-3:2] + r[1:-3:2, 3:-1:2] + r[3:-1:2, 3:-1:2]) / 16)
    return c


def prolong(e, shape):
    f = np.zeros(shape)
    f[::2, ::2] = e
    f[1::2, ::2] = 0.5 * (e[:-1] + e[1:])
    f[:, 1::2] = 0.5 * (f[:, :-1:2] + f[:, 2::2])
    return f


def vcycle(u, f, h):
    if u.shape[0] <= 3:
        u[1, 1] = h * h * f[1, 1] / 4
        return u
    smooth(u, f, h, 2)
    coarse = restrict(residual(u, f, h))
    correction = vcycle(np.zeros_like(coarse), coarse, 2 * h)
    u += prolong(correction, u.shape)
    smooth(u, f, h, 2)
    return u


def main(levels, cycles):
    n = 2**levels
    h = 1.0 / n
    x = np.linspace(0, 1, n + 1)
    f = np.outer(np.sin(np.pi * x), np.sin(3 * np.pi * x)) + (x[:, None] > 0.5)
    u = np.zeros((n + 1, n + 1))
    norms = []
    for k in range(cycles):
        u = vcycle(u, f, h)
        norms.append(np.abs(residual(u, f, h)).max())
        print("cycle", k, "residual %.3e" % norms[-1])
    return dict(u=u, norms=np.array(norms[:4]))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
