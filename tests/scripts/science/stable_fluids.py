"""Smoke in a box by Stam's solver, which moves everything along the flow (J. Stam, Real-Time Fluid Dynamics for Games, GDC 2003)."""

import sys

import numpy as np

SIZES = {"bench": (200, 60, 15), "small": (16, 3, 4)}


def set_bnd(N, b, x):
    x[0, 1:-1] = -x[1, 1:-1] if b == 1 else x[1, 1:-1]
    x[N + 1, 1:-1] = -x[N, 1:-1] if b == 1 else x[N, 1:-1]
    x[1:-1, 0] = -x[1:-1, 1] if b == 2 else x[1:-1, 1]
    x[1:-1, N + 1] = -x[1:-1, N] if b == 2 else x[1:-1, N]
    x[0, 0] = 0.5 * (x[1, 0] + x[0, 1])
    x[0, N + 1] = 0.5 * (x[1, N + 1] + x[0, N])
    x[N + 1, 0] = 0.5 * (x[N, 0] + x[N + 1, 1])
    x[N + 1, N + 1] = 0.5 * (x[N, N + 1] + x[N + 1, N])


def lin_solve(N, b, x, x0, a, c, sweeps):
    for k in range(sweeps):
        x[1:N + 1, 1:N + 1] = (x0[1:N + 1, 1:N + 1] + a * (x[:N, 1:N + 1] + x[2:N + 2, 1:N + 1]
                               + x[1:N + 1, :N] + x[1:N + 1, 2:N + 2])) / c
        set_bnd(N, b, x)


def advect(N, b, d, d0, u, v, dt):
    I, J = np.indices((N, N)) + 1
    dt0 = dt * N
    X = I - dt0 * u[I, J]
    Y = J - dt0 * v[I, J]
    X = np.minimum(np.maximum(X, 0.5), N + 0.5)
    Y = np.minimum(np.maximum(Y, 0.5), N + 0.5)
    I0 = X.astype(int)
    J0 = Y.astype(int)
    I1 = I0 + 1
    J1 = J0 + 1
    S1 = X - I0
    S0 = 1 - S1
    T1 = Y - J0
    T0 = 1 - T1
    d[I, J] = S0 * (T0 * d0[I0, J0] + T1 * d0[I0, J1]) + S1 * (T0 * d0[I1, J0] + T1 * d0[I1, J1])
    set_bnd(N, b, d)


def project(N, u, v, p, div, sweeps):
    h = 1.0 / N
    div[1:-1, 1:-1] = -0.5 * h * (u[2:, 1:-1] - u[:-2, 1:-1] + v[1:-1, 2:] - v[1:-1, :-2])
    p[1:-1, 1:-1] = 0
    set_bnd(N, 0, div)
    set_bnd(N, 0, p)
    lin_solve(N, 0, p, div, 1, 4, sweeps)
    u[1:-1, 1:-1] -= 0.5 * (p[2:, 1:-1] - p[:-2, 1:-1]) / h
    v[1:-1, 1:-1] -= 0.5 * (p[1:-1, 2:] - p[1:-1, :-2]) / h
    set_bnd(N, 1, u)
    set_bnd(N, 2, v)


def main(N, frames, sweeps):
    visc, diff, dt = 1e-5, 1e-5, 0.05
    shape = (N + 2, N + 2)
    u, v, dens = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    u0, v0, d0 = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    for frame in range(frames):
        lo, hi = N // 2 - N // 16, N // 2 + N // 16 + 1
        dens[2:5, lo:hi] += 4.0 * dt
        u[2:5, lo:hi] += 3.0 * dt
        v[2:5, lo:hi] += 0.3 * dt * np.sin(frame / 3)
        u0, u = u, u0; lin_solve(N, 1, u, u0, dt * visc * N * N, 1 + 4 * dt * visc * N * N, sweeps)
        v0, v = v, v0; lin_solve(N, 2, v, v0, dt * visc * N * N, 1 + 4 * dt * visc * N * N, sweeps)
        project(N, u, v, u0, v0, sweeps)
        u0, u = u, u0
        v0, v = v, v0
        advect(N, 1, u, u0, u0, v0, dt)
        advect(N, 2, v, v0, u0, v0, dt)
        project(N, u, v, u0, v0, sweeps)
        d0, dens = dens, d0
        lin_solve(N, 0, dens, d0, dt * diff * N * N, 1 + 4 * dt * diff * N * N, sweeps)
        d0, dens = dens, d0
        advect(N, 0, dens, d0, u, v, dt)
        if frame % 5 == 0:
            print("frame %d: smoke %.4f" % (frame, dens.sum()))
    return dict(u=u, v=v, dens=dens)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
