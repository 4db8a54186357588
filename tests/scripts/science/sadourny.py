"""Shallow water that keeps potential enstrophy, on a staggered periodic grid (R. Sadourny, J. Atmos. Sci. 32, 1975)."""

import sys

import numpy as np

SIZES = {"bench": (256, 256, 600), "small": (16, 12, 6)}

alpha, dx, dy, a = 0.001, 1e5, 1e5, 1e6


def wrap(X):
    X[-1, :] = X[0, :]
    X[:, -1] = X[:, 0]


def initial(M, N):
    di, dj = 2 * np.pi / M, 2 * np.pi / N
    I, J = np.mgrid[0:M + 1, 0:N + 1]
    psi = a * np.sin((I + 0.5) * di) * np.sin((J + 0.5) * dj)
    p = (np.pi * np.pi * a * a / (N * dx) ** 2) * (np.cos(2 * I * di) + np.cos(2 * J * dj)) + 50000.0
    u, v = np.zeros((M + 1, N + 1)), np.zeros((M + 1, N + 1))
    u[1:, :-1] = -(psi[1:, 1:] - psi[1:, :-1]) / dy
    v[:-1, 1:] = (psi[1:, 1:] - psi[:-1, 1:]) / dx
    for X in (u, v):
        X[0, :] = X[-1, :]
        X[:, -1] = X[:, 0]
        X[:, 0] = X[:, -1]
    return u, v, p


def main(M, N, steps):
    u, v, p = initial(M, N)
    uold, vold, pold = u.copy(), v.copy(), p.copy()
    cu, cv, z, h = (np.zeros((M + 1, N + 1)) for _ in range(4))
    unew, vnew, pnew = u.copy(), v.copy(), p.copy()
    dt = tdt = 90.0
    fsdx, fsdy = 4.0 / dx, 4.0 / dy
    time = 0.0
    for ncycle in range(steps):
        cu[1:, :-1] = 0.5 * (p[1:, :-1] + p[:-1, :-1]) * u[1:, :-1]
        cv[:-1, 1:] = 0.5 * (p[:-1, 1:] + p[:-1, :-1]) * v[:-1, 1:]
        z[1:, 1:] = (fsdx * (v[1:, 1:] - v[:-1, 1:]) - fsdy * (u[1:, 1:] - u[1:, :-1])) / (
            p[:-1, :-1] + p[1:, :-1] + p[1:, 1:] + p[:-1, 1:])
        h[:-1, :-1] = p[:-1, :-1] + 0.25 * (u[1:, :-1] * u[1:, :-1] + u[:-1, :-1] * u[:-1, :-1]
                                           + v[:-1, 1:] * v[:-1, 1:] + v[:-1, :-1] * v[:-1, :-1])
        cu[0, :] = cu[M, :]; h[M, :] = h[0, :]; cv[M, :] = cv[0, :]; z[0, :] = z[M, :]
        cu[:, N] = cu[:, 0]; cv[:, 0] = cv[:, N]; z[:, 0] = z[:, N]; h[:, N] = h[:, 0]

        tdts8, tdtsdx, tdtsdy = tdt / 8.0, tdt / dx, tdt / dy
        unew[1:, :-1] = uold[1:, :-1] + tdts8 * (z[1:, 1:] + z[1:, :-1]) * (
            cv[1:, 1:] + cv[1:, :-1] + cv[:-1, 1:] + cv[:-1, :-1]) - tdtsdx * (h[1:, :-1] - h[:-1, :-1])
        vnew[:-1, 1:] = vold[:-1, 1:] - tdts8 * (z[1:, 1:] + z[:-1, 1:]) * (
            cu[1:, 1:] + cu[1:, :-1] + cu[:-1, 1:] + cu[:-1, :-1]) - tdtsdy * (h[:-1, 1:] - h[:-1, :-1])
        pnew[:-1, :-1] = pold[:-1, :-1] - tdtsdx * (cu[1:, :-1] - cu[:-1, :-1]) - tdtsdy * (cv[:-1, 1:] - cv[:-1, :-1])
        unew[0, :] = unew[M, :]; pnew[M, :] = pnew[0, :]; vnew[M, :] = vnew[0, :]
        unew[:, N] = unew[:, 0]; vnew[:, 0] = vnew[:, N]; pnew[:, N] = pnew[:, 0]

        time = time + dt
        if ncycle > 0:
            uold[...] = u + alpha * (unew - 2 * u + uold)
            vold[...] = v + alpha * (vnew - 2 * v + vold)
            pold[...] = p + alpha * (pnew - 2 * p + pold)
        else:
            tdt = tdt + tdt
            uold, vold, pold = u.copy(), v.copy(), p.copy()
        u, unew = unew, u
        v, vnew = vnew, v
        p, pnew = pnew, p
    print("hours %.2f mean height %.6f" % (time / 3600, p.mean()))
    return dict(u=u, v=v, p=p)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
