"""Heat in a plate, with the loop at module level."""

import sys

import numpy as np

n = 400
u = np.zeros((n, n))
u[n // 4 : n // 2, n // 4 : n // 2] = 1.0
k = 0.2
history = []
for step in range(30):
    lap = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    u[1:-1, 1:-1] += k * lap

energy = (u * u).sum()
Z = np.zeros((200, 300), np.complex64)
C = np.linspace(-2, 1, 300, dtype=np.float32) + 1j * np.linspace(-1, 1, 200, dtype=np.float32)[:, None]
N = np.zeros(C.shape, int)
for i in range(40):
    I = np.abs(Z) < 2
    N[I] = i
    Z[I] = Z[I] ** 2 + C[I]
np.savez(sys.argv[1], u=u, energy=energy, N=N, Z=Z, step=step, i=i, lap=lap)
