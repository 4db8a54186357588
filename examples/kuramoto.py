"""The Kuramoto model on a lattice: oscillators that pull at their four neighbours, zero flux over the edges.

The right-hand side and the sizes are those of A. Srinivasan, "Build You a NumPy: From Dot-Products to Machine
Code" (2022); the time steps are Euler's, ten a unit of time. The intrinsic frequencies are drawn as the
phases.
"""

import numpy as np

import nprewrite

N = 100
T = 10
K = 2.0


@nprewrite.jit
def dudt(u, omega, K):
    dudt = omega.copy()
    dudx_right = u[:, 1:] - u[:, :-1]
    dudy_down = u[1:, :] - u[:-1, :]
    dudt[:, :-1] += K * np.sin(dudx_right)
    dudt[:, 1:] += K * np.sin(-dudx_right)
    dudt[:-1, :] += K * np.sin(dudy_down)
    dudt[1:, :] += K * np.sin(-dudy_down)
    return dudt


def kuramoto(N, T, K, dt=0.1, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    u = rng.uniform(0, 2 * np.pi, size=(N, N)).astype(dtype)
    omega = rng.uniform(0, 2 * np.pi, size=(N, N)).astype(dtype)
    for _ in range(round(T / dt)):
        u = u + dt * dudt(u, omega, K)
    return u


def main():
    u = kuramoto(N, T, K)
    print("order (0 to 1):", abs(np.exp(1j * u).mean()))


if __name__ == "__main__":
    main()
